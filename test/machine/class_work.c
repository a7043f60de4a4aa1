/* class_work.c - classes of tasks that work together: nodes reserved for one while another is balanced, tasks that are spawned
 * where there were none, and calls that a class's functions are refused.
 *
 * runs: check, machines, pthreads */
#include "classes.h"

#include "dls/strategy.h"

enum { KEPT, OTHER };
enum { MS = 1000000 };

static const struct classes_machine five = { "virtual", "classes,scheduler=dedicated", 5, NULL, NULL };
static const struct classes_machine three = { "virtual", "classes,scheduler=dedicated", 3, NULL, NULL };

static int keep_first(struct dls_view *view, unsigned node, void *context)
{
	struct world *w = world_of(context);

	if (!w->asked)
		CHECK_EQ(dls_view_reserve(view, KEPT, 0), 0);
	w->asked = true;
	return dls_view_balance(view, KEPT, node);
}

/* Node 0 is reserved for good.  Fails if the other class's tasks are sent there all the same, to wait for ever. */
static void kept(void)
{
	static const char *const policy[] = { "factor", "priority", "priority,ahead=0" };

	for (unsigned i = 0; i < 3; i++) {
		struct dls_class_desc classes[] = {
			[KEPT] = { .name = "kept", .policy = "factor", .run = note, .balance = keep_first },
			[OTHER] = { .name = "other", .policy = policy[i], .run = note },
		};
		struct dls_machine *m = classes_open(&world, &five, classes, 2);

		world.lasts[KEPT] = world.lasts[OTHER] = 10 * MS;
		for (unsigned k = 0; k < 12; k++)
			classes_add(m, k % 4, KEPT, 0, k);
		for (unsigned k = 0; k < 60; k++)
			classes_add(m, 1, OTHER, 0, k);
		CHECK_EQ(classes_run(m, "kept").tasks, 72);
		dls_machine_close(m);
	}
}

enum { SETUP, ROW, ROWS = 20, ITERATIONS = 100 };

static int begin_rows(struct dls_vp *vp, struct dls_task *task, void *context)
{
	for (unsigned i = 0; i < ROWS; i++)
		CHECK_EQ(dls_class_spawn(vp, ROW, &(struct dls_task){ .arg = { i } }), 0);
	return 0;
}

static int iterate(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct dls_task next = { .arg = { task->arg[0] }, .key = task->key + 1 };

	dls_vp_spend(vp, MS);
	return next.key < ITERATIONS ? dls_class_spawn(vp, ROW, &next) : 0;
}

/* Rows are spawned on nodes that had none.  Fails if `phase` never hears of them: the slow node then keeps its own. */
static void spawned(void)
{
	static const struct dls_class_desc classes[] = {
		[SETUP] = { .size = sizeof(*classes), .name = "setup", .run = begin_rows },
		[ROW] = { .size = sizeof(*classes), .name = "row", .policy = "phase", .run = iterate },
	};
	static const double speed[] = { 0.25, 1, 1, 1, 1 };
	struct dls_machine *m = MACHINE(.strategy = five.strategy, .processors = 5, .classes = classes, .class_count = 2, .speed = speed);
	struct dls_run_result run;

	for (unsigned i = 0; i < 4; i++)
		classes_add(m, i, SETUP, 0, 0);
	run = classes_run(m, "spawned");
	dls_machine_close(m);
	CHECK_EQ(run.tasks, 4 + 4 * ROWS * ITERATIONS);
	CHECK(run.time < 0.4 * ROWS * ITERATIONS * 4e-3);
}

/* Tasks wait at a dedicated scheduler, are packed if their key is odd, and note it where they run; a task of another class has one
 * more of key 1 wait after a second. */
enum { WAITING, LATE };

static int pack_odd(struct dls_vp *vp, struct dls_shipment *s, const struct dls_hint *hint, void *context)
{
	struct dls_task *task;

	while ((task = dls_shipment_next(s)) && task->key % 2 == 0)
		;
	return task ? dls_shipment_pack(s, task) : 0;
}

static int spawn_late(struct dls_vp *vp, struct dls_task *task, void *context)
{
	dls_vp_spend(vp, 1000 * MS);
	return dls_class_spawn(vp, WAITING, &(struct dls_task){ .key = 1, .arg = { 3 } });
}

