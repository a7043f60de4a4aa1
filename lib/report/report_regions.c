/* report_regions.c - the parallel regions of a report: their share of the program's time, and the time between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/report/report.h"

/* Set before there are other threads. */
static dls__each_region *regions;
static dls__reach_of *reach;

void dls__report_set_regions(dls__each_region *each_region, dls__reach_of *reach_of)
{
	regions = each_region;
	reach = reach_of;
}

enum dls__reach dls__report_reach(const char *name, const char **loop)
{
	*loop = NULL;
	return reach ? reach(name, loop) : DLS__REACH_OWN;
}

struct copying {
	struct dls__report_facts *report;
	unsigned room;
	bool failed;
};

/* A compiler may have made several functions of one region, which are added up here. */
static void copy_region(void *arg, const struct dls__region_met *met)
{
	struct copying *c = arg;
	struct dls__report_facts *r = c->report;
	struct dls__report_region region = { .executions = met->executions, .seconds = met->seconds };
	unsigned i = 0;

	dls__report_clean(region.name, met->name);
	dls__report_clean(region.function, met->function);
	while (i < r->regions && (strcmp(r->region[i].name, region.name) || strcmp(r->region[i].function, region.function)))
		i++;
	if (i < r->regions) {
		r->region[i].executions += region.executions;
		r->region[i].seconds += region.seconds;
		return;
	}
	if (r->regions == c->room) {
		unsigned room = c->room ? 2 * c->room : 16;
		struct dls__report_region *more = realloc(r->region, room * sizeof(*more));

		c->failed |= !more;
		if (!more)
			return;
		r->region = more;
		c->room = room;
	}
	r->region[r->regions++] = region;
}

static int by_seconds(const void *a, const void *b)
{
	const struct dls__report_region *x = a, *y = b;

	return x->seconds == y->seconds ? strcmp(x->name, y->name) : x->seconds > y->seconds ? -1 : 1;
}

bool dls__report_read_regions(struct dls__report_facts *r)
{
	struct copying c = { .report = r };
	double inside = 0;

	if (!regions)
		return true;
	r->program = regions(copy_region, &c);
	if (r->regions)
		qsort(r->region, r->regions, sizeof(*r->region), by_seconds);
	for (unsigned i = 0; i < r->regions; i++) {
		inside += r->region[i].seconds;
		r->region[i].share = r->region[i].seconds / r->program;
	}
	r->serial = fmax(0, r->program - inside);	/* several threads may have had regions at a time */
	return !c.failed;
}
