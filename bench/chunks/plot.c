/* plot.c - dls-chunks --plot: chunk sizes by scheduling step in SVG, a panel for each family, behind it in grey all others.
 *
 * A panel has as many curves as there are colours; a family with more has several panels.  Schedules of a panel that deal the same
 * sizes are one curve.  Each curve is labelled beside it, where it covers the least. */
#include "chunks.h"
#include "lib/report/page.h"

enum { COLOURS = 7, LECTURE = 6, WIDTH = 980 };

static const struct {
	const char *name, *what;
} family_text[FAMILIES] = {
	[FIXED] = { "Fixed", "one size for all chunks" },
	[DECREASING] = { "Decreasing", "from one chunk to the next" },
	[FACTORING] = { "Factoring", "batches of equal chunks" },
	[WEIGHTED] = { "Weighted", "by speeds that are told" },
	[ADAPTIVE] = { "Adaptive", "by times that are measured" },
	[STEALING] = { "Stealing", "from one's own range, then others'" },
	[OTHER] = { "Other", "sizes in any order" },
};

/* Okabe and Ito's colours, the yellow darker; on dark paper lighter. */
static const char style[] =
	".c0{stroke:#0072b2}.c1{stroke:#d55e00}.c2{stroke:#009e73}.c3{stroke:#b0588d}.c4{stroke:#2f9fd8}.c5{stroke:#b87900}.c6{stroke:#6a5acd}"
	"text.c0{fill:#0072b2}text.c1{fill:#c04f00}text.c2{fill:#007d5b}text.c3{fill:#9c4479}text.c4{fill:#1b7fb3}text.c5{fill:#8f5e00}"
	"text.c6{fill:#5646bb}.curve{fill:none;stroke-width:2;stroke-linejoin:miter}.ghost{fill:none;stroke:#d2d2d2;stroke-width:1.2}"
	".wide .curve{stroke-width:3.5}text.on{stroke:#fff;stroke-width:4;paint-order:stroke;stroke-linejoin:round;font-weight:600}.name{font-weight:700}"
	".tip{fill:#fff;stroke-width:2}";
static const char dark[] =
	".c0{stroke:#5ab0ee}.c1{stroke:#ff8c42}.c2{stroke:#35cfa0}.c3{stroke:#e39cc8}.c4{stroke:#8fd3ff}.c5{stroke:#f0b840}.c6{stroke:#b0a4ff}"
	"text.c0{fill:#5ab0ee}text.c1{fill:#ff8c42}text.c2{fill:#35cfa0}text.c3{fill:#e39cc8}text.c4{fill:#8fd3ff}text.c5{fill:#f0b840}"
	"text.c6{fill:#b0a4ff}.ghost{stroke:#43474e}text.on{stroke:#16181c}.tip{fill:#16181c}";

struct point {
	float x, y;
};

/* A schedule's sizes as a line of steps, within a panel. */
struct curve {
	const struct row *row;
	const char *label;	/* of all schedules that deal the same, */
	unsigned unnamed;	/* ... but for so many */
	uint64_t hash;		/* of the sizes */
	struct point *point;
	size_t points;
	unsigned colour;
	struct point at;	/* the label's lower left corner */
};

static struct {
	double left, width, height;	/* of a panel's inside; left of it is the axis of sizes */
	unsigned columns;	/* of panels */
	double most_steps, most, least;
	bool log_steps;
} area;

static double x_of(double step)
{
	return area.width * (area.log_steps ? log(step) / log(area.most_steps) : (step - 1) / (area.most_steps - 1));
}

static double y_of(double size)
{
	return area.height * (1 - log(size / area.least) / log(area.most / area.least));
}

/* In tenths of a pixel, so that what is straight stays straight. */
static void add_point(struct curve *c, double x, double y)
{
	struct point p = { (float)(round(10 * x) / 10), (float)(round(10 * y) / 10) };

	if (c->points && memcmp(&c->point[c->points - 1], &p, sizeof(p)) == 0)
		return;
	c->point = tool_grow(c->point, c->points, sizeof(*c->point));
	c->point[c->points++] = p;
}

