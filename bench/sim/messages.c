/* messages.c - dls-sim --messages: how many messages of each kind were sent when, the runs above each other. */
#include <math.h>
#include <string.h>

#include "picture.h"

enum { HEIGHT = 150, CELLS = 512, KINDS = DLS_KINDS_MAX + 1 };	/* the last kind: of the detection of the end */

static struct picture m;
static double most = 1;	/* messages in a cell of any run */
static const char *const colour[KINDS] = { "cc79a7", "009e73", "e69f00", "56b4e9", "8c564b", "7f7f00", "5c3fa0", "ff6f91", "00a0a0",
					   "a05c00", "4060ff", "60a000", "999999" };	/* as on the page (page.js) */

static void messages_begin(const struct run *run, const struct dls_net *net)
{
	(void)net;
	picture_panel(&m, run, KINDS, CELLS, NULL)->high = HEIGHT;
}

static void messages_add(const struct dls_machine_event *e)
{
	if (e->what == DLS_EVENT_SENT)
		cells_once(&m.panel[m.panels - 1].cells, 0, e->name && strcmp(e->name, "detection") == 0 ? KINDS - 1 : e->kind, e->to, 1);
}

static const char *kind_name(const struct panel *p, unsigned k)
{
	return k == KINDS - 1 ? "detection" : p->strategy->kind[k];
}

/* Have all panels cells of one length. */
static uint64_t make_alike(void)
{
	uint64_t longest = 1;

	for (size_t i = 0; i < m.panels; i++)
		longest = m.panel[i].cells.cell > longest ? m.panel[i].cells.cell : longest;
	for (size_t i = 0; i < m.panels; i++)
		while (m.panel[i].cells.cell < longest)
			cells_halve(&m.panel[i].cells);
	return longest;
}

static double in_cell(const struct panel *p, unsigned c, unsigned kinds)
{
	double sum = 0;

	for (unsigned k = 0; k < kinds; k++)
		sum += cells_at(&p->cells, 0, c)[k];
	return sum;
}

static void find_most(void)
{
	for (size_t i = 0; i < m.panels; i++)
		for (unsigned c = 0; c < cells_used(&m.panel[i].cells); c++)
			most = fmax(most, in_cell(&m.panel[i], c, KINDS));
}

static void draw_kind(FILE *f, const struct panel *p, unsigned k, double bottom)
{
	double scale = (HEIGHT - 10) / most;

	fprintf(f, "<path class=\"k%u\" d=\"", k);
	for (unsigned c = 0; c < cells_used(&p->cells); c++) {
		double n = cells_at(&p->cells, 0, c)[k], from = picture_x(&m, (double)c * (double)p->cells.cell);

		if (n > 0)
			fprintf(f, "M%.1f %.1fH%.1fv-%.1fH%.1fz", from, bottom - scale * in_cell(p, c, k),
				picture_x(&m, (double)(c + 1) * (double)p->cells.cell), scale * n, from);
	}
	fputs("\"/>\n", f);
}

static void draw_panel(FILE *f, const struct panel *p, double top)
{
	double bottom = top + PICTURE_TOP + HEIGHT, step = pow(10, floor(log10(most)));
	unsigned x = PICTURE_LEFT;

	if (most / step < 2)
		step /= 5;
	else if (most / step < 5)
		step /= 2;
	for (double n = 0; n <= most; n += fmax(1, step))
		fprintf(f, "<path class=\"grid\" d=\"M%d %.1fh%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", PICTURE_LEFT,
			bottom - n * (HEIGHT - 10) / most, PICTURE_WIDTH, PICTURE_LEFT - 6, bottom - n * (HEIGHT - 10) / most + 4, n);
	for (unsigned k = 0; k < KINDS; k++) {
		double sent = 0;

		for (unsigned c = 0; c < cells_used(&p->cells); c++)
			sent += cells_at(&p->cells, 0, c)[k];
		if (!kind_name(p, k))
			continue;
		draw_kind(f, p, k, bottom);
		fprintf(f, "<path class=\"k%u\" d=\"M%u %.0fh12v12h-12z\"/><text x=\"%u\" y=\"%.0f\">", k, x, top + 32, x + 16, top + 42);
		dls__page_escape(f, kind_name(p, k));
		fprintf(f, " %.0f</text>\n", sent);
		x += 32 + 7 * (unsigned)(strlen(kind_name(p, k)) + 1 + (unsigned)log10(fmax(1, sent)) + 1);
	}
	picture_ends(&m, f, p, PICTURE_LEFT + 660, top + 42, top + PICTURE_TOP, bottom);
}

static void messages_close(FILE *f)
{
	char style[40 + 32 * KINDS] = ".grid{stroke:#ddd;fill:none}", below[80];

	snprintf(below, sizeof(below), "messages sent in each %.4g s, by kind", 1e-9 * (double)make_alike());
	find_most();
	for (unsigned k = 0; k < KINDS; k++)
		sprintf(style + strlen(style), ".k%u{fill:#%s}", k, colour[k]);
	picture_close(&m, f, style, draw_panel, below);
}

const struct watch_way messages_way = {
	.option = "messages", .several = true, .begin = messages_begin, .add = messages_add, .close = messages_close,
};
