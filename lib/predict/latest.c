/* latest.c - costs by position in the last three executions, and how fast each worker is.
 *
 * data: P speeds; then of each of three profiles B costs (s for one iteration), then of each B worker numbers of 16 bits, two in the
 * place of a float: who ran the bucket; MIXED: several. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/predict/profile.h"

enum { MIXED = 65535, BINS = 128 };

/* Most buckets of a profile. */
static size_t room(const struct dls__latest *l)
{
	return dls__buckets(l->workers, UINT64_MAX);
}

size_t dls__latest_size(unsigned p)
{
	size_t B = dls__buckets(p, UINT64_MAX);

	return sizeof(float[1]) * (p + DLS__LATEST * (B + (B + 1) / 2));
}

static float *costs(const struct dls__latest *l, unsigned profile)
{
	return l->data + l->workers + profile * room(l);
}

static uint16_t *workers(const struct dls__latest *l, unsigned profile)
{
	return (uint16_t *)(void *)(l->data + l->workers + DLS__LATEST * room(l) + profile * ((room(l) + 1) / 2));
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
static double cost(const struct dls__latest *l, unsigned profile, unsigned b)
{
	unsigned w = workers(l, profile)[b];

	return (double)costs(l, profile)[b] * (w == MIXED ? 1 : l->data[w]);
}

static double total_cost(const struct dls__latest *l, unsigned profile, unsigned B)
{
	double sum = 0;

	for (unsigned b = 0; b < B; b++)
		sum += cost(l, profile, b);
	return sum;
}

/* The ratio below which `weight` of a histogram lies, whose bins are of logarithms from 1/4 to 4. */
static double below(const float *bin, double weight)
{
	for (unsigned i = 0; i < BINS; i++) {
		if (bin[i] > 0 && weight <= bin[i])
			return exp2((i + weight / bin[i]) / (BINS / 4) - 2);
		weight -= bin[i];
	}
	return 1;
}

/* The median; 1 if that lies between the quartiles: costs that change look like speeds, but in both directions. */
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
static double speed_of(const struct dls__latest *l, unsigned w, const struct dls__bucket *row, uint64_t n, unsigned B,
		       const double *scale)
{
	double weight = 0, busy = 0;
	float bin[BINS] = { 0 };
	unsigned found = 0;

	for (unsigned b = 0; b < B; b++) {
		if (!usable(&row[b]) || !(row[b].time > 0))
			continue;
		busy += row[b].time;
		for (unsigned k = 0; k < l->count; k++) {
			unsigned v = workers(l, k)[b];

			if (scale[k] > 0 && v != w && v != MIXED && mostly(row[b].n, size_of(n, B, b)) && cost(l, k, b) > 0) {
				count(bin, cost(l, k, b) * scale[k] * (double)row[b].n / row[b].time, row[b].time);
				weight += row[b].time;
				found++;
			}
		}
	}
	return found >= 3 && weight > 0.1 * busy ? middle_of(bin, weight) : 0;
}

/* The new profile is not yet among the kept ones. */
static void learn_speeds(struct dls__latest *l, uint64_t n, unsigned B, const struct dls__bucket *const *row)
{
	for (unsigned sweep = 0; sweep < 3; sweep++) {
		double scale[DLS__LATEST], whole = 0, mean = 0;

		for (unsigned w = 0; w < l->workers; w++)
			for (unsigned b = 0; row[w] && b < B; b++)
				if (usable(&row[w][b]))
					whole += row[w][b].time * l->data[w] / (double)size_of(n, B, b);
		for (unsigned k = 0; k < l->count; k++) {
			double total = total_cost(l, k, B);

			scale[k] = total > 0 ? whole / total : 0;
		}
		for (unsigned w = 0; w < l->workers; w++) {
			double speed = row[w] ? speed_of(l, w, row[w], n, B, scale) : 0;

			/* Halfway, since the others' speeds change in the same sweep. */
			if (speed > 0)
				l->data[w] = (float)sqrt(l->data[w] * speed);
			mean += l->data[w];
		}
		for (unsigned w = 0; w < l->workers; w++)
			l->data[w] *= (float)(l->workers / mean);
	}
}

/* Room for profiles, the workers being alike; false: there is no memory. */
static bool have_room(struct dls__latest *l)
{
	if (l->data || !(l->data = malloc(dls__latest_size(l->workers))))
		return l->data;
	for (unsigned w = 0; w < l->workers; w++)
		l->data[w] = 1;
	return true;
}

/* The median of the ratios of the newest profile's costs to another's, each as important as the smaller of the two. */
static double typical_ratio(const struct dls__latest *l, unsigned profile)
{
	float bin[BINS] = { 0 };
	double weight = 0;

	for (unsigned b = 0; b < l->buckets; b++) {
		double now = cost(l, l->last, b), then = cost(l, profile, b);

		if (now > 0 && then > 0) {
			count(bin, now / then, fmin(now, then));
			weight += fmin(now, then);
		}
	}
	return below(bin, weight / 2);
}

/* Factors that bring all profiles to the newest one: an execution that the whole machine slowed down has the same shape.  Buckets
 * in which one of the two was held up are left out, unless these are all. */
static void scales(const struct dls__latest *l, double *scale)
{
	for (unsigned k = 0; k < l->count; k++) {
		double typical = typical_ratio(l, k), total = 0, own = 0;

		for (unsigned b = 0; b < l->buckets; b++) {
			double now = cost(l, l->last, b), then = cost(l, k, b);

			if (now <= 2 * typical * then && then * typical <= 2 * now) {
				total += now;
				own += then;
			}
		}
		if (!(own > 0)) {
			total = total_cost(l, l->last, l->buckets);
			own = total_cost(l, k, l->buckets);
		}
		scale[k] = own > 0 ? total / own : 1;
	}
}

/* What an iteration of a bucket costs by all profiles. */
static double merged(const struct dls__latest *l, const double *scale, unsigned b)
{
	double x[DLS__LATEST] = { 0 };

	for (unsigned k = 0; k < l->count; k++)
		x[k] = cost(l, k, b) * scale[k];
	if (l->count == 3)
		return fmax(fmin(x[0], x[1]), fmin(fmax(x[0], x[1]), x[2]));
	/* Disturbances only add time. */
	return l->count == 2 ? fmin(x[0], x[1]) : x[0];
}

/* Work of all / P times that of the costliest of P equal blocks. */
static double balance_of(const struct dls__latest *l)
{
	double scale[DLS__LATEST], sum = 0, block = 0, longest = 0, end, width = (double)l->buckets / l->workers;
	unsigned w = 1;

	scales(l, scale);
	end = width;
	for (unsigned b = 0; b < l->buckets; b++) {
		double x = merged(l, scale, b), from = b;

		sum += x;
		for (; w < l->workers && end <= b + 1; end = ++w * width) {
			longest = fmax(longest, block + x * (end - from));
			block = 0;
			from = end;
		}
		block += x * (b + 1 - from);
	}
	longest = fmax(longest, block);
	return longest > 0 ? sum / l->workers / longest : 1;
}

void dls__latest_copy(struct dls__latest *to, uint64_t n, const struct dls__latest *from)
{
	unsigned B = from->buckets;
	bool same = to->workers == from->workers;

	if (from->count == 0 || room(to) != room(from) || dls__buckets(to->workers, n) != B || !have_room(to))
		return;
	for (unsigned w = 0; same && w < to->workers; w++)
		to->data[w] = from->data[w];
	for (unsigned k = 0; k < from->count; k++) {
		memcpy(costs(to, k), costs(from, k), B * sizeof(float));
		if (same)
			memcpy(workers(to, k), workers(from, k), B * sizeof(uint16_t));
		for (unsigned b = 0; !same && b < B; b++) {
			costs(to, k)[b] = (float)cost(from, k, b);
			workers(to, k)[b] = MIXED;
		}
	}
	to->count = from->count;
	to->last = from->last;
	to->buckets = from->buckets;
	to->balance = (float)balance_of(to);
}

void dls__latest_forget(struct dls__latest *l)
{
	l->count = 0;
	for (unsigned w = 0; l->data && w < l->workers; w++)
		l->data[w] = 1;
}

double dls__latest_add(struct dls__latest *l, uint64_t n, const struct dls__bucket *const *row)
{
	unsigned B = dls__buckets(l->workers, n), missing = 0, place;
	double busy = 0, mean = 0;
	uint16_t *by;
	float *to;

	if (B != l->buckets) {
		l->count = 0;
		l->buckets = (uint16_t)B;
	}
	for (unsigned b = 0; b < B; b++) {
		uint64_t done = 0;

		for (unsigned w = 0; w < l->workers; w++)
			if (row[w] && usable(&row[w][b])) {
				done += row[w][b].n;
				busy += row[w][b].time;
			}
		missing += done == 0 || done > size_of(n, B, b);
	}
	if (missing > B / 4 || !(busy > 0) || !have_room(l))
		return 0;

	/* The oldest makes room. */
	place = l->count < DLS__LATEST ? l->count : (l->last + 1u) % DLS__LATEST;
	to = costs(l, place);
	by = workers(l, place);
	learn_speeds(l, n, B, row);
	for (unsigned b = 0; b < B; b++) {
		double time = 0, even = 0;
		uint64_t done = 0, most = 0;

		by[b] = MIXED;
		for (unsigned w = 0; w < l->workers; w++) {
			if (!row[w] || !usable(&row[w][b]))
				continue;
			done += row[w][b].n;
			time += row[w][b].time;
			even += row[w][b].time * l->data[w];
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
	l->last = (uint8_t)place;
	l->count += l->count < DLS__LATEST;
	l->balance = (float)balance_of(l);
	return busy;
}

unsigned dls__latest_read(const struct dls__latest *l, uint64_t n, double *time)
{
	unsigned B = l->buckets;
	double scale[DLS__LATEST];

	if (l->count == 0 || dls__buckets(l->workers, n) != B)
		return 0;
	scales(l, scale);
	for (unsigned b = 0; b < B; b++)
		time[b] = merged(l, scale, b) * (double)size_of(n, B, b);
	return B;
}

double dls__latest_unrest(const struct dls__latest *l)
{
	double scale[DLS__LATEST], apart = 0, total = 0;

	if (l->count < 2)
		return 1;
	scales(l, scale);
	for (unsigned b = 0; b < l->buckets; b++) {
		double newest = cost(l, l->last, b);

		for (unsigned k = 0; k < l->count; k++)
			apart += fabs(cost(l, k, b) * scale[k] - newest);
		total += newest;
	}
	/* Time that has moved is counted twice: where it was and where it is. */
	return total > 0 ? apart / (2 * (l->count - 1) * total) : 1;
}
