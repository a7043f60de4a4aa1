/* window.c - windows: tasks that any processor may take, slot by slot.
 *
 * Fails if: slots are not in the order of running, a piece has other iterations or another weight than in
 * the queue, taking changes the window or leaves a task in two places, chunks run in another order than the
 * queue's, loads or transfers are miscounted, or a run sees the window of the run before.
 *
 * runs: check, machines, pthreads */
#include "dls/platform.h"
#include "dls/strategy.h"
#include "lib/machine/vp.h"
#include "machine.h"

static struct dls_machine *machine;
static struct dls_message carried;	/* the last message that was sent */
static struct dls_task carried_task[8];
static unsigned carried_to, carried_tasks;

static uint64_t no_time(const struct dls_vp *vp)
{
	return 0;
}

static void carry(struct dls_vp *vp, struct dls__msg *msg)
{
	carried = msg->seen;
	carried_to = msg->to;
	carried_tasks = 0;
	for (const struct dls_task *task = msg->tasks.first; task && CHECK(carried_tasks < 8); task = task->next)
		carried_task[carried_tasks++] = *task;
	dls__msg_free(vp, msg);
}

static const struct dls__engine engine = { .name = "none", .now = no_time, .post = carry };

static void add(uint64_t begin, uint64_t end, uint64_t cost, int64_t key)
{
	static const struct dls_task_type task = { .size = sizeof(task), .name = "task" }, range = { .size = sizeof(range), .name = "range",
		.grain = 4 };

	CHECK_EQ(dls_machine_add(machine, 0, &(struct dls_task){
		.type = end ? &range : &task, .arg = { begin, end }, .cost = cost, .key = key }), 0);
}

/* Processor 0 gets a task, a range of 4 + 4 + 2 iterations, and a task of no known cost. */
static void add_three(void)
{
	add(100, 0, 5, 2);
	add(0, 10, 3, 1);
	add(200, 0, 0, 0);
}

static void open_machine(const char *strategy)
{
	machine = MACHINE(.strategy = strategy, .processors = 2);
	machine->engine = &engine;
	add_three();
	for (unsigned i = 0; i < 2; i++)
		dls__vp_reset(dls__vp_at(machine, i));
}

/* The same, with the tasks exposed in its window. */
static struct dls_vp *open_window(const char *strategy)
{
	open_machine(strategy);
	CHECK_EQ(dls_vp_window_expose(dls__vp_at(machine, 0)), 5);
	return dls__vp_at(machine, 0);
}

static void close_window(void)
{
	machine->engine = &dls__engine_virtual;
	dls_machine_close(machine);
}

/* What is run next begins with, and ends before. */
static void check_next(struct dls_vp *vp, uint64_t begin, uint64_t end)
{
	if (!CHECK(dls__vp_next(vp)))
		return;
	CHECK_EQ(vp->running.task->arg[0], begin);
	CHECK_EQ(vp->running.task->arg[1], end);
	dls__vp_done(vp);
}

/* Run what is queued, six at most; where each begins. */
static unsigned run_all(struct dls_vp *vp, uint64_t *begin)
{
	unsigned n = 0;

	for (; n < 6 && dls__vp_next(vp); n++) {
		begin[n] = vp->running.task->arg[0];
		dls__vp_done(vp);
	}
	return n;
}

static void check_weight(const struct dls_vp *vp, uint64_t slot, uint64_t weight, uint64_t like)
{
	uint64_t alike = 0;

	CHECK_EQ(dls_vp_window_weight(vp, slot, &alike), weight);
	CHECK_EQ(alike, like);
}

static void weights(void)
{
	struct dls_vp *vp = open_window("none");

	CHECK_EQ(vp->queue.units, 0);
	CHECK_EQ(dls_vp_load(vp), 0);
	check_weight(vp, 0, 5, 1);
	check_weight(vp, 1, 12, 3);
	check_weight(vp, 2, 12, 2);
	check_weight(vp, 3, 12, 1);
	check_weight(vp, 4, 1, 1);
	CHECK_EQ(dls_vp_window_expose(vp), 5);	/* it is */
	CHECK_EQ(dls_vp_window_expose(dls__vp_at(machine, 1)), 0);
	close_window();
}

