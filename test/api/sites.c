/* sites.c - schedules of sites and calculators that come later, or use the library themselves.
 *
 * A child does what may hang, and an alarm ends it.
 *
 * Fails if: a `.schedule` that was refused stays refused once its calculator is registered, a calculator's init() is called
 * under a lock or a once that it needs itself, a refused text gets two messages. */
#include "child.h"
#include "once.h"

enum { N = 100 };

static uint64_t ones(void *state, uint64_t R)
{
	(void)state;
	(void)R;
	return 1;
}

static int init_plainly(void *state, const struct dls_loop_desc *loop)
{
	(void)state;
	(void)loop;
	return 0;
}

/* Finds and makes sites, gives them schedules, and runs loops. */
static int init_busily(void *state, const struct dls_loop_desc *loop)
{
	static _Thread_local bool inside;
	struct dls_site *site;
	struct dls_stats stats = { .size = sizeof(stats) };
	unsigned n = 0;
	char text[80];

	(void)state;
	(void)loop;
	if (inside)
		return 0;
	inside = true;
	if (dls_site_named(&site, "of init") || dls_site_set_schedule(site, "gss,3") || dls_site_stats(site, &stats) ||
	    dls_site_set_measured(site, false) || dls_site_set_moments(site, 1, 1) || dls_site_set_overhead(site, 1))
		return DLS_EINVAL;
	dls_site_print_schedule(site, text, sizeof(text));
	DLS_FOR(i, 0, N, .schedule = "tss,l=2", .name = "of init's loop")
		n++;
	inside = false;
	return n == N && strcmp(text, "gss,3") == 0 ? 0 : DLS_EINVAL;
}

static const struct dls_calc
	late = { .size = sizeof(struct dls_calc), .name = "late", .init = init_plainly, .next = ones },
	busy = { .size = sizeof(struct dls_calc), .name = "busy", .init = init_busily, .next = ones },
	other = { .size = sizeof(struct dls_calc), .name = "other", .init = init_plainly, .next = ones };

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
	int status = child_status(act_under, &(struct act){ act, schedule });

	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static unsigned times_said(const char *text)
{
	unsigned n = 0;

	for (const char *s = said; (s = strstr(s, text)); s++)
		n++;
	return n;
}

static void loop_late(struct dls_site **site, char *text)
{
	DLS_FOR(i, 0, N, .name = "later", .schedule = "late,4")
		(void)i;
	dls_site_named(site, "later");
	dls_site_print_schedule(*site, text, 80);
}

static int refused_first(void)
{
	struct dls_site *site;
	char text[80];

	loop_late(&site, text);
	if (strcmp(text, "fac2") != 0)
		return 1;
	if (dls_site_set_schedule(site, "late,5") != DLS_ENOENT || dls_calc_register(&other))
		return 2;
	loop_late(&site, text);
	if (strcmp(text, "fac2") != 0)
		return 3;
	if (dls_calc_register(&late))
		return 4;
	loop_late(&site, text);
	if (strcmp(text, "late,4") != 0)
		return 5;
	if (dls_site_set_schedule(site, "late,5"))
		return 6;
	dls_site_print_schedule(site, text, sizeof(text));
	return strcmp(text, "late,5") ? 7 : 0;
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
	struct dls_site *site;
	char text[80];

	if (dls_calc_register(&busy) || dls_site_named(&site, "elsewhere"))
		return 1;
	dls_site_print_schedule(site, text, sizeof(text));
	return strcmp(text, "busy,7") ? 2 : 0;
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
