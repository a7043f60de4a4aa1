/* profiled.c - what a class learns from a profile: the workers' efficiency, and what static blocks of unequal cost lose. */
#include <math.h>

#include "lib/auto/auto.h"

void dls__auto_profiled(struct dls__auto_class *c, uint64_t n, const struct dls__bucket *const *row)
{
	if (!c->single && n > 0)
		dls__latest_add(&c->profile, n, row);
}

double dls__auto_uneven(const struct dls__auto_class *c, double wall)
{
	double balance = dls__latest_balance(&c->profile), turns = (double)c->p / c->at_once;

	/* The first of several workers on a processor leave it to the others: only the last turn is as long as its longest block. */
	return fmax(0, wall - (double)c->region) * (1 - turns / (turns - 1 + 1 / balance));
}

bool dls__auto_small(const struct dls__auto_class *c, double wall)
{
	return wall < 20 * (double)c->sharing && dls__auto_uneven(c, wall) < fmax(0.3 * (double)c->region, 0.02 * wall);
}

bool dls__auto_even(const struct dls__auto_class *c, double wall)
{
	static const double LONG = 1e-3;	/* s */

	return wall < LONG && c->profile.count > 1 && !dls__latest_speeds(&c->profile) && dls__auto_uneven(c, wall) < 0.02 * wall;
}
