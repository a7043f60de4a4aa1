/* plot.c - dls-chunks --plot: chunk sizes by scheduling step in SVG, a panel for each family, behind it in grey all others.
 *
 * A panel has as many curves as there are colours; a family with more has several panels.  Schedules of a panel that deal the same
 * sizes are one curve.  Each curve is labelled beside it, where it covers the least. */
#include "chunks.h"
#include "bench/tool/svg.h"

enum { COLOURS = TOOL_SVG_COLOURS, LECTURE = 6, WIDTH = 980 };

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

static const char style[] = ".ghost{fill:none;stroke:#d2d2d2;stroke-width:1.2}.wide .curve{stroke-width:3.5}";
static const char dark[] = ".ghost{stroke:#43474e}";

/* A schedule's sizes as a line of steps, within a panel. */
struct sizes {
	const struct row *row;
	struct tool_svg_curve line;	/* its label names the schedules that deal these sizes */
	unsigned unnamed;		/* how many of these the label has no room for */
	uint64_t hash;			/* of the sizes */
};

static struct {
	double left, width, height;	/* of a panel's inside; left of it is the axis of sizes */
	unsigned columns;	/* of panels */
	struct dls__axis steps, sizes;
} area;

/* The steps of a schedule. */
static void draw_steps(struct sizes *c)
{
	uint64_t done = 0;
	struct walk walk;
	struct run run;

	c->hash = 14695981039346656037u;
	for (chunks_begin(&walk, c->row); chunks_next(&walk, &run); done += run.times) {
		double first = (double)done + 1;

		c->hash = ((c->hash ^ run.size) * 1099511628211u ^ run.times) * 1099511628211u;
		tool_svg_step(&c->line, dls__axis_place(&area.steps, first),
			      dls__axis_place(&area.steps, first + (double)run.times),
			      dls__axis_place(&area.sizes, (double)run.size),
			      done + run.times >= c->row->chunks);
	}
	chunks_end(&walk);
}

static void put_panel(FILE *f, enum family family, bool again, struct tool_svg_curve *const *curve,
		      size_t curves, double x, double y)
{
	char *title = tool_string("%s%s: %s", family_text[family].name, again ? ", more" : "",
				  family_text[family].what);

	fprintf(f, "<g%s transform=\"translate(%.0f %.0f)\">\n", tool_lecture ? " class=\"wide\"" : "", x, y);
	tool_svg_put(f, "title", NULL, 0, -1.8 * tool_svg_type() - 8, area.width, title);
	free(title);
	tool_svg_y(f, &area.sizes, 0, area.width, "chunk size");
	tool_svg_x(f, &area.steps, area.height, area.height, "chunk number", NULL, 0);
	fputs("<use href=\"#all\"/>\n", f);
	tool_svg_curves(f, curve, curves, area.width, area.height, false);
	fputs("</g>\n", f);
}

/* Make a family's curves, one for schedules of equal sizes, in colours from `before` on; returns how many. */
static size_t curves_of(enum family family, const struct sizes *all, size_t rows, size_t before,
			struct sizes *curve)
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
			curve[k].line.label = all[i].row->label;
		} else {
			const char *both =
				tool_held_string("%s = %s", curve[k].line.label, all[i].row->label);
			bool fits = !curve[k].unnamed && tool_svg_width(both) < 0.7 * area.width;

			curve[k].unnamed += !fits;
			curve[k].line.label = fits ? both : curve[k].line.label;
		}
	}
	for (size_t k = 0; k < n; k++) {
		char more[32] = "";

		if (curve[k].unnamed)
			snprintf(more, sizeof(more), " = %u more", curve[k].unnamed);
		curve[k].line.label =
			tool_held_string("%s%s: %s%" PRIu64, curve[k].line.label, more,
					 curve[k].row->endless ? ">" : "", curve[k].row->chunks);
		curve[k].line.colour = (unsigned)((before + k) % COLOURS);
	}
	return n;
}

/* Whether a lecture, asked for more than six schedules, leaves out this one: it shows the first of each
 * family but OTHER, unless a fallback runs in its place or an earlier schedule deals the same sizes. */
