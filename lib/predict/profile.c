/* profile.c - costs by position: a worker's profile, and the sums over executions. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dls/loop.h"
#include "lib/predict/profile.h"

/* With variances, a profile is fine enough for P workers if the times of random shares of n / P iterations
 * differ by at most 1 / sqrt(SHARE). */
#define SHARE 64.0

enum {
	BUCKETS_MOST = 65535,
	CHUNKS_LEAST = 32,	/* needed for a bucket's variance */
	PRIOR = 4,
	SPANS = DLS__BUCKETS / 2	/* parts in which workers are compared: wide, to be shared */
};

unsigned dls__buckets(unsigned p, uint64_t n)
{
	unsigned B = p < DLS__BUCKETS / 2 ? DLS__BUCKETS : p < BUCKETS_MOST / 2 ? 2 * p : BUCKETS_MOST;

	return n < B ? (unsigned)n : B;
}

void dls__worker_profile_begin(struct dls__worker_profile *t, uint64_t n, struct dls__bucket *bucket,
			       unsigned buckets)
{
	memset(bucket, 0, buckets * sizeof(*bucket));
	*t = (struct dls__worker_profile){ .n = n, .buckets = buckets, .bucket = bucket };
}

void dls__worker_profile_renew(struct dls__worker_profile **t, bool wanted, uint64_t n)
{
	struct whole {
		struct dls__worker_profile profile;
		struct dls__bucket bucket[DLS__BUCKETS];
		struct dls__chunk_sums chunk_sums[DLS__BUCKETS];
	} *whole = (struct whole *)*t;

	if (!wanted) {
		free(whole);
		*t = NULL;
	} else if (whole || (whole = malloc(sizeof(*whole)))) {
		*t = &whole->profile;
		dls__worker_profile_begin(*t, n, whole->bucket, dls__buckets(1, n));
		memset(whole->chunk_sums, 0, sizeof(whole->chunk_sums));
		whole->profile.chunk_sums = whole->chunk_sums;
	}
}

void dls__worker_profile_enter(struct dls__worker_profile *t, uint64_t lo)
{
	/* The quotient may be one off. */
	t->at = lo == t->end ? t->at + 1 : (unsigned)((double)lo / (double)t->n * t->buckets);
	while (t->at > 0 && dls__bucket_begin(t->n, t->buckets, t->at) > lo)
		t->at--;
	while ((t->end = dls__bucket_begin(t->n, t->buckets, t->at + 1)) <= lo)
		t->at++;
	t->lo = dls__bucket_begin(t->n, t->buckets, t->at);
}

void dls__worker_profile_spread(struct dls__worker_profile *t, uint64_t lo, uint64_t n, double time)
{
	double each = time / (double)n;
	uint64_t all = n;

	/* Chunks that were timed together may have lain apart: iterations that would lie past the loop's end
	 * count in the last bucket. */
	for (uint64_t part; n; lo += part, n -= part) {
		if (lo < t->n)
			dls__worker_profile_enter(t, lo);
		part = t->at + 1 < t->buckets && n > t->end - lo ? t->end - lo : n;
		t->bucket[t->at].time += each * (double)part;
		t->bucket[t->at].n += part;
		dls__chunk_sums_add(t, t->at, each, all, part);
		if (t->chunk_sums && n < all) {
			t->chunk_sums[t->at].carried.time += each * (double)part;
			t->chunk_sums[t->at].carried.n += part;
		}
	}
}

void dls__rebucket(const double *time, unsigned buckets, double *to, unsigned wanted)
{
	bool finer = wanted > buckets;
	unsigned few = finer ? buckets : wanted, many = finer ? wanted : buckets;

	for (unsigned k = 0; k < few; k++) {
		uint64_t begin = dls__bucket_begin(many, few, k), end = dls__bucket_begin(many, few, k + 1);

		for (uint64_t i = begin; i < end; i++)
			to[finer ? i : k] += finer ? time[k] / (double)(end - begin) : time[i];
	}
}

/* All that the workers did, by span: time at speed 1, and iterations. */
struct spans {
	double time[SPANS], n[SPANS];
};

/* What a worker did in a span, which is two buckets. */
static struct dls__bucket in_span(const struct dls__worker_profile *t, unsigned span)
{
	struct dls__bucket sum = { 0, 0 };

	for (unsigned b = 2 * span; b < 2 * span + 2 && b < t->buckets; b++) {
		sum.time += t->bucket[b].time;
		sum.n += t->bucket[b].n;
	}
	return sum;
}

/* Learn a worker's speed from each span that it shared with other workers.  One long iteration counts no more
 * than its span, so that it does not make the worker look slow. */
static void compare(struct dls__speed *s, const struct dls__worker_profile *t, const struct spans *all)
{
	const double fade = 0.9, least = 1e-6;	/* s: in less, a clock reading and a cache miss count too much */

	s->logs *= fade;
	s->weight *= fade;
	for (unsigned k = 0; k < SPANS; k++) {
		struct dls__bucket own = in_span(t, k);
		double n = (double)own.n, shared = fmin(n, all->n[k] - n) / all->n[k];

		if (own.time < least || !(shared > 0))
			continue;
		s->logs += 2 * shared * log(all->time[k] / all->n[k] * n / own.time);
		s->weight += 2 * shared;
	}
}

