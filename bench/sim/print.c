/* print.c - the output of dls-sim: a block of text for each run, or a row. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

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

/* "update=12 request=3"; of the counters, or of the kinds of messages. */
static void named(char *text, size_t size, const char *const *name, size_t n, const uint64_t *value)
{
	size_t used = 0;

	text[0] = 0;
	for (size_t i = 0; i < n && used < size; i++)
		if (name[i])
			used += (size_t)snprintf(text + used, size - used, "%s%s=%" PRIu64, used ? " " : "", name[i], value[i]);
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
		"strategy", "net", "processors", "engine", "costs", "faults", "load", "seed", "tasks", "work", "t_opt",
		"t_nobal", "t_bal", "pi", "speedup", "efficiency", "nonlocal", "transfers", "hops", "messages", "bytes",
		"detection", "service_messages", "events", "busy", "busy_least", "busy_most", "polling", "polling_least",
		"polling_most", "overhead", "overhead_least", "overhead_most", "service", "service_least", "service_most",
		"held", "held_least", "held_most", "idle", "idle_least", "idle_most", "kinds", "counters", NULL,
	};

	as = format;
	table = (struct tool_table){ .out = stdout, .format = format, .column = column };
	if (as != TOOL_TEXT)
		tool_table_begin(&table);
}

static void print_row(const struct run *run, const struct part *part, const char *net, const char *kinds,
		      const char *counters)
{
	const struct dls_run_result *r = &run->result;

	tool_text(&table, run->strategy);
	tool_text(&table, net);
	tool_whole(&table, r->processors);
	tool_text(&table, sim.threads ? "threads" : "virtual");
	tool_text(&table, sim.costs ? sim.costs : "");
	tool_text(&table, sim.faults ? sim.faults : "");
	tool_text(&table, sim.load);
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
	tool_text(&table, kinds);
	tool_text(&table, counters);
}

/* A dash where there is no such ratio. */
static void print_ratio(const char *name, double value, const char *what)
{
	char text[32] = "-";

	if (isfinite(value))
		snprintf(text, sizeof(text), "%.3f", value);
	printf("  %-11s  %-10s  %s\n", name, text, what);
}

static void print_text(const struct run *run, const struct part *part, const char *net, const char *kinds,
		       const char *counters)
{
	const struct dls_run_result *r = &run->result;
	const struct load *load = &run->load;

	printf("%s%s on %s: %u processor%s", further ? "\n" : "", run->strategy, net, r->processors,
	       r->processors == 1 ? "" : "s");
	if (sim.threads)
		printf(" on threads");
	if (sim.costs)
		printf(", costs %s", sim.costs);
	if (sim.faults)
		printf(", faults %s", sim.faults);
	printf(", %s load, seed %" PRIu64 "\n\n", sim.load, sim.seed);
	printf("  T_opt        %-10.5g  s; %" PRIu64 " tasks of %.5g s together\n", load->t_opt, load->tasks, load->work);
	printf("  T_nobal      %-10.5g  s\n", load->t_nobal);
	printf("  T_bal        %-10.5g  s", r->time);
	if (load->t_opt > 0)
		printf(", %.3f T_opt", r->time / load->t_opt);
	putchar('\n');
	print_ratio("Pi", pi(run), "(T_nobal - T_bal) / (T_nobal - T_opt)");
	print_ratio("speedup", speedup(run), "T_nobal / T_bal");
	print_ratio("efficiency", efficiency(run), "T_opt / T_bal");
	printf("  transfers    %-10" PRIu64 "  tasks sent, over %" PRIu64 " links; %" PRIu64 " tasks ran elsewhere\n",
	       r->transfers, r->hops, r->nonlocal);
	printf("  messages     %-10" PRIu64 "  %" PRIu64 " bytes%s%s\n", r->messages, r->bytes, *kinds ? "; " : "", kinds);
	if (*counters)
		printf("  counters                 %s\n", counters);
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
	const struct dls_strategy *strategy = dls_machine_strategy(run->machine);
	struct part part[PARTS_N] = PARTS;
	char net[64], kinds[1024], counters[1024];

	measure(run, part);
	dls_net_print(dls_machine_net(run->machine), net, sizeof(net));
	named(kinds, sizeof(kinds), strategy->kind, DLS_KINDS_MAX, run->result.kind);
	named(counters, sizeof(counters), strategy->counter, DLS_COUNTERS_MAX, run->result.counter);
	(as == TOOL_TEXT ? print_text : print_row)(run, part, net, kinds, counters);
}

void print_end(void)
{
	if (as != TOOL_TEXT)
		tool_table_end(&table);
	else if (fflush(stdout) || ferror(stdout))
		tool_die(TOOL_CHECK_FAILED, "cannot write");
}
