/* product.c - the matrix product as tasks of a class: the serial result whichever node runs what, each row of A with its
 * task. */
#include "bench/apps/product.h"

#include <math.h>

#include "runs.h"

static struct product x;

static int deal(void *of, struct dls_machine *machine)
{
	return product_deal(of, machine);
}

/* And each row of A is on one node. */
static bool right(const void *of)
{
	for (unsigned i = 0; i < x.setup.n; i++) {
		unsigned nodes = 0;

		for (unsigned k = 0; k < x.setup.nodes; k++)
			nodes += x.node[k].has[i];
		CHECK_EQ(nodes, 1);
	}
	return product_right(of);
}

static struct runs_app open_product(const struct product_setup *setup)
{
	CHECK_EQ(product_open(&x, setup), 0);
	CHECK_EQ(x.class_count, 1);
	return (struct runs_app){ &x, x.classes, x.class_count, x.setup.n, deal, right };
}

/* Each element by its definition.  Fails if rows and columns are exchanged, a product is left out, or the order differs. */
static void defined(void)
{
	open_product(&(struct product_setup){ .nodes = 1, .n = 37, .seed = tap_seed() });
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
	struct runs_machine of = { "virtual", "classes", NULL, 2, 0, 0, 1 };
	struct runs_app app = open_product(&(struct product_setup){ .nodes = 2, .n = 20 });
	struct dls_machine *machine = runs_open(&of, &app);

	CHECK_EQ(product_deal(&x, machine), 0);
	CHECK(!product_right(&x));
	CHECK_EQ(dls_machine_run(machine), 0);
	CHECK(product_right(&x));
	x.result[399] = nextafter(x.result[399], 9);
	CHECK(!product_right(&x));
	x.result[399] = x.serial[399];
	x.node[1].runs[0]++;
	CHECK(!product_right(&x));
	x.node[0].runs[0] = x.node[1].runs[0] = 0;
	CHECK(!product_right(&x));
	CHECK_EQ(product_deal(&x, machine), 0);
	x.node[0].has[9] = false;
	CHECK_EQ(dls_machine_run(machine), DLS_EINVAL);
	dls_machine_close(machine);
	product_close(&x);
}

/* Fails if one of these is taken. */
static void refused(void)
{
	struct runs_machine of = { "virtual", "classes", NULL, 4, 0, 0, 1 };
	struct runs_app app;
	struct dls_machine *machine;

	CHECK_EQ(product_open(&x, &(struct product_setup){ .n = 20 }), DLS_ERANGE);
	CHECK_EQ(product_open(&x, &(struct product_setup){ .nodes = 1, .n = PRODUCT_MOST + 1 }), DLS_ERANGE);
	CHECK_EQ(product_open(&x, &(struct product_setup){ .nodes = 1, .jitter = 1.01 }), DLS_ERANGE);
	CHECK_EQ(product_open(&x, &(struct product_setup){ .nodes = 1, .jitter = NAN }), DLS_ERANGE);
	app = open_product(&(struct product_setup){ .nodes = 2, .n = 20 });
	machine = runs_open(&of, &app);
	CHECK_EQ(product_deal(&x, machine), DLS_ERANGE);
	dls_machine_close(machine);
	product_close(&x);
}

/* Without balancing all rows take as long, of a time that is spent whole, and each node's are its own.  With jitter each is
 * drawn from its range: the sum of 256 is within 5 standard deviations.  Fails if a row's time is not its share. */
static void times(void)
{
	struct runs_machine of = { "virtual", "classes", NULL, 1, 0, 0, 1 };
	struct product_setup setup = { .nodes = 1, .policy = "none", .time = 30010000000 };
	struct runs_app app = open_product(&setup);
	struct dls_run_result run = runs_check(&of, &app, 1);

	CHECK(fabs(run.work - 30.01) < 256e-9);
	product_close(&x);

	setup.nodes = of.nodes = 5;
	app = open_product(&setup);
	run = runs_check(&of, &app, 1);
	CHECK(run.time >= 30.01 * 52 / 256 - 52e-9 && run.time < 30.01 * 52 / 256 + .01);
	CHECK_EQ(run.nonlocal, 0);
	product_close(&x);

	setup.jitter = .2;
	setup.seed = tap_seed();
	app = open_product(&setup);
	run = runs_check(&of, &app, 1);
	CHECK(fabs(run.work - 30.01) > 1e-6 && fabs(run.work / 30.01 - 1) < 5 * .2 / sqrt(3 * 256));
	product_close(&x);
}

/* 200 runs on each number of nodes under DLS_STRESS.  Fails if a row stays behind when its task is moved, or a task is lost
 * or run twice. */
static void threads(void)
{
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < RUNS_COUNTS; i++) {
		struct runs_app app = open_product(&(struct product_setup){ .nodes = runs_nodes[i] });

		runs_threads(&app, runs_nodes[i], tap_stress(0) > 0 ? 200 : 8, seed + 100 * i);
		product_close(&x);
	}
}

/* The same; and if late messages, stalls or speeds change a result, or runs of the same seed differ. */
static void virtual_time(void)
{
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < RUNS_COUNTS; i++) {
		struct product_setup setup = { .nodes = runs_nodes[i], .n = 64, .time = 7500000000, .jitter = .2,
					       .seed = seed };
		struct runs_app app = open_product(&setup);

		runs_virtual(&app, runs_nodes[i], 29.76 / 97, seed + 100 * i);
		product_close(&x);
	}
}

/* Fails if a run of tasks that take no time does not end. */
static void instant(void)
{
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < RUNS_COUNTS; i++) {
		struct runs_app app = open_product(&(struct product_setup){ .nodes = runs_nodes[i], .n = 64 });

		runs_instant(&app, runs_nodes[i], seed + 100 * i);
		product_close(&x);
	}
}

TEST_MAIN(T(defined) T(wrong) T(refused) T(times) T(threads) T(virtual_time) T(instant))