double dls__speed(const struct dls__speed *s)
{
	return s->weight > 1.5 ? exp(s->logs / s->weight) : 1;
}

/* Add up the workers' time and iterations by span; returns the sum of the iterations. */
static double add_up(struct spans *all, const struct dls__parts *parts)
{
	double run = 0;

	for (unsigned w = 0; w < parts->workers; w++) {
		struct dls__speed *speed;
		const struct dls__worker_profile *t = parts->worker(parts->arg, w, &speed);

		for (unsigned k = 0; t && k < SPANS; k++) {
			struct dls__bucket own = in_span(t, k);

			all->time[k] += own.time * dls__speed(speed);
			all->n[k] += (double)own.n;
			run += (double)own.n;
		}
	}
	return run;
}

/* Learn all speeds.  Returns the factor that makes their mean, weighted by time, 1: so work = time. */
static double compare_all(const struct spans *all, const struct dls__parts *parts)
{
	double busy = 0, at_one = 0;

	for (unsigned w = 0; w < parts->workers; w++) {
		struct dls__speed *speed;
		const struct dls__worker_profile *t = parts->worker(parts->arg, w, &speed);

		if (!t)
			continue;
		compare(speed, t, all);
		for (unsigned b = 0; b < t->buckets; b++) {
			busy += t->bucket[b].time;
			at_one += t->bucket[b].time * dls__speed(speed);
		}
	}
	return at_one > 0 ? busy / at_one : 1;
}

static double mean_of(uint64_t n, const double *time, unsigned buckets, unsigned b)
{
	return time[b] / dls__bucket_width(n, buckets, b);
}

double dls__trend(uint64_t n, const double *time, unsigned buckets, unsigned b)
{
	double mean = mean_of(n, time, buckets, b);
	double before = b > 0 ? mean - mean_of(n, time, buckets, b - 1) : NAN;
	double after = b + 1 < buckets ? mean_of(n, time, buckets, b + 1) - mean : NAN;
	double least = fmin(fabs(before), fabs(after));		/* the other one where there is one alone */

	if (before * after < 0)
		return 0;
	return fmin(least / mean, 2) * (before < 0 || after < 0 ? -1 : 1);
}

double dls__scv(const double *time, const double *variance, unsigned buckets, uint64_t n)
{
	double all = 0, squares = 0;

	for (unsigned b = 0; b < buckets; b++) {
		double part = dls__bucket_width(n, buckets, b) * buckets / (double)n;
		double mean = mean_of(n, time, buckets, b);

		all += variance[b] * part;
		squares += mean * mean * part;
	}
	return squares > 0 ? all / squares : INFINITY;
}

unsigned dls__carried(uint64_t n, unsigned buckets, const double *time, const double *variance)
{
	double least = buckets > 1 ? buckets / 2 : 1, most;

	if (n == buckets)
		return DLS_WORKERS_MAX;
	if (!variance)
		return (unsigned)least;
	most = (double)n / (SHARE * dls__scv(time, variance, buckets, n));
	return (unsigned)fmin(fmax(most, least), DLS_WORKERS_MAX);
}

void dls__profile_keep_variance(struct dls__profile_sums *p, const double *time, const double *variance,
				uint64_t n)
{
	double scv = fmax(dls__scv(time, variance, DLS__BUCKETS, n), DBL_MIN);

	if (p->scv > 0 && !(scv < p->scv))
		return;
	p->scv = scv;
	memcpy(p->variance, variance, sizeof(p->variance));
}

/* An execution being added.  It is malloc'ed: threads of an OpenMP runtime may have small stacks. */
struct adding {
	struct spans spans;
	double time[DLS__BUCKETS], mean[DLS__BUCKETS], variance[DLS__BUCKETS];
	struct dls__chunk_sums chunk_sums[DLS__BUCKETS];
};

/* Variance of an iteration's time in each of DLS__BUCKETS buckets of an execution, from its chunks.  The mean
 * over all buckets of variance / squared mean counts as PRIOR further chunks in each. */
