/* site.h - the library's record of a site. */
#ifndef LIB_SITE_SITE_H
#define LIB_SITE_SITE_H

#include <stdatomic.h>
#include <stddef.h>

#include "dls/omp.h"
#include "lib/base/versioned.h"
#include "lib/observe/progress.h"
#include "lib/report/report.h"
#include "lib/observe/statistics.h"
#include "lib/schedule/environment.h"

struct dls__text;
struct dls__work_share;
struct dls__tuner;

enum { DLS__SITE_WORK_SHARES = 4 };
#define DLS__WORK_SHARE_LENT ((void *)1)	/* in the place of one that the site has had */

struct dls__kept_site {
	/* What opening an execution reads, up to the learned moments, in two lines. */
	_Alignas(128) struct dls__kept_site *next;
	const char *file;		/* NULL: known by name alone; for ever, as `function` is */
	int line;
	atomic_bool measure;		/* dls_site_set_measured() */
	bool listed;			/* known by place or name; otherwise it belongs to one loop */
	atomic_flag told;		/* a message about a fall-back was printed */
	const struct dls_schedule *entry;	/* from DLS_SCHEDULE; NULL: none */
	_Atomic(const struct dls_schedule *) own;	/* dls_site_set_schedule(); NULL: none */
	_Atomic(struct dls__text *) option;		/* the `.schedule` met last */
	_Atomic(struct dls__tuner *) tuner;	/* of loops under auto; NULL: none has run twice */
	_Atomic uint64_t plain;		/* 1 + the version whose answer holds in plain regions for ever; 0: none ran */
	_Atomic double moment[DLS__MOMENTS];	/* s; < 0: not set */
	/* From its mutex on it is what each execution changes, with the work shares, in two lines more. */
	struct dls__statistics statistics;
	_Atomic(void *) share[DLS__SITE_WORK_SHARES];	/* in no region's hands; NULL: there was none yet */
	/* What hardly changes. */
	_Alignas(128) struct dls__versioned below;	/* which loops are blocks: see dls__blocks_at() */
	atomic_uint team;		/* threads of the last region that was one loop; 0: there was none */
	_Atomic uint64_t brief;		/* loops of at most this many iterations are too brief to learn from: see lib/deal */
	const char *function;		/* of the loop met first; NULL: not known */
	struct dls_site place;		/* for dls_site_named(): leads to this site; `closure` for ever */
	const char *name;		/* `text`; "FILE:LINE" if it has no other, and "FILE:LINE#2" of its second closure, or
					 * of another file with that end */
	char text[];			/* less than DLS__SITE_NAME bytes */
};
_Static_assert(offsetof(struct dls__kept_site, statistics) + sizeof(double[DLS__MOMENTS]) <= 128, "two lines at opening");
_Static_assert(offsetof(struct dls__kept_site, statistics.mutex) >= 128, "read by all, changed by none");
_Static_assert(offsetof(struct dls__kept_site, below) == 256, "and two that change");

/* The library's record of a place, under `name` if that is not NULL; NULL if there is no memory for it.
 * Never blocks once the place has been met under that name. */
struct dls__kept_site *dls__kept_site(struct dls_site *place, const char *name);

/* dls_site_named(), of a loop in a function; NULL: it is not known. */
DLS_API int dls__site_by_name(struct dls_site **place, const char *name, const char *function);

/* Make a site on no list, for a loop without one; the caller frees it.  NULL: there is no memory. */
struct dls__kept_site *dls__site_private(void);
void dls__site_free(struct dls__kept_site *site);

/* The site met after a given one, or the first after NULL; NULL: there is none. */
struct dls__kept_site *dls__site_after(const struct dls__kept_site *site);

/* Visit all sites that have been executed, for the report; the second also works before there is a site. */
dls__each_site dls__report_sites, dls__sites_each;

/* Put a new site on the list; the sites are locked.  `visit` is dls__report_sites. */
void dls__sites_add(struct dls__kept_site *site, dls__each_site *visit);

/* Keep other threads from making and changing sites. */
void dls__sites_lock(void);
void dls__sites_unlock(void);

/* Whether the times of an execution are used, whatever its schedule; site NULL: it has none.  The environment
 * has been read. */
static inline bool dls__site_measured(const struct dls__kept_site *site)
{
	/* relaxed, both: it may be seen a moment late. */
	return atomic_load_explicit(&dls__times_wanted, memory_order_relaxed) ||
	       (site && atomic_load_explicit(&site->measure, memory_order_relaxed));
}

#endif
