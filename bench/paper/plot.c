/* plot.c - dls-paper --plot: curves, bars and dots, from the table.
 *
 * Curves are drawn where x is a number; they join the points of one name alone, and are drawn side by side, so that each is
 * seen where several have the same values.  Otherwise each x, or row, has a line of its own, its name on the left.  The paper's figures are diamonds.  Where a figure has an interval over the seeds, it is drawn. */
#include "bench/paper/paper.h"

/* Of tool_plot_begin(): line types k and k + COLOURS have one colour. */
enum { COLOURS = 7, KINDS_MAX = 28, LABELS_MAX = 128, PANELS_MAX = 9, WIDTH = 960, HEIGHT = 600, LINE = 18,
       MARK = 1, MARKED = 24,	/* the mark and a row's number */
       CURVES = 6 };		/* of a lecture's picture, at most */

static FILE *plot;

/* A point: at x on a curve, or in the line of a label; NAN is none. */
static struct point {
	size_t panel, kind, label;
	double x, ours, low, high, theirs;
} *point;
static size_t points;
static bool own;	/* they are not those of the table */
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
	plot = tool_plot_begin("--plot", file);
}

static void say(const char *what, const char *text)
{
	fprintf(plot, "set %s ", what);
	tool_plot_text(plot, text);
	fputc('\n', plot);
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

/* Move a curve whose name ends so to a panel of its own, under the name without it. */
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

/* The x of all points, and by how much of their range a curve stands beside the one before. */
static struct {
	double least, most, step;
} across;

static double part_of_range(const struct paper_picture *p, double x)
{
	return p->log_x ? log(x / across.least) / log(across.most / across.least) : (x - across.least) / (across.most - across.least);
}

static double moved(const struct paper_picture *p, double x, double part)
{
	return p->log_x ? x * pow(across.most / across.least, part) : x + (across.most - across.least) * part;
}

/* Where a point of a curve is drawn. */
static double place(const struct paper_picture *p, size_t i)
{
	return moved(p, point[i].x, ((double)point[i].kind - ((double)kinds.n - 1) / 2) * across.step);
}

/* In a lecture's picture a curve has its name at its end, in its colour, below the one above it where two meet. */
static void label_curves(size_t panel)
{
	struct {
		size_t kind;
		double x, y;
	} end[CURVES], keep;
	double least = INFINITY, most = -INFINITY;
	size_t n = 0, longest = 0;

	for (size_t k = 0; k < kinds.n; k++) {
		fprintf(plot, "unset label %zu\n", k + 1);
		end[n].x = -INFINITY;
		for (size_t i = 0; i < points; i++) {
			if (!has(i, panel, k))
				continue;
			least = fmin(least, fmin(fmin(point[i].ours, point[i].theirs), point[i].low));
			most = fmax(most, fmax(fmax(point[i].ours, point[i].theirs), point[i].high));
			if (!isnan(point[i].ours) && point[i].x > end[n].x) {
				end[n].kind = k;
				end[n].x = point[i].x;
				end[n].y = point[i].ours;
			}
		}
		n += end[n].x > -INFINITY;
	}
	for (size_t i = 1; i < n; i++)
		for (size_t j = i; j > 0 && end[j].y > end[j - 1].y; j--) {
			keep = end[j];
			end[j] = end[j - 1];
			end[j - 1] = keep;
		}
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			end[i].y = fmin(end[i].y, end[i - 1].y - 0.07 * (most - least));
		fprintf(plot, "set label %zu ", end[i].kind + 1);
		tool_plot_text(plot, kinds.name[end[i].kind]);
		fprintf(plot, " at graph 1.015, first %.9g textcolor linetype %zu font ',%u'\n", end[i].y, end[i].kind + 1, tool_plot_type(14));
		longest = strlen(kinds.name[end[i].kind]) > longest ? strlen(kinds.name[end[i].kind]) : longest;
	}
	fprintf(plot, "unset key\nset rmargin %zu\n", longest + 2);
}

