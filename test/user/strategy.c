/* strategy.c - a strategy of another source, beg of dls_strategy(3), and one of this, with the public headers and the shared
 * library alone: for strategy.sh.
 *
 * Fails if: a machine or a loop does not know them, or runs a task or an iteration not once; a strategy that is not whole, or
 * whose name is taken, is registered, or leaves a trace where it is refused. */
#include <dls.h>
#include <dls/machine.h>
#include <dls/strategy.h>

#include <pthread.h>
#include <stdatomic.h>

#include "tap.h"

enum { TASKS = 300, N = 20000 };

static atomic_uint hits[N], starts;

/* relaxed, here and below: read after the threads have been joined or met at a barrier. */
static void hit(uint64_t i)
{
	atomic_fetch_add_explicit(&hits[i], 1, memory_order_relaxed);
}

/* All below n once, none from there on; forgets them. */
static bool once(unsigned n)
{
	bool ok = true;

	for (unsigned i = 0; i < N; i++)
		ok &= atomic_exchange_explicit(&hits[i], 0, memory_order_relaxed) == (i < n);
	return ok;
}

/* Counts its starts, and lets tasks be where they are. */
static void lazy_start(struct dls_vp *vp, void *state)
{
	(void)vp;
	*(unsigned *)state += 1;	/* from 0 */
	atomic_fetch_add_explicit(&starts, *(unsigned *)state, memory_order_relaxed);
}

static const struct dls_strategy lazy = {
	.size = sizeof(lazy), .name = "lazy", .aliases = "sloth doze-off", .source = "test", .idea = "counts its starts",
	.state_size = sizeof(unsigned), .start = lazy_start,
};

static int run_range(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)vp;
	(void)context;
	for (uint64_t i = task->arg[0]; i < task->arg[1]; i++)
		hit(i);
	return 0;
}

/* TASKS tasks and a range, all added on one processor. */
static bool run_machine(const char *strategy, const char *engine, unsigned P, struct dls_run_result *run)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = run_range },
					  range = { .size = sizeof(range), .name = "range", .run = run_range, .grain = 3 };
	struct dls_machine_desc desc = { .size = sizeof(desc), .strategy = strategy, .engine = engine, .processors = P,
					 .costs = "cluster" };
	struct dls_machine *machine;
	bool ok;

	if (dls_machine_open(&machine, &desc, NULL))
		return false;
	for (uint64_t i = 0; i < TASKS; i++)
		dls_machine_add(machine, P / 2, &(struct dls_task){ .type = &type, .arg = { i, i + 1 }, .cost = 100000 });
	dls_machine_add(machine, 0, &(struct dls_task){ .type = &range, .arg = { TASKS, 2 * TASKS }, .cost = 1000 });
	ok = dls_machine_run(machine) == 0 && dls_machine_result(machine, run) == 0 && once(2 * TASKS);
	dls_machine_close(machine);
	return ok;
}

static void registered(void)
{
	const struct dls_strategy *beg = dls_strategy_find("Beg");
	struct dls_parse_error error;
	struct dls_schedule *schedule;
	char text[100];
	size_t n = 0;

	while (dls_strategy_at(n))
		n++;
	CHECK(n > 1 && beg != NULL && dls_strategy_at(n - 2) == beg && dls_strategy_at(n - 1) == dls_strategy_find("lazy"));
	CHECK(dls_strategy_find("DozeOff") == dls_strategy_find("lazy") && dls_calc_find("beg") == NULL);
	CHECK(dls_strategy_find("lazy")->start == lazy_start);
	CHECK_EQ(dls_schedule_parse(&schedule, "BEG,7,keep=2,wait=.5,net=ring", NULL), 0);
	CHECK(dls_schedule_strategy(schedule) == beg);
	dls_schedule_print(schedule, text, sizeof(text));
	CHECK_TEXT(text, "beg,7,keep=2,wait=0.5,net=ring");
	dls_schedule_free(schedule);
	CHECK_EQ(dls_schedule_parse(&schedule, "big", &error), DLS_ENOENT);
	CHECK(strstr(error.what, " beg lazy;") != NULL);
	CHECK_EQ(dls_schedule_parse(&schedule, "beg,wait=long", &error), DLS_EINVAL);
	CHECK(strstr(error.what, "from 0 to 1e+06, or one of: pause") != NULL);
	CHECK_EQ(dls_schedule_parse(&schedule, "beg,keep=0", NULL), DLS_ERANGE);
}

