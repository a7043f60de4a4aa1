/* engine.c - an engine outside of the library, made with its kit alone: the processors take turns in one thread.
 *
 * Fails if: a table of another version is handed out, two engines can be registered, machines do not find one by its name or
 * still find it after it was withdrawn; a function of the kit does something else than the engines of the library (tasks are lost or
 * run twice, the run does not end, its sums are wrong, a run goes on with the times of the one before); or a processor, its tasks or its window are looked for in the wrong process.
 * Or if a repartitioning in several processes goes on although they disagree or cannot communicate, or loses what they send.
 *
 * runs: check, machines, pthreads */
#include "dls/repart.h"
#include "dls/strategy.h"
#include "lib/machine/kit.h"
#include "machine.h"

enum { P = 4, TASKS = 60 };

static const struct dls__engine_kit *kit;
static unsigned mine = P;		/* processors of this process, from 0 */
static struct dls_run_result total_result;

static struct dls__stepper *at(const struct dls_machine *m, unsigned i)
{
	return (struct dls__stepper *)(void *)dls__vp_at(m, i);
}

static void share(struct dls_machine *m)
{
	m->own.end = mine < m->net.processors ? mine : m->net.processors;
}

static int open_engine(struct dls_machine *m)
{
	for (unsigned i = m->own.first; i < m->own.end; i++)
		CHECK_EQ(kit->open(at(m, i)), 0);
	return 0;
}

static void close_engine(struct dls_machine *m)
{
	for (unsigned i = m->own.first; i < m->own.end; i++)
		kit->close(at(m, i));
}

static void run_task(struct dls__stepper *s)
{
	int code = s->vp.running.task->type->run ? kit->run(&s->vp) : 0;

	if (code)
		dls__machine_fail(s->vp.machine, code);
	kit->done(&s->vp);
}

static int run(struct dls_machine *m)
{
	unsigned ended = 0;
	uint64_t begin = kit->clock();

	for (unsigned i = m->own.first; i < m->own.end; i++) {
		struct dls__stepper *s = at(m, i);

		s->counted = s->preempted = s->overslept = 7;	/* of a run before */
		kit->begin(s, begin);
		CHECK_EQ(s->counted + s->preempted + s->overslept, 0);
	}
	for (unsigned i = m->own.first; i < m->own.end; i++) {
		kit->spend_on(at(m, i), DLS__OVERHEAD);
		kit->start(&at(m, i)->vp);
	}
	while (ended < m->own.end && !dls__machine_failed(m)) {
		ended = 0;
		for (unsigned i = m->own.first; i < m->own.end; i++) {
			enum dls__step step;

			if (i % 2)		/* a turn in which it takes no task */
				kit->attend(at(m, i));
			step = kit->step(at(m, i));
			ended += step == DLS__STEP_END;
			if (step == DLS__STEP_RUN)
				run_task(at(m, i));
		}
	}
	for (unsigned i = m->own.first; i < m->own.end; i++) {
		kit->spend_on(at(m, i), DLS__IDLE);
		kit->end(at(m, i));
		at(m, i)->pool.work = (double)at(m, i)->spent[DLS__BUSY];
		m->times.last = at(m, i)->stopped > m->times.last ? at(m, i)->stopped : m->times.last;
	}
	total_result = kit->result(m);
	return atomic_load(&m->code);
}

static void poll(struct dls_vp *vp)
{
	kit->handle(at(vp->machine, vp->id));
}

static const struct dls_run_result *total(const struct dls_machine *m)
{
	return &total_result;
}

/* What the processes tell each other: there is one, and another that is made up. */
static int sum_fails, least_fails;	/* with these codes */
static int other_code;			/* of the other process */
static bool other_differs;

static unsigned process_of(const struct dls_machine *m, unsigned processor)
{
	return processor >= m->own.end;
}

static int sum(uint64_t *value, size_t count)
{
	CHECK(count > 0);
	value[0] += other_differs;
	return sum_fails;
}

static int least_of(int *code)
{
	*code = other_code < *code ? other_code : *code;
	return least_fails;
}

static struct dls__engine turns = {	/* the rest of it is the kit's */
	.name = "turns", .vp_size = sizeof(struct dls__stepper), .vp_align = _Alignof(struct dls__stepper), .share = share, .process_of = process_of,
	.sum = sum, .least = least_of, .total = total, .open = open_engine, .close = close_engine, .run = run, .poll = poll,
};

static unsigned ran[TASKS];

static int note(struct dls_vp *vp, struct dls_task *task, void *arg)
{
	ran[task->cost]++;
	return 0;
}

static const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = note };

static void enlisting(void)
{
	struct dls_parse_error error;
	struct dls_machine *m;
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = P, .engine = "turns" };

	kit = dls__engine_kit(DLS__KIT);
	CHECK(kit && !dls__engine_kit(DLS__KIT + 1) && !dls__engine_kit(DLS__KIT - 1));
	turns.now = kit->now;
	turns.post = kit->post;
	turns.timer = kit->timer;
	turns.stats = kit->stats;
	CHECK_EQ(dls_machine_open(&m, &desc, &error), DLS_ENOENT);
	CHECK(!strstr(error.what, "turns"));
	CHECK_EQ(kit->enlist(&turns), 0);
	CHECK_EQ(kit->enlist(&turns), DLS_EBUSY);
	desc.engine = "nosuch";
	CHECK_EQ(dls_machine_open(&m, &desc, &error), DLS_ENOENT);
	CHECK(strstr(error.what, "virtual threads turns"));
	desc.engine = " Turns";
	CHECK_EQ(dls_machine_open(&m, &desc, &error), 0);
	dls_machine_close(m);
}

