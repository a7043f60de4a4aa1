/* spend.c - real time of tasks on threads: work of a known length, and what the system took away from a thread meanwhile. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/machine/spend.h"

enum { STEPS = 100000, TRIES = 9 };

static uint64_t ns_of_steps = STEPS;	/* that STEPS take */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Each step needs the result of the one before, so it takes its cycles whatever the processor does beside it. */
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

/* The least of several tries: the others were interrupted. */
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
	pthread_once(&once, calibrate);
}

void dls__spend_work(uint64_t ns)
{
	work((uint64_t)((double)ns * STEPS / (double)ns_of_steps));
}

int dls__waited_open(void)
{
	return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

/* Linux, Documentation/scheduler/sched-stats.rst: ns on a processor, ns waiting for one, times it got one. */
uint64_t dls__waited(int file)
{
	char text[100], *end;
	ssize_t n = file < 0 ? 0 : pread(file, text, sizeof(text) - 1, 0);
	uint64_t waited;

	if (n <= 0)
		return UINT64_MAX;
	text[n] = 0;
	strtoull(text, &end, 10);
	waited = strtoull(end, &end, 10);
	return *end == ' ' ? waited : UINT64_MAX;
}

void dls__waited_close(int file)
{
	if (file >= 0)
		close(file);
}
