/* loops_report.c - what dls-loops says: the tables, what they show, the rows. */
#include <math.h>
#include <string.h>

#include "loops.h"

static const char before_and_after[] =
	"One line of a parallel loop changes:\n"
	"\n"
	"    #pragma omp parallel for                    #include <dls.h>\n"
	"    for (int i = 0; i < n; i++)                 DLS_PARALLEL_FOR(i, 0, n)\n"
	"            work(i);                                    work(i);\n"
	"\n"
	"From then on the schedule is chosen when the program starts:\n"
	"\n"
	"    DLS_SCHEDULE=gss ./program\n"
	"\n"
	"Two real loops follow, each with equal workers and with one that takes twice as long.\n"
	"Every result is compared with the serial one.  Short bars are good.\n"
	"\n";

void loops_introduce(bool demo)
{
	if (demo)
		fputs(before_and_after, stdout);
	if (!isnan(loops.line_ns))
		printf("A cache line takes %.0f ns from one processor to another.\n\n", loops.line_ns);
#ifdef __clang__
	printf("Debian's libomp is built with debug traces, which cost it about 400 ns a dispatch.\n\n");
#endif
}

/* Median, extremes, and half the distance of the quartiles. */
struct figure {
	double median, min, max, half;
};

static struct figure figure(const double *value, size_t n)
{
	double sorted[RUNS_MAX];
	struct tool_spread s;

	memcpy(sorted, value, n * sizeof(*value));
	s = tool_spread(sorted, n);
	return (struct figure){ s.median, s.min, s.max, (sorted[n - 1 - n / 4] - sorted[n / 4]) / 2 };
}

static struct figure time_of(const struct side *side)
{
	return figure(side->time, loops.timed);
}

static void verdict(const struct side *side, size_t sides)
{
	const struct side *best = &side[COMPILERS];
	double ratio[RUNS_MAX];

	for (size_t i = COMPILERS; i < sides; i++)
		if (time_of(&side[i]).median < time_of(best).median)
			best = &side[i];
	for (size_t i = 0; i < COMPILERS; i++) {
		struct figure f;

		for (size_t r = 0; r < loops.timed; r++)
			ratio[r] = side[i].time[r] / best->time[r];
		f = figure(ratio, loops.timed);
		printf("  ");
		/* The best of several is lucky too: one spread is not enough. */
		if (f.median - 2 * f.half > 1)
			printf("%s is %.2f +- %.2f times as fast as %s's %s.\n", best->schedule, f.median, f.half,
			       side[i].side, side[i].schedule);
		else
			printf("Nothing clearly beats %s's %s: %s, the fastest, is %.2f +- %.2f times as fast.\n",
			       side[i].side, side[i].schedule, best->schedule, f.median, f.half);
	}
	putchar('\n');
}

static void print_text(const struct side *side, size_t sides)
{
	enum { BAR = 20 };
	static const char bar[BAR + 1] = "####################";
	const struct kernel *kernel = loops.kernel;
	double slowest = 0;
	int width = 8;

	for (size_t i = 0; i < sides; i++) {
		slowest = fmax(slowest, time_of(&side[i]).median);
		if ((int)strlen(side[i].schedule) > width)
			width = (int)strlen(side[i].schedule);
	}
	printf("%s: %s\n%d iterations, %.1f ms serially; %u thread%s", kernel->name, kernel->what, kernel->n,
	       1e3 * loops.serial, loops.threads, loops.threads > 1 ? "s" : "");
	if (loops.threads > loops.processors)
		printf(" on %u processor%s", loops.processors, loops.processors > 1 ? "s" : "");
	if (loops.factor > 1)
		printf("; worker %u takes %g times as long", loops.slow_worker, loops.factor);
	if (loops.taken > 0.1)
		printf("\nother programs had the processor for %.0f%% of the serial run", 100 * loops.taken);
	printf("\n\n          %-*s      time, ms       chunks  imbalance\n", width, "schedule");
	for (size_t i = 0; i < sides; i++) {
		const struct side *s = &side[i];
		struct figure time = time_of(s);
		double chunks = figure(s->chunks, loops.clocked_runs).median;
		char count[32] = "?";

		if (!isnan(chunks))
			snprintf(count, sizeof(count), "%.0f", chunks);
		printf("  %-6s  %-*s  %7.2f +- %-5.2f  %7s  %8.1f%%  %.*s\n", s->side, width, s->schedule,
		       1e3 * time.median, 1e3 * time.half, count,
		       figure(s->imbalance, loops.clocked_runs).median,
		       (int)lround(BAR * time.median / slowest), bar);
	}
	putchar('\n');
	if (loops.timed >= FEWEST)
		verdict(side, sides);
	fflush(stdout);
}

static void print_rows(struct tool_table *table, const struct side *side, size_t sides)
{
	for (size_t i = 0; i < sides; i++) {
		struct figure time = time_of(&side[i]);

		tool_text(table, side[i].side);
		tool_text(table, loops.kernel->name);
		tool_text(table, side[i].schedule);
		tool_whole(table, loops.threads);
		tool_number(table, "%.9f", time.median);
		tool_number(table, "%.9f", time.min);
		tool_number(table, "%.9f", time.max);
		tool_number(table, "%.0f", figure(side[i].chunks, loops.clocked_runs).median);
		tool_number(table, "%.2f", figure(side[i].imbalance, loops.clocked_runs).median);
	}
}

static void compare(struct side *side, size_t sides)
{
	double shortest = INFINITY;

	for (size_t i = 0; i < sides; i++)
		shortest = fmin(shortest, time_of(&side[i]).median);
	for (size_t i = 0; i < sides; i++)
		side[i].behind = fmax(side[i].behind, time_of(&side[i]).median / shortest - 1);
}

void loops_print(struct tool_table *table, struct side *side, size_t sides)
{
	compare(side, sides);
	if (table->format == TOOL_TEXT)
		print_text(side, sides);
	else
		print_rows(table, side, sides);
}

void loops_conclude(const struct side *side, size_t sides, size_t tables)
{
	const struct side *steady = &side[COMPILERS];

	for (size_t i = COMPILERS; i < sides; i++)
		if (side[i].behind < steady->behind)
			steady = &side[i];
	printf("At worst in these %zu tables, libdls's %s takes %.0f%% longer than the fastest; %s's\n", tables,
	       steady->schedule, 100 * steady->behind, TOOL_OPENMP);
	for (size_t i = 0; i < COMPILERS; i++)
		printf("%s%s %.0f%%", i == 0 ? "" : i + 1 < COMPILERS ? ", " : " and ", side[i].schedule,
		       100 * side[i].behind);
	printf(".\n");
	if (loops.busy)
		printf("Other programs were running: figures of a quiet machine are clearer.\n");
}
