/* dls/omp.h - everything that touches OpenMP.
 *
 * Inline, so that the user's compiler binds it to the user's OpenMP runtime and one libdls works with all runtimes.  Without
 * -fopenmp every loop has one worker.  Do not use it directly: see dls.h. */
#ifndef DLS_OMP_H
#define DLS_OMP_H

#include "dls/curve.h"
#include "dls/loop.h"
#include "dls/site.h"

#ifdef _OPENMP
#include <omp.h>
#endif

DLS__C_BEGIN

struct dls__team_record;	/* what the threads of one OpenMP region share */
struct dls__segment;
struct dls__work_share;
struct dls__kept_site;
struct dls__team_state;	/* a thread's state in the region it is in */

/* A thread's team state outside a DLS_PARALLEL, while it is inside. */
struct dls__saved_state {
	struct dls__team_state *state;
	uint64_t outer[12];		/* of the enclosing region; the library's own */
	bool done;
};

/* A region about to run.  Each thread gets a copy, which gives the position of its first loop. */
struct dls__parallel {
	struct dls__team_record *team;
	struct dls__segment *segment;
	uint64_t loop, version;
	bool done;
};

/* A loop's `.schedule`: not given, "static", "auto", another schedule. */
enum dls__schedule_kind { DLS__KIND_NONE, DLS__KIND_STATIC, DLS__KIND_AUTO, DLS__KIND_OTHER };
/* Or-ed to enum dls__schedule_kind: IDEMPOTENT, chunks may be run again; NOWAIT, threads do not wait for each
 * other at the end; LATE, workers are threads of a running team, which come late or not at all. */
enum { DLS__KIND_IDEMPOTENT = 8, DLS__KIND_NOWAIT = 16, DLS__KIND_LATE = 32 };

struct dls__extra;	/* the library's own */

/* The request of one execution of a loop. */
struct dls__request {
	struct dls_site *site;
	const char *name, *schedule;
	int kind;		/* enum dls__schedule_kind of `schedule`, and modifiers */
	uint64_t n, rows;	/* iterations; a DLS_FOR_2D's rows, else 0 */
	size_t partial;		/* bytes of a reduction's partial result; 0: the loop is no reduction */
	uint64_t multiple;	/* chunks start and end at multiples of it; 0: anywhere */
	const struct dls__extra *extra;	/* what no macro can say; 0: nothing */
};

/* A combined loop, which is its whole region (OpenMP's parallel for), about to run.  The region copies to
 * each thread by value what every thread needs: see DLS__COMBINED_LOOP. */
struct dls__combined {
	struct dls__request request;
	uint64_t begin, end;		/* the loop's, as bits; of a loop of two indices: both begins */
	uint64_t columns;		/* of a loop of two indices */
	uint64_t flags;		/* below; / DLS__EXPECTED: threads that the work share is open for */
	uint64_t began;			/* ns, if auto is to be told what the loop takes; else 0 */
	struct dls__work_share *share;		/* NULL: each thread takes its block */
	struct dls__kept_site *at;
	unsigned workers;		/* of the region, once worker 0 is in it */
	unsigned gone;			/* the library's, changed atomically */
	uint64_t next;			/* LATE: the first iteration that no worker has taken; also atomic */
	bool done;
};
/* LATE: workers take chunks from the request, and only worker 0 need come.  SERIAL: worker 0 runs the loop,
 * if possible in a region with the clause if(false). */
enum { DLS__LATE = 2, DLS__SERIAL = 4, DLS__EXPECTED = 8 };

/* What follows a loop: a barrier, nothing, or the end of the region with its barrier. */
enum dls__after { DLS__BARRIER, DLS__NOWAIT, DLS__LAST };

/* A DLS_FOR under way. */
struct dls__run {
	uint64_t end;		/* of the indices, as bits; 0 in a combined loop with a step of 1 or -1 */
	bool barrier, memory;	/* at the end: wait at a barrier; return the memory of dls__loop_memory() */
	struct dls__room cursor;
};

