/* central.h - one processor balances all: what its strategies share.
 *
 * Nishikawa and Steenkiste, "A general architecture for load balancing in a distributed-memory environment", ICDCS
 * 1993, sections 4.1 and 4.3.  The last processor is the scheduler.  Every node tells it what it has done: at the
 * start, when the policy of a class of tasks says so, and at either end of a move.  It keeps what it is told
 * (database.h), and tells nodes what to send to whom; tasks go from node to node.
 *
 *	START, STATUS	a report
 *	MOVE		scheduler to source: class, node, tasks, lowest key
 *	TASKS		source to destination: why (enum dls__why), class, when the scheduler asked for it, ns
 *	MOVED		a report of the source: what it has sent, which may be nothing
 *	ARRIVED		a report of the destination
 *	RESERVE		scheduler to node: class, DLS_CLASSES_MAX: all
 *
 * C1: A report tells all that its processor has run, given and got up to then: the tasks of a node are those last
 *     told, less what it has run since, less those asked of it and not confirmed by MOVED, and more: those that are
 *     to come to it and have not ARRIVED.
 * C2: A move is open from when it is asked for until MOVED and ARRIVED have come, in any order, or a MOVED of nothing.
 * C3: Policies and the application's balancers decide one at a time, when all nodes have told what they start with,
 *     and each time after a report or when tasks have come to wait at the scheduler.  What a decision brings about on
 *     the scheduler's own node is told at once, and decided on after it.
 * No storm: what a node is told to do it does once, and tells of once; STATUS comes of tasks that were run; who has
 *     sent nothing is not asked again, by policies, before it has run a task.  So where there are no classes each task
 *     brings about one STATUS, one move of nothing, and a move for each time that it is sent (life.h), of 4 messages. */
#ifndef SCHED_BALANCE_CENTRAL_H
#define SCHED_BALANCE_CENTRAL_H

#include "database.h"

/* Message kinds.  Spawned tasks come to the scheduler as TASKS with all words 0. */
enum { DLS__TASKS, DLS__START, DLS__STATUS, DLS__MOVED, DLS__ARRIVED, DLS__MOVE, DLS__RESERVE };
#define DLS__CENTRAL_KINDS \
	[DLS__TASKS] = "tasks", [DLS__START] = "start", [DLS__STATUS] = "status", [DLS__MOVED] = "moved", \
	[DLS__ARRIVED] = "arrived", [DLS__MOVE] = "move", [DLS__RESERVE] = "reserve"

/* What TASKS are: new ones; moved, asked for or dealt at the start; sent to wait at the scheduler; scheduled by it. */
enum dls__why { DLS__NEW, DLS__MOVING, DLS__WAITING, DLS__SCHEDULED };

/* Counters: reports of kind STATUS, the scheduler's own too; moves asked for; tasks moved; moves of nothing; tasks
 * scheduled. */
enum { DLS__STATUSES, DLS__MOVES, DLS__MOVED_TASKS, DLS__REFUSED, DLS__GIVEN };
#define DLS__CENTRAL_COUNTERS \
	[DLS__STATUSES] = "statuses", [DLS__MOVES] = "moves", [DLS__MOVED_TASKS] = "moved", [DLS__REFUSED] = "refused", \
	[DLS__GIVEN] = "scheduled"

/* A class of tasks on a node; what is told is of the last report. */
struct dls__node {
	uint64_t run, time;	/* told */
	uint64_t group, until;	/* it tells after so many tasks, when it has run so many in all */
	int64_t phase;		/* told by START or STATUS */
	uint64_t came, asked;	/* tasks that have moved here, and are to be told of; when they were asked for */
	struct dls_hint later;	/* to be tried again; count 0: nothing is */
	uint64_t later_asked;

	/* Of the scheduler's alone. */
	unsigned started;	/* nodes that have told what they start with */
	uint64_t open;		/* reports of moves that are to come */
	double cost;		/* s from asking for a move to ARRIVED, of late; 0: there was none */
	uint64_t waiting;	/* tasks that were, when it was looked at last */
	uint64_t stayed;	/* tasks that were not dealt, those that have run too */
	uint64_t round;		/* of nodes being asked, priority.c */
	unsigned turn;		/* node that is scheduled to first */
};

struct dls__central {
	unsigned nodes, scheduler;
	bool dedicated;		/* the scheduler is no node */
	bool held_back;		/* what waits at the scheduler is run there only when scheduled */
	bool deciding;
	uint64_t changed;	/* entries of which nothing has been decided yet */
	const struct dls_view_ops *ops;	/* of `balance` of the classes; NULL: there is none */
	struct dls__node node[];	/* for each class */
};
#define DLS__CENTRAL_SIZE(classes) (sizeof(struct dls__central) + (classes) * sizeof(struct dls__node))

/* A policy: struct dls_strategy.policy.
 *
 * due      on a node, after a task: whether it owes a report
 * group    of so many tasks: after how many it will, unless something comes between
 * balance  on the scheduler: `node` has told something, or tasks wait that it could run
 * waits    tasks wait at the scheduler until they are scheduled
 * renewed  a task that has been run is followed by another one, so that nodes keep as many as they have
 * keep     part of what was told of speed that a status leaves to count
 * silent   on the scheduler: whether silence is held against nodes; NULL: it is not */
struct dls__policy {
	bool (*due)(const struct dls__node *node, const struct dls_class_tasks *now);
	uint64_t (*group)(uint64_t tasks);
	void (*balance)(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node);
	bool waits, renewed;
	double keep;
	bool (*silent)(const struct dls_vp *vp, unsigned task_class);
};

/* That of a class; NULL: it has none. */
const struct dls__policy *dls__central_policy(const struct dls_vp *vp, unsigned task_class);

/* Handlers.  dls__central_open() is to be called first at the start, by strategies that say more than these do. */
void dls__central_open(struct dls_vp *vp, struct dls__central *s, bool dedicated);
void dls__central_begin(struct dls_vp *vp, struct dls__central *s);
void dls__central_start(struct dls_vp *vp, void *state);
void dls__central_load(struct dls_vp *vp, void *state);
void dls__central_message(struct dls_vp *vp, void *state, const struct dls_message *message);
void dls__central_done(struct dls_vp *vp, void *state, const struct dls_task *task);
unsigned dls__central_place(struct dls_vp *vp, void *state, const struct dls_task *task);

/* On the scheduler, when it decides: ask for a move; have a node run the first of the tasks that wait, false: there
 * is none, or none that it is to get; run it here, though the scheduler is no node; how many wait; have a node run one
 * class alone, DLS_CLASSES_MAX: all. */
void dls__central_move(struct dls_vp *vp, struct dls__central *s, unsigned task_class, const struct dls_hint *hint);
bool dls__central_schedule(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node);
void dls__central_keep(struct dls_vp *vp, struct dls__central *s, unsigned task_class);
uint64_t dls__central_waiting(const struct dls_vp *vp, const struct dls__central *s, unsigned task_class);
void dls__central_reserve(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node);

#endif
