/* machine.c - opening, filling, running and reading machines; what each function refuses.
 *
 * Fails if: a description that contradicts itself is accepted, a refused call changes anything, a run ends before all
 * its tasks have run or with another code than theirs, or anything is left over from one run to the next.
 *
 * runs: check, machines, pthreads */
#include <math.h>
#include <stdatomic.h>

#include "dls.h"
#include "guard.h"
#include "lib/machine/vp.h"
#include "machine.h"

static const char *const engines[] = { "virtual", "threads" };
static const struct dls_task_type plain = { .size = sizeof(plain), .name = "plain" };

static void refuse(struct dls_machine_desc desc, int code, size_t at, size_t length, const char *phrase)
{
	struct dls_machine *m = NULL;
	struct dls_parse_error error = { .at = 99 };

	desc.size = sizeof(desc);
	CHECK_EQ(dls_machine_open(&m, &desc, NULL), code);
	CHECK_EQ(dls_machine_open(&m, &desc, &error), code);
	CHECK(m == NULL);
	CHECK_EQ(error.at, at);
	CHECK_EQ(error.length, length);
	if (!CHECK(strstr(error.what, phrase) != NULL))
		tap_note("%s", error.what);
}

static void refused(void)
{
	static const double one[] = { 1, 1, 1, 1 }, zero[] = { 1, 1, 0, 1 };
	static const double infinite[] = { 1, 1, INFINITY, 1 }, none[] = { 1, 1, NAN, 1 };
	static const struct {
		struct dls_machine_desc desc;
		int code;
		size_t at, length;
		const char *phrase;
	} row[] = {
		{ { .strategy = "ridd" }, DLS_ENOENT, 0, 4, "there are: none" },
		{ { .strategy = "rid,u=2" }, DLS_ERANGE, 6, 1, "from 0 to 1" },
		{ { .strategy = "rid, 16,u=0.5" }, DLS_EINVAL, 5, 2, "CHUNK is for loops" },
		{ { .strategy = "rid,net=mesh:4x2" }, DLS_EINVAL, 0, 16, "8" },
		{ { .strategy = "rid,net=mesh:4x2", .net = "mesh:5x2" }, DLS_EINVAL, 5, 3, "10" },
		{ { .net = "mash" }, DLS_ENOENT, 0, 4, "there are: hypercube" },
		{ { .net = "mesh:2x2", .engine = "mpi" }, DLS_ENOENT, 0, 3, "there are: virtual threads" },
		{ { .costs = "ipsc2,send=x" }, DLS_EINVAL, 11, 1, "send=" },
		{ { .faults = "slow=0" }, DLS_ERANGE, 5, 1, "slow=" },
		{ { .faults = "slow=2", .engine = "threads" }, DLS_EINVAL, 0, 6, "virtual alone" },
		{ { .speed = one, .engine = "threads" }, DLS_EINVAL, 0, 0, "speeds are for the engine virtual" },
		{ { .speed = zero }, DLS_ERANGE, 0, 0, "processor 2 has the speed 0," },
		{ { .speed = infinite }, DLS_ERANGE, 0, 0, "processor 2" },
		{ { .speed = none }, DLS_ERANGE, 0, 0, "processor 2" },
	};
	struct dls_machine_desc d = { .size = sizeof(d) };
	struct dls_machine *m = NULL;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		d = row[i].desc;
		d.processors = 4;
		refuse(d, row[i].code, row[i].at, row[i].length, row[i].phrase);
	}
	d = (struct dls_machine_desc){ .size = sizeof(d) };
	refuse(d, DLS_EINVAL, 0, 0, "how many processors");
	d.processors = DLS_PROCESSORS_MAX + 1;
	CHECK_EQ(dls_machine_open(&m, &d, NULL), DLS_ERANGE);
	CHECK_EQ(dls_machine_open(NULL, &d, NULL), DLS_EINVAL);
	CHECK_EQ(dls_machine_open(&m, NULL, NULL), DLS_EINVAL);
	CHECK(m == NULL);
}

