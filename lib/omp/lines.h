/* lines.h - source lines of code addresses, from the modules' .debug_line sections. */
#ifndef LIB_OMP_LINES_H
#define LIB_OMP_LINES_H

#include <stddef.h>

/* Name of the source line of a code address of this process, "file.c:42" (file's base name as compiled, directories dropped as
 * sites are named elsewhere in the library); 0, or -1 if there is no line.  Any thread; takes a lock; opens and maps the module's
 * file on first use. */
int dls__omp_line(const void *address, char *name, size_t size);

#endif
