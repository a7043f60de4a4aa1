/* report_sites.c - the sites, for the report, and what auto has chosen for those of their classes that took most. */
#include <math.h>
#include <stdlib.h>

#include "lib/observe/chosen.h"
#include "lib/site/site_schedule.h"
#include "lib/site/tuner.h"

/* The time if all iterations were spread perfectly, s. */
static double ideal_of(const struct dls__size_class *c)
{
	double *time = malloc(dls__buckets(c->p, c->n) * sizeof(*time)), sum = 0;
	unsigned buckets = time ? dls__last_profile_read(&c->profile, c->n, time) : 0;

	for (unsigned b = 0; b < buckets; b++)
		sum += time[b];
	free(time);
	return sum > 0 ? sum / c->at_once : (double)NAN;
}

static struct dls__candidate candidate_of(const struct dls__size_class *c, const struct dls__auto_arm *s)
{
	double n = (double)c->n;
	struct dls__candidate x = {
		.predicted = s->predicted > 0 ? (double)s->predicted * n : (double)NAN,
		.measured = s->walls.count ? dls__walls_median(&s->walls) * n : (double)NAN,
	};

	dls__auto_text(s->schedule, x.schedule);
	return x;
}

static void describe(const struct dls__size_class *c, struct dls__chosen *to)
{
	*to = (struct dls__chosen){
		.workers = c->p, .n = c->n,
		.executions = c->summary.executions, .since = (uint64_t)c->summary.adopted + 1,
		.trials = c->summary.trials, .kept = c->summary.kept,
		.lost = c->summary.lost, .total = c->summary.total,
		.ideal = ideal_of(c), .candidates = c->candidates,
		.now = candidate_of(c, &c->arm[c->current]),
	};
	for (unsigned i = 0; i < to->candidates; i++)
		to->candidate[i] = candidate_of(c, &c->arm[i]);
}

_Static_assert((int)DLS__AUTO_CANDIDATES <= DLS__CHOSEN_FROM, "room for all");
_Static_assert((int)DLS__AUTO_TEXT <= DLS__CHOSEN_TEXT, "room for a text");

/* Whether a class took more time than another, or as much and has fewer workers or iterations. */
static bool longer(const struct dls__size_class *c, const struct dls__size_class *other)
{
	if (c->summary.total != other->summary.total)
		return c->summary.total > other->summary.total;
	return c->p < other->p || (c->p == other->p && c->octave < other->octave);
}

/* The class that took most of those that took less than one; that NULL: of all.  NULL: there is none. */
static const struct dls__size_class *longest(const struct dls__auto *a, const struct dls__size_class *than)
{
	const struct dls__size_class *best = NULL;

	for (const struct dls__size_class *c = a->first; c; c = c->next)
		if (!c->single && (!than || longer(than, c)) && (!best || longer(c, best)))
			best = c;
	return best;
}

unsigned dls__auto_chosen(struct dls__kept_site *site, struct dls__chosen *chosen)
{
	struct dls__tuner *tuner = dls__tuner_of(site);
	const struct dls__size_class *c = NULL;
	unsigned n = 0;

	/* A thread that holds the mutex is deciding; or it does not exist, in a child made by fork(). */
	if (!tuner || pthread_mutex_trylock(&tuner->mutex))
		return 0;
	while (n < DLS__CHOSEN && (c = longest(&tuner->known, c)))
		describe(c, &chosen[n++]);
	pthread_mutex_unlock(&tuner->mutex);
	return n;
}

void dls__report_sites(void (*visit)(void *, const struct dls__report_met *), void *arg)
{
	struct dls__chosen chosen[DLS__CHOSEN];
	char asked[256];

	for (struct dls__kept_site *site = NULL; (site = dls__site_after(site));) {
		/* relaxed: a number alone. */
		if (dls__statistics_executions(&site->statistics) == 0)
			continue;
		dls_schedule_print(dls__site_schedule_now(site), asked, sizeof(asked));
		visit(arg, &(struct dls__report_met){
			.name = site->name, .function = site->function, .statistics = &site->statistics,
			.asked = asked, .chosen = chosen, .chosens = dls__auto_chosen(site, chosen),
		});
	}
}
