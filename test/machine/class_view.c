/* class_view.c - views, by which an application's balancer sees and changes what the scheduler knows of classes: statuses,
 * plans, nodes reserved, tasks scheduled; and views used where they are not valid.
 *
 * runs: check, machines, pthreads */
#include <math.h>
#include <pthread.h>

#include "classes.h"

/* Node i has WEIGHT tasks times i + 1, which wait until those of the other class have run.  n[2] is what the plan makes of it. */
enum { WEIGHT = 12, PLANS = 16 };

static unsigned plan(struct dls_view *view, struct world *w, struct dls_hint *hint)
{
	unsigned n = 0, one = 77;
	struct dls_hint first = { 0 };

	CHECK_EQ(dls_view_plan(view, 0, hint, PLANS, &n), 0);
	if (!CHECK(n < w->nodes))
		return 0;
	CHECK_EQ(dls_view_plan(view, 0, &first, 1, &one), 0);
	CHECK_EQ(one, n > 0);
	CHECK(n == 0 || (first.source == hint->source && first.destination == hint->destination));
	for (unsigned i = 0; i < n; i++) {
		CHECK(hint[i].source < w->nodes && hint[i].destination < w->nodes);
		CHECK(hint[i].source != hint[i].destination && hint[i].count > 0);
		for (unsigned k = 0; k < n; k++)
			CHECK(hint[i].source != hint[k].destination);
	}
	return n;
}

static int ask_plan(struct dls_view *view, unsigned node, void *context)
{
	struct world *w = world_of(context);
	double rates = 0, tasks = 0;
	struct dls_hint hint[PLANS];
	struct dls_class_status s[NODES_MOST];
	unsigned n;

	w->told |= UINT64_C(1) << node;
	if (w->told != (UINT64_C(1) << w->nodes) - 1 || w->asked)
		return 0;
	w->asked = true;
	for (unsigned i = 0; i < w->nodes; i++) {
		s[i].size = sizeof(*s);
		CHECK_EQ(dls_view_status(view, 0, i, &s[i]), 0);
		CHECK(s[i].tasks == WEIGHT * (i + 1) && s[i].run == 0 && s[i].mean == 0 && !s[i].reserved);
		CHECK(s[i].phase == (int64_t)i && s[i].age >= 0 && s[i].age < 10);
		w->seen[i].n[2] = s[i].tasks;
		tasks += (double)s[i].tasks;
		rates += s[i].rate > 0 ? s[i].rate : 1;
	}
	n = plan(view, w, hint);
	for (unsigned i = 0; i < n; i++) {
		CHECK_EQ(dls_view_hint(view, 0, &hint[i]), 0);
		w->seen[hint[i].source].n[2] -= hint[i].count;
		w->seen[hint[i].destination].n[2] += hint[i].count;
	}
	CHECK_EQ(dls_view_plan(view, 0, hint, PLANS, &n), 0);
	CHECK_EQ(n, 0);
	for (unsigned i = 0; i < w->nodes; i++) {
		double share = tasks * (s[i].rate > 0 ? s[i].rate : 1) / rates;
		uint64_t before = s[i].tasks;

		CHECK(fabs((double)w->seen[i].n[2] - share) <= 1);
		s[i].size = sizeof(*s);
		CHECK_EQ(dls_view_status(view, 0, i, &s[i]), 0);
		CHECK(s[i].tasks == w->seen[i].n[2] || (s[i].tasks == before && before < w->seen[i].n[2]));
	}
	return 0;
}

/* Fails if a plan leaves a node more than a task from its share, sends to and from one node, or is made anew while its moves are
 * under way; or if statuses do not count what is asked for as gone, and what is confirmed as come. */
static void plans(void)
{
	static const char *const policy[] = { "factor", "phase" };
	struct dls_class_desc classes[] = {
		{ .name = "moved", .run = note, .ready = none_busy, .balance = ask_plan },
		{ .name = "busy", .run = be_busy },
	};

	for (unsigned p = 0; p < 2; p++) {
		classes[0].policy = policy[p];
		EACH_MACHINE(m, 1, classes) {
			if (strcmp(world.of->engine, "virtual") != 0)
				continue;
			for (unsigned i = 0; i < world.nodes; i++) {
				for (unsigned k = 0; k < WEIGHT * (i + 1); k++)
					classes_add(m, i, 0, i, 0);
				classes_add(m, i, 1, 0, 0);
			}
			classes_run(m, "plans");
			CHECK(world.asked);
			for (unsigned i = 0; i < world.nodes; i++)
				CHECK_EQ(runs_on(i, 0), world.seen[i].n[2]);
		}
	}
}

