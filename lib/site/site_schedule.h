/* site_schedule.h - the schedule of a site's next execution. */
#ifndef LIB_SITE_SITE_SCHEDULE_H
#define LIB_SITE_SITE_SCHEDULE_H

#include "lib/base/tsan.h"
#include "lib/site/env.h"
#include "lib/site/site.h"

/* The schedule that the source's `.schedule` asks for.  NULL: there is no memory for that. */
const struct dls_schedule *dls__site_schedule_kind(struct dls__kept_site *site, const char *option);

/* The schedule of the site's next execution; `option` is the source's `.schedule` or NULL.  NULL: there is no
 * memory for that. */
static inline const struct dls_schedule *dls__site_schedule_next(struct dls__kept_site *site,
								  const char *option)
{
	const struct dls_schedule *schedule = site->entry;

	if (!schedule)	/* acquire: pairs with the release in dls_site_set_schedule(). */
		schedule = atomic_load_explicit(&site->own, memory_order_acquire);
	dls__tsan_acquire(&site->own);
	if (schedule)
		return schedule;
	return option ? dls__site_schedule_kind(site, option) : dls__given.schedules.general;
}

/* The same with the `.schedule` met last. */
const struct dls_schedule *dls__site_schedule_now(struct dls__kept_site *site);

/* Parse a schedule, which is kept for ever.  Returns as dls_schedule_parse(). */
int dls__site_schedule_parse(const char *text, const struct dls_schedule **schedule);

#endif
