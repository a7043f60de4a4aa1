/* picture.c - the parts that all pictures of dls-sim have: see picture.h. */
#include "picture.h"

unsigned picture_width(void)
{
	return tool_lecture ? 640 : 1000;
}

static void cells_begin(struct cells *c, unsigned rows, unsigned values, unsigned cells)
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
	FILE *title;

	p->panel = tool_grow(p->panel, p->panels, sizeof(*p->panel));
	panel = &p->panel[p->panels++];
	*panel = (struct panel){ .strategy = run->strategy, .time = 1e9 * run->result.time,
				 .detected = 1e9 * run->result.detected };
	title = tool_text_open(&panel->title);
	print_inputs(title, run);
	if (rows < P && rows > 1)
		fprintf(title, ", of which %u are shown", rows);
	tool_text_close(title);
	cells_begin(&panel->cells, rows, values, cells);
	panel->lane = !lane ? 0 : rows <= 16 ? lane[0] : rows <= 48 ? lane[1] : rows <= 128 ? lane[2] : 3;
	panel->high = rows * panel->lane + 2;
	return panel;
}

double picture_x(const struct picture *p, double ns)
{
	return PICTURE_LEFT + picture_width() * fmin(fmax((ns - p->begin) / (p->end - p->begin), 0), 1);
}

double picture_cell(const struct picture *p, const struct panel *panel, unsigned cell)
{
	return picture_x(p, fmin((double)cell * (double)panel->cells.cell, (double)panel->cells.end));
}

double picture_end(const struct picture *p, const struct panel *panel)
{
	return picture_x(p, fmax((double)panel->cells.end, panel->detected));
}

static void find_end(struct picture *p)
{
	p->end = 1;
	for (size_t i = 0; i < p->panels; i++)
		p->end = fmax(p->end, fmax((double)p->panel[i].cells.end, p->panel[i].detected));
}

static double draw_axis(const struct picture *p, FILE *f, double bottom)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	unsigned u = 0;
	struct dls__axis time = { p->begin, 0, PICTURE_LEFT, PICTURE_LEFT + picture_width(), false };

	while (u < 3 && p->end < 2 * units[u].ns)
		u++;
	time.from /= units[u].ns;
	time.to = p->end / units[u].ns;
	return tool_svg_x(f, &time, bottom, bottom, tool_held_string("time, %s", units[u].name), NULL, 0);
}

void picture_item(struct tool_svg_words *w, const char *class, const char *text)
{
	tool_svg_item(w, class, "h12v12h-12z", text);
}

/* Its title, what its colours and lines are, and itself.  Returns the height of all. */
static double draw_panel(const struct picture *p, const struct picture_way *way, FILE *f, const struct panel *panel, double top)
{
	double type = tool_svg_type(), data;
	struct tool_svg_words w = {
		.file = f, .left = PICTURE_LEFT, .right = PICTURE_LEFT + picture_width(), .x = PICTURE_LEFT
	};
	char text[64];

	w.y = top + 8 + type;
	tool_svg_text(&w, panel->title);
	w.y += 5;
	way->legend(&w, panel);
	snprintf(text, sizeof(text), "last task ended: %.4g s", 1e-9 * panel->time);
	tool_svg_item(&w, "end", "m5-2v16", text);
	snprintf(text, sizeof(text), "end known: %.4g s", 1e-9 * panel->detected);
	tool_svg_item(&w, "known", "m5-2v16", text);
	data = w.y + 8 + type;
	way->draw(f, panel, data);
	fprintf(f, "<path class=\"end\" d=\"M%.1f %.0fV%.0f\"/><path class=\"known\" d=\"M%.1f %.0fV%.0f\"/>\n", picture_x(p, panel->time),
		data - 4, data + panel->high, picture_x(p, panel->detected), data - 4, data + panel->high);
	return data + panel->high - top;
}

void picture_close(struct picture *p, FILE *f, const struct picture_way *way)
{
	double top = 0;
	struct tool_svg svg;

	tool_svg_begin(&svg, PICTURE_LEFT + picture_width() + PICTURE_RIGHT);
	find_end(p);
	for (size_t i = 0; i < p->panels; i++)
		top += draw_panel(p, way, svg.file, &p->panel[i], top);
	svg.bottom = draw_axis(p, svg.file, top);
	if (way->below)
		tool_svg_put(svg.file, NULL, NULL, PICTURE_LEFT, svg.bottom += 1.4 * tool_svg_type(),
			     picture_width(), way->below);
	tool_svg_end(&svg, f, NULL, way->style, way->dark);
	for (size_t i = 0; i < p->panels; i++) {
		free(p->panel[i].title);
		free(p->panel[i].row);
		free(p->panel[i].cells.sum);
	}
	free(p->panel);
}

void picture_rows(FILE *f, const struct panel *panel, double top)
{
	unsigned step = 1, height = panel->lane;

	while (step * height < tool_svg_type())
		step *= 2;
	fprintf(f, "<text x=\"4\" y=\"%.0f\">processor</text>\n", top - 8);
	for (unsigned row = 0; row < panel->cells.rows; row += step)
		fprintf(f, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%u</text>\n", PICTURE_LEFT - 6,
			top + row * height + height / 2 + 4, row);
}