/* From the middle, from the begin, and by another processor, which takes up to the end. */
static void takes(void)
{
	struct dls_vp *vp = open_window("none"), *other = dls__vp_at(machine, 1);

	dls_vp_window_take(vp, 0, 2, 1);
	dls_vp_window_take(vp, 0, 0, 2);
	dls_vp_window_take(vp, 0, 1, 0);
	CHECK_EQ(dls_vp_queued_tasks(vp), 3);
	CHECK_EQ(dls_vp_load(vp), 3);
	dls_vp_window_take(other, 0, 3, 2);
	CHECK_EQ(dls_vp_load(other), 2);
	check_next(vp, 4, 8);
	check_next(vp, 100, 0);
	check_next(vp, 0, 4);
	CHECK(!dls__vp_next(vp));
	CHECK_EQ(dls_vp_load(vp), 0);
	check_next(other, 8, 10);
	check_next(other, 200, 0);
	check_weight(vp, 2, 12, 2);		/* as it was */
	CHECK_EQ(machine->pool.transfers, 0);

	dls__vp_reset(vp);
	CHECK_EQ(dls_vp_window_expose(vp), 0);
	close_window();
}

/* Whatever chunks they are taken in, one after the other, they are run in the order in which the queue runs them. */
static void chunks_in_order(void)
{
	static const char *const strategy[] = { "none", "none,order=lifo", "none,order=key" };

	for (unsigned k = 0; k < 3; k++)
		for (uint64_t chunk = 1; chunk <= 6; chunk++) {
			uint64_t begin[2][6] = { { 0 } };

			open_machine(strategy[k]);
			CHECK_EQ(run_all(dls__vp_at(machine, 0), begin[0]), 5);
			close_window();

			struct dls_vp *vp = open_window(strategy[k]);
			unsigned ran = 0;

			for (uint64_t slot = 0; slot < 5; slot += chunk) {
				dls_vp_window_take(vp, 0, slot, slot + chunk < 5 ? chunk : 5 - slot);
				ran += run_all(vp, &begin[1][ran]);
			}
			CHECK_EQ(ran, 5);
			CHECK_EQ(memcmp(begin[0], begin[1], sizeof(*begin)), 0);
			close_window();
		}
}

static void sends(void)
{
	struct dls_vp *vp = open_window("none");

	dls_vp_window_send(vp, 1, 2, 3, 0, (int64_t[DLS_MESSAGE_WORDS]){ 7 });
	CHECK_EQ(carried_to, 1);
	CHECK_EQ(carried.from, 0);
	CHECK_EQ(carried.word[0], 7);
	CHECK_EQ(carried.tasks, 3);
	CHECK_EQ(carried.hops, 1);
	CHECK_EQ(carried_tasks, 2);
	CHECK_EQ(carried_task[0].arg[0], 4);
	CHECK_EQ(carried_task[0].arg[1], 10);
	CHECK_EQ(carried_task[1].arg[0], 200);
	CHECK_EQ(carried_task[1].hops, 1);
	dls_vp_window_send(vp, 1, 0, 0, 0, NULL);
	CHECK_EQ(carried.tasks, 0);
	CHECK_EQ(machine->pool.transfers, 3);
	CHECK_EQ(machine->pool.messages, 2);
	CHECK_EQ(dls_vp_load(vp), 0);
	close_window();
}

/* Slots of a machine whose tasks run even if its run fails: a task, 40 slots of a range and a task; every other one of the range is
 * taken, which leaves more stretches than there is room for at first, and when that has been doubled.
 *
 * Fails if: what is left is not all the other slots in their order; a slot is taken twice, and the run does not fail. */
static void left(void)
{
	struct dls_vp *vp, *other;
	struct dls_task piece;

	machine = MACHINE(.strategy = "none", .processors = 2);
	machine->engine = &engine;
	machine->rules.completed = true;
	add(100, 0, 5, 2);
	add(0, 160, 3, 1);
	add(200, 0, 0, 0);
	for (unsigned i = 0; i < 2; i++)
		dls__vp_reset(dls__vp_at(machine, i));
	vp = dls__vp_at(machine, 0);
	other = dls__vp_at(machine, 1);
	CHECK_EQ(dls_vp_window_expose(vp), 42);
	for (uint64_t slot = 1; slot < 40; slot += 2) {
		dls_vp_window_take(other, 0, slot, 1);
		CHECK_EQ(vp->window.lefts, slot == 1 ? 2 : (slot + 3) / 2);
	}
	CHECK_EQ(dls_vp_load(other), 20);
	CHECK(!dls__machine_failed(machine));
	CHECK(dls__window_next(vp, &piece) && piece.arg[0] == 100);
	for (uint64_t slot = 2; slot <= 40; slot += 2) {
		CHECK(dls__window_next(vp, &piece));
		CHECK_EQ(piece.arg[0], 4 * (slot - 1));
		CHECK_EQ(piece.arg[1], 4 * slot);
	}
	dls_vp_window_take(other, 0, 40, 2);
	CHECK(dls__machine_failed(machine));
	CHECK_EQ(dls_vp_load(other), 20);
	CHECK(dls__window_next(vp, &piece) && piece.arg[0] == 200);
	CHECK(!dls__window_next(vp, &piece));
	close_window();
}

TEST_MAIN(T(weights) T(takes) T(chunks_in_order) T(sends) T(left))
