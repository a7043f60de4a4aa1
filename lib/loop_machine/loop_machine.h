/* loop_machine.h - the workers of one loop as a machine: each is a processor, whose tasks are iterations. */
#ifndef LIB_LOOP_MACHINE_LOOP_MACHINE_H
#define LIB_LOOP_MACHINE_LOOP_MACHINE_H

#include <stdatomic.h>

#include "dls/loop.h"
#include "lib/schedule/spec.h"

struct dls__loop_machine;
struct dls__kept_site;

/* A worker's weight, the mean being 1; the sum of those of workers 0 .. this one. */
struct dls__weight {
	double own, upto;
};

/* Where a worker's share of n iterations ends: shares are in proportion to the weights, equal if those are NULL. */
static inline uint64_t dls__share_end(uint64_t n, unsigned p, const struct dls__weight *weight, unsigned worker)
{
	double end;

	if (!weight || worker + 1 == p)
		return dls_static_begin(n, p, worker + 1);
	end = (double)n * (weight[worker].upto / p) + 0.5;
	return end < (double)n ? (uint64_t)end : n;
}

/* Whether the machine was made for this strategy and number of workers; false for NULL. */
bool dls__loop_machine_serves(const struct dls__loop_machine *loop, const struct dls__spec *spec, unsigned p);

/* The net of p workers.  Returns 0, or an error of dls_net_parse(). */
int dls__loop_machine_net(struct dls_net *net, const struct dls__spec *spec, unsigned p);

/* Make *loop ready for an execution of n > 0 iterations, in pieces of `grain`; *loop NULL: make one.  A machine
 * that serves keeps its memory.  If the strategy has `rounds`, the site learns the workers' rates.  False: there
 * is no memory.  Threads: no worker is in dls__loop_machine_take(). */
bool dls__loop_machine_open(struct dls__loop_machine **loop, const struct dls__spec *spec, uint64_t n, unsigned p,
			    uint64_t grain, struct dls__kept_site *site, const struct dls__weight *weight);

/* A worker's next piece; n = 0: all iterations have started, or *stopped has become true.  `stopped` may be NULL.
 * Threads: one at a time for each worker. */
struct dls__chunk dls__loop_machine_take(struct dls__loop_machine *loop, unsigned worker,
					 const atomic_bool *stopped);

void dls__loop_machine_free(struct dls__loop_machine *loop);	/* NULL does nothing */

#endif
