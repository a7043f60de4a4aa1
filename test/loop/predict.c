/* predict.c - predictions beside the real dispensers, driven in virtual time.
 *
 * runs: alone */
#include <math.h>

#include "dls/predict.h"
#include "deal.h"

enum { BUCKETS = 64, WORKERS = 64, SHAPES = 5 };

struct loop {
	uint64_t n;
	unsigned buckets, p;
	double time[BUCKETS], upto[BUCKETS + 1], speed[WORKERS];
	struct dls_costs costs;
};

static uint64_t bucket_begin(const struct loop *l, unsigned b)
{
	return b * l->n / l->buckets;
}

/* Time of iterations 0 .. x - 1 at speed 1. */
static double upto(const struct loop *l, uint64_t x)
{
	unsigned b = (unsigned)(x * l->buckets / l->n);

	if (x == l->n)
		return l->upto[l->buckets];
	while (bucket_begin(l, b) > x)
		b--;
	while (bucket_begin(l, b + 1) <= x)
		b++;
	return l->upto[b] + l->time[b] * (double)(x - bucket_begin(l, b)) / (double)(bucket_begin(l, b + 1) - bucket_begin(l, b));
}

static double speeds(const struct loop *l)
{
	double sum = 0;

	for (unsigned w = 0; w < l->p; w++)
		sum += l->speed[w];
	return sum;
}

struct result {
	double time, idle;
	uint64_t chunks;
};

/* Who pays for what. */
enum dealt { OWN, CENTRAL, RANGES, TILES };

/* One execution by the library's dispenser; of workers that ask at the same time, the first of `order` goes first. */
static struct result run(const struct loop *l, const char *schedule, enum dealt dealt, const unsigned *order)
{
	struct dls_loop *loop = deal_open(schedule, l->p, NULL, DLS_LOOP_EVERY_CHUNK | DLS_LOOP_VIRTUAL_TIME);
	double now[WORKERS] = { 0 }, line = 0;
	struct result r = { .chunks = 0 };
	int64_t end[WORKERS];
	bool left[WORKERS] = { false };
	unsigned last = WORKERS;

	for (unsigned w = 0; w < l->p; w++)
		end[w] = -1;
	CHECK_EQ(dls_loop_start(loop, 0, (int64_t)l->n, 1), 0);
	for (unsigned here = l->p; here > 0;) {
		unsigned w = WORKERS;
		struct deal d;
		double began;

		for (unsigned i = 0; i < l->p; i++)
			if (!left[order[i]] && (w == WORKERS || now[order[i]] < now[w]))
				w = order[i];
		CHECK_EQ(dls_loop_set_time(loop, now[w]), 0);
		d = deal_next(loop, w);
		began = now[w];
		if (dealt == CENTRAL || (dealt == TILES && d.n > 0)) {
			began = line = fmax(line, began) + (last != w && last != WORKERS ? l->costs.transfer : 0);
			last = w;
		} else if (dealt != OWN && end[w] >= 0 && d.begin != end[w] && l->p > 1) {
			began += (d.n > 0 && dealt == RANGES ? 2 : d.n == 0) * l->costs.transfer;	/* steals, or leaves */
		}
		if (d.n == 0) {
			now[w] = began + (dealt == CENTRAL ? l->costs.take : 0);
			left[w] = true;
			here--;
			continue;
		}
		end[w] = d.end;
		now[w] = began + l->costs.take + (upto(l, (uint64_t)d.end) - upto(l, (uint64_t)d.begin)) / l->speed[w];
		r.chunks++;
	}
	CHECK_EQ(dls_loop_end(loop, NULL), 0);
	dls_loop_close(loop);
	for (unsigned w = 0; w < l->p; w++)
		r.time = fmax(r.time, now[w]);
	for (unsigned w = 0; w < l->p; w++)
		r.idle += r.time > 0 ? (1 - now[w] / r.time) / l->p : 0;
	return r;
}

/* Uniform, rising, falling, with peaks, random. */
static double cost_of(int shape, unsigned b, unsigned buckets, uint64_t *random)
{
	double x = (b + 0.5) / buckets;

	switch (shape) {
	case 0:
		return 1;
	case 1:
		return 2 * x;
	case 2:
		return 2 * (1 - x);
	case 3:
		return b % 16 == 5 ? 8 : 0.5;
	default:
		return 2 * (double)(tap_random(random) >> 11) * 0x1p-53;
	}
}

