/* heat.c - dls-sim --heat: the load of each processor over time, by colour, the runs above each other.
 *
 * A cell has the mean of the load over its time.  Colours are steps of equal ratio of load + 1, from none to the most that any
 * run has. */
#include <math.h>
#include <stdlib.h>

#include "picture.h"

enum { TOP = 62, CELLS = 1024, STEPS = 12 };

static struct picture h;

/* What is known of a row: the load, and since when. */
enum { LOAD, SINCE, KNOWN };

void heat_begin(FILE *f, const struct run *run, const struct dls_net *net)
{
	unsigned rows = net->processors < PICTURE_ROWS ? net->processors : PICTURE_ROWS;

	(void)f;
	picture_panel(&h, run, rows, 1, CELLS)->row = tool_need(calloc((size_t)rows * KNOWN, sizeof(double)));
}

static void add_until(struct panel *p, unsigned row, uint64_t time)
{
	double *known = &p->row[row * KNOWN];

	cells_span(&p->cells, row, 0, (uint64_t)known[SINCE], time, known[LOAD]);
	known[SINCE] = (double)time;
}

void heat_add(FILE *f, const struct dls_machine_event *e)
{
	struct panel *p = &h.panel[h.panels - 1];

	(void)f;
	if (e->what != DLS_EVENT_LOAD || e->processor >= p->cells.rows)
		return;
	add_until(p, e->processor, e->to);
	p->row[e->processor * KNOWN + LOAD] = (double)e->load;
}

void heat_end(FILE *f, const struct run *run)
{
	struct panel *p = &h.panel[h.panels - 1];

	(void)f;
	(void)run;
	for (unsigned row = 0; row < p->cells.rows; row++)
		add_until(p, row, (uint64_t)fmax((double)p->cells.end, p->detected));
}

static unsigned lane_height(const struct panel *p)
{
	return p->cells.rows <= 16 ? 16 : p->cells.rows <= 48 ? 8 : p->cells.rows <= 128 ? 5 : 3;
}

static double mean_load(const struct panel *p, unsigned row, unsigned cell)
{
	double length = fmin((double)p->cells.cell, (double)p->cells.end - (double)cell * (double)p->cells.cell);

	return *cells_at(&p->cells, row, cell) / length;
}

static double most_load(void)
{
	double most = 0;

	for (size_t i = 0; i < h.panels; i++)
		for (unsigned row = 0; row < h.panel[i].cells.rows; row++)
			for (unsigned c = 0; c < cells_used(&h.panel[i].cells); c++)
				most = fmax(most, mean_load(&h.panel[i], row, c));
	return most;
}

static unsigned step_of(double load, double most)
{
	return most > 0 && load > 0 ? (unsigned)fmin(STEPS - 1, ceil((STEPS - 1) * log1p(load) / log1p(most))) : 0;
}

/* All of one step: a path of rectangles, neighbours in a row being one. */
static void draw_step(FILE *f, const struct panel *p, unsigned step, double most, double top)
{
	unsigned height = lane_height(p), cells = cells_used(&p->cells);

	fprintf(f, "<path class=\"s%u\" d=\"", step);
	for (unsigned row = 0; row < p->cells.rows; row++)
		for (unsigned c = 0, next; c < cells; c = next) {
			next = c + 1;
			if (step_of(mean_load(p, row, c), most) != step)
				continue;
			while (next < cells && step_of(mean_load(p, row, next), most) == step)
				next++;
			fprintf(f, "M%.1f %.0fH%.1fv%uH%.1fz", picture_x(&h, (double)c * (double)p->cells.cell), top + row * height,
				picture_x(&h, fmin((double)next * (double)p->cells.cell, (double)p->cells.end)), height,
				picture_x(&h, (double)c * (double)p->cells.cell));
		}
	fputs("\"/>\n", f);
}

static double bottom_of(const struct panel *p, double top)
{
	return top + TOP + p->cells.rows * lane_height(p) + 2;
}

static void draw_panel(FILE *f, const struct panel *p, double top, double most)
{
	double lanes = top + TOP;

	fprintf(f, "<text x=\"%d\" y=\"%.0f\">", PICTURE_LEFT, top + 20);
	picture_text(f, p->title);
	fprintf(f, "</text>\n<text x=\"%d\" y=\"%.0f\">load:</text>\n", PICTURE_LEFT, top + 42);
	for (unsigned s = 0; s < STEPS; s++) {
		double least = s ? expm1(log1p(most) * (s - 1) / (STEPS - 1)) : 0;

		fprintf(f, "<path class=\"s%u\" d=\"M%u %.0fh14v12h-14z\"/><text x=\"%u\" y=\"%.0f\">%s%.2g</text>\n", s,
			PICTURE_LEFT + 36 + s * 54, top + 32, PICTURE_LEFT + 53 + s * 54, top + 42, s ? "&gt;" : "", least);
		draw_step(f, p, s, most, lanes);
	}
	picture_ends(&h, f, p, PICTURE_LEFT + 700, top + 42, lanes - 4, lanes + p->cells.rows * lane_height(p) + 2);
	picture_rows(f, p->cells.rows, lanes, lane_height(p));
}

void heat_close(FILE *f)
{
	/* From light to dark, as of ColorBrewer's YlGnBu. */
	static const char style[] = ".s0{fill:#fff;stroke:#bbb;stroke-width:.3}.s1{fill:#ffffd9}.s2{fill:#f2fabc}.s3{fill:#ddf2b2}.s4{fill:#bde5b5}"
		".s5{fill:#8bd2ba}.s6{fill:#58bfc0}.s7{fill:#33a5c2}.s8{fill:#1f82b6}.s9{fill:#225ca6}.s10{fill:#24409a}.s11{fill:#081d58}";
	double top = 0, most = most_load();

	for (size_t i = 0; i < h.panels; i++)
		top = bottom_of(&h.panel[i], top);
	picture_begin(&h, f, top + PICTURE_BOTTOM, style);
	top = 0;
	for (size_t i = 0; i < h.panels; i++) {
		draw_panel(f, &h.panel[i], top, most);
		top = bottom_of(&h.panel[i], top);
	}
	picture_end(&h, f, top);
}
