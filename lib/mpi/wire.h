/* wire.h - a machine's messages between ranks (wire.c). */
#ifndef LIB_MPI_WIRE_H
#define LIB_MPI_WIRE_H

#include "lib/mpi/pack.h"

/* How many numbers of struct dls_run_result are added up. */
enum { DLS__REALS = 8, DLS__WHOLES = 10, DLS__COUNTS = DLS__WHOLES + DLS_KINDS_MAX + DLS_COUNTERS_MAX };

/* This rank's part of a machine. */
struct dls__remote {
	struct sent *sent;		/* messages that have not been received yet */
	char *room;			/* receive buffer, of `size` bytes */
	size_t size;
	bool told;			/* engine_mpi.X2: all ranks know that the machine has failed */
	unsigned quiet;			/* consecutive looks for messages that found none */
	double waited, last;		/* s, as dls__mpi_wait() counts it */
	struct dls_run_result result;
	double real[DLS__REALS];	/* buffers for adding up results: MPI may still write to them after a call that timed out */
	uint64_t count[DLS__COUNTS];
};

/* The engine's process_of() and post(). */
unsigned dls__remote_rank(const struct dls_machine *machine, unsigned id);
void dls__remote_post(struct dls_vp *from, struct dls__msg *msg);
/* If the machine has failed, tell all ranks. */
void dls__remote_tell(struct dls_machine *machine);
/* Receive all messages that have come; false: there are none. */
bool dls__remote_pump(struct dls_machine *machine);
/* Pause, as there is nothing to do; the machine fails if that lasts longer than the communicator's timeout. */
void dls__remote_rest(struct dls_machine *machine);

#endif
