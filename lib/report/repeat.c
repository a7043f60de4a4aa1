/* repeat.c - the DLS_SCHEDULE by which the next run repeats what auto has chosen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/report/report.h"
#include "lib/schedule/environment.h"

void dls__repeat_of(char text[DLS__REPEAT], const char *asked, const char *choice)
{
	const char *more = strchr(asked, ',');

	snprintf(text, DLS__REPEAT, "%s%s%s", dls__in_order(asked) ? "monotonic:" : "", choice, more ? more : "");
}

/* Longer names last: the last matching entry counts, and an entry for x.c:3 also matches lib/x.c:3. */
static int by_length(const void *a, const void *b)
{
	const struct dls__entry *x = a, *y = b;
	size_t i = strlen(x->name), k = strlen(y->name);

	return i != k ? (i > k) - (i < k) : strcmp(x->name, y->name);
}

static void write_entries(FILE *f, const struct dls__entry *entry, size_t entries)
{
	bool any = false;

	for (size_t i = 0; i < entries; i++)
		if (dls__nameable(entry[i].name)) {
			fprintf(f, "%s%s:%s", any ? "; " : "DLS_SCHEDULE='", entry[i].name,
				entry[i].schedule);
			any = true;
		}
	if (any)
		fputs("'\n", f);
	for (size_t i = 0; i < entries; i++)
		if (!dls__nameable(entry[i].name))
			fprintf(f, "(%s for %s, whose name DLS_SCHEDULE cannot hold)\n", entry[i].schedule,
				entry[i].name);
}

char *dls__repeat(struct dls__entry *entry, size_t entries)
{
	char *text = NULL;
	size_t size;
	FILE *f = entries ? open_memstream(&text, &size) : NULL;

	if (!f)
		return NULL;
	qsort(entry, entries, sizeof(*entry), by_length);
	write_entries(f, entry, entries);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

char *dls__report_repeat(const struct dls__report_facts *report)
{
	struct dls__entry *entry = calloc(report->sites + 1, sizeof(*entry));
	size_t entries = 0;
	char *text;

	for (unsigned i = 0; entry && i < report->sites; i++) {
		const struct dls__report_site *site = &report->site[i];

		if (*site->repeat)
			entry[entries++] = (struct dls__entry){ site->name, site->repeat };
	}
	text = dls__repeat(entry, entries);
	free(entry);
	return text;
}
