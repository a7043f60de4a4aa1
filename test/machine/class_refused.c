/* class_refused.c - classes of tasks that are refused with a code and a text, and then have changed nothing; and runs
 * that cannot go on.
 *
 * runs: check, machines, pthreads */
#include "classes.h"
#include "parse.h"

/* Of the second of a machine's classes. */
static int parse_policy(const char *text, struct dls_parse_error *error)
{
	struct dls_class_desc classes[] = {
		{ .size = sizeof(*classes), .name = "plain", .run = note },
		{ .size = sizeof(*classes), .name = "strange", .run = note, .policy = text },
	};
	struct dls_machine_desc d = { .size = sizeof(d), .processors = 3, .classes = classes, .class_count = 2 };
	struct dls_machine *m = NULL;
	int code = dls_machine_open(&m, &d, error);

	CHECK(m == NULL);
	return code;
}

/* Fails if a description is taken that contradicts itself or counts classes that are not there, or a
 * refusal does not say what is accepted. */
static void opened(void)
{
	static const struct {
		int (*run)(struct dls_vp *vp, struct dls_task *task, void *context);
		unsigned classes;
		const char *strategy;
		int code;
		const char *says;
	} row[] = {
		{ NULL, 2, NULL, DLS_EINVAL, "strange" },
		{ note, 0, NULL, DLS_ERANGE, "1 to 8" },
		{ note, DLS_CLASSES_MAX + 1, NULL, DLS_ERANGE, "1 to 8" },
		{ note, 2, "rid", DLS_EINVAL, "classes" }, { note, 2, "factor", DLS_EINVAL, "classes" },
		{ note, 2, "classes,scheduler=mine", DLS_EINVAL, "shared dedicated" },
		{ note, 2, "classes,shedule=dedicated", DLS_ENOENT, "scheduler=" },
	};
	struct dls_machine_desc none = { .size = sizeof(none), .strategy = "classes", .processors = 2 };
	struct dls_machine_desc nowhere = { .size = sizeof(nowhere), .processors = 2, .class_count = 2 };
	struct dls_parse_error error;
	struct dls_class_desc classes[DLS_CLASSES_MAX + 1];
	struct dls_machine *m = NULL;

	for (unsigned i = 0; i <= DLS_CLASSES_MAX; i++)
		classes[i] = (struct dls_class_desc){ .size = sizeof(*classes), .name = "strange", .run = note };
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct dls_machine_desc d = { .size = sizeof(d), .processors = 3, .classes = classes,
					      .class_count = row[i].classes, .strategy = row[i].strategy };

		classes[1].run = row[i].run;
		CHECK_EACH(row[i].code, dls_machine_open(&m, &d, NULL), dls_machine_open(&m, &d, &error));
		if (!CHECK(strstr(error.what, row[i].says) != NULL))
			tap_note("\"%s\" is not in: %s", row[i].says, error.what);
	}
	refuse(parse_policy, DLS_ENOENT, "[factr]|[rid]|[]", "factor|phase|priority|none");
	refuse(parse_policy, DLS_EINVAL, "[classes]", "for machines, not for one of their classes");
	refuse(parse_policy, DLS_EINVAL, "phase,links=[perhaps]", "links=");
	refuse(parse_policy, DLS_ENOENT, "factor,[sleep]=1", "least=");
	refuse(parse_policy, DLS_ENOENT, "none,[least]=1", "");
	CHECK_EACH(DLS_EINVAL, dls_machine_open(&m, &none, NULL), dls_machine_open(&m, &nowhere, &error));
	CHECK(m == NULL && strstr(error.what, "2 classes"));
	CHECK(dls_strategy_find("classes") == NULL);
}

static const struct dls_task_type plain = { .size = sizeof(plain), .name = "plain" };

