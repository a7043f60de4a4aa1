/* unmodified.c - what only the loops of unmodified programs have: their OpenMP runtime as the dispenser,
 * and the filter that hands out the loop's last chunk after all others that its worker gets. */
#include "lib/deal/dispenser.h"

static bool native_serves(const struct dls__work_share *d, const struct dls__request *request)
{
	(void)d;
	return dls__extra_of(request)->native;
}

static bool native_open(struct dls__work_share *d)
{
	(void)d;
	return true;
}

static void native_join(struct dls__cursor *c)
{
	c->head.take = c->native;
}

const struct dls__dispenser_ops dls__native = {
	.declared = DLS__ANY_CALC, .serves = native_serves, .open = native_open, .join = native_join, .native = true,
};

/* The inner take leaves the loop when it is empty; that is put off until the chunk which is held back
 * has been run. */
static struct dls__chunk take_held(struct dls__cursor *c, uint64_t ticket)
{
	void (*leave)(struct dls__cursor *) = c->leave;
	struct dls__chunk chunk;

	(void)ticket;
	dls__pop_filter(c, DLS__FILTER_hold);
	for (;;) {
		if (c->last.n)
			c->leave = NULL;
		chunk = dls__next(&c->head);
		if (c->last.n)
			c->leave = leave;
		if (chunk.n == 0 || chunk.lo + chunk.n < c->head.n)
			break;
		c->last = chunk;
	}
	if (chunk.n == 0 && c->last.n) {
		chunk = c->last;
		c->head.take = dls__leave;
	} else if (chunk.n) {
		dls__push_filter(c, DLS__FILTER_hold, take_held);
	}
	return chunk;
}

/* Loops that are run again have no last chunk. */
static bool hold_wants(struct dls__work_share *d, const struct dls__request *request)
{
	return dls__extra_of(request)->foreign && d->n > 0 && d->dispenser->unordered &&
	       !dls__goes_through(d, DLS__FILTER_idempotent);
}

static void hold_join(struct dls__cursor *c)
{
	c->last = (struct dls__chunk){ 0, 0 };
	dls__push_filter(c, DLS__FILTER_hold, take_held);
}

const struct dls__filter_ops dls__filter_hold = { .wants = hold_wants, .join = hold_join };
