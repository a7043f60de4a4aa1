/* report_html.c - the report as a page: one file that needs no other, well-formed as XML too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dls.h"
#include "lib/report/page.h"
#include "lib/report/report.h"

typedef unsigned long long count;

static const char measures[] =
	"<section>\n<h2>The measures</h2>\n<dl>\n"
	"<dt>wall</dt>\n<dd>From the first worker's first request to the last worker's end, summed over the\n"
	"executions.</dd>\n"
	"<dt>busy, dispatch, idle</dt>\n<dd>What a worker's share of that time went into: running iterations, asking\n"
	"for chunks until it has them, and the rest, which is waiting for the last worker; where a loop has no\n"
	"barrier (nowait) a worker's share ends when it leaves.</dd>\n"
	"<dt>late</dt>\n<dd>From the execution's begin, or from when a worker left the loop before, until the worker\n"
	"came: what it did elsewhere.  It is no part of the shares.</dd>\n"
	"<dt>percent imbalance</dt>\n<dd>100 (longest / mean busy time - 1): 0 is a perfect balance (Pearce et al.,\n"
	"ICS 2012); above 10 % is worth a look.</dd>\n"
	"<dt>efficiency</dt>\n<dd>Mean / longest busy time: 1 is a perfect balance.</dd>\n"
	"<dt>c.o.v.</dt>\n<dd>Coefficient of variation, standard deviation / mean, of the workers' finishing times;\n"
	"the mean of the executions (Hummel, Schonberg, Flynn, 1992).</dd>\n"
	"<dt>saving</dt>\n<dd>Of wall, if all workers who came had finished at the mean of their finishing times,\n"
	"but none before the last one came; at most the longest busy time.</dd>\n"
	"<dt>busy, dispatch, idle share</dt>\n<dd>Of busy + dispatch + idle, of all workers; a dispatch\n"
	"share above 5 % is worth a look.</dd>\n"
	"<dt>iteration, dispatch</dt>\n<dd>Mean &#956; and standard deviation &#963; of the time of one iteration,\n"
	"without chunks in which the thread seems to have lost its processor; mean time h of one dispatch.</dd>\n"
	"</dl>\n</section>\n";

enum { IMBALANCED = 10, DISPATCHING = 5 };	/* per cent that are worth a look */

enum kind { COUNT, TIME, SHARE, REAL };

/* "-": not known. */
static void cell(FILE *f, enum kind kind, double value)
{
	char text[DLS__REPORT_TIME] = "-";

	if (isnan(value))
		;
	else if (kind == TIME)
		dls__report_time(text, value, true);
	else if (kind == SHARE)
		snprintf(text, sizeof(text), "%.1f %%", 100 * value);
	else
		snprintf(text, sizeof(text), "%.*f", kind == REAL ? 3 : 0, value);
	fprintf(f, "<td>%s</td>", text);
}

struct value {
	enum kind kind;
	double value;
};

/* The rest of a row. */
static void cells(FILE *f, const struct value *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cell(f, v[i].kind, v[i].value);
	fputs("</tr>\n", f);
}

#define CELLS(f, ...) cells(f, (const struct value[]){ __VA_ARGS__ }, sizeof((const struct value[]){ __VA_ARGS__ }) / sizeof(struct value))

/* A table's head; its first `left` columns are of text. */
static void begin_table(FILE *f, const char *class, unsigned left, const char *const *column)
{
	fprintf(f, "<div class=\"wide%s\"><table>\n<thead><tr>", class);
	for (unsigned i = 0; column[i]; i++)
		fprintf(f, "<th%s>%s</th>", i < left ? " class=\"left\"" : "", column[i]);
	fputs("</tr></thead>\n<tbody>\n", f);
}

static void end_table(FILE *f)
{
	fputs("</tbody>\n</table></div>\n", f);
}

#define BEGIN_TABLE(f, left, ...) begin_table(f, "", left, (const char *const[]){ __VA_ARGS__, NULL })