/* Two nodes, the second twice as fast: 200 tasks of 10 ms each.  What they tell is checked at each upcall. */
static int ask_rates(struct dls_view *view, unsigned node, void *context)
{
	static const double ms[] = { 10, 5 };
	struct world *w = world_of(context);
	struct dls_class_status s[2];
	struct dls_hint hint[2];
	double share;
	unsigned n = 77;

	for (unsigned i = 0; i < 2; i++) {
		s[i].size = sizeof(*s);
		CHECK_EQ(dls_view_status(view, 0, i, &s[i]), 0);
		CHECK(s[i].run <= 200 && s[i].tasks <= 200 - s[i].run);
		CHECK(s[i].run == 0 || fabs(s[i].mean - ms[i] / 1e3) < 1e-9);
		CHECK(s[i].run == 0 || (s[i].rate > 0 && s[i].rate < 1.000001e3 / ms[i]));
		CHECK(s[i].run < 200 || (s[i].tasks == 0 && s[i].phase == INT64_MAX));
		CHECK(s[i].age >= 0 && (i != node || s[i].age < .1));
	}
	CHECK(s[node].run >= w->seen[node].n[3]);
	w->seen[node].n[3] = s[node].run;
	if (s[0].run == 0 || s[1].run == 0 || w->asked)
		return 0;
	w->asked = true;
	CHECK_EQ(dls_view_plan(view, 0, hint, 2, &n), 0);
	share = (double)(s[0].tasks + s[1].tasks) * s[1].rate / (s[0].rate + s[1].rate);
	if (CHECK_EQ(n, 1) == 1 && CHECK(hint->source == 0 && hint->destination == 1))
		CHECK(fabs((double)(s[1].tasks + hint->count) - share) <= 1);
	return 0;
}

/* Fails if mean times or rates are not the nodes' own, if what has been run is not told or told to be there still, or if a plan
 * is not by rates. */
static void rates(void)
{
	struct dls_class_desc classes[] = {
		{ .size = sizeof(*classes), .name = "moved", .policy = "factor", .run = note, .balance = ask_rates,
		  .context = &world.role[0] },
	};
	struct classes_machine of = { "virtual", "classes,scheduler=dedicated", 3, "nectar", NULL };
	struct dls_machine *m = MACHINE(.strategy = of.strategy, .processors = of.processors, .costs = of.costs,
					.speed = (double[]){ 1, 2, 1 }, .classes = classes, .class_count = 1);

	world_reset(&world, &of);
	world.lasts[0] = 10000000;
	for (unsigned i = 0; i < 2; i++)
		for (unsigned k = 0; k < 200; k++)
			classes_add(m, i, 0, 0, k);
	CHECK_EQ(classes_run(m, "rates").transfers, 0);
	CHECK(world.asked);
	CHECK_EQ(world.seen[0].n[3], 200);
	CHECK_EQ(world.seen[1].n[3], 200);
	dls_machine_close(m);
}

/* Class 1 has a node to itself from when that has packed the task that it was asked for, which comes behind; class 0 would be
 * first.  When all of class 1 have run there, the node is released, unless nobody does. */
enum { RESERVED = 8 };

static struct reserving {
	unsigned node, to;
	bool never, released;
} reserving;

static int reserve(struct dls_view *view, unsigned node, void *context)
{
	struct world *w = world_of(context);
	struct dls_class_status s[2] = { { .size = sizeof(*s) }, { .size = sizeof(*s) } };

	if (node != reserving.node)
		return 0;
	if (!w->asked) {
		w->asked = true;
		CHECK_EQ(dls_view_reserve(view, 1, node), 0);
		CHECK_EQ(dls_view_hint(view, 1, &(struct dls_hint){ node, reserving.to, INT64_MIN, 1 }), 0);
	}
	CHECK_EQ(dls_view_status(view, 0, node, &s[0]), 0);
	CHECK_EQ(dls_view_status(view, 1, node, &s[1]), 0);
	CHECK(!s[0].reserved && s[1].reserved == !reserving.released);
	if (!reserving.never && s[1].run == RESERVED - 1 && !reserving.released) {
		reserving.released = true;
		CHECK_EQ(dls_view_release(view, node), 0);
		CHECK_EQ(dls_view_status(view, 1, node, &s[1]), 0);
		CHECK(!s[1].reserved);
	}
	return 0;
}

