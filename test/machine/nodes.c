/* nodes.c - the applications of bench/apps/nodes.h: each task runs once and the result is the serial program's,
 * bit for bit, whichever node of 1 to 8 runs a task and however late messages are.
 *
 * runs: machines, pthreads */
#include "bench/apps/air.h"
#include "bench/apps/poisson.h"
#include "bench/apps/product.h"
#include "bench/apps/segments.h"

#include <math.h>

#include "dls/class.h"
#include "dls/strategy.h"
#include "guard.h"
#include "machine.h"

enum { NODES_MOST = 8, HANGS = 300 /* s */ };

static const unsigned node_counts[] = { 1, 2, 3, 5, 8 };
enum { COUNTS = sizeof(node_counts) / sizeof(*node_counts) };

static const char *const strategies[] = { "classes", "classes,scheduler=dedicated" };

/* Faults as long as a task, as long as a large part of the run, and all together. */
static const char *const fault_plans[] = {
	NULL, "delay=0.02", "stall=0.05", "slow=4", "delay=0.5", "delay=0.05,stall=0.1,slow=3",
};
enum { PLANS = sizeof(fault_plans) / sizeof(*fault_plans) };

/* A machine.
 *
 * moves  number of moves that the test asks for besides the policy's; their tasks and nodes are drawn from `seed`
 * speed  of node 0, in virtual time; 0: 1, as the others have */
struct plan {
	const char *engine, *strategy, *faults;
	unsigned nodes, moves;
	double speed;
	uint64_t seed;
};

/* An application of this test.
 *
 * moves  of tasks of its first class that the test asks for in every other run besides the policy's
 * open   the setup for *nodes; if `nodes` is NULL, for as many as it says
 * tasks  of the application as it is open
 * small  a setup, after a run of which on two nodes `spoil` makes one thing after the other wrong
 * bad    `bads` setups of `size` bytes each that are not taken */
struct app {
	int (*open)(const void *setup, const unsigned *nodes);
	void (*close)(void);
	const struct dls_class_desc *classes;
	unsigned class_count, moves;
	uint64_t (*tasks)(void);
	int (*deal)(struct dls_machine *machine);
	bool (*right)(void);
	const void *small;
	void (*spoil)(const struct app *app, struct dls_machine *machine);
	const void *bad;
	size_t bads, size;
};

static uint64_t drawn;
static unsigned moves_left;	/* still to ask for */
static uint64_t transfers;	/* tasks moved in all runs */
enum { MORE = 50 };	/* runs at most, on threads, until one has moved: processors may be few and busy */

static int move_some(struct dls_view *view, unsigned node, void *context)
{
	uint64_t nodes = dls_view_nodes(view);
	struct dls_hint hint = { .key = INT64_MIN };
	struct dls_class_status status = { .size = sizeof(status) };
	int code;

	hint.source = (unsigned)(tap_random(&drawn) % nodes);
	hint.destination = (unsigned)(tap_random(&drawn) % nodes);
	code = dls_view_status(view, 0, hint.source, &status);
	if (code)
		return code;
	if (moves_left == 0 || status.tasks == 0 || hint.source == hint.destination)
		return dls_view_balance(view, 0, node);
	moves_left--;
	hint.count = 1 + tap_random(&drawn) % status.tasks;
	return dls_view_hint(view, 0, &hint);
}

static struct dls_machine *open_plan(const struct plan *of, const struct app *app)
{
	struct dls_class_desc own[DLS_CLASSES_MAX];
	double speed[NODES_MOST + 1];

	memcpy(own, app->classes, app->class_count * sizeof(*own));
	if (of->moves)
		own->balance = move_some;
	for (unsigned i = 0; i <= NODES_MOST; i++)
		speed[i] = i == 0 ? of->speed : 1;
	return MACHINE(.engine = of->engine, .strategy = of->strategy, .faults = of->faults,
		       .costs = "nectar", .speed = of->speed > 0 ? speed : NULL,
		       .processors = of->nodes + (strstr(of->strategy, "dedicated") != NULL), .seed = of->seed,
		       .classes = own, .class_count = app->class_count, .tasks = app->tasks());
}

