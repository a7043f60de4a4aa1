/* sizes.c - the size classes kept of a loop: one for each number of workers and half octave of iterations. */
#include <math.h>
#include <stdlib.h>

#include "lib/auto/auto.h"
#include "lib/auto/numbers.h"

static void begin(struct dls__size_class *c, unsigned p, unsigned processors, uint64_t n, unsigned flags, int home)
{
	free(c->profile.bucket);
	*c = (struct dls__size_class){
		.p = p, .at_once = processors && processors < p ? processors : p, .n = n, .octave = dls__auto_octave(n), .flags = flags,
		.profile.workers = p, .single = p == 1 || n <= 1,
		.trial.place = DLS__AUTO_NONE,
	};
	dls__auto_guess(c, 0);
	for (unsigned i = 0; i < c->candidates; i++)
		if ((int)c->arm[i].schedule == (c->single && home < 0 ? DLS__AUTO_STATIC : home))
			c->home = (uint8_t)i;
	c->current = c->home;
}

static void set_costs(struct dls__size_class *c, double region, double moving)
{
	/* Workers beyond the processors come when others have gone. */
	c->region = (float)((region > 0 && region < 1 ? region : 1e-6) * c->p / c->at_once);
	c->sharing = moving > 0 && moving < 1 ? fmaxf(c->region, (float)moving) : c->region;
}

/* A place for one more class; NULL: there is no memory. */
static struct dls__size_class *place_of(struct dls__auto *a)
{
	unsigned oldest = 0;

	if (a->count == a->room && a->room < DLS__SIZE_CLASSES) {
		unsigned room = a->room ? 2 * a->room : 1;
		struct dls__size_class **more = realloc(a->kept, room * sizeof(struct dls__size_class *));

		if (more) {
			a->kept = more;
			a->room = room;
		}
	}
	if (a->count < a->room && (a->kept[a->count] = calloc(1, sizeof(struct dls__size_class))))
		return a->kept[a->count++];
	/* The difference stays right when the count wraps. */
	for (unsigned i = 1; i < a->count; i++)
		if (a->used - a->kept[i]->used > a->used - a->kept[oldest]->used)
			oldest = i;
	return a->count ? a->kept[oldest] : NULL;
}

struct dls__size_class *dls__size_class(struct dls__auto *a, unsigned p, uint64_t n, unsigned flags, int home, double region,
				      double moving)
{
	unsigned octave = dls__auto_octave(n), i = 0;
	struct dls__size_class *c;
	bool found;

	a->used++;
	while (i < a->count && (a->kept[i]->p != p || a->kept[i]->octave != octave))
		i++;
	found = i < a->count;
	c = found ? a->kept[i] : place_of(a);
	if (!c)
		return NULL;
	if (!found || c->flags != flags)
		begin(c, p, a->processors, n, flags, home);
	set_costs(c, region, moving);
	c->used = a->used;
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
	for (unsigned i = 0; i < a->count; i++) {
		const struct dls__size_class *k = a->kept[i];

		if (k->octave / 2 <= c->octave / 2 && k->arm[k->current].schedule != DLS__AUTO_STATIC)
			return false;
	}
	return true;
}

void dls__auto_free(struct dls__auto *a)
{
	for (unsigned i = 0; i < a->count; i++) {
		free(a->kept[i]->profile.bucket);
		free(a->kept[i]);
	}
	free(a->kept);
	*a = (struct dls__auto){ 0 };
}
