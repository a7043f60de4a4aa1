/* report.c - the report: its formats say what the statistics say.
 *
 * report.py reads the files.
 *
 * Fails if: a number loses digits or stands under another's name, a site or worker is left out, a fall-back is not named, a
 * text is not quoted, a chunk above N/P draws no word or a smaller one does, loops that may overlap draw none, the page is not
 * well-formed, needs another file or lacks a picture, an iteration is not in the page's timeline or there twice, the picture of
 * costs is not of what was timed, a bad name is accepted, or exit() in a thread with a small stack crashes.
 *
 * runs: plain */
#include <errno.h>
#include <locale.h>
#include <pthread.h>

#include "child.h"
#include "deal.h"
#include "scratch.h"
#include "tool.h"
#include "virtual.h"

enum { STATUS = 7, P = 3, N = 3000, COARSE = 64, LONG = 4 * 4096 + 5, CHUNKS = 100000 };

/* Hard for XML, CSV and JSON each; no format may leave a control character or a byte that is not UTF-8. */
static const char hard[] = "a <b> & \"c\", \\ ; \xc3\xa9 \xff\n\xef\xbf\xbf";

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

	loop = deal_open("fac", P, deal_site(hard), DLS_LOOP_VIRTUAL_TIME);
	run_virtual(loop, P);
	dls_loop_set_schedule(loop, "gss,2");
	run_virtual(loop, P);
	dls_loop_close(loop);
	loop = deal_open("auto", 1, deal_site("=alone()"), DLS_LOOP_VIRTUAL_TIME);
	dls_loop_set_overhead(loop, 1.0 / 7);
	run_virtual(loop, 1);
	dls_loop_close(loop);
	loop = deal_open("auto", 1, deal_site("'unmeasured"), 0);
	deal_run(loop, 1, 5);
	dls_loop_close(loop);
	deal_site("never");

	f = fopen(expected, "w");
	for (size_t i = 0; CHECK(f) && i < 3; i++)
		expect(f, names[i]);
	if (f)
		fclose(f);
	/* A comma for a decimal point would be wrong in either file; it needs a locale that has one. */
	setlocale(LC_ALL, "de_DE.UTF-8");
	CHECK_EACH(0, dls_report(scratch("x.json")), dls_report(scratch("x.csv")), dls_report(scratch("x.html")));
	setlocale(LC_ALL, "C");
	look(tool_python("test/api/report.py same %s %s %s 2>&1", scratch("x.json"), scratch("x.csv"), expected));
	look(tool_python("test/api/report.py page %s 0 2>&1", scratch("x.html")));	/* virtual time has no pictures */
}

static const char *of_file(const char *name)
{
	static char text[1 << 21];

	return tap_read(scratch(name), text, sizeof(text));
}

