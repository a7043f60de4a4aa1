/* segments.c - prime segments as tasks of a class: the primes, and the number of divisions, which do not depend on the nodes
 * that run the tasks. */
#include "bench/apps/segments.h"

#include <math.h>

#include "runs.h"

static struct segments x;

RUNS_APP(segments, 1, x.tasks, true)

/* least[i]: the least prime factor of i; by Eratosthenes. */
static void sift(uint32_t *least, uint32_t limit)
{
	for (uint32_t i = 2; i <= limit; i++)
		for (uint64_t j = i; j <= limit && (j > i || least[i] == 0); j += i)
			if (least[j] == 0)
				least[j] = i;
}

/* A number takes as many divisions as there are primes up to its least prime factor, or up to its root if it is prime.
 * Fails if a number is left out, a square of a prime is taken for one, or a division is left out or counted twice. */
static void defined(uint32_t limit, uint32_t length, uint32_t tasks)
{
	uint32_t *least = calloc(limit + 1, sizeof(*least)), *primes = calloc(limit + 1, sizeof(*primes));
	uint64_t divisions = 0;

	CHECK_EQ(segments_open(&x, &(struct segments_setup){ .nodes = 1, .limit = limit, .length = length }), 0);
	CHECK_EQ(x.class_count, 1);
	CHECK_EQ(x.tasks, tasks);
	sift(least, limit);
	for (uint32_t i = 2; i <= limit; i++)
		primes[i] = primes[i - 1] + (least[i] == i);
	for (uint32_t i = 2, root = 1; i <= limit; i++) {
		root += (root + 1) * (root + 1) <= i;
		divisions += primes[least[i] < i ? least[i] : root];
		CHECK_EQ(x.serial[i], least[i] == i);
	}
	CHECK_EQ(x.serial[1], 0);
	CHECK_EQ(x.divisions, divisions);
	if (limit == SEGMENTS_LIMIT)
		CHECK_EQ(primes[limit], 78498);
	segments_close(&x);
	free(least);
	free(primes);
}

static void sizes(void)
{
	defined(SEGMENTS_LIMIT, SEGMENTS_LENGTH, 500);
	for (uint32_t limit = SEGMENTS_LEAST; limit < 130; limit += 9)
		for (uint32_t length = 1; length < 20; length += 6)
			defined(limit, length, (limit + length - 1) / length);
	defined(49, 100, 1);
}

/* Fails if segments_right() overlooks a wrong number, a task that was not run or was run twice, or a division. */
static void wrong(void)
{
	struct dls_machine *machine = runs_once(&app, &(struct segments_setup){ .limit = 1000, .length = 100 });

	RUNS_WRONG(x.prime[1000], x.prime[1000] ^ 1);
	RUNS_WRONG(x.node[0].divisions, x.node[0].divisions + 1);
	RUNS_WRONG(x.node[1].runs[0], x.node[1].runs[0] + 1);
	RUNS_WRONG(x.node[0].runs[0], 0);
	dls_machine_close(machine);
	segments_close(&x);
}

/* Fails if one of these is taken. */
static void refused(void)
{
	static const struct segments_setup bad[] = {
		{ .limit = 100 }, { .nodes = 1, .limit = SEGMENTS_LEAST - 1 }, { .nodes = 1, .limit = SEGMENTS_MOST + 1 },
		{ .nodes = 1, .jitter = -.1 },
	};

	RUNS_REFUSED(bad, &(struct segments_setup){ .limit = 1000 });
}

/* Without balancing the time is that of the divisions, to a nanosecond for each task; dealt cyclically it is almost even.
 * Fails if segments are dealt in blocks: the last node would have 1.3 times its share. */
static void times(void)
{
	struct runs_machine of = { "virtual", "classes", NULL, 1, .seed = 1 };
	struct segments_setup setup = { .policy = "none", .time = 68590000000 };
	struct dls_run_result run = runs_check(&of, &app, &setup, 1);

	CHECK(fabs(run.work - 68.59) < 500e-9);
	CHECK(run.time < run.work + .01);

	of.nodes = 5;
	run = runs_check(&of, &app, &setup, 1);
	CHECK(run.time > 68.59 / 5 && run.time < 68.59 / 5 * 1.01);
	CHECK_EQ(run.nonlocal, 0);
}

static const struct segments_setup small = { .limit = 20000, .length = 200 };

/* 200 runs on each number of nodes under DLS_STRESS. */
static void threads(void)
{
	static const struct segments_setup usual = { .limit = 200000, .length = 1000 }, whole = { .limit = 0 };
	bool stress = tap_thorough();

	runs_threads(&app, stress ? &whole : &usual, stress ? 200 : 8, tap_seed());
}

static void virtual_time(void)
{
	struct segments_setup setup = small;

	setup.time = 13700000000;
	setup.jitter = .2;
	setup.seed = tap_seed();
	runs_virtual(&app, &setup, 68.59 / 145.5, setup.seed);
}

static void instant(void) { runs_virtual(&app, &small, 0, tap_seed()); }

TEST_MAIN(T(sizes) T(wrong) T(refused) T(times) T(threads) T(virtual_time) T(instant))
