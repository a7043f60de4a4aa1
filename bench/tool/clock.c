/* clock.c - times: medians, the clock, the time of a cache line from one processor to another. */
#define _GNU_SOURCE	/* sched_setaffinity(), where there is one */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "bench/tool/tool.h"

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct tool_spread tool_spread(double *value, size_t n)
{
	if (n == 0)
		return (struct tool_spread){ NAN, NAN, NAN };
	qsort(value, n, sizeof(*value), ascending);
	return (struct tool_spread){ (value[(n - 1) / 2] + value[n / 2]) / 2, value[0], value[n - 1] };
}

double tool_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

unsigned tool_processors(void)
{
#ifdef CPU_SET
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return (unsigned)CPU_COUNT(&set);
#endif
	long online = sysconf(_SC_NPROCESSORS_ONLN);	/* also where the set is too small for the machine */

	return online > 0 ? (unsigned)online : 1;
}

/* Pin the calling thread to the first or the last processor it may run on: these share a core only where there are no
 * others.  Where the system refuses, the thread runs anywhere. */
static void pin(bool last)
{
#ifdef CPU_SET
	cpu_set_t set, one;
	int at = -1;

	if (sched_getaffinity(0, sizeof(set), &set))
		return;
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set) && (last || at < 0))
			at = i;
	CPU_ZERO(&one);
	CPU_SET(at, &one);
	sched_setaffinity(0, sizeof(one), &one);
#else
	(void)last;
#endif
}

/* The line that goes to and fro: the turn is even while it is the pinger's, odd while it is the ponger's.  Every access is
 * relaxed: only the number itself is passed. */
struct line {
	_Alignas(256) atomic_uint turn;		/* alone on its line, and on the one that is prefetched with it */
};

enum { HOPS = 200, ROUNDS = 31, OVER = 1 << 30 };

static void *pong(void *arg)
{
	struct line *line = arg;
	unsigned turn;

	pin(true);
	while ((turn = atomic_load_explicit(&line->turn, memory_order_relaxed)) != OVER)
		if (turn % 2)
			atomic_store_explicit(&line->turn, turn + 1, memory_order_relaxed);
	return NULL;
}

static void *ping(void *arg)
{
	static struct line line;
	double until = tool_now() + 0.04, round[ROUNDS], *ns = arg;
	pthread_t other;
	size_t done = 0;
	bool late = false;

	atomic_init(&line.turn, 0);
	if (pthread_create(&other, NULL, pong, &line))
		return NULL;
	pin(false);	/* after the other thread has inherited the whole set */
	/* The first round, in which the other thread starts, is not counted. */
	for (unsigned r = 0, turn = 0; r <= ROUNDS && !late; r++) {
		double start = tool_now();

		for (unsigned k = 0; k < HOPS / 2 && !late; k++) {
			atomic_store_explicit(&line.turn, turn + 1, memory_order_relaxed);
			turn += 2;
			for (unsigned spins = 1; !late && atomic_load_explicit(&line.turn, memory_order_relaxed) != turn;)
				late = spins++ % 1024 == 0 && tool_now() > until;
		}
		if (r > 0 && !late)
			round[done++] = (tool_now() - start) / HOPS * 1e9;
	}
	if (late)	/* the answer to a turn may still be on its way, and would undo the end */
		while (atomic_load_explicit(&line.turn, memory_order_relaxed) % 2)
			sched_yield();
	atomic_store_explicit(&line.turn, OVER, memory_order_relaxed);
	pthread_join(other, NULL);
	*ns = tool_spread(round, done).median;
	return NULL;
}

double tool_line_ns(void)
{
	double ns = NAN;
	pthread_t thread;

	/* In a thread of its own, so that the caller stays free to run anywhere. */
	if (tool_processors() > 1 && pthread_create(&thread, NULL, ping, &ns) == 0)
		pthread_join(thread, NULL);
	return ns;
}
