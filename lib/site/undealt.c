/* undealt.c - which loops are undealt: static blocks that are not watched and share nothing.
 *
 * Each thread of a region computes its block from the number of iterations, its own number and the team's size.  So all must agree
 * that the loop is undealt, while dls_site_set_schedule(), dls_site_set_measured() and dls_set_progress() may be called at any
 * time.
 *
 * B1: in a region of DLS_PARALLEL the answer depends on the site, what the request says and the region's epoch alone.  A new setting takes
 *     effect in regions opened afterwards.
 * B2: in a plain region the site's first answer, if it is yes, holds for ever, except if `.schedule` changes it.  If it is no, the
 *     first thread to come asks again for each execution, if the threads share memory that tells the others (plain_region.c).
 * B3: a loop that is not taken as blocks is dealt, even if its schedule has become static; which loops have a deal in a region's chain
 *     depends on B1 alone. */
#include "dls/calc.h"
#include "lib/base/message.h"
#include "lib/site/env.h"
#include "lib/site/site.h"
#include "lib/schedule/schedule.h"
#include "sched/registry.h"

static bool blocks(const struct dls_schedule *s)
{
	return s->calc == &dls__calc_static && !s->chunk && !s->weights && !s->site_weights && !s->spec &&
	       s->order != DLS__NONMONOTONIC && s->loop.curve == DLS_CURVE_ROWS && s->loop.multiple <= 1;
}

/* Whether a schedule is auto, whose choice may be blocks. */
static bool automatic(const struct dls_schedule *s)
{
	return s->calc == &dls__calc_auto && s->loop.curve == DLS_CURVE_ROWS && s->loop.multiple <= 1;
}

static bool watched(void)
{
	const struct dls__observers *o = &dls__env()->observers;

	return o->report || o->trace || o->progress;
}

bool dls__site_watched(struct dls__kept_site *site)
{
	const struct dls__observers *o = &dls__env()->observers;

	/* relaxed: it may be seen a moment late. */
	return o->report || o->trace || dls__progress_wanted() || (site && atomic_load_explicit(&site->measure, memory_order_relaxed));
}

/* The text alone decides, since all threads have the same; whether it can be parsed may depend on memory. */
void dls__site_made(struct dls__kept_site *site)
{
	const struct dls_schedule *general = dls__env()->schedules.general;
	bool seen = watched();

	for (int says = 0; says <= DLS__OTHER_SAID; says++) {
		const struct dls_schedule *s = site->entry ? site->entry : says == DLS__NOTHING_SAID ? general : NULL;

		site->undealt[says] = !seen && (s ? blocks(s) : says == DLS__STATIC_SAID);
		site->automatic[says] = s ? automatic(s) : says == DLS__AUTO_SAID;
	}
}

void dls__site_stand(struct dls__kept_site *site)
{
	/* relaxed, all: the sites are locked. */
	const struct dls_schedule *own = atomic_load_explicit(&site->own, memory_order_relaxed);
	unsigned small = atomic_load_explicit(&site->small, memory_order_relaxed), standing = DLS__UNSET;

	if (atomic_load_explicit(&site->measure, memory_order_relaxed))
		standing = DLS__DEALT;
	else if (own && !site->entry && automatic(own) && small > 0 && !watched())
		standing = DLS__ALL_UNDEALT_BELOW + small;
	else if (own && !site->entry)
		standing = blocks(own) && !watched() ? DLS__UNDEALT : DLS__DEALT;
	else if (small > 0 && !watched())
		standing = DLS__UNDEALT_BELOW + small;
	dls__setting_change(&site->standing, standing, DLS__DEALT);
}

void dls__site_set_small(struct dls__kept_site *site, unsigned b)
{
	dls__sites_lock();
	/* relaxed: the sites are locked. */
	atomic_store_explicit(&site->small, b, memory_order_relaxed);
	dls__site_stand(site);
	dls__sites_unlock();
}

static void tell_of_change(struct dls__kept_site *site)
{
	/* relaxed: guards the message alone. */
	if (!atomic_flag_test_and_set_explicit(&site->told, memory_order_relaxed))
		dls__tell_user("%s: ran as static blocks in a plain parallel region before it was given another schedule, or measured; "
			       "it goes on so in plain regions, and changes in those of DLS_PARALLEL", site->name);
}

bool dls__site_undealt_plain(struct dls__kept_site *site, enum dls__says says)
{
	uint64_t epoch = dls__epoch();
	unsigned now = dls__setting_at(&dls__progress_setting, epoch) ? DLS__DEALT : dls__setting_at(&site->standing, epoch);
	/* relaxed, here and below: the number alone matters. */
	int plain = atomic_load_explicit(&site->plain, memory_order_relaxed);

	if (now >= DLS__UNDEALT_BELOW)	/* a loop that is small now need not stay small */
		now = DLS__UNSET;
	if (plain == 0 && atomic_compare_exchange_strong_explicit(&site->plain, &plain, 1 + (int)now, memory_order_relaxed,
								  memory_order_relaxed))
		plain = 1 + (int)now;
	if (!dls__site_stands(site, says, 0, (unsigned)plain - 1))
		return false;
	if (now == DLS__DEALT)
		tell_of_change(site);
	return true;
}
