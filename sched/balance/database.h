/* database.h - the scheduler's knowledge of the nodes (central.h), and the computations on it: nodes' speeds, remaining tasks
 * and shares.  `vp` is always the scheduler's processor; nodes are 0 .. nodes - 1. */
#ifndef SCHED_BALANCE_DATABASE_H
#define SCHED_BALANCE_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "dls/class.h"
#include "dls/strategy.h"

struct dls__central;
struct dls__node;

/* Message kinds; those of reports are START, STATUS, MOVED and ARRIVED. */
enum { DLS__TASKS, DLS__START, DLS__STATUS, DLS__MOVED, DLS__ARRIVED, DLS__MOVE, DLS__RESERVE };

/* A node's report on a class. */
struct dls__node_report {
	uint32_t task_class, kind;
	uint64_t run, time;	/* tasks since its last report, and ns that these took, 0: not known */
	uint64_t tasks;		/* there now, a running one included */
	uint64_t group;		/* tasks that it runs before its next report */
	int64_t phase;		/* lowest key; INT64_MAX: none */
	uint64_t asked;		/* MOVED: number of tasks requested */
	uint64_t count;		/* MOVED, ARRIVED: number of tasks moved */
	uint64_t since;		/* ARRIVED: time of the request, by the scheduler's clock */
	uint32_t peer;		/* MOVED: destination */
	uint32_t unused;
};

/* A class of tasks on a node; the strategy's table has one for each node and class. */
struct dls__load_entry {
	uint64_t tasks, group, run;	/* as last reported; run: in all */
	int64_t phase;
	uint64_t told;			/* time of that report, ns */
	double R, T;			/* tasks run, recent ones weighing more, and s that they took */
	uint64_t out;			/* tasks requested from it and not confirmed */
	int64_t in;			/* tasks on their way to it */
	uint64_t given;			/* scheduled to it, ever */
	uint64_t declined;		/* the last round in which it got no waiting task */
	uint64_t statuses;		/* number of statuses that it has reported */
	bool started, reserved;
	bool closed;			/* reserved for another class */
	bool fresh;			/* it has reported a status since the last move from or to it */
	bool refused;			/* it sent no task on the last request, and has run none since */
	bool ending;			/* of the tasks before its last report some had no successor */
	bool confirms;			/* its last report was of a move */
	bool changed;			/* no decision has been made on it yet */

	/* Computed for the decision under way. */
	double rate, have;		/* tasks per s; tasks left */
	uint64_t share;			/* tasks that it should have */
	bool apart;			/* it sends no more */
};

struct dls__load_entry *dls__entry(struct dls_vp *vp, unsigned node, unsigned task_class);

/* Record a report; a status reduces the weight of earlier reports on speed by the factor `keep`. */
void dls__entry_tell(struct dls__load_entry *e, const struct dls__node_report *report, uint64_t sent, double keep);

/* A node's tasks: exactly for the scheduler's own node, as reported for others. */
uint64_t dls__entry_tasks(struct dls_vp *vp, unsigned node, unsigned task_class);

/* Compute `rate` and `have` of all nodes; unknown rates count as the mean of the known ones. */
void dls__assess(struct dls_vp *vp, unsigned nodes, unsigned task_class);
/* The same, but only for one node if that is enough. */
void dls__assess_node(struct dls_vp *vp, unsigned nodes, unsigned task_class, unsigned node);

/* Compute `share`: all tasks in proportion to rates, rounded down; the remaining tasks go to the fastest
 * nodes, which finish one first. */
void dls__share_out(struct dls_vp *vp, unsigned nodes, unsigned task_class);

/* Plan moves from the largest surplus to the largest deficit, each of at least `least` tasks and worth its
 * `cost` in seconds.  Nodes with an open request, and nodes that have refused one, are not asked.  Returns
 * the number of moves. */
unsigned dls__plan(struct dls_vp *vp, unsigned nodes, unsigned task_class, double least, double cost,
		   struct dls_hint *hint, unsigned most);

/* A policy: struct dls_strategy.policy.
 *
 * due      on a node, after a task: whether it must report
 * group    after how many of a node's `tasks` it must report, if nothing happens before
 * balance  on the scheduler: `node` has reported, or tasks wait that it could run
 * waits    tasks wait at the scheduler until they are scheduled
 * renewed  each task that has been run has a successor, so nodes keep their numbers of tasks
 * keep     factor by which a status reduces the weight of earlier reports on speed
 * silent   nodes that do not report count as slow */
struct dls__policy {
	bool (*due)(const struct dls__node *node, const struct dls_class_tasks *now);
	uint64_t (*group)(uint64_t tasks);
	void (*balance)(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node);
	bool waits, renewed, silent;
	double keep;
};

/* The policy of a class; NULL: none. */
static inline const struct dls__policy *dls__policy_of(const struct dls_vp *vp, unsigned task_class)
{
	const struct dls_strategy *strategy = dls_vp_policy(vp, task_class);

	return strategy ? strategy->policy : NULL;
}

#endif
