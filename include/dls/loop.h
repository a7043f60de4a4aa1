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
 * start() and end() may be repeated.  The caller ensures that every next() comes after start() and end() after the last next(),
 * by a barrier, a join or dls_team_run(). */
#ifndef DLS_LOOP_H
#define DLS_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "dls/calc.h"
#include "dls/error.h"

DLS__C_BEGIN

struct dls_loop;
struct dls_site;

/** Most workers one loop may have. */
#define DLS_WORKERS_MAX 65536u

/** Flags of dls_loop_open(). */
enum dls_loop_flag {
	DLS_LOOP_EVERY_CHUNK = 1,	/* even a single worker gets the loop chunk by chunk, as it does where the loop is measured (dls/stats.h) */
	DLS_LOOP_VIRTUAL_TIME = 2	/* the loop's clock is dls_loop_set_time(), which also measures its executions */
};

/** Make a loop for a number of workers.
 *
 * workers   1..DLS_WORKERS_MAX
 * site      whose schedule and moments the loop uses; NULL: a site of its own, with the environment's schedule
 * flags     enum dls_loop_flag, or-ed
 *
 * Returns 0 and the loop, to be closed with dls_loop_close(); DLS_ERANGE; DLS_EINVAL unknown flag; DLS_ENOMEM.
 * Threads: any. */
DLS_API int dls_loop_open(struct dls_loop **loop, unsigned workers, struct dls_site *site, unsigned flags);

/** Give a loop a schedule of its own, from its next start on; it overrides all others.
 *
 * text   as dls_schedule_parse() takes it; NULL: back to the site's
 *
 * Returns 0; an error of dls_schedule_parse(), or DLS_EBUSY while the loop runs.  The loop is unchanged on error.  Threads: one
 * caller at a time per loop. */
DLS_API int dls_loop_set_schedule(struct dls_loop *loop, const char *text);

/** Have every chunk of a loop but the last start and end at a multiple of so many iterations, counted from its begin.
 *
 * multiple  1..DLS_MULTIPLE_MAX, or 0 for none, as at first
 *
 * If the schedule has multiple= as well, chunks start and end at multiples of both.
 * Returns 0; DLS_ERANGE; DLS_EBUSY while the loop runs.  The loop is unchanged on error.  Threads: one caller at a time per
 * loop. */
DLS_API int dls_loop_set_multiple(struct dls_loop *loop, uint64_t multiple);

/** Have a worker that finds nothing left to start run chunks again that others have begun and not ended.
 *
 * For loops whose iterations may be run more than once, also by two workers at the same time.  Each iteration is run to its end at
 * least once before next() returns false, however long a worker hangs in its chunk.  So a slow or hung worker delays the others by no
 * more than the time to run its chunk again.  dls_loop_end() and the next start still come after that worker's last next();
 * dls_loop_end() counts repeated iterations.
 * No effect under "static" and strategies: no other worker may start the iterations of a worker that hangs.
 * Returns 0; DLS_EINVAL; DLS_EBUSY while the loop runs.  Threads: one caller at a time per loop. */
DLS_API int dls_loop_set_idempotent(struct dls_loop *loop, bool idempotent);

/** Tell a loop what one iteration costs.
 *
 * mu     mean time of one iteration, seconds; finite, > 0
 * sigma  its standard deviation, seconds; finite, >= 0
 *
 * Read by "fac", "fsc", "tap" and "bold"; overrides what the site has learned; only sigma / mu matters to "fac" and "tap".
 * Returns 0; DLS_ERANGE; DLS_EBUSY while the loop runs.  The loop is unchanged on error.
 * Threads: one caller at a time per loop.  Source: Hummel 1992. */
DLS_API int dls_loop_set_moments(struct dls_loop *loop, double mu, double sigma);

/** Tell a loop what one dispatch costs.
 *
 * h      seconds; finite, >= 0
 *
 * Read by "fsc" and "bold".  Returns, errors and threads as dls_loop_set_moments().  Source: Kruskal 1985. */
DLS_API int dls_loop_set_overhead(struct dls_loop *loop, double h);

