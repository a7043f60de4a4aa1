/* aroma_groups.c - the groups of Nishikawa & Steenkiste 1993, section 4.1: how many tasks a node runs before it tells of them.
 *
 * A node under factor tells when it has run half of what it has left: of 250 tasks first 125, the last two at once.  Under
 * phase it tells when an iteration is done. */
#include "aroma.h"
#include "dls/class.h"
#include "dls/machine.h"
#include "dls/task.h"

enum { NODES = 4, TASKS = 1000, GROUPS = 8, MOST = 16, ITERATIONS = 100, TASK_NS = 10000000 };

static const unsigned theirs[MOST] = { 125, 62, 31, 16, 8, 4, 2, 2 };

/* What each node has told of: the sizes of its groups. */
struct groups {
	uint64_t run[NODES];
	unsigned size[NODES][MOST], told[NODES];
};

static int note(struct dls_view *view, unsigned node, void *context)
{
	struct groups *groups = context;
	struct dls_class_status status = { .size = sizeof(status) };
	int code = dls_view_status(view, 0, node, &status);

	if (code)
		return code;
	if (status.run > groups->run[node] && groups->told[node] < MOST)
		groups->size[node][groups->told[node]++] = (unsigned)(status.run - groups->run[node]);
	groups->run[node] = status.run;
	return dls_view_balance(view, 0, node);
}

static int run_task(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)task, (void)context;
	dls_vp_spend(vp, TASK_NS);
	return 0;
}

static void run_groups(struct groups *groups)
{
	const struct dls_class_desc class = { .size = sizeof(class), .name = "task", .policy = "factor", .run = run_task,
					      .balance = note, .context = groups };
	struct dls_machine *machine = paper_machine(&(struct dls_machine_desc){
		.strategy = "classes,scheduler=dedicated", .net = "complete", .costs = "nectar", .processors = NODES + 1,
		.classes = &class, .class_count = 1 });
	struct dls_run_result result;

	for (unsigned i = 0; i < TASKS; i++)
		if (dls_class_add(machine, i % NODES, 0, &(struct dls_task){ .arg = { i } }))
			tool_die(TOOL_CHECK_FAILED, "a task is refused");
	paper_machine_run(machine, "groups", &result);
	dls_machine_close(machine);
}

#define GROUP(n) COLUMN(#n, NULL, "%.0f")
COLUMNS(COLUMN_TEXT("node", NULL), GROUP(0), GROUP(1), GROUP(2), GROUP(3), GROUP(4), GROUP(5), GROUP(6), GROUP(7));

static void print_row(const char *node, const unsigned *size)
{
	double figure[GROUPS];

	for (size_t i = 0; i < GROUPS; i++)
		figure[i] = size[i];
	paper_row(TEXTS(node), GROUPS, figure);
}

/* The size of group i if it is the same on all nodes; else NAN. */
static double alike(const struct groups *groups, size_t i)
{
	for (unsigned node = 1; node < NODES; node++)
		if (groups->size[node][i] != groups->size[0][i])
			return NAN;
	return groups->size[0][i];
}

static void accept_groups(const struct groups *groups)
{
	unsigned told = 0;

	for (size_t i = 0; i < GROUPS; i++)
		paper_figure(STRUCTURE, theirs[i], 0, alike(groups, i), NULL, "factor: group %zu of each node, tasks", i);
	for (unsigned node = 0; node < NODES; node++)
		told = groups->told[node] > told ? groups->told[node] : told;
	paper_figure(STRUCTURE, GROUPS, 0, told, NULL, "factor: groups of a node");
}

static void accept_statuses(void)
{
	enum { SIZES = AROMA_NODES - 1, FACTOR = AROMA_NODES + SIZES, CASES = FACTOR + 2 * SIZES };
	struct aroma_case cases[CASES];
	struct aroma_run *run;

	for (size_t i = 0; i < FACTOR; i++)
		cases[i] = (struct aroma_case){ .app = AROMA_POISSON, .slow = i >= AROMA_NODES,
						.nodes = (unsigned)(i < AROMA_NODES ? i + 1 : i - AROMA_NODES + 2) };
	for (size_t i = FACTOR; i < CASES; i++)
		cases[i] = (struct aroma_case){ .app = i < FACTOR + SIZES ? AROMA_MM : AROMA_PRIME,
						.nodes = (unsigned)(i - FACTOR) % SIZES + 2, .slow = true };
	run = aroma_runs(cases, CASES);
	for (size_t i = 0; i < FACTOR; i++)
		paper_claim(cases[i].nodes * ITERATIONS, cases[i].nodes * ITERATIONS, run[i].statuses, NULL,
			    "phase: statuses of poisson, 100 iterations on %u nodes%s", cases[i].nodes,
			    cases[i].slow ? ", one slow" : "");
	for (size_t i = FACTOR; i < CASES; i++)
		paper_own(0, cases[i].nodes * (log2(run[i].tasks / cases[i].nodes) + 2) + 2 * run[i].moves, run[i].statuses, NULL,
			    "factor: statuses of %s on %u nodes, one slow, %.0f moves", aroma_app[cases[i].app].name,
			    cases[i].nodes, run[i].moves);
}

static void run_experiment(void)
{
	static const char *const name[NODES] = { "0", "1", "2", "3" };
	struct groups groups = { .told = { 0 } };

	run_groups(&groups);
	print_row("paper", theirs);
	for (unsigned node = 0; node < NODES; node++)
		print_row(name[node], groups.size[node]);
	accept_groups(&groups);
	accept_statuses();
}

const struct paper_experiment paper_aroma_groups = {
	.name = "aroma-groups", .what = "section 4.1: the groups after which nodes tell of their tasks, and how often they tell",
	.run = run_experiment, .column = column, .note = "Tasks in each group, as four nodes tell of 1000: 250 each.",
	.picture = { .title = "Tasks in each group", .y = "0 1 2 3 4 5 6 7", .x = "group", .of = "node",
		     .value = "tasks" },
};
