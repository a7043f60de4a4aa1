/* class_move.c - tasks of classes that an application's balancer moves: which and how many are picked, packed and unpacked, and
 * where they run.
 *
 * runs: check, machines, pthreads */
#include "classes.h"

/* Node 0 has twelve tasks of keys -2 .. 9, none ready before the scheduler asks for four of key 0 and above; these are packed, in
 * this order. */
static const int64_t packed[] = { 2, 7, 3, 8 };

static unsigned char byte_of(int64_t key, size_t at)
{
	return (unsigned char)(key * 17 + (int64_t)(at % 239));
}

/* Pieces of data of the task of a key. */
static size_t piece(int64_t key, unsigned i)
{
	static const size_t bytes[10][3] = { [2] = { 2, 1000, 1 }, [3] = { 0, 5, 0 }, [8] = { 100000, 1, 3000000 } };

	return i < 3 ? bytes[key][i] : 0;
}

static size_t data_bytes(int64_t key)
{
	return piece(key, 0) + piece(key, 1) + piece(key, 2);
}

static int pack_one(struct dls_shipment *s, struct dls_task *task)
{
	size_t at = 0;

	CHECK_EQ(dls_shipment_pack(s, task), 0);
	CHECK_EQ(dls_shipment_pack(s, task), DLS_EINVAL);	/* packed already */
	for (unsigned i = 0; i < 3; i++) {
		size_t n = piece(task->key, i);
		unsigned char *data = malloc(n + 1);

		if (!data)
			return DLS_ENOMEM;
		for (size_t k = 0; k < n; k++)
			data[k] = byte_of(task->key, at++);
		CHECK_EQ(dls_shipment_pack_data(s, data, n), 0);
		memset(data, 0, n);
		free(data);
	}
	return 0;
}

static int pick_four(struct dls_vp *vp, struct dls_shipment *s, const struct dls_hint *hint, void *context)
{
	struct dls_task *task[10] = { NULL }, own = { .key = 1 };
	int code = 0;

	seen_by(vp, context)->n[0] = 1;
	CHECK(hint->source == dls_vp_id(vp) && hint->destination == 1 && hint->count == 4 && hint->key == 0);
	CHECK_EQ(dls_shipment_pack_data(s, "x", 1), DLS_EINVAL);	/* of no task */
	CHECK_EQ(dls_shipment_pack(s, &own), DLS_EINVAL);
	CHECK_EQ(dls_shipment_pack(s, NULL), DLS_EINVAL);
	for (int64_t key = 9; key >= 0; key--) {
		struct dls_task *next = dls_shipment_next(s);

		if (!next)
			return CHECK(next != NULL);
		CHECK_EQ(next->key, key);
		task[key] = next;
	}
	CHECK(dls_shipment_next(s) == NULL && dls_shipment_next(s) == NULL);
	for (unsigned i = 0; i < 4 && !code; i++)
		code = pack_one(s, task[packed[i]]);
	if (sizeof(size_t) > 4)
		CHECK_EQ(dls_shipment_pack_data(s, s, (size_t)1 << 31), DLS_ERANGE);
	return code;
}

static int unpack(struct dls_vp *vp, struct dls_task *task, const void *data, size_t bytes, void *context)
{
	struct seen *s = seen_by(vp, context);
	const unsigned char *byte = data;
	unsigned bad = 0;

	CHECK_EQ(dls_vp_id(vp), 1);
	CHECK_EQ(task->arg[0], 100 + task->key);
	CHECK_EQ(task->hops, 1);
	CHECK_EQ(s->runs, 0);
	if (CHECK_EQ(bytes, data_bytes(task->key)) == data_bytes(task->key))
		for (size_t k = 0; k < bytes; k++)
			bad += byte[k] != byte_of(task->key, k);
	CHECK_EQ(bad, 0);
	s->n[1]++;
	return 0;
}

/* Once, for what `more` says, when node 0 has told. */
static int ask_once(struct dls_view *view, unsigned node, void *context)
{
	struct world *w = world_of(context);

	if (node == 0 && !w->asked)
		CHECK_EQ(dls_view_hint(view, ((struct role *)context)->task_class, w->more), 0);
	w->asked |= node == 0;
	return 0;
}

/* Fails if tasks are offered in another order or twice, if a packed one is lost, stays too or goes without its data or with
 * another's, or if pieces are not put together. */
