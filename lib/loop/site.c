/* site.c - the sites of the program: found by place or name, made once, kept for ever. */
#define _XOPEN_SOURCE 700	/* tsearch() */
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/loop/env.h"
#include "lib/loop/fork.h"
#include "lib/base/message.h"
#include "lib/loop/site.h"
#include "lib/observe/statistics.h"

/* Guards the list and the trees; what is on them stays where it is. */
static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;
static struct dls__site *all_sites, **last_site = &all_sites;	/* in the order in which they were met */
static void *by_name, *by_place;	/* trees of the same, as tsearch() makes them; of equal ones the first met */
static void *all_texts;		/* a tree of the texts' bytes, as tsearch() makes it */

/* Whether an entry of DLS_SCHEDULE is for a site: its name, or the end of its path at a '/'. */
static bool entry_matches(const struct dls__env_site *e, const char *name)
{
	size_t n = strlen(name);

	return n >= e->length && memcmp(name + n - e->length, e->site, e->length) == 0 &&
	       (n == e->length || name[n - e->length - 1] == '/');
}

static const struct dls_schedule *entry_for(const struct dls__site *site)
{
	const struct dls__env *env = dls__env();
	const struct dls_schedule *schedule = NULL;
	char place[4096] = "";

	if (site->file)
		snprintf(place, sizeof(place), "%s:%d", site->file, site->line);
	for (size_t i = 0; i < env->sites; i++) {	/* the last entry counts */
		struct dls__env_site *e = &env->site[i];

		if ((strlen(site->name) == e->length && memcmp(site->name, e->site, e->length) == 0) ||
		    entry_matches(e, place)) {
			atomic_store_explicit(&e->met, true, memory_order_relaxed);	/* relaxed: for a message */
			schedule = e->schedule;
		}
	}
	return schedule;
}

static struct dls__site *new_site(void)
{
	struct dls__site *site = aligned_alloc(_Alignof(struct dls__site), sizeof(*site));

	if (!site)
		return NULL;
	memset(site, 0, sizeof(*site));
	for (int i = 0; i < DLS__MOMENTS; i++) {
		atomic_init(&site->moment[i], -1);
		atomic_init(&site->learned[i], -1);
	}
	atomic_flag_clear(&site->told);
	site->place.site = site;
	return site;
}

struct dls__site *dls__site_private(void)
{
	struct dls__site *site = new_site();

	if (site)
		strcpy(site->name, "dls_loop");
	return site;
}

void dls__site_free(struct dls__site *site)
{
	if (!site)
		return;
	/* relaxed, here and below: nobody else is left. */
	dls__statistics_free(atomic_load_explicit(&site->statistics, memory_order_relaxed));
	for (int i = 0; i < DLS__BLOCKS; i++)
		free(atomic_load_explicit(&site->rates[i], memory_order_relaxed));
	free(site->file);
	free(site);
}

/* The site after one, the first after NULL. */
static struct dls__site *site_after(const struct dls__site *site)
{
	struct dls__site *next;

	pthread_mutex_lock(&lists);
	next = site ? site->next : all_sites;
	pthread_mutex_unlock(&lists);
	return next;
}

void dls__sites_lock(void)
{
	pthread_mutex_lock(&lists);
}

void dls__sites_unlock(void)
{
	pthread_mutex_unlock(&lists);
}

void dls__sites_forked(void)
{
	for (struct dls__site *site = all_sites; site; site = site->next)
		dls__statistics_forked(site);
}

void dls__sites(void (*visit)(struct dls__site *, void *), void *arg)
{
	for (struct dls__site *site = NULL; (site = site_after(site));)
		visit(site, arg);
}

struct dls__rates *dls__site_rates(struct dls__site *site, unsigned worker, bool make)
{
	unsigned b = 31 - (unsigned)__builtin_clz(worker + 1);
	/* acquire, here and on failure below: pairs with the release that publishes the block. */
	struct dls__rates *block = atomic_load_explicit(&site->rates[b], memory_order_acquire), *fresh;
	size_t size = sizeof(*block) << b;

	if (!block && make && (fresh = aligned_alloc(_Alignof(struct dls__rates), size))) {
		memset(fresh, 0, size);
		if (atomic_compare_exchange_strong_explicit(&site->rates[b], &block, fresh, memory_order_release,
							    memory_order_acquire))
			block = fresh;
		else
			free(fresh);
	}
	return block ? &block[worker + 1 - (1u << b)] : NULL;
}

static int name_order(const void *a, const void *b)
{
	return strcmp(((const struct dls__site *)a)->name, ((const struct dls__site *)b)->name);
}

