/* print.c - the output of dls-sim: a block of text for each run, or a row. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

/* What the processors did with their time; parts of that until the last task ended. */
struct part {
	const char *name;
	size_t member;		/* of struct dls_processor_stats */
	double mean, least, most;	/* over the processors, per cent */
};

#define PART(member) { #member, offsetof(struct dls_processor_stats, member), 0, INFINITY, 0 }
#define PARTS { PART(busy), PART(polling), PART(overhead), PART(service), PART(held), PART(idle) }
enum { PARTS_N = 6 };

static void measure(const struct run *run, struct part part[PARTS_N])
{
	unsigned P = run->result.processors;
	double time = run->result.time;

	for (unsigned p = 0; p < P; p++) {
		struct dls_processor_stats stats = { .size = sizeof(stats) };

		dls_machine_processor_stats(run->machine, p, &stats);
		for (size_t k = 0; k < PARTS_N; k++) {
			double spent = *(const double *)(const void *)((const char *)&stats + part[k].member);
			double percent = time > 0 ? 100 * spent / time : 0;

			part[k].mean += percent / P;
			part[k].least = fmin(part[k].least, percent);
			part[k].most = fmax(part[k].most, percent);
		}
	}
}

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

static enum tool_format as;
static struct tool_table table;
static bool further;

void print_begin(enum tool_format format)
{
	static const char *const column[] = {
		"strategy", "net", "processors", "engine", "costs", "faults", "load", "tasks_each", "grain_s", "speeds",
		"weights", "seed", "tasks", "work_s", "t_opt_s", "t_nobal_s", "t_bal_s", "pi", "speedup", "efficiency",
		"nonlocal", "transfers", "hops", "messages", "bytes", "detection_s", "service_messages", "events",
		"busy_percent", "busy_least_percent", "busy_most_percent", "polling_percent", "polling_least_percent", "polling_most_percent",
		"overhead_percent", "overhead_least_percent", "overhead_most_percent", "service_percent", "service_least_percent", "service_most_percent",
		"held_percent", "held_least_percent", "held_most_percent", "idle_percent", "idle_least_percent", "idle_most_percent", "kinds", "counters",
		NULL,
	};

	as = format;
	table = (struct tool_table){ .out = stdout, .format = format, .column = column };
	if (as != TOOL_TEXT)
		tool_table_begin(&table);
	else
		tool_print_head();
}

static void print_row(const struct run *run, const struct part *part)
{
	const struct dls_strategy *strategy = dls_machine_strategy(run->machine);
	const struct dls_run_result *r = &run->result;
	char net[64];

	dls_net_print(dls_machine_net(run->machine), net, sizeof(net));
	tool_text(&table, run->strategy);
	tool_text(&table, net);
	tool_whole(&table, r->processors);
	tool_text(&table, sim.threads ? "threads" : "virtual");
	tool_text(&table, sim.costs ? sim.costs : "");
	tool_text(&table, sim.faults ? sim.faults : "");
	tool_text(&table, sim.load);
	tool_number(&table, "%.0f", load_of_file() ? NAN : (double)sim.tasks);
	tool_number(&table, "%.9g", load_of_file() ? NAN : sim.grain);
	tool_text(&table, sim.speeds ? sim.speeds : "");
	tool_text(&table, sim.weights ? sim.weights : "");
	tool_whole(&table, sim.seed);
	tool_whole(&table, run->load.tasks);
	tool_number(&table, "%.9f", run->load.work);
	tool_number(&table, "%.9f", run->load.t_opt);
	tool_number(&table, "%.9f", run->load.t_nobal);
	tool_number(&table, "%.9f", r->time);
	tool_number(&table, "%.6f", pi(run));
	tool_number(&table, "%.6f", speedup(run));
	tool_number(&table, "%.6f", efficiency(run));
	tool_whole(&table, r->nonlocal);
	tool_whole(&table, r->transfers);
	tool_whole(&table, r->hops);
	tool_whole(&table, r->messages);
	tool_whole(&table, r->bytes);
	tool_number(&table, "%.9f", r->detected - r->time);
	tool_whole(&table, r->service_messages);
	tool_whole(&table, r->events);
	for (size_t k = 0; k < PARTS_N; k++) {
		tool_number(&table, "%.4f", part[k].mean);
		tool_number(&table, "%.4f", part[k].least);
		tool_number(&table, "%.4f", part[k].most);
	}
	tool_named(&table, strategy->kind, DLS_KINDS_MAX, r->kind);
	tool_named(&table, strategy->counter, DLS_COUNTERS_MAX, r->counter);
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
	unsigned P = run->result.processors;
	char net[64];

	dls_net_print(dls_machine_net(run->machine), net, sizeof(net));
	fprintf(f, "%s on %s: %u processor%s", run->strategy, net, P, P == 1 ? "" : "s");
	if (sim.threads)
		fputs(" on threads", f);
	if (sim.costs)
		fprintf(f, ", costs %s", sim.costs);
	if (sim.faults)
		fprintf(f, ", faults %s", sim.faults);
	if (sim.speeds)
		fprintf(f, ", speeds %s", sim.speeds);
	if (sim.weights)
		fprintf(f, ", weights %s", sim.weights);
	fprintf(f, ", %s load", sim.load);
	if (!load_of_file())
		fprintf(f, " of %" PRIu64 " task%s of %.4g s each", sim.tasks, sim.tasks == 1 ? "" : "s", sim.grain);
	fprintf(f, ", seed %" PRIu64, sim.seed);
}

/* "  messages     12  " and "update=7 request=5". */
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
static bool in_vain(const struct run *run, const struct part *busy)
{
	const struct load *l = &run->load;

	return l->t_nobal > 1.1 * l->t_opt && l->t_nobal > 1.1 * l->longest && busy->most * run->result.time >= 97 * l->t_nobal;
}

static void print_text(const struct run *run, const struct part *part)
{
	const struct dls_strategy *strategy = dls_machine_strategy(run->machine);
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
	if (in_vain(run, &part[0]) && strcmp(strategy->name, "none") != 0)
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
	printf("  detection    %-10.4g  s until the end was known; %" PRIu64 " messages\n", r->detected - r->time,
	       r->service_messages);
	printf("  events       %" PRIu64 "\n\n", r->events);
	printf("  %% of T_bal     mean   least    most   of the processors\n");
	for (size_t k = 0; k < PARTS_N; k++)
		printf("  %-10s  %7.2f %7.2f %7.2f\n", part[k].name, part[k].mean, part[k].least, part[k].most);
	further = true;
}

void print_run(const struct run *run)
{
	struct part part[PARTS_N] = PARTS;

	measure(run, part);
	(as == TOOL_TEXT ? print_text : print_row)(run, part);
}

void print_end(void)
{
	if (as != TOOL_TEXT)
		tool_table_end(&table);
	else if (fflush(stdout) || ferror(stdout))
		tool_die(TOOL_CHECK_FAILED, "cannot write");
}
