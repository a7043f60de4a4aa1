/* openmp.h - the OpenMP runtimes that the process has loaded. */
#ifndef LIB_BASE_OPENMP_H
#define LIB_BASE_OPENMP_H

enum { DLS__RUNTIME = 200 };

/* The names of their files, such as libgomp.so.1.0.0, with blanks between; "": there are none.  Returns `text`. */
char *dls__runtime_names(char text[DLS__RUNTIME]);

/* How many threads the calling thread's next region has at most; 0: the program is linked with no runtime. */
unsigned dls__runtime_threads(void);

/* How many threads of this process can run at one time: the processors that the runtime counts.  One may be the calling thread's alone, to
 * which a program has bound it; then, and without a runtime, all processors of the machine. */
unsigned dls__runtime_processors(void);

#endif
