/* sites.c - schedules of sites and calculators that come later, or use the library themselves.
 *
 * A child does what may hang, and an alarm ends it.
 *
 * Fails if: a `.schedule` that was refused stays refused once its calculator is registered, a calculator's init() is called
 * under a lock or a once that it needs itself, a refused text gets two messages. */
#include "child.h"
#include "deal.h"
#include "once.h"

enum { N = 100 };

/* Finds and makes sites, gives them schedules, and runs loops. */
static int init_busily(void *state, const struct dls_loop_desc *loop)
{
	static _Thread_local bool inside;
	struct dls_site *site;
	struct dls_stats stats = { .size = sizeof(stats) };
	unsigned n = 0;

	(void)state;
	(void)loop;
	if (inside)
		return 0;
	inside = true;
	if (dls_site_named(&site, "of init") || dls_site_set_schedule(site, "gss,3") || dls_site_stats(site, &stats) ||
	    dls_site_set_measured(site, false) || dls_site_set_moments(site, 1, 1) || dls_site_set_overhead(site, 1))
		return DLS_EINVAL;
	DLS_FOR(i, 0, N, .schedule = "tss,l=2", .name = "of init's loop")
		n++;
	inside = false;
	return n == N && strcmp(deal_schedule(site), "gss,3") == 0 ? 0 : DLS_EINVAL;
}

static const struct dls_calc
	late = { .size = sizeof(struct dls_calc), .name = "late", .init = deal_init, .next = deal_ones },
	busy = { .size = sizeof(struct dls_calc), .name = "busy", .init = init_busily, .next = deal_ones },
	other = { .size = sizeof(struct dls_calc), .name = "other", .init = deal_init, .next = deal_ones };

struct act {
	int (*act)(void);
	const char *schedule;
};

static int act_under(const void *arg)
{
	const struct act *a = arg;

	setenv("DLS_SCHEDULE", a->schedule, 1);
	return a->act();
}

/* What `act` returns in a child with this DLS_SCHEDULE. */
static int in_child(int (*act)(void), const char *schedule)
{
	return child_exit(child_status(act_under, &(struct act){ act, schedule }));
}

static unsigned times_said(const char *text)
{
	unsigned n = 0;

	for (const char *s = said; (s = strstr(s, text)); s++)
		n++;
	return n;
}

/* Runs the loop and returns its site's schedule. */
static const char *loop_late(void)
{
	DLS_FOR(i, 0, N, .name = "later", .schedule = "late,4")
		(void)i;
	return deal_schedule(deal_site("later"));
}

static int refused_first(void)
{
	struct dls_site *site = deal_site("later");

	if (strcmp(loop_late(), "fac2") != 0)
		return 1;
	if (dls_site_set_schedule(site, "late,5") != DLS_ENOENT || dls_calc_register(&other))
		return 2;
	if (strcmp(loop_late(), "fac2") != 0)
		return 3;
	if (dls_calc_register(&late))
		return 4;
	if (strcmp(loop_late(), "late,4") != 0)
		return 5;
	return dls_site_set_schedule(site, "late,5") || strcmp(deal_schedule(site), "late,5") ? 6 : 0;
}

static void registered_after(void)
{
	CHECK_EQ(in_child(refused_first, "fac2"), 0);
	CHECK_EQ(times_said("[late]"), 1);
}

static int option_calls_init(void)
{
	unsigned n = 0;

	if (dls_calc_register(&busy))
		return 1;
	DLS_FOR(i, 0, N, .schedule = "busy,2")
		n++;
	return n != N;
}

static int call_calls_init(void)
{
	struct dls_site *site;

	if (dls_calc_register(&busy) || dls_site_named(&site, "with init"))
		return 1;
	return dls_site_set_schedule(site, "busy,2") ? 2 : 0;
}

static int environment_calls_init(void)
{
	if (dls_calc_register(&busy))
		return 1;
	return strcmp(deal_schedule(deal_site("elsewhere")), "busy,7") ? 2 : 0;
}

static void init_uses_sites(void)
{
	CHECK_EQ(in_child(option_calls_init, "fac2"), 0);
	CHECK_TEXT(said, "");
	CHECK_EQ(in_child(call_calls_init, "fac2"), 0);
	CHECK_TEXT(said, "");
	CHECK_EQ(in_child(environment_calls_init, "busy,7"), 0);
	CHECK_TEXT(said, "");
}

/* A loop without a site runs under the environment's schedule. */
static int print_null(void)
{
	char text[8] = "x";

	return dls_site_print_schedule(NULL, text, sizeof(text)) != 5 || strcmp(text, "gss,6") || dls_site_print_schedule(NULL, NULL, 0) != 5;
}

static void without_site(void)
{
	CHECK_EQ(in_child(print_null, "gss,6"), 0);
}

TEST_MAIN(T(registered_after) T(init_uses_sites) T(without_site))
