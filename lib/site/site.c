/* site.c - the sites of the program: found by place or name, made once, kept for ever. */
#define _XOPEN_SOURCE 700	/* tsearch() */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/message.h"
#include "lib/base/name.h"
#include "lib/base/tsan.h"
#include "lib/site/blocks.h"
#include "lib/site/env.h"
#include "lib/site/site.h"
#include "lib/site/tuner.h"

/* A tree of the sites, made by tsearch().  Read and changed while the sites are locked. */
static void *by_name;

/* Whether an entry of DLS_SCHEDULE is for a site: its name, or the end of its path at a '/'. */
static bool entry_matches(const struct dls__schedule_entry *e, const char *name)
{
	size_t n = strlen(name);

	return n >= e->length && memcmp(name + n - e->length, e->site, e->length) == 0 &&
	       (n == e->length || name[n - e->length - 1] == '/');
}

/* The entry for a site; its name is `of_place`, or the user's.  Not inline, since it takes two pages of the stack. */
static __attribute__((noinline)) const struct dls_schedule *entry_for(const struct dls__kept_site *site, bool of_place)
{
	const struct dls__env *env = dls__env();
	const struct dls_schedule *schedule = NULL;
	char place[4096] = "", numbered[4096] = "";
	const char *number = of_place ? strrchr(site->name, '#') : NULL;	/* of the place's closure */

	if (site->file) {
		snprintf(place, sizeof(place), "%s:%d", site->file, site->line);
		snprintf(numbered, sizeof(numbered), "%s:%d%s", site->file, site->line, number ? number : "#1");
	} else {
		snprintf(place, sizeof(place), "%s", site->name);	/* of a place whose loop has not come yet, it may be */
	}
	for (size_t i = 0; i < env->schedules.entries; i++) {	/* the last entry counts */
		struct dls__schedule_entry *e = &env->schedules.entry[i];

		if ((strlen(site->name) == e->length && memcmp(site->name, e->site, e->length) == 0) ||
		    entry_matches(e, place) || entry_matches(e, numbered)) {
			atomic_store_explicit(&e->met, true, memory_order_relaxed);	/* relaxed: for a message */
			schedule = e->schedule;
		}
	}
	return schedule;
}

/* Of that name, which is not known yet. */
static struct dls__kept_site *new_site(const char *name)
{
	size_t length = strnlen(name, DLS__SITE_NAME - 1), size = offsetof(struct dls__kept_site, text) + length + 1;
	struct dls__kept_site *site;
	void *memory;

	/* Not aligned_alloc(): it may want a multiple of the alignment. */
	if (posix_memalign(&memory, _Alignof(struct dls__kept_site), size < sizeof(*site) ? sizeof(*site) : size))
		return NULL;
	site = memory;
	memset(site, 0, sizeof(*site));
	memcpy(site->text, name, length);
	site->text[length] = '\0';
	site->name = site->text;
	for (int i = 0; i < DLS__MOMENTS; i++)
		atomic_init(&site->moment[i], -1);
	atomic_flag_clear_explicit(&site->told, memory_order_relaxed);	/* relaxed: published with the site */
	dls__statistics_init(&site->statistics);
	site->below = (struct dls__versioned)DLS__VERSIONED(&site->below, 0);
	site->place.site = site;
	return site;
}

struct dls__kept_site *dls__site_private(void)
{
	dls__env();	/* as sites of the source: dls__site_measured() */
	return new_site("dls_loop");
}

void dls__site_free(struct dls__kept_site *site)
{
	if (!site)
		return;
	dls__statistics_free(&site->statistics);
	dls__tuner_free(atomic_load_explicit(&site->tuner, memory_order_relaxed));	/* relaxed: no other thread is left */
	dls__versioned_free(&site->below);
	free(site);
}

static int name_order(const void *a, const void *b)
{
	return strcmp(((const struct dls__kept_site *)a)->name, ((const struct dls__kept_site *)b)->name);
}

/* The site of a name, NULL: there is none.  The sites are locked. */
static struct dls__kept_site *known(const char *name)
{
	char start[DLS__SITE_NAME];
	struct dls__kept_site key = { .name = start }, **node;

	snprintf(start, sizeof(start), "%s", name);
	node = tfind(&key, &by_name, name_order);
	return node ? *node : NULL;
}

/* A copy for ever, since a plug-in's __FILE__ is unmapped by dlclose(), and another may be mapped there; sites of one file share it.
 * NULL: there is no memory.  The sites are locked. */
static const char *copy_of(char **last, const char *text)
{
	char *copy;

	if (*last && strcmp(*last, text) == 0)
		return *last;
	copy = strdup(text);
	if (copy)
		*last = copy;
	return copy;
}

/* Write "FILE:LINE", no more than the last `most` bytes of FILE: the end of a path tells more than its beginning.  Returns the end. */
static char *write_place(char name[DLS__SITE_NAME], const struct dls_site *place, size_t most)
{
	size_t length = strlen(place->file), n = length > most ? most : length;

	memcpy(name, place->file + length - n, n);
	name[n] = ':';
	return dls__name_number(name + n + 1, place->line);
}

