/* plot.c - dls-paper --plot: curves, bars and dots, from the table.
 *
 * Curves are drawn where x is a number; they join the points of one name alone, and are drawn side by side,
 * so that each is seen where several have the same values.  Otherwise each x, or row, has a line for each
 * name.  The paper's figures are diamonds.  Where a figure has an interval over the seeds, it is drawn. */
#include "bench/paper/paper.h"
#include "bench/tool/svg.h"

enum { COLOURS = TOOL_SVG_COLOURS, KINDS_MAX = 28, LABELS_MAX = 128, PANELS_MAX = 9,
       MARK = 1, MARKED = 24,	/* the mark and a row's number */
       CURVES = 6,		/* of a lecture's picture, at most */
       ALONE = 620, BESIDE = 360, HEIGHT = 300, MARGIN = 8 };	/* of panels: widths, height */

static const char *plot;	/* the file */
static struct tool_svg svg;

/* A point: at x on a curve, or in the line of a label; NAN is none. */
static struct point {
	size_t panel, kind, label;
	double x, ours, low, high, theirs;
} *point;
static size_t points;
static bool own;	/* paper_point() has added points of ours: none are taken from the table */
static bool left_out;	/* curves of a lecture's picture */

/* Names, in the order in which they come. */
struct names {
	size_t n, most;
	char name[LABELS_MAX][112];
};
static struct names kinds = { .most = KINDS_MAX }, labels = { .most = LABELS_MAX }, panels = { .most = PANELS_MAX };

static size_t number_of(struct names *names, const char *name)
{
	size_t k = 0;

	while (k < names->n && strcmp(names->name[k], name) != 0)
		k++;
	if (k == names->n && k < names->most)
		snprintf(names->name[names->n++], sizeof(*names->name), "%s", name);
	return k;
}

void paper_plot_begin(const char *file)
{
	fclose(tool_open("--plot", file, "w"));	/* it is refused before anything runs */
	plot = file;
}

static void add(const char *panel, const char *kind, const char *label, const struct point *given)
{
	struct point p = *given;

	if (isnan(p.ours) && isnan(p.theirs))
		return;
	p.panel = number_of(&panels, panel);
	p.kind = number_of(&kinds, kind);
	p.label = number_of(&labels, label);
	if (p.panel == panels.most || p.kind == kinds.most || p.label == labels.most)
		return;
	if (tool_lecture && !isnan(p.x) && p.kind >= CURVES) {
		kinds.n = CURVES;
		left_out = true;
		return;
	}
	point = tool_need(realloc(point, (points + 1) * sizeof(*point)));
	point[points++] = p;
}

void paper_point(const char *panel, const char *kind, double x, double theirs, double ours)
{
	own |= !isnan(ours);
	if (plot)
		add(panel, kind, "", &(struct point){ .x = x, .ours = ours, .low = NAN, .high = NAN, .theirs = theirs });
}

static const struct paper_column *named(const char *name)
{
	return name ? paper_column(name, strlen(name)) : NULL;
}

static const struct paper_column *next_column(const char **names)
{
	size_t length = strcspn(*names, " ");
	const struct paper_column *c = paper_column(*names, length);

	*names += length + strspn(*names + length, " ");
	return c;
}

static const struct paper_cell *cell_of(size_t row, const struct paper_column *c, bool theirs)
{
	return paper_cell(row, (size_t)(c - paper_rows.column), theirs);
}

/* The number of a cell, also if it is a text; NAN: it is none. */
static double value_of(size_t row, const struct paper_column *c)
{
	const struct paper_cell *cell = cell_of(row, c, false);
	char *end;
	double value = c->format ? cell->value : strtod(cell->text, &end);

	return c->format || (end != cell->text && !*end) ? value : NAN;
}

static const char *title(const struct paper_column *c)
{
	return c->head && *c->head ? c->head : c->name;
}

/* A cell's text; a number follows its column's name. */
static void text_of(size_t row, const struct paper_column *c, char *text, size_t size)
{
	const struct paper_cell *cell = cell_of(row, c, false);
	double value = value_of(row, c);

	if (!isnan(value))
		snprintf(text, size, "%s %g", title(c), value);
	else
		snprintf(text, size, "%s", cell->text);
}

/* The panel of a curve: the second if its name ends in p->split, which is then cut off; else the first. */
static const char *split(const struct paper_picture *p, char *kind)
{
	size_t n = strlen(kind), tail = p->split ? strlen(p->split) : 0;

	if (!p->split)
		return "";
	if (n < tail || strcmp(kind + n - tail, p->split) != 0)
		return p->panel[0];
	kind[n - tail] = 0;
	return p->panel[1];
}

