/* stepper.h - a processor in real time, which step.h steps and step_watch.c watches. */
#ifndef LIB_MACHINE_STEPPER_H
#define LIB_MACHINE_STEPPER_H

#include "lib/base/apart.h"
#include "lib/base/clock.h"
#include "lib/machine/mailbox.h"
#include "lib/machine/vp.h"

/* What a processor spends its time on; in a machine that is watched, larger by DLS__WATCHED (step_watch.c). */
enum dls__activity {
	DLS__BUSY, DLS__OVERHEAD, DLS__SERVICE, DLS__HELD, DLS__IDLE, DLS__ACTIVITIES, DLS__WATCHED = 8
};

struct dls__stepper {
	_Alignas(DLS__APART) struct dls_vp vp;
	struct dls__pool pool;
	struct dls__msg *timers;	/* those that are set, the next to go off first */
	const char *task;		/* watched: name of the running task's type */
	uint64_t begin;			/* of the run, by dls__clock_now() */
	enum dls__activity activity;	/* since: */
	uint64_t since;
	uint64_t spent[DLS__ACTIVITIES];	/* ns */
	uint64_t stopped;		/* its last task, so far: ns since begin */
	bool counting;			/* engine_threads.c: `time` is valid: it was read ... */
	struct dls__thread_time time;
	uint64_t counted;		/* ... when `counted` ns had been spent on tasks */
	uint64_t preempted;		/* ns of task time during which the system ran something else */
	uint64_t overslept;		/* ns by which sleeps were too long, taken off the next */

	_Alignas(DLS__APART) struct dls__mailbox mailbox;
};

static inline struct dls__stepper *dls__stepper(const struct dls_vp *vp)
{
	return (struct dls__stepper *)(void *)(uintptr_t)vp;	/* vp is its first member */
}

static inline struct dls__stepper *dls__stepper_at(const struct dls_machine *m, unsigned id)
{
	return dls__stepper(dls__vp_at(m, id));
}

static inline uint64_t dls__stepper_now(const struct dls_vp *vp)
{
	return dls__clock_since(dls__stepper(vp)->begin, dls__clock_now());
}

/* In a machine that is watched: dls__spend_on(). */
void dls__watched_spend_on(struct dls__stepper *s, enum dls__activity activity) __attribute__((cold));
/* Likewise: report that a task begins, that a message leaves or is handled. */
void dls__watched_begin(struct dls__stepper *s) __attribute__((cold));
void dls__watched_message(struct dls__stepper *s, enum dls_event what, const struct dls__msg *msg) __attribute__((cold));

#endif
