/* wish.h - what whoever opens a deal wants of it. */
#ifndef LIB_DEAL_WISH_H
#define LIB_DEAL_WISH_H

#include "lib/deal/deal.h"

/* Where a loop's schedule and moments come from: the first that has them. */
struct dls__wish {
	struct dls__kept_site *site;		/* NULL: none */
	const char *option;			/* the source's `.schedule`, or NULL */
	const struct dls_schedule *schedule;	/* goes before the site's; NULL: none */
	const double *moment;			/* < 0: not told; NULL: none told */
	const uint64_t *clock;			/* virtual time, ns; NULL: real time */
	bool nowait;				/* who has left does not wait for the others */
	uint64_t multiple;			/* chunks start and end at multiples of it too; 0: anywhere */
	uint64_t rows;				/* of a loop over two indices, else 0 */
	uint64_t block;				/* iterations of a block of DLS_REDUCE; else 0 */
	bool native, scattered, hold;		/* lib/region/foreign.h */
	bool idempotent;			/* chunks may be run again; the deal opened is not `same` then */
};

/* Open a deal of n iterations to p workers, a new one full of zeros or one that all have left.  False: there is no
 * memory for it. */
bool dls__deal_open(struct dls__deal *deal, const struct dls__wish *wish, uint64_t n, unsigned p);

/* Choose the calculator and its moments, and initialise its state; report a fallback. */
void dls__deal_choose(struct dls__deal *deal, const struct dls__wish *wish);

/* The workers' weights that follow from what the site has learned; false: there is no memory. */
bool dls__deal_weigh(struct dls__deal *deal);

/* Whether a loop's `.schedule` is not used although nothing overrides it: it was refused, or there is no memory for it. */
bool dls__option_lost(const struct dls_schedule *schedule, const struct dls__wish *wish);

#endif
