/* member.h - the processors of a crew. */
#ifndef LIB_CREW_MEMBER_H
#define LIB_CREW_MEMBER_H

#include "lib/crew/crew.h"
#include "lib/crew/rounds.h"
#include "lib/machine/step.h"

/* What a step by this processor's worker would find. */
enum dls__prospect { DLS__NOTHING, DLS__SOMETHING, DLS__OVER };

struct dls__member {
	struct dls__stepper stepper;
	_Alignas(DLS__APART) atomic_bool locked;
	bool started;				/* under the lock */
	unsigned from;				/* its worker's: where its next round begins; */
	struct dls__round round;		/* ... what it gets done */
	_Atomic enum dls__prospect hint;
	_Atomic(const void *) owner;		/* the thread that took for it last; NULL: none has come */
	_Atomic uint64_t alarm;			/* from then on it wants a step, by dls__clock_now(); UINT64_MAX: no */
};

struct dls__crew {
	struct dls_machine machine;
	struct dls_task_type iterations;
	struct dls__kept_site *site;		/* keeps the workers' rates; NULL: there is none */
	uint64_t executions;
	unsigned members;			/* that have been opened */
};

static inline struct dls__member *dls__member(const struct dls__crew *crew, unsigned id)
{
	return (struct dls__member *)(void *)dls__vp_at(&crew->machine, id);
}

#endif
