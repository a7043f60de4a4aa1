/* latest.c - costs by position in the last three executions, and how fast each worker is.
 *
 * data: P speeds; then of each of three profiles B costs (s for one iteration), then of each B worker numbers of 16 bits, two in the
 * place of a float: who ran the bucket; MIXED: several. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/predict/profile.h"

enum { MIXED = 65535, BINS = 128 };
_Static_assert(BINS == 4 * 32, "below() knows the width of a bin");

/* Upper bound of the number of buckets of a profile. */
static size_t room(const struct dls__latest *l)
{
	return dls__buckets(l->workers, UINT64_MAX);
}

size_t dls__latest_size(unsigned p)
{
	size_t B = dls__buckets(p, UINT64_MAX);

	return sizeof(float[1]) * (p + DLS__LATEST * (B + (B + 1) / 2));
}

/* One of the kept profiles. */
struct view {
	float *cost;			/* of an iteration of each bucket */
	uint16_t *by;			/* who ran it */
	const float *speed;		/* of each worker */
};

static struct view view_of(const struct dls__latest *l, unsigned profile)
{
	size_t B = room(l);
	float *costs = l->data + l->workers;

	return (struct view){
		.cost = costs + profile * B, .by = (uint16_t *)(void *)(costs + DLS__LATEST * B + profile * ((B + 1) / 2)),
		.speed = l->data,
	};
}

static uint64_t size_of(uint64_t n, unsigned B, unsigned b)
{
	return (b + 1 < B ? dls__bucket_begin(n, B, b + 1) : n) - dls__bucket_begin(n, B, b);
}

static bool usable(const struct dls__bucket *x)
{
	return x->n > 0 && x->time >= 0 && x->time < 1e9;
}

static bool mostly(uint64_t part, uint64_t whole)
{
	return part >= whole - whole / 4;
}

const float *dls__latest_speeds(const struct dls__latest *l)
{
	float least = INFINITY, most = 0;

	if (!l->data)
		return NULL;
	for (unsigned w = 0; w < l->workers; w++) {
		least = fminf(least, l->data[w]);
		most = fmaxf(most, l->data[w]);
	}
	return most > 1.1f * least ? l->data : NULL;
}

/* A bucket's cost for a worker of speed 1, in one profile. */
static inline double cost(struct view v, unsigned b)
{
	unsigned w = v.by[b];

	return (double)v.cost[b] * (w == MIXED ? 1 : (double)v.speed[w]);
}

static double total_cost(struct view v, unsigned B)
{
	double sum = 0;

	for (unsigned b = 0; b < B; b++)
		sum += cost(v, b);
	return sum;
}

static inline double lesser(double x, double y)
{
	return x < y ? x : y;
}

static inline double greater(double x, double y)
{
	return x > y ? x : y;
}

/* The ratio below which `weight` of a histogram lies.  Its bins divide the logarithms of 1/4 to 4. */
static double below(const float *bin, double weight)
{
	double from = 0.25;

	for (unsigned i = 0; i < BINS; i++, from *= 1.0218971486541166 /* 2^(1/32) */) {
		if (bin[i] > 0 && weight <= bin[i]) {
			double x = weight / bin[i] * 0.021660849392498291;	/* ln 2 / 32 */

			return from * (1 + x * (1 + x / 2 * (1 + x / 3)));	/* e^x */
		}
		weight -= bin[i];
	}
	return 1;
}

/* The median of the ratios in a histogram; 1 if 1 lies between the quartiles: an iteration whose cost changes
 * raises some ratios and lowers others, a worker's speed moves all one way. */
static double middle_of(const float *bin, double weight)
{
	if (below(bin, weight / 4) <= 1 && below(bin, weight * 3 / 4) >= 1)
		return 1;
	return below(bin, weight / 2);
}

/* log2 x with an error of 2e-5; x is clamped to 1/8 .. 8.  Not libm's: it is called for each bucket of each
 * profile, and libm's took most of the time. */
