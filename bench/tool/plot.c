/* plot.c - the kit of pictures: axes, rows of bars or points, curves with their names. */
#include "bench/tool/svg.h"

/* 0.3, 20000, 2e6. */
static const char *number(char text[32], double v)
{
	double power = fabs(v) > 0 ? floor(log10(fabs(v)) + 1e-9) : 0;

	if (power < -4 || power > 4)
		snprintf(text, 32, "%.4ge%.0f", v / pow(10, power), power);
	else
		snprintf(text, 32, "%.6g", v);
	return text;
}

static bool tick(const struct dls__axis *a, unsigned most, const double *at, size_t n, unsigned k, double *v)
{
	if (!at)
		return dls__axis_tick(a, most, false, k, v);
	if (k < n)
		*v = at[k];
	return k < n;
}

double tool_svg_x(FILE *f, const struct dls__axis *x, double top, double bottom, const char *name,
		  const double *at, size_t n)
{
	double type = tool_svg_type(), wide = x->at_to - x->at_from, v, free_from = -INFINITY;
	char text[32];

	for (unsigned k = 0; tick(x, (unsigned)fmax(2, wide / (3.5 * type)), at, n, k, &v); k++) {
		double place = dls__axis_place(x, v), half = tool_svg_width(number(text, v)) / 2;

		fprintf(f,
			"<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/><path class=\"axis\" d=\"M%.1f %.1fv4\"/>",
			place, top, bottom, place, bottom);
		if (place - half < free_from)
			continue;
		tool_svg_put(f, NULL, "middle", place, bottom + 5 + type, INFINITY, text);
		free_from = place + half + type / 2;
	}
	fprintf(f, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>\n", x->at_from, bottom, x->at_to);
	if (*name)
		tool_svg_put(f, NULL, "middle", (x->at_from + x->at_to) / 2, bottom + 6 + 2.3 * type,
			     wide + 2 * type, name);
	return bottom + (*name ? 2.6 : 1.3) * type + 6;
}

void tool_svg_y(FILE *f, const struct dls__axis *y, double left, double right, const char *name)
{
	double type = tool_svg_type(), v;
	char text[32];

	for (unsigned k = 0;
	     dls__axis_tick(y, (unsigned)fmax(2, fabs(y->at_from - y->at_to) / (2.4 * type)), false, k, &v);
	     k++) {
		double place = dls__axis_place(y, v);

		fprintf(f, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", left, place, right);
		tool_svg_put(f, NULL, "end", left - 6, place + .35 * type, INFINITY, number(text, v));
	}
	tool_svg_put(f, NULL, NULL, left, y->at_to - .8 * type, right - left, name);
}

void tool_svg_diamond(FILE *f, bool hollow, unsigned colour, double x, double y)
{
	fprintf(f, "<path class=\"diamond%s c%u\" d=\"M%.1f %.1fl5 5l-5 5l-5-5z\"/>\n",
		hollow ? " hollow" : "", colour, x, y - 5);
}

/* The room that rows need, and their axis. */
struct layout {
	double names, notes, line;	/* widths; height of a row */
	bool above;			/* names are above their rows */
	bool coloured;
	struct dls__axis x;
};

static void find_range(const struct tool_svg_rows *r, struct dls__axis *x)
{
	double low = r->dashed > 0 ? r->dashed : INFINITY, high = r->dashed > 0 ? r->dashed : -INFINITY, room;

	for (size_t i = 0; i < r->rows; i++) {
		const double v[] = { r->row[i].value, r->row[i].low, r->row[i].high, r->row[i].mark };

		for (size_t k = 0; k < sizeof(v) / sizeof(*v); k++) {
			bool shown = !r->log || v[k] > 0;

			low = shown ? fmin(low, v[k]) : low;
			high = shown ? fmax(high, v[k]) : high;
		}
	}
	if (low > high)
		low = high = 1;
	room = high > low ? .06 * (high - low) : fmax(.1 * fabs(high), 1e-9);
	x->log = r->log;
	x->from = r->log ? low / 1.3 : r->points ? low - (low >= 0 ? fmin(room, low) : room) : fmin(0, low);
	x->to = r->log ? high * 1.3 : high + room;
}

static struct layout layout_of(const struct tool_svg_rows *r)
{
	double type = tool_svg_type(), wide = r->right - r->left;
	struct layout l = { .line = 1.35 * type, .notes = type };

	for (size_t i = 0; i < r->rows; i++) {
		const struct tool_svg_row *row = &r->row[i];

		l.names = fmax(l.names, tool_svg_width(row->name) + 8);
		l.notes = row->note ? fmax(l.notes, tool_svg_width(row->note) + 8) : l.notes;
		l.coloured |= row->colour != r->row->colour;
	}
	l.above = l.names > .45 * wide;
	l.names = l.above ? 4 : l.names;
	l.line *= l.above ? 2 : 1;
	find_range(r, &l.x);
	l.x.at_from = r->left + fmax(l.names, type);
	l.x.at_to = r->right - l.notes;
	return l;
}

static bool heads(const struct tool_svg_rows *r, size_t i)
{
	const char *heading = r->row[i].heading;

	return heading && *heading && (i == 0 || strcmp(heading, r->row[i - 1].heading) != 0);
}

/* A point beyond the axis, as 0 on a logarithmic one, is not drawn. */
static bool on_axis(const struct layout *l, double v)
{
	return !isnan(v) && (!l->x.log || v > 0);
}

static void put_row(FILE *f, const struct tool_svg_rows *r, const struct layout *l,
		    const struct tool_svg_row *row, double bottom)
{
	double type = tool_svg_type(), middle = bottom - .68 * type,
	       at = on_axis(l, row->value) ? dls__axis_place(&l->x, row->value) : 0;
	char class[16];

	snprintf(class, sizeof(class), "c%u on", row->colour);
	tool_svg_put(f, l->coloured ? class : NULL, l->above ? NULL : "end",
		     l->above ? r->left : l->x.at_from - 8,
		     l->above ? bottom - 1.5 * type : middle + .35 * type, r->right - r->left, row->name);
	if (on_axis(l, row->value) && !r->points)
		fprintf(f, "<path class=\"bar c%u\" d=\"M%.1f %.1fH%.1fv%.1fH%.1fz\"/>\n", row->colour,
			dls__axis_place(&l->x, 0), middle - .5 * type, at, type, dls__axis_place(&l->x, 0));
	if (on_axis(l, row->low) && on_axis(l, row->high))
		fprintf(f, "<path class=\"span%s c%u\" d=\"M%.1f %.1fH%.1fm0-3v6M%.1f %.1fv6\"/>\n",
			r->points ? " of" : "", row->colour, dls__axis_place(&l->x, row->low), middle,
			dls__axis_place(&l->x, row->high), dls__axis_place(&l->x, row->low), middle - 3);
	if (on_axis(l, row->value) && r->points)
		fprintf(f, "<circle class=\"point%s c%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
			row->hollow ? " hollow" : "", row->colour, at, middle);
	if (on_axis(l, row->mark))
		tool_svg_diamond(f, !r->points, 7, dls__axis_place(&l->x, row->mark), middle);
	if (row->note)
		tool_svg_put(f, NULL, "end", r->right, middle + .35 * type, l->notes, row->note);
}

double tool_svg_rows(FILE *f, const struct tool_svg_rows *r, double top)
{
	struct layout l = layout_of(r);
	double type = tool_svg_type(), y, bottom, below;
	struct tool_svg_words title = { f, r->left, r->right, r->left, top + type, "title" };

	if (*r->title)
		tool_svg_text(&title, r->title);
	y = bottom = *r->title ? title.y - .7 * type : top;
	for (size_t i = 0; i < r->rows; i++)
		bottom += (heads(r, i) ? 1.6 * type : 0) + l.line;
	below = tool_svg_x(f, &l.x, y, bottom + 2, r->value, NULL, 0);
	if (r->dashed > 0)
		fprintf(f, "<path class=\"known\" d=\"M%.1f %.1fV%.1f\"/>\n",
			dls__axis_place(&l.x, r->dashed), y, bottom + 2);
	for (size_t i = 0; i < r->rows; i++) {
		if (heads(r, i)) {
			y += 1.6 * type;
			tool_svg_put(f, "c7 on", NULL, r->left, y - .3 * type, r->right - r->left,
				     r->row[i].heading);
		}
		y += l.line;
		put_row(f, r, &l, &r->row[i], y);
	}
	return below;
}

void tool_svg_point(struct tool_svg_curve *c, double x, double y)
{
	/* In tenths of a pixel, so that what is straight stays straight. */
	x = round(10 * x) / 10;
	y = round(10 * y) / 10;
	if (c->points && !(fabs(c->point[c->points - 1].x - x) + fabs(c->point[c->points - 1].y - y) > .05))
		return;
	c->point = tool_grow(c->point, c->points, sizeof(*c->point));
	c->point[c->points].x = x;
	c->point[c->points++].y = y;
}

void tool_svg_step(struct tool_svg_curve *c, double left, double right, double y, bool last)
{
	if (!c->begun) {
		c->begun = true;
		c->from = left;
		c->low = INFINITY;
		c->high = -INFINITY;
	}
	if (right - c->from < .5 && !last) {
		c->low = fmin(c->low, y);
		c->high = fmax(c->high, y);
		return;
	}
	if (c->low <= c->high) {	/* those before this one */
		tool_svg_point(c, c->from, c->low);
		tool_svg_point(c, c->from, c->high);
		tool_svg_point(c, left, c->high);
	}
	tool_svg_point(c, left, y);
	tool_svg_point(c, right, y);
	c->from = right;
	c->low = INFINITY;
	c->high = -INFINITY;
}

void tool_svg_path(FILE *f, const struct tool_svg_curve *c)
{
	for (size_t i = 0; i < c->points; i++)
		fprintf(f, "%c%.1f %.1f", i ? 'L' : 'M', c->point[i].x, c->point[i].y);
}

static double overlap(const struct tool_svg_box *a, const struct tool_svg_box *b)
{
	double wide = fmin(a->right, b->right) - fmax(a->left, b->left),
	       high = fmin(a->bottom, b->bottom) - fmax(a->top, b->top);

	return wide > 0 && high > 0 ? wide * high : 0;
}

/* Narrow the part *from .. *to of a line, which is 0 .. 1 for all of it, to what lies between two limits in
 * one coordinate: there the line begins at `at` and ends at `at` + `by`.  *to < *from: no part does. */
static void clip(double at, double by, double least, double most, double *from, double *to)
{
	double a = (least - at) / by, b = (most - at) / by;

	if (fabs(by) > 0) {
		*from = fmax(*from, fmin(a, b));
		*to = fmin(*to, fmax(a, b));
	} else if (at < least || at > most) {
		*to = -1;
	}
}

/* Length of a curve within a box. */
static double covered(const struct tool_svg_curve *c, const struct tool_svg_box *b)
{
	double length = 0;

	for (size_t i = 1; i < c->points; i++) {
		double x = c->point[i - 1].x, y = c->point[i - 1].y, across = c->point[i].x - x,
		       down = c->point[i].y - y, from = 0, to = 1;

		if (fmax(x, x + across) < b->left || fmin(x, x + across) > b->right)
			continue;
		clip(x, across, b->left, b->right, &from, &to);
		clip(y, down, b->top, b->bottom, &from, &to);
		length += to > from ? (to - from) * hypot(across, down) : 0;
	}
	return length;
}

/* What a name of curve k costs at a box: what it covers of curves, and much more of names placed before. */
static double cost_of(struct tool_svg_curve *const *curve, size_t curves, size_t k,
		      const struct tool_svg_box *b)
{
	double cost = 0.02 * (b->left + b->top);	/* of equal places, above and on the left */

	for (size_t j = 0; j < k; j++)
		cost += 1000 * overlap(b, &curve[j]->at);
	for (size_t j = 0; j < curves; j++)
		cost += (j == k ? 2 : 5) * covered(curve[j], b);
	return cost;
}

/* Put the names, one after the other, beside a point of their curves where they cost the least. */
static void place_beside(struct tool_svg_curve *const *curve, size_t curves, double width, double height)
{
	enum { LEVELS = 7, MIDDLE = 3 };	/* above the point, at its height, below it */
	double high = tool_svg_type() + 1;

	for (size_t k = 0; k < curves; k++) {
		struct tool_svg_curve *c = curve[k];
		double best = INFINITY, wide = tool_svg_width(c->label);
		size_t stride = c->points / 200 + 1;

		c->at = (struct tool_svg_box){ 2, 2 + (double)k * high, 2 + wide,
					       2 + (double)(k + 1) * high }; /* there may be no place */
		for (size_t i = 0; i < 2 * c->points; i += stride)
			for (int side = 0; side < 2 * LEVELS; side++) {
				size_t next = i % 2 && i / 2 + 1 < c->points ? i / 2 + 1 : i / 2;
				double x = (c->point[i / 2].x + c->point[next].x) / 2,
				       y = (c->point[i / 2].y + c->point[next].y) / 2;
				int level = side / 2 - MIDDLE, down = level > 0 ? 1 : level < 0 ? -1 : 0;
				double left = side % 2 ? x - wide - 6 : x + 6,
				       middle = y + level * high + 3.5 * down - .5 * high * down;
				struct tool_svg_box b = { left, middle - high / 2, left + wide,
							  middle + high / 2 };
				double cost = cost_of(curve, curves, k, &b) + 10 * abs(level) + side % 2 +
					      (level > 0);

				if (b.left < 2 || b.right > width || b.top < -4 || b.bottom > height ||
				    cost >= best)
					continue;
				best = cost;
				c->at = b;
			}
	}
}

/* Put the names right of all curves, at the height of their last points or as near as the others leave room.
 */
static void place_at_end(struct tool_svg_curve *const *curve, size_t curves, double width, double height)
{
	double high = 1.25 * tool_svg_type(), below = height;
	struct tool_svg_curve *order[64];
	size_t n = 0;

	for (size_t k = 0; k < curves && n < 64; k++) {
		struct tool_svg_curve *c = curve[k];
		size_t at = n++;

		c->at.top = (c->points ? c->point[c->points - 1].y : 0) - high / 2;
		for (; at > 0 && order[at - 1]->at.top > c->at.top; at--)
			order[at] = order[at - 1];
		order[at] = c;
	}
	for (size_t k = 1; k < n; k++)
		order[k]->at.top = fmax(order[k]->at.top, order[k - 1]->at.top + high);
	for (size_t k = n; k-- > 0; below = order[k]->at.top) {
		struct tool_svg_box *at = &order[k]->at;

		at->top = fmin(at->top, below - high);
		*at = (struct tool_svg_box){ width + 10, at->top,
					     width + 10 + tool_svg_width(order[k]->label), at->top + high };
	}
}

void tool_svg_curves(FILE *f, struct tool_svg_curve *const *curve, size_t curves, double width, double height,
		     bool at_end)
{
	(at_end ? place_at_end : place_beside)(curve, curves, width, height);
	for (size_t k = 0; k < curves; k++) {
		const struct tool_svg_curve *c = curve[k];
		const struct tool_svg_point *end;

		if (!c->points)
			continue;
		fprintf(f, "<path class=\"curve c%u\" d=\"", c->colour);
		tool_svg_path(f, c);
		fputs("\"/>\n", f);
		end = &c->point[c->points - 1];
		if (at_end && *c->label)	/* from the curve's end to its name */
			fprintf(f,
				"<path class=\"span of c%u\" stroke-dasharray=\"1 2\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
				c->colour, end->x + 4, end->y, c->at.left - 2,
				(c->at.top + c->at.bottom) / 2);
		else if (!at_end)
			fprintf(f, "<circle class=\"point hollow c%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
				c->colour, end->x, end->y);
	}
	for (size_t k = 0; k < curves; k++) {
		char class[16];

		snprintf(class, sizeof(class), "c%u on", curve[k]->colour);
		if (*curve[k]->label)
			tool_svg_put(f, class, NULL, curve[k]->at.left,
				     curve[k]->at.bottom - .2 * tool_svg_type(), INFINITY, curve[k]->label);
	}
}
