/* rounds.c - shares in proportion to the workers' rates in earlier executions. */
#include "dls/calc.h"
#include "lib/crew/rounds.h"
#include "lib/schedule/schedule.h"
#include "lib/site/site.h"

/* Shares are unequal only if that shortens the loop by more than this part of its time (two pieces by
 * default): less is noise. */
static const double least_gain = 1.0 / 32;

/* The part of a kept rate that one execution replaces. */
static const double novelty = 1.0 / 4;

/* Iterations per s; 0: not known.  relaxed: a number alone. */
static double rate_of(struct dls__kept_site *site, unsigned worker)
{
	struct dls__rates *rates = dls__rates(&site->statistics.learned, worker, false);

	return rates ? atomic_load_explicit(&rates->steady, memory_order_relaxed) : 0;
}

/* A worker whose rate is not known gets the mean. */
static double weight_of(const struct dls__division *d, unsigned worker)
{
	double rate = rate_of(d->site, worker);

	return rate > 0 ? dls__learned_weight(rate / d->mean, d->p) : 1;
}

struct dls__division dls__divide(struct dls__kept_site *site, uint64_t n, unsigned p)
{
	struct dls__division d = { .site = site, .n = n, .p = p };
	unsigned known = 0;
	double least = p;

	for (unsigned i = 0; site && i < p; i++) {
		double rate = rate_of(site, i);

		d.mean += rate;
		known += rate > 0;
	}
	d.mean /= known ? known : 1;
	for (unsigned i = 0; known && i < p; i++) {
		double weight = weight_of(&d, i);

		d.sum += weight;
		least = weight < least ? weight : least;
	}
	/* Time of the loop: with equal shares the slowest worker's, 1 / least; in proportion to rates p /
	 * sum. */
	if (!known || least * p >= d.sum * (1 - least_gain))
		d.site = NULL;
	return d;
}

uint64_t dls__division_end(struct dls__division *d)
{
	unsigned i = d->worker++;
	double end;

	if (!d->site || d->worker == d->p)
		return dls_static_begin(d->n, d->p, d->worker);
	d->upto += weight_of(d, i);
	end = (double)d->n * (d->upto / d->sum) + 0.5;
	return end < (double)d->n ? (uint64_t)end : d->n;
}

void dls__round_over(const struct dls__round *round, struct dls__kept_site *site, unsigned worker)
{
	struct dls__rates *rates = round->done ? dls__rates(&site->statistics.learned, worker, true) : NULL;

	double rate, kept;

	if (!rates)
		return;
	rate = 1e9 * (double)round->done / (double)(round->time ? round->time : 1);
	kept = atomic_load_explicit(&rates->steady, memory_order_relaxed);	/* relaxed: as above */
	atomic_store_explicit(&rates->steady, kept > 0 ? kept + (rate - kept) * novelty : rate, memory_order_relaxed);
}
