/* memory.c - machines that are refused memory or threads while they are opened and run: each request in turn, alone and with all
 * later ones.
 *
 * Fails if: a machine without memory crashes, goes on for ever, or ends in anything but DLS_ENOMEM (for a thread: DLS_EAGAIN); one
 * that was refused nothing ends in an error; a result is reported without a run; memory leaks; or a later run with memory differs
 * from what it would have been.
 *
 * runs: machines, alone, pthreads */
#include <inttypes.h>

#include "dls/class.h"
#include "dls/machine.h"
#include "dls/strategy.h"
#include "once.h"
#include "refuse.h"

enum { P = 5, ROOTS = 150, TASKS = 4 * ROOTS, ITERATIONS = 2000 };

static atomic_uchar ran[TASKS], iterations[ITERATIONS];

/* Tasks 0 .. ROOTS - 1 are added; each task bears the next three while there are any.  `bear` may be NULL. */
static int run_and_bear(struct dls_vp *vp, struct dls_task *task, int (*bear)(struct dls_vp *vp, struct dls_task *child))
{
	uint64_t k = task->arg[0], first = ROOTS + 3 * k;
	int code = 0;

	atomic_fetch_add(&ran[k], 1);
	for (uint64_t i = first; bear && i < first + 3 && i < TASKS && !code; i++)
		code = bear(vp, &(struct dls_task){ .type = task->type, .arg = { i }, .cost = i % 7 + 1, .key = task->key + 1 });
	return code;
}

static int spawn(struct dls_vp *vp, struct dls_task *child)
{
	int code = dls_vp_spawn(vp, child);

	dls_vp_poll(vp);
	return code;
}

static int run_task(struct dls_vp *vp, struct dls_task *task, void *spawns)
{
	return run_and_bear(vp, task, spawns ? spawn : NULL);
}

static int run_range(struct dls_vp *vp, struct dls_task *task, void *context)
{
	for (uint64_t i = task->arg[0]; i < task->arg[1]; i++)
		atomic_fetch_add(&iterations[i], 1);
	return 0;
}

/* Data go round, and each receiver spawns what the task would have. */
static int send(struct dls_vp *vp, struct dls_task *child)
{
	uint64_t data[9] = { child->arg[0] };
	unsigned nodes = dls_vp_processors(vp) - 1;	/* the last may be a scheduler that runs nothing */
	unsigned to = (unsigned)(child->arg[0] % nodes);

	return to == dls_vp_id(vp) ? dls_class_spawn(vp, 0, child) : dls_class_send(vp, 0, to, data, sizeof(data));
}

static int run_sender(struct dls_vp *vp, struct dls_task *task, void *context)
{
	return run_and_bear(vp, task, send);
}

static int receive(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	const uint64_t *i = data;

	return dls_class_spawn(vp, 0, &(struct dls_task){ .arg = { *i }, .cost = *i % 7 + 1, .key = (int64_t)*i / 100 });
}

static int ship_out(struct dls_vp *vp, struct dls_shipment *s, const struct dls_hint *hint, void *context)
{
	struct dls_task *task;
	char data[300] = { 0 };
	int code = 0;

	for (uint64_t i = 0; i < hint->count && (task = dls_shipment_next(s)) && !code; i++) {
		code = dls_shipment_pack(s, task);
		if (!code)
			code = dls_shipment_pack_data(s, data, sizeof(data));
	}
	return code;
}

static struct dls_task_type task_type = { .size = sizeof(task_type), .name = "task", .run = run_task };
static const struct dls_task_type range_type = { .size = sizeof(range_type), .name = "range", .run = run_range, .grain = 3 };

/* A machine description.  Tasks are of classes; or they spawn others; or there are ranges beside them. */
struct plan {
	const char *engine, *strategy, *net;
	bool classes, spawns;
	uint64_t time;			/* of a run with memory, ns */
};

static int add(struct dls_machine *m, const struct plan *p)
{
	unsigned nodes = dls_machine_net(m)->processors;
	int code = 0;

	memset(ran, 0, sizeof(ran));
	memset(iterations, 0, sizeof(iterations));
	task_type.context = p->spawns ? &task_type : NULL;
	for (uint64_t k = 0; k < (p->spawns || p->classes ? ROOTS : TASKS) && !code; k++) {
		unsigned at = (unsigned)(k * k % 3 % nodes);
		struct dls_task task = { .type = &task_type, .arg = { k }, .cost = k % 7 + 1, .key = (int64_t)k / 9 };

		code = p->classes ? dls_class_add(m, at, 0, &task) : dls_machine_add(m, at, &task);
	}
	if (!code && !p->classes)
		code = dls_machine_add(m, 0, &(struct dls_task){ .type = &range_type, .arg = { 0, ITERATIONS }, .cost = 2 });
	return code;
}

