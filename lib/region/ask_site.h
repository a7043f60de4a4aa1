/* ask_site.h - the site that a request is for. */
#ifndef LIB_REGION_ASK_SITE_H
#define LIB_REGION_ASK_SITE_H

#include "dls/omp.h"

struct dls__kept_site;

/* Report, once, that a loop has no memory for its record. */
void dls__tell_of_memory(const struct dls__ask *ask);

/* The site of a loop; NULL: there is no memory for it, which is reported. */
struct dls__kept_site *dls__ask_site_slowly(const struct dls__ask *ask);
static inline struct dls__kept_site *dls__ask_site(const struct dls__ask *ask)
{
	/* acquire: pairs with the release in dls__kept_site(). */
	struct dls__kept_site *site = __atomic_load_n(&ask->site->site, __ATOMIC_ACQUIRE);

	return __builtin_expect(site && !ask->name, 1) ? site : dls__ask_site_slowly(ask);
}

#endif
