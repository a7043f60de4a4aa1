/* step.h - a processor in real time, stepped by an engine:
 *
 *	for (;;)
 *		switch (dls__step(s)) {
 *		case DLS__STEP_RUN: dls__vp_run(&s->vp); dls__vp_done(&s->vp); break;
 *		case DLS__STEP_WAIT: wait until a message comes or a timer is due;
 *		case DLS__STEP_END: return;
 *		}
 *
 * One thread at a time steps a processor, and sees what earlier threads did to it. */
#ifndef LIB_MACHINE_STEP_H
#define LIB_MACHINE_STEP_H

#include "lib/base/clock.h"
#include "lib/machine/mailbox.h"
#include "lib/machine/stepper.h"

enum { DLS__THREADS_PAUSE = 10000 };	/* ns: dls_vp_default_period() in real time, unless costs say otherwise */

enum dls__step { DLS__STEP_RUN, DLS__STEP_WAIT, DLS__STEP_END };

/* *s must be all zero; from now on the processor uses the stepper's pool.  Returns 0; DLS_ENOMEM. */
int dls__stepper_open(struct dls__stepper *s);
void dls__stepper_close(struct dls__stepper *s);

/* Before a run: start the clocks; dls__vp_reset() and dls__vp_start() follow. */
void dls__stepper_begin(struct dls__stepper *s, uint64_t begin);
/* After a run, before memory is used again: drop messages and tasks that are left, and all memory of the pool. */
void dls__stepper_end(struct dls__stepper *s);

/* The processor's activity from now on. */
static inline void dls__spend_on(struct dls__stepper *s, enum dls__activity activity)
{
	if (s->activity == activity)
		return;
	if (s->activity >= DLS__WATCHED) {
		dls__watched_spend_on(s, activity);
		return;
	}

	uint64_t now = dls__clock_since(s->begin, dls__clock_now());

	s->spent[s->activity] += dls__clock_since(s->since, now);
	if (s->activity == DLS__BUSY)
		s->stopped = now;
	s->activity = activity;
	s->since = now;
}

/* Handle the messages that have arrived, in order, and the timers that are due. */
void dls__step_handle(struct dls__stepper *s);

/* Whether no message waits and no timer is set.  This is one load of the mailbox's word, unless timers are set. */
static inline bool dls__step_quiet(const struct dls__stepper *s)
{
	return dls__mailbox_empty(&s->mailbox) && !s->timers;
}

/* Handle the messages that have arrived, and take the next task.  DLS__STEP_RUN: the task is vp.running; run it and call
 * dls__vp_done() before the next step.  DLS__STEP_WAIT: there is none.  DLS__STEP_END: there will be none. */
enum dls__step dls__step(struct dls__stepper *s);

/* ns until the next timer is due; UINT64_MAX: none is set. */
uint64_t dls__step_delay(const struct dls__stepper *s);

/* post(), timer() and stats() of an engine of steppers. */
void dls__stepper_post(struct dls_vp *from, struct dls__msg *msg);
void dls__stepper_timer(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay);
void dls__stepper_stats(const struct dls_vp *vp, struct dls_processor_stats *stats);

#endif
