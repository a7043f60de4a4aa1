/* classes.h - what is known of a site's loops under auto: between chooser.c, blocks.c and report_sites.c. */
#ifndef LIB_SITE_CLASSES_H
#define LIB_SITE_CLASSES_H

#include <pthread.h>

#include "lib/auto/auto.h"
#include "lib/base/apart.h"
#include "lib/base/tsan.h"
#include "lib/schedule/schedule.h"
#include "lib/site/blocks.h"

/* Classes that differ in octaves, as those of one team do up to 2^32 iterations, have places of their own for
 * their answers; others take turns. */
enum { DLS__ANSWERS = 64 };

struct dls__chooser {
	/* Auto's last answers, by class: most executions of short loops run what was answered before, without
	 * asking.  Each is one word, the whole of what threads share; two executions may count as one. */
	_Alignas(DLS__APART) _Atomic uint64_t answer[DLS__ANSWERS];
	struct dls__auto_blocks blocks;
	pthread_mutex_t mutex;		/* held while one thread asks or learns */
	struct dls__auto known;
};

/* A schedule that auto may choose, by its number: as it would be parsed from its text.  All are made when the
 * first is asked for, and kept. */
struct dls__choice {
	struct dls_schedule schedule;
	char text[32];
};
const struct dls__choice *dls__choice_of(unsigned number);

/* NULL: there is none yet. */
static inline struct dls__chooser *dls__chooser_of(struct dls__kept_site *site)
{
	/* acquire: pairs with the release in make_chooser(). */
	struct dls__chooser *chooser = atomic_load_explicit(&site->chooser, memory_order_acquire);

	dls__tsan_acquire(&site->chooser);
	return chooser;
}

#endif
