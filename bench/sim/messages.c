/* messages.c - dls-sim --messages: how many messages of each kind were sent when, the runs above each other.
 *
 * Where one bar would flatten the others, heights are logarithms of a bar's messages, and its colours divide it by kinds. */
#include "picture.h"

enum { HEIGHT = 150, CELLS = 512, KINDS = DLS_KINDS_MAX + 1,	/* the last kind: of the detection of the end */
       LECTURE = 6 };		/* kinds in a panel of a lecture's picture, at most */

/* In a panel's row: of each kind its messages, -1: they count as the last kind's; at FOLDED, how many do. */
enum { FOLDED = KINDS, KNOWN };

static struct picture m;
static double most = 1;	/* messages in a cell of any run */
static bool logarithmic;
static const char *const colour[KINDS] = { "cc79a7", "009e73", "e69f00", "56b4e9", "8c564b", "7f7f00", "5c3fa0", "ff6f91", "00a0a0",
					   "a05c00", "4060ff", "60a000", "999999" };	/* as on the page (page.js) */

static void messages_begin(const struct run *run, const struct dls_net *net)
{
	struct panel *p = picture_panel(&m, run, KINDS, CELLS, NULL);

	(void)net;
	p->high = HEIGHT;
	p->row = tool_need(calloc(KNOWN, sizeof(double)));
}

static void messages_add(const struct dls_machine_event *e)
{
	struct panel *p = &m.panel[m.panels - 1];
	unsigned kind = e->name && strcmp(e->name, "detection") == 0 ? KINDS - 1 : e->kind;

	if (e->what != DLS_EVENT_SENT)
		return;
	cells_once(&p->cells, 0, kind, e->to, 1);
	p->row[kind]++;
}

/* NULL: the panel does not have it. */
static const char *kind_name(const struct panel *p, unsigned k)
{
	if (k == KINDS - 1)
		return p->row[FOLDED] > 0 ? "others" : "detection";
	return p->row[k] < 0 ? NULL : p->strategy->kind[k];
}

/* For a lecture: count the rarest kinds as one, the last. */
static void fold(struct panel *p)
{
	unsigned named = 0, rarest = 0;

	for (unsigned k = 0; k < KINDS - 1; k++)
		if (kind_name(p, k))
			rarest = named++ == 0 || p->row[k] < p->row[rarest] ? k : rarest;
	if (named < LECTURE)
		return;
	for (unsigned c = 0; c < cells_used(&p->cells); c++) {
		double *n = cells_at(&p->cells, 0, c);

		n[KINDS - 1] += n[rarest];
		n[rarest] = 0;
	}
	p->row[KINDS - 1] += p->row[rarest];
	p->row[FOLDED] += p->row[rarest];
	p->row[rarest] = -1;
	fold(p);
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

/* A bar is high if it is so many times as high as the mean of all. */
enum { HIGH = 12 };

static void find_most(void)
{
	double sum = 0;
	size_t bars = 0;

	for (size_t i = 0; i < m.panels; i++)
		for (unsigned c = 0; c < cells_used(&m.panel[i].cells); c++) {
			double n = in_cell(&m.panel[i], c, KINDS);

			most = fmax(most, n);
			sum += n;
			bars += n > 0;
		}
	logarithmic = most * (double)bars > HIGH * sum;
}

/* On a logarithmic axis one message has a height, too. */
static struct dls__axis axis(double bottom)
{
	return (struct dls__axis){ logarithmic ? .5 : 0, most, bottom, bottom - HEIGHT + 10, logarithmic };
}

static double height(double messages)
{
	struct dls__axis y = axis(0);

	return -dls__axis_place(&y, messages);
}

static void draw_kind(FILE *f, const struct panel *p, unsigned k, double bottom)
{
	fprintf(f, "<path class=\"k%u\" d=\"", k);
	for (unsigned c = 0; c < cells_used(&p->cells); c++) {
		double n = cells_at(&p->cells, 0, c)[k], from = picture_x(&m, (double)c * (double)p->cells.cell), all = in_cell(p, c, KINDS);

		if (n > 0)
			fprintf(f, "M%.1f %.1fH%.1fv-%.1fH%.1fz", from, bottom - height(all) * in_cell(p, c, k) / all,
				picture_x(&m, (double)(c + 1) * (double)p->cells.cell), height(all) * n / all, from);
	}
	fputs("\"/>\n", f);
}

static void draw_legend(struct tool_svg_words *w, const struct panel *p)
{
	for (unsigned k = 0; k < KINDS; k++) {
		char class[8], *text;

		if (!kind_name(p, k))
			continue;
		snprintf(class, sizeof(class), "k%u", k);
		text = tool_string("%s %.0f", kind_name(p, k), p->row[k]);
		picture_item(w, class, text);
		free(text);
	}
}

static void draw_panel(FILE *f, const struct panel *p, double top)
{
	double bottom = top + HEIGHT;
	struct dls__axis y = axis(bottom);

	tool_svg_y(f, &y, PICTURE_LEFT, PICTURE_LEFT + picture_width(), "");
	fprintf(f, "<text x=\"4\" y=\"%.0f\">messages</text>\n", top - 8);
	for (unsigned k = 0; k < KINDS; k++)
		if (kind_name(p, k))
			draw_kind(f, p, k, bottom);
}

static void messages_close(FILE *f)
{
	char style[32 * KINDS] = "", below[120];
	double length = 1e-9 * (double)make_alike();

	for (size_t i = 0; i < m.panels && tool_lecture; i++)
		fold(&m.panel[i]);
	find_most();
	snprintf(below, sizeof(below), "messages sent in each %.4g s, by kind%s", length,
		 logarithmic ? "; logarithmic: a tenth of the messages is one line lower" : "");
	for (unsigned k = 0; k < KINDS; k++)
		sprintf(style + strlen(style), ".k%u{fill:#%s}", k, colour[k]);
	picture_close(&m, f, &(struct picture_way){
		.legend = draw_legend, .draw = draw_panel, .style = style, .dark = ".k4{fill:#c08070}.k6{fill:#9a80e0}", .below = below,
	});
}

const struct watch_way messages_way = {
	.option = "messages", .several = true, .begin = messages_begin, .add = messages_add, .close = messages_close,
};
