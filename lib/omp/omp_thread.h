/* omp_thread.h - where a thread is: the region it is in, and its loop. */
#ifndef LIB_OMP_OMP_THREAD_H
#define LIB_OMP_OMP_THREAD_H

#include "lib/omp/call_site.h"

enum dls__loop_state {		/* odd: libdls deals */
	DLS__NO_LOOP,		/* no loop, or one that the runtime deals */
	DLS__TAKEN,		/* libdls deals */
	DLS__MEASURED,		/* the runtime deals, libdls only measures */
	DLS__TAKEN_DONE, DLS__MEASURED_DONE,	/* the same, after the last chunk */
};

/* What a thread did between two barriers. */
struct dls__thread_phase {
	struct dls__phase_time time;
	bool looped;		/* a loop ran in it, which is reported by itself */
};

static inline void dls__thread_phase_end(struct dls__thread_phase *phase)
{
	phase->time.end = dls__foreign_clock();
	phase->looped |= dls__measure_freed() >= phase->time.begin;
}

/* A region of an unmodified program; its threads share this record. */
struct dls__omp_region {
	const struct dls__runtime *runtime;
	const struct dls__call_site *call_site;	/* its function's; NULL: members after `whole` are unused */
	const struct dls__call_site *whole;	/* its function's, never NULL */
	struct dls__parallel region;	/* team NULL: there is no memory for it */
	const char *source;		/* ... as the compiler names it; NULL: it does not */
	bool apart;			/* clang's: its static loops call the runtime, and are seen */
	bool virtual;			/* it is one static loop, dealt by virtual threads */
	atomic_uint had;		/* what its threads have run: enum dls__history */
	/* What each worker did between barriers: two records, used in turn. */
	struct dls__thread_phase (*thread_phase)[2];	/* NULL: not measured */
	unsigned thread_phases;
	unsigned workers, phases;	/* worker 0's numbers, at the region's end */
	const struct dls__call_site *split;	/* ... from worker 0 */
	bool more;
	bool dealt;			/* ... it had a loop from libdls */
	uint64_t begin;
};

/* Of a measured loop: the runtime's function for the next chunk, ... */
struct dls__native_loop {
	union {
		bool (*of_long)(long *, long *);
		bool (*of_ull)(ull *, ull *);
		int (*of_4)(struct dls__ident *, int, int *, int32_t *, int32_t *, int32_t *);
		int (*of_4u)(struct dls__ident *, int, int *, uint32_t *, uint32_t *, int32_t *);
		int (*of_8)(struct dls__ident *, int, int *, int64_t *, int64_t *, int64_t *);
		int (*of_8u)(struct dls__ident *, int, int *, uint64_t *, uint64_t *, int64_t *);
	} next;
	struct dls__ident *loc;		/* ... and its arguments */
	int gtid;
	int last;			/* ... its chunk was the loop's last */
	struct dls__chunk first;	/* the chunk that the loop's start function returned */
};

/* A loop's indices, as bits. */
struct dls__index_range {
	uint64_t begin, end, step;
	bool down;			/* GOMP: indices fall, and the step is `step` - 2^64 */
};

/* A thread in a region, while our function that calls the region's function runs. */
struct dls__omp_thread {
	struct dls__omp_thread *outer;
	struct dls__omp_region *region;	/* NULL: the library has not opened the region, or `nested` */
	unsigned phase;			/* barriers so far */
	unsigned virtual, virtuals;	/* number, from 1, of the one being run, 0: none; how many */
	unsigned calls;			/* the last calls, DLS__ASKS_..., as digits to base 4 */
	unsigned had;			/* enum dls__history */
	/* Since the last barrier: where the number of threads was asked for, where a static loop of gcc's begins;
	 * NULL: nowhere. */
	const struct dls__call_site *asked, *split;
	bool more;			/* since the last barrier the thread has run more than loops */
	bool dealt;			/* libdls has dealt a loop here */
	const struct dls__runtime *runtime;
	enum dls__loop_state loop;
	int level;			/* by the runtime */
	bool nested;			/* for one loop within another; from malloc() */
	bool doacross;			/* the next loop is doacross */
	struct dls__native_loop native;
	struct dls__index_range range;
	const struct dls__call_site *call_site;
	struct dls__team_state state;
	struct dls__cursor cursor;
};

extern _Thread_local struct dls__omp_thread *dls__omp_thread;

