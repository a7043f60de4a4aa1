/* measure.c - what a calculator that learns is told, and when, by hand in virtual time.
 *
 * The calculators here write down what they are given.  Fails if: a request's cost is counted as work or left out,
 * a clock that stands still or goes back makes a time of 0 or of 2^64 ns, a figure counts twice in a sum, or a weight
 * that is no number gets to the dispenser.  Parts of chunks and batches are chunk/adaptive.c's.
 *
 * runs: check */
#include <math.h>

#include "deal.h"

enum { MOST = 64 };

static struct dls_sample sample[MOST];
static struct dls_measured seen[MOST];	/* by next(), or by weight() */
static unsigned samples, views;
static double given_weight = 1;		/* by weight() */

struct probe {
	const struct dls_measured *view;
	uint64_t size;
};

static int init(void *state, const struct dls_loop_desc *loop)
{
	*(struct probe *)state = (struct probe){ loop->view, loop->arg[0].count };
	return 0;
}

static uint64_t next(void *state, uint64_t R)
{
	const struct probe *p = state;

	if (p->view && views < MOST)
		seen[views++] = *p->view;
	return p->size < R ? p->size : R;
}

/* Figures: the last chunk's size; chunks so far. */
static void learn(const void *state, struct dls_learned *memory, const struct dls_sample *given, double own[2])
{
	(void)state;
	if (samples < MOST)
		sample[samples++] = *given;
	own[0] = (double)given->n;
	own[1] = memory->value[0] += 1;
}

static double weight(const struct dls_measured *view)
{
	if (views < MOST)
		seen[views++] = *view;
	return given_weight;
}

#define SIZE .param = { { .name = "size", .min = 1, .max = INFINITY, .whole = true, .text = "iterations" } }

static const struct dls_calc probe = {
	.size = sizeof(struct dls_calc), .name = "probe", .source = "test", .needs = DLS_NEED_DONE,
	.dispenser = DLS_DISPENSER_LIVE, .state_size = sizeof(struct probe), .init = init, .next = next,
	.pace = DLS_PACE_CHUNK, .learn = learn, SIZE,
}, probe_chunk = {
	.size = sizeof(struct dls_calc), .name = "probechunk", .source = "test", .needs = DLS_NEED_WEIGHTS,
	.dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct probe), .init = init, .next = next,
	.pace = DLS_PACE_CHUNK, .learn = learn, .weight = weight, SIZE,
};

static struct dls_site *site;

static struct dls_loop *start(const char *schedule, unsigned p, int64_t n, double h)
{
	struct dls_loop *loop;

	samples = views = 0;
	site = deal_site(schedule);
	loop = deal_open(schedule, p, site, DLS_LOOP_VIRTUAL_TIME);
	CHECK_EQ(dls_loop_set_overhead(loop, h), 0);
	CHECK_EQ(dls_loop_start(loop, 0, n, 1), 0);
	return loop;
}

/* A worker asks at this time and gets so many iterations. */
static void ask(struct dls_loop *loop, double now, unsigned worker, int64_t n)
{
	CHECK_EQ(dls_loop_set_time(loop, now), 0);
	CHECK_EQ(deal_next(loop, worker).n, n);
}

static void check_sample(unsigned i, double time, double dispatch)
{
	const struct dls_sample *s = &sample[i];

	if (!CHECK(fabs(s->time - time) < 1e-12 * time + 1e-15 && fabs(s->dispatch - dispatch) < 1e-12))
		tap_note("sample %u: %g and %g s, not %g and %g", i, s->time, s->dispatch, time, dispatch);
}

static void check_view(unsigned i, bool has_own, unsigned known, const double figure[4], uint64_t done)
{
	const struct dls_measured *v = &seen[i];

	CHECK(v->has_own == has_own);
	CHECK_EQ(v->done, done);
	if (known && !(CHECK_EQ(v->known, known) == known &&
		       CHECK(v->own[0] == figure[0] && v->own[1] == figure[1] && v->sum[0] == figure[2] &&
			     v->sum[1] == figure[3])))
		tap_note("view %u: own %g %g, sum %g %g", i, v->own[0], v->own[1], v->sum[0], v->sum[1]);
}

