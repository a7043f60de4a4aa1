/* repeat.c - a shell runs a program with the line of its report that repeats what auto has chosen.
 *
 * The program is this one once more, whose loops have names and places that are hard to write, and schedules of
 * several origins.
 *
 * Fails if: a loop that ran under auto has no entry, or another schedule than its entry says in the run with
 * the line; an entry is for a loop of another name; a loop that did not run under auto, or whose name cannot
 * be written, has an entry; that name is not told; the page or dls-advise lacks the line; or something is
 * complained of. */
#include "child.h"
#include "deal.h"
#include "scratch.h"
#include "tool.h"

enum { P = 2, N = 4000, TIMES = 8 };

/* asked: by dls_site_set_schedule(); NULL: nothing.  The loops of a place have no other name. */
static const struct row {
	const char *name, *file, *asked;
	unsigned p, times;
} loops[] = {
	{ "forces", NULL, NULL, P, TIMES },
	{ "a b  c", NULL, NULL, P, TIMES },
	{ "space::relax", NULL, NULL, P, TIMES },
	{ "$HOME `x` \"y\" \\ *", NULL, NULL, P, TIMES },
	{ "a23456789012345678901234567890123456789012345678901234567890123", NULL, NULL, P, TIMES },
	{ "like:3", NULL, NULL, P, TIMES },
	{ "lib/x y.c:3", "lib/x y.c", "auto,multiple=8", P, TIMES },
	{ "x y.c:3", "x y.c", NULL, P, TIMES },
	{ "in order", NULL, "monotonic:auto", P, TIMES },
	{ "by curve", NULL, "auto,curve=morton,multiple=4", P, TIMES },
	{ "once", NULL, NULL, P, 1 },
	{ "by one", NULL, NULL, 1, TIMES },
}, others[] = { { "given", NULL, "gss,7", P, TIMES } },
nameless[] = {
	{ "a;b", NULL, NULL, P, TIMES }, { "a,b", NULL, NULL, P, TIMES }, { "a:b", NULL, NULL, P, TIMES },
	{ "it's", NULL, NULL, P, TIMES }, { " a", NULL, NULL, P, TIMES },
};
#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static void run(const struct row *row)
{
	static struct dls_site places[COUNT(loops)];
	static unsigned used;
	struct dls_site *site = &places[used];
	struct dls_loop *loop = NULL;

	if (row->file)
		places[used++] = (struct dls_site){ .file = row->file, .line = 3 };
	else
		site = deal_site(row->name);
	if (row->asked)
		CHECK_EQ(dls_site_set_schedule(site, row->asked), 0);
	CHECK_EQ(dls_loop_open(&loop, row->p, site, 0), 0);
	for (unsigned k = 0; k < row->times; k++)
		deal_run(loop, row->p, N);
	dls_loop_close(loop);
}

static int child(const char *argument)
{
	(void)argument;
	for (size_t i = 0; i < COUNT(loops); i++)
		run(&loops[i]);
	for (size_t i = 0; i < COUNT(others); i++)
		run(&others[i]);
	for (size_t i = 0; i < COUNT(nameless); i++)
		run(&nameless[i]);
	for (size_t i = 0; i < 2; i++)
		CHECK_EQ(dls_report(getenv(i ? "REPEAT_JSON" : "REPEAT_PAGE")), 0);
	return tap_failures > 0;
}

static char first[1 << 17], second[1 << 17], line[2048];

/* A run with a line before the program, as a user writes it; its report as text. */
static void report(const char *before, char *text, size_t size)
{
	const char *file = scratch("report.txt");
	char command[4096];

	snprintf(command, sizeof(command), "%s DLS_REPORT=%s REPEAT_JSON=%s REPEAT_PAGE=%s %s run >%s 2>&1", before,
		 file, scratch("report.json"), scratch("report.html"), child_program, scratch("said"));
	CHECK_EQ(child_exit(system(command)), 0);
	tap_read(file, text, size);
	tap_read(scratch("said"), said, sizeof(said));
	if (!CHECK_TEXT(said, ""))
		tap_note("%s", command);
}

static void first_run(void)
{
	const char *at;
	size_t n;

	report("", first, sizeof(first));
	at = strstr(first, "\nWhat auto has chosen, for the next run:\nDLS_SCHEDULE='");
	at = at ? strstr(at, "DLS_SCHEDULE=") : "";
	n = strcspn(at, "\n");
	CHECK(n > 0 && n < sizeof(line));
	snprintf(line, sizeof(line), "%.*s", (int)n, at);
}

/* The schedule of a name in the line; NULL: it has none. */
static const char *entry_of(const char *name)
{
	static char schedule[100];
	size_t n = strlen(name);

	for (const char *at = line; (at = strstr(at, name)); at++)
		if (at[n] == ':' && (at[-1] == '\'' || strncmp(at - 2, "; ", 2) == 0)) {
			at += n + 1;
			snprintf(schedule, sizeof(schedule), "%.*s", (int)strcspn(at, ";'"), at);
			return schedule;
		}
	return NULL;
}

/* Whether a report says of a loop that it ran under a schedule, and under no other. */
static bool ran(const char *text, const char *name, const char *schedule)
{
	char block[300];

	snprintf(block, sizeof(block), "\n\n%s\n  schedule    %s\n", name, schedule);
	return strstr(text, block);
}

static void repeated(void)
{
	report(line, second, sizeof(second));
	for (size_t i = 0; i < COUNT(loops); i++) {
		const char *schedule = entry_of(loops[i].name);

		if (!CHECK(schedule && !strstr(schedule, "auto") && ran(second, loops[i].name, schedule)))
			tap_note("%s: %s in %s", loops[i].name, schedule ? schedule : "no entry", line);
	}
}

static void left_out(void)
{
	char text[100];

	CHECK(!entry_of("given") && ran(second, "given", "gss,7"));
	for (size_t i = 0; i < COUNT(nameless); i++) {
		snprintf(text, sizeof(text), " for %s, whose name DLS_SCHEDULE cannot hold)\n",
			 nameless[i].name);
		if (!CHECK(!entry_of(nameless[i].name) && strstr(first, text) && strstr(second, text)))
			tap_note("%s: %s", nameless[i].name, line);
	}
	CHECK(!strstr(second, "for the next run:\nDLS_SCHEDULE="));	/* nothing is left to repeat */
}

/* The same of the other forms of one report, whose run may choose otherwise than the first. */
static void forms(void)
{
	static char page[1 << 20];
	int status;

	first_run();
	status = tool_run("dls-advise", "%s 2>&1", scratch("report.json"));
	tap_read(scratch("report.html"), page, sizeof(page));
	CHECK(strstr(page, "What auto has chosen, for the next run: <code>DLS_SCHEDULE="));
	if (tap_skip_if(status == 127, "there is no dls-advise (package libjansson-dev)"))
		return;
	CHECK_EQ(status, 0);
	if (!CHECK(strstr(tool_out, "\nWhat auto has chosen, for the next run:\nD") && strstr(tool_out, line)))
		tap_note("%s\n%s", line, tool_out);
}

TEST_MAIN_OR(child, T(deal_environment) T(first_run) T(repeated) T(left_out) T(forms))
