/* groups.c - groups of processors from racks: the paper's example, the rules one by one, and random racks.
 *
 * Fails if: a processor is lost or in two groups, a group is above its limit, a rack is split without need, a small
 * rest stands beside a group that has room for it, the scheduler counts nowhere or twice, groups are not in the order
 * of their racks.
 *
 * runs: machines, pthreads */
#include "dls/loop.h"
#include "dls/repart.h"
#include "tap.h"

enum { GROUPS = 8, RACKS = 6, MOST = 1000 };

/* What racks come to; none: there is no scheduler, it is of rack `racks`. */
static const struct {
	size_t racks, scheduler;
	unsigned rack[RACKS], limit, size[GROUPS];
} known[] = {
	{ 3, 2, { 4, 32, 28 }, 16, { 16, 16, 15, 16 } },	/* Banicescu 2005, section 5 */
	{ 1, 1, { 33 }, 16, { 11, 11, 11 } },
	{ 1, 0, { 33 }, 16, { 10, 11, 11 } },
	{ 1, 1, { 49 }, 16, { 16, 11, 11, 11 } },
	{ 1, 1, { 17 }, 16, { 9, 8 } },
	{ 1, 1, { 1 }, 16, { 1 } },
	{ 1, 1, { 34 }, 16, { 16, 16, 2 } },		/* two are left: they stay */
	{ 2, 2, { 17, 16 }, 16, { 16, 1, 16 } },	/* of two racks one is split no further */
	{ 2, 2, { 24, 7 }, 16, { 16, 15 } },		/* half of the limit stands ... */
	{ 2, 2, { 8, 8 }, 16, { 8, 8 } },
	{ 2, 2, { 23, 9 }, 16, { 16, 16 } },		/* ... less joins */
	{ 2, 2, { 23, 10 }, 16, { 16, 7, 10 } },	/* ... what has room */
	{ 3, 3, { 3, 12, 10 }, 16, { 12, 13 } },	/* ... the smallest that has */
	{ 3, 3, { 7, 7, 7 }, 16, { 14, 7 } },		/* small ones join each other */
	{ 2, 2, { 2, 8 }, 5, { 5, 5 } },		/* half of 5 is more than 2 */
	{ 2, 0, { 1, 5 }, 4, { 4, 1 } },		/* the scheduler alone is no group, and takes no room */
	{ 2, 0, { 2, 14 }, 16, { 15 } },
	{ 1, 0, { 4 }, 1, { 1, 1, 1 } },
};

static void examples(void)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct dls_group group[GROUPS] = { { .size = 0 } };
		size_t n = 0, want = 0;

		CHECK_EQ(dls_group_form(known[i].rack, known[i].racks, known[i].limit, known[i].scheduler, group, GROUPS, &n), 0);
		while (want < GROUPS && known[i].size[want])
			want++;
		if (CHECK_EQ(n, want) != want)
			tap_note("example %zu", i);
		for (size_t g = 0; g < n && g < want; g++)
			if (CHECK_EQ(group[g].size, known[i].size[g]) != known[i].size[g])
				tap_note("example %zu, group %zu", i, g);
	}
}

/* Which racks, in the paper's example. */
static void paper_racks(void)
{
	struct dls_group g[4];
	size_t n = 0;

	CHECK_EQ(dls_group_form((unsigned[]){ 4, 32, 28 }, 3, 16, 2, g, 4, &n), 0);
	CHECK_EQ(n, 4);
	CHECK(g[0].racks == 1 && g[0].rack[0] == 1 && g[0].from[0] == 16 && !g[0].scheduler);
	CHECK(g[1].racks == 1 && g[1].rack[0] == 1 && g[1].from[0] == 16 && !g[1].scheduler);
	CHECK(g[2].racks == 1 && g[2].rack[0] == 2 && g[2].from[0] == 15 && g[2].scheduler);
	CHECK(g[3].racks == 2 && g[3].rack[0] == 2 && g[3].from[0] == 12 && g[3].rack[1] == 0 && g[3].from[1] == 4 &&
	      !g[3].scheduler);
	/* A scheduler that is alone is in no group. */
	CHECK_EQ(dls_group_form((unsigned[]){ 1, 5 }, 2, 4, 0, g, 4, &n), 0);
	CHECK_EQ(n, 2);
	CHECK(!g[0].scheduler && !g[1].scheduler);
}