/* The steps of a schedule.  Chunks that are narrower than half a pixel together are a line from their smallest to their largest. */
static void draw_steps(struct curve *c)
{
	uint64_t done = 0;
	double from = 0, low = INFINITY, high = 0;
	struct walk walk;
	struct run run;

	c->hash = 14695981039346656037u;
	for (chunks_begin(&walk, c->row); chunks_next(&walk, &run); done += run.times) {
		double left = x_of((double)done + 1), right = x_of((double)done + (double)run.times + 1), y = y_of((double)run.size);

		c->hash = ((c->hash ^ run.size) * 1099511628211u ^ run.times) * 1099511628211u;
		if (right - from < 0.5 && done + run.times < c->row->chunks) {
			low = fmin(low, y);
			high = fmax(high, y);
			continue;
		}
		if (low <= high) {	/* those before this one */
			add_point(c, from, low);
			add_point(c, from, high);
			add_point(c, left, high);
		}
		add_point(c, left, y);
		add_point(c, right, y);
		from = right;
		low = INFINITY;
		high = 0;
	}
	chunks_end(&walk);
}

static void put_curve(FILE *f, const struct curve *c)
{
	for (size_t i = 0; i < c->points; i++)
		fprintf(f, "%c%.1f %.1f", i ? 'L' : 'M', (double)c->point[i].x, (double)c->point[i].y);
}

struct box {
	double left, top, right, bottom;
};

static double overlap(const struct box *a, const struct box *b)
{
	double wide = fmin(a->right, b->right) - fmax(a->left, b->left), high = fmin(a->bottom, b->bottom) - fmax(a->top, b->top);

	return wide > 0 && high > 0 ? wide * high : 0;
}

/* Length of a curve within a box; its parts go straight across or straight up. */
static double covered(const struct curve *c, const struct box *b)
{
	double length = 0;

	for (size_t i = 1; i < c->points; i++) {
		double x0 = (double)fminf(c->point[i - 1].x, c->point[i].x), x1 = (double)fmaxf(c->point[i - 1].x, c->point[i].x);
		double y0 = (double)fminf(c->point[i - 1].y, c->point[i].y), y1 = (double)fmaxf(c->point[i - 1].y, c->point[i].y);

		if (x1 < b->left || x0 > b->right || y1 < b->top || y0 > b->bottom)
			continue;
		length += fmin(x1, b->right) - fmax(x0, b->left) + fmin(y1, b->bottom) - fmax(y0, b->top);
	}
	return length;
}

static double width_of(const char *text)
{
	return 0.58 * tool_svg_type() * (double)strlen(text);
}

/* Put the labels of a panel's curves, one after the other, beside a point of theirs where they cover the least. */
static void place_labels(struct curve **curve, size_t curves)
{
	struct box placed[COLOURS];
	double high = tool_svg_type();

	for (size_t k = 0; k < curves; k++) {
		struct curve *c = curve[k];
		double best = INFINITY, wide = width_of(c->label);
		size_t stride = c->points / 200 + 1;

		for (size_t i = 0; i < 2 * c->points; i += stride)
			for (unsigned side = 0; side < 4; side++) {
				struct point p = c->point[i / 2], q = c->point[i / 2 + 1 < c->points && i % 2 ? i / 2 + 1 : i / 2];
				double x = (double)(p.x + q.x) / 2, y = (double)(p.y + q.y) / 2, cost = 0;
				struct box b = { .left = side % 2 ? x - wide - 6 : x + 6, .top = side / 2 ? y + 4 : y - high - 4 };

				b.right = b.left + wide;
				b.bottom = b.top + high;
				if (b.left < 2 || b.right > area.width || b.top < -4 || b.bottom > area.height)
					continue;
				for (size_t j = 0; j < k; j++)
					cost += 10 * overlap(&b, &placed[j]);
				for (size_t j = 0; j < curves; j++)
					cost += (j == k ? 2 : 5) * covered(curve[j], &b);
				cost += side + 0.02 * (b.left + b.top);	/* of equal places, above and on the left */
				if (cost < best) {
					best = cost;
					placed[k] = b;
				}
			}
		if (isinf(best))	/* nowhere within the panel */
			placed[k] = (struct box){ 2, 2 + (double)k * (high + 2), 2 + wide, 2 + (double)k * (high + 2) + high };
		c->at = (struct point){ (float)placed[k].left, (float)(placed[k].bottom - 0.15 * high) };
	}
}

/* Ticks of a logarithmic axis: powers of ten, not more than eight of them. */
static double decades(double from, double to)
{
	return pow(10, fmax(1, ceil((log10(to) - log10(from)) / 8)));
}

static void put_number(FILE *f, double value)
{
	if (value < 1e5)
		fprintf(f, "%.0f", value);
	else
		fprintf(f, "1e%.0f", log10(value));
}

