/* report_sites.c - the sites, for the report. */
#include "lib/site/chooser.h"
#include "lib/site/site.h"
#include "sched/registry.h"

void dls__report_sites(void (*visit)(void *, const struct dls__report_met *), void *arg)
{
	struct dls__chosen chosen[DLS__CHOSEN];

	for (struct dls__kept_site *site = NULL; (site = dls__site_after(site));) {
		/* relaxed: a number alone. */
		if (dls__statistics_executions(&site->statistics) == 0)
			continue;
		visit(arg, &(struct dls__report_met){
			.name = site->name, .function = site->function, .statistics = &site->statistics,
			.automatic = dls__site_schedule_now(site)->calc == &dls__calc_auto,
			.chosen = chosen, .chosens = dls__auto_chosen(site, chosen),
		});
	}
}
