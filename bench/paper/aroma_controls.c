/* aroma_controls.c - beyond Nishikawa & Steenkiste 1993: balancing without its rules, no balancing, and a scheduler that is a
 * node too. */
#include <math.h>
#include <stdlib.h>

#include "aroma.h"

enum { SIZES = AROMA_NODES - 1, LA_SIZES = SIZES - 1 };
enum { SILENT = 0, LITERAL = SILENT + SIZES, NONE = LITERAL + 2 * LA_SIZES, NONE_LA = NONE + AROMA_LA * SIZES,
       SHARED = NONE_LA + LA_SIZES, CONTROLS = SHARED + AROMA_APPS };

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
	return (struct aroma_case){ .app = (unsigned)(i - SHARED), .nodes = 4, .slow = true, .shared = true };
}

static const char *label(size_t i)
{
	return i < LITERAL ? "silence=off" : i < NONE ? "marks N" : i < SHARED ? "no balancing" : "shared scheduler";
}

static void print(const struct aroma_case *cases, const struct aroma_run *run)
{
	static const char *const column[] = { "control", "application", "slow", "nodes", "T", "optimal", "ratio",
					      "ratio_otherwise", "statuses", "moves", "moved", "messages", NULL };
	static const char *const text_column[] = { "", "", "slow", "nodes", "T", "optimal", "ratio", "otherwise", "statuses",
						   "moves", "moved", "messages", NULL };
	static const int width[] = { -16, -7, 4, 5, 6, 7, 6, 9, 8, 5, 5, 8 };
	struct tool_table table;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (size_t i = 0; i < CONTROLS; i++) {
		tool_text(&table, label(i));
		tool_text(&table, aroma_app[cases[i].app].name);
		tool_whole(&table, cases[i].slow);
		tool_whole(&table, cases[i].nodes);
		paper_number(&table, "%.2f", run[i].T);
		paper_number(&table, "%.2f", aroma_optimum(&cases[i]));
		paper_number(&table, "%.3f", run[i].ratio);
		paper_number(&table, "%.3f", run[CONTROLS + i].ratio);
		paper_number(&table, "%.0f", run[i].statuses);
		paper_number(&table, "%.0f", run[i].moves);
		paper_number(&table, "%.0f", run[i].moved);
		paper_number(&table, "%.0f", run[i].messages);
	}
	tool_table_end(&table);
}

static void accept(const struct aroma_case *cases, const struct aroma_run *run)
{
	static const double least[AROMA_APPS] = { [AROMA_MM] = 2, [AROMA_PRIME] = 1.5, [AROMA_POISSON] = 2.5, [AROMA_LA] = 2 };

	for (size_t i = SILENT; i < LITERAL; i++)
		paper_accept(NAN, 1.3, 1.6, run[i].ratio, "mm, %u nodes, one slow, silence=off: time / optimal time",
			     cases[i].nodes);
	paper_accept(NAN, 1.4, INFINITY, run[LITERAL].ratio, "LA, 2 equal nodes, marks N: time / optimal time");
	for (size_t i = NONE; i < SHARED; i++)
		paper_accept(NAN, least[cases[i].app], INFINITY, run[i].ratio,
			     "%s, %u nodes, one slow, no balancing: time / optimal time", aroma_app[cases[i].app].name,
			     cases[i].nodes);
}

static void run_controls(void)
{
	struct aroma_case cases[2 * CONTROLS];
	struct aroma_run *run;

	for (size_t i = 0; i < CONTROLS; i++) {
		cases[i] = control(i);
		cases[CONTROLS + i] = (struct aroma_case){ .app = cases[i].app, .nodes = cases[i].nodes, .slow = cases[i].slow };
	}
	run = aroma_runs(cases, 2 * CONTROLS);
	print(cases, run);
	paper_say("\nslow: nodes that are; times in seconds; ratio: T / optimal; otherwise: the same with balancing as in the\n"
		  "tables; moved: tasks that went from node to node.  silence=off: a node's rate is what it last told, however\n"
		  "long it has been silent since.  marks N: high and low mark N as the paper has them, not N + 2.  shared\n"
		  "scheduler: the last node is the scheduler too.  It hears nothing while it runs a task, a field of LA 0.3 s.");
	accept(cases, run);
	free(run);
}

const struct paper_experiment paper_aroma_controls = {
	.name = "aroma-controls", .what = "past the paper: without its rules, without balancing, and with a shared scheduler",
	.run = run_controls,
};
