/* machines.c - machines across ranks, under every strategy: each task runs once, with its data; a failure reaches all ranks.
 *
 *	machines SEEDS SEED	SEEDS machines of each strategy, drawn from SEED on
 *
 * Fails, or never ends, if: a message is lost, or outlives its run; a rank that holds a task lets its other processors wait; a task
 * arrives without its data or as another type; the window of another rank's processor is read; results are one rank's alone. */
#include "dls.h"
#include "dls/class.h"
#include "dls/strategy.h"
#include "machine.h"
#include "ranks.h"

enum { MOST = 4000 };

static int hits[MOST];
static uint64_t roots, branch, tasks;

static uint64_t *boxed(uint64_t k)
{
	uint64_t *box = malloc(sizeof(*box));

	if (!box)
		abort();
	*box = k * 3 + 1;
	return box;
}

static void sleep_20_us(void)
{
	const struct timespec t = { .tv_nsec = 20000 };

	nanosleep(&t, NULL);
}

static int run_task(struct dls_vp *vp, struct dls_task *task, void *context)
{
	uint64_t k = task->arg[0];
	struct dls_task child = { .type = task->type, .key = task->key + 1 };

	(void)context;
	hits[k]++;
	if (k % 3 == 0) {
		CHECK(task->data && *(uint64_t *)task->data == k * 3 + 1);
		free(task->data);
	}
	if (k % 64 == 1)
		sleep_20_us();
	for (uint64_t i = 0; i < branch; i++) {
		child.arg[0] = roots + k * branch + i;
		if (child.arg[0] >= tasks)
			break;
		child.data = child.arg[0] % 3 ? NULL : boxed(child.arg[0]);
		dls_vp_poll(vp);
		CHECK_EQ(dls_vp_spawn(vp, &child), 0);
	}
	return 0;
}

static int run_range(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)context;
	for (uint64_t i = task->arg[0]; i < task->arg[1]; i++)
		hits[i]++;
	dls_vp_poll(vp);
	return 0;
}

static int run_bad(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)vp, (void)context;
	return task->arg[0] == 70 ? 1234 : 0;
}

static int run_stray(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct dls_task child = { .type = task->type, .arg[0] = 1 };

	(void)context;
	for (int i = 0; task->arg[0] == 0 && i < 200; i++)
		dls_vp_spawn(vp, &child);
	return 0;
}

static size_t pack(const struct dls_task *task, void *buffer, size_t room)
{
	if (room >= sizeof(uint64_t)) {
		memcpy(buffer, task->data, sizeof(uint64_t));
		free(task->data);
	}
	return sizeof(uint64_t);
}

static int unpack(struct dls_task *task, const void *bytes, size_t size)
{
	task->data = boxed(0);
	CHECK_EQ(size, sizeof(uint64_t));
	memcpy(task->data, bytes, size);
	return 0;
}

static const struct dls_task_type plain = { .size = sizeof(plain), .name = "plain", .run = run_task },
	range = { .size = sizeof(range), .name = "range", .run = run_range, .grain = 5 },
	bad = { .size = sizeof(bad), .name = "bad", .run = run_bad }, stray = { .size = sizeof(stray), .name = "stray", .run = run_stray };
static const struct dls_mpi_task_type type[] = {
	{ .type = &range }, { .type = &plain, .pack = pack, .unpack = unpack }, { .type = &bad },
};

#define ACROSS(...) MACHINE(.engine = "mpi", __VA_ARGS__)

static void one(const char *strategy, uint64_t seed)
{
	uint64_t state = seed, ranges, n;
	unsigned P = (unsigned[]){ 8, 8, 4, 16, 5 }[tap_random(&state) % 5];
	struct dls_machine *m = ACROSS(.strategy = strategy, .processors = P, .seed = seed);
	struct dls_run_result result;
	bool spike = tap_random(&state) % 2;
	char text[100];

	if (!m)
		return;
	memset(hits, 0, sizeof(hits));
	roots = tap_random(&state) % 200;
	branch = roots ? tap_random(&state) % 4 : 0;
	tasks = branch ? roots + tap_random(&state) % 600 : roots;
	ranges = tap_random(&state) % 3 * 100;
	for (uint64_t k = 0; k < roots; k++) {
		unsigned where = spike ? 0 : (unsigned)(k % P);
		bool own = where >= P * (unsigned)rank / (unsigned)ranks && where < P * ((unsigned)rank + 1) / (unsigned)ranks;
		struct dls_task task = { .type = &plain, .arg[0] = k, .data = own && k % 3 == 0 ? boxed(k) : NULL };

		CHECK_EQ(dls_machine_add(m, where, &task), 0);
	}
	if (ranges)
		CHECK_EQ(dls_machine_add(m, P - 1, &(struct dls_task){ .type = &range, .arg = { tasks, tasks + ranges } }), 0);
	result = machine_run(m);
	n = tasks + ranges;
	snprintf(text, sizeof(text), "%s, seed %llu", strategy, (unsigned long long)seed);
	ranks_check(hits, MOST, (int)n, text);
	CHECK(result.tasks >= tasks + ranges / 5 && result.tasks <= n);
	dls_machine_close(m);
}

static void all_strategies(uint64_t seeds, uint64_t seed)
{
	const struct dls_strategy *s;

	for (size_t i = 0; (s = dls_strategy_at(i)); i++)
		for (uint64_t k = 0; k < seeds && !tap_failures && !s->policy; k++) {
			if (rank == 0)
				printf("%s %llu\n", s->name, (unsigned long long)(seed + k));
			fflush(stdout);
			one(s->name, seed + k);
		}
}

