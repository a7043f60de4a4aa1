/* dls/site.h - a site: one loop in the source, across all its executions.
 *
 * The macros make a site for each place they stand in, known by its file and line and, with `.name`, by that
 * name as well; two places of one name share what the name knows.  Names and files are copied: sites last when the plug-in
 * that they were in is closed.  A site holds the schedule that its loops
 * run under and what they have been told about their iterations. */
#ifndef DLS_SITE_H
#define DLS_SITE_H

#include "dls/schedule.h"

DLS__C_BEGIN

struct dls__site;

/** A place in the source.  To be statically initialised with DLS_SITE_INIT; the rest is the library's. */
struct dls_site {
	const char *file;
	int line;
	struct dls__site *site;	/* read and written atomically */
};

#define DLS_SITE_INIT { __FILE__, __LINE__, 0 }

/** The site of a name, made if there is none yet; it lasts as long as the program.
 *
 * name   1 to 63 bytes
 *
 * Returns 0; DLS_EINVAL; DLS_ENOMEM.  Threads: any. */
DLS_API int dls_site_named(struct dls_site **site, const char *name);

/** Give a site a schedule of its own, from its next execution on.
 *
 * text   as dls_schedule_parse() takes it; NULL takes the schedule back
 *
 * An entry for the site in DLS_SCHEDULE goes before it; it goes before the macros' `.schedule`.
 * Returns 0 or an error of dls_schedule_parse(), the site then being unchanged.  Threads: any. */
DLS_API int dls_site_schedule(struct dls_site *site, const char *text);

/** Tell a site what one iteration costs.
 *
 * mu     mean time of one iteration, seconds; finite, > 0
 * sigma  its standard deviation, seconds; finite, >= 0
 *
 * Read by "fac", "fsc" and "tap", unless their schedule says mu= and sigma=, from the next execution on.
 * Returns 0; DLS_ERANGE, the site unchanged; DLS_ENOMEM.  Threads: one caller at a time per site.
 * Source: Hummel 1992. */
DLS_API int dls_site_moments(struct dls_site *site, double mu, double sigma);

/** Tell a site what one dispatch costs.
 *
 * h      seconds; finite, >= 0
 *
 * Read by "fsc", unless its schedule says h=.
 * Returns 0; DLS_ERANGE, the site unchanged; DLS_ENOMEM.  Threads: one caller at a time per site.
 * Source: Kruskal 1985. */
DLS_API int dls_site_overhead(struct dls_site *site, double h);

/** Write the schedule that a site's next execution runs under, as dls_schedule_print() does; of NULL that of a loop without
 * a site. */
DLS_API size_t dls_site_print(struct dls_site *site, char *text, size_t size);

DLS__C_END

#endif