static bool passed_over(const struct sizes *all, size_t n, const struct sizes *c)
{
	bool over = c->row->family == OTHER || *c->row->missing;

	for (size_t i = 0; i < n; i++)
		over |= all[i].row->family == c->row->family || all[i].hash == c->hash;
	return over;
}

/* Make the curves of all rows that are shown; those that a lecture leaves out are named. */
static size_t make_curves(const struct row *row, size_t rows, struct sizes *all)
{
	size_t n = 0, left = 0;

	for (size_t i = 0; i < rows; i++) {
		all[n] = (struct sizes){ .row = &row[i] };
		draw_steps(&all[n]);
		if (tool_lecture && rows > LECTURE && passed_over(all, n, &all[n])) {
			free(all[n].line.point);
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
	/* ss beside static: in linear steps all but one of the lines would stand on the axis. */
	area.steps = (struct dls__axis){ 1, (double)chunks + 1, 0, area.width, chunks / 20 > fewest };
	area.sizes = (struct dls__axis){ .8, 1.5 * (double)largest, area.height, 0, true };
}

/* What the picture is about; returns where the panels begin. */
static double put_head(FILE *f)
{
	struct tool_svg_words words = { f, 12, WIDTH - 12, 12, 1.6 * tool_svg_type(), NULL };
	char *loop = chunks_loop(), *second = strchr(loop, '\n');

	if (second)
		*second++ = 0;
	tool_svg_text(&words, loop);
	if (second)
		tool_svg_text(&words, second);
	tool_svg_text(
		&words,
		area.steps.log
			? "Iterations of each chunk by its number, both logarithmic; after each name, how many chunks."
			: "Iterations of each chunk, logarithmic, by its number; after each name, how many chunks.");
	if (area.columns > 1)
		tool_svg_text(&words, "Grey: the schedules of the other panels.");
	return words.y;
}

static size_t count_panels(const struct sizes *all, size_t n, struct sizes *curve)
{
	size_t panels = 0;

	for (enum family k = 0; k < FAMILIES; k++)
		panels += (curves_of(k, all, n, 0, curve) + COLOURS - 1) / COLOURS;
	return panels;
}

static void put_panels(FILE *f, const struct sizes *all, size_t n, struct sizes *curve, double top,
		       double high)
{
	struct tool_svg_curve **list = tool_held(calloc(n, sizeof(*list)));
	size_t panels = 0, drawn = 0;

	for (enum family k = 0; k < FAMILIES; k++) {
		/* A lecture's curves, which are few, have a colour each. */
		size_t curves = curves_of(k, all, n, drawn, curve);

		drawn += tool_lecture ? curves : 0;
		for (size_t i = 0; i < curves; i++)
			list[i] = &curve[i].line;
		for (size_t i = 0; i < curves; i += COLOURS, panels++)
			put_panel(f, k, i > 0, list + i, curves - i < COLOURS ? curves - i : COLOURS,
				  area.left + (double)(panels % area.columns) * WIDTH / area.columns,
				  top + high * (double)(panels / area.columns) + 4 * tool_svg_type());
	}
}

void chunks_plot(const struct row *row, size_t rows, const char *file)
{
	FILE *f = tool_open("--plot", file, "w");
	struct sizes *all = tool_held(calloc(rows, sizeof(*all))),
		     *curve = tool_held(calloc(rows, sizeof(*curve)));
	double high, top;
	struct tool_svg svg;
	size_t n;

	measure(row, rows);
	n = make_curves(row, rows, all);
	tool_svg_begin(&svg, WIDTH);
	top = put_head(svg.file);
	high = area.height + 7.2 * tool_svg_type() + 10;
	svg.bottom = top + high * (double)((count_panels(all, n, curve) + area.columns - 1) / area.columns);
	fputs("<defs><g id=\"all\">\n", svg.file);
	for (size_t i = 0; i < n; i++) {
		fputs("<path class=\"ghost\" d=\"", svg.file);
		tool_svg_path(svg.file, &all[i].line);
		fputs("\"/>\n", svg.file);
	}
	fputs("</g></defs>\n", svg.file);
	put_panels(svg.file, all, n, curve, top, high);
	tool_svg_end(&svg, f, NULL, style, dark);
	for (size_t i = 0; i < n; i++)
		free(all[i].line.point);
	tool_close("--plot", file, f);
}
