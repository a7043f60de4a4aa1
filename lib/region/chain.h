/* chain.h - the record that the threads of a region share, a chain of segments in which their loops' deals
 * stand; and the seat of each in it.
 *
 * Loops are not released one by one: a segment is free again when all threads have moved past it, so a
 * chain of .nowait loops never waits for the slowest thread.
 *
 * G2: a segment is put aside by the one thread that is the last to move past it, all others then holding a
 *     later one.
 * G3: between regions no thread is inside; the next region, of any number of threads, starts over in the
 *     segment where the last one stopped. */
#ifndef LIB_REGION_CHAIN_H
#define LIB_REGION_CHAIN_H

#include "lib/deal/deal.h"

enum { DLS__SEGMENT = 16 };

struct dls__seg {
	struct dls__deal deal[DLS__SEGMENT];
	_Atomic(struct dls__seg *) next;	/* NULL: no thread has needed it yet; no_memory: it could not be allocated */
	_Alignas(DLS__APART) atomic_uint passed;	/* threads of the region that have moved on */
};

struct dls__chain {
	/* Where the next region's loops start, in the segment's first deal, and the number of the first of them. */
	struct dls__seg *seg;
	uint64_t loop;
	bool ended;		/* there was no memory for a next segment */
	unsigned workers;	/* of the region, once worker 0 has left it and written the above; until then 0 */
	_Atomic(struct dls__seg *) spare;	/* a segment put aside, or NULL */
	_Alignas(DLS__APART) atomic_uint gone;	/* if regions may be cancelled: threads that have left its body by the end */
};

/* A thread's place in the region it is in. */
struct dls__seat {
	struct dls__chain *team;	/* NULL: there was no memory for it */
	struct dls__seg *seg;		/* where the next loop's deal stands */
	unsigned index;			/* ... in that segment */
	bool ended;			/* there is none: worker 0 runs the loops */
	bool opened;			/* foreign: that loop was opened before the region */
	uint64_t loop;			/* number of that loop in the record's life */
	uint64_t epoch;			/* when the region was opened */
	int level;			/* omp_get_level() of the region; -1: none of ours */
	int busy;			/* level of the loop whose body this thread is in; -1: none */
	struct dls_site *where;		/* ... that loop, for the message about nesting; NULL: that of a launch */
	unsigned worker, workers;
};
_Static_assert(sizeof(struct dls__seat) <= sizeof(((struct dls__visit *)0)->outer), "a seat has room in a visit");

/* Get a record that no region uses; NULL: there is no memory.  Put it back, or free it with all its deals. */
struct dls__chain *dls__chain_get(void);
void dls__chain_put(struct dls__chain *chain);
void dls__chain_free(struct dls__chain *chain);

/* Move the seat to the next segment.  Without memory the whole team comes to the same end of the chain, and
 * has worker 0 run what is left of the region. */
void dls__seat_move(struct dls__seat *seat);

/* The deal of the seat's next loop, which it goes past, and the loop's number; NULL: there is no memory for it. */
static inline struct dls__deal *dls__seat_deal(struct dls__seat *seat, uint64_t *loop)
{
	*loop = seat->loop++;
	if (seat->index == DLS__SEGMENT && !seat->ended)
		dls__seat_move(seat);
	return seat->ended ? NULL : &seat->seg->deal[seat->index++];
}

#endif