/* Classes: tasks shipped with data, and a token that goes round by dls_class_send(). */
enum { SHIPPED = 300, TOKEN = 1000, STEPS = 50 };

static int count(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)vp, (void)context;
	hits[task->arg[0]]++;
	sleep_20_us();
	return 0;
}

static int pass_token(struct dls_vp *vp, struct dls_task *task, void *context)
{
	uint64_t step = task->arg[0] + 1;
	unsigned next = (dls_vp_id(vp) + 1) % dls_vp_processors(vp);

	(void)context;
	hits[TOKEN + task->arg[0]]++;
	return step < STEPS ? dls_class_send(vp, 1, next, &step, sizeof(step)) : 0;
}

static int take_token(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	struct dls_task task = { .type = NULL };

	(void)context;
	CHECK_EQ(from, (dls_vp_id(vp) + dls_vp_processors(vp) - 1) % dls_vp_processors(vp));
	if (CHECK_EQ(bytes, sizeof(*task.arg)) == sizeof(*task.arg))
		memcpy(task.arg, data, sizeof(*task.arg));
	return dls_class_spawn(vp, 1, &task);
}

static int ship_out(struct dls_vp *vp, struct dls_shipment *shipment, const struct dls_hint *hint, void *context)
{
	struct dls_task *task;
	uint64_t value;
	int code = 0;

	(void)vp, (void)context;
	for (uint64_t i = 0; !code && i < hint->count && (task = dls_shipment_next(shipment)); i++) {
		value = task->arg[0] * 3 + 1;
		code = dls_shipment_pack(shipment, task);
		if (!code)
			code = dls_shipment_pack_data(shipment, &value, sizeof(value));
	}
	return code;
}

static int ship_in(struct dls_vp *vp, struct dls_task *task, const void *data, size_t bytes, void *context)
{
	uint64_t value = 0;

	(void)vp, (void)context;
	if (CHECK_EQ(bytes, sizeof(value)) == sizeof(value))
		memcpy(&value, data, sizeof(value));
	CHECK_EQ(value, task->arg[0] * 3 + 1);
	return 0;
}

static void classes(const char *policy)
{
	struct dls_class_desc class[] = {
		{ .size = sizeof(class[0]), .name = "work", .policy = policy, .run = count, .ship_out = ship_out, .ship_in = ship_in },
		{ .size = sizeof(class[0]), .name = "token", .run = pass_token, .receive = take_token },
	};
	struct dls_run_result r;
	struct dls_machine *m = ACROSS(.processors = 6, .classes = class, .class_count = 2);

	memset(hits, 0, sizeof(hits));
	if (!m)
		return;
	for (uint64_t k = 0; k < SHIPPED; k++)
		CHECK_EQ(dls_class_add(m, 0, 0, &(struct dls_task){ .arg[0] = k }), 0);
	CHECK_EQ(dls_class_add(m, 0, 1, &(struct dls_task){ .arg[0] = 0 }), 0);
	r = machine_run(m);
	CHECK_EQ(r.tasks, SHIPPED + STEPS);
	CHECK_EQ(r.data_messages, STEPS - 1);
	ranks_check(hits, TOKEN, SHIPPED, "tasks shipped");
	ranks_check(hits + TOKEN, MOST - TOKEN, STEPS, "steps of the token");
	dls_machine_close(m);
}

/* One task fails on one rank: all ranks are told its code, and the machine can be used again. */
static void failure(void)
{
	struct dls_machine *m = ACROSS(.strategy = "rid", .processors = 8, .seed = 1);

	for (int again = 0; again < 3; again++) {
		for (uint64_t k = 0; k < 200; k++)
			CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &bad, .arg[0] = k + (again == 1) * 1000 }), 0);
		CHECK_EQ(dls_machine_run(m), again == 1 ? 0 : 1234);
	}
	CHECK_EQ(dls_mpi_close(mpi), DLS_EBUSY);
	CHECK_EQ(dls_mpi_machines(mpi, NULL, 0), DLS_EBUSY);
	dls_machine_close(m);
}

/* A type that is not in the table cannot leave its rank. */
static void refused(void)
{
	struct dls_machine *m = ACROSS(.strategy = "rand", .processors = 8, .seed = 1);

	CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &stray }), 0);
	CHECK_EQ(dls_machine_run(m), ranks > 1 ? DLS_EINVAL : 0);
	dls_machine_close(m);
	m = ACROSS(.strategy = "rid", .processors = rank ? 8 : 16, .seed = 1);
	CHECK_EQ(dls_machine_run(m), ranks > 1 ? DLS_EINVAL : 0);
	dls_machine_close(m);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	ranks_open(&argc, &argv, MPI_THREAD_FUNNELED, NULL);
	CHECK_EQ(dls_mpi_machines(mpi, type, sizeof(type) / sizeof(*type)), 0);
	all_strategies(strtoull(argv[1], NULL, 0), strtoull(argv[2], NULL, 0));
	classes("factor");
	classes("phase");
	classes("priority");
	classes("none");
	failure();
	refused();
	CHECK_EQ(dls_mpi_close(mpi), 0);
	mpi = NULL;
	CHECK_EQ(dls_machine_open(&(struct dls_machine *){ NULL }, &(struct dls_machine_desc){ .size = sizeof(struct dls_machine_desc),
									.processors = 4, .engine = "mpi" }, NULL), DLS_ENOENT);
	return ranks_end();
}
