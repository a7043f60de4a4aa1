/* picture.c - the parts that all pictures of dls-sim have: see picture.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

enum { BOTTOM = 62 };	/* below the last panel: the axis and where the picture comes from */

void cells_begin(struct cells *c, unsigned rows, unsigned values, unsigned cells)
{
	*c = (struct cells){ .rows = rows, .values = values, .cells = cells, .cell = 1 };
	c->sum = tool_need(calloc((size_t)rows * cells * values, sizeof(*c->sum)));
}

double *cells_at(const struct cells *c, unsigned row, unsigned cell)
{
	return c->sum + ((size_t)row * c->cells + cell) * c->values;
}

void cells_halve(struct cells *c)
{
	for (unsigned row = 0; row < c->rows; row++)
		for (unsigned i = 0; i < c->cells; i++)
			for (unsigned v = 0; v < c->values; v++)
				cells_at(c, row, i)[v] = 2 * i >= c->cells ? 0 :
					cells_at(c, row, 2 * i)[v] + (2 * i + 1 < c->cells ? cells_at(c, row, 2 * i + 1)[v] : 0);
	c->cell *= 2;
}

/* Have cells up to a time. */
static void reach(struct cells *c, uint64_t to)
{
	c->end = to > c->end ? to : c->end;
	while (to && (to - 1) / c->cell >= c->cells)
		cells_halve(c);
}

void cells_span(struct cells *c, unsigned row, unsigned value, uint64_t from, uint64_t to, double weight)
{
	reach(c, to);
	if (row >= c->rows)
		return;
	for (uint64_t i = from / c->cell; from < to; i++) {
		uint64_t until = (i + 1) * c->cell < to ? (i + 1) * c->cell : to;

		cells_at(c, row, (unsigned)i)[value] += weight * (double)(until - from);
		from = until;
	}
}

void cells_once(struct cells *c, unsigned row, unsigned value, uint64_t time, double weight)
{
	reach(c, time + 1);
	if (row < c->rows)
		cells_at(c, row, (unsigned)(time / c->cell))[value] += weight;
}

unsigned cells_used(const struct cells *c)
{
	return (unsigned)((c->end + c->cell - 1) / c->cell);
}

struct panel *picture_panel(struct picture *p, const struct run *run, unsigned values, unsigned cells, const unsigned lane[3])
{
	unsigned P = run->result.processors, rows = !lane ? 1 : P < PICTURE_ROWS ? P : PICTURE_ROWS;
	struct panel *panel;
	size_t size;
	FILE *title;

	p->panel = tool_grow(p->panel, p->panels, sizeof(*p->panel));
	panel = &p->panel[p->panels++];
	*panel = (struct panel){ .strategy = run->strategy, .time = 1e9 * run->result.time,
				 .detected = 1e9 * run->result.detected };
	title = tool_need(open_memstream(&panel->title, &size));
	print_inputs(title, run);
	if (rows < P && rows > 1)
		fprintf(title, ", of which %u are shown", rows);
	if (fclose(title))
		tool_need(NULL);
	cells_begin(&panel->cells, rows, values, cells);
	panel->lane = !lane ? 0 : rows <= 16 ? lane[0] : rows <= 48 ? lane[1] : rows <= 128 ? lane[2] : 3;
	panel->high = rows * panel->lane + 2;
	return panel;
}

double picture_x(const struct picture *p, double ns)
{
	return PICTURE_LEFT + fmin(PICTURE_WIDTH * ns / p->end, PICTURE_WIDTH);
}

double picture_cell(const struct picture *p, const struct panel *panel, unsigned cell)
{
	return picture_x(p, fmin((double)cell * (double)panel->cells.cell, (double)panel->cells.end));
}

static void begin(struct picture *p, FILE *f, const char *style)
{
	double height = BOTTOM;

	for (size_t i = 0; i < p->panels; i++)
		height += PICTURE_TOP + p->panel[i].high;
	p->end = 1;
	for (size_t i = 0; i < p->panels; i++)
		p->end = fmax(p->end, fmax((double)p->panel[i].cells.end, p->panel[i].detected));
	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" role=\"img\">\n"
		"<style>text{font:12px sans-serif;fill:#222}.axis{stroke:#222;fill:none}.source{font-size:9px}\n"
		".end,.known{stroke:#000;stroke-width:1.5;fill:none}.known{stroke-dasharray:2 3}%s</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n", PICTURE_LEFT + PICTURE_WIDTH + PICTURE_RIGHT, height, style);
}

