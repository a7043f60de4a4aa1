/* cursor.c - takes that need no dispenser: all, a share, one iteration at a time, nothing. */
#include "lib/deal/cursor.h"

static const struct dls__chunk none = { 0, 0 };

static struct dls__chunk take_nothing(struct dls__cursor *c, uint64_t ticket)
{
	(void)c;
	(void)ticket;
	return none;
}

struct dls__chunk dls__leave(struct dls__cursor *c, uint64_t ticket)
{
	(void)ticket;
	c->head.counter = NULL;
	c->head.take = take_nothing;
	if (c->leave) {
		c->leave(c);
		c->deal = NULL;		/* it may be another loop's by now, or freed */
	}
	return none;
}

static struct dls__chunk take_all(struct dls__cursor *c, uint64_t ticket)
{
	c->head.take = dls__leave;
	return c->head.N ? (struct dls__chunk){ 0, c->head.N } : dls__leave(c, ticket);
}

struct dls__chunk dls__share_of(struct dls__cursor *c)
{
	struct dls__chunk share = { dls_static_begin(c->head.N, c->workers, c->worker), 0 };

	share.n = dls_static_begin(c->head.N, c->workers, c->worker + 1) - share.lo;
	c->head.take = dls__leave;
	return share.n ? share : dls__leave(c, 0);
}

static struct dls__chunk take_share(struct dls__cursor *c, uint64_t ticket)
{
	(void)ticket;
	return dls__share_of(c);
}

void dls__take_all(struct dls__cursor *c)
{
	c->head.take = take_all;
}

void dls__take_share(struct dls__cursor *c)
{
	c->head.take = take_share;
}

static struct dls__chunk take_one(struct dls__cursor *c, uint64_t ticket)
{
	(void)ticket;
	if (c->split.n == 0) {
		dls__uncover(c, &c->whole);
		c->split = dls__next(&c->head);
		if (c->split.n == 0)
			return none;
		dls__interpose(c, &c->whole, take_one);
	}
	c->split.n--;
	return (struct dls__chunk){ c->split.lo++, 1 };
}

/* The source beneath leaves the loop when it is empty; that is put off until the chunk which is held back has been run. */
static struct dls__chunk take_held(struct dls__cursor *c, uint64_t ticket)
{
	void (*leave)(struct dls__cursor *) = c->leave;
	struct dls__chunk chunk;

	(void)ticket;
	dls__uncover(c, &c->whole);
	for (;;) {
		if (c->split.n)
			c->leave = NULL;
		chunk = dls__next(&c->head);
		c->leave = leave;
		if (c->split.n || chunk.n == 0 || chunk.lo + chunk.n < c->head.N)
			break;
		c->split = chunk;
	}
	if (chunk.n == 0 && c->split.n) {
		chunk = c->split;
		c->split = none;
		c->head.take = dls__leave;
	} else if (chunk.n) {
		dls__interpose(c, &c->whole, take_held);
	}
	return chunk;
}

void dls__hold_last(struct dls__cursor *c)
{
	c->split = none;
	dls__interpose(c, &c->whole, take_held);
}

void dls__split(struct dls__cursor *c)
{
	c->split = none;
	dls__interpose(c, &c->whole, take_one);
}
