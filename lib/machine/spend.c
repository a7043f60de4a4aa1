/* spend.c - real time of tasks on threads: work of a known length, and time in which the system ran something else. */
#define _GNU_SOURCE		/* RUSAGE_THREAD */
#include <sys/resource.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/once.h"
#include "lib/machine/spend.h"

enum { STEPS = 100000, TRIES = 9 };
enum { NOISE = 2000 };	/* ns: shorter losses may be interrupts, or the difference between two clocks */

static uint64_t ns_of_steps = STEPS;	/* how long STEPS take */
static atomic_bool calibrated;

/* Each step needs the result of the one before, so the processor cannot overlap them. */
static void work(uint64_t steps)
{
	volatile uint64_t result;
	uint64_t x = steps;

	while (steps-- > 0) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
		__asm__ volatile("" : "+r"(x));
	}
	result = x;
	(void)result;
}

/* Keep the shortest of several tries: the others may have been interrupted. */
static void calibrate(void)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t begin = dls__clock_now(), took;

		work(STEPS);
		took = dls__clock_since(begin, dls__clock_now());
		least = took > 0 && took < least ? took : least;
	}
	if (least < UINT64_MAX)
		ns_of_steps = least;
}

void dls__spend_start(void)
{
	dls__clock_start();
	dls__once(&calibrated, calibrate);
}

void dls__spend_work(uint64_t ns)
{
	work((uint64_t)((double)ns * STEPS / (double)ns_of_steps));
}

static bool read_cpu(uint64_t *cpu)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
		return false;
	*cpu = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	return true;
}

static bool read_blocked(uint64_t *blocked)
{
#ifdef RUSAGE_THREAD
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage))
		return false;
	*blocked = (uint64_t)usage.ru_nvcsw;
	return true;
#else
	(void)blocked;
	return false;
#endif
}

bool dls__thread_time(struct dls__thread_time *time)
{
	return read_blocked(&time->blocked) && read_cpu(&time->cpu);
}

uint64_t dls__thread_lost(struct dls__thread_time *time, uint64_t ns)
{
	struct dls__thread_time now = *time;
	uint64_t lost;

	if (!read_cpu(&now.cpu))
		return 0;
	lost = dls__clock_since(now.cpu - time->cpu, ns);
	if (lost > NOISE && (!read_blocked(&now.blocked) || now.blocked != time->blocked))
		lost = 0;
	*time = now;
	return lost > NOISE ? lost : 0;
}