/* 100 iterations of half a second by three workers, in virtual time; returns what JSON has of the chunks. */
static const char *hundred(const char *name, const char *schedule, unsigned executions)
{
	static const double come[P] = { 0 };
	struct dls_loop *loop = deal_open(schedule, P, deal_measured(name), DLS_LOOP_VIRTUAL_TIME);
	double time[100];
	const char *at;

	for (int i = 0; i < 100; i++)
		time[i] = 0.5;
	for (unsigned k = 0; k < executions; k++)
		virtual_run(loop, P, 100, come, 0, time);
	dls_loop_close(loop);
	CHECK_EQ(dls_report(scratch("c.json")), 0);
	at = strstr(of_file("c.json"), name);
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
	static const char first[] = "<path class=\"even\" d=\"M82.0 220.0V35.2H210.9V220.0Z\n"
				    "M211.9 220.0V35.2H336.9V220.0Z\nM337.9";
	static const char blocks[] = "\"chunks\": 6, \"bars\": [[34, 17], [33, 16.5], [33, 16.5]]";
	static const char *const name[] = { "three blocks", "one by one" };
	const char *at = hundred(name[0], "static", 2), *picture[2];
	double n, time, left = 100;

	if (!CHECK(strncmp(at, blocks, strlen(blocks)) == 0))
		tap_note("%.60s", at);
	at = strstr(hundred(name[1], "ss", 3), "\"chunks\": 300, \"bars\": [[1, ");
	for (at = at ? strstr(at, "[[") + 1 : NULL; at && left > 0.5 && sscanf(at, "[%lf, %lf]", &n, &time) == 2; left -= n) {
		CHECK(fabs(time / n - 0.5) < 1e-6);
		at = strchr(at + 1, '[');
	}
	CHECK(fabs(left) < 1e-6);
	CHECK_EQ(dls_report(scratch("c.html")), 0);
	for (int i = 0; i < 2; i++)
		picture[i] = costs_in(of_file("c.html"), name[i]);
	if (!CHECK(strncmp(picture[0], first, strlen(first)) == 0 && strstr(picture[0], "by 6 chunks in 2 executions.")))
		tap_note("%s", picture[0]);
	if (tap_skip_if(tool_run("dls-advise", "--html %s %s >%s 2>&1", scratch("a.html"), scratch("c.json"), scratch("a.txt")) != 0,
			"there is no dls-advise"))
		return;
	for (int i = 0; i < 2; i++)
		CHECK_TEXT(costs_in(of_file("a.html"), name[i]), picture[i]);
}

/* Whether a loop's section, from its heading on, has these words. */
static bool within(const char *section, const char *words)
{
	const char *at = strstr(section, words), *end = strstr(section, "</section>");

	return at && at < end;
}

/* Fails if a loop out of balance has no words about it on the page, one in balance has, the advice is no line to
 * copy, or schedules that are as good as the best have bars. */
static void worth_a_look(void)
{
	static const double come[P] = { 0 };
	struct dls_loop *loop = deal_open("static", P, deal_measured("triangle"), DLS_LOOP_VIRTUAL_TIME);
	static const char words[] = ", above 10 %: worth a look;";
	const char *page, *skewed, *balanced;
	double time[600];

	for (int i = 0; i < 600; i++)
		time[i] = i;
	for (unsigned k = 0; k < 5; k++)
		virtual_run(loop, P, 600, come, 0, time);
	dls_loop_close(loop);
	CHECK_EQ(dls_report(scratch("d.html")), 0);
	page = of_file("d.html");
	skewed = strstr(page, "<h2>triangle");
	CHECK(strstr(page, "<p class=\"copy\"><code>DLS_SCHEDULE='triangle:"));
	if (!CHECK(skewed && strstr(skewed, "Within 1 % of the best, too: <code>")))
		tap_note("%.3000s", skewed ? skewed : page);
	CHECK(skewed && within(skewed, words));
	balanced = strstr(page, "<h2>three blocks");
	CHECK(balanced && !within(balanced, words));
}

static void spin(int64_t n)
{
	for (volatile int64_t k = 0; k < n / 20; k++)
		;
}

/* The child, whose report the environment asks for: loops of several sites, schedules and team sizes. */
static void loops(void)
{
	static const struct {
		const char *site, *schedule;
		unsigned workers;
		uint64_t n;
	} runs[] = {
		{ "one", "gss", 2, N }, { "one", "static", 3, N }, { hard, "ss", 2, N }, { "one", "af", 2, N }, { hard, "ss", 2, N },
		{ "two", "fsc", 2, N }, { "two", "fsc", 2, N }, { "one", "awf-b", 2, N }, { "empty", "fac2", 2, 0 },
		{ "coarse", "ss,64", 2, COARSE }, { "coarse", "ss,32", 2, COARSE }, { "coarse", "ss,64", 2, COARSE },
	};

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		struct dls_loop *loop = deal_open(runs[i].schedule, runs[i].workers, deal_site(runs[i].site), 0);
		struct dls_team *team = NULL;

		CHECK_EQ(dls_team_open(&team, runs[i].workers), 0);
		deal_team(loop, team, runs[i].n, spin);
		dls_loop_close(loop);
		dls_team_close(team);
	}
}

