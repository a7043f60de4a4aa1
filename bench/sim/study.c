/* study.c - machines for a study: strategies by nets, platforms and loads. */
#include "bench/study/study.h"
#include "sim.h"

enum { STRATEGY, NET, PLATFORM, LOAD };
static const char *const list[] = { "strategy", "net", "platform", "load", NULL };
static const char *const one[] = { "seed",   "processors", "costs",  "faults", "tasks",  "grain", "bytes",
				   "speeds", "weights",    "engine", "spend",  "plugin", NULL };

static bool is_measure(const char *column)
{
	return print_column(column) != COLUMNS_MAX;
}

static const char *every(size_t i)
{
	const struct dls_strategy *strategy = dls_strategy_at(i);

	return strategy ? strategy->name : NULL;
}

static size_t item(const char *key, const char *text)
{
	return strcmp(key, "strategy") == 0 ? tool_item(text) : strcspn(text, ";");
}

/* 0: the load; 1: the platform, and the net: the one given, or else the one that the cell ran on. */
static const char *group_text(const struct study *s, const struct cell *c, unsigned which)
{
	const char *platform = c->value[PLATFORM], *net = c->value[NET];
	const char *ran = c->rows ? study_cell(s, c->rows, "net") : NULL;

	if (which == 0)
		return c->value[LOAD] ? c->value[LOAD] : sim.load;
	if (!net && ran)
		net = tool_held_string("%.*s", (int)strcspn(ran, ","), ran);
	return tool_held_string("%s%s%s", platform ? platform : "", platform && net ? ", " : "",
				net ? net : "");
}

static void cell(const struct cell *c, FILE *rows)
{
	sim_cell(c->value[STRATEGY], c->value[NET], c->value[LOAD], c->value[PLATFORM], rows);
}

static void key(const struct cell *c, FILE *out)
{
	const char *net = c->value[NET], *load = c->value[LOAD], *platform = c->value[PLATFORM];

	fprintf(out, "strategy %s; net %s; load %s; seed %s; ", c->value[STRATEGY], net ? net : "-",
		load ? load : sim.load, sim_seeds());
	fprintf(out, "processors %u; costs %s; faults %s; tasks %" PRIu64 "; grain %.9g; bytes %" PRIu64 "; ",
		sim.processors, sim.costs ? sim.costs : "-", sim.faults ? sim.faults : "-", sim.tasks,
		sim.grain, sim.bytes);
	fprintf(out, "speeds %s; weights %s; engine %s; spend %s; ", sim.speeds ? sim.speeds : "-",
		sim.weights ? sim.weights : "-", sim.engine, sim.spend ? sim.spend : "-");
	fprintf(out, "platform %s; ", platform ? platform : "-");
}

static bool alone(void)
{
	return sim.threads;
}

static void facts(const struct cell *c, struct study_facts *facts)
{
	*facts = (struct study_facts){ .equal = !sim.speeds && !sim.faults && !sim.threads &&
						!c->value[PLATFORM],
				       .told = sim.weights,
				       .steps = 1 };
}

const struct study_kind machines = {
	.option = "--study", .list = list, .one = one, .group = { "load", "net" }, .group_text = group_text,
	.first = "rid", .measure = "t_bal_s", .measures = "t_bal_s, pi, messages or idle_percent",
	.is_measure = is_measure, .set = sim_set, .settle = sim_settle, .all = every, .item = item,
	.cell = cell, .key = key, .alone = alone, .facts = facts,
};