static void reserve_one(struct dls_machine *m)
{
	const struct seen *s = &world.seen[reserving.node];

	world.wait[reserving.node] = 1;
	for (unsigned k = 0; k < RESERVED; k++) {
		classes_add(m, reserving.node, 0, 0, k);
		classes_add(m, reserving.node, 1, k, k);
	}
	CHECK_EQ(classes_code(m, "reserved"), reserving.never ? DLS_EDEADLK : 0);
	for (unsigned k = 0; k < s->runs; k++)
		CHECK_EQ(s->run[k].task_class, k < RESERVED - 1);
	CHECK_EQ(s->runs, reserving.never ? RESERVED - 1 : 2 * RESERVED - 1);
	CHECK_EQ(world.seen[reserving.to].runs, 1);
}

/* Of the first node, and of the last, which may be the scheduler's own.  Fails if the node runs another class meanwhile, or does
 * not go on with it later; or if a node that nobody releases is waited for without end. */
static void reserved(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "first", .run = note, .ready = waits },
		{ .name = "reserving", .policy = "factor", .run = note, .ready = waits, .ship_out = pick,
		  .balance = reserve },
	};

	/* What it depends on is the node's, not the class's. */
	for (unsigned i = 0; i < 4; i++)
		EACH_MACHINE(m, 2, classes) {
			unsigned last = world.nodes - 1;

			reserving = (struct reserving){ i % 2 ? last : 0, i % 2 ? 0 : last, .never = i / 2 };
			reserve_one(m);
		}
}

/* Tasks under `priority`, scheduled on node 0 alone. */
static int schedule_one(struct dls_view *view, unsigned node, void *context)
{
	struct world *w = world_of(context);
	int64_t key = -1;
	int code = dls_view_next_key(view, 0, &key);

	CHECK_EQ(dls_view_next_key(view, 0, NULL), DLS_EINVAL);
	if (w->told < 10) {
		CHECK_EQ(code, 0);
		CHECK_EQ(key, (int64_t)w->told);
		CHECK_EQ(dls_view_schedule(view, 0, w->nodes), DLS_ERANGE);
		CHECK_EQ(dls_view_schedule(view, 0, 0), 0);
		w->told++;
	} else {
		CHECK_EQ(code, DLS_ENODATA);
		CHECK_EQ(dls_view_schedule(view, 0, 0), DLS_ENODATA);
	}
	return 0;
}

/* Fails if another than the lowest key is next, if a task is run unscheduled or elsewhere, or if the pool's end is not told. */
static void scheduled(void)
{
	struct dls_class_desc classes[] = { { .name = "waiting", .policy = "priority", .run = note, .balance = schedule_one } };

	EACH_MACHINE(m, 1, classes) {
		for (unsigned k = 0; k < 10; k++)
			classes_add(m, world.of->processors - 1, 0, (7 * k + 3) % 10, k);
		classes_run(m, "scheduled");
		CHECK_EQ(world.told, 10);
		if (CHECK_EQ(world.seen[0].runs, 10) == 10)
			for (unsigned k = 0; k < 10; k++)
				CHECK_EQ(world.seen[0].run[k].key, k);
	}
}

/* The first of two tasks that come is left where it is; then both are given to node 1. */
static int schedule_the_second(struct dls_view *view, unsigned node, void *context)
{
	struct world *w = world_of(context);
	int64_t key;

	w->upcalls++;
	w->seen[node].n[w->told]++;
	if (node == 2 && dls_view_next_key(view, 0, &key) == 0)
		w->told = 1;
	while (node == 1 && w->seen[1].n[1] && dls_view_next_key(view, 0, &key) == 0)
		CHECK_EQ(dls_view_schedule(view, 0, 1), 0);
	return 0;
}

/* One after 1 s, and one after 3 s; in virtual time the code of a task runs when it begins. */
static int spawn_twice(struct dls_vp *vp, struct dls_task *task, void *context)
{
	static const unsigned upcalls[] = { 0, 3, 6 };	/* by then: none, at the start, when the first came */

	CHECK_EQ(world_of(context)->upcalls, upcalls[task->arg[0]]);
	dls_vp_spend(vp, 1000000000);
	if (task->arg[0] < 2)
		CHECK_EQ(dls_class_spawn(vp, 1, &(struct dls_task){ .arg = { task->arg[0] + 1 } }), 0);
	return task->arg[0] == 1 ? 0 : dls_class_spawn(vp, 0, &(struct dls_task){ .key = 1 });
}

