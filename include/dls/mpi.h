/* dls/mpi.h - loops dealt across the ranks of an MPI program (library libdls-mpi).
 *
 *	dls_mpi_open(&mpi, MPI_COMM_WORLD, NULL);		// all ranks
 *	dls_mpi_loop_open(&loop, mpi, 1, "fac2");		// all ranks
 *	DLS_MPI_FOR(loop, i, 0, n)				// all ranks: each iteration is run by one of them
 *		body(i);
 *	dls_mpi_loop_close(loop);
 *	dls_mpi_close(mpi);
 *
 * All ranks deal the same sequence of chunks, that of a loop with as many workers as all ranks have together.  See dls_mpi(7). */
#ifndef DLS_MPI_H
#define DLS_MPI_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"
#include "dls/task.h"

#ifdef _OPENMP
#include <omp.h>
#endif

DLS__C_BEGIN

struct dls_mpi;
struct dls_mpi_loop;
struct dls_mpi_nest;

/** Most loops that are open at the same time on one communicator. */
#define DLS_MPI_LOOPS_MAX 64

/** How workers reach the counter of a loop, which rank 0 has. */
enum dls_mpi_way {
	DLS_MPI_AUTO,		/* in rank 0's machine shared memory, elsewhere messages */
	DLS_MPI_SHARED,		/* the same; stderr tells of ranks that do not share rank 0's memory */
	DLS_MPI_RMA,		/* MPI_Fetch_and_op */
	DLS_MPI_MESSAGES	/* a request to rank 0, which answers in its pokes */
};

/** Options of dls_mpi_open(); the same on all ranks. */
struct dls_mpi_options {
	size_t size;		/* sizeof(struct dls_mpi_options) */
	enum dls_mpi_way way;
	unsigned node_ranks;	/* most ranks of one node; 0: all that share memory */
	bool helper;		/* rank 0 answers from a thread of its own; needs MPI_THREAD_MULTIPLE */
	double timeout;		/* s, longest wait for another rank; 0: no limit.  After it the waiting call, and each later one that would
				 * wait, returns DLS_EDEADLK: end the program by MPI_Abort() */
};

/** Prepare a communicator for loops.  Collective.
 *
 * comm     duplicated
 * options  NULL: all 0
 *
 * If the way cannot be had, rank 0 says so on stderr and another one is used: see dls_mpi_way_of().
 * Returns 0; DLS_EINVAL if MPI is not initialised, options differ between ranks or are out of range, or a helper is asked for and
 * the thread level is below MPI_THREAD_MULTIPLE; DLS_ENOMEM; DLS_EIO if MPI fails; DLS_EAGAIN if the helper cannot be started;
 * DLS_EDEADLK after `timeout`.  All ranks that return get the same code.  Threads: one. */
DLS_API int dls_mpi_open(struct dls_mpi **mpi, MPI_Comm comm, const struct dls_mpi_options *options);

/** The way that is used, never DLS_MPI_AUTO. */
DLS_API enum dls_mpi_way dls_mpi_way_of(const struct dls_mpi *mpi);

/** Answer the requests that have arrived; does nothing on ranks other than 0, and unless the way is messages.
 *
 * Rank 0 does so in its calls of this library, too.  Call it from long bodies on rank 0.
 * Threads: any, if the MPI has MPI_THREAD_SERIALIZED and no other thread is in MPI. */
DLS_API void dls_mpi_poke(struct dls_mpi *mpi);

/** Release a communicator whose loops have been closed; NULL does nothing.  Collective: waits for all ranks.
 *
 * Returns 0; DLS_EBUSY if a loop or a machine is open; DLS_EIO; DLS_EDEADLK. */
DLS_API int dls_mpi_close(struct dls_mpi *mpi);

