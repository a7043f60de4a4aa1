/* svg.h - the kit of all pictures in SVG that tools draw: words, axes, rows of bars or points, curves with
 * their names.
 *
 * Every label's box is estimated by tool_svg_width(); nothing is placed by another measure.  There are no
 * legends: what is drawn has its name beside it.  Classes that all pictures have: paper, axis, grid, source,
 * end, known; c0 to c6, Okabe's and Ito's colours, which the colour-blind can tell apart. */
#ifndef TOOL_SVG_H
#define TOOL_SVG_H

#include "bench/tool/tool.h"
#include "lib/report/page.h"

enum { TOOL_SVG_COLOURS = 7 };

/* Draw a picture into `file`, and keep `bottom` below what is drawn; tool_svg_end() then writes the picture,
 * with the command that made it. */
struct tool_svg {
	FILE *file;
	char *text;
	double width, bottom;
};
void tool_svg_begin(struct tool_svg *svg, double width);
/* paper: its width on paper, "8.8cm", or NULL; style: CSS of the picture's own classes; dark: the same for
 * readers who prefer dark. */
void tool_svg_end(struct tool_svg *svg, FILE *out, const char *paper, const char *style, const char *dark);

double tool_svg_type(void);			/* the size of letters */
double tool_svg_width(const char *text);	/* of a text, estimated: as of DejaVu Sans, wider than most */
/* A text whose base line begins, has its "middle" or ends at x; drawn smaller if it is wider than `most`. */
void tool_svg_put(FILE *file, const char *class, const char *anchor, double x, double y, double most,
		  const char *text);

/* Words in lines from left to right, of which x, y is the next one's place. */
struct tool_svg_words {
	FILE *file;
	double left, right, x, y;
	const char *class;
};
/* A text, with a path of a class before it, from its upper left corner, or NULL; it goes to the next line
 * where it does not fit. */
void tool_svg_item(struct tool_svg_words *words, const char *class, const char *path, const char *text);
/* A text in as many lines as it needs. */
void tool_svg_text(struct tool_svg_words *words, const char *text);

/* Axes with their names: of x below its data, which end at `bottom`, with lines up to `top`; of y on the left
 * of it, its name above. at: where its ticks are; NULL: at 1, 2, 5.  Returns the y below the axis. */
double tool_svg_x(FILE *file, const struct dls__axis *x, double top, double bottom, const char *name,
		  const double *at, size_t n);
void tool_svg_y(FILE *file, const struct dls__axis *y, double left, double right, const char *name);
/* A diamond; hollow: what is below it is not seen through it. */
void tool_svg_diamond(FILE *file, bool hollow, unsigned colour, double x, double y);

/* A row: a bar from 0 or a point, with an interval, and a diamond; NAN: there is none.  A row whose heading
 * differs from the one before is below that. */
struct tool_svg_row {
	const char *name, *heading, *note;	/* heading, note on the right: "" or NULL: none */
	unsigned colour;
	double value, low, high, mark;
	bool hollow;
};
struct tool_svg_rows {
	const struct tool_svg_row *row;
	size_t rows;
	double left, right;		/* the edges: names, bars and notes are all between them */
	const char *title, *value;	/* above; below the axis */
	bool points, log;
	double dashed;			/* a line at this value */
};
/* Returns the y below them. */
double tool_svg_rows(FILE *file, const struct tool_svg_rows *rows, double top);

struct tool_svg_box {
	double left, top, right, bottom;
};
struct tool_svg_point {
	double x, y;
};
/* A line through points, and its name. */
struct tool_svg_curve {
	const char *label;
	unsigned colour;
	struct tool_svg_point *point;
	size_t points;
	bool begun;
	double from, low, high;		/* steps that are narrow, not yet drawn */
	struct tool_svg_box at;		/* of the label */
};
void tool_svg_point(struct tool_svg_curve *curve, double x, double y);
/* A step; those that are narrower than half a pixel together are a line from their highest to their lowest.
 */
void tool_svg_step(struct tool_svg_curve *curve, double left, double right, double y, bool last);
void tool_svg_path(FILE *file, const struct tool_svg_curve *curve);
/* Draw curves, each with its name: beside it, within 0, 0 and width, height, where it covers the least; or
 * right of the last point. */
void tool_svg_curves(FILE *file, struct tool_svg_curve *const *curve, size_t curves, double width,
		     double height, bool at_end);

#endif
