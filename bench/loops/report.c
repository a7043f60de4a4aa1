/* report.c - the output of dls-loops: the tables, the verdicts, the rows. */
#include "loops.h"

enum { COLUMNS = 80, TIME_WIDTH = 24 };
#define SAME 0.02	/* ratios this near to 1 count as no difference, if they are as steady */

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
	"Two real loops follow, each with equal workers and with one that takes twice as\n"
	"long.  That one is emulated: it waits, busily, after each of its chunks.\n"
	"Every result is compared with the serial one.  Short bars are good.\n"
	"\n";

void loops_introduce(bool demo)
{
	tool_print_head();
	if (demo)
		fputs(before_and_after, stdout);
	printf("time: the median +- half the distance of the quartiles; ?: not known;\n"
	       "imbalance: max / mean - 1 of busy times, from separate runs with clocks in them.\n");
	if (!isnan(loops.line_ns))
		printf("A cache line takes %.0f ns from one processor to another.\n", loops.line_ns);
#ifdef __clang__
	printf("Debian builds libomp with debug traces, which cost it some 400 ns a dispatch.\n");
#endif
	putchar('\n');
}

struct figure loops_figure(const double *value, size_t n)
{
	double sorted[RUNS_MAX], low, high;
	struct tool_spread s;

	memcpy(sorted, value, n * sizeof(*value));
	s = tool_spread(sorted, n);
	low = sorted[n / 4];
	high = sorted[n - 1 - n / 4];
	return (struct figure){ s.median, s.min, s.max, low, high, (high - low) / 2 };
}

static const struct runs *runs_of(const struct side *side)
{
	return &side->runs[loops.speed];
}

struct figure loops_time(const struct side *side)
{
	return loops_figure(runs_of(side)->time, loops.timed);
}

/* Of one time step, over the runs. */
static struct figure step_time(const struct runs *runs, size_t step)
{
	double time[RUNS_MAX];

	for (size_t r = 0; r < loops.timed; r++)
		time[r] = runs->step[r * loops.steps + step];
	return loops_figure(time, loops.timed);
}

double loops_late(const struct runs *runs)
{
	double median[STEPS_MAX];

	if (loops.steps < LATE)
		return NAN;
	for (size_t k = LATE - 1; k < loops.steps; k++)
		median[k - (LATE - 1)] = step_time(runs, k).median;
	return tool_spread(median, loops.steps - (LATE - 1)).median;
}

/* The time of one step: the median of the late ones; without late ones the median run's mean. */
static double settled(const struct runs *runs)
{
	double late = loops_late(runs);

	return isnan(late) ? loops_figure(runs->time, loops.timed).median / (double)loops.steps : late;
}

double loops_ideal(const struct side *side, size_t sides, const struct side **best)
{
	double least = INFINITY;

	if (loops.speed == EQUAL)
		return NAN;
	for (size_t i = 0; i < sides; i++) {
		double time = settled(&side[i].runs[EQUAL]);

		if (time < least) {
			least = time;
			*best = &side[i];
		}
	}
	return least * loops.threads / (loops.threads - 1 + 1 / loops.factor);
}

/* A side's time over another's, run by run: what slows the machine for a while slows both. */
static struct figure over(const struct side *side, const struct side *other)
{
	double ratio[RUNS_MAX];

	for (size_t r = 0; r < loops.timed; r++)
		ratio[r] = runs_of(side)->time[r] / runs_of(other)->time[r];
	return loops_figure(ratio, loops.timed);
}

/* A schedule of libdls against one of the compiler's; a long line is broken. */
static void against(const struct side *side, const struct side *own)
{
	const char *relation = "too noisy to say against", *is = "";
	char head[512], tail[512], fast[64];
	struct figure f = over(own, side);

	snprintf(fast, sizeof(fast), "%.2f +- %.2f times as fast", f.median, f.half);
	if (fabs(f.median - 1) <= SAME && f.half <= SAME) {
		relation = "no difference from";
	} else if (f.median + 2 * f.half < 1) {
		relation = "nothing beats";
		is = ", the fastest, is";
	}
	snprintf(head, sizeof(head), "%s %s's %s:", relation, own->side, own->schedule);
	snprintf(tail, sizeof(tail), "%s%s %s", side->schedule, is, fast);
	/* The fastest of several is lucky too: one spread is not enough. */
	if (f.median > 1 + SAME && f.median - 2 * f.half > 1) {
		snprintf(head, sizeof(head), "%s is %s", side->schedule, fast);
		snprintf(tail, sizeof(tail), "as %s's %s", own->side, own->schedule);
	}
	printf("  %s%s%s\n", head, 2 + strlen(head) + 1 + strlen(tail) > COLUMNS ? "\n      " : " ", tail);
}

static const struct side *fastest(const struct side *side, size_t sides)
{
	const struct side *best = side;

	for (size_t i = 1; i < sides; i++)
		if (loops_time(&side[i]).median < loops_time(best).median)
			best = &side[i];
	return best;
}

static void verdict(const struct side *side, size_t sides)
{
	const struct side *best = fastest(&side[COMPILERS], sides - COMPILERS);

	for (size_t i = 0; i < COMPILERS; i++)
		against(best, &side[i]);
	putchar('\n');
}

