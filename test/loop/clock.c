/* clock.c - the library's clock from its first reading on, each case in a process of its own.
 *
 * Fails if: whoever reads first waits for the counter's rate, or reads the counter before its rate is known; the rate never becomes
 * known; a reading is less than one that another thread had a microsecond before, across the change from one clock to the other; the
 * counter is off by more than the readings of CLOCK_MONOTONIC around it allow. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "child.h"
#include "dls/stats.h"
#include "lib/base/clock.h"
#include "tap.h"

/* s; ns by which processors reorder readings, and may differ. */
enum { THREADS = 3, MOST = 60, SLACK = 1000 };

static _Atomic uint64_t latest;		/* the largest reading of any thread */
static atomic_bool backwards;

static void pass(long ns)
{
	nanosleep(&(struct timespec){ 0, ns }, NULL);
}

/* Read until some ms after the change. */
static void *read_on(void *arg)
{
	uint64_t until = UINT64_MAX;

	for (uint64_t now = 0; now < until && now < MOST * (uint64_t)1000000000;) {
		uint64_t before = atomic_load(&latest);

		now = dls__clock_now();
		if (now + SLACK < before)
			atomic_store(&backwards, true);
		while (before < now && !atomic_compare_exchange_weak(&latest, &before, now))
			;
		if (until == UINT64_MAX && atomic_load(&dls__clock_state.tsc))
			until = now + 2000000;
	}
	return arg;
}

static int change(const void *arg)
{
	pthread_t thread[THREADS];

	(void)arg;
	dls__clock_start();
	if (atomic_load(&dls__clock_state.tsc))
		return 1;
	dls__clock_now();
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, read_on, NULL))
			return 2;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	if (!atomic_load(&dls__clock_state.tsc))
		return 3;
	return atomic_load(&backwards) ? 4 : 0;
}

/* Whether the kernel lets the counter be a clock. */
static bool counter(void)
{
	FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
	char name[16] = "";
	bool is = file && fgets(name, sizeof(name), file) && strcmp(name, "tsc\n") == 0;

	if (file)
		fclose(file);
#ifndef __x86_64__
	is = false;
#endif
	return is;
}

static void changes(void)
{
	if (!counter())
		tap_skip("the kernel's clock is not the time-stamp counter");
	else
		CHECK_EQ(child_exit(child_status(change, NULL)), 0);
}

/* Each reading lies between two of CLOCK_MONOTONIC, give or take a thousandth of a ms, and 500 millionths since the change, by which
 * the kernel may correct the rate of its own. */
static void exact(void)
{
	dls__clock_start();
	for (int i = 0; i < 30; i++) {
		uint64_t before = dls__clock_monotonic(), now = dls_clock(), after = dls__clock_monotonic(), slack = 1000 + before / 2000;

		CHECK(now + slack >= before && now <= after + slack);
		pass(1000000);
	}
}

TEST_MAIN(T(changes) T(exact))