static int place_order(const void *a, const void *b)
{
	const struct dls__site *x = a, *y = b;

	return x->line == y->line ? strcmp(x->file, y->file) : x->line < y->line ? -1 : 1;
}

/* The site of that name or, if it is NULL, of that place; NULL: there is none.  `lists` is held. */
static struct dls__site *known(const char *file, int line, const char *name)
{
	struct dls__site key = { .file = (char *)file, .line = line }, **node;

	if (name)
		snprintf(key.name, sizeof(key.name), "%s", name);
	node = name ? tfind(&key, &by_name, name_order) : tfind(&key, &by_place, place_order);
	return node ? *node : NULL;
}

/* False: there is no memory.  `lists` is held. */
static bool plant(struct dls__site *site)
{
	struct dls__site **node = tsearch(site, &by_name, name_order);

	if (node && (!site->file || tsearch(site, &by_place, place_order)))
		return true;
	if (node && *node == site)
		tdelete(site, &by_name, name_order);
	return false;
}

/* `lists` is held. */
static struct dls__site *make_site(const char *file, int line, const char *name)
{
	struct dls__site *site = new_site();

	/* A copy: a plug-in's __FILE__ goes with dlclose(), and another may come to lie there. */
	if (!site || (file && !(site->file = strdup(file)))) {
		free(site);
		return NULL;
	}
	site->line = line;
	if (name)
		snprintf(site->name, sizeof(site->name), "%s", name);
	else	/* the end of the path tells more than its beginning */
		snprintf(site->name, sizeof(site->name), "%s:%d",
			 strlen(file) > 50 ? file + strlen(file) - 50 : file, line);
	if (!plant(site)) {
		dls__site_free(site);
		return NULL;
	}
	site->listed = true;
	site->entry = entry_for(site);
	*last_site = site;
	last_site = &site->next;
	return site;
}

static struct dls__site *find_site(const struct dls_site *place, const char *name)
{
	struct dls__site *s;

	dls__env();		/* not under the lock: it may end the program */
	pthread_mutex_lock(&lists);
	s = known(place ? place->file : NULL, place ? place->line : 0, name);
	if (!s)
		s = make_site(place ? place->file : NULL, place ? place->line : 0, name);
	pthread_mutex_unlock(&lists);
	return s;
}

struct dls__site *dls__site(struct dls_site *place, const char *name)
{
	if (name && !*name)
		name = NULL;
	/* acquire: the record was written by whoever made it; pairs with the release below. */
	struct dls__site *site = __atomic_load_n(&place->site, __ATOMIC_ACQUIRE);

	if (site && (!name || strncmp(site->name, name, sizeof(site->name) - 1) == 0))
		return site;
	site = find_site(place, name);
	/* release: publishes what find_site() made. */
	__atomic_store_n(&place->site, site, __ATOMIC_RELEASE);
	return site;
}

int dls_site_named(struct dls_site **place, const char *name)
{
	if (!place || !name || !*name || strlen(name) > 63)
		return DLS_EINVAL;

	struct dls__site *site = find_site(NULL, name);

	if (!site)
		return DLS_ENOMEM;
	*place = &site->place;
	return 0;
}