/* What the table is of, in lines before it. */
static void print_head(void)
{
	const struct kernel *kernel = loops.kernel;

	printf("%s: %s\n%d iterations, ", kernel->name, kernel->what, kernel->n);
	if (kernel->steps)
		printf("%d step%s of many loops, ", kernel->steps, kernel->steps > 1 ? "s" : "");
	printf("%.1f ms serially; %u thread%s", 1e3 * loops.serial, loops.threads, loops.threads > 1 ? "s" : "");
	if (loops.threads > loops.processors)
		printf(" on %u processor%s", loops.processors, loops.processors > 1 ? "s" : "");
	printf("\n%zu run%s of each schedule", loops.timed, loops.timed > 1 ? "s" : "");
	if (loops.steps > 1)
		printf(", each of %u time steps", loops.steps);
	if (loops.repeats > 1)
		printf(", each of %zu %s", loops.repeats, loops.programs ? "in a row" : "loops");
	if (loops.speed == SLOWED)
		printf("\nworker %u emulates a slow processor: its iterations take %g times as long",
		       loops.slow_worker, loops.factor);
	if (loops.taken > 0.1)
		printf("\nother programs had the processor for %.0f%% of the serial run", 100 * loops.taken);
	fputs("\n\n", stdout);
}

static void print_line(const struct side *side, int width, double ideal)
{
	const struct runs *runs = runs_of(side);
	struct figure time = loops_time(side);
	double chunks = loops_figure(runs->chunks, loops.clocked_runs).median;
	double imbalance = loops_figure(runs->imbalance, loops.clocked_runs).median;
	char count[32] = "?", percent[32] = "?";

	if (!isnan(chunks))
		snprintf(count, sizeof(count), "%.0f", chunks);
	if (!isnan(imbalance))
		snprintf(percent, sizeof(percent), "%.1f%%", imbalance);
	printf("  %-6s  %-*s  %7.2f +- %-5.2f  %7s  %9s", side->side, width, side->schedule, 1e3 * time.median,
	       1e3 * time.half, count, percent);
	if (loops.steps >= LATE)
		printf("  %8.2f", 1e3 * loops_late(runs));
	if (loops.speed == SLOWED)
		printf("  %7.2f", settled(runs) / ideal);
}

static void print_text(const struct side *side, size_t sides)
{
	static const char bar[] = "####################";
	const struct side *best = NULL;
	double slowest = 0, ideal = loops_ideal(side, sides, &best);
	int width = 8, longest;

	for (size_t i = 0; i < sides; i++) {
		slowest = fmax(slowest, loops_time(&side[i]).median);
		if ((int)strlen(side[i].schedule) > width)
			width = (int)strlen(side[i].schedule);
	}
	/* 50: the rest of a line */
	longest = COLUMNS - 50 - width - (loops.steps >= LATE ? 10 : 0) - (loops.speed == SLOWED ? 9 : 0);
	longest = (int)fmax(1, fmin(sizeof(bar) - 1, longest));
	print_head();
	printf("          %-*s      time, ms       chunks  imbalance", width, "schedule");
	if (loops.steps >= LATE)
		printf("  step %d..", LATE);
	printf("%s\n", loops.speed == SLOWED ? "  x ideal" : "");
	for (size_t i = 0; i < sides; i++) {
		print_line(&side[i], width, ideal);
		printf("  %.*s\n", (int)lround(longest * loops_time(&side[i]).median / slowest), bar);
	}
	if (best)
		printf("\n  ideal: %.2f ms%s; %s's %s with equal workers, times %.3f\n", 1e3 * ideal,
		       loops.steps > 1 ? " a step" : "", best->side, best->schedule,
		       loops.threads / (loops.threads - 1 + 1 / loops.factor));
	putchar('\n');
	if (loops.timed >= FEWEST)
		verdict(side, sides);
	fflush(stdout);
}

/* Row 0 is of a whole run, row k of its k-th time step. */
static void print_row(struct tool_table *table, const struct side *side, size_t row, double ideal)
{
	const struct runs *runs = runs_of(side);
	struct figure time = row ? step_time(runs, row - 1) : loops_time(side);
	char *times = tool_need(calloc(loops.timed + 1, TIME_WIDTH));

	for (size_t r = 0, at = 0; r < loops.timed; r++)
		at += (size_t)snprintf(&times[at], TIME_WIDTH, "%s%.9f", r ? " " : "", runs->time[r]);
	tool_text(table, side->side);
	tool_text(table, loops.kernel->name);
	tool_text(table, side->schedule);
	tool_whole(table, loops.threads);
	tool_number(table, "%.9f", time.median);
	tool_number(table, "%.9f", time.min);
	tool_number(table, "%.9f", time.max);
	tool_number(table, "%.0f", row ? NAN : loops_figure(runs->chunks, loops.clocked_runs).median);
	tool_number(table, "%.2f", row ? NAN : loops_figure(runs->imbalance, loops.clocked_runs).median);
	tool_whole(table, row);
	tool_number(table, "%.9f", row ? NAN : loops_late(runs));
	tool_number(table, "%.9f", ideal);
	tool_number(table, "%.4f", (row ? time.median : settled(runs)) / ideal);
	tool_text(table, row ? "" : times);
	free(times);
}

