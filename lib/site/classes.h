/* classes.h - what is known of a site's loops under auto: between chooser.c, blocks.c and report_sites.c. */
#ifndef LIB_SITE_CLASSES_H
#define LIB_SITE_CLASSES_H

#include <pthread.h>

#include "lib/auto/auto.h"
#include "lib/base/tsan.h"
#include "lib/schedule/schedule.h"
#include "lib/site/answers.h"
#include "lib/site/blocks.h"

struct dls__chooser {
	struct dls__answers answers;
	struct dls__auto_blocks blocks;
	pthread_mutex_t mutex;		/* held while one thread asks or learns */
	struct dls__auto known;
};

/* A schedule that auto may choose, by its number: as it would be parsed from its text. */
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
