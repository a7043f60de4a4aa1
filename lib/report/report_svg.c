/* report_svg.c - the pictures of a site's slowest execution: the chunks of each worker over time, the finishing times, and the sizes
 * of chunks.  Colours are Okabe's and Ito's, which also differ in lightness or pattern. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/report/page.h"
#include "lib/report/report.h"

enum {
	WIDTH = DLS__PICTURE_WIDTH, LEFT = DLS__PICTURE_LEFT, RIGHT = DLS__PICTURE_RIGHT, TOP = DLS__PICTURE_TOP,
	BOTTOM = DLS__PICTURE_BOTTOM, BOXES = 1000, MARKS = 1500,
};

/* The lanes of the workers, and the time below them. */
struct lanes {
	unsigned shown;
	double high, bottom;		/* of a lane; of all */
	struct dls__axis time;		/* ns */
	const struct dls__report_unit *unit;
};

static struct lanes lanes_of(const struct dls__slowest *s)
{
	struct lanes l = { .shown = s->workers < DLS__REPORT_SHOWN ? s->workers : DLS__REPORT_SHOWN };
	double wall = s->wall ? (double)s->wall : 1;

	l.high = l.shown <= 8 ? 24 : l.shown <= 24 ? 16 : 10;
	l.bottom = TOP + l.shown * l.high;
	l.unit = dls__report_unit(1e-9 * wall);
	l.time = (struct dls__axis){ 0, wall, LEFT, WIDTH - RIGHT, false };
	return l;
}

static double top_of(const struct lanes *l, unsigned worker)
{
	return TOP + worker * l->high;
}

static void begin_lanes(FILE *f, const struct lanes *l, const char *label, const char *right)
{
	dls__picture_begin(f, l->bottom + BOTTOM, label);
	fprintf(f, "<text x=\"%d\" y=\"18\" class=\"end\">worker</text><text x=\"%d\" y=\"18\">%s</text>\n", LEFT - 6,
		WIDTH - RIGHT + 8, right);
}

/* A worker's number at the left of its lane and a text at the right. */
static void label_lane(FILE *f, const struct lanes *l, unsigned worker, const char *right)
{
	double y = top_of(l, worker) + l->high / 2 + 4;
	const char *small = l->high < 12 ? " small" : "";

	fprintf(f, "<text class=\"end%s\" x=\"%d\" y=\"%.1f\">%u</text>"
		"<text class=\"start%s\" x=\"%d\" y=\"%.1f\">%s</text>\n", small, LEFT - 6, y, worker, small,
		WIDTH - RIGHT + 8, y, right);
}

static void end_lanes(FILE *f, const struct lanes *l)
{
	struct dls__axis a = l->time;

	a.to /= 1e9 * l->unit->seconds;
	dls__picture_end(f, l->bottom + 2, LEFT, &a, false, "time since the loop began, ", l->unit->utf8);
}

static void rectangle(FILE *f, const struct lanes *l, unsigned worker, const char *class, double from, double to)
{
	double x = dls__axis_place(&l->time, fmax(from, 0)), end = dls__axis_place(&l->time, fmin(to, l->time.to));

	fprintf(f, "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"", class, x,
		top_of(l, worker) + 1.5, fmax(end - x, 0.15), l->high - 3);
}

/* What a worker did from one time to another, in a path of all that did the same. */
static void box(FILE *f, const struct lanes *l, unsigned worker, double from, double to)
{
	double x = dls__axis_place(&l->time, fmax(from, 0));
	double width = fmax(dls__axis_place(&l->time, fmin(to, l->time.to)) - x, 0.15);

	fprintf(f, "M%.2f %.1fh%.2fv%.1fH%.2fz", x, top_of(l, worker) + 1.5, width, l->high - 3, x);
}

/* Every other one of a worker's chunks; neighbours are joined if they are more than a lane may show. */
static void draw_chunks(FILE *f, const struct lanes *l, const struct dls__slowest *s, unsigned worker,
			bool odd)
{
	const struct dls__log *log = &s->log[worker];
	unsigned group = dls__report_group(log, BOXES / l->shown);

	for (unsigned i = odd ? group : 0; i < log->used; i += 2 * group) {
		struct dls__chunk_span span;
		double begin = (double)s->begin;

		dls__report_joined(log, i, group, &span);
		box(f, l, worker, (double)span.began - begin, (double)span.ended - begin);
	}
}

/* All that workers did of one kind. */
enum kind { LATE, IDLE, DISPATCH, EVEN, ODD };

