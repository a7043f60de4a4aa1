/* memory.c - repartitionings that are refused memory, or threads, in opening them and in sweeps: each request in turn, once and
 * from there on.
 *
 * Fails if: one without memory crashes, hangs, ends in anything but DLS_ENOMEM (for a thread: DLS_EAGAIN), or is said to have
 * swept when an object was not worked on, or twice; keeps memory; or does not sweep, later and with memory, over all objects
 * once, wherever the failed sweep has left them.
 *
 * runs: machines, alone, pthreads */
#include <stdatomic.h>

#include "dls/repart.h"
#include "refuse.h"

enum { OBJECTS = 120, P = 6, N = 40 };

static int64_t weight[OBJECTS];
static atomic_uint worked[OBJECTS], done[OBJECTS];

static void body(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
	atomic_fetch_add((atomic_uint *)arg, (unsigned)(end - begin));
}

static int work(struct dls_part *part, size_t i, void *arg)
{
	atomic_fetch_add(&worked[i], 1);
	return dls_part_for(part, N, body, &done[i]);
}

static int move(struct dls_part *part, size_t i, unsigned from, unsigned to, void *context)
{
	return from == to ? -100 : 0;
}

struct plan {
	const char *engine, *schedule, *inner;
	unsigned limit;
};

static int open(struct dls_repart **r, const struct plan *p)
{
	struct dls_repart_desc desc = { .size = sizeof(desc), .objects = OBJECTS, .weight = weight, .work = work, .move = move,
					.engine = p->engine, .schedule = p->schedule, .inner = p->inner, .processors = P,
					.limit = p->limit, .costs = "cluster", .shared = true,
					.regroup = strstr(p->schedule, "return=yes") ? 0 : 5 };

	*r = NULL;
	return dls_repart_open(r, &desc, NULL);
}

/* After one that is said to have swept, objects whose code is 0 have been worked on once, with all iterations; what others'
 * loops lacked is their code. */
static int sweep(struct dls_repart *r, const struct plan *p, bool memory)
{
	struct dls_sweep_result s = { .size = sizeof(s) };
	int code;

	memset(worked, 0, sizeof(worked));
	memset(done, 0, sizeof(done));
	code = dls_repart_sweep(r, NULL, &s);
	for (size_t i = 0; i < OBJECTS; i++) {
		int own = 77;

		CHECK_EQ(dls_repart_code(r, i, &own), 0);
		CHECK(worked[i] <= 1);
		CHECK(worked[i] == 1 || (code && own == DLS_EDEADLK));
		CHECK(own == 0 || own == DLS_EDEADLK || (!memory && refuse_says(own, p->engine)));
		CHECK_EQ(done[i], own == 0 ? N : 0);
	}
	return code;
}

static void run_without(const struct plan *p)
{
	long kept = refuse_kept();
	struct dls_repart *r;
	int code = open(&r, p);

	for (int i = 0; i < 2 && !code; i++)
		code = sweep(r, p, false);
	CHECK((refuse_end() && refuse_says(code, p->engine)) || code == 0);
	if (r)
		for (int i = 0; i < 2; i++)
			CHECK_EQ(sweep(r, p, true), 0);
	dls_repart_close(r);
	CHECK_EQ(refuse_kept(), kept);
}

static void each_schedule(const char *engine)
{
	static const char *const schedules[] = { "repart", "repart,return=yes", "repart,calc=af,queue=replicated",
						 "repart,queue=central", "repart,mode=reactive", "rid", "none" };
	static const char *const inner[] = { "static", "awf-b", "steal", "rid,1" };
	bool threads = strcmp(engine, "threads") == 0;

	for (size_t i = 0; i < OBJECTS; i++)
		weight[i] = 1 + (int64_t)(i * i % 17);
	for (unsigned s = 0; s < 2 * sizeof(schedules) / sizeof(*schedules) && tap_failures == 0; s++) {
		struct plan p = { engine, schedules[s / 2], inner[s % (threads ? 4 : 3)], s % 2 ? 3 : 1 };

		REFUSE_EACH(turn, refuse_most(3), 4, "%s, %s, inner %s, limit %u", p.engine, p.schedule, p.inner, p.limit)
			run_without(&p);
	}
}

static void virtual_time(void) { each_schedule("virtual"); }
static void threads(void) { each_schedule("threads"); }

/* Bytes between the members may be any. */
static bool same_group(const struct dls_group *a, const struct dls_group *b)
{
	return a->size == b->size && a->racks == b->racks && a->scheduler == b->scheduler &&
	       memcmp(a->rack, b->rack, a->racks * sizeof(*a->rack)) == 0 && memcmp(a->from, b->from, a->racks * sizeof(*a->from)) == 0;
}

/* Numbers in, numbers out: an error, or the same numbers. */
static void groups(void)
{
	static const unsigned rack[] = { 7, 5, 3, 9 };
	unsigned size[] = { 3, 2, 1 }, owner[OBJECTS], wanted[OBJECTS];
	struct dls_group group[16], like[16];
	size_t formed = 0;

	CHECK_EQ(dls_group_form(rack, 4, 4, 1, like, 16, &formed), 0);
	CHECK(formed > 0);
	CHECK_EQ(dls_group_deal(weight, OBJECTS, size, 3, wanted), 0);
	REFUSE_EACH(turn, REFUSE_MOST, 1, "groups are formed") {
		size_t count = 0;
		int code = dls_group_form(rack, 4, 4, 1, group, 16, &count);

		CHECK_EQ(code, refuse_end() ? DLS_ENOMEM : 0);
		CHECK_EQ(count, code ? 0 : formed);
		for (size_t i = 0; !code && i < formed; i++)
			CHECK(same_group(&group[i], &like[i]));
	}
	REFUSE_EACH(turn, REFUSE_MOST, 1, "groups are dealt objects") {
		int code = dls_group_deal(weight, OBJECTS, size, 3, owner);

		CHECK_EQ(code, refuse_end() ? DLS_ENOMEM : 0);
		CHECK(code || memcmp(owner, wanted, sizeof(owner)) == 0);
	}
}

TEST_MAIN(T(virtual_time) T(threads) T(groups))
