/* sizes.c - descriptors and results of older and newer programs: their first member is their size.
 *
 * Fails if: a size that is not set is taken; a short descriptor is read past its end, or a short result written there; members
 * that this version does not know are ignored where they are set, or refused where they are 0; a
 * calculator or strategy is read after it has been registered.
 *
 * runs: check, machines */
#include "deal.h"
#include "dls/machine.h"
#include "dls/class.h"
#include "dls/repart.h"
#include "dls/strategy.h"
#include "machine.h"
#include "parse.h"

enum { MORE = 16 };

static int no_work(struct dls_part *part, size_t object, void *arg)
{
	return 0;
}

static int no_run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	return 0;
}

static void refused(int code, const struct dls_parse_error *error, const char *phrase)
{
	CHECK_EQ(code, DLS_EINVAL);
	if (!CHECK(strstr(error->what, phrase) != NULL))
		tap_note("%s", error->what);
}

static int open_machine(const struct dls_machine_desc *desc, struct dls_parse_error *error)
{
	struct dls_machine *machine;
	int code = dls_machine_open(&machine, desc, error);

	if (!code)
		dls_machine_close(machine);
	return code;
}

static void machine_descriptor(void)
{
	struct {
		struct dls_machine_desc desc;
		unsigned char more[MORE];
	} d = { .desc = { .size = 0, .processors = 2 } };
	struct dls_parse_error error = { .at = 9 };

	refused(open_machine(&d.desc, &error), &error, ".size = sizeof(struct dls_machine_desc)");
	CHECK_EQ(open_machine(&d.desc, NULL), DLS_EINVAL);
	d.desc.size = SIZE_MAX;
	refused(open_machine(&d.desc, &error), &error, ".size =");
	d.desc.tasks = UINT64_MAX;
	d.desc.faults = "nonsense";
	d.desc.size = sizeof(d.desc);
	CHECK(open_machine(&d.desc, NULL) < 0);
	d.desc.size = offsetof(struct dls_machine_desc, faults);	/* no processors either */
	d.desc.net = "ring";
	refused(open_machine(&d.desc, &error), &error, "how many processors");
	d.desc.net = "hypercube:2";
	CHECK_EQ(open_machine(&d.desc, NULL), 0);
	d.desc.faults = NULL;
	d.desc.net = NULL;
	d.desc.size = sizeof(d);
	CHECK_EQ(open_machine(&d.desc, NULL), 0);
	d.more[MORE - 1] = 1;
	refused(open_machine(&d.desc, &error), &error, "struct dls_machine_desc has");
	d.desc.size = sizeof(d) - 1;
	CHECK_EQ(open_machine(&d.desc, NULL), 0);
}

/* Elements of an array are as far apart as the first says. */
static void class_descriptors(void)
{
	struct {
		struct dls_class_desc desc;
		unsigned char more[MORE];
	} c[2];
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = 2, .classes = &c[0].desc, .class_count = 2 };
	struct dls_parse_error error = { .at = 9 };

	memset(c, 0, sizeof(c));
	for (unsigned i = 0; i < 2; i++)
		c[i].desc = (struct dls_class_desc){ .size = sizeof(c[i]), .run = no_run };
	CHECK_EQ(open_machine(&desc, NULL), 0);
	c[1].desc.size--;
	refused(open_machine(&desc, &error), &error, "different sizes");
	c[1].desc.size = sizeof(c[1]);
	c[1].more[0] = 1;
	refused(open_machine(&desc, &error), &error, "struct dls_class_desc has");
	c[0].desc.size = 0;
	refused(open_machine(&desc, &error), &error, ".size = sizeof(struct dls_class_desc)");
}

