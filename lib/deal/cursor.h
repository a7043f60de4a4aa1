/* cursor.h - a worker's place in one execution of a loop: the head, which programs read, and the library's own fields. */
#ifndef LIB_DEAL_CURSOR_H
#define LIB_DEAL_CURSOR_H

#include <stddef.h>

#include "dls/calc.h"
#include "dls/omp.h"
#include "lib/deal/grid.h"
#include "lib/deal/measuring.h"

struct dls__deal;
struct dls__kept_site;

enum { DLS__WINDOW = 64 };

/* What may stand between a dispenser and a worker: see layer.h. */
enum dls__layer {
#define X(name) DLS__LAYER_##name,
#include "lib/deal/layers.h"
#undef X
	DLS__LAYERS
};

/* Where a cursor's chunks come from while a layer stands before it. */
struct dls__source {
	uint64_t *counter;
	struct dls__chunk (*take)(struct dls__cursor *, uint64_t ticket);
};

/* What a worker restores or hands back in its region as it leaves the loop. */
struct dls__exit {
	struct dls__chain *team;	/* plain region: the record to hand back */
	struct dls__shared *shared;	/* ... what its threads share for the loop */
	struct dls__thread *thread;	/* that has entered the loop */
	struct dls__visit visit;	/* ... its visit to a region of this loop alone */
	struct dls__launch *launch;	/* ... and how it was opened */
	void (*leave_region)(struct dls__cursor *);	/* the region's `leave`, if the cursor's is one that calls it */
	struct dls__kept_site *timed;	/* of a small loop's block that is timed, */
	uint64_t began;			/* ... ns */
	struct dls__cursor *outer;	/* the loop that this one is inside; NULL: none */
	int outer_busy;			/* `busy` of the seat before this loop, */
	struct dls_site *outer_where;	/* ... and `where` */
	struct dls__kept_site *site;	/* worker 0: where the execution is counted; else NULL */
};

struct dls__cursor {
	struct dls__head head;
	struct dls__deal *deal;	/* what the workers share; NULL: nothing, or `next` */
	unsigned worker, workers;
	union {
		uint64_t own[12];	/* of the deal's dispenser, set by its join */
		struct dls__chunk (*native)(struct dls__cursor *, uint64_t ticket);	/* the runtime's take, set before the join */
		uint64_t *next;		/* late: the first iteration that no worker has taken, changed atomically */
	};
	void (*leave)(struct dls__cursor *);	/* called once, at the end */
	struct dls__exit exit;		/* OpenMP */
	struct dls__source beneath[DLS__LAYERS];	/* what each layer stands before */
	void (*leave_beneath)(struct dls__cursor *);	/* `leave` while layers leave first */
	struct dls__grid grid;		/* align: where chunks start and end */
	struct dls__chunk last;		/* hold: the loop's last chunk; n = 0: this worker has not got it */
	struct dls__figures figures;	/* measured */
	const struct dls_schedule *asked;	/* a worker that is alone: the schedule of its loop; NULL: it has no site */
	bool cancelled;			/* DLS_REDUCE: by this worker */
	bool late;			/* chunks are taken by `next` */
	struct dls__partials *partials;	/* ... what the workers share; NULL: this one runs all of the loop, or nothing */
	uint64_t state[DLS_STATE_MAX / 8];	/* the calculator's */
	uint64_t window[DLS__WINDOW + 1];	/* where tickets begin, for the head */
};

/* What programs have compiled into them stays where it is. */
#define DLS__WORD(i, word) _Static_assert(sizeof(void *) != 8 || offsetof(struct dls__head, word) == 8 * (i), #word)
DLS__WORD(0, counter);
DLS__WORD(1, units);
DLS__WORD(2, last);
DLS__WORD(3, size);
DLS__WORD(4, past);
DLS__WORD(5, window);
DLS__WORD(6, take);
DLS__WORD(7, n);
_Static_assert(sizeof(struct dls__head) <= 64 && sizeof(struct dls__cursor) <= sizeof(struct dls__room) &&
	       _Alignof(struct dls__cursor) <= _Alignof(struct dls__room), "eight words, and room for the rest");

/* Put a layer's take before what the cursor takes from, and remove it again. */
static inline void dls__cover(struct dls__cursor *c, enum dls__layer layer,
			      struct dls__chunk (*take)(struct dls__cursor *, uint64_t ticket))
{
	c->beneath[layer] = (struct dls__source){ c->head.counter, c->head.take };
	c->head.counter = NULL;
	c->head.take = take;
}

static inline void dls__uncover(struct dls__cursor *c, enum dls__layer layer)
{
	c->head.counter = c->beneath[layer].counter;
	c->head.take = c->beneath[layer].take;
}

/* Before a join or a take without a deal. */
static inline void dls__cursor_init(struct dls__cursor *c, uint64_t N, unsigned worker, unsigned workers,
				    void (*leave)(struct dls__cursor *))
{
	c->head.counter = NULL;
	c->head.n = N;
	c->deal = NULL;
	c->late = false;
	c->worker = worker;
	c->workers = workers;
	c->leave = leave;
}

/* Take the loop without a deal: as one chunk, or the worker's static share. */
void dls__take_all(struct dls__cursor *cursor);
void dls__take_share(struct dls__cursor *cursor);

/* Take the share at once. */
struct dls__chunk dls__share_of(struct dls__cursor *cursor);

/* Layers of a cursor whose deal does not ask for them, or that has none: have all chunks start and end on a grid. */
void dls__align(struct dls__cursor *cursor, struct dls__grid grid);

/* The take of a worker that is done: leaves the loop, and returns no chunk from then on. */
struct dls__chunk dls__leave(struct dls__cursor *cursor, uint64_t ticket);

#endif
