/* memory.c - the report and trace of loops, and calls for their schedules, where memory or files are refused: each request
 * in turn, once and from there on, from the first call of the library to what is written when the program ends.
 *
 * Each case is a process of its own, since the environment is read once.
 *
 * Fails if: the program crashes, hangs or ends with anything but 0; an iteration is lost or run twice; a chunk starts beside the
 * multiple= of a `.schedule` that there is no memory for; a report or a trace
 * is cut or incomplete, and no message says why; a page has neither a loop's timeline nor a word about it;
 * a function returns another error than the documented one, or none though it has done nothing; what was refused once cannot be had later.
 *
 * runs: check, machines */
#include "child.h"
#include "dls/predict.h"
#include "once.h"
#include "refuse.h"
#include "scratch.h"

enum { N = 300, P = 2, LOOPS = 3 };

static atomic_uchar hits[N];
static atomic_uint beside;	/* chunks that start beside their schedule's multiple */
static const char *report, *trace;

/* To standard output, for the parent. */
static void tell_refused(void)
{
	printf("%u", refuse_end());
	fflush(stdout);
}

static void loops(void)
{
	for (int k = 0; k < LOOPS; k++)
		DLS_PARALLEL_FOR(i, 0, N, .name = "first", .schedule = "awf-b")
			atomic_fetch_add(&hits[i], 1);
	DLS_PARALLEL(num_threads(P))
		for (int k = 0; k < LOOPS; k++)
			DLS_FOR_CHUNK(lo, hi, 0, N, .name = "second", .nowait = true, .schedule = "gss,3,multiple=10") {
				atomic_fetch_add(&beside, lo % 10 != 0);
				for (int i = lo; i < hi; i++)
					atomic_fetch_add(&hits[i], 1);
			}
	DLS_PARALLEL_FOR(i, 0, N, .name = "third")
		atomic_fetch_add(&hits[i], 1);
}

/* Whether the figures of each worker make up those of all, in `measured` executions of at most LOOPS. */
static bool adds_up(const char *name)
{
	struct dls_stats stats = { .size = sizeof(stats) };
	struct dls_worker_stats worker = { .size = sizeof(worker) };
	struct dls_site *site;
	uint64_t chunks = 0, iterations = 0;
	int left = atomic_exchange(&refuse_left, -1);

	if (dls_site_named(&site, name) || dls_site_stats(site, &stats))
		return false;
	for (unsigned w = 0; dls_site_worker_stats(site, w, &worker) == 0; w++) {
		chunks += worker.chunks;
		iterations += worker.iterations;
	}
	atomic_store(&refuse_left, left);
	return chunks == stats.chunks && iterations == stats.measured_iterations && iterations == stats.measured * N &&
	       stats.measured <= stats.executions && stats.executions <= LOOPS;
}

static int run_child(const void *arg)
{
	const struct refuse_turn *turn = arg;

	guard(refuse_doing, REFUSE_HANGS);
	setenv("DLS_REPORT", report, 1);
	setenv("DLS_TRACE", trace, 1);
	setenv("DLS_TRACE_LIMIT", "5000", 1);
	setenv("DLS_PROGRESS", "1", 1);
	setenv("DLS_SCHEDULE", "rid,1; third:wf,weights=2:1", 1);
	atexit(tell_refused);	/* after all that the library does at the end */
	refuse_from(turn->k, turn->on);
	loops();
	if (!adds_up("first") || !adds_up("second") || !adds_up("third"))
		exit(7);
	exit(beside ? 9 : once_check(hits, N, 2 * LOOPS + 1, report, P) ? 0 : 8);
}

/* What a whole file has: the sites, with all executions, and its end. */
static bool whole(const char *ending, const char *text)
{
	return strstr(text, "first") && strstr(text, "second") && strstr(text, "third") &&
	       (strcmp(ending, ".html") ? text[strlen(text) - 1] == '\n' : strstr(text, "</html>") != NULL);
}

static unsigned occurs(const char *text, const char *what)
{
	unsigned n = 0;

	while ((text = strstr(text, what))) {
		text += strlen(what);
		n++;
	}
	return n;
}

/* Whether a page has a whole timeline of each measured loop, or says that there is none. */
static bool has_timelines(const char *page)
{
	unsigned begun = occurs(page, " class=\"timeline\">{"), ended = occurs(page, "\"]]}</script>");
	unsigned without = occurs(page, "There are no pictures");

	return begun == ended && begun + without == occurs(page, "<h3>The slowest execution</h3>");
}

static bool is_trace(const char *text)
{
	return strstr(text, "traceEvents") && strlen(text) > 3 && strcmp(text + strlen(text) - 4, "\n]}\n") == 0;
}

