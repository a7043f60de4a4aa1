/* member.h - the processors of a crew. */
#ifndef LIB_CREW_MEMBER_H
#define LIB_CREW_MEMBER_H

#include "lib/crew/crew.h"
#include "lib/machine/step.h"

/* What a step would find: nothing, messages or iterations, the end of the loop. */
enum dls__prospect { DLS__NOTHING, DLS__SOMETHING, DLS__OVER };

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

struct dls__member {
	struct dls__stepper stepper;
	_Alignas(DLS__APART) atomic_bool locked;
	bool started;				/* under the lock */
	unsigned from;				/* where its worker's next round of visits begins, */
	struct dls__round round;		/* ... and the work done */
	_Atomic enum dls__prospect hint;
	_Atomic(const void *) owner;		/* thread that last took a piece as its worker; NULL: none */
	_Atomic uint64_t alarm;			/* when it needs a step, by dls__clock_now(); UINT64_MAX: never */
};

struct dls__crew {
	struct dls_machine machine;
	struct dls_task_type iterations;
	struct dls__kept_site *site;		/* keeps the workers' rates; NULL: there is none */
	uint64_t executions;
	unsigned members;			/* opened so far */
};

static inline struct dls__member *dls__member(const struct dls__crew *crew, unsigned id)
{
	return (struct dls__member *)(void *)dls__vp_at(&crew->machine, id);
}

#endif