/* Run a child under these; returns what it says behind its own output. */
static const char *reported(const char *which, const char *report)
{
	const char *const variables[] = { "DLS_REPORT", report, NULL };

	CHECK_EQ(child_again(which, variables, true), STATUS);
	return CHECK(strncmp(said, "output\n", 7) == 0) ? said + 7 : said;
}

static void page(void)
{
	CHECK_TEXT(reported("", scratch("x.html")), "");
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

	CHECK_TEXT(reported("", "stderr"), "");
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
static void many(void)
{
	static const struct {
		const char *name;
		unsigned workers;
		int64_t n;
	} runs[] = { { "of 12", 12, 24 }, { "of 30", 30, 60 }, { "of 70", 70, 140 }, { "of long", 2, LONG } };

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		struct dls_loop *loop = deal_open("ss", runs[i].workers, deal_site(runs[i].name), DLS_LOOP_EVERY_CHUNK);

		CHECK_EQ(dls_loop_start(loop, 0, runs[i].n, 1), 0);
		if (runs[i].n == LONG)
			deal_rest(loop, 0);
		for (unsigned k = 0; k < 3; k++)
			for (unsigned w = 0; w < runs[i].workers; w++)
				deal_next(loop, w);
		CHECK_EQ(dls_loop_end(loop, NULL), 0);
		dls_loop_close(loop);
	}
}

/* Of more than 64 workers the text and the pictures show 64, the pictures with lower lanes the more there are.  It breaks if one is
 * left out below, or it is not said above; or if chunks of a worker that has more than the 4096 that are kept are lost. */
static void many_workers(void)
{
	const char *page;

	CHECK_TEXT(reported("many", "stderr"), "");
	CHECK(strstr(complained, "  ... and 6 workers more, which a report in CSV or JSON lists\n"));
	CHECK(strstr(complained, "\n      29            2 ") && strstr(complained, "\n      63            2 ") && !strstr(complained, "\n      64 "));
	CHECK_TEXT(reported("many", scratch("x.html")), "");
	page = of_file("x.html");
	CHECK(strstr(page, "<text class=\"end\"") && strstr(page, "<text class=\"end small\""));
	CHECK(strstr(page, ">63</text>") && !strstr(page, ">64</text>"));
	look(tool_python("test/api/report.py page %s 4 2>&1", scratch("x.html")));
}

/* The child with CHUNKS chunks, whose last worker comes when half are dealt. */
static void late(unsigned workers)
{
	struct dls_loop *loop = deal_open("ss", workers, deal_site("late"), DLS_LOOP_EVERY_CHUNK);

	CHECK_EQ(dls_loop_start(loop, 0, CHUNKS, 1), 0);
	for (unsigned k = 0; k < CHUNKS; k++)
		deal_next(loop, k % (workers - (k < CHUNKS / 2)));
	for (unsigned w = 0; w < workers; w++)
		deal_next(loop, w);
	CHECK_EQ(dls_loop_end(loop, NULL), 0);
	dls_loop_close(loop);
}

/* Of 1e5 chunks, all on the page.  It breaks if that is larger than 300 kB, or the late worker is not seen
 * to be late. */
static void timeline(void)
{
	static const char *const workers[] = { "late 4", "late 64" };

	for (int i = 0; i < 2; i++) {
		CHECK_TEXT(reported(workers[i], scratch("x.html")), "");
		CHECK(strlen(of_file("x.html")) <= 300000);
		look(tool_python("test/api/report.py late %s %d 2>&1", scratch("x.html"), CHUNKS));
	}
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
	CHECK_TEXT(reported("", "/no/such/folder/x.csv"), "");
	CHECK(strstr(complained, "libdls: DLS_REPORT=\"/no/such/folder/x.csv\": ") == complained);
	CHECK(strchr(complained, '\n') == complained + strlen(complained) - 1);
	CHECK_TEXT(reported("", "x.text"), "");
	CHECK(strstr(complained, "libdls: DLS_REPORT=\"x.text\": accepted are stderr, stdout, csv, json (on standard output), FILE.txt, ") == complained);
}