static void shipping(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "moved", .policy = "factor", .run = note, .ready = waits, .ship_out = pick_four, .ship_in = unpack,
		  .balance = ask_once },
	};
	static const int64_t stay[] = { -2, -1, 0, 1, 4, 5, 6, 9 }, go[] = { 2, 3, 7, 8 };

	EACH_MACHINE(m, 2, classes) {
		struct dls_run_result r;

		world.more = &(struct dls_hint){ 0, 1, 0, 4 };
		world.wait[0] = 1;
		for (int k = -2; k < 10; k++)
			classes_add(m, 0, 0, k, (uint64_t)(100 + k));
		r = classes_run(m, "shipping");
		CHECK(r.tasks == 12 && r.transfers == 4 && r.nonlocal == 4);
		CHECK_EQ(world.seen[1].n[1], 4);
		if (CHECK_EQ(world.seen[0].runs, 8) == 8 && CHECK_EQ(world.seen[1].runs, 4) == 4) {
			for (unsigned i = 0; i < 8; i++)
				check_entry(&world.seen[0].run[i], 0, stay[i], (uint64_t)(100 + stay[i]));
			for (unsigned i = 0; i < 4; i++)
				check_entry(&world.seen[1].run[i], 0, go[i], (uint64_t)(100 + go[i]));
		}
	}
}

/* Of tasks 10 .. 15 of the second class 14 and 12 are to be run at once on node 1, which waits for all of them: 12 as soon
 * as another has run. */
static int unpack_now(struct dls_vp *vp, struct dls_task *task, const void *data, size_t bytes, void *context)
{
	struct dls_task other = *task;

	CHECK(data == NULL || bytes == 0);
	CHECK_EQ(dls_class_run_next(vp, &other), DLS_EINVAL);
	CHECK_EQ(dls_class_run_next(vp, NULL), DLS_EINVAL);
	if (task->key == 12 || task->key == 14)
		CHECK_EQ(dls_class_run_next(vp, task), 0);
	seen_by(vp, context)->n[0]++;
	return 0;
}

static bool all_came(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	struct seen *s = seen_by(vp, context);

	return dls_vp_id(vp) == 0 ? s->n[0] > 0 : s->n[0] == 6 && (task->key != 12 || s->runs > 0);
}

static int note_not_now(struct dls_vp *vp, struct dls_task *task, void *context)
{
	CHECK_EQ(dls_class_run_next(vp, task), DLS_EINVAL);
	CHECK(task->key != 15 || dls_vp_class_tasks(vp, 1).queued == 0);
	return note(vp, task, context);
}

/* Fails if such a task waits behind a lower key or class, is run before it is ready or twice, or is counted when it has run. */
static void now(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "first", .run = note_not_now, .ready = all_came },
		{ .name = "moved", .policy = "phase", .run = note_not_now, .ready = all_came, .ship_out = pick,
		  .ship_in = unpack_now, .balance = ask_once },
	};
	static const struct { unsigned c; int64_t key; } want[] = {
		{ 1, 14 }, { 1, 12 }, { 0, -1 }, { 0, 0 }, { 1, 1 }, { 1, 10 }, { 1, 11 }, { 1, 13 }, { 1, 15 },
	};

	EACH_MACHINE(m, 2, classes) {
		world.more = &(struct dls_hint){ 0, 1, INT64_MIN, 6 };
		for (unsigned k = 10; k < 16; k++)
			classes_add(m, 0, 1, k, 0);
		classes_add(m, 1, 0, 0, 0);
		classes_add(m, 1, 0, -1, 0);
		classes_add(m, 1, 1, 1, 0);
		CHECK_EQ(classes_run(m, "now").tasks, 9);
		if (CHECK_EQ(world.seen[1].runs, 9) == 9)
			for (unsigned i = 0; i < 9; i++)
				check_entry(&world.seen[1].run[i], want[i].c, want[i].key, 0);
	}
}

/* Without functions of its own: hints after each other, each when the one before is confirmed; in virtual time, node 0 being
 * busy with another class meanwhile. */
static const struct dls_hint series[] = {
	{ 0, 1, INT64_MIN, 3 }, { 0, 1, 5, 1 }, { 0, 1, 6, 5 }, { 0, 1, 20, 4 }, { 0, 1, INT64_MIN, 2 },
};
enum { SERIES = sizeof(series) / sizeof(*series) };

static int ask_series(struct dls_view *view, unsigned node, void *context)
{
	struct world *w = world_of(context);
	struct dls_class_status s = { .size = sizeof(s) };

	if (w->upcalls < SERIES && (node == 0 || w->upcalls > 0)) {
		CHECK_EQ(dls_view_status(view, 0, 0, &s), 0);
		if (dls_view_hint(view, 0, &series[w->upcalls]) == 0) {
			if (w->upcalls++ == 0)	/* three of ten are asked for */
				CHECK_EQ(dls_view_hint(view, 0, &(struct dls_hint){ 0, 1, INT64_MIN, 8 }), DLS_ERANGE);
		} else {
			CHECK(s.tasks < series[w->upcalls].count);
		}
	}
	return 0;
}

