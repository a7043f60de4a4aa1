/* ask_site.c - the site that a request is for, made at the first request; or the report that there is no memory for it. */
#include <stdatomic.h>
#include <stdio.h>

#include "lib/base/message.h"
#include "lib/deal/ask.h"
#include "lib/site/site.h"
#include "lib/region/ask_site.h"

void dls__tell_of_memory(const struct dls__ask *ask)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	const struct dls__wish *wish = dls__wish_of(ask);
	char line[16] = "";

	/* relaxed: guards the message alone. */
	if (atomic_flag_test_and_set_explicit(&told, memory_order_relaxed))
		return;
	if (!wish->foreign)
		snprintf(line, sizeof(line), ":%d", ask->site->line);
	dls__tell_user("%s%s: no memory for the loop's record; it runs %s, and no report knows of that", ask->site->file, line,
		       wish->native ? "as its runtime deals it" : ask->partial ? "on one thread" : "as static blocks");
}

struct dls__kept_site *dls__ask_site_slowly(const struct dls__ask *ask)
{
	struct dls__kept_site *site = dls__kept_site(ask->site, ask->name);

	if (!site)
		dls__tell_of_memory(ask);
	return site;
}
