/* inherit.c - what a class that is new takes over from the nearest one: the time of an iteration, the schedule, the profiles, and what
 * was tried in vain. */
#include <math.h>

#include "lib/auto/auto.h"

static const double SHORT = 200e-6;	/* s */

enum { SETTLED = DLS__AUTO_WALLS + 1, TRIED = 64 };

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

/* The candidate of c that corresponds to a schedule of another class: its chunks are as large in proportion to N/P. */
static unsigned counterpart(const struct dls__auto_class *c, const struct dls__auto_class *from, unsigned place)
{
	if (place == from->home)
		return c->home;

	int schedule = from->seen[place].schedule, lowest = schedule >= DLS__AUTO_SS ? DLS__AUTO_SS : DLS__AUTO_STEAL;
	double wanted = schedule, off = INFINITY;
	unsigned found = c->home;

	if (schedule >= DLS__AUTO_STEAL)
		wanted = fmax(lowest, schedule + log2((double)c->n / (double)from->n * from->p / c->p));
	for (unsigned i = 0; i < c->candidates; i++) {
		int own = c->seen[i].schedule;
		bool alike = schedule < DLS__AUTO_STEAL ? own == schedule :
			     own >= lowest && (own >= DLS__AUTO_SS) == (schedule >= DLS__AUTO_SS);

		if (alike && fabs(own - wanted) < off) {
			off = fabs(own - wanted);
			found = i;
		}
	}
	return found;
}

void dls__auto_inherit(struct dls__auto_class *c, const struct dls__auto *a)
{
	const struct dls__auto_class *from = c->single ? NULL : nearest(c, a);
	unsigned blocks = dls__auto_find(c, DLS__AUTO_STATIC);
	bool small;
	double wall;

	if (!from)
		return;
	wall = expected(c, from);
	c->expected = (float)(wall / (double)c->n);
	c->decision.took = from->decision.took;
	dls__auto_guess(c, dls__auto_each(c, wall));
	dls__latest_copy(&c->profile, c->n, &from->profile);
	small = dls__auto_small(c, wall);
	c->current = (uint8_t)(small ? blocks : counterpart(c, from, from->current));
	/* What suits a small loop need not suit this one. */
	if (!small && c->current == blocks && (c->profile.count == 0 || dls__auto_uneven(c, wall) > 0.02 * wall))
		c->current = c->home;
	for (unsigned i = 0; i < from->candidates; i++) {
		const struct dls__auto_seen *there = &from->seen[i];

		if (there->rejected > 0 && there->until > from->told.executions) {
			struct dls__auto_seen *here = &c->seen[counterpart(c, from, i)];

			here->rejected = here->until == 0 ? there->rejected : here->rejected;
			here->until = TRIED;
		}
	}
	/* What is known need not be measured at once. */
	if (wall < SHORT || c->profile.count > 0)
		c->profile_at = dls__auto_every(c, wall);
	if (small || from->trial.runs >= SETTLED)
		c->trial.runs = SETTLED;
}