/* Fails if a task is added to a class that there is not, or a machine of classes takes one without, or the other way round. */
static void added(void)
{
	struct dls_class_desc classes[] = { { .run = note }, { .run = note, .policy = "priority" } };
	struct dls_machine *m = classes_open(&world, &classes_machine[4], classes, 2);
	struct dls_task task = { .key = 5 };

	CHECK_EACH(DLS_ENOENT, dls_class_add(m, 0, 2, &task), dls_class_add(m, 0, UINT32_MAX, &task));
	CHECK_EQ(dls_class_add(m, 3, 0, &task), DLS_ERANGE);
	CHECK_EACH(DLS_EINVAL, dls_class_add(m, 0, 0, NULL), dls_class_add(NULL, 0, 0, &task));
	CHECK(dls_machine_add(m, 0, &(struct dls_task){ .type = &plain }) < 0);
	CHECK_EQ(dls_class_add(m, 0, 1, &task), 0);
	CHECK_EQ(classes_run(m, "added").tasks, 1);
	dls_machine_close(m);
	m = MACHINE(.processors = 2);
	CHECK_EQ(dls_class_add(m, 0, 0, &task), DLS_ENOENT);
	CHECK_EQ(dls_machine_run(m), 0);
	dls_machine_close(m);
}

/* Tasks wait on node 0 until ship_out was called there, which packs nothing. */
static int pack_nothing(struct dls_vp *vp, struct dls_shipment *s, const struct dls_hint *hint, void *context)
{
	struct dls_task *task = NULL;

	if (world_of(context)->more)
		task = dls_shipment_next(s);	/* looked at alone */
	CHECK(!world_of(context)->more || (task && task->key == 9));
	seen_by(vp, context)->n[0]++;
	return 0;
}

/* Asks again when it is told that nothing was moved. */
static int ask_twice(struct dls_view *view, unsigned node, void *context)
{
	struct world *w = world_of(context);

	if ((node == 0 || w->upcalls > 0) && w->upcalls < 2)
		w->upcalls += dls_view_hint(view, 0, &(struct dls_hint){ 0, 1, INT64_MIN, 10 }) == 0;
	return 0;
}

/* Fails if such tasks are lost or moved, or the scheduler waits for them for ever. */
static void nothing_packed(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "staying", .policy = "factor", .run = note, .ready = waits, .ship_out = pack_nothing,
		  .balance = ask_twice },
	};

	for (unsigned look = 0; look < 2; look++)
		EACH_MACHINE(m, 2, classes) {
			struct dls_run_result r;

			world.more = look ? &world : NULL;
			world.wait[0] = 2;
			for (unsigned k = 0; k < 10; k++)
				classes_add(m, 0, 0, k, k);
			r = classes_run(m, "nothing packed");
			CHECK(r.tasks == 10 && r.transfers == 0);
			CHECK_EQ(world.seen[0].runs, 10);
			CHECK_EQ(world.seen[0].n[0], 2);
		}
}

static bool never(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	return false;
}

/* Fails if a run whose tasks are never ready does not end, ends in silence, or leaves them to the next. */
static void stalled(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "never", .policy = "factor", .run = note, .ready = never }, { .name = "other", .run = note },
	};

	EACH_MACHINE(m, 1, classes)
		for (unsigned run = 0; run < 3; run++) {
			world.seen[0].runs = 0;
			if (run < 2)
				classes_add(m, world.nodes - 1, 0, 0, 0);
			classes_add(m, 0, 1, 0, 0);
			CHECK_EQ(classes_code(m, "stalled"), run < 2 ? DLS_EDEADLK : 0);
			CHECK_EQ(world.seen[0].runs, 1);
		}
}

static int spawn_for_ever(struct dls_vp *vp, struct dls_task *task, void *context)
{
	return dls_class_spawn(vp, (unsigned)(task->arg[0]++ % 2), task) && false;
}

/* Fails if the limit of tasks is not that of all classes. */
static void too_many(void)
{
	struct dls_class_desc classes[] = {
		{ .size = sizeof(*classes), .name = "a", .policy = "priority", .run = spawn_for_ever },
		{ .size = sizeof(*classes), .name = "b", .policy = "phase", .run = spawn_for_ever },
	};

	for (unsigned e = 0; e < 2; e++) {
		struct dls_machine *m = MACHINE(.engine = e ? "threads" : "virtual", .processors = 3, .classes = classes,
						.class_count = 2, .tasks = 500);

		for (unsigned i = 0; i < 3; i++)
			classes_add(m, i, i % 2, 0, 0);
		CHECK_EQ(classes_code(m, "too many"), DLS_ERANGE);
		dls_machine_close(m);
	}
}

TEST_MAIN(T(opened) T(added) T(nothing_packed) T(stalled) T(too_many))
