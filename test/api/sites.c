/* sites.c - schedules of sites and calculators that come later, or use the library themselves.
 *
 * A child does what may hang, and an alarm ends it.
 *
 * Fails if: a `.schedule` that was refused stays refused once its calculator is registered, a calculator's init() is called
 * under a lock or a once that it needs itself, a refused text gets two messages.
 *
 * runs: check */
#include <pthread.h>
#include <sched.h>
#include <time.h>

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

static int (*act)(void);

static int act_under(const void *schedule)
{
	setenv("DLS_SCHEDULE", schedule, 1);
	return act() || tap_failures;
}

/* A child with this DLS_SCHEDULE, which says `words` so many times. */
static void in_child(int (*what)(void), const char *schedule, const char *words, unsigned times)
{
	unsigned n = 0;

	act = what;
	CHECK_EQ(child_exit(child_status(act_under, schedule)), 0);
	for (const char *s = said; (s = strstr(s, words)); s++)
		n++;
	if (CHECK_EQ(n, times) != times)
		tap_note("%s", said);
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

	CHECK_TEXT(loop_late(), "fac2");
	CHECK_EQ(dls_site_set_schedule(site, "late,5"), DLS_ENOENT);
	CHECK_EQ(dls_calc_register(&other), 0);
	CHECK_TEXT(loop_late(), "fac2");
	CHECK_EQ(dls_calc_register(&late), 0);
	CHECK_TEXT(loop_late(), "late,4");
	CHECK_EQ(dls_site_set_schedule(site, "late,5"), 0);
	CHECK_TEXT(deal_schedule(site), "late,5");
	return 0;
}

static void registered_after(void)
{
	in_child(refused_first, "fac2", "[late]", 1);
}

static int option_calls_init(void)
{
	unsigned n = 0;

	CHECK_EQ(dls_calc_register(&busy), 0);
	DLS_FOR(i, 0, N, .schedule = "busy,2")
		n++;
	return n != N;
}

static int call_calls_init(void)
{
	CHECK_EQ(dls_calc_register(&busy), 0);
	return dls_site_set_schedule(deal_site("with init"), "busy,2");
}

static int environment_calls_init(void)
{
	CHECK_EQ(dls_calc_register(&busy), 0);
	CHECK_TEXT(deal_schedule(deal_site("elsewhere")), "busy,7");
	return 0;
}

static void init_uses_sites(void)
{
	in_child(option_calls_init, "fac2", "\n", 0);
	in_child(call_calls_init, "fac2", "\n", 0);
	in_child(environment_calls_init, "busy,7", "\n", 0);
}

/* Stays in its init() until another thread has come and had time to get in as well. */
static atomic_uint coming, inside, met;

static int init_slowly(void *state, const struct dls_loop_desc *loop)
{
	if (atomic_fetch_add(&inside, 1) > 0)
		atomic_store(&met, 1);
	while (atomic_load(&coming) < 2)
		sched_yield();
	for (int k = 0; k < 20 && !atomic_load(&met); k++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	atomic_fetch_sub(&inside, 1);
	return 0;
}

static const struct dls_calc slow = { .size = sizeof(struct dls_calc), .name = "slow", .init = init_slowly, .next = deal_ones };

static void *read_environment(void *arg)
{
	char text[32];

	atomic_fetch_add(&coming, 1);
	dls_site_print_schedule(NULL, text, sizeof(text));
	*(bool *)arg = strcmp(text, "slow,2") == 0;
	return NULL;
}

/* Returns whether cancellation, too, is as it was. */
static int read_by_two(void)
{
	bool right[2] = { false };
	pthread_t thread;
	int state;

	if (dls_calc_register(&slow) || pthread_create(&thread, NULL, read_environment, &right[1]))
		return 1;
	read_environment(&right[0]);
	pthread_join(thread, NULL);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
	return !right[0] || !right[1] ? 2 : atomic_load(&met) ? 3 : state != PTHREAD_CANCEL_ENABLE ? 4 : 0;
}

static int read_by_one(void)
{
	int state;

	dls_site_print_schedule(NULL, NULL, 0);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
	return state != PTHREAD_CANCEL_ENABLE;
}

/* A loop without a site runs under the environment's schedule. */
static int print_null(void)
{
	char text[8] = "x";

	CHECK_EACH(5, (int)dls_site_print_schedule(NULL, text, sizeof(text)), (int)dls_site_print_schedule(NULL, NULL, 0));
	CHECK_TEXT(text, "gss,6");
	return 0;
}

/* Fails if: two threads read the environment at the same time, one goes on before it is read, or the one that read it cannot be
 * cancelled afterwards. */
static void environment_is_read_once(void)
{
	in_child(read_by_two, "slow,2", "\n", 0);
	in_child(read_by_one, "fac2", "\n", 0);
	in_child(print_null, "gss,6", "\n", 0);
}

TEST_MAIN(T(registered_after) T(init_uses_sites) T(environment_is_read_once))