/* Fails if the balancer is not asked for each node that has nothing to run when a task comes, or for one of them twice. */
static void asked_for_each(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "waiting", .policy = "priority", .run = note, .balance = schedule_the_second },
		{ .name = "spawning", .run = spawn_twice },
	};
	struct classes_machine of = { "virtual", "classes,scheduler=dedicated", 4, NULL, NULL };
	struct dls_machine *m = classes_open(&world, &of, classes, 2);

	classes_add(m, 0, 1, 0, 0);
	CHECK_EQ(classes_run(m, "asked").tasks, 5);
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQ(world.seen[i].n[0], 2);	/* at the start, and when the first came */
	CHECK_EQ(world.seen[1].runs, 2);
	dls_machine_close(m);
}

/* A view where it is not valid. */
static void refuse_view(struct dls_view *view)
{
	struct dls_hint hint = { 0, 1, INT64_MIN, 1 };
	struct dls_class_status s = { .size = sizeof(s), .run = 99 };
	int64_t key = 99;
	unsigned hints = 99;

	CHECK_EQ(dls_view_nodes(view), 0);
	CHECK_EACH(DLS_EINVAL, dls_view_status(view, 0, 0, &s), dls_view_next_key(view, 0, &key), dls_view_schedule(view, 0, 0),
		   dls_view_hint(view, 0, &hint), dls_view_plan(view, 0, &hint, 1, &hints), dls_view_balance(view, 0, 0),
		   dls_view_reserve(view, 0, 0), dls_view_release(view, 0));
	CHECK(s.run == 99 && key == 99 && hints == 99 && hint.count == 1);
}

static void *refuse_there(void *view)
{
	refuse_view(view);
	return NULL;
}

/* The scheduler's: no other thread may look at it during the run, but for tasks of its own node. */
static struct dls_view *kept;

/* While the upcall lasts another thread has the view, and a machine inside runs, the upcalls of which have it, too. */
static int keep_inner(struct dls_view *view, unsigned node, void *context)
{
	CHECK(view != kept && node == 0);
	refuse_view(kept);
	CHECK_EQ(dls_view_nodes(view), 1);
	return 0;
}

static int keep(struct dls_view *view, unsigned node, void *context)
{
	struct world *w = world_of(context), *inner = aligned_alloc(_Alignof(struct world), sizeof(*inner));
	struct dls_class_desc classes[] = { { .name = "inner", .policy = "factor", .run = note, .balance = keep_inner } };
	struct dls_machine *m;
	pthread_t thread;

	if (w->upcalls++ >= 3 || !inner) {
		free(inner);
		return 0;
	}
	kept = view;
	CHECK_EQ(pthread_create(&thread, NULL, refuse_there, view), 0);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	m = classes_open(inner, &classes_machine[0], classes, 1);
	classes_add(m, 0, 0, 0, 0);
	CHECK_EQ(dls_machine_run(m), 0);
	CHECK_EQ(times_run(inner, 0, 0), 1);
	dls_machine_close(m);
	free(inner);
	CHECK_EQ(dls_view_nodes(view), w->nodes);
	return 0;
}

static int run_and_look(struct dls_vp *vp, struct dls_task *task, void *context)
{
	if (dls_vp_id(vp) + 1 == dls_vp_processors(vp) && kept)
		refuse_view(kept);
	return note(vp, task, context);
}

/* Fails, or crashes, if a view answers on another thread, in a task, inside another's upcall, after the run or after the machine
 * is closed; or if it does not answer any more once a machine inside has run. */
static void views(void)
{
	struct dls_class_desc classes[] = { { .name = "looking", .policy = "factor", .run = run_and_look, .balance = keep } };

	kept = NULL;
	EACH_MACHINE(m, 1, classes) {
		refuse_view(kept);	/* of the machine before, which is closed */
		kept = NULL;
		for (unsigned k = 0; k < 30; k++)
			classes_add(m, k % world.nodes, 0, k, k);
		CHECK_EQ(classes_run(m, "views").tasks, 30);
		CHECK(kept != NULL && world.upcalls >= 1);
		refuse_view(kept);
	}
	refuse_view(kept);
}

TEST_MAIN(T(plans) T(rates) T(reserved) T(scheduled) T(asked_for_each) T(views))
