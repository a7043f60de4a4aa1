/* paper.c - dls-paper: tables and figures of the papers, rebuilt, in virtual time, beside the papers' own.
 *
 * Experiments are the files of bench/paper; what they print depends on their seeds alone. */
#include "bench/paper/paper.h"

const struct paper_experiment *const paper_experiments[] = {
#define X(name) &paper_##name,
#include "bench/paper/list.h"
#undef X
};
const size_t paper_experiments_n = sizeof(paper_experiments) / sizeof(*paper_experiments);

struct paper paper;

static void parse_seeds(const char *text)
{
	paper.seeds = (size_t)tool_seeds("--seed", text, 1, TOOL_SEEDS_MAX, &paper.first);
}

static void list(void)
{
	for (size_t i = 0; i < paper_experiments_n; i++)
		printf("%-20s%s\n", paper_experiments[i]->name, paper_experiments[i]->what);
}

static void constants(void)
{
	paper_print_constants(stdout, paper.format);
}

/* If the name is that of a command that needs no run, print what it asks for; else return false. */
static bool told(const char *name)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} table[] = { { "list", list }, { "ledger", paper_print_ledger }, { "columns", paper_print_columns },
		      { "constants", constants } };

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (strcmp(name, table[i].name) == 0) {
			table[i].print();
			return true;
		}
	return false;
}

static const struct paper_experiment *find(const char *name)
{
	for (size_t i = 0; i < paper_experiments_n; i++)
		if (strcmp(name, paper_experiments[i]->name) == 0)
			return paper_experiments[i];
	tool_die(TOOL_USAGE, "\"%s\": no such experiment; see %s list", name, tool_name);
}

/* One seed after the other, in place of all at once. */
static void run_by_seed(const struct paper_experiment *experiment)
{
	uint64_t last = paper.first + paper.seeds - 1;

	paper.seeds = 1;
	for (; paper.first <= last; paper.first++) {
		paper_table(experiment->column);
		experiment->run();
		paper_seed_rows(paper.first);
		paper_lines_clear();
	}
	paper_seeds_end();
}

static const char *seeds, *plot;
static bool checks;

static const struct tool_option options[] = {
	{ TOOL_SEEDS, .value = "A-B", .help = "means or medians over these seeds, 1 to 1e6", .text = &seeds },
	TOOL_FORMATS(&paper.format, "the table alone"),
	TOOL_PLOT(&plot, "a picture"),
	TOOL_LECTURE,
	{ "figures", NULL, "in place of the table, each figure here and there\ndistance from the paper's, "
	  "class, what it rests on",
	  .flag = &paper.figures },
	{ "spread", NULL, "the table of each seed, mean, 95 % interval", .flag = &paper.by_seed },
	{ "check", NULL, "exit 1 if a row or figure is not as before", .flag = &checks },
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-paper", .option = options, .arguments = true,
	.about =
	"dls-paper rebuilds tables and figures of the papers that libdls implements, in\n"
	"virtual time, and prints them beside the papers' own.\n"
	"\n"
	"  dls-paper list                            the experiments\n"
	"  dls-paper wlr93-table4                    one of them, with its own seeds\n"
	"  dls-paper wlr93-table4 --seed 1-10 --csv > table4.csv\n"
	"  dls-paper report DIR                      everything, as DIR/report.html\n",
	.examples =
	"  dls-paper wlr93-table4 --figures --csv    how far each figure is from the paper's\n"
	"  dls-paper wlr93-table4 --spread --csv     how far the seeds are from each other\n"
	"  dls-paper wlr93-table4 --check            is it as before?\n"
	"  dls-paper ledger                          how near the papers' figures are, as\n"
	"                                            recorded\n"
	"  dls-paper columns                         of the tables\n"
	"  dls-paper constants                       what was chosen so that figures fit\n"
	"  dls-paper record wlr93-table4             its lines of bench/paper/before.h\n",
	.notes =
	"Exit status: 0 done, 1 a check failed, 2 usage.\n",
};

static void print_head(const struct paper_experiment *e)
{
	if (paper.format == TOOL_TEXT && !paper.record)
		tool_print_head();
	paper_say("%s: %s", e->name, e->what);
	if (e->first)
		paper_say("%s over the seeds %llu to %llu.\n", e->medians ? "Medians" : "Means", (unsigned long long)paper.first,
			  (unsigned long long)(paper.first + paper.seeds - 1));
}

void paper_experiment_run(const struct paper_experiment *e)
{
	print_head(e);
	paper_table(e->column);
	e->run();
	paper_table_end();
	paper_judge(e);
	if (e->note)
		paper_say("\n%s", e->note);
	if (paper.figures)
		paper_print_figures(e);
	else if (paper.format == TOOL_TEXT && !paper.record)
		paper_print_judgement(e);
	if (paper.record)
		paper_print_record(e);
	paper_plot_end(e);
}

int main(int argc, char **argv)
{
	const struct paper_experiment *experiment;
	char **argument = tool_options(&tool, argc, argv);
	bool report;
	int status;

	if (!argument[0])
		tool_die(TOOL_USAGE, "which experiment? see %s list, or --help", tool_name);
	if (strcmp(argument[0], "record") == 0 && argument[1])
		paper.record = *++argument != NULL;
	report = strcmp(argument[0], "report") == 0;
	if (report && !*++argument)
		tool_die(TOOL_USAGE, "report: a folder is needed");
	if (argument[1])
		tool_die(TOOL_USAGE, "\"%s\": one %s at a time", argument[1], report ? "folder" : "experiment");
	if (report && (paper.format != TOOL_TEXT || paper.figures || paper.by_seed || paper.record || plot || checks))
		tool_die(TOOL_USAGE, "report \"%s\": takes no option but --seed: it has every format",
			 *argument);
	if (report) {
		if (seeds)
			parse_seeds(seeds);
		return paper_report(*argument, !seeds);
	}
	if (told(argument[0]))
		return TOOL_DONE;
	experiment = find(argument[0]);
	paper.first = experiment->first;
	paper.seeds = (size_t)(experiment->last - experiment->first + 1);
	if (seeds && experiment->first == 0)
		tool_die(TOOL_USAGE, "--seed: %s draws nothing at random", experiment->name);
	if (seeds)
		parse_seeds(seeds);
	if (paper.by_seed && (experiment->first == 0 || checks || plot || paper.figures || paper.record))
		tool_die(TOOL_USAGE, "--spread: %s", experiment->first == 0 ? "nothing is drawn at random" :
			 "it has rows alone, no figures, check or plot");
	if (plot)
		paper_plot_begin(plot);
	if (paper.by_seed) {
		print_head(experiment);
		run_by_seed(experiment);
		return TOOL_DONE;
	}
	paper_experiment_run(experiment);
	status = checks ? paper_check(experiment) : TOOL_DONE;
	paper_lines_clear();
	free(paper_rows.place);
	free(paper_rows.cell);
	free(paper_rows.why);
	return status;
}
