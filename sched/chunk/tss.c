/* tss.c - trapezoid self-scheduling: sizes fall linearly from F to L.
 *
 * Tzen, Ni, "Trapezoid self-scheduling: a practical scheduling scheme for parallel compilers", IEEE TPDS
 * 4(1):87-98, 1993: C = ceil(2N/(F+L)) chunks, delta = (F-L)/(C-1), chunk i = F - i delta.
 * Departure: delta and the chunks are exact rationals, rounded down only when a chunk is dealt. */
#include <math.h>

#include "tss.h"

struct trapezoid {
	struct tss tss;
	uint64_t K;		/* the size dealt last */
};

static int tss_init(void *state, const struct dls_loop_desc *loop)
{
	const struct dls_value *f = loop->arg, *l = loop->arg ? loop->arg + 1 : NULL;

	tss_begin(&((struct trapezoid *)state)->tss, loop->n, loop->p, f && f->given ? f->count : 0,
		  l && l->given ? l->count : 1);
	return 0;
}

static uint64_t tss_next(void *state, uint64_t R)
{
	struct trapezoid *t = state;

	t->K = tss_size(&t->tss);
	return t->K < R ? t->K : R;
}

/* A size is repeated only if delta < 1. */
static uint64_t tss_repeat(void *state)
{
	struct trapezoid *trapezoid = state;
	struct tss *t = &trapezoid->tss;

	if (t->s != trapezoid->K || t->q > 0)
		return 0;
	if (t->d == 0)
		return UINT64_MAX;

	uint64_t more = t->r / t->d;	/* steps without a borrow from s */

	t->r -= more * t->d;
	tss_size(t);
	return more + 1;
}

const struct dls_calc dls__calc_tss = {
	.size = sizeof(struct dls_calc), .name = "tss", .aliases = "trapezoid trapezoidal", .source = "Tzen 1993",
	.dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct trapezoid), .init = tss_init,
	.next = tss_next, .repeat = tss_repeat,
	.param = {
		{ .name = "f", .min = 1, .max = INFINITY, .whole = true, .text = "first chunk F, iterations; default N/2P" },
		{ .name = "l", .min = 1, .max = INFINITY, .whole = true, .text = "last chunk L, iterations; default 1" },
	},
};
