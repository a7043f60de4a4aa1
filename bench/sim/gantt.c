/* gantt.c - dls-sim --gantt: what each processor did when, a lane for each, the runs above each other.
 *
 * A cell with one part only is drawn in full height; other cells stack their parts, in which messages have at least one pixel
 * unless lanes are lower than MARKED.  Colours are Okabe and Ito's, told apart by lightness as well. */
#include <math.h>

#include "picture.h"

enum { TASK, OVERHEAD, HELD, SPANS };
enum { TOP = 62, MARKED = 5 };

static struct picture g;

void gantt_begin(FILE *f, const struct run *run, const struct dls_net *net)
{
	unsigned P = net->processors;

	(void)f;
	picture_panel(&g, run, P < PICTURE_ROWS ? P : PICTURE_ROWS, SPANS, P <= 64 ? PICTURE_CELLS : PICTURE_CELLS / 2);
}

void gantt_add(FILE *f, const struct dls_machine_event *e)
{
	static const unsigned span[] = { [DLS_EVENT_TASK] = TASK, [DLS_EVENT_OVERHEAD] = OVERHEAD, [DLS_EVENT_SERVICE] = OVERHEAD,
					 [DLS_EVENT_HELD] = HELD };

	(void)f;
	if (e->what >= DLS_EVENT_TASK && e->what <= DLS_EVENT_HELD)
		cells_span(&g.panel[g.panels - 1].cells, e->processor, span[e->what], e->from, e->to, 1);
}

static const struct {
	const char *class, *text;
	unsigned width;		/* of all that in the legend */
} look[SPANS] = {
	[TASK] = { "task", "tasks, with polling", 150 },
	[OVERHEAD] = { "overhead", "messages", 95 },
	[HELD] = { "held", "held by the strategy", 155 },
};

static unsigned lane_height(const struct panel *p)
{
	return p->cells.rows <= 16 ? 20 : p->cells.rows <= 48 ? 12 : p->cells.rows <= 128 ? 6 : 3;
}

/* Pixels of a cell that lie below those of a span, and its own. */
static void pixels(const struct panel *p, unsigned lane, unsigned c, unsigned what, unsigned room, unsigned *below, unsigned *own)
{
	const double *s = cells_at(&p->cells, lane, c);
	double begin = (double)c * (double)p->cells.cell, length = fmin((double)p->cells.end - begin, (double)p->cells.cell), sum = 0;
	bool mark = s[OVERHEAD] > 0 && room >= MARKED;
	unsigned edge[SPANS + 1] = { 0 };

	for (unsigned k = 0; k < SPANS; k++) {
		sum += s[k];
		edge[k + 1] = (unsigned)(room * sum / length + 0.5);
	}
	if (mark && edge[OVERHEAD + 1] == edge[OVERHEAD]) {
		if (edge[OVERHEAD] < room)
			for (unsigned k = OVERHEAD + 1; k <= SPANS; k++)
				edge[k] += edge[k] < room;
		else
			edge[OVERHEAD]--;
	}
	*below = edge[what];
	*own = edge[what + 1] - edge[what];
}

/* All of one span in a lane: a path of rectangles, cells that look alike being one. */
static void draw_lane(FILE *f, const struct panel *p, unsigned lane, unsigned what, double top)
{
	unsigned height = lane_height(p), room = height > 4 ? height - 1 : height, bottom = (unsigned)top + lane * height + room;
	unsigned cells = cells_used(&p->cells), below, own, next_below, next_own;

	for (unsigned c = 0, next; c < cells; c = next) {
		pixels(p, lane, c, what, room, &below, &own);
		for (next = c + 1; next < cells; next++) {
			pixels(p, lane, next, what, room, &next_below, &next_own);
			if (next_own != own || (own && next_below != below))
				break;
		}
		if (own) {
			double from = picture_x(&g, (double)c * (double)p->cells.cell);
			double to = picture_x(&g, fmin((double)next * (double)p->cells.cell, (double)p->cells.end));

			fprintf(f, "M%.1f %uH%.1fv-%uH%.1fz", from, bottom - below, to, own, from);
		}
	}
}

static void draw_legend(FILE *f, double y)
{
	unsigned x = PICTURE_LEFT;

	for (unsigned k = 0; k < SPANS; k++) {
		fprintf(f, "<path class=\"%s\" d=\"M%u %.0fh12v12h-12z\"/><text x=\"%u\" y=\"%.0f\">%s</text>\n", look[k].class, x,
			y - 10, x + 18, y, look[k].text);
		x += look[k].width;
	}
	fprintf(f, "<path class=\"rest\" d=\"M%u %.0fh12v12h-12z\"/><text x=\"%u\" y=\"%.0f\">idle</text>\n", x, y - 10, x + 18, y);
}

static double bottom_of(const struct panel *p, double top)
{
	return top + TOP + p->cells.rows * lane_height(p) + 2;
}

static void draw_panel(FILE *f, const struct panel *p, double top)
{
	unsigned height = p->cells.rows * lane_height(p);
	double lanes = top + TOP;

	fprintf(f, "<text x=\"%d\" y=\"%.0f\">", PICTURE_LEFT, top + 20);
	picture_text(f, p->title);
	fprintf(f, "</text>\n<path class=\"rest\" d=\"M%d %.0fH%.1fv%uH%dz\"/>\n", PICTURE_LEFT, lanes,
		picture_x(&g, fmax((double)p->cells.end, p->detected)), height, PICTURE_LEFT);
	for (unsigned k = 0; k < SPANS; k++) {
		fprintf(f, "<path class=\"%s\" d=\"", look[k].class);
		for (unsigned lane = 0; lane < p->cells.rows; lane++)
			draw_lane(f, p, lane, k, lanes);
		fputs("\"/>\n", f);
	}
	draw_legend(f, top + 42);
	picture_ends(&g, f, p, PICTURE_LEFT + 478, top + 42, lanes - 4, lanes + height + 2);
	picture_rows(f, p->cells.rows, lanes, lane_height(p));
}

void gantt_close(FILE *f)
{
	double top = 0;

	for (size_t i = 0; i < g.panels; i++)
		top = bottom_of(&g.panel[i], top);
	picture_begin(&g, f, top + PICTURE_BOTTOM,
		      ".rest{fill:#e8e8e8}.task{fill:#0072b2}.overhead{fill:#d55e00}.held{fill:#f0c040}");
	top = 0;
	for (size_t i = 0; i < g.panels; i++) {
		draw_panel(f, &g.panel[i], top);
		top = bottom_of(&g.panel[i], top);
	}
	picture_end(&g, f, top);
}
