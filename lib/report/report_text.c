/* report_text.c - the report for a terminal: a block for each site. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/report/report.h"

typedef unsigned long long count;

struct times {
	char text[5][DLS__REPORT_TIME];
};

static void write_rans(FILE *f, const struct dls__report_site *site)
{
	for (unsigned i = 0; i < site->rans; i++) {
		const struct dls__report_schedule *r = &site->ran[i];

		fprintf(f, "  %-12s%s", i ? "" : "schedule", r->asked);
		if (!r->why && r->under != r->asked)	/* auto's choice */
			fprintf(f, ": %s", r->under);
		if (site->rans > 1)
			fprintf(f, ", in %llu of %llu", (count)r->executions, (count)site->stats.measured);
		if (r->why)
			fprintf(f, "\n  %-12s%s ran: %s %s", "", r->calc, r->asked, r->why);
		putc('\n', f);
	}
}

/* Write words from column `indent` on; lines are broken between words. */
static void write_words(FILE *f, int indent, const char *text)
{
	enum { WIDTH = 98 };
	int column = indent;

	for (const char *word = text; *word;) {
		int length = (int)strcspn(word, " ");

		if (column > indent && column + 1 + length > WIDTH)
			column = fprintf(f, "\n%*s", indent, "") - 1;
		column += fprintf(f, "%s%.*s", column > indent ? " " : "", length, word);
		word += length;
		word += strspn(word, " ");
	}
	putc('\n', f);
}

static void write_wrapped(FILE *f, const char *name, const char *text)
{
	write_words(f, fprintf(f, "  %-12s", name), text);
}

static void write_verdict(FILE *f, const struct dls__report_facts *report)
{
	char *text = NULL;
	size_t size;
	FILE *words = open_memstream(&text, &size);

	if (words) {
		dls__report_verdict(words, report, false);
		if (fclose(words) == 0)
			write_words(f, 0, text);
	}
	free(text);
}

static void write_repeat(FILE *f, const struct dls__report_facts *report, const char *before)
{
	char *text = dls__report_repeat(report);

	if (text)
		fprintf(f, "%sWhat auto has chosen, for the next run:\n%s", before, text);
	free(text);
}

static void write_chosen(FILE *f, const struct dls__report_site *site)
{
	for (unsigned i = 0; i < site->chosens; i++) {
		char *text = NULL;
		size_t size;
		FILE *words = open_memstream(&text, &size);

		if (words) {
			dls__report_chosen(words, site, &site->chosen[i], false);
			if (fclose(words) == 0)
				write_wrapped(f, "auto:", text);
		}
		free(text);
	}
}

static void write_figures(FILE *f, const struct dls_stats *s)
{
	struct times t;
	double all = s->busy + s->dispatch + s->idle;

	fprintf(f, "  measured    %llu, with %llu iterations in %llu chunks; %u worker%s\n", (count)s->measured,
		(count)s->measured_iterations, (count)s->chunks, s->workers, s->workers == 1 ? "" : "s");
	fprintf(f, "  wall        %s; a perfect balance would save %s, %.1f %%\n",
		dls__report_time(t.text[0], s->wall, false), dls__report_time(t.text[1], s->saving, false),
		s->wall > 0 ? 100 * s->saving / s->wall : 0);
	fprintf(f, "  workers     %s busy (%.1f %%), %s in dispatch (%.1f %%), %s idle (%.1f %%)\n",
		dls__report_time(t.text[0], s->busy, false), all > 0 ? 100 * s->busy / all : 0,
		dls__report_time(t.text[1], s->dispatch, false), all > 0 ? 100 * s->dispatch / all : 0,
		dls__report_time(t.text[2], s->idle, false), all > 0 ? 100 * s->idle / all : 0);
	fprintf(f, "  late        %s in all, before workers came\n", dls__report_time(t.text[0], s->late, false));
	if (!isnan(s->imbalance))
		fprintf(f, "  balance     imbalance %.1f %%, efficiency %.3f, c.o.v. of finishing times %.3f\n",
			s->imbalance, s->efficiency, s->cov);
	fprintf(f, "  iteration   mean %s, deviation %s; a dispatch %s", dls__report_time(t.text[0], s->mu, false),
		dls__report_time(t.text[1], s->sigma, false), dls__report_time(t.text[2], s->h, false));
	if (s->trimmed)
		fprintf(f, "; %llu chunk%s left out", (count)s->trimmed, s->trimmed == 1 ? "" : "s");
	putc('\n', f);
}

static void write_workers(FILE *f, const struct dls__report_site *site)
{
	unsigned shown = site->workers < DLS__REPORT_SHOWN ? site->workers : DLS__REPORT_SHOWN;

	fprintf(f, "  %6s %12s %14s %10s %10s %10s %10s %12s\n", "worker", "chunks", "iterations", "busy", "dispatch",
		"idle", "late", "mean finish");
	for (unsigned i = 0; i < shown; i++) {
		const struct dls_worker_stats *w = &site->worker[i];
		struct times t;

		fprintf(f, "  %6u %12llu %14llu %10s %10s %10s %10s %12s\n", i, (count)w->chunks, (count)w->iterations,
			dls__report_time(t.text[0], w->busy, false), dls__report_time(t.text[1], w->dispatch, false),
			dls__report_time(t.text[2], w->idle, false), dls__report_time(t.text[3], w->late, false),
			dls__report_time(t.text[4], w->finish, false));
	}
	if (shown < site->workers)
		fprintf(f, "  ... and %u workers more, which a report in CSV or JSON lists\n", site->workers - shown);
}