/* Three workers, of which the last never asks; a request takes half a second. */
static void samples_and_views(void)
{
	static const double of[][4] = { { 10, 1, 10, 1 }, { 10, 2, 10, 2 }, { 10, 1, 20, 3 }, { 10, 3, 20, 4 } };
	struct dls_loop *loop = start("probe,size=10", 3, 65, 0.5);

	ask(loop, 0, 0, 10);
	ask(loop, 0, 1, 10);
	check_view(0, false, 0, NULL, 0);
	check_view(1, false, 0, NULL, 0);

	ask(loop, 5, 0, 10);	/* began at 0.5 */
	check_sample(0, 4.5, 0.5);
	check_view(2, true, 1, of[0], 10);

	ask(loop, 5, 0, 10);	/* asks before it has begun: 1 ns */
	check_sample(1, 1e-9, 0.5);
	check_view(3, true, 1, of[1], 20);

	ask(loop, 3, 1, 10);	/* the clock goes back, but not for this worker */
	check_sample(2, 2.5, 0.5);
	check_view(4, true, 2, of[2], 30);

	ask(loop, 2, 0, 10);	/* began at 5.5 */
	check_sample(3, 1e-9, 0.5);
	check_view(5, true, 2, of[3], 40);

	ask(loop, 1e9, 1, 5);	/* the end of the clock; began at 3.5 */
	check_sample(4, 1e9 - 3.5, 0.5);
	CHECK_EQ(sample[4].n, 10);
	CHECK(isnan(sample[4].variance));

	ask(loop, 4, 0, 0);	/* began at 2.5 */
	check_sample(5, 1.5, 0.5);
	CHECK_EQ(samples, 6);
	dls_loop_set_time(loop, 4);
	deal_end(loop, 65);	/* worker 1's 5 are taken for finished at once */
	CHECK_EQ(deal_stats(site).measured_iterations, 65);
	CHECK_EQ(deal_stats(site).chunks, 7);
	CHECK(fabs(deal_stats(site).busy - (4.5 + 2.5 + 1e9 - 3.5 + 1.5)) < 1e-3);
	dls_loop_close(loop);
}

static void refused_times(void)
{
	static const double bad[] = { -1e-9, 1.0000001e9, INFINITY, NAN };
	struct dls_loop *loop = start("probe,size=10", 1, 10, 0), *real = NULL;

	for (unsigned i = 0; i < 4; i++)
		CHECK_EQ(dls_loop_set_time(loop, bad[i]), DLS_ERANGE);
	CHECK_EQ(dls_loop_set_time(loop, 1e9), 0);
	CHECK_EQ(dls_loop_set_time(loop, 0), 0);
	CHECK_EQ(dls_loop_set_time(NULL, 0), DLS_EINVAL);
	CHECK_EQ(dls_loop_open(&real, 1, NULL, 0), 0);
	CHECK_EQ(dls_loop_set_time(real, 0), DLS_EINVAL);
	dls_loop_close(real);
	dls_loop_close(loop);
}

/* What weight() says stays from 1/64 to P, and a draw within the first ticket's size. */
static void weights(void)
{
	static const struct {
		double weight;
		int64_t n;
	} pair[] = {
		{ 0.5, 320 }, { 0, 10 }, { -1, 10 }, { NAN, 10 }, { 1e-300, 10 }, { 1e300, 640 }, { INFINITY, 640 },
		{ 1, 640 }, { 1.0 / 64, 10 },
	};
	struct dls_loop *loop = start("probechunk,size=640", 4, 64000, 0);

	ask(loop, 0, 0, 640);
	for (unsigned i = 0; i < sizeof(pair) / sizeof(*pair); i++) {
		given_weight = pair[i].weight;
		ask(loop, i + 1, 0, pair[i].n);
	}
	given_weight = 1;
	dls_loop_close(loop);
}

static void registered(void)
{
	CHECK_EQ(dls_calc_register(&probe), 0);
	CHECK_EQ(dls_calc_register(&probe_chunk), 0);
}

TEST_MAIN(T(registered) T(samples_and_views) T(refused_times) T(weights))
