/* report.c - the report: its formats say what the statistics say, and what a trace of the same run says.
 *
 * report.py reads the files.
 *
 * Fails if: a number loses digits or stands under another's name, a site or worker is left out, a fall-back is not named, a
 * text is not quoted, a chunk above N/P draws no word or a smaller one does, loops that may overlap draw none, the statistics of a real
 * run differ from those worked out from its trace, the page is not well-formed, needs another file or lacks a picture, the profile is
 * not of the same chunks, the picture of costs is not of what was timed, a bad name is accepted, or exit() in a thread with a small stack
 * crashes. */
#include <errno.h>
#include <locale.h>
#include <pthread.h>

#include "child.h"
#include "deal.h"
#include "scratch.h"
#include "tool.h"
#include "virtual.h"

enum { STATUS = 7, P = 3, N = 3000, COARSE = 64, LONG = 4 * 4096 + 5 };

/* Hard for XML, CSV and JSON each; no format may leave a control character or a byte that is not UTF-8. */
static const char hard[] = "a <b> & \"c\", \\ ; \xc3\xa9 \xff\n\xef\xbf\xbf";

static bool ours(const char *name, unsigned workers, unsigned flags, struct dls_loop **loop)
{
	struct dls_site *site;

	return dls_site_named(&site, name) == 0 && dls_loop_open(loop, workers, site, flags) == 0;
}

/* An execution in virtual time, of iterations of 1, 2, 3, 1, 2 ... thirds of a second, worker w coming after w. */
static void run_virtual(struct dls_loop *loop, unsigned p)
{
	static const double come[] = { 0, 1, 2, 3 };
	double time[40];

	for (int i = 0; i < 40; i++)
		time[i] = (double)(i % 3 + 1) / 3;
	virtual_run(loop, p, 40, come, 0, time);
}

/* How report.py has ended, which prints what is wrong; < 0: there is no python3. */
static void look(int status)
{
	if (status < 0)
		return;
	CHECK_EQ(status, 0);
	CHECK_TEXT(tool_out, "");
}

/* What the API says of a site, for report.py. */
static void expect(FILE *f, const char *name)
{
	struct dls_site *site = deal_site(name);
	struct dls_stats s = deal_stats(site);
	struct dls_worker_stats w = { .size = sizeof(w) };

	fprintf(f, "%llu %llu %llu %llu %llu %u %a %a %a %a %a %a %a %a %a %a %a %a %a\n", (unsigned long long)s.executions,
		(unsigned long long)s.iterations, (unsigned long long)s.measured, (unsigned long long)s.chunks,
		(unsigned long long)s.measured_iterations, s.workers, s.wall, s.busy, s.dispatch, s.idle, s.late,
		s.finish, s.imbalance, s.cov, s.efficiency, s.saving, s.mu, s.sigma, s.h);
	for (unsigned i = 0; dls_site_worker_stats(site, i, &w) == 0; i++)
		fprintf(f, " %llu %llu %a %a %a %a %a\n", (unsigned long long)w.chunks, (unsigned long long)w.iterations,
			w.busy, w.dispatch, w.idle, w.late, w.finish);
}

/* Sites: of a hard name, with two schedules one of which cannot run; of one worker; run but not measured; never run.  The
 * second's name is a spreadsheet's formula, the third's looks like what a formula is turned into. */
static void equal_statistics(void)
{
	static const char *const names[] = { hard, "=alone()", "'unmeasured" };
	const char *expected = scratch("expected");
	struct dls_loop *loop;
	FILE *f;

	CHECK(ours(hard, P, DLS_LOOP_VIRTUAL_TIME, &loop));
	dls_loop_set_schedule(loop, "fac");
	run_virtual(loop, P);
	dls_loop_set_schedule(loop, "gss,2");
	run_virtual(loop, P);
	dls_loop_close(loop);
	CHECK(ours("=alone()", 1, DLS_LOOP_VIRTUAL_TIME, &loop));
	dls_loop_set_overhead(loop, 1.0 / 7);
	run_virtual(loop, 1);
	dls_loop_close(loop);
	CHECK(ours("'unmeasured", 1, 0, &loop));
	CHECK_EQ(dls_loop_start(loop, 0, 5, 1), 0);
	CHECK(dls_loop_next(loop, 0, &(int64_t){ 0 }, &(int64_t){ 0 }));
	CHECK_EQ(dls_loop_end(loop, NULL), 0);
	dls_loop_close(loop);
	deal_site("never");

	f = fopen(expected, "w");
	for (size_t i = 0; CHECK(f) && i < 3; i++)
		expect(f, names[i]);
	if (f)
		fclose(f);
	/* A comma for a decimal point would be wrong in either file; it needs a locale that has one. */
	setlocale(LC_ALL, "de_DE.UTF-8");
	CHECK_EQ(dls_report(scratch("x.json")), 0);
	CHECK_EQ(dls_report(scratch("x.csv")), 0);
	CHECK_EQ(dls_report(scratch("x.html")), 0);
	setlocale(LC_ALL, "C");
	look(tool_python("test/api/report.py same %s %s %s 2>&1", scratch("x.json"), scratch("x.csv"), expected));
	look(tool_python("test/api/report.py page %s 0 2>&1", scratch("x.html")));	/* virtual time has no pictures */
}