/* What was asked for is what there is, and a net in the strategy's text stands back behind one of its own. */
static void described(void)
{
	struct dls_machine *m = MACHINE(.strategy = "SID,net=mesh:4x2");

	CHECK_EQ(dls_machine_net(m)->processors, 8);
	CHECK_TEXT(dls_machine_strategy(m)->name, "sid");
	dls_machine_close(m);
	m = MACHINE(.strategy = "none,net=mesh:4x2", .net = "hypercube:5");
	CHECK_EQ(dls_machine_net(m)->processors, 32);
	dls_machine_close(m);
	m = MACHINE(.processors = 5);
	CHECK_TEXT(dls_machine_strategy(m)->name, "none");
	CHECK_EQ(dls_machine_net(m)->dims, 3);
	dls_machine_close(m);
	dls_machine_close(NULL);
}

static void added(void)
{
	static const struct dls_task_type range = { .size = sizeof(range), .name = "range", .grain = 10 };
	struct dls_machine *m = MACHINE(.processors = 3, .tasks = 7);
	struct dls_run_result r = { .size = sizeof(r) };
	struct dls_processor_stats s = { .size = sizeof(s) };
	struct dls_task task = { .type = &plain };

	CHECK_EACH(DLS_EINVAL, dls_machine_result(m, &r), dls_machine_processor_stats(m, 0, &s), dls_machine_add(m, 0, NULL),
		   dls_machine_add(m, 0, &(struct dls_task){ .cost = 1 }), dls_machine_add(NULL, 0, &task),
		   dls_machine_add(m, 0, &(struct dls_task){ .type = &range, .arg = { 3, 2 } }));
	CHECK_EQ(dls_machine_add(m, 3, &task), DLS_ERANGE);
	CHECK_EQ(dls_machine_add(m, 2, &(struct dls_task){ .type = &range, .arg = { 5, 5 } }), 0);
	CHECK_EQ(dls_machine_add(m, 2, &(struct dls_task){ .type = &range, .arg = { 0, 71 } }), DLS_ERANGE);
	CHECK_EQ(dls_machine_add(m, 2, &(struct dls_task){ .type = &range, .arg = { 0, 51 } }), 0);
	CHECK_EQ(dls_machine_add(m, 0, &task), 0);
	CHECK_EQ(dls_machine_add(m, 0, &task), DLS_ERANGE);
	CHECK_EQ(machine_run(m).tasks, 7);
	CHECK_EQ(machine_stats(m, 2).tasks, 6);
	CHECK_EQ(dls_machine_processor_stats(m, 3, &s), DLS_ERANGE);
	CHECK_EACH(DLS_EINVAL, dls_machine_processor_stats(m, 0, NULL), dls_machine_result(m, NULL), dls_machine_result(NULL, &r),
		   dls_machine_run(NULL));
	dls_machine_close(m);
	m = MACHINE(.processors = 1);
	task = (struct dls_task){ .type = &(struct dls_task_type){ .size = sizeof(struct dls_task_type), .grain = 1 }, .arg = { 0, UINT64_MAX } };
	CHECK_EQ(dls_machine_add(m, 0, &task), DLS_ERANGE);
	dls_machine_close(m);
	m = MACHINE(.processors = 1, .tasks = UINT64_MAX);	/* which loads do not hold */
	CHECK_EQ(dls_machine_add(m, 0, &task), DLS_ERANGE);
	dls_machine_close(m);
}

static int fails_once(struct dls_vp *vp, struct dls_task *task, void *context)
{
	if (task->arg[0] == 3)
		return 42;
	return task->arg[0] == 4 ? *(int *)context : 0;
}

static int spawns(struct dls_vp *vp, struct dls_task *task, void *context)
{
	return dls_vp_spawn(vp, task);
}

static int calls(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct dls_machine *m = context;
	struct dls_run_result r = { .size = sizeof(r) };

	return dls_machine_run(m) == DLS_EBUSY && dls_machine_add(m, 0, task) == DLS_EBUSY &&
	       dls_machine_result(m, &r) == DLS_EINVAL ? 0 : 1;
}

/* Fails if: a task's code, or that of a spawn too many, does not end the run, though all others sleep or spawn for ever, or is not what
 * the run returns; what was left is run later. */
