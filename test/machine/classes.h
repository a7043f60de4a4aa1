/* classes.h - machines with classes of tasks, small enough that a test can predict all that happens on them. */
#ifndef CLASSES_H
#define CLASSES_H

#include <inttypes.h>

#include "dls.h"
#include "dls/class.h"
#include "dls/strategy.h"
#include "guard.h"
#include "machine.h"

enum { NODES_MOST = 8, LOG_MOST = 512, HANGS = 300 };

static const struct classes_machine {
	const char *engine, *strategy;
	unsigned processors;
	const char *costs, *faults;
} classes_machine[] = {
	{ "virtual", NULL, 1, NULL, NULL }, { "virtual", "classes,scheduler=dedicated", 1, NULL, NULL },
	{ "virtual", "classes", 2, "nectar", NULL }, { "virtual", "classes,scheduler=dedicated", 2, NULL, NULL },
	{ "virtual", "classes,scheduler=shared", 3, NULL, "delay=1e-3,stall=1e-3" },
	{ "virtual", "classes,scheduler=dedicated", 3, "nectar", NULL },
	{ "virtual", NULL, 5, "cluster", NULL },
	{ "virtual", "classes,scheduler=dedicated", 5, NULL, "delay=1e-2" },
	{ "threads", NULL, 1, NULL, NULL }, { "threads", "classes,scheduler=dedicated", 1, NULL, NULL },
	{ "threads", NULL, 2, NULL, NULL }, { "threads", "classes,scheduler=dedicated", 2, NULL, NULL },
	{ "threads", NULL, 3, NULL, NULL }, { "threads", "classes,scheduler=dedicated", 3, NULL, NULL },
	{ "threads", NULL, 5, NULL, NULL }, { "threads", "classes,scheduler=dedicated", 5, NULL, NULL },
};
enum { CLASSES_MACHINES = sizeof(classes_machine) / sizeof(*classes_machine) };

static inline bool classes_dedicated(const struct classes_machine *of)
{
	return of->processors > 1 && of->strategy && strstr(of->strategy, "dedicated");
}

static inline unsigned classes_nodes(const struct classes_machine *of)
{
	return of->processors - classes_dedicated(of);
}

/* What one node has done; only that node writes it during the run. */
struct seen {
	_Alignas(64) struct entry {
		unsigned task_class;
		int64_t key;
		uint64_t arg;
	} run[LOG_MOST];
	unsigned runs;
	uint64_t n[8];			/* the test's */
};

/* A machine: what its nodes have done, and the contexts of its classes. */
struct world {
	struct seen seen[NODES_MOST];
	struct role {
		struct world *world;
		unsigned task_class;
	} role[DLS_CLASSES_MAX];
	const struct classes_machine *of;
	unsigned nodes, upcalls;
	uint64_t told;			/* the scheduler's: nodes that it has heard of */
	bool asked;
	void *more;			/* the test's */
	uint64_t lasts[DLS_CLASSES_MAX], wait[NODES_MOST];	/* of note() and waits() */
};
static struct world world;

static inline void world_reset(struct world *w, const struct classes_machine *of)
{
	*w = (struct world){ .of = of, .nodes = classes_nodes(of) };
	for (unsigned i = 0; i < DLS_CLASSES_MAX; i++)
		w->role[i] = (struct role){ w, i };
}

static inline struct world *world_of(void *context)
{
	return ((struct role *)context)->world;
}

static inline struct seen *seen_by(struct dls_vp *vp, void *context)
{
	return &world_of(context)->seen[dls_vp_id(vp)];
}

/* Run a task: log it; in virtual time it lasts so many ns. */
static inline int note(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct role *role = context;
	struct seen *s = seen_by(vp, context);

	dls_vp_spend(vp, role->world->lasts[role->task_class]);
	if (s->runs < LOG_MOST)
		s->run[s->runs++] = (struct entry){ role->task_class, task->key, task->arg[0] };
	return 0;
}

/* Open a machine whose classes have the roles of *w as contexts; ends the test program if that fails. */
static inline struct dls_machine *classes_open(struct world *w, const struct classes_machine *of, struct dls_class_desc *classes,
					unsigned count)
{
	struct dls_machine *m;

	world_reset(w, of);
	for (unsigned i = 0; i < count; i++) {
		classes[i].size = sizeof(*classes);
		classes[i].context = &w->role[i];
	}
	m = MACHINE(.engine = of->engine, .strategy = of->strategy, .costs = of->costs, .faults = of->faults,
		    .processors = of->processors, .classes = classes, .class_count = count, .seed = 1);
	if (!m)
		exit(1);
	return m;
}

