/* world.h - the dispensers in virtual time, iteration by iteration, for tests of auto: exact costs, who ran what, and the cost of
 * caches. */
#ifndef TEST_AUTO_WORLD_H
#define TEST_AUTO_WORLD_H

#include <math.h>
#include <stddef.h>

#include "dls/calc.h"
#include "dls/schedule.h"
#include "lib/auto/auto.h"
#include "tap.h"

enum {
	WORKERS_MOST = 256,
	PIECES = 64		/* of a worker's share, whose data are with one worker */
};

/* s */
static const double TAKE = 8e-9, TRANSFER = 50e-9, REGION = 1e-6;

struct world {
	uint64_t n;
	unsigned p;
	const double *before;		/* n + 1 sums of costs, s */
	double speed[WORKERS_MOST];
	double locality;		/* share by which the iterations of central schedules take longer */
	double moving;			/* share by which iterations whose data are elsewhere take longer */
	const unsigned char *with;	/* the worker that each piece is with; NULL: that of its share */
	unsigned char *ran;		/* the worker that ran each, to be filled; may be `with`; NULL: not */
	double start[WORKERS_MOST];	/* arrivals, s */
	struct dls__bucket *row[WORKERS_MOST];	/* to be filled; NULL: not */
	unsigned buckets;
};

__attribute__((unused)) static double world_uniform(uint64_t *random)
{
	return (double)(tap_random(random) >> 11) * 0x1p-53;
}

__attribute__((unused)) static double world_normal(uint64_t *random)
{
	double u = 1 - world_uniform(random);

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * world_uniform(random));
}

/* Bounds are those of seed 1 ... */
__attribute__((unused)) static uint64_t world_seed(void)
{
	return getenv("DLS_SEED") ? tap_seed() : 1;
}

/* ... and of other seeds so many times as far from the best, or as many late: of ninety the farthest was 5.5 times. */
__attribute__((unused)) static double world_slack(void)
{
	return getenv("DLS_SEED") ? 8 : 1;
}

static const struct dls_schedule *world_schedule(unsigned schedule)
{
	static struct dls_schedule *parsed[DLS__AUTO_SCHEDULES];
	char text[32];

	if (!parsed[schedule]) {
		dls__auto_text(schedule, text);
		CHECK_EQ(dls_schedule_parse(&parsed[schedule], text, NULL), 0);
	}
	return parsed[schedule];
}

static unsigned world_bucket(const struct world *x, uint64_t i)
{
	unsigned b = (unsigned)((double)i * x->buckets / (double)x->n);

	while (b > 0 && dls__bucket_begin(x->n, x->buckets, b) > i)
		b--;
	while (b + 1 < x->buckets && dls__bucket_begin(x->n, x->buckets, b + 1) <= i)
		b++;
	return b;
}

/* Pieces of which some iterations are in lo .. end - 1. */
static uint64_t world_piece(const struct world *x, uint64_t lo)
{
	return lo * PIECES * x->p / x->n;
}

static uint64_t world_piece_after(const struct world *x, uint64_t end)
{
	return (end * PIECES * x->p + x->n - 1) / x->n;
}

/* How many times as long iterations lo .. end - 1 take on worker w, as their data are elsewhere. */
static double world_moved(const struct world *x, unsigned w, uint64_t lo, uint64_t end)
{
	uint64_t first = world_piece(x, lo), after = world_piece_after(x, end), elsewhere = 0;

	if (x->moving == 0 || lo >= end)
		return 1;
	for (uint64_t i = first; i < after; i++)
		elsewhere += (x->with ? x->with[i] : i / PIECES) != w;
	return 1 + x->moving * (double)elsewhere / (double)(after - first);
}

/* Time of iterations lo .. end - 1 on worker w. */
static double world_body(struct world *x, unsigned w, uint64_t lo, uint64_t end, double factor)
{
	double scale = factor * world_moved(x, w, lo, end) / x->speed[w];

	for (uint64_t i = world_piece(x, lo); x->ran && i < world_piece_after(x, end); i++)
		x->ran[i] = (unsigned char)w;
	for (uint64_t i = lo; x->row[w] && i < end;) {
		unsigned b = world_bucket(x, i);
		uint64_t next = b + 1 < x->buckets ? dls__bucket_begin(x->n, x->buckets, b + 1) : x->n;

		if (next > end)
			next = end;
		x->row[w][b].time += (x->before[next] - x->before[i]) * scale;
		x->row[w][b].n += next - i;
		i = next;
	}
	return (x->before[end] - x->before[lo]) * scale;
}

static unsigned world_first(const double *at, const bool *gone, unsigned p)
{
	unsigned first = p;

	for (unsigned w = 0; w < p; w++)
		if (!gone[w] && (first == p || at[w] < at[first]))
			first = w;
	return first;
}

/* One counter. */
static double world_central(struct world *x, unsigned schedule)
{
	const struct dls_schedule *s = world_schedule(schedule);
	const struct dls_calc *calc = dls_schedule_calc(s);
	struct dls_loop_desc desc = { .size = sizeof(desc) };
	double at[WORKERS_MOST], line = 0, end = 0;
	uint64_t state[DLS_STATE_MAX / 8], next = 0;
	bool gone[WORKERS_MOST] = { false };
	unsigned last = x->p, w;

	memcpy(at, x->start, sizeof(at));
	CHECK_EQ(dls_schedule_describe(s, x->n, x->p, 0, &desc), 0);
	CHECK_EQ(calc->init(state, &desc), 0);
	while ((w = world_first(at, gone, x->p)) < x->p) {
		double begin = fmax(at[w], line);

		line = begin + (last == w ? TAKE : TRANSFER);
		last = w;
		at[w] = line;
		if (next == x->n) {
			gone[w] = true;
			end = fmax(end, line);
			continue;
		}

		uint64_t R = x->n - next, K;

		K = calc->next(state, R);
		at[w] += world_body(x, w, next, next + K, 1 + x->locality);
		next += K;
	}
	return end;
}

