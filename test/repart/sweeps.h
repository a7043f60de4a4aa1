/* sweeps.h - sweeps over objects that are as many and as uneven as they come, and what must be so after each. */
#ifndef SWEEPS_H
#define SWEEPS_H

#include "dls/repart.h"
#include "guard.h"

enum { SWEEPS_OBJECTS = 300, SWEEPS_PROCESSORS = 24, SWEEPS_ITERATIONS = 5040, SWEEPS_HANGS = 300 /* s */ };

/* An application: object i is a loop of iterations[i], each of which takes its group some time.  Nothing in it is
 * atomic: what it counts is right only if the library lets one at a time write it, and the sweep's end order it. */
static struct sweeps {
	struct dls_repart *repart;
	char name[200];
	size_t objects;
	unsigned processors;				/* that work */
	int64_t weight[SWEEPS_OBJECTS];
	unsigned iterations[SWEEPS_OBJECTS];
	double each[SWEEPS_OBJECTS];			/* s that an iteration takes */
	unsigned owner[SWEEPS_OBJECTS];			/* before the sweep */
	int64_t has[SWEEPS_PROCESSORS];			/* at its begin, and what has come since */
	unsigned worked[SWEEPS_OBJECTS], moved[SWEEPS_OBJECTS], moved_to[SWEEPS_OBJECTS], group[SWEEPS_OBJECTS];
	unsigned char hits[SWEEPS_OBJECTS][SWEEPS_ITERATIONS];
	unsigned fails, fails_to_move;			/* each so many-th object; 0: none */
	unsigned spins;					/* of an iteration, on threads */
	bool regroups;					/* members are not one after the other */
	double slow;					/* virtual time: group 0 takes so many times longer */
	bool ok[SWEEPS_OBJECTS];			/* what the functions of parts said */
	struct dls_run_result run;			/* of the machine, in the last sweep */
} sweeps;

struct sweeps_loop {
	struct dls_part *part;
	size_t object;
};

static void sweeps_body(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
	const struct sweeps_loop *loop = arg;
	size_t i = loop->object;

	if (member >= dls_part_members(loop->part) || begin >= end || end > sweeps.iterations[i])
		return;		/* iterations that are missing then */
	for (uint64_t k = begin; k < end; k++) {
		sweeps.hits[i][k]++;
		for (volatile unsigned spin = sweeps.spins * (i % 5); spin > 0; spin--)
			continue;
	}
	dls_part_spend(loop->part, sweeps.each[i] * (double)(end - begin) * (dls_part_group(loop->part) ? 1 : sweeps.slow));
}

static int sweeps_work(struct dls_part *part, size_t i, void *arg)
{
	struct sweeps_loop loop = { part, i };

	sweeps.ok[i] = arg == &sweeps && dls_part_for(part, sweeps.iterations[i], sweeps_body, &loop) == 0;
	sweeps.worked[i]++;
	sweeps.group[i] = dls_part_group(part);
	return sweeps.fails && i % sweeps.fails == 0 ? (int)i + 1 : 0;
}

/* Whether it goes to the first member of this group of those that have least. */
static bool sweeps_takes(const struct dls_part *part, unsigned to)
{
	struct dls_group group;
	unsigned first = 0;
	bool least;

	for (unsigned g = 0; g < dls_part_group(part); g++)
		first += dls_repart_group(sweeps.repart, g, &group) ? 0 : group.size;
	least = to >= first && to < first + dls_part_members(part);
	for (unsigned p = first; least && p < first + dls_part_members(part); p++)
		least = sweeps.has[p] > sweeps.has[to] || (sweeps.has[p] == sweeps.has[to] && p >= to);
	return least || sweeps.regroups;
}

static void sweeps_fetch(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
	unsigned char *fetched = arg;

	for (uint64_t k = begin; k < end; k++)
		fetched[k]++;
}

/* A loop of its own is run as in `work`. */
static bool sweeps_fetches(struct dls_part *part)
{
	static const unsigned char once[SWEEPS_PROCESSORS] = { 1, 1, 1, 1, 1 };
	unsigned char fetched[SWEEPS_PROCESSORS] = { 0 };

	return dls_part_for(part, 5, sweeps_fetch, fetched) == 0 && memcmp(fetched, once, sizeof(once)) == 0;
}

static int sweeps_move(struct dls_part *part, size_t i, unsigned from, unsigned to, void *context)
{
	unsigned owner = UINT32_MAX;
	bool fetched = sweeps_fetches(part) && dls_repart_owner(sweeps.repart, i, &owner) == 0 && owner == to;

	sweeps.moved[i] += fetched && context == &sweeps && from == sweeps.owner[i] && sweeps.worked[i] == 0 && sweeps_takes(part, to);
	sweeps.has[to] += sweeps.weight[i];
	sweeps.moved_to[i] = to;
	sweeps.group[i] = dls_part_group(part);
	return sweeps.fails_to_move && i % sweeps.fails_to_move == 0 ? -100 - (int)i : 0;
}

static inline void sweeps_draw(size_t objects, uint64_t *seed)
{
	memset(&sweeps, 0, sizeof(sweeps));
	sweeps.objects = objects;
	sweeps.slow = 1;
	for (size_t i = 0; i < objects; i++) {
		sweeps.iterations[i] = (unsigned)(tap_random(seed) % 65);
		sweeps.each[i] = 1e-6;
		sweeps.weight[i] = 1 + (int64_t)(tap_random(seed) % 1000);
	}
}

