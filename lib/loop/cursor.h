/* cursor.h - a worker's place in one execution of a loop: its head, which programs read, and what the library alone knows. */
#ifndef LIB_LOOP_CURSOR_H
#define LIB_LOOP_CURSOR_H

#include <stddef.h>

#include "dls/calc.h"
#include "dls/omp.h"

struct dls__deal;
struct dls__site;
struct dls__watch;

enum { DLS__WINDOW = 64 };

/* Where a cursor's chunks come from, while something else stands before it. */
struct dls__source {
	uint64_t *counter;
	struct dls__chunk (*take)(struct dls__cursor *, uint64_t ticket);
};

/* A walk through the sequence of a loop's chunks, which is the same to all workers: the equal chunks in a row that were
 * worked out last. */
struct dls__walk {
	uint64_t K, lo, end;	/* iterations lo .. end - 1, K each */
	uint64_t first, past;	/* tickets first .. past - 1 */
	uint64_t hash;		/* of a sequence that is checked, up to here; else 0 */
};

struct dls__cursor {
	struct dls__head head;
	struct dls__deal *deal;	/* what the workers share; NULL: nothing */
	unsigned worker, workers;
	union {			/* of the deal's dispenser, set by its join */
		struct {
			struct dls__walk walk;
		} tickets;
		struct {
			struct dls__walk walk;
			uint64_t drawn, end;	/* units of the last draw */
			uint64_t wish;		/* units that this worker's weight makes */
			uint64_t size;		/* of the ticket where the last draw ended */
			uint64_t most;		/* iterations of the longest chunk */
			uint64_t renewed;	/* learning each batch: the batch that counted last, plus 1 */
		} shares;
		struct {
			uint64_t next;		/* number of its next chunk */
			uint64_t handed;	/* iterations, so far */
		} own;
		struct {
			uint64_t K;		/* iterations of a chunk */
		} ranges;
		struct {
			uint64_t unit;		/* iterations */
		} tiles;
	};
	void (*leave)(struct dls__cursor *);	/* called once, at the end */
	struct dls__team *team;	/* plain OpenMP region: the record to hand back */
	struct dls__seat *seat;	/* OpenMP: the thread's */
	int outer_busy;		/* ... what it said before */
	struct dls_site *outer_where;
	struct dls__site *site;	/* OpenMP, worker 0: where the execution is counted at its end; else NULL */
	struct dls__source whole;	/* dealt one by one: what is split */
	struct dls__chunk split;	/* ... and what is left of the chunk in hand */
	struct dls__watch *watch;	/* measured: what this worker has done; else NULL */
	struct dls__source watched;	/* ... what is measured, and its leave */
	void (*watched_leave)(struct dls__cursor *);
	struct dls_measured view;
	bool late;			/* its own figures are still to be told */
	uint64_t state[DLS_STATE_MAX / 8];	/* the calculator's */
	uint64_t window[DLS__WINDOW + 1];	/* where tickets begin, for the head */
};

/* What programs have compiled into them stays where it is. */
#define DLS__WORD(i, word) _Static_assert(sizeof(void *) != 8 || offsetof(struct dls__head, word) == 8 * (i), #word)
DLS__WORD(0, counter);
DLS__WORD(1, units);
DLS__WORD(2, last);
DLS__WORD(3, K);
DLS__WORD(4, past);
DLS__WORD(5, window);
DLS__WORD(6, take);
DLS__WORD(7, N);
_Static_assert(sizeof(struct dls__head) <= 64 && sizeof(struct dls__cursor) <= sizeof(struct dls__room) &&
	       _Alignof(struct dls__cursor) <= _Alignof(struct dls__room), "eight words, and room for the rest");

/* Put a take of one's own before what the cursor takes by, which `beneath` keeps; and take it away again. */
static inline void dls__interpose(struct dls__cursor *c, struct dls__source *beneath,
				  struct dls__chunk (*take)(struct dls__cursor *, uint64_t ticket))
{
	*beneath = (struct dls__source){ c->head.counter, c->head.take };
	c->head.counter = NULL;
	c->head.take = take;
}

static inline void dls__uncover(struct dls__cursor *c, const struct dls__source *beneath)
{
	c->head.counter = beneath->counter;
	c->head.take = beneath->take;
}

/* The loop without any deal: as one chunk, or as worker's static share. */
void dls__take_all(struct dls__cursor *cursor);
void dls__take_share(struct dls__cursor *cursor);

/* From now on one iteration at a time, of whatever is dealt. */
void dls__split(struct dls__cursor *cursor);

/* The end of a worker's way through a loop: what take returns then, and from then on. */
struct dls__chunk dls__leave(struct dls__cursor *cursor, uint64_t ticket);

#endif
