/* last_profile.c - costs by position in the last execution that was profiled.
 *
 * One is enough: the next one comes soon, and who chooses by it has to measure a gain before he keeps a schedule. */
#include <math.h>
#include <stdlib.h>

#include "lib/predict/profile.h"

static double cost(const struct dls__bucket *x)
{
	return x->time / (double)x->n;
}

static bool usable(const struct dls__bucket *x)
{
	return x->n > 0 && x->time >= 0 && x->time < 1e9;
}

/* Add up what the workers have run of each bucket; one that nobody ran costs the mean.  False: more than a quarter are so. */
static bool add_up(struct dls__bucket *all, unsigned B, unsigned workers, const struct dls__bucket *const *row)
{
	unsigned ran = 0;
	double sum = 0;

	for (unsigned w = 0; w < workers; w++)
		for (unsigned b = 0; row[w] && b < B; b++)
			if (usable(&row[w][b])) {
				all[b].time += row[w][b].time;
				all[b].n += row[w][b].n;
			}
	for (unsigned b = 0; b < B; b++) {
		ran += all[b].n > 0;
		sum += all[b].n > 0 ? cost(&all[b]) : 0;
	}
	if (ran < B - B / 4)
		return false;
	for (unsigned b = 0; b < B; b++)
		if (all[b].n == 0)
			all[b] = (struct dls__bucket){ .time = sum / ran, .n = 1 };
	return sum > 0;
}

/* Balance of P equal blocks: mean work of a block / work of the costliest. */
static double balance_of(const struct dls__last_profile *l)
{
	double width = (double)l->n / l->workers, end = width, from = 0, sum = 0, block = 0, longest = 0;
	unsigned w = 1;

	for (unsigned b = 0; b < l->buckets; b++) {
		double x = cost(&l->bucket[b]), to = (double)dls__bucket_begin(l->n, l->buckets, b + 1);

		sum += x * (to - from);
		for (; w < l->workers && end <= to; end = ++w * width) {
			longest = fmax(longest, block + x * (end - from));
			block = 0;
			from = end;
		}
		block += x * (to - from);
		from = to;
	}
	longest = fmax(longest, block);
	return longest > 0 ? sum / l->workers / longest : 1;
}

/* Share of the time that lies in other buckets than before, of profiles scaled to the same time. */
static double unrest_of(const struct dls__last_profile *before, const struct dls__bucket *now, uint64_t n)
{
	double then_all = 0, now_all = 0, apart = 0;
	unsigned B = before->buckets;

	for (unsigned b = 0; b < B; b++) {
		then_all += cost(&before->bucket[b]) * dls__bucket_width(n, B, b);
		now_all += cost(&now[b]) * dls__bucket_width(n, B, b);
	}
	for (unsigned b = 0; b < B; b++)
		apart += fabs(cost(&before->bucket[b]) / then_all - cost(&now[b]) / now_all) * dls__bucket_width(n, B, b);
	/* Halved: time that has moved counts in the bucket where it was and in the one where it is. */
	return apart / 2;
}

bool dls__last_profile_add(struct dls__last_profile *l, uint64_t n, const struct dls__bucket *const *row)
{
	unsigned B = dls__buckets(l->workers, n);
	struct dls__bucket *all = calloc(B, sizeof(*all));

	if (B != l->buckets)
		l->count = 0;
	if (!all || !add_up(all, B, l->workers, row)) {
		free(all);
		return false;
	}
	l->unrest = l->count > 0 ? (float)unrest_of(l, all, n) : 1;
	free(l->bucket);
	l->bucket = all;
	l->n = n;
	l->buckets = (uint16_t)B;
	l->count += l->count < DLS__PROFILES_ENOUGH;
	l->balance = (float)balance_of(l);
	return true;
}

unsigned dls__last_profile_read(const struct dls__last_profile *l, uint64_t n, double *time)
{
	if (l->count == 0 || dls__buckets(l->workers, n) != l->buckets)
		return 0;
	for (unsigned b = 0; b < l->buckets; b++)
		time[b] = cost(&l->bucket[b]) * dls__bucket_width(n, l->buckets, b);
	return l->buckets;
}

void dls__last_profile_forget(struct dls__last_profile *l)
{
	l->count = 0;
}
