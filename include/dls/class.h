/* dls/class.h - classes of tasks: each balanced by a policy of its own, and all of them together by the application.
 *
 *	enum { FIELD, TRACER, CLASSES };
 *	static const struct dls_class_desc classes[CLASSES] = {
 *		[FIELD] = { .size = sizeof(*classes), .name = "field", .policy = "priority", .run = run_field },
 *		[TRACER] = { .size = sizeof(*classes), .name = "tracer", .policy = "phase", .run = run_tracer },
 *	};
 *	struct dls_machine_desc desc = { .size = sizeof(desc), .classes = classes, .class_count = CLASSES, .processors = 4 };
 *
 *	dls_machine_open(&machine, &desc, NULL);
 *	dls_class_add(machine, node, TRACER, &task);	// as many as there are
 *	dls_machine_run(machine);
 *
 * The last processor is the scheduler: nodes report to it what they have done, and it instructs nodes which tasks to send to
 * which node.  With `.strategy = "classes,scheduler=dedicated"` it runs only tasks that `ship_out` packs for no node, and the
 * nodes are all other processors; otherwise it is a node too.  A class is identified by its index in the description.  A node
 * runs the ready task of the lowest key, of the first class that has one.
 *
 * Source: Nishikawa & Steenkiste, "A general architecture for load balancing in a distributed-memory environment",
 * ICDCS 1993. */
#ifndef DLS_CLASS_H
#define DLS_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"
#include "dls/task.h"

DLS__C_BEGIN

struct dls_machine;
struct dls_vp;
struct dls_view;
struct dls_shipment;

/** Classes of one machine. */
enum { DLS_CLASSES_MAX = 8 };

/** Which tasks of a class to move, from where to where. */
struct dls_hint {
	unsigned source, destination;	/* nodes */
	int64_t key;			/* only tasks of this key and above; INT64_MIN: all */
	uint64_t count;			/* number of tasks, at least 1 */
};

/** A class.  Descriptions are read by dls_machine_open() and copied; names and contexts are kept.  Each function but `run` may
 * be NULL; one that returns a code other than 0 ends the run with it.
 *
 * On a node, never at the same time as each other or a task:
 *
 * run       run a task, once; it may spawn others of any class (dls_class_spawn())
 * ready     whether a task may be run yet: called in order of keys up to the first task that is ready, again after each task
 *           and each message of the node.  It must not spawn or send; only the node's other functions may change what it depends
 *           on.
 * key       priority or phase of a task that is added or spawned; the task of the lowest key runs first, of
 *           equal keys the one that came first.  NULL: task->key
 * ship_out  pick and pack tasks to be moved, by dls_shipment_next(), dls_shipment_pack() and dls_shipment_pack_data(); what it
 *           packs goes to hint->destination if it returns 0, otherwise nothing does.  If it packs nothing, nothing moves: a task
 *           that waits for a node, or that a dedicated scheduler deals, is then offered to the other nodes, and runs on the
 *           scheduler if it is packed for none.  NULL: the tasks of the highest keys are sent, without data;
 *           those of the lowest if the scheduler schedules them.  Not called for spawned tasks sent to a
 *           scheduler to wait there
 * ship_in   a task has arrived here with `bytes` of data, valid during the call; the task is queued after the call
 * receive   data of dls_class_send() have arrived, valid during the call
 *
 * On the scheduler:
 *
 * balance   the status of this class on `node` has changed; NULL: the policy moves tasks by itself.  One at a time; not called
 *           for a class without a policy, since nodes report nothing about it */
struct dls_class_desc {
	size_t size;		/* sizeof(struct dls_class_desc), of each */
	const char *name;
	const char *policy;	/* "NAME[,KEY=VALUE]...": factor, phase or priority (dls_balance(7)), or "none"; NULL: none */
	int (*run)(struct dls_vp *vp, struct dls_task *task, void *context);
	bool (*ready)(struct dls_vp *vp, const struct dls_task *task, void *context);
	int64_t (*key)(const struct dls_task *task, void *context);
	int (*ship_out)(struct dls_vp *vp, struct dls_shipment *shipment, const struct dls_hint *hint, void *context);
	int (*ship_in)(struct dls_vp *vp, struct dls_task *task, const void *data, size_t bytes, void *context);
	int (*receive)(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context);
	int (*balance)(struct dls_view *view, unsigned node, void *context);
	void *context;		/* passed to each of these functions */
	uint32_t bytes;		/* size of a task in a message, without what ship_out packs; 0: 32 */
};

/** Add a copy of a task to a node's queue, for the next run; task->type need not be set.
 *
 * Tasks may also be added at a dedicated scheduler: those of a class under `priority` wait there, others are dealt to the nodes
 * when the run begins, or when `receive` spawns them there.
 * Returns 0; DLS_ENOENT no such class; else as dls_machine_add(). */
DLS_API int dls_class_add(struct dls_machine *machine, unsigned processor, unsigned task_class, const struct dls_task *task);

/* Called by functions of a node. */

/** Add a new task here; of a class under `priority`, at the scheduler.  task->type need not be set.
 *
 * Returns 0; DLS_ENOENT no such class; DLS_EBUSY in `ready`; else as dls_vp_spawn(). */
DLS_API int dls_class_spawn(struct dls_vp *vp, unsigned task_class, const struct dls_task *task);