/* size, objects, weight, work, move and context are filled in. */
static inline bool sweeps_open(const struct dls_repart_desc *of)
{
	struct dls_repart_desc desc = *of;
	struct dls_parse_error error = { .what = "" };
	int code;

	desc.size = sizeof(desc);
	desc.objects = sweeps.objects;
	desc.weight = sweeps.weight;
	desc.work = sweeps_work;
	desc.move = sweeps_move;
	desc.context = &sweeps;
	snprintf(sweeps.name, sizeof(sweeps.name), "%s, %s, inner %s, %u processors, limit %u, %s, faults %s, %zu objects",
		 desc.engine ? desc.engine : "virtual", desc.schedule, desc.inner ? desc.inner : "none", desc.processors, desc.limit,
		 desc.shared ? "shared" : "dedicated", desc.faults ? desc.faults : "none", desc.objects);
	sweeps.repart = NULL;
	code = dls_repart_open(&sweeps.repart, &desc, &error);
	if (CHECK_EQ(code, 0) != 0)
		tap_note("%s: %s", sweeps.name, error.what);
	return code == 0;
}

static inline unsigned sweeps_owner(size_t i)
{
	unsigned owner = UINT32_MAX;

	CHECK_EQ(dls_repart_owner(sweeps.repart, i, &owner), 0);
	return owner;
}

static inline unsigned sweeps_group(unsigned processor)
{
	struct dls_repart_stats stats = { .size = sizeof(stats), .group = UINT32_MAX };

	CHECK_EQ(dls_repart_processor_stats(sweeps.repart, processor, &stats), 0);
	return stats.group;
}

static inline void sweeps_check_object(size_t i, struct dls_sweep_result *sum, bool returns)
{
	unsigned owner = sweeps_owner(i), wrong = 0;
	bool moved = owner != sweeps.owner[i], not_moved = moved && sweeps.fails_to_move && i % sweeps.fails_to_move == 0;
	int own = sweeps.fails && i % sweeps.fails == 0 ? (int)i + 1 : 0, code = 77;

	CHECK_EQ(dls_repart_code(sweeps.repart, i, &code), 0);
	CHECK(returns || sweeps_group(owner) == sweeps.group[i]);
	CHECK_EQ(sweeps.moved[i], moved);
	CHECK(!moved || sweeps.moved_to[i] == owner);
	CHECK_EQ(sweeps.worked[i], !not_moved);
	CHECK(not_moved || sweeps.ok[i]);
	CHECK_EQ(code, not_moved ? -100 - (int)i : own);
	for (unsigned k = 0; k < sweeps.iterations[i]; k++)
		wrong += sweeps.hits[i][k] != !not_moved;
	CHECK_EQ(wrong, 0);
	sum->moved += moved;
	sum->moved_weight += moved ? sweeps.weight[i] : 0;
	sum->failed += code != 0;
}

/* What processors say they have is what objects say of their owners. */
static inline void sweeps_check_processors(void)
{
	size_t objects[SWEEPS_PROCESSORS] = { 0 };
	int64_t weight[SWEEPS_PROCESSORS] = { 0 };
	struct dls_repart_stats stats = { .size = sizeof(stats) };

	for (size_t i = 0; i < sweeps.objects; i++) {
		unsigned owner = sweeps_owner(i);

		if (!CHECK(owner < sweeps.processors))
			return;
		objects[owner]++;
		weight[owner] += sweeps.weight[i];
	}
	for (unsigned p = 0; p < sweeps.processors; p++) {
		CHECK_EQ(dls_repart_processor_stats(sweeps.repart, p, &stats), 0);
		CHECK_EQ(stats.objects, objects[p]);
		CHECK_EQ(stats.weight, weight[p]);
	}
	CHECK_EQ(dls_repart_processor_stats(sweeps.repart, sweeps.processors, &stats), DLS_ERANGE);
}

/* A sweep, with all that must be so; returns what it came to. */
static inline struct dls_sweep_result sweeps_run(bool returns)
{
	struct dls_sweep_result sweep = { .size = sizeof(sweep), .time = -1 }, sum = { .moved = 0 };
	unsigned failures = tap_failures;

	memset(sweeps.has, 0, sizeof(sweeps.has));
	for (size_t i = 0; i < sweeps.objects; i++) {
		sweeps.owner[i] = sweeps_owner(i);
		sweeps.has[sweeps.owner[i]] += sweeps.weight[i];
		memset(sweeps.hits[i], 0, sweeps.iterations[i]);
	}
	memset(sweeps.worked, 0, sizeof(sweeps.worked));
	memset(sweeps.moved, 0, sizeof(sweeps.moved));
	guard(sweeps.name, SWEEPS_HANGS);
	CHECK_EQ(dls_repart_sweep(sweeps.repart, &sweeps, &sweep), 0);
	guard_over();
	sweeps.run.size = sizeof(sweeps.run);
	CHECK_EQ(dls_repart_machine_result(sweeps.repart, &sweeps.run), 0);
	for (size_t i = 0; i < sweeps.objects; i++)
		sweeps_check_object(i, &sum, returns);
	sweeps_check_processors();
	CHECK_EQ(sweep.moved, sum.moved);
	CHECK_EQ(sweep.moved_weight, sum.moved_weight);
	CHECK_EQ(sweep.failed, sum.failed);
	CHECK_EQ(sweeps.run.tasks, sweeps.objects);
	CHECK(!returns || sweep.moved == 0);
	CHECK(sweep.time >= 0 && sweep.work >= 0 && sweep.work <= 1.001 * sweeps.processors * sweep.time + 1e-5);
	CHECK(sweeps.run.transfers >= sweep.moved || sweep.exchanged > 0 ||
	      strstr(sweeps.name, "queue=replicated"));	/* which sends none */
	if (tap_failures > failures)
		tap_note("%s", sweeps.name);
	return sweep;
}

#endif
