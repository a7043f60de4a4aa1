/* stream.c - streams, mostly on threads, from processors that send to others that only receive: their memory is bounded by the messages
 * under way at once.
 *
 * A sender sends WINDOW messages, and the next ones after the receiver has confirmed those, so that no more are under way.
 *
 * runs: machines, pthreads */

#include "dls/class.h"
#include "dls/strategy.h"
#include "guard.h"
#include "lib/machine/vp.h"
#include "machine.h"

enum { WINDOW = 1000, WINDOWS = 300, STRESS_WINDOWS = 10000, HANGS = 300, BYTES = 200, LONG = 100000 };
enum { ROOM = 32 };	/* MiB; a stream of the default length that is kept takes 100 and more */

static unsigned windows;

/* MiB, the most so far. */
static long peak(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss / 1024;
}

static void begin(void)
{
	guard("a stream", HANGS);
	/* ThreadSanitizer's memory is not looked at, and its races are as likely in each window. */
	windows = tap_thorough() ? STRESS_WINDOWS : TAP_THREAD_SANITIZER ? WINDOWS / 10 : WINDOWS;
}

static void run(struct dls_machine *m, const char *what, uint64_t messages)
{
	long before = peak();

	CHECK_EQ(dls_machine_run(m), 0);
	tap_note("%s: %llu messages, %ld MiB more", what, (unsigned long long)messages, peak() - before);
	CHECK(peak() - before <= ROOM);
	dls_machine_close(m);
	guard_over();
}

/* Data of classes: from 0 over all processors to the last, which answers to 0. */
static struct {
	unsigned processors, left;
	uint64_t received;		/* the last one's */
	char data[LONG];
} stream;

static int pass_on(struct dls_vp *vp, unsigned to, size_t bytes)
{
	return dls_class_send(vp, 0, to, stream.data, bytes);
}

static int send_window(struct dls_vp *vp)
{
	int code = 0;

	if (stream.left == 0)
		return 0;
	stream.left--;
	for (unsigned i = 0; i < WINDOW && !code; i++)
		code = pass_on(vp, 1, i == 0 ? LONG : 1 + i % BYTES);
	return code;
}

static int first(struct dls_vp *vp, struct dls_task *task, void *context)
{
	return send_window(vp);
}

static int receive(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	unsigned id = dls_vp_id(vp);

	if (id == 0)
		return send_window(vp);
	if (id + 1 < stream.processors)
		return pass_on(vp, id + 1, bytes);
	return ++stream.received % WINDOW ? 0 : pass_on(vp, 0, 1);
}

static void data(const char *engine, unsigned processors)
{
	const struct dls_class_desc class = { .size = sizeof(class), .name = "stream", .run = first, .receive = receive };
	struct dls_machine *m = MACHINE(.engine = engine, .processors = processors, .classes = &class, .class_count = 1);
	char what[60];

	begin();
	stream.processors = processors;
	stream.left = windows;
	stream.received = 0;
	snprintf(what, sizeof(what), "data over %u processors, %s", processors, engine);
	CHECK_EQ(dls_class_add(m, 0, 0, &(struct dls_task){ .cost = 0 }), 0);
	run(m, what, (uint64_t)windows * WINDOW);
	CHECK_EQ(stream.received, (uint64_t)windows * WINDOW);
}

/* Fails if: messages and data stay where they have come; those of a third processor, passed on, do. */
static void one_way(void) { data("threads", 2); }
static void passed_on(void) { data("threads", 3); }
static void in_virtual_time(void) { data("virtual", 2); }

/* A strategy's: tasks are placed on processor 1, and it is told of each; the last of them spawns the one that goes on, on 0. */
static struct {
	unsigned left;
	uint64_t run, told, bytes;
} placed;

static unsigned place(struct dls_vp *vp, void *state, const struct dls_task *task)
{
	if (task->arg[0] > 0)
		dls_vp_send_data(vp, 1, 1, NULL, stream.data, task->arg[0] % BYTES);
	return task->arg[0] > 0;
}

static void tell(struct dls_vp *vp, void *state)
{
	if (dls_vp_id(vp) == 0)
		dls_vp_send(vp, 1, 0, NULL);
}

static void hear(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	if (dls_vp_id(vp) == 1) {
		placed.told += message->tasks == 0;
		placed.bytes += message->bytes;
	}
}

static int spawn(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct dls_task child = { .type = task->type };
	int code = 0;

	if (task->arg[0] > 0) {
		placed.run++;
		return task->arg[0] == WINDOW ? dls_vp_spawn(vp, &child) : 0;
	}
	if (placed.left == 0)
		return 0;
	placed.left--;
	for (child.arg[0] = 1; child.arg[0] <= WINDOW && !code; child.arg[0]++)
		code = dls_vp_spawn(vp, &child);
	return code;
}

/* Fails if: tasks, messages or data of a strategy stay where they have come. */
static void tasks(void)
{
	const struct dls_strategy strategy = {
		.name = "stream", .place = place, .load = tell, .message = hear, .kind = { "load", "data" },
	};
	const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = spawn };
	struct dls_machine *m = MACHINE(.engine = "threads", .processors = 2);
	uint64_t all, bytes = 0;

	begin();
	placed.left = windows;
	all = (uint64_t)windows * WINDOW;
	for (uint64_t i = 1; i <= WINDOW; i++)
		bytes += i % BYTES;
	m->spec.strategy = &strategy;
	CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &type }), 0);
	run(m, "tasks, each with data", 2 * all);
	CHECK_EQ(placed.run, all);
	CHECK(placed.told >= all);
	CHECK_EQ(placed.bytes, bytes * windows);
}

TEST_MAIN(T(one_way) T(passed_on) T_ALONE(in_virtual_time) T(tasks))
