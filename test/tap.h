/* tap.h - a test program in the Test Anything Protocol.
 *
 *	static void chunk_row(void) { CHECK_EQ(gss->next(state, 1000), 250); }
 *	TEST_MAIN(T(chunk_row))
 *
 * Each T() is one test point; its checks go on after one fails, and say where and with what values. */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __has_feature
#define TAP_HAS(feature) __has_feature(feature)
#else
#define TAP_HAS(feature) 0
#endif
/* What the program is built with: 1 or 0, for #if and if. */
#if defined(__SANITIZE_THREAD__) || TAP_HAS(thread_sanitizer)
#define TAP_THREAD_SANITIZER 1
#else
#define TAP_THREAD_SANITIZER 0
#endif
#if defined(__SANITIZE_ADDRESS__) || TAP_HAS(address_sanitizer)
#define TAP_ADDRESS_SANITIZER 1
#else
#define TAP_ADDRESS_SANITIZER 0
#endif
#if TAP_THREAD_SANITIZER && defined(__clang__)
#define TAP_LIBARCHER 1
#else
#define TAP_LIBARCHER 0
#endif
#ifndef TAP_EMULATED		/* arch.sh sets it */
#define TAP_EMULATED 0
#endif

static unsigned tap_failures;	/* of the test under way; checks run in the main thread */
static const char *tap_skipped;
static char tap_drawn[32];	/* the seed, if this test has one */

/* A line of diagnosis; on stderr, which prove shows, once a check has failed. */
__attribute__((format(printf, 1, 2), unused)) static void tap_note(const char *format, ...)
{
	FILE *to = tap_failures ? stderr : stdout;
	va_list args;

	va_start(args, format);
	fputs("# ", to);
	vfprintf(to, format, args);
	putc('\n', to);
	va_end(args);
	fflush(to);
}

/* Say why the test point is skipped; then return. */
__attribute__((unused)) static void tap_skip(const char *why)
{
	tap_skipped = why;
}

/* Whether that is so: if (tap_skip_if(TAP_THREAD_SANITIZER, "why")) return; */
__attribute__((unused)) static bool tap_skip_if(bool so, const char *why)
{
	if (so)
		tap_skip(why);
	return so;
}

__attribute__((unused)) static bool tap_check(bool ok, const char *what, const char *file, int line)
{
	if (!ok && ++tap_failures <= 20)
		tap_note("%s:%d: %s", file, line, what);
	return ok;
}

__attribute__((unused)) static uint64_t tap_equal(uint64_t got, uint64_t want, const char *what, const char *file,
						  int line)
{
	if (got != want && ++tap_failures <= 20)
		tap_note("%s:%d: %s is %lld (%#llx), not %lld", file, line, what, (long long)got,
			 (unsigned long long)got, (long long)want);
	return got;
}

__attribute__((unused)) static bool tap_equal_text(const char *got, const char *want, const char *what, const char *file,
						   int line)
{
	bool same = got && strcmp(got, want) == 0;

	if (!same && ++tap_failures <= 20)
		tap_note("%s:%d: %s is \"%s\", not \"%s\"", file, line, what, got ? got : "(NULL)", want);
	return same;
}

__attribute__((unused)) static void tap_each(int want, const int *got, size_t n, const char *what, const char *file, int line)
{
	for (size_t i = 0; i < n; i++)
		if (got[i] != want && ++tap_failures <= 20)
			tap_note("%s:%d: number %zu is %d, not %d, of %s", file, line, i + 1, got[i], want, what);
}

#define CHECK(condition) tap_check(condition, #condition, __FILE__, __LINE__)
/* The value of `got`. */
#define CHECK_EQ(got, want) tap_equal((uint64_t)(got), (uint64_t)(want), #got, __FILE__, __LINE__)
/* Each of several codes, of calls whose order does not matter. */
#define CHECK_EACH(want, ...) \
	tap_each(want, (const int[]){ __VA_ARGS__ }, sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_TEXT(got, want) tap_equal_text(got, want, #got, __FILE__, __LINE__)

/* One of how many rows and seconds is to do: 1, but in CI's matrix. */
__attribute__((unused)) static unsigned tap_sample(void)
{
	const char *text = getenv("SAMPLE");

	return text ? (unsigned)strtoul(text, NULL, 10) : 1;
}

/* Seconds that DLS_STRESS asks stress tests to take; a sample of `usual` if it is not set. */
__attribute__((unused)) static double tap_stress(double usual)
{
	const char *text = getenv("DLS_STRESS");

	return text ? strtod(text, NULL) : usual / tap_sample();
}

/* Whether they are to do all there is, which takes minutes: not for the parts of a second that mutants.py gives them. */
__attribute__((unused)) static bool tap_thorough(void)
{
	return tap_stress(0) >= 1;
}

/* What a file holds, as far as there is room; empty if it cannot be read. */
__attribute__((unused)) static const char *tap_read(const char *name, char *text, size_t size)
{
	FILE *file = fopen(name, "r");

	text[file ? fread(text, 1, size - 1, file) : 0] = 0;
	if (file)
		fclose(file);
	return text;
}

/* Monotonic clock, s. */
__attribute__((unused)) static double tap_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The seed of this run, printed: DLS_SEED, or the clock. */
__attribute__((unused)) static uint64_t tap_seed(void)
{
	const char *text = getenv("DLS_SEED");
	uint64_t seed = text ? strtoull(text, NULL, 0) : (uint64_t)time(NULL);

	snprintf(tap_drawn, sizeof(tap_drawn), "DLS_SEED=%llu", (unsigned long long)seed);
	tap_note("%s", tap_drawn);
	return seed;
}

/* The first of a table's rows to do, by the seed; then each tap_sample()-th is to do. */
__attribute__((unused)) static unsigned tap_first(void)
{
	unsigned sample = tap_sample();

	return sample > 1 ? (unsigned)(tap_seed() % sample) : 0;
}

/* Steele, Lea and Flood, OOPSLA 2014. */
__attribute__((unused)) static uint64_t tap_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

struct tap_test {
	const char *name;
	void (*run)(void);
	const char *skipped;		/* why, if there is nothing to run */
};

#define T(name) { #name, name, NULL },
#define T_SKIPPED(name, why) { #name, NULL, why },	/* there need not be such a function */
#ifdef _OPENMP
#define T_OPENMP(name) T(name)
#else
#define T_OPENMP(name) T_SKIPPED(name, "the compiler has no OpenMP")
#endif
/* What one thread does alone, in a test that has threads besides. */
#define T_ALONE(name) \
	{ #name, TAP_THREAD_SANITIZER ? NULL : name, TAP_THREAD_SANITIZER ? "one thread alone has no races" : NULL },
#define TEST_MAIN(tests) \
	int main(void) \
	{ \
		static const struct tap_test list[] = { tests }; \
		return tap_run(list, sizeof(list) / sizeof(*list)); \
	}

__attribute__((unused)) static int tap_run(const struct tap_test *test, size_t n)
{
	int bad = 0;

	printf("1..%zu\n", n);
	for (size_t i = 0; i < n; i++) {
		tap_failures = 0;
		tap_skipped = test[i].skipped;
		tap_drawn[0] = 0;
		if (test[i].run)
			test[i].run();
		bad |= tap_failures > 0;
		if (tap_failures && tap_drawn[0])
			tap_note("%s", tap_drawn);
		printf("%sok %zu - %s%s%s\n", tap_failures ? "not " : "", i + 1, test[i].name,
		       tap_skipped ? " # SKIP " : "", tap_skipped ? tap_skipped : "");
		fflush(stdout);
	}
	return bad;
}

#endif
