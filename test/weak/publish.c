/* publish.c - what is made once and found by all: sites, schedules, calculators, tuners, the environment. */
#define _GNU_SOURCE		/* as env.c does */
#include "dls.h"
#include "dls/stats.h"
#include "lib/site/env.c"
#include "lib/site/site_schedule.c"
#define request tuner_ask
#include "lib/site/tuner.c"
#undef request
#define hash fortran_hash
#define find fortran_find
#define name_of fortran_name_of
#define ending fortran_ending
#include "lib/region/fortran.c"
#undef hash
#undef find
#undef name_of
#undef ending
#define find register_find
#define taken register_taken
#define mutex register_mutex
#undef DLS__ACROSS_FORK			/* it has a member of that name */
#define DLS__ACROSS_FORK(name, ...) struct dls__across_fork
#include "lib/schedule/registered.c"
#undef mutex
#include "lib/region/enter.h"
#include "weak.h"

/* What reads the environment is not at issue, and clocks are not for explorers. */
static void read_env(void)
{
	dls__env();
}

static void find_env(void)
{
	const struct dls__env *e = dls__env();

	HOLDS(!e->strict && e->schedules.general);
}

/* A site of its own place. */
static struct dls_site place = { .file = "weak.c", .line = 5 };

static void find_place(void)
{
	struct dls__request request = { .site = &place };
	struct dls__kept_site *s = dls__request_site(&request);

	HOLDS(s->line == 5);
	HOLDS(dls__kept_site(&place, NULL)->line == 5);
}

/* A named site by Fortran's cache. */
static void find_name(void)
{
	HOLDS(fortran_find("weak", 4)->site->place.site);
}

/* A site's schedule, set by one and used by the other. */
static struct dls__kept_site *site;

static void make_site_first(void)
{
	dls__env();
	site = dls__kept_site(&place, NULL);
}

/* A site that has run once, which gets a tuner at its next execution. */
static void make_site_again(void)
{
	make_site_first();
	dls__statistics_count(&site->statistics, 1, site);
}

static void set_gss(void)
{
	HOLDS(dls_site_set_schedule(&place, "gss") == 0);
}

static void look_for_schedule(void)
{
	const struct dls_schedule *s = dls__site_schedule_next(site, NULL);

	HOLDS(s->number + 1 != 0);
}

/* ... parsed by both at once. */
static void use_option(void)
{
	const struct dls_schedule *s = dls__site_schedule_next(site, "gss");

	HOLDS(s->number + 1 != 0);
}

static void use_other_option(void)
{
	dls__site_schedule_next(site, "tss");
}

static void print_option(void)
{
	char text[40];

	dls_site_print_schedule(&place, text, sizeof(text));
}

static void find_tuner(void)
{
	struct dls__tuner *tuner = tuner_of(site);

	pthread_mutex_lock(&tuner->mutex);
	tuner->blocks.calm = 1;
	pthread_mutex_unlock(&tuner->mutex);
}

static void tell_chosen(void)
{
	struct dls__chosen chosen[DLS__CHOSEN];

	dls__blocks_timed(site, 100, 0, 2, 1000000);
	HOLDS(dls__auto_chosen(site, chosen) == 0);
}

/* What a small loop took, once there is a tuner. */
static void tell_serial(void)
{
	bool timed;

	HOLDS(!dls__blocks_serial(site, 100, &timed));
	if (timed)
		dls__blocks_serial_ended(site, 100, false, 1000);
}

/* tuner.H1: one thread at a time learns. */
static void make_tuner_first(void)
{
	make_site_again();
	tuner_of(site);
}

static void learn_wall(void)
{
	struct dls__timing t = { .schedule = DLS__AUTO_STATIC };

	dls__auto_learn(&t, site, 100, 2, 1e-3, NULL);
}

/* What is made once. */
static atomic_bool is_made;
static int made;

static void make_it(void)
{
	made = 1;
}

static void find_made(void)
{
	dls__once(&is_made, make_it);
	HOLDS(made == 1);
}

/* A user's calculator. */
static void add_calculator(void)
{
	static const struct dls_calc calc = { .name = "weak" };

	HOLDS(add(&calcs, &calc, sizeof(calc), calc.name, NULL) == 0);
}

static void look_for_calculator(void)
{
	const struct dls_calc *c = own_at(&calcs, 0);

	HOLDS(!c || c->name);
}

/* Workers' rates. */
static struct dls__site_learned learned;

static void find_rates(void)
{
	const struct dls__rates *rates = dls__rates(&learned, weak_self() == 0 ? 1 : 2, true);

	HOLDS(rates->memory.value[0] == 0);
}

static void look_for_rates(void)
{
	const struct dls__rates *rates = dls__rates(&learned, 1, false);

	HOLDS(!rates || rates->memory.value[0] == 0);
}

WEAK_MAIN(1,
	{ "environment", NULL, { read_env, find_env }, NULL, 0, 30 },
	{ "site of a place", read_env, { find_place, find_place }, NULL, 0, 30 },
	{ "site of a name", read_env, { find_name, find_name }, NULL, 0, 30 },
	{ "schedule set", make_site_first, { set_gss, look_for_schedule }, NULL, 0, 30 },
	{ "schedule in the source", make_site_first, { use_option, use_option }, NULL, 0, 30 },
	{ "schedule printed", make_site_first, { use_option, use_other_option, print_option }, NULL, 0, 30 },
	{ "tuner", make_site_again, { find_tuner, find_tuner }, NULL, 0, 30 },
	{ "tuner, told", make_site_again, { find_tuner, tell_chosen }, NULL, 0, 30 },
	{ "tuner, timed", make_site_again, { find_tuner, tell_serial }, NULL, 0, 30 },
	{ "once", NULL, { find_made, find_made }, NULL, 0, 30 },
	{ "tuner, learns", make_tuner_first, { learn_wall, learn_wall }, NULL, 0, 30 },
	{ "calculators", NULL, { add_calculator, look_for_calculator }, NULL, 0, 30 },
	{ "rates", NULL, { find_rates, look_for_rates, find_rates }, NULL, 0, 30 })