/** Start an execution: begin, begin + step, ... while below end (above it if step is negative).
 *
 * Any begin, end and step but 0, up to the limits of the type; a range in the wrong direction is empty.
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
 * Returns true and the chunk; false once nothing is left to start, until the next start; false also if the loop is not running or
 * there is no such worker.
 * Threads: one at a time for each worker; different workers at the same time.  A call takes no lock, allocates nothing and
 * prints nothing, unless the execution is measured (dls/stats.h): then the last worker to leave takes the site's lock.  Under a
 * strategy (dls/strategy.h) it may allocate memory for messages; if there is none, workers drop the strategy and take the remaining
 * iterations from each other, each once.  A worker without iterations waits until some arrive or all have started, so every worker
 * that has called next() must call it again until it returns false or the loop is cancelled.  Nobody waits for a worker that has
 * not yet called it. */
DLS_API bool dls_loop_next(struct dls_loop *loop, unsigned worker, int64_t *begin, int64_t *end);

/** dls_loop_next() for a loop started with dls_loop_start_u64(). */
DLS_API bool dls_loop_next_u64(struct dls_loop *loop, unsigned worker, uint64_t *begin, uint64_t *end);

/** Set the clock of a loop opened with DLS_LOOP_VIRTUAL_TIME, for all its workers; it starts at 0.
 *
 * seconds  since any moment; 0 to 1e9, rounded to nanoseconds
 *
 * A worker's chunk lasts until the worker's next request.  It begins h after the request for it, if h is given
 * (dls_loop_set_overhead()).  So one thread that calls next() for all workers, each at its time, sees what the dispensers do with
 * real workers, bit for bit the same every time.  If the clock is set back, no time passes.  A strategy is replaced by "fac2", and a
 * line on stderr says so: machines (dls_machine(3)) have virtual time for strategies.
 * Returns 0; DLS_EINVAL if the loop has no such clock; DLS_ERANGE.  Threads: one for all calls of the loop. */
DLS_API int dls_loop_set_time(struct dls_loop *loop, double seconds);

/** Start no more chunks.
 *
 * Every next() called after this has returned gives false until the next start.  Chunks that have started run to their end, and
 * dls_loop_end() returns how many iterations were handed out.  A single worker gets the whole loop as one chunk, so it is
 * stopped before that or not at all, unless DLS_LOOP_EVERY_CHUNK is set.
 * Returns 0; DLS_EINVAL if the loop is not running.  Threads: any, also while another one ends the loop. */
DLS_API int dls_loop_cancel(struct dls_loop *loop);

/** End an execution.
 *
 * iterations  if not NULL: how many were handed out since the start
 *
 * Returns 0; DLS_EINVAL if the loop is not running.  Threads: one caller, no worker in next(). */
DLS_API int dls_loop_end(struct dls_loop *loop, uint64_t *iterations);

/** Free a loop, running or not; NULL does nothing.  Threads: one caller, no worker in next(). */
DLS_API void dls_loop_close(struct dls_loop *loop);

/* Private from here on; in this header because the macros keep it on their caller's stack. */

struct dls__cursor;

/* Iterations lo .. lo + n - 1 of a loop, counted from 0; n = 0: none. */
struct dls__chunk {
	uint64_t lo, n;
};

/* Units of a share in one ticket, where workers of different weights draw shares of tickets. */
#define DLS__TICKET_BITS 16
#define DLS__TICKET ((uint64_t)1 << DLS__TICKET_BITS)

/* The head of a cursor, which is a worker's place in one execution of a loop.  The macros and inline functions read these
 * eight words, write none, and use nothing else of a cursor.  Their offsets and meanings are frozen: they are compiled into
 * programs. */
struct dls__head {
	uint64_t *counter;	/* tickets are drawn here; NULL: none, `take` is called for each chunk */
	uint64_t units;		/* what one draw adds: 1, a ticket; or a share, in 1 / DLS__TICKET of one */
	uint64_t last, size;	/* ticket t < last is `size` iterations, from size * t on */
	uint64_t past;		/* tickets last .. past - 1 are in the window, or before it and drawn */
	uintptr_t window;	/* at window + 8 t: first iteration of ticket t, then that of t + 1 */
	struct dls__chunk (*take)(struct dls__cursor *, uint64_t ticket);	/* all other tickets */
	uint64_t n;		/* iterations of the loop */
};

