/* domain.h - a processor and its neighbours as a balancing domain: their loads as it knows them, and the division of load among
 * them.
 *
 * Willebeek-LeMair and Reeves, IEEE Trans. Parallel Distrib. Syst. 4(9):979-993, 1993, equations 8, 10-12, 17 and
 * 18, in which sending a surplus and asking for a deficit differ only in signs.
 *
 * Shares are rounded one by one.  Under cap=off they may add up to more than the whole, up to half a task
 * for each neighbour, and tasks can go to and fro for as long as none is run, until their life ends
 * (life.h).  Under cap=on they do not: see cap= of rid in dls_balance(7). */
#ifndef SCHED_BALANCE_DOMAIN_H
#define SCHED_BALANCE_DOMAIN_H

#include "update.h"

/* What is known of a neighbour; all zero at the start. */
struct dls__link {
	int64_t load;
	uint64_t sent : 62;	/* when the neighbour sent it, ns of its clock */
	uint64_t known : 1;	/* it has sent one */
	uint64_t barren : 1;	/* it granted nothing to the last request, and has not sent its load since */
};

/* A processor in its domain: the begin of such a strategy's state. */
struct dls__domain {
	int64_t told;		/* its load, as last sent to the neighbours */
	unsigned turn;		/* the neighbour whose share is rounded first */
	bool ticking;		/* update.h */
};

/* The message with a load, in its first word. */
enum { DLS__DOMAIN_UPDATE };

enum dls__side { DLS__GIVE, DLS__TAKE };

struct dls__domain_division {
	double mean;		/* of the domain's loads, eq. 8 */
	double excess;		/* own load above the mean if giving, below it if taking */
	double total;		/* H_p, eq. 11 */
	double left;		/* part of the excess, rounded (a half down), that is not given out yet */
	enum dls__side side;
	bool empty;		/* neighbours whose load is not known count as empty */
};

/* Parameters, after those of update.h; the strategy numbers its own from DLS__DOMAIN_PARAMS on. */
enum { DLS__LOW = DLS__UPDATE_PARAMS, DLS__THRESHOLD, DLS__MIN, DLS__ROUND, DLS__SMALL, DLS__CAP, DLS__COUNTS, DLS__UNKNOWN,
       DLS__DOMAIN_PARAMS };

#define DLS__DOMAIN_PARAM(low_value, round_value, cap_value, unknown_value) \
	[DLS__LOW] = { .name = "low", .value = low_value, .min = 0, .max = INFINITY, .words = "alpha inf", \
		.text = "load below which a processor is short of it; alpha: 1 + a tenth of the initial load" }, \
	[DLS__THRESHOLD] = { .name = "threshold", .value = "1", .min = 0, .max = INFINITY, \
		.text = "load by which a processor must be off the mean of its domain" }, \
	[DLS__MIN] = { .name = "min", .value = "1", .min = 0, .max = INFINITY, \
		.text = "least load that is moved, or asked for, at once" }, \
	[DLS__ROUND] = { .name = "round", .value = round_value, .min = 1, .max = 0, .words = "nearest floor", \
		.text = "how a share of load becomes a whole number" }, \
	[DLS__SMALL] = { .name = "small", .value = "drop", .min = 1, .max = 0, .words = "drop raise", \
		.text = "a share of less than `min` is dropped, or raised to it" }, \
	[DLS__CAP] = { .name = "cap", .value = cap_value, .min = 1, .max = 0, .words = "on off", \
		.text = "the shares add up to no more than the surplus or deficit, or may after rounding" }, \
	[DLS__COUNTS] = { .name = "counts", .value = "all", .min = 1, .max = 0, .words = "all pending", \
		.text = "load is the queued tasks and the running one, or the queued ones alone" }, \
	[DLS__UNKNOWN] = { .name = "unknown", .value = unknown_value, .min = 1, .max = 0, .words = "empty wait mean", \
		.text = "a neighbour that has not told its load counts as without any, is waited for, or has the mean of the others" }

/* Handlers: the start, which gives tasks their life (life.h); a change of the own load; timer 0. */
void dls__domain_start(struct dls_vp *vp, void *state);
void dls__domain_load(struct dls_vp *vp, void *state);
void dls__domain_timer(struct dls_vp *vp, void *state, unsigned which);

/* The own load, as counts= says. */
int64_t dls__domain_own(const struct dls_vp *vp);

/* L_LOW. */
double dls__domain_low(const struct dls_vp *vp);

/* Weigh the neighbours.  If the excess is not above L_threshold, nothing is divided: `total` and `left` stay
 * 0. */
struct dls__domain_division dls__domain_divide(const struct dls_vp *vp, const struct dls__link *link,
					       enum dls__side side);

/* delta_k, eqs. 12 and 18, rounded; under cap=on at most what is left; a share below `min` becomes 0 or
 * `min`. */
int64_t dls__domain_share(const struct dls_vp *vp, struct dls__domain_division *d, const struct dls__link *link);

/* Record a neighbour's load. */
void dls__domain_told(struct dls__link *link, const struct dls_message *message, int64_t load);

/* Count a decision, of a processor with neighbours. */
void dls__domain_decision(struct dls_vp *vp, const struct dls__link *link);

#endif