static double saving_share(const struct dls_stats *s)
{
	return s->measured && s->wall > 0 ? s->saving / s->wall : NAN;
}

/* A schedule, and in brackets the one that ran instead. */
static void write_ran(FILE *f, const struct dls__report_schedule *r)
{
	dls__page_put(f, "<code>%s</code>", r->asked);
	if (r->under != r->asked)
		dls__page_put(f, " (ran: <code>%s</code>)", r->under);
}

/* A loop's name, and the function that it is in. */
static void write_called(FILE *f, const char *name, const char *function)
{
	dls__page_escape(f, name);
	if (*function)
		dls__page_put(f, " <span class=\"note\">(%s)</span>", function);
}

static void write_name(FILE *f, const struct dls__report_site *site)
{
	write_called(f, site->name, site->function);
}

/* Whether auto keeps to a schedule that it has chosen, for loops of one class. */
static bool kept(const struct dls__report_site *site, const struct dls__report_schedule *r)
{
	bool found = false;

	for (unsigned i = 0; i < site->chosens; i++)
		found |= strcmp(site->chosen[i].now.schedule, r->under) == 0;
	return found;
}

/* Each schedule that ran; of auto's choices only those that it keeps to, and the one in force. */
static void write_schedules(FILE *f, const struct dls__report_site *site)
{
	const char *between = "";

	for (unsigned i = 0; i < site->rans; i++) {
		const struct dls__report_schedule *r = &site->ran[i];

		if (dls__ran_auto(r->asked) && r != site->present && !kept(site, r))
			continue;
		fputs(between, f);
		write_ran(f, r);
		between = ", ";
	}
}

static void write_summary(FILE *f, const struct dls__report_facts *report)
{
	static const char *const column[] = { "loop", "schedule", "executions", "wall", "of time", "imbalance",
					      "dispatch share", "saving", "of wall", NULL };

	begin_table(f, " many", 2, column);
	for (unsigned i = 0; i < report->sites; i++) {
		const struct dls__report_site *site = &report->site[i];
		const struct dls_stats *s = &site->stats;

		fprintf(f, "<tr><td class=\"left\"><a href=\"#site%u\">", i);
		write_name(f, site);
		fputs("</a></td><td class=\"left\">", f);
		write_schedules(f, site);
		fputs("</td>", f);
		CELLS(f, { COUNT, (double)s->executions }, { TIME, s->measured ? s->wall : NAN }, { SHARE, site->share },
		      { SHARE, s->imbalance / 100 }, { SHARE, dls__report_overhead(s) }, { TIME, s->measured ? s->saving : NAN },
		      { SHARE, saving_share(s) });
	}
	end_table(f);
}

/* Where the program's time went: all regions, the longest first, and the time outside of them. */
static void write_regions(FILE *f, const struct dls__report_facts *report)
{
	if (!report->regions)
		return;
	BEGIN_TABLE(f, 1, "region", "executions", "wall", "of time");
	for (unsigned i = 0; i < report->regions; i++) {
		const struct dls__report_region *r = &report->region[i];

		fputs("<tr><td class=\"left\">", f);
		write_called(f, r->name, r->function);
		fputs("</td>", f);
		CELLS(f, { COUNT, (double)r->executions }, { TIME, r->seconds }, { SHARE, r->share });
	}
	fputs("<tr><td class=\"left\">serial, between regions</td>", f);
	CELLS(f, { COUNT, NAN }, { TIME, report->serial }, { SHARE, report->serial / report->program });
	end_table(f);
}

/* Why a schedule ran.  The caller writes r->why after it. */
static const char *reason(const struct dls__report_schedule *r)
{
	if (r->why)
		return "the one asked for ";
	if (dls__ran_native(r->calc))
		return "the program's runtime dealt it";
	return dls__ran_auto(r->asked) ? "auto chose it, or tried it" : "it was asked for";
}

