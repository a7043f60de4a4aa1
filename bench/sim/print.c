/* print.c - the output of dls-sim: a block of text for each run, or a row. */
#include <limits.h>
#include <unistd.h>

#include "sim.h"

static double efficiency(const struct run *run)
{
	return run->load.t_opt / run->result.time;
}

static double speedup(const struct run *run)
{
	return run->load.t_nobal / run->result.time;
}

static double pi(const struct run *run)
{
	return dls_normalized_performance(run->load.t_nobal, run->result.time, run->load.t_opt);
}

static const char *const column[] = {
	"strategy", "net", "processors", "engine", "costs", "faults", "load", "tasks_each", "grain_s", "speeds", "weights", "seed",
	"tasks", "work_s", "t_opt_s", "t_nobal_s", "t_bal_s", "pi", "speedup", "efficiency", "nonlocal", "transfers", "hops",
	"messages", "bytes", "detection_s", "service_messages", "events", "busy_percent", "busy_least_percent",
	"busy_most_percent", "polling_percent", "polling_least_percent", "polling_most_percent", "overhead_percent",
	"overhead_least_percent", "overhead_most_percent", "service_percent", "service_least_percent",
	"service_most_percent", "held_percent", "held_least_percent", "held_most_percent", "idle_percent",
	"idle_least_percent", "idle_most_percent", "kinds", "counters", "platform", "link_messages", "link_bytes", NULL,
};
enum { SEED = 11, FIGURE = 12, T_BAL = 16, PI = 17, SPEEDUP = 18, EFFICIENCY = 19, TRANSFERS = 21, MESSAGES = 23, IDLE = 43,
       KINDS = 46, COLUMNS = 51 };	/* figures: FIGURE to KINDS - 1 */

static FILE *out;
static enum tool_format as;
static struct tool_table table, brief;
static bool further, each_a_row, resumed;
static char *resumed_head;

void print_begin(FILE *file, enum tool_format format, bool several)
{
	static const char *const short_column[] = { "strategy", "sweep", "processors", "seed", "T_bal, s", "Pi", "speedup", "efficiency",
						    "transfers", "messages", "idle, %", NULL };
	static const int width[] = { -16, -16, 10, 13, 10, 6, 8, 10, 10, 10, 7 };

	out = file;
	as = format;
	each_a_row = several;
	if (resumed)
		table.out = file;
	else
		table = (struct tool_table){ .out = file, .format = format, .column = column };
	brief = (struct tool_table){ .out = file, .format = TOOL_TEXT, .column = short_column, .width = width };
	if (as != TOOL_TEXT && !resumed)
		tool_table_begin(&table);
	if (as == TOOL_TEXT)
		tool_print_head();
	if (as == TOOL_TEXT && several) {
		fprintf(file, "%s load%s%s\n\n", sim.load, sim.costs ? ", costs " : "", sim.costs ? sim.costs : "");
		tool_table_begin(&brief);
	}
}

/* What a row begins with, but for the seed. */
static void put_inputs(struct tool_table *to, const struct run *run)
{
	tool_text(to, run->text);
	tool_text(to, run->net);
	tool_whole(to, run->result.processors);
	tool_text(to, sim.engine);
	tool_text(to, sim.costs ? sim.costs : "");
	tool_text(to, sim.faults ? sim.faults : "");
	tool_text(to, sim.load);
	tool_number(to, "%.0f", load_drawn() ? (double)sim.tasks : NAN);
	tool_number(to, "%.9g", load_of_file() ? NAN : sim.grain);
	tool_text(to, sim.speeds ? sim.speeds : "");
	tool_text(to, sim.weights ? sim.weights : "");
}

/* Messages or bytes of the links that had any. */
static void put_traffic(struct tool_table *to, const struct run *run, bool messages)
{
	const char **name = tool_need(calloc(platform_links() + 1, sizeof(*name)));
	uint64_t *value = tool_need(calloc(platform_links() + 1, sizeof(*value)));

	for (unsigned i = 0; i < platform_links(); i++) {
		name[i] = run->traffic[i].messages ? platform_link_name(i) : NULL;
		value[i] = messages ? run->traffic[i].messages : run->traffic[i].bytes;
	}
	tool_named(to, name, platform_links(), value);
	free(name);
	free(value);
}

