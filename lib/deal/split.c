/* split.c - the layer that hands out one iteration at a time, of whatever chunks are dealt. */
#include "lib/deal/layer.h"

static struct dls__chunk take_one(struct dls__cursor *c, uint64_t ticket)
{
	(void)ticket;
	if (c->rest.n == 0) {
		dls__uncover(c, DLS__LAYER_split);
		c->rest = dls__next(&c->head);
		if (c->rest.n == 0)
			return c->rest;
		dls__cover(c, DLS__LAYER_split, take_one);
	}
	c->rest.n--;
	return (struct dls__chunk){ c->rest.lo++, 1 };
}

void dls__split(struct dls__cursor *c)
{
	c->rest = (struct dls__chunk){ 0, 0 };
	dls__cover(c, DLS__LAYER_split, take_one);
}

const struct dls__layer_ops dls__layer_split = { .join = dls__split };
