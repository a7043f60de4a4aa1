/* dls/team.h - a team of pthreads that runs one function after another.
 *
 * Between runs the workers spin for a moment, then park.  After a fork() the parent's team goes on.  In the child the team is
 * not running and has no threads; its first run there starts new ones. */
#ifndef DLS_TEAM_H
#define DLS_TEAM_H

#include <stdbool.h>

#include "dls/error.h"

DLS__C_BEGIN

struct dls_team;

/** Make a team.
 *
 * workers   1..DLS_WORKERS_MAX, the caller of dls_team_run() counted in; 0: one for each processor that the calling thread may run on
 *
 * A calling thread that is bound, to one processor or by OpenMP to a place, speaks for itself alone: its team has, and runs on, the
 * processors that the process had at its start.
 * Returns 0 and the team; DLS_ERANGE; DLS_ENOMEM; DLS_EAGAIN if the system refuses a thread.  Threads: any. */
DLS_API int dls_team_open(struct dls_team **team, unsigned workers);

/** The number of a team's workers; 0 for NULL.  Threads: any. */
DLS_API unsigned dls_team_workers(const struct dls_team *team);

/** Run work(arg, worker) once on each worker, worker 0 being the caller, and return when all have returned.
 *
 * What the caller wrote before is visible to every worker, and what they wrote to the caller afterwards.
 * Cancellation of threads is disabled in `work`; a cancellation of the caller takes effect when all have returned.
 * Returns 0; DLS_EBUSY if the team is running, also from inside `work`; DLS_EAGAIN in a forked child whose threads cannot be
 * started again.  After either error nothing has run.  DLS_EAGAIN also in a child that `work` itself forks on worker 0: the other
 * workers run only in the parent.  Threads: any. */
DLS_API int dls_team_run(struct dls_team *team, void (*work)(void *arg, unsigned worker), void *arg);

/** Wait, inside `work`, until every worker of the team is here.
 *
 * Every worker must call it the same number of times.  In a child that `work` has forked it does nothing. */
DLS_API void dls_team_barrier(struct dls_team *team);

/** Stop the threads and free the team, which must not be running; NULL does nothing. */
DLS_API void dls_team_close(struct dls_team *team);

/* Private from here on. */

/* The program's own team: one for all modules, with a worker for each processor, made by the first call; it lasts as long as the program,
 * since threads and destructors may run loops until its end.  Errors as dls_team_open().  Threads: any. */
DLS_API int dls__team_own(struct dls_team **team);

/* Run work(arg, worker) once for each worker: as dls_team_run() if the team is idle, else on this thread and
 * on threads of the team that have nothing to do, where one thread may run several workers in turn.  Never
 * DLS_EBUSY unless this is the child of a fork() in a run. */
DLS_API int dls__team_deal(struct dls_team *team, void (*work)(void *arg, unsigned worker), void *arg);

/* Run work(arg, 0) on this thread and, while that lasts, work(arg, worker) for other workers on threads of the team that have nothing
 * to do, at most once for each; return when all have returned.  DLS_EBUSY: the team has no threads, and nothing has run. */
DLS_API int dls__team_share(struct dls_team *team, void (*work)(void *arg, unsigned worker), void *arg);

/* Whether dls__team_deal() would now find the team running. */
DLS_API bool dls__team_busy(const struct dls_team *team);

DLS__C_END

#endif
