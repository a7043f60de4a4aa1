/* report_sites.c - the sites, for the report. */
#include "lib/site/chooser.h"
#include "lib/site/site.h"

void dls__report_sites(void (*visit)(void *, const struct dls__report_met *), void *arg)
{
	struct dls__chosen chosen[DLS__CHOSEN];
	char asked[256];

	for (struct dls__kept_site *site = NULL; (site = dls__site_after(site));) {
		/* relaxed: a number alone. */
		if (dls__statistics_executions(&site->statistics) == 0)
			continue;
		dls_schedule_print(dls__site_schedule_now(site), asked, sizeof(asked));
		visit(arg, &(struct dls__report_met){
			.name = site->name, .function = site->function, .statistics = &site->statistics,
			.asked = asked, .chosen = chosen, .chosens = dls__auto_chosen(site, chosen),
		});
	}
}