static void write_rans(FILE *f, const struct dls__report_site *site)
{
	fputs("<h3>Schedule</h3>\n", f);
	BEGIN_TABLE(f, 3, "asked for", "ran", "because", "measured executions");
	for (unsigned i = 0; i < site->rans; i++) {
		const struct dls__report_schedule *r = &site->ran[i];

		dls__page_put(f, "<tr><td class=\"left\"><code>%s</code></td><td class=\"left\"><code>%s</code></td><td class=\"left\">%s%s</td>",
			      r->asked, r->under, reason(r), r->why ? r->why : "");
		CELLS(f, { COUNT, (double)r->executions });
	}
	end_table(f);
}

static void write_figures(FILE *f, const struct dls_stats *s)
{
	double all = s->busy + s->dispatch + s->idle;
	const struct {
		const char *name;
		enum kind kind;
		double value;
	} figure[] = {
		{ "executions", COUNT, (double)s->executions }, { "of which measured", COUNT, (double)s->measured },
		{ "workers", COUNT, s->workers }, { "iterations", COUNT, (double)s->measured_iterations },
		{ "wall", TIME, s->wall }, { "chunks", COUNT, (double)s->chunks },
		{ "saving of a perfect balance", TIME, s->saving }, { "... of wall", SHARE, saving_share(s) },
		{ "percent imbalance", SHARE, s->imbalance / 100 }, { "c.o.v. of finishing times", REAL, s->cov },
		{ "efficiency", REAL, s->efficiency }, { "iteration, mean &#956;", TIME, s->mu },
		{ "busy share", SHARE, s->busy / all }, { "iteration, deviation &#963;", TIME, s->sigma },
		{ "dispatch share", SHARE, s->dispatch / all }, { "... chunks left out", COUNT, (double)s->trimmed },
		{ "idle share", SHARE, s->idle / all }, { "dispatch, mean h", TIME, s->h },
		{ "late, all workers", TIME, s->late }, { "finishing time, mean", TIME, s->finish },
	};

	fputs("<h3>Figures</h3>\n<div class=\"wide\"><table class=\"figures\">\n<tbody>\n", f);
	for (size_t i = 0; i < sizeof(figure) / sizeof(*figure); i++) {
		fprintf(f, "%s<th class=\"left\">%s</th>", i % 2 ? "" : "<tr>", figure[i].name);
		cell(f, figure[i].kind, figure[i].value);
		fputs(i % 2 ? "</tr>\n" : "", f);
	}
	end_table(f);
}

static void write_workers(FILE *f, const struct dls__report_site *site)
{
	static const char *const column[] = { "worker", "chunks", "iterations", "busy", "dispatch", "idle", "late",
					      "mean finish", NULL };
	unsigned shown = site->workers < DLS__REPORT_SHOWN ? site->workers : DLS__REPORT_SHOWN;

	fputs("<h3>Workers</h3>\n", f);
	begin_table(f, " many", 0, column);
	for (unsigned i = 0; i < shown; i++) {
		const struct dls_worker_stats *w = &site->worker[i];

		fputs("<tr>", f);
		CELLS(f, { COUNT, i }, { COUNT, (double)w->chunks }, { COUNT, (double)w->iterations }, { TIME, w->busy },
		      { TIME, w->dispatch }, { TIME, w->idle }, { TIME, w->late }, { TIME, w->finish });
	}
	end_table(f);
	if (shown < site->workers)
		fprintf(f, "<p class=\"note\">%u workers more are in a report in CSV or JSON.</p>\n",
			site->workers - shown);
}

/* How far the last worker is behind the others, at its end and at its begin. */
static void write_last(FILE *f, const struct dls__slowest *s)
{
	unsigned last = 0, late = 0;
	double sum = 0;
	char time[DLS__REPORT_TIME];

	for (unsigned i = 0; i < s->workers; i++) {
		const struct dls__stay *stay = &s->stay[i];
		uint64_t latest = s->stay[late].came;

		sum += (double)stay->left;
		last = stay->left > s->stay[last].left ? i : last;
		if (stay->came != UINT64_MAX && (latest == UINT64_MAX || stay->came > latest))
			late = i;
	}
	fprintf(f, "  Worker %u finished last, %s after the mean", last,
		dls__report_time(time, 1e-9 * ((double)s->stay[last].left - sum / s->workers), true));
	dls__report_time(time, 1e-9 * (double)s->stay[late].came, true);
	if (s->stay[late].came <= s->wall / 20)
		fputs(".", f);
	else if (late == last)
		fprintf(f, "; it came %s after the first.", time);
	else
		fprintf(f, "; worker %u came %s after the first.", late, time);
}

