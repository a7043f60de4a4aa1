/* observers.c - reads DLS_REPORT, DLS_TRACE, DLS_TRACE_LIMIT and DLS_PROGRESS, and does what they ask for. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/ending.h"
#include "lib/base/message.h"
#include "lib/base/once.h"
#include "lib/base/variable.h"
#include "lib/report/observers.h"
#include "lib/observe/progress.h"
#include "lib/observe/trace.h"

static char *report_file;
static bool measure;			/* without DLS_REPORT, too */
static struct dls__output report_out, trace_out;
static dls__each_site *sites;
static uint64_t trace_limit = 100000;	/* records a thread: a file of some 20 MB */

static void count_site(void *count, const struct dls__report_met *met)
{
	(void)met;
	++*(unsigned *)count;
}

static void write_report(void)
{
	char quote[DLS__QUOTE];
	unsigned seen = 0;
	int code = dls__report_write(report_file, report_out.name ? &report_out : NULL, sites);

	dls__quote(quote, report_file, strlen(report_file), 0, 0);
	if (code) {
		dls__tell_user("DLS_REPORT=\"%s\": %s; it is not complete", quote, strerror(code));
		return;
	}
	sites(count_site, &seen);
	if (!seen && (report_out.name || *report_file == 'c' || *report_file == 'j'))	/* as text it says so itself */
		dls__tell_user("DLS_REPORT=\"%s\": no loop was seen; the report has none", quote);
}

static void read_report(struct dls__observers *o, bool display)
{
	static struct dls__ending end = { .write = write_report };
	const char *reason = NULL;
	char quote[DLS__QUOTE];

	report_file = dls__variable_text("DLS_REPORT", display);
	o->report = measure;
	if (!report_file)
		return;
	if (!dls__report_known(report_file))
		reason = "accepted are stderr, stdout, csv, json (on standard output), FILE.txt, FILE.csv, FILE.json and FILE.html";
	else if (!dls__report_standard(report_file))
		reason = dls__output_reserve(&report_out, report_file);
	if (reason) {
		dls__tell_user("DLS_REPORT=\"%s\": %s; no report is written",
			       dls__quote(quote, report_file, strlen(report_file), 0, 0), reason);
		return;
	}
	o->report = true;
	o->pictures = strlen(report_file) > 5 && strcmp(report_file + strlen(report_file) - 5, ".html") == 0;
	dls__at_end(&end);
}

static void read_trace_limit(bool display)
{
	char *limit = dls__variable_text("DLS_TRACE_LIMIT", display), *end, quote[DLS__QUOTE];
	unsigned long long value;

	if (!limit)
		return;
	errno = 0;
	value = strtoull(limit, &end, 10);
	if (*limit < '0' || *limit > '9' || *end || errno || value == 0 || value > 1000000000)
		dls__tell_user("DLS_TRACE_LIMIT=\"%s\": the most records a thread keeps, a whole number from 1 to 1e9, "
			       "is written in digits; using %llu", dls__quote(quote, limit, strlen(limit), 0, 0),
			       (unsigned long long)trace_limit);
	else
		trace_limit = value;
	free(limit);
}

static bool traced;

static void read_trace(bool display)
{
	char *file = dls__variable_text("DLS_TRACE", display);

	read_trace_limit(display);
	traced = file && dls__trace_open(file, &trace_out, trace_limit);
	free(file);
	dls__watch_signals();
}

static void read_trace_silently(void)
{
	read_trace(false);
}

static void read_trace_displayed(void)
{
	read_trace(true);
}

bool dls__observers_trace(bool display)
{
	static atomic_bool done;

	dls__once(&done, display ? read_trace_displayed : read_trace_silently);
	return traced;
}

void dls__observers_measure(void)
{
	measure = true;
}

void dls__observers_read(struct dls__observers *o, dls__each_site *each_site, bool display)
{
	sites = each_site;
	read_report(o, display);
	o->trace = dls__observers_trace(display);
	o->progress = dls__variable_flag("DLS_PROGRESS");
	if (o->progress)
		dls__progress_open();
	dls__watch_signals();
}

void dls__observers_display(const struct dls__observers *o)
{
	char limit[24];

	snprintf(limit, sizeof(limit), "%llu", (unsigned long long)trace_limit);
	dls__variable_display("DLS_REPORT", report_out.name ? report_out.name : report_file && o->report ? report_file : "", NULL);
	dls__variable_display("DLS_TRACE", trace_out.name ? trace_out.name : "", NULL);
	dls__variable_display("DLS_TRACE_LIMIT", limit, NULL);
	dls__variable_display_flag("DLS_PROGRESS", o->progress);
}
