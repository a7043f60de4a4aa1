/* clock.c - the choice of a clock, and the rate of the time-stamp counter.
 *
 * C1: readings go from clock_gettime() to the counter once, and never back.
 * C2: from then on the counter is never behind clock_gettime(), since it was read first in the calibration; a
 *     clock_gettime() reading during which another thread calibrated is thrown away.  So a reading is never
 *     less than one that had returned when it began, except for the few ns by which processors read the
 *     counter early.
 * Progress: one thread calibrates, and the others do not wait for it. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "dls/stats.h"
#include "lib/base/clock.h"
#include "lib/base/once.h"
#include "lib/base/room.h"

struct dls__clock_state dls__clock_state;
static uint64_t started;	/* of the monotonic clock, ns */

static uint64_t monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t dls__clock_monotonic(void)
{
	return monotonic() - started;
}

#ifdef __x86_64__
/* ns between the two readings of both clocks: an error of 20 ns is then 4 millionths of the rate; tries for
 * each reading, of which the fastest counts. */
enum { APART = 5000000, TRIES = 5 };

/* Readings of both clocks, the counter just before clock_gettime(). */
struct both {
	uint64_t count, ns;
};
static struct both first;

/* The kernel uses the counter as its clock only if it runs at one rate, in sleep too, and alike on all processors. */
static bool kernel_trusts_tsc(void)
{
	FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
	char name[16] = "";

	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		name[0] = 0;
	fclose(file);
	return strcmp(name, "tsc\n") == 0;
}

static struct both read_both(void)
{
	struct both both = { 0, 0 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = __builtin_ia32_rdtsc(), now = monotonic(), took = __builtin_ia32_rdtsc() - before;

		if (took < least) {
			least = took;
			both = (struct both){ before, now };
		}
	}
	return both;
}

static void read_first(void)
{
	first = read_both();
	started = first.ns;
}

static void calibrate(void *unused)
{
	struct both second = read_both();

	(void)unused;
	if (second.count <= first.count || !kernel_trusts_tsc())
		return;
	dls__clock_state.origin = second.count;
	dls__clock_state.began = second.ns - started;
	dls__clock_state.scale = (uint64_t)((double)(second.ns - first.ns) / (double)(second.count - first.count) * 0x1p32);
	/* release: pairs with the acquire of who reads the counter. */
	atomic_store_explicit(&dls__clock_state.tsc, true, memory_order_release);
}

uint64_t dls__clock_slowly(void)
{
	static atomic_bool claimed;
	uint64_t now = dls__clock_monotonic();

	/* relaxed, both: who calibrates is all that is told. */
	if (now >= APART && !atomic_load_explicit(&claimed, memory_order_relaxed) &&
	    !atomic_exchange_explicit(&claimed, true, memory_order_relaxed))
		dls__with_room(calibrate, NULL);
	/* relaxed: dls__clock_now() looks again. */
	return atomic_load_explicit(&dls__clock_state.tsc, memory_order_relaxed) ? dls__clock_now() : now;
}
#else
static void read_first(void)
{
	started = monotonic();
}

uint64_t dls__clock_slowly(void)
{
	return dls__clock_monotonic();
}
#endif

void dls__clock_start(void)
{
	static atomic_bool done;

	dls__once(&done, read_first);
}

uint64_t dls_clock(void)
{
	dls__clock_start();
	return dls__clock_now();
}
