/* print.c - what dls-advise prints: text, rows, a page. */
#include "bench/advise/advise.h"
#include "dls.h"
#include "lib/report/page.h"

static unsigned long long whole(double value)
{
	return value < 1e18 ? (unsigned long long)(value + 0.5) : 0;
}

static double ratio(const struct loop *l, double time)
{
	return time / l->advice.ideal;
}

/* Digits, never an exponent. */
static void milliseconds(char text[32], double seconds)
{
	snprintf(text, 32, 1e3 * seconds < 1000 ? "%.4g" : "%.0f", 1e3 * seconds);
}

/* What the text and the page say of a loop first. */
static void describe(FILE *f, const struct loop *l)
{
	const struct dls__known *k = &l->known;
	char ideal[32];

	if (!l->profile.executions) {
		if (l->parts)
			fprintf(f, "%u threads, %llu execution%s, of which only each thread's time is known", l->workers,
				whole(l->executions), l->executions < 2 ? "" : "s");
		else
			fputs("no execution was recorded as a whole", f);
		return;
	}
	milliseconds(ideal, l->advice.ideal);
	fprintf(f, "%llu iterations, %u thread%s", whole(k->n), k->workers, k->workers == 1 ? "" : "s");
	if (k->elsewhere)
		fprintf(f, " (measured with %u)", l->workers);
	fprintf(f, ", %llu execution%s", (unsigned long long)l->profile.executions, l->profile.executions == 1 ? "" : "s");
	if (!isnan(l->advice.ideal)) {
		if (l->advice.absolute)
			fprintf(f, "; ideal %s ms", ideal);
		else
			fprintf(f, "; executions differ by %.0f %%, so that no times are given", 100 * k->spread);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct dls__forecast *x = a, *y = b;

	if (isnan(x->expected) || isnan(y->expected))
		return isnan(x->expected) - isnan(y->expected);
	return (x->expected > y->expected) - (x->expected < y->expected);
}

static void print_text(const struct loop *l)
{
	const struct dls__advice *a = &l->advice;

	printf("%s\n", l->name);
	fputs("  ", stdout);
	describe(stdout, l);
	putchar('\n');
	if (!isnan(a->ideal))
		printf("  %-24s %12s %9s  %-9s %9s\n", "schedule", "ms", "x ideal", "by", "idle");
	for (unsigned i = 0; !isnan(a->ideal) && i < a->forecasts; i++) {
		const struct dls__forecast *p = &a->forecast[i];
		char time[32] = "-", expected[32] = "-", idle[32] = "-";

		if (a->absolute && !isnan(p->expected))
			milliseconds(time, p->expected);
		if (!isnan(p->expected))
			snprintf(expected, sizeof(expected), "%.3g", ratio(l, p->expected));
		if (!isnan(p->idle))
			snprintf(idle, sizeof(idle), "%.1f %%", 100 * p->idle);
		printf("  %-24s %12s %9s  %-9s %9s%s\n", p->schedule, time, expected,
		       isnan(p->expected) ? "-" : isnan(p->measured) ? "predicted" : "measured", idle,
		       p->now ? "  in force" : p->best ? "  advised" : "");
	}
	for (unsigned i = 0; i < a->lines; i++)
		printf("  advice: %s\n", a->line[i]);
}

static void print_rows(struct tool_table *table, const struct loop *l)
{
	const struct dls__advice *a = &l->advice;

	for (unsigned i = 0; !isnan(a->ideal) && i < a->forecasts; i++) {
		const struct dls__forecast *p = &a->forecast[i];

		tool_text(table, l->name);
		tool_text(table, p->schedule);
		tool_whole(table, l->known.workers);
		tool_whole(table, whole(l->known.n));
		tool_number(table, "%.9g", a->absolute ? p->time : NAN);
		tool_number(table, "%.9g", ratio(l, p->time));
		tool_number(table, "%.9g", p->idle);
		tool_number(table, "%.0f", p->chunks);
		tool_number(table, "%.9g", a->absolute ? p->measured : NAN);
		tool_number(table, "%.9g", ratio(l, p->measured));
		tool_text(table, p->now ? "in force" : p->best ? "advised" : "");
	}
}

/* The line that has the next run repeat what auto has chosen. */
static void print_repeat(const struct loops *loops)
{
	struct dls__entry *entry = tool_need(calloc(loops->n + 1, sizeof(*entry)));
	size_t entries = 0;
	char *text;

	for (size_t i = 0; i < loops->n; i++)
		if (loops->loop[i].repeat)
			entry[entries++] = (struct dls__entry){ loops->loop[i].name, loops->loop[i].repeat };
	text = dls__repeat(entry, entries);
	if (text)
		printf("\nWhat auto has chosen, for the next run:\n%s", text);
	free(text);
	free(entry);
}

void print_loops(const struct loops *loops, enum tool_format format)
{
	static const char *const column[] = {
		"site", "schedule", "threads", "iterations", "seconds", "times_ideal", "idle_share", "chunks", "measured_seconds",
		"measured_times_ideal", "mark", NULL,
	};
	struct tool_table table = { .out = stdout, .format = format, .column = column };

	for (size_t i = 0; i < loops->n; i++) {
		struct dls__advice *a = &loops->loop[i].advice;

		qsort(a->forecast, a->forecasts, sizeof(*a->forecast), by_time);
	}
	if (format == TOOL_TEXT) {
		tool_print_head();
		for (size_t i = 0; i < loops->n; i++) {
			fputs(i ? "\n" : "", stdout);
			print_text(&loops->loop[i]);
		}
		if (!loops->n)
			puts("no loop was measured");
		print_repeat(loops);
		return;
	}
	tool_table_begin(&table);
	for (size_t i = 0; i < loops->n; i++)
		print_rows(&table, &loops->loop[i]);
	tool_table_end(&table);
}

void page_loops(FILE *f, const struct loops *loops)
{
	dls__page_lecture = tool_lecture;
	dls__page_begin(f, "Advice on loops");
	dls__page_put(f, "<h1>Advice on loops</h1>\n<p>libdls %s: %s</p>\n", dls_version(), tool_command());
	for (size_t i = 0; i < loops->n; i++) {
		const struct loop *l = &loops->loop[i];

		dls__page_put(f, "<section>\n<h2>%s</h2>\n<p>", l->name);
		describe(f, l);
		fputs(".</p>\n", f);
		dls__page_advice(f, &l->bars, &l->advice);
		dls__page_forecasts(f, l->advice.forecast, l->advice.forecasts, l->advice.ideal, "Every schedule");
		fputs("</section>\n", f);
	}
	dls__page_end(f);
}