/* It breaks if the text comes before the program's own output, or on another stream. */
static void standard_output(void)
{
	static const char *const forms[][2] = {
		{ "stdout", "libdls: report on 5 loops" }, { "csv", "site,schedule,ran" }, { "json", "[\n {\"site\": \"" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		CHECK(strstr(reported("", forms[i][0]), forms[i][1]) == said + 7);
		CHECK(strstr(said, i ? "" : "\none\n") != NULL);
		CHECK_TEXT(complained, "");
	}
	CHECK_TEXT(reported("", scratch("x.txt")), "");
	CHECK(strncmp(of_file("x.txt"), forms[0][1], strlen(forms[0][1])) == 0);
}

/* Which run it is of.  It breaks if a member is missing or empty, or the command is not what a shell reads back. */
static void provenance(void)
{
	static char much[1500];
	const char *const row[][2] = {
		{ "it's", "/report 'it'\\''s'\"," }, { "", "/report ''\"," }, { much, "mmm...\"," },
		{ "d\xc3\xa9j\xc3\xa0 \xff", "/report 'd\xc3\xa9j\xc3\xa0 \xef\xbf\xbd'\"," },
	};
	static const char *const file[] = { "x.json", "x.csv", "x.html" };
	char command[200], host[100] = "";

	memset(much, 'm', sizeof(much) - 1);
	snprintf(command, sizeof(command), "%s child", child_program);
	gethostname(host, sizeof(host) - 1);
	for (int i = 0; i < 3; i++) {
		const char *text;

		CHECK_TEXT(reported("child", scratch(file[i])), "");
		text = of_file(file[i]);
		if (!CHECK(strstr(text, command) && strstr(text, host) && strstr(text, DLS_VERSION) && strstr(text, "/test/api/report")))
			tap_note("%s: %.1500s", file[i], text);
	}
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		CHECK_TEXT(reported(row[i][0], scratch("x.csv")), "");
		if (!CHECK(strstr(of_file("x.csv"), row[i][1])))
			tap_note("%.1500s", of_file("x.csv"));
	}
	CHECK(strstr(of_file("x.csv"), ",trimmed,program,command,date,host,processors,threads,libdls,runtime\r\n"));
	CHECK(strstr(of_file("x.json"), "\"run\": {\"threads\": 3, \"program\": \"/"));
}

static int finish(void (*what)(void))
{
	what();
	puts("output");
	return tap_failures ? 1 : STATUS;
}

static void *end(void *unused)
{
	exit(finish(loops));
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
	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++)
		CHECK_TEXT(reported("small", scratch(name[i])), "");
}

/* The child with a loop that no barrier ends, and one that waits. */
static void chain(void)
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
}

#ifdef _OPENMP
/* Fails if no word, or one too many, is said of loops that may overlap. */
static void overlap(void)
{
	static const char word[] = "\n  No barrier ends it (.nowait): ";
	const char *on, *waits, *at;

	CHECK_TEXT(reported("chain", "stderr"), "");
	on = strstr(complained, "\ngoes on (");
	waits = strstr(complained, "\nwaits (");
	at = strstr(complained, word);
	if (!CHECK(on && waits && at && at > on && (at < waits) == (on < waits) && !strstr(at + 1, word)))
		tap_note("%s", complained);
}
#endif

static void late_of_4(void)
{
	late(4);
}

static void late_of_64(void)
{
	late(64);
}

static int run(const char *which)
{
	if (strncmp(which, "late ", 5) == 0)
		return finish(strcmp(which, "late 4") == 0 ? late_of_4 : late_of_64);
	if (strcmp(which, "small") == 0)
		return small();
	return finish(strcmp(which, "many") == 0 ? many : strcmp(which, "chain") == 0 ? chain : loops);
}

TEST_MAIN_OR(run, T(equal_statistics) T(costs) T(page) T(text) T(many_workers) T(timeline)
	     T(refused) T(standard_output) T(provenance) T(small_stack) T(worth_a_look) T_OPENMP(overlap))
