/* rips.h - a processor under runtime incremental parallel scheduling: its phases (rips.c), and the sums and tasks of a system
 * phase (rips_move.c). */
#ifndef SCHED_BALANCE_RIPS_H
#define SCHED_BALANCE_RIPS_H

#include "walk.h"

/* Parameters; the words of the parameter `walk`; message kinds. */
enum { RIPS_TRANSFER, RIPS_QUEUE, RIPS_WALK, RIPS_ELIGIBLE };
enum { RIPS_TWA, RIPS_MTWA, RIPS_TWAET, RIPS_DEM };	/* of RIPS_WALK */
enum { RIPS_READY, RIPS_INIT, RIPS_SUM, RIPS_MEAN, RIPS_TASKS, RIPS_LOAD };

enum { RIPS_FOLDS = 27 };	/* of a mesh of three dimensions, 2^24 processors and extents just above powers of two */

/* A user phase; a system phase: sums go up the tree, the mean comes down, tasks move. */
enum rips_stage { RIPS_USER, RIPS_GATHER, RIPS_AWAIT, RIPS_MOVE };

/* Load queued on some processors, and the number of their suspended tasks. */
struct rips_sum {
	int64_t load, tasks, suspended;
};

/* An edge of the tree. */
struct rips_edge {
	int64_t W, tasks;	/* of a child: load and tasks queued in its subtree */
	int64_t came;		/* load received so far of a transfer under way */
};

struct rips {
	enum rips_stage stage;
	uint32_t phase;			/* system phases entered so far: the phase index ... */
	uint32_t wanted;		/* ... and the newest one requested */
	unsigned order, N_i;		/* the paper's i, by order in the tree */
	unsigned parent, children;
	bool over;			/* no task is left anywhere */
	bool low;			/* last phase: fewer tasks than processors, so amounts are tasks */
	bool given;			/* the last system phase gave this processor tasks */
	bool fresh;			/* it has something to run, and has not run a task in this user phase ... */
	int64_t load;			/* ... and this was its load at the begin of that phase */
	bool shut;			/* tasks that come in this user phase stay behind the divider */
	bool dry;			/* RTE is empty, in this user phase */
	bool due;			/* report upwards as soon as all children have */
	unsigned heard;			/* children that have reported */
	uint64_t since, given_last;	/* ns: begin of this user phase; of the last one that began with tasks here */
	/* The system phase. */
	unsigned summed;		/* children whose sums have come */
	struct rips_sum sum;		/* of these */
	bool arriving;			/* a message's tasks enter the queue once its handler has returned: */
	unsigned edge;			/* the edge that they came over */
	int64_t before, total;		/* load of the queue without them; load of their whole transfer */
	unsigned dimension;		/* walk=dem */
	bool begun;			/* this processor's load was sent to the partner */
	bool told[RIPS_FOLDS];		/* by dimension: the partner has sent its load */
	int64_t theirs[RIPS_FOLDS];	/* that load */
	int64_t *flow;			/* amount still to be sent over each edge, as in walk.h */
	struct rips_edge link[];	/* the parent's first */
};

enum { RIPS_MORE = 2 };	/* edges of a processor beyond its neighbours, at most */

/* The processor at the end of an edge. */
unsigned dls__rips_end(const struct dls_vp *vp, const struct rips *r, unsigned edge);

/* Whether a task is suspended or, if called in the load handler, running. */
static inline bool dls__rips_suspended(const struct dls_vp *vp)
{
	return dls_vp_load(vp) > dls_vp_queued_load(vp);
}

/* Send the sums to the parent as soon as all children's have come; handle a child's sums.  True: this is the
 * root, and `sum` is the sum of all. */
bool dls__rips_gather(struct dls_vp *vp, struct rips *r);
bool dls__rips_summed(struct dls_vp *vp, struct rips *r, const struct dls_message *message);

/* The functions below return whether all tasks have moved. */

/* Handle the mean. */
bool dls__rips_begin(struct dls_vp *vp, struct rips *r, struct dls__mean mean);
/* Handle a message with tasks, or in place of tasks; its tasks have entered the queue. */
bool dls__rips_arrived(struct dls_vp *vp, struct rips *r, const struct dls_message *message);
bool dls__rips_entered(struct dls_vp *vp, struct rips *r);
/* Handle a partner's load, which may come at any time. */
bool dls__rips_told(struct dls_vp *vp, struct rips *r, const int64_t *word);

#endif
