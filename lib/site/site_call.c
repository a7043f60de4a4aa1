/* site_call.c - functions by which a program sets and reads its sites: schedule, moments, statistics, measuring, the report. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "dls/stats.h"
#include "lib/base/sized.h"
#include "lib/base/tsan.h"
#include "lib/site/blocks.h"
#include "lib/site/env.h"
#include "lib/site/site_schedule.h"

/* Returns 0, DLS_EINVAL or DLS_ENOMEM. */
static int find(struct dls__kept_site **site, struct dls_site *place, bool valid)
{
	if (!place || !valid)
		return DLS_EINVAL;
	*site = dls__kept_site(place, NULL);
	return *site ? 0 : DLS_ENOMEM;
}

int dls_site_stats(struct dls_site *place, struct dls_stats *stats)
{
	struct dls__kept_site *site;
	struct dls_stats s;
	int code = find(&site, place, stats);

	if (code)
		return code;
	dls__statistics_read(&site->statistics, &s);
	return dls__sized_write(stats, &s, sizeof(s));
}

int dls_site_worker_stats(struct dls_site *place, unsigned worker, struct dls_worker_stats *stats)
{
	struct dls__kept_site *site;
	struct dls_worker_stats s;
	int code = find(&site, place, stats);

	if (code)
		return code;
	if (!dls__statistics_read_worker(&site->statistics, worker, &s))
		return DLS_ERANGE;
	return dls__sized_write(stats, &s, sizeof(s));
}

int dls_site_set_schedule(struct dls_site *place, const char *text)
{
	struct dls__kept_site *site;
	const struct dls_schedule *schedule = NULL;
	int code = find(&site, place, true);

	if (code)
		return code;
	if (text && (code = dls__site_schedule_parse(text, &schedule)))
		return code;
	dls__sites_lock();
	dls__tsan_release(&site->own);
	/* release: the schedule is wholly written; pairs with the acquire in dls__site_schedule_next(). */
	atomic_store_explicit(&site->own, schedule, memory_order_release);
	dls__blocks_changed(site);
	dls__sites_unlock();
	return 0;
}

size_t dls_site_print_schedule(struct dls_site *place, char *text, size_t size)
{
	struct dls__kept_site *site = place ? dls__kept_site(place, NULL) : NULL;

	return dls_schedule_print(site ? dls__site_schedule_now(site) : dls__env()->schedules.general, text, size);
}

static int tell(struct dls_site *place, int which, double value, double least)
{
	struct dls__kept_site *site;
	int code;

	if (place && (!isfinite(value) || value < least))
		return DLS_ERANGE;
	code = find(&site, place, true);
	if (code)
		return code;
	/* relaxed: each value makes sense beside any other. */
	atomic_store_explicit(&site->moment[which], value, memory_order_relaxed);
	return 0;
}

int dls_site_set_moments(struct dls_site *place, double mu, double sigma)
{
	if (!isfinite(sigma) || sigma < 0)
		return DLS_ERANGE;

	int code = tell(place, DLS__MU, mu, nextafter(0, 1));

	return code ? code : tell(place, DLS__SIGMA, sigma, 0);
}

int dls_site_set_overhead(struct dls_site *place, double h)
{
	return tell(place, DLS__H, h, 0);
}

int dls_site_set_measured(struct dls_site *place, bool on)
{
	struct dls__kept_site *site;
	int code = find(&site, place, true);

	if (code)
		return code;
	dls__sites_lock();
	/* relaxed: executions may see it a moment late. */
	atomic_store_explicit(&site->measure, on, memory_order_relaxed);
	dls__blocks_changed(site);
	dls__sites_unlock();
	return 0;
}

int dls_report(const char *file)
{
	struct dls__output out;
	int code;

	if (!file || !dls__report_known(file))
		return DLS_EINVAL;
	if (dls__report_standard(file)) {
		code = dls__report_write(file, NULL, dls__report_sites);
	} else if ((code = dls__output_find(&out, file)) == 0) {
		code = dls__report_write(file, &out, dls__report_sites);
		dls__output_free(&out);
	}
	if (code)
		errno = code;
	return code ? DLS_EIO : 0;
}
