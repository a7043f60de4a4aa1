/* profiles.c - what iterations cost by position, and how fast each worker is, from the profiles of executions.
 *
 * struct dls__auto_profiles, data: P speeds; then of each of three profiles B costs (s for one iteration), then of each B worker
 * numbers of 16 bits, two in the place of a float: who ran the bucket; MIXED: several. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/auto/auto.h"

enum { BUCKETS_LEAST = 64, BUCKETS_MOST = 65535, MIXED = 65535, BINS = 128 };

unsigned dls__auto_buckets(unsigned p, uint64_t n)
{
	unsigned B = p < BUCKETS_LEAST / 2 ? BUCKETS_LEAST : p < BUCKETS_MOST / 2 ? 2 * p : BUCKETS_MOST;

	return n < B ? (unsigned)n : B;
}

size_t dls__auto_size(unsigned p)
{
	size_t B = dls__auto_buckets(p, UINT64_MAX);

	return sizeof(float[1]) * (p + DLS__AUTO_PROFILES * (B + (B + 1) / 2));
}

static float *costs(const struct dls__auto_class *c, unsigned profile)
{
	return c->profile.data + c->p + (size_t)profile * c->buckets;
}

static uint16_t *workers(const struct dls__auto_class *c, unsigned profile)
{
	return (uint16_t *)(void *)(c->profile.data + c->p + DLS__AUTO_PROFILES * (size_t)c->buckets +
				    (size_t)profile * ((c->buckets + 1) / 2));
}

static uint64_t size_of(uint64_t n, unsigned B, unsigned b)
{
	return (b + 1 < B ? dls__auto_bucket_begin(n, B, b + 1) : n) - dls__auto_bucket_begin(n, B, b);
}

static bool usable(const struct dls__auto_bucket *x)
{
	return x->n > 0 && x->time >= 0 && x->time < 1e9;
}

static bool mostly(uint64_t part, uint64_t whole)
{
	return part >= whole - whole / 4;
}

const float *dls__auto_speeds(const struct dls__auto_class *c)
{
	float least = INFINITY, most = 0;

	if (!c->profile.data)
		return NULL;
	for (unsigned w = 0; w < c->p; w++) {
		least = fminf(least, c->profile.data[w]);
		most = fmaxf(most, c->profile.data[w]);
	}
	return most > 1.1f * least ? c->profile.data : NULL;
}

/* A bucket's cost for a worker of speed 1, in one profile. */
static double cost(const struct dls__auto_class *c, unsigned profile, unsigned b)
{
	unsigned w = workers(c, profile)[b];

	return (double)costs(c, profile)[b] * (w == MIXED ? 1 : c->profile.data[w]);
}

static double total_cost(const struct dls__auto_class *c, unsigned profile, unsigned B)
{
	double sum = 0;

	for (unsigned b = 0; b < B; b++)
		sum += cost(c, profile, b);
	return sum;
}

/* Below which ratio a part of the weight lies, in a histogram of logarithms from 1/4 to 4. */
static double below(const float *bin, double weight)
{
	for (unsigned i = 0; i < BINS; i++) {
		if (bin[i] > 0 && weight <= bin[i])
			return exp2((i + weight / bin[i]) / (BINS / 4) - 2);
		weight -= bin[i];
	}
	return 1;
}

/* The median; 1 if that lies between the quartiles: costs that change look like speeds, but not all in one direction. */
static double middle_of(const float *bin, double weight)
{
	if (below(bin, weight / 4) <= 1 && below(bin, weight * 3 / 4) >= 1)
		return 1;
	return below(bin, weight / 2);
}

static void count(float *bin, double ratio, double weight)
{
	double at = (log2(ratio) + 2) * (BINS / 4);

	bin[at > 0 ? at < BINS ? (unsigned)at : BINS - 1 : 0] += (float)weight;
}

/* A worker's speed from buckets that it ran now and others earlier; 0: too few.  Parts of a bucket that several workers ran in one
 * execution say nothing: thieves take tails, which may differ from heads. */
