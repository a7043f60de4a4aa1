/* writing.h - all that the library writes, to stderr and to files.
 *
 * A write that fails tells its caller, and the program nothing: SIGPIPE and SIGXFSZ, which would end it, are taken away, the streams
 * stderr and stdout get no error.  Nothing in lib/ writes by another way; test/lint.sh looks. */
#ifndef LIB_BASE_WRITING_H
#define LIB_BASE_WRITING_H

#include <stdio.h>

/* Write a text to stderr, as one write if the system takes it whole.  errno stays. */
void dls__write_text(const char *text);

/* The same, formatted; what is beyond 1200 bytes is lost. */
void dls__write_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Have a stream written to a descriptor, which is closed.  Returns 0 or an errno. */
int dls__write_stream(int fd, void (*write)(FILE *file, const void *arg), const void *arg);

/* The same to where stderr leads. */
int dls__write_stderr(void (*write)(FILE *file, const void *arg), const void *arg);

/* Have what the program has written to stdout come first, unless another thread is writing to it.  If that fails it is the
 * program's affair. */
void dls__write_after_stdout(void);

#endif
