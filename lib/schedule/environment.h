/* environment.h - the schedules that DLS_SCHEDULE and OMP_SCHEDULE ask for. */
#ifndef LIB_SCHEDULE_ENVIRONMENT_H
#define LIB_SCHEDULE_ENVIRONMENT_H

#include <stdatomic.h>

#include "dls/schedule.h"

enum { DLS__SITE_NAME = 64 };	/* bytes of a site's name, with the final 0 */

/* An entry SITE:SCHEDULE of DLS_SCHEDULE. */
struct dls__entry {
	const char *site;	/* a name, or FILE:LINE with as much of the path as was written */
	size_t length;
	const struct dls_schedule *schedule;
	atomic_bool met;	/* a loop of that name or place has been met */
};

struct dls__schedules {
	const struct dls_schedule *general;	/* of sites that nothing else gives one */
	const char *origin;			/* where it is from: a variable, "default" */
	struct dls__entry *entry;
	size_t entries;
	bool refused;		/* by complain(), in the name of DLS_STRICT: the rest need not be read */
};

/* "fac2", which needs nothing: the default, and what runs where another schedule cannot. */
extern const struct dls_schedule dls__fac2;

/* Read both into *schedules, which holds the default.  complain() says what is wrong with `text`, the value of variable `where`,
 * and what is used instead.  Parsing calls the init() of calculators, which may use what has been read so far. */
void dls__schedules_read(struct dls__schedules *schedules,
			 void (*complain)(const char *where, const char *text, size_t length,
					  const struct dls_parse_error *error, const struct dls_schedule *instead));

/* For DLS_DISPLAY_ENV: the schedules; at the program's end, entries that no loop has met, which are perhaps misspelled. */
void dls__schedules_display(const struct dls__schedules *schedules);
void dls__schedules_display_unmet(const struct dls__schedules *schedules);

#endif
