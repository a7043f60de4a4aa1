/* report_chosen.c - the report's sentence on the choice of `auto`: what runs, how long other schedules take, what trials have cost. */
#include <math.h>
#include <string.h>

#include "lib/report/report.h"

typedef unsigned long long count;

#define FAR 4			/* times the ideal */

enum { OTHERS = 4 };		/* that are named */

/* A time as a multiple of the ideal; in seconds if the ideal is not known. */
static const char *extent(char text[DLS__REPORT_TIME], const struct dls__chosen *c, double seconds, bool utf8)
{
	if (isnan(c->ideal))
		return dls__report_time(text, seconds, utf8);
	snprintf(text, DLS__REPORT_TIME, "%.*f", seconds < 9.995 * c->ideal ? 2 : 0, seconds / c->ideal);
	return text;
}

static const char *source(const struct dls__candidate *x)
{
	return isnan(x->measured) ? "predicted" : "measured";
}

/* Order of candidates: static, then the measured ones, the fastest first, then the others. */
static bool before(const struct dls__candidate *a, const struct dls__candidate *b)
{
	bool blocks[2] = { strcmp(a->schedule, "static") == 0, strcmp(b->schedule, "static") == 0 };

	if (blocks[0] != blocks[1])
		return blocks[0];
	if (isnan(a->measured) != isnan(b->measured))
		return isnan(b->measured);
	return dls__candidate_time(a) < dls__candidate_time(b);
}

/* The candidates to be named, in that order: static, all that were measured, and the fastest that was only predicted.  Returns their
 * number. */
static unsigned others(const struct dls__chosen *c, const struct dls__candidate *found[DLS__CHOSEN_FROM])
{
	unsigned n = 0, named = 0;

	for (unsigned i = 0; i < c->candidates; i++) {
		const struct dls__candidate *x = &c->candidate[i];
		unsigned at = n;

		if (isnan(dls__candidate_time(x)) || strcmp(x->schedule, c->now.schedule) == 0)
			continue;
		for (; at > 0 && before(x, found[at - 1]); at--)
			found[at] = found[at - 1];
		found[at] = x;
		n++;
	}
	while (named < n && named < OTHERS) {
		const struct dls__candidate *x = found[named++];

		if (isnan(x->measured) && strcmp(x->schedule, "static") != 0)
			break;
	}
	return named;
}

/* Give a candidate the figures of the advice, as the rest of the report shows them. */
static void take_figures(struct dls__candidate *x, const struct dls__advice *a)
{
	for (unsigned i = 0; i < a->forecasts; i++)
		if (strcmp(a->forecast[i].schedule, x->schedule) == 0) {
			x->measured = a->forecast[i].measured;
			x->predicted = a->forecast[i].expected;
		}
}

/* If the advice is for executions like those of the class, both have one ideal and one time for each schedule.  Multiples of the ideal
 * say nothing where the executions disagree, or most of the time is not spent on iterations: times are shown then. */
static struct dls__chosen shown(const struct dls__report_site *site, const struct dls__chosen *chosen)
{
	struct dls__chosen c = *chosen;

	if (isnan(site->advice.ideal) || site->known.workers != c.workers || !(fabs(site->known.n / (double)c.n - 1) < 0.2))
		return c;
	c.ideal = site->advice.ideal;
	take_figures(&c.now, &site->advice);
	for (unsigned i = 0; i < c.candidates; i++)
		take_figures(&c.candidate[i], &site->advice);
	if (site->advice.busy || dls__candidate_time(&c.now) > FAR * c.ideal)
		c.ideal = NAN;
	return c;
}

void dls__report_chosen(FILE *f, const struct dls__report_site *site, const struct dls__chosen *chosen, bool utf8)
{
	const struct dls__chosen shows = shown(site, chosen), *c = &shows;
	const struct dls__candidate *other[DLS__CHOSEN_FROM];
	unsigned n = others(c, other);
	char text[DLS__REPORT_TIME];

	if (site->chosens > 1)
		fprintf(f, "%llu iterations by %u workers: ", (count)c->n, c->workers);
	fprintf(f, "%s since execution %llu", c->now.schedule, (count)c->since);
	if (!isnan(dls__candidate_time(&c->now)))
		fprintf(f, ", %s%s", extent(text, c, dls__candidate_time(&c->now), utf8), isnan(c->ideal) ? "" : " x ideal");
	for (unsigned i = 0; i < n; i++)
		fprintf(f, "%s %s%s %s (%s)", i ? "," : ";", other[i]->schedule, i ? "" : " would be",
			extent(text, c, dls__candidate_time(other[i]), utf8), source(other[i]));
	if (c->trials)
		fprintf(f, "; %u trial%s, %u kept; %s", c->trials, c->trials == 1 ? "" : "s", c->kept,
			dls__report_time(text, c->lost, utf8));
	if (c->trials)
		fprintf(f, " lost of %s", dls__report_time(text, c->total, utf8));
}
