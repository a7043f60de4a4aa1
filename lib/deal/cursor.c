/* cursor.c - takes that need no dispenser: all, a share, nothing. */
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
	return c->head.n ? (struct dls__chunk){ 0, c->head.n } : dls__leave(c, ticket);
}

struct dls__chunk dls__share_of(struct dls__cursor *c)
{
	struct dls__chunk share = { dls_static_begin(c->head.n, c->workers, c->worker), 0 };

	share.n = dls_static_begin(c->head.n, c->workers, c->worker + 1) - share.lo;
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
