/* native_loop.c - the dispenser of loops that the OpenMP runtime of an unmodified program deals. */
#include "lib/deal/dispenser.h"

static bool native_serves(const struct dls__deal *d, const struct dls__ask *ask)
{
	(void)d;
	return dls__wish_of(ask)->native;
}

static bool native_open(struct dls__deal *d)
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
