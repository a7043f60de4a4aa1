/* regroup.c - groups that exchange processors between sweeps.
 *
 * Fails if: an exchange is made that makes no group's time shorter, or none is while one would; a foreman leaves, or a group grows
 * above `regroup`; racks of a group are not those of its processors, or a processor of another rack is taken while one of its own
 * would do; an object is lost, is worked on by another group than its owner's under "none", or changes its owner without a call of
 * move, or to another than the one with least; a team or a loop still has a group's former members.
 *
 * runs: check, machines, pthreads */
#include <math.h>

#include "dls/repart.h"
#include "tap.h"

enum { OBJECTS = 60, GROUPS = 24, ITERATIONS = 5040 };

/* Objects that take so many s of one processor of speed 1, shared by the group without a rest. */
static struct app {
	struct dls_repart *repart;
	double time[OBJECTS];
	int64_t weight[OBJECTS];
	size_t objects;
	unsigned processors, worked[OBJECTS], moved[OBJECTS], group[OBJECTS], from[OBJECTS];
	unsigned hits[OBJECTS][ITERATIONS];
	bool fails[OBJECTS], wrong;
} app;

struct part_loop {
	struct dls_part *part;
	size_t object;
};

static void body(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
	const struct part_loop *loop = arg;

	if (member >= dls_part_members(loop->part))
		app.wrong = true;
	for (uint64_t k = begin; k < end; k++)
		app.hits[loop->object][k]++;
	dls_part_spend(loop->part, app.time[loop->object] * (double)(end - begin) / ITERATIONS);
}

static int work(struct dls_part *part, size_t i, void *arg)
{
	struct part_loop loop = { part, i };

	app.worked[i]++;
	app.group[i] = dls_part_group(part);
	return app.fails[i] ? 1 : dls_part_for(part, ITERATIONS, body, &loop);
}

static int move(struct dls_part *part, size_t i, unsigned from, unsigned to, void *context)
{
	unsigned owner = UINT32_MAX;

	dls_repart_owner(app.repart, i, &owner);
	app.moved[i]++;
	app.wrong |= owner != to || app.worked[i] > 0 || app.from[i] != from;
	return 0;
}

static void open_app(struct dls_repart_desc desc)
{
	struct dls_parse_error error = { .what = "" };

	desc.size = sizeof(desc);
	desc.objects = app.objects;
	desc.weight = app.weight;
	desc.work = work;
	desc.move = move;
	if (CHECK_EQ(dls_repart_open(&app.repart, &desc, &error), 0))
		tap_note("%s", error.what);
}

static unsigned size_of(unsigned g)
{
	struct dls_group group = { .size = 0 };

	CHECK_EQ(dls_repart_group(app.repart, g, &group), 0);
	return group.size;
}

static unsigned group_of(unsigned processor)
{
	struct dls_repart_stats stats = { .size = sizeof(stats) };

	CHECK_EQ(dls_repart_processor_stats(app.repart, processor, &stats), 0);
	return stats.group;
}

/* Returns the result; each object was worked on once, by the group of its owner, who has changed only where `move` was called. */
static struct dls_sweep_result sweep(void)
{
	struct dls_sweep_result result = { .size = sizeof(result) };

	memset(app.worked, 0, sizeof(app.worked));
	memset(app.moved, 0, sizeof(app.moved));
	memset(app.hits, 0, sizeof(app.hits));
	for (size_t i = 0; i < app.objects; i++)
		dls_repart_owner(app.repart, i, &app.from[i]);
	CHECK_EQ(dls_repart_sweep(app.repart, NULL, &result), 0);
	for (size_t i = 0; i < app.objects; i++) {
		unsigned owner = UINT32_MAX;

		dls_repart_owner(app.repart, i, &owner);
		CHECK_EQ(app.worked[i], 1);
		CHECK_EQ(app.moved[i], owner != app.from[i]);
		CHECK_EQ(app.group[i], group_of(owner));
		for (unsigned k = 0; k < ITERATIONS; k++)
			if (app.hits[i][k] != !app.fails[i])
				app.wrong = true;
	}
	CHECK(!app.wrong);
	return result;
}

/* Two groups of four, with three times the work in the first: 6 / 4 against 2 / 4 s; 6 / 5 against 2 / 3, then 6 / 6 against
 * 2 / 2; 6 / 7 against 2 / 1 would be longer.  The last processors go, 7 and 6; their objects stay with 4 and 5. */
