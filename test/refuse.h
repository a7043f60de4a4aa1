/* refuse.h - a program that is refused memory, files and threads: its k-th request, or all from the k-th on.
 *
 *	refuse_from(k, true);
 *	code = dls_machine_run(m);
 *	refused = refuse_end();
 *
 * The linker puts these in the place of the C library's (REFUSED in test.mk) wherever the library under test or the test itself
 * calls them.  The C library and the OpenMP runtime, which call their own, get all they ask for; so do sanitizers. */
#ifndef REFUSE_H
#define REFUSE_H

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dls/error.h"
#include "dls/stats.h"
#include "guard.h"

/* Thousands of short regions: threads that wait for the next are to sleep, which runtimes read before main(). */
__attribute__((constructor, unused)) static void refuse_sleep(void)
{
	char self[4096] = "";

	if (!getenv("OMP_WAIT_POLICY") && setenv("OMP_WAIT_POLICY", "passive", 1) == 0 &&
	    readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
		execl(self, self, (char *)NULL);
}

/* Until the library has asked the kernel for its clock, some milliseconds after the first reading: it does without an answer. */
__attribute__((constructor, unused)) static void refuse_clock(void)
{
	while (dls_clock() < 10000000)
		;
}

static atomic_int refuse_left = -1;	/* requests that still succeed; -1: all */
static atomic_bool refuse_on;		/* after the first that fails all others do */
static atomic_uint refuse_count;	/* that have failed */
static atomic_long refuse_blocks;	/* allocated and not freed */
static atomic_long refuse_bytes;	/* of them, as the allocator rounds them up */

__attribute__((unused)) static void refuse_from(int k, bool on)
{
	atomic_store(&refuse_on, on);
	atomic_store(&refuse_count, 0);
	atomic_store(&refuse_left, k);
}

/* From here on all are granted; returns how many have not been. */
__attribute__((unused)) static unsigned refuse_end(void)
{
	atomic_store(&refuse_left, -1);
	return atomic_load(&refuse_count);
}

/* Blocks that nobody has freed yet. */
__attribute__((unused)) static long refuse_kept(void)
{
	return atomic_load(&refuse_blocks);
}

static bool refuse(void)
{
	int left = atomic_load(&refuse_left);

	do
		if (left < 0)
			return false;
	while (!atomic_compare_exchange_weak(&refuse_left, &left, left > 0 ? left - 1 : atomic_load(&refuse_on) ? 0 : -1));
	if (left > 0)
		return false;
	atomic_fetch_add(&refuse_count, 1);
	errno = ENOMEM;
	return true;
}

static void *refuse_counted(void *block)
{
	if (block) {
		atomic_fetch_add(&refuse_blocks, 1);
		atomic_fetch_add(&refuse_bytes, (long)malloc_usable_size(block));
	}
	return block;
}

/* A function that fails so where it is refused; what it returns goes through `keep`. */
#define REFUSE_WRAP(type, name, failed, keep, parameters, arguments) \
	type __real_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return refuse() ? failed : keep(__real_##name arguments); \
	}
#define REFUSE_PASS(value) (value)
REFUSE_WRAP(void *, malloc, NULL, refuse_counted, (size_t size), (size))
REFUSE_WRAP(void *, calloc, NULL, refuse_counted, (size_t n, size_t size), (n, size))
REFUSE_WRAP(void *, aligned_alloc, NULL, refuse_counted, (size_t alignment, size_t size), (alignment, size))
REFUSE_WRAP(char *, strdup, NULL, refuse_counted, (const char *text), (text))
REFUSE_WRAP(FILE *, fopen, NULL, REFUSE_PASS, (const char *name, const char *mode), (name, mode))
REFUSE_WRAP(int, pthread_create, EAGAIN, REFUSE_PASS,
	    (pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *arg), void *arg), (thread, attr, start, arg))

void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void __real_free(void *block);

void *__wrap_realloc(void *block, size_t size)
{
	long before = (long)malloc_usable_size(block);
	void *grown = refuse() ? NULL : __real_realloc(block, size);

	if (!block)
		return refuse_counted(grown);
	if (grown)
		atomic_fetch_add(&refuse_bytes, (long)malloc_usable_size(grown) - before);
	return grown;
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
	int code = refuse() ? ENOMEM : __real_posix_memalign(block, alignment, size);

	if (!code)
		refuse_counted(*block);
	return code;
}

void __wrap_free(void *block)
{
	if (block) {
		atomic_fetch_sub(&refuse_blocks, 1);
		atomic_fetch_sub(&refuse_bytes, (long)malloc_usable_size(block));
	}
	__real_free(block);
}

/* Whether a code says that memory was refused, or, under the engine `threads`, a thread. */
static inline bool refuse_says(int code, const char *engine)
{
	return code == DLS_ENOMEM || (code == DLS_EAGAIN && strcmp(engine, "threads") == 0);
}

/* What is under way. */
static char refuse_doing[512];

enum { REFUSE_MOST = 5000, REFUSE_HANGS = 300 /* s */ };

/* Run it with its k-th request refused, and with all from the k-th on, for k = 0, 1, ... until none is refused; from `most`
 * on in steps that grow, by k / sparse.  `run` returns whether a request was refused. */
static inline void refuse_each(const char *what, bool (*run)(const void *arg, int k, bool on), const void *arg, int most, int sparse)
{
	int k = 0, step = 1;

	for (bool more = true; more && k < REFUSE_MOST && tap_failures == 0; k += step) {
		more = false;
		for (int on = 0; on < 2; on++) {
			snprintf(refuse_doing, sizeof(refuse_doing), "%s, request %d%s", what, k, on ? " and on" : "");
			guard(refuse_doing, REFUSE_HANGS);
			more |= run(arg, k, on);
			guard_over();
		}
		step = k >= most ? 1 + k / sparse : 1;
	}
	if (tap_failures)
		tap_note("%s", refuse_doing);
}

/* `most` for refuse_each(): each request under DLS_STRESS, else the usual. */
static inline int refuse_most(int usual)
{
	return tap_stress(0) > 0 ? REFUSE_MOST : usual;
}

#endif
