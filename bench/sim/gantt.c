/* gantt.c - dls-sim --gantt: what each processor did when, a lane for each, the runs above each other.
 *
 * If all processors are busy for most of the time, it begins shortly before they are not.
 * A cell with one part only is drawn in full height; other cells stack their parts, in which messages have at least one pixel
 * unless lanes are lower than MARKED.  Colours are Okabe and Ito's, told apart by lightness as well. */
#include "picture.h"

enum { TASK, OVERHEAD, HELD, SPANS };
enum { MARKED = 5 };
#define ALL 0.95		/* of the processors: less are not all */
#define TAIL 0.25		/* the picture begins before that, by this part of the time from then on */

static struct picture g;

static void gantt_begin(const struct run *run, const struct dls_net *net)
{
	picture_panel(&g, run, SPANS, net->processors <= 64 ? PICTURE_CELLS : PICTURE_CELLS / 2, (const unsigned[]){ 20, 12, 6 });
}

static void gantt_add(const struct dls_machine_event *e)
{
	static const unsigned span[] = { [DLS_EVENT_TASK] = TASK, [DLS_EVENT_OVERHEAD] = OVERHEAD, [DLS_EVENT_SERVICE] = OVERHEAD,
					 [DLS_EVENT_HELD] = HELD };

	if (e->what >= DLS_EVENT_TASK && e->what <= DLS_EVENT_HELD)
		cells_span(&g.panel[g.panels - 1].cells, e->processor, span[e->what], e->from, e->to, 1);
}

static const struct {
	const char *class, *text;
} look[SPANS] = {
	[TASK] = { "task", "tasks, with polling" },
	[OVERHEAD] = { "overhead", "messages" },
	[HELD] = { "held", "held by the strategy" },
};

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
	unsigned room = p->lane > 4 ? p->lane - 1 : p->lane, bottom = (unsigned)top + lane * p->lane + room;
	unsigned cells = cells_used(&p->cells), below, own, next_below, next_own;

	for (unsigned c = 0, next; c < cells; c = next) {
		pixels(p, lane, c, what, room, &below, &own);
		for (next = c + 1; next < cells; next++) {
			pixels(p, lane, next, what, room, &next_below, &next_own);
			if (next_own != own || (own && next_below != below))
				break;
		}
		if (own && picture_cell(&g, p, next) > PICTURE_LEFT)
			fprintf(f, "M%.1f %uH%.1fv-%uH%.1fz", picture_cell(&g, p, c), bottom - below, picture_cell(&g, p, next), own,
				picture_cell(&g, p, c));
	}
}

static void draw_legend(struct tool_svg_words *w, const struct panel *p)
{
	(void)p;
	for (unsigned k = 0; k < SPANS; k++)
		picture_item(w, look[k].class, look[k].text);
	picture_item(w, "rest", "idle");
}

static void draw_panel(FILE *f, const struct panel *p, double lanes)
{
	fprintf(f, "<path class=\"rest\" d=\"M%d %.0fH%.1fv%uH%dz\"/>\n", PICTURE_LEFT, lanes, picture_end(&g, p),
		p->cells.rows * p->lane, PICTURE_LEFT);
	for (unsigned k = 0; k < SPANS; k++) {
		fprintf(f, "<path class=\"%s\" d=\"", look[k].class);
		for (unsigned lane = 0; lane < p->cells.rows; lane++)
			draw_lane(f, p, lane, k, lanes);
		fputs("\"/>\n", f);
	}
	picture_rows(f, p, lanes);
}

/* Until when all processors of a panel were busy, ns. */
static double balanced(const struct panel *p)
{
	unsigned cells = cells_used(&p->cells), c = 0;

	for (double busy = 1; c < cells && busy > ALL; c++) {
		busy = 0;
		for (unsigned lane = 0; lane < p->cells.rows; lane++)
			for (unsigned k = 0; k < SPANS; k++)
				busy += cells_at(&p->cells, lane, c)[k] / (double)p->cells.cell /
					p->cells.rows;
	}
	return c ? (double)(c - 1) * (double)p->cells.cell : 0;
}

/* Leave out what comes before all ends, if that is most of the time; returns a text that says so, or NULL. */
static const char *leave_out(void)
{
	double begin = INFINITY, end = 0;

	for (size_t i = 0; i < g.panels; i++) {
		begin = fmin(begin, balanced(&g.panel[i]));
		end = fmax(end, g.panel[i].detected);
	}
	begin -= TAIL * (end - begin);
	if (!(begin > end / 2))
		return NULL;
	g.begin = begin;
	return tool_held_string("Begins at %.4g s: until then all processors were busy.", 1e-9 * begin);
}

static void gantt_close(FILE *f)
{
	const char *below = leave_out();

	picture_close(&g, f, &(struct picture_way){
		.legend = draw_legend, .draw = draw_panel, .below = below,
		.style = ".rest{fill:#e8e8e8}.task{fill:#0072b2}.overhead{fill:#d55e00}.held{fill:#f0c040}",
		.dark = ".rest{fill:#2e3238}.task{fill:#3d9ddb}.overhead{fill:#ff8340}.held{fill:#f0c040}",
	});
}

const struct watch_way gantt_way = {
	.option = "gantt", .several = true, .begin = gantt_begin, .add = gantt_add, .close = gantt_close,
};
