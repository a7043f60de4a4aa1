/* dls/fortran.h - what dls.F90 calls: loops of OpenMP programs in a language that cannot include dls.h.
 *
 * A caller tells its level, thread number and team size, and does the barriers itself, so that its own OpenMP runtime is used.
 * Do not use it directly: see dls_fortran(3).  dls.F90 has the same structures and constants. */
#ifndef DLS_FORTRAN_H
#define DLS_FORTRAN_H

#include "dls/omp.h"

DLS__C_BEGIN

/* Objects in the caller's memory, of so many words; only the library reads and writes their contents. */
enum { DLS__FORTRAN_LOOP = 384, DLS__FORTRAN_COMBINED = 80, DLS__FORTRAN_REGION = 32 };
struct dls__fortran_loop;	/* a loop that a thread is in; need not be initialised */
struct dls__fortran_combined;	/* a loop that is all of its region */
struct dls__fortran_region;	/* an open region; each thread has a copy */

/* What the caller's `finish` is to do after a loop's last chunk; for NOTHING it is not called. */
enum dls__fortran_ending { DLS__FORTRAN_NOTHING, DLS__FORTRAN_BARRIER, DLS__FORTRAN_MEMORY, DLS__FORTRAN_MEMORY_BARRIER };

/* A variable that a loop reduces. */
struct dls__fortran_reduce {
	void *into;			/* NULL: the loop does not reduce */
	int32_t type;			/* kind and size, as DLS__KIND() has it */
	char op[8];			/* + * min max iand ior ieor, and blanks */
};

/* The request of one loop. */
struct dls__fortran_request {
	int64_t first, last, step;	/* both bounds are in the loop */
	int64_t multiple;		/* 0: none */
	int32_t nowait;
	struct dls__fortran_reduce reduce;
	void (*finish)(int ending);	/* of a loop in a region */
};

/* Texts have a length and no 0 at their end; blanks at their end are dropped.  Empty schedule: not given. */

/* Open a loop in a region that dls__fortran_region_enter() has entered; false: at this level the thread is in no such region. */
DLS_API bool dls__fortran_begin(struct dls__fortran_loop *loop, const char *name, int64_t name_length,
				const char *schedule, int64_t schedule_length,
				const struct dls__fortran_request *request, int level);

/* If dls__fortran_begin() returned false: open the loop for a single thread, or as the thread's static block;
 * false: the loop must be dealt. */
DLS_API bool dls__fortran_plain(struct dls__fortran_loop *loop, int level, int worker, int workers);

/* If that returned false too: open the loop by memory that the team shares, from GOMP_loop_start(). */
DLS_API void dls__fortran_shared(struct dls__fortran_loop *loop, struct dls__shared *shared, int level, int worker, int workers);

/* Or, without such memory: one thread opens the loop, and all threads join it by what that call returns. */
DLS_API struct dls__work_share *dls__fortran_open(struct dls__fortran_loop *loop, int workers);
DLS_API void dls__fortran_team(struct dls__fortran_loop *loop, struct dls__work_share *share, int level,
			       int worker, int workers);

/* Open a loop before its region; join the loop in the region; close it after the region. */
DLS_API void dls__fortran_combined_open(struct dls__fortran_combined *combined, const char *name,
					int64_t name_length, const char *schedule, int64_t schedule_length,
					const struct dls__fortran_request *request, int most);
DLS_API void dls__fortran_join(struct dls__fortran_loop *loop, struct dls__fortran_combined *combined,
			       int level, int worker, int workers);
DLS_API void dls__fortran_combined_close(struct dls__fortran_combined *combined);

/* Take the next chunk or, if the loop reduces, block: *lo, *lo + step, ... up to *hi.  False: none is left, and `finish` has been
 * called. */
DLS_API bool dls__fortran_next32(struct dls__fortran_loop *loop, int32_t *lo, int32_t *hi);
DLS_API bool dls__fortran_next64(struct dls__fortran_loop *loop, int64_t *lo, int64_t *hi);

/* Hand in what the block has computed. */
DLS_API void dls__fortran_partial(struct dls__fortran_loop *loop, int type, const void *partial);

DLS_API void dls__fortran_region_open(struct dls__fortran_region *region);
DLS_API void dls__fortran_region_enter(struct dls__fortran_region *region, int level, int worker, int workers);
DLS_API void dls__fortran_region_leave(struct dls__fortran_region *region);
DLS_API void dls__fortran_region_close(struct dls__fortran_region *region);

DLS__C_END

#endif
