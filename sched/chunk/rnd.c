/* rnd.c - random sizes, uniform between two bounds: a baseline for all other rules.
 *
 * Ciorba, Iwainsky, Buder, "OpenMP loop scheduling revisited: making a case for more schedules", IWOMP 2018,
 * LNCS 11128:21-36: between N/100P and N/2P.
 * The stream is Steele, Lea and Flood's SplitMix64 (OOPSLA 2014), from a seed. */
#include <math.h>

#include "dls/calc.h"
#include "sched/wide.h"

struct rnd {
	uint64_t stream, min, span;	/* sizes min .. min + span - 1 */
};

static int rnd_init(void *state, const struct dls_loop_desc *loop)
{
	static const struct dls_value none[3];
	const struct dls_value *arg = loop->arg ? loop->arg : none, *min = arg, *max = arg + 1, *seed = arg + 2;
	uint64_t from = min->given ? min->count : dls_ceil_div(loop->n, 100 * (uint64_t)loop->p);
	uint64_t to = max->given ? max->count : dls_ceil_div(loop->n, 2 * (uint64_t)loop->p);

	if (from > to) {
		if (min->given && max->given)
			return DLS_EINVAL;
		if (min->given)		/* keep the given bound */
			to = from;
		else
			from = to;
	}
	*(struct rnd *)state = (struct rnd){ seed->given ? seed->count : 1, from, to - from + 1 };
	return 0;
}

static uint64_t rnd_next(void *state, uint64_t R)
{
	struct rnd *r = state;
	uint64_t z = r->stream += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	z ^= z >> 31;

	uint64_t K = r->min + dls__wide_shifted(dls__wide_product(z, r->span), 64);

	return K < R ? K : R;
}

const struct dls_calc dls__calc_rnd = {
	.size = sizeof(struct dls_calc), .name = "rnd", .aliases = "random", .source = "Ciorba 2018",
	.dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct rnd), .init = rnd_init, .next = rnd_next,
	.param = {
		{ .name = "min", .min = 1, .max = INFINITY, .whole = true,
		  .text = "smallest size, iterations, not above max; default N/100P" },
		{ .name = "max", .min = 1, .max = INFINITY, .whole = true,
		  .text = "largest size, iterations, not below min; default N/2P" },
		{ .name = "seed", .min = 0, .max = INFINITY, .whole = true, .text = "seed of the sizes; default 1" },
	},
};
