/* product.c - the matrix product as tasks of a class: the serial result whichever node runs a task, and each row of A moves with its
 * task. */
#include "bench/apps/product.h"

#include <math.h>

#include "runs.h"

static struct product x;

/* Each row of A is on one node. */
static bool rows_once(void)
{
	for (unsigned i = 0; i < x.setup.n; i++) {
		unsigned nodes = 0;

		for (unsigned k = 0; k < x.setup.nodes; k++)
			nodes += x.node[k].has[i];
		if (nodes != 1)
			return false;
	}
	return true;
}

RUNS_APP(product, 1, x.setup.n, rows_once())

/* Each element by its definition.  Fails if rows and columns are exchanged, a product is left out, or the order differs. */
static void defined(void)
{
	CHECK_EQ(product_open(&x, &(struct product_setup){ .nodes = 1, .n = 37, .seed = tap_seed() }), 0);
	CHECK_EQ(x.class_count, 1);
	for (size_t i = 0; i < 37; i++)
		for (size_t j = 0; j < 37; j++) {
			double sum = 0;

			for (size_t k = 0; k < 37; k++)
				sum += x.a[i * 37 + k] * x.b[k * 37 + j];
			CHECK(sum == x.serial[i * 37 + j]);
		}
	product_close(&x);
}

/* Fails if product_right() overlooks a wrong bit, a task that was not run, or one that was run twice; and if a row is used
 * where it is not. */
static void wrong(void)
{
	struct dls_machine *machine = runs_once(&app, &(struct product_setup){ .n = 20 });

	RUNS_WRONG(x.result[399], nextafter(x.result[399], 9));
	RUNS_WRONG(x.node[1].runs[0], x.node[1].runs[0] + 1);
	RUNS_WRONG(x.node[0].runs[0], 0);
	CHECK_EQ(product_deal(&x, machine), 0);
	x.node[0].has[9] = false;
	CHECK_EQ(dls_machine_run(machine), DLS_EINVAL);
	dls_machine_close(machine);
	product_close(&x);
}

/* Fails if one of these is taken. */
static void refused(void)
{
	static const struct product_setup bad[] = {
		{ .n = 20 }, { .nodes = 1, .n = PRODUCT_MOST + 1 }, { .nodes = 1, .jitter = 1.01 }, { .nodes = 1, .jitter = NAN },
	};

	RUNS_REFUSED(bad, &(struct product_setup){ .n = 20 });
}

/* Without balancing all rows take as long, of a time that is spent whole, and each node's are its own.  With jitter each is
 * drawn from its range: the sum of 256 is within 5 standard deviations.  Fails if a row's time is not its share. */
static void times(void)
{
	struct runs_machine of = { "virtual", "classes", NULL, 1, .seed = 1 };
	struct product_setup setup = { .policy = "none", .time = 30010000000 };
	struct dls_run_result run = runs_check(&of, &app, &setup, 1);

	CHECK(fabs(run.work - 30.01) < 256e-9);

	of.nodes = 5;
	run = runs_check(&of, &app, &setup, 1);
	CHECK(run.time >= 30.01 * 52 / 256 - 52e-9 && run.time < 30.01 * 52 / 256 + .01);
	CHECK_EQ(run.nonlocal, 0);

	setup.jitter = .2;
	setup.seed = tap_seed();
	run = runs_check(&of, &app, &setup, 1);
	CHECK(fabs(run.work - 30.01) > 1e-6 && fabs(run.work / 30.01 - 1) < 5 * .2 / sqrt(3 * 256));
}

/* 200 runs on each number of nodes under DLS_STRESS. */
static void threads(void)
{
	runs_threads(&app, &(struct product_setup){ .n = 0 }, tap_thorough() ? 200 : 8, tap_seed());
}

static void virtual_time(void)
{
	uint64_t seed = tap_seed();

	runs_virtual(&app, &(struct product_setup){ .n = 64, .time = 7500000000, .jitter = .2, .seed = seed }, 29.76 / 97, seed);
}

static void instant(void)
{
	runs_virtual(&app, &(struct product_setup){ .n = 64 }, 0, tap_seed());
}

TEST_MAIN(T(defined) T(wrong) T(refused) T(times) T(threads) T(virtual_time) T(instant))
