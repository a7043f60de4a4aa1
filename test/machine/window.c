/* window.c - windows: tasks laid open, and taken from there slot by slot.
 *
 * Fails if: slots are not in the order of running, a piece has other iterations or another weight than in
 * the queue, taking changes the window or leaves a task in two places, loads or transfers are miscounted, or
 * a run sees the window of the one before. */
#include "dls/machine.h"
#include "dls/vp.h"
#include "lib/machine/vp.h"
#include "tap.h"

static struct dls_machine *machine;
static struct dls_message carried;	/* the last message that was sent */
static struct dls_task carried_task[8];
static unsigned carried_to, carried_tasks;

static uint64_t no_time(const struct dls_vp *vp)
{
	(void)vp;
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

static const struct dls__engine engine = { .name = "none", .now = no_time, .post = carry, .fetch = carry };

static void add(uint64_t begin, uint64_t end, uint64_t cost, int64_t key)
{
	static const struct dls_task_type task = { .name = "task" }, range = { .name = "range", .grain = 4 };

	CHECK_EQ(dls_machine_add(machine, 0, &(struct dls_task){
		.type = end ? &range : &task, .arg = { begin, end }, .cost = cost, .key = key }), 0);
}

/* Processor 0 has a task, a range of 4 + 4 + 2 iterations, and a task of no known cost. */
static struct dls_vp *open_window(const char *strategy)
{
	struct dls_machine_desc desc = { .strategy = strategy, .processors = 2 };

	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), 0);
	machine->engine = &engine;
	add(100, 0, 5, 2);
	add(0, 10, 3, 1);
	add(200, 0, 0, 0);
	for (unsigned i = 0; i < 2; i++)
		dls__vp_reset(dls__vp(machine, i));
	CHECK_EQ(dls_vp_window_open(dls__vp(machine, 0)), 5);
	return dls__vp(machine, 0);
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
	CHECK_EQ(vp->running->arg[0], begin);
	CHECK_EQ(vp->running->arg[1], end);
	dls__vp_done(vp);
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
	CHECK_EQ(dls_vp_window_open(vp), 5);	/* it is */
	CHECK_EQ(dls_vp_window_open(dls__vp(machine, 1)), 0);
	close_window();
}

/* From the middle, from the begin, and by another processor, which takes up to the end. */
static void takes(void)
{
	struct dls_vp *vp = open_window("none"), *other = dls__vp(machine, 1);

	dls_vp_window_take(vp, 0, 2, 1);
	dls_vp_window_take(vp, 0, 0, 2);
	dls_vp_window_take(vp, 0, 1, 0);
	CHECK_EQ(dls_vp_tasks(vp), 3);
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
	CHECK_EQ(dls_vp_window_open(vp), 0);
	close_window();
}

/* The slots are in the order in which queued tasks are run. */
static void orders(void)
{
	struct dls_vp *vp = open_window("none,order=lifo");

	check_weight(vp, 0, 1, 1);
	check_weight(vp, 4, 5, 1);
	dls_vp_window_take(vp, 0, 0, 1);
	check_next(vp, 200, 0);
	close_window();
	vp = open_window("none,order=key");
	check_weight(vp, 0, 1, 1);
	check_weight(vp, 1, 12, 3);
	check_weight(vp, 4, 5, 1);
	close_window();
}

static void sends(void)
{
	struct dls_vp *vp = open_window("none"), *other = dls__vp(machine, 1);

	dls_vp_window_send(vp, 1, 2, 3, 0, (int64_t[DLS_WORDS]){ 7 });
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
	dls_vp_window_get(other, 0, 0, 2, 0, NULL);
	CHECK_EQ(carried_to, 1);
	CHECK_EQ(carried.from, 0);		/* as if that had sent it */
	CHECK_EQ(carried.tasks, 2);
	CHECK_EQ(carried_task[1].arg[1], 4);
	CHECK_EQ(carried_task[1].origin, 0);
	CHECK_EQ(machine->pool.transfers, 5);
	CHECK_EQ(machine->pool.messages, 3);
	CHECK_EQ(dls_vp_load(vp), 0);
	close_window();
}

TEST_MAIN(T(weights) T(takes) T(orders) T(sends))
