/* regroup.c - groups that exchange processors between sweeps.
 *
 * Fails if: an exchange is made that makes no group's time shorter, or none is while one would; a foreman leaves, or a group grows
 * above `regroup`; racks of a group are not those of its processors, or a processor of another rack is taken while one of its own
 * would do; an object is lost, is worked on by another group than its owner's under "none", or changes its owner without a call of
 * move, or to another than the one with least; a team or a loop still has a group's former members.
 *
 * runs: check, machines, pthreads */
#include <math.h>

#include "sweeps.h"

enum { OBJECTS = 60, GROUPS = 24 };

/* Objects that take so many s of one processor of speed 1, shared by the group without a rest. */
static void take(size_t objects, unsigned processors, const double *time, const int64_t *weight)
{
	memset(&sweeps, 0, sizeof(sweeps));
	sweeps.objects = objects;
	sweeps.processors = processors;
	sweeps.slow = 1;
	sweeps.regroups = true;
	for (size_t i = 0; i < objects; i++) {
		sweeps.iterations[i] = SWEEPS_ITERATIONS;
		sweeps.each[i] = time ? time[i] / SWEEPS_ITERATIONS : 0;
		sweeps.weight[i] = weight ? weight[i] : 1;
	}
}

static unsigned size_of(unsigned g)
{
	struct dls_group group = { .size = 0 };

	CHECK_EQ(dls_repart_group(sweeps.repart, g, &group), 0);
	return group.size;
}

/* Two groups of four, with three times the work in the first: 6 / 4 against 2 / 4 s; 6 / 5 against 2 / 3, then 6 / 6 against
 * 2 / 2; 6 / 7 against 2 / 1 would be longer.  The last processors go, 7 and 6; their objects stay with 4 and 5. */