/* Room for a cursor. */
enum { DLS__CURSOR_REST = 184 };
struct dls__room {
	struct dls__head head;
	uint64_t rest[DLS__CURSOR_REST];	/* read and written by the library alone */
};

/* The first iteration of a ticket of the window, followed by that of the next ticket. */
static inline const uint64_t *dls__begin_of(const struct dls__head *h, uint64_t ticket)
{
	return (const uint64_t *)(h->window + 8 * (uintptr_t)ticket);
}

/* The iterations from unit x to unit y, if both are in tickets of the window; n = 0 if not, or if there are none: call take.
 * See shares.c. */
static inline struct dls__chunk dls__share(const struct dls__head *h, uint64_t x, uint64_t y)
{
	struct dls__chunk chunk = { 0, 0 };
	const uint64_t *i, *j;

	if (__builtin_expect(y / DLS__TICKET >= h->past, 0))
		return chunk;
	i = dls__begin_of(h, x / DLS__TICKET);
	j = dls__begin_of(h, y / DLS__TICKET);
	chunk.lo = i[0] + x % DLS__TICKET * (i[1] - i[0]) / DLS__TICKET;
	chunk.n = j[0] + y % DLS__TICKET * (j[1] - j[0]) / DLS__TICKET - chunk.lo;
	return chunk;
}

/* Draw a ticket, if the loop has a counter.  True: the ticket is below `last`, and *chunk is set.  As little
 * code as possible lies between two draws, so that a processor draws more than one while it has the counter's
 * cache line. */
static inline bool dls__draw_equal(const struct dls__head *h, uint64_t *ticket, struct dls__chunk *chunk)
{
	uint64_t last = h->last, size = h->size;

	*ticket = 0;
	if (__builtin_expect(h->counter == 0, 0))
		return false;
	/* relaxed: the number alone matters; what chunks compute is passed on by the loop's end. */
	*ticket = __atomic_fetch_add(h->counter, h->units, __ATOMIC_RELAXED);
	if (__builtin_expect(*ticket >= last, 0))
		return false;
	chunk->lo = size * *ticket;
	chunk->n = size;
	return true;
}

/* Find in the window the chunk of a ticket for which dls__draw_equal() returned false.  False: call take. */
static inline bool dls__look_up(const struct dls__head *h, uint64_t ticket, struct dls__chunk *chunk)
{
	const uint64_t *begin;

	if (__builtin_expect(h->counter == 0, 0))
		return false;
	if (__builtin_expect(h->units != 1, 0)) {
		*chunk = dls__share(h, ticket, ticket + h->units);
		return __builtin_expect(chunk->n > 0, 1);
	}
	if (__builtin_expect(ticket >= h->past, 0))
		return false;
	begin = dls__begin_of(h, ticket);
	chunk->lo = begin[0];
	chunk->n = begin[1] - begin[0];
	return true;
}

/* gcc inlines a draw into every loop if what follows the draw is out of line; clang inlines it anyway. */
#ifdef __clang__
#define DLS__OUT_OF_LINE static inline
#else
#define DLS__OUT_OF_LINE static __attribute__((__noinline__, __unused__))
#endif

/* The chunk of a ticket for which dls__draw_equal() returned false. */
DLS__OUT_OF_LINE struct dls__chunk dls__other_chunk(struct dls__head *h, uint64_t ticket)
{
	struct dls__chunk chunk;

	return dls__look_up(h, ticket, &chunk) ? chunk : h->take((struct dls__cursor *)h, ticket);
}

/* Take a worker's next chunk. */
static inline struct dls__chunk dls__next(struct dls__head *h)
{
	struct dls__chunk chunk;
	uint64_t ticket;

	return dls__draw_equal(h, &ticket, &chunk) ? chunk : dls__other_chunk(h, ticket);
}

/* Iterations of begin, begin + step, ... that lie before end; `up` is begin < end, `down` is begin > end.
 * Exact for every range of every integer type up to 64 bits: at most 2^64 - 1 iterations. */
static inline uint64_t dls__count(bool up, bool down, uint64_t begin, uint64_t end, int64_t step)
{
	if (step > 0)
		return up ? (end - begin - 1) / (uint64_t)step + 1 : 0;
	return down ? (begin - end - 1) / (0 - (uint64_t)step) + 1 : 0;
}

DLS__C_END

#endif
