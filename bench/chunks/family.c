/* family.c - which family a schedule belongs to, by what its calculator declares and by its first sizes. */
#include "chunks.h"

enum { LOOK = 32, WORKERS = 8 };
#define ITERATIONS 1000000u

/* The family, by the first sizes in a loop in which each family has other sizes.  For calculators that do not learn. */
static enum family by_sizes(const struct dls_schedule *schedule)
{
	const struct dls_calc *calc = dls_schedule_calc(schedule);
	struct dls_loop_desc loop = { .size = sizeof(loop) };
	uint64_t state[DLS_STATE_MAX / 8], R = ITERATIONS, before = ITERATIONS;

	if (dls_schedule_describe(schedule, R, WORKERS, 0, &loop) || calc->init(state, &loop))
		return OTHER;
	for (unsigned k = 0; k < LOOK && R; k++) {
		uint64_t K = calc->next(state, R);

		if (K == 0 || K > before)
			return OTHER;
		if (k == 0 && calc->repeat && calc->repeat(state) == WORKERS - 1)
			return FACTORING;
		before = K;
		R -= K < R ? K : R;
	}
	return DECREASING;
}

enum family chunks_family(const struct dls_schedule *schedule)
{
	const struct dls_calc *calc = dls_schedule_calc(schedule);

	if (!calc)
		return OTHER;
	if (calc->dispenser == DLS_DISPENSER_RANGES)
		return STEALING;
	if (calc->dispenser == DLS_DISPENSER_LIVE || calc->pace != DLS_PACE_NEVER)
		return ADAPTIVE;
	if (takes_weights(calc) || says(schedule, "weights"))
		return WEIGHTED;
	return calc->fixed_size ? FIXED : by_sizes(schedule);
}