static void by_hand(void)
{
	static const unsigned owner[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	static const double time[] = { 1.5, 1.5, 1.5, 1.5, 0.5, 0.5, 0.5, 0.5 };
	struct dls_repart_desc desc = { .schedule = "none", .owner = owner, .processors = 8, .limit = 4, .shared = true };
	struct dls_sweep_result s;

	for (unsigned regroup = 0; regroup < 9; regroup++) {
		unsigned given = regroup < 5 ? 0 : regroup > 6 ? 2 : regroup - 4;

		take(8, 8, time, NULL);
		desc.regroup = regroup;
		if (!sweeps_open(&desc))
			return;
		s = sweeps_run(false);
		CHECK_EQ(s.exchanged, 0);
		CHECK(fabs(s.time - 1.5) < 1e-6);
		s = sweeps_run(false);
		CHECK_EQ(s.exchanged, given);
		CHECK_EQ(s.moved, given);
		CHECK(fabs(s.time - 6.0 / (4 + given)) < 1e-6);
		CHECK_EQ(size_of(0), 4 + given);
		CHECK_EQ(size_of(1), 4 - given);
		for (unsigned p = 0; p < 8; p++)
			CHECK_EQ(sweeps_group(p), p < 4 || p >= 8 - given ? 0 : 1);
		for (unsigned i = 0; i < 8; i++)
			CHECK_EQ(sweeps_owner(i), i < 8 - given ? i : given == 2 ? i - 2 : 4);
		s = sweeps_run(false);
		CHECK_EQ(s.exchanged, 0);
		CHECK(fabs(s.time - 6.0 / (4 + given)) < 1e-6);
		dls_repart_close(sweeps.repart);
	}
}

/* Racks of 8 and 4, limit 4: groups 0 and 1 in the first, 2 in the other, with 8, 4 and 1 s.  Group 1 gives first, 8 / 5
 * against 4 / 3, though group 2 has less to do; another of it would leave 4 / 2.  Group 2 gives two, 8 / 7 against 1 / 2; then 4 / 3
 * is the longest, and it gives one to group 1: 4 / 4 against 1 / 1. */
static void near_first(void)
{
	static const unsigned rack[] = { 8, 4 }, owner[] = { 0, 4, 8 };
	struct dls_repart_desc desc = { .schedule = "none", .owner = owner, .rack = rack, .racks = 2, .limit = 4, .shared = true,
					.regroup = 12 };
	struct dls_group group;

	take(3, 12, (double[]){ 8, 4, 1 }, NULL);
	if (!sweeps_open(&desc))
		return;
	sweeps_run(false);
	CHECK_EQ(sweeps_run(false).exchanged, 4);
	CHECK_EQ(dls_repart_group(sweeps.repart, 0, &group), 0);
	CHECK_EQ(group.size, 7);
	CHECK_EQ(group.racks, 2);
	CHECK(group.rack[0] == 0 && group.from[0] == 5 && group.rack[1] == 1 && group.from[1] == 2);
	CHECK_EQ(dls_repart_group(sweeps.repart, 1, &group), 0);
	CHECK(group.size == 4 && group.racks == 2 && group.from[0] == 3 && group.from[1] == 1);
	CHECK_EQ(size_of(2), 1);
	CHECK_EQ(sweeps_group(8), 2);
	dls_repart_close(sweeps.repart);
}

static void draw(uint64_t *seed, struct dls_repart_desc *desc, unsigned rack[3], bool failures)
{
	double time[OBJECTS];
	int64_t weight[OBJECTS];

	for (size_t i = 0; i < OBJECTS; i++) {
		weight[i] = 1 + (int64_t)(tap_random(seed) % 100);
		time[i] = (double)(1 + tap_random(seed) % 1000);
	}
	take(1 + tap_random(seed) % OBJECTS, 0, time, weight);
	sweeps.fails = failures ? 2 + (unsigned)(tap_random(seed) % 16) : 0;
	desc->rack = rack;
	desc->racks = 1 + tap_random(seed) % 3;
	for (size_t k = 0; k < desc->racks; k++) {
		rack[k] = 2 + (unsigned)(tap_random(seed) % 7);
		sweeps.processors += rack[k];
	}
	desc->limit = 1 + (unsigned)(tap_random(seed) % 6);
	desc->regroup = (unsigned)(tap_random(seed) % 11);	/* SWEEPS_ITERATIONS can be shared equally */
	desc->shared = tap_random(seed) % 2;
	sweeps.processors -= !desc->shared;
}

/* Whatever the groups are: they have all processors, foremen stay, and sizes are bounded. */
static void check_groups(const struct dls_repart_desc *desc, const unsigned *foreman, const unsigned *before)
{
	unsigned groups = dls_repart_groups(sweeps.repart), all = 0, counted[GROUPS] = { 0 };

	for (unsigned p = 0; p < sweeps.processors; p++)
		counted[sweeps_group(p)]++;
	for (unsigned g = 0; g < groups; g++) {
		struct dls_group group = { .size = 0 };
		unsigned from = 0;

		CHECK_EQ(dls_repart_group(sweeps.repart, g, &group), 0);
		CHECK_EQ(sweeps_group(foreman[g]), g);
		CHECK_EQ(group.size, counted[g]);
		CHECK(group.size + group.scheduler <= desc->regroup || group.size <= before[g]);
		for (unsigned k = 0; k < group.racks; k++) {
			from += group.from[k];
			CHECK(k == 0 || group.from[k] <= group.from[k - 1]);
		}
		CHECK_EQ(from, group.size);
		all += group.size;
	}
	CHECK_EQ(all, sweeps.processors);
}

/* Under "none", with groups that share objects without a rest, and no objects of unknown time, a sweep is never longer than the one
 * before. */
static void drawn(void)
{
	uint64_t seed = tap_seed();

	for (unsigned run = 0; run < 60 && tap_failures == 0; run++) {
		struct dls_repart_desc desc = { .schedule = run % 3 ? "none" : "repart", .inner = run % 4 ? NULL : "ss,720" };
		unsigned rack[3], foreman[GROUPS] = { 0 }, before[GROUPS] = { 0 };
		double last = INFINITY;

		draw(&seed, &desc, rack, run % 5 == 0);
		if (!sweeps_open(&desc))
			return;
		for (unsigned g = 0, p = 0; g < dls_repart_groups(sweeps.repart); p += before[g++]) {
			foreman[g] = p;
			before[g] = size_of(g);
		}
		for (unsigned k = 0; k < 4; k++) {
			struct dls_sweep_result s = sweeps_run(false);

			check_groups(&desc, foreman, before);
			CHECK(desc.regroup > 0 || s.exchanged == 0);
			CHECK(run % 3 == 0 || run % 4 == 0 || run % 5 == 0 || s.time <= last * (1 + 1e-6));
			last = s.time;
		}
		dls_repart_close(sweeps.repart);
	}
}

/* On threads times are what they are, and so are exchanges; what must be so is so. */
static void threads(void)
{
	static const char *const inner[] = { NULL, "gss", "steal" };

	for (unsigned k = 0; k < 3; k++) {
		struct dls_repart_desc desc = { .schedule = k ? "none" : "repart,ahead=0", .inner = inner[k], .engine = "threads",
						.processors = 6, .limit = 3, .shared = true, .regroup = 5 };
		unsigned foreman[] = { 0, 3 }, before[] = { 3, 3 };

		take(12, 6, NULL, (int64_t[12]){ 1000, 1000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 });
		if (!sweeps_open(&desc))
			return;
		for (unsigned s = 0; s < 5; s++) {
			sweeps_run(false);
			check_groups(&desc, foreman, before);
		}
		dls_repart_close(sweeps.repart);
	}
}

static void refused(void)
{
	static const int64_t weight[] = { 1, 1 };
	struct dls_repart_desc desc = { .size = sizeof(desc), .objects = 2, .weight = weight, .work = sweeps_work, .processors = 3, .limit = 1,
					.schedule = "repart,return=yes", .regroup = 2 };
	struct dls_parse_error error = { .what = "" };
	struct dls_repart *repart;

	CHECK_EQ(dls_repart_open(&repart, &desc, &error), DLS_EINVAL);
	CHECK(strstr(error.what, "regroup") && strstr(error.what, "return=yes"));
}

TEST_MAIN(T_ALONE(by_hand) T_ALONE(near_first) T_ALONE(drawn) T(threads) T(refused))