static void repart_descriptor(void)
{
	static const int64_t weight[] = { 1, 1 };
	struct dls_repart_desc desc = { .objects = 2, .weight = weight, .work = no_work, .processors = 2, .limit = 1 };
	struct dls_parse_error error = { .at = 9 };
	struct dls_sweep_result sweep = { .size = 0, .moved = 99 };
	struct dls_repart_stats stats = { .size = 0, .group = 99 };
	struct dls_run_result run = { .size = 0, .tasks = 99 };
	struct dls_repart *repart;

	refused(dls_repart_open(&repart, &desc, &error), &error, ".size = sizeof(struct dls_repart_desc)");
	desc.size = sizeof(desc);
	CHECK_EQ(dls_repart_open(&repart, &desc, NULL), 0);
	CHECK_EQ(dls_repart_sweep(repart, NULL, &sweep), DLS_EINVAL);
	CHECK_EQ(sweep.moved, 99);
	sweep.size = offsetof(struct dls_sweep_result, moved);
	CHECK_EQ(dls_repart_sweep(repart, NULL, &sweep), 0);
	CHECK(sweep.time > 0);
	CHECK_EQ(sweep.moved, 99);
	CHECK_EQ(dls_repart_machine_result(repart, &run), DLS_EINVAL);
	CHECK_EQ(run.tasks, 99);
	CHECK_EQ(dls_repart_machine_result(NULL, &run), DLS_EINVAL);
	CHECK_EQ(dls_repart_processor_stats(repart, 0, &stats), DLS_EINVAL);
	CHECK_EQ(stats.group, 99);
	dls_repart_close(repart);
}

/* A type of tasks is kept, so it has all of its members. */
static void task_type(void)
{
	struct {
		struct dls_task_type type;
		unsigned char more[MORE];
	} t = { .type = { .size = 0 } };
	const struct dls_task task = { .type = &t.type, .cost = 7 };
	struct dls_machine *machine = MACHINE(.processors = 1);

	CHECK_EQ(dls_machine_add(machine, 0, &task), DLS_EINVAL);
	t.type.size = offsetof(struct dls_task_type, bytes);
	CHECK_EQ(dls_machine_add(machine, 0, &task), DLS_EINVAL);
	t.type.size = sizeof(t);
	CHECK_EQ(dls_machine_add(machine, 0, &task), 0);
	t.more[MORE - 1] = 1;
	CHECK_EQ(dls_machine_add(machine, 0, &task), DLS_EINVAL);
	t.type.size--;
	CHECK_EQ(dls_machine_add(machine, 0, &task), 0);
	dls_machine_close(machine);
}

/* The library's copy is whole, whatever the size of what is registered. */
static void calculator(void)
{
	struct {
		struct dls_calc calc;
		unsigned char more[MORE];
	} c = { .calc = { .name = "older", .init = deal_init, .next = deal_ones, .param = { { .name = "X" } } } };
	const struct dls_calc *found;

	CHECK_EQ(dls_calc_register(&c.calc), DLS_EINVAL);
	c.calc.size = sizeof(c.calc);
	CHECK_EQ(dls_calc_register(&c.calc), DLS_EINVAL);	/* no parameter may be called X */
	c.calc.size = offsetof(struct dls_calc, param);
	CHECK_EQ(dls_calc_register(&c.calc), 0);
	c.calc.param[0].name = NULL;
	c.calc.name = "newer";
	c.calc.size = sizeof(c);
	CHECK_EQ(dls_calc_register(&c.calc), 0);
	c.more[0] = 1;
	c.calc.name = "newest";
	CHECK_EQ(dls_calc_register(&c.calc), DLS_EINVAL);
	memset(&c, 0xee, sizeof(c));
	found = dls_calc_find("older");
	CHECK(found && found->size == sizeof(*found) && found->next == deal_ones && !found->param[0].name);
	CHECK(dls_calc_find("newer") && !dls_calc_find("newest"));
}

static void strategy(void)
{
	struct {
		struct dls_strategy strategy;
		unsigned char more[MORE];
	} s = { .strategy = { .name = "old", .source = "test", .idea = "none", .param = { { .name = "X" } } } };
	const struct dls_strategy *found;

	CHECK_EQ(dls_strategy_register(&s.strategy), DLS_EINVAL);
	s.strategy.size = sizeof(s.strategy);
	CHECK_EQ(dls_strategy_register(&s.strategy), DLS_EINVAL);
	s.strategy.size = offsetof(struct dls_strategy, param);
	CHECK_EQ(dls_strategy_register(&s.strategy), 0);
	s.strategy.param[0].name = NULL;
	s.strategy.name = "new";
	s.strategy.size = sizeof(s);
	s.more[0] = 1;
	CHECK_EQ(dls_strategy_register(&s.strategy), DLS_EINVAL);
	s.more[0] = 0;
	CHECK_EQ(dls_strategy_register(&s.strategy), 0);
	memset(&s, 0xee, sizeof(s));
	found = dls_strategy_find("old");
	CHECK(found && found->size == sizeof(*found) && !found->start && !found->param[0].name && dls_strategy_find("new"));
}