/* The limits of a cell, from the columns that the picture names or the seeds. */
static void limits(const struct paper_picture *p, size_t row, const struct paper_column *y, struct point *at)
{
	const struct paper_cell *cell = cell_of(row, y, false);
	const struct paper_column *low = named(p->low), *high = named(p->high);
	double half = paper_half(cell->deviation, paper.seeds);

	at->low = low ? value_of(row, low) : half > 0 ? cell->value - half : NAN;
	at->high = high ? value_of(row, high) : half > 0 ? cell->value + half : NAN;
}

/* The points of a row for one of the columns drawn. */
static void add_cell(const struct paper_picture *p, size_t row, const struct paper_column *y)
{
	const struct paper_column *x = named(p->x), *of = named(p->of), *by = named(p->by);
	struct point at = { .x = NAN, .ours = cell_of(row, y, false)->value, .theirs = NAN };
	char panel[112] = "", kind[112] = "here", label[128];

	if (y->kind > 0)
		at.theirs = cell_of(row, y, true)->value;
	limits(p, row, y, &at);
	if (p->beside && isnan(at.theirs))
		return;
	/* A line for each row, also if two have one name: behind the mark it is not printed. */
	paper_label(row, label, sizeof(label) - 8);
	snprintf(label + strlen(label), MARKED, "%c%zu", MARK, row);
	if (x) {
		at.x = value_of(row, x);
		text_of(row, x, label, sizeof(label));
	} else if (p->x) {
		at.x = atof(y->name);
	}
	if (of)
		text_of(row, of, kind, sizeof(kind));
	else if (strchr(p->y, ' '))
		snprintf(kind, sizeof(kind), "%s", title(y));
	if (by)
		text_of(row, by, panel, sizeof(panel));
	else
		snprintf(panel, sizeof(panel), "%s", split(p, kind));
	if (*panel && strncmp(label, panel, strlen(panel)) == 0 && label[strlen(panel)] == ',')
		memmove(label, label + strlen(panel) + 2, strlen(label + strlen(panel) + 2) + 1);
	add(panel, kind, label, &at);
}

static bool has(size_t i, size_t panel, size_t kind)
{
	return point[i].panel == panel && point[i].kind == kind;
}

static bool between(size_t i)
{
	return !isnan(point[i].low) && !isnan(point[i].high);
}

/* A panel, its place in the picture, and its title. */
struct place {
	size_t panel;
	double left, top, width;
	const char *title;
};

static double *figures_of(size_t i, double figure[4])
{
	figure[0] = point[i].ours;
	figure[1] = point[i].theirs;
	figure[2] = between(i) ? point[i].low : NAN;
	figure[3] = between(i) ? point[i].high : NAN;
	return figure;
}

/* The range of y: of one panel; or of both panels of a split picture, so that they can be compared. */
static struct dls__axis axis_of_y(const struct paper_picture *p, size_t panel)
{
	double least = INFINITY, most = -INFINITY, room, figure[4];

	for (size_t i = 0; i < points; i++)
		for (size_t k = 0; k < 4 && (p->split || point[i].panel == panel); k++) { /* without NAN */
			least = fmin(least, figures_of(i, figure)[k]);
			most = fmax(most, figure[k]);
		}
	room = most > least ? 0.04 * (most - least) : fmax(0.1 * fabs(most), 1e-9);
	return (struct dls__axis){ least - (least >= 0 ? fmin(room, least) : room), most + room, HEIGHT, 0,
				   false };
}

enum { TICKS = 12 };	/* an axis of so few x has a tick at each */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The axis of x, with room at its ends for curves side by side, which are `step` pixels apart. */
static struct dls__axis axis_of_x(const struct paper_picture *p, double width, double tick[TICKS],
				  size_t *ticks, double *step)
{
	struct dls__axis x = { INFINITY, -INFINITY, 0, width, p->log_x };
	double gap = width, room;

	*ticks = 0;
	for (size_t i = 0; i < points; i++) {
		size_t k = 0;

		x.from = fmin(x.from, point[i].x);
		x.to = fmax(x.to, point[i].x);
		while (k < *ticks && k < TICKS && (tick[k] < point[i].x || tick[k] > point[i].x))
			k++;
		if (k == *ticks && k < TICKS)
			tick[k] = point[i].x;
		*ticks += k == *ticks;
	}
	if (!(x.to > x.from))
		x.to = x.from + 1;
	qsort(tick, *ticks < TICKS ? *ticks : TICKS, sizeof(*tick), by_value);
	for (size_t k = 0; k < *ticks && *ticks <= TICKS; k++)
		for (size_t l = 0; l < k; l++)
			gap = fmin(gap, fabs(dls__axis_place(&x, tick[k]) - dls__axis_place(&x, tick[l])));
	*step = p->dots || *ticks > TICKS ? 0 : fmin(7, gap / 2 / (double)kinds.n);
	room = 6 + *step * (double)kinds.n / 2;
	x.at_from = room;
	x.at_to = width - room;
	return x;
}

