/* factor.c - loose factoring, Nishikawa 1993: groups of a node, and what a scheduler decides.
 *
 * runs: check, machines, alone */
#include "dls.h"
#include "scheduler.h"

enum { MOST = 32 };

/* What each node has run between its reports. */
struct groups {
	uint64_t run[MOST], group[MOST];
	unsigned told;
};

static int note(struct dls_view *view, unsigned node, void *context)
{
	struct groups *g = context;
	struct dls_class_status status = { .size = sizeof(status) };

	CHECK_EQ(dls_view_status(view, 0, node, &status), 0);
	if (node == 0 && g->told < MOST && status.run > g->run[0]) {
		g->group[g->told++] = status.run - g->run[0];
		g->run[0] = status.run;
	}
	return 0;
}

static int spend(struct dls_vp *vp, struct dls_task *task, void *context)
{
	dls_vp_spend(vp, 1000000);
	return 0;
}

static struct groups groups_of(uint64_t tasks, uint64_t *statuses)
{
	struct groups g = { .told = 0 };
	const struct dls_class_desc class = { .size = sizeof(class), .name = "task", .policy = "factor", .run = spend,
					      .balance = note, .context = &g };
	struct dls_machine *machine = MACHINE(.strategy = "classes,scheduler=dedicated", .processors = 2, .classes = &class,
					      .class_count = 1);

	for (uint64_t i = 0; i < tasks; i++)
		CHECK_EQ(dls_class_add(machine, 0, 0, &(struct dls_task){ .key = 0 }), 0);
	*statuses = machine_run(machine).counter[DLS__STATUSES];
	dls_machine_close(machine);
	return g;
}

/* The paper's row, and other sizes; the last 2 or 3 at once.  Fails if a half is rounded up, if 3 are split, or if
 * the last group is not told of. */
static void groups(void)
{
	static const struct { uint64_t tasks, group[MOST]; } row[] = {
		{ 250, { 125, 62, 31, 16, 8, 4, 2, 2 } }, { 128, { 64, 32, 16, 8, 4, 2, 2 } }, { 7, { 3, 2, 2 } },
		{ 6, { 3, 3 } }, { 4, { 2, 2 } }, { 3, { 3 } }, { 2, { 2 } }, { 1, { 1 } },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		uint64_t statuses;
		struct groups g = groups_of(row[i].tasks, &statuses);

		CHECK_EQ(statuses, g.told);
		for (unsigned k = 0; k < MOST; k++)
			CHECK_EQ(g.group[k], row[i].group[k]);
	}
}

/* 128 tasks each.  Node 1 tells of its first 64 after 64 s: so far node 0 may be as fast.  After 96 s it has run 64
 * at most: rates 2/3 and 1, left 64 and 32, shares 38 and 58: fails if silence is not held against it, if its group
 * does not bound what it has run, or if the last task over goes to the slow node. */
static void silence(void)
{
	CHECK_TEXT(scheduler_start("factor", 2, (uint64_t[]){ 128, 128 }, 0), "");
	CHECK_TEXT(scheduler_status(1, 64000, 64, 1000, 64, 32, 0), "");
	CHECK_TEXT(scheduler_status(1, 96000, 32, 1000, 32, 16, 0), "0>1 x26");

	/* A node that is asked already is not asked for more. */
	CHECK_TEXT(scheduler_status(1, 112000, 16, 1000, 16, 8, 0), "");

	/* Nor when it says what it has sent: that is decided on when it has come.  It has run 28, 4 s each: left 74 and 42, of
	 * 116 shares are 23 and 93: 51 more. */
	CHECK_TEXT(scheduler_told(0, 112000, (struct dls__node_report){
		.kind = DLS__MOVED, .run = 28, .time = 112000000000, .tasks = 74, .group = 37, .peer = 1, .asked = 26,
		.count = 26 }), "");
	CHECK_TEXT(scheduler_told(1, 112000, (struct dls__node_report){
		.kind = DLS__ARRIVED, .tasks = 42, .group = 21, .count = 26, .since = 96000000000 }), "0>1 x51");
}

/* Nodes that have not told how fast they are count as alike.  The largest surplus goes to the largest deficit, 22
 * of the first node's to 18 and 6; what then is left of node 1's, 2 of 20, is not worth a move.  Fails if a deficit
 * is served twice, or in the order of nodes. */
static void pairs(void)
{
	CHECK_TEXT(scheduler_start("factor", 4, (uint64_t[]){ 60, 0, 0, 0 }, 0), "0>1 x15, 0>2 x15, 0>3 x15");
	CHECK_TEXT(scheduler_start("factor", 4, (uint64_t[]){ 40, 20, 12, 0 }, 0), "0>3 x18, 0>2 x4");
	CHECK_TEXT(scheduler_start("factor", 3, (uint64_t[]){ 0, 0, 0 }, 0), "");
	CHECK_TEXT(scheduler_start("factor", 3, (uint64_t[]){ 33, 34, 33 }, 0), "");
}

/* Of two tasks one runs and is not moved; of 3 and 1 one moves, of 3 and 2 none.  Fails if the running task is
 * asked for, or a move that wins nothing. */
static void few(void)
{
	CHECK_TEXT(scheduler_start("factor", 2, (uint64_t[]){ 3, 1 }, 0), "0>1 x1");
	CHECK_TEXT(scheduler_start("factor", 2, (uint64_t[]){ 3, 2 }, 0), "");
	CHECK_TEXT(scheduler_start("factor", 2, (uint64_t[]){ 2, 0 }, 0), "0>1 x1");
	CHECK_TEXT(scheduler_start("factor", 2, (uint64_t[]){ 1, 0 }, 0), "");
	CHECK_TEXT(scheduler_start("factor", 2, (uint64_t[]){ 0, 6 }, 0), "1>0 x3");
	CHECK_TEXT(scheduler_start("factor,least=4", 2, (uint64_t[]){ 0, 6 }, 0), "");
	CHECK_TEXT(scheduler_start("factor", 3, (uint64_t[]){ 0, 2, 1 }, 0), "1>0 x1");
}

/* A node that has sent nothing is not asked again before it has run a task.  Fails if two processors can go on asking and
 * refusing. */
static void refused(void)
{
	static const struct dls__node_report nothing = { .kind = DLS__MOVED, .tasks = 20, .group = 10, .peer = 1, .asked = 10 };

	CHECK_TEXT(scheduler_start("factor", 2, (uint64_t[]){ 20, 0 }, 0), "0>1 x10");
	CHECK_TEXT(scheduler_told(0, 1, nothing), "");
	CHECK_EQ(fake.machine->pool.counter[DLS__REFUSED], 1);
	CHECK_TEXT(scheduler_status(0, 1000, 2, 500, 18, 9, 0), "0>1 x9");
	close_machine();
}

TEST_MAIN(T(groups) T(silence) T(pairs) T(few) T(refused))
