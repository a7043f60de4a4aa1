/* unmet.h - what the environment asks for and the program does not meet: variables that do not exist, sites
 * that no loop had, a report where there was no loop. */
#ifndef LIB_SITE_UNMET_H
#define LIB_SITE_UNMET_H

#include "dls/error.h"
#include "lib/schedule/environment.h"

/* Report variables that are near one of libdls's, but none of them.  Returns whether there is any. */
bool dls__unmet_variables(void);

/* Report the sites of DLS_SCHEDULE that no loop has had.  Returns whether there is any. */
bool dls__unmet_sites(const struct dls__schedules *schedules);

/* Whether this process asks for a report or for sites, before main(). */
bool dls__unmet_asked(void);

/* Whether this process is the one that was asked, and no child or shell of it. */
bool dls__unmet_here(void);

/* Report that DLS_REPORT is given, and the library has seen no loop. */
void dls__unmet_report(void);

/* libdls-omp.so is loaded, as into all programs that the program starts; called before there are other threads.
 * Only the process that dls-run itself has started then reports what it has not met. */
DLS_API void dls__foreign_loaded(void);
DLS_API bool dls__foreign_run(void);

#endif
