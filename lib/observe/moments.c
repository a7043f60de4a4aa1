/* moments.c - mean and deviation of an iteration's time; chunks during which a thread lost its processor are left out. */
#include <math.h>

#include "lib/observe/observe.h"

/* Whether the thread must have lost its processor during n iterations: they took more than six deviations
 * above the mean, and a good part of a time slice. */
static bool preempted(const struct dls__moments *m, double n, double seconds)
{
	enum { SETTLED = 8 };		/* chunks after which the mean is trusted */
	double over = seconds - n * m->mean;

	return over > 1e-3 && m->count >= SETTLED && over > 6 * sqrt(dls__moments_variance(m) * n);
}

void dls__moments_add(struct dls__moments *m, uint64_t n, double seconds)
{
	if (n == 0 || !(seconds >= 0) || isinf(seconds))
		return;
	if (preempted(m, (double)n, seconds))
		m->trimmed++;
	else
		dls__moments_count(m, n, seconds / (double)n);
}

/* Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979. */
void dls__moments_merge(struct dls__moments *to, const struct dls__moments *from)
{
	double off = from->mean - to->mean;

	to->trimmed += from->trimmed;
	if (from->count == 0)
		return;
	to->count += from->count;
	to->m2 += from->m2 + off * off * to->n * (from->n / (to->n + from->n));
	to->n += from->n;
	to->mean += off * (from->n / to->n);
}
