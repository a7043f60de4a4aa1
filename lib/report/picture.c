/* picture.c - parts that all pictures of a page share: size, axes, ticks. */
#include <math.h>

#include "lib/report/picture.h"

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

void dls__axis_ticks(FILE *f, const struct dls__axis *a, bool upright, bool whole)
{
	static const double nice[] = { 1, 2, 5, 10 };
	double rough = (a->to - a->from) / 6, power = pow(10, floor(log10(rough))), step = 10 * power;

	if (a->log) {
		for (power = a->from; power < 2 * a->to; power *= 10)
			tick(f, a, power, upright);
		return;
	}
	for (int i = 3; i >= 0; i--)
		if (nice[i] * power >= rough)
			step = nice[i] * power;
	if (whole && step < 1)
		step = 1;
	for (double k = ceil(a->from / step); k * step <= a->to * (1 + 1e-9); k++)
		tick(f, a, k * step, upright);
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