static void add_all(struct dls_machine *m, unsigned processor)
{
	memset(ran, 0, sizeof(ran));
	for (unsigned i = 0; i < TASKS; i++)
		CHECK_EQ(dls_machine_add(m, processor, &(struct dls_task){ .type = &type, .cost = i }), 0);
}

/* Every strategy in this engine runs each task once, and the run's sums are those of its processors. */
static void runs(void)
{
	static const char *const strategy[] = { "none", "rand", "gm", "sid", "rid", "hbm", "dem", "rips", "acwn", "priority" };

	for (size_t s = 0; s < sizeof(strategy) / sizeof(*strategy); s++) {
		struct dls_machine *m = MACHINE(.processors = P, .engine = "turns", .strategy = strategy[s], .seed = 3);
		struct dls_run_result r;
		uint64_t tasks = 0;

		add_all(m, 0);
		r = machine_run(m);
		for (unsigned i = 0; i < TASKS; i++)
			if (!CHECK_EQ(ran[i], 1))
				tap_note("%s, task %u", strategy[s], i);
		for (unsigned i = 0; i < P; i++)
			tasks += machine_stats(m, i).tasks;
		CHECK_EQ(r.tasks, TASKS);
		CHECK_EQ(tasks, TASKS);
		dls_machine_close(m);
	}
}

static void queue_far(struct dls_vp *vp, void *state)
{
	dls_vp_window_take(vp, P - 1, 0, 1);
}

/* Half of the processors are in another process. */
static void halves(void)
{
	static const struct dls_strategy queues = { .name = "queues", .start = queue_far };
	struct dls_processor_stats s = { .size = sizeof(s) };
	struct dls_machine *m;

	mine = P / 2;
	m = MACHINE(.processors = P, .engine = "turns", .strategy = "none", .seed = 3);
	add_all(m, P - 1);		/* is to be queued there, not here */
	m->spec.strategy = &queues;
	CHECK_EQ(dls_machine_run(m), DLS_EINVAL);
	CHECK_EQ(dls_machine_processor_stats(m, P / 2 - 1, &s), 0);
	CHECK_EQ(dls_machine_processor_stats(m, P / 2, &s), DLS_ERANGE);
	for (unsigned i = 0; i < TASKS; i++)
		CHECK_EQ(ran[i], 0);
	dls_machine_close(m);
	mine = P;
}

enum { OBJECTS = 12 };
static unsigned worked[OBJECTS];

static int work_on(struct dls_part *part, size_t object, void *arg)
{
	worked[object]++;
	return object == 5 ? 7 : 0;
}

static int open_repart(struct dls_repart **r, const char *schedule, struct dls_parse_error *error)
{
	static const int64_t weight[OBJECTS] = { 5, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8 };

	return dls_repart_open(r, &(struct dls_repart_desc){
		.size = sizeof(struct dls_repart_desc), .objects = OBJECTS, .weight = weight, .work = work_on, .schedule = schedule,
		.processors = 3, .limit = 1, .shared = true, .engine = "turns" }, error);
}

static void repartitioned(void)
{
	static const char *const schedule[] = { "none", "repart" };
	struct dls_parse_error error;
	struct dls_repart *r = NULL;

	for (int s = 0; s < 2; s++) {
		int code = 0;
		unsigned owner = 99;

		if (!CHECK_EQ(open_repart(&r, schedule[s], &error) == 0, true)) {
			tap_note("%s: %s", schedule[s], error.what);
			return;
		}
		memset(worked, 0, sizeof(worked));
		for (unsigned k = 1; k <= 2; k++) {
			CHECK_EQ(dls_repart_sweep(r, NULL, NULL), 0);
			for (size_t i = 0; i < OBJECTS; i++) {
				CHECK_EQ(worked[i], k);
				CHECK(dls_repart_owner(r, i, &owner) == 0 && owner < 3);
				CHECK_EQ(dls_repart_code(r, i, &code), 0);
				CHECK_EQ(code, i == 5 ? 7 : 0);
			}
		}
		sum_fails = DLS_EIO;
		CHECK_EQ(dls_repart_sweep(r, NULL, NULL), DLS_EIO);
		sum_fails = 0;
		dls_repart_close(r);
	}
	r = NULL;
	least_fails = DLS_EIO;
	CHECK_EQ(open_repart(&r, "none", &error), DLS_EIO);
	least_fails = 0;
	sum_fails = DLS_EIO;
	CHECK_EQ(open_repart(&r, "none", &error), DLS_EIO);
	sum_fails = 0;
	other_code = DLS_ENOMEM;
	CHECK_EQ(open_repart(&r, "none", &error), DLS_ENOMEM);
	CHECK(strstr(error.what, "another rank"));
	CHECK_EQ(open_repart(&r, "nosuch", &error), DLS_ENOMEM);	/* its own error has its own words */
	CHECK(!strstr(error.what, "another rank"));
	other_code = 0;
	CHECK_EQ(open_repart(&r, "nosuch", &error), DLS_ENOENT);
	other_differs = true;
	CHECK_EQ(open_repart(&r, "none", &error), DLS_EINVAL);
	CHECK(strstr(error.what, "the ranks' descriptions differ"));
	other_differs = false;
	CHECK(!r);
}

static void leaving(void)
{
	struct dls_machine *m;
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = P, .engine = "turns" };

	CHECK_EQ(kit->enlist(NULL), 0);
	CHECK_EQ(dls_machine_open(&m, &desc, NULL), DLS_ENOENT);
	CHECK_EQ(kit->enlist(&turns), 0);
	CHECK_EQ(kit->enlist(NULL), 0);
}

TEST_MAIN(T(enlisting) T(runs) T(halves) T(repartitioned) T(leaving))
