/* env.h - what the environment asks for, read once. */
#ifndef LIB_LOOP_ENV_H
#define LIB_LOOP_ENV_H

#include <stdatomic.h>
#include <stdbool.h>

#include "dls/schedule.h"
#include "lib/observe/observe.h"

/* An entry SITE:SCHEDULE of DLS_SCHEDULE. */
struct dls__env_site {
	const char *site;	/* a name, or FILE:LINE with as much of the path as was written */
	size_t length;
	const struct dls_schedule *schedule;
	atomic_bool met;	/* a loop of that name or place has been met */
};

struct dls__env {
	const struct dls_schedule *schedule;	/* of sites that nothing else gives one */
	struct dls__env_site *site;
	size_t sites;
	bool strict, display;
	struct dls__observers observers;
};

/* The environment as it was at the first call.  Threads: any; the first call may print, and under DLS_STRICT end the
 * program. */
const struct dls__env *dls__env(void);

/* "fac2", which needs nothing: what runs where another schedule cannot. */
extern const struct dls_schedule dls__fac2;

/* Say what is wrong with a schedule text that stands in `where` (a variable, or a place in the source) and, unless
 * DLS_STRICT ends the program with status 2, what runs instead. */
void dls__complain(const char *where, const char *text, size_t length, const struct dls_parse_error *error,
		   const struct dls_schedule *instead);

#endif
