/* picture.c - parts that all pictures of a page share: size, axes, ticks. */
#include <math.h>

#include "lib/report/page.h"

enum { WIDTH = DLS__PICTURE_WIDTH, LEFT = DLS__PICTURE_LEFT, RIGHT = DLS__PICTURE_RIGHT };

double dls__axis_place(const struct dls__axis *a, double v)
{
	double part = a->log ? log(v / a->from) / log(a->to / a->from) : (v - a->from) / (a->to - a->from);

	return a->at_from + part * (a->at_to - a->at_from);
}

static void tick(FILE *f, const struct dls__axis *a, double v, bool upright)
{
	double at = dls__axis_place(a, v);

	if (upright)
		fprintf(f, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>"
			"<text class=\"end\" x=\"%d\" y=\"%.1f\">%g</text>\n", LEFT, at, WIDTH - RIGHT, LEFT - 6,
			at + 4, v);
	else
		fprintf(f, "<path class=\"axis\" d=\"M%.1f 0v5\"/>"
			"<text class=\"middle\" x=\"%.1f\" y=\"18\">%g</text>\n", at, at, v);
}

/* The smallest of 1, 2, 5, 10, ... that is at least `rough`. */
static double nice(double rough)
{
	double power = pow(10, floor(log10(rough) + 1e-9)), part = rough / power;

	return power * (part < 1 + 1e-9 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* The k-th of an axis whose ticks are not evenly spaced: powers of ten, not all of many, and 2 and 5 between
 * few. */
static bool log_tick(const struct dls__axis *a, unsigned most, unsigned k, double *v)
{
	static const double between[] = { 1, 2, 5 };
	double decades = log10(a->to / a->from), every = fmax(1, ceil(decades / most)),
	       power = floor(log10(a->from) + 1e-9);
	unsigned n = 3 * decades <= most ? 3 : 1, before = 0;

	for (unsigned j = 0; ; j++) {
		*v = pow(10, power + every * (j / n)) * between[j % n];
		if (*v >= a->from * (1 - 1e-9) && before++ == k)
			break;
	}
	return *v <= a->to * (1 + 1e-9);
}

bool dls__axis_tick(const struct dls__axis *a, unsigned most, bool whole, unsigned k, double *v)
{
	double step;

	if (a->log && a->to > 5 * a->from)
		return log_tick(a, most, k, v);
	step = nice((a->to - a->from) / most);
	step = whole ? fmax(step, 1) : step;
	*v = (ceil(a->from / step - 1e-9) + k) * step;
	return *v <= a->to + 1e-9 * step;
}

void dls__axis_ticks(FILE *f, const struct dls__axis *a, bool upright, bool whole)
{
	double v;

	for (unsigned k = 0; dls__axis_tick(a, 6, whole, k, &v); k++)
		tick(f, a, v, upright);
}

void dls__picture_begin(FILE *f, double height, const char *label)
{
	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" role=\"img\"\n"
		"aria-label=\"%s\">\n", WIDTH, height, label);
}

void dls__picture_end(FILE *f, double bottom, int left, const struct dls__axis *axis, bool whole, const char *name, const char *more)
{
	fprintf(f, "<g transform=\"translate(0 %.1f)\"><path class=\"axis\" d=\"M%d 0H%d\"/>\n", bottom, left, WIDTH - RIGHT);
	dls__axis_ticks(f, axis, false, whole);
	fprintf(f, "<text x=\"%d\" y=\"36\" class=\"middle\">%s%s</text></g>\n</svg>\n", (left + WIDTH - RIGHT) / 2, name, more);
}