static void draw_kind(FILE *f, const struct lanes *l, const struct dls__slowest *s, enum kind kind)
{
	for (unsigned i = 0; i < l->shown; i++) {
		double came = (double)s->stay[i].came;

		if (kind == LATE)
			box(f, l, i, 0, l->time.to);
		else if (kind == IDLE && came <= l->time.to && !s->nowait)
			box(f, l, i, came, l->time.to);
		else if (kind == DISPATCH && s->log[i].used)
			box(f, l, i, came, (double)s->stay[i].left);
		else if (kind == EVEN || kind == ODD)
			draw_chunks(f, l, s, i, kind == ODD);
	}
}

/* Exact only if no chunks are joined: pauses between joined chunks count as busy. */
static double busy_of(const struct dls__log *log)
{
	double busy = 0;

	for (unsigned i = 0; i < log->used; i++)
		busy += (double)dls__clock_since(log->span[i].began, log->span[i].ended);
	return busy;
}

static void gantt(FILE *f, const struct dls__slowest *s, unsigned number)
{
	static const char *const class[] = { "late", "idle", "dispatch", "even", "odd" };
	struct lanes l = lanes_of(s);

	begin_lanes(f, &l, "Chunks of each worker over time", "busy");
	fprintf(f, "<defs><pattern id=\"idle%u\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
		"<path class=\"hatch\" d=\"M-1 7L7 -1M-1 1L1 -1M5 7L7 5\"/></pattern></defs>\n"
		"<g transform=\"translate(%d 8)\"><rect class=\"even\" width=\"9\" height=\"11\"/>"
		"<rect class=\"odd\" x=\"9\" width=\"9\" height=\"11\"/><text x=\"24\" y=\"10\">chunks</text>"
		"<rect class=\"dispatch\" x=\"86\" width=\"18\" height=\"11\"/><text x=\"110\" y=\"10\">dispatch</text>"
		"<rect class=\"idle\" fill=\"url(#idle%u)\" x=\"180\" width=\"18\" height=\"11\"/>"
		"<text x=\"204\" y=\"10\">idle</text>"
		"<rect class=\"late\" x=\"244\" width=\"18\" height=\"11\"/>"
		"<text x=\"268\" y=\"10\">not there</text></g>\n", number, LEFT, number);
	for (enum kind kind = LATE; kind <= ODD; kind++) {
		fprintf(f, "<path class=\"%s\"", class[kind]);
		if (kind == IDLE)
			fprintf(f, " fill=\"url(#idle%u)\"", number);
		fputs(" d=\"", f);
		draw_kind(f, &l, s, kind);
		fputs("\"/>\n", f);
	}
	for (unsigned i = 0; i < l.shown; i++) {
		const struct dls__log *log = &s->log[i];
		char busy[16] = "";

		if (log->every <= 1)
			snprintf(busy, sizeof(busy), "%.0f %%", 100 * busy_of(log) / l.time.to);
		label_lane(f, &l, i, busy);
	}
	end_lanes(f, &l);
	dls__report_timeline(f, s, &(struct dls__timeline){ l.shown, LEFT, WIDTH - RIGHT, TOP, l.high,
							    1e9 * l.unit->seconds });
}

static void finishing_times(FILE *f, const struct dls__slowest *s)
{
	struct lanes l = lanes_of(s);
	double mean = 0, at;
	char text[DLS__REPORT_TIME];

	for (unsigned i = 0; i < s->workers; i++)
		mean += (double)s->stay[i].left / s->workers;
	at = dls__axis_place(&l.time, mean);
	begin_lanes(f, &l, "Finishing time of each worker", "finished");
	for (unsigned i = 0; i < l.shown; i++) {
		rectangle(f, &l, i, "finish", 0, (double)s->stay[i].left);
		fputs("/>\n", f);
		label_lane(f, &l, i, dls__report_time(text, 1e-9 * (double)s->stay[i].left, true));
	}
	fprintf(f, "<path class=\"halo\" d=\"M%.1f %dV%.1f\"/><path class=\"mean\" d=\"M%.1f %dV%.1f\"/>"
		"<text x=\"%.1f\" y=\"18\" class=\"middle\">mean %s</text>\n", at, TOP - 3, l.bottom + 2, at, TOP - 3,
		l.bottom + 2, fmin(fmax(at, LEFT + 60), WIDTH - RIGHT - 60), dls__report_time(text, 1e-9 * mean, true));
	end_lanes(f, &l);
}

