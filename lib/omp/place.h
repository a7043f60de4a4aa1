/* place.h - where a thread is: the region it is in, and its loop. */
#ifndef LIB_OMP_PLACE_H
#define LIB_OMP_PLACE_H

#include "lib/omp/spot.h"

enum dls__mode {		/* odd: libdls deals */
	DLS__NO_LOOP,		/* or one that the runtime deals */
	DLS__TAKEN,		/* libdls deals */
	DLS__WATCHED,		/* the runtime deals, libdls looks on */
	DLS__TAKEN_OVER, DLS__WATCHED_OVER,	/* the same, when there are no more chunks */
};

struct dls__slot {
	struct dls__region_part part;
	bool looped;		/* there was a loop in it, which is known by itself */
};

static inline void dls__slot_end(struct dls__slot *slot)
{
	slot->part.end = dls__foreign_clock();
	slot->looped |= dls__foreign_freed() >= slot->part.begin;
}

/* What the threads of a region share here. */
struct dls__scene {
	const struct dls__runtime *runtime;
	const struct dls__spot *spot;	/* of its function; NULL: nothing of what follows the next is used */
	const struct dls__spot *whole;	/* of its function, whatever it is */
	struct dls__parallel region;
	bool virtual;			/* one static loop, whose threads' blocks are dealt */
	atomic_bool mixed;		/* its threads did anything else */
	/* What happened between barriers: two slots for each worker, in turns. */
	struct dls__slot (*slot)[2];	/* NULL: not watched */
	unsigned slots;
	unsigned workers, phases;	/* of worker 0, at its end */
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
	struct dls__chunk first;	/* what the loop's start has given */
};

/* A loop's indices, as bits. */
struct dls__index_range {
	uint64_t begin, end, step;
	bool down;			/* GOMP: they fall, and `step` is what their step is from 2^64 */
};

/* A thread's place in a region: on the stack of the function of ours that calls the region's. */
struct dls__place {
	struct dls__place *outer;
	struct dls__scene *scene;	/* NULL: the region is none of ours, or `aside` */
	unsigned phase;			/* barriers so far */
	unsigned virtual, virtuals;	/* number of the thread that this one is for now, from 1, and of how many; 0: itself */
	unsigned calls;			/* what its functions asked: see dls__place_leave() */
	bool mixed;
	bool dealt;			/* libdls has dealt a loop here */
	const struct dls__runtime *runtime;
	enum dls__mode mode;
	int level;			/* by the runtime */
	bool aside;			/* of one loop that is none of the region's: from malloc() */
	bool doacross;			/* the loop to come is one */
	struct dls__native_watch watch;
	struct dls__index_range range;
	const struct dls__spot *spot;
	struct dls__seat seat;
	struct dls__cursor cursor;
};

extern _Thread_local struct dls__place *dls__place;

/* Enter and leave a region. */
void dls__place_enter(struct dls__place *place, struct dls__scene *scene);
void dls__place_leave(struct dls__place *place);

/* Whether this thread is in the region of its place itself, not in one within that was not seen. */
static inline bool dls__place_within(const struct dls__place *p)
{
	return p->runtime->omp_get_level() == p->level;
}

/* Calls by which a static loop is known: gcc's asks for both numbers once, clang's for its block. */
enum { DLS__ASKS_NUMBER = 1, DLS__ASKS_THREADS = 0x100, DLS__ASKS_BLOCK = 0x10000 };

/* Whether a spot's loop is one of the region that this thread is in, and to be dealt or watched here. */
static inline enum dls__does dls__place_does(const struct dls__place *p, const struct dls__spot *spot)
{
	return p && p->runtime == spot->runtime && spot->open && !p->doacross && p->mode == DLS__NO_LOOP &&
	       dls__place_within(p) ? spot->does : DLS__PASSES;
}

/* The runtime deals a loop that begins within a taken or watched one: as long as it lasts, the thread has another place. */
void dls__place_step_aside(const struct dls__runtime *runtime);
void dls__place_step_back(void);

/* Open a loop of n iterations.  multiple: chunks start and end at multiples of it. */
void dls__place_open(struct dls__place *p, const struct dls__spot *spot, uint64_t n, uint64_t multiple);

/* Watch one; `like` says how the runtime deals.  scattered: a chunk stands for iterations that do not follow one another. */
void dls__place_watch(struct dls__place *p, const struct dls__spot *spot, uint64_t n, const struct dls_schedule *like, bool scattered,
		      struct dls__chunk (*take)(struct dls__cursor *, uint64_t));

/* There are no more chunks. */
static inline void dls__place_over(struct dls__place *p)
{
	if (p->mode <= DLS__WATCHED)
		p->mode = p->mode == DLS__TAKEN ? DLS__TAKEN_OVER : DLS__WATCHED_OVER;
}

/* The next chunk of a loop taken or watched; n = 0: none. */
static inline struct dls__chunk dls__place_next(struct dls__place *p)
{
	struct dls__chunk chunk = dls__next(&p->cursor.head);

	if (__builtin_expect(chunk.n == 0, 0))
		dls__place_over(p);
	return chunk;
}

/* End the loop, whether or not all chunks have been taken.  Returns what it was. */
static inline enum dls__mode dls__place_end(struct dls__place *p)
{
	enum dls__mode mode = p->mode;

	if (mode == DLS__TAKEN || mode == DLS__WATCHED)
		dls__foreign_drop(&p->cursor);
	p->mode = DLS__NO_LOOP;
	return mode;
}

/* A thread comes to a loop or a barrier: a cancelled loop is over there. */
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