static void put_axes(FILE *f, double type)
{
	double step = decades(area.least, area.most), high = area.height;

	for (double v = 1; v <= area.most; v *= step) {
		fprintf(f, "<path class=\"grid\" d=\"M0 %.1fh%.0f\"/><text x=\"-6\" y=\"%.1f\" text-anchor=\"end\">", y_of(v), area.width,
			y_of(v) + 0.35 * type);
		put_number(f, v);
		fputs("</text>\n", f);
	}
	step = area.log_steps ? decades(1, area.most_steps) : fmax(1, pow(10, floor(log10(area.most_steps))) / 2);
	while (!area.log_steps && area.most_steps / step > 8)
		step *= 2;
	for (double v = area.log_steps ? 1 : 0; v < area.most_steps; v = area.log_steps ? v * step : v + step) {
		double x = v < 1 ? 0 : x_of(v);

		fprintf(f, "<path class=\"axis\" d=\"M%.1f %.0fv4\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x, high, x,
			high + 6 + type);
		put_number(f, v < 1 ? 1 : v);
		fputs("</text>\n", f);
	}
	fprintf(f, "<path class=\"axis\" d=\"M0 %.0fh%.0f\"/><text x=\"%.0f\" y=\"%.1f\" text-anchor=\"middle\">chunk number</text>\n"
		"<text transform=\"translate(%.1f %.0f) rotate(-90)\" text-anchor=\"middle\">chunk size</text>\n", high, area.width,
		area.width / 2, high + 2.3 * type + 6, -3.9 * type, high / 2);
}

static void put_panel(FILE *f, enum family family, bool again, struct curve **curve, size_t curves, double x, double y)
{
	double type = tool_svg_type();

	place_labels(curve, curves);
	fprintf(f, "<g%s transform=\"translate(%.0f %.0f)\">\n<text x=\"0\" y=\"-10\"><tspan class=\"name\">%s</tspan>%s: %s</text>\n",
		tool_lecture ? " class=\"wide\"" : "", x, y, family_text[family].name, again ? ", more" : "", family_text[family].what);
	put_axes(f, type);
	fputs("<use href=\"#all\"/>\n", f);
	for (size_t k = 0; k < curves; k++) {
		fprintf(f, "<path class=\"curve c%u\" d=\"", curve[k]->colour);
		put_curve(f, curve[k]);
		fprintf(f, "\"/><circle class=\"c%u tip\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", curve[k]->colour,
			(double)curve[k]->point[curve[k]->points - 1].x, (double)curve[k]->point[curve[k]->points - 1].y);
	}
	for (size_t k = 0; k < curves; k++) {
		fprintf(f, "<text class=\"c%u on\" x=\"%.1f\" y=\"%.1f\">", curve[k]->colour, (double)curve[k]->at.x, (double)curve[k]->at.y);
		dls__page_put(f, "%s</text>\n", curve[k]->label);
	}
	fputs("</g>\n", f);
}

/* The curves of a family, those that are equal as one, with colours from that of `before` on; returns how many there are. */
static size_t curves_of(enum family family, const struct curve *all, size_t rows, size_t before, struct curve *curve)
{
	size_t n = 0;

	for (size_t i = 0; i < rows; i++) {
		size_t k = 0;

		if (all[i].row->family != family)
			continue;
		while (k < n && curve[k].hash != all[i].hash)
			k++;
		if (k == n) {
			curve[n++] = all[i];
			curve[k].label = all[i].row->label;
		} else {
			const char *both = tool_held_string("%s = %s", curve[k].label, all[i].row->label);
			bool fits = !curve[k].unnamed && width_of(both) < 0.7 * area.width;

			curve[k].unnamed += !fits;
			curve[k].label = fits ? both : curve[k].label;
		}
	}
	for (size_t k = 0; k < n; k++) {
		char more[32] = "";

		if (curve[k].unnamed)
			snprintf(more, sizeof(more), " = %u more", curve[k].unnamed);
		curve[k].label = tool_held_string("%s%s: %s%" PRIu64, curve[k].label, more, curve[k].row->endless ? ">" : "", curve[k].row->chunks);
		curve[k].colour = (unsigned)((before + k) % COLOURS);
	}
	return n;
}

/* Whether a lecture leaves out a schedule of more than six: it shows one of each of six families that runs as itself, with sizes of its
 * own. */
static bool passed_over(const struct curve *all, size_t n, const struct curve *c)
{
	bool over = c->row->family == OTHER || *c->row->missing;

	for (size_t i = 0; i < n; i++)
		over |= all[i].row->family == c->row->family || all[i].hash == c->hash;
	return over;
}

/* Make the curves of all rows that are shown; those that a lecture leaves out are named. */
static size_t make_curves(const struct row *row, size_t rows, struct curve *all)
{
	size_t n = 0, left = 0;

	for (size_t i = 0; i < rows; i++) {
		all[n] = (struct curve){ .row = &row[i] };
		draw_steps(&all[n]);
		if (tool_lecture && rows > LECTURE && passed_over(all, n, &all[n])) {
			free(all[n].point);
			fprintf(stderr, "%s%s", left++ ? ", " : "dls-chunks: --lecture shows at most six schedules, here without ",
				row[i].label);
			continue;
		}
		n++;
	}
	if (left)
		fputc('\n', stderr);
	return n;
}

