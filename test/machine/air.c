/* air.c - the air pollution program: its weather, its balancer; its result is the same whichever node runs a task. */
#include "bench/apps/air.h"

#include <math.h>

#include "runs.h"

static const double slow = 61.53 / 215.32;	/* Table 4: a SUN 4/110 beside SUN 4/330 */
static const uint64_t T = 61530000000;
static const char *const fault_plans[] = { NULL, "delay=0.05", "stall=0.5", "slow=4", "delay=0.5,stall=0.1,slow=3" };
enum { PLANS = 5 };

static struct air x;

RUNS_APP(air, AIR_CLASSES, x.hours + 1 + (uint64_t)x.hours * x.tracers, true)

static struct dls_run_result run_one(struct air_setup setup, const struct runs_machine *of)
{
	unsigned failures = tap_failures;
	struct dls_run_result run;

	setup.seed = of->seed;
	run = runs_check(of, &app, &setup, 1);
	if (tap_failures > failures)
		tap_note("marks %lld %lld %lld", (long long)x.marks.high, (long long)x.marks.low, (long long)x.marks.diff);
	return run;
}

/* The paper's program; speed of the first node. */
static struct dls_run_result run_paper(struct air_setup setup, double first)
{
	struct runs_machine of = { "virtual", runs_strategy[1], NULL, setup.nodes, .speed = first, .seed = 1 };

	setup.time = T;
	return run_one(setup, &of);
}

/* Fails if a weight is that of the distance instead of its square, or if weights do not add up to 1. */
static void weights(void)
{
	static struct air_sky sky;
	static struct air_field field;

	air_draw(&sky, 7);
	for (unsigned hour = 0; hour < 3; hour++) {
		double least = INFINITY, most = -INFINITY;

		for (unsigned s = 0; s < AIR_STATIONS; s++) {
			least = fmin(least, sky.measured[hour][s].east);
			most = fmax(most, sky.measured[hour][s].east);
		}
		air_wind(&sky, hour, &field);
		CHECK_EQ(field.hour, hour);
		for (unsigned i = 0; i < AIR_GRID * AIR_GRID; i++) {
			double east = field.at[i / AIR_GRID][i % AIR_GRID].east;

			CHECK(east > least && east < most);
		}
	}
	air_weigh(&sky, 3, 4, (const struct air_vector[AIR_STATIONS]){ { 5, 5 }, { 4, 3 } });
	CHECK(fabs(sky.weight[3][4][0] / sky.weight[3][4][1] - .25 / 5.25) < 1e-15);
}

/* Constant, steady, growing and sheared winds.  Fails if a step reads the wind of another time or point. */
static void drift(void)
{
	static struct air_field still, even, sheared;
	struct air_vector at;

	for (unsigned i = 0; i < AIR_GRID * AIR_GRID; i++) {
		even.at[i / AIR_GRID][i % AIR_GRID] = (struct air_vector){ 3, -1.5 };
		sheared.at[i / AIR_GRID][i % AIR_GRID] = (struct air_vector){ i / AIR_GRID, 0 };
	}
	at = air_move((struct air_vector){ 10.25, 20 }, &even, &even);
	CHECK(fabs(at.east - 13.25) < 1e-12 && fabs(at.north - 18.5) < 1e-12);
	at = air_move((struct air_vector){ 10.25, 20 }, &still, &even);	/* 0 + 1 + .. + 5 sixths of it in six steps */
	CHECK(fabs(at.east - 11.5) < 1e-12 && fabs(at.north - 19.375) < 1e-12);
	at = air_move((struct air_vector){ 10.25, 20.75 }, &sheared, &sheared);
	CHECK(fabs(at.east - 31) < 1e-12 && at.north == 20.75);
	at = air_move((struct air_vector){ 54, .5 }, &even, &even);
	CHECK(at.east == 55 && at.north == 0);
}

/* Particles go about, and few end on the border. */
static void paths(void)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		unsigned border = 0;

		CHECK_EQ(air_open(&x, &(struct air_setup){ .nodes = 1, .seed = seed }), 0);
		for (unsigned p = 0; p < AIR_TRACERS; p++) {
			struct air_vector end = x.serial->path[p][AIR_HOURS], start = x.serial->path[p][0];

			border += end.east == 0 || end.east == 55 || end.north == 0 || end.north == 55;
			CHECK(fabs(end.east - start.east) + fabs(end.north - start.north) > .01);
		}
		if (!CHECK(border < AIR_TRACERS / 10))
			tap_note("%u particles on the border", border);
		air_close(&x);
	}
}

/* Fails if air_right() overlooks a wrong bit, or a task that was not run or was run twice. */
static void wrong(void)
{
	struct dls_machine *machine = runs_once(&app, &(struct air_setup){ .hours = 5, .tracers = 4 });

	RUNS_WRONG(x.result->path[3][5].north, nextafter(x.result->path[3][5].north, 99));
	RUNS_WRONG(x.result->tracers[3][4], 0);
	RUNS_WRONG(x.result->tracers[3][4], 2);
	RUNS_WRONG(x.result->fields[5], 2);
	dls_machine_close(machine);
	air_close(&x);
}