static int by_wall(const void *a, const void *b)
{
	const struct dls__report_site *x = *(const struct dls__report_site *const *)a;
	const struct dls__report_site *y = *(const struct dls__report_site *const *)b;

	if (x->stats.wall != y->stats.wall)
		return x->stats.wall > y->stats.wall ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* A loop's name, and the function that it is in. */
static void write_name(FILE *f, const struct dls__report_site *site)
{
	fputs(site->name, f);
	if (*site->function)
		fprintf(f, " (%s)", site->function);
	putc('\n', f);
}

/* Where the time went: the measured loops, the longest first. */
static void write_overview(FILE *f, const struct dls__report_facts *report)
{
	const struct dls__report_site **site = malloc((report->sites + 1) * sizeof(const void *));
	unsigned n = 0;

	for (unsigned i = 0; site && i < report->sites; i++)
		if (report->site[i].stats.measured)
			site[n++] = &report->site[i];
	if (n) {
		qsort(site, n, sizeof(const void *), by_wall);
		fprintf(f, "\n  %8s %10s %11s  loop\n", "of time", "wall", "efficiency");
	}
	for (unsigned i = 0; i < n; i++) {
		const struct dls_stats *s = &site[i]->stats;
		char wall[DLS__REPORT_TIME], efficiency[16] = "-";

		if (!isnan(s->efficiency))
			snprintf(efficiency, sizeof(efficiency), "%.3f", s->efficiency);
		fprintf(f, "  %6.1f %% %10s %11s  ", 100 * site[i]->share, dls__report_time(wall, s->wall, false), efficiency);
		write_name(f, site[i]);
	}
	free(site);
}

/* Where the program's time went: the regions, the longest first, and the time outside of them. */
static void write_regions(FILE *f, const struct dls__report_facts *report)
{
	char wall[DLS__REPORT_TIME];
	double others = 0;

	if (report->regions)
		fprintf(f, "\n  %8s %10s %11s  region\n", "of time", "wall", "executions");
	for (unsigned i = 0; i < report->regions; i++) {
		const struct dls__report_region *r = &report->region[i];

		if (i >= DLS__REPORT_SHOWN) {
			others += r->seconds;
			continue;
		}
		fprintf(f, "  %6.1f %% %10s %11llu  %s", 100 * r->share, dls__report_time(wall, r->seconds, false),
			(count)r->executions, r->name);
		fprintf(f, *r->function ? " (%s)\n" : "\n", r->function);
	}
	if (others > 0)
		fprintf(f, "  %6.1f %% %10s %11s  %u others\n", 100 * others / report->program,
			dls__report_time(wall, others, false), "", report->regions - DLS__REPORT_SHOWN);
	if (report->regions)
		fprintf(f, "  %6.1f %% %10s %11s  serial, between regions\n", 100 * report->serial / report->program,
			dls__report_time(wall, report->serial, false), "");
}

/* Whether of all executions only the threads' times are known, not those of iterations: an unmodified
 * program's own loops. */
static bool in_parts(const struct dls__report_site *site)
{
	unsigned i = 0;

	while (i < site->rans && strcmp(site->ran[i].calc, "parts") == 0)
		i++;
	return i > 0 && i == site->rans;
}

void dls__report_text(FILE *f, const struct dls__report_facts *report)
{
	fprintf(f, "libdls: report on %u loop%s%s\n", report->sites, report->sites == 1 ? "" : "s",
		report->sites > 1 ? ", the most to gain first" : "");
	write_verdict(f, report);
	dls__report_processors(f, report, "", "\n");
	write_repeat(f, report, "");
	write_overview(f, report);
	write_regions(f, report);
	for (unsigned i = 0; i < report->sites; i++) {
		const struct dls__report_site *site = &report->site[i];

		putc('\n', f);
		write_name(f, site);
		write_rans(f, site);
		write_chosen(f, site);
		fprintf(f, "  executions  %llu", (count)site->stats.executions);
		if (in_parts(site))
			fputs("; a thread's part counts as one iteration\n", f);
		else
			fprintf(f, ", with %llu iterations\n", (count)site->stats.iterations);
		if (site->stats.measured) {
			write_figures(f, &site->stats);
			write_workers(f, site);
		}
		fputs("  ", f);
		dls__report_reading(f, site, false);
		putc('\n', f);
		for (unsigned k = 0; k < site->advice.lines; k++)
			write_wrapped(f, "advice:", site->advice.line[k]);
	}
}

/* The verdict, auto's choices, and the five most worthwhile changes; nothing if no loop was measured. */
void dls__report_changes(FILE *f, const struct dls__report_facts *report)
{
	enum { MOST = 5 };
	unsigned n = 0;

	if (report->sites) {
		fputs("libdls: ", f);
		dls__report_verdict(f, report, false);
		putc('\n', f);
		dls__report_processors(f, report, "libdls: ", "\n");
		write_repeat(f, report, "libdls: ");
	}
	for (unsigned i = 0; i < report->sites && n < MOST; i++) {
		const struct dls__report_site *site = &report->site[i];

		if (!site->advice.worthwhile)
			continue;
		if (n++ == 0)
			fputs("libdls: the most worthwhile changes, with the loops' shares of the time\n", f);
		fprintf(f, "  %u. %s, %.1f %%: %s\n", n, site->name, 100 * site->share, site->advice.line[0]);
	}
}