static double world_static(struct world *x)
{
	double end = 0;

	for (unsigned w = 0; w < x->p; w++)
		end = fmax(end, x->start[w] + world_body(x, w, dls_static_begin(x->n, x->p, w),
							 dls_static_begin(x->n, x->p, w + 1), 1));
	return end;
}

/* A worker's range of chunks of K, which it has been running since `since`; a thief has its first chunk at once. */
struct world_range {
	uint64_t next, end;
	double since, longer;		/* longer: times as long, as data are elsewhere */
	bool stolen;
};

static struct world_range world_range(const struct world *x, unsigned w, uint64_t K, struct world_range r)
{
	r.longer = world_moved(x, w, r.next * K, r.end * K < x->n ? r.end * K : x->n);
	return r;
}

static double world_reach(const struct world *x, unsigned w, const struct world_range *r, uint64_t chunk, uint64_t K)
{
	uint64_t lo = r->next * K, hi = chunk * K;

	return r->since +
	       (x->before[hi < x->n ? hi : x->n] - x->before[lo < x->n ? lo : x->n]) * r->longer /
		       x->speed[w] +
	       TAKE * (double)(chunk - r->next);
}

/* The first chunk not started by `now`. */
static uint64_t world_unstarted(const struct world *x, unsigned w, const struct world_range *r, uint64_t K, double now)
{
	uint64_t lo = r->next + r->stolen, hi = r->end;

	while (lo < hi) {
		uint64_t middle = lo + (hi - lo) / 2;

		if (world_reach(x, w, r, middle, K) > now)
			hi = middle;
		else
			lo = middle + 1;
	}
	return lo < r->end ? lo : r->end;
}

/* Ranges and halves: only the steals are events. */
static double world_steal(struct world *x, uint64_t K)
{
	uint64_t M = dls_ceil_div(x->n, K);
	struct world_range r[WORKERS_MOST];
	bool gone[WORKERS_MOST] = { false };
	double at[WORKERS_MOST], end = 0;
	unsigned w;

	for (w = 0; w < x->p; w++) {
		r[w] = world_range(x, w, K,
				   (struct world_range){
					   .next = dls_static_begin(M, x->p, w),
					   .end = dls_static_begin(M, x->p, w + 1),
					   .since = x->start[w],
				   });
		at[w] = world_reach(x, w, &r[w], r[w].end, K);
	}
	while ((w = world_first(at, gone, x->p)) < x->p) {
		double now = at[w];
		unsigned i = 1;

		/* What it had is done. */
		for (; i < x->p; i++) {
			unsigned v = (w + i) % x->p;
			uint64_t next = gone[v] ? r[v].end : world_unstarted(x, v, &r[v], K, now), half = (r[v].end - next + 1) / 2;

			if (half == 0)
				continue;
			world_body(x, w, r[w].next * K, r[w].end * K < x->n ? r[w].end * K : x->n, 1);
			r[w] = world_range(x, w, K,
					   (struct world_range){
						   .next = r[v].end - half,
						   .end = r[v].end,
						   .since = now + 2 * TRANSFER,
						   .stolen = true,
					   });
			at[w] = world_reach(x, w, &r[w], r[w].end, K);
			r[v].end -= half;
			at[v] = world_reach(x, v, &r[v], r[v].end, K);
			break;
		}
		if (i == x->p) {
			uint64_t lo = r[w].next * K, hi = r[w].end * K;

			if (lo < x->n)
				world_body(x, w, lo, hi < x->n ? hi : x->n, 1);
			gone[w] = true;
			end = fmax(end, now);
		}
	}
	return end;
}

/* Time of one execution, s. */
__attribute__((unused)) static double world_run(struct world *x, unsigned schedule)
{
	if (schedule == DLS__AUTO_STATIC)
		return REGION + world_static(x);
	if (dls__auto_affine(schedule))
		return REGION + world_steal(x, (uint64_t)1 << (schedule - DLS__AUTO_STEAL));
	return REGION + world_central(x, schedule);
}

/* Have the next execution profiled: a row for each worker, to be filled. */
__attribute__((unused)) static void world_profile(struct world *x)
{
	static struct dls__bucket buckets[WORKERS_MOST][2 * WORKERS_MOST];

	memset(buckets, 0, sizeof(buckets));
	x->buckets = dls__buckets(x->p, x->n);
	for (unsigned w = 0; w < x->p; w++)
		x->row[w] = buckets[w];
}

/* Tell auto of that execution, in which all took so many times as long. */
__attribute__((unused)) static void world_profiled(struct dls__size_class *c, const struct world *x,
						   double factor)
{
	const struct dls__bucket *row[WORKERS_MOST];

	for (unsigned w = 0; w < x->p; w++) {
		row[w] = x->row[w];
		for (unsigned b = 0; b < x->buckets; b++)
			x->row[w][b].time *= factor;
	}
	dls__auto_profiled(c, x->n, row);
}

/* Have auto decide if it is due, which takes so long, s; returns what it took. */
__attribute__((unused)) static double world_decide(struct dls__size_class *c, double took)
{
	if (!dls__auto_due(c))
		return 0;
	CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
	return took;
}

#endif
