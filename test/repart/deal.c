/* deal.c - objects to their first owners: a worked example, the rule as it is written, totals, bad input.
 *
 * Fails if: the group farthest below its quota is passed over, ties do not go to the first, a processor of a group
 * gets more than its share, sums are not exact, weights or sizes are taken unseen.
 *
 * runs: machines, pthreads */
#include "dls/loop.h"
#include "dls/repart.h"
#include "tap.h"

enum { OBJECTS = 120, PROCESSORS = 64, GROUPS = 12 };

static int64_t weight[OBJECTS];
static unsigned owner[OBJECTS], want[OBJECTS];

/* Two groups of 2 and 1 processors, 30 in all: quotas 20 and 10.
 * 8: 20 and 10 are below, to 0.  7: 12, 10, to 0, its other processor.  6: 5, 10, to the second group.
 * 5: 5, 4, to processor 1, who has 7.  3: 0, 4, to 2.  1: 0, 1, to 2. */
static void example(void)
{
	static const int64_t w[] = { 3, 8, 5, 7, 1, 6 };
	static const unsigned expected[] = { 2, 0, 1, 1, 2, 2 };

	CHECK_EQ(dls_group_deal(w, 6, (unsigned[]){ 2, 1 }, 2, owner), 0);
	for (size_t i = 0; i < 6; i++)
		CHECK_EQ(owner[i], expected[i]);
}

/* The same rule, looking at everything each time; wholly in integers while P W < 2^63. */
static void by_the_rule(size_t n, const unsigned *size, size_t groups)
{
	int64_t has[PROCESSORS] = { 0 }, total[GROUPS] = { 0 }, W = 0, P = 0;
	bool dealt[OBJECTS] = { false };

	for (size_t i = 0; i < n; i++)
		W += weight[i];
	for (size_t g = 0; g < groups; g++)
		P += size[g];
	for (size_t k = 0; k < n; k++) {
		size_t i = n, far = 0;
		unsigned first = 0, best;

		for (size_t j = 0; j < n; j++)
			if (!dealt[j] && (i == n || weight[j] > weight[i]))
				i = j;
		for (size_t g = 1; g < groups; g++)
			if (W * size[g] - P * total[g] > W * size[far] - P * total[far])
				far = g;
		for (size_t g = 0; g < far; g++)
			first += size[g];
		best = first;
		for (unsigned p = first; p < first + size[far]; p++)
			if (has[p] < has[best])
				best = p;
		dealt[i] = true;
		total[far] += weight[i];
		has[best] += weight[i];
		want[i] = best;
	}
}

static void drawn(void)
{
	uint64_t seed = tap_seed();

	for (unsigned k = 0; k < 300 && tap_failures == 0; k++) {
		unsigned size[GROUPS];
		size_t n = 1 + tap_random(&seed) % 120, groups = 1 + tap_random(&seed) % GROUPS;
		uint64_t most = (uint64_t)1 << tap_random(&seed) % 46;	/* 1: all are equal; 120 of them stay below 2^53 */

		for (size_t i = 0; i < n; i++)
			weight[i] = (int64_t)(1 + tap_random(&seed) % most);
		for (size_t g = 0; g < groups; g++)
			size[g] = 1 + (unsigned)tap_random(&seed) % (PROCESSORS / GROUPS);
		CHECK_EQ(dls_group_deal(weight, n, size, groups, owner), 0);
		by_the_rule(n, size, groups);
		for (size_t i = 0; i < n; i++)
			CHECK_EQ(owner[i], want[i]);
	}
}

static void misuse(void)
{
	static const int64_t zero[] = { 3, 0 }, minus[] = { -1, 3 }, heavy[] = { ((int64_t)1 << 53) - 1, 1 },
			     heavier[] = { (int64_t)1 << 53, 1 }, most[] = { INT64_MAX, INT64_MAX };
	static const unsigned size[] = { 1, 2 }, none[] = { 1, 0 }, many[] = { DLS_WORKERS_MAX, 1 };

	CHECK_EACH(DLS_EINVAL, dls_group_deal(heavy, 0, size, 2, owner), dls_group_deal(zero, 2, size, 2, owner),
		   dls_group_deal(minus, 2, size, 2, owner), dls_group_deal(heavy, 2, size, 0, owner),
		   dls_group_deal(heavy, 2, none, 2, owner));
	CHECK_EACH(DLS_ERANGE, dls_group_deal(heavier, 2, size, 2, owner), dls_group_deal(most, 2, size, 2, owner),
		   dls_group_deal(heavy, 2, many, 2, owner));
	/* Heavier than all others together: it lies where it lies. */
	CHECK_EQ(dls_group_deal(heavy, 2, size, 2, owner), 0);
	CHECK(owner[0] == 1 && owner[1] == 0);
}

TEST_MAIN(T(example) T(drawn) T(misuse))
