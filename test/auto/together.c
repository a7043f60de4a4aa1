/* together.c - loops that work on the same rows, one after the other: a row that another worker wrote last takes longer.
 *
 * Alone no loop gains by static blocks, since the others move the rows, and their costs look uneven; all together gain.  Fails if they do
 * not try that at one time, if those that keep it go back when others move rows, or if they stay so once they have become uneven; or if
 * uneven loops lose more than 0.5 % by trying.
 *
 * runs: alone */
#include "auto/world.h"

enum { P = 2, N = 1280, LOOPS = 12, DRAWS = 8 };

static const double LINE = 300e-9;	/* s, from one worker to another */

struct chain {
	unsigned flags;
	double each;			/* s, of a row that is where it should be */
	double away;			/* factor of one that is not */
	bool rising, unprofiled;
	struct dls__auto kept[LOOPS];
	uint8_t owner[N];
	uint16_t left[LOOPS];		/* executions that may go on without a call, */
	uint8_t schedule[LOOPS];	/* ... and what they run */
	unsigned step, uneven_from;	/* 0: never */
	uint64_t random;
};

/* An iteration on worker w. */
static double row(struct chain *x, unsigned i, unsigned w)
{
	double cost = x->each * (x->rising ? 2.0 * (i + 0.5) / N : 1) * (x->owner[i] == w ? 1 : x->away);

	x->owner[i] = (uint8_t)w;
	return cost;
}

static void chunk(struct chain *x, unsigned w, uint64_t lo, uint64_t n, double *at, struct dls__bucket *bucket)
{
	unsigned B = dls__buckets(P, N);

	for (uint64_t i = lo; i < lo + n; i++) {
		double cost = row(x, (unsigned)i, w);
		unsigned b = (unsigned)((uint64_t)i * B / N);

		b += b + 1 < B && dls__bucket_begin(N, B, b + 1) <= i;
		*at += cost;
		bucket[b].time += cost;
		bucket[b].n++;
	}
}

/* One execution; central schedules deal to whoever is free, in an order that differs from time to time. */
static double execute(struct chain *x, unsigned schedule, struct dls__bucket bucket[P][2 * WORKERS_MOST])
{
	const struct dls_schedule *s = world_schedule(schedule);
	struct dls_loop_desc desc = { .size = sizeof(desc) };
	uint64_t state[DLS_STATE_MAX / 8], next = 0;
	const bool gone[P] = { false };
	double at[P], end = 0;
	unsigned w;

	memset(bucket, 0, P * sizeof(*bucket));
	for (w = 0; w < P; w++)
		at[w] = 1e-6 * world_uniform(&x->random);
	if (schedule == DLS__AUTO_STATIC) {
		for (w = 0; w < P; w++)
			chunk(x, w, (uint64_t)N / P * w, N / P, &at[w], bucket[w]);
	} else {
		CHECK_EQ(dls_schedule_describe(s, N, P, 0, &desc), 0);
		CHECK_EQ(dls_schedule_calc(s)->init(state, &desc), 0);
		while (next < N) {
			uint64_t K = dls_schedule_calc(s)->next(state, N - next);

			w = world_first(at, gone, P);
			at[w] += LINE;
			chunk(x, w, next, K, &at[w], bucket[w]);
			next += K;
		}
	}
	for (w = 0; w < P; w++)
		end = fmax(end, at[w]);
	return REGION + end * (0.98 + 0.04 * world_uniform(&x->random));
}