static void by_hand(void)
{
	static const unsigned owner[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct dls_repart_desc desc = { .schedule = "none", .owner = owner, .processors = 8, .limit = 4, .shared = true };
	struct dls_sweep_result s;

	for (unsigned regroup = 0; regroup < 9; regroup++) {
		unsigned given = regroup < 5 ? 0 : regroup > 6 ? 2 : regroup - 4;

		app = (struct app){ .objects = 8 };
		for (size_t i = 0; i < 8; i++) {
			app.time[i] = i < 4 ? 1.5 : 0.5;
			app.weight[i] = 1;
		}
		desc.regroup = regroup;
		open_app(desc);
		s = sweep();
		CHECK_EQ(s.exchanged, 0);
		CHECK(fabs(s.time - 1.5) < 1e-6);
		s = sweep();
		CHECK_EQ(s.exchanged, given);
		CHECK_EQ(s.moved, given);
		CHECK(fabs(s.time - 6.0 / (4 + given)) < 1e-6);
		CHECK_EQ(size_of(0), 4 + given);
		CHECK_EQ(size_of(1), 4 - given);
		for (unsigned p = 0; p < 8; p++)
			CHECK_EQ(group_of(p), p < 4 || p >= 8 - given ? 0 : 1);
		for (unsigned i = 0; i < 8; i++) {
			unsigned is = UINT32_MAX;

			CHECK_EQ(dls_repart_owner(app.repart, i, &is), 0);
			CHECK_EQ(is, i < 8 - given ? i : given == 2 ? i - 2 : 4);
		}
		s = sweep();
		CHECK_EQ(s.exchanged, 0);
		CHECK(fabs(s.time - 6.0 / (4 + given)) < 1e-6);
		dls_repart_close(app.repart);
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

	app = (struct app){ .objects = 3, .weight = { 1, 1, 1 }, .time = { 8, 4, 1 } };
	open_app(desc);
	sweep();
	CHECK_EQ(sweep().exchanged, 4);
	CHECK_EQ(dls_repart_group(app.repart, 0, &group), 0);
	CHECK_EQ(group.size, 7);
	CHECK_EQ(group.racks, 2);
	CHECK(group.rack[0] == 0 && group.from[0] == 5 && group.rack[1] == 1 && group.from[1] == 2);
	CHECK_EQ(dls_repart_group(app.repart, 1, &group), 0);
	CHECK(group.size == 4 && group.racks == 2 && group.from[0] == 3 && group.from[1] == 1);
	CHECK_EQ(size_of(2), 1);
	CHECK_EQ(group_of(8), 2);
	dls_repart_close(app.repart);
}

static void draw(uint64_t *seed, struct dls_repart_desc *desc, unsigned rack[3], bool failures)
{
	app = (struct app){ .objects = 1 + tap_random(seed) % OBJECTS };
	for (size_t i = 0; i < app.objects; i++) {
		app.weight[i] = 1 + (int64_t)(tap_random(seed) % 100);
		app.time[i] = (double)(1 + tap_random(seed) % 1000);
		app.fails[i] = failures && tap_random(seed) % 16 == 0;
	}
	desc->rack = rack;
	desc->racks = 1 + tap_random(seed) % 3;
	for (size_t k = 0; k < desc->racks; k++) {
		rack[k] = 2 + (unsigned)(tap_random(seed) % 7);
		app.processors += rack[k];
	}
	desc->limit = 1 + (unsigned)(tap_random(seed) % 6);
	desc->regroup = (unsigned)(tap_random(seed) % 11);	/* ITERATIONS can be shared equally */
	desc->shared = tap_random(seed) % 2;
	app.processors -= !desc->shared;
}

/* Whatever the groups are: they have all processors, foremen stay, and sizes are bounded. */
static void check_groups(const struct dls_repart_desc *desc, const unsigned *foreman, const unsigned *before)
{
	unsigned groups = dls_repart_groups(app.repart), all = 0, counted[GROUPS] = { 0 };

	for (unsigned p = 0; p < app.processors; p++)
		counted[group_of(p)]++;
	for (unsigned g = 0; g < groups; g++) {
		struct dls_group group = { .size = 0 };
		unsigned from = 0;

		CHECK_EQ(dls_repart_group(app.repart, g, &group), 0);
		CHECK_EQ(group_of(foreman[g]), g);
		CHECK_EQ(group.size, counted[g]);
		CHECK(group.size + group.scheduler <= desc->regroup || group.size <= before[g]);
		for (unsigned k = 0; k < group.racks; k++) {
			from += group.from[k];
			CHECK(k == 0 || group.from[k] <= group.from[k - 1]);
		}
		CHECK_EQ(from, group.size);
		all += group.size;
	}
	CHECK_EQ(all, app.processors);
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
		open_app(desc);
		for (unsigned g = 0, p = 0; g < dls_repart_groups(app.repart); p += before[g++]) {
			foreman[g] = p;
			before[g] = size_of(g);
		}
		for (unsigned k = 0; k < 4; k++) {
			struct dls_sweep_result s = sweep();

			check_groups(&desc, foreman, before);
			CHECK(desc.regroup > 0 || s.exchanged == 0);
			CHECK(run % 3 == 0 || run % 4 == 0 || run % 5 == 0 || s.time <= last * (1 + 1e-6));
			last = s.time;
		}
		dls_repart_close(app.repart);
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

		app = (struct app){ .objects = 12, .processors = 6 };
		for (size_t i = 0; i < 12; i++)
			app.weight[i] = i < 2 ? 1000 : 1;
		open_app(desc);
		for (unsigned s = 0; s < 5; s++) {
			sweep();
			check_groups(&desc, foreman, before);
		}
		dls_repart_close(app.repart);
	}
}

static void refused(void)
{
	static const int64_t weight[] = { 1, 1 };
	struct dls_repart_desc desc = { .size = sizeof(desc), .objects = 2, .weight = weight, .work = work, .processors = 3, .limit = 1,
					.schedule = "repart,return=yes", .regroup = 2 };
	struct dls_parse_error error = { .what = "" };
	struct dls_repart *repart;

	CHECK_EQ(dls_repart_open(&repart, &desc, &error), DLS_EINVAL);
	CHECK(strstr(error.what, "regroup") && strstr(error.what, "return=yes"));
}

TEST_MAIN(T(by_hand) T(near_first) T(drawn) T(threads) T(refused))