static void failing(void)
{
	for (unsigned runs = 0; runs < 60; runs++) {
		struct dls_machine *m = MACHINE(.engine = engines[runs > 5], .processors = 4, .strategy = runs % 2 ? "sid" : "none", .tasks = 50);
		struct dls_task_type type = { .size = sizeof(type), .run = fails_once, .context = &(int){ 0 } };
		struct dls_task task = { .type = &type };

		guard("failing", 300);
		for (task.arg[0] = 0; task.arg[0] < 50; task.arg[0]++)
			CHECK_EQ(dls_machine_add(m, 2, &task), 0);
		CHECK_EQ(dls_machine_run(m), 42);
		CHECK(runs % 2 || machine_result(m).tasks == 4);
		CHECK_EQ(machine_run(m).tasks, 0);
		type.run = spawns;
		for (unsigned i = 0; i < 3; i++)
			CHECK_EQ(dls_machine_add(m, i, &task), 0);
		CHECK_EQ(dls_machine_run(m), DLS_ERANGE);
		type = (struct dls_task_type){ .size = sizeof(struct dls_task_type), .run = calls, .context = m };
		CHECK_EQ(dls_machine_add(m, 1, &task), 0);
		CHECK_EQ(machine_run(m).tasks, 1);
		dls_machine_close(m);
		guard_over();
	}
}

/* Ranges that weigh the most that one can, all but nothing short of what a run may have in all: the second is refused. */
static struct {
	int code[4];
	unsigned spawned;
	atomic_bool wrapped;
} heavy;

static int spawns_ranges(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct dls_task range = { .type = context, .arg = { 0, INT32_MAX }, .cost = INT32_MAX * UINT64_C(1000) };

	for (heavy.spawned = 0; heavy.spawned < 4; heavy.spawned++)
		heavy.code[heavy.spawned] = dls_vp_spawn(vp, &range);
	return 0;
}

static unsigned place_next(struct dls_vp *vp, void *state, const struct dls_task *task)
{
	return (dls_vp_id(vp) + 1) % dls_vp_processors(vp);
}

static void look_at_load(struct dls_vp *vp, void *state)
{
	if (dls_vp_load(vp) < 0 || dls_vp_queued_load(vp) < 0)
		heavy.wrapped = true;
}

static void run_heavy(int engine, const char *strategy, const struct dls_strategy *own, bool added)
{
	struct dls_machine *m = MACHINE(.engine = engines[engine], .processors = 2, .strategy = strategy);
	const struct dls_task_type range = { .size = sizeof(range), .name = "range", .grain = 1 };
	const struct dls_task_type root = { .size = sizeof(root), .name = "root", .run = spawns_ranges, .context = (void *)(uintptr_t)&range };
	struct dls_task heaviest = { .type = &range, .arg = { 0, INT32_MAX }, .cost = INT32_MAX * UINT64_C(1000) };

	if (own)
		m->spec.strategy = own;
	heavy.wrapped = false;
	heavy.spawned = 0;
	CHECK_EQ(dls_machine_add(m, 1, &(struct dls_task){ .type = &root, .cost = 1 }), 0);
	if (added) {
		CHECK_EQ(dls_machine_add(m, 0, &heaviest), 0);
		CHECK_EQ(dls_machine_add(m, 1, &heaviest), DLS_ERANGE);
	}
	CHECK_EQ(dls_machine_run(m), DLS_ERANGE);
	CHECK_EQ(heavy.spawned, 4);
	for (unsigned i = 0; i < heavy.spawned; i++)
		CHECK_EQ(heavy.code[i], i == 0 && !added ? 0 : DLS_ERANGE);
	CHECK(!heavy.wrapped);
	dls_machine_close(m);
}

/* Fails if: ranges count towards the limit only when they are queued, or where they are spawned alone, or not beside what is laid
 * open or has been added.  UndefinedBehaviorSanitizer then sees sums of loads overflow in queue.c. */