/* A DLS_FOR_2D under way: a loop over the cells of a rectangle. */
struct dls__run_2d {
	struct dls__run run;
	uint64_t rows, columns;
	bool curved;		/* the cells are in the order of a curve: */
	uint64_t position;	/* ... the cursor's position at the end of the chunk under way */
	struct dls_curve curve;
	struct dls_curve_cursor cursor;
};

/* Iterations of one chunk: n from `from` on, each `by` after the one before; n = 0: none.  `left` follow, from `next` on. */
struct dls__piece {
	uint64_t from, n, by, next, left;	/* indices as bits */
	int way;	/* the step, if that is known to be 1 or -1 when the program is compiled; else 0 */
};

/* Adjacent cells of one chunk in a row: n from `column` on; n = 0: none.  `left` cells of the chunk follow. */
struct dls__strip {
	uint64_t row, column, n, left;
};

/* Choose a 2-D loop's curve once its `run` is open. */
DLS_API void dls__for_curve(struct dls__run_2d *run);

/* Report that a loop has too many cells, and abort. */
DLS_API void dls__for_too_large(const struct dls_site *site, uint64_t rows, uint64_t columns)
	__attribute__((__noreturn__, __cold__));

/* Report that a loop's begin is no value of its index type, and abort. */
DLS_API void dls__for_unfit(const struct dls_site *site, uint64_t begin, bool begin_signed, unsigned bits,
			    bool index_signed) __attribute__((__noreturn__, __cold__));

/* Report a `.multiple` that is out of range, and abort. */
DLS_API void dls__for_bad_multiple(const struct dls_site *site, int64_t multiple) __attribute__((__noreturn__, __cold__));

/* The step may be a negated unsigned number.  If the text of the options has a minus there, or the loop goes
 * `down` with a 32-bit index, it is one: report it, and abort. */
DLS_API void dls__for_wide_step(const struct dls_site *site, int64_t step, bool down, const char *options)
	__attribute__((__cold__));

/* Report that a body was left by break, and abort. */
DLS_API void dls__for_left(const char *file, int line) __attribute__((__noreturn__, __cold__));

/* Report that a body has ended its thread, for which others wait, and abort; NULL: the work of a team. */
DLS_API void dls__for_ended(const struct dls_site *site) __attribute__((__noreturn__, __cold__));

DLS_API struct dls__parallel dls__parallel_open(void);
DLS_API void dls__parallel_close(struct dls__parallel *region);
DLS_API void dls__parallel_enter(struct dls__saved_state *saved, const struct dls__parallel *region,
				 int level, unsigned worker, unsigned workers);
DLS_API void dls__parallel_leave(struct dls__saved_state *saved);

/* The functions that open a loop take this thread's first chunk at once, unless `first` is NULL. */

/* Open a loop in a region of DLS_PARALLEL and set *workers; false: at this level the thread is in no such region. */
DLS_API bool dls__for_in_region(struct dls__cursor *cursor, const struct dls__request *request, int level,
				unsigned *workers, struct dls__chunk *first);

/* Open a loop before its region, for as many threads as the site's last region had or, the first time, `most`; close it after the
 * region.  `may_be_serial`: the caller has the region run by one thread where `flags` then says SERIAL. */
DLS_API void dls__combined_open(struct dls__combined *combined, unsigned most, bool may_be_serial);
DLS_API void dls__combined_close(struct dls__combined *combined);

/* Before a region whose threads open the loop inside: find out whether one thread should run the region. */
DLS_API void dls__combined_unopened(struct dls__combined *combined, unsigned most);

/* Join a loop of dls__combined_open() in its region; returns the first chunk. */
DLS_API struct dls__chunk dls__for_combined(struct dls__cursor *cursor, struct dls__combined *combined,
					    struct dls__work_share *share, uint64_t flags, uint64_t n,
					    int level, unsigned worker, unsigned workers);