/* Fails if a single task that no node takes is not run by the scheduler, or if that, having run one, keeps others. */
static void left(void)
{
	struct dls_class_desc classes[] = {
		[WAITING] = { .name = "waiting", .policy = "priority", .run = note, .ship_out = pack_odd },
		[LATE] = { .name = "late", .run = spawn_late },
	};
	struct dls_machine *m = classes_open(&world, &three, classes, 2);

	world.lasts[WAITING] = MS;
	classes_add(m, 0, LATE, 0, 0);
	for (unsigned k = 0; k < 2; k++)
		classes_add(m, 2, WAITING, k, k);
	CHECK_EQ(classes_run(m, "left").tasks, 4);
	CHECK_EQ(times_run(&world, WAITING, 0) + times_run(&world, WAITING, 1) + times_run(&world, WAITING, 3), 3);
	CHECK_EQ(runs_on(2, 0), 1);
	CHECK_EQ(runs_on(0, 1) + runs_on(1, 1), 1);
	CHECK_EQ(runs_on(0, 3) + runs_on(1, 3), 1);
	dls_machine_close(m);
}

static int send_there(struct dls_vp *vp, struct dls_task *task, void *context)
{
	note(vp, task, context);
	return task->arg[0] == 0 ? dls_class_send(vp, WAITING, dls_vp_processors(vp) - 1, "x", 1) : 0;
}

static int spawn_there(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	return dls_class_spawn(vp, WAITING, &(struct dls_task){ .arg = { 1 } });
}

/* Fails if tasks that come to be on a dedicated scheduler stay there, nodes taking them or not. */
static void spawned_there(void)
{
	static const char *const policy[] = { NULL, "factor", "phase", "priority", "priority,ahead=0" };

	for (unsigned i = 0; i < 10; i++) {
		struct dls_class_desc classes[] = {
			[WAITING] = { .name = "spawned", .policy = policy[i / 2], .run = send_there, .receive = spawn_there,
				      .ship_out = i % 2 ? pack_odd : NULL },
		};
		struct dls_machine *m = classes_open(&world, &three, classes, 1);

		classes_add(m, 0, WAITING, 0, 0);
		CHECK_EQ(classes_run(m, "spawned there").tasks, 2);
		CHECK_EQ(times_run(&world, WAITING, 1), 1);
		dls_machine_close(m);
	}
}

/* `ready` says no when asked again, and tries what it may not. */
static bool moody(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	unsigned *asked = context;

	CHECK_EQ(dls_class_spawn(vp, 0, task), DLS_EBUSY);
	CHECK_EQ(dls_class_send(vp, 0, 1 - dls_vp_id(vp), "x", 1), DLS_EBUSY);
	return ++asked[64 * dls_vp_id(vp)] % 2;
}

static int take(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	CHECK(!data && bytes == 0);
	return 0;
}

static int misuse(struct dls_vp *vp, struct dls_task *task, void *context)
{
	int64_t key = -1;

	CHECK_EQ(dls_class_send(vp, 0, 1 - dls_vp_id(vp), NULL, 1), DLS_EINVAL);
	CHECK_EQ(dls_class_send(vp, 0, 1 - dls_vp_id(vp), NULL, 0), 0);
	CHECK_EQ(dls_class_phase(vp, 0, NULL), DLS_EINVAL);
	CHECK_EQ(dls_class_phase(vp, 0, &key), 0);
	CHECK(key >= 0 && key <= task->key);
	return 0;
}

/* Fails if a task of which `ready` is of two minds is taken for one that can be run, which ends in a crash, or if what is
 * refused is done.  In virtual time such a node may wait for good, nothing else happening there. */
static void refused(void)
{
	static const char *const engine[] = { "virtual", "threads" };

	for (unsigned i = 0; i < 20; i++) {
		unsigned asked[128] = { 0 };
		struct dls_class_desc class = { .size = sizeof(class), .name = "moody", .run = misuse, .ready = moody,
						.receive = take, .context = asked };
		struct dls_machine *m = MACHINE(.engine = engine[i % 2], .processors = 2, .classes = &class, .class_count = 1);
		int code;

		for (unsigned k = 0; k < 8; k++)
			CHECK_EQ(dls_class_add(m, k % 2, 0, &(struct dls_task){ .key = k }), 0);
		code = dls_machine_run(m);
		CHECK(code == 0 || code == DLS_EDEADLK);
		dls_machine_close(m);
	}
}

TEST_MAIN(T(kept) T(spawned) T(left) T(spawned_there) T(refused))
