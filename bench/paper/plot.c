/* plot.c - dls-paper --plot: curves and bars, from the table. */
#include <stdlib.h>
#include <string.h>

#include "bench/paper/paper.h"

/* Of tool_plot_begin(): line types k and k + COLOURS have one colour. */
enum { COLOURS = 7, KINDS_MAX = 28 };

static FILE *plot;

/* A point: at x on a curve, or in the group of bars named by the label. */
static struct point {
	char label[128];
	double x, y;
	size_t kind;
} *point;
static size_t points, kinds;
static char kind_name[KINDS_MAX][96];

void paper_plot_begin(const char *file)
{
	plot = tool_plot_begin("--plot", file);
}

static void say(const char *what, const char *text)
{
	fprintf(plot, "set %s ", what);
	tool_plot_text(plot, text);
	fputc('\n', plot);
}

static void add(const char *kind, const char *label, double x, double y)
{
	struct point *p;
	size_t k = 0;

	while (k < kinds && strcmp(kind_name[k], kind) != 0)
		k++;
	if (isnan(y) || k == KINDS_MAX)
		return;
	if (k == kinds)
		snprintf(kind_name[kinds++], sizeof(*kind_name), "%s", kind);
	point = tool_need(realloc(point, (points + 1) * sizeof(*point)));
	p = &point[points++];
	*p = (struct point){ .x = x, .y = y, .kind = k };
	snprintf(p->label, sizeof(p->label), "%s", label);
}

void paper_point(const char *curve, double x, double y)
{
	if (plot)
		add(curve, "", x, y);
}

static const struct paper_column *next_column(const char **names)
{
	size_t length = strcspn(*names, " ");
	const struct paper_column *c = paper_column(*names, length);

	*names += length + strspn(*names + length, " ");
	return c;
}

/* The number of a cell, also if it is a text; NAN: it is none. */
static double value_of(size_t row, const struct paper_column *c)
{
	const struct paper_cell *cell = paper_cell(row, (size_t)(c - paper_rows.column), false);
	char *end;
	double value = c->format ? cell->value : strtod(cell->text, &end);

	return c->format || (end != cell->text && !*end) ? value : NAN;
}

static const char *text_of(size_t row, const struct paper_column *c)
{
	return paper_cell(row, (size_t)(c - paper_rows.column), false)->text;
}

static const char *title(const struct paper_column *c)
{
	return c->head && *c->head ? c->head : c->name;
}

/* The points of a row for one of the columns drawn. */
static void add_cell(const struct paper_picture *p, size_t row, const struct paper_column *y, const struct paper_column *x,
		     const struct paper_column *of)
{
	size_t c = (size_t)(y - paper_rows.column);
	double at = x ? value_of(row, x) : NAN, ours = paper_cell(row, c, false)->value;
	char label[128];

	paper_label(row, label, sizeof(label));
	if (x)
		snprintf(label, sizeof(label), "%s", text_of(row, x));
	if (of || !(y->within > 0)) {
		add(of ? text_of(row, of) : title(y), label, at, ours);
		return;
	}
	if (strchr(p->y, ' '))
		snprintf(label + strlen(label), sizeof(label) - strlen(label), ": %s", title(y));
	add("paper", label, at, paper_cell(row, c, true)->value);
	add("here", label, at, ours);
}

static void draw_curves(const struct paper_picture *p)
{
	fputs("set format x '%g'\n", plot);
	if (p->log_x)
		fputs("set logscale x\n", plot);
	for (size_t k = 0; k < kinds; k++) {
		fprintf(plot, "$curve%zu << end\n", k);
		for (size_t i = 0; i < points; i++)
			if (point[i].kind == k)
				fprintf(plot, "%.9g %.9g\n", point[i].x, point[i].y);
		fputs("end\n", plot);
	}
	for (size_t k = 0; k < kinds; k++) {
		size_t type = p->colours ? k % p->colours + k / p->colours * COLOURS : k;

		fprintf(plot, "%s$curve%zu with linespoints linetype %zu pointsize 0.6 title ", k ? ", " : "plot ", k, type + 1);
		tool_plot_text(plot, kind_name[k]);
	}
	fputc('\n', plot);
}

static bool seen(size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (strcmp(point[j].label, point[i].label) == 0)
			return true;
	return false;
}

static void draw_bars(void)
{
	fputs("set style data histograms\nset style fill solid 0.8 border\nset yrange [0:*]\nset xtics rotate by -60\n"
	      "$bars << end\n", plot);
	for (size_t i = 0; i < points; i++) {
		if (seen(i))
			continue;
		fprintf(plot, "\"%s\"", point[i].label);
		for (size_t k = 0, j; k < kinds; k++) {
			for (j = i; j < points && (point[j].kind != k || strcmp(point[j].label, point[i].label) != 0); j++)
				;
			if (j < points)
				fprintf(plot, " %.9g", point[j].y);
			else
				fputs(" ?", plot);
		}
		fputc('\n', plot);
	}
	fputs("end\nset datafile missing '?'\n", plot);
	for (size_t k = 0; k < kinds; k++) {
		fprintf(plot, "%s$bars using %zu%s title ", k ? ", " : "plot ", k + 2, k ? "" : ":xtic(1)");
		tool_plot_text(plot, kind_name[k]);
	}
	fputc('\n', plot);
}

void paper_plot_end(const struct paper_picture *p)
{
	const struct paper_column *x = p->x ? paper_column(p->x, strlen(p->x)) : NULL;
	const struct paper_column *of = p->of ? paper_column(p->of, strlen(p->of)) : NULL;
	const struct paper_column *y = paper_column(p->y, strcspn(p->y, " "));

	if (!plot)
		return;
	say("title", p->title);
	say("ylabel", y && !strchr(p->y, ' ') ? title(y) : "");
	if (points == 0)
		for (size_t r = 0; r < paper_rows.rows; r++)
			for (const char *names = p->y; *names && (y = next_column(&names));)
				add_cell(p, r, y, x, of);
	if (points > 0 && !isnan(point[0].x)) {
		say("xlabel", x ? title(x) : p->x);
		draw_curves(p);
	} else {
		draw_bars();
	}
	free(point);
	tool_plot_end(plot);
}
