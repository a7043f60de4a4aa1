/* wire.h - a machine's messages between ranks: what wire.c and pack.c do for engine_mpi.c. */
#ifndef LIB_MPI_WIRE_H
#define LIB_MPI_WIRE_H

#include "lib/machine/kit.h"
#include "lib/mpi/ranks.h"

/* How many numbers of struct dls_run_result are added up. */
enum { DLS__REALS = 8, DLS__WHOLES = 10, DLS__COUNTS = DLS__WHOLES + DLS_KINDS_MAX + DLS_COUNTERS_MAX };

/* Of a machine on this rank. */
struct dls__far {
	struct sent *sent;		/* messages that have not been received yet */
	char *room;			/* receive buffer, of `size` bytes */
	size_t size;
	bool told;			/* engine_mpi.X2: all ranks know that the machine has failed */
	unsigned quiet;			/* looks for messages that found none, one after the other */
	double waited, last;		/* s, as dls__mpi_wait() counts it */
	struct dls_run_result result;
	double real[DLS__REALS];	/* buffers for adding up results: MPI may still write to them after a call that timed out */
	uint64_t count[DLS__COUNTS];
};

/* The communicator on which machines run, one at a time, and the user's types of tasks. */
struct dls__on {
	const struct dls__engine_kit *kit;
	struct dls_mpi *mpi;
	const struct dls_mpi_task_type *type;
	unsigned types, machines;
};
extern struct dls__on dls__on;

/* pack.c: bytes that a task takes; 0: it cannot be sent, and the machine has failed. */
size_t dls__packed_size(struct dls_machine *machine, const struct dls_task *task);
/* Write a task's bytes, and return where they end. */
char *dls__pack(const struct dls_machine *machine, const struct dls_task *task, char *at);
/* Append the task at `at` to *to, and return where its bytes end; NULL: there is no memory, and the machine has failed. */
const char *dls__unpack(struct dls_vp *vp, struct dls__tasks *to, const char *at);

/* Round up to where the next part of a message may begin. */
static inline size_t dls__wire_round_up(size_t bytes)
{
	return (bytes + 15) / 16 * 16;
}

/* wire.c: the engine's process_of(), post() and get(). */
unsigned dls__far_rank(const struct dls_machine *machine, unsigned id);
void dls__far_post(struct dls_vp *from, struct dls__msg *msg);
void dls__far_get(struct dls_vp *vp, unsigned owner, uint64_t first, uint64_t count, unsigned kind, const int64_t *word);
/* If the machine has failed, tell all ranks. */
void dls__far_tell(struct dls_machine *machine);
/* Receive all messages that have come; false: there are none. */
bool dls__far_pump(struct dls_machine *machine);
/* Pause, as there is nothing to do; the machine fails if that lasts longer than the communicator's timeout. */
void dls__far_rest(struct dls_machine *machine);

#endif