static void run_without(struct refuse_turn *turn, const char *ending)
{
	static char report_text[1 << 20], events[1 << 20];
	bool file = strcmp(ending, "stderr") != 0;
	char name[16];

	refuse_end();
	snprintf(name, sizeof(name), "report%s", ending);
	remove(report = scratch(name));
	remove(trace = scratch("trace.json"));
	if (!file)
		report = ending;
	CHECK_EQ(child_run(run_child, turn, true), 0);
	tap_read(report, report_text, sizeof(report_text));
	tap_read(trace, events, sizeof(events));
	if (!strstr(complained, "DLS_REPORT") && !strstr(complained, "no memory for the loop's record"))
		CHECK(whole(ending, file ? report_text : complained) && has_timelines(report_text));
	if (!strstr(complained, "DLS_TRACE"))
		CHECK(is_trace(events));
	CHECK(*said);
	if (strcmp(said, "0") == 0)
		CHECK(!file || !*complained);
	if (tap_failures)
		tap_note("said: %s", complained);
	turn->in_child = strcmp(said, "0") != 0;
}

static void observed(void)
{
	static const char *const ending[] = { ".html", ".csv", ".json", "stderr" };

	for (unsigned i = 0; i < 4; i++)
		REFUSE_EACH(turn, refuse_most(2), 3, "report %s", ending[i])
			run_without(&turn, ending[i]);
}

/* Each of the calls that may fail, by itself; the objects that it needs are there before, and those that it makes are
 * freed. */
static struct dls_site *place;
static struct dls_calc calcs[64];
static unsigned calc;

static int parse_text(const char *text)
{
	struct dls_schedule *schedule = NULL;
	int code = dls_schedule_parse(&schedule, text, NULL);

	CHECK(!code == (schedule != NULL));
	dls_schedule_free(schedule);
	return code;
}

/* The format with the number of this call. */
static const char *numbered(const char *format)
{
	static char text[32];

	snprintf(text, sizeof(text), format, calc + 1);
	return text;
}

static int register_calc(void)
{
	static char name[64][16];

	snprintf(name[calc], sizeof(name[calc]), "mine%u", calc);
	calcs[calc] = *dls_calc_find("ss");
	calcs[calc].name = name[calc];
	calcs[calc].aliases = NULL;
	return dls_calc_register(&calcs[calc]);
}

static int write_report(void)
{
	int code = dls_report(report);

	CHECK(code == 0 || errno == ENOMEM);
	return code == DLS_EIO ? DLS_ENOMEM : code;
}

static int predict(void)
{
	static const double time = 1;
	static const struct dls_profile profile = { sizeof(profile), N, 1, &time, NULL };
	struct dls_prediction prediction = { .size = sizeof(prediction) };
	struct dls_schedule *schedule;
	int code = dls_schedule_parse(&schedule, "gss", NULL);

	if (code)
		return code;
	code = dls_predict(schedule, &profile, P, NULL, NULL, &prediction);
	dls_schedule_free(schedule);
	return code;
}

/* Name, whether it does without (the report without pictures), and the call. */
#define CALLS(X) \
	X(parse, false, parse_text("wf,3,weights=1:2:3")) \
	X(parse_strategy, false, parse_text("rid,low=3")) \
	X(name_site, false, dls_site_named(&place, numbered("site %u"))) \
	X(schedule_site, false, dls_site_set_schedule(place, numbered("ss,%u"))) \
	X(measure_site, false, dls_site_set_measured(place, true)) \
	X(moments_site, false, dls_site_set_moments(place, 1e-6, 1e-7)) \
	X(stats_site, false, dls_site_stats(place, &(struct dls_stats){ .size = sizeof(struct dls_stats) })) \
	X(register, false, register_calc()) \
	X(report, true, write_report()) \
	X(predict, false, predict())
#define FUNCTION(name, does_without, ...) static int call_##name(void) { return __VA_ARGS__; }
#define ENTRY(name, does_without, ...) { #name, call_##name, does_without },

CALLS(FUNCTION)

static void calls(void)
{
	static const struct {
		const char *name;
		int (*call)(void);
		bool does_without;
	} call[] = { CALLS(ENTRY) };

	report = scratch("calls.csv");
	loops();
	memset(hits, 0, sizeof(hits));
	for (unsigned i = 0; i < sizeof(call) / sizeof(*call); i++)
		REFUSE_EACH(turn, REFUSE_MOST, 1, "%s", call[i].name) {
			int code, again = 0;

			calc = (unsigned)(2 * turn.k + turn.on);
			code = call[i].call();
			if (refuse_end() == 0)
				CHECK_EQ(code, 0);
			else
				CHECK(code == DLS_ENOMEM || (code == 0 && call[i].does_without));
			if (code)
				again = call[i].call();
			CHECK_EQ(again, 0);
		}
}

TEST_MAIN(T(observed) T(calls))
