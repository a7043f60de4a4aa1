/* gantt.c - what each processor did when, as SVG: a lane for each processor.
 *
 * Time is cut into at most CELLS cells, which double in length whenever the time exceeds them; each keeps the parts that
 * tasks, messages and holding take.  So memory and file are bounded however long the run is.  A cell with one part only is
 * drawn in full height; other cells stack their parts, in which messages have at least one pixel unless lanes are lower
 * than MARKED.  Colours are Okabe and Ito's, told apart by lightness as well. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

enum { CELLS = 2048, LANES = 256, SPANS = 3, LEFT = 76, WIDTH = 1000, RIGHT = 24, TOP = 62, BOTTOM = 62, MARKED = 5 };

static struct gantt {
	unsigned lanes, cells;
	uint64_t cell;		/* ns */
	uint64_t end;		/* of all that has been drawn */
	uint64_t *spent;	/* [lane][cell][span], ns */
} g;

static uint64_t *spent(unsigned lane, unsigned cell)
{
	return g.spent + ((size_t)lane * g.cells + cell) * SPANS;
}

/* Join the cells in pairs. */
static void halve(void)
{
	for (unsigned lane = 0; lane < g.lanes; lane++) {
		for (unsigned c = 0; c < g.cells; c++)
			for (unsigned s = 0; s < SPANS; s++)
				spent(lane, c)[s] = 2 * c < g.cells ? spent(lane, 2 * c)[s] + spent(lane, 2 * c + 1)[s] : 0;
	}
	g.cell *= 2;
}

static void span(void *arg, unsigned processor, enum dls_span what, uint64_t from, uint64_t to)
{
	(void)arg;
	if (to > g.end)
		g.end = to;
	while ((to - 1) / g.cell >= g.cells)
		halve();
	if (processor >= g.lanes)
		return;
	for (uint64_t c = from / g.cell; from < to; c++) {
		uint64_t until = (c + 1) * g.cell < to ? (c + 1) * g.cell : to;

		spent(processor, (unsigned)c)[what] += until - from;
		from = until;
	}
}

void gantt_begin(struct dls_machine *machine)
{
	unsigned P = dls_machine_net(machine)->processors;

	g = (struct gantt){ .lanes = P < LANES ? P : LANES, .cells = P <= 64 ? CELLS : CELLS / 2, .cell = 1 };
	g.spent = tool_need(calloc((size_t)g.lanes * g.cells * SPANS, sizeof(*g.spent)));
	dls_machine_set_span_callback(machine, span, NULL);
}

static const struct {
	const char *class, *colour, *text;
	unsigned width;		/* of all that in the legend */
} look[SPANS] = {
	[DLS_SPAN_TASK] = { "task", "0072b2", "tasks, with polling", 150 },
	[DLS_SPAN_OVERHEAD] = { "overhead", "d55e00", "messages", 95 },
	[DLS_SPAN_HELD] = { "held", "f0c040", "held by the strategy", 155 },
};

static double x_of(double ns)
{
	return LEFT + WIDTH * ns / (double)g.end;
}

static unsigned lane_height(void)
{
	return g.lanes <= 16 ? 20 : g.lanes <= 48 ? 12 : g.lanes <= 128 ? 6 : 3;
}

/* Pixels of a cell that lie below those of a span, and its own. */
static void pixels(unsigned lane, unsigned c, unsigned what, unsigned room, unsigned *below, unsigned *own)
{
	const uint64_t *s = spent(lane, c);
	uint64_t begin = c * g.cell, length = g.end - begin < g.cell ? g.end - begin : g.cell, sum = 0;
	bool mark = s[DLS_SPAN_OVERHEAD] > 0 && room >= MARKED;
	unsigned edge[SPANS + 1] = { 0 };

	for (unsigned k = 0; k < SPANS; k++) {
		sum += s[k];
		edge[k + 1] = (unsigned)(((double)room * (double)sum) / (double)length + 0.5);
	}
	if (mark && edge[DLS_SPAN_OVERHEAD + 1] == edge[DLS_SPAN_OVERHEAD]) {
		if (edge[DLS_SPAN_OVERHEAD] < room)
			for (unsigned k = DLS_SPAN_OVERHEAD + 1; k <= SPANS; k++)
				edge[k] += edge[k] < room;
		else
			edge[DLS_SPAN_OVERHEAD]--;
	}
	*below = edge[what];
	*own = edge[what + 1] - edge[what];
}

/* All of one span in a lane: a path of rectangles, cells that look alike being one. */
static void draw_lane(FILE *f, unsigned lane, unsigned what)
{
	unsigned height = lane_height(), room = height > 4 ? height - 1 : height, bottom = TOP + lane * height + room;
	unsigned cells = (unsigned)((g.end + g.cell - 1) / g.cell), below, own, next_below, next_own;

	for (unsigned c = 0, next; c < cells; c = next) {
		pixels(lane, c, what, room, &below, &own);
		for (next = c + 1; next < cells; next++) {
			pixels(lane, next, what, room, &next_below, &next_own);
			if (next_own != own || (own && next_below != below))
				break;
		}
		if (own) {
			double from = x_of((double)(c * g.cell));
			double to = fmin(x_of((double)(next * g.cell)), LEFT + WIDTH);

			fprintf(f, "M%.1f %uH%.1fv-%uH%.1fz", from, bottom - below, to, own, from);
		}
	}
}