/** Send a copy of some data to another node, to `receive` of the class there.
 *
 * Messages from one processor to another keep their order, those that carry tasks included.  There is no flow control and
 * messages on their way take memory, so a sender that may be faster than its receiver should wait for an answer now and then.
 * Returns 0; DLS_EINVAL no processor, or no data of some bytes; DLS_EBUSY in `ready`; DLS_ENOENT no such class, or it has no
 * `receive`; DLS_ERANGE no such processor, or this one, or 2^32 bytes and more; DLS_ENOMEM. */
DLS_API int dls_class_send(struct dls_vp *vp, unsigned task_class, unsigned to, const void *data, size_t bytes);

/** The node's phase: the lowest key of its tasks of a class, the running one included.
 *
 * Returns 0 and the key; DLS_ENODATA there is no task; DLS_EINVAL no processor or key; DLS_ENOENT no such class. */
DLS_API int dls_class_phase(const struct dls_vp *vp, unsigned task_class, int64_t *key);

/** In ship_in: have the task run here before all queued tasks, as soon as it is ready, whatever its key and class.  Not for a
 * task that has come to the scheduler to wait.
 *
 * Returns 0; DLS_EINVAL another task than the one that ship_in was called for. */
DLS_API int dls_class_run_next(struct dls_vp *vp, struct dls_task *task);

/* Called by ship_out. */

/** The next task that may be packed, highest key first, or lowest if the scheduler schedules it; it stays queued until it is
 * packed.  NULL: no more. */
DLS_API struct dls_task *dls_shipment_next(struct dls_shipment *shipment);

/** Pack a task that dls_shipment_next() has returned in this call.
 *
 * Returns 0; DLS_EINVAL another task, or packed already. */
DLS_API int dls_shipment_pack(struct dls_shipment *shipment, struct dls_task *task);

/** Pack a copy of data behind those of the task packed last, for ship_in.
 *
 * Returns 0; DLS_EINVAL no task is packed; DLS_ERANGE more than 2^31 bytes in all; DLS_ENOMEM. */
DLS_API int dls_shipment_pack_data(struct dls_shipment *shipment, const void *data, size_t bytes);

/* Called by `balance`, with its own view: at any other time, and on any other thread, each returns DLS_EINVAL. */

/** What the scheduler knows of one class on one node. */
struct dls_class_status {
	size_t size;		/* sizeof(struct dls_class_status) */
	uint64_t tasks;		/* estimated number there: the last report, corrected by its rate and by moves */
	uint64_t run;		/* tasks that it has reported as run */
	int64_t phase;		/* lowest key, as last reported; INT64_MAX: no task */
	double mean;		/* s per task, as the node measured; 0: not known */
	double rate;		/* tasks per second, lowered while it does not report; 0: not known */
	double age;		/* s since its last report */
	bool reserved;		/* for this class */
};

/** The number n of nodes, which are processors 0 .. n - 1; 0: the view is not valid.
 *
 * A view is valid in its `balance` alone, and on that thread; otherwise this and the functions below return DLS_EINVAL or 0. */
DLS_API unsigned dls_view_nodes(const struct dls_view *view);

/** Get the status of a class on a node.  Returns 0; DLS_ENOENT no such class; DLS_ERANGE no such node;
 * DLS_EINVAL; likewise below. */
DLS_API int dls_view_status(const struct dls_view *view, unsigned task_class, unsigned node, struct dls_class_status *status);

/** The lowest key of the tasks of a class under `priority` that wait to be scheduled.
 *
 * Returns 0 and the key; DLS_ENODATA none waits; an error. */
DLS_API int dls_view_next_key(const struct dls_view *view, unsigned task_class, int64_t *key);

/** Have a node run a waiting task next: the one that ship_out packs for it, by default the task of the lowest
 * key.  If ship_out packs none for this node, a task goes to another node that is not reserved for another
 * class, or a dedicated scheduler runs it.  Returns 0; DLS_ENODATA none waits, or none that may run now; an
 * error. */
DLS_API int dls_view_schedule(struct dls_view *view, unsigned task_class, unsigned node);

/** Move tasks.  The source sends as many as it has when the message arrives.
 *
 * Returns 0; DLS_ERANGE an unknown node, or more tasks than `source` is known to have; DLS_EINVAL from a node to itself;
 * an error. */
DLS_API int dls_view_hint(struct dls_view *view, unsigned task_class, const struct dls_hint *hint);

/** Plan moves that leave each node with tasks in proportion to its rate; the largest surplus goes to the largest deficit.
 *
 * count  the number of hints, at most `most`; 0 while moves are not yet confirmed; unchanged on error
 *
 * Returns 0; an error. */
DLS_API int dls_view_plan(const struct dls_view *view, unsigned task_class, struct dls_hint *hint, unsigned most,
			  unsigned *count);

/** Let the policy of the class act as it does without `balance`.  Returns 0; an error. */
DLS_API int dls_view_balance(struct dls_view *view, unsigned task_class, unsigned node);

/** Reserve: have a node run only tasks of this class, once the message has reached it.  Release: have it run
 * tasks of all classes again.  Returns 0; an error. */
DLS_API int dls_view_reserve(struct dls_view *view, unsigned task_class, unsigned node);
DLS_API int dls_view_release(struct dls_view *view, unsigned node);

DLS__C_END

#endif
