/* rips.h - a processor under runtime incremental parallel scheduling: its phases (rips.c), and the sums and tasks that move in a
 * system phase (rips_move.c). */
#ifndef SCHED_BALANCE_RIPS_H
#define SCHED_BALANCE_RIPS_H

#include "walk.h"

/* Parameters, words of one of them, message kinds. */
enum { RIPS_TRANSFER, RIPS_QUEUE, RIPS_WALK, RIPS_DETECT, RIPS_T, RIPS_ELIGIBLE, RIPS_LOW };
enum { RIPS_TWA, RIPS_MTWA, RIPS_TWAET, RIPS_DEM };	/* of RIPS_WALK */
enum { RIPS_READY, RIPS_INIT, RIPS_AGAIN, RIPS_SUM, RIPS_MEAN, RIPS_TASKS, RIPS_LOAD };

enum { RIPS_FOLDS = 27 };	/* of a mesh of three dimensions, 2^24 processors and extents just above powers of two */

/* A user phase; a system phase: sums go up the tree, the mean comes down, tasks move. */
enum rips_stage { RIPS_USER, RIPS_GATHER, RIPS_AWAIT, RIPS_MOVE };

/* What is queued on some processors, and how many tasks they have suspended. */
struct rips_sum {
	int64_t load, tasks, suspended;
};

/* An edge of the tree. */
struct rips_edge {
	int64_t W, tasks;	/* to a child: what is queued in its subtree */
	int64_t came;		/* of a transfer under way */
};

struct rips {
	enum rips_stage stage;
	uint32_t phase;			/* system phases entered so far: the phase index ... */
	uint32_t wanted;		/* ... and that of the newest it has been asked for */
	unsigned order, N_i;		/* in the tree; the paper's i */
	unsigned parent, children;
	bool over;			/* no task is left anywhere */
	bool low;			/* in the last system phase there were fewer tasks than processors */
	bool given;			/* and this one was given some */
	bool fresh;			/* it has something to run, and has not run a task in this user phase ... */
	int64_t load;			/* ... at whose begin this was its load */
	bool dry;			/* RTE is empty, in this user phase */
	bool due;			/* to be reported upwards, once all children have */
	unsigned heard, ready, through;	/* children that have; processors below that are ready, that are through with tasks */
	uint64_t since, given_last;	/* ns: this user phase began; the last one did that began with tasks here */
	uint64_t progressed;		/* ns: the root's last reduction that found a processor through with tasks, and began a phase */
	/* The system phase. */
	unsigned summed;		/* children whose sums have come */
	struct rips_sum sum;		/* of these */
	bool by_number;			/* amounts are numbers of tasks, not loads */
	bool arriving;			/* tasks enter the queue once the handler has returned ... */
	unsigned edge;			/* ... over this edge ... */
	int64_t before, total;		/* ... whose load was this; their transfer's is that */
	unsigned dimension;		/* walk=dem */
	bool begun;			/* the partner has been told */
	bool told[RIPS_FOLDS];		/* the partner has told ... */
	int64_t theirs[RIPS_FOLDS];	/* ... this */
	int64_t *flow;			/* what is still to pass over each edge, as in walk.h */
	struct rips_edge link[];	/* the parent's first */
};

enum { RIPS_MORE = 2 };	/* a processor has at most so many edges more than neighbours */

/* The end of the edge, and the other way round. */
unsigned dls__rips_end(const struct dls_vp *vp, const struct rips *r, unsigned edge);
unsigned dls__rips_edge(const struct dls_vp *vp, const struct rips *r, unsigned other);

/* Whether a task is suspended, or, in the load handler, running on. */
static inline bool dls__rips_suspended(const struct dls_vp *vp)
{
	return dls_vp_load(vp) > dls_vp_queued(vp);
}

/* Sum up, once all children have; a child's sums have come.  True: this is the root, and `sum` is the sum of all. */
bool dls__rips_gather(struct dls_vp *vp, struct rips *r);
bool dls__rips_summed(struct dls_vp *vp, struct rips *r, const struct dls_message *message);

/* What follows returns whether all has moved. */

/* The mean has come. */
bool dls__rips_begin(struct dls_vp *vp, struct rips *r, struct dls__mean mean);
/* A message with tasks, or in the place of tasks, has come; its tasks have entered the queue. */
bool dls__rips_arrived(struct dls_vp *vp, struct rips *r, const struct dls_message *message);
bool dls__rips_entered(struct dls_vp *vp, struct rips *r);
/* A partner has told its load; not only while tasks move. */
bool dls__rips_told(struct dls_vp *vp, struct rips *r, const int64_t *word);

#endif
