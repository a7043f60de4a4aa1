/* site_schedule.c - the schedule of a site's next execution: from DLS_SCHEDULE's entry for it, dls_site_set_schedule() or the macros'
 * `.schedule`, each parsed once and kept unless it is refused; otherwise the schedule of all loops. */
#define _XOPEN_SOURCE 700	/* tsearch() */
#include <search.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/message.h"
#include "lib/base/tsan.h"
#include "lib/site/site_schedule.h"

/* A text that is parsed once and kept, unless it is refused. */
struct dls__text {
	_Atomic(struct dls_schedule *) schedule;	/* NULL: refused, or not parsed yet */
	atomic_flag told;		/* a message about it was printed */
	char text[];
};

/* A tree of the texts' bytes, made by tsearch(), guarded like the sites. */
static void *all_texts;

static int text_order(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The kept text that equals `text`; NULL: there is no memory now. */
static struct dls__text *intern(const char *text)
{
	struct dls__text *t = NULL;
	char **node;

	dls__sites_lock();
	node = tfind(text, &all_texts, text_order);
	if (node) {
		t = (struct dls__text *)(*node - offsetof(struct dls__text, text));
	} else if ((t = calloc(1, sizeof(*t) + strlen(text) + 1))) {
		strcpy(t->text, text);
		if (!tsearch(t->text, &all_texts, text_order)) {
			free(t);
			t = NULL;
		}
	}
	dls__sites_unlock();
	return t;
}

/* Parse a text, unless that has been done; one that is refused is parsed again each time, since another calculator may have been
 * registered.  Not under the lock: parsing calls the init() of calculators, which may use the library.  Returns as dls_schedule_parse(). */
static int outcome(struct dls__text *t, const struct dls_schedule **result, struct dls_parse_error *error)
{
	/* acquire, here and below: pairs with the release below, which publishes the schedule. */
	struct dls_schedule *schedule = atomic_load_explicit(&t->schedule, memory_order_acquire), *mine;
	int code;

	dls__tsan_acquire(t);
	*result = schedule;
	if (schedule)
		return 0;
	code = dls_schedule_parse(&mine, t->text, error);
	if (code)
		return code;
	dls__tsan_release(t);
	*result = mine;
	if (!atomic_compare_exchange_strong_explicit(&t->schedule, &schedule, mine, memory_order_acq_rel, memory_order_acquire)) {
		dls__tsan_acquire(t);
		dls_schedule_free(mine);
		*result = schedule;
	}
	return 0;
}

int dls__site_schedule_parse(const char *text, const struct dls_schedule **schedule)
{
	struct dls__text *t = intern(text);

	return t ? outcome(t, schedule, NULL) : DLS_ENOMEM;
}

/* Once for each text. */
static void complain(const struct dls__kept_site *site, struct dls__text *t, const struct dls_parse_error *error)
{
	char where[96];

	if (!dls__first_to_tell(&t->told))
		return;
	snprintf(where, sizeof(where), "%s: schedule", site->name);
	dls__complain(where, t->text, strlen(t->text), error, dls__given.schedules.general);
}

const struct dls_schedule *dls__site_schedule_kind(struct dls__kept_site *site, const char *option)
{
	/* acquire: pairs with the release below, which publishes the text. */
	struct dls__text *t = atomic_load_explicit(&site->option, memory_order_acquire);
	const struct dls_schedule *schedule;
	struct dls_parse_error error;
	int code;

	dls__tsan_acquire(&site->option);
	if (!t || strcmp(t->text, option) != 0) {
		t = intern(option);
		if (!t)
			return NULL;
		dls__tsan_release(&site->option);
		atomic_store_explicit(&site->option, t, memory_order_release);
	}
	code = outcome(t, &schedule, &error);
	if (code == 0 || code == DLS_ENOMEM)
		return schedule;
	complain(site, t, &error);
	return dls__given.schedules.general;
}

const struct dls_schedule *dls__site_schedule_now(struct dls__kept_site *site)
{
	/* acquire: pairs with the release in dls__site_schedule_kind(). */
	struct dls__text *option = atomic_load_explicit(&site->option, memory_order_acquire);
	const struct dls_schedule *schedule = dls__site_schedule_next(site, option ? option->text : NULL);

	return schedule ? schedule : dls__given.schedules.general;
}