static void add_variance(struct dls__profile_sums *profile, struct adding *a, uint64_t n)
{
	const struct dls__chunk_sums *of = a->chunk_sums;
	double *time = a->time, *mean = a->mean, *variance = a->variance, all = 0, free = 0;

	for (unsigned b = 0; b < DLS__BUCKETS; b++) {
		double trend = time[b] > 0 ? dls__trend(n, time, DLS__BUCKETS, b) : 0, squares;

		mean[b] = mean_of(n, time, DLS__BUCKETS, b);
		/* The squares of the chunks' differences from the mean, but for those of the trend. */
		squares = of[b].squares - time[b] * mean[b] * (1 + trend * trend / 12 * (1 - 1 / (of[b].chunks * of[b].chunks)));
		variance[b] = of[b].chunks >= 2 ? fmax(squares, 0) : 0;
		if (of[b].chunks >= 2 && mean[b] > 0) {
			all += variance[b] / (mean[b] * mean[b]);
			free += of[b].chunks - 1;
		}
	}
	if (free < CHUNKS_LEAST)
		return;
	for (unsigned b = 0; b < DLS__BUCKETS; b++) {
		double usual = all / free * mean[b] * mean[b];

		variance[b] = of[b].chunks >= 2 ? (variance[b] + PRIOR * usual) / (of[b].chunks - 1 + PRIOR) : usual;
	}
	dls__profile_keep_variance(profile, time, variance, n);
}

static void add_bar(struct dls__bar *bar, uint64_t n, double time)
{
	bar->n += (double)n;
	bar->time += n ? time : 0;
}

/* Add what a worker of speed v has run to the sums by the bucket where chunks began. */
static void add_bars(struct dls__profile_sums *profile, const struct dls__worker_profile *t, double v)
{
	for (unsigned b = 0; b < t->buckets; b++) {
		const struct dls__bucket *all = &t->bucket[b], *carried = &t->chunk_sums[b].carried;
		uint64_t at = dls__bucket_begin(DLS__BUCKETS, t->buckets, b);

		profile->chunks += t->chunk_sums[b].chunks;
		add_bar(&profile->begun[at], all->n - carried->n, v * (all->time - carried->time));
		add_bar(&profile->carried[at], carried->n, v * carried->time);
	}
}

void dls__profile_bars(const struct dls__profile_sums *p, struct dls__bars *bars)
{
	double count = (double)p->timed;

	*bars = (struct dls__bars){ .executions = p->timed, .chunks = round(p->chunks) };
	for (unsigned b = 0; p->timed && b < DLS__BUCKETS; b++) {
		struct dls__bar *last = &bars->bar[bars->bars > 0 ? bars->bars - 1 : 0];
		const struct dls__bar *begun = &p->begun[b];

		last->n += p->carried[b].n / count;
		last->time += p->carried[b].time / count;
		if (begun->n > 0)
			bars->bar[bars->bars++] = (struct dls__bar){ begun->n / count, begun->time / count };
	}
}

static void add_execution(struct dls__profile_sums *profile, const struct dls__parts *parts, struct adding *a)
{
	double n = (double)parts->n, run = add_up(&a->spans, parts), work = 0, longest = 0, scale;

	/* A cancelled loop was not run whole, and the iterations that ran do not tell the cost of the rest. */
	if (!(fabs(run - n) <= 1e-3 * n))
		return;
	if (profile->workers != parts->workers) {
		memset(profile, 0, sizeof(*profile));
		profile->workers = parts->workers;
	}
	scale = compare_all(&a->spans, parts);
	for (unsigned w = 0; w < parts->workers; w++) {
		struct dls__speed *speed;
		const struct dls__worker_profile *t = parts->worker(parts->arg, w, &speed);

		if (!t)
			continue;

		double v = scale * dls__speed(speed);

		speed->logs += speed->weight * log(scale);
		for (unsigned b = 0; b < t->buckets; b++) {
			a->time[b] += v * t->bucket[b].time;
			work += v * t->bucket[b].time;
			a->chunk_sums[b].squares += v * v * t->chunk_sums[b].squares;
			a->chunk_sums[b].chunks += t->chunk_sums[b].chunks;
		}
		longest = fmax(longest, v * t->longest);
		add_bars(profile, t, v);
	}
	dls__rebucket(a->time, dls__buckets(1, parts->n), profile->time, DLS__BUCKETS);
	if (parts->n > DLS__BUCKETS)
		add_variance(profile, a, parts->n);
	profile->longest = profile->executions ? fmin(profile->longest, longest) : longest;
	profile->executions++;
	profile->timed++;
	profile->n += n;
	profile->n2 += n * n;
	profile->work += work;
	profile->work2 += work * work;
}

void dls__profile_add(struct dls__profile_sums *profile, const struct dls__parts *parts)
{
	struct adding *a = calloc(1, sizeof(*a));

	if (a)
		add_execution(profile, parts, a);
	free(a);
}

static double cov(double sum, double squares, double count)
{
	double mean = sum / count, variance = squares / count - mean * mean;

	return mean > 0 && variance > 0 ? sqrt(variance) / mean : 0;
}

double dls__profile_spread(const struct dls__profile_sums *p)
{
	double count = (double)p->executions;

	return p->executions < 2 ? 0 : fmax(cov(p->work, p->work2, count), cov(p->n, p->n2, count));
}

bool dls__profile_read(const struct dls__profile_sums *p, double time[DLS__BUCKETS])
{
	for (unsigned b = 0; p->executions && b < DLS__BUCKETS; b++)
		time[b] = p->time[b] / (double)p->executions;
	return p->executions > 0;
}
