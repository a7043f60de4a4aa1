/* tune.h - files of DLS_TUNE: tables of choices, and lines as the library writes them. */
#ifndef TUNE_H
#define TUNE_H

#include "lib/observe/tune_file.h"
#include "tap.h"

static inline struct dls__tune_table *tune_table(const char *cpu)
{
	struct dls__tune_table *table = calloc(1, sizeof(*table));

	if (!CHECK(table))
		exit(1);
	strcpy(table->cpu, cpu);
	return table;
}

static inline void tune_table_free(struct dls__tune_table *table)
{
	for (struct dls__tune_entry *e = table->first, *after; e; e = after) {
		after = e->after;
		free(e);
	}
	free(table);
}

/* A line of the file; the text lasts until the fourth call from now. */
static inline const char *tune_line(const char *site, unsigned workers, const char *schedule, const char *version, const char *model)
{
	static char text[4][512];
	static unsigned i;

	snprintf(text[++i % 4], sizeof(text[0]),
		 "\"%s\" threads=%u octave=40 schedule=\"%s\" seconds=0.25 first=- executions=7 version=\"%s\" cpu=\"%s\"\n", site,
		 workers, schedule, version, model);
	return text[i % 4];
}

#endif
