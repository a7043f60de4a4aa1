/* page_advice.c - advice on a page, and its pictures: what iterations cost by position, and what each schedule would take. */
#include <math.h>
#include <string.h>

#include "lib/report/page.h"
#include "lib/report/report.h"

enum { WIDTH = DLS__PICTURE_WIDTH, LEFT = DLS__PICTURE_LEFT, RIGHT = DLS__PICTURE_RIGHT, TOP = DLS__PICTURE_TOP };

static double cost(const struct dls__bar *b)
{
	return b->n > 0 ? b->time / b->n : 0;
}

/* Draw the costs; neighbouring bars are separated if there is room. */
static void costs(FILE *f, const struct dls__bars *c)
{
	double most = 0, least = INFINITY, bottom = 220, upto = 0;
	const struct dls__report_unit *unit;
	struct dls__axis x = { 0, 0, LEFT, WIDTH - RIGHT, false }, y;

	for (unsigned b = 0; b < c->bars; b++) {
		most = fmax(most, cost(&c->bar[b]));
		least = cost(&c->bar[b]) > 0 ? fmin(least, cost(&c->bar[b])) : least;
		x.to += c->bar[b].n;
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
	fputs("<path class=\"even\" d=\"", f);
	for (unsigned b = 0; b < c->bars; b++) {
		double from = dls__axis_place(&x, upto), to = dls__axis_place(&x, upto += c->bar[b].n);
		double top = dls__axis_place(&y, fmax(cost(&c->bar[b]) / unit->seconds, y.from));

		fprintf(f, "M%.1f %.1fV%.1fH%.1fV%.1fZ\n", from, bottom, top, to - from > 12 ? to - 1 : to, bottom);
	}
	fputs("\"/>\n", f);
	dls__picture_end(f, bottom, LEFT, &x, true, "iteration", "");
}

/* Sort the forecasts whose time is known into `order`; returns how many there are. */
static unsigned sorted(const struct dls__forecast *p, unsigned forecasts, const struct dls__forecast *order[DLS__FORECASTS])
{
	unsigned n = 0;

	for (unsigned i = 0; i < forecasts && i < DLS__FORECASTS; i++) {
		unsigned at = n;

		if (isnan(p[i].expected))
			continue;
		for (; at > 0 && order[at - 1]->expected > p[i].expected; at--)
			order[at] = order[at - 1];
		order[at] = &p[i];
		n++;
	}
	return n;
}

enum { BARS = 160, HIGH = 20, BEYOND = 4,	/* where bars begin; of one; longer ones are cut, in ideals */
       FEW = 3 };				/* so many bars that say the same are a line of words */
#define NEAR 1.01				/* of the best's time */

static void bar(FILE *f, const struct dls__forecast *p, const struct dls__axis *x, double ideal, double top)
{
	double ratio = p->expected / ideal, measured = p->measured / ideal;
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
		most = fmax(most, order[i]->expected / ideal);
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

void dls__page_advice(FILE *f, const struct dls__bars *c, const struct dls__advice *a)
{
	double work = 0;

	for (unsigned i = 0; i < a->lines; i++)
		dls__page_put(f, "<p class=\"reading\"><b>Advice:</b> %s</p>\n", a->line[i]);
	for (unsigned b = 0; c && b < c->bars; b++)
		work += c->bar[b].time;
	if (!(work > 0))
		return;
	fputs("<figure>\n", f);
	costs(f, c);
	fprintf(f, "<figcaption><b>Cost by position.</b>  What an iteration takes, by %.0f chunk%s in %llu execution%s.\n"
		"A bar is a chunk, or the mean of the chunks that begin in the same 64th of the loop; what differs\n"
		"within it was not measured.</figcaption>\n</figure>\n", c->chunks, c->chunks < 1.5 ? "" : "s",
		(unsigned long long)c->executions, c->executions == 1 ? "" : "s");
}

/* Whether a schedule is as good as the best, and there is no other reason to draw it. */
static bool folded(const struct dls__forecast *p, const struct dls__forecast *best)
{
	return p != best && p->expected < NEAR * best->expected && !p->now && !p->best;
}

/* The names of those that are as good as the best: they have no bars. */
static void name_folded(FILE *f, const struct dls__forecast *const *order, unsigned n)
{
	const char *before = "Within 1 % of the best, too: ";

	for (unsigned i = 0; i < n; i++)
		if (folded(order[i], order[0])) {
			dls__page_put(f, "%s<code>%s</code>", before, order[i]->schedule);
			before = ", ";
		}
	if (before[0] == ',')
		fputs(".\n", f);
}

void dls__page_forecasts(FILE *f, const struct dls__forecast *forecast, unsigned forecasts, double ideal, const char *title)
{
	const struct dls__forecast *order[DLS__FORECASTS];
	const struct dls__forecast *drawn[DLS__FORECASTS];
	unsigned n = sorted(forecast, forecasts, order), bar = 0, near = 0;

	if (n == 0 || !(ideal > 0))
		return;
	for (unsigned i = 0; i < n; i++)
		near += folded(order[i], order[0]);
	for (unsigned i = 0; i < n; i++)
		if (near < FEW || !folded(order[i], order[0]))
			drawn[bar++] = order[i];
	fputs("<figure>\n", f);
	bars(f, drawn, bar, ideal, title);
	dls__page_put(f, "<figcaption><b>%s.</b>  The loop's time as a multiple of the ideal, which is all iterations\n"
		      "spread perfectly at no cost: measured, with a dot, which has in it that workers came late; else predicted.\n", title);
	if (near >= FEW)
		name_folded(f, order, n);
	fputs("</figcaption>\n</figure>\n", f);
}