/* The curves of a panel. */
static void draw_curves(const struct paper_picture *p, size_t panel)
{
	const char *comma = "plot ";
	bool theirs = false;

	if (tool_lecture) {
		label_curves(panel);
		for (size_t i = 0; i < points; i++)
			theirs |= point[i].panel == panel && !isnan(point[i].theirs);
		if (theirs)
			fputs("set label 97 'diamonds: the paper' at graph 0.02,0.94\n", plot);
		theirs = false;
	}
	for (size_t k = 0; k < kinds.n; k++) {
		fprintf(plot, "$c%zu << end\n", k);
		for (size_t i = 0; i < points; i++)
			if (has(i, panel, k) && !isnan(point[i].ours))
				fprintf(plot, "%.9g %.9g %.9g %.9g\n", place(p, i), point[i].ours, between(i) ? point[i].low : point[i].ours,
					between(i) ? point[i].high : point[i].ours);
		fprintf(plot, "end\n$p%zu << end\n", k);
		for (size_t i = 0; i < points; i++)
			if (has(i, panel, k) && !isnan(point[i].theirs))
				fprintf(plot, "%.9g %.9g\n", place(p, i), point[i].theirs);
		fputs("end\n", plot);
	}
	for (size_t k = 0; k < kinds.n; k++) {
		size_t ours = 0, papers = 0, bars = 0;

		for (size_t i = 0; i < points; i++) {
			ours += has(i, panel, k) && !isnan(point[i].ours);
			bars += has(i, panel, k) && between(i);
			papers += has(i, panel, k) && !isnan(point[i].theirs);
		}
		if (ours > 0) {
			fprintf(plot, "%s$c%zu with %s linetype %zu pointsize 0.6 title ", comma, k,
				p->dots ? "points" : bars ? "yerrorlines" : "linespoints", k + 1);
			tool_plot_text(plot, kinds.name[k]);
			comma = ", ";
		}
		if (papers > 0) {
			fprintf(plot, "%s$p%zu with points linetype %zu pointtype 12 pointsize 1.3 linewidth 2 notitle", comma, k, k + 1);
			comma = ", ";
			theirs = true;
		}
	}
	if (theirs)	/* last in the key */
		fputs(", keyentry with points pointtype 12 pointsize 1.3 linewidth 2 linecolor rgb '#000000' title 'diamonds: the paper'", plot);
	fputc('\n', plot);
}

/* The lines of a panel that have points, numbered from its top. */
static size_t lines_of(size_t panel, size_t line[LABELS_MAX])
{
	size_t n = 0;

	for (size_t l = 0; l < labels.n; l++) {
		line[l] = LABELS_MAX;
		for (size_t i = 0; i < points && line[l] == LABELS_MAX; i++)
			if (point[i].panel == panel && point[i].label == l)
				line[l] = n++;
	}
	return n;
}

