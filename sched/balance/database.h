/* database.h - what the scheduler knows of the nodes (central.h), and what follows: how fast they are, what they
 * have left, and what they should have.  `vp` is always the scheduler's processor; nodes are 0 .. nodes - 1. */
#ifndef SCHED_BALANCE_DATABASE_H
#define SCHED_BALANCE_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "dls/class.h"
#include "policy.h"

/* Message kinds; those of reports are START, STATUS, MOVED and ARRIVED. */
enum { DLS__TASKS, DLS__START, DLS__STATUS, DLS__MOVED, DLS__ARRIVED, DLS__MOVE, DLS__RESERVE };

/* What a node tells of a class. */
struct dls__node_report {
	uint32_t task_class, kind;
	uint64_t run, time;	/* tasks since its last report, and ns that they took, 0: not known */
	uint64_t tasks;		/* there now, a running one included */
	uint64_t group;		/* so many will be run before it tells again by itself */
	int64_t phase;		/* lowest key; INT64_MAX: none */
	uint64_t asked;		/* MOVED: of how many tasks it was */
	uint64_t count;		/* MOVED, ARRIVED: of how many it has become */
	uint64_t since;		/* ARRIVED: when it was asked for, by the scheduler's clock */
	uint32_t peer;		/* MOVED: destination */
	uint32_t unused;
};

/* A class of tasks on a node: struct dls_strategy.table_size is one, for each class. */
struct dls__entry {
	uint64_t tasks, group, run;	/* last told; run: in all */
	int64_t phase;
	uint64_t told;			/* when, ns */
	double R, T;			/* tasks run, those of late weighing more, and s that they took */
	uint64_t out;			/* asked of it and not confirmed */
	int64_t in;			/* that are to come to it and have not arrived */
	uint64_t given;			/* scheduled to it, ever */
	uint64_t declined;		/* the last round in which it was to get no task that waits */
	uint64_t statuses;		/* it has reported so many */
	bool started, reserved;
	bool closed;			/* reserved for another class */
	bool fresh;			/* it has reported a status since the last move from or to it */
	bool refused;			/* it has run no task since it was asked for some and sent none */
	bool ending;			/* some tasks that it ran before its last report were followed by none */
	bool confirms;			/* its last report was of a move */
	bool changed;			/* and nothing has been decided on it yet */

	/* Of the decision under way. */
	double rate, have;		/* tasks per s; tasks left */
	uint64_t share;			/* that it should have */
	bool apart;			/* it gives no more */
};

struct dls__entry *dls__entry(struct dls_vp *vp, unsigned node, unsigned task_class);

/* Keep what a report tells; a status reduces the weight of what was reported of speed before by the factor `keep`. */
void dls__entry_tell(struct dls__entry *e, const struct dls__node_report *report, uint64_t sent, double keep);

/* Tasks that it has: of the scheduler's own node as it is, of others as told. */
uint64_t dls__entry_tasks(struct dls_vp *vp, unsigned node, unsigned task_class);

/* Work out `rate` and `have` of all nodes; the mean of known rates stands for unknown ones.  Returns how many nodes have
 * tasks and an unknown rate. */
unsigned dls__assess(struct dls_vp *vp, unsigned nodes, unsigned task_class);
/* The same of one node, if possible. */
void dls__assess_node(struct dls_vp *vp, unsigned nodes, unsigned task_class, unsigned node);

/* Work out `share`: all tasks in proportion to rates, rounded down, and what is left over to the fastest nodes,
 * which finish it first. */
void dls__share_out(struct dls_vp *vp, unsigned nodes, unsigned task_class);

/* Plan moves from the largest surplus to the largest deficit, of at least `least` tasks, which are `cost` seconds on
 * the way; each has to pay.  Nodes that are asked for tasks already, or have refused, are not asked.  Returns the
 * number of moves. */
unsigned dls__plan(struct dls_vp *vp, unsigned nodes, unsigned task_class, double least, double cost,
		   struct dls_hint *hint, unsigned most);

#endif
