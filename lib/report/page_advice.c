/* page_advice.c - advice on a page, and its pictures: what iterations cost by position, and what each schedule would take. */
#include <math.h>
#include <string.h>

#include "lib/report/page.h"
#include "lib/report/picture.h"
#include "lib/report/report.h"

enum { WIDTH = DLS__PICTURE_WIDTH, LEFT = DLS__PICTURE_LEFT, RIGHT = DLS__PICTURE_RIGHT, TOP = DLS__PICTURE_TOP };

static void costs(FILE *f, const struct dls__known *k)
{
	double most = 0, least = INFINITY, bottom = 220, width = k->n / DLS__BUCKETS;
	const struct dls__report_unit *unit;
	struct dls__axis x = { 0, k->n, LEFT, WIDTH - RIGHT, false }, y;

	for (unsigned b = 0; b < DLS__BUCKETS; b++) {
		most = fmax(most, k->time[b] / width);
		least = k->time[b] > 0 ? fmin(least, k->time[b] / width) : least;
	}
	unit = dls__report_unit(most);
	most /= unit->seconds;
	least /= unit->seconds;
	y = (struct dls__axis){ 0, 1.05 * most, bottom, TOP, false };
	if (most > 50 * least)
		y = (struct dls__axis){ pow(10, floor(log10(least))), pow(10, ceil(log10(most))), bottom, TOP, true };
	dls__picture_begin(f, bottom + DLS__PICTURE_BOTTOM, "Cost per iteration by position");
	fprintf(f, "<text x=\"%d\" y=\"16\">time per iteration, %s%s</text>\n", LEFT - 30, unit->utf8,
		y.log ? ", logarithmic" : "");
	dls__axis_ticks(f, &y, true, false);
	fprintf(f, "<path class=\"even\" d=\"M%d %.1f", LEFT, bottom);
	for (unsigned b = 0; b < DLS__BUCKETS; b++)
		fprintf(f, "\nV%.1fH%.1f", dls__axis_place(&y, fmax(k->time[b] / width / unit->seconds, y.from)),
			dls__axis_place(&x, (b + 1) * width));
	fprintf(f, "V%.1fZ\"/>\n", bottom);
	dls__picture_end(f, bottom, LEFT, &x, true, "iteration", "");
}

/* The same as in words: measured, else predicted; NAN: neither. */
static double time_of(const struct dls__forecast *p)
{
	return p->expected;
}

/* Sort the forecasts whose time is known into `order`; returns how many there are. */
static unsigned sorted(const struct dls__forecast *p, unsigned forecasts, const struct dls__forecast *order[DLS__FORECASTS])
{
	unsigned n = 0;

	for (unsigned i = 0; i < forecasts && i < DLS__FORECASTS; i++) {
		unsigned at = n;

		if (isnan(time_of(&p[i])))
			continue;
		for (; at > 0 && time_of(order[at - 1]) > time_of(&p[i]); at--)
			order[at] = order[at - 1];
		order[at] = &p[i];
		n++;
	}
	return n;
}

enum { BARS = 160, HIGH = 20, BEYOND = 4 };	/* where bars begin; of one; bars longer than so many ideals are cut */

static void bar(FILE *f, const struct dls__forecast *p, const struct dls__axis *x, double ideal, double top)
{
	double ratio = time_of(p) / ideal, measured = p->measured / ideal;
	char name[24];

	snprintf(name, sizeof(name), "%.20s%s", p->schedule, strlen(p->schedule) > 20 ? "..." : "");
	fprintf(f, "<text class=\"end%s\" x=\"%d\" y=\"%.1f\">", p->now || p->best ? " strong" : "", BARS - 8, top + HIGH / 2 + 4);
	dls__page_put(f, "%s</text>", name);
	fprintf(f, "<rect class=\"%s\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>", p->now ? "even" : "odd",
		BARS, top + 2, fmax(dls__axis_place(x, fmin(ratio, x->to)) - BARS, 0.1), HIGH - 4);
	if (!isnan(measured) && measured <= x->to)
		fprintf(f, "<circle class=\"finish\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>", dls__axis_place(x, measured),
			top + HIGH / 2.0);
	fprintf(f, "<text class=\"start\" x=\"%d\" y=\"%.1f\">%.*f%s</text>\n", WIDTH - RIGHT + 8, top + HIGH / 2.0 + 4,
		ratio < 9.995 ? 2 : 0, ratio, p->now ? ", in force" : p->best ? ", advised" : "");
}

static void bars(FILE *f, const struct dls__forecast *const *order, unsigned n, double ideal, const char *title)
{
	double bottom = TOP + n * HIGH + 4.0, most = 1;
	struct dls__axis x = { 0, 1, BARS, WIDTH - RIGHT, false };

	for (unsigned i = 0; i < n; i++)
		most = fmax(most, time_of(order[i]) / ideal);
	x.to = fmin(1.05 * most, BEYOND);
	dls__picture_begin(f, bottom + DLS__PICTURE_BOTTOM, title);
	fprintf(f, "<g transform=\"translate(%d 8)\"><rect class=\"odd\" width=\"18\" height=\"11\"/>"
		"<text x=\"24\" y=\"10\">predicted</text><rect class=\"even\" x=\"100\" width=\"18\" height=\"11\"/>"
		"<text x=\"124\" y=\"10\">in force</text><circle class=\"finish\" cx=\"205\" cy=\"6\" r=\"5\"/>"
		"<text x=\"216\" y=\"10\">measured</text></g>\n", BARS);
	for (unsigned i = 0; i < n; i++)
		bar(f, order[i], &x, ideal, TOP + i * HIGH);
	fprintf(f, "<path class=\"mean\" d=\"M%.1f %dV%.1f\"/>\n", dls__axis_place(&x, 1), TOP, bottom);
	dls__picture_end(f, bottom, BARS, &x, false, "multiple of the ideal time", 1.05 * most > BEYOND ? "; longer bars are cut" : "");
}

void dls__page_advice(FILE *f, const struct dls__known *k, const struct dls__advice *a)
{
	double work = 0;

	for (unsigned i = 0; i < a->lines; i++)
		dls__page_put(f, "<p class=\"reading\"><b>Advice:</b> %s</p>\n", a->line[i]);
	for (unsigned b = 0; k->time && b < DLS__BUCKETS; b++)
		work += k->time[b];
	if (!(work > 0))
		return;
	fputs("<figure>\n", f);
	costs(f, k);
	fputs("<figcaption><b>Cost by position.</b>  What an iteration takes, in the mean of each 64th of the loop and of its\n"
	      "executions.</figcaption>\n</figure>\n", f);
}

void dls__page_forecasts(FILE *f, const struct dls__forecast *forecast, unsigned forecasts, double ideal, const char *title)
{
	const struct dls__forecast *order[DLS__FORECASTS];
	unsigned n = sorted(forecast, forecasts, order);

	if (n == 0 || !(ideal > 0))
		return;
	fputs("<figure>\n", f);
	bars(f, order, n, ideal, title);
	dls__page_put(f, "<figcaption><b>%s.</b>  The loop's time as a multiple of the ideal, which is all iterations\n"
		      "spread perfectly at no cost: measured, with a dot, which has in it that workers came late; else predicted.\n"
		      "</figcaption>\n</figure>\n", title);
}