/* 100 iterations of half a second by three workers, in virtual time; returns what JSON has of the chunks. */
static const char *hundred(const char *name, const char *schedule, unsigned executions)
{
	static char text[1 << 20];
	static const double come[P] = { 0 };
	struct dls_loop *loop;
	double time[100];
	const char *at;

	deal_measured(name);
	CHECK(ours(name, P, DLS_LOOP_VIRTUAL_TIME, &loop));
	CHECK_EQ(dls_loop_set_schedule(loop, schedule), 0);
	for (int i = 0; i < 100; i++)
		time[i] = 0.5;
	for (unsigned k = 0; k < executions; k++)
		virtual_run(loop, P, 100, come, 0, time);
	dls_loop_close(loop);
	CHECK_EQ(dls_report(scratch("c.json")), 0);
	tap_read(scratch("c.json"), text, sizeof(text));
	at = strstr(text, name);
	at = at ? strstr(at, "\"profile\": ") : NULL;
	at = at ? strstr(at, "\"chunks\": ") : NULL;
	return at ? at : "";
}

/* A loop's picture of costs on a page, and what is said below it. */
static const char *costs_in(const char *page, const char *name)
{
	static char text[4][1 << 14];
	static unsigned i;
	char head[100];
	const char *at, *end;

	snprintf(head, sizeof(head), "<h2>%s", name);
	at = strstr(page, head);
	at = at ? strstr(at, "<path class=\"even\"") : NULL;
	end = at ? strstr(at, "</figcaption>") : NULL;
	snprintf(text[++i % 4], sizeof(text[0]), "%.*s", at && end ? (int)(end - at) : 0, at && end ? at : "");
	return text[i % 4];
}

/* Fails if a bar is not as wide as what it stands for, equal iterations look unequal, or dls-advise makes another picture of them. */
static void costs(void)
{
	static const char first[] = "<path class=\"even\" d=\"M82.0 220.0V35.2H278.9V220.0Z\nM279.9 220.0V35.2H470.9V220.0Z\nM471.9";
	static const char blocks[] = "\"chunks\": 6, \"bars\": [[34, 17], [33, 16.5], [33, 16.5]]";
	static char page[1 << 21], other[1 << 21];
	const char *at = hundred("three blocks", "static", 2), *picture;
	double n, time, left = 100;

	if (!CHECK(strncmp(at, blocks, strlen(blocks)) == 0))
		tap_note("%.60s", at);
	at = strstr(hundred("one by one", "ss", 3), "\"chunks\": 300, \"bars\": [[1, ");
	for (at = at ? strstr(at, "[[") + 1 : NULL; at && left > 0.5 && sscanf(at, "[%lf, %lf]", &n, &time) == 2; left -= n) {
		CHECK(fabs(time / n - 0.5) < 1e-6);
		at = strchr(at + 1, '[');
	}
	CHECK(fabs(left) < 1e-6);
	CHECK_EQ(dls_report(scratch("c.html")), 0);
	tap_read(scratch("c.html"), page, sizeof(page));
	picture = costs_in(page, "three blocks");
	if (!CHECK(strncmp(picture, first, strlen(first)) == 0 && strstr(picture, "by 6 chunks in 2 executions.")))
		tap_note("%s", picture);
	if (tap_skip_if(tool_run("dls-advise", "--html %s %s >%s 2>&1", scratch("a.html"), scratch("c.json"), scratch("a.txt")) != 0,
			"there is no dls-advise"))
		return;
	tap_read(scratch("a.html"), other, sizeof(other));
	CHECK_TEXT(costs_in(other, "three blocks"), picture);
	CHECK_TEXT(costs_in(other, "one by one"), costs_in(page, "one by one"));
}