static void write_slowest(FILE *f, const struct dls__report_site *site, unsigned number)
{
	const struct dls__slowest *s = &site->slowest;
	char wall[DLS__REPORT_TIME];

	fputs("<h3>The slowest execution</h3>\n", f);
	if (s->workers) {
		fprintf(f, "<p>%llu iterations in %s by %u worker%s under ", (count)s->n,
			dls__report_time(wall, 1e-9 * (double)s->wall, true), s->workers, s->workers == 1 ? "" : "s");
		write_ran(f, site->slowest_ran);
		putc('.', f);
		if (s->workers > 1)
			write_last(f, s);
		if (s->workers > DLS__REPORT_SHOWN)
			fprintf(f, "  Lanes are those of workers 0 to %d.", DLS__REPORT_SHOWN - 1);
		fputs("</p>\n", f);
	}
	dls__report_pictures(f, site, number);
}

/* The schedules among which auto chose. */
static void write_candidates(FILE *f, const struct dls__report_site *site, const struct dls__chosen *c)
{
	bool chooses = site->present && dls__ran_auto(site->present->asked);
	struct dls__forecast forecast[DLS__CHOSEN_FROM] = { 0 };
	char title[100];

	for (unsigned i = 0; i < c->candidates; i++) {
		const struct dls__candidate *x = &c->candidate[i];

		snprintf(forecast[i].schedule, sizeof(forecast[i].schedule), "%s", x->schedule);
		forecast[i].measured = x->measured;
		forecast[i].expected = dls__candidate_time(x);
		forecast[i].now = chooses && strcmp(x->schedule, c->now.schedule) == 0;
	}
	snprintf(title, sizeof(title), "Every schedule, for %llu iterations by %u workers", (count)c->n, c->workers);
	dls__page_forecasts(f, forecast, c->candidates, c->ideal, title);
}

/* One picture of forecasts: the advice's, or if it has none, those of auto's longest-running class. */
static void write_forecasts(FILE *f, const struct dls__report_site *site)
{
	if (!isnan(site->advice.ideal))
		dls__page_forecasts(f, site->advice.forecast, site->advice.forecasts, site->advice.ideal, "Every schedule");
	else if (site->chosens && !site->advice.busy)
		write_candidates(f, site, &site->chosen[0]);
}

/* What is worth a look. */
static void write_limits(FILE *f, const struct dls_stats *s)
{
	double dispatch = 100 * dls__report_overhead(s);

	if (s->measured && s->imbalance > IMBALANCED)
		fprintf(f, "<p class=\"reading\">Imbalance %.0f %%, above %d %%: worth a look; another schedule, or "
			"smaller chunks, divide the work more evenly.</p>\n", s->imbalance, IMBALANCED);
	if (s->measured && dispatch > DISPATCHING)
		fprintf(f, "<p class=\"reading\">Dispatch %.0f %%, above %d %%: worth a look; larger chunks cost less."
			"</p>\n", dispatch, DISPATCHING);
}