/* Draw a point of a curve: the interval, our figure, the paper's figure. */
static void draw_point(size_t i, double x, const struct dls__axis *y)
{
	unsigned colour = (unsigned)(point[i].kind % COLOURS);

	if (between(i))
		fprintf(svg.file,
			"<path class=\"span of c%u\" d=\"M%.1f %.1fV%.1fm-2.5 0h5M%.1f %.1fh5\"/>\n", colour,
			x, dls__axis_place(y, point[i].low), dls__axis_place(y, point[i].high), x - 2.5,
			dls__axis_place(y, point[i].low));
	if (!isnan(point[i].ours))
		fprintf(svg.file, "<circle class=\"point c%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n", colour,
			x, dls__axis_place(y, point[i].ours));
	if (!isnan(point[i].theirs))
		tool_svg_diamond(svg.file, false, colour, x, dls__axis_place(y, point[i].theirs));
}

/* The points of a panel; returns how many curves there are. */
static size_t draw_points(const struct paper_picture *p, size_t panel, const struct dls__axis *x, double step,
			  struct tool_svg_curve *curve)
{
	struct dls__axis y = axis_of_y(p, panel);
	size_t n = 0;

	for (size_t k = 0; k < kinds.n; k++) {
		struct tool_svg_curve c = { .label = kinds.n > 1 ? kinds.name[k] : "",
					    .colour = (unsigned)(k % COLOURS) };

		for (size_t i = 0; i < points; i++) {
			double at = dls__axis_place(x, point[i].x) +
				    ((double)k - ((double)kinds.n - 1) / 2) * step;

			if (!has(i, panel, k))
				continue;
			draw_point(i, at, &y);
			if (p->dots)	/* the name is beside the last */
				c.points = 0;
			if (!isnan(point[i].ours))
				tool_svg_point(&c, at, dls__axis_place(&y, point[i].ours));
		}
		if (c.points)
			curve[n++] = c;
	}
	return n;
}

/* Returns the y below the panel. */
static double draw_curves(const struct paper_picture *p, const struct place *at, const char *x_name,
			  const char *y_name)
{
	struct tool_svg_curve curve[KINDS_MAX], *list[KINDS_MAX];
	double type = tool_svg_type(), left = 4.5 * type, names = type,
	       top = at->top + (*at->title ? 4.2 : 2.4) * type;
	double tick[TICKS], step, width;
	size_t n, ticks;
	struct dls__axis x, y = axis_of_y(p, at->panel);

	for (size_t k = 0; k < kinds.n && kinds.n > 1; k++)
		names = fmax(names, 14 + tool_svg_width(kinds.name[k]));
	width = at->width - left - names;
	x = axis_of_x(p, width, tick, &ticks, &step);
	if (*at->title)
		tool_svg_put(svg.file, "title", NULL, at->left, at->top + 1.6 * type, at->width, at->title);
	fprintf(svg.file, "<g transform=\"translate(%.0f %.0f)\">\n", at->left + left, top);
	tool_svg_y(svg.file, &y, 0, width, y_name);
	top += tool_svg_x(svg.file, &x, 0, HEIGHT, x_name, ticks > TICKS ? NULL : tick, ticks);
	n = draw_points(p, at->panel, &x, step, curve);
	for (size_t k = 0; k < n; k++)
		list[k] = &curve[k];
	tool_svg_curves(svg.file, list, n, width, HEIGHT, true);
	fputs("</g>\n", svg.file);
	for (size_t k = 0; k < n; k++)
		free(curve[k].point);
	return top;
}

