/* phase.c - the policy for iterative tasks, Nishikawa 1993: what nodes tell, and what a scheduler decides.
 *
 * runs: check, machines, alone */
#include "dls.h"
#include "scheduler.h"

static const uint64_t forty[] = { 40, 40, 40, 40, 40 };

/* Node 0 takes 4.2 ms for a task, the others 1 ms: of 200 it should have 11.2, each of them 47.2; 11, and 47 or
 * 48.  Over each boundary goes the surplus of all before it.  Fails if one is decided on before all have told, or
 * the row left over goes to the slow node. */
static void chain(void)
{
	CHECK_TEXT(scheduler_start("phase,links=chain", 5, forty, 0), "");
	for (unsigned i = 4; i > 0; i--)
		CHECK_TEXT(scheduler_status(i, 40, 40, 1, 40, 40, 1), "");
	CHECK_TEXT(scheduler_status(1, 80, 40, 1, 40, 40, 2), "");
	CHECK_TEXT(scheduler_status(0, 168, 40, 4.2, 40, 40, 1), "0>1 x29, 1>2 x21, 2>3 x14, 3>4 x7");

	/* All moves are to be confirmed, and all nodes to tell again. */
	CHECK_TEXT(scheduler_status(0, 170, 1, 100, 40, 40, 2), "");
	CHECK_TEXT(scheduler_told(0, 171, (struct dls__node_report){ .kind = DLS__MOVED, .tasks = 11, .group = 11, .phase = 2,
								 .peer = 1, .asked = 29, .count = 29 }), "");
	CHECK_TEXT(scheduler_status(0, 172, 1, 100, 11, 11, 3), "");
}

/* A node with one task keeps it, whatever will come.  Fails if it is told to send that task. */
static void narrow(void)
{
	CHECK_TEXT(scheduler_start("phase,links=chain", 3, (uint64_t[]){ 30, 1, 1 }, 0), "");
	scheduler_status(0, 30, 30, 1, 30, 30, 1);
	scheduler_status(1, 40, 1, 1, 1, 1, 2);
	CHECK_TEXT(scheduler_status(2, 50, 1, 1, 1, 1, 1), "0>1 x19");
}

/* Of 90, at 1 ms, 1 ms and 4 ms, 40, 40 and 10; any to any.  Not while phases differ by less than the threshold,
 * nor when tasks are followed by none. */
static void any(void)
{
	static const uint64_t thirty[] = { 30, 30, 30 };

	CHECK_TEXT(scheduler_start("phase", 3, thirty, 0), "");
	scheduler_status(0, 30, 30, 1, 30, 30, 1);
	CHECK_TEXT(scheduler_status(1, 30, 30, 1, 30, 30, 4), "");
	CHECK_TEXT(scheduler_status(2, 120, 30, 4, 30, 30, 1), "2>0 x10, 2>1 x10");

	CHECK_TEXT(scheduler_start("phase,threshold=4", 3, thirty, 0), "");
	scheduler_status(0, 30, 30, 1, 30, 30, 1);
	CHECK_TEXT(scheduler_status(1, 30, 30, 1, 30, 30, 4), "");
	CHECK_TEXT(scheduler_status(2, 120, 30, 4, 30, 30, 1), "");
	CHECK_TEXT(scheduler_status(1, 150, 30, 1, 30, 30, 5), "2>0 x10, 2>1 x10");

	CHECK_TEXT(scheduler_start("phase", 3, thirty, 0), "");
	scheduler_status(0, 30, 30, 1, 30, 30, 1);
	CHECK_TEXT(scheduler_status(1, 30, 30, 1, 29, 29, 4), "");
	CHECK_TEXT(scheduler_status(2, 120, 30, 4, 30, 30, 1), "");
}

/* Differences of less than `least` tasks stay, and those that do not shorten an iteration by half a task. */
static void alike(void)
{
	static const struct { const char *policy; double at, each; const char *moves; } row[] = {
		{ "phase,links=chain", 42, 1.05, "" }, { "phase,links=chain,least=1", 42, 1.05, "1>0 x1" },
		{ "phase,links=chain,least=1", 42, 1.035, "" }, { "phase,links=chain", 44, 1.1, "1>0 x2" },
	};

	for (unsigned i = 0; i < 4; i++) {
		CHECK_TEXT(scheduler_start(row[i].policy, 2, forty, 0), "");
		scheduler_status(0, 40, 40, 1, 40, 40, 1);
		CHECK_TEXT(scheduler_status(1, row[i].at, 40, row[i].each, 40, 40, 2), row[i].moves);
	}
	close_machine();
}

/* Tasks of an iteration, each followed by one of the next. */
static struct {
	uint64_t iterations, tasks, runs;
	bool late;		/* one was run after its successor */
	uint8_t done[64];	/* iterations of each */
} loop;

static int run_task(struct dls_vp *vp, struct dls_task *task, void *context)
{
	uint64_t i = task->arg[0];
	struct dls_task next = { .arg = { i }, .key = task->key + 1 };

	loop.runs++;
	loop.late |= loop.done[i]++ != task->key;
	dls_vp_spend(vp, 1000000);
	return (uint64_t)next.key < loop.iterations ? dls_class_spawn(vp, 0, &next) : 0;
}

static struct dls_run_result run_loop(unsigned nodes, uint64_t tasks, uint64_t iterations, const double *speed)
{
	const struct dls_class_desc class = { .size = sizeof(class), .name = "task", .policy = "phase", .run = run_task };
	struct dls_machine *machine = MACHINE(.strategy = "classes,scheduler=dedicated", .processors = nodes + 1,
					      .classes = &class, .class_count = 1, .speed = speed);
	struct dls_run_result run;

	memset(&loop, 0, sizeof(loop));
	loop.iterations = iterations;
	for (uint64_t i = 0; i < tasks; i++)
		CHECK_EQ(dls_class_add(machine, (unsigned)(i % nodes), 0, &(struct dls_task){ .arg = { i } }), 0);
	run = machine_run(machine);
	CHECK_EQ(loop.runs, tasks * iterations);
	CHECK(!loop.late);
	dls_machine_close(machine);
	return run;
}

/* Equal nodes report once for each iteration and move nothing; a slow one gives tasks away until it is not the last to
 * finish.  Fails if the last iteration, in which tasks end, looks like a shortage. */
static void iterations(void)
{
	static const double slow[] = { 0.25, 1, 1, 1, 1 };

	for (unsigned nodes = 1; nodes <= 5; nodes++)
		for (uint64_t times = 1; times < 30; times += 7) {
			struct dls_run_result run = run_loop(nodes, 60, times, NULL);

			CHECK_EQ(run.counter[DLS__STATUSES], nodes * times);
			CHECK_EQ(run.counter[DLS__MOVES], 0);
		}
	/* 15 tasks a node, 1.5 s; of 60 the slow one should have 4.6, and an iteration take 18.5 ms. */
	struct dls_run_result run = run_loop(4, 60, 100, slow);

	CHECK(run.time < 2.1);
	CHECK(run.counter[DLS__MOVED_TASKS] >= 9 && run.counter[DLS__MOVED_TASKS] < 20);
	CHECK(run.counter[DLS__STATUSES] <= 400);
}

TEST_MAIN(T(chain) T(narrow) T(any) T(alike) T(iterations))
