/* costs_measured.c - measuring a take, the clock and the way of a cache line from one processor to another. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "lib/base/apart.h"
#include "lib/base/clock.h"
#include "lib/base/once.h"
#include "lib/site/costs_measured.h"

enum {
	TIMES = 1000,			/* a take, a reading of the clock */
	MOST = 500 * 1000,		/* ns, of the line's journeys */
	REGION = 13			/* a region is some 13 journeys: libgomp and libomp with two threads */
};

/* Beside the counter: an indirect call and the index of the chunk, s. */
static const double CALL = 3e-9;

static struct dls_costs costs = { .size = sizeof(costs), .take = 8e-9, .transfer = 50e-9, .clock = 10e-9, .region = 1e-6 };
static atomic_bool known;

/* A line that two threads write in turn, and whether the other one shall stop. */
static struct {
	_Alignas(DLS__APART) atomic_uint turn;
	_Alignas(DLS__APART) atomic_bool stop;
} line;

static void *answer(void *arg)
{
	(void)arg;
	/* relaxed, here and in journeys(): the numbers alone matter. */
	while (!atomic_load_explicit(&line.stop, memory_order_relaxed)) {
		unsigned turn = atomic_load_explicit(&line.turn, memory_order_relaxed);

		if (turn % 2)
			atomic_store_explicit(&line.turn, turn + 1, memory_order_relaxed);
	}
	return NULL;
}

/* s that the line takes from one processor to another; 0: not known. */
static double journeys(void)
{
	uint64_t begin = dls__clock_now(), first = 0, now;
	unsigned trips = 0;
	sigset_t all, before;
	pthread_t other;
	int code;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	code = pthread_create(&other, NULL, answer, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (code)
		return 0;
	atomic_store_explicit(&line.turn, 1, memory_order_relaxed);
	while (now = dls__clock_now(), dls__clock_since(begin, now) < MOST && trips < TIMES)
		if (atomic_load_explicit(&line.turn, memory_order_relaxed) % 2 == 0) {
			if (trips++ == 0)	/* the other thread has started */
				first = now;
			atomic_fetch_add_explicit(&line.turn, 1, memory_order_relaxed);
		}
	atomic_store_explicit(&line.stop, true, memory_order_relaxed);
	pthread_join(other, NULL);
	return trips > TIMES / 10 ? 1e-9 * (double)dls__clock_since(first, now) / (2.0 * (trips - 1)) : 0;
}

static void measure(void)
{
	uint64_t begin, end;
	double transfer;
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);	/* pthread_join() */
	dls__clock_start();
	begin = dls__clock_now();
	for (int i = 0; i < TIMES; i++)
		atomic_fetch_add_explicit(&line.turn, 1, memory_order_relaxed);	/* relaxed: it is for the time alone */
	end = dls__clock_now();
	costs.take = 1e-9 * (double)dls__clock_since(begin, end) / TIMES + CALL;
	for (int i = 0; i < TIMES; i++)
		begin = dls__clock_now();
	costs.clock = 1e-9 * (double)dls__clock_since(end, begin) / TIMES;
	transfer = journeys();
	if (transfer > 0) {
		costs.transfer = transfer;
		costs.region = REGION * transfer;
	}
	pthread_setcancelstate(cancel, &cancel);
}

const struct dls_costs *dls__loop_costs(void)
{
	dls__once(&known, measure);
	return &costs;
}

const struct dls_costs *dls__loop_costs_known(void)
{
	/* acquire: the costs are written; pairs with the release in dls__once_slowly(). */
	return atomic_load_explicit(&known, memory_order_acquire) ? &costs : NULL;
}