static void draw_axis(const struct picture *p, FILE *f, double bottom)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	unsigned u = 0;
	double step;

	while (u < 3 && p->end < 2 * units[u].ns)
		u++;
	step = pow(10, floor(log10(p->end / units[u].ns / 8)));
	for (unsigned k = 0; p->end / units[u].ns / step > 12; k++)
		step *= k % 3 == 1 ? 2.5 : 2;
	for (double v = 0; v <= p->end / units[u].ns; v += step)
		fprintf(f, "<path class=\"axis\" d=\"M%.1f %.0fv5\"/><text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%g</text>\n",
			picture_x(p, v * units[u].ns), bottom, picture_x(p, v * units[u].ns), bottom + 18, v);
	fprintf(f, "<path class=\"axis\" d=\"M%d %.0fh%d\"/>\n<text x=\"%d\" y=\"%.0f\" text-anchor=\"middle\">time, %s</text>\n",
		PICTURE_LEFT, bottom, PICTURE_WIDTH, PICTURE_LEFT + PICTURE_WIDTH / 2, bottom + 36, units[u].name);
}

static void end(struct picture *p, FILE *f, double bottom)
{
	draw_axis(p, f, bottom);
	fprintf(f, "<text class=\"source\" x=\"4\" y=\"%.0f\">libdls %s: ", bottom + BOTTOM - 6, dls_version());
	dls__page_put(f, "%s%s%s</text>\n</svg>\n", tool_command(), *tool_files() ? "; " : "", tool_files());
	for (size_t i = 0; i < p->panels; i++) {
		free(p->panel[i].title);
		free(p->panel[i].row);
		free(p->panel[i].cells.sum);
	}
	free(p->panel);
}

void picture_close(struct picture *p, FILE *f, const char *style, void (*draw)(FILE *f, const struct panel *panel, double top),
		   const char *below)
{
	double top = 0;

	begin(p, f, style);
	for (size_t i = 0; i < p->panels; i++) {
		fprintf(f, "<text x=\"%d\" y=\"%.0f\">", PICTURE_LEFT, top + 20);
		dls__page_put(f, "%s</text>\n", p->panel[i].title);
		draw(f, &p->panel[i], top);
		top += PICTURE_TOP + p->panel[i].high;
	}
	if (below)
		fprintf(f, "<text x=\"%d\" y=\"%.0f\">%s</text>\n", PICTURE_LEFT, top + 36, below);
	end(p, f, top);
}

void picture_rows(FILE *f, const struct panel *panel, double top)
{
	unsigned step = 1, height = panel->lane;

	while (step * height < 12)
		step *= 2;
	fprintf(f, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">processor</text>\n", PICTURE_LEFT - 6, top - 8);
	for (unsigned row = 0; row < panel->cells.rows; row += step)
		fprintf(f, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%u</text>\n", PICTURE_LEFT - 6,
			top + row * height + height / 2 + 4, row);
}

void picture_ends(const struct picture *p, FILE *f, const struct panel *panel, double x, double top, double from, double to)
{
	fprintf(f, "<path class=\"end\" d=\"M%.0f %.0fv16\"/><text x=\"%.0f\" y=\"%.0f\">last task ended: %.4g s</text>\n", x, top - 12,
		x + 10, top, 1e-9 * panel->time);
	fprintf(f, "<path class=\"known\" d=\"M%.0f %.0fv16\"/><text x=\"%.0f\" y=\"%.0f\">end known: %.4g s</text>\n", x + 190,
		top - 12, x + 200, top, 1e-9 * panel->detected);
	fprintf(f, "<path class=\"end\" d=\"M%.1f %.0fV%.0f\"/><path class=\"known\" d=\"M%.1f %.0fV%.0f\"/>\n", picture_x(p, panel->time),
		from, to, picture_x(p, panel->detected), from, to);
}