static struct dls_loop *loop;

static void work(void *arg, unsigned worker)
{
	int64_t begin, end;

	(void)arg;
	while (dls_loop_next(loop, worker, &begin, &end))
		for (volatile int64_t i = 0; i < (begin + end) * (end - begin) / 40; i++)
			;
}

/* The child, whose report the environment asks for: loops of several sites, schedules and team sizes. */
static int child(void)
{
	static const struct {
		const char *site, *schedule;
		unsigned workers;
	} runs[] = {
		{ "one", "gss", 2 }, { "one", "static", 3 }, { hard, "ss", 2 }, { "one", "af", 2 }, { hard, "ss", 2 },
		{ "two", "fsc", 2 }, { "two", "fsc", 2 }, { "one", "awf-b", 2 }, { "empty", "fac2", 2 },
		{ "coarse", "ss,64", 2 }, { "coarse", "ss,32", 2 }, { "coarse", "ss,64", 2 },
	};

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		struct dls_team *team;
		int64_t n = strcmp(runs[i].site, "empty") == 0 ? 0 : strcmp(runs[i].site, "coarse") == 0 ? COARSE : N;

		if (dls_team_open(&team, runs[i].workers) || !ours(runs[i].site, runs[i].workers, 0, &loop) ||
		    dls_loop_set_schedule(loop, runs[i].schedule) || dls_loop_start(loop, 0, n, 1) ||
		    dls_team_run(team, work, NULL))
			return 1;
		dls_loop_end(loop, NULL);
		dls_loop_close(loop);
		dls_team_close(team);
	}
	puts("output");
	return STATUS;
}

/* Run a child under these; its exit status. */
static int reported(const char *report, const char *with_trace)
{
	const char *const variables[] = { "DLS_REPORT", report, with_trace ? "DLS_TRACE" : NULL, with_trace, NULL };
	int status = child_again("child", variables, true);

	CHECK_TEXT(said, "output\n");
	return status;
}

static void equal_trace(void)
{
	CHECK_EQ(reported(scratch("x.json"), scratch("trace.json")), STATUS);
	CHECK_TEXT(complained, "");
	look(tool_python("test/api/report.py trace %s %s 2>&1", scratch("x.json"), scratch("trace.json")));
}

static void page(void)
{
	CHECK_EQ(reported(scratch("x.html"), NULL), STATUS);
	CHECK_TEXT(complained, "");
	look(tool_python("test/api/report.py page %s 4 2>&1", scratch("x.html")));	/* "empty" has no chunk to show */
}

static void text(void)
{
	static const char *const has[] = {
		"report on 5 loops", "   of time       wall  efficiency  loop\n", "\n  advice:     ", "\none\n", "\ntwo\n", "fsc", " ran: fsc does not know",
		"executions  4, with 12000 iterations",
		"  ss,64 deals chunks of 64 where N/P is 32: 1 of 2 workers got nothing; so in 2 of 2 executions.\n",
	};
	const char *coarse;

	CHECK_EQ(reported("stderr", NULL), STATUS);
	/* Of 64 iterations: one chunk, which either of the two workers gets, but not of 32. */
	coarse = strstr(complained, " deals chunks of ");
	CHECK(coarse && !strstr(coarse + 1, " deals chunks of "));
	for (size_t i = 0; i < sizeof(has) / sizeof(*has); i++)
		if (!CHECK(strstr(complained, has[i])))
			tap_note("%s", has[i]);
	for (const char *line = complained; *line; line += strcspn(line, "\n") + 1)
		if (!CHECK(strcspn(line, "\n") <= 100))
			tap_note("%.*s", (int)strcspn(line, "\n"), line);
}

