/* site_stats.c - what a program asks for of the sites: statistics, measuring, the report. */
#include <errno.h>
#include <string.h>

#include "dls/stats.h"
#include "lib/base/sized.h"
#include "lib/loop/chooser.h"
#include "lib/loop/site.h"

/* Returns 0, DLS_EINVAL or DLS_ENOMEM. */
static int find(struct dls__site **site, struct dls_site *place, bool valid)
{
	if (!place || !valid)
		return DLS_EINVAL;
	*site = dls__site(place, NULL);
	return *site ? 0 : DLS_ENOMEM;
}

int dls_site_stats(struct dls_site *place, struct dls_stats *stats)
{
	struct dls__site *site;
	struct dls_stats s;
	int code = find(&site, place, stats);

	if (code)
		return code;
	dls__statistics_read(&site->statistics, &s);
	return dls__sized_write(stats, &s, sizeof(s));
}

int dls_site_worker_stats(struct dls_site *place, unsigned worker, struct dls_worker_stats *stats)
{
	struct dls__site *site;
	struct dls_worker_stats s;
	int code = find(&site, place, stats);

	if (code)
		return code;
	if (!dls__statistics_read_worker(&site->statistics, worker, &s))
		return DLS_ERANGE;
	return dls__sized_write(stats, &s, sizeof(s));
}

int dls_site_set_measured(struct dls_site *place, bool on)
{
	struct dls__site *site;
	int code = find(&site, place, true);

	if (code)
		return code;
	dls__sites_lock();
	/* relaxed: a wish that executions may see a moment late. */
	atomic_store_explicit(&site->measure, on, memory_order_relaxed);
	dls__site_stand(site);
	dls__sites_unlock();
	return 0;
}

void dls__report_sites(void (*visit)(void *, const struct dls__report_met *), void *arg)
{
	struct dls__chosen chosen[DLS__CHOSEN];
	char schedule[256];

	for (struct dls__site *site = NULL; (site = dls__site_after(site));) {
		/* relaxed: a number alone. */
		if (dls__statistics_executions(&site->statistics) == 0)
			continue;
		dls_site_print_schedule(&(struct dls_site){ .file = site->file, .line = site->line, .site = site }, schedule,
					sizeof(schedule));
		visit(arg, &(struct dls__report_met){
			.name = site->name, .function = site->function, .schedule = schedule, .statistics = &site->statistics,
			.chosen = chosen, .chosens = dls__auto_chosen(site, chosen),
		});
	}
}

int dls_report(const char *file)
{
	struct dls__output out;
	int code;

	if (!file || !dls__report_known(file))
		return DLS_EINVAL;
	if (strcmp(file, "stderr") == 0 || strcmp(file, "advice") == 0) {
		code = dls__report_write(file, NULL, dls__report_sites);
	} else if ((code = dls__output_find(&out, file)) == 0) {
		code = dls__report_write(file, &out, dls__report_sites);
		dls__output_free(&out);
	}
	if (code)
		errno = code;
	return code ? DLS_EIO : 0;
}
