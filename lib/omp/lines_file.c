/* lines_file.c - finds the files with the debug information and symbols of an address of this process: the
 * file that the address was loaded from, or its separate debug file.
 *
 * /proc/self/maps says which files are loaded, not dl_iterate_phdr(): its names hold after a chdir(), and it takes no lock
 * of the dynamic linker, which a constructor that waits for other threads may hold. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/omp/lines.h"

#ifndef DLS__DEBUG_FILES
#define DLS__DEBUG_FILES "/usr/lib/debug"
#endif

enum { PATH_SIZE = 4096 };

/* Maps a file; false: it cannot be read or is empty. */
static bool map(const char *path, struct dls__bytes *file)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	void *at = MAP_FAILED;

	if (fd < 0)
		return false;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
		at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return false;
	*file = (struct dls__bytes){ at, (const uint8_t *)at + status.st_size };
	return true;
}

static void unmap(struct dls__bytes file)
{
	munmap((void *)(uintptr_t)file.at, (size_t)(file.end - file.at));
}

/* The file that an address was loaded from, and its offset there. */
static bool loaded_from(uintptr_t address, char path[PATH_SIZE], uint64_t *offset)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	if (!maps)
		return false;
	while (!found && getline(&line, &size, maps) > 0) {
		uintptr_t begin, end;
		int at = 0;

		found = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNx64 " %*s %*s %n", &begin, &end, offset, &at) == 3 &&
			at > 0 && begin <= address && address < end;
		if (found) {
			line[strcspn(line, "\n")] = 0;
			snprintf(path, PATH_SIZE, "%s", line + at);
			*offset += address - begin;
		}
	}
	free(line);
	fclose(maps);
	return found && *path == '/';
}

static bool same(struct dls__bytes a, struct dls__bytes b)
{
	size_t n = (size_t)(a.end - a.at);

	return n > 0 && n == (size_t)(b.end - b.at) && memcmp(a.at, b.at, n) == 0;
}

/* A search for an address in a file: dls__line_in(), dls__statement_in(), dls__elf_function(). */
typedef int look(struct dls__bytes file, uint64_t address, char *name, size_t size);

/* Search the separate debug file of a build id, which must have that build id. */
static int by_build_id(look *look_in, struct dls__bytes id, uint64_t address, char *name, size_t size)
{
	char path[PATH_SIZE] = DLS__DEBUG_FILES "/.build-id/";
	size_t n = strlen(path);
	struct dls__bytes split;
	int code = -1;

	if (id.end - id.at < 2 || id.end - id.at > 64)
		return -1;
	for (const uint8_t *c = id.at; c < id.end; c++)
		n += (size_t)sprintf(path + n, c == id.at ? "%02x/" : "%02x", *c);
	strcpy(path + n, ".debug");
	if (!map(path, &split))
		return -1;
	if (same(dls__elf_build_id(split), id))
		code = look_in(split, address, name, size);
	unmap(split);
	return code;
}

static int find(look *look_in, const void *address, char *name, size_t size)
{
	char path[PATH_SIZE];
	struct dls__bytes file;
	uint64_t offset;
	int code = -1;

	if (!loaded_from((uintptr_t)address, path, &offset) || !map(path, &file))
		return -1;
	if (dls__elf_address(file, offset, &offset)) {
		code = look_in(file, offset, name, size);
		if (code)
			code = by_build_id(look_in, dls__elf_build_id(file), offset, name, size);
	}
	unmap(file);
	return code;
}

int dls__omp_line(const void *address, char *name, size_t size)
{
	return find(dls__line_in, address, name, size);
}

int dls__omp_statement(const void *address, char *name, size_t size)
{
	return find(dls__statement_in, address, name, size);
}

int dls__omp_function(const void *address, char *name, size_t size)
{
	return find(dls__elf_function, address, name, size);
}
