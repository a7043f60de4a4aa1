/* rips.c - runtime incremental parallel scheduling, Shu 1996: whole machines in virtual time, and message by message.
 *
 * runs: check, machines, alone */
#include "fake.h"
#include "guard.h"
#include "whole.h"

enum { READY, INIT, SUM, MEAN, TASKS, LOAD };
enum { PHASES, SCHEDULED };
enum { FRESH = 1 };		/* timer */

/* Check what the system phase leaves with which the run begins, and how many messages with tasks it takes. */
static void phase(const char *strategy, const char *net, unsigned P, const unsigned *tasks, const int64_t *left,
		  unsigned transfers)
{
	struct whole w = { .strategy = strategy, .net = net, .processors = P, .costs = "cluster", .cost = 1000000000,
			   .until = 500000000 };

	whole_run(&w, tasks);
	for (unsigned p = 0; p < P; p++)
		CHECK_EQ(whole.left[p], left[p]);
	CHECK_EQ(whole.kind[SUM], P - 1);
	CHECK_EQ(whole.kind[MEAN], P - 1);
	CHECK_EQ(whole.kind[TASKS], transfers);
}

/* tree:2, 7 processors, order 0 1 4 2 3 5 6; queued: 8 on processor 1, 4 on 6: w_avg = 1, R = 5.  Quotas: 2 for 0, 1, 3, 4 and
 * 2, 1 for 5 and 6.  1 -> 0: 2, 1 -> 3: 2, 1 -> 4: 2, 6 -> 2: 3, 2 -> 5: 1; between 0 and 2 nothing passes.
 * By times, w_avg = 12/7 s, and each transfer is of the tasks nearest to what is wanted: 1 -> 0: 20/7 by 3, 0 -> 2: 8/7 by 1,
 * 1 -> 3, 1 -> 4, 2 -> 5: 12/7 by 2, 6 -> 2: 16/7 by 2.
 * 3 queued on processor 1 are less than 7, and shared out by number: 1 for 0, 1 and 3.
 * ring of 5, order 2 1 0 3 4; queued: 7 on 2: w_avg = 1, R = 2.  2 -> 1: 3, 1 -> 0: 1, 2 -> 3: 2, 3 -> 4: 1.
 * fattree:4 of 8, order 1 0 2 3 4 5 6 7; queued: 9 on 7: w_avg = 1, R = 1.  7 -> 4: 8, 4 -> 5, 6: 1, 4 -> 1: 5, 1 -> 0, 2, 3: 1.
 * Fails if the remainder goes to other processors, or over an edge twice. */
static void trees(void)
{
	static const unsigned binary[] = { 0, 8, 0, 0, 0, 0, 4 }, ring[] = { 0, 0, 7, 0, 0 };
	static const unsigned fat[] = { 0, 0, 0, 0, 0, 0, 0, 9 }, few[] = { 0, 3, 0, 0, 0, 0, 0 };
	static const int64_t binary_left[] = { 2, 2, 2, 2, 2, 1, 1 }, ring_left[] = { 1, 2, 2, 1, 1 };
	static const int64_t fat_left[] = { 1, 2, 1, 1, 1, 1, 1, 1 }, times_left[] = { 2, 1, 1, 2, 2, 2, 2 };
	static const int64_t few_left[] = { 1, 1, 0, 1, 0, 0, 0 };
	int64_t left[7];

	phase("rips", "tree:2", 7, binary, binary_left, 5);
	phase("rips,walk=twaet,load=count", "tree:2", 7, binary, binary_left, 5);
	for (unsigned p = 0; p < 7; p++)
		left[p] = times_left[p] * 1000000;	/* us */
	phase("rips,walk=twaet", "tree:2", 7, binary, left, 6);
	for (unsigned p = 0; p < 7; p++)
		left[p] = few_left[p] * 1000000;
	phase("rips,walk=twaet", "tree:2", 7, few, left, 2);
	phase("rips", "ring", 5, ring, ring_left, 4);
	phase("rips,block=2", "ring", 5, ring, ring_left, 2 + 1 + 1 + 1);
	phase("rips", "fattree:4", 8, fat, fat_left, 7);
}

static bool earlier(const char *a, const char *b)
{
	const char *first = strstr(whole.said, a), *second = strstr(whole.said, b);

	return first && second && first < second;
}

/* tree:2, 7 processors; queued: 8 on processor 1, 2 on 2, 4 on 6: 2 for each.  Processor 2 gives away 2 and gets 2, first the
 * one or first the other. */