static bool same(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Whether a site with a place's name belongs to another place: to a path that only ends alike, or to another
 * closure. */
static bool is_another(const struct dls__kept_site *site, const struct dls_site *place)
{
	return site->file && !(same(site->file, place->file) && same(site->place.closure, place->closure));
}

/* Write a place's own name, with a number if others have that name, and find its site; NULL: there is none.  The sites are locked. */
static struct dls__kept_site *find_place(char name[DLS__SITE_NAME], const struct dls_site *place)
{
	struct dls__kept_site *site;
	unsigned number = 1;

	write_place(name, place, 50);
	while ((site = known(name)) && is_another(site, place)) {
		char *end = write_place(name, place, 40);

		*end = '#';
		dls__name_number(end + 1, ++number);
	}
	return site;
}

/* The sites are locked.  place NULL: the site is not a loop's.  of_place: the name is not the user's. */
static struct dls__kept_site *make_site(const struct dls_site *place, const char *name, bool of_place, const char *function)
{
	static char *last_file, *last_function, *last_closure;
	const char *file = place ? place->file : NULL, *closure = place ? place->closure : NULL;
	struct dls__kept_site *site;

	if ((file && !(file = copy_of(&last_file, file))) || (closure && !(closure = copy_of(&last_closure, closure))))
		return NULL;
	site = new_site(name);
	if (!site)
		return NULL;
	site->file = file;
	site->place.closure = closure;
	if (place)
		site->line = place->line;
	site->function = function ? copy_of(&last_function, function) : NULL;	/* if there is no memory, it is not known */
	if (!tsearch(site, &by_name, name_order)) {
		dls__site_free(site);
		return NULL;
	}
	site->place.file = site->name;	/* for messages */
	site->listed = true;
	site->entry = dls__env()->schedules.entries ? entry_for(site, of_place) : NULL;
	dls__blocks_made(site);
	dls__sites_add(site, dls__report_sites);
	return site;
}

/* Whether a loop's site was refused for lack of memory; `now`: refuse it.  The loop has none from then on, so that the threads of a
 * team agree on whether it has one.  The sites are locked. */
static bool refused(const struct dls_site *place, const char *name, bool now)
{
	static struct {
		const struct dls_site *place;
		char name[DLS__SITE_NAME];
	} loop[64];
	static size_t loops;
	size_t i = 0;

	name = name ? name : "";
	while (i < loops && (loop[i].place != place || strncmp(loop[i].name, name, DLS__SITE_NAME - 1) != 0))
		i++;
	if (i < loops || !now)
		return i < loops;
	if (loops == sizeof(loop) / sizeof(*loop))
		dls__fatal("%s:%d: no memory for the record of this loop, as for that of many before", place->file, place->line);
	loop[loops].place = place;
	strncpy(loop[loops++].name, name, DLS__SITE_NAME - 1);
	return true;
}

static void publish(struct dls_site *place, struct dls__kept_site *site)
{
	dls__tsan_release(place);
	/* release: publishes the site; pairs with the acquire in dls__kept_site(). */
	__atomic_store_n(&place->site, site, __ATOMIC_RELEASE);
}

/* Record at a place the first site found for it, which loops without a name use from then on; not if its own site was refused: then
 * loops without a name have none there.  Returns the site of the loop.  The sites are locked. */
static struct dls__kept_site *keep(struct dls_site *place, struct dls__kept_site *site, const char *name)
{
	struct dls__kept_site *first = __atomic_load_n(&place->site, __ATOMIC_RELAXED);	/* relaxed: written while the sites are locked */

	if (!first && !refused(place, NULL, false))
		publish(place, first = site);
	return first && !name ? first : site;
}

/* Find or make the site of a name or, if that is NULL, of a place; NULL: there is no memory.  place NULL: the site is not a loop's.
 * function: for a new site. */
static struct dls__kept_site *find_site(struct dls_site *place, const char *name, const char *function)
{
	char of_place[DLS__SITE_NAME];
	struct dls__kept_site *s = NULL;

	dls__env();		/* not under the lock, since it may end the program */
	dls__sites_lock();
	if (!place || !refused(place, name, false)) {
		s = name ? known(name) : find_place(of_place, place);
		if (!s)
			s = make_site(place, name ? name : of_place, !name, function);
		if (!s && place)
			refused(place, name, true);
	}
	if (s && place)
		s = keep(place, s, name);
	dls__sites_unlock();
	return s;
}

struct dls__kept_site *dls__kept_site(struct dls_site *place, const char *name)
{
	if (name && !*name)
		name = NULL;
	/* acquire: the record may have been written by another thread; pairs with the release below. */
	struct dls__kept_site *site = __atomic_load_n(&place->site, __ATOMIC_ACQUIRE);

	dls__tsan_acquire(place);
	if (site && (!name || strncmp(site->name, name, DLS__SITE_NAME - 1) == 0))
		return site;
	return find_site(place, name, place->function);
}

int dls__site_by_name(struct dls_site **place, const char *name, const char *function)
{
	if (!place || !name || !*name || strlen(name) > 63)
		return DLS_EINVAL;

	struct dls__kept_site *site = find_site(NULL, name, function);

	if (!site)
		return DLS_ENOMEM;
	*place = &site->place;
	return 0;
}

int dls_site_named(struct dls_site **place, const char *name)
{
	return dls__site_by_name(place, name, NULL);
}