/* Of the tasks 0 .. 9: 9 8 7, then 6, then none of key 6 and above, none of 20, then 5 4.  Fails if a hint moves more or less
 * than it says, a lower key, nothing because one before has moved nothing, or
 * what another one has asked for. */
static void counts(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "moved", .policy = "factor", .run = note, .ready = none_busy, .balance = ask_series },
		{ .name = "busy", .run = be_busy },
	};

	EACH_MACHINE(m, 2, classes) {
		if (strcmp(world.of->engine, "virtual") != 0)
			continue;
		for (unsigned k = 0; k < 10; k++)
			classes_add(m, 0, 0, k, k);
		classes_add(m, 0, 1, 0, 2 * SERIES);
		CHECK_EQ(classes_run(m, "counts").transfers, 6);
		CHECK_EQ(world.upcalls, SERIES);
		for (uint64_t k = 0; k < 10; k++) {
			CHECK_EQ(runs_on(0, k), k < 4);
			CHECK_EQ(runs_on(1, k), k >= 4);
		}
	}
}

/* What a hint may not be, from the first upcall for node 0, which has five tasks. */
static int ask_wrongly(struct dls_view *view, unsigned node, void *context)
{
	struct world *w = world_of(context);
	struct dls_hint hint = { 0, 1, INT64_MIN, 1 };
	struct dls_class_status s = { .size = sizeof(s) };
	int64_t key;
	unsigned n = w->nodes, hints = 77;

	CHECK_EQ(dls_view_nodes(view), n);
	CHECK(node < n);
	if (node != 0 || w->asked)
		return 0;
	w->asked = true;
	CHECK_EACH(DLS_ENOENT, dls_view_hint(view, 2, &hint), dls_view_hint(view, UINT32_MAX, &hint), dls_view_status(view, 2, 0, &s),
		   dls_view_next_key(view, 2, &key), dls_view_schedule(view, 2, 0), dls_view_plan(view, 2, &hint, 1, &hints),
		   dls_view_balance(view, 2, 0), dls_view_reserve(view, 2, 0));
	CHECK_EACH(DLS_EINVAL, dls_view_hint(view, 0, NULL), dls_view_hint(view, 0, &(struct dls_hint){ 0, 0, INT64_MIN, 1 }),
		   dls_view_status(view, 0, 0, NULL), dls_view_plan(view, 0, NULL, 1, &hints), dls_view_plan(view, 0, &hint, 1, NULL));
	CHECK_EACH(DLS_ERANGE, dls_view_hint(view, 0, &(struct dls_hint){ 0, 1, INT64_MIN, 6 }),
		   dls_view_hint(view, 0, &(struct dls_hint){ 0, 1, INT64_MIN, UINT64_MAX }),
		   dls_view_hint(view, 0, &(struct dls_hint){ 0, n, INT64_MIN, 1 }),
		   dls_view_hint(view, 0, &(struct dls_hint){ UINT32_MAX, 0, INT64_MIN, 1 }), dls_view_status(view, 0, n, &s),
		   dls_view_schedule(view, 0, n), dls_view_balance(view, 0, n), dls_view_reserve(view, 0, n), dls_view_release(view, n));
	CHECK(dls_view_hint(view, 0, &(struct dls_hint){ 0, 1, INT64_MIN, 0 }) < 0);
	CHECK(dls_view_next_key(view, 0, &key) != 0 && dls_view_schedule(view, 0, 0) != 0);	/* not under `priority` */
	CHECK_EQ(hints, 77);
	CHECK_EQ(dls_view_plan(view, 0, NULL, 0, &hints), 0);
	CHECK_EQ(hints, 0);
	CHECK_EQ(dls_view_release(view, 0), 0);		/* it is not reserved */
	return 0;
}

/* Fails if one of them is taken or moves anything, or ends the run. */
static void wrong_hints(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "moved", .policy = "factor", .run = note, .balance = ask_wrongly },
		{ .name = "other", .run = note },
	};

	EACH_MACHINE(m, 1, classes) {
		struct dls_run_result r;

		for (unsigned k = 0; k < 5; k++)
			classes_add(m, 0, 0, k, k);
		r = classes_run(m, "wrong hints");
		CHECK(world.asked);
		CHECK(r.tasks == 5 && r.transfers == 0 && world.seen[0].runs == 5);
	}
}

TEST_MAIN(T(shipping) T(now) T(counts) T(wrong_hints))
