/* paper.c - dls-paper: tables and figures of the papers, rebuilt, nearly all in virtual time, beside the papers' own.
 *
 * Experiments are the files of bench/paper; what they print depends on their seeds alone, but for repart-threads, which
 * runs in real time. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/paper/paper.h"

static const struct paper_experiment *const experiments[] = {
#define X(name) &paper_##name,
#include "bench/paper/list.h"
#undef X
};
enum { EXPERIMENTS = sizeof(experiments) / sizeof(*experiments) };

struct paper paper;

static struct figure {
	char what[120];
	double theirs, low, high, ours;
} *figure;
static size_t figures;

static bool accepted(const struct figure *f)
{
	return f->ours >= f->low && f->ours <= f->high;
}

void paper_accept(double theirs, double low, double high, double ours, const char *format, ...)
{
	struct figure *f;
	va_list args;

	figure = tool_need(realloc(figure, (figures + 1) * sizeof(*figure)));
	f = &figure[figures++];
	*f = (struct figure){ .theirs = theirs, .low = low, .high = high, .ours = ours };
	va_start(args, format);
	vsnprintf(f->what, sizeof(f->what), format, args);
	va_end(args);
}

/* The range of a figure, as "a to b", "<= b" or ">= a". */
static void range(const struct figure *f, char *text, size_t size)
{
	if (f->low == -INFINITY)
		snprintf(text, size, "<= %.5g", f->high);
	else if (f->high == INFINITY)
		snprintf(text, size, ">= %.5g", f->low);
	else
		snprintf(text, size, "%.5g to %.5g", f->low, f->high);
}

/* The acceptance, in text. */
static void print_figures(void)
{
	static const char *const column[] = { "accepted", "paper", "range", "here", "is it", NULL };
	static const int width[] = { -62, 8, 16, 9, -7 };
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = column, .width = width };

	if (figures == 0)
		return;
	putchar('\n');
	tool_table_begin(&table);
	for (size_t i = 0; i < figures; i++) {
		char text[64];

		range(&figure[i], text, sizeof(text));
		tool_text(&table, figure[i].what);
		tool_number(&table, "%.5g", figure[i].theirs);
		tool_text(&table, text);
		tool_number(&table, "%.5g", figure[i].ours);
		tool_text(&table, accepted(&figure[i]) ? "yes" : "outside");
	}
	tool_table_end(&table);
}

/* What --check comes to: each miss on stderr. */
static int check(const char *name)
{
	size_t missed = 0;

	fflush(stdout);
	for (size_t i = 0; i < figures; i++) {
		char text[64];

		if (accepted(&figure[i]))
			continue;
		missed++;
		range(&figure[i], text, sizeof(text));
		fprintf(stderr, "%s: %s: %s: %.5g, not %s\n", tool_name, name, figure[i].what, figure[i].ours, text);
	}
	if (missed)
		tool_die(TOOL_CHECK_FAILED, "%s: %zu of %zu figures are outside what is accepted", name, missed,
			 figures);
	return TOOL_DONE;
}

