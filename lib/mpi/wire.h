/* wire.h - a machine's messages between ranks: what wire.c and pack.c do for engine_mpi.c. */
#ifndef LIB_MPI_WIRE_H
#define LIB_MPI_WIRE_H

#include "lib/machine/kit.h"
#include "lib/mpi/ranks.h"

/* Numbers in struct dls_run_result that are added up. */
enum { DLS__REALS = 8, DLS__WHOLES = 10, DLS__COUNTS = DLS__WHOLES + DLS_KINDS_MAX + DLS_COUNTERS_MAX };

/* A machine's: what this rank has sent, and what it receives into. */
struct dls__far {
	struct sent *sent;
	char *room;
	size_t size;
	bool told;			/* engine_mpi.X2 */
	unsigned quiet;			/* looks for messages in vain */
	double waited, last;		/* s, as dls__mpi_wait() counts it */
	struct dls_run_result result;
	double real[DLS__REALS];	/* while results are added up; they stay if that is given up, as MPI may write to them */
	uint64_t count[DLS__COUNTS];
};

/* What machines run on: one communicator at a time; its types are the user's. */
struct dls__on {
	const struct dls__engine_kit *kit;
	struct dls_mpi *mpi;
	const struct dls_mpi_task_type *type;
	unsigned types, machines;
};
extern struct dls__on dls__on;

/* pack.c: a task's bytes; 0: it cannot be sent, and the machine has failed.  Write them, and return where they end.  Make a task of
 * vp's from them; NULL: there is no memory, and the machine has failed. */
size_t dls__packed_size(struct dls_machine *machine, const struct dls_task *task);
char *dls__pack(const struct dls_machine *machine, const struct dls_task *task, char *at);
const char *dls__unpack(struct dls_vp *vp, struct dls__tasks *to, const char *at);

/* Where the next part of a message may begin. */
static inline size_t dls__wire_round_up(size_t bytes)
{
	return (bytes + 15) / 16 * 16;
}

/* wire.c: the engine's process_of(), post() and get(); tell all ranks that the machine has failed, if it has. */
unsigned dls__far_rank(const struct dls_machine *machine, unsigned id);
void dls__far_post(struct dls_vp *from, struct dls__msg *msg);
void dls__far_get(struct dls_vp *vp, unsigned owner, uint64_t first, uint64_t count, unsigned kind, const int64_t *word);
void dls__far_tell(struct dls_machine *machine);
/* Take in all that has come; false: nothing has.  Wait a moment, as there is nothing to do: a rank that waits longer than the
 * communicator's timeout fails. */
bool dls__far_pump(struct dls_machine *machine);
void dls__far_rest(struct dls_machine *machine);

#endif
