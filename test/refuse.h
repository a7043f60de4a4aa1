/* refuse.h - a program that is refused memory, files and threads: each request in turn, alone and with all from it on.
 *
 *	REFUSE_EACH(turn, 20, 2, "%s", strategy) {
 *		code = dls_machine_run(m);
 *		CHECK_EQ(code, refuse_end() ? DLS_ENOMEM : 0);
 *	}
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

struct refuse_turn {
	int most, sparse, sample;
	char what[200];
	int k;			/* the request that is refused ... */
	bool on;		/* ... and those behind it */
	bool in_child;		/* one was; the test says it of a child */
	int turns;
	bool any;		/* of this number one was */
};

__attribute__((format(printf, 3, 4))) static inline struct refuse_turn refuse_turns(int most, int sparse, const char *format, ...)
{
	int sample = (int)tap_sample();
	struct refuse_turn t = { .most = most / sample, .sparse = sparse, .sample = sample };
	va_list args;

	va_start(args, format);
	vsnprintf(t.what, sizeof(t.what), format, args);
	va_end(args);
	if (most < REFUSE_MOST)
		t.k = (int)tap_first();
	return t;
}

static inline bool refuse_next(struct refuse_turn *t)
{
	guard_over();
	t->any |= t->turns > 0 && (t->in_child || refuse_end() > 0);
	if (t->turns > 0 && t->on) {
		t->k += t->k >= t->most ? 1 + t->k * t->sample / t->sparse : 1;
		if (!t->any || t->k >= REFUSE_MOST)
			return false;
		t->any = false;
	}
	if (tap_failures && (t->turns == 0 || t->on)) {
		if (t->turns > 0)
			tap_note("%s", refuse_doing);
		return false;
	}
	t->on = t->turns++ % 2;
	t->in_child = false;
	snprintf(refuse_doing, sizeof(refuse_doing), "%s, request %d%s", t->what, t->k, t->on ? " and on" : "");
	guard(refuse_doing, REFUSE_HANGS);
	refuse_from(t->k, t->on);
	return true;
}

/* The statement that follows, with its k-th request refused, then with all from the k-th on, for k = 0, 1, ... until none is refused;
 * from `most` on in steps that grow, by k / sparse; in a sample of them sooner and faster. */
#define REFUSE_EACH(turn, most, sparse, ...) \
	for (struct refuse_turn turn = refuse_turns(most, sparse, __VA_ARGS__); refuse_next(&turn);)

/* `most` for REFUSE_EACH(): each request under DLS_STRESS, else the usual. */
static inline int refuse_most(int usual)
{
	return tap_stress(0) > 0 ? REFUSE_MOST : usual;
}

#endif
