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

static bool take_own(struct dls__cursor *c)
{
	c->lo = c->deal->calc->at(c->state, c->ticket, &c->n);
	if (c->n == 0)
		return dls__leave(c);
	if (__builtin_add_overflow(c->ticket, c->workers, &c->ticket))
		c->take = dls__leave;
	return true;
}

static void own_join(struct dls__cursor *c)
{
	struct dls_loop_desc desc;

	dls__deal_describe(c->deal, c->worker, &desc);
	c->deal->calc->init(c->state, &desc);
	c->ticket = c->worker;
	c->take = take_own;
}

const struct dls__dispenser dls__own = { own_open, own_join };
