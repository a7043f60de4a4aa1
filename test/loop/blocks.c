/* blocks.c - loops that auto leaves to static blocks: when it does, when the blocks have become too long, and
 * when it does so again.
 *
 * Fails if: a disturbance of some blocks, or one that is soon over, has a loop dealt; blocks of one worker
 * that take longer for good pass, or are noticed later than after some tens of timed ones; one worker's
 * blocks count as another's; what is known of one loop is left from another; or smaller loops are then dealt,
 * too.
 *
 * runs: check */
#include "deal.h"
#include "lib/base/clock.h"
#include "lib/base/processors.h"
#include "lib/observe/chosen.h"
#include "lib/site/blocks.h"
#include "lib/site/costs_measured.h"
#include "lib/site/site_schedule.h"
#include "lib/site/tuner.h"

/* So that no loop of these tests has more workers than processors. */
__attribute__((constructor)) static void count_many(void)
{
	atomic_store(&dls__processors_counted, 64);
}

#ifdef _OPENMP

/* Whether loops of n iterations are blocks in the regions to come. */
static bool are_blocks(const struct dls__kept_site *site, uint64_t n)
{
	return dls__is_blocks(dls__blocks_at(site, DLS__KIND_NONE, dls__version_now()), n);
}

/* The record of a site whose loop auto knows, after `times` executions. */
static struct dls__kept_site *known(const char *name, int times)
{
	for (int k = 0; k < times; k++)
		DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, 1000, .name = name)
			(void)i;
	return deal_site(name)->site;
}

/* Courses of blocks whose times are invented. */
enum { N = 1000, WORKERS = 4, TIMED = 2000 };

struct course {
	const char *name;
	unsigned usual;		/* ns, a block */
	double factor;		/* worker 2's blocks take so many times that from its 101st timed one on, */
	unsigned length, pause;	/* ... in `length` of them, after which `pause` are as usual; 0: in all */
	unsigned noticed;	/* timed blocks after which the loop is dealt; 0: never */
};

static const struct course courses[] = {
	{ "as usual", 50000, 1, 0, 0, 0 },
	{ "a fifth more", 50000, 1.2, 0, 0, 0 },
	{ "two fifths more", 50000, 1.4, 0, 0, 3 },
	{ "twice as much, long blocks", 200000, 2, 0, 0, 3 },
	{ "three times as much, short blocks", 5000, 3, 0, 0, 0 },
	{ "five times as much, short blocks", 5000, 5, 0, 0, 3 },
	{ "twice as much, short blocks", 15000, 2, 0, 0, 3 },
	{ "interrupted", 5000, 500, 1, 4, 0 },
	{ "interrupted, long blocks", 100000, 50, 2, 8, 0 },
	{ "interrupted often", 5000, 500, 1, 3, 9 },
	{ "disturbed for a moment", 50000, 1.4, 2, 20, 0 },
	{ "disturbed for long", 50000, 1.4, 20, 20, 3 },
};

static void course(const struct course *c)
{
	struct dls__kept_site *site = known(c->name, 2);
	unsigned noticed = 0;

	dls__blocks_begin(site, 11, (double)c->usual * WORKERS / N);
	for (unsigned k = 0; k < TIMED && !noticed; k++) {
		bool off = k >= 100 && (c->length == 0 || (k - 100) % (c->length + c->pause) < c->length);

		for (unsigned w = 0; w < WORKERS; w++)
			dls__blocks_timed(site, N, w, WORKERS,
					  (uint64_t)(c->usual * (off && w == 2 ? c->factor : 1)));
		if (!are_blocks(site, N))
			noticed = k - 99;
	}
	if (!CHECK_EQ(noticed, c->noticed))
		tap_note("%s: after %u timed blocks", c->name, noticed);
}

static void courses_run(void)
{
	for (unsigned i = 0; i < sizeof(courses) / sizeof(courses[0]); i++)
		course(&courses[i]);
}

/* Of other lengths and teams, blocks are expected to take as much longer; the blocks of 64 workers are told
 * apart, and what was known of them is of loops that were dealt since. */
