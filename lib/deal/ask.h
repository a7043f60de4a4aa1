/* ask.h - reading a request: macros, calls and unmodified programs all fill in a struct dls__ask. */
#ifndef LIB_DEAL_ASK_H
#define LIB_DEAL_ASK_H

#include "lib/deal/deal.h"

/* What only calls and unmodified programs can ask for. */
struct dls__wish {
	const struct dls_schedule *schedule;	/* overrides the site's; NULL: none */
	const double *moment;			/* < 0: not told; NULL: none told */
	const uint64_t *clock;			/* virtual time, ns; NULL: real time */
	const struct dls_schedule *own;		/* how the loop's runtime deals it, or would; NULL: not known */
	bool foreign;		/* an OpenMP runtime would deal the loop; its site has a name in place of a file and a line */
	bool native;		/* it does deal it, by cursor->native; libdls only watches */
	bool scattered;		/* ... and only the sizes of its chunks are known, not their positions */
	bool hold;		/* the worker that gets the loop's last chunk runs it after all its others, whatever the order of chunks */
};

static inline const struct dls__wish *dls__wish_of(const struct dls__ask *ask)
{
	static const struct dls__wish nothing;

	return __builtin_expect(ask->wish != NULL, 0) ? ask->wish : &nothing;
}

/* Open a deal of the loop's iterations to p workers, a new one full of zeros or one that all have left.  site NULL: it has none.
 * False: there is no memory for it. */
bool dls__deal_open(struct dls__deal *deal, const struct dls__ask *ask, struct dls__kept_site *site, unsigned p);

/* Iterations of a block of a reduction of n > 0; of the blocks that auto deals together to p workers. */
uint64_t dls__block_length(uint64_t n);
uint64_t dls__blocks_together(uint64_t n, unsigned p);

/* Choose the calculator and its moments, of which the loop was `told` some unless that is NULL, and initialise its state; report a
 * fallback. */
void dls__deal_choose(struct dls__deal *deal, const double told[DLS__MOMENTS]);

/* The workers' weights that follow from what the site has learned; false: there is no memory. */
bool dls__deal_weigh(struct dls__deal *deal);

#endif
