/* costs_measured.c - the costs that auto predicts with, as executions tell of them.
 *
 * Fails if: a line or a region is anything but the default before four executions have told of them, or but the quarter of the last
 * fifteen after it; what a worker without a processor took counts; a region of many workers counts whole where they take turns on two
 * processors; the executions of loops do not tell. */
#include <math.h>
#include <stdatomic.h>

#include "child.h"
#include "dls.h"
#include "lib/base/processors.h"
#include "lib/site/costs_measured.h"
#include "tap.h"

static bool near(double value, double expected)
{
	bool is = fabs(value - expected) <= 1e-6 * expected;

	if (!is)
		printf("%g, not %g\n", value, expected);
	return is;
}

static bool are(double transfer, double region)
{
	struct dls_costs costs;

	dls__costs_read(&costs);
	return near(costs.transfer, transfer) && near(costs.region, region);
}

static int measure(const void *arg)
{
	(void)arg;
	/* relaxed: there is one thread. */
	atomic_store_explicit(&dls__processors_counted, 2, memory_order_relaxed);
	if (!are(50e-9, 1e-6))
		return 1;
	for (int i = 0; i < 3; i++)
		dls__costs_add(2, 80, 3000);
	if (!are(50e-9, 1e-6))
		return 2;
	dls__costs_add(2, 2001, 0);
	dls__costs_add(2, 0, 0);
	if (!are(50e-9, 1e-6))
		return 3;
	dls__costs_add(2, 80, 2500);
	if (!are(80e-9, 3e-6))
		return 4;
	for (unsigned i = 0; i < 15; i++)
		dls__costs_add(2, 100 + i * 7 % 15, 100);
	if (!are(103e-9, 0.3e-6))
		return 5;
	for (unsigned i = 0; i < 15; i++)
		dls__costs_add(2, 0, 1000000);
	if (!are(103e-9, 5e-6))
		return 6;
	for (unsigned i = 0; i < 15; i++)
		dls__costs_add(64, 0, 64000);	/* by turns, 32 on a processor */
	if (!are(103e-9, 2e-6))
		return 7;
	return 0;
}

static void measured(void)
{
	int code = child_exit(child_status(measure, NULL));

	if (CHECK_EQ(code, 0) != 0)
		tap_note("%s", said);
}

#ifdef _OPENMP
/* Whether neither the line's time nor the region's is the default. */
static bool both_told(void)
{
	struct dls_costs costs;

	dls__costs_read(&costs);
	return costs.transfer != 50e-9 && costs.region != 1e-6;
}

/* A loop that is profiled tells what it saw. */
static int run(const void *arg)
{
	(void)arg;
	for (int i = 0; i < 2000 && !both_told(); i++)
		DLS_PARALLEL_FOR_WITH((num_threads(2)), k, 0, 4000)
			for (atomic_int x = 0; x < 50;)
				x++;
	return both_told() ? 0 : 1;
}

static void told(void)
{
	CHECK_EQ(child_exit(child_status(run, NULL)), 0);
}
#endif

TEST_MAIN(T(measured) T_OPENMP(told))
