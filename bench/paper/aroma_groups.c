/* aroma_groups.c - the groups of Nishikawa & Steenkiste 1993, section 4.1: how many tasks a node runs before it tells of them.
 *
 * A node under factor tells when it has run half of what it has left: of 250 tasks first 125, the last two at once.  Under
 * phase it tells when an iteration is done. */
#include <math.h>
#include <stdlib.h>

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
	struct dls_status status = { .size = sizeof(status) };
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
	const struct dls_machine_desc desc = { .size = sizeof(desc), .strategy = "classes,scheduler=dedicated", .net = "complete",
					       .costs = "nectar", .processors = NODES + 1, .classes = &class, .class_count = 1 };
	struct dls_machine *machine = NULL;
	int code = dls_machine_open(&machine, &desc, NULL);

	for (unsigned i = 0; i < TASKS && !code; i++)
		code = dls_class_add(machine, i % NODES, 0, &(struct dls_task){ .arg = { i } });
	code = code ? code : dls_machine_run(machine);
	if (code)
		tool_die(TOOL_CHECK_FAILED, "%u tasks on %u nodes: %s", TASKS, NODES, dls_strerror(code));
	dls_machine_close(machine);
}

static void print_row(struct tool_table *table, const char *node, const unsigned *size)
{
	tool_text(table, node);
	for (size_t i = 0; i < GROUPS; i++)
		tool_whole(table, size[i]);
}

static void print(const struct groups *groups)
{
	static const char *const column[] = { "node", "0", "1", "2", "3", "4", "5", "6", "7", NULL };
	static const int width[] = { -6, 4, 4, 4, 4, 4, 4, 4, 4 };
	struct tool_table table;

	paper_table(&table, column, width);
	print_row(&table, "paper", theirs);
	for (unsigned node = 0; node < NODES; node++)
		print_row(&table, (const char *const []){ "0", "1", "2", "3" }[node], groups->size[node]);
	tool_table_end(&table);
}

/* What all nodes have told alike; NAN: they have not. */
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
		paper_accept(theirs[i], theirs[i], theirs[i], alike(groups, i), "factor: group %zu of each node, tasks", i);
	for (unsigned node = 0; node < NODES; node++)
		told = groups->told[node] > told ? groups->told[node] : told;
	paper_accept(GROUPS, GROUPS, GROUPS, told, "factor: groups of a node");
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
		paper_accept(NAN, cases[i].nodes * ITERATIONS, cases[i].nodes * ITERATIONS, run[i].statuses,
			     "phase: statuses of poisson, 100 iterations on %u nodes%s", cases[i].nodes,
			     cases[i].slow ? ", one slow" : "");
	for (size_t i = FACTOR; i < CASES; i++) {
		double most = cases[i].nodes * (log2(run[i].tasks / cases[i].nodes) + 2) + 2 * run[i].moves;

		paper_accept(NAN, -INFINITY, most, run[i].statuses, "factor: statuses of %s on %u nodes, one slow, %.0f moves",
			     aroma_app[cases[i].app].name, cases[i].nodes, run[i].moves);
	}
	free(run);
}

static void run_experiment(void)
{
	struct groups groups = { .told = { 0 } };

	run_groups(&groups);
	print(&groups);
	paper_say("\nTasks in each group, as four nodes tell of 1000: 250 each.");
	accept_groups(&groups);
	accept_statuses();
}

const struct paper_experiment paper_aroma_groups = {
	.name = "aroma-groups", .what = "section 4.1: the groups after which nodes tell of their tasks, and how often they tell",
	.run = run_experiment,
};
