/* site_stats.c - what a program asks for of the sites: statistics, measuring, the report. */
#include <errno.h>
#include <string.h>

#include "dls/stats.h"
#include "lib/base/sized.h"
#include "lib/loop/site.h"

int dls_site_stats(struct dls_site *place, struct dls_stats *stats)
{
	struct dls_stats s;
	struct dls__site *site = place && stats ? dls__site(place, NULL) : NULL;

	if (!place || !stats)
		return DLS_EINVAL;
	if (!site)
		return DLS_ENOMEM;
	dls__statistics_read(&site->statistics, &s);
	return dls__sized_write(stats, &s, sizeof(s));
}

int dls_site_worker_stats(struct dls_site *place, unsigned worker, struct dls_worker_stats *stats)
{
	struct dls_worker_stats s;
	struct dls__site *site = place && stats ? dls__site(place, NULL) : NULL;

	if (!place || !stats)
		return DLS_EINVAL;
	if (!site)
		return DLS_ENOMEM;
	if (!dls__statistics_read_worker(&site->statistics, worker, &s))
		return DLS_ERANGE;
	return dls__sized_write(stats, &s, sizeof(s));
}

int dls_site_measure(struct dls_site *place, bool on)
{
	struct dls__site *site = place ? dls__site(place, NULL) : NULL;

	if (!place)
		return DLS_EINVAL;
	if (!site)
		return DLS_ENOMEM;
	/* relaxed: a wish that executions may see a moment late. */
	atomic_store_explicit(&site->measure, on, memory_order_relaxed);
	return 0;
}

int dls_report(const char *file)
{
	struct dls__output out;
	int code;

	if (!file || !dls__report_known(file))
		return DLS_EINVAL;
	if (strcmp(file, "stderr") == 0) {
		code = dls__report_write(file, NULL, dls__report_sites);
	} else if ((code = dls__output_find(&out, file)) == 0) {
		code = dls__report_write(file, &out, dls__report_sites);
		dls__output_free(&out);
	}
	if (code)
		errno = code;
	return code ? DLS_EIO : 0;
}
