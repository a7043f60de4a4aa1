/* place.h - where a thread is: the region it is in, and its loop. */
#ifndef LIB_OMP_PLACE_H
#define LIB_OMP_PLACE_H

#include "lib/omp/spot.h"

enum dls__mode {		/* odd: libdls deals */
	DLS__NO_LOOP,		/* no loop, or one that the runtime deals */
	DLS__TAKEN,		/* libdls deals */
	DLS__WATCHED,		/* the runtime deals, libdls measures */
	DLS__TAKEN_OVER, DLS__WATCHED_OVER,	/* TAKEN and WATCHED after the last chunk */
};

struct dls__slot {
	struct dls__region_part part;
	bool looped;		/* a loop ran in it, which is reported by itself */
};

static inline void dls__slot_end(struct dls__slot *slot)
{
	slot->part.end = dls__foreign_clock();
	slot->looped |= dls__measure_freed() >= slot->part.begin;
}

/* A region of an unmodified program; its threads share this record. */
struct dls__scene {
	const struct dls__runtime *runtime;
	const struct dls__spot *spot;	/* its function's; NULL: members after `whole` are unused */
	const struct dls__spot *whole;	/* its function's, never NULL */
	struct dls__parallel region;	/* team NULL: there is no memory for it */
	const char *source;		/* ... as the compiler names it; NULL: it does not */
	bool apart;			/* clang's: its static loops call the runtime, and are seen */
	bool virtual;			/* it is one static loop, dealt by virtual threads */
	atomic_uint had;		/* what its threads have run: enum dls__past */
	/* What happened between barriers: two slots for each worker, in turns. */
	struct dls__slot (*slot)[2];	/* NULL: not watched */
	unsigned slots;
	unsigned workers, phases;	/* worker 0's numbers, at the region's end */
	const struct dls__spot *split;	/* ... from worker 0's place */
	bool more;
	bool dealt;			/* ... it had a loop from libdls */
	uint64_t begin;
};

/* Watched: the runtime's function for the next chunk, ... */
struct dls__native_watch {
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

/* A thread's place in a region, while our function that calls the region's function runs. */
struct dls__place {
	struct dls__place *outer;
	struct dls__scene *scene;	/* NULL: the library has not opened the region, or `aside` */
	unsigned phase;			/* barriers so far */
	unsigned virtual, virtuals;	/* number, from 1, of the one being run, 0: none; how many */
	unsigned calls;			/* the last calls, DLS__ASKS_..., as digits to base 4 */
	unsigned had;			/* enum dls__past */
	/* Since the last barrier: where the number of threads was asked for, where a static loop of gcc's begins;
	 * NULL: nowhere. */
	const struct dls__spot *asked, *split;
	bool more;			/* since the last barrier the thread has run more than loops */
	bool dealt;			/* libdls has dealt a loop here */
	const struct dls__runtime *runtime;
	enum dls__mode mode;
	int level;			/* by the runtime */
	bool aside;			/* a place for one loop of another region; from malloc() */
	bool doacross;			/* the next loop is doacross */
	struct dls__native_watch watch;
	struct dls__index_range range;
	const struct dls__spot *spot;
	struct dls__seat seat;
	struct dls__cursor cursor;
};

extern _Thread_local struct dls__place *dls__place;

/* Allocate a place, too large for a small stack; free it, which keeps the memory for this thread's next
 * region.  NULL: there is no memory. */
struct dls__place *dls__place_new(void);
void dls__place_keep(struct dls__place *place);

/* Enter a region; leave it. */
void dls__place_enter(struct dls__place *place, struct dls__scene *scene);
void dls__place_leave(struct dls__place *place);

/* Whether this thread is in its place's region, not in a nested region that the library has not seen. */
static inline bool dls__place_within(const struct dls__place *p)
{
	return p->runtime->omp_get_level() == p->level;
}

/* Calls by which static loops are recognised: gcc's code asks for the number of threads, then for the
 * thread's number; clang's asks for its block.  Other calls count as ASKS_NUMBER. */
enum { DLS__ASKS_THREADS = 1, DLS__ASKS_NUMBER, DLS__ASKS_BLOCK };

static inline void dls__place_asks(struct dls__place *p, unsigned what)
{
	p->calls = 4 * p->calls + what;		/* after an overflow it does not look like few calls */
}

/* Whether a thread has made exactly the calls of one static loop. */
static inline bool dls__place_is_loop(const struct dls__place *p)
{
	return p->calls == 4 * DLS__ASKS_THREADS + DLS__ASKS_NUMBER || p->calls == DLS__ASKS_BLOCK;
}

/* What to do with a spot's loop here; nothing if it is not a loop of the region that this thread is in. */
static inline enum dls__does dls__place_does(const struct dls__place *p, const struct dls__spot *spot)
{
	return p && p->runtime == spot->runtime && spot->open && !p->doacross && p->mode == DLS__NO_LOOP &&
	       dls__place_within(p) ? spot->does : DLS__PASSES;
}

/* A loop begins within a taken or watched one: the runtime deals it, and until it ends the thread has another
 * place. */
void dls__place_step_aside(const struct dls__runtime *runtime);
void dls__place_step_back(void);

/* Open a loop of n iterations.  multiple: chunks start and end at multiples of it.  own: how the runtime would deal it, or NULL. */
void dls__place_open(struct dls__place *p, const struct dls__spot *spot, uint64_t n, uint64_t multiple, const struct dls_schedule *own);

/* Watch a loop; `like` is how the runtime deals it.  scattered: the iterations of a chunk are not consecutive. */
void dls__place_watch(struct dls__place *p, const struct dls__spot *spot, uint64_t n, const struct dls_schedule *like, bool scattered,
		      struct dls__chunk (*take)(struct dls__cursor *, uint64_t));

/* There are no more chunks. */
static inline void dls__place_over(struct dls__place *p)
{
	if (p->mode <= DLS__WATCHED)
		p->mode = p->mode == DLS__TAKEN ? DLS__TAKEN_OVER : DLS__WATCHED_OVER;
}

/* The next chunk of a taken or watched loop; n = 0: none. */
static inline struct dls__chunk dls__place_next(struct dls__place *p)
{
	struct dls__chunk chunk = dls__next(&p->cursor.head);

	if (__builtin_expect(chunk.n == 0, 0))
		dls__place_over(p);
	return chunk;
}

/* End the loop, whether or not all chunks have been taken.  Returns its mode. */
static inline enum dls__mode dls__place_end(struct dls__place *p)
{
	enum dls__mode mode = p->mode;

	if (mode == DLS__TAKEN || mode == DLS__WATCHED)
		dls__deal_drop(&p->cursor);
	p->mode = DLS__NO_LOOP;
	return mode;
}

/* A thread comes to a loop or a barrier: end its loop if that was cancelled. */
static inline void dls__place_here(void)
{
	struct dls__place *p = dls__place;

	if (p && p->mode != DLS__NO_LOOP && dls__place_within(p))
		dls__place_end(p);
}

static inline struct dls__place *dls__place_of(struct dls__cursor *c)
{
	return (struct dls__place *)((char *)c - offsetof(struct dls__place, cursor));
}

#endif
