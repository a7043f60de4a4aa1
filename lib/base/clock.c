/* clock.c - the choice of a clock, and the rate of the time-stamp counter. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "dls/stats.h"
#include "lib/base/clock.h"
#include "lib/base/once.h"

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
enum { CALIBRATION = 1000000, TRIES = 5 };	/* ns; number of readings, of which the fastest is used */

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

/* Both clocks at one moment. */
static void read_both(uint64_t *count, uint64_t *ns)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = __builtin_ia32_rdtsc(), now = monotonic(), took = __builtin_ia32_rdtsc() - before;

		if (took < least) {
			least = took;
			*count = before + took / 2;
			*ns = now;
		}
	}
}

static void calibrate(void)
{
	uint64_t count = 0, ns = 0;

	if (!kernel_trusts_tsc())
		return;
	read_both(&dls__clock_state.origin, &started);
	do
		read_both(&count, &ns);
	while (ns - started < CALIBRATION);
	if (count <= dls__clock_state.origin)
		return;
	dls__clock_state.scale = (uint64_t)((double)(ns - started) / (double)(count - dls__clock_state.origin) * 0x1p32);
	dls__clock_state.tsc = true;
}
#else
static void calibrate(void)
{
}
#endif

static void start(void)
{
	started = monotonic();
	calibrate();
}

void dls__clock_start(void)
{
	static atomic_bool done;

	dls__once(&done, start);
}

uint64_t dls_clock(void)
{
	dls__clock_start();
	return dls__clock_now();
}
