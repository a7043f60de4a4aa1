/* page.c - an experiment as a part of a web page: its table, the figures apart from it, its picture, and what it says. */
#include <ctype.h>

#include "bench/paper/paper.h"
#include "lib/report/page.h"

/* Reasons, in the order of their numbers. */
static struct {
	size_t n;
	const char *why[256];
} notes;

static size_t note_of(const char *why)
{
	size_t k = 0;

	while (k < notes.n && strcmp(notes.why[k], why) != 0)
		k++;
	if (k == notes.n && k < sizeof(notes.why) / sizeof(*notes.why))
		notes.why[notes.n++] = why;
	return k + 1;
}

static void refer(FILE *out, const char *why)
{
	if (why)
		fprintf(out, "<sup>%zu</sup>", note_of(why));
}

/* What the ledger has of a cell; NULL: nothing. */
static const struct paper_line *line_of(size_t row, size_t column)
{
	const struct paper_line *l;

	for (size_t k = 0; (l = paper_line(k)); k++)
		if (l->column == &paper_rows.column[column] && l->row == row)
			return l;
	return NULL;
}

static void print_half(FILE *out, const struct paper_column *c, double half)
{
	const char *format = c->format + (*c->format == '=');

	if (half > 0) {
		fputs(" <small>&plusmn; ", out);
		fprintf(out, strcmp(format, "%.0f") == 0 ? "%.1f" : "%.2g", half);
		fputs("</small>", out);
	}
}

static void print_distance(FILE *out, const struct paper_line *l)
{
	if (l->theirs != 0 && isfinite(l->theirs))
		fprintf(out, " <small>%+.1f&nbsp;%%</small>", 100 * (l->ours - l->theirs) / fabs(l->theirs));
	if (l->class == PAPER_BEYOND)
		refer(out, l->why);
}

/* Begin a figure's cell: styled by its class, c0 to c4; the tooltip has its class, basis and constants. */
static void begin_cell(FILE *out, const struct paper_line *l)
{
	if (!l || l->kind == PAPER_ALONE)
		fputs("<td class=ours>", out);
	else
		fprintf(out, "<td class=c%d title=\"%s, %s; %s\">", (int)l->class, paper_class_name(l), paper_basis_name(l), l->constants);
}

static void print_cell(FILE *out, size_t row, size_t i)
{
	const struct paper_column *c = &paper_rows.column[i];
	const struct paper_line *l = line_of(row, i);
	char text[PAPER_TEXT];

	if (c->kind)
		dls__page_put(out, "<td class=theirs>%s</td>", paper_cell_text(row, i, true, true, text));
	if (c->format)
		begin_cell(out, l);
	else
		fputs("<td class=text>", out);
	dls__page_put(out, "%s", paper_cell_text(row, i, false, true, text));
	if (c->format)
		print_half(out, c, paper_half(paper_cell(row, i, false)->deviation, paper.seeds));
	if (l && l->class != PAPER_ROUNDING)
		print_distance(out, l);
	fputs("</td>\n", out);
}

static void print_table(FILE *out)
{
	fputs("<div class=wide><table><thead><tr>", out);
	for (size_t i = 0; i < paper_rows.columns; i++)
		if (!paper_rows.column[i].data) {
			const struct paper_column *c = &paper_rows.column[i];

			if (c->kind > 0)
				dls__page_put(out, "<th class=theirs>%s%s</th>", c->theirs ? "" : paper_head(c), c->theirs ? c->theirs : ", paper");
			dls__page_put(out, "<th%s>%s</th>", c->format ? "" : " class=text", paper_head(c));
		}
	fputs("</tr></thead><tbody>\n", out);
	for (size_t r = 0; r < paper_rows.rows; r++) {
		fputs("<tr>", out);
		for (size_t i = 0; i < paper_rows.columns; i++)
			if (!paper_rows.column[i].data)
				print_cell(out, r, i);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

/* Figures apart from the table. */
static void print_others(FILE *out)
{
	const struct paper_line *l = paper_line(0);

	if (!l || l->column)
		return;
	fputs("<table><thead><tr><th>other figures</th><th class=theirs>paper</th><th>here</th><th>distance</th></tr></thead><tbody>\n", out);
	for (size_t k = 0; (l = paper_line(k)) && !l->column; k++) {
		char said[PAPER_TEXT];

		paper_said(l, said, sizeof(said));
		dls__page_put(out, "<tr><td class=text>%s</td>", l->what);
		dls__page_put(out, "<td class=theirs>%s</td>", *said ? said : "as before");
		begin_cell(out, l);
		fprintf(out, "%.5g</td><td class=ours>", l->ours);
		if (l->kind != PAPER_ALONE)
			print_distance(out, l);
		fputs("</td></tr>\n", out);
	}
	fputs("</tbody></table>\n", out);
}

static void print_picture(FILE *out, const char *svg)
{
	FILE *in = svg ? fopen(svg, "r") : NULL;
	int c;

	if (!in)
		return;
	fputs("<img alt=\"\" src=\"data:image/svg+xml,", out);
	while ((c = getc(in)) != EOF)
		if (isalnum(c) || strchr("-_.~!*(),;=/ ", c))
			putc(c, out);
		else
			fprintf(out, "%%%02X", (unsigned)c);
	fputs("\">\n", out);
	fclose(in);
}

void paper_page(FILE *out, const struct paper_experiment *e, const char *svg)
{
	dls__page_put(out, "<section id=%s><h3>%s</h3>\n<p class=seeds><code>dls-paper %s</code>", e->name, e->what, e->name);
	if (e->first > 0 && paper.seeds > 1)
		fprintf(out, ": %s over the seeds %llu to %llu", e->medians ? "medians" : "means", (unsigned long long)paper.first,
			(unsigned long long)(paper.first + paper.seeds - 1));
	else
		fputs(e->first > 0 ? ": one seed" : ": nothing is random", out);
	fprintf(out, ". Data: <a href=\"%s.csv\">table, CSV</a>, <a href=\"%s.json\">JSON</a>, <a href=\"%s.figures.csv\">ledger, "
		"CSV</a>.</p>\n", e->name, e->name, e->name);
	print_table(out);
	print_others(out);
	if (notes.n > 0)
		fputs("<ol class=notes>", out);
	for (size_t k = 0; k < notes.n; k++)
		dls__page_put(out, "<li>%s</li>", notes.why[k]);
	fputs(notes.n > 0 ? "</ol>\n" : "", out);
	if (notes.n > 0 && e->nearest)
		dls__page_put(out, "<p class=notes>Nearest: %s.</p>\n", e->nearest);
	if (e->note)
		dls__page_put(out, "<p class=note>%s</p>\n", e->note);
	print_picture(out, svg);
}
