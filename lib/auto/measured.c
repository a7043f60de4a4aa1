/* measured.c - what is known of a class by what was measured: what an execution takes, whether the loop is
 * small, even, or has changed. */
#include <math.h>

#include "lib/auto/auto.h"
#include "lib/auto/numbers.h"

void dls__auto_add_wall(struct dls__auto_seen *s, double wall)
{
	s->last = (uint8_t)((s->last + 1) % DLS__AUTO_WALLS);
	s->wall[s->last] = (float)wall;
	s->walls += s->walls < DLS__AUTO_WALLS;
}

/* The newest `most` walls, sorted; returns how many there are. */
static unsigned sort(const struct dls__auto_seen *s, unsigned most, float sorted[DLS__AUTO_WALLS])
{
	unsigned m = s->walls < most ? s->walls : most;

	for (unsigned i = 0; i < m; i++) {
		float wall = s->wall[(s->last + DLS__AUTO_WALLS - i) % DLS__AUTO_WALLS];
		unsigned k = i;

		for (; k > 0 && sorted[k - 1] > wall; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = wall;
	}
	return m;
}

double dls__auto_median(const struct dls__auto_seen *s)
{
	float sorted[DLS__AUTO_WALLS];
	unsigned m = sort(s, DLS__AUTO_WALLS, sorted);

	return m ? ((double)sorted[(m - 1) / 2] + (double)sorted[m / 2]) / 2 : 0;
}

double dls__auto_usual(const struct dls__auto_class *c)
{
	const struct dls__auto_seen *s = &c->seen[c->current];

	return (s->walls ? dls__auto_median(s) : (double)c->expected) * (double)c->n;
}

double dls__auto_change(const struct dls__auto_class *c)
{
	float last[DLS__AUTO_WALLS];
	double usual = (double)c->watch.usual;

	if (sort(&c->seen[c->current], RUNS, last) < RUNS || !(usual > 0))
		return 1;
	return (double)last[0] > (1 + CHANGED) * usual ? (double)last[0] / usual : 1;
}

bool dls__auto_steady(const struct dls__auto_class *c)
{
	float sorted[DLS__AUTO_WALLS];
	bool all = sort(&c->seen[c->current], DLS__AUTO_WALLS, sorted) == DLS__AUTO_WALLS;

	/* One outlier on either side does not count. */
	return all && (double)sorted[DLS__AUTO_WALLS - 2] <= MUCH_LONGER * (double)sorted[1];
}

double dls__auto_uneven(const struct dls__auto_class *c, double wall)
{
	double balance = dls__latest_balance(&c->profile), turns = (double)c->p / c->at_once;

	/* The first of several workers on a processor leave it to the others: only the last turn is as
	 * long as its longest block. */
	return fmax(0, wall - (double)c->region) * (1 - turns / (turns - 1 + 1 / balance));
}

bool dls__auto_small(const struct dls__auto_class *c, double wall)
{
	return wall < SMALL * (double)c->sharing;
}

bool dls__auto_even(const struct dls__auto_class *c, double wall)
{
	return c->profile.count > 0 && dls__auto_uneven(c, wall) < GAIN * wall;
}

unsigned dls__auto_every(const struct dls__auto_class *c, double wall)
{
	/* A profile is evaluated worker by worker. */
	double share = wall * ((double)c->at_once / c->p), times = share > 0 ? fmax(1, SHORT / share) : 1;

	return (unsigned)fmin(EVERY * times, 1e6);
}

void dls__auto_profiled(struct dls__auto_class *c, uint64_t n, const struct dls__bucket *const *row)
{
	if (!c->single && n > 0)
		dls__latest_add(&c->profile, n, row);
}