static void blame(const struct plan *of)
{
	tap_note("engine %s, strategy %s, faults %s, nodes %u, moves %u, speed %g, seed %llu", of->engine,
		 of->strategy, of->faults ? of->faults : "none", of->nodes, of->moves, of->speed,
		 (unsigned long long)of->seed);
}

/* Run it `times` times: each task runs once, and the result is right.  Returns the last result. */
static struct dls_run_result run(const struct plan *of, const struct app *app, const void *setup, unsigned times)
{
	struct dls_machine *machine;
	struct dls_run_result result = { .size = sizeof(result) };
	unsigned failures = tap_failures;

	if (CHECK_EQ(app->open(setup, &of->nodes), 0))
		return result;
	machine = open_plan(of, app);
	drawn = of->seed;
	for (unsigned i = 0; machine && i < times && tap_failures == failures; i++) {
		moves_left = of->moves;
		guard(of->strategy, HANGS);
		CHECK_EQ(app->deal(machine), 0);
		result = machine_run(machine);
		guard_over();
		transfers += result.transfers;
		CHECK_EQ(result.tasks, app->tasks());
		CHECK(app->right());
	}
	if (tap_failures > failures)
		blame(of);
	dls_machine_close(machine);
	app->close();
	return result;
}

/* On threads: both schedulers, with the policy's moves alone and with moves of the test.  Fails if what a task
 * needs stays behind when it is moved, or a task is lost or run twice. */
static void on_threads(const struct app *app, const void *setup, unsigned times, uint64_t seed)
{
	for (unsigned n = 0; n < COUNTS; n++, seed += 100) {
		unsigned nodes = node_counts[n];
		/* Of fewer all may be through before the scheduler has been told. */
		bool shared = nodes >= 5 && app->moves > 0;

		transfers = 0;
		for (unsigned i = 0; i < 4 || (shared && i < MORE && transfers == 0); i++) {
			struct plan of = { "threads", strategies[i % 2], NULL, nodes, i / 2 ? app->moves : 0,
					   .seed = seed + i };

			run(&of, app, setup, i < 4 ? times / 4 : 1);
		}
		tap_note("%u nodes: %llu tasks moved", nodes, (unsigned long long)transfers);
		CHECK(!shared || transfers > 0);
	}
}

/* In virtual time: every plan of faults, with each number of nodes under DLS_STRESS, else with one of them;
 * one slow node; speed 0: tasks take no time, so that the scheduler has nothing to measure.  Fails as above;
 * and if late messages, stalls or speeds change a result, runs of the same seed differ, or one does not end. */
static void in_virtual_time(const struct app *app, const void *setup, double speed, uint64_t seed)
{
	for (unsigned n = 0; n < COUNTS; n++, seed += 100)
		for (unsigned i = tap_thorough() ? 0 : n; i < 4 * PLANS; i += tap_thorough() ? 1 : COUNTS) {
			struct plan of = { "virtual", strategies[i % 2], fault_plans[i / 4], node_counts[n],
					   .moves = i / 2 % 2 ? app->moves : 0, .speed = speed,
					   .seed = seed + i };
			bool shared = of.nodes > 1 && speed > 0 && !(of.faults && strstr(of.faults, "slow"));
			struct dls_run_result one = run(&of, app, setup, 1), two;

			if (shared && !CHECK(one.transfers > 0))
				blame(&of);
			if (i % 8 == 0) {
				two = run(&of, app, setup, 1);
				CHECK(one.time == two.time && one.messages == two.messages && one.nonlocal == two.nonlocal);
			}
		}
}

/* Fails if X_right() overlooks a wrong bit, a task that was not run, or one that was run twice. */
static void wrong(const struct app *app)
{
	struct dls_machine *machine;

	CHECK_EQ(app->open(app->small, (const unsigned[]){ 2 }), 0);
	machine = open_plan(&(struct plan){ .engine = "virtual", .strategy = "classes", .nodes = 2 }, app);
	CHECK_EQ(app->deal(machine), 0);
	CHECK(!app->right());
	CHECK_EQ(dls_machine_run(machine), 0);
	CHECK(app->right());
	app->spoil(app, machine);
	dls_machine_close(machine);
	app->close();
}