static void misuse(void)
{
	static const unsigned racks[] = { 4, 5 }, empty[] = { 4, 0 }, many[] = { DLS_WORKERS_MAX, 1 };
	unsigned small[DLS_GROUP_RACKS_MAX + 1];
	size_t n = 77;
	struct dls_group group[2] = { { .size = 77 }, { .size = 77 } };

	for (unsigned i = 0; i <= DLS_GROUP_RACKS_MAX; i++)
		small[i] = 1;
	CHECK_EACH(DLS_EINVAL, dls_group_form(racks, 2, 0, 2, NULL, 0, &n), dls_group_form(racks, 0, 4, 0, NULL, 0, &n),
		   dls_group_form(NULL, 2, 4, 2, NULL, 0, &n), dls_group_form(empty, 2, 4, 2, NULL, 0, &n),
		   dls_group_form(racks, 2, 4, 2, NULL, 1, &n), dls_group_form((unsigned[]){ 1 }, 1, 4, 0, NULL, 0, &n),
		   dls_group_form(racks, 2, 4, 2, group, 2, NULL));
	CHECK_EACH(DLS_ERANGE, dls_group_form(racks, 2, 4, 3, NULL, 0, &n), dls_group_form(many, 2, 4, 2, NULL, 0, &n),
		   dls_group_form(small, DLS_GROUP_RACKS_MAX + 1, 100, DLS_GROUP_RACKS_MAX + 1, NULL, 0, &n));
	CHECK_EQ(n, 77);
	CHECK_EQ(dls_group_form(small, DLS_GROUP_RACKS_MAX, 100, DLS_GROUP_RACKS_MAX, NULL, 0, &n), 0);
	CHECK_EQ(n, 1);
	CHECK_EQ(dls_group_form(small, DLS_GROUP_RACKS_MAX + 1, DLS_GROUP_RACKS_MAX, DLS_GROUP_RACKS_MAX + 1, NULL, 0, &n), 0);
	CHECK_EQ(n, 2);
	CHECK_EQ(dls_group_form(many, 1, 1, 1, NULL, 0, &n), 0);
	CHECK_EQ(n, DLS_WORKERS_MAX);
	/* As many as there is room for. */
	CHECK_EQ(dls_group_form(racks, 2, 4, 2, group, 1, &n), 0);
	CHECK_EQ(n, 3);
	CHECK(group[0].size == 4 && group[1].size == 77);
}

static struct dls_group group[MOST];

static void check_rack(const unsigned *rack, size_t racks, unsigned limit, size_t scheduler, size_t which, size_t groups)
{
	unsigned processors = which == scheduler, parts = 0;

	for (size_t g = 0; g < groups; g++)
		for (unsigned k = 0; k < group[g].racks; k++)
			if (group[g].rack[k] == which) {
				processors += group[g].from[k];
				parts++;
			}
	CHECK_EQ(processors, rack[which]);
	if (!(racks == 1 && rack[0] % limit == 1))
		CHECK(parts <= (rack[which] - 1) / limit + 1);
}

static bool is_small(const struct dls_group *g, unsigned limit)
{
	return 2 * (g->size + g->scheduler) < limit;
}

static void check_group(size_t i, size_t groups, unsigned limit)
{
	const struct dls_group *g = &group[i];
	unsigned sum = 0;

	CHECK(g->size > 0 && g->size + g->scheduler <= limit && g->racks > 0 && g->racks <= DLS_GROUP_RACKS_MAX);
	for (unsigned k = 0; k < g->racks; k++) {
		sum += g->from[k];
		CHECK(g->from[k] > 0 && (k == 0 || g->from[k] <= g->from[k - 1]));
	}
	CHECK_EQ(sum, g->size);
	for (size_t k = 0; is_small(g, limit) && k < groups; k++)
		CHECK(k == i || g->size + g->scheduler + group[k].size + group[k].scheduler > limit);
}

static void drawn(void)
{
	uint64_t seed = tap_seed();

	for (unsigned k = 0; k < 5000 && tap_failures == 0; k++) {
		unsigned rack[20], limit = 1 + (unsigned)tap_random(&seed) % 20, processors = 0, workers = 0, told = 0;
		size_t racks = 1 + tap_random(&seed) % 20, scheduler = tap_random(&seed) % (racks + 1), n = 0;

		for (size_t i = 0; i < racks; i++)
			processors += rack[i] = 1 + (unsigned)tap_random(&seed) % (k % 2 ? 5 : 50);
		if (processors == 1)
			continue;
		CHECK_EQ(dls_group_form(rack, racks, limit, scheduler, group, MOST, &n), 0);
		if (!CHECK(n > 0 && n <= processors && n <= MOST))
			return;
		for (size_t g = 0; g < n; g++) {
			check_group(g, n, limit);
			workers += group[g].size;
			told += group[g].scheduler;
		}
		CHECK_EQ(workers, processors - (scheduler < racks));
		CHECK_EQ(told, scheduler < racks && rack[scheduler] > 1 && limit > 1);
		for (size_t i = 0; i < racks; i++)
			check_rack(rack, racks, limit, scheduler, i, n);
		if (tap_failures)
			tap_note("case %u: %zu racks, limit %u, scheduler %zu", k, racks, limit, scheduler);
	}
}

TEST_MAIN(T(examples) T(paper_racks) T(misuse) T(drawn))
