/* elf.h - sections of an ELF file in memory.  Nothing in the file is trusted: a part that lies outside the file counts as missing. */
#ifndef LIB_OMP_ELF_H
#define LIB_OMP_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes from `at` until before `end`. */
struct dls__bytes {
	const uint8_t *at, *end;
};

/* A section of a file of this machine's class and byte order; empty if it is missing, compressed or damaged. */
struct dls__bytes dls__elf_section(struct dls__bytes file, const char *name);

/* The address of the instruction at `offset` of the file; false: no executable segment holds it. */
bool dls__elf_address(struct dls__bytes file, uint64_t offset, uint64_t *address);

/* Name of the function whose symbol covers an address.  Compilers append '.' and a suffix to names of
 * outlined functions: "relax._omp_fn.0" gives "relax"; a symbol that begins with '.' gives no name.  0; -1:
 * no name, or it does not fit. */
int dls__elf_function(struct dls__bytes file, uint64_t address, char *name, size_t size);

/* Where the function begins whose symbol in .symtab covers an address; false: there is none. */
bool dls__elf_begin(struct dls__bytes file, uint64_t address, uint64_t *begin);

/* The build id; empty if there is none. */
struct dls__bytes dls__elf_build_id(struct dls__bytes file);

#endif
