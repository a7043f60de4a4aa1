/* output.h - the files that DLS_REPORT, DLS_TRACE and dls_report() write.
 *
 * A regular file is written beside its place and renamed, so that its readers, and other processes that write it,
 * meet a whole one; the links that lead to it stay.  Devices, FIFOs and open descriptors (/dev/stdout, /dev/fd/N) are
 * written to as they are. */
#ifndef LIB_OBSERVE_OUTPUT_H
#define LIB_OBSERVE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct dls__output {
	char *name;		/* as given, made absolute */
	char *place;		/* where its links lead */
	bool aside;		/* written beside `place`, then renamed */
	int descriptor;		/* a copy of the descriptor that it names; -1: none */
};

/* The first % of a pattern with an unknown letter; NULL: there is none. */
const char *dls__output_unknown(const char *pattern);

/* The name that a pattern makes, %n being n; NULL: no memory. */
char *dls__output_expand(const char *pattern, unsigned n);

/* Find the place of a file named by the user, its %-letters replaced, and keep it from other copies of the library in this
 * process.  Nothing is opened that could make the program wait.  Returns NULL, or why it cannot be written, in words
 * that last until the next call. */
const char *dls__output_reserve(struct dls__output *out, const char *pattern);

/* The same for a file that is written now, whose name is no pattern.  Returns 0 or an errno. */
int dls__output_find(struct dls__output *out, const char *name);

/* Write the file by calling `write`.  Returns 0 or an errno; after an error a regular file written beside its place is unchanged. */
int dls__output_write(struct dls__output *out, void (*write)(FILE *file, const void *arg), const void *arg);

void dls__output_free(struct dls__output *out);

#endif