static void machines(void)
{
	static const char *const strategies[] = { "beg", "beg,keep=3,wait=0,order=lifo", "beg,block=2,load=cost,net=ring", "sloth" };
	static const unsigned P[] = { 1, 2, 8 };
	struct dls_run_result run = { .size = sizeof(run) }, again = { .size = sizeof(again) };

	for (size_t s = 0; s < 4; s++)
		for (size_t p = 0; p < 3; p++) {
			bool ok = run_machine(strategies[s], "virtual", P[p], &run) &&
				  run_machine(strategies[s], "virtual", P[p], &again) && run.time == again.time &&
				  run_machine(strategies[s], "threads", P[p], &again);

			if (!CHECK(ok))
				tap_note("%s, P = %u", strategies[s], P[p]);
			/* 30 ms of tasks in one place: divided among all, or run there. */
			CHECK(s == 3 || P[p] < 8 ? run.transfers == 0 || s < 3 : run.transfers > 0 && run.time < 0.015);
		}
	CHECK(dls_machine_open(&(struct dls_machine *){ NULL }, &(struct dls_machine_desc){ .size = sizeof(struct dls_machine_desc),
	      .strategy = "begs" }, NULL) == DLS_ENOENT);
}

static void loops(void)
{
	unsigned team = 0;

	for (unsigned p = 1; p <= 4; p++) {
		DLS_PARALLEL(num_threads(p)) {
			DLS_FOR(i, 0, N)		/* DLS_SCHEDULE */
				hit((uint64_t)i);
		}
		CHECK(once(N));
		DLS_PARALLEL(num_threads(p)) {
			DLS_FOR(i, 0, N, .schedule = "beg,5,wait=0")
				hit((uint64_t)i);
		}
		CHECK(once(N));
		atomic_store(&starts, 0);
		team = 0;
		DLS_PARALLEL(num_threads(p) reduction(+ : team)) {
			team++;
			DLS_FOR(i, 0, N, .schedule = "lazy,9")
				hit((uint64_t)i);
		}
		CHECK(once(N));
		CHECK(atomic_load(&starts) == team || team == 1);	/* one worker alone is dealt the whole loop */
	}
}

static int named(const char *name, const char *aliases)
{
	struct dls_strategy s = { .size = sizeof(s), .name = name, .aliases = aliases, .source = "test", .idea = "none" };

	return dls_strategy_register(&s);
}

/* Parameters: test/api/full.c. */
static void refused(void)
{
	static const char *const bad_names[] = { NULL, "", "Bad", "9bad", "b d", "bad=", "a-name-that-has-thirty-two-bytes" };
	static const char *const taken[] = { "beg", "b-e_g", "lazy", "doze-off", "rid", "gss", "auto", "dynamic", "classes", "monotonic" };
	const struct dls_strategy whole = { .size = sizeof(whole), .name = "bad", .source = "test", .idea = "none" };
	struct dls_strategy s;
	struct dls_calc c = *dls_calc_find("gss");
	size_t n = 0;

	while (dls_strategy_at(n))
		n++;
	CHECK_EQ(dls_strategy_register(NULL), DLS_EINVAL);
	CHECK_EQ((s = whole, s.policy = &s, dls_strategy_register(&s)), DLS_EINVAL);
	CHECK_EQ((s = whole, s.source = NULL, dls_strategy_register(&s)), DLS_EINVAL);
	CHECK_EQ((s = whole, s.idea = NULL, dls_strategy_register(&s)), DLS_EINVAL);
	for (size_t i = 0; i < sizeof(bad_names) / sizeof(*bad_names); i++)
		CHECK_EQ(named(bad_names[i], NULL), DLS_EINVAL);
	CHECK_EQ(named("bad", "fine Bad"), DLS_EINVAL);
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
		CHECK_EQ(named(taken[i], NULL), DLS_EEXIST);
		CHECK_EQ(named("bad", taken[i]), DLS_EEXIST);
	}
	CHECK_EQ(dls_strategy_register(dls_strategy_find("rid")), DLS_EEXIST);
	CHECK_EQ((c.name = "bad", c.aliases = "lazy", dls_calc_register(&c)), DLS_EEXIST);
	CHECK(dls_strategy_at(n) == NULL && dls_strategy_find("bad") == NULL && dls_calc_find("bad") == NULL);
}

static const struct dls_strategy late = { .size = sizeof(late), .name = "late", .source = "test", .idea = "comes late" };

static void *come_late(void *result)
{
	*(int *)result = dls_strategy_register(&late);
	return NULL;
}

/* A site that was refused the name takes it when it is there; of several threads one registers it. */
static void comes_late(void)
{
	enum { THREADS = 4 };
	pthread_t thread[THREADS];
	struct dls_site *site;
	int result[THREADS], ok = 0;

	CHECK_EQ(dls_site_named(&site, "late-site"), 0);
	CHECK_EQ(dls_site_set_schedule(site, "late,3"), DLS_ENOENT);
	for (int t = 0; t < THREADS; t++)
		CHECK_EQ(pthread_create(&thread[t], NULL, come_late, &result[t]), 0);
	for (int t = 0; t < THREADS; t++) {
		pthread_join(thread[t], NULL);
		ok += result[t] == 0;
		CHECK(result[t] == 0 || result[t] == DLS_EEXIST);
	}
	CHECK_EQ(ok, 1);
	CHECK_EQ(dls_site_set_schedule(site, "late,3"), 0);
}

__attribute__((constructor)) static void register_lazy(void)
{
	if (dls_strategy_register(&lazy))
		abort();
}

TEST_MAIN(T(registered) T(machines) T(loops) T(refused) T(comes_late))