static int text_order(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The kept text that equals `text`; NULL: there is no memory, which the next call may find. */
static struct dls__text *intern(const char *text)
{
	struct dls__text *t = NULL;
	char **node;

	pthread_mutex_lock(&lists);
	node = tfind(text, &all_texts, text_order);
	if (node) {
		t = (struct dls__text *)(*node - offsetof(struct dls__text, text));
	} else if ((t = calloc(1, sizeof(*t) + strlen(text) + 1))) {
		strcpy(t->text, text);
		atomic_init(&t->calcs, SIZE_MAX);
		if (!tsearch(t->text, &all_texts, text_order)) {
			free(t);
			t = NULL;
		}
	}
	pthread_mutex_unlock(&lists);
	return t;
}

/* Parse a text, unless it has been: one that is refused counts until another calculator is registered.  Not under the lock:
 * parsing calls the init() of calculators, which may use the library.  Returns 0 and the schedule, or why not. */
static int outcome(struct dls__text *t, const struct dls_schedule **result)
{
	/* acquire, here and below: pairs with the releases below, which publish the schedule, and the code. */
	struct dls_schedule *schedule = atomic_load_explicit(&t->schedule, memory_order_acquire), *mine;
	size_t calcs;
	int code;

	*result = schedule;
	if (schedule)
		return 0;
	calcs = dls__calcs_count();
	if (atomic_load_explicit(&t->calcs, memory_order_acquire) == calcs)
		return atomic_load_explicit(&t->code, memory_order_relaxed);	/* relaxed: published by calcs */
	code = dls_schedule_parse(&mine, t->text, NULL);
	if (code == DLS_ENOMEM)		/* there may be some the next time */
		return code;
	if (code) {
		atomic_store_explicit(&t->code, code, memory_order_relaxed);
		atomic_store_explicit(&t->calcs, calcs, memory_order_release);
	} else if (atomic_compare_exchange_strong_explicit(&t->schedule, &schedule, mine, memory_order_acq_rel,
							   memory_order_acquire)) {
		*result = mine;
	} else {
		dls_schedule_free(mine);
		*result = schedule;
	}
	return code;
}

int dls_site_schedule(struct dls_site *place, const char *text)
{
	struct dls__site *site = place ? dls__site(place, NULL) : NULL;
	const struct dls_schedule *schedule = NULL;

	if (!place)
		return DLS_EINVAL;
	if (!site)
		return DLS_ENOMEM;
	if (text) {
		struct dls__text *t = intern(text);
		int code = t ? outcome(t, &schedule) : DLS_ENOMEM;

		if (code)
			return code;
	}
	/* release: the schedule is wholly written; pairs with the acquire in dls__site_schedule(). */
	atomic_store_explicit(&site->own, schedule, memory_order_release);
	return 0;
}

/* Once for each text. */
static void complain(const struct dls__site *site, struct dls__text *t)
{
	struct dls_schedule *schedule = NULL;
	struct dls_parse_error error;
	char where[96];

	if (atomic_flag_test_and_set_explicit(&t->told, memory_order_relaxed))	/* relaxed: guards the message alone */
		return;
	if (dls_schedule_parse(&schedule, t->text, &error) == 0) {	/* a calculator came between */
		dls_schedule_free(schedule);
		return;
	}
	snprintf(where, sizeof(where), "%s: schedule", site->name);
	dls__complain(where, t->text, strlen(t->text), &error, dls__env()->schedule);
}

static void complain_of_memory(const struct dls__site *site)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set_explicit(&told, memory_order_relaxed))	/* relaxed: guards the message alone */
		dls__message("%s: no memory for its .schedule, which is not used this time", site->name);
}

static const struct dls_schedule *from_option(struct dls__site *site, const char *option)
{
	/* acquire: pairs with the release below, which publishes the text. */
	struct dls__text *t = atomic_load_explicit(&site->option, memory_order_acquire);
	const struct dls_schedule *schedule;
	int code;

	if (!t || strcmp(t->text, option) != 0) {
		t = intern(option);
		if (!t) {
			complain_of_memory(site);
			return NULL;
		}
		atomic_store_explicit(&site->option, t, memory_order_release);
	}
	code = outcome(t, &schedule);
	if (code == DLS_ENOMEM)
		complain_of_memory(site);
	else if (code)
		complain(site, t);
	return schedule;
}

const struct dls_schedule *dls__site_schedule(struct dls__site *site, const char *option)
{
	const struct dls_schedule *schedule = site->entry;

	if (!schedule)	/* acquire: pairs with the release in dls_site_schedule(). */
		schedule = atomic_load_explicit(&site->own, memory_order_acquire);
	if (!schedule && option)
		schedule = from_option(site, option);
	return schedule ? schedule : dls__env()->schedule;
}

static int tell(struct dls_site *place, int which, double value, double least)
{
	struct dls__site *site;

	if (!place)
		return DLS_EINVAL;
	if (!isfinite(value) || value < least)
		return DLS_ERANGE;
	site = dls__site(place, NULL);
	if (!site)
		return DLS_ENOMEM;
	/* relaxed: each value makes sense beside any other. */
	atomic_store_explicit(&site->moment[which], value, memory_order_relaxed);
	return 0;
}

int dls_site_moments(struct dls_site *place, double mu, double sigma)
{
	if (!isfinite(sigma) || sigma < 0)
		return DLS_ERANGE;

	int code = tell(place, DLS__MU, mu, nextafter(0, 1));

	return code ? code : tell(place, DLS__SIGMA, sigma, 0);
}

int dls_site_overhead(struct dls_site *place, double h)
{
	return tell(place, DLS__H, h, 0);
}

size_t dls_site_print(struct dls_site *place, char *text, size_t size)
{
	struct dls__site *site = place ? dls__site(place, NULL) : NULL;
	/* acquire: pairs with the release in from_option(). */
	struct dls__text *option = site ? atomic_load_explicit(&site->option, memory_order_acquire) : NULL;

	return dls_schedule_print(site ? dls__site_schedule(site, option ? option->text : NULL) : dls__env()->schedule,
				  text, size);
}
