/* lines.h - names of the source lines and functions of code addresses, read from the debug information and symbols of the loaded
 * files. */
#ifndef LIB_OMP_LINES_H
#define LIB_OMP_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/omp/elf.h"

/* Name of the source line of a code address of this process: base name of the file and line, "file.c:42".
 * Inlined code of another file than the function's, as of std::vector::size(), has the line before it in the
 * function.
 *
 * A return address names the line after the call: look up the byte before it.  A name that is too long loses its beginning.
 * 0; -1: no line is known, or `size` does not even hold the line.
 * Threads: any.  Reads the whole table of lines at each call, some ms for large files: callers keep the name. */
int dls__omp_line(const void *address, char *name, size_t size);

/* As dls__omp_line() for the last statement that begins at or before the address, whatever that one's line. */
int dls__omp_statement(const void *address, char *name, size_t size);

/* Name of the function of a code address of this process, as dls__elf_function() has it.  0; -1: none is known, or it does not fit. */
int dls__omp_function(const void *address, char *name, size_t size);

/* Line and statement for an address in an ELF file. */
int dls__line_in(struct dls__bytes file, uint64_t address, char *name, size_t size);
int dls__statement_in(struct dls__bytes file, uint64_t address, char *name, size_t size);

#endif
