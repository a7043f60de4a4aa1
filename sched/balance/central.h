/* central.h - parts shared by the strategies with a central scheduler, one processor that balances all.
 *
 * Nishikawa and Steenkiste, "A general architecture for load balancing in a distributed-memory environment", ICDCS
 * 1993, sections 4.1 and 4.3.  The last processor is the scheduler.  Every node reports to it what it has done:
 * at the start, when the policy of a class of tasks requires it, and at either end of a move.  It records the reports
 * (database.h), and instructs nodes which tasks to send to which node; tasks go from node to node.
 *
 *	START, STATUS	a report
 *	MOVE		scheduler to source: class, node, tasks, lowest key
 *	TASKS		source to destination: why (enum dls__why), class, when the scheduler asked for it, ns
 *	MOVED		a report of the source: the number sent, which may be 0
 *	ARRIVED		a report of the destination
 *	RESERVE		scheduler to node: class, DLS_CLASSES_MAX: all
 *
 * C1: A report covers all that its processor has run, sent and received up to then.  So a node's tasks are those last reported,
 *     less those run since, less those requested from it and not confirmed by MOVED, plus those on their way to it that have
 *     not ARRIVED.
 * C2: A move is open from its request until MOVED and ARRIVED have come, in any order, or a MOVED of 0 tasks.
 * C3: Policies and the application's balancers decide one at a time, once all nodes have reported their initial tasks, after
 *     each report and when tasks have come to wait at the scheduler.  What a decision changes on the scheduler's own node is
 *     reported at once, and decided on afterwards.
 * No storm: a node carries out each instruction once, and reports it once; a STATUS follows tasks that were run; if a node has
 *     sent nothing, policies do not ask it again before it has run a task.  So without classes each task causes at most one
 *     STATUS, one move of 0 tasks, and a move for each time that it is sent (life.h), of 4 messages. */
#ifndef SCHED_BALANCE_CENTRAL_H
#define SCHED_BALANCE_CENTRAL_H

#include "database.h"

/* Why TASKS were sent: spawned, with all words 0; moved, or dealt at the start; to wait at the scheduler; scheduled by it. */
enum dls__why { DLS__NEW, DLS__MOVING, DLS__WAITING, DLS__SCHEDULED };

/* Counters: reports of kind STATUS, including the scheduler's own; moves requested; tasks moved; moves of 0 tasks; tasks
 * scheduled. */
enum { DLS__STATUSES, DLS__MOVES, DLS__MOVED_TASKS, DLS__REFUSED, DLS__GIVEN };

/* A class of tasks on a node; "told": as last reported. */
struct dls__node {
	uint64_t run, time;	/* told */
	uint64_t group, until;	/* it reports after `group` tasks: when it has run `until` tasks in all */
	int64_t phase;		/* told by START or STATUS */
	uint64_t came, asked;	/* tasks of a move that came and is not reported yet; when it was requested */
	struct dls_hint later;	/* a move to try again; count 0: none */
	uint64_t later_asked;

	/* On the scheduler only. */
	unsigned started;	/* nodes that have reported their initial tasks */
	uint64_t open;		/* reports of moves still to come */
	double cost;		/* recent s from a move's request to ARRIVED; 0: no move yet */
	uint64_t waiting;	/* tasks that waited at the last dls__central_look() */
	uint64_t stayed;	/* tasks that were not dealt, including those that have run */
	uint64_t round;		/* number of the present round of asking nodes (priority.c) */
	unsigned turn;		/* node that is considered first */
};

struct dls__central {
	unsigned nodes, scheduler;
	bool dedicated;		/* the scheduler is no node */
	bool held_back;		/* tasks that wait at the scheduler are run there only when scheduled */
	bool deciding;
	uint64_t changed;	/* entries on which no decision has been made yet */
	const struct dls_view_ops *ops;	/* of the view that `balance` gets; NULL: no classes of tasks */
	struct dls__node node[];	/* for each class */
};

/* Members that all these strategies have in common. */
#define DLS__CENTRAL(classes) \
	.size = sizeof(struct dls_strategy), .source = "Nishikawa 1993", .times = true, \
	.state_size = sizeof(struct dls__central) + (classes) * sizeof(struct dls__node), \
	.table_size = (classes) * sizeof(struct dls__load_entry), \
	.load = dls__central_load, .message = dls__central_message, .done = dls__central_done, \
	.kind = { [DLS__TASKS] = "tasks", [DLS__START] = "start", [DLS__STATUS] = "status", [DLS__MOVED] = "moved", \
		  [DLS__ARRIVED] = "arrived", [DLS__MOVE] = "move", [DLS__RESERVE] = "reserve" }, \
	.counter = { [DLS__STATUSES] = "statuses", [DLS__MOVES] = "moves", [DLS__MOVED_TASKS] = "moved", \
		     [DLS__REFUSED] = "refused", [DLS__GIVEN] = "scheduled" }

static inline bool dls__is_scheduler(const struct dls_vp *vp, const struct dls__central *s)
{
	return dls_vp_id(vp) == s->scheduler;
}

static inline bool dls__waits(const struct dls_vp *vp, unsigned task_class)
{
	const struct dls__policy *policy = dls__policy_of(vp, task_class);

	return policy && policy->waits;
}

/* Handlers.  Strategies that set more than these do call dls__central_open() first at the start. */
void dls__central_open(struct dls_vp *vp, struct dls__central *s, bool dedicated);
void dls__central_begin(struct dls_vp *vp, struct dls__central *s);
void dls__central_start(struct dls_vp *vp, void *state);
void dls__central_load(struct dls_vp *vp, void *state);
void dls__central_message(struct dls_vp *vp, void *state, const struct dls_message *message);
void dls__central_done(struct dls_vp *vp, void *state, const struct dls_task *task);
unsigned dls__central_place(struct dls_vp *vp, void *state, const struct dls_task *task);
/* On the scheduler, when it decides: request a move. */
void dls__central_move(struct dls_vp *vp, struct dls__central *s, unsigned task_class, const struct dls_hint *hint);
/* Likewise: request the moves of dls__plan(). */
void dls__central_even_out(struct dls_vp *vp, struct dls__central *s, unsigned task_class, double least, double cost);

/* central_decide.c.  On the scheduler: handle a report; decide again, since tasks may have come to wait. */
void dls__central_receive(struct dls_vp *vp, struct dls__central *s, unsigned node, uint64_t sent,
			  const struct dls__node_report *report);
void dls__central_look(struct dls_vp *vp, struct dls__central *s, unsigned task_class);
/* While the scheduler decides: have a node run the first waiting task (false: none waits, or ship_out packs
 * none for the node); run that task on a scheduler that is no node; number of waiting tasks; have a node run
 * only this class, DLS_CLASSES_MAX: all. */
bool dls__central_schedule(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node);
void dls__central_keep(struct dls_vp *vp, struct dls__central *s, unsigned task_class);
uint64_t dls__central_waiting(const struct dls_vp *vp, const struct dls__central *s, unsigned task_class);
void dls__central_reserve(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node);

#endif
