/* dls/site.h - a site: one loop in the source, across all its executions.
 *
 * Each use of a loop macro makes a site, identified by its file and line and, with `.name`, also by that name; places with the
 * same name share one site.  Names, files and functions are copied, so a site outlives a plug-in that is closed.  A site holds its loops'
 * schedule and the moments and overhead given for them. */
#ifndef DLS_SITE_H
#define DLS_SITE_H

#include "dls/schedule.h"

DLS__C_BEGIN

struct dls__kept_site;

/** A place in the source.  Initialise it statically with DLS_SITE_INIT; the library does the rest. */
struct dls_site {
	const char *file;
	int line;
	struct dls__kept_site *site;	/* read and written atomically */
	const char *function;	/* the function around the place; NULL: not known */
	const char *closure;	/* C++: the type of what is called, which tells apart loops of one place; NULL: not known */
};

#ifdef __cplusplus
#define DLS__NULL nullptr
#else
#define DLS__NULL 0
#endif
#define DLS_SITE_INIT { __FILE__, __LINE__, DLS__NULL, DLS__NULL, DLS__NULL }
#define DLS__SITE_HERE { __FILE__, __LINE__, DLS__NULL, __func__, DLS__NULL }	/* within a function */

/** Get the site of a name; it is made if it does not exist, and lasts as long as the program.
 *
 * name   1 to 63 bytes
 *
 * Returns 0; DLS_EINVAL; DLS_ENOMEM.  Threads: any. */
DLS_API int dls_site_named(struct dls_site **site, const char *name);

/** Give a site a schedule of its own, from its next execution on.
 *
 * text   as dls_schedule_parse() takes it; NULL removes the schedule
 *
 * An entry for the site in DLS_SCHEDULE overrides this schedule, which overrides the macros' `.schedule`.  A
 * change to or from static blocks takes effect in regions opened afterwards; in plain regions see dls_for(3).
 * After 510 such changes, those by dls_site_set_measured() and by auto included, opening a static loop costs
 * as much as under other schedules.  Each text that differs from those before is kept, in some 400 bytes, as
 * long as the program: pass figures that change from step to step by dls_site_set_moments() and
 * dls_site_set_overhead().
 * Returns 0 or an error of dls_schedule_parse(); the site is unchanged on error.  Threads: any. */
DLS_API int dls_site_set_schedule(struct dls_site *site, const char *text);

/** Tell a site what one iteration costs.
 *
 * mu     mean time of one iteration, seconds; finite, > 0
 * sigma  its standard deviation, seconds; finite, >= 0
 *
 * Read by "fac", "fsc", "tap" and "bold", unless their schedule says mu= and sigma=, from the next execution on.
 * Returns 0; DLS_ERANGE, the site unchanged; DLS_ENOMEM.  Threads: one caller at a time per site.
 * Source: Hummel 1992. */
DLS_API int dls_site_set_moments(struct dls_site *site, double mu, double sigma);

/** Tell a site what one dispatch costs.
 *
 * h      seconds; finite, >= 0
 *
 * Read by "fsc" and "bold", unless its schedule says h=.
 * Returns 0; DLS_ERANGE, the site unchanged; DLS_ENOMEM.  Threads: one caller at a time per site.
 * Source: Kruskal 1985. */
DLS_API int dls_site_set_overhead(struct dls_site *site, double h);

/** Write the schedule of a site's next execution, as dls_schedule_print() does.
 *
 * site   NULL: that of loops without a site
 *
 * A `.schedule` in the source counts once the loop has run: the one of the last execution.  A loop that has a
 * schedule of its own does not use its site's.  A report says what has run.  Threads: any. */
DLS_API size_t dls_site_print_schedule(struct dls_site *site, char *text, size_t size);

DLS__C_END

#endif
