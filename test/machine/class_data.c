/* class_data.c - data that tasks of classes send each other wake the receiver, arrive unchanged, and in order.
 *
 * runs: machines, pthreads */
#include "classes.h"

/* A token goes from node to node, LAPS times round; n[0] counts its visits. */
enum { LAPS = 20 };

static bool has_token(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	struct seen *s = seen_by(vp, context);

	return s->n[0] > s->runs;
}

static int take_token(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	struct world *w = world_of(context);
	struct seen *s = seen_by(vp, context);
	uint64_t token = 0;

	CHECK_EQ(from, (dls_vp_id(vp) + w->nodes - 1) % w->nodes);
	if (CHECK_EQ(bytes, sizeof(token)) == sizeof(token))
		memcpy(&token, data, sizeof(token));
	CHECK_EQ(token, from + s->n[0] + 100);
	s->n[0]++;
	return 0;
}

static int pass_token(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct world *w = world_of(context);
	struct seen *s = seen_by(vp, context);
	unsigned node = dls_vp_id(vp), next = (node + 1) % w->nodes;
	uint64_t token = node + task->arg[0] + (next == 0) + 100;

	CHECK(w->nodes == 1 || s->n[0] == s->runs + 1);
	note(vp, task, context);
	return next == node || (next == 0 && task->arg[0] == LAPS - 1)
		? 0 : dls_class_send(vp, ((struct role *)context)->task_class, next, &token, sizeof(token));
}

/* Fails if a message does not have its node ask again, or a node without a ready task sleeps through it: then it hangs or ends
 * in DLS_EDEADLK. */
static void tokens(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "other", .run = note },
		{ .name = "token", .run = pass_token, .ready = has_token, .receive = take_token },
	};

	EACH_MACHINE(m, 1, classes) {
		struct dls_run_result r;

		world.seen[0].n[0] = world.nodes == 1 ? LAPS : 1;
		for (unsigned i = 0; i < world.nodes; i++)
			for (unsigned k = 0; k < LAPS; k++)
				classes_add(m, i, 1, k, k);
		r = classes_run(m, "tokens");
		CHECK_EQ(r.tasks, world.nodes * LAPS);
		CHECK_EQ(r.data_messages, world.nodes == 1 ? 0 : world.nodes * LAPS - 1);
		CHECK_EQ(r.data_bytes, 8 * r.data_messages);
	}
}

/* Data: what node `from` sends to node `to` as its i-th, the classes taking turns. */
static const size_t sizes[] = { 0, 1, 50000, 1 << 20, 7, 0, 4096, 3 };
enum { DATA = sizeof(sizes) / sizeof(*sizes) };

static unsigned char datum(unsigned from, unsigned to, unsigned i, size_t at)
{
	return (unsigned char)(from * 31 + to * 7 + i * 3 + at % 251);
}

static int send_all(struct dls_vp *vp, struct dls_task *task, void *context)
{
	unsigned char *data = malloc(1 << 20);
	unsigned from = dls_vp_id(vp);

	if (!data)
		return DLS_ENOMEM;
	for (unsigned i = 0; i < DATA; i++)
		for (unsigned to = 0; to < world_of(context)->nodes; to++) {
			for (size_t k = 0; k < sizes[i]; k++)
				data[k] = datum(from, to, i, k);
			if (to != from)
				CHECK_EQ(dls_class_send(vp, i % 2, to, sizes[i] ? data : NULL, sizes[i]), 0);
		}
	CHECK_EACH(DLS_ENOENT, dls_class_send(vp, 2, from ? 0 : 1, data, 1),	/* it has no `receive` */
		   dls_class_send(vp, 3, from ? 0 : 1, data, 1), dls_class_send(vp, UINT32_MAX, from ? 0 : 1, data, 1));
	CHECK_EACH(DLS_ERANGE, dls_class_send(vp, 0, from, data, 1), dls_class_send(vp, 0, dls_vp_processors(vp), data, 1));
	if (SIZE_MAX > UINT32_MAX && dls_vp_processors(vp) > 1)
		CHECK_EQ(dls_class_send(vp, 0, from ? 0 : 1, data, (size_t)UINT32_MAX + 1), DLS_ERANGE);
	free(data);
	return note(vp, task, context);
}

/* n[from] counts what has come from there, n[7] all. */
static int check_datum(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	struct seen *s = seen_by(vp, context);
	const unsigned char *byte = data;
	unsigned i = (unsigned)s->n[from]++, bad = 0;

	s->n[7]++;
	if (i >= DATA || bytes != sizes[i] || ((struct role *)context)->task_class != i % 2)
		return CHECK(!"the next of its link");
	for (size_t k = 0; k < bytes; k++)
		bad += byte[k] != datum(from, dls_vp_id(vp), i, k);
	CHECK_EQ(bad, 0);
	return 0;
}

static bool has_all(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	return seen_by(vp, context)->n[7] == (world_of(context)->nodes - 1) * DATA;
}

/* Fails if data are shared instead of copied, cut, mixed up or reordered within a link, or come to the wrong class; if messages
 * are not counted; or if something is sent that must not be. */
static void data(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "sender", .run = send_all, .receive = check_datum },
		{ .name = "second", .run = note, .receive = check_datum },
		{ .name = "last", .run = note, .ready = has_all },
	};
	size_t sum = 0;

	for (unsigned i = 0; i < DATA; i++)
		sum += sizes[i];
	EACH_MACHINE(m, 1, classes) {
		unsigned links = world.nodes * (world.nodes - 1);
		struct dls_run_result r;

		for (unsigned i = 0; i < world.nodes; i++) {
			classes_add(m, i, 0, 0, i);
			classes_add(m, i, 2, 0, i);
		}
		r = classes_run(m, "data");
		CHECK_EQ(r.tasks, 2 * world.nodes);
		CHECK_EQ(r.data_messages, links * DATA);
		CHECK_EQ(r.data_bytes, links * sum);
	}
}

/* One message each us, each 20 us on the way; the receiver looks for them every 10 us, from a task that lasts. */
static int send_next(struct dls_vp *vp, struct dls_task *task, void *context)
{
	CHECK_EQ(dls_class_send(vp, 0, 0, &task->key, sizeof(task->key)), 0);
	return note(vp, task, context);
}

static int check_next(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	int64_t key = -1;

	CHECK(from == 1 && bytes == sizeof(key));
	memcpy(&key, data, sizeof(key));
	CHECK_EQ(key, seen_by(vp, context)->n[0]++);
	return 0;
}

/* Fails if a message that comes right at a poll is handled before those that wait for it. */
static void polled(void)
{
	static const struct classes_machine of = { "virtual", NULL, 2, "ideal,quantum=1e-5,latency=2e-5", NULL };
	struct dls_class_desc classes[] = {
		{ .name = "sender", .run = send_next, .receive = check_next }, { .name = "lasting", .run = note },
	};
	struct dls_machine *m = classes_open(&world, &of, classes, 2);

	world.lasts[0] = 1000;
	world.lasts[1] = 1000000;
	classes_add(m, 0, 1, 0, 0);
	for (unsigned k = 0; k < 100; k++)
		classes_add(m, 1, 0, k, 0);
	classes_run(m, "polled");
	CHECK_EQ(world.seen[0].n[0], 100);
	dls_machine_close(m);
}

TEST_MAIN(T(tokens) T(data) T(polled))