/* The child with loops whose workers one thread plays. */
static int many(void)
{
	static const struct {
		const char *name;
		unsigned workers;
		int64_t n;
	} runs[] = { { "of 12", 12, 24 }, { "of 30", 30, 60 }, { "of 70", 70, 140 }, { "of long", 2, LONG } };

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		int64_t begin, end;

		if (!ours(runs[i].name, runs[i].workers, DLS_LOOP_EVERY_CHUNK, &loop) || dls_loop_set_schedule(loop, "ss") ||
		    dls_loop_start(loop, 0, runs[i].n, 1))
			return 1;
		while (runs[i].n == LONG && dls_loop_next(loop, 0, &begin, &end))
			;
		for (unsigned k = 0; k < 3; k++)
			for (unsigned w = 0; w < runs[i].workers; w++)
				dls_loop_next(loop, w, &begin, &end);
		dls_loop_end(loop, NULL);
		dls_loop_close(loop);
		loop = NULL;
	}
	return STATUS;
}

static void of_many(const char *report)
{
	const char *const variables[] = { "DLS_REPORT", report, NULL };

	CHECK_EQ(child_again("many", variables, true), STATUS);
}

/* Of more than 64 workers the text and the pictures show 64, the pictures with lower lanes the more there are.  It breaks if one is
 * left out below, or it is not said above; or if chunks of a worker that has more than the 4096 that are kept are lost. */
static void many_workers(void)
{
	static char page[1 << 20];
	unsigned chunks = 0, sum = 0;

	of_many("stderr");
	CHECK(strstr(complained, "  ... and 6 workers more, which a report in CSV or JSON lists\n"));
	CHECK(strstr(complained, "\n      29            2 ") && strstr(complained, "\n      63            2 ") && !strstr(complained, "\n      64 "));
	of_many(scratch("x.html"));
	tap_read(scratch("x.html"), page, sizeof(page));
	CHECK(strstr(page, "<text class=\"end\"") && strstr(page, "<text class=\"end small\""));
	CHECK(strstr(page, ">63</text>") && !strstr(page, ">64</text>"));
	for (const char *at = page; (at = strstr(at, ">worker 0: ")); at++)
		if (sscanf(at, ">worker 0: %u chunks, ", &chunks) == 1)
			sum += chunks;
	CHECK_EQ(sum, LONG);
}

static void refused(void)
{
	static const char *const bad[] = { "", "x", "x.text", "x.json.", "x.JSON", ".csv", "CSV", ".txt", "Stdout" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!CHECK_EQ(dls_report(bad[i]), DLS_EINVAL))
			tap_note("%s", bad[i]);
	CHECK_EQ(dls_report(NULL), DLS_EINVAL);
	CHECK_EQ(dls_report("/no/such/folder/x.csv"), DLS_EIO);
	CHECK_EQ(errno, ENOENT);
	CHECK_EQ(reported("/no/such/folder/x.csv", NULL), STATUS);
	CHECK(strstr(complained, "libdls: DLS_REPORT=\"/no/such/folder/x.csv\": ") == complained);
	CHECK(strchr(complained, '\n') == complained + strlen(complained) - 1);
	CHECK_EQ(reported("x.text", NULL), STATUS);
	CHECK(strstr(complained, "libdls: DLS_REPORT=\"x.text\": accepted are stderr, stdout, csv, json (on standard output), FILE.txt, ") == complained);
}

static const char *of_file(const char *name)
{
	static char text[1 << 20];
	FILE *f = fopen(name, "r");

	text[f ? fread(text, 1, sizeof(text) - 1, f) : 0] = 0;
	if (f)
		fclose(f);
	return text;
}

/* It breaks if the text comes before the program's own output, or on another stream. */
static void standard_output(void)
{
	const char *const variables[] = { "DLS_REPORT", "stdout", NULL };
	const char *name = scratch("x.txt");

	CHECK_EQ(child_exit(child_run(child_self, &(struct child_self){ "child", variables }, true)), STATUS);
	CHECK_TEXT(complained, "");
	CHECK(strncmp(said, "output\nlibdls: report on 5 loops", 32) == 0 && strstr(said, "\none\n"));
	for (size_t i = 0; i < 2; i++) {
		const char *const form[] = { "DLS_REPORT", i ? "json" : "csv", NULL };

		CHECK_EQ(child_exit(child_run(child_self, &(struct child_self){ "child", form }, true)), STATUS);
		CHECK_TEXT(complained, "");
		CHECK(strncmp(said, i ? "output\n[\n {\"site\": \"" : "output\nsite,schedule,ran", 20) == 0);
	}
	CHECK_EQ(reported(name, NULL), STATUS);
	CHECK(strncmp(of_file(name), "libdls: report on 5 loops", 25) == 0);
}

