/* costs_measured.c - the costs that auto predicts with, measured by a clock of this program's own and told by its executions.
 *
 * The linker puts this program's functions in place of pthread_create() and of the clock; each case is a process of its own, since
 * costs are measured once.
 *
 * Fails if: a cost is not what the clock says; a thread is started, or more than 200 readings are waited for; a line or a region is
 * anything but the default before four executions have told of them, or but the quarter of the last fifteen after it; what a worker
 * without a processor took counts; a region of many workers counts whole where they take turns on two processors; a default is not called
 * one; the executions of loops do not tell. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "child.h"
#include "dls.h"
#include "lib/base/clock.h"
#include "lib/base/processors.h"
#include "lib/site/costs_measured.h"
#include "tap.h"

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *arg), void *arg);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *arg), void *arg);
uint64_t __wrap_dls__clock_slowly(void);
uint64_t __real_dls__clock_slowly(void);

static bool own_clock = true;
static uint64_t readings;
static unsigned threads;

uint64_t __wrap_dls__clock_slowly(void)
{
	return own_clock ? readings++ : __real_dls__clock_slowly();
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *arg), void *arg)
{
	threads++;
	return __real_pthread_create(thread, attr, start, arg);
}

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

static bool said_so(const char *words)
{
	char text[256];

	return dls__costs_print(text, sizeof(text)) == strlen(text) && strstr(text, words);
}

static int measure(const void *arg)
{
	struct dls_costs costs;

	(void)arg;
	/* relaxed: there is one thread. */
	atomic_store_explicit(&dls__processors_counted, 2, memory_order_relaxed);
	dls__costs_read(&costs);
	if (threads > 0 || readings > 200)
		return 1;
	/* 64 draws in 1 ns, and as many readings of 1 ns. */
	if (!near(costs.take, 1e-9 / 64 + 3e-9) || !near(costs.clock, 1e-9))
		return 2;
	if (!are(50e-9, 1e-6) || !said_so("line 50 ns (default), region 1.0 us (default)"))
		return 3;
	for (int i = 0; i < 3; i++)
		dls__costs_told(2, 80, 3000);
	if (!are(50e-9, 1e-6))
		return 4;
	dls__costs_told(2, 2001, 0);
	dls__costs_told(2, 0, 0);
	if (!are(50e-9, 1e-6))
		return 5;
	dls__costs_told(2, 80, 2500);
	if (!are(80e-9, 3e-6) || !said_so("line 80 ns, region 3.0 us"))
		return 6;
	for (unsigned i = 0; i < 15; i++)
		dls__costs_told(2, 100 + i * 7 % 15, 100);
	if (!are(103e-9, 0.3e-6))
		return 7;
	for (unsigned i = 0; i < 15; i++)
		dls__costs_told(2, 0, 1000000);
	if (!are(103e-9, 5e-6))
		return 8;
	for (unsigned i = 0; i < 15; i++)
		dls__costs_told(64, 0, 64000);	/* by turns, 32 on a processor */
	if (!are(103e-9, 2e-6))
		return 9;
	return 0;
}

static void measured(void)
{
	int code = child_exit(child_status(measure, NULL));

	if (CHECK_EQ(code, 0) != 0)
		tap_note("%s", said);
}

#ifdef _OPENMP
/* A loop that is profiled tells what it saw. */
static int run(const void *arg)
{
	(void)arg;
	own_clock = false;
	for (int i = 0; i < 2000 && said_so("(default)"); i++)
		DLS_PARALLEL_FOR_WITH((num_threads(2)), k, 0, 4000)
			for (atomic_int x = 0; x < 50;)
				x++;
	return said_so("(default)") ? 1 : 0;
}

static void told(void)
{
	CHECK_EQ(child_exit(child_status(run, NULL)), 0);
}
#endif

TEST_MAIN(T(measured) T_OPENMP(told))
