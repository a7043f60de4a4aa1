/* tune_table.c - the choices of DLS_TUNE in memory: a hash table with chains. */
#include <stdlib.h>
#include <string.h>

#include "dls.h"
#include "lib/observe/tune_file.h"

static unsigned bucket_of(const struct dls__tune_key *key)
{
	uint32_t hash = (0x811c9dc5 ^ key->workers) * 0x1000193 ^ key->octave;	/* Fowler, Noll, Vo 1a */

	for (const char *c = key->site; *c && c < key->site + DLS__SITE_NAME - 1; c++)
		hash = (hash ^ (unsigned char)*c) * 0x1000193;
	return (hash ^ hash >> 16) % DLS__TUNE_BUCKETS;
}

struct dls__tune_entry *dls__tune_look(const struct dls__tune_table *table, const struct dls__tune_key *key)
{
	struct dls__tune_entry *e = table->bucket[bucket_of(key)];

	while (e && (e->line.workers != key->workers || e->line.octave != key->octave ||
		     strncmp(e->line.site, key->site, DLS__SITE_NAME - 1) != 0))
		e = e->next;
	return e;
}

struct dls__tune_entry *dls__tune_make(struct dls__tune_table *table, const struct dls__tune_key *key)
{
	struct dls__tune_entry *e = dls__tune_look(table, key), **head = &table->bucket[bucket_of(key)];

	if (e || table->entries == 2 * DLS__TUNE_LINES || !(e = calloc(1, sizeof(*e))))
		return e;
	strncpy(e->line.site, key->site, DLS__SITE_NAME - 1);
	e->line.workers = key->workers;
	e->line.octave = key->octave;
	strcpy(e->line.version, DLS_VERSION);
	strcpy(e->line.cpu, table->cpu);
	e->next = *head;
	*head = e;
	*(table->last ? &table->last->after : &table->first) = e;
	table->last = e;
	table->entries++;
	return e;
}