static void print_row(struct tool_table *to, const struct run *run)
{
	const struct dls_run_result *r = &run->result;

	put_inputs(to, run);
	tool_whole(to, sim.seed);
	tool_whole(to, run->load.tasks);
	tool_number(to, "%.9f", run->load.work);
	tool_number(to, "%.9f", run->load.t_opt);
	tool_number(to, "%.9f", run->load.t_nobal);
	tool_number(to, "%.9f", r->time);
	tool_number(to, "%.6f", pi(run));
	tool_number(to, "%.6f", speedup(run));
	tool_number(to, "%.6f", efficiency(run));
	tool_whole(to, r->nonlocal);
	tool_whole(to, r->transfers);
	tool_whole(to, r->hops);
	tool_whole(to, r->messages);
	tool_whole(to, r->bytes);
	tool_number(to, "%.9f", r->detected - r->time);
	tool_whole(to, r->service_messages);
	tool_whole(to, r->events);
	for (size_t k = 0; k < PARTS_N; k++) {
		tool_number(to, "%.4f", run->part[k].mean);
		tool_number(to, "%.4f", run->part[k].least);
		tool_number(to, "%.4f", run->part[k].most);
	}
	tool_named(to, run->strategy->kind, DLS_KINDS_MAX, r->kind);
	tool_named(to, run->strategy->counter, DLS_COUNTERS_MAX, r->counter);
	tool_text(to, sim.platform ? sim.platform : "");
	put_traffic(to, run, true);
	put_traffic(to, run, false);
}

/* A dash where there is no such ratio. */
static void print_ratio(const char *name, double value, const char *what)
{
	char text[32] = "-";

	if (isfinite(value))
		snprintf(text, sizeof(text), "%.3f", value);
	printf("  %-11s  %-10s  %s\n", name, text, what);
}

void print_inputs(FILE *f, const struct run *run)
{
	const char *const given[][2] = {
		{ "costs", sim.costs }, { "faults", sim.faults }, { "speeds", sim.speeds }, { "weights", sim.weights },
		{ "platform", sim.platform },
	};
	unsigned P = run->result.processors;

	fprintf(f, "%s on %s: %u processor%s", run->text, run->net, P, P == 1 ? "" : "s");
	if (sim.threads)
		fputs(sim.ranks ? " on ranks" : " on threads", f);
	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++)
		if (given[i][1])
			fprintf(f, ", %s %s", given[i][0], given[i][1]);
	fprintf(f, ", %s load", sim.load);
	if (load_drawn())
		fprintf(f, " of %" PRIu64 " task%s of %.4g s each", sim.tasks, sim.tasks == 1 ? "" : "s", sim.grain);
	else if (!load_of_file())
		fprintf(f, " of tasks of %.4g s", sim.grain);
	fprintf(f, ", seed %" PRIu64, sim.seed);
}

/* Print `before`, and names with their values, "update=7 request=5"; nothing if there are none. */
static void print_named(const char *before, const char *const *name, size_t n, const uint64_t *value)
{
	for (size_t i = 0; i < n; i++) {
		if (!name[i])
			continue;
		printf("%s%s=%" PRIu64, before, name[i], value[i]);
		before = " ";
	}
}

/* Whether there was something to balance, and some processor has run all that the fullest one had. */
static bool in_vain(const struct run *run)
{
	const struct load *l = &run->load;

	return l->t_nobal > 1.1 * l->t_opt && l->t_nobal > 1.1 * l->longest && run->part[PART_BUSY].most * run->result.time >= 97 * l->t_nobal;
}

/* The links that messages were on for the longest. */
static void print_links(const struct run *run)
{
	enum { SHOWN = 5 };
	bool *told = tool_need(calloc(platform_links() + 1, sizeof(*told)));

	for (unsigned k = 0; k < SHOWN; k++) {
		unsigned most = UINT_MAX;

		for (unsigned i = 0; i < platform_links(); i++)
			if (!told[i] && run->traffic[i].messages && (most == UINT_MAX || run->traffic[i].busy > run->traffic[most].busy))
				most = i;
		if (most == UINT_MAX)
			break;
		told[most] = true;
		printf("  %-11s  %-10s  %" PRIu64 " messages, %" PRIu64 " bytes; busy %.3g s, waited for %.3g s\n", k ? "" : "links",
		       platform_link_name(most), run->traffic[most].messages, run->traffic[most].bytes, run->traffic[most].busy,
		       run->traffic[most].waited);
	}
	free(told);
}

