/* processor.h - the processors of a loop machine. */
#ifndef LIB_LOOP_MACHINE_PROCESSOR_H
#define LIB_LOOP_MACHINE_PROCESSOR_H

#include "lib/loop_machine/loop_machine.h"
#include "lib/machine/step.h"

/* What a step would find: nothing, messages or iterations, the end of the loop. */
enum dls__readiness { DLS__NOT_READY, DLS__READY, DLS__ENDED };

/* The work that one worker does in one execution. */
struct dls__round {
	uint64_t began, n;		/* the piece in hand; n = 0: none */
	uint64_t time, done;		/* ns and iterations of pieces that have ended */
};

static inline void dls__round_ended(struct dls__round *round, uint64_t now)
{
	round->time += round->n && now > round->began ? now - round->began : 0;
	round->done += round->n;
	round->n = 0;
}

struct dls__loop_processor {
	struct dls__stepper stepper;
	_Alignas(DLS__APART) atomic_bool locked;
	bool started;				/* under the lock */
	unsigned from;				/* where its worker's next round of visits begins, */
	struct dls__round round;		/* ... and the work done */
	_Atomic enum dls__readiness hint;
	_Atomic(const void *) owner;		/* thread that last took a piece as its worker; NULL: none */
	_Atomic uint64_t alarm;			/* when it needs a step, by dls__clock_now(); UINT64_MAX: never */
};

struct dls__loop_machine {
	struct dls_machine machine;
	struct dls_task_type iterations;
	struct dls__kept_site *site;		/* keeps the workers' rates; NULL: there is none */
	uint64_t executions;
	unsigned processors;			/* opened so far */
};

static inline struct dls__loop_processor *dls__loop_processor(const struct dls__loop_machine *loop,
							      unsigned id)
{
	return (struct dls__loop_processor *)(void *)dls__vp_at(&loop->machine, id);
}

#endif