static double speed_of(const struct dls__auto_class *c, unsigned w, const struct dls__auto_bucket *row, uint64_t n, unsigned B,
		       const double *scale)
{
	double weight = 0, busy = 0;
	float bin[BINS] = { 0 };
	unsigned found = 0;

	for (unsigned b = 0; b < B; b++) {
		if (!usable(&row[b]) || !(row[b].time > 0))
			continue;
		busy += row[b].time;
		for (unsigned k = 0; k < c->profile.count; k++) {
			unsigned v = workers(c, k)[b];

			if (scale[k] > 0 && v != w && v != MIXED && mostly(row[b].n, size_of(n, B, b)) && cost(c, k, b) > 0) {
				count(bin, cost(c, k, b) * scale[k] * (double)row[b].n / row[b].time, row[b].time);
				weight += row[b].time;
				found++;
			}
		}
	}
	return found >= 3 && weight > 0.1 * busy ? middle_of(bin, weight) : 0;
}

/* The new profile is not yet among the kept ones. */
static void learn_speeds(struct dls__auto_class *c, uint64_t n, unsigned B, const struct dls__auto_bucket *const *row)
{
	for (unsigned sweep = 0; sweep < 3; sweep++) {
		double scale[DLS__AUTO_PROFILES], whole = 0, mean = 0;

		for (unsigned w = 0; w < c->p; w++)
			for (unsigned b = 0; row[w] && b < B; b++)
				if (usable(&row[w][b]))
					whole += row[w][b].time * c->profile.data[w] / (double)size_of(n, B, b);
		for (unsigned k = 0; k < c->profile.count; k++) {
			double total = total_cost(c, k, B);

			scale[k] = total > 0 ? whole / total : 0;
		}
		for (unsigned w = 0; w < c->p; w++) {
			double speed = row[w] ? speed_of(c, w, row[w], n, B, scale) : 0;

			/* Halfway, since all others are estimated in the same sweep. */
			if (speed > 0)
				c->profile.data[w] = (float)sqrt(c->profile.data[w] * speed);
			mean += c->profile.data[w];
		}
		for (unsigned w = 0; w < c->p; w++)
			c->profile.data[w] *= (float)(c->p / mean);
	}
}

/* Room for profiles, the workers being alike; false: there is no memory. */
static bool have_room(struct dls__auto_class *c)
{
	if (c->profile.data || !(c->profile.data = malloc(dls__auto_size(c->p))))
		return c->profile.data;
	for (unsigned w = 0; w < c->p; w++)
		c->profile.data[w] = 1;
	return true;
}

void dls__auto_copy_profiles(struct dls__auto_class *to, const struct dls__auto_class *from)
{
	unsigned B = from->profile.buckets;

	if (from->profile.count == 0 || to->buckets != from->buckets || dls__auto_buckets(to->p, to->n) != B || !have_room(to))
		return;
	for (unsigned w = 0; to->p == from->p && w < to->p; w++)
		to->profile.data[w] = from->profile.data[w];
	for (unsigned k = 0; k < from->profile.count; k++) {
		memcpy(costs(to, k), costs(from, k), B * sizeof(float));
		if (to->p == from->p)
			memcpy(workers(to, k), workers(from, k), B * sizeof(uint16_t));
		for (unsigned b = 0; to->p != from->p && b < B; b++) {
			costs(to, k)[b] = (float)cost(from, k, b);
			workers(to, k)[b] = MIXED;
		}
	}
	to->profile.count = from->profile.count;
	to->profile.last = from->profile.last;
	to->profile.buckets = from->profile.buckets;
}

void dls__auto_profiled(struct dls__auto_class *c, uint64_t n, const struct dls__auto_bucket *const *row)
{
	unsigned B = dls__auto_buckets(c->p, n), missing = 0, place;
	double busy = 0, mean = 0;
	uint16_t *by;
	float *to;

	if (B == 0 || c->single)
		return;
	if (B != c->profile.buckets) {
		c->profile.count = 0;
		c->profile.buckets = (uint16_t)B;
	}
	for (unsigned b = 0; b < B; b++) {
		uint64_t done = 0;

		for (unsigned w = 0; w < c->p; w++)
			if (row[w] && usable(&row[w][b])) {
				done += row[w][b].n;
				busy += row[w][b].time;
			}
		missing += done == 0 || done > size_of(n, B, b);
	}
	if (missing > B / 4 || !(busy > 0) || !have_room(c))
		return;

	/* The oldest makes room. */
	place = c->profile.count < DLS__AUTO_PROFILES ? c->profile.count : (c->profile.last + 1u) % DLS__AUTO_PROFILES;
	to = costs(c, place);
	by = workers(c, place);
	learn_speeds(c, n, B, row);
	for (unsigned b = 0; b < B; b++) {
		double time = 0, even = 0;
		uint64_t done = 0, most = 0;

		by[b] = MIXED;
		for (unsigned w = 0; w < c->p; w++) {
			if (!row[w] || !usable(&row[w][b]))
				continue;
			done += row[w][b].n;
			time += row[w][b].time;
			even += row[w][b].time * c->profile.data[w];
			if (row[w][b].n > most) {
				most = row[w][b].n;
				by[b] = (uint16_t)w;
			}
		}
		if (by[b] != MIXED && !mostly(most, done))
			by[b] = MIXED;
		to[b] = done ? (float)((by[b] == MIXED ? even : time) / (double)done) : 0;
		mean += to[b];
	}
	/* A bucket that nobody ran costs the mean. */
	for (unsigned b = 0; missing && b < B; b++)
		if (by[b] == MIXED && to[b] == 0)
			to[b] = (float)(mean / (B - missing));
	c->profile.last = (uint8_t)place;
	c->profile.count += c->profile.count < DLS__AUTO_PROFILES;

	if (c->watch.last_wall > 0) {
		c->watch.busy_last = (uint8_t)((c->watch.busy_last + 1) % 3);
		c->watch.busy[c->watch.busy_last] = (float)fmin(1, busy / (c->p * (double)c->watch.last_wall));
		c->watch.busies += c->watch.busies < 3;
	}
}

