/* fortran.c - the calls of dls.F90, without a Fortran compiler: the site of a name, and the chunks of a thread that is alone.
 *
 * And what only another runtime than libgomp, or a program's mistake, leads to.
 *
 * Fails if: a name leads to another name's site, while threads fill the cache of names or when there are more names than
 * places in it; a trailing blank counts; an iteration is lost at the end of a type, or by a team of which one
 * thread has opened the loop for all; a mistake in the program is not told with the loop's name, or the program goes on.
 *
 * runs: check */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "child.h"
#include "dls/fortran.h"
#include "dls/omp.h"
#include "dls/reduce.h"
#include "dls/stats.h"
#include "lib/deal/deal.h"
#include "tap.h"

enum { THREADS = 4, NAMES = 2000, ROUNDS = 3 };

struct room {
	uint64_t word[DLS__FORTRAN_LOOP];
};

static _Thread_local int ending;	/* as the last loop's `finish` was told */

static void finish(int e)
{
	ending = e;
}

/* Run a loop alone; returns its iterations, -1 if an index is not what it should be. */
static int64_t run(const char *name, int64_t length, const struct dls__fortran_request *request)
{
	struct room room = { { 0 } };
	struct dls__fortran_loop *loop = (struct dls__fortran_loop *)(void *)&room;
	int64_t lo, hi, n = 0, next = request->first;

	ending = DLS__FORTRAN_NOTHING;
	if (dls__fortran_begin(loop, name, length, "", 0, request, 0) || !dls__fortran_plain(loop, 0, 0, 1))
		return -1;
	while (dls__fortran_next64(loop, &lo, &hi)) {
		if (lo != next)
			return -1;
		n += (int64_t)(((uint64_t)hi - (uint64_t)lo) / (uint64_t)request->step) + 1;
		next = (int64_t)((uint64_t)hi + (uint64_t)request->step);
	}
	return ending == DLS__FORTRAN_NOTHING ? n : -1;
}

static void *meet(void *result)
{
	const struct dls__fortran_request request = { .first = 1, .last = 5, .step = 2 };
	char name[64];

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < NAMES; i++) {
			int length = snprintf(name, sizeof(name), "a loop of a long name %d  ", i);

			if (run(name, length, &request) != 3)
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
	CHECK_EQ(run("ends", 4, &(struct dls__fortran_request){ .first = INT64_MAX - 9, .last = INT64_MAX, .step = 1 }), 10);
	CHECK_EQ(run("ends", 4, &(struct dls__fortran_request){ .first = INT64_MIN, .last = INT64_MIN + 9, .step = 4 }), 3);
	CHECK_EQ(run("ends", 4, &(struct dls__fortran_request){ .first = INT64_MIN, .last = INT64_MAX, .step = INT64_MAX }), 3);
	CHECK_EQ(run("ends", 4, &(struct dls__fortran_request){ .first = 2, .last = 1, .step = 1 }), 0);
}

/* Two threads of a region, of whose loops one opens the work share for both. */
struct worker {
	struct dls__work_share **share;	/* NULL: there is no memory for one */
	pthread_barrier_t *opened;
	const char *schedule;
	int number;
	atomic_uchar *hits;
};

enum { TEAM = 2, N = 1000, LOOPS = 40 };

static void *work(void *arg)
{
	const struct worker *w = arg;
	const struct dls__fortran_request request = { .first = 1, .last = N, .step = 1, .finish = finish };
	struct room room = { { 0 } };
	struct dls__fortran_loop *loop = (struct dls__fortran_loop *)(void *)&room;
	int64_t lo, hi;

	ending = -1;
	if (dls__fortran_begin(loop, "team", 4, w->schedule, (int64_t)strlen(w->schedule), &request, 0))
		return NULL;
	if (!dls__fortran_plain(loop, 0, w->number, TEAM)) {
		if (w->share && w->number == 0)
			*w->share = dls__fortran_open(loop, TEAM);
		if (w->share)
			pthread_barrier_wait(w->opened);
		dls__fortran_team(loop, w->share ? *w->share : NULL, 0, w->number, TEAM);
	}
	while (dls__fortran_next64(loop, &lo, &hi))
		for (int64_t i = lo; i <= hi; i++)
			atomic_fetch_add(&w->hits[i - 1], 1);
	if (ending != DLS__FORTRAN_BARRIER)
		atomic_fetch_add(&w->hits[0], 100);
	return NULL;
}

