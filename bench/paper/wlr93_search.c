/* wlr93_search.c - branch and bound searches: which instances, and how many steps each of their tasks takes. */
#include <stdlib.h>

#include "wlr93_search.h"

double wlr93_imbalance(const struct wlr93_steps *steps)
{
	return (double)steps->most * WLR93_N / (double)steps->total;
}

/* Sums over tasks dealt in contiguous blocks. */
static void sum(struct wlr93_steps *steps)
{
	uint64_t of_p[WLR93_N] = { 0 };

	steps->total = steps->most = 0;
	for (uint64_t i = 0; i < steps->tasks; i++)
		of_p[i * WLR93_N / steps->tasks] += steps->of[i];
	for (unsigned p = 0; p < WLR93_N; p++) {
		steps->total += of_p[p];
		steps->most = of_p[p] > steps->most ? of_p[p] : steps->most;
	}
}

/* Search all smallest tasks; the larger ones are made of them. */
static void count(struct wlr93_search *s)
{
	for (unsigned k = 0; k < WLR93_SIZES; k++) {
		struct wlr93_steps *steps = &s->steps[k];

		steps->tasks = bb_tasks(&s->bb, WLR93_M + k);
		if (!steps->of)
			steps->of = tool_need(calloc(steps->tasks, sizeof(*steps->of)));
		if (k > 0)
			bb_merge(&s->bb, WLR93_M + k, steps->of, steps[-1].of);
		else
			for (uint64_t i = 0; i < steps->tasks; i++)
				steps->of[i] = bb_search(&s->bb, WLR93_M, i).steps;
		sum(steps);
	}
}

static void find(void *arg, size_t k)
{
	struct wlr93_search *of_seed = (struct wlr93_search *)arg + k * WLR93_REQUIREMENTS;
	double imbalance = 0;

	for (uint64_t draw = 0; imbalance < 1.7; draw++) {
		struct bb bb;
		uint32_t optimum;

		bb_draw(&bb, BB_JOBS, paper.first + k + (draw << 32));
		optimum = bb_optimum(&bb);
		imbalance = 0;
		for (unsigned r = 0; r < WLR93_REQUIREMENTS; r++) {
			bb.limit = optimum * bb_requirement[r] / 100;
			of_seed[r].bb = bb;
			count(&of_seed[r]);
			imbalance += wlr93_imbalance(&of_seed[r].steps[1]) / WLR93_REQUIREMENTS;
		}
	}
}

struct wlr93_search *wlr93_searches(void)
{
	struct wlr93_search *searches = tool_need(calloc(paper.seeds * WLR93_REQUIREMENTS, sizeof(*searches)));

	paper_each(find, searches, paper.seeds);
	return searches;
}

void wlr93_searches_free(struct wlr93_search *searches)
{
	for (size_t i = 0; i < paper.seeds * WLR93_REQUIREMENTS; i++)
		for (unsigned k = 0; k < WLR93_SIZES; k++)
			free(searches[i].steps[k].of);
	free(searches);
}
