/* refuse_tool.c - to be preloaded: the program, though not the libraries that it uses, is refused memory, files and threads.
 *
 *	REFUSE_IN=libdls	the libraries of such names instead of the program; this one is to be preloaded last
 *	REFUSE=K		its K-th request, from 0
 *	REFUSE_ON=1		and all others after it
 *	REFUSE_LIST=FILE	none is refused: a line for each, the address it comes from
 *
 * What hangs ends by a signal: after ten minutes, so that a busy machine does not matter. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static struct {
	uintptr_t begin, end;
} part[8];	/* of those who are refused something */
static int parts;
int refuse_over;			/* set by coverage.c: from here on all are granted */
static long first = -1;		/* -1: none is refused */
static bool on;
static const char *list;
static atomic_long requests;

/* The first is the program. */
static int see(struct dl_phdr_info *info, size_t size, void *name)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum && (!name || strstr(info->dlpi_name, name)); i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || parts == sizeof(part) / sizeof(*part))
			continue;
		part[parts].begin = info->dlpi_addr + segment->p_vaddr;
		part[parts].end = part[parts].begin + segment->p_memsz;
		parts++;
	}
	return !name;
}

static bool is_part(uintptr_t caller)
{
	for (int i = 0; i < parts; i++)
		if (caller >= part[i].begin && caller < part[i].end)
			return true;
	return false;
}

__attribute__((constructor)) static void start(void)
{
	const char *which = getenv("REFUSE");

	dl_iterate_phdr(see, getenv("REFUSE_IN"));
	on = getenv("REFUSE_ON");
	list = getenv("REFUSE_LIST");
	first = which ? strtol(which, NULL, 10) : -1;
	alarm(600);
}

static bool refused(void *caller)
{
	long k;

	if ((first < 0 && !list) || refuse_over || !is_part((uintptr_t)caller))
		return false;
	if (list) {
		int file = open(list, O_CREAT | O_WRONLY | O_APPEND, 0600);

		dprintf(file, "%p\n", caller);
		close(file);
		return false;
	}
	k = atomic_fetch_add(&requests, 1);
	if (k < first || (k > first && !on))
		return false;
	errno = ENOMEM;
	return true;
}

#define REFUSED refused(__builtin_return_address(0))

void *malloc(size_t size)
{
	return REFUSED ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return REFUSED ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
	return REFUSED ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return REFUSED ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
	if (REFUSED)
		return ENOMEM;
	*block = __libc_memalign(alignment, size);
	return *block ? 0 : ENOMEM;
}

char *strdup(const char *text)
{
	char *(*own)(const char *) = (char *(*)(const char *))dlsym(RTLD_NEXT, "strdup");

	return REFUSED ? NULL : own(text);
}

FILE *fopen(const char *name, const char *mode)
{
	FILE *(*own)(const char *, const char *) = (FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen");

	return REFUSED ? NULL : own(name, mode);
}

ssize_t getline(char **line, size_t *size, FILE *file)
{
	ssize_t (*own)(char **, size_t *, FILE *) = (ssize_t (*)(char **, size_t *, FILE *))dlsym(RTLD_NEXT, "getline");

	return REFUSED ? -1 : own(line, size, file);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*work)(void *), void *arg)
{
	int (*own)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");

	return REFUSED ? EAGAIN : own(thread, attr, work, arg);
}