/* A span, drawn as chunks of its mean size. */
struct step {
	uint64_t began;
	double chunks, size;
};

static int by_begin(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return (x->began > y->began) - (x->began < y->began);
}

static size_t spans_of(const struct dls__slowest *s)
{
	size_t n = 0;

	for (unsigned i = 0; i < s->workers; i++)
		n += s->log[i].used;
	return n;
}

/* The marks: a dot for a chunk, or a line from the smallest to the largest of several that follow each other. */
static void draw_steps(FILE *f, const struct step *step, size_t n, const struct dls__axis *x, const struct dls__axis *y)
{
	size_t group = (n + MARKS - 1) / MARKS;
	double at = 1;

	fprintf(f, "<path class=\"%s\" d=\"", n < 150 ? "few marks" : "marks");
	for (size_t i = 0; i < n; i += group) {
		double chunks = 0, least = step[i].size, most = least;

		for (size_t j = i; j < n && j < i + group; j++) {
			chunks += step[j].chunks;
			least = fmin(least, step[j].size);
			most = fmax(most, step[j].size);
		}
		fprintf(f, "M%.1f %.1fV%.1f\n", dls__axis_place(x, at + (chunks - 1) / 2), dls__axis_place(y, least), dls__axis_place(y, most));
		at += chunks;
	}
	fputs("\"/>\n", f);
}

static void chunk_sizes(FILE *f, struct step *step, size_t n)
{
	double all = 0, least = step[0].size, most = least, bottom = 250;
	struct dls__axis x, y;

	qsort(step, n, sizeof(*step), by_begin);
	for (size_t i = 0; i < n; i++) {
		all += step[i].chunks;
		least = fmin(least, step[i].size);
		most = fmax(most, step[i].size);
	}
	x = (struct dls__axis){ 1, fmax(all, 2), LEFT + 8, WIDTH - RIGHT - 8, false };
	y = (struct dls__axis){ 0, most * 1.05, bottom - 6, TOP, false };
	if (most > 20 * least)
		y = (struct dls__axis){ pow(10, floor(log10(least))), pow(10, ceil(log10(most))), bottom - 6, TOP, true };
	dls__picture_begin(f, bottom + BOTTOM, "Chunk size against scheduling step");
	fprintf(f, "<text x=\"%d\" y=\"16\">iterations in a chunk%s</text>\n", LEFT - 30, y.log ? ", logarithmic" : "");
	dls__axis_ticks(f, &y, true, true);
	draw_steps(f, step, n, &x, &y);
	dls__picture_end(f, bottom, LEFT, &x, true, "scheduling step: chunks of all workers in the order in which they began", "");
}

void dls__report_pictures(FILE *f, const struct dls__report_site *site, unsigned number)
{
	const struct dls__slowest *s = &site->slowest;
	size_t n = spans_of(s), k = 0;
	struct step *step = n ? malloc(n * sizeof(*step)) : NULL;

	if (!step) {
		fputs("<p class=\"note\">There are no pictures: the chunks of no execution were kept.  They are if\n"
		      "DLS_REPORT names an HTML file when the program starts, or after dls_site_set_measured(), if the time\n"
		      "is not virtual and there is memory.</p>\n", f);
		return;
	}
	for (unsigned i = 0; i < s->workers; i++)
		for (unsigned j = 0; j < s->log[i].used; j++, k++) {
			struct dls__chunk_span span;
			double chunks = dls__report_joined(&s->log[i], j, 1, &span);

			step[k] = (struct step){ span.began, chunks, (double)span.n / chunks };
		}
	fputs("<figure class=\"timeline\">\n", f);
	gantt(f, s, number);
	fputs("<output></output>\n<figcaption><b>Chunks over time.</b>  A lane for each worker.  Neighbours\n"
	      "differ in lightness; where there are too many, one box stands for several and for the\n"
	      "dispatch between them.</figcaption>\n"
	      "</figure>\n<figure>\n", f);
	finishing_times(f, s);
	fputs("<figcaption><b>Finishing times.</b>  When each worker was told that nothing is left.  A perfect\n"
	      "balance would have them all end at the mean.</figcaption>\n</figure>\n<figure>\n", f);
	chunk_sizes(f, step, n);
	fputs("<figcaption><b>Chunk sizes.</b>  A dot is a chunk; a line is several in a row, from the smallest to\n"
	      "the largest.  Chunks too many to be kept one by one are drawn at their mean size.</figcaption>\n"
	      "</figure>\n", f);
	free(step);
}
