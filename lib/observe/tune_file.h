/* tune_file.h - what the files of DLS_TUNE share: a line, a table of choices, the file as a whole. */
#ifndef LIB_OBSERVE_TUNE_FILE_H
#define LIB_OBSERVE_TUNE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "lib/base/reading.h"
#include "lib/observe/output.h"
#include "lib/observe/tune.h"
#include "lib/schedule/environment.h"

enum {
	DLS__TUNE_LINES = 20000,	/* most lines of a file that is written, and most choices that a process changes */
	DLS__TUNE_BYTES = 20000000,	/* most bytes of a file */
	DLS__TUNE_LINE = 2048,		/* bytes of a line, more than the longest has */
	DLS__TUNE_CPU = 64, DLS__TUNE_VERSION = 24, DLS__TUNE_BUCKETS = 1024
};

/* tune_line.c */
struct dls__tune_line {
	char site[DLS__SITE_NAME];
	unsigned workers, octave;
	struct dls__choice choice;
	char version[DLS__TUNE_VERSION], cpu[DLS__TUNE_CPU];	/* of the library; the processor's model */
};

/* Read a line without its end; false: it is none. */
bool dls__tune_read(struct dls__tune_line *line, const char *text, size_t length);

/* Write one with its end, \n and 0; returns `text`. */
char *dls__tune_print(const struct dls__tune_line *line, char text[DLS__TUNE_LINE]);

/* tune_table.c */
struct dls__tune_entry {
	struct dls__tune_entry *next, *after;	/* in its bucket; in the order in which they came */
	bool changed;				/* since the file was read */
	struct dls__tune_line line;
};

/* The choices of one processor model and this version of the library. */
struct dls__tune_table {
	struct dls__tune_entry *bucket[DLS__TUNE_BUCKETS], *first, *last;
	unsigned entries, changed;	/* entries: at most twice DLS__TUNE_LINES */
	char cpu[DLS__TUNE_CPU];
};

/* A choice; NULL: there is none. */
struct dls__tune_entry *dls__tune_look(const struct dls__tune_table *table, const struct dls__tune_key *key);

/* The same, made if there is none; NULL: there is no room for it. */
struct dls__tune_entry *dls__tune_make(struct dls__tune_table *table, const struct dls__tune_key *key);

/* tune_file.c */
struct dls__content {
	char *text;		/* NULL: there is no such file, or it is empty */
	size_t length;
};

/* Read a file of choices, whose text the caller frees.  Nothing is opened that could make the program wait.
 * Returns NULL, or why it cannot be used, in words; *content is empty then. */
const char *dls__tune_load(const struct dls__output *file, struct dls__content *content);

/* What is in a file. */
struct dls__tune_count {
	unsigned lines, used;		/* of choices; those that came into the table */
	unsigned bad, first_bad;	/* lines that are none; the number of the first, from 1 */
};
struct dls__tune_count dls__tune_take(struct dls__tune_table *table, struct dls__content content);

/* Write a file's new text: what it had, the changed choices replaced. */
void dls__tune_write(FILE *file, const struct dls__tune_table *table, struct dls__content old);

#endif
