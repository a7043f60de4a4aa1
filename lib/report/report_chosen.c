/* report_chosen.c - the report's sentence on the choice of `auto`: what runs, how long other schedules take, what trials have cost. */
#include <math.h>
#include <string.h>

#include "lib/report/report.h"

typedef unsigned long long count;

enum { OTHERS = 4 };		/* that are named */

/* As a multiple of the ideal; a time where that is not known. */
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

/* static comes first, then those that were measured, the fastest first; then those that were not. */
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

void dls__report_chosen(FILE *f, const struct dls__report_site *site, const struct dls__chosen *c, bool utf8)
{
	const struct dls__candidate *other[DLS__CHOSEN_FROM];
	unsigned n = others(c, other);
	char text[DLS__REPORT_TIME];

	if (site->chosens > 1)
		fprintf(f, "%llu iterations by %u workers: ", (count)c->n, c->workers);
	if (c->frozen) {
		fprintf(f, "%s, by DLS_TUNE, which is frozen", c->now.schedule);
		return;
	}
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
