/* aroma_fig1c.c - Figure 1 (c) of Nishikawa & Steenkiste 1993: a tree search, whose tasks are given out by priority.
 *
 * Section 4.1: "The priority can for example be the tree depth (breadth first search) or the negative of the tree depth (depth
 * first search)."  The paper has no figures of it.  The search here is for an order of ten jobs with the least total tardiness, by
 * branch and bound: each order found cuts nodes that cannot beat it, so the order in which tasks run changes
 * how many nodes are visited, not only the time.  Beside the paper's two priorities: the lower bound (best
 * first), equal priorities (first come, first served), and queues at the nodes: a node runs its newest task,
 * and asks others for tasks if it has none. */
#include "bench/apps/incumbent.h"
#include "bench/paper/paper.h"
#include "dls/class.h"

enum { POLICIES = 5, SIZES = 3, MOST = 8, JOBS = 10, SERIAL = 5, CASES = POLICIES * SIZES };

struct policy {
	const char *name;
	enum incumbent_key key;
	const char *strategy;	/* in place of the scheduler */
};
static const struct policy policy[POLICIES] = {
	{ "depth first", INCUMBENT_MINUS_DEPTH, NULL }, { "breadth first", INCUMBENT_DEPTH, NULL },
	{ "best first", INCUMBENT_BOUND, NULL }, { "first come", INCUMBENT_NONE, NULL },
	{ "own queues, lifo", INCUMBENT_NONE, "polling,order=lifo" },
};
static const unsigned size[SIZES] = { 1, 4, MOST };

struct one {
	const struct policy *policy;
	unsigned nodes;
};

struct run {
	double visited, tasks, T, messages, best;
};

COLUMNS(COLUMN_TEXT("priority", NULL), COLUMN_KEY("nodes", NULL), COLUMN("visited", "tree nodes", "%.0f"), COLUMN("tasks", NULL, "%.0f"),
	COLUMN("messages", NULL, "%.0f"), COLUMN("T", NULL, "%.2f"), COLUMN("speedup", NULL, "%.2f"));

static int again_class(struct dls_vp *vp, const struct dls_task *task)
{
	return dls_class_spawn(vp, 0, task);
}

static int run_class(struct dls_vp *vp, struct dls_task *task, void *search)
{
	return incumbent_run(vp, search, task, again_class);
}

static int run_plain(struct dls_vp *vp, struct dls_task *task, void *search)
{
	return incumbent_run(vp, search, task, dls_vp_spawn);
}

static void run_case(const void *of, uint64_t seed, void *figures)
{
	const struct one *one = of;
	const char *strategy = one->policy->strategy;
	struct incumbent_found found[MOST + 1];
	struct bb bb;
	struct incumbent search = { .bb = &bb, .serial = SERIAL, .key = one->policy->key, .step = BB_STEP, .found = found };
	const struct dls_class_desc class = { .size = sizeof(class), .name = "node", .policy = "priority,ahead=0", .run = run_class,
					      .context = &search };
	const struct dls_task_type type = { .size = sizeof(type), .name = "node", .run = run_plain, .context = &search };
	struct dls_task root = incumbent_root();
	struct run *run = figures;
	struct dls_run_result result;
	uint32_t best = UINT32_MAX;
	struct dls_machine *machine = paper_machine(&(struct dls_machine_desc){
		.strategy = strategy ? strategy : "classes,scheduler=dedicated", .net = "complete", .costs = "nectar",
		.processors = one->nodes + !strategy, .classes = strategy ? NULL : &class, .class_count = !strategy, .seed = seed });

	bb_draw(&bb, JOBS, seed);
	for (unsigned p = 0; p <= one->nodes; p++)
		found[p] = (struct incumbent_found){ .best = UINT32_MAX };
	root.type = &type;
	paper_need(strategy ? dls_machine_add(machine, 0, &root) : dls_class_add(machine, one->nodes, 0, &root), one->policy->name);
	paper_machine_run(machine, one->policy->name, &result);
	for (unsigned p = 0; p <= one->nodes; p++) {
		run->visited += (double)found[p].nodes;
		best = found[p].best < best ? found[p].best : best;
	}
	if (best != bb_optimum(&bb))
		tool_die(TOOL_CHECK_FAILED, "%s, %u nodes: found %u, not the least tardiness %u", one->policy->name, one->nodes, best,
			 bb_optimum(&bb));
	run->tasks = (double)result.tasks;
	run->T = result.time;
	run->messages = (double)result.messages;
	dls_machine_close(machine);
}

static void run_fig1c(void)
{
	struct one cases[CASES];
	struct run *run;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = (struct one){ &policy[i / SIZES], size[i % SIZES] };
	run = paper_means(PAPER_RUNS(run_case, cases, CASES, struct run));
	for (size_t i = 0; i < CASES; i++)
		paper_row(TEXTS(cases[i].policy->name), FIGURES(cases[i].nodes, run[i].visited, run[i].tasks, run[i].messages, run[i].T,
							       run[i - i % SIZES].T / run[i].T));
	for (size_t i = 0; i < CASES; i += SIZES)
		if (!cases[i].policy->strategy)
			paper_own(1, HUGE_VAL, run[i + 1].messages / run[i + 1].tasks, NULL, "%s, 4 nodes: messages for every task",
				    cases[i].policy->name);
}

const struct paper_experiment paper_aroma_fig1c = {
	.name = "aroma-fig1c", .what = "Figure 1(c): a tree search under priorities, on 1 to 8 nodes",
	.first = 1, .last = 10, .run = run_fig1c, .column = column,
	.note = "The paper has no figures.  Branch and bound for an order of 10 jobs, a tree node 150 us; tree nodes: visited;\n"
		"T in seconds; speedup: over one node under the same priority.  Under priorities a further processor is the\n"
		"scheduler, which gives each node one task at a time; in own queues the newest task runs first, and nodes\n"
		"without tasks ask for some (polling).  The newest is the child of the latest due date, the others run the\n"
		"nearest first.  The claim: \"the compute nodes and the load balancer interact for every task\".",
	.picture = { .title = "A tree search under priorities", .y = "T", .x = "priority", .of = "nodes",
		     .value = "time, s" },
};