static void loop_descriptor(void)
{
	struct dls_loop_desc desc = { .size = 0, .n = 99, .weight = 99 };
	struct dls_schedule *schedule = parse("gss,5");

	CHECK_EQ(dls_schedule_describe(schedule, 10, 1, 0, &desc), DLS_EINVAL);
	CHECK_EQ(desc.n, 99);
	desc.size = offsetof(struct dls_loop_desc, weight);
	CHECK_EQ(dls_schedule_describe(schedule, 10, 1, 0, &desc), 0);
	CHECK_EQ(desc.size, offsetof(struct dls_loop_desc, weight));
	CHECK_EQ(desc.chunk, 5);
	CHECK(desc.weight == 99);
	dls_schedule_free(schedule);
}

/* What a result's end leaves alone, and what it sets to 0. */
static void machine_results(void)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task" };
	struct {
		struct dls_run_result run;
		unsigned char more[MORE];
	} r;
	struct dls_processor_stats stats = { .size = 0, .tasks = 99 };
	struct dls_machine *machine = MACHINE(.processors = 1);

	CHECK_EQ(dls_machine_add(machine, 0, &(struct dls_task){ .type = &type, .cost = 7 }), 0);
	CHECK_EQ(dls_machine_run(machine), 0);
	memset(&r, 0xee, sizeof(r));
	r.run.size = 0;
	CHECK_EQ(dls_machine_result(machine, &r.run), DLS_EINVAL);
	r.run.size = sizeof(size_t);
	CHECK_EQ(dls_machine_result(machine, &r.run), DLS_EINVAL);
	r.run.size = offsetof(struct dls_run_result, nonlocal);
	CHECK_EQ(dls_machine_result(machine, &r.run), 0);
	CHECK_EQ(r.run.size, offsetof(struct dls_run_result, nonlocal));
	CHECK_EQ(r.run.tasks, 1);
	CHECK_EQ(r.run.nonlocal, 0xeeeeeeeeeeeeeeee);
	r.run.size = sizeof(r) - 1;
	CHECK_EQ(dls_machine_result(machine, &r.run), 0);
	CHECK_EQ(r.run.nonlocal, 0);
	for (unsigned i = 0; i < MORE; i++)
		CHECK_EQ(r.more[i], i < MORE - 1 ? 0 : 0xee);
	CHECK_EQ(dls_machine_processor_stats(machine, 0, &stats), DLS_EINVAL);
	CHECK_EQ(stats.tasks, 99);
	dls_machine_close(machine);
}

static void site_results(void)
{
	struct dls_stats stats = { .size = 0, .chunks = 99 };
	struct dls_worker_stats worker = { .size = 0 };
	struct dls_site *site = deal_site("sizes");

	CHECK_EQ(dls_site_stats(site, &stats), DLS_EINVAL);
	CHECK_EQ(stats.chunks, 99);
	CHECK_EQ(dls_site_set_measured(site, true), 0);
	DLS_FOR(i, 0, 10, .name = "sizes")
		(void)i;
	CHECK_EQ(dls_site_worker_stats(site, 0, &worker), DLS_EINVAL);
	stats.size = offsetof(struct dls_stats, measured);
	CHECK_EQ(dls_site_stats(site, &stats), 0);
	CHECK_EQ(stats.iterations, 10);
	CHECK_EQ(stats.chunks, 99);
}

TEST_MAIN(T(machine_descriptor) T(class_descriptors) T(repart_descriptor) T(task_type) T(calculator) T(strategy)
	  T(loop_descriptor) T(machine_results) T(site_results))
