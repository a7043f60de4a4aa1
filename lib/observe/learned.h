/* learned.h - what later executions of a site go by: an iteration's and a dispatch's times, the workers' rates. */
#ifndef LIB_OBSERVE_LEARNED_H
#define LIB_OBSERVE_LEARNED_H

#include <stdatomic.h>

#include "lib/observe/observe.h"
#include "lib/schedule/schedule.h"

/* What a site has learned of one worker. */
struct dls__rates {
	_Alignas(128) _Atomic double rate;	/* by the recency-weighted rule of awf: iterations per s; 0: not known */
	_Atomic double last;			/* in the last execution in which it had any */
	_Atomic double steady;			/* the same, earlier ones fading; of strategies with rounds */
	struct dls_learned memory;		/* awf's; guarded by the statistics' mutex */
};
enum { DLS__BLOCKS = 17 };	/* block b of the rates is of workers 2^b - 1 .. 2^(b+1) - 2 */

struct dls__learned {
	_Atomic double moment[DLS__MOMENTS];	/* s; < 0: not known */
	_Atomic(struct dls__rates *) rates[DLS__BLOCKS];
};

void dls__learned_init(struct dls__learned *learned);
void dls__learned_free(struct dls__learned *learned);

/* What is known of a worker; NULL: nothing yet, or, if it is to be made, there is no memory. */
struct dls__rates *dls__rates(struct dls__learned *learned, unsigned worker, bool make);

/* Learn from all executions so far: their moments, their time of one dispatch, s, < 0: not known; and from the last one. */
void dls__learn_moments(struct dls__learned *learned, const struct dls__moments *moments, double h);
void dls__learn_rates(struct dls__learned *learned, const struct dls__execution *execution);

#endif