static void draw_lines(const struct paper_picture *p, size_t panel)
{
	size_t line[LABELS_MAX], n = lines_of(panel, line), papers = 0;
	double width = 0.8 / (double)kinds.n;

	fprintf(plot, "set yrange [%g:-0.5]\nset ytics (", (double)n - 0.5);
	for (size_t l = 0, comma = 0; l < labels.n; l++)
		if (line[l] < LABELS_MAX) {
			labels.name[l][strcspn(labels.name[l], (char[]){ MARK, 0 })] = 0;
			fputs(comma++ ? ", " : "", plot);
			tool_plot_text(plot, labels.name[l]);
			fprintf(plot, " %zu", line[l]);
		}
	fputs(")\nset style fill solid 0.75 noborder\n", plot);
	fputs(p->dots || p->log_y ? "set xrange [*:*]\n" : "set xrange [0:*]\n", plot);
	for (size_t k = 0; k < kinds.n; k++) {
		fprintf(plot, "$c%zu << end\n", k);
		for (size_t i = 0; i < points; i++)
			if (has(i, panel, k) && !isnan(point[i].ours)) {
				double y = (double)line[point[i].label] - 0.4 + ((double)k + 0.5) * width;

				fprintf(plot, "%.9g %.9g %.9g %.9g 0 %.9g %.9g %.9g\n", point[i].ours, y, between(i) ? point[i].low : point[i].ours,
					between(i) ? point[i].high : point[i].ours, point[i].ours, y - width / 2, y + width / 2);
			}
		fputs("end\n", plot);
	}
	fputs("$p << end\n", plot);
	for (size_t i = 0; i < points; i++)
		if (point[i].panel == panel && !isnan(point[i].theirs)) {
			fprintf(plot, "%.9g %.9g\n", point[i].theirs,
				(double)line[point[i].label] - 0.4 + ((double)point[i].kind + 0.5) * width);
			papers++;
		}
	fputs("end\n", plot);
	for (size_t k = 0; k < kinds.n; k++) {
		fprintf(plot, "%s$c%zu ", k ? ", " : "plot ", k);
		if (p->dots || p->log_y)
			fprintf(plot, "with points linetype %zu pointsize 0.8 title ", k + 1);
		else
			fprintf(plot, "using 1:2:5:6:7:8 with boxxyerror linetype %zu title ", k + 1);
		tool_plot_text(plot, kinds.n > 1 || papers > 0 ? kinds.name[k] : "");
		for (size_t i = 0; i < points; i++)
			if (has(i, panel, k) && between(i)) {
				fprintf(plot, ", $c%zu using 1:2:3:4 with xerrorbars linecolor rgb '#404040' dashtype 1 pointtype 0 notitle", k);
				break;
			}
	}
	if (papers > 0)
		fputs(", $p with points pointtype 12 pointsize 1.1 linewidth 2 linecolor rgb '#000000' title 'diamonds: the paper'", plot);
	fputc('\n', plot);
}

/* What the figures are, below the picture. */
static void draw_note(const struct paper_experiment *e)
{
	unsigned long long first = paper.first;
	const char *bars = "";
	char text[160] = "";

	for (size_t i = 0; i < points; i++)
		if (between(i))
			bars = e->picture.low ? "; bars: least to most" : "; bars: 95 % confidence intervals";
	if (e->first > 0 && (e->picture.first_seed || paper.seeds == 1))
		snprintf(text, sizeof(text), "seed %llu alone", first);
	else if (e->first > 0)
		snprintf(text, sizeof(text), "%s over the seeds %llu to %llu%s", e->medians ? "medians" : "means", first,
			 first + paper.seeds - 1, bars);
	if (left_out)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d curves of more", *text ? "; " : "", CURVES);
	fputs("set label 98 ", plot);
	tool_plot_text(plot, text);
	fprintf(plot, " at screen 0.995,%g right font ',%u'\n", panels.n > 1 ? 0.012 : 0.028, tool_plot_type(10));
}

/* A tic at each x of few, curves beside each other, and some room beside the first and the last. */
static void mark_x(const struct paper_picture *p)
{
	enum { MANY = 12 };
	const double most_step = 0.01, room = 0.04;
	double x[MANY], gap = 1;
	size_t n = 0;

	across.least = INFINITY;
	across.most = -INFINITY;
	across.step = 0;
	for (size_t i = 0; i < points; i++) {
		size_t k = 0;

		across.least = fmin(across.least, point[i].x);
		across.most = fmax(across.most, point[i].x);
		while (k < n && x[k] != point[i].x)
			k++;
		if (k == n && n < MANY)
			x[n] = point[i].x;
		n += k == n && n <= MANY;
	}
	if (n > MANY || across.least == across.most)
		return;
	for (size_t k = 0; k < n; k++) {
		fprintf(plot, "%s%.9g", k ? ", " : "set xtics (", x[k]);
		for (size_t l = 0; l < k; l++)
			gap = fmin(gap, fabs(part_of_range(p, x[k]) - part_of_range(p, x[l])));
	}
	across.step = fmin(most_step, gap / 2 / (double)kinds.n);
	fprintf(plot, ")\nset xrange [%.9g:%.9g]\n", moved(p, across.least, -room - across.step * (double)kinds.n / 2),
		moved(p, across.most, room + across.step * (double)kinds.n / 2));
}

