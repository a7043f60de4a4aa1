/* openmp.h - the OpenMP runtimes that the process has loaded. */
#ifndef LIB_BASE_OPENMP_H
#define LIB_BASE_OPENMP_H

enum { DLS__RUNTIME = 200 };

/* The names of their files, such as libgomp.so.1.0.0, with blanks between; "": there are none.  Returns `text`. */
char *dls__runtime_names(char text[DLS__RUNTIME]);

/* How many threads the calling thread's next region has at most; 0: the program is linked with no runtime. */
unsigned dls__runtime_threads(void);

#endif
