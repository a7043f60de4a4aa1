/* program.c - what dls-run must know about a program: whether the loader can preload a library into it, and whether it contains
 * OpenMP. */
#define _GNU_SOURCE	/* memmem() */
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "bench/run/run.h"
#include "bench/tool/tool.h"

char *run_find(const char *command)
{
	const char *list = getenv("PATH");

	if (strchr(command, '/'))
		return access(command, F_OK) ? NULL : tool_string("%s", command);
	for (const char *at = list ? list : "/usr/bin:/bin"; ; at++) {
		size_t n = strcspn(at, ":");
		char *path = tool_string("%.*s%s%s", (int)n, at, n ? "/" : "", command);
		struct stat s;

		if (access(path, X_OK) == 0 && stat(path, &s) == 0 && S_ISREG(s.st_mode))
			return path;
		free(path);
		at += n;
		if (!*at)
			return NULL;
	}
}

struct file {
	const unsigned char *byte;
	size_t size;
	struct stat stat;
};

static bool map(struct file *f, const char *path)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	void *at = MAP_FAILED;

	if (descriptor < 0)
		return false;
	if (fstat(descriptor, &f->stat) == 0 && f->stat.st_size > 0) {
		f->size = (size_t)f->stat.st_size;
		at = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, descriptor, 0);
	}
	close(descriptor);
	f->byte = at;
	return at != MAP_FAILED;
}

static bool is_elf(const struct file *f)
{
	return f->size >= EI_NIDENT && memcmp(f->byte, ELFMAG, SELFMAG) == 0;
}

/* Whether the loader is asked for, by a program header. */
static bool has_loader(const struct file *f)
{
	const Elf64_Ehdr *head = (const void *)f->byte;
	uint64_t end;

	if (f->size < sizeof(*head) || __builtin_add_overflow(head->e_phoff, (uint64_t)head->e_phnum * sizeof(Elf64_Phdr), &end) ||
	    end > f->size || head->e_phentsize != sizeof(Elf64_Phdr))
		return false;
	for (unsigned i = 0; i < head->e_phnum; i++) {
		Elf64_Phdr p;

		memcpy(&p, f->byte + head->e_phoff + i * sizeof(p), sizeof(p));
		if (p.p_type == PT_INTERP)
			return true;
	}
	return false;
}

/* Whether a name, or what begins with it, is among the file's strings: cheaper than its symbols, and enough for a warning. */
static bool names(const struct file *f, const char *name)
{
	return memmem(f->byte, f->size, name, strlen(name));
}

static bool any(const struct file *f, const char *const name[])
{
	while (*name)
		if (names(f, *name++))
			return true;
	return false;
}

/* Functions that load libraries or start programs, of which it is not known whether they contain OpenMP. */
static const char *const loads[] = { "dlopen", "dlmopen", "execv", "execl", "posix_spawn", NULL };
static const char *const calls[] = { "GOMP_", "__kmpc_", NULL };

/* Whether one of the libraries that the loader would load calls OpenMP; this asks the loader itself. */
static bool libraries_call(const char *path)
{
	char *command = tool_string("LD_TRACE_LOADED_OBJECTS=1 exec \"$DLS_RUN_PROGRAM\" 2>/dev/null"), line[4096];
	bool found = false;
	FILE *list;

	setenv("DLS_RUN_PROGRAM", path, 1);
	list = popen(command, "r");
	unsetenv("DLS_RUN_PROGRAM");
	free(command);
	while (list && fgets(line, sizeof(line), list)) {
		char *at = strstr(line, "=> /"), *end = at ? strstr(at, " (") : NULL;
		struct file f;

		if (!end || found)
			continue;
		*end = 0;
		if (map(&f, at + 3)) {
			found = !strstr(at, "libgomp") && !strstr(at, "libomp") && any(&f, calls);
			munmap((void *)(uintptr_t)f.byte, f.size);
		}
	}
	if (list)
		pclose(list);
	return found;
}

bool run_check(const char *path, const char *command)
{
	char capability[64];
	bool has = true;
	struct file f;

	if (!map(&f, path))
		return true;	/* executing it will tell why, or it cannot be read, which need not stop it */
	if ((f.stat.st_mode & S_ISUID && f.stat.st_uid != geteuid()) || (f.stat.st_mode & S_ISGID && f.stat.st_gid != getegid()) ||
	    (geteuid() && getxattr(path, "security.capability", capability, sizeof(capability)) > 0))
		tool_die(TOOL_USAGE, "\"%s\": it runs with rights that its user has not (setuid, setgid or capabilities); the loader "
			 "puts no library before such a program", command);
	if (!is_elf(&f)) {
		if (f.size < 2 || memcmp(f.byte, "#!", 2))
			tool_die(TOOL_USAGE, "\"%s\": neither an ELF program nor a script", command);
	} else if (f.byte[EI_CLASS] != ELFCLASS64) {
		tool_die(TOOL_USAGE, "\"%s\": it is a 32-bit program, and libdls-omp.so is a 64-bit library", command);
	} else if (!has_loader(&f)) {
		tool_die(TOOL_USAGE, "\"%s\": it is statically linked; no library can be put before it", command);
	} else {
		has = any(&f, calls) || any(&f, loads) || libraries_call(path);
	}
	if (!has)
		fprintf(stderr, "dls-run: \"%s\" and its libraries call no OpenMP runtime (GOMP_, __kmpc_); it runs as it is\n", command);
	munmap((void *)(uintptr_t)f.byte, f.size);
	return has;
}