static void modified(void)
{
	static const unsigned tasks[] = { 0, 8, 2, 0, 0, 0, 4 };
	static const int64_t left[] = { 2, 2, 2, 2, 2, 2, 2 };

	phase("rips", "tree:2", 7, tasks, left, 5);
	CHECK(earlier("2<6 tasks", "5<2 tasks"));
	phase("rips,walk=mtwa", "tree:2", 7, tasks, left, 5);
	CHECK(earlier("5<2 tasks", "2<6 tasks"));
}

/* Queued on a hypercube of 8: 29 on processor 3, 20 on 6.  Dimension 0: 0 0, 15 14, 0 0, 10 10.  1: 7 7 8 7, 5 5 5 5.  2:
 * 6 6 7 6, 6 6 6 6.  Fails if the halves or their order are others. */
static void dimensions(void)
{
	static const unsigned tasks[] = { 0, 0, 0, 29, 0, 0, 20, 0 };
	static const int64_t left[] = { 6, 6, 6, 7, 6, 6, 6, 6 };

	phase("rips,walk=dem", "hypercube", 8, tasks, left, 2 + 4 + 4);
	CHECK_EQ(whole.kind[LOAD], 3 * 8);
}

/* Tasks of so many ns that spawn: `branch` of a level's each the next one's. */
static struct tree {
	unsigned branch, levels;
	uint64_t ns, runs[8];
} tree;

static int run_node(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct dls_task child = { .type = task->type, .arg = { task->arg[0] + 1 } };

	tree.runs[task->arg[0]]++;
	dls_vp_spend(vp, tree.ns);
	for (unsigned i = 0; i < tree.branch && child.arg[0] < tree.levels; i++)
		CHECK_EQ(dls_vp_spawn(vp, &child), 0);
	return 0;
}

/* From a root on processor 0. */
static struct dls_run_result run_tree(struct dls_machine_desc desc)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "node", .run = run_node };
	struct dls_run_result result = { .size = sizeof(result) };
	struct dls_machine *m = machine_open(desc);
	uint64_t n = 1;

	memset(tree.runs, 0, sizeof(tree.runs));
	if (!m)
		return result;
	CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &type }), 0);
	guard("rips", 300);	/* a storm of messages, or a phase without end */
	result = machine_run(m);
	guard_over();
	dls_machine_close(m);
	for (unsigned k = 0; k < tree.levels; k++, n *= tree.branch)
		CHECK_EQ(tree.runs[k], n);
	return result;
}

/* A root on processor 0 spawns 6, 36, 216 tasks; N = 8.  ALL-Eager: a system phase for each level, and an empty one.  ALL-Lazy:
 * one for the root and one for 6, which are fewer than processors and so eager, one for 36, an empty one.  Each but the first takes
 * N - 1 signals and N - 1 inits. */
static void levels(void)
{
	struct dls_machine_desc desc = { .strategy = "rips,transfer=all,queue=eager", .processors = 8, .costs = "cluster" };
	struct dls_run_result r;

	tree = (struct tree){ .branch = 6, .levels = 4, .ns = 1000000 };
	r = run_tree(desc);
	CHECK_EQ(r.counter[PHASES], 4);
	CHECK_EQ(r.counter[SCHEDULED], 1 + 6 + 36 + 216);
	CHECK_EQ(r.kind[READY], 4 * 7);
	CHECK_EQ(r.kind[INIT], 4 * 7);
	desc.strategy = "rips,transfer=all";
	r = run_tree(desc);
	CHECK_EQ(r.counter[PHASES], 3);
	CHECK_EQ(r.counter[SCHEDULED], 1 + 6 + 36);
	CHECK_EQ(r.kind[READY] + r.kind[INIT], 3 * 14);
}

/* A chain of tasks on two processors, which run in a user phase each: who has run dry does not wait for a while
 * to be over. */
static void chain(void)
{
	struct dls_machine_desc desc = { .strategy = "rips", .processors = 2, .costs = "cluster,pause=0.1" };
	struct dls_run_result r;

	tree = (struct tree){ .branch = 1, .levels = 8, .ns = 1000000 };
	r = run_tree(desc);
	CHECK_EQ(r.counter[SCHEDULED], 8);
	CHECK(r.time < 0.01);
}

static void come(unsigned from, unsigned kind, int64_t a, int64_t b, const char *want)
{
	CHECK_TEXT(fake_message(from, kind, a, b), want);
}

