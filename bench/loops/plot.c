/* plot.c - dls-loops --plot: time by schedule, and chunk size against scheduling step.
 *
 * A lecture's picture has at most six schedules, each in a colour of its own with its name beside the curve; the compiler's are grey. */
#include "loops.h"

enum { COLOURS = 7, POINTS = 2000,
       CURVES = 6, GREY = 26,	/* of a lecture: schedules, at most; the first line type of the compiler's */
       BARS = 36,		/* ... with their names above them, at most */
       LETTER = 12, HIGH = 24 };	/* pixels of its letters, about */

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
	struct dls_schedule *schedule = tool_parse(tool_written("schedule"), side->schedule, side->schedule);
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

	tool_plot_size(out, 960, 900);
	fputs("set errorbars linecolor rgb '#000000' linewidth 1\n", out);
	for (int i = 0; tool_lecture && i < COMPILERS; i++)
		fprintf(out, "set linetype %d dashtype 1 linecolor rgb '#%x'\n", GREY + i, 0x777777 + i * 0x222222);
	return out;
}

/* Sides that are drawn. */
static size_t shown(size_t sides)
{
	return tool_lecture && sides > COMPILERS + CURVES ? COMPILERS + CURVES : sides;
}

static size_t line_type(size_t i)
{
	return !tool_lecture ? i + 1 : i < COMPILERS ? GREY + i : i - COMPILERS + 1;
}

static void put_name(FILE *plot, const struct side *side)
{
	char *text = side->libdls ? tool_string("%s", side->schedule) : tool_string("%s %s", side->side, side->schedule);

	tool_plot_text(plot, text);
	free(text);
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

	sides = shown(sides);
	for (size_t i = 0; i < sides; i++) {
		struct figure time = loops_time(&side[i]);

		fprintf(plot, "$bar%zu_%zu << end\n%g %g %g %g\nend\n", table, i, place(table, sides, i),
			1e3 * time.median, 1e3 * time.low, 1e3 * time.high);
	}
	if (loops.speed == SLOWED)
		fprintf(plot, "set arrow from %g,%g rto %zu,0 nohead front linewidth 1.5 dashtype 2\n",
			place(table, sides, 0) - 0.5, 1e3 * ideal * (double)loops.steps, sides);
}

/* Whether there is room for names above so many tables' bars. */
static bool named(size_t sides, size_t tables)
{
	return tool_lecture && tables * (sides + 2) <= BARS;
}

/* The part of the axis of times that the longest of these names needs, upright. */
static double part_of_names(const struct side *side, size_t sides)
{
	size_t longest = 0;

	for (size_t i = 0; i < sides; i++) {
		size_t n = strlen(side[i].schedule) + (side[i].libdls ? 0 : strlen(side[i].side) + 1);

		longest = n > longest ? n : longest;
	}
	return fmin(0.6, (LETTER * (double)longest + 12) / 250);
}

static void plot_times(FILE *plot, const struct side *side, size_t sides, const struct kernel *const *kernel,
		       size_t tables)
{
	double names = part_of_names(side, sides);

	fputs("set title \"Time", plot);
	if (loops.steps > 1)
		fprintf(plot, " of %u steps", loops.steps);
	fprintf(plot, ", %u thread%s; median and quartiles", loops.threads, loops.threads > 1 ? "s" : "");
	if (loops.speed == SLOWED)
		fprintf(plot, "\\nworker %u takes %g times as long; dashed: ideal", loops.slow_worker, loops.factor);
	fputs("\"\nset ylabel 'ms'\nset yrange [0:*]\n", plot);
	if (named(sides, tables))
		fprintf(plot, "set offsets 0,0,graph %g,0\n", names / (1 - names));
	else if (tool_lecture)
		fputs("set key above\nset xtics rotate by -35\n", plot);
	fputs("set xtics (", plot);
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
				i || t ? ", " : "", t, i, tool_lecture ? line_type(i) : i % COLOURS + 1);
			fprintf(plot, "fill solid %g border ", tool_lecture ? 1 : 1.0 / (double)(1 + 2 * (i / COLOURS)));
			if (named(sides, tables)) {
				fprintf(plot, "notitle, $bar%zu_%zu using 1:4:(", t, i);
				put_name(plot, &side[i]);
				fprintf(plot, ") with labels rotate by 90 left offset 0,0.5 textcolor linetype %zu notitle", line_type(i));
			} else if (t == 0) {
				fputs("title ", plot);
				put_name(plot, &side[i]);
			} else {
				fputs("notitle", plot);
			}
		}
	fputc('\n', plot);
}

enum { ACROSS = 760, UP = 230,	/* pixels within the axes of a lecture's chunks, about */
       SAMPLES = 400 };

#define LEAST 0.7		/* of the axis of sizes */

struct pixel {
	double x, y;
};

/* The axes of chunks: the most steps, at least 2, and the largest size. */
struct axes {
	double steps, size;
	bool log_steps;
};

static struct pixel pixel_of(const struct axes *a, const struct side *side, size_t k)
{
	double step = (double)k + 1;

	return (struct pixel){ ACROSS * (a->log_steps ? log(step) / log(a->steps) : (step - 1) / (a->steps - 1)),
			       UP * log(side->chunk[k].n / LEAST) / log(a->size / LEAST) };
}