/* The axes that all panels have; one that is alone is as wide as two. */
static void measure(const struct row *row, size_t rows)
{
	uint64_t fewest = UINT64_MAX, chunks = 1, largest = 1;

	area.columns = rows > COLOURS ? 2 : 1;
	for (size_t i = 0; i < rows; i++) {
		chunks = row[i].chunks > chunks ? row[i].chunks : chunks;
		fewest = row[i].chunks < fewest ? row[i].chunks : fewest;
		largest = row[i].largest > largest ? row[i].largest : largest;
		if (row[i].family != row->family)
			area.columns = 2;
	}
	area.left = 5 * tool_svg_type();
	area.width = (double)(WIDTH / area.columns) - area.left - 2 * tool_svg_type();
	area.height = tool_lecture ? 250 : 210;
	area.most_steps = (double)chunks + 1;
	/* ss beside static: in linear steps all but one of the lines would stand on the axis. */
	area.log_steps = chunks / 20 > fewest;
	area.least = 0.8;
	area.most = 1.5 * (double)largest;
}

/* What the picture is about; returns where the panels begin. */
static double put_head(FILE *f)
{
	struct tool_svg_words words = { f, 12, WIDTH - 12, 12, 1.6 * tool_svg_type() };
	char *loop = chunks_loop(), *second = strchr(loop, '\n');

	if (second)
		*second++ = 0;
	tool_svg_text(&words, loop);
	if (second)
		tool_svg_text(&words, second);
	tool_svg_text(&words, area.log_steps ? "Iterations of each chunk by its number, both logarithmic; after each name, how many chunks." :
		      "Iterations of each chunk, logarithmic, by its number; after each name, how many chunks.");
	if (area.columns > 1)
		tool_svg_text(&words, "Grey: the schedules of the other panels.");
	return words.y;
}

static size_t count_panels(const struct curve *all, size_t n, struct curve *curve)
{
	size_t panels = 0;

	for (enum family k = 0; k < FAMILIES; k++)
		panels += (curves_of(k, all, n, 0, curve) + COLOURS - 1) / COLOURS;
	return panels;
}

static void put_panels(FILE *f, const struct curve *all, size_t n, struct curve *curve, double top, double high)
{
	struct curve **list = tool_held(calloc(n, sizeof(*list)));
	size_t panels = 0, drawn = 0;

	for (enum family k = 0; k < FAMILIES; k++) {
		/* A lecture's curves, which are few, have a colour each. */
		size_t curves = curves_of(k, all, n, drawn, curve);

		drawn += tool_lecture ? curves : 0;
		for (size_t i = 0; i < curves; i++)
			list[i] = &curve[i];
		for (size_t i = 0; i < curves; i += COLOURS, panels++)
			put_panel(f, k, i > 0, list + i, curves - i < COLOURS ? curves - i : COLOURS,
				  area.left + (double)(panels % area.columns) * WIDTH / area.columns,
				  top + high * (double)(panels / area.columns) + 2 * tool_svg_type());
	}
}

void chunks_plot(const struct row *row, size_t rows, const char *file)
{
	FILE *f = tool_open("--plot", file, "w"), *head;
	struct curve *all = tool_held(calloc(rows, sizeof(*all))), *curve = tool_held(calloc(rows, sizeof(*curve)));
	double type = tool_svg_type(), high, top, bottom;
	char *text;
	size_t n;

	measure(row, rows);
	n = make_curves(row, rows, all);
	head = tool_text_open(&text);
	top = put_head(head);
	tool_text_close(head);
	high = area.height + 5.2 * type + 10;
	bottom = top + high * (double)((count_panels(all, n, curve) + area.columns - 1) / area.columns);
	tool_svg_begin(f, WIDTH, bottom + 2.5 * type, style, dark);
	fputs(text, f);
	fputs("<defs><g id=\"all\">\n", f);
	for (size_t i = 0; i < n; i++) {
		fputs("<path class=\"ghost\" d=\"", f);
		put_curve(f, &all[i]);
		fputs("\"/>\n", f);
	}
	fputs("</g></defs>\n", f);
	put_panels(f, all, n, curve, top, high);
	tool_svg_end(f, bottom + 1.5 * type);
	for (size_t i = 0; i < n; i++)
		free(all[i].point);
	free(text);
	tool_close("--plot", file, f);
}
