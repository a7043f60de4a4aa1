/* unmet.h - names in the environment that meet nothing: variables that do not exist, sites that no loop had. */
#ifndef LIB_SITE_UNMET_H
#define LIB_SITE_UNMET_H

#include "lib/schedule/environment.h"

/* Report variables that are near one of libdls's; all that begin with DLS_, if `all`.  Returns whether any is near. */
bool dls__unmet_variables(bool all);

/* A loop has no entry in DLS_SCHEDULE: an entry that no loop has had may have meant it.  Threads: any. */
void dls__unmet_passed(const char *name);

/* Report the sites of DLS_SCHEDULE that no loop has had.  Returns whether there is any. */
bool dls__unmet_sites(const struct dls__schedules *schedules);

#endif
