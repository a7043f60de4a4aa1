/* ran.c - which schedule ran: text, CSV, JSON, page, advice, dls-advise and trace of one run give the same answer.
 *
 * A child runs a loop in each way in which a schedule comes to one, and writes its report in each form; ran.py compares them with what is
 * expected.
 *
 * Fails if: one of them asks what would run next in place of what ran: the site's schedule where the loop has its own, auto where that
 * has chosen, what was set since; or if one of several schedules, a fallback, or the schedule's parameters are left out. */
#include "child.h"
#include "deal.h"
#include "scratch.h"
#include "tool.h"

enum { P = 2, N = 1 << 14, TIMES = 4 };

static void spin(int64_t i)
{
	for (volatile int64_t k = 0; k < 2; k++)
		;
}

/* Executions at a site; schedule NULL: the site's. */
static void run_at(struct dls_site *site, uint64_t n, const char *schedule, const char *then)
{
	struct dls_team *team = NULL;
	struct dls_loop *loop = NULL;

	CHECK_EACH(0, dls_team_open(&team, P), dls_loop_open(&loop, P, site, 0));
	if (schedule)
		CHECK_EQ(dls_loop_set_schedule(loop, schedule), 0);
	for (int k = 0; k < TIMES; k++) {
		if (k == TIMES / 2 && then)
			CHECK_EQ(dls_loop_set_schedule(loop, then), 0);
		deal_team(loop, team, n, spin);
	}
	dls_loop_close(loop);
	dls_team_close(team);
}

static void run_named(const char *name, uint64_t n, const char *schedule, const char *then)
{
	run_at(deal_measured(name), n, schedule, then);
}

enum { PLACE = __LINE__ + 1 };
static struct dls_site here = DLS_SITE_INIT;

static const struct dls_calc own = {
	.size = sizeof(own), .name = "own", .source = "ran.c", .chunk = "1", .init = deal_init, .next = deal_ones,
};

static int child(const char *argument)
{
	static const char *const forms[] = { "ran.txt", "ran.csv", "ran.json", "ran.html" };
	struct dls_site *site = deal_measured("set");

	CHECK_EACH(0, dls_calc_register(&own), dls_site_set_measured(&here, true));
	run_named("by call", N, "ss,500", NULL);
	run_named("by name", N, NULL, NULL);
	run_named("named and called", N, "ss,700", NULL);
	run_at(&here, N, NULL, NULL);
	run_named("general", N, NULL, NULL);
	CHECK_EQ(dls_site_set_schedule(site, "gss,7"), 0);
	run_named("set", N, NULL, NULL);
	CHECK_EQ(dls_site_set_schedule(site, "static"), 0);	/* nothing runs under it */
	run_named("own", N, "own,1000", NULL);
	run_named("strategy", N, "rid,100", NULL);
	run_named("fallback", N, "fsc", NULL);
	run_named("changed", N, "tss", "ss,900");
	run_named("changed back", N, "auto", "monotonic:fac2");
	run_named("automatic", N, NULL, NULL);
	run_named("in order", N, "monotonic:auto", NULL);
	run_named("multiple", N, "auto,multiple=8", NULL);
	run_at(deal_site("unmeasured"), N, "ss,500", NULL);
#ifdef _OPENMP
	deal_measured("macro");
	deal_measured("refused");
	for (int k = 0; k < TIMES; k++) {
		DLS_PARALLEL_FOR_WITH((num_threads(P)), i, 0, N, .name = "macro", .schedule = "ss,300")
			spin(i);
		DLS_PARALLEL_FOR_WITH((num_threads(P)), i, 0, N, .name = "refused", .schedule = "nosuch")
			spin(i);
	}
#endif
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		char file[200];

		snprintf(file, sizeof(file), "%s/%s", getenv("RAN_FOLDER"), forms[i]);
		CHECK_EQ(dls_report(file), 0);
	}
	return tap_failures > 0;
}

static void plant(const char *name, const char *head, const char *text)
{
	FILE *f = fopen(scratch(name), "w");

	if (CHECK(f)) {
		fprintf(f, "%s%s", head, text);
		fclose(f);
	}
}

/* What is expected of each site: what was asked for and what ran, for each schedule, and which is in force; "?": any. */
static const char common[] =
	"by call|ss,500>ss,500\n"
	"by name|ss,123>ss,123\n"
	"named and called|ss,700>ss,700\n"
	"general|gss,5>gss,5\n"
	"set|gss,7>gss,7\n"
	"own|own,1000>own,1000\n"
	"strategy|rid,100>rid,100\n"
	"fallback|fsc>fac2|fsc>fsc\n"
	"changed|tss>tss|ss,900>ss,900\n"
#ifdef _OPENMP
	"macro|ss,300>ss,300\n"
	"refused|gss,5>gss,5\n"
#endif
	;

static void same(const char *trace, const char *expected)
{
	char schedules[200], place[100];
	const char *const variables[] = {
		"RAN_FOLDER", scratch_folder, "DLS_SCHEDULE", schedules, trace ? "DLS_TRACE" : NULL, trace, NULL,
	};
	const char *advice = scratch("advice.csv"), *of_trace = scratch("of_trace.csv");
	int status;

	snprintf(schedules, sizeof(schedules), "gss,5; by name:ss,123; named and called:ss,123; ran.c:%d:tss; automatic:auto", PLACE);
	if (!CHECK_EQ(child_again("child", variables, true), 0))
		tap_note("%s", complained);
	snprintf(place, sizeof(place), "%s:%d|tss>tss\n", __FILE__, PLACE);
	plant("expected", common, expected);
	plant("place", place, "");
	/* Without jansson there is no dls-advise. */
	if (tool_run("dls-advise", "--csv %s >%s 2>&1", scratch("ran.json"), advice) != 0)
		plant("advice.csv", "", "");
	if (!trace || tool_run("dls-advise", "--csv %s >%s 2>&1", trace, of_trace) != 0)
		plant("of_trace.csv", "", "");
	status = tool_python("test/api/ran.py %s %s 2>&1", scratch_folder, trace ? trace : "-");
	if (status < 0)
		return;
	CHECK_EQ(status, 0);
	CHECK_TEXT(tool_out, "");
}

#define LEARNING "changed back|auto>?|monotonic:fac2>monotonic:fac2\nautomatic|auto>?\nin order|monotonic:auto>?\nmultiple|auto,multiple=8>?\n"

static void reported(void)
{
	same(NULL, LEARNING "unmeasured\n");
}

/* All loops of a traced run are measured. */
static void traced(void)
{
	same(scratch("trace.json"), LEARNING "unmeasured|ss,500>ss,500\n");
}

TEST_MAIN_OR(child, T(reported) T(traced))