static double logarithm(double x)
{
	const uint64_t fraction = ((uint64_t)1 << 52) - 1;
	double near = greater(0.125, lesser(x, 8)), part, s, squared;
	uint64_t bits, one;

	memcpy(&bits, &near, sizeof(bits));
	one = (bits & fraction) | (uint64_t)1023 << 52;		/* 1 to 2 */
	memcpy(&part, &one, sizeof(part));
	s = (part - 1) / (part + 1);
	squared = s * s;
	/* 2 / ln 2 (s + s^3 / 3 + s^5 / 5 + s^7 / 7) */
	return (double)(bits >> 52) - 1023 + s * (2.88539008 + squared * (0.96179669 + squared * (0.57707802 + squared * 0.41219858)));
}

static void count(float *bin, double ratio, double weight)
{
	double at = (logarithm(ratio) + 2) * (BINS / 4);

	bin[at > 0 ? at < BINS ? (unsigned)at : BINS - 1 : 0] += (float)weight;
}

/* Iterations and time of one worker in one bucket of the new execution. */
struct part {
	unsigned worker, bucket;
	uint64_t n, size;		/* iterations; of the bucket */
	double time;
};

/* The parts of the new execution, sorted by worker, then by bucket.  Not a matrix: if there are many workers,
 * few of them run a given bucket. */
struct parts {
	struct part *begin, *end;
};

/* begin == NULL: there is no memory. */
static struct parts parts_of(const struct dls__latest *l, uint64_t n, unsigned B, const struct dls__bucket *const *row)
{
	struct part *begin = malloc(sizeof(*begin) * l->workers * B), *end = begin;

	for (unsigned w = 0; begin && w < l->workers; w++)
		for (unsigned b = 0; row[w] && b < B; b++)
			if (usable(&row[w][b]))
				*end++ = (struct part){ w, b, row[w][b].n, size_of(n, B, b), row[w][b].time };
	return (struct parts){ begin, end };
}

/* Whether a worker's part can be compared with the same bucket of a kept profile: if another worker ran the
 * bucket then.  Parts of a bucket that several workers ran in one execution cannot: thieves take tails, which
 * may cost other than heads. */
static inline bool comparable(struct view v, const struct part *x)
{
	unsigned by = v.by[x->bucket];

	return by != x->worker && by != MIXED && x->time > 0 && mostly(x->n, x->size) && cost(v, x->bucket) > 0;
}

/* A worker's speed from buckets that it ran now and others earlier; 0: too few. */
static double speed_of(const struct dls__latest *l, struct parts own, const double *scale)
{
	double weight = 0, busy = 0;
	float bin[BINS] = { 0 };
	unsigned found = 0;

	for (const struct part *x = own.begin; x < own.end; x++)
		busy += x->time;
	for (unsigned k = 0; k < l->count; k++) {
		struct view v = view_of(l, k);

		for (const struct part *x = own.begin; x < own.end; x++)
			if (comparable(v, x)) {
				count(bin, cost(v, x->bucket) * scale[k] * (double)x->n / x->time, x->time);
				weight += x->time;
				found++;
			}
	}
	return found >= 3 && weight > 0.1 * busy ? middle_of(bin, weight) : 0;
}

/* Whether any part can be compared; in most executions each worker has run the same buckets again. */
static bool tells_speeds(const struct dls__latest *l, struct parts all)
{
	for (unsigned k = 0; k < l->count; k++) {
		struct view v = view_of(l, k);

		for (const struct part *x = all.begin; x < all.end; x++)
			if (comparable(v, x))
				return true;
	}
	return false;
}

/* Update the speeds from the new execution; call it before keep(). */
static void learn_speeds(struct dls__latest *l, unsigned B, struct parts all)
{
	if (!tells_speeds(l, all))
		return;
	for (unsigned sweep = 0; sweep < 3; sweep++) {
		double scale[DLS__LATEST], whole = 0, mean = 0;
		struct parts own = { all.begin, all.begin };

		for (const struct part *x = all.begin; x < all.end; x++)
			whole += x->time * l->data[x->worker] / (double)x->size;
		for (unsigned k = 0; k < l->count; k++) {
			double total = total_cost(view_of(l, k), B);

			scale[k] = total > 0 ? whole / total : 0;
		}
		for (unsigned w = 0; w < l->workers; w++) {
			double speed;

			own.begin = own.end;
			while (own.end < all.end && own.end->worker == w)
				own.end++;
			speed = speed_of(l, own, scale);
			/* Only halfway, since the other workers' speeds change in the same sweep. */
			if (speed > 0)
				l->data[w] = (float)sqrt(l->data[w] * speed);
			mean += l->data[w];
		}
		for (unsigned w = 0; w < l->workers; w++)
			l->data[w] *= (float)(l->workers / mean);
	}
}

