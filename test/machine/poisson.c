/* poisson.c - the Poisson equation by odd-even overrelaxation, with rows that move during the sweep: each row does
 * every iteration in order and gets the serial program's values, whichever node runs it and however late the rows arrive
 * for which it waits. */
#include "bench/apps/poisson.h"

#include <math.h>
#include <stdatomic.h>

#include "dls/strategy.h"
#include "runs.h"

static struct poisson x;

RUNS_APP(poisson, 1, (uint64_t)(x.setup.n - 2) * x.setup.iterations, true)

static uint64_t draw(uint64_t *seed, uint64_t from, uint64_t to)
{
	return from + tap_random(seed) % (to - from + 1);
}

/* Of two arrays, the one before and the one after; fails if a point is changed too early, or twice, or never. */
static void odd_even(void)
{
	static double u[40][40], v[40][40];
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 20; i++) {
		unsigned n = (unsigned)draw(&seed, 3, 40);
		struct poisson_setup setup = { .nodes = 1, .n = n, .iterations = (unsigned)draw(&seed, 1, 30) };
		uint64_t points = 0;

		CHECK_EQ(poisson_open(&x, &setup), 0);
		memset(u, 0, sizeof(u));
		for (unsigned t = 0; t < setup.iterations; t++) {
			memcpy(v, u, sizeof(v));
			for (unsigned r = 1; r < n - 1; r++)
				for (unsigned c = 1; c < n - 1; c++)
					if ((r + c + t) % 2 == 0) {
						double around = u[r - 1][c] + u[r + 1][c] + u[r][c - 1] + u[r][c + 1];

						around = around + x.source[r] + x.source[c];
						v[r][c] = u[r][c] + x.omega * (.25 * around - u[r][c]);
						points++;
					}
			memcpy(u, v, sizeof(u));
		}
		for (unsigned r = 0; r < n; r++)
			CHECK(memcmp(u[r], poisson_row(&x, x.serial, r)->u, n * sizeof(double)) == 0);
		CHECK_EQ(x.points, points);
		poisson_close(&x);
	}
}

/* The solution, known by hand; fails if the equation is another, and if the overrelaxation is far from the best: then 200
 * iterations, 100 of each point, are not enough. */
static void solution(void)
{
	double most = 0;

	CHECK_EQ(poisson_open(&x, &(struct poisson_setup){ .nodes = 1, .n = 21, .iterations = 200 }), 0);
	for (unsigned r = 0; r < 21; r++)
		for (unsigned c = 0; c < 21; c++)
			most = fmax(most, fabs(poisson_row(&x, x.serial, r)->u[c] - r * (20. - r) * c * (20. - c) / 160000));
	CHECK(most < 1e-12);
	poisson_close(&x);
}

static void refused(void)
{
	static const struct poisson_setup bad[] = {
		{ .nodes = 0 }, { .nodes = 201 }, { .nodes = 1, .n = 2 }, { .nodes = 1, .n = POISSON_MOST + 1 },
		{ .nodes = 1, .iterations = POISSON_MOST + 1 }, { .nodes = 1, .jitter = 1.5 }, { .nodes = 1, .jitter = -1 },
		{ .nodes = 1, .jitter = NAN },
	};

	RUNS_REFUSED(bad, &(struct poisson_setup){ .n = 12 });
}

/* Fails if poisson_right() overlooks a wrong bit, an iteration or a row that is missing, or a task that was not run or was
 * run twice. */
static void wrong(void)
{
	struct dls_machine *machine = runs_once(&app, &(struct poisson_setup){ .n = 12, .iterations = 5 });
	struct poisson_row *first = poisson_row(&x, x.node[0].rows, 1);

	RUNS_WRONG(first->u[7], nextafter(first->u[7], 9));
	RUNS_WRONG(first->done, 4);
	RUNS_WRONG(x.runs[10 * 5 + 4], 0);
	RUNS_WRONG(x.runs[10 * 5 + 4], 2);
	RUNS_WRONG(x.node[1].end, x.node[1].end - 1);
	dls_machine_close(machine);
	poisson_close(&x);
}