/* With another value at this place it is not right, until it is as it was. */
#define WRONG(place, value) \
	do { \
		char kept[sizeof(place)]; \
\
		memcpy(kept, &(place), sizeof(kept)); \
		(place) = (value); \
		CHECK(!app->right()); \
		memcpy(&(place), kept, sizeof(kept)); \
		CHECK(app->right()); \
	} while (0)

/* Fails if a bad setup is taken, or a good one is dealt to a machine with other nodes. */
static void refused(const struct app *app)
{
	struct dls_machine *machine;

	for (size_t i = 0; i < app->bads; i++) {
		if (CHECK_EQ(app->open((const char *)app->bad + i * app->size, NULL), DLS_ERANGE) != (uint64_t)DLS_ERANGE)
			tap_note("setup %zu", i);
		app->close();
	}
	CHECK_EQ(app->open(app->small, (const unsigned[]){ 2 }), 0);
	machine = open_plan(&(struct plan){ .engine = "virtual", .strategy = "classes", .nodes = 4 }, app);
	CHECK_EQ(app->deal(machine), DLS_ERANGE);
	dls_machine_close(machine);
	app->close();
}

/* The application X as X_app: how many classes, moves and tasks it has, what must hold besides X_right(), and
 * a small setup. */
#define APP(X, count, moves, n, also, ...) \
	static const struct X##_setup X##_small = __VA_ARGS__; \
	static int X##_opened(const void *setup, const unsigned *nodes) \
	{ \
		struct X##_setup own = *(const struct X##_setup *)setup; \
\
		own.nodes = nodes ? *nodes : own.nodes; \
		return X##_open(&X, &own); \
	} \
	static void X##_closed(void) { X##_close(&X); } \
	static uint64_t X##_tasks(void) { return n; } \
	static int X##_dealt(struct dls_machine *machine) { return X##_deal(&X, machine); } \
	static bool X##_is_right(void) { return X##_right(&X) && (also); } \
	static const struct app X##_app = { \
		X##_opened, X##_closed, X.classes, count, moves, X##_tasks, X##_dealt, X##_is_right, \
		&X##_small, X##_spoil, X##_bad, sizeof(X##_bad) / sizeof(*X##_bad), sizeof(*X##_bad) \
	}; \
	static void X##_wrong(void) { wrong(&X##_app); } \
	static void X##_refused(void) { refused(&X##_app); }

/* The matrix product: each row of A moves with its task, and is on one node. */
static struct product product;

static const struct product_setup product_bad[] = {
	{ .n = 20 }, { .nodes = 1, .n = PRODUCT_MOST + 1 }, { .nodes = 1, .jitter = 1.01 }, { .nodes = 1, .jitter = NAN },
};

static bool rows_once(void)
{
	for (unsigned i = 0; i < product.setup.n; i++) {
		unsigned nodes = 0;

		for (unsigned k = 0; k < product.setup.nodes; k++)
			nodes += product.node[k].has[i];
		if (nodes != 1)
			return false;
	}
	return true;
}

/* Fails also if a row is used where it is not. */
static void product_spoil(const struct app *app, struct dls_machine *machine)
{
	WRONG(product.result[399], nextafter(product.result[399], 9));
	WRONG(product.node[1].runs[0], product.node[1].runs[0] + 1);
	WRONG(product.node[0].runs[0], 0);
	CHECK_EQ(product_deal(&product, machine), 0);
	product.node[0].has[9] = false;
	CHECK_EQ(dls_machine_run(machine), DLS_EINVAL);
}

APP(product, 1, 20, product.setup.n, rows_once(), { .n = 20 })

/* Each element by its definition.  Fails if rows and columns are exchanged, a product is left out, or the order differs. */
static void product_defined(void)
{
	CHECK_EQ(product_open(&product, &(struct product_setup){ .nodes = 1, .n = 37, .seed = tap_seed() }), 0);
	CHECK_EQ(product.class_count, 1);
	for (size_t i = 0; i < 37; i++)
		for (size_t j = 0; j < 37; j++) {
			double sum = 0;

			for (size_t k = 0; k < 37; k++)
				sum += product.a[i * 37 + k] * product.b[k * 37 + j];
			CHECK(sum == product.serial[i * 37 + j]);
		}
	product_close(&product);
}

