/* writing.h - all that the library writes, to stderr and to files.
 *
 * The caller learns that a write has failed, the program does not: SIGPIPE and SIGXFSZ, which would end it, are removed, and the
 * streams stderr and stdout get no error.  Nothing in lib/ writes in another way; test/lint.sh checks that. */
#ifndef LIB_BASE_WRITING_H
#define LIB_BASE_WRITING_H

#include <stdbool.h>
#include <stdio.h>

/* Write a text to stderr, as one write if the system takes it whole.  errno stays. */
void dls__write_text(const char *text);

/* The same for a formatted text, cut to 1200 bytes. */
void dls__write_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Have a stream written to a descriptor, which is closed.  Returns 0 or an errno. */
int dls__write_stream(int fd, void (*write)(FILE *file, const void *arg), const void *arg);

/* The same to stderr or stdout, after the program's earlier output. */
int dls__write_standard(bool to_stdout, void (*write)(FILE *file, const void *arg), const void *arg);

/* Flush stdout, so that the program's earlier output comes first, unless another thread is writing to it.  An error is the program's. */
void dls__write_after_stdout(void);

#endif
