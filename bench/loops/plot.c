/* plot.c - dls-loops --plot: time by schedule, and chunk size against scheduling step. */
#include <stdlib.h>

#include "loops.h"

enum { COLOURS = 7, POINTS = 2000 };

static int by_begin(const void *a, const void *b)
{
	uint64_t x = ((const struct chunk *)a)->began, y = ((const struct chunk *)b)->began;

	return (x > y) - (x < y);
}

/* Append a worker's chunks to those of others.  Parts of a chunk are joined as far as they can be recognised: they follow
 * each other and are equal but for the last one, which may be shorter. */
static size_t append(struct chunk *to, const struct chunk *from, size_t n, const struct dls_calc *calc,
		     const void *state)
{
	size_t k = 0, parts = 0;
	bool open = false;
	int part = 0;

	for (size_t i = 0; i < n; i++) {
		struct chunk *last = k ? &to[k - 1] : NULL;

		if (open && from[i].lo == last->lo + last->n && from[i].n <= part &&
		    parts < calc->parts(state, (uint64_t)(last->n + from[i].n))) {
			last->n += from[i].n;
			parts++;
			open = from[i].n == part;
		} else {
			to[k++] = from[i];
			part = from[i].n;
			parts = 1;
			open = calc->parts != NULL;
		}
	}
	return k;
}

void loops_keep_chunks(struct side *side)
{
	struct dls_schedule *schedule = tool_parse("-s", side->schedule, side->schedule);
	const struct dls_calc *calc = tool_calc(schedule);
	_Alignas(max_align_t) char state[DLS_STATE_MAX];
	struct dls_loop_desc desc = { .size = sizeof(desc) };

	dls_schedule_describe(schedule, (uint64_t)loops.kernel->n, loops.threads, 0, &desc);
	if (calc->parts && calc->init(state, &desc))
		tool_die(TOOL_CHECK_FAILED, "%s refuses the loop", side->schedule);
	side->chunks = 0;
	for (unsigned w = 0; w < loops.threads; w++) {
		size_t n;
		const struct chunk *log = loops_log(w, &n);

		side->chunk = tool_need(realloc(side->chunk, (side->chunks + n + 1) * sizeof(*side->chunk)));
		side->chunks += append(side->chunk + side->chunks, log, n, calc, state);
	}
	qsort(side->chunk, side->chunks, sizeof(*side->chunk), by_begin);
	dls_schedule_free(schedule);
}

FILE *loops_plot_begin(const char *file)
{
	FILE *out = tool_plot_begin("--plot", file);

	fputs("set terminal svg size 960,900\nset errorbars linecolor rgb '#000000' linewidth 1\n", out);
	return out;
}

static double place(size_t table, size_t sides, size_t i)
{
	return (double)(table * (sides + 2) + i);
}

/* A data block for each bar: the first has one table, the others those that may follow. */
void loops_plot_table(FILE *plot, const struct side *side, size_t sides, size_t table)
{
	const struct side *best;
	double ideal = loops_ideal(side, sides, &best);

	for (size_t i = 0; i < sides; i++) {
		struct figure time = loops_time(&side[i]);

		fprintf(plot, "$bar%zu_%zu << end\n%g %g %g %g\nend\n", table, i, place(table, sides, i),
			1e3 * time.median, 1e3 * time.low, 1e3 * time.high);
	}
	if (loops.speed == SLOWED)
		fprintf(plot, "set arrow from %g,%g rto %zu,0 nohead front linewidth 1.5 dashtype 2\n",
			place(table, sides, 0) - 0.5, 1e3 * ideal * (double)loops.steps, sides);
}

static void title(FILE *plot, const struct side *side)
{
	char text[256];

	if (side->libdls)
		snprintf(text, sizeof(text), "%s", side->schedule);
	else
		snprintf(text, sizeof(text), "%s %s", side->side, side->schedule);
	tool_plot_text(plot, text);
}

static void plot_times(FILE *plot, const struct side *side, size_t sides, const struct kernel *const *kernel,
		       size_t tables)
{
	fputs("set title \"Time", plot);
	if (loops.steps > 1)
		fprintf(plot, " of %u steps", loops.steps);
	fprintf(plot, ", %u thread%s; median and quartiles", loops.threads, loops.threads > 1 ? "s" : "");
	if (loops.speed == SLOWED)
		fprintf(plot, "\\nworker %u takes %g times as long; dashed: ideal", loops.slow_worker, loops.factor);
	fputs("\"\nset ylabel 'ms'\nset yrange [0:*]\nset xtics (", plot);
	for (size_t t = 0; t < tables; t++) {
		fputs(t ? ", " : "", plot);
		tool_plot_text(plot, kernel[t]->name);
		fprintf(plot, " %g", place(t, sides, 0) + (double)(sides - 1) / 2);
	}
	fprintf(plot, ") scale 0\nset boxwidth 0.8\nset xrange [-1:%g]\nplot ", place(tables, sides, 0) - 2);
	for (size_t i = 0; i < sides; i++)
		for (size_t t = 0; t < tables; t++) {
			/* Bars of one colour differ in density. */
			fprintf(plot, "%s$bar%zu_%zu using 1:2:3:4:(0.8) with boxerrorbars linetype %zu ",
				i || t ? ", " : "", t, i, i % COLOURS + 1);
			fprintf(plot, "fill solid %g border ", 1.0 / (double)(1 + 2 * (i / COLOURS)));
			if (t == 0) {
				fputs("title ", plot);
				title(plot, &side[i]);
			} else {
				fputs("notitle", plot);
			}
		}
	fputc('\n', plot);
}

static void plot_chunks(FILE *plot, const struct side *side, size_t sides, const struct kernel *kernel)
{
	size_t most = 0, fewest = SIZE_MAX;

	for (size_t i = COMPILERS; i < sides; i++) {
		most = side[i].chunks > most ? side[i].chunks : most;
		fewest = side[i].chunks < fewest ? side[i].chunks : fewest;
	}
	fprintf(plot, "unset arrow\nset title 'Chunks, %s, as they began%s'\nset xlabel 'scheduling step'\n"
		"set ylabel 'chunk size, iterations'\nset logscale y\nset yrange [0.7:*]\nset xtics auto scale 1\n"
		"set xrange [%s\nplot ", kernel->name, loops.steps > 1 ? " in the last time step" : "",
		most / 20 > fewest ? "1:*]\nset logscale x" : "0:*]");
	for (size_t i = COMPILERS; i < sides; i++) {
		fputs(i > COMPILERS ? ", '-' title " : "'-' title ", plot);
		title(plot, &side[i]);
		fprintf(plot, " with linespoints linetype %zu pointsize 0.4", i + 1);
	}
	fputc('\n', plot);
	for (size_t i = COMPILERS; i < sides; i++) {
		size_t every = side[i].chunks / POINTS + 1;

		for (size_t k = 0; k < side[i].chunks; k++)
			if (k % every == 0 || k + 1 == side[i].chunks)
				fprintf(plot, "%zu %d\n", k + 1, side[i].chunk[k].n);
		fputs("e\n", plot);
	}
}

void loops_plot_end(FILE *plot, const struct side *side, size_t sides, const struct kernel *const *kernel,
		    size_t tables)
{
	fputs("set multiplot layout 2,1 scale 1,0.97 offset 0,0.015\n", plot);
	plot_times(plot, side, sides, kernel, tables);
	plot_chunks(plot, side, sides, kernel[tables - 1]);
	fputs("unset multiplot\n", plot);
	tool_plot_end(plot);
}