/* Which run it is of.  It breaks if a member is missing or empty, or the command is not what a shell reads back. */
static void provenance(void)
{
	static char much[1500];
	const char *const row[][2] = {
		{ "it's", "/report 'it'\\''s'\"," }, { "", "/report ''\"," }, { much, "mmm...\"," },
		{ "d\xc3\xa9j\xc3\xa0 \xff", "/report 'd\xc3\xa9j\xc3\xa0 \xef\xbf\xbd'\"," },
	};
	const char *const variables[] = { "DLS_REPORT", scratch("x.csv"), NULL };
	char command[200], host[100] = "";

	memset(much, 'm', sizeof(much) - 1);
	snprintf(command, sizeof(command), "%s child", child_program);
	gethostname(host, sizeof(host) - 1);
	for (int i = 0; i < 3; i++) {
		const char *file = scratch(i == 0 ? "x.json" : i == 1 ? "x.csv" : "x.html"), *text;

		CHECK_EQ(reported(file, NULL), STATUS);
		text = of_file(file);
		if (!CHECK(strstr(text, command) && strstr(text, host) && strstr(text, DLS_VERSION) && strstr(text, "/test/api/report")))
			tap_note("%s: %.1500s", file, text);
	}
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		CHECK_EQ(child_exit(child_run(child_self, &(struct child_self){ row[i][0], variables }, true)), STATUS);
		if (!CHECK(strstr(of_file(variables[1]), row[i][1])))
			tap_note("%.1500s", of_file(variables[1]));
	}
	CHECK(strstr(of_file(scratch("x.csv")), ",trimmed,program,command,date,host,processors,threads,libdls,runtime,json\r\n"));
	CHECK(strstr(of_file(scratch("x.json")), "\"run\": {\"threads\": 3, \"program\": \"/"));
}

static void *end(void *unused)
{
	(void)unused;
	exit(child());
}

/* The child in a thread with a small stack, which calls exit(). */
static int small(void)
{
	enum { SMALL = 32768 };
	long least = sysconf(_SC_THREAD_STACK_MIN);
	pthread_attr_t how;
	pthread_t thread;

	return pthread_attr_init(&how) || pthread_attr_setstacksize(&how, least > SMALL ? (size_t)least : SMALL) ||
	       pthread_create(&thread, &how, end, NULL) || pthread_join(thread, NULL);
}

/* Fails if what writes the report has large arrays on its stack. */
static void small_stack(void)
{
	static const char *const name[] = { "x.txt", "x.csv", "x.json", "x.html" };

	if (tap_skip_if(TAP_THREAD_SANITIZER || TAP_ADDRESS_SANITIZER, "sanitizers' frames are larger"))
		return;
	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++) {
		const char *const variables[] = { "DLS_REPORT", scratch(name[i]), NULL };

		CHECK_EQ(child_again("small", variables, true), STATUS);
	}
}

/* The child with a loop that no barrier ends, and one that waits. */
static int chain(void)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
	{
		DLS_FOR(i, 0, N, .name = "goes on", .schedule = "gss", .nowait = true)
			for (volatile int k = 0; k < 100; k++)
				;
		DLS_FOR(i, 0, N, .name = "waits", .schedule = "gss")
			for (volatile int k = 0; k < 100; k++)
				;
	}
#endif
	return STATUS;
}

#ifdef _OPENMP
/* Fails if no word, or one too many, is said of loops that may overlap. */
static void overlap(void)
{
	static const char word[] = "\n  No barrier ends it (.nowait): ";
	const char *const variables[] = { "DLS_REPORT", "stderr", NULL };
	const char *on, *waits, *at;

	CHECK_EQ(child_again("chain", variables, true), STATUS);
	on = strstr(complained, "\ngoes on (");
	waits = strstr(complained, "\nwaits (");
	at = strstr(complained, word);
	if (!CHECK(on && waits && at && at > on && (at < waits) == (on < waits) && !strstr(at + 1, word)))
		tap_note("%s", complained);
}
#endif

static int run(const char *which)
{
	return strcmp(which, "many") == 0 ? many() : strcmp(which, "small") == 0 ? small() : strcmp(which, "chain") == 0 ? chain() : child();
}

TEST_MAIN_OR(run, T(equal_statistics) T(costs) T(equal_trace) T(page) T(text) T(many_workers) T(refused) T(standard_output) T(provenance)
	     T(small_stack) T_OPENMP(overlap))