static struct loop make(uint64_t n, unsigned p, int shape, bool slow, bool costs)
{
	struct loop l = { .n = n, .p = p, .buckets = n < BUCKETS ? (unsigned)n : BUCKETS, .costs = { .size = sizeof(l.costs) } };
	uint64_t random = 7;

	for (unsigned b = 0; b < l.buckets; b++) {
		l.time[b] = 1e-6 * cost_of(shape, b, l.buckets, &random) * (double)(bucket_begin(&l, b + 1) - bucket_begin(&l, b));
		l.upto[b + 1] = l.upto[b] + l.time[b];
	}
	for (unsigned w = 0; w < p; w++)
		l.speed[w] = slow && w % 4 == 1 ? 0.5 : 1;
	if (costs) {
		l.costs.take = 8e-9;
		l.costs.transfer = 50e-9;
	}
	return l;
}

static bool close_to(double value, double of, double tolerance)
{
	return fabs(value - of) <= tolerance * of;
}

/* A schedule, and how far its predictions may be off: `mean` over all loops of one size, `worst` of a single one.  A learner's
 * times differ while workers queue for the line, since this clock stands still in a dispatch: it is compared without costs. */
static const struct row {
	const char *text;
	enum dealt dealt;
	bool exact, learns, counted;	/* 300 iterations to the last bit but few; the number of chunks is the same */
	double mean, worst;
} rows[] = {
	{ "static", OWN, true, false, true, 1e-9, 1e-9 },
	{ "static,3", OWN, true, false, true, 1e-9, 1e-9 },
	{ "static,weights=1:2:3", OWN, true, false, true, 1e-9, 1e-9 },
	{ "static,multiple=8", OWN, true, false, true, 1e-9, 1e-9 },
	{ "ss", CENTRAL, false, false, true, 8e-3, 0.08 },
	{ "ss,7", CENTRAL, false, false, true, 8e-3, 0.12 },
	{ "mfsc", CENTRAL, true, false, true, 1e-3, 0.02 },
	{ "gss", CENTRAL, true, false, true, 1e-3, 0.004 },
	{ "gss,20", CENTRAL, true, false, true, 1e-4, 0.004 },
	{ "gss,multiple=8", CENTRAL, true, false, true, 1e-4, 0.004 },
	{ "tss", CENTRAL, false, false, true, 1e-3, 0.008 },
	{ "fac2", CENTRAL, false, false, true, 1e-3, 0.008 },
	{ "fac,mu=1,sigma=1", CENTRAL, false, false, true, 1e-3, 0.006 },
	{ "tap,mu=1,sigma=1", CENTRAL, false, false, true, 1e-3, 0.006 },
	{ "tfss", CENTRAL, false, false, true, 1e-3, 0.006 },
	{ "fiss", CENTRAL, false, false, true, 6e-3, 0.08 },
	{ "viss", CENTRAL, false, false, true, 6e-3, 0.08 },
	{ "rnd", CENTRAL, true, false, true, 1e-9, 1e-9 },
	{ "wf,weights=1:2:3", CENTRAL, false, false, false, 4e-3, 0.08 },
	{ "wf,5,weights=1:2:3", CENTRAL, false, false, false, 4e-3, 0.12 },
	{ "awf-b", CENTRAL, false, true, false, 4e-3, 0.08 },
	{ "awf-c", CENTRAL, false, true, false, 4e-3, 0.08 },
	{ "awf-d", CENTRAL, false, true, false, 4e-3, 0.08 },
	{ "awf-e", CENTRAL, false, true, false, 4e-3, 0.08 },
	{ "af", CENTRAL, false, true, false, 6e-3, 0.1 },
	{ "whole", CENTRAL, false, true, false, 1e-3, 0.01 },
	{ "whole,multiple=8", CENTRAL, false, true, false, 1e-3, 0.01 },
	{ "bold,mu=1e-6,sigma=1e-6,h=58e-9", CENTRAL, false, true, false, 1e-3, 0.01 },
	{ "steal", RANGES, false, false, true, 8e-3, 0.12 },
	{ "steal,9", RANGES, false, false, true, 8e-3, 0.12 },
	{ "steal,multiple=8", RANGES, false, false, true, 8e-3, 0.2 },
	{ "nonmonotonic:ss,4", RANGES, false, false, true, 4e-3, 0.1 },
	{ "frac", TILES, false, false, false, 8e-3, 0.1 },
	{ "frac,x=3", TILES, false, false, false, 8e-3, 0.1 },
	{ "frac,multiple=8", TILES, false, false, false, 1e-2, 0.2 },
};