/* Every loop once; always: under one schedule. */
static double step(struct chain *x, unsigned always)
{
	static struct dls__bucket bucket[P][2 * WORKERS_MOST];
	const struct dls__bucket *const rows[P] = { bucket[0], bucket[1] };
	double sum = 0;

	x->rising |= x->uneven_from && x->step >= x->uneven_from;
	x->step++;
	for (unsigned k = 0; k < LOOPS; k++) {
		struct dls__size_class *c = dls__size_class(&x->kept[k], P, N, x->flags, REGION, 0);
		struct dls__auto_choice choice;
		double wall;

		if (always != DLS__AUTO_NONE) {
			sum += execute(x, always, bucket);
			continue;
		}
		if (x->left[k] > 0) {
			x->left[k]--;
			sum += execute(x, x->schedule[k], bucket);
			continue;
		}
		choice = dls__auto_choose(c);
		x->left[k] = choice.more;
		x->schedule[k] = choice.schedule;
		sum += wall = execute(x, choice.schedule, bucket);
		dls__auto_ended(c, choice.schedule, N, wall);
		if (choice.profile && !x->unprofiled)
			dls__auto_profiled(c, N, rows);
		world_decide(c, 20e-6);
	}
	return sum;
}

/* The time of steps from .. to - 1 of a chain, over that under one schedule. */
static double over(struct chain x, unsigned from, unsigned to, unsigned always)
{
	struct chain fixed = x;
	double sum = 0, of = 0;

	for (unsigned s = 0; s < to; s++) {
		double now = step(&x, DLS__AUTO_NONE), then = step(&fixed, always);

		sum += s < from ? 0 : now;
		of += s < from ? 0 : then;
	}
	for (unsigned k = 0; k < LOOPS; k++) {
		dls__auto_free(&x.kept[k]);
		dls__auto_free(&fixed.kept[k]);
	}
	return sum / of;
}

/* A chain of loops with a schedule of their own. */
static struct chain chain_of(unsigned own, double wall, double away)
{
	return (struct chain){
		.flags = (1 + own) * DLS__AUTO_OWN + DLS__AUTO_MONOTONIC, .each = 2 * wall / N, .away = away,
		.random = world_seed(),
	};
}

static const unsigned owns[] = { DLS__AUTO_FAC2, DLS__AUTO_SS + 4 };
enum { OWNS = sizeof(owns) / sizeof(*owns) };

static void even(void)
{
	for (unsigned i = 0; i < 2 * OWNS; i++) {
		double late = over(i < OWNS ? chain_of(owns[i], 64e-6, 8) : chain_of(owns[i - OWNS], 640e-6, 3), 600, 800, DLS__AUTO_STATIC);

		tap_note("own schedule %u: %.3f of static", owns[i % OWNS], late);
		CHECK(late < 1.1);
	}
}

/* All keep static whoever had which rows before.  Fails if a loop that has just forgotten its profiles does not try it,
 * or if one whose rows were by chance where static has them goes back. */
static void even_draws(void)
{
	for (unsigned i = 0; i < DRAWS; i++) {
		struct chain x = chain_of(DLS__AUTO_FAC2, 640e-6, 3);
		double late;

		x.random += i;
		late = over(x, 600, 800, DLS__AUTO_STATIC);
		tap_note("draw %u: %.3f of static", i, late);
		CHECK(late < 1.1);
	}
}

static void uneven_later(void)
{
	struct chain x = chain_of(DLS__AUTO_FAC2, 640e-6, 3);
	double late;

	x.uneven_from = 501;
	late = over(x, 600, 800, DLS__AUTO_FAC2);
	tap_note("%.3f of fac2", late);
	CHECK(late < 1.05);
}

static void uneven(void)
{
	for (unsigned i = 0; i < OWNS; i++) {
		struct chain x = chain_of(owns[i], 640e-6, 1);
		double all;

		x.rising = true;
		all = over(x, 0, 400, owns[i]);
		tap_note("own schedule %u: %.3f of it", owns[i], all);
		CHECK(all < 1.005);
	}
}

/* Loops of more workers than are profiled.  Fails if they try static, though they may be uneven. */
static void unprofiled(void)
{
	for (unsigned i = 0; i < OWNS; i++) {
		struct chain x = chain_of(owns[i], 640e-6, 1);
		double late;

		x.rising = x.unprofiled = true;
		late = over(x, 250, 270, owns[i]);
		tap_note("own schedule %u: %.3f of it", owns[i], late);
		CHECK(late < 1.02);
	}
}

TEST_MAIN(T(even) T(even_draws) T(uneven_later) T(uneven) T(unprofiled))