/* The same range of y in both panels into which a picture is split: they are there to be compared. */
static void share_y(void)
{
	double least = INFINITY, most = -INFINITY, room;

	for (size_t i = 0; i < points; i++) {
		const double y[] = { point[i].ours, point[i].theirs, point[i].low, point[i].high };

		for (size_t k = 0; k < sizeof(y) / sizeof(*y); k++) {	/* without NAN */
			least = fmin(least, y[k]);
			most = fmax(most, y[k]);
		}
	}
	room = 0.03 * (most - least);
	fprintf(plot, "set yrange [%.9g:%.9g]\n", least - room, most + room);
}

static size_t highest(void)
{
	size_t most = 0, line[LABELS_MAX];

	for (size_t panel = 0; panel < panels.n; panel++) {
		size_t n = lines_of(panel, line);

		most = n > most ? n : most;
	}
	return most;
}

/* Panels beside each other, two or three a line. */
static void layout(const struct paper_picture *p, bool lines)
{
	size_t beside = panels.n < 3 ? panels.n : panels.n % 3 == 0 || panels.n > 4 ? 3 : 2, down = (panels.n + beside - 1) / beside;
	size_t of_line = kinds.n == 1 ? LINE : 6 + 9 * kinds.n;
	size_t longest = 0, wider;
	size_t height = lines ? 130 + of_line * highest() : panels.n > 1 ? 420 : HEIGHT;
	size_t width = lines && beside > 1 ? 520 * beside : beside > 2 ? 480 * beside : WIDTH + (beside > 1) * 140;

	for (size_t l = 0; l < labels.n && lines; l++) {
		size_t n = strcspn(labels.name[l], (char[]){ MARK, 0 });

		longest = n > longest ? n : longest;
	}
	wider = longest > 30 ? 7 * (longest - 30) * beside : 0;
	if (down * height < HEIGHT)
		height = HEIGHT / down;
	tool_plot_size(plot, (unsigned)(width + wider), (unsigned)(down * height));
	if (lines)
		fputs("set key above\n", plot);
	if (panels.n > 1) {
		/* The panels shrink at their lower ends, where the last line's leave room for the note. */
		fprintf(plot, "set key %s font ',%u' samplen 3\nset xtics rotate by -35 font ',%u'\n"
			"set multiplot layout %zu,%zu offset 0,%g scale 1,0.94 title ",
			lines ? "above" : "below", tool_plot_type(12), tool_plot_type(11), down, beside,
			0.03 / (double)down);
		tool_plot_text(plot, p->title);
		fputc('\n', plot);
	}
}

void paper_plot_end(const struct paper_experiment *e)
{
	const struct paper_picture *p = &e->picture;
	const struct paper_column *x = named(p->x), *y = paper_column(p->y, strcspn(p->y, " "));
	bool lines;

	if (!plot)
		return;
	if (!own)
		for (size_t r = 0; r < paper_rows.rows; r++)
			for (const char *names = p->y; *names && (y = next_column(&names));)
				add_cell(p, r, y);
	lines = points == 0 || isnan(point[0].x);
	draw_note(e);
	layout(p, lines);
	y = paper_column(p->y, strcspn(p->y, " "));
	say(lines ? "xlabel" : "ylabel", p->value ? p->value : y && !strchr(p->y, ' ') ? y->name : "");
	if (!lines)
		say("xlabel", x ? title(x) : p->x);
	if (!lines && panels.n > 1)	/* or the key below is drawn upon it */
		fputs("set xlabel offset 0,0.7\n", plot);
	fputs(!lines ? "set format x '%g'\nset errorbars 0.5\nset xtics norotate\n" : "set grid noytics xtics\n", plot);
	fputs(p->log_x && !lines ? "set logscale x\n" : p->log_y ? "set logscale x\n" : "", plot);
	if (!lines && !p->dots)
		mark_x(p);
	if (!lines && p->split)
		share_y();
	for (size_t panel = 0; panel < panels.n; panel++) {
		say("title", panels.n > 1 ? panels.name[panel] : p->title);
		if (lines)
			draw_lines(p, panel);
		else
			draw_curves(p, panel);
		fputs("unset label 98\nunset label 99\n", plot);
	}
	fputs(panels.n > 1 ? "unset multiplot\n" : "", plot);
	free(point);
	tool_plot_end(plot);
}