/* Make room for profiles, with all speeds 1; false: there is no memory. */
static bool have_room(struct dls__latest *l)
{
	if (l->data || !(l->data = malloc(dls__latest_size(l->workers))))
		return l->data;
	for (unsigned w = 0; w < l->workers; w++)
		l->data[w] = 1;
	return true;
}

/* The median of the ratios of the newest profile's costs to another's, each ratio weighted by the smaller
 * cost. */
static double typical_ratio(struct view newest, struct view other, unsigned B)
{
	float bin[BINS] = { 0 };
	double weight = 0;

	for (unsigned b = 0; b < B; b++) {
		double now = cost(newest, b), then = cost(other, b);

		if (now > 0 && then > 0) {
			count(bin, now / then, lesser(now, then));
			weight += lesser(now, then);
		}
	}
	return below(bin, weight / 2);
}

/* The factor that scales a profile to the newest one: if the whole machine was slower, the profile has the
 * same shape.  Buckets that were disturbed in one of the two are left out, unless all were. */
static double scale_of(struct view newest, struct view other, unsigned B)
{
	double typical = typical_ratio(newest, other, B), total = 0, own = 0;

	for (unsigned b = 0; b < B; b++) {
		double now = cost(newest, b), then = cost(other, b);

		if (now <= 2 * typical * then && then * typical <= 2 * now) {
			total += now;
			own += then;
		}
	}
	if (!(own > 0)) {
		total = total_cost(newest, B);
		own = total_cost(other, B);
	}
	return own > 0 ? total / own : 1;
}

/* All profiles, scaled to the newest one. */
struct together {
	struct view view[DLS__LATEST];
	double scale[DLS__LATEST];
	unsigned count;
};

static struct together together_of(const struct dls__latest *l)
{
	struct together t = { .count = l->count };

	for (unsigned k = 0; k < l->count; k++) {
		t.view[k] = view_of(l, k);
		t.scale[k] = k == l->last ? 1 : scale_of(view_of(l, l->last), t.view[k], l->buckets);
	}
	return t;
}

/* Cost of an iteration of a bucket, from all profiles. */
static double merged(const struct together *t, unsigned b)
{
	double x[DLS__LATEST] = { 0 };

	for (unsigned k = 0; k < t->count; k++)
		x[k] = cost(t->view[k], b) * t->scale[k];
	if (t->count == 3)
		return greater(lesser(x[0], x[1]), lesser(greater(x[0], x[1]), x[2]));
	/* Disturbances only add time. */
	return t->count == 2 ? lesser(x[0], x[1]) : x[0];
}

/* Begin of bucket b of the newest profile, in mean bucket widths: near b, and b exactly if the number of
 * buckets divides n. */
static inline double begin_of(const struct dls__latest *l, unsigned b)
{
	return b - (double)(b * (l->n % l->buckets) % l->buckets) / (double)l->n;
}

/* Balance of P equal blocks: mean work of a block / work of the costliest. */
static double balance_of(const struct dls__latest *l)
{
	struct together t = together_of(l);
	double width = (double)l->buckets / l->workers, end = width, from = 0;
	double sum = 0, block = 0, longest = 0;
	unsigned w = 1;

	for (unsigned b = 0; b < l->buckets; b++) {
		double x = merged(&t, b), to = begin_of(l, b + 1);

		sum += x * (to - from);
		for (; w < l->workers && end <= to; end = ++w * width) {
			longest = greater(longest, block + x * (end - from));
			block = 0;
			from = end;
		}
		block += x * (to - from);
		from = to;
	}
	longest = greater(longest, block);
	return longest > 0 ? sum / l->workers / longest : 1;
}

