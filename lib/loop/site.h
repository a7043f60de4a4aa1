/* site.h - what the library keeps of a site. */
#ifndef LIB_LOOP_SITE_H
#define LIB_LOOP_SITE_H

#include <stdatomic.h>

#include "dls/site.h"
#include "lib/loop/schedule.h"

/* A text that was parsed once and is kept. */
struct dls__text {
	struct dls__text *next;
	struct dls_schedule *schedule;	/* NULL: refused */
	int code;			/* why */
	size_t calcs;			/* how many calculators there were */
	atomic_flag told;		/* somebody has been told */
	char text[];
};

struct dls__site {
	struct dls__site *next;
	const char *file;			/* NULL: known by name alone */
	int line;
	const struct dls_schedule *entry;	/* from DLS_SCHEDULE; NULL: none */
	_Atomic(const struct dls_schedule *) own;	/* dls_site_schedule(); NULL: none */
	_Atomic(struct dls__text *) option;		/* the `.schedule` met last */
	_Atomic double moment[DLS__MOMENTS];	/* s; < 0: not told */
	atomic_flag told;			/* about a fall-back */
	char name[64];				/* "FILE:LINE" if it has no other */
};

/* The library's record of a place, under `name` if that is not NULL; NULL if there is no memory for it.
 * Never blocks once the place has been met under that name. */
struct dls__site *dls__site(struct dls_site *place, const char *name);

/* The schedule of the site's next execution; `option` is the source's `.schedule` or NULL. */
const struct dls_schedule *dls__site_schedule(struct dls__site *site, const char *option);

#endif