/* Moves by chance: any hint that the scheduler takes, several at once, late, refused, not between neighbours.  But that of
 * two over one boundary in opposite directions the second waits is seen to where they leave: rows under way are counted. */
static struct {
	struct dls_class_desc own;	/* the class as it was */
	uint64_t seed;		/* the scheduler's */
	unsigned often;		/* in 8 upcalls; of each move come two more */
	atomic_int under_way[8];	/* over the boundary of i and i + 1; < 0: to i */
} mover;

static int mover_out(struct dls_vp *vp, struct dls_shipment *shipment, const struct dls_hint *hint, void *context)
{
	const struct poisson_node *node = &x.node[dls_vp_id(vp)];
	unsigned before = node->end - node->first, from = hint->source, to = hint->destination;
	bool near = from + 1 == to || to + 1 == from;
	atomic_int *under_way = &mover.under_way[from < to ? from : to];
	int one = from < to ? 1 : -1, now = atomic_load(under_way), code, rows;

	do
		if (near && now * one < 0)
			return 0;
	while (near && !atomic_compare_exchange_weak(under_way, &now, now + one));
	code = mover.own.ship_out(vp, shipment, hint, context);
	rows = (int)(before - (node->end - node->first));
	if (near)
		atomic_fetch_add(under_way, (rows - 1) * one);
	return near || rows == 0 ? code : DLS_ERANGE;
}

static int mover_in(struct dls_vp *vp, struct dls_task *task, const void *data, size_t bytes, void *context)
{
	unsigned id = dls_vp_id(vp);
	bool from_left = task->arg[0] < x.node[dls_vp_id(vp)].first;
	int code = mover.own.ship_in(vp, task, data, bytes, context);

	atomic_fetch_sub(&mover.under_way[from_left ? id - 1 : id], from_left ? 1 : -1);
	return code;
}

static int mover_balance(struct dls_view *view, unsigned node, void *context)
{
	unsigned nodes = x.setup.nodes;
	struct dls_hint hint = { .key = INT64_MIN };
	struct dls_class_status status = { .size = sizeof(status) };
	int code;

	if (nodes < 2 || draw(&mover.seed, 1, 8) > mover.often)
		return 0;
	hint.source = (unsigned)draw(&mover.seed, 0, nodes - 1);
	hint.destination = draw(&mover.seed, 0, 1) ? hint.source + 1 : hint.source - 1;
	if (hint.destination >= nodes || draw(&mover.seed, 0, 15) == 0)
		hint.destination = (hint.source + (unsigned)draw(&mover.seed, 1, nodes - 1)) % nodes;
	code = dls_view_status(view, 0, hint.source, &status);
	if (code || status.tasks == 0)
		return code;
	hint.count = draw(&mover.seed, 1, status.tasks);
	hint.key = draw(&mover.seed, 0, 7) ? INT64_MIN : status.phase;
	code = dls_view_hint(view, 0, &hint);
	return code == DLS_ERANGE ? 0 : code;	/* what is still to come there is not there */
}

static int open_mover(const void *setup, const unsigned *nodes)
{
	struct dls_class_desc *class = &x.classes[0];
	int code = app_open(setup, nodes);

	mover.own = *class;
	if (mover.often) {
		class->ship_out = mover_out;
		class->ship_in = mover_in;
		class->balance = mover_balance;
	}
	return code;
}

/* One run, by the policy or by chance.  Returns how many rows have moved. */
static uint64_t run_once(const struct poisson_setup *setup, const struct runs_machine *of, unsigned often, uint64_t seed)
{
	struct runs_app moving = app;
	unsigned failures = tap_failures;
	uint64_t moved;

	memset(&mover, 0, sizeof(mover));
	mover.seed = seed;
	mover.often = often;
	moving.open = open_mover;
	moved = runs_check(of, &moving, setup, 1).transfers;
	if (tap_failures > failures)
		tap_note("n %u, iterations %u, often %u", setup->n, setup->iterations, often);
	return moved;
}