void dls__latest_forget(struct dls__latest *l)
{
	l->count = 0;
	for (unsigned w = 0; l->data && w < l->workers; w++)
		l->data[w] = 1;
}

/* All parts of a bucket. */
struct whole {
	uint64_t n, most;		/* iterations; most of one worker */
	unsigned by;			/* who ran `most` */
	double time, even;		/* time; that of workers of speed 1 */
};

/* Add up the parts of each bucket.  Returns the time of all parts. */
static double add_up(struct parts all, struct whole *whole)
{
	double busy = 0;

	for (const struct part *x = all.begin; x < all.end; x++) {
		struct whole *to = &whole[x->bucket];

		to->n += x->n;
		to->time += x->time;
		busy += x->time;
		if (x->n > to->most) {
			to->most = x->n;
			to->by = x->worker;
		}
	}
	return busy;
}

/* Keep the new profile in the place of the oldest. */
static void keep(struct dls__latest *l, unsigned B, struct parts all, struct whole *whole, unsigned missing)
{
	unsigned place = l->count < DLS__LATEST ? l->count : (l->last + 1u) % DLS__LATEST;
	struct view v = view_of(l, place);
	double mean = 0;

	for (const struct part *x = all.begin; x < all.end; x++)
		whole[x->bucket].even += x->time * l->data[x->worker];
	for (unsigned b = 0; b < B; b++) {
		const struct whole *x = &whole[b];
		bool one = x->n > 0 && mostly(x->most, x->n);

		v.by[b] = one ? (uint16_t)x->by : MIXED;
		v.cost[b] = x->n > 0 ? (float)((one ? x->time : x->even) / (double)x->n) : 0;
		mean += v.cost[b];
	}
	/* A bucket that nobody ran costs the mean. */
	for (unsigned b = 0; missing && b < B; b++)
		if (whole[b].n == 0)
			v.cost[b] = (float)(mean / (B - missing));
	l->last = (uint8_t)place;
	l->count += l->count < DLS__LATEST;
	l->balance = (float)balance_of(l);
}

static double add(struct dls__latest *l, uint64_t n, unsigned B, struct parts all, struct whole *whole)
{
	double busy = add_up(all, whole);
	unsigned missing = 0;

	for (unsigned b = 0; b < B; b++)
		missing += whole[b].n == 0 || whole[b].n > size_of(n, B, b);
	if (missing > B / 4 || !(busy > 0) || !have_room(l))
		return 0;
	l->n = n;
	learn_speeds(l, B, all);
	keep(l, B, all, whole, missing);
	return busy;
}

double dls__latest_add(struct dls__latest *l, uint64_t n, const struct dls__bucket *const *row)
{
	unsigned B = dls__buckets(l->workers, n);
	struct parts all = parts_of(l, n, B, row);
	struct whole *whole = calloc(B, sizeof(*whole));
	double busy;

	if (B != l->buckets) {
		l->count = 0;
		l->buckets = (uint16_t)B;
	}
	busy = all.begin && whole ? add(l, n, B, all, whole) : 0;
	free(whole);
	free(all.begin);
	return busy;
}

unsigned dls__latest_read(const struct dls__latest *l, uint64_t n, double *time)
{
	unsigned B = l->buckets;
	struct together t;

	if (l->count == 0 || dls__buckets(l->workers, n) != B)
		return 0;
	t = together_of(l);
	for (unsigned b = 0; b < B; b++)
		time[b] = merged(&t, b) * (double)size_of(n, B, b);
	return B;
}

double dls__latest_unrest(const struct dls__latest *l)
{
	struct together t;
	double apart = 0, total = 0;

	if (l->count < 2)
		return 1;
	t = together_of(l);
	for (unsigned b = 0; b < l->buckets; b++) {
		double newest = cost(t.view[l->last], b), width = begin_of(l, b + 1) - begin_of(l, b);

		for (unsigned k = 0; k < l->count; k++)
			apart += fabs(cost(t.view[k], b) * t.scale[k] - newest) * width;
		total += newest * width;
	}
	/* Halved: time that has moved counts in the bucket where it was and in the one where it is. */
	return total > 0 ? apart / (2 * (l->count - 1) * total) : 1;
}