/* Open a loop for one worker. */
DLS_API void dls__for_alone(struct dls__cursor *cursor, const struct dls__request *request,
			    struct dls__chunk *first);

/* Open a loop in a plain region as this thread's static block; false: the loop is dealt. */
DLS_API bool dls__for_block(struct dls__cursor *cursor, const struct dls__request *request, int level,
			    unsigned worker, unsigned workers, struct dls__chunk *first);

/* What the threads of a plain region share for one loop; at first all zeros. */
struct dls__shared {
	struct dls__work_share *share;
	unsigned stage;			/* of the loop's opening; 0: no thread has come */
};

/* Whether the process has no libomp.  libomp has functions of the same names as libgomp. */
DLS_API bool dls__libgomp_alone(void);

/* Open a loop in a plain region whose threads have this memory in common. */
DLS_API void dls__for_shared(struct dls__cursor *cursor, const struct dls__request *request,
			     struct dls__shared *shared, int level, unsigned worker, unsigned workers,
			     struct dls__chunk *first);

/* Without such memory: one thread opens the loop for all, and each thread joins it.  NULL: out of memory. */
DLS_API struct dls__work_share *dls__plain_open(const struct dls__request *request, unsigned workers);
DLS_API void dls__for_plain(struct dls__cursor *cursor, const struct dls__request *request,
			    struct dls__work_share *share, int level, unsigned worker, unsigned workers,
			    struct dls__chunk *first);

/* Check that a bound keeps its value when it is converted to the index type; both are given as bits. */
static inline void dls__for_check_begin(const struct dls_site *site, uint64_t begin, bool begin_signed, uint64_t index,
					unsigned bits, bool index_signed)
{
	if (begin != index || (begin_signed && begin >> 63) != (index_signed && index >> 63))
		dls__for_unfit(site, begin, begin_signed, bits, index_signed);
}

static inline void dls__for_check_step(const struct dls_site *site, int64_t step, bool down, const char *options)
{
	if (__builtin_expect(step > INT32_MAX && step <= (int64_t)UINT32_MAX, 0))
		dls__for_wide_step(site, step, down, options);
}

/* At the end of a chunk's loop.  If iterations are left, the body was left by break. */
static inline uint64_t dls__for_chunk_end(uint64_t left, const char *file, int line)
{
	if (left)
		dls__for_left(file, line);
	return 0;
}

static inline struct dls__parallel dls__open_region(void)
{
	return dls__parallel_open();
}

static inline struct dls__saved_state dls__enter_region(struct dls__team_record *team,
							struct dls__segment *segment, uint64_t loop,
							uint64_t version)
{
	struct dls__parallel region = { team, segment, loop, version, false };
	struct dls__saved_state saved;

#ifdef _OPENMP
	dls__parallel_enter(&saved, &region, omp_get_level(), (unsigned)omp_get_thread_num(),
			    (unsigned)omp_get_num_threads());
#else
	dls__parallel_enter(&saved, &region, 0, 0, 1);
#endif
	return saved;
}

/* Which kind of schedule a `.schedule` is; a constant for the compiler if the text is one. */
static inline int dls__kind_of(const char *schedule)
{
	return !schedule ? DLS__KIND_NONE : __builtin_strcmp(schedule, "static") == 0 ? DLS__KIND_STATIC :
	       __builtin_strcmp(schedule, "auto") == 0 ? DLS__KIND_AUTO : DLS__KIND_OTHER;
}

#if defined(_OPENMP) && defined(__GNUC__) && !defined(__clang__)
/* libgomp's functions for loops whose scan or reduction needs memory: if `*memory` is a number of bytes, all
 * threads of a loop get the same cleared memory, without waiting for each other.  libomp's functions of these
 * names abort. */