/* With a high mark of 1 the field that the last node waits for is never begun: the run would stand. */
static void refused(void)
{
	static const struct air_marks good = { 2, 2, 0 }, high = { 1, 9, 9 }, low = { 9, 1, 9 };
	static const struct air_setup bad[] = {
		{ .nodes = 2, .marks = &high }, { .nodes = 2, .marks = &low }, { .nodes = 0 }, { .nodes = 1, .jitter = 1 },
		{ .nodes = 1, .hours = 101 }, { .nodes = 1, .tracers = 201 },
	};

	RUNS_REFUSED(bad, &(struct air_setup){ .marks = &good });
}

/* Marks at large, the tightest ones included: nodes wait for each other's fields, and tracers move back and forth. */
static struct air_marks any_marks(uint64_t *state)
{
	return (struct air_marks){ .high = 2 + (int64_t)(tap_random(state) % 6), .low = 2 + (int64_t)(tap_random(state) % 6),
				   .diff = (int64_t)(tap_random(state) % 4) };
}

/* On threads.  Fails if a tracer runs before its fields are there, and if a particle does not go with its tracer. */
static void threads(void)
{
	uint64_t state = tap_seed();
	unsigned runs = tap_thorough() ? 400 : 4;

	for (unsigned i = 0; i < RUNS_COUNTS; i++)
		for (unsigned r = 0; r < runs; r++) {
			struct runs_machine of = { "threads", runs_strategy[r % 2], NULL, runs_nodes[i], .seed = state };
			struct air_marks marks = any_marks(&state);
			bool whole = r >= runs / 2;	/* the paper's size */

			run_one((struct air_setup){ .marks = &marks, .hours = whole ? 100 : 20,
						    .tracers = whole ? 200 : 60 }, &of);
		}
}

/* In virtual time, whatever is late: the right result, and the same run again.  Fails as above. */
static void faults(void)
{
	uint64_t state = tap_seed();
	unsigned runs = tap_thorough() ? 400 : 24;

	for (unsigned r = 0; r < runs; r++) {
		struct runs_machine of = { "virtual", runs_strategy[r % 2], fault_plans[r % PLANS],
					   runs_nodes[r / 2 % RUNS_COUNTS], .speed = r % 3 ? slow : 1, .seed = state };
		struct air_marks marks = any_marks(&state);
		struct air_setup setup = { .time = T / 10, .jitter = r % 3 * .2, .hours = 20, .marks = r % 4 ? &marks : NULL,
					   .tracers = 1 + (unsigned)(tap_random(&state) % 60),
					   .policy = r % 11 ? NULL : "none" };
		struct dls_run_result one = run_one(setup, &of), two = run_one(setup, &of);

		CHECK(one.time == two.time && one.events == two.events && one.bytes == two.bytes);
	}
}

static double optimal(unsigned nodes, double first)
{
	return 1e-9 * (double)T / (first + nodes - 1);
}

/* Table 4 (b): a slow node and one to three others. */
static void heterogeneous(void)
{
	static const double most[] = { 1.10, 1.20, 1.28 };

	for (unsigned N = 2; N <= 4; N++) {
		struct dls_run_result with = run_paper((struct air_setup){ .nodes = N }, slow);
		struct dls_run_result without = run_paper((struct air_setup){ .nodes = N, .policy = "none" }, slow);
		double ratio = with.time / optimal(N, slow);

		tap_note("%u nodes: %.2f s, %.3f of the optimum; without balancing %.2f s", N, with.time, ratio,
			 without.time);
		CHECK(ratio <= most[N - 2]);
		CHECK(with.transfers > AIR_HOURS + 1);	/* the fields, from the scheduler */
		CHECK(without.time / optimal(N, slow) >= 2);
		CHECK_EQ(without.transfers, 0);
	}
}

/* Table 4 (a): balancing costs little where there is nothing to balance; with the marks of the text two nodes
 * starve, but the run ends. */
static void homogeneous(void)
{
	static const struct air_marks literal = { 2, 2, 3 };

	for (unsigned N = 2; N <= 4; N++) {
		struct dls_run_result with = run_paper((struct air_setup){ .nodes = N }, 1);
		struct dls_run_result without = run_paper((struct air_setup){ .nodes = N, .policy = "none" }, 1);

		tap_note("%u nodes: %.2f s, without balancing %.2f s", N, with.time, without.time);
		CHECK(with.time <= 1.02 * without.time);
		CHECK_EQ(with.transfers, AIR_HOURS + 1);
	}
	CHECK(run_paper((struct air_setup){ .nodes = 2, .marks = &literal }, 1).time >= 1.4 * optimal(2, 1));
}

TEST_MAIN(T(weights) T(drift) T(paths) T(wrong) T(refused) T(threads) T(faults) T(heterogeneous) T(homogeneous))
