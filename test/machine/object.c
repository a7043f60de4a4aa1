/* object.c - data objects: iterators, on which tasks wait for new versions, and copies that are fetched while other tasks run.
 *
 * runs: machines, pthreads */
#include "dls/class.h"
#include "dls/object.h"
#include "guard.h"
#include "machine.h"

enum { READER, OTHER, CLASSES };
enum { NODES = 4, SWEEPS = 30 };

static struct dls_objects at[NODES];
static uint64_t runs[NODES][CLASSES], others_before;

static int receive(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	return dls_objects_receive(vp, &at[dls_vp_id(vp)], from, data, bytes);
}

/* A ring of values, each an object of its node: the new one is made of the old ones of the node and its neighbours.  An object
 * holds two, since a neighbour may be one sweep ahead. */
static uint64_t next(uint64_t left, uint64_t own, uint64_t right)
{
	return (left * 3 + own * 5 + right * 7 + 1) % 1000003;
}

static unsigned beside(unsigned node, unsigned step)
{
	return (node + step) % NODES;
}

static bool both_here(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	unsigned node = dls_vp_id(vp);

	return dls_object_has(&at[node], beside(node, 1), task->arg[0]) &&
	       dls_object_has(&at[node], beside(node, NODES - 1), task->arg[0]);
}

static uint64_t value(unsigned node, unsigned object, uint64_t version)
{
	CHECK(dls_object_version(&at[node], object) - version <= 1);
	return ((uint64_t *)dls_object_data(&at[node], object))[version % 2];
}

static int sweep(struct dls_vp *vp, struct dls_task *task, void *context)
{
	unsigned node = dls_vp_id(vp), left = beside(node, NODES - 1), right = beside(node, 1);
	struct dls_objects *o = &at[node];
	struct dls_task then = *task;
	uint64_t k = task->arg[0];
	int code;

	runs[node][READER]++;
	dls_vp_spend(vp, 1000 * (node + 1));
	((uint64_t *)dls_object_data(o, node))[(k + 1) % 2] = next(value(node, left, k), value(node, node, k), value(node, right, k));
	code = dls_object_write(vp, o, node, NULL);
	if (code || k + 1 == SWEEPS)
		return code;
	then.arg[0] = k + 1;
	code = dls_object_want(vp, o, left, left, k + 1);
	code = code ? code : dls_object_want(vp, o, right, right, k + 1);
	return code ? code : dls_class_spawn(vp, READER, &then);
}

static void open_all(unsigned count, size_t bytes)
{
	memset(runs, 0, sizeof(runs));
	for (unsigned i = 0; i < NODES; i++)
		CHECK_EQ(dls_objects_open(&at[i], READER, NODES, count, bytes), 0);
}

static void close_all(void)
{
	for (unsigned i = 0; i < NODES; i++)
		dls_objects_close(&at[i]);
}

static void run_all(const char *engine, const char *costs, const char *faults, const struct dls_class_desc *classes, unsigned n,
		    struct dls_run_result *result)
{
	struct dls_machine *m = MACHINE(.engine = engine, .strategy = "classes", .costs = costs, .faults = faults, .processors = NODES,
					.classes = classes, .class_count = n);

	for (unsigned i = 0; i < NODES; i++)
		CHECK_EQ(dls_class_add(m, i, READER, &(struct dls_task){ .arg = { n == 1 ? 0 : 1 } }), 0);
	for (unsigned i = 0; n > 1 && i < 20; i++)
		CHECK_EQ(dls_class_add(m, 0, OTHER, &(struct dls_task){ .arg = { i } }), 0);
	guard("objects", 60);
	*result = machine_run(m);
	guard_over();
	dls_machine_close(m);
}

/* Fails if a task reads before the version is there, a version is skipped or not sent to who waits for it, or nobody wakes. */
static void iterator(void)
{
	static const char *const how[][3] = {
		{ "virtual", "cluster", NULL }, { "virtual", "nectar", "delay=0.01,stall=0.01" }, { "threads", NULL, NULL },
	};
	const struct dls_class_desc class = { .size = sizeof(class), .name = "sweep", .run = sweep, .ready = both_here, .receive = receive };
	uint64_t serial[2][NODES] = { { 0 } };

	for (unsigned k = 0; k < SWEEPS; k++)
		for (unsigned i = 0; i < NODES; i++)
			serial[(k + 1) % 2][i] = next(serial[k % 2][beside(i, NODES - 1)], serial[k % 2][i], serial[k % 2][beside(i, 1)]);
	for (unsigned h = 0; h < 3; h++) {
		struct dls_run_result r;

		open_all(NODES, 2 * sizeof(uint64_t));
		run_all(how[h][0], how[h][1], how[h][2], &class, 1, &r);
		for (unsigned i = 0; i < NODES; i++) {
			CHECK_EQ(runs[i][READER], SWEEPS);
			CHECK_EQ(value(i, i, SWEEPS), serial[SWEEPS % 2][i]);
		}
		close_all();
	}
}