/* Allocate a record, too large for a small stack; free it, which keeps the memory for this thread's next
 * region.  NULL: there is no memory. */
struct dls__omp_thread *dls__omp_thread_new(void);
void dls__omp_thread_keep(struct dls__omp_thread *thread);

/* Enter a region; leave it. */
void dls__omp_thread_enter(struct dls__omp_thread *thread, struct dls__omp_region *region);
void dls__omp_thread_leave(struct dls__omp_thread *thread);

/* Whether this thread is in its record's region, not in a nested region that the library has not seen. */
static inline bool dls__omp_thread_within(const struct dls__omp_thread *t)
{
	return t->runtime->omp_get_level() == t->level;
}

/* Calls by which static loops are recognised: gcc's code asks for the number of threads, then for the
 * thread's number; clang's asks for its block.  Other calls count as ASKS_NUMBER. */
enum { DLS__ASKS_THREADS = 1, DLS__ASKS_NUMBER, DLS__ASKS_BLOCK };

static inline void dls__omp_thread_asks(struct dls__omp_thread *t, unsigned what)
{
	t->calls = 4 * t->calls + what;		/* after an overflow it does not look like few calls */
}

/* Whether a thread has made exactly the calls of one static loop. */
static inline bool dls__omp_thread_is_loop(const struct dls__omp_thread *t)
{
	return t->calls == 4 * DLS__ASKS_THREADS + DLS__ASKS_NUMBER || t->calls == DLS__ASKS_BLOCK;
}

/* What to do with a call site's loop here; nothing if it is not a loop of the region that this thread is
 * in. */
static inline enum dls__action dls__omp_thread_action(const struct dls__omp_thread *t,
						      const struct dls__call_site *call_site)
{
	return t && t->runtime == call_site->runtime && call_site->open && !t->doacross &&
	       t->loop == DLS__NO_LOOP && dls__omp_thread_within(t) ? call_site->action : DLS__PASSES;
}

/* A loop begins within a taken or measured one: the runtime deals it, and until it ends the thread has
 * another record. */
void dls__omp_nested_begin(const struct dls__runtime *runtime);
void dls__omp_nested_end(void);

/* Open a loop of n iterations.  multiple: chunks start and end at multiples of it.  own: how the runtime would deal it, or NULL. */
void dls__omp_loop_open(struct dls__omp_thread *t, const struct dls__call_site *call_site, uint64_t n,
			uint64_t multiple, const struct dls_schedule *own);

/* Measure a loop; `like` is how the runtime deals it.  scattered: the iterations of a chunk are not
 * consecutive. */
void dls__omp_loop_measure(struct dls__omp_thread *t, const struct dls__call_site *call_site, uint64_t n,
			   const struct dls_schedule *like, bool scattered,
			   struct dls__chunk (*take)(struct dls__cursor *, uint64_t));

/* There are no more chunks. */
static inline void dls__omp_loop_done(struct dls__omp_thread *t)
{
	if (t->loop <= DLS__MEASURED)
		t->loop = t->loop == DLS__TAKEN ? DLS__TAKEN_DONE : DLS__MEASURED_DONE;
}

/* The next chunk of a taken or measured loop; n = 0: none. */
static inline struct dls__chunk dls__omp_loop_next(struct dls__omp_thread *t)
{
	struct dls__chunk chunk = dls__next(&t->cursor.head);

	if (__builtin_expect(chunk.n == 0, 0))
		dls__omp_loop_done(t);
	return chunk;
}

/* End the loop, whether or not all chunks have been taken.  Returns its state. */
static inline enum dls__loop_state dls__omp_loop_end(struct dls__omp_thread *t)
{
	enum dls__loop_state state = t->loop;

	if (state == DLS__TAKEN || state == DLS__MEASURED)
		dls__work_share_drop(&t->cursor);
	t->loop = DLS__NO_LOOP;
	return state;
}

/* A thread comes to a loop or a barrier: end its loop if that was cancelled. */
static inline void dls__omp_thread_here(void)
{
	struct dls__omp_thread *t = dls__omp_thread;

	if (t && t->loop != DLS__NO_LOOP && dls__omp_thread_within(t))
		dls__omp_loop_end(t);
}

static inline struct dls__omp_thread *dls__omp_thread_of(struct dls__cursor *c)
{
	return (struct dls__omp_thread *)((char *)c - offsetof(struct dls__omp_thread, cursor));
}

#endif