/* Points on a curve, from its begin to its end. */
static void sample(const struct axes *a, const struct side *side, struct pixel to[SAMPLES])
{
	for (size_t i = 0; i < SAMPLES && side->chunks; i++) {
		double last = (double)side->chunks - 1, part = (double)i / (SAMPLES - 1);
		double at = a->log_steps ? exp(part * log(last + 1)) - 1 : part * last, rest = at - floor(at);
		struct pixel from = pixel_of(a, side, (size_t)at), next = pixel_of(a, side, (size_t)fmin(at + 1, last));

		to[i] = (struct pixel){ from.x + rest * (next.x - from.x), from.y + rest * (next.y - from.y) };
	}
}

/* How far a point is from a name, whose lower left corner is at `name`. */
static double apart(const struct pixel *point, const struct pixel *name, double width)
{
	double x = fmax(fmax(name->x - point->x, point->x - name->x - width), 0);
	double y = fmax(fmax(name->y - point->y, point->y - name->y - HIGH), 0);

	return hypot(x, y);
}

/* Each curve's name beside it, where other curves and names are furthest. */
static void label_curves(FILE *plot, const struct axes *a, const struct side *side, size_t sides)
{
	struct pixel on[CURVES][SAMPLES], name[CURVES];
	double width[CURVES];

	for (size_t i = 0; i < sides; i++) {
		sample(a, &side[i], on[i]);
		width[i] = LETTER * (double)strlen(side[i].schedule);
	}
	for (size_t i = 0; i < sides; i++) {
		double far = -1;

		for (size_t k = 0; k < 2 * SAMPLES && side[i].chunks; k++) {	/* right of the points, then left */
			struct pixel at = { on[i][k % SAMPLES].x + (k < SAMPLES ? 6 : -6 - width[i]), on[i][k % SAMPLES].y + 4 };
			double least = INFINITY;

			if (at.x < 0 || at.x + width[i] > ACROSS)
				continue;
			for (size_t j = 0; j < sides * SAMPLES; j++)
				if (side[j / SAMPLES].chunks)
					least = fmin(least, apart(&on[j / SAMPLES][j % SAMPLES], &at, width[i]));
			for (size_t j = 0; j < i; j++)
				for (double part = 0; part <= 1; part += 0.125)
					least = fmin(least, apart(&(struct pixel){ name[j].x + part * width[j], name[j].y + HIGH / 2 }, &at, width[i]));
			if (least > far) {
				far = least;
				name[i] = at;
			}
		}
		if (far < 0)
			continue;
		fputs("set label ", plot);
		put_name(plot, &side[i]);
		fprintf(plot, " at graph %g,%g left front textcolor linetype %zu\n", name[i].x / ACROSS,
			(name[i].y + HIGH / 2) / UP, i + 1);
	}
}

static void plot_chunks(FILE *plot, const struct side *side, size_t sides, const struct kernel *kernel)
{
	size_t most = 2, fewest = SIZE_MAX;
	int largest = 1;

	for (size_t i = COMPILERS; i < sides; i++) {
		most = side[i].chunks > most ? side[i].chunks : most;
		fewest = side[i].chunks < fewest ? side[i].chunks : fewest;
		for (size_t k = 0; k < side[i].chunks; k++)
			largest = side[i].chunk[k].n > largest ? side[i].chunk[k].n : largest;
	}
	fprintf(plot, "unset arrow\nunset label\nset offsets\nset title 'Chunks, %s, as they began%s'\nset xlabel 'scheduling step'\n"
		"set ylabel 'chunk size, iterations'\nset logscale y\nset yrange [%g:*]\nset xtics auto scale 1 norotate\n"
		"set xrange [%s\n", kernel->name, loops.steps > 1 ? " in the last time step" : "", LEAST,
		most / 20 > fewest ? "1:*]\nset logscale x" : "0:*]");
	if (tool_lecture) {
		fprintf(plot, "unset key\nset xrange [1:%zu]\nset yrange [%g:%d]\n", most, LEAST, largest);
		label_curves(plot, &(struct axes){ (double)most, largest, most / 20 > fewest }, side + COMPILERS, sides - COMPILERS);
	}
	for (size_t i = COMPILERS; i < sides; i++) {
		fputs(i > COMPILERS ? ", '-' title " : "plot '-' title ", plot);
		put_name(plot, &side[i]);
		fprintf(plot, " with linespoints linetype %zu pointsize 0.4", line_type(i));
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
	if (shown(sides) < sides) {
		fputs("dls-loops: --lecture draws at most six schedules, here without ", stderr);
		for (size_t i = shown(sides); i < sides; i++)
			fprintf(stderr, "%s%s", side[i].schedule, i + 1 < sides ? ", " : "\n");
	}
	sides = shown(sides);
	if (tool_lecture && !named(sides, tables))
		tool_plot_size(plot, 960, 1200);	/* with a key */
	fputs("set multiplot layout 2,1 scale 1,0.97 offset 0,0.015\n", plot);
	plot_times(plot, side, sides, kernel, tables);
	plot_chunks(plot, side, sides, kernel[tables - 1]);
	fputs("unset multiplot\n", plot);
	tool_plot_end(plot);
}
