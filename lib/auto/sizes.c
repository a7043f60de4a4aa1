/* sizes.c - the size classes kept of a loop: one for each number of workers and half octave of iterations. */
#include <math.h>
#include <stdlib.h>

#include "lib/auto/auto.h"
#include "lib/auto/numbers.h"

static void begin(struct dls__size_class *c, unsigned p, unsigned processors, uint64_t n, unsigned flags)
{
	free(c->profile.bucket);
	*c = (struct dls__size_class){
		.next = c->next, .p = p, .at_once = processors && processors < p ? processors : p, .n = n, .octave = dls__auto_octave(n), .flags = flags,
		.profile.workers = p, .single = p == 1 || n <= 1,
		.trial.place = DLS__AUTO_NONE,
	};
	dls__auto_guess(c, 0);
}

static void set_costs(struct dls__size_class *c, double region, double moving)
{
	/* Workers beyond the processors come when others have gone. */
	c->region = (float)((region > 0 && region < 1 ? region : 1e-6) * c->p / c->at_once);
	c->sharing = moving > 0 && moving < 1 ? fmaxf(c->region, (float)moving) : c->region;
}

struct dls__size_class *dls__size_class(struct dls__auto *a, unsigned p, uint64_t n, unsigned flags, double region,
				      double moving)
{
	unsigned octave = dls__auto_octave(n);
	struct dls__size_class *c = a->first;

	while (c && (c->p != p || c->octave != octave))
		c = c->next;
	if (!c) {
		if (a->count == DLS__SIZE_CLASSES || !(c = calloc(1, sizeof(*c))))
			return NULL;
		c->next = a->first;
		a->first = c;
		a->count++;
	}
	if (c->p == 0 || c->flags != flags)	/* 0: it is new */
		begin(c, p, a->processors, n, flags);
	set_costs(c, region, moving);
	c->n = n;
	return c;
}

/* Whether so many executions have gone by in which nothing has changed. */
static bool unchanged(const struct dls__size_class *c, uint32_t executions)
{
	return c->trial.place == DLS__AUTO_NONE && c->summary.executions - c->summary.adopted >= executions &&
	       c->drift.since >= executions;
}

bool dls__auto_settled(const struct dls__auto *a, const struct dls__size_class *c, uint32_t executions)
{
	double wall = dls__auto_usual(c);

	if (!unchanged(c, executions) || !dls__auto_steady(c) || !(wall > 0 && wall < SHORT) ||
	    !dls__auto_even(c, wall))
		return false;
	for (const struct dls__size_class *k = a->first; k; k = k->next)
		if (k->octave / 2 <= c->octave / 2 && k->arm[k->current].schedule != DLS__AUTO_STATIC)
			return false;
	return true;
}

void dls__auto_free(struct dls__auto *a)
{
	for (struct dls__size_class *c = a->first, *next; c; c = next) {
		next = c->next;
		free(c->profile.bucket);
		free(c);
	}
	*a = (struct dls__auto){ 0 };
}