void paper_say(const char *format, ...)
{
	va_list args;

	if (paper.format != TOOL_TEXT)
		return;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

void paper_table(struct tool_table *table, const char *const *column, const int *width)
{
	*table = (struct tool_table){ .out = stdout, .format = paper.format, .column = column, .width = width };
	tool_table_begin(table);
}

/* "-0.000" is not printed. */
void paper_number(struct tool_table *table, const char *format, double value)
{
	char text[512];

	if (table->format != TOOL_TEXT) {
		tool_number(table, "%.7g", value);
		return;
	}
	snprintf(text, sizeof(text), format, value);
	tool_number(table, format, strtod(text, NULL) == 0 ? 0 : value);
}

/* A-B, or A. */
static void parse_seeds(const char *text)
{
	enum { MOST = 1000000 };
	char first[24];
	size_t length = strcspn(text, "-");
	uint64_t last;

	if (length >= sizeof(first))
		tool_die(TOOL_USAGE, "--seeds \"%s\": not A-B, such as 1-10", text);
	memcpy(first, text, length);
	first[length] = 0;
	paper.first = tool_count("--seeds", first, 1, MOST);
	last = text[length] ? tool_count("--seeds", text + length + 1, 1, MOST) : paper.first;
	if (last < paper.first)
		tool_die(TOOL_USAGE, "--seeds \"%s\": the last is before the first", text);
	paper.seeds = (size_t)(last - paper.first + 1);
}

static int list(void)
{
	for (size_t i = 0; i < EXPERIMENTS; i++)
		printf("%-16s%s\n", experiments[i]->name, experiments[i]->what);
	return TOOL_DONE;
}

static const struct paper_experiment *find(const char *name)
{
	for (size_t i = 0; i < EXPERIMENTS; i++)
		if (strcmp(name, experiments[i]->name) == 0)
			return experiments[i];
	tool_die(TOOL_USAGE, "\"%s\": no such experiment; see %s list", name, tool_name);
}

static const char *seeds, *plot;
static bool checks;

static const struct tool_option options[] = {
	{ "seeds", "A-B", "means or medians, as it says, over the runs of these seeds,\n1 to 1e6", .text = &seeds },
	TOOL_FORMATS(&paper.format, "the table alone"),
	TOOL_PLOT(&plot, "a picture"),
	{ "check", NULL, "exit 1 if a figure is outside what is accepted", .flag = &checks },
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-paper", .option = options, .arguments = true,
	.about =
	"dls-paper rebuilds tables and figures of the papers that libdls implements, in\n"
	"virtual time (repart-threads in real time), and prints them beside the papers'\n"
	"own.\n"
	"\n"
	"  dls-paper list                            the experiments\n"
	"  dls-paper wlr93-table4                    one of them, with its own seeds\n"
	"  dls-paper wlr93-table4 --seeds 1-10 --csv > table4.csv\n"
	"  dls-paper wlr93-table4 --check            are all figures as accepted?\n",
	.notes =
	"Exit status: 0 done, 1 a check failed, 2 usage, 3 gnuplot is not installed.\n",
};

int main(int argc, char **argv)
{
	const struct paper_experiment *experiment;
	char **argument = tool_options(&tool, argc, argv);
	int status;

	if (!argument[0])
		tool_die(TOOL_USAGE, "which experiment? see %s list, or --help", tool_name);
	if (argument[1])
		tool_die(TOOL_USAGE, "\"%s\": one experiment at a time", argument[1]);
	if (strcmp(argument[0], "list") == 0)
		return list();
	experiment = find(argument[0]);
	paper.first = experiment->first;
	paper.seeds = (size_t)(experiment->last - experiment->first + 1);
	if (seeds && experiment->first == 0)
		tool_die(TOOL_USAGE, "--seeds: %s draws nothing at random", experiment->name);
	if (seeds)
		parse_seeds(seeds);
	if (experiment->one_seed && paper.seeds > 1)
		tool_die(TOOL_USAGE, "--seeds \"%s\": %s takes one seed, such as %llu", seeds, experiment->name,
			 (unsigned long long)experiment->first);
	if (plot && !experiment->plots)
		tool_die(TOOL_USAGE, "--plot: %s has no picture", experiment->name);
	if (plot)
		paper_plot_begin(plot);
	paper_say("%s: %s", experiment->name, experiment->what);
	if (experiment->one_seed)
		paper_say("Seed %llu.\n", (unsigned long long)paper.first);
	else if (experiment->first)
		paper_say("%s over the seeds %llu to %llu.\n", experiment->medians ? "Medians" : "Means",
			  (unsigned long long)paper.first, (unsigned long long)(paper.first + paper.seeds - 1));
	experiment->run();
	if (paper.format == TOOL_TEXT)
		print_figures();
	paper_plot_end();
	status = checks ? check(experiment->name) : TOOL_DONE;
	free(figure);
	return status;
}