static void teams(void)
{
	static const char *const schedule[] = { "ss,7", "fac2", "steal", "static", "awf-b" };
	static atomic_uchar hits[N];
	struct dls__work_share *before = NULL;
	pthread_barrier_t opened;
	int wrong = 0;

	pthread_barrier_init(&opened, NULL, TEAM);
	for (int k = 0; k < LOOPS; k++) {
		struct dls__work_share *share = before;
		struct worker w[TEAM];
		pthread_t thread[TEAM];

		for (int t = 0; t < TEAM; t++) {
			w[t] = (struct worker){ &share, &opened, schedule[k % 5], t, hits };
			CHECK_EQ(pthread_create(&thread[t], NULL, work, &w[t]), 0);
		}
		for (int t = 0; t < TEAM; t++)
			pthread_join(thread[t], NULL);
		CHECK(share && (!before || share == before));	/* the last one to leave has given it back */
		before = share;
	}
	for (int t = 0; t < TEAM; t++) {	/* without memory for a work share: all on worker 0 */
		struct worker w = { NULL, NULL, "ss,7", t, hits };
		pthread_t thread;

		CHECK_EQ(pthread_create(&thread, NULL, work, &w), 0);
		pthread_join(thread, NULL);
	}
	for (int i = 0; i < N; i++)
		wrong += hits[i] != LOOPS + 1;
	CHECK_EQ(wrong, 0);
}

/* What a program must not do. */
enum { LONG_NAME, NO_NAME, LONG_SCHEDULE, REDUCED_MULTIPLE, NOT_REDUCED, TWICE, OTHER_TYPE, BEHIND, BEHIND_PARTIAL, NO_STEP, TOO_LONG,
       NO_OPERATOR, MISTAKES };

static int mistake(const void *arg)
{
	const int which = *(const int *)arg;
	struct dls__fortran_request request = { .first = which == TOO_LONG ? INT64_MIN : 1, .last = which == TOO_LONG ? INT64_MAX : 9,
					.step = which != NO_STEP, .multiple = which == REDUCED_MULTIPLE ? 2 : 0 };
	struct room room = { { 0 } };
	struct dls__fortran_loop *loop = (struct dls__fortran_loop *)(void *)&room;
	char text[2000];
	int64_t lo, hi, sum = 0;

	memset(text, 'x', sizeof(text));
	if (which == REDUCED_MULTIPLE || which == TWICE || which == OTHER_TYPE || which == NO_OPERATOR)
		request.reduce = (struct dls__fortran_reduce){ .into = &sum, .type = DLS__KIND('s', int64_t), .op = "+      " };
	request.reduce.op[7] = ' ';
	if (which == NO_OPERATOR)
		memcpy(request.reduce.op, "minus   ", 8);
	dls__fortran_begin(loop, which == LONG_NAME ? text : "mistake", which == LONG_NAME ? 1500 : which == NO_NAME ? 0 : 7,
			   text, which == LONG_SCHEDULE ? 1999 : 0, &request, 0);
	dls__fortran_plain(loop, 0, 0, 1);
	if (which == TWICE) {
		dls__fortran_next64(loop, &lo, &hi);
		dls__fortran_partial(loop, DLS__KIND('s', int64_t), &sum);
	}
	if (which == OTHER_TYPE)
		dls__fortran_next64(loop, &lo, &hi);
	if (which == BEHIND || which == BEHIND_PARTIAL)
		while (dls__fortran_next64(loop, &lo, &hi))
			;
	if (which == BEHIND)
		dls__fortran_next64(loop, &lo, &hi);
	else
		dls__fortran_partial(loop, which == OTHER_TYPE ? DLS__KIND('f', double) : DLS__KIND('s', int64_t), &sum);
	return 0;
}

static void mistakes(void)
{
	static const char *const says[MISTAKES] = {
		"of 1500 characters; a name has 1 to", "of 0 characters; a name has 1 to", "mistake: the schedule \"xxx", "a reduction takes no .multiple",
		"mistake: dls_partial() is called in a loop that reduces nothing", "mistake: dls_partial() is called twice for one block",
		"mistake: the partial result is not of the type", "mistake: dls_for_next() or dls_partial() is called behind the end",
		"mistake: dls_for_next() or dls_partial() is called behind the end", "mistake: the step of a loop is not 0",
		"mistake: this loop has 2^64 iterations", "mistake: the operator \"minus\" does not reduce this type",
	};

	for (int i = 0; i < MISTAKES; i++) {
		CHECK_EQ(child_exit(child_status(mistake, &i)), 128 + SIGABRT);
		if (!CHECK(strstr(said, says[i])))
			tap_note("%d: %s", i, said);
	}
}
TEST_MAIN(T(names) T(ends) T(teams) T(mistakes))
