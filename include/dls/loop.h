/* dls/loop.h - one loop dealt to workers, for pthreads or any threads of your own.
 *
 *	dls_loop_open(&loop, 4, NULL, 0);
 *	dls_loop_start(loop, 0, n, 1);		// one thread
 *	while (dls_loop_next(loop, worker, &begin, &end))	// all four workers
 *		for (int64_t i = begin; i < end; i++)
 *			body(i);
 *	dls_loop_end(loop, NULL);		// one thread, when all have seen false
 *	dls_loop_close(loop);
 *
 * start() and end() may be repeated.  It is for the caller to make every next() come after start() and end()
 * after the last next(), by a barrier, a join or dls_team_run(). */
#ifndef DLS_LOOP_H
#define DLS_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "dls/error.h"

DLS__C_BEGIN

struct dls_loop;
struct dls_site;

/** Most workers one loop may have. */
#define DLS_WORKERS_MAX 65536u

enum dls_loop_flag {
	DLS_EVERY_CHUNK = 1	/* one worker alone takes chunk after chunk as well, not the loop as a whole */
};

/** Make a loop for a number of workers.
 *
 * workers   1..DLS_WORKERS_MAX
 * site      whose schedule and moments the loop uses; NULL: a site of its own, with the schedule of the
 *           environment
 * flags     enum dls_loop_flag, or-ed
 *
 * Returns 0 and the loop, to be closed with dls_loop_close(); DLS_ERANGE; DLS_EINVAL unknown flag; DLS_ENOMEM.
 * Threads: any. */
DLS_API int dls_loop_open(struct dls_loop **loop, unsigned workers, struct dls_site *site, unsigned flags);

/** The loop's own schedule, from its next start on, before any other.
 *
 * text   as dls_schedule_parse() takes it; NULL: that of the site again
 *
 * Returns 0; an error of dls_schedule_parse(), or DLS_EBUSY while the loop runs, the loop then being
 * unchanged.  Threads: one caller at a time per loop. */
DLS_API int dls_loop_schedule(struct dls_loop *loop, const char *text);

/** Tell a loop what one iteration costs.
 *
 * mu     mean time of one iteration, seconds; finite, > 0
 * sigma  its standard deviation, seconds; finite, >= 0
 *
 * Read by "fac", "fsc" and "tap"; only sigma / mu matters to "fac" and "tap".
 * Returns 0; DLS_ERANGE; DLS_EBUSY while the loop runs.  The loop is unchanged on error.
 * Threads: one caller at a time per loop.  Source: Hummel 1992. */
DLS_API int dls_loop_moments(struct dls_loop *loop, double mu, double sigma);

/** Tell a loop what one dispatch costs.
 *
 * h      seconds; finite, >= 0
 *
 * Read by "fsc".  Returns, errors and threads as dls_loop_moments().  Source: Kruskal 1985. */
DLS_API int dls_loop_overhead(struct dls_loop *loop, double h);

/** Start an execution: begin, begin + step, ... while below end (above it if step is negative).
 *
 * Any begin, end and step but 0, also at the ends of the type; a range the wrong way round is empty.
 * Returns 0; DLS_EINVAL if step is 0; DLS_EBUSY while the loop runs; DLS_ENOMEM.  The loop is unchanged on
 * error.  Threads: one caller at a time per loop. */
DLS_API int dls_loop_start(struct dls_loop *loop, int64_t begin, int64_t end, int64_t step);

/** dls_loop_start() for an unsigned range. */
DLS_API int dls_loop_start_u64(struct dls_loop *loop, uint64_t begin, uint64_t end, int64_t step);

/** Take a worker's next chunk: *begin, *begin + step, ... while below *end (above it if step is negative).
 *
 * worker  0..workers-1
 * *end    never past the end given to start
 *
 * Returns true and the chunk; false once nothing is left to start, and ever after until the next start, and
 * if the loop is not running or there is no such worker.
 * Threads: one at a time for each worker; different workers at the same time.  Neither locks, allocates nor
 * prints. */
DLS_API bool dls_loop_next(struct dls_loop *loop, unsigned worker, int64_t *begin, int64_t *end);

/** dls_loop_next() for a loop started with dls_loop_start_u64(). */
DLS_API bool dls_loop_next_u64(struct dls_loop *loop, unsigned worker, uint64_t *begin, uint64_t *end);

/** End an execution.
 *
 * iterations  if not NULL: how many were handed out since the start
 *
 * Returns 0; DLS_EINVAL if the loop is not running.  Threads: one caller, no worker in next(). */
DLS_API int dls_loop_end(struct dls_loop *loop, uint64_t *iterations);

/** Free a loop, running or not; NULL does nothing.  Threads: one caller, no worker in next(). */
DLS_API void dls_loop_close(struct dls_loop *loop);

/* Private from here on; it stands here because the macros keep it on their caller's stack. */

struct dls__deal;

/* One worker's place in one execution of a loop. */
struct dls__cursor {
	bool (*take)(struct dls__cursor *);	/* next chunk into lo and n; false, once, at the end */
	uint64_t lo, n;		/* the chunk: iterations lo .. lo + n - 1 of 0 .. N - 1 */
	struct dls__deal *deal;	/* what the workers share */
	uint64_t N;
	unsigned worker, workers;
	uint64_t base, K;	/* tickets: current run of equal chunks, its first iteration and their size */
	uint64_t next;		/* ... and the first iteration past it */
	uint64_t ticket, end;	/* ... and its first ticket and the first one past it */
	bool (*unsplit)(struct dls__cursor *);	/* one by one: the take whose chunks are split */
	uint64_t left;		/* ... and iterations left of the chunk in hand */
	void (*leave)(struct dls__cursor *);	/* called once, at the end */
	void *team;		/* plain OpenMP region: the record to hand back */
	int outer_busy;		/* OpenMP: what the seat said before */
	struct dls_site *outer_where;
	uint64_t state[16];	/* the calculator's, DLS_STATE_MAX bytes */
};

DLS__C_END

#endif