static void scaled(void)
{
	struct dls__kept_site *site = known("scaled", 2);

	dls__blocks_begin(site, 20, 100);
	for (unsigned k = 0; k < 100; k++) {
		dls__blocks_timed(site, 4 * N, 0, 2, 200000);
		dls__blocks_timed(site, N, 0, 8, 12500);
		dls__blocks_timed(site, 4 * N, k, 500, 800);
		dls__blocks_timed(site, N, k % 16, 16, k % 16 == 5 && k > 60 ? 100000 : 5000);
		dls__blocks_timed(site, 0, 0, 2, 0);
	}
	CHECK(are_blocks(site, N));
	for (unsigned k = 0; k < 2; k++)
		dls__blocks_timed(site, N, 1, 2, 500000);
	CHECK(are_blocks(site, N));
	dls__blocks_begin(site, 20, 1000);
	dls__blocks_timed(site, N, 1, 2, 800000);
	CHECK(are_blocks(site, N));
	for (unsigned k = 0; k < 2; k++)	/* one of them shares the place of the other */
		dls__blocks_timed(site, N, 1 + DLS__BLOCKS_WORKERS * (k % 2), 2, 800000);
	CHECK(!are_blocks(site, N) && !are_blocks(site, 512) && are_blocks(site, 511));
	dls__blocks_timed(site, N, 1, 2, 800000);	/* one that was under way */
	CHECK(are_blocks(site, 511));
}

#ifdef __clang__
static const bool compiled_by_clang = true;
#else
static const bool compiled_by_clang = false;
#endif

/* Iterations of worker 1 take 40 us each. */
static void spin(bool dear, int i)
{
	if (dear && i >= 50)
		for (uint64_t began = dls__clock_now(); dls__clock_since(began, dls__clock_now()) < 40000; )
			continue;
}

static void alone(bool dear)
{
	DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, 100, .name = "alone")
		spin(dear, i);
}

static void in_region(bool dear)
{
	DLS_PARALLEL(num_threads(2))
		DLS_FOR(i, 0, 100, .name = "in a region")
			spin(dear, i);
}

static void in_plain_region(bool dear)
{
#pragma omp parallel num_threads(2)
	DLS_FOR(i, 0, 100, .name = "in a plain region")
		spin(dear, i);
}

/* A loop that auto has found too small to be dealt is dealt again once its iterations have become dear for
 * one worker.  Breaks if that worker's block is not timed in one of 17 executions, or what was timed reaches
 * another site. */
static void becomes_dear(void)
{
	static const struct {
		const char *name;
		void (*run)(bool dear);
	} loop[] = { { "alone", alone }, { "in a region", in_region }, { "in a plain region", in_plain_region } };
	int loops = compiled_by_clang ? 2 : 3;	/* its plain regions share nothing by which all agree: they always deal */

	for (int k = 0; k < loops; k++) {
		struct dls__kept_site *record = deal_site(loop[k].name)->site;
		int executions = 0;

		loop[k].run(false);
		CHECK(!atomic_load(&record->tuner));
		loop[k].run(false);
		CHECK(atomic_load(&record->tuner));
		dls__blocks_begin(record, 20, 1);
		for (; are_blocks(record, 100) && executions < 200; executions++)
			loop[k].run(true);
		if (!CHECK(executions <= 100))
			tap_note("%s: dealt after %d executions", loop[k].name, executions);
	}
}

/* Tell auto of executions of n iterations by two workers, the first of which has more to do by some part,
 * that take so many us, `blocks` of that under static, until such loops are blocks; returns how many. */