static void print_rows(struct tool_table *table, const struct side *side, size_t sides)
{
	const struct side *best;
	double ideal = loops_ideal(side, sides, &best);

	for (size_t i = 0; i < sides; i++)
		for (size_t row = 0; row <= (loops.steps > 1 ? loops.steps : 0); row++)
			print_row(table, &side[i], row, ideal);
}

/* How the default does in the programs, table by table: its time over that of others. */
static struct program {
	const char *name;
	struct figure over[3];		/* the compiler's loops as shipped, the fastest of its sides, the fastest of all */
} *program;
static size_t programs;

static const struct side *default_of(const struct side *side, size_t sides)
{
	for (size_t i = COMPILERS; i < sides; i++)
		if (strcmp(side[i].schedule, "auto") == 0)
			return &side[i];
	return &side[COMPILERS];
}

/* The median time of the even runs, or of the odd ones; a single run counts in both halves. */
static double time_of_half(const struct side *side, size_t half)
{
	double time[RUNS_MAX];
	size_t n = 0;

	for (size_t r = loops.timed > 1 ? half : 0; r < loops.timed; r += 2)
		time[n++] = runs_of(side)->time[r];
	return loops_figure(time, n).median;
}

/* A side's time over that of the fastest other, which in each half of the runs is the one that was fastest in the other half: the fastest of
 * many is also the luckiest in the runs that it was chosen by. */
static struct figure over_fastest(const struct side *own, const struct side *side, size_t sides)
{
	const struct side *best[2] = { NULL, NULL };
	double ratio[RUNS_MAX];

	for (size_t half = 0; half < 2; half++)
		for (size_t i = 0; i < sides; i++)
			if (&side[i] != own && (!best[half] || time_of_half(&side[i], half) < time_of_half(best[half], half)))
				best[half] = &side[i];
	for (size_t r = 0; r < loops.timed; r++)
		ratio[r] = runs_of(own)->time[r] / runs_of(best[1 - r % 2])->time[r];
	return loops_figure(ratio, loops.timed);
}

static void keep_program(const struct side *side, size_t sides)
{
	const struct side *own = default_of(side, sides);

	program = tool_need(realloc(program, (programs + 1) * sizeof(*program)));
	program[programs++] = (struct program){
		.name = loops.kernel->name,
		.over = { over(own, &side[0]), over_fastest(own, side, COMPILERS), over_fastest(own, side, sides) },
	};
}

static void compare(struct side *side, size_t sides)
{
	double shortest = loops_time(fastest(side, sides)).median;

	for (size_t i = 0; i < sides; i++)
		side[i].behind = fmax(side[i].behind, loops_time(&side[i]).median / shortest - 1);
}

void loops_print(struct tool_table *table, struct side *side, size_t sides)
{
	compare(side, sides);
	if (loops.programs)
		keep_program(side, sides);
	if (table->format == TOOL_TEXT)
		print_text(side, sides);
	else
		print_rows(table, side, sides);
}

static void print_behind(const struct side *side, const char *what)
{
	printf("  %-6s  %-8s  %4.0f%%%s\n", side->side, side->schedule, 100 * side->behind, what);
}

static void conclude_programs(const struct side *side)
{
	double mean[3] = { 0 }, worst[3] = { 0 };

	printf("%s: its time over that of the compiler's loops as shipped, of the best of its\n"
	       "schedules for all loops, and of the best of all these schedules; run by run, the\n"
	       "median and half the distance of the quartiles:\n\n"
	       "  program             as shipped  compiler's best     best of all\n",
	       side->schedule);
	for (size_t k = 0; k < programs; k++) {
		printf("  %-12s", program[k].name);
		for (int i = 0; i < 3; i++) {
			struct figure ratio = program[k].over[i];

			printf("   %5.3f +- %.3f", ratio.median, ratio.half);
			mean[i] += ratio.median / (double)programs;
			worst[i] = fmax(worst[i], ratio.median);
		}
		putchar('\n');
	}
	printf("  mean           %5.3f            %5.3f            %5.3f\n  worst          %5.3f            %5.3f            %5.3f\n", mean[0],
	       mean[1], mean[2], worst[0], worst[1], worst[2]);
}

/* For libdls stands a schedule that was fixed before the runs, not the one that came out best. */
void loops_conclude(const struct side *side, size_t sides, size_t tables)
{
	const struct side *ours = default_of(side, sides);

	printf("How much longer than the fastest each takes, at worst in these %zu tables:\n\n", tables);
	for (size_t i = 0; i < COMPILERS; i++)
		print_behind(&side[i], "");
	print_behind(ours, strcmp(ours->schedule, "auto") == 0 ? "  libdls's default" : "  the first of the list");
	if (loops.programs) {
		putchar('\n');
		conclude_programs(ours);
	}
	if (loops.busy)
		printf("\nOther programs were running: figures of a quiet machine are clearer.\n");
}