static void text_of(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (strchr("<>&\"", *text))
			fprintf(f, "&#%d;", *text);
		else
			fputc(*text, f);
	}
}

static void draw_axis(FILE *f, double bottom)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	unsigned u = 0;
	double step, end = (double)g.end;

	while (u < 3 && end < 2 * units[u].ns)
		u++;
	step = pow(10, floor(log10(end / units[u].ns / 8)));
	for (unsigned k = 0; end / units[u].ns / step > 12; k++)
		step *= k % 3 == 1 ? 2.5 : 2;
	for (double v = 0; v <= end / units[u].ns; v += step)
		fprintf(f, "<path class=\"axis\" d=\"M%.1f %.0fv5\"/><text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%g</text>\n",
			x_of(v * units[u].ns), bottom, x_of(v * units[u].ns), bottom + 18, v);
	fprintf(f, "<path class=\"axis\" d=\"M%d %.0fh%d\"/>\n<text x=\"%d\" y=\"%.0f\" text-anchor=\"middle\">time, %s</text>\n",
		LEFT, bottom, WIDTH, LEFT + WIDTH / 2, bottom + 36, units[u].name);
}

static void draw_labels(FILE *f)
{
	unsigned height = lane_height(), step = 1;

	while (step * height < 12)
		step *= 2;
	fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">processor</text>\n", LEFT - 6, TOP - 8);
	for (unsigned lane = 0; lane < g.lanes; lane += step)
		fprintf(f, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">%u</text>\n", LEFT - 6,
			TOP + lane * height + height / 2 + 4, lane);
}

static void draw_legend(FILE *f, const struct run *run)
{
	unsigned x = LEFT;

	for (unsigned k = 0; k < SPANS; k++) {
		fprintf(f, "<path class=\"%s\" d=\"M%u 32h12v12h-12z\"/><text x=\"%u\" y=\"42\">%s</text>\n", look[k].class, x,
			x + 18, look[k].text);
		x += look[k].width;
	}
	fprintf(f, "<path class=\"rest\" d=\"M%u 32h12v12h-12z\"/><text x=\"%u\" y=\"42\">idle</text>\n", x, x + 18);
	fprintf(f, "<path class=\"end\" d=\"M%u 30v16\"/><text x=\"%u\" y=\"42\">last task ended: %.4g s</text>\n", x + 78,
		x + 88, run->result.time);
	fprintf(f, "<path class=\"known\" d=\"M%u 30v16\"/><text x=\"%u\" y=\"42\">end known: %.4g s</text>\n", x + 268,
		x + 278, run->result.detected);
}

static char *inputs_of(const struct run *run)
{
	static char *text;
	size_t size;
	FILE *out;

	free(text);
	out = tool_need(open_memstream(&text, &size));
	print_inputs(out, run);
	if (fclose(out))
		tool_need(NULL);
	return text;
}

void gantt_end(FILE *f, const struct run *run)
{
	const struct dls_run_result *r = &run->result;
	double bottom, ended = 1e9 * r->time, known = 1e9 * r->detected;

	g.end = g.end > (uint64_t)known ? g.end : (uint64_t)known;
	g.end = g.end ? g.end : 1;
	while ((g.end - 1) / g.cell >= g.cells)
		halve();
	bottom = TOP + (double)g.lanes * lane_height() + 2;
	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" role=\"img\">\n"
		"<style>text{font:12px sans-serif;fill:#222}.axis{stroke:#222;fill:none}.rest{fill:#e8e8e8}\n"
		".source{font-size:9px}.end,.known{stroke:#000;stroke-width:1.5;fill:none}.known{stroke-dasharray:2 3}", LEFT + WIDTH + RIGHT,
		bottom + BOTTOM);
	for (unsigned k = 0; k < SPANS; k++)
		fprintf(f, ".%s{fill:#%s}", look[k].class, look[k].colour);
	fprintf(f, "</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text x=\"%d\" y=\"20\">", LEFT);
	text_of(f, inputs_of(run));
	if (g.lanes < r->processors)
		fprintf(f, ", of which %u are shown", g.lanes);
	fprintf(f, "</text>\n<text class=\"source\" x=\"4\" y=\"%.0f\">libdls %s: ", bottom + BOTTOM - 6, dls_version());
	text_of(f, tool_command());
	fputs(*tool_files() ? "; " : "", f);
	text_of(f, tool_files());
	fprintf(f, "</text>\n<path class=\"rest\" d=\"M%d %dh%dv%uh-%dz\"/>\n", LEFT, TOP, WIDTH, g.lanes * lane_height(),
		WIDTH);
	for (unsigned k = 0; k < SPANS; k++) {
		fprintf(f, "<path class=\"%s\" d=\"", look[k].class);
		for (unsigned lane = 0; lane < g.lanes; lane++)
			draw_lane(f, lane, k);
		fputs("\"/>\n", f);
	}
	fprintf(f, "<path class=\"end\" d=\"M%.1f %dV%.0f\"/><path class=\"known\" d=\"M%.1f %dV%.0f\"/>\n", x_of(ended),
		TOP - 4, bottom, x_of(known), TOP - 4, bottom);
	draw_labels(f);
	draw_axis(f, bottom);
	draw_legend(f, run);
	fputs("</svg>\n", f);
	free(g.spent);
}