extern bool GOMP_loop_start(long, long, long, long, long, long *, long *, uintptr_t *, void **memory) __attribute__((__weak__));
extern void GOMP_loop_end(void) __attribute__((__weak__));
extern void GOMP_loop_end_nowait(void) __attribute__((__weak__));

static inline struct dls__shared *dls__loop_memory(void)
{
	void *memory = (void *)sizeof(struct dls__shared);

	if (!GOMP_loop_start || !dls__libgomp_alone())
		return 0;
	GOMP_loop_start(0, 1, 1, 2, 1, 0, 0, 0, &memory);
	return (struct dls__shared *)memory;
}

static inline void dls__loop_memory_end(bool barrier)
{
	if (barrier)
		GOMP_loop_end();
	else
		GOMP_loop_end_nowait();
}
#else
static inline struct dls__shared *dls__loop_memory(void)
{
	return 0;
}

static inline void dls__loop_memory_end(bool barrier)
{
	(void)barrier;
}
#endif

#ifdef _OPENMP
/* Open a loop in an OpenMP region of several threads that is not a DLS_PARALLEL.  True: call
 * dls__loop_memory_end() at the loop's end. */
static inline bool dls__for_in_plain(struct dls__cursor *cursor, const struct dls__request *request,
				     int level, unsigned workers, struct dls__chunk *first)
{
	unsigned worker = (unsigned)omp_get_thread_num();
	struct dls__shared *shared;
	struct dls__work_share *share;

	if (dls__for_block(cursor, request, level, worker, workers, first))
		return false;
	shared = dls__loop_memory();
	if (shared) {
		dls__for_shared(cursor, request, shared, level, worker, workers, first);
		return true;
	}
#pragma omp single copyprivate(share)
	share = dls__plain_open(request, workers);
	dls__for_plain(cursor, request, share, level, worker, workers, first);
	return false;
}
#endif

/* Open a loop in the current region. */
static inline void dls__for_open(struct dls__run *run, struct dls__request request, int after,
				 struct dls__chunk *first)
{
	struct dls__cursor *cursor = (struct dls__cursor *)&run->cursor;
#ifdef _OPENMP
	int level = omp_get_level();
	unsigned workers;

	run->memory = false;
	if (!dls__for_in_region(cursor, &request, level, &workers, first)) {
		workers = (unsigned)omp_get_num_threads();
		if (workers == 1)
			dls__for_alone(cursor, &request, first);
		else
			run->memory = dls__for_in_plain(cursor, &request, level, workers, first);
	}
	run->barrier = after == DLS__BARRIER && workers > 1;
#else
	(void)after;
	run->barrier = false;
	dls__for_alone(cursor, &request, first);
#endif
}

/* Called by each thread after its last chunk of a loop. */
static inline void dls__for_close(const struct dls__run *run)
{
#ifdef _OPENMP
	if (run->memory) {
		dls__loop_memory_end(run->barrier);
	} else if (run->barrier) {
#pragma omp barrier
	}
#else
	(void)run;
#endif
}

/* Passes a chunk on; an empty one closes the loop. */
static inline struct dls__chunk dls__for_chunk(const struct dls__run *run, struct dls__chunk chunk)
{
	if (chunk.n == 0)
		dls__for_close(run);
	return chunk;
}

static inline struct dls__chunk dls__for_next_chunk(struct dls__run *run)
{
	struct dls__chunk chunk;
	uint64_t ticket;

	if (dls__draw_equal(&run->cursor.head, &ticket, &chunk))
		return chunk;
	return dls__for_chunk(run, dls__other_chunk(&run->cursor.head, ticket));
}

static inline uint64_t dls__for_multiple(const struct dls_site *site, int64_t multiple)
{
	if (multiple < 0 || (uint64_t)multiple > DLS_MULTIPLE_MAX)
		dls__for_bad_multiple(site, multiple);
	return (uint64_t)multiple;
}