/* Virtual time with faults: late messages, those of different links in any order, processors that stop, processors of all
 * speeds.  Fails if a copy replaces one that has done more, if a shipment comes without the row beside it, if a row is not
 * sent from a node's new end, or `ready` asks too little. */
static void run_virtual(unsigned often, double seconds)
{
	static const char *const costs[] = { "nectar", "ideal", "cluster", "cm5", "ipsc2" };
	uint64_t seed = tap_seed(), rows = 0;
	double end = tap_now() + seconds;
	unsigned runs = 0;

	while (tap_now() < end || runs < 20 || (rows == 0 && runs < 500)) {
		unsigned nodes = runs_nodes[draw(&seed, 0, RUNS_COUNTS - 1)];
		unsigned n = nodes + 2 + (unsigned)draw(&seed, 0, 30), iterations = (unsigned)draw(&seed, 1, 40);
		uint64_t each = UINT64_C(1) << draw(&seed, 10, 22);	/* ns of a task */
		struct poisson_setup setup = { .n = n, .iterations = iterations, .seed = tap_random(&seed),
					       .time = (n - 2) * iterations * each };
		struct runs_machine of = { .engine = "virtual", .costs = costs[draw(&seed, 0, 4)], .nodes = nodes,
					   .seed = tap_random(&seed) };
		double speed[9];
		char faults[100] = "";

		setup.jitter = draw(&seed, 0, 1) ? .01 * (double)draw(&seed, 0, 100) : 0;
		if (draw(&seed, 0, 3))
			snprintf(faults, sizeof(faults), "delay=%.9f,stall=%.9f,slow=%u",
				 1e-9 * (double)(each * draw(&seed, 1, 100)), 1e-9 * (double)(each * draw(&seed, 1, 40)),
				 (unsigned)draw(&seed, 1, 5));
		of.faults = faults;
		of.strategy = runs_strategy[draw(&seed, 0, 1)];
		for (unsigned k = 0; k < 9; k++)
			speed[k] = 1. / (double)draw(&seed, 1, 4);
		of.speeds = draw(&seed, 0, 1) ? speed : NULL;
		rows += run_once(&setup, &of, often, tap_random(&seed));
		runs++;
	}
	tap_note("%u runs, %llu rows moved", runs, (unsigned long long)rows);
	CHECK(rows > 0);
}

static void faults_and_chance(void) { run_virtual(3, tap_stress(1) / 4); }
static void faults_and_few_moves(void) { run_virtual(1, tap_stress(.6) / 4); }

static void faults_and_phase(void) { run_virtual(0, tap_stress(1) / 4); }

/* On threads; fails if a node looks at another's memory (ThreadSanitizer), and as above. */
static void run_threads(unsigned often)
{
	uint64_t seed = tap_seed(), rows = 0;
	unsigned runs = tap_thorough() ? 400 : 4;	/* half of them the paper's size */

	for (unsigned i = 0; i < RUNS_COUNTS; i++)
		for (unsigned k = 0; k < runs; k++) {
			struct runs_machine of = { .engine = "threads", .strategy = runs_strategy[k % 2], .nodes = runs_nodes[i] };
			struct poisson_setup setup = { .n = 0 };

			if (k >= runs / 2) {
				setup.n = of.nodes + 2 + (unsigned)draw(&seed, 0, 60);
				setup.iterations = (unsigned)draw(&seed, 1, 60);
			}
			rows += run_once(&setup, &of, often, tap_random(&seed));
		}
	tap_note("%llu rows moved", (unsigned long long)rows);
}

static void threads_and_chance(void) { run_threads(3); }
static void threads_and_phase(void) { run_threads(0); }

TEST_MAIN(T(odd_even) T(solution) T(wrong) T(refused) T(faults_and_chance) T(faults_and_few_moves) T(faults_and_phase)
	  T(threads_and_chance) T(threads_and_phase))
