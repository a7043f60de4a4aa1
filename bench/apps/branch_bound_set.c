/* branch_bound_set.c - branch and bound searches: the instances, and the steps that each of their tasks takes. */
#include <stdlib.h>

#include "branch_bound.h"
#include "dls/error.h"

double bb_imbalance(const struct bb_steps *steps)
{
	return (double)steps->most * BB_PROCESSORS / (double)steps->total;
}

/* Sums over tasks dealt in contiguous blocks. */
static void sum(struct bb_steps *steps)
{
	uint64_t of_p[BB_PROCESSORS] = { 0 };

	steps->total = steps->most = 0;
	for (uint64_t i = 0; i < steps->tasks; i++)
		of_p[i * BB_PROCESSORS / steps->tasks] += steps->of[i];
	for (unsigned p = 0; p < BB_PROCESSORS; p++) {
		steps->total += of_p[p];
		steps->most = of_p[p] > steps->most ? of_p[p] : steps->most;
	}
}

/* Search all smallest tasks; the larger ones are made of them. */
static int count(struct bb_search_steps *s)
{
	for (unsigned k = 0; k < BB_SIZES; k++) {
		struct bb_steps *steps = &s->steps[k];

		steps->tasks = bb_tasks(&s->bb, BB_LEAST + k);
		if (!steps->of)
			steps->of = calloc(steps->tasks, sizeof(*steps->of));
		if (!steps->of)
			return DLS_ENOMEM;
		if (k > 0)
			bb_merge(&s->bb, BB_LEAST + k, steps->of, steps[-1].of);
		else
			for (uint64_t i = 0; i < steps->tasks; i++)
				steps->of[i] = bb_search(&s->bb, BB_LEAST, i).steps;
		sum(steps);
	}
	return 0;
}

int bb_draw_set(struct bb_search_steps set[BB_REQUIREMENTS], uint64_t seed)
{
	double imbalance = 0;

	for (uint64_t draw = 0; imbalance < 1.7; draw++) {
		struct bb bb;
		uint32_t optimum;

		bb_draw(&bb, BB_JOBS, seed + (draw << 32));
		optimum = bb_optimum(&bb);
		imbalance = 0;
		for (unsigned r = 0; r < BB_REQUIREMENTS; r++) {
			int code;

			bb.limit = optimum * bb_requirement[r] / 100;
			set[r].bb = bb;
			code = count(&set[r]);
			if (code)
				return code;
			imbalance += bb_imbalance(&set[r].steps[1]) / BB_REQUIREMENTS;
		}
	}
	return 0;
}

void bb_free_set(struct bb_search_steps set[BB_REQUIREMENTS])
{
	for (unsigned r = 0; r < BB_REQUIREMENTS; r++)
		for (unsigned k = 0; k < BB_SIZES; k++)
			free(set[r].steps[k].of);
}