/* Open a loop in the current region, with the options of a macro; returns the first chunk. */
static inline struct dls__chunk dls__for_first_chunk(struct dls__run *run, struct dls_site *site, const char *name,
						     const char *schedule, int64_t multiple, int after, uint64_t end, uint64_t n,
						     bool idempotent)
{
	int kind = dls__kind_of(schedule) | (idempotent ? DLS__KIND_IDEMPOTENT : 0) |
		   (after == DLS__NOWAIT ? DLS__KIND_NOWAIT : 0);
	struct dls__request request = { site, name, schedule, kind, n, 0, 0,
					dls__for_multiple(site, multiple), 0 };
	struct dls__chunk first;

	run->end = end;
	dls__for_open(run, request, after, &first);
	return dls__for_chunk(run, first);
}

/* `also`: modifiers or-ed to combined->request.kind. */
static inline void dls__combined_prepare(struct dls__combined *combined, struct dls_site *site,
					 const char *name, const char *schedule, int64_t multiple, int also,
					 uint64_t begin, uint64_t end, uint64_t n)
{
	struct dls__request request = { site, name, schedule, dls__kind_of(schedule) | also, n, 0, 0,
					dls__for_multiple(site, multiple), 0 };

	combined->request = request;
	combined->begin = begin;
	combined->end = end;
	combined->columns = 0;
	combined->flags = 0;
	combined->done = false;
}

/* Open a combined loop whose region follows here. */
static inline void dls__combined_open_here(struct dls__combined *combined, bool may_be_serial)
{
#ifdef _OPENMP
	dls__combined_open(combined, (unsigned)omp_get_max_threads(), may_be_serial);
#else
	dls__combined_open(combined, 1, may_be_serial);
#endif
}

static inline void dls__combined_begin(struct dls__combined *combined, struct dls_site *site,
				       const char *name, const char *schedule, int64_t multiple, bool nowait,
				       uint64_t begin, uint64_t end, uint64_t n, bool may_be_serial)
{
	dls__combined_prepare(combined, site, name, schedule, multiple, nowait ? DLS__KIND_NOWAIT : 0,
			      begin, end, n);
	dls__combined_open_here(combined, may_be_serial);
}

static inline uint64_t dls__cells(const struct dls_site *site, uint64_t rows, uint64_t columns)
{
	uint64_t n;

	if (__builtin_mul_overflow(rows, columns, &n))
		dls__for_too_large(site, rows, columns);
	return n;
}

static inline void dls__combined_begin_2d(struct dls__combined *combined, struct dls_site *site,
					  const char *name, const char *schedule, int64_t multiple,
					  bool nowait, uint64_t i, uint64_t j, uint64_t rows,
					  uint64_t columns, bool may_be_serial)
{
	dls__combined_prepare(combined, site, name, schedule, multiple, nowait ? DLS__KIND_NOWAIT : 0, i, j,
			      dls__cells(site, rows, columns));
	combined->request.rows = rows;
	combined->columns = columns;
	dls__combined_open_here(combined, may_be_serial);
}

static inline struct dls__chunk dls__combined_join(struct dls__run *run, struct dls__combined *combined,
						   struct dls__work_share *share, uint64_t flags, uint64_t n,
						   int64_t step)
{
	struct dls__cursor *cursor = (struct dls__cursor *)&run->cursor;

	run->end = step == 1 || step == -1 ? 0 : combined->end;
	run->barrier = run->memory = false;
#ifdef _OPENMP
	return dls__for_combined(cursor, combined, share, flags, n, omp_get_level(),
				 (unsigned)omp_get_thread_num(), (unsigned)omp_get_num_threads());
#else
	return dls__for_combined(cursor, combined, share, flags, n, 0, 0, 1);
#endif
}

