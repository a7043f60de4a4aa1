/* central.h - what strategies share in which one processor balances all.
 *
 * Nishikawa and Steenkiste, "A general architecture for load balancing in a distributed-memory environment", ICDCS
 * 1993, sections 4.1 and 4.3.  The last processor is the scheduler.  Every node reports to it what it has done:
 * at the start, when the policy of a class of tasks says so, and at either end of a move.  It keeps what it is told
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
 *     reported, less what it has run since, less those asked of it and not confirmed by MOVED, plus those that are to
 *     come to it and have not ARRIVED.
 * C2: A move is open from when it is asked for until MOVED and ARRIVED have come, in any order, or a MOVED of nothing.
 * C3: Policies and the application's balancers decide one at a time, once all nodes have reported what they start
 *     with, after each report and when tasks have come to wait at the scheduler.  What a decision changes on the
 *     scheduler's own node is reported at once, and decided on afterwards.
 * No storm: a node does once what it is told, and reports it once; a STATUS follows tasks that were run; policies do not
 *     ask a node that has sent nothing again before it has run a task.  So where there are no classes each task causes at
 *     most one STATUS, one move of nothing, and a move for each time that it is sent (life.h), of 4 messages. */
#ifndef SCHED_BALANCE_CENTRAL_H
#define SCHED_BALANCE_CENTRAL_H

#include "database.h"

/* Names of the message kinds (database.h).  Spawned tasks come to the scheduler as TASKS with all words 0. */
#define DLS__CENTRAL_KINDS \
	[DLS__TASKS] = "tasks", [DLS__START] = "start", [DLS__STATUS] = "status", [DLS__MOVED] = "moved", \
	[DLS__ARRIVED] = "arrived", [DLS__MOVE] = "move", [DLS__RESERVE] = "reserve"

/* What TASKS are: new; moved, or dealt at the start; sent to wait at the scheduler; scheduled by it. */
enum dls__why { DLS__NEW, DLS__MOVING, DLS__WAITING, DLS__SCHEDULED };

/* Counters: reports of kind STATUS, the scheduler's own too; moves asked for; tasks moved; moves of nothing; tasks
 * scheduled. */
enum { DLS__STATUSES, DLS__MOVES, DLS__MOVED_TASKS, DLS__REFUSED, DLS__GIVEN };
#define DLS__CENTRAL_COUNTERS \
	[DLS__STATUSES] = "statuses", [DLS__MOVES] = "moves", [DLS__MOVED_TASKS] = "moved", [DLS__REFUSED] = "refused", \
	[DLS__GIVEN] = "scheduled"

/* A class of tasks on a node; "told" is what the last report said. */
struct dls__node {
	uint64_t run, time;	/* told */
	uint64_t group, until;	/* it tells after so many tasks, when it has run so many in all */
	int64_t phase;		/* told by START or STATUS */
	uint64_t came, asked;	/* tasks that have moved here and are to be reported; when they were asked for */
	struct dls_hint later;	/* a move to be tried again; count 0: none */
	uint64_t later_asked;

	/* Of the scheduler's alone. */
	unsigned started;	/* nodes that have told what they start with */
	uint64_t open;		/* reports of moves that are to come */
	double cost;		/* s from asking for a move to ARRIVED, of late; 0: there was none */
	uint64_t waiting;	/* tasks that waited when it last looked */
	uint64_t stayed;	/* tasks that were not dealt, those that have run included */
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

static inline bool dls__is_scheduler(const struct dls_vp *vp, const struct dls__central *s)
{
	return dls_vp_id(vp) == s->scheduler;
}

static inline bool dls__waits(const struct dls_vp *vp, unsigned task_class)
{
	const struct dls__policy *policy = dls__policy_of(vp, task_class);

	return policy && policy->waits;
}

/* Handlers.  dls__central_open() is to be called first at the start, by strategies that say more than these do. */
void dls__central_open(struct dls_vp *vp, struct dls__central *s, bool dedicated);
void dls__central_begin(struct dls_vp *vp, struct dls__central *s);
void dls__central_start(struct dls_vp *vp, void *state);
void dls__central_load(struct dls_vp *vp, void *state);
void dls__central_message(struct dls_vp *vp, void *state, const struct dls_message *message);
void dls__central_done(struct dls_vp *vp, void *state, const struct dls_task *task);
unsigned dls__central_place(struct dls_vp *vp, void *state, const struct dls_task *task);
/* On the scheduler, when it decides: ask for a move. */
void dls__central_move(struct dls_vp *vp, struct dls__central *s, unsigned task_class, const struct dls_hint *hint);

/* central_node.c.  A node that is the scheduler, too, tells itself. */
void dls__central_tell(struct dls_vp *vp, struct dls__central *s, struct dls__node_report report);
/* Tell of tasks that have come, if any have and have not been told of. */
void dls__central_tell_arrivals(struct dls_vp *vp, struct dls__central *s, unsigned task_class);
/* Whether this processor tells of a class at all. */
bool dls__central_tells(const struct dls_vp *vp, const struct dls__central *s, unsigned task_class);
/* Send tasks that were asked for at a time, ns.  What cannot be sent because of a task that is running is kept for
 * give_later(), which is called when that has ended; not if this is the second time, `again`. */
void dls__central_give(struct dls_vp *vp, struct dls__central *s, unsigned task_class, struct dls_hint hint,
		       uint64_t asked, bool again);
void dls__central_give_later(struct dls_vp *vp, struct dls__central *s, unsigned task_class);

/* central_decide.c.  On the scheduler: a report has come; tasks may have come to wait. */
void dls__central_receive(struct dls_vp *vp, struct dls__central *s, unsigned node, uint64_t sent,
			  const struct dls__node_report *report);
void dls__central_look(struct dls_vp *vp, struct dls__central *s, unsigned task_class);
/* When it decides: have a node run the first of the tasks that wait, false: there is none, or none that it is to get;
 * run it here, though the scheduler is no node; how many wait; have a node run one class alone, DLS_CLASSES_MAX: all. */
bool dls__central_schedule(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node);
void dls__central_keep(struct dls_vp *vp, struct dls__central *s, unsigned task_class);
uint64_t dls__central_waiting(const struct dls_vp *vp, const struct dls__central *s, unsigned task_class);
void dls__central_reserve(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node);

#endif
