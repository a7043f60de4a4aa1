/* costs_measured.c - a take and the clock by a short measurement, lines and regions by what executions tell.
 *
 * Nobody waits, and no thread is started: a line that two threads pass to each other says little while other programs run, and a
 * team passes one whenever its last worker leaves. */
#include <stdatomic.h>
#include <stdio.h>

#include "lib/base/clock.h"
#include "lib/base/once.h"
#include "lib/base/processors.h"
#include "lib/site/costs_measured.h"

enum {
	TIMES = 64,			/* a take, a reading of the clock */
	KEPT = 15, ENOUGH = 4,		/* last ones of what is told */
	LINE_MOST = 2000,		/* ns; more is a worker that lost its processor on the way */
	REGION_LEAST = 300, REGION_MOST = 5000		/* ns; what is beyond counts as that */
};

/* Cost of a take besides the counter: an indirect call and the chunk's index, s. */
static const double CALL = 3e-9;

static const struct dls_costs usual = {
	.size = sizeof(usual), .take = 8e-9, .transfer = 50e-9, .clock = 10e-9, .region = 1e-6,
};
static double take, slow, fast;	/* s; slow: a reading of clock_gettime(), fast: of the time-stamp counter */
static atomic_bool known, known_counter;

/* What was told last, ns, in turn, and its lower quartile: what disturbs a worker only adds; 0: not enough. */
struct told {
	atomic_uint count;
	atomic_uint last[KEPT];
	atomic_uint quartile;
};
static struct told lines, regions;

static double clock_cost(void)
{
	uint64_t begin = dls__clock_now(), end = begin;

	for (int i = 0; i < TIMES; i++)
		end = dls__clock_now();
	return 1e-9 * (double)dls__clock_since(begin, end) / TIMES;
}

static void measure(void)
{
	atomic_uint counter = 0;
	uint64_t begin;

	dls__clock_start();
	slow = clock_cost();
	begin = dls__clock_now();
	for (int i = 0; i < TIMES; i++)
		atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);	/* relaxed: it is for the time alone */
	take = 1e-9 * (double)dls__clock_since(begin, dls__clock_now()) / TIMES + CALL;
}

static void measure_counter(void)
{
	fast = clock_cost();
}

/* relaxed, here and below: numbers that stand for themselves; one that is overwritten at once is lost. */
static unsigned quartile_of(struct told *t)
{
	unsigned sorted[KEPT], n = 0;

	for (unsigned i = 0; i < KEPT; i++) {
		unsigned x = atomic_load_explicit(&t->last[i], memory_order_relaxed), k = n;

		if (x == 0)
			continue;
		for (; k > 0 && sorted[k - 1] > x; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = x;
		n++;
	}
	return n < ENOUGH ? 0 : sorted[n / 4];
}

static void tell(struct told *t, uint64_t ns)
{
	unsigned k = atomic_load_explicit(&t->count, memory_order_relaxed);

	atomic_store_explicit(&t->count, k + 1, memory_order_relaxed);
	atomic_store_explicit(&t->last[k % KEPT], (unsigned)ns, memory_order_relaxed);
	atomic_store_explicit(&t->quartile, quartile_of(t), memory_order_relaxed);
}

void dls__costs_told(unsigned p, uint64_t transfer, uint64_t came)
{
	unsigned processors = dls__processors_online();
	uint64_t region = p > processors ? came * processors / p : came;	/* the others come when these have gone */

	if (transfer > 0 && transfer <= LINE_MOST)
		tell(&lines, transfer);
	if (region > 0)
		tell(&regions, region < REGION_LEAST ? REGION_LEAST : region < REGION_MOST ? region : REGION_MOST);
}

static unsigned quartile(struct told *t)
{
	return atomic_load_explicit(&t->quartile, memory_order_relaxed);
}

void dls__costs_read(struct dls_costs *costs)
{
	unsigned line = quartile(&lines), region = quartile(&regions);

	dls__once(&known, measure);
	*costs = usual;
	costs->take = take;
	costs->clock = slow;
	/* relaxed: which clock it is, and no more. */
	if (atomic_load_explicit(&dls__clock_state.tsc, memory_order_relaxed)) {
		dls__once(&known_counter, measure_counter);
		costs->clock = fast;
	}
	if (line)
		costs->transfer = 1e-9 * line;
	if (region)
		costs->region = 1e-9 * region;
}

size_t dls__costs_print(char *text, size_t size)
{
	struct dls_costs costs;

	dls__costs_read(&costs);
	return (size_t)snprintf(text, size, "take %.0f ns, clock %.0f ns, line %.0f ns%s, region %.1f us%s", 1e9 * costs.take,
				1e9 * costs.clock, 1e9 * costs.transfer, quartile(&lines) ? "" : " (default)", 1e6 * costs.region,
				quartile(&regions) ? "" : " (default)");
}
