/* priority.c - tasks that wait at the scheduler, Nishikawa 1993: which node gets which task, and when.
 *
 * runs: check, machines, alone */
#include "dls.h"
#include "scheduler.h"

static const uint64_t none[] = { 0, 0, 0 };

/* A node has run a task. */
static const char *ran(unsigned node)
{
	return scheduler_status(node, 1, 1, 1, 0, 0, INT64_MAX);
}

/* Lowest key first, one for each node before any has two, the first for that which told last; with ahead=0 the next
 * when one has been run.  Fails if a node is given one more than `ahead` besides that which it runs. */
static void ahead(void)
{
	CHECK_TEXT(scheduler_start("priority,ahead=0", 2, none, 5), "1:task 0, 0:task 1");
	CHECK_TEXT(ran(1), "1:task 2");
	CHECK_TEXT(ran(0), "0:task 3");
	CHECK_TEXT(ran(0), "0:task 4");
	CHECK_TEXT(ran(0), "");

	CHECK_TEXT(scheduler_start("priority", 3, none, 8), "2:task 0, 0:task 1, 1:task 2, 2:task 3, 0:task 4, 1:task 5");
	CHECK_TEXT(ran(2), "2:task 6");
	CHECK_TEXT(ran(2), "2:task 7");
	CHECK_TEXT(ran(1), "");
	CHECK_TEXT(scheduler_start("priority", 3, none, 2), "2:task 0, 0:task 1");
	CHECK_TEXT(scheduler_start("priority", 3, none, 0), "");
}

/* New tasks, which come from a node, go to a node that has nothing to run. */
static void come(void)
{
	static const int64_t key[] = { 7, 3, 5 };
	struct dls__msg *msg;

	CHECK_TEXT(scheduler_start("priority,ahead=0", 2, none, 1), "1:task 0");
	for (unsigned i = 0; i < 3; i++) {
		static const char *const says[] = { "0:task 7", "", "" };
		struct dls_task *task = dls__task_new(fake.machine, fake.vp->pool);

		*task = (struct dls_task){ .type = &fake.machine->classes.of[0].type, .key = key[i] };
		msg = dls__msg_new(fake.vp);
		*msg = (struct dls__msg){ .task_class = DLS_CLASSES_MAX, .seen = { .kind = DLS__TASKS, .tasks = 1 } };
		dls__tasks_push(fake.machine, &msg->tasks, task);
		CHECK_TEXT(scheduler_handle(msg), says[i]);
	}
	CHECK_TEXT(ran(0), "0:task 3");
	CHECK_TEXT(ran(1), "1:task 5");
	close_machine();
}

/* A tree of two children for each, to a depth of 9, of tasks of 20 ms; the first node takes twice as long for one. */
enum { DEPTH = 9, TREE = (2 << DEPTH) - 1, TASK = 20000000 };
static struct {
	int64_t sign, last;
	unsigned runs, rises, falls;	/* steps to a higher, a lower key */
	unsigned waiting, most;		/* tasks; at a time */
} tree;

static int run_tree(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct dls_task child = { .arg = { task->arg[0] + 1 }, .key = task->key + tree.sign };
	int code = 0;

	tree.runs++;
	tree.waiting--;
	tree.rises += task->key > tree.last;
	tree.falls += task->key < tree.last;
	tree.last = task->key;
	dls_vp_spend(vp, TASK);
	for (unsigned i = 0; i < 2 && task->arg[0] < DEPTH && code == 0; i++) {
		code = dls_class_spawn(vp, 0, &child);
		tree.waiting++;
	}
	tree.most = tree.waiting > tree.most ? tree.waiting : tree.most;
	return code;
}

/* Returns its time, s. */
static double search(bool dedicated, unsigned nodes, const char *policy, int64_t sign)
{
	const struct dls_class_desc class = { .size = sizeof(class), .name = "node", .policy = policy, .run = run_tree };
	struct dls_machine *machine = MACHINE(.strategy = dedicated ? "classes,scheduler=dedicated" : "classes",
					      .processors = nodes + dedicated, .classes = &class, .class_count = 1,
					      .speed = (double[]){ .5, 1, 1, 1, 1, 1, 1, 1, 1 });
	double time;

	memset(&tree, 0, sizeof(tree));
	tree.sign = sign;
	tree.waiting = 1;
	CHECK_EQ(dls_class_add(machine, 0, 0, &(struct dls_task){ .key = 0 }), 0);
	time = machine_run(machine).time;
	CHECK_EQ(tree.runs, TREE);
	dls_machine_close(machine);
	return time;
}

/* Breadth-first, key = depth: a level after the other.  Depth-first, key = -depth: down to a leaf, of which there
 * are 512, in pairs, 255 times up and down again; beside one path its siblings wait. */
static void order(void)
{
	for (unsigned dedicated = 0; dedicated < 2; dedicated++) {
		search(dedicated, 1, "priority,ahead=0", 1);
		CHECK_EQ(tree.rises, DEPTH);
		CHECK_EQ(tree.falls, 0);
		CHECK_EQ(tree.most, 512);
		search(dedicated, 1, "priority,ahead=0", -1);
		CHECK_EQ(tree.falls, TREE - 256 - 255 - 1);
		CHECK_EQ(tree.rises, 255);
		CHECK_EQ(tree.most, DEPTH + 1);
	}
}

/* Fails if nodes do not share the work, the slow one included, or keys do not matter: depth-first, far fewer tasks wait. */
static void shared(void)
{
	for (unsigned i = 0; i < 16; i++) {
		unsigned nodes = 1 + i / 2, breadth;
		double best = 1e-9 * TASK * TREE / (nodes - .5), time = search(i % 2, nodes, "priority", 1);

		CHECK(time > .999 * best && time < 1.25 * best);
		breadth = tree.most;
		time = search(i % 2, nodes, "priority", -1);
		CHECK(time > .999 * best && time < 1.25 * best);
		CHECK(4 * tree.most < breadth);
		tap_note("%u nodes: %u wait breadth-first, %u depth-first; %.3f of the best time", nodes, breadth, tree.most,
			 time / best);
		search(false, nodes, "priority,ahead=0", 1);
		search(false, nodes, "priority,ahead=3", -1);
	}
}

TEST_MAIN(T(ahead) T(come) T(order) T(shared))
