/* changes.c - static loops that share nothing, while schedules, measuring and progress are changed by other threads.
 *
 * Fails if: threads of a team disagree on whether a loop is dealt or each has its block (iterations run twice or not at all, or
 * the team hangs), a region does not see what was set before it, a site that was changed very often goes wrong, a plain region
 * changes its mind, or does so without a word.
 *
 * runs: check */
#include <pthread.h>
#include <sched.h>

#include "child.h"
#include "deal.h"
#include "once.h"

#ifdef _OPENMP

enum { N = 100, LOOPS = 40, P = 3 };

static void nothing(const struct dls_progress *progress, void *arg)
{
}

/* One more change, of a site or of all. */
static void change(struct dls_site *site, uint64_t *seed)
{
	static const char *const text[] = { "static", "gss", "static,3", "ss", NULL, "static", "rid" };

	switch (tap_random(seed) % 4) {
	case 0:
		dls_site_set_measured(site, tap_random(seed) % 2);
		break;
	case 1:
		dls_set_progress(tap_random(seed) % 2 ? nothing : NULL, NULL, 1);
		break;
	default:
		dls_site_set_schedule(site, text[tap_random(seed) % (sizeof(text) / sizeof(*text))]);
	}
}

struct changer {
	struct dls_site *site;
	uint64_t seed;
	atomic_bool stop;
};

static void *keep_changing(void *arg)
{
	struct changer *c = arg;

	while (!atomic_load(&c->stop)) {
		change(c->site, &c->seed);
		for (unsigned i = (unsigned)(tap_random(&c->seed) % 64); i > 0; i--)
			sched_yield();
	}
	return NULL;
}

/* A chain in which threads get far apart; beside it, the thread `changer` and worker 0 change what it runs under. */
static void in_regions(void)
{
	struct changer changer = { .seed = tap_seed() };
	uint64_t seed = changer.seed + 1;
	double until = tap_now() + tap_stress(1);
	pthread_t thread;
	char name[32];

	for (unsigned round = 0; !tap_failures && tap_now() < until; round++) {
		snprintf(name, sizeof(name), "changes %u", round);	/* a site can change so many times alone */
		changer.site = deal_site(name);
		atomic_store(&changer.stop, false);
		CHECK_EQ(pthread_create(&thread, NULL, keep_changing, &changer), 0);
		for (unsigned region = 0; region < 4; region++) {
			DLS_PARALLEL(num_threads(P)) {
				uint64_t mine = seed + (uint64_t)omp_get_thread_num();

				for (unsigned k = 0; k < LOOPS; k++) {
					if (tap_random(&mine) % 8 == 0)
						sched_yield();
					if (omp_get_thread_num() == 0 && tap_random(&mine) % 4 == 0)
						change(changer.site, &mine);
					DLS_FOR(i, 0, N, .nowait = true, .name = name, .schedule = k % 3 ? "static" : "fac2")
						once_hit(k * N + i);
				}
			}
			seed += 7;
		}
		atomic_store(&changer.stop, true);
		pthread_join(thread, NULL);
		once_check(once_hits, LOOPS * N, 4, "chain", P);
	}
	dls_set_progress(NULL, NULL, 1);
}

/* What is set before a region counts in it, however often: the 100 changes are more than are kept. */
static void counts_afterwards(void)
{
	struct dls_site *site = deal_site("afterwards");

	for (unsigned k = 0; k < 100; k++) {
		unsigned chunks = 0;

		CHECK_EQ(dls_site_set_schedule(site, k % 2 ? "ss,1" : "static"), 0);
		CHECK_EQ(dls_site_set_measured(site, k % 4 > 1), 0);
		DLS_PARALLEL(num_threads(P) reduction(+:chunks))
			DLS_FOR_CHUNK(lo, hi, 0, N, .name = "afterwards")
				chunks += hi > lo;
		CHECK_EQ(chunks, k % 2 ? N : P);
		CHECK_EQ(deal_stats(site).executions, k + 1);
		CHECK_EQ(deal_stats(site).measured, k / 4 * 2 + (k % 4 > 1) * (k % 4 - 1));
		CHECK_EQ(deal_stats(site).iterations, N * (k + 1));
	}
}

static void plain_loop(unsigned *chunks, const char *schedule)
{
	*chunks = 0;
#pragma omp parallel num_threads(P)
	DLS_FOR_CHUNK(lo, hi, 0, N, .name = "plain", .schedule = schedule)
#pragma omp atomic
		*chunks += hi > lo;
}

/* In plain regions the first loop decides for ever, and says so once where that differs from what is asked. */
static int plainly(const void *arg)
{
	struct dls_site *site;
	unsigned chunks[5];

	plain_loop(&chunks[0], "static");
	plain_loop(&chunks[1], "ss");		/* a `.schedule` counts every time */
	if (dls_site_named(&site, "plain") != 0 || dls_site_set_schedule(site, "ss") != 0)
		return 1;
	plain_loop(&chunks[2], "static");
	plain_loop(&chunks[3], "static");
	chunks[4] = 0;
	DLS_PARALLEL(num_threads(P))
		DLS_FOR_CHUNK(lo, hi, 0, N, .name = "plain", .schedule = "static")
#pragma omp atomic
			chunks[4] += hi > lo;
	for (unsigned i = 0; i < 5; i++)
		printf("%u ", chunks[i]);
	fflush(stdout);
	return 0;
}

static void in_plain_regions(void)
{
	const char *word, *line = "plain: ran as static blocks in a plain parallel region";

	CHECK_EQ(child_status(plainly, NULL), 0);
	CHECK(strstr(said, "3 100 3 3 100 "));
	word = strstr(said, line);
	CHECK(word && !strstr(word + 1, line));
}

#endif

/* First of all: libgomp has no regions in the child of a program that has had one. */
TEST_MAIN(T_OPENMP(in_plain_regions) T_OPENMP(in_regions) T_OPENMP(counts_afterwards))