/* 200 runs of the paper's size on each number of nodes under DLS_STRESS. */
static void product_threads(void)
{
	bool stress = tap_thorough();

	on_threads(&product_app, &(struct product_setup){ .n = stress ? 0 : 96 }, stress ? 200 : 4, tap_seed());
}

static void product_virtual(void)
{
	struct product_setup setup = { .n = 64, .time = 7500000000, .jitter = .2, .seed = tap_seed() };

	in_virtual_time(&product_app, &setup, 29.76 / 97, setup.seed);
}

static void product_instant(void)
{
	in_virtual_time(&product_app, &(struct product_setup){ .n = 64 }, 0, tap_seed());
}

/* Prime segments: the primes, and the number of divisions. */
static struct segments segments;

static const struct segments_setup segments_bad[] = {
	{ .limit = 100 }, { .nodes = 1, .limit = SEGMENTS_LEAST - 1 }, { .nodes = 1, .limit = SEGMENTS_MOST + 1 },
	{ .nodes = 1, .jitter = -.1 },
};

static void segments_spoil(const struct app *app, struct dls_machine *machine)
{
	WRONG(segments.prime[1000], segments.prime[1000] ^ 1);
	WRONG(segments.node[0].divisions, segments.node[0].divisions + 1);
	WRONG(segments.node[1].runs[0], segments.node[1].runs[0] + 1);
	WRONG(segments.node[0].runs[0], 0);
}

APP(segments, 1, 20, segments.tasks, true, { .limit = 1000, .length = 100 })

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
static void define(uint32_t limit, uint32_t length, uint32_t tasks)
{
	uint32_t *least = calloc(limit + 1, sizeof(*least)), *primes = calloc(limit + 1, sizeof(*primes));
	uint64_t divisions = 0;

	CHECK_EQ(segments_open(&segments, &(struct segments_setup){ .nodes = 1, .limit = limit, .length = length }), 0);
	CHECK_EQ(segments.class_count, 1);
	CHECK_EQ(segments.tasks, tasks);
	sift(least, limit);
	for (uint32_t i = 2; i <= limit; i++)
		primes[i] = primes[i - 1] + (least[i] == i);
	for (uint32_t i = 2, root = 1; i <= limit; i++) {
		root += (root + 1) * (root + 1) <= i;
		divisions += primes[least[i] < i ? least[i] : root];
		CHECK_EQ(segments.serial[i], least[i] == i);
	}
	CHECK_EQ(segments.serial[1], 0);
	CHECK_EQ(segments.divisions, divisions);
	if (limit == SEGMENTS_LIMIT)
		CHECK_EQ(primes[limit], 78498);
	segments_close(&segments);
	free(least);
	free(primes);
}

static void segments_sizes(void)
{
	define(SEGMENTS_LIMIT, SEGMENTS_LENGTH, 500);
	for (uint32_t limit = SEGMENTS_LEAST; limit < 130; limit += 9)
		for (uint32_t length = 1; length < 20; length += 6)
			define(limit, length, (limit + length - 1) / length);
	define(49, 100, 1);
}

/* 200 runs on each number of nodes under DLS_STRESS. */
static void segments_threads(void)
{
	static const struct segments_setup usual = { .limit = 200000, .length = 1000 }, whole = { .limit = 0 };
	bool stress = tap_thorough();

	on_threads(&segments_app, stress ? &whole : &usual, stress ? 200 : 4, tap_seed());
}

static void segments_virtual(void)
{
	struct segments_setup setup = {
		.limit = 20000, .length = 200, .time = 13700000000, .jitter = .2, .seed = tap_seed(),
	};

	in_virtual_time(&segments_app, &setup, 68.59 / 145.5, setup.seed);
}

/* The air pollution program: its weather, its balancer. */
static const double slow = 61.53 / 215.32;	/* Table 4: a SUN 4/110 beside SUN 4/330 */

static struct air air;

/* With a high mark of 1 the field that the last node waits for is never begun: the run would stand. */
static const struct air_marks tight = { 2, 2, 0 }, high = { 1, 9, 9 }, low = { 9, 1, 9 };
static const struct air_setup air_bad[] = {
	{ .nodes = 2, .marks = &high }, { .nodes = 2, .marks = &low }, { .nodes = 0 }, { .nodes = 1, .jitter = 1 },
	{ .nodes = 1, .hours = 101 }, { .nodes = 1, .tracers = 201 },
};

