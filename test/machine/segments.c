/* segments.c - prime segments as tasks of a class: which numbers are prime, and by how many divisions; it does not depend
 * on the node that runs what. */
#include "bench/apps/segments.h"

#include <math.h>

#include "runs.h"

static struct segments x;

static int deal(void *of, struct dls_machine *machine)
{
	return segments_deal(of, machine);
}

static bool right(const void *of)
{
	return segments_right(of);
}

static struct runs_app open_segments(const struct segments_setup *setup)
{
	CHECK_EQ(segments_open(&x, setup), 0);
	CHECK_EQ(x.class_count, 1);
	return (struct runs_app){ &x, x.classes, x.class_count, x.tasks, deal, right };
}

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

	open_segments(&(struct segments_setup){ .nodes = 1, .limit = limit, .length = length });
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
	struct runs_machine of = { "virtual", "classes", NULL, 2, 0, 0, 1 };
	struct runs_app app = open_segments(&(struct segments_setup){ .nodes = 2, .limit = 1000, .length = 100 });
	struct dls_machine *machine = runs_open(&of, &app);

	CHECK_EQ(segments_deal(&x, machine), 0);
	CHECK(!segments_right(&x));
	CHECK_EQ(dls_machine_run(machine), 0);
	CHECK(segments_right(&x));
	x.prime[1000] ^= 1;
	CHECK(!segments_right(&x));
	x.prime[1000] ^= 1;
	x.node[0].divisions++;
	CHECK(!segments_right(&x));
	x.node[0].divisions--;
	x.node[1].runs[0]++;
	CHECK(!segments_right(&x));
	x.node[0].runs[0] = x.node[1].runs[0] = 0;
	CHECK(!segments_right(&x));
	dls_machine_close(machine);
	segments_close(&x);
}

/* Fails if one of these is taken. */
static void refused(void)
{
	struct runs_machine of = { "virtual", "classes", NULL, 4, 0, 0, 1 };
	struct runs_app app;
	struct dls_machine *machine;

	CHECK_EQ(segments_open(&x, &(struct segments_setup){ .limit = 100 }), DLS_ERANGE);
	CHECK_EQ(segments_open(&x, &(struct segments_setup){ .nodes = 1, .limit = SEGMENTS_LEAST - 1 }), DLS_ERANGE);
	CHECK_EQ(segments_open(&x, &(struct segments_setup){ .nodes = 1, .limit = SEGMENTS_MOST + 1 }), DLS_ERANGE);
	CHECK_EQ(segments_open(&x, &(struct segments_setup){ .nodes = 1, .jitter = -.1 }), DLS_ERANGE);
	app = open_segments(&(struct segments_setup){ .nodes = 2, .limit = 1000 });
	machine = runs_open(&of, &app);
	CHECK_EQ(segments_deal(&x, machine), DLS_ERANGE);
	dls_machine_close(machine);
	segments_close(&x);
}

/* Without balancing the time is that of the divisions, to a nanosecond for each task; dealt cyclically it is almost even.
 * Fails if segments are dealt in blocks: the last node would have 1.3 times its share. */
static void times(void)
{
	struct runs_machine of = { "virtual", "classes", NULL, 1, 0, 0, 1 };
	struct segments_setup setup = { .nodes = 1, .policy = "none", .time = 68590000000 };
	struct runs_app app = open_segments(&setup);
	struct dls_run_result run = runs_check(&of, &app, 1);

	CHECK(fabs(run.work - 68.59) < 500e-9);
	CHECK(run.time < run.work + .01);
	segments_close(&x);

	setup.nodes = of.nodes = 5;
	app = open_segments(&setup);
	run = runs_check(&of, &app, 1);
	CHECK(run.time > 68.59 / 5 && run.time < 68.59 / 5 * 1.01);
	CHECK_EQ(run.nonlocal, 0);
	segments_close(&x);
}

/* 200 runs on each number of nodes under DLS_STRESS.  Fails if a task is lost or run twice. */
static void threads(void)
{
	uint64_t seed = tap_seed();
	bool stress = tap_stress(0) > 0;

	for (unsigned i = 0; i < RUNS_COUNTS; i++) {
		struct segments_setup setup = { .nodes = runs_nodes[i], .limit = stress ? SEGMENTS_LIMIT : 200000,
						.length = stress ? SEGMENTS_LENGTH : 1000 };
		struct runs_app app = open_segments(&setup);

		runs_threads(&app, runs_nodes[i], stress ? 200 : 8, seed + 100 * i);
		segments_close(&x);
	}
}

/* The same; and if late messages, stalls or speeds change a result, or runs of the same seed differ. */
static void virtual_time(void)
{
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < RUNS_COUNTS; i++) {
		struct segments_setup setup = { .nodes = runs_nodes[i], .limit = 20000, .length = 200,
						.time = 13700000000, .jitter = .2, .seed = seed };
		struct runs_app app = open_segments(&setup);

		runs_virtual(&app, runs_nodes[i], 68.59 / 145.5, seed + 100 * i);
		segments_close(&x);
	}
}

/* Fails if a run of tasks that take no time does not end. */
static void instant(void)
{
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < RUNS_COUNTS; i++) {
		struct segments_setup setup = { .nodes = runs_nodes[i], .limit = 20000, .length = 200 };
		struct runs_app app = open_segments(&setup);

		runs_instant(&app, runs_nodes[i], seed + 100 * i);
		segments_close(&x);
	}
}

TEST_MAIN(T(sizes) T(wrong) T(refused) T(times) T(threads) T(virtual_time) T(instant))