static void print_text(const struct run *run)
{
	static const char *const part[PARTS_N] = { "busy", "polling", "overhead", "service", "held", "idle" };
	const struct dls_strategy *strategy = run->strategy;
	const struct dls_run_result *r = &run->result;
	const struct load *load = &run->load;

	fputs(further ? "\n" : "", stdout);
	print_inputs(stdout, run);
	fputs("\n\n", stdout);
	printf("  T_opt        %-10.5g  s; %" PRIu64 " tasks of %.5g s together\n", load->t_opt, load->tasks, load->work);
	printf("  T_nobal      %-10.5g  s\n", load->t_nobal);
	printf("  T_bal        %-10.5g  s", r->time);
	if (load->t_opt > 0)
		printf(", %.3f T_opt", r->time / load->t_opt);
	putchar('\n');
	print_ratio("Pi", pi(run), "(T_nobal - T_bal) / (T_nobal - T_opt)");
	print_ratio("speedup", speedup(run), "T_nobal / T_bal");
	print_ratio("efficiency", efficiency(run), "T_opt / T_bal");
	if (in_vain(run) && strcmp(strategy->name, "none") != 0)
		printf("  %s does not balance this load: %" PRIu64 " of %" PRIu64 " tasks ran elsewhere; see dls_balance(7)\n",
		       strategy->name, r->nonlocal, r->tasks);
	printf("  transfers    %-10" PRIu64 "  tasks sent, over %" PRIu64 " links; %" PRIu64 " tasks ran elsewhere\n",
	       r->transfers, r->hops, r->nonlocal);
	printf("  messages     %-10" PRIu64 "  %" PRIu64 " bytes", r->messages, r->bytes);
	print_named("; ", strategy->kind, DLS_KINDS_MAX, r->kind);
	putchar('\n');
	if (strategy->counter[0]) {
		print_named("  counters                 ", strategy->counter, DLS_COUNTERS_MAX, r->counter);
		putchar('\n');
	}
	print_links(run);
	printf("  detection    %-10.4g  s until the end was known; %" PRIu64 " messages\n", r->detected - r->time,
	       r->service_messages);
	printf("  events       %" PRIu64 "\n\n", r->events);
	printf("  %% of T_bal     mean%s   of the processors\n", sim.ranks ? "" : "   least    most");
	for (size_t k = 0; k < PARTS_N; k++)
		if (sim.ranks)
			printf("  %-10s  %7.2f\n", part[k], run->part[k].mean);
		else
			printf("  %-10s  %7.2f %7.2f %7.2f\n", part[k], run->part[k].mean, run->part[k].least, run->part[k].most);
	further = true;
}

/* A row of CSV, malloc'ed, with its end. */
static char *row_text(const struct run *run)
{
	struct tool_table row = { .format = TOOL_CSV, .column = column, .source = table.source };
	char *text;

	row.out = tool_text_open(&text);
	print_row(&row, run);
	tool_text_close(row.out);
	return text;
}

/* The next cell of a row of CSV, unquoted; returns what follows its comma, NULL: no more. */
static const char *next_cell(const char *at, char *cell, size_t size)
{
	bool quoted = *at == '"';
	size_t n = 0;

	for (at += quoted; *at && *at != '\n' && (quoted || *at != ','); at++) {
		if (quoted && *at == '"' && *++at != '"')
			quoted = false;
		if (!quoted && (*at == ',' || *at == '\n' || !*at))
			break;
		if (n + 1 < size)
			cell[n++] = *at;
	}
	cell[n] = 0;
	return *at == ',' ? at + 1 : NULL;
}

/* The numbers of a row of CSV; NAN: a cell is none, or the seed. */
static void read_figures(const char *row, double figure[COLUMNS_MAX])
{
	char cell[1024], *end;

	for (size_t k = 0; k < COLUMNS; k++) {
		row = row ? next_cell(row, cell, sizeof(cell)) : (*cell = 0, NULL);
		figure[k] = strtod(cell, &end);
		if (end == cell || *end || k == SEED)
			figure[k] = NAN;
	}
}

size_t print_column(const char *name)
{
	for (size_t k = FIGURE; k < KINDS; k++)
		if (strcmp(name, column[k]) == 0)
			return k;
	return COLUMNS_MAX;
}