/** Make a loop.  Collective.
 *
 * workers   of this rank: 1 or more; of all ranks together at most DLS_WORKERS_MAX
 * schedule  as dls_schedule_parse() takes it; NULL: that of rank 0's environment.  The same on all ranks
 *
 * awf and its variants, af and users' calculators that learn size a chunk by what all ranks have measured since the loop was opened, as
 * far as that has reached the drawing worker: each iteration runs once, but sizes differ from run to run.  See dls_mpi(7).
 * bold, strategies, auto, and rules that learn if there is multiple=, are replaced by fac2; rank 0 says so on stderr unless it is
 * auto.
 * Returns 0; an error of dls_schedule_parse(), also if another rank does not know the calculator; DLS_EINVAL if schedules differ, or
 * if a rank has several workers and the thread level is below MPI_THREAD_SERIALIZED where next() calls MPI; DLS_ERANGE; DLS_EBUSY
 * if DLS_MPI_LOOPS_MAX are open; DLS_ENOMEM; DLS_EIO; DLS_EDEADLK.  All ranks get the same code.  Threads: one. */
DLS_API int dls_mpi_loop_open(struct dls_mpi_loop **loop, struct dls_mpi *mpi, unsigned workers, const char *schedule);

/** Have a worker that finds nothing left to start run chunks again that others have begun and not ended.  Collective.
 *
 * chunks  most chunks of an execution, 1 to 2^32 - 1
 *
 * For loops whose iterations may be run more than once, also by two workers at the same time, and by a late rank after the others
 * have ended.  Each iteration is run to its end at least once before dls_mpi_loop_next() returns false, however long a rank hangs in
 * its chunk.  dls_mpi_loop_end_nowait() leaves a hanging rank behind; dls_mpi_loop_end() waits for it.
 * Ranks must share memory, and the loop must be dealt by tickets, without weights.
 * Returns 0; DLS_EINVAL if they do not, or it is not; DLS_ERANGE; DLS_EBUSY while it runs, or a second time;
 * DLS_ENOMEM; DLS_EIO; DLS_EDEADLK. */
DLS_API int dls_mpi_loop_set_idempotent(struct dls_mpi_loop *loop, uint64_t chunks);

/** Write the schedule that all ranks use, as dls_schedule_print() does. */
DLS_API size_t dls_mpi_loop_print_schedule(const struct dls_mpi_loop *loop, char *text, size_t size);

/** Start an execution: begin, begin + step, ... while below end (above it if step is negative).
 *
 * All ranks start the same executions in the same order, without waiting for each other.
 * Returns 0; DLS_EINVAL if step is 0, the calculator refuses the loop, or an earlier end failed; DLS_EBUSY while the loop runs;
 * DLS_ERANGE if it has more chunks than dls_mpi_loop_set_idempotent() was told, or more than 2^63 - 1 iterations under af or
 * another calculator with DLS_DISPENSER_LIVE.
 * Threads: one on each rank. */
DLS_API int dls_mpi_loop_start(struct dls_mpi_loop *loop, int64_t begin, int64_t end, int64_t step);

/** Take the next chunk for a worker of this rank: *begin, *begin + step, ... while below *end.
 *
 * worker  0..workers-1
 *
 * Returns true and the chunk; false once nothing is left to start, if the loop is not running, or if MPI has failed, which the
 * loop's end reports.  On every rank some worker must call it until it returns false, and so must each worker that has called it.
 * Threads: one at a time for each worker; the thread must be allowed to call MPI, unless all ranks share memory. */
DLS_API bool dls_mpi_loop_next(struct dls_mpi_loop *loop, unsigned worker, int64_t *begin, int64_t *end);

/** End an execution, wait for all ranks, and compare what they have done.  Collective.
 *
 * iterations  if not NULL: how many this rank's workers got
 *
 * Returns 0; DLS_EINVAL if the loop is not running, or, on all ranks, if the ranks' bounds, steps or numbers of executions differ
 * or not every iteration was taken; the loop can then only be closed.  DLS_EIO if MPI failed; DLS_EDEADLK after `timeout`.
 * Threads: one, no worker in next(). */
DLS_API int dls_mpi_loop_end(struct dls_mpi_loop *loop, uint64_t *iterations);

