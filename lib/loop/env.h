/* env.h - what the environment asks for, read once. */
#ifndef LIB_LOOP_ENV_H
#define LIB_LOOP_ENV_H

#include "lib/observe/observers.h"
#include "lib/schedule/environment.h"

struct dls__env {
	struct dls__schedules schedules;
	struct dls__observers observers;
	bool strict, display;
};

/* The environment as it was at the first call.  Threads: any; the first call may print, and under DLS_STRICT end the
 * program. */
const struct dls__env *dls__env(void);

/* Say what is wrong with a schedule text that stands in `where` (a variable, or a place in the source) and, unless
 * DLS_STRICT ends the program with status 2, what runs instead. */
void dls__complain(const char *where, const char *text, size_t length, const struct dls_parse_error *error,
		   const struct dls_schedule *instead);

/* Keep other threads from reading it, around fork(). */
void dls__env_lock(void);
void dls__env_unlock(void);

#endif
