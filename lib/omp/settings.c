/* settings.c - the settings of libdls-omp.so in the environment, read when it is loaded. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/message.h"
#include "lib/omp/omp_region.h"
#include "lib/omp/call_site.h"
#include "lib/site/env.h"

/* DLS_OMP: words between commas or blanks. */
static void read_words(const char *text)
{
	static const char blanks[] = ", \t";
	char quote[DLS__QUOTE];

	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		size_t n = strcspn(text, blanks);

		if (n == 9 && memcmp(text, "unordered", 9) == 0)
			dls__settings.unordered = true;
		else if (n == 6 && memcmp(text, "advise", 6) == 0)
			dls__settings.advise = true;
		else
			dls__tell_user("DLS_OMP: \"%s\" is none of unordered, advise; it is ignored",
				       dls__quote(quote, text, n, 0, 0));
		text += n;
	}
}

static bool given(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

/* Runs before the program's own constructors. */
__attribute__((constructor(101))) static void read_settings(void)
{
	const char *omp = getenv("DLS_OMP");

	if (omp)
		read_words(omp);
	dls__settings.active = dls__settings.advise || given("DLS_SCHEDULE") || given("DLS_REPORT") || given("DLS_TRACE") ||
			       given("DLS_PROGRESS");
	dls__settings.scheduled = given("OMP_SCHEDULE");
	dls__foreign_loaded();
	if (!dls__settings.active)
		return;
	dls__native_register();
	for (int kind = DLS__STATIC_KIND; kind <= DLS__GUIDED_KIND; kind++)
		if (!dls__schedule_like((enum dls__kind)kind, 0)) {
			dls__settings.active = false;
			dls__call_site_no_memory();
			return;
		}
	if (dls__settings.advise || given("DLS_REPORT"))
		dls__omp_region_report(dls__settings.advise);
}