static void print_brief(const struct job *job, const struct run *run, const char *seed, const double *figure)
{
	tool_text(&brief, run->text);
	tool_text(&brief, *job->point ? job->point : "-");
	tool_whole(&brief, run->result.processors);
	tool_text(&brief, seed);
	tool_number(&brief, "%.5g", figure[T_BAL]);
	tool_number(&brief, "%.3f", figure[PI]);
	tool_number(&brief, "%.3f", figure[SPEEDUP]);
	tool_number(&brief, "%.3f", figure[EFFICIENCY]);
	tool_number(&brief, "%.0f", figure[TRANSFERS]);
	tool_number(&brief, "%.0f", figure[MESSAGES]);
	tool_number(&brief, "%.2f", figure[IDLE]);
}

/* How many summary rows follow the rows of the seeds. */
static size_t summary_rows(const double *last)
{
	return summary_deterministic(last, COLUMNS) ? 1 : SUMMARIES;
}

/* Mean, deviation and interval of the runs of a group, of which `run` is the last. */
static void print_summary(const struct job *job, const struct run *run, size_t rows)
{
	double value[SUMMARIES][COLUMNS_MAX];

	summary_take(value);
	for (size_t i = 0; i < rows; i++) {
		const char *name = rows == 1 ? "deterministic" : summary_name[i];

		if (as == TOOL_TEXT) {
			print_brief(job, run, name, value[i]);
			continue;
		}
		put_inputs(&table, run);
		tool_text(&table, name);
		for (size_t k = FIGURE; k < KINDS; k++)
			tool_number(&table, "%.9g", value[i][k]);
		tool_named(&table, NULL, 0, NULL);
		tool_named(&table, NULL, 0, NULL);
		tool_text(&table, sim.platform ? sim.platform : "");
		tool_named(&table, NULL, 0, NULL);
		tool_named(&table, NULL, 0, NULL);
	}
}

void print_run(const struct job *job, const struct run *run)
{
	char *text, seed[24];
	double figure[COLUMNS_MAX];
	size_t rows;

	sim = job->sim;
	if (as == TOOL_TEXT && !each_a_row) {
		print_text(run);
		return;
	}
	text = row_text(run);
	read_figures(text, figure);
	snprintf(seed, sizeof(seed), "%" PRIu64, sim.seed);
	if (as == TOOL_TEXT)
		print_brief(job, run, seed, figure);
	else if (as == TOOL_CSV)
		fputs(text, out);
	else
		print_row(&table, run);
	free(text);
	rows = summary_rows(figure);
	summary_add(figure, COLUMNS);
	if (job->last && job->seeds > 1)
		print_summary(job, run, rows);
	else if (job->last)
		summary_forget();
	fflush(out);
}

void print_end(void)
{
	if (as != TOOL_TEXT)
		tool_table_end(&table);
}

size_t print_resume(FILE *file, const char *name, const struct job *jobs, size_t n)
{
	size_t room = 0, done = 0, summary = 0;	/* rows of a summary that are still to come */
	FILE *wanted = tool_text_open(&resumed_head);
	double figure[COLUMNS_MAX];
	char *line = NULL;
	long whole = 0;

	table = (struct tool_table){ .out = wanted, .format = TOOL_CSV, .column = column };
	tool_table_begin(&table);
	tool_text_close(wanted);
	for (size_t k = 1; getline(&line, &room, file) > 0 && line[strlen(line) - 1] == '\n'; k++) {
		const char *source = strstr(line, table.source);

		if (k == 1 ? strcmp(line, resumed_head) != 0 : !source || strcmp(source + strlen(table.source), "\n") != 0)
			tool_die(TOOL_USAGE, "--resume \"%s\", line %zu: not of this command line, version and input files: each row ends with %s",
				 name, k, table.source);
		if (k > 1 && done == n)
			tool_die(TOOL_USAGE, "--resume \"%s\", line %zu: more rows than the %zu runs of the command line have", name, k, n);
		if (k > 1 && !summary) {
			read_figures(line, figure);
			summary = jobs[done].last && jobs[done].seeds > 1 ? summary_rows(figure) + 1 : 1;
		}
		if (k > 1 && --summary)
			continue;
		whole = ftell(file);
		if (k == 1)
			continue;
		summary_add(figure, COLUMNS);
		if (jobs[done++].last)
			summary_forget();
	}
	free(line);
	if (fflush(file) || ftruncate(fileno(file), whole) || fseek(file, whole, SEEK_SET))
		tool_die(TOOL_USAGE, "--resume \"%s\": %s", name, strerror(errno));
	resumed = whole > 0;
	if (!resumed) {		/* print_begin() begins the table */
		free(table.source);
		table.source = NULL;
	}
	return done;
}
