/* own.c - the dispenser without a counter: worker w takes chunks w, w + P, ... of a sequence in closed form.
 *
 * O1: the chunk numbers of different workers differ modulo P, so no chunk is taken twice.
 * Progress: wait-free; nothing is shared. */
#include "dls/calc.h"
#include "lib/loop/deal.h"

static bool own_open(struct dls__deal *d)
{
	(void)d;
	return true;
}

static struct dls__chunk take_own(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__chunk chunk;

	chunk.lo = c->deal->calc->at(c->state, c->first, &chunk.n);
	if (chunk.n == 0 || chunk.lo >= c->N)
		return dls__leave(c, ticket);
	if (chunk.n > c->N - chunk.lo)
		chunk.n = c->N - chunk.lo;
	if (__builtin_add_overflow(c->first, c->workers, &c->first))
		c->take = dls__leave;
	return chunk;
}

static void own_join(struct dls__cursor *c)
{
	struct dls_loop_desc desc;

	if (c->deal->calc->needs & DLS_NEED_WEIGHTS) {	/* the share depends on whose it is */
		dls__deal_describe(c->deal, c->worker, &desc);
		c->deal->calc->init(c->state, &desc);
	}
	c->first = c->worker;		/* the number of its next chunk */
	c->take = take_own;
}

const struct dls__dispenser dls__own = { own_open, own_join };
