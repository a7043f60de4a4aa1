/* sites.c - the list of all sites, in the order in which they were met. */
#include <pthread.h>

#include "lib/base/fork.h"
#include "lib/site/site.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct dls__kept_site *first, **last = &first;
static dls__each_site *visit_met;	/* NULL: there is none yet */

static void in_child(void)
{
	for (struct dls__kept_site *site = first; site; site = site->next)
		dls__statistics_forked(&site->statistics);
}

DLS__ACROSS_FORK(sites, .order = DLS__FORK_SITES, .mutex = &mutex, .in_child = in_child);

void dls__sites_lock(void)
{
	pthread_mutex_lock(&mutex);
}

void dls__sites_unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

void dls__sites_add(struct dls__kept_site *site, dls__each_site *visit)
{
	visit_met = visit;
	*last = site;
	last = &site->next;
}

struct dls__kept_site *dls__site_after(const struct dls__kept_site *site)
{
	struct dls__kept_site *next;

	dls__sites_lock();
	next = site ? site->next : first;
	dls__sites_unlock();
	return next;
}

void dls__sites_each(void (*visit)(void *, const struct dls__report_met *), void *arg)
{
	dls__each_site *each;

	dls__sites_lock();
	each = visit_met;
	dls__sites_unlock();
	if (each)
		each(visit, arg);
}
