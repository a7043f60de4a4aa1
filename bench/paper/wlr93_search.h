/* wlr93_search.h - the branch and bound searches of Willebeek-LeMair and Reeves 1993, section V-C, their steps counted. */
#ifndef WLR93_SEARCH_H
#define WLR93_SEARCH_H

#include "bench/apps/branch_bound.h"
#include "bench/paper/wlr93.h"

/* Tasks of size m! are those of m = WLR93_M .. WLR93_M + WLR93_SIZES - 1. */
enum { WLR93_M = 6, WLR93_SIZES = 4, WLR93_REQUIREMENTS = 5 };

/* An instance under one of the schedule requirements, and the steps it takes. */
struct wlr93_search {
	struct bb bb;
	struct wlr93_steps {
		uint64_t tasks, *of;	/* steps of each task */
		uint64_t total, most;	/* of all; of the processor with the most of WLR93_N, with no balancing */
	} steps[WLR93_SIZES];
};

/** The searches of each seed of the command line, WLR93_REQUIREMENTS of each; to be freed with wlr93_searches_free().
 *
 * A seed stands for the first instance drawn from it whose load is as unequal as the artificial one, without which there is
 * nothing to balance: T_nobal / T_opt, m = 7, mean over the requirements, is at least 1.7. */
struct wlr93_search *wlr93_searches(void);
void wlr93_searches_free(struct wlr93_search *searches);

/** T_nobal / T_opt. */
double wlr93_imbalance(const struct wlr93_steps *steps);

#endif