static double draw_rows(const struct paper_picture *p, const struct place *at, const char *value)
{
	struct tool_svg_row *row = tool_held(calloc(points + 1, sizeof(*row)));
	size_t n = 0;

	for (size_t l = 0; l < labels.n; l++)
		for (size_t k = 0; k < kinds.n; k++)
			for (size_t i = 0; i < points; i++) {
				if (!has(i, at->panel, k) || point[i].label != l)
					continue;
				row[n++] = (struct tool_svg_row){
					.heading = kinds.n > 1 ? labels.name[l] : "",
					.name = kinds.n > 1 ? kinds.name[k] : labels.name[l],
					.colour = (unsigned)(k % COLOURS),
					.value = point[i].ours,
					.mark = point[i].theirs,
					.low = between(i) ? point[i].low : NAN,
					.high = between(i) ? point[i].high : NAN,
				};
			}
	return tool_svg_rows(svg.file,
			     &(struct tool_svg_rows){
				     .row = row,
				     .rows = n,
				     .left = at->left,
				     .right = at->left + at->width,
				     .title = at->title,
				     .value = value,
				     .points = p->dots || p->log_y,
				     .log = p->log_y,
				     .dashed = NAN,
			     },
			     at->top + tool_svg_type() / 2);
}

/* What the figures are, below the picture. */
static void draw_note(const struct paper_experiment *e)
{
	struct tool_svg_words note = { .file = svg.file, .left = MARGIN, .right = svg.width - MARGIN };
	unsigned long long first = paper.first;
	const char *bars = "";
	bool theirs = false;
	char text[240] = "";

	for (size_t i = 0; i < points; i++) {
		if (between(i))
			bars = e->picture.low ? "; intervals: least to most" : "; intervals: 95 % confidence";
		theirs |= !isnan(point[i].theirs);
	}
	if (e->first > 0 && (e->picture.first_seed || paper.seeds == 1))
		snprintf(text, sizeof(text), "Seed %llu alone", first);
	else if (e->first > 0)
		snprintf(text, sizeof(text), "%s over the seeds %llu to %llu%s",
			 e->medians ? "Medians" : "Means", first, first + paper.seeds - 1, bars);
	if (theirs)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s",
			 *text ? "; diamonds: the paper" : "Diamonds: the paper");
	if (left_out)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d curves of more", *text ? "; " : "", CURVES);
	note.y = svg.bottom + 1.6 * tool_svg_type();
	if (!*text)
		return;
	tool_svg_text(&note, text);
	svg.bottom = note.y - tool_svg_type();
}

/* Panels beside each other, two or three a line. */
static void draw_panels(const struct paper_experiment *e, bool rows)
{
	const struct paper_picture *p = &e->picture;
	const struct paper_column *x = named(p->x), *y = paper_column(p->y, strcspn(p->y, " "));
	size_t beside = panels.n < 3 ? panels.n : panels.n % 3 == 0 || panels.n > 4 ? 3 : 2;
	const char *value = p->value ? p->value : y && !strchr(p->y, ' ') ? y->name : "",
		   *name_of_x = p->x_value ? p->x_value : x ? title(x) : p->x;
	double width = beside > 1 ? BESIDE : ALONE, top;

	tool_svg_begin(&svg, MARGIN + (width + MARGIN) * (double)fmax(beside, 1));
	if (panels.n > 1) {
		tool_svg_put(svg.file, "title", NULL, MARGIN, 1.6 * tool_svg_type(), svg.width - 2 * MARGIN,
			     p->title);
		svg.bottom = 2.2 * tool_svg_type();
	}
	top = svg.bottom;
	for (size_t panel = 0; panel < panels.n; panel++) {
		struct place at = { panel, MARGIN + (double)(panel % beside) * (width + MARGIN), 0, width,
				    panels.name[panel] };

		if (panel % beside == 0)
			top = svg.bottom;
		at.top = top;
		at.title = panels.n > 1 ? panels.name[panel] : p->title;
		svg.bottom = fmax(svg.bottom, rows ? draw_rows(p, &at, value)
						   : draw_curves(p, &at, name_of_x, value));
	}
}

void paper_plot_end(const struct paper_experiment *e)
{
	const struct paper_picture *p = &e->picture;
	const struct paper_column *y;
	FILE *out;

	if (!plot)
		return;
	out = tool_open("--plot", plot, "w");
	if (!own)
		for (size_t r = 0; r < paper_rows.rows; r++)
			for (const char *names = p->y; *names && (y = next_column(&names));)
				add_cell(p, r, y);
	for (size_t l = 0; l < labels.n; l++)
		labels.name[l][strcspn(labels.name[l], (char[]){ MARK, 0 })] = 0;
	draw_panels(e, points == 0 || isnan(point[0].x));
	draw_note(e);
	free(point);
	tool_svg_end(&svg, out, NULL, "", "");
	tool_close("--plot", plot, out);
}
