/* env.h - the variables of the environment, read once. */
#ifndef LIB_SITE_ENV_H
#define LIB_SITE_ENV_H

#include "dls/error.h"
#include "lib/report/observers.h"
#include "lib/schedule/environment.h"

struct dls__env {
	struct dls__schedules schedules;
	struct dls__observers observers;
	bool strict, display;
};

/* What dls__env() returns, for callers that know that it was called; the default before. */
extern struct dls__env dls__given __attribute__((visibility("hidden")));

/* The environment as it was at the first call.  Threads: any; the first call may print, and under DLS_STRICT end the
 * program. */
const struct dls__env *dls__env(void);

/* Whether threads may leave a region before its end by `omp cancel`, as OMP_CANCELLATION has it; valid once
 * dls__env() was called. */
extern bool dls__cancellation __attribute__((visibility("hidden")));

/* Tell the user what is wrong with a text; under DLS_STRICT the program then ends with status 2. */
dls__complainer dls__complain;

/* Called, unless it is NULL, by a thread that ends the program, perhaps from within regions; set before main(). */
extern void (*dls__env_end)(void);

/* libdls-omp.so is loaded, as into all programs that the program starts; called before there are other threads.
 * Only the process that dls-run itself has started then reports what it has not met. */
DLS_API void dls__foreign_loaded(void);
DLS_API bool dls__foreign_run(void);

#endif