/* Factors that make all profiles as dear as the newest: an execution that the whole machine slowed down shows the same shape. */
static void scales(const struct dls__auto_class *c, double *scale)
{
	double total = total_cost(c, c->profile.last, c->profile.buckets);

	for (unsigned k = 0; k < c->profile.count; k++) {
		double own = total_cost(c, k, c->profile.buckets);

		scale[k] = own > 0 ? total / own : 1;
	}
}

/* What an iteration of a bucket costs by all profiles. */
static double merged(const struct dls__auto_class *c, const double *scale, unsigned b)
{
	double x[DLS__AUTO_PROFILES] = { 0 };

	for (unsigned k = 0; k < c->profile.count; k++)
		x[k] = cost(c, k, b) * scale[k];
	if (c->profile.count == 3)
		return fmax(fmin(x[0], x[1]), fmin(fmax(x[0], x[1]), x[2]));
	/* What disturbs an execution only adds. */
	return c->profile.count == 2 ? fmin(x[0], x[1]) : x[0];
}

unsigned dls__auto_profile(const struct dls__auto_class *c, double *time)
{
	unsigned B = c->profile.buckets;
	double scale[DLS__AUTO_PROFILES];

	if (c->profile.count == 0 || dls__auto_buckets(c->p, c->n) != B)
		return 0;
	scales(c, scale);
	for (unsigned b = 0; b < B; b++)
		time[b] = merged(c, scale, b) * (double)size_of(c->n, B, b);
	return B;
}

double dls__auto_uneven(const struct dls__auto_class *c, double wall)
{
	double scale[DLS__AUTO_PROFILES], sum = 0, block = 0, longest = 0, end, width = (double)c->profile.buckets / c->p;
	unsigned w = 1;

	if (c->profile.count == 0)
		return 0;
	scales(c, scale);
	end = width;
	for (unsigned b = 0; b < c->profile.buckets; b++) {
		double x = merged(c, scale, b), from = b;

		sum += x;
		for (; w < c->p && end <= b + 1; end = ++w * width) {
			longest = fmax(longest, block + x * (end - from));
			block = 0;
			from = end;
		}
		block += x * (b + 1 - from);
	}
	longest = fmax(longest, block);
	return longest > 0 ? fmax(0, wall - (double)c->region) * (1 - sum / c->p / longest) : 0;
}

bool dls__auto_small(const struct dls__auto_class *c, double wall)
{
	double region = (double)c->region;

	return wall < 20 * region && dls__auto_uneven(c, wall) < fmax(0.3 * region, 0.02 * wall);
}

double dls__auto_unrest(const struct dls__auto_class *c)
{
	double scale[DLS__AUTO_PROFILES], apart = 0, total = 0;

	if (c->profile.count < 2)
		return 1;
	scales(c, scale);
	for (unsigned b = 0; b < c->profile.buckets; b++) {
		double newest = cost(c, c->profile.last, b);

		for (unsigned k = 0; k < c->profile.count; k++)
			apart += fabs(cost(c, k, b) * scale[k] - newest);
		total += newest;
	}
	/* Time that is in another place is missing in one. */
	return total > 0 ? apart / (2 * (c->profile.count - 1) * total) : 1;
}