/** End an execution without waiting: other ranks may still run chunks of it.  It is compared at the next dls_mpi_loop_end() or
 * close.  Returns 0; DLS_EINVAL if the loop is not running.  Threads: one, no worker in next(). */
DLS_API int dls_mpi_loop_end_nowait(struct dls_mpi_loop *loop, uint64_t *iterations);

/** Free a loop, not running; NULL does nothing.  Collective: waits for all ranks, and compares executions that have not been.
 *
 * Returns 0, or an error of dls_mpi_loop_end(); the loop is gone in either case, except for DLS_EBUSY: it is running. */
DLS_API int dls_mpi_loop_close(struct dls_mpi_loop *loop);

/** Make a loop in two levels: nodes take chunks of it by the schedule `outer`, and the ranks of a node share each by `inner`.
 * Collective.
 *
 * comm        duplicated
 * node_ranks  most ranks of one node; 0: all that share memory
 * outer       for as many workers as there are nodes; inner for as many as the node has ranks.  As for dls_mpi_loop_open().
 *             outer should make few chunks, such as fac2; inner may make many
 *
 * A node's ranks wait for each other at the end of each of its chunks.  Returns 0, or an error of dls_mpi_open() or
 * dls_mpi_loop_open().  All ranks get the same code.  Threads, here and below: one on each rank. */
DLS_API int dls_mpi_nest_open(struct dls_mpi_nest **nest, MPI_Comm comm, unsigned node_ranks, const char *outer, const char *inner);

/** Start an execution, as dls_mpi_loop_start(); the ranks of a node wait for each other. */
DLS_API int dls_mpi_nest_start(struct dls_mpi_nest *nest, int64_t begin, int64_t end, int64_t step);

/** Take this rank's next chunk, as dls_mpi_loop_next().  Each rank must call it until it returns false. */
DLS_API bool dls_mpi_nest_next(struct dls_mpi_nest *nest, int64_t *begin, int64_t *end);

/** End an execution, and wait for all ranks, as dls_mpi_loop_end(). */
DLS_API int dls_mpi_nest_end(struct dls_mpi_nest *nest, uint64_t *iterations);

/** Free a nest; NULL does nothing.  Collective.  Returns as dls_mpi_loop_close(). */
DLS_API int dls_mpi_nest_close(struct dls_mpi_nest *nest);

/** A type of tasks that go from rank to rank.
 *
 * pack    write what task->data points to into `room` bytes at `buffer`, and return its size; with less room, as in a first call
 *         with 0, only return the size.  The task then leaves this rank: what data points to may be freed
 * unpack  set task->data from such bytes.  Returns 0, or a code that ends the run.
 * NULL, both: tasks with data that are sent to another rank end the run with DLS_EINVAL. */
struct dls_mpi_task_type {
	const struct dls_task_type *type;
	size_t (*pack)(const struct dls_task *task, void *buffer, size_t room);
	int (*unpack)(struct dls_task *task, const void *bytes, size_t size);
};

/** Offer the engine "mpi" to machines that are opened from here on: struct dls_machine_desc's `engine`.
 *
 * types  in the same order on all ranks; kept, not copied, until the communicator is closed.  A machine with classes needs none
 *
 * Rank r of R has the processors P r / R to below P (r + 1) / R; dls_machine_add() does nothing for those of other ranks.  All ranks
 * open the same machines and run them in the same order: dls_machine_run() waits for all, and returns the same code on all.
 * dls_machine_result() is of all ranks, dls_machine_processor_stats() for this rank's processors; for others DLS_ERANGE.
 * struct dls_machine_desc's `tasks` is a limit for each rank.  Called again: other types, if no machine is open.
 * Returns 0; DLS_EINVAL; DLS_EBUSY if a machine is open, or for another communicator; DLS_ENOENT if libdls is of another version.
 * Threads: one; the same thread then runs all machines, since it alone calls MPI. */
DLS_API int dls_mpi_machines(struct dls_mpi *mpi, const struct dls_mpi_task_type *type, unsigned types);