/* Node 0 reads an object of node 1, 10 ms away, and has 20 other tasks of 1 ms. */
static bool here(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	return dls_object_has(&at[dls_vp_id(vp)], 0, dls_vp_id(vp) == 0 ? task->arg[0] : 0);
}

static int other(struct dls_vp *vp, struct dls_task *task, void *context)
{
	dls_vp_spend(vp, 1000000);
	runs[0][OTHER]++;
	return task->arg[0] == 0 ? dls_object_want(vp, &at[0], 1, 0, 1) : 0;
}

static int read_it(struct dls_vp *vp, struct dls_task *task, void *context)
{
	dls_vp_spend(vp, 1000000);
	if (dls_vp_id(vp) == 1)
		return dls_object_write(vp, &at[1], 0, &(uint64_t){ 77 });
	if (dls_vp_id(vp) == 0) {
		CHECK_EQ(*(uint64_t *)dls_object_data(&at[0], 0), 77);
		others_before = runs[0][OTHER];
	}
	return 0;
}

/* The node is never idle: fails if it waits for the copy, or reads before it is there. */
static void prefetch(void)
{
	const struct dls_class_desc classes[CLASSES] = {
		{ .size = sizeof(*classes), .name = "reader", .run = read_it, .ready = here, .receive = receive },
		{ .size = sizeof(*classes), .name = "other", .run = other },
	};
	struct dls_run_result r;

	open_all(1, sizeof(uint64_t));
	run_all("virtual", "ideal,latency=5e-3", NULL, classes, CLASSES, &r);
	CHECK(others_before > 10 && others_before < 13);
	CHECK(r.time > 20.99e-3 && r.time < 21.01e-3);
	close_all();
}

/* Tasks that wait for versions 3, 1 and 2, in this order, each get one: the owner is asked for the earliest first. */
static int ask_three(struct dls_vp *vp, struct dls_task *task, void *context)
{
	uint64_t k = task->arg[0];

	runs[dls_vp_id(vp)][READER]++;
	if (dls_vp_id(vp) == 1) {
		dls_vp_spend(vp, 50000000);
		CHECK_EQ(dls_object_write(vp, &at[1], 0, &k), 0);
		return k < 3 ? dls_class_spawn(vp, READER, &(struct dls_task){ .arg = { k + 1 } }) : 0;
	}
	if (k < 10)
		return CHECK_EQ(dls_object_version(&at[0], 0), k), 0;
	for (unsigned i = 0; i < 3; i++) {
		static const uint64_t wants[] = { 3, 1, 2 };

		CHECK_EQ(dls_object_want(vp, &at[0], 1, 0, wants[i]), 0);
		CHECK_EQ(dls_class_spawn(vp, READER, &(struct dls_task){ .arg = { wants[i] }, .key = (int64_t)wants[i] }), 0);
	}
	return 0;
}

static bool has_three(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	return dls_vp_id(vp) == 1 || task->arg[0] >= 10 || dls_object_has(&at[0], 0, task->arg[0]);
}

static void several(void)
{
	const struct dls_class_desc class = { .size = sizeof(class), .name = "three", .run = ask_three, .ready = has_three, .receive = receive };
	struct dls_machine *m = MACHINE(.strategy = "classes", .costs = "cluster", .processors = 2, .classes = &class, .class_count = 1);

	open_all(1, sizeof(uint64_t));
	CHECK_EQ(dls_class_add(m, 0, READER, &(struct dls_task){ .arg = { 10 } }), 0);
	CHECK_EQ(dls_class_add(m, 1, READER, &(struct dls_task){ .arg = { 1 } }), 0);
	machine_run(m);
	CHECK_EQ(runs[0][READER], 4);
	CHECK_EQ(runs[1][READER], 3);
	dls_machine_close(m);
	close_all();
}

static void errors(void)
{
	struct dls_objects o;

	CHECK_EACH(DLS_EINVAL, dls_objects_open(&o, 0, 0, 1, 1), dls_objects_open(&o, 0, 1, 0, 1), dls_objects_open(&o, 0, 1, 1, 0));
	CHECK_EQ(dls_objects_open(&o, 0, 2, 3, 8), 0);
	CHECK(dls_object_data(&o, 3) == NULL);
	CHECK(!dls_object_has(&o, 3, 0) && dls_object_has(&o, 2, 0) && !dls_object_has(&o, 2, 1));
	CHECK_EACH(DLS_ERANGE, dls_object_want(NULL, &o, 0, 3, 1), dls_object_want(NULL, &o, 2, 0, 1), dls_object_write(NULL, &o, 3, NULL));
	CHECK_EQ(dls_objects_receive(NULL, &o, 0, "1234567", 7), DLS_EINVAL);
	dls_objects_close(&o);
}

TEST_MAIN(T(iterator) T(prefetch) T(several) T(errors))
