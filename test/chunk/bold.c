/* bold.c - the bold strategy, Hagerup 1997: what is in hand, and which way it goes.
 *
 * runs: check, alone */
#include "walk.h"

static _Alignas(max_align_t) char state[DLS_STATE_MAX];

/* 5000 remain and 3000 are in hand, of which 1500 are left: 3100 - 3000 s 0.5/s less this worker's own 100.  Fails if those
 * do not count, or all count as not begun, or its own do. */
static void in_hand(void)
{
	struct dls_measured view = { .own = { 100 }, .sum = { 3100, 0.5 }, .now = 3000, .done = 2000 };
	struct dls_loop_desc loop = { .size = sizeof(loop), .n = 10000, .p = 4, .mu = 2, .sigma = 3, .h = 1, .view = &view };
	const struct dls_calc *bold = dls_calc_find("bold");

	CHECK_EQ(bold->init(state, &loop), 0);
	CHECK_EQ(bold->next(state, 5000), 1357);
	view.done = 5000;
	view.sum[0] = 100;
	CHECK(bold->next(state, 5000) < 1357);
	view.done = 0;		/* much in hand, but no worker is to have more of the last P than the others */
	CHECK_EQ(bold->next(state, 4), 1);
	CHECK_EQ(bold->next(state, 1), 1);
}

TEST_MAIN(T(in_hand))
