/* site.h - what the library keeps of a site. */
#ifndef LIB_LOOP_SITE_H
#define LIB_LOOP_SITE_H

#include <stdatomic.h>

#include "dls/site.h"
#include "lib/schedule/schedule.h"

/* A text that is parsed once and kept. */
struct dls__text {
	_Atomic(struct dls_schedule *) schedule;	/* NULL: refused, or not parsed yet */
	atomic_int code;		/* why */
	atomic_size_t calcs;		/* how many calculators there were; SIZE_MAX: it has not been refused */
	atomic_flag told;		/* somebody has been told */
	char text[];
};

/* What a site has learned of one worker. */
struct dls__rates {
	_Alignas(128) _Atomic double rate;	/* by the recency-weighted rule of awf: iterations per s; 0: not known */
	_Atomic double last;			/* in the last execution in which it had any */
	_Atomic double steady;			/* the same, earlier ones fading; of strategies with rounds */
	struct dls_memory memory;		/* awf's; guarded by the statistics' mutex */
};
enum { DLS__BLOCKS = 17 };	/* block b of a site's rates is of workers 2^b - 1 .. 2^(b+1) - 2 */

struct dls__site {
	struct dls__site *next;
	char *file;			/* NULL: known by name alone */
	int line;
	const struct dls_schedule *entry;	/* from DLS_SCHEDULE; NULL: none */
	_Atomic(const struct dls_schedule *) own;	/* dls_site_schedule(); NULL: none */
	_Atomic(struct dls__text *) option;		/* the `.schedule` met last */
	_Atomic double moment[DLS__MOMENTS];	/* s; < 0: not told */
	_Atomic double learned[DLS__MOMENTS];	/* the same, as measured; < 0: not known */
	atomic_bool measure;			/* dls_site_measure() */
	_Atomic(struct dls__statistics *) statistics;
	_Atomic(struct dls__rates *) rates[DLS__BLOCKS];
	bool listed;				/* known by place or name; else it is one loop's own */
	atomic_flag told;			/* about a fall-back */
	char name[64];				/* "FILE:LINE" if it has no other */
	struct dls_site place;			/* of dls_site_named(): leads here */
	_Alignas(128) _Atomic uint64_t executions, iterations;	/* counted by whoever is worker 0 */
};

/* The library's record of a place, under `name` if that is not NULL; NULL if there is no memory for it.
 * Never blocks once the place has been met under that name. */
struct dls__site *dls__site(struct dls_site *place, const char *name);

/* One more execution of so many iterations. */
static inline void dls__site_count(struct dls__site *site, uint64_t n)
{
	/* relaxed: numbers alone. */
	atomic_fetch_add_explicit(&site->executions, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&site->iterations, n, memory_order_relaxed);
}

/* A site on no list, of a loop that was given none; to be freed.  NULL: there is no memory. */
struct dls__site *dls__site_private(void);
void dls__site_free(struct dls__site *site);

/* Call visit() for each site of the program, in the order in which they were met. */
void dls__sites(void (*visit)(struct dls__site *site, void *arg), void *arg);

/* What the site knows of a worker; NULL: nothing yet, or, if it is to be made, there is no memory. */
struct dls__rates *dls__site_rates(struct dls__site *site, unsigned worker, bool make);

/* The schedule of the site's next execution; `option` is the source's `.schedule` or NULL. */
const struct dls_schedule *dls__site_schedule(struct dls__site *site, const char *option);

#endif
