/* plot.c - dls-loops --plot: time by schedule, and chunk size against scheduling step.
 *
 * Each schedule has one colour in all panels; the compiler's are grey.  A lecture's picture has at most six.
 */
#include "bench/tool/svg.h"
#include "loops.h"

enum { COLOURS = TOOL_SVG_COLOURS, GREY = COLOURS + 1, LECTURE = 6, WIDTH = 600, MARGIN = 8, HEIGHT = 240 };

static const char *plotted;	/* the file */
static struct tool_svg svg;

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

void loops_plot_begin(const char *file)
{
	fclose(tool_open("--plot", file, "w"));	/* it is refused before anything runs */
	plotted = file;
	tool_svg_begin(&svg, WIDTH);
}

/* Sides that are drawn. */
static size_t shown(size_t sides)
{
	return tool_lecture && sides > COMPILERS + LECTURE ? COMPILERS + LECTURE : sides;
}

static unsigned colour_of(size_t i)
{
	return i < COMPILERS ? GREY : (unsigned)((i - COMPILERS) % COLOURS);
}

void loops_plot_table(const struct side *side, size_t sides)
{
	const struct side *best;
	double ideal = loops_ideal(side, sides, &best);
	struct tool_svg_row *row = tool_held(calloc(sides, sizeof(*row)));
	bool slow = loops.speed == SLOWED;

	for (size_t i = 0; i < shown(sides); i++) {
		struct figure time = loops_time(&side[i]);
		const char *compiler = side[i].libdls ? "" : side[i].side;

		row[i] = (struct tool_svg_row){
			.name = tool_held_string("%s%s%s", compiler, *compiler ? " " : "", side[i].schedule),
			.note = tool_held_string("%.3g", 1e3 * time.median),
			.colour = colour_of(i),
			.mark = NAN,
			.value = 1e3 * time.median,
			.low = 1e3 * time.low,
			.high = 1e3 * time.high,
		};
	}
	svg.bottom = tool_svg_rows(
		svg.file,
		&(struct tool_svg_rows){
			.row = row,
			.rows = shown(sides),
			.left = MARGIN,
			.right = WIDTH - MARGIN,
			.value = "ms; median and quartiles",
			.dashed = slow ? 1e3 * ideal * loops.steps : NAN,
			.title = tool_held_string(
				"%s: time%s, %u thread%s%s", loops.kernel->name,
				loops.steps > 1 ? tool_held_string(" of %u steps", loops.steps) : "",
				loops.threads, loops.threads > 1 ? "s" : "",
				!slow ? ""
				      : tool_held_string("; worker %u takes %g times as long; dashed: ideal",
							 loops.slow_worker, loops.factor)),
		},
		svg.bottom + tool_svg_type());
}

/* The axes of chunks: the most steps, at least 2, and the largest size. */
static void measure(const struct side *side, size_t sides, struct dls__axis *steps, struct dls__axis *sizes)
{
	double most = 2, fewest = INFINITY, largest = 1, left = 5 * tool_svg_type();

	for (size_t i = COMPILERS; i < sides; i++) {
		most = fmax(most, (double)side[i].chunks);
		fewest = fmin(fewest, (double)side[i].chunks);
		for (size_t k = 0; k < side[i].chunks; k++)
			largest = fmax(largest, side[i].chunk[k].n);
	}
	*steps = (struct dls__axis){ 1, most + 1, 0, WIDTH - left - 2 * tool_svg_type(), most / 20 > fewest };
	*sizes = (struct dls__axis){ 0.7, 1.5 * largest, HEIGHT, 0, true };
}

static struct tool_svg_curve curve_of(const struct side *side, const struct dls__axis *steps,
				      const struct dls__axis *sizes)
{
	struct tool_svg_curve curve = { .label = side->schedule };

	for (size_t k = 0; k < side->chunks; k++)
		tool_svg_step(&curve, dls__axis_place(steps, (double)k + 1),
			      dls__axis_place(steps, (double)k + 2), dls__axis_place(sizes, side->chunk[k].n),
			      k + 1 == side->chunks);
	return curve;
}

/* The chunks of at most as many schedules as there are colours. */
static void draw_chunks(const struct side *side, size_t first, size_t last, const struct dls__axis *steps,
			const struct dls__axis *sizes)
{
	double type = tool_svg_type(), top = svg.bottom + 4.6 * type;
	struct tool_svg_curve curve[COLOURS], *list[COLOURS];
	const char *of = loops.steps > 1 ? " in the last time step" : "",
		   *more = first > COMPILERS ? ", more" : "";

	for (size_t i = first; i < last; i++) {
		curve[i - first] = curve_of(&side[i], steps, sizes);
		curve[i - first].colour = colour_of(i);
		list[i - first] = &curve[i - first];
	}
	tool_svg_put(svg.file, "title", NULL, MARGIN, svg.bottom + 2 * type, WIDTH - 2 * MARGIN,
		     tool_held_string("%s: chunks as they began%s%s", loops.kernel->name, of, more));
	fprintf(svg.file, "<g transform=\"translate(%.0f %.0f)\">\n", 5 * type, top);
	tool_svg_y(svg.file, sizes, 0, steps->at_to, "iterations in a chunk");
	svg.bottom = top + tool_svg_x(svg.file, steps, 0, HEIGHT, "scheduling step", NULL, 0);
	tool_svg_curves(svg.file, list, last - first, steps->at_to, HEIGHT, false);
	fputs("</g>\n", svg.file);
	for (size_t i = first; i < last; i++)
		free(curve[i - first].point);
}

void loops_plot_end(const struct side *side, size_t sides)
{
	FILE *out = tool_open("--plot", plotted, "w");
	struct dls__axis steps, sizes;

	if (shown(sides) < sides) {
		fputs("dls-loops: --lecture draws at most six schedules, here without ", stderr);
		for (size_t i = shown(sides); i < sides; i++)
			fprintf(stderr, "%s%s", side[i].schedule, i + 1 < sides ? ", " : "\n");
	}
	sides = shown(sides);
	measure(side, sides, &steps, &sizes);
	for (size_t i = COMPILERS; i < sides; i += COLOURS)
		draw_chunks(side, i, i + COLOURS < sides ? i + COLOURS : sides, &steps, &sizes);
	tool_svg_end(&svg, out, NULL, "", "");
	tool_close("--plot", plotted, out);
}
