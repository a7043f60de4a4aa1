/* page.c - an experiment as a part of a web page: its table, what is judged, its picture, and what it says. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* What is judged of a cell; NULL: nothing. */
static const struct paper_judged *judged(size_t row, size_t column)
{
	static struct paper_judged j;

	for (size_t k = 0; paper_judged(k, &j); k++)
		if (j.column == &paper_rows.column[column] && j.row == row)
			return &j;
	return NULL;
}

static void half_width(FILE *out, const struct paper_column *c, double half)
{
	const char *format = c->format + (*c->format == '=');

	if (half > 0) {
		fputs(" <small>&plusmn; ", out);
		fprintf(out, strcmp(format, "%.0f") == 0 ? "%.1f" : "%.2g", half);
		fputs("</small>", out);
	}
}

static void distance(FILE *out, double theirs, double ours)
{
	if (theirs != 0 && isfinite(theirs))
		fprintf(out, "<small>%+.1f&nbsp;%%</small>", 100 * (ours - theirs) / fabs(theirs));
}

static void print_cell(FILE *out, size_t row, size_t i)
{
	const struct paper_column *c = &paper_rows.column[i];
	const struct paper_judged *j = judged(row, i);
	char text[PAPER_TEXT];

	if (c->within > 0)
		dls__page_put(out, "<td class=theirs>%s</td>", paper_cell_text(row, i, true, true, text));
	dls__page_put(out, "<td class=%s>%s", !c->format ? "text" : !j ? "ours" : j->agrees ? "agrees" : "differs",
		      paper_cell_text(row, i, false, true, text));
	if (c->format)
		half_width(out, c, paper_cell(row, i, false)->half);
	if (j && j->by)
		fprintf(out, "<abbr title=\"calibrated by %s\">&deg;</abbr>", j->by);
	if (j && !j->agrees) {
		fputc(' ', out);
		distance(out, j->theirs, j->ours);
		refer(out, j->why ? j->why : "no reason is known");
	}
	fputs("</td>\n", out);
}

static void print_table(FILE *out)
{
	fputs("<div class=wide><table><thead><tr>", out);
	for (size_t i = 0; i < paper_rows.columns; i++)
		if (!paper_rows.column[i].data) {
			const struct paper_column *c = &paper_rows.column[i];

			if (c->within > 0)
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

static void print_range(FILE *out, const struct paper_judged *j)
{
	if (isnan(j->low))
		fputs("as before", out);
	else if (j->low == j->high)
		fprintf(out, "%.5g", j->low);
	else if (j->low == -INFINITY)
		fprintf(out, "&le; %.5g", j->high);
	else if (j->high == INFINITY)
		fprintf(out, "&ge; %.5g", j->low);
	else
		fprintf(out, "%.5g to %.5g", j->low, j->high);
}

/* Figures apart from the table. */
static void print_others(FILE *out)
{
	struct paper_judged j;

	if (!paper_judged(0, &j) || j.column)
		return;
	fputs("<table><thead><tr><th>other figures</th><th class=theirs>paper</th><th>it agrees at</th><th>here</th><th>distance</th>"
	      "</tr></thead><tbody>\n", out);
	for (size_t k = 0; paper_judged(k, &j) && !j.column; k++) {
		dls__page_put(out, "<tr><td class=text>%s</td><td class=theirs>", j.what);
		if (!isnan(j.theirs))
			fprintf(out, "%.5g", j.theirs);
		fputs("</td><td class=ours>", out);
		print_range(out, &j);
		fprintf(out, "</td><td class=%s>%.5g", isnan(j.low) ? "ours" : j.agrees ? "agrees" : "differs", j.ours);
		if (j.by)
			fprintf(out, "<abbr title=\"calibrated by %s\">&deg;</abbr>", j.by);
		if (!isnan(j.low) && !j.agrees)
			refer(out, j.why ? j.why : "no reason is known");
		fputs("</td><td class=ours>", out);
		distance(out, j.theirs, j.ours);
		fputs("</td></tr>\n", out);
	}
	fputs("</tbody></table>\n", out);
}

/* The constants by which figures are calibrated, each once. */
static void print_calibrations(FILE *out)
{
	struct paper_judged j, before;
	bool any = false;

	for (size_t k = 0; paper_judged(k, &j); k++) {
		size_t i = 0;

		while (i < k && paper_judged(i, &before) && (!before.by || !j.by || strcmp(before.by, j.by) != 0))
			i++;
		if (!j.by || i < k)
			continue;
		fprintf(out, "%s%s", any ? ", " : "<p class=notes>&deg; calibrated by ", j.by);
		any = true;
	}
	fputs(any ? ".</p>\n" : "", out);
}

static void print_picture(FILE *out, const char *svg)
{
	FILE *in = svg ? fopen(svg, "r") : NULL;
	int c;

	if (!in)
		return;
	fputs("<img alt=\"\" src=\"data:image/svg+xml,", out);
	while ((c = getc(in)) != EOF)
		if (isalnum(c) || strchr("-_.~!*(),;:=/ ", c))
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
		fputs(e->real_time ? ": one run in real time" : e->first > 0 ? ": one seed" : ": nothing is random", out);
	fprintf(out, ". Data: <a href=\"%s.csv\">table, CSV</a>, <a href=\"%s.json\">JSON</a>, <a href=\"%s.figures.csv\">figures "
		"judged, CSV</a>.</p>\n", e->name, e->name, e->name);
	print_table(out);
	print_others(out);
	print_calibrations(out);
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
