/* totals.h - one execution, added up over its workers. */
#ifndef LIB_OBSERVE_TOTALS_H
#define LIB_OBSERVE_TOTALS_H

#include "lib/observe/observe.h"

struct dls__totals {
	uint64_t begin, wall;		/* ns; begin UINT64_MAX: no worker came */
	uint64_t longest, chunks, iterations, requests;
	double busy, dispatch, idle, late, finish;	/* of all workers, ns */
	double saving, cov;		/* ns; dls_cov() of the finishing times */
};
struct dls__totals dls__add_up(const struct dls__execution *execution);

/* A worker that never came has done nothing, and finished when the loop began. */
static inline bool dls__came(const struct dls__execution *e, unsigned worker)
{
	return e->watch[worker].execution == e->number;
}

/* A worker's time in the execution: from its begin, or from when the worker had left the loop before, to its end, or where
 * it need not wait for that, until it left.  It was late, then busy and in dispatch, and idle for the rest.  ns. */
uint64_t dls__late_of(const struct dls__execution *execution, unsigned worker, const struct dls__totals *totals);
uint64_t dls__idle_of(const struct dls__execution *execution, unsigned worker, const struct dls__totals *totals);

/* When it left, ns after the begin. */
uint64_t dls__finish_of(const struct dls__execution *execution, unsigned worker, const struct dls__totals *totals);

#endif