static unsigned blocks_if(struct dls__kept_site *site, uint64_t n, double us, double more, double blocks, unsigned most)
{
	const struct dls_schedule *automatic;
	struct dls__timing t = { 0 };
	unsigned executions = 0;

	CHECK_EQ(dls__site_schedule_parse("auto", &automatic), 0);
	while (!are_blocks(site, n) && executions < most) {
		const struct dls__bucket *row[2];

		dls__auto_schedule(&t, site, automatic, NULL, n, 2);
		for (unsigned w = 0; t.timed && w < 2; w++) {
			row[w] = t.bucket + w * t.buckets;
			for (unsigned b = 0; b < t.buckets; b++)
				t.bucket[w * t.buckets + b] = (struct dls__bucket){
					.time = b / (t.buckets / 2) == w ? 2e-6 * us / t.buckets * (w == 0 ? 1 + more : 1 - more) : 0,
					.n = b / (t.buckets / 2) == w ? n / t.buckets : 0,
				};
		}
		if (t.timed)
			dls__auto_learn(&t, site, n, 2, 1e-6 * us * (t.schedule == DLS__AUTO_STATIC ? blocks : 1), t.profiled ? row : NULL);
		executions++;
	}
	free(t.worker);
	free(t.bucket);
	return executions;
}

/* The same if executions take a little less under static. */
static unsigned blocks_after(struct dls__kept_site *site, uint64_t n, double us, double more, unsigned most)
{
	return blocks_if(site, n, us, more, 0.97, most);
}

/* A loop of 50 us whose blocks are even is blocks once auto has settled, and dealt again when they are no
 * longer.  Breaks if a long loop is blocks, too. */
static void even(void)
{
	struct dls__kept_site *record = known("even", 1);

	CHECK(blocks_after(record, 100, 1, 0, 1000) < 1000);
	CHECK(are_blocks(record, 127) && !are_blocks(record, 128));
	CHECK_EQ(blocks_after(record, 1000, 2000, 0, 300), 300);
	CHECK(blocks_after(record, 1000, 50, 0, 2000) < 1000);
	CHECK(are_blocks(record, 2047) && !are_blocks(record, 2048));
	for (int k = 0; k < 1000; k++)
		dls__blocks_timed(record, 1000, k % 2, 2, 50000);
	CHECK(are_blocks(record, 2047));
	for (int k = 0; k < 5; k++) {
		dls__blocks_timed(record, 1000, 0, 2, 25000);
		dls__blocks_timed(record, 1000, 1, 2, 100000);
	}
	CHECK(are_blocks(record, 511) && !are_blocks(record, 512));
}

/* Each time that its blocks were too long, a loop has to be calm for longer before it is blocks again.
 * Breaks if that is forgotten, or if it is so at once. */
static void dealt_in_vain(void)
{
	struct dls__kept_site *record = known("dealt in vain", 1);
	unsigned calm[3];

	for (int k = 0; k < 3; k++) {
		calm[k] = blocks_after(record, 1000, 50, 0, 20000);
		for (int blocks = 0; blocks < 3; blocks++)
			dls__blocks_timed(record, 1000, 1, 2, 100000);
		CHECK(!are_blocks(record, 1000));
	}
	if (!CHECK(calm[0] < 1000 && calm[1] > 8 && calm[2] >= 4 * calm[1] && calm[2] < 10000))
		tap_note("after %u, %u, %u executions", calm[0], calm[1], calm[2]);
	CHECK_EQ(blocks_if(record, 1000, 50, 0.4, 1.4, 300), 300);
}

/* Where lines pass slowly, blocks that differ by a third are tried in a loop of 30 us, in which sharing moves
 * as much as it gains; where they pass fast, what the profile says is enough.  Breaks if a region is all that
 * sharing costs. */
static void slow_lines(void)
{
	static const char *const name[] = { "by fast lines", "by slow lines" };
	struct dls__chosen chosen[DLS__CHOSEN];

	for (unsigned slow = 0; slow < 2; slow++) {
		struct dls__kept_site *record = known(name[slow], 1);

		for (int k = 0; k < 15; k++)
			dls__costs_add(2, slow ? 200 : 20, 1000);
		blocks_after(record, 1000, 30, 0.15, 300);
		CHECK_EQ(dls__auto_chosen(record, chosen), 1);
		CHECK_EQ(strcmp(chosen[0].now.schedule, "static") == 0, slow);
	}
}

#endif

TEST_MAIN(T(deal_environment) T_OPENMP(courses_run) T_OPENMP(scaled) T_OPENMP(becomes_dear) T_OPENMP(even)
	  T_OPENMP(dealt_in_vain) T_OPENMP(slow_lines))