static struct result both_orders(const struct loop *l, const struct row *row)
{
	unsigned slow[WORKERS], fast[WORKERS], k = 0;
	struct result a, b;

	for (double speed = 0; k < l->p;) {	/* slowest first, then by number */
		double next = INFINITY;

		for (unsigned w = 0; w < l->p; w++)
			next = l->speed[w] > speed ? fmin(next, l->speed[w]) : next;
		for (unsigned w = 0; w < l->p; w++)
			if (l->speed[w] == next)
				slow[k++] = w;
		speed = next;
	}
	for (unsigned i = 0; i < l->p; i++)
		fast[i] = slow[l->p - 1 - i];
	a = run(l, row->text, row->dealt, slow);
	b = run(l, row->text, row->dealt, fast);
	return (struct result){ (a.time + b.time) / 2, (a.idle + b.idle) / 2, (a.chunks + b.chunks) / 2 };
}

/* How far off the predictions for loops of n iterations are. */
static void compare(const struct row *row, uint64_t n, bool costs, bool exact)
{
	static const unsigned p[] = { 1, 2, 3, 16, 64 };
	struct dls_prediction predicted = { .size = sizeof(predicted) };
	struct dls_schedule *schedule = NULL;
	double sum = 0, worst = 0, idle = 0;
	unsigned loops = 0;
	bool chunks = true;

	CHECK_EQ(dls_schedule_parse(&schedule, row->text, NULL), 0);
	for (unsigned i = 0; i < sizeof(p) / sizeof(*p); i++)
		for (int shape = 0; shape < SHAPES; shape++)
			for (int slow = 0; slow < 2; slow++, loops++) {
				struct loop l = make(n, p[i], shape, slow, costs);
				struct dls_profile profile = { sizeof(profile), n, l.buckets, l.time, NULL };
				struct result real = both_orders(&l, row);
				double off;

				CHECK_EQ(dls_predict(schedule, &profile, l.p, l.speed, &l.costs, &predicted), 0);
				off = fabs(predicted.time / real.time - 1);
				sum += off;
				worst = fmax(worst, off);
				idle = fmax(idle, fabs(predicted.idle - real.idle));
				chunks &= predicted.chunks == real.chunks;
				CHECK(close_to(predicted.ideal, l.upto[l.buckets] / speeds(&l), 1e-9));
			}
	dls_schedule_free(schedule);
	tap_note("%s, %llu iterations%s: mean %.1e, worst %.1e, idle %.1e", row->text, (unsigned long long)n,
		 costs ? ", costs" : "", sum / loops, worst, idle);
	CHECK(sum / loops <= (exact ? 1e-9 : row->mean));
	CHECK(worst <= (exact ? 1e-9 : row->worst));
	CHECK(idle <= row->worst + 0.06);
	CHECK(chunks || !row->counted);
}

/* Fails if: a dispenser deals other chunks, to others, in another order; a take or a transfer is paid twice or not at all; a worker is
 * taken for another one's speed; a grid is left; what is dealt at once ends elsewhere. */
static void dispensers(void)
{
	struct dls_calc whole = *dls_calc_find("af");	/* with parts a chunk is several requests here */

	whole.name = "whole";
	whole.parts = NULL;
	CHECK_EQ(dls_calc_register(&whole), 0);
	for (const struct row *row = rows + tap_first(); row < rows + sizeof(rows) / sizeof(*rows); row += tap_sample())
		for (int costs = 0; costs < (row->learns ? 1 : 2); costs++) {
			if (row->exact)
				compare(row, 300, costs, true);
			compare(row, 1000, costs, false);
			compare(row, 20000, costs, false);
		}
}

TEST_MAIN(T(dispensers))