static void air_spoil(const struct app *app, struct dls_machine *machine)
{
	WRONG(air.result->path[3][5].north, nextafter(air.result->path[3][5].north, 99));
	WRONG(air.result->tracers[3][4], 0);
	WRONG(air.result->tracers[3][4], 2);
	WRONG(air.result->fields[5], 2);
}

APP(air, AIR_CLASSES, 0, air.hours + 1 + (uint64_t)air.hours * air.tracers, true,
    { .hours = 5, .tracers = 4, .marks = &tight })

static struct dls_run_result run_air(struct air_setup setup, const struct plan *of)
{
	unsigned failures = tap_failures;
	struct dls_run_result result;

	setup.seed = of->seed;
	result = run(of, &air_app, &setup, 1);
	if (tap_failures > failures)
		tap_note("marks %lld %lld %lld", (long long)air.marks.high, (long long)air.marks.low, (long long)air.marks.diff);
	return result;
}

/* Fails if a weight is that of the distance instead of its square, or if weights do not add up to 1. */
static void air_weights(void)
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
static void air_drift(void)
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

/* Marks at large, the tightest ones included: nodes wait for each other's fields, and tracers move back and forth. */
static struct air_marks any_marks(uint64_t *state)
{
	return (struct air_marks){ .high = 2 + (int64_t)(tap_random(state) % 6), .low = 2 + (int64_t)(tap_random(state) % 6),
				   .diff = (int64_t)(tap_random(state) % 4) };
}

/* On threads.  Fails if a tracer runs before its fields are there, and if a particle does not go with its tracer. */
static void air_threads(void)
{
	uint64_t state = tap_seed();
	unsigned runs = tap_thorough() ? 400 : 2;

	for (unsigned i = 0; i < COUNTS; i++)
		for (unsigned r = 0; r < runs; r++) {
			struct plan of = { "threads", strategies[(r + i) % 2], NULL, node_counts[i], .seed = state };
			struct air_marks marks = any_marks(&state);
			bool whole = r >= 200;	/* the paper's size */

			run_air((struct air_setup){ .marks = &marks, .hours = whole ? 100 : 20,
						    .tracers = whole ? 200 : 60 }, &of);
		}
}

/* In virtual time, whatever is late: the right result, and the same run again.  Fails as above. */
static void air_faults(void)
{
	uint64_t state = tap_seed();
	unsigned runs = tap_thorough() ? 400 : 12;

	for (unsigned r = 0; r < runs; r++) {
		struct plan of = { "virtual", strategies[r / PLANS % 2], fault_plans[r % PLANS],
				   node_counts[r / 2 % COUNTS], .speed = r % 3 ? slow : 1, .seed = state };
		struct air_marks marks = any_marks(&state);
		struct air_setup setup = { .time = 6153000000, .jitter = r % 3 * .2, .hours = 20,
					   .marks = r % 4 ? &marks : NULL,
					   .tracers = 1 + (unsigned)(tap_random(&state) % 60),
					   .policy = r % 11 ? NULL : "none" };
		struct dls_run_result one = run_air(setup, &of), two = run_air(setup, &of);

		CHECK(one.time == two.time && one.events == two.events && one.bytes == two.bytes);
	}
}

/* The Poisson equation by odd-even overrelaxation, with rows that move during the sweep: each row does every
 * iteration in order, however late the rows arrive for which it waits. */
static struct poisson poisson;

static const struct poisson_setup poisson_bad[] = {
	{ .nodes = 0 }, { .nodes = 201 }, { .nodes = 1, .n = 2 }, { .nodes = 1, .n = POISSON_MOST + 1 },
	{ .nodes = 1, .iterations = POISSON_MOST + 1 }, { .nodes = 1, .jitter = 1.5 }, { .nodes = 1, .jitter = -1 },
	{ .nodes = 1, .jitter = NAN },
};