/** DLS_MPI_FOR(loop, i, begin, end) body
 *
 * Run the body for i = begin .. end - 1, an int64_t, on all ranks together, each iteration once; then wait for all ranks.
 * In an OpenMP parallel region all threads of the region come here, and each is a worker: the loop must have been opened for that
 * many at least.  Do not leave the body by break, goto or return.  An error ends the program by MPI_Abort(), with a message. */
#define DLS_MPI_FOR(loop, i, begin, end) \
	for (struct dls__mpi_run dls__run_##i = dls__mpi_begin(DLS__MPI_LOOP(loop), begin, end); dls__mpi_chunk(&dls__run_##i); ) \
		for (int64_t i = dls__run_##i.lo; i < dls__run_##i.hi; i++)

/* Private from here on. */

struct dls__mpi_run {
	struct dls_mpi_loop *loop;
	unsigned worker;
	int64_t lo, hi;
};

/* Report an error of a DLS_MPI_FOR, and MPI_Abort(). */
DLS_API void dls__mpi_abort(const struct dls_mpi_loop *loop, int code) __attribute__((__noreturn__, __cold__));

/* dls_mpi_open() for dls/mpi.F90. */
DLS_API int dls__mpi_fortran_open(struct dls_mpi **mpi, int comm);

static inline struct dls__mpi_run dls__mpi_begin(struct dls_mpi_loop *loop, int64_t begin, int64_t end)
{
	struct dls__mpi_run run = { loop, 0, 0, 0 };
	int code = 0;

#ifdef _OPENMP
	run.worker = (unsigned)omp_get_thread_num();
	if (omp_in_parallel()) {
		if (run.worker == 0)
			code = dls_mpi_loop_start(loop, begin, end, 1);
#pragma omp barrier
	} else
#endif
		code = dls_mpi_loop_start(loop, begin, end, 1);
	if (code)
		dls__mpi_abort(loop, code);
	return run;
}

static inline bool dls__mpi_chunk(struct dls__mpi_run *run)
{
	int code = 0;

	if (dls_mpi_loop_next(run->loop, run->worker, &run->lo, &run->hi))
		return true;
#ifdef _OPENMP
	if (omp_in_parallel()) {
#pragma omp barrier
		if (run->worker == 0)
			code = dls_mpi_loop_end(run->loop, 0);
#pragma omp barrier
	} else
#endif
		code = dls_mpi_loop_end(run->loop, 0);
	if (code)
		dls__mpi_abort(run->loop, code);
	return false;
}

DLS__C_END

/* Compiles for anything, so that the assertion's message is the only one. */
#define DLS__MPI_RULE \
	"the first argument of DLS_MPI_FOR is a loop, the struct dls_mpi_loop * that dls_mpi_loop_open() makes, no communicator"
#ifdef __cplusplus
#include <type_traits>
template <class dls__type, bool = std::is_convertible<dls__type, dls_mpi_loop *>::value> struct dls__mpi_loop_of {
	static const bool ok = false;
	template <class dls__other> static dls_mpi_loop *value(const dls__other &) { return 0; }
};
template <class dls__type> struct dls__mpi_loop_of<dls__type, true> {
	static const bool ok = true;
	static dls_mpi_loop *value(dls_mpi_loop *loop) { return loop; }
};
#define DLS__MPI_LOOP(loop) __extension__({ \
		static_assert(dls__mpi_loop_of<decltype((loop))>::ok, DLS__MPI_RULE); \
		dls__mpi_loop_of<decltype((loop))>::value(loop); \
	})
#else
#define DLS__MPI_LOOP(loop) __extension__({ \
		enum { dls__is_loop = DLS__MPI_LOOP_OF(loop, 1, 1, 0) }; \
		_Static_assert(dls__is_loop, DLS__MPI_RULE); \
		DLS__MPI_LOOP_OF(loop, loop, loop, (struct dls_mpi_loop *)0); \
	})
#define DLS__MPI_LOOP_OF(loop, is, unknown, other) _Generic((loop), struct dls_mpi_loop *: is, void *: unknown, default: other)
#endif

#endif
