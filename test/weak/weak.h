/* weak.h - programs for the explorer: each runs a few threads on the library's own code, under every execution that C11 allows.
 *
 * Before each execution all static data is as at the program's start, before() has run, and memory from malloc() is fresh.  The
 * threads then run, and after() when all have ended. */
#ifndef TEST_WEAK_H
#define TEST_WEAK_H

#include <stddef.h>
#include <stdint.h>

enum { WEAK_THREADS = 4 };
#define WEAK_FAILS UINT64_MAX		/* as outcomes: the test must fail */
#define WEAK_INTERLEAVED 256u		/* or-ed to waits: the interleavings alone, each load reads the newest message */

struct weak_test {
	const char *name;
	void (*before)(void);			/* may be NULL, as may all that follow */
	void (*thread[WEAK_THREADS])(void);
	void (*after)(void);
	uint64_t outcomes;			/* if not 0: exactly these come out, bit k for weak_outcome(k) */
	unsigned waits;				/* a thread that reads a message so often at one place waits; 0: 3 times */
};

/* Run the tests, then once more for each order weakened, until one of them fails.  Prints TAP, and for each weakening a line
 * "# weakened ADDRESS ROLE ORDER TO killed|survived ...", which run.py reads.  faulty: run the tests until one fails. */
int weak_main(const struct weak_test *tests, unsigned count, int weaken, int faulty);

/* The execution ends here, as a failure. */
_Noreturn void weak_fail(const char *why, const char *file, int line);

void weak_outcome(unsigned k);

/* One of 0 .. n - 1: the execution goes on with each. */
unsigned weak_choose(unsigned n);

/* The thread that runs, 0 ..; in before() and after() WEAK_THREADS. */
unsigned weak_self(void);

#define HOLDS(condition) ((condition) ? (void)0 : weak_fail(#condition, __FILE__, __LINE__))
#define WEAK_MAIN(weaken, ...) \
	int main(int argc, char **argv) \
	{ \
		static const struct weak_test tests[] = { __VA_ARGS__ }; \
		(void)argv; \
		return weak_main(tests, sizeof(tests) / sizeof(tests[0]), weaken, argc > 1); \
	}

#endif
