/* environment.h - the schedules in DLS_SCHEDULE and OMP_SCHEDULE. */
#ifndef LIB_SCHEDULE_ENVIRONMENT_H
#define LIB_SCHEDULE_ENVIRONMENT_H

#include <stdatomic.h>

#include "dls/schedule.h"

enum { DLS__SITE_NAME = 64 };	/* bytes of a site's name, with the final 0 */

/* An entry SITE:SCHEDULE of DLS_SCHEDULE. */
struct dls__schedule_entry {
	const char *site;	/* a name, or FILE:LINE, FILE with any end of its path */
	size_t length;
	const struct dls_schedule *schedule;
	atomic_bool met;	/* a loop of that name or place has run */
};

struct dls__schedules {
	const struct dls_schedule *general;	/* for sites without another schedule */
	const char *origin;			/* where it was set: a variable, or "default" */
	struct dls__schedule_entry *entry;
	size_t entries;
	bool refused;		/* by complain(), under DLS_STRICT: the rest need not be read */
};

/* "auto", the default; "fac2", which needs no moments: the fallback if another schedule cannot run. */
extern const struct dls_schedule dls__auto, dls__fac2;

/* Report what is wrong with a schedule text found in `where` (a variable, or a place in the source), and which schedule runs
 * instead. */
typedef void dls__complainer(const char *where, const char *text, size_t length, const struct dls_parse_error *error,
			     const struct dls_schedule *instead);

/* Read both variables into *schedules, which holds the default.  Parsing calls the init() of calculators, which may use the
 * schedules read so far. */
void dls__schedules_read(struct dls__schedules *schedules, dls__complainer *complain);

/* Whether NAME:SCHEDULE, between apostrophes, is an entry for the loops of that name.  A name in which U+FFFD
 * stands for something else is none. */
bool dls__nameable(const char *name);

/* For DLS_DISPLAY_ENV. */
void dls__schedules_display(const struct dls__schedules *schedules);

#endif