static inline struct dls__chunk dls__for_first_chunk_2d(struct dls__run_2d *run, struct dls_site *site, const char *name,
							const char *schedule, int64_t multiple, int after, uint64_t rows,
							uint64_t columns)
{
	int kind = dls__kind_of(schedule) | (after == DLS__NOWAIT ? DLS__KIND_NOWAIT : 0);
	struct dls__request request = { site, name, schedule, kind, dls__cells(site, rows, columns), rows, 0,
					dls__for_multiple(site, multiple), 0 };
	struct dls__chunk first;

	run->rows = rows;
	run->columns = columns;
	dls__for_open(&run->run, request, after, &first);
	dls__for_curve(run);
	return dls__for_chunk(&run->run, first);
}

static inline struct dls__chunk dls__combined_join_2d(struct dls__run_2d *run, struct dls__combined *combined,
						      struct dls__work_share *share, uint64_t flags,
						      uint64_t rows, uint64_t columns)
{
	struct dls__chunk first = dls__combined_join(&run->run, combined, share, flags, rows * columns, 1);

	run->rows = rows;
	run->columns = columns;
	dls__for_curve(run);
	return first;
}

/* The first piece of `left` iterations.  If one step past the last iteration would overflow a signed type,
 * whose largest value is `most`, the last iteration is a piece of its own.  A piece of one iteration takes no
 * step, which the type need not hold.  Unsigned types may wrap.  Nothing here may be `left - 1`: gcc would
 * begin the loop with it. */
static inline struct dls__piece dls__piece_from(uint64_t from, uint64_t left, int64_t step, uint64_t most)
{
	uint64_t by = (uint64_t)step, stride = step < 0 ? 0 - by : by;
	struct dls__piece piece = { from, left, by, from + left * by, 0, 0 };

	if (__builtin_constant_p(step) && (step == 1 || step == -1))
		piece.way = (int)step;
	if (step != 1 && step != -1 && most != UINT64_MAX) {
		uint64_t last = piece.next - by, room = step < 0 ? last + most + 1 : most - last;

		if (stride > most || stride > room) {
			piece.left = left > 1;
			piece.n = left - piece.left;
			piece.next = last;
			piece.by = piece.n > 1 ? by : 0;
		}
	}
	return piece;
}

/* The chunk's next cells, as many as the row still has; along a curve, one cell. */
static inline struct dls__strip dls__strip_from(struct dls__run_2d *run, uint64_t row, uint64_t column, uint64_t left)
{
	struct dls__strip strip = { row, column, 0, left };

	if (left == 0)
		return strip;
	if (__builtin_expect(run->curved, 0)) {
		strip.n = 1;
		dls_curve_next(&run->cursor, &strip.row, &strip.column);
	} else {
		strip.n = left < run->columns - column ? left : run->columns - column;
	}
	strip.left = left - strip.n;
	return strip;
}

static inline struct dls__strip dls__strip_first(struct dls__run_2d *run, struct dls__chunk chunk)
{
	if (!run->curved)
		return dls__strip_from(run, chunk.lo / run->columns, chunk.lo % run->columns, chunk.n);
	if (run->position != chunk.lo)
		dls_curve_seek(&run->cursor, &run->curve, chunk.lo);
	run->position = chunk.lo + chunk.n;
	return dls__strip_from(run, 0, 0, chunk.n);
}

static inline struct dls__strip dls__strip_next(struct dls__run_2d *run, struct dls__strip strip)
{
	return dls__strip_from(run, strip.row + 1, 0, strip.left);
}

/* The index that a chunk ends before.  With a step of 1 or -1 the last chunk's steps end exactly at the
 * loop's end. */
static inline uint64_t dls__bound_after(const struct dls__run *run, struct dls__chunk chunk, uint64_t begin, int64_t step)
{
	uint64_t past = chunk.lo + chunk.n;

	return step == 1 || step == -1 || past < run->cursor.head.n ? begin + past * (uint64_t)step : run->end;
}

DLS__C_END

#endif
