/* fortran.c - the calls of dls.F90, without a Fortran compiler: the site of a name, and the chunks of a thread that is alone.
 *
 * Fails if: a name leads to another name's site, while threads fill the cache of names or when there are more names than
 * places in it; a trailing blank counts; an iteration is lost at the end of a type. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "dls/fortran.h"
#include "dls/stats.h"
#include "tap.h"

enum { THREADS = 4, NAMES = 2000, ROUNDS = 3 };

struct room {
	uint64_t word[DLS__FORTRAN_LOOP];
};

/* Run a loop alone; returns its iterations, -1 if an index is not what it should be. */
static int64_t run(const char *name, int64_t length, const struct dls__fortran_ask *ask)
{
	struct room room = { { 0 } };
	struct dls__fortran_loop *loop = (struct dls__fortran_loop *)(void *)&room;
	int64_t lo, hi, n = 0, next = ask->first;
	int ending;

	if (dls__fortran_begin(loop, name, length, "", 0, ask, 0) || !dls__fortran_plain(loop, 0, 0, 1))
		return -1;
	while (dls__fortran_next(loop, &lo, &hi, &ending)) {
		if (lo != next)
			return -1;
		n += (int64_t)(((uint64_t)hi - (uint64_t)lo) / (uint64_t)ask->step) + 1;
		next = (int64_t)((uint64_t)hi + (uint64_t)ask->step);
	}
	return ending == DLS__FORTRAN_NOTHING ? n : -1;
}

static void *meet(void *result)
{
	const struct dls__fortran_ask ask = { .first = 1, .last = 5, .step = 2 };
	char name[64];

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < NAMES; i++) {
			int length = snprintf(name, sizeof(name), "a loop of a long name %d  ", i);

			if (run(name, length, &ask) != 3)
				*(bool *)result = false;
		}
	return NULL;
}

static void names(void)
{
	pthread_t thread[THREADS];
	bool right[THREADS];
	int wrong = 0;
	char name[64];

	for (int t = 0; t < THREADS; t++) {
		right[t] = true;
		CHECK_EQ(pthread_create(&thread[t], NULL, meet, &right[t]), 0);
	}
	for (int t = 0; t < THREADS; t++) {
		pthread_join(thread[t], NULL);
		CHECK(right[t]);
	}
	for (int i = 0; i < NAMES; i++) {
		struct dls_stats stats = { .size = sizeof(stats) };
		struct dls_site *site;

		snprintf(name, sizeof(name), "a loop of a long name %d", i);
		if (dls_site_named(&site, name) || dls_site_stats(site, &stats) || stats.executions != THREADS * ROUNDS)
			wrong++;
	}
	CHECK_EQ(wrong, 0);
}

static void ends(void)
{
	CHECK_EQ(run("ends", 4, &(struct dls__fortran_ask){ .first = INT64_MAX - 9, .last = INT64_MAX, .step = 1 }), 10);
	CHECK_EQ(run("ends", 4, &(struct dls__fortran_ask){ .first = INT64_MIN, .last = INT64_MIN + 9, .step = 4 }), 3);
	CHECK_EQ(run("ends", 4, &(struct dls__fortran_ask){ .first = INT64_MIN, .last = INT64_MAX, .step = INT64_MAX }), 3);
	CHECK_EQ(run("ends", 4, &(struct dls__fortran_ask){ .first = 2, .last = 1, .step = 1 }), 0);
}
TEST_MAIN(T(names) T(ends))