static void write_site(FILE *f, const struct dls__report_site *site, unsigned number)
{
	struct dls__bars bars;

	dls__profile_bars(&site->profile, &bars);
	fprintf(f, "<section id=\"site%u\">\n<h2>", number);
	write_name(f, site);
	fputs("</h2>\n<p class=\"reading\">", f);
	dls__report_reading(f, site, true);
	fputs("</p>\n", f);
	write_limits(f, &site->stats);
	for (unsigned i = 0; i < site->chosens; i++) {
		fputs("<p class=\"reading\"><b>auto:</b> ", f);
		dls__report_chosen(f, site, &site->chosen[i], true);
		fputs(".</p>\n", f);
	}
	dls__page_advice(f, site->known.time ? &bars : NULL, &site->advice);
	write_forecasts(f, site);
	if (site->stats.measured) {
		fputs("<details><summary>Schedules, figures, workers, the slowest execution</summary>\n", f);
		write_rans(f, site);
		write_figures(f, &site->stats);
		write_workers(f, site);
		write_slowest(f, site, number);
		fputs("</details>\n", f);
	} else {
		fprintf(f, "<p>%llu executions, %llu iterations.</p>\n", (count)site->stats.executions,
			(count)site->stats.iterations);
	}
	fputs("</section>\n", f);
}

/* The variable that the verdict names, before the command: a line to copy. */
static void write_command(FILE *f, const struct dls__report_facts *report, char *verdict)
{
	char *variable = strstr(verdict, "DLS_SCHEDULE='");
	char *end = variable ? strchr(variable + 14, '\'') : NULL;

	if (!end)
		return;
	end[1] = 0;
	dls__page_put(f, "<p class=\"copy\"><code>%s %s</code></p>\n", variable, report->provenance.command);
}

static void write_verdict(FILE *f, const struct dls__report_facts *report)
{
	char *text = NULL;
	size_t size;
	FILE *words = open_memstream(&text, &size);

	if (words) {
		dls__report_verdict(words, report, true);
		if (fclose(words) == 0) {
			dls__page_put(f, "<p class=\"verdict\">%s</p>\n", text);
			write_command(f, report, text);
		}
	}
	free(text);
}

static void write_repeat(FILE *f, const struct dls__report_facts *report)
{
	char *text = dls__report_repeat(report);

	if (text)
		dls__page_put(f, "<p class=\"reading\">What auto has chosen, for the next run: "
			      "<code>%s</code></p>\n", text);
	free(text);
}

/* Which run the page is of. */
static void write_provenance(FILE *f, const struct dls__report_facts *report)
{
	const struct dls__provenance *p = &report->provenance;
	const struct {
		const char *name, *text;
	} row[] = {
		{ "program", p->program }, { "command", p->command }, { "date", p->date }, { "host", p->host }, { "libdls", DLS_VERSION },
		{ "OpenMP runtime", *p->runtime ? p->runtime : "none" },
	};

	fputs("<section>\n<h2>The run</h2>\n<dl>\n", f);
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		dls__page_put(f, "<dt>%s</dt>\n<dd><code>%s</code></dd>\n", row[i].name, row[i].text);
	fprintf(f, "<dt>processors, threads</dt>\n<dd>%u, %u</dd>\n</dl>\n</section>\n", report->processors.online, report->threads);
}

void dls__report_html(FILE *f, const struct dls__report_facts *report)
{
	dls__page_begin(f, "Loop report");
	dls__page_put(f, "<h1>Loop report</h1>\n<p class=\"note\"><code>%s</code>, %s</p>\n", report->provenance.command, report->provenance.date);
	fprintf(f, "<p>What the schedules of %u loop%s came to%s.  What each measure means is "
		"said at the end.</p>\n", report->sites, report->sites == 1 ? "" : "s",
		report->sites > 1 ? ", the most to gain first" : "");
	write_verdict(f, report);
	dls__report_processors(f, report, "<p class=\"reading\">", "</p>\n");
	write_repeat(f, report);
	write_summary(f, report);
	write_regions(f, report);
	for (unsigned i = 0; i < report->sites; i++)
		write_site(f, &report->site[i], i);
	write_provenance(f, report);
	fputs(measures, f);
	dls__report_timeline_script(f);
	fputs("<script type=\"application/json\" id=\"report\">\n", f);	/* for dls-advise */
	dls__report_json(f, report);
	fputs("</script>\n", f);
	dls__page_end(f);
}
