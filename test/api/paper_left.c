/* paper_left.c - how long dls-paper report says that it still takes, on machines of which it has a part, under a
 * clock of the test's own.
 *
 * Fails if: the estimate rises though the load does not, or by more than the load; if it is far from the truth; or
 * if a machine that is slow throughout is not known to be slow once a part has ended. */
#include "bench/paper/left.h"
#include "tap.h"

enum { PARTS = 20, PROCESSORS = 2 };
#define STEP 0.5	/* s */
#define KNOWN 10	/* s, by which the load is known */

/* Processor time that parts need, the longest first, each by up to a quarter away from what is expected. */
static void make_parts(struct paper_part part[PARTS], double need[PARTS], double slow, uint64_t *draw)
{
	for (unsigned i = 0; i < PARTS; i++) {
		part[i] = (struct paper_part){ .expected = 57.0 / (1 + i) };
		need[i] = slow * part[i].expected * (.75 + .5 * (double)(tap_random(draw) >> 11) / 0x1p53);
	}
}

/* Run them, of which each that runs has this share of a processor from now on; returns whether all are over. */
static bool step(struct paper_part part[PARTS], const double need[PARTS], double share)
{
	unsigned running = 0;

	for (unsigned i = 0; i < PARTS && running < PROCESSORS; i++) {
		if (part[i].over)
			continue;
		running++;
		part[i].ran += STEP;
		part[i].cpu += share * STEP;
		part[i].over = part[i].cpu >= need[i];
	}
	return running == 0;
}

/* The shares before and after a time; returns by how much the estimate of the end rose at most, as a part of
 * the first one that is known, and in *error by how much that one is wrong. */
static double rise(double slow, double share, double later, double when, double *error, uint64_t *draw)
{
	struct paper_part part[PARTS];
	double need[PARTS], first = 0, most = 0, t = 0;

	make_parts(part, need, slow, draw);
	for (; !step(part, need, t < when ? share : later); t += STEP) {
		double end = t + STEP + paper_left(part, PARTS, PROCESSORS);

		if (t < KNOWN)
			continue;
		first = first > 0 ? first : end;
		most = fmax(most, end);
	}
	*error = fabs(first - t) / t;
	return most / first;
}

static void steady(void)
{
	uint64_t draw = tap_seed();

	for (unsigned k = 0; k < 200; k++) {
		double share = k % 2 ? 1 : .02 + .98 * (double)(tap_random(&draw) >> 11) / 0x1p53, error;

		CHECK(rise(1, share, share, 0, &error, &draw) < 1.3);
		CHECK(error < .3);
	}
}

/* A share that falls to a quarter makes what is left four times as long. */
static void busier(void)
{
	uint64_t draw = tap_seed();

	for (unsigned k = 0; k < 200; k++) {
		double error;

		CHECK(rise(1, .8, .2, (double)(KNOWN + k), &error, &draw) < 1.3 * 4);
	}
}

/* One that needed three times as long, one that was there, one that runs. */
static void slow_processors(void)
{
	const struct paper_part part[] = {
		{ 10, 30, 40, true },
		{ 10, 0, 0, true },
		{ 5, 5, 0, false },
	};

	CHECK(fabs(paper_slowness(part, 3) - 3) < 1e-9);
	CHECK(fabs(paper_left(part, 3, 2) - (3 * 5 - 5) * (40 + .01) / (35 + .01)) < 1e-9);
}

TEST_MAIN(T(steady) T(busier) T(slow_processors))
