/* profile.c - the costs of a loop's iterations by position, and the speeds of its workers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/observe/profile.h"

void dls__tally_begin(struct dls__tally *p, uint64_t n)
{
	memset(p, 0, sizeof(*p));
	p->per = n ? DLS__BUCKETS / (double)n : 0;
}

void dls__tally_renew(struct dls__tally **p, bool wanted, uint64_t n)
{
	if (!wanted) {
		free(*p);
		*p = NULL;
	} else if (*p || (*p = malloc(sizeof(**p)))) {
		dls__tally_begin(*p, n);
	}
}

/* Add what was collected for the current bucket to it. */
static void flush(struct dls__tally *p)
{
	p->time[p->at] += (float)p->spent;
	p->n[p->at * DLS__SPANS / DLS__BUCKETS] += (float)p->run;
	p->spent = p->run = 0;
}

/* Make the bucket of the iteration before `end` the current one: the next chunk is probably in it. */
static void settle(struct dls__tally *p, uint64_t end)
{
	unsigned b = (unsigned)fmin(((double)end - 0.5) * p->per, DLS__BUCKETS - 1);

	p->at = b;
	p->from = (uint64_t)ceil(b / p->per);
	p->to = (uint64_t)fmax(floor((b + 1) / p->per), (double)p->from);
}

void dls__tally_move(struct dls__tally *p, uint64_t lo, uint64_t n, uint64_t ns)
{
	double at = fmin((double)lo * p->per, DLS__BUCKETS), end = fmin(at + (double)n * p->per, DLS__BUCKETS);
	double time = (double)ns / ((double)n * p->per), runs = 1 / p->per;	/* in a bucket of it */

	flush(p);
	/* Spread evenly over all that it touches. */
	for (double next; at < end; at = next) {
		unsigned b = (unsigned)at;

		next = fmin(b + 1.0, end);
		p->time[b] += (float)((next - at) * time);
		p->n[b * DLS__SPANS / DLS__BUCKETS] += (float)((next - at) * runs);
	}
	settle(p, lo + n);
}

/* All that the workers did, by span: time at speed 1, and iterations. */
struct spans {
	double time[DLS__SPANS], n[DLS__SPANS];
};

static double time_in(const struct dls__tally *p, unsigned span)
{
	return (double)p->time[2 * span] + (double)p->time[2 * span + 1];
}

/* Learn a worker's speed from each span of which others ran parts, too.  One long iteration counts no more than its
 * span; otherwise it would make the worker look slow. */
static void compare(struct dls__speed *s, const struct dls__tally *p, const struct spans *all)
{
	const double fade = 0.9;
	enum { LEAST = 1000 };		/* ns: in less, a clock reading and a cache miss count too much */

	s->logs *= fade;
	s->weight *= fade;
	for (unsigned k = 0; k < DLS__SPANS; k++) {
		double n = (double)p->n[k], time = time_in(p, k), shared = fmin(n, all->n[k] - n) / all->n[k];

		if (time < LEAST || !(shared > 1e-6))	/* 1e-6: rounding of floats */
			continue;
		s->logs += 2 * shared * log(all->time[k] / all->n[k] * n / time);
		s->weight += 2 * shared;
	}
}

double dls__speed(const struct dls__speed *s)
{
	return s->weight > 1.5 ? exp(s->logs / s->weight) : 1;
}

_Static_assert(DLS__BUCKETS == 2 * DLS__SPANS, "time_in() adds two buckets");

/* Add up what was run; returns the iterations. */
static double add_up(struct spans *all, const struct dls__parts *parts)
{
	double run = 0;

	for (unsigned w = 0; w < parts->workers; w++) {
		struct dls__speed *speed;
		struct dls__tally *p = parts->worker(parts->arg, w, &speed);

		if (!p)
			continue;
		flush(p);
		for (unsigned k = 0; k < DLS__SPANS; k++) {
			all->time[k] += time_in(p, k) * dls__speed(speed);
			all->n[k] += (double)p->n[k];
			run += (double)p->n[k];
		}
	}
	return run;
}

/* Learn all speeds, and return the factor that makes their mean 1: the work is the time that was spent. */
static double compare_all(const struct spans *all, const struct dls__parts *parts)
{
	double busy = 0, at_one = 0;

	for (unsigned w = 0; w < parts->workers; w++) {
		struct dls__speed *speed;
		const struct dls__tally *p = parts->worker(parts->arg, w, &speed);

		if (!p)
			continue;
		compare(speed, p, all);
		for (unsigned k = 0; k < DLS__SPANS; k++) {
			busy += time_in(p, k);
			at_one += time_in(p, k) * dls__speed(speed);
		}
	}
	return at_one > 0 ? busy / at_one : 1;
}

void dls__profile_add(struct dls__profile_sums *profile, const struct dls__parts *parts)
{
	struct spans all = { .n = { 0 } };
	double n = (double)parts->n, run = add_up(&all, parts), work = 0, longest = 0, scale;

	/* A cancelled loop was not run whole, and the iterations that ran do not tell the cost of the rest. */
	if (!(fabs(run - n) <= 1e-3 * n))
		return;
	if (profile->workers != parts->workers)
		*profile = (struct dls__profile_sums){ .workers = parts->workers };
	scale = compare_all(&all, parts);
	for (unsigned w = 0; w < parts->workers; w++) {
		struct dls__speed *speed;
		const struct dls__tally *p = parts->worker(parts->arg, w, &speed);

		if (!p)
			continue;

		double v = scale * dls__speed(speed);

		speed->logs += speed->weight * log(scale);
		for (unsigned b = 0; b < DLS__BUCKETS; b++) {
			profile->time[b] += v * (double)p->time[b];
			work += v * (double)p->time[b];
		}
		longest = fmax(longest, v * p->longest);
	}
	profile->longest = profile->executions ? fmin(profile->longest, longest) : longest;
	profile->executions++;
	profile->n += n;
	profile->n2 += n * n;
	profile->work += work;
	profile->work2 += work * work;
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
		time[b] = 1e-9 * p->time[b] / (double)p->executions;
	return p->executions > 0;
}
