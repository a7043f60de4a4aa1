/* inherit.c - what a class that is new takes over from the nearest one: the time of an iteration, and the
 * schedule. */
#include <math.h>

#include "lib/auto/auto.h"
#include "lib/auto/numbers.h"

/* What an execution of it takes, s; 0: not known. */
static double wall_of(const struct dls__auto_class *c)
{
	double usual = dls__auto_usual(c);

	return usual > 0 ? usual : (double)c->watch.last_wall;
}

/* How far a class is: half octaves of iterations; a doubling of the workers counts two. */
static double apart(const struct dls__auto_class *c, const struct dls__auto_class *other)
{
	double workers = c->p == other->p ? 0 : 2 * fabs(log2((double)c->p / other->p));

	return fabs((double)c->octave - other->octave) + workers;
}

/* The nearest that is known. */
static const struct dls__auto_class *nearest(const struct dls__auto_class *c, const struct dls__auto *a)
{
	const struct dls__auto_class *best = NULL;

	for (unsigned i = 0; i < a->count; i++) {
		const struct dls__auto_class *other = a->kept[i];

		if (other != c && !other->single && other->flags == c->flags && wall_of(other) > 0 &&
		    (!best || apart(c, other) < apart(c, best)))
			best = other;
	}
	return best;
}

/* What an execution of c would take, s, scaled from another class.  The region's part does not shrink with a worker's iterations; where
 * those are more it is neglected. */
static double expected(const struct dls__auto_class *c, const struct dls__auto_class *from)
{
	double wall = wall_of(from), ratio = (double)c->n / (double)from->n * from->at_once / c->at_once;
	double region = fmin((double)c->region, wall);

	return ratio > 1 ? wall * ratio : region + (wall - region) * ratio;
}

void dls__auto_inherit(struct dls__auto_class *c, const struct dls__auto *a)
{
	const struct dls__auto_class *from = c->single ? NULL : nearest(c, a);
	double wall;

	if (!from)
		return;
	wall = expected(c, from);
	c->expected = (float)(wall / (double)c->n);
	dls__auto_guess(c, dls__auto_each(c, wall));
	/* The candidates of the same place correspond, unless there are others. */
	c->current = c->candidates == from->candidates ? from->current : c->home;
}
