/* update.h - the load update strategy: when a processor sends its load to other processors.
 *
 * Willebeek-LeMair and Reeves, IEEE Trans. Parallel Distrib. Syst. 4(9):979-993, 1993, section III-F: an update is sent
 *
 *	update=factor	when the load has dropped to u times the last value sent, or risen to 1/u times it
 *	update=step	when it differs from the last value sent by dl
 *	update=period	every t, while it changes
 *	update=drop	when it has dropped to u times the last value sent; no rise is sent
 *
 * A strategy that uses it has DLS__UPDATE_PARAM() as its first parameters and DLS__UPDATE_COUNTER as its first counters,
 * numbers its own from DLS__UPDATE_PARAMS and DLS__UPDATE_COUNTERS, and leaves timer 0 to update.c.  The strategy keeps the last
 * value sent, makes all processors send one at the start, and sends the messages. */
#ifndef SCHED_BALANCE_UPDATE_H
#define SCHED_BALANCE_UPDATE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "dls/strategy.h"

enum { DLS__UPDATE, DLS__UPDATE_U, DLS__UPDATE_DL, DLS__UPDATE_T, DLS__UPDATE_PARAMS };

#define DLS__UPDATE_PARAM(factor) \
	[DLS__UPDATE] = { .name = "update", .value = "factor", .min = 1, .max = 0, .words = "factor step period drop", \
		.text = "what makes a processor tell its load: its change by a factor, by a step, time, or only its drop by a factor" }, \
	[DLS__UPDATE_U] = { .name = "u", .value = factor, .min = 0, .max = 1, \
		.text = "update=factor, drop: a load is told when it falls to u times what was told last, or (factor) rises to 1/u times it" }, \
	[DLS__UPDATE_DL] = { .name = "dl", .value = "10%", .min = 0, .max = INFINITY, .percent = true, \
		.text = "update=step: a load is told when it differs by dl from what was told last" }, \
	[DLS__UPDATE_T] = { .name = "t", .value = "pause", .min = 1e-9, .max = 1e9, .words = "pause", \
		.text = "update=period: seconds from one telling of a changing load to the next" }

/* Number of changes of load, and the sum of the errors of the last value sent; number of decisions that moved
 * or requested load, and the sum of the mean ages of the others' loads that they used, ns. */
enum { DLS__CHANGES, DLS__ERROR, DLS__DECISIONS, DLS__AGE, DLS__UPDATE_COUNTERS };

#define DLS__UPDATE_COUNTER "changes", "error", "decisions", "age"

/* The load is now `load`; others know it as `sent`.  Returns whether the caller must send it at once.
 *
 * ticking  false at the start; whether timer 0 is set.  One for each processor, however many loads it sends. */
bool dls__update_due(struct dls_vp *vp, bool *ticking, int64_t sent, int64_t load);

/* The same after timer 0 has gone off; *ticking is then false. */
bool dls__update_timer(struct dls_vp *vp, bool *ticking, int64_t sent, int64_t load);

/* Count a decision based on `n` > 0 loads of others; their ages add up to `age` ns. */
void dls__update_decision(struct dls_vp *vp, uint64_t age, unsigned n);

/* Age of a message's load; 0 if the sender's clock is ahead. */
static inline uint64_t dls__update_age(const struct dls_vp *vp, uint64_t sent)
{
	uint64_t now = dls_vp_now(vp);

	return now > sent ? now - sent : 0;
}

#endif
