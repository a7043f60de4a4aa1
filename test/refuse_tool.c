/* refuse_tool.c - to be preloaded: the program, though not the libraries that it uses, is refused memory, files and threads.
 *
 *	REFUSE_IN=libdls	the libraries of such names instead of the program; this one is to be preloaded last
 *	REFUSE=K		its K-th request, from 0
 *	REFUSE_ON=1		and all others after it
 *	REFUSE_LIST=FILE	none is refused: a line for each, the place that it comes from
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

/* Its part, or as many as there are. */
static int part_of(uintptr_t caller)
{
	int i = 0;

	while (i < parts && (caller < part[i].begin || caller >= part[i].end))
		i++;
	return i;
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
	const int of = part_of((uintptr_t)caller);
	long k;

	if ((first < 0 && !list) || refuse_over || of == parts)
		return false;
	if (list) {
		int file = open(list, O_CREAT | O_WRONLY | O_APPEND, 0600);

		dprintf(file, "%d+%#lx\n", of, (unsigned long)((uintptr_t)caller - part[of].begin));
		close(file);
		return false;
	}
	k = atomic_fetch_add(&requests, 1);
	if (k < first || (k > first && !on))
		return false;
	errno = ENOMEM;
	return true;
}

/* A function that fails so where it is refused; its own is another name, or what comes next of this one. */
#define REFUSES(type, name, failed, own, parameters, arguments) \
	type name parameters \
	{ \
		type (*real) parameters = own; \
\
		return refused(__builtin_return_address(0)) ? failed : real arguments; \
	}
#define LIBC(type, name, own, parameters, arguments) \
	extern type own parameters; \
	REFUSES(type, name, NULL, own, parameters, arguments)
#define NEXT(type, name, failed, parameters, arguments) \
	REFUSES(type, name, failed, (type (*) parameters)dlsym(RTLD_NEXT, #name), parameters, arguments)
LIBC(void *, malloc, __libc_malloc, (size_t size), (size))
LIBC(void *, calloc, __libc_calloc, (size_t n, size_t size), (n, size))
LIBC(void *, realloc, __libc_realloc, (void *block, size_t size), (block, size))
LIBC(void *, aligned_alloc, __libc_memalign, (size_t alignment, size_t size), (alignment, size))
NEXT(char *, strdup, NULL, (const char *text), (text))
NEXT(FILE *, fopen, NULL, (const char *name, const char *mode), (name, mode))
NEXT(ssize_t, getline, -1, (char **line, size_t *size, FILE *file), (line, size, file))
NEXT(int, pthread_create, EAGAIN, (pthread_t *thread, const pthread_attr_t *attr, void *(*work)(void *), void *arg),
     (thread, attr, work, arg))

int posix_memalign(void **block, size_t alignment, size_t size)
{
	if (refused(__builtin_return_address(0)))
		return ENOMEM;
	*block = __libc_memalign(alignment, size);
	return *block ? 0 : ENOMEM;
}
