/* aroma_controls.c - beyond Nishikawa & Steenkiste 1993: balancing without its rules, no balancing, and a scheduler that is a
 * node too. */
#include "aroma.h"

enum { SIZES = AROMA_NODES - 1, LA_SIZES = SIZES - 1 };
enum { SILENT = 0, LITERAL = SILENT + SIZES, NONE = LITERAL + 2 * LA_SIZES, NONE_LA = NONE + AROMA_LA * SIZES,
       SHARED = NONE_LA + LA_SIZES, PLAIN = SHARED + AROMA_APPS, CONTROLS = PLAIN + AROMA_APPS };

static struct aroma_case control(size_t i)
{
	unsigned k;

	if (i < LITERAL)
		return (struct aroma_case){ .app = AROMA_MM, .nodes = (unsigned)i + 2, .slow = true,
					    .policy = "factor,silence=off" };
	if (i < NONE) {
		k = (unsigned)(i - LITERAL);
		return (struct aroma_case){ .app = AROMA_LA, .nodes = k % LA_SIZES + 2, .slow = k >= LA_SIZES, .literal = true };
	}
	if (i < SHARED) {
		k = (unsigned)(i - NONE);
		return (struct aroma_case){ .app = k / SIZES, .nodes = k % SIZES + 2, .slow = true, .policy = "none" };
	}
	if (i < PLAIN)
		return (struct aroma_case){ .app = (unsigned)(i - SHARED), .nodes = 4, .slow = true, .shared = true };
	return (struct aroma_case){ .app = (unsigned)(i - PLAIN), .nodes = 4, .slow = true, .plain = true };
}

static const char *label(size_t i)
{
	return i < LITERAL ? "silence=off" : i < NONE ? "marks N" : i < SHARED ? "no balancing" : i < PLAIN ? "shared scheduler" : "plain costs";
}

COLUMNS(COLUMN_TEXT("control", ""), COLUMN_TEXT("application", ""), COLUMN_KEY("slow", NULL), COLUMN_KEY("nodes", NULL),
	COLUMN("T", NULL, "%.2f"), COLUMN("optimal", NULL, "%.2f"), COLUMN("ratio", NULL, "%.3f"),
	COLUMN("ratio_otherwise", "otherwise", "%.3f"), COLUMN("statuses", NULL, "%.0f"), COLUMN("moves", NULL, "%.0f"),
	COLUMN("moved", NULL, "%.0f"), COLUMN("messages", NULL, "%.0f"));

static void run_controls(void)
{
	struct aroma_case cases[2 * CONTROLS];
	struct aroma_run *run;

	for (size_t i = 0; i < CONTROLS; i++) {
		cases[i] = control(i);
		cases[CONTROLS + i] = (struct aroma_case){ .app = cases[i].app, .nodes = cases[i].nodes, .slow = cases[i].slow };
	}
	run = aroma_runs(cases, 2 * CONTROLS);
	for (size_t i = 0; i < CONTROLS; i++)
		paper_row(TEXTS(label(i), aroma_app[cases[i].app].name),
			  FIGURES(cases[i].slow, cases[i].nodes, run[i].T, run[i].optimal, run[i].ratio, run[CONTROLS + i].ratio,
				  run[i].statuses, run[i].moves, run[i].moved, run[i].messages));
}

const struct paper_experiment paper_aroma_controls = {
	.name = "aroma-controls", .what = "past the paper: without its rules, without balancing, and with a shared scheduler",
	.run = run_controls, .column = column,
	.note = "slow: nodes that are; times in seconds; ratio: T / optimal; otherwise: the same with balancing as in the\n"
		"tables; moved: tasks that went from node to node.  silence=off: a node's rate is what it last told, however\n"
		"long it has been silent since.  marks N: high and low mark N as the paper has them, not N + 2.  shared\n"
		"scheduler: the last node is the scheduler too.  It hears nothing while it runs a task, a field of LA 0.3 s.\n"
		"plain costs: without the costs of tasks, messages, start-up and fields that Table 1 tells.",
	.picture = { .title = "Time / optimal time, and otherwise", .y = "ratio ratio_otherwise", .value = "time / optimal time" },
};