/* Processor 0, the root, of a hypercube of 4; its children are 1 and 2, and in the trees of broadcasts 0 passes on to: from 1,
 * nobody; from 2, 1; from 3, nobody.  The run begins with a phase.  A processor that has not run a task since passes an init on,
 * and keeps it; an obsolete one is dropped once the mean is known, which is when all have entered; an early one is passed on, and
 * kept. */
static void inits(void)
{
	fake_start("rips", "hypercube", 4, 5);
	CHECK(fake.vp->standing.held);
	come(1, SUM, 4, 4, "");
	come(2, SUM, 8, 8, "1:mean 4 0, 2:mean 4 0, timer 1 +100000");
	come(1, INIT, 2, 1, "");
	come(3, INIT, 2, 2, "1:init 2 2");
	CHECK(!fake.vp->standing.held);
	fake.vp->load = 5;
	CHECK_TEXT(fake_timer(FRESH), "");
	CHECK(fake.vp->standing.held);
	come(3, INIT, 2, 2, "1:init 2 2");
	come(1, SUM, 2, 2, "");
	come(2, SUM, 9, 9, "1:mean 3 3, 2:mean 3 3");	/* W_2 - Q_2 = 2 are awaited, Q_1 - W_1 = 2 are wanted */
	come(3, INIT, 2, 2, "");
	come(3, INIT, 3, 2, "1:init 3 2");
	CHECK(fake.vp->standing.held);
	come(2, TASKS, 0, 0, "1:tasks x2, timer 1 +100000");
	CHECK(!fake.vp->standing.held);
	come(1, INIT, 3, 1, "");
	come(1, SUM, 1, 1, "");
	CHECK_TEXT(fake_timer(FRESH), "");
	CHECK(fake.vp->standing.held);
	come(2, SUM, 0, 0, "1:mean 0 3, 2:mean 0 3, 2:tasks x1, timer 1 +100000");
	come(3, INIT, 3, 2, "");
}

/* Processor 0, a leaf below 1, of a ring of 4.  Those that have the mean may go on to the next phase before it has come here:
 * its init is early, and one of this phase that comes still later changes nothing. */
static void early(void)
{
	fake_start("rips", "ring", 4, 0);
	CHECK_TEXT(fake.said, "1:sum 0 0");
	come(1, INIT, 1, 1, "");
	come(3, INIT, 2, 2, "1:init 2 2");
	come(3, INIT, 1, 2, "1:init 1 2");
	come(1, MEAN, 0, 0, "1:sum 0 0");
}

/* One task of 100 s, or of 1000, whose idle neighbours ask for a phase: the messages rise with its logarithm.  Fails if the wait
 * before a request does not grow. */
static void patient(void)
{
	uint64_t messages[2];

	for (unsigned i = 0; i < 2; i++) {
		tree = (struct tree){ .branch = 1, .levels = 3, .ns = i ? 1000000000000 : 100000000000 };
		messages[i] = run_tree((struct dls_machine_desc){ .strategy = "rips,eligible=off", .processors = 8, .costs = "ideal" }).messages;
		tap_note("%llu messages", (unsigned long long)messages[i]);
	}
	CHECK(messages[1] < messages[0] * 3 / 2);
}

/* block=all and, for twaet, load=cost are defaults: not written back, but for what is not. */
static void defaults(void)
{
	static const char *const written[] = {
		"rips,block=all", "rips", "rips,block=1", "rips,block=1", "rips,walk=twaet,load=cost", "rips,walk=twaet",
		"rips,load=count,walk=twaet", "rips,walk=twaet,load=count", "rips,load=cost", "rips,load=cost",
	};

	for (unsigned i = 0; i < 10; i += 2) {
		struct dls__spec spec;
		char text[100];

		CHECK_EQ(dls__spec_parse(&spec, written[i], strlen(written[i]), NULL), 0);
		CHECK_EQ(spec.block, strstr(written[i], "block=1") ? 1 : UINT64_MAX);
		CHECK_EQ(spec.by_cost, !strstr(written[i], "load=count") && !strstr(written[i], "block="));
		dls__spec_print(&spec, text, sizeof(text));
		CHECK_TEXT(text, written[i + 1]);
	}
}

TEST_MAIN(T(trees) T(modified) T(dimensions) T(levels) T(chain) T(inits) T(early) T(patient) T(defaults))