static void check_all(const struct plan *p)
{
	once_check(ran, TASKS, 1, "tasks", P);
	if (!p->classes)
		once_check(iterations, ITERATIONS, 1, "iterations", P);
}

static struct dls_class_desc class = { .size = sizeof(class), .name = "class", .run = run_sender, .receive = receive,
				       .ship_out = ship_out, .policy = "factor" };

static int open(struct dls_machine **m, const struct plan *p)
{
	struct dls_machine_desc desc = { .size = sizeof(desc), .engine = p->engine, .strategy = p->strategy, .net = p->net,
					 .processors = P, .costs = "nectar", .seed = 7 };

	if (p->classes) {
		desc.classes = &class;
		desc.class_count = 1;
	}
	*m = NULL;
	return dls_machine_open(m, &desc, NULL);
}

/* The second run, with memory, is as if there had been no first. */
static uint64_t run_again(struct dls_machine *m, const struct plan *p)
{
	struct dls_run_result run = { .size = sizeof(run), .time = -1 };

	CHECK_EQ(add(m, p), 0);
	CHECK_EQ(dls_machine_run(m), 0);
	check_all(p);
	CHECK_EQ(dls_machine_result(m, &run), 0);
	return strcmp(p->engine, "virtual") == 0 ? (uint64_t)(run.time * 1e9 + 0.5) : 0;
}

static void run_without(const struct plan *p)
{
	long kept = refuse_kept();
	struct dls_machine *m;
	int code = open(&m, p);

	if (!code)
		code = add(m, p);
	if (!code)
		code = dls_machine_run(m);
	CHECK(refuse_end() ? refuse_says(code, p->engine) : code == 0);
	if (!code)
		check_all(p);
	if (code && m) {
		dls_machine_run(m);	/* gives up the tasks that were added */
		CHECK_EQ(run_again(m, p), p->time);
	}
	dls_machine_close(m);
	CHECK_EQ(refuse_kept(), kept);
}

static void each_request(struct plan p)
{
	static unsigned plans;
	struct dls_machine *m;

	guard(p.strategy, REFUSE_HANGS);
	if (CHECK_EQ(open(&m, &p), 0))
		return;
	p.time = run_again(m, &p);
	dls_machine_close(m);
	/* Which of the later requests are refused differs from plan to plan. */
	REFUSE_EACH(turn, refuse_most(4 + (int)(plans++ % 4)), 2, "%s, %s", p.engine, p.strategy)
		run_without(&p);
}

static const char *const strategies[] = {
	"none", "rand", "sid", "sid,update=period", "rid", "rid,block=all,order=lifo", "gm", "hbm", "dem", "rips", "rips,walk=mtwa",
	"acwn", "polling,target=grr", "manager",
	"factor", "phase", "priority", "repart", "repart,scheduler=dedicated", "repart,calc=af,queue=replicated",
	"repart,queue=central", "repart,queue=central,scheduler=dedicated,calc=gss", "repart,queue=central,mode=reactive",
	"repart,mode=reactive", "repart,return=yes,room=1",
};

static void each_strategy(const char *engine)
{
	for (size_t i = 0; i < 2 * sizeof(strategies) / sizeof(*strategies) && tap_failures == 0; i++)
		each_request((struct plan){ .engine = engine, .strategy = strategies[i / 2], .spawns = i % 2 });
}

static void virtual_time(void) { each_strategy("virtual"); }
static void threads(void) { each_strategy("threads"); }

static void classes(void)
{
	static const char *const strategy[] = { "classes", "classes,scheduler=dedicated" };
	static const char *const policy[] = { "factor", "phase", "priority", "none" };

	for (unsigned i = 0; i < 16; i++) {
		class.policy = policy[i / 4];
		each_request((struct plan){ .engine = i / 2 % 2 ? "threads" : "virtual", .strategy = strategy[i % 2], .classes = true });
	}
}

TEST_MAIN(T(virtual_time) T(threads) T(classes))