static void heaviest(void)
{
	const struct dls_strategy places = { .name = "places", .place = place_next, .load = look_at_load };
	const struct dls_strategy stays = { .name = "stays", .load = look_at_load };

	guard("the heaviest tasks", 300);	/* what is not refused takes years */
	for (int e = 0; e < 2; e++) {
		run_heavy(e, "none,load=cost", &stays, false);
		run_heavy(e, "none,load=cost", &places, false);
		run_heavy(e, "none,load=cost", &stays, true);
	}
	run_heavy(0, "repart,load=cost,queue=central,calc=ss", NULL, true);
	run_heavy(0, "rid,load=cost", NULL, true);
	guard_over();
}

/* A run that fails while thousands of messages are on their way.  Under the address sanitizer the next run, or closing,
 * touches what is freed if they are not let go with it. */
static void abandoned(void)
{
	struct dls_machine *m = MACHINE(.strategy = "rid", .processors = 1024);

	for (int i = 0; i < 3; i++) {
		struct dls_task_type type = { .size = sizeof(type), .run = fails_once, .context = &(int){ 0 } };

		for (unsigned p = 0; p < 1024; p++)
			CHECK_EQ(dls_machine_add(m, p, &(struct dls_task){ .type = &type, .arg = { p } }), 0);
		CHECK_EQ(dls_machine_run(m), 42);
	}
	dls_machine_close(m);
}

/* One task of any cost ends, on its own and beside others; what no time holds is refused, not wrapped. */
static void enormous(void)
{
	static const char *const costs[] = { "ideal", "ipsc2", "cm5", "ideal,quantum=0" };

	for (size_t c = 0; c < sizeof(costs) / sizeof(*costs); c++)
		for (size_t i = 0; dls_strategy_at(i); i++) {
			struct dls_machine *m = MACHINE(.strategy = dls_strategy_at(i)->name, .processors = 4, .costs = costs[c]);
			struct dls_run_result r;

			for (unsigned k = 0; k < 9; k++)
				machine_add(m, 0, k ? 1 : UINT64_MAX);
			r = machine_run(m);
			CHECK(r.tasks == 9 && r.time >= 0x1p61 / 1e9);
			for (unsigned k = 0; k < 50; k++)
				machine_add(m, 0, UINT64_MAX);
			CHECK_EQ(dls_machine_run(m), DLS_ERANGE);
			dls_machine_close(m);
		}
}

static int weigh_self(struct dls_vp *vp, struct dls_task *task, void *context)
{
	CHECK_EQ(dls_machine_set_weight(*(struct dls_machine **)context, 0, 2), DLS_EBUSY);
	return 0;
}

/* Of 8 tasks repart has dealt 6 to a processor that weighs three times as much: told on opening, or later, or not any more. */
static void weights(void)
{
	static const struct { double told, later; uint64_t tasks; } row[] = {
		{ 0, 0, 4 }, { 3, 0, 6 }, { 0, 3, 6 }, { 3, 1, 4 }, { 5, 3, 6 },
	};
	double bad[] = { 0, -1, NAN, INFINITY };

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct dls_machine *m = NULL;
		struct dls_task_type type = { .size = sizeof(type), .name = "weigh", .run = weigh_self, .context = &m };

		m = MACHINE(.strategy = "repart,mode=reactive", .processors = 2,
			    .weight = row[i].told > 0 ? (double[]){ 1, row[i].told } : NULL);
		for (int k = 0; k < 8; k++)
			CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &type, .cost = 1000 }), 0);
		if (row[i].later > 0)
			CHECK_EQ(dls_machine_set_weight(m, 1, row[i].later), 0);
		for (int k = 0; k < 4; k++)
			CHECK_EQ(dls_machine_set_weight(m, 1, bad[k]), DLS_ERANGE);
		CHECK_EQ(dls_machine_set_weight(m, 2, 1), DLS_ERANGE);
		CHECK_EQ(dls_machine_run(m), 0);
		CHECK_EQ(machine_stats(m, 1).tasks, row[i].tasks);
		dls_machine_close(m);
	}
	for (int k = 0; k < 4; k++)
		refuse((struct dls_machine_desc){ .processors = 2, .engine = "threads", .weight = (double[]){ 1, bad[k] } },
		       DLS_ERANGE, 0, 0, "processor 1 has the weight ");
}

TEST_MAIN(T(refused) T(described) T(added) T(failing) T(heaviest) T(abandoned) T(enormous) T(weights))