static inline void classes_add(struct dls_machine *m, unsigned node, unsigned task_class, int64_t key, uint64_t arg)
{
	CHECK_EQ(dls_class_add(m, node, task_class, &(struct dls_task){ .arg = { arg }, .key = key, .cost = 10000 }), 0);
}

/* Run it under a time limit; returns the run's code. */
static inline int classes_code(struct dls_machine *m, const char *what)
{
	int code;

	guard(what, HANGS);
	code = dls_machine_run(m);
	guard_over();
	return code;
}

static inline struct dls_run_result classes_run(struct dls_machine *m, const char *what)
{
	CHECK_EQ(classes_code(m, what), 0);
	return machine_result(m);
}

/* Whether a machine is for the test: one thread alone has no races. */
static inline bool classes_fit(const struct classes_machine *of, unsigned least)
{
	return classes_nodes(of) >= least && !(TAP_THREAD_SANITIZER && strcmp(of->engine, "virtual") == 0);
}

/* Close m and open the next machine with at least `least` nodes, the first one if m is NULL; NULL after the last. */
static inline struct dls_machine *classes_next(struct dls_machine *m, unsigned least, struct dls_class_desc *classes,
					       unsigned count)
{
	static unsigned before;
	const struct classes_machine *of = m ? world.of + 1 : classes_machine, *end = classes_machine + CLASSES_MACHINES;

	if (m && tap_failures > before && before < 20)
		tap_note("on %s, %s, %u processors", world.of->engine, world.of->strategy ? world.of->strategy : "NULL",
			 world.of->processors);
	dls_machine_close(m);
	before = tap_failures;
	while (of < end && !classes_fit(of, least))
		of++;
	return of < end ? classes_open(&world, of, classes, count) : NULL;
}

/* Run the statement for each machine with at least `least` nodes, opened with this array of classes. */
#define EACH_MACHINE(m, least, classes) \
	for (struct dls_machine *m = NULL; (m = classes_next(m, least, classes, sizeof(classes) / sizeof(*(classes))));)

static inline void check_entry(const struct entry *got, unsigned task_class, int64_t key, uint64_t arg)
{
	CHECK_EQ(got->task_class, task_class);
	CHECK_EQ(got->key, key);
	CHECK_EQ(got->arg, arg);
}

/* How often all nodes together ran the task of this class and argument. */
static inline unsigned times_run(const struct world *w, unsigned task_class, uint64_t arg)
{
	unsigned times = 0;

	for (unsigned i = 0; i < NODES_MOST; i++)
		for (unsigned k = 0; k < w->seen[i].runs; k++)
			times += w->seen[i].run[k].task_class == task_class && w->seen[i].run[k].arg == arg;
	return times;
}

/* How often a node ran a task of class 0. */
static inline unsigned runs_on(unsigned node, uint64_t arg)
{
	unsigned times = 0;

	for (unsigned k = 0; k < world.seen[node].runs; k++)
		times += world.seen[node].run[k].task_class == 0 && world.seen[node].run[k].arg == arg;
	return times;
}

/* ship_out: pack the tasks of the highest keys, as many as the hint asks for; n[0] notes the call. */
static inline int pick(struct dls_vp *vp, struct dls_shipment *s, const struct dls_hint *hint, void *context)
{
	struct dls_task *task;

	seen_by(vp, context)->n[0] = 1;
	for (uint64_t n = hint->count; n > 0 && (task = dls_shipment_next(s)); n--)
		CHECK_EQ(dls_shipment_pack(s, task), 0);
	return 0;
}

/* ready: the node's tasks wait until n[0] has counted so many calls. */
static inline bool waits(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	return seen_by(vp, context)->n[0] >= world_of(context)->wait[dls_vp_id(vp)];
}

/* A task of class 1 that keeps its node busy for arg[0] + 1 seconds of virtual time. */
static inline int be_busy(struct dls_vp *vp, struct dls_task *task, void *context)
{
	dls_vp_spend(vp, 1000000000);
	return task->arg[0] == 0 ? 0 : dls_class_spawn(vp, 1, &(struct dls_task){ .arg = { task->arg[0] - 1 } });
}

/* ready: the node has no task of class 1. */
static inline bool none_busy(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	int64_t key;

	return dls_class_phase(vp, 1, &key) == DLS_ENODATA;
}

#endif
