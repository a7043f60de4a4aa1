/* heat.c - dls-sim --heat: the load of each processor over time, by colour, the runs above each other.
 *
 * A cell has the mean of the load over its time.  Colours are steps of the load up to 1, 2, 5, ... tasks, as
 * far as any run goes. */
#include "picture.h"

enum { CELLS = 1024, STEPS = 12, FEWEST = 4 };	/* steps: without load, and at most 11 others */

static struct picture h;
static double upto[STEPS];	/* the load of each step */
static unsigned steps = 1;

/* What is known of a row: the load, and since when. */
enum { LOAD, SINCE, KNOWN };

static void heat_begin(const struct run *run, const struct dls_net *net)
{
	struct panel *p = picture_panel(&h, run, 1, CELLS, (const unsigned[]){ 16, 8, 5 });

	(void)net;
	p->row = tool_need(calloc((size_t)p->cells.rows * KNOWN, sizeof(double)));
}

static void add_until(struct panel *p, unsigned row, uint64_t time)
{
	double *known = &p->row[row * KNOWN];

	cells_span(&p->cells, row, 0, (uint64_t)known[SINCE], time, known[LOAD]);
	known[SINCE] = (double)time;
}

static void heat_add(const struct dls_machine_event *e)
{
	struct panel *p = &h.panel[h.panels - 1];

	if (e->what != DLS_EVENT_LOAD || e->processor >= p->cells.rows)
		return;
	add_until(p, e->processor, e->to);
	p->row[e->processor * KNOWN + LOAD] = (double)e->load;
}

static void heat_end(FILE *f)
{
	struct panel *p = &h.panel[h.panels - 1];

	(void)f;
	for (unsigned row = 0; row < p->cells.rows; row++)
		add_until(p, row, (uint64_t)fmax((double)p->cells.end, p->detected));
}

static double mean_load(const struct panel *p, unsigned row, unsigned cell)
{
	double length = fmin((double)p->cells.cell, (double)p->cells.end - (double)cell * (double)p->cells.cell);

	return *cells_at(&p->cells, row, cell) / length;
}

/* The k-th of ..., .5, 1, 2, 5, 10, ... */
static double bound(int k)
{
	static const double in_decade[] = { 1, 2, 5 };
	int decade = (int)floor(k / 3.0);

	return in_decade[k - 3 * decade] * pow(10, decade);
}

static void find_steps(void)
{
	double most = 0;
	int last = -9;

	for (size_t i = 0; i < h.panels; i++)
		for (unsigned row = 0; row < h.panel[i].cells.rows; row++)
			for (unsigned c = 0; c < cells_used(&h.panel[i].cells); c++)
				most = fmax(most, mean_load(&h.panel[i], row, c));
	while (bound(last) < most)
		last++;
	if (most > 0)
		steps = 1 + (unsigned)fmin(fmax(last + 1, FEWEST), STEPS - 1);
	for (unsigned s = 1; s < steps; s++)
		upto[s] = bound(last - (int)(steps - 1 - s));
}

static unsigned step_of(double load)
{
	unsigned s = 0;

	while (s + 1 < steps && load > upto[s])
		s++;
	return s;
}

/* All of one step: a path of rectangles, neighbours in a row being one. */
static void draw_step(FILE *f, const struct panel *p, unsigned step, double top)
{
	unsigned cells = cells_used(&p->cells);

	fprintf(f, "<path class=\"s%u\" d=\"", step);
	for (unsigned row = 0; row < p->cells.rows; row++)
		for (unsigned c = 0, next; c < cells; c = next) {
			next = c + 1;
			if (step_of(mean_load(p, row, c)) != step)
				continue;
			while (next < cells && step_of(mean_load(p, row, next)) == step)
				next++;
			fprintf(f, "M%.1f %.0fH%.1fv%uH%.1fz", picture_cell(&h, p, c), top + row * p->lane, picture_cell(&h, p, next), p->lane,
				picture_cell(&h, p, c));
		}
	fputs("\"/>\n", f);
}

static void draw_legend(struct tool_svg_words *w, const struct panel *p)
{
	(void)p;
	tool_svg_item(w, "", NULL, "load:");
	for (unsigned s = 0; s < steps; s++) {
		char class[16], text[32];

		snprintf(class, sizeof(class), "%ss%u", s ? "" : "frame ", s);
		snprintf(text, sizeof(text), "%s%.10g", s ? "to " : "", upto[s]);
		picture_item(w, class, text);
	}
}

static void draw_panel(FILE *f, const struct panel *p, double lanes)
{
	for (unsigned s = 0; s < steps; s++)
		draw_step(f, p, s, lanes);
	fprintf(f, "<path class=\"frame\" d=\"M%d %.0fH%.1fv%uH%dz\"/>\n", PICTURE_LEFT, lanes, picture_end(&h, p), p->cells.rows * p->lane,
		PICTURE_LEFT);
	picture_rows(f, p, lanes);
}

static void heat_close(FILE *f)
{
	/* From light to dark, as of ColorBrewer's YlGnBu; on a dark ground from dark to light. */
	static const char *const colour[STEPS] = { "fff", "ffffd9", "f2fabc", "ddf2b2", "bde5b5", "8bd2ba", "58bfc0", "33a5c2", "1f82b6",
						   "225ca6", "24409a", "081d58" };
	char style[2][400] = { ".frame{fill:none;stroke:#888;stroke-width:.7}", ".s0{fill:#16181c}" };

	find_steps();
	for (unsigned s = 0; s < steps; s++) {
		unsigned shade = steps > 1 ? s * (STEPS - 1) / (steps - 1) : 0;

		sprintf(style[0] + strlen(style[0]), ".s%u{fill:#%s}", s, colour[shade]);
		if (s > 0)
			sprintf(style[1] + strlen(style[1]), ".s%u{fill:#%s}", s, colour[STEPS - shade]);
	}
	picture_close(&h, f, &(struct picture_way){ .legend = draw_legend, .draw = draw_panel, .style = style[0], .dark = style[1] });
}

const struct watch_way heat_way = {
	.option = "heat", .several = true, .begin = heat_begin, .add = heat_add, .end = heat_end, .close = heat_close,
};