/* Fails also if an iteration or a row is missing. */
static void poisson_spoil(const struct app *app, struct dls_machine *machine)
{
	struct poisson_row *first = poisson_row(&poisson, poisson.node[0].rows, 1);

	WRONG(first->u[7], nextafter(first->u[7], 9));
	WRONG(first->done, 4);
	WRONG(poisson.runs[10 * 5 + 4], 0);
	WRONG(poisson.runs[10 * 5 + 4], 2);
	WRONG(poisson.node[1].end, poisson.node[1].end - 1);
}

APP(poisson, 1, 0, (uint64_t)(poisson.setup.n - 2) * poisson.setup.iterations, true,
    { .n = 12, .iterations = 5 })

static uint64_t draw(uint64_t *seed, uint64_t from, uint64_t to)
{
	return from + tap_random(seed) % (to - from + 1);
}

/* Of two arrays, the one before and the one after; fails if a point is changed too early, or twice, or never. */
static void poisson_odd_even(void)
{
	static double u[40][40], v[40][40];
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 20; i++) {
		unsigned n = (unsigned)draw(&seed, 3, 40);
		struct poisson_setup setup = { .nodes = 1, .n = n, .iterations = (unsigned)draw(&seed, 1, 30) };
		uint64_t points = 0;

		CHECK_EQ(poisson_open(&poisson, &setup), 0);
		memset(u, 0, sizeof(u));
		for (unsigned t = 0; t < setup.iterations; t++) {
			memcpy(v, u, sizeof(v));
			for (unsigned r = 1; r < n - 1; r++)
				for (unsigned c = 1; c < n - 1; c++)
					if ((r + c + t) % 2 == 0) {
						double around = u[r - 1][c] + u[r + 1][c] + u[r][c - 1] + u[r][c + 1];

						around = around + poisson.source[r] + poisson.source[c];
						v[r][c] = u[r][c] + poisson.omega * (.25 * around - u[r][c]);
						points++;
					}
			memcpy(u, v, sizeof(u));
		}
		for (unsigned r = 0; r < n; r++)
			CHECK(memcmp(u[r], poisson_row(&poisson, poisson.serial, r)->u, n * sizeof(double)) == 0);
		CHECK_EQ(poisson.points, points);
		poisson_close(&poisson);
	}
}

/* The solution, known by hand; fails if the equation is another, and if the overrelaxation is far from the best: then 200
 * iterations, 100 of each point, are not enough. */
static void poisson_solution(void)
{
	double most = 0;

	CHECK_EQ(poisson_open(&poisson, &(struct poisson_setup){ .nodes = 1, .n = 21, .iterations = 200 }), 0);
	for (unsigned r = 0; r < 21; r++)
		for (unsigned c = 0; c < 21; c++)
			most = fmax(most, fabs(poisson_row(&poisson, poisson.serial, r)->u[c] - r * (20. - r) * c * (20. - c) / 160000));
	CHECK(most < 1e-12);
	poisson_close(&poisson);
}

static void poisson_threads(void)
{
	on_threads(&poisson_app, &(struct poisson_setup){ .n = 60, .iterations = 40 },
		   tap_thorough() ? 200 : 4, tap_seed());
}

/* Fails if a copy replaces one that has done more, if a shipment comes without the row beside it, if a row is
 * not sent from a node's new end, or `ready` asks too little. */
static void poisson_virtual(void)
{
	struct poisson_setup setup = {
		.n = 40, .iterations = 30, .time = 7500000000, .jitter = .2, .seed = tap_seed(),
	};

	in_virtual_time(&poisson_app, &setup, 29.76 / 97, setup.seed);
}

TEST_MAIN(T_ALONE(product_defined) T_ALONE(product_wrong) T_ALONE(product_refused)
	  T(product_threads) T_ALONE(product_virtual) T_ALONE(product_instant)
	  T_ALONE(segments_sizes) T_ALONE(segments_wrong) T_ALONE(segments_refused)
	  T(segments_threads) T_ALONE(segments_virtual)
	  T_ALONE(air_weights) T_ALONE(air_drift) T_ALONE(air_wrong) T_ALONE(air_refused)
	  T(air_threads) T_ALONE(air_faults)
	  T_ALONE(poisson_odd_even) T_ALONE(poisson_solution) T_ALONE(poisson_wrong) T_ALONE(poisson_refused)
	  T(poisson_threads) T_ALONE(poisson_virtual))
