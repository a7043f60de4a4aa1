/* costs_measured.c - the costs that auto predicts with, measured by a clock of this program's own.
 *
 * The linker puts this program's functions in place of pthread_create() and of the monotonic clock; each case is a process of its
 * own, since costs are measured once.
 *
 * Fails if: a cost is not what the clock says, the line's journeys are not counted or do not end, a cost that could not be measured
 * is anything but the default, the other thread takes the program's signals, or the caller's signals or cancellation are not as
 * they were. */
#include <errno.h>
#include <math.h>
#include <pthread.h>

#include "child.h"
#include "lib/base/clock.h"
#include "lib/site/costs_measured.h"
#include "tap.h"

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *arg), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *arg), void *arg);
uint64_t __wrap_dls__clock_slowly(void);

enum other { REFUSED, SILENT, ANSWERS };

static enum other other;
static unsigned per_ns = 1;	/* readings */
static uint64_t readings;
static bool signalled;		/* the other thread would take a signal */

uint64_t __wrap_dls__clock_slowly(void)
{
	return readings++ / per_ns;
}

static void *say_nothing(void *arg)
{
	return arg;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *arg), void *arg)
{
	sigset_t blocked;

	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	signalled = !sigismember(&blocked, SIGINT) || !sigismember(&blocked, SIGPROF);
	return other == REFUSED ? EAGAIN : __real_pthread_create(thread, attr, other == SILENT ? say_nothing : start, arg);
}

static bool near(double value, double expected)
{
	bool is = fabs(value - expected) <= 1e-6 * expected;

	if (!is)
		printf("%g, not %g\n", value, expected);
	return is;
}

static int measure(const void *arg)
{
	const struct dls_costs *costs;
	sigset_t blocked;
	int state;

	other = *(const enum other *)arg;
	dls__clock_start();
	dls__clock_state.tsc = false;
	if (other == ANSWERS)
		per_ns = 1000;	/* time for both threads to get a processor, if only in turn */
	if (dls__loop_costs_known())
		return 1;
	costs = dls__loop_costs();
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
	if (dls__loop_costs_known() != costs || dls__loop_costs() != costs)
		return 2;
	if (signalled || sigismember(&blocked, SIGINT) || sigismember(&blocked, SIGPROF) || state != PTHREAD_CANCEL_ENABLE)
		return 3;
	if (other == ANSWERS) {
		if (near(costs->transfer, 50e-9) || !(costs->transfer > 0) || !near(costs->region, 13 * costs->transfer))
			return 4;
	} else {
		if (!near(costs->transfer, 50e-9) || !near(costs->region, 1e-6))
			return 5;
		/* 1000 draws in 1 ns, and as many readings of 1 ns. */
		if (!near(costs->take, 1e-12 + 3e-9) || !near(costs->clock, 1e-9))
			return 6;
	}
	return 0;
}

static void measured(void)
{
	static const enum other others[] = { REFUSED, SILENT, ANSWERS };

	for (int i = 0; i < 3; i++) {
		int code = child_exit(child_status(measure, &others[i]));

		if (others[i] == ANSWERS && code == 128 + SIGALRM)
			tap_skip("the two threads have not met within a minute");
		else if (CHECK_EQ(code, 0) != 0)
			tap_note("%s", said);
	}
}

TEST_MAIN(T(measured))
