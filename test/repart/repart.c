/* repart.c - what a repartitioning refuses: numbers, texts, a sweep within a sweep.
 *
 * Fails if: something that contradicts something else is let pass, another code is returned than the header says, a
 * text is refused without a word about it or with a mark beyond its end, a speed within its range
 * fails a sweep, something is kept of what was refused (AddressSanitizer).
 *
 * runs: check, machines, pthreads */
#include <math.h>

#include "dls/repart.h"
#include "tap.h"

static int no_work(struct dls_part *part, size_t object, void *arg)
{
	return 0;
}

static struct dls_repart *again;

static int sweep_inside(struct dls_part *part, size_t object, void *arg)
{
	if (object == 1)
		*(int *)arg = dls_repart_sweep(again, arg, NULL);
	return 0;
}

static void busy(void)
{
	static const int64_t weight[] = { 2, 1 };
	struct dls_repart_desc desc = { .size = sizeof(desc), .objects = 2, .weight = weight, .work = sweep_inside,
					.schedule = "none", .processors = 1, .limit = 1, .shared = true };

	for (unsigned i = 0; i < 2; i++) {
		int code = 0, kept = 77;

		desc.engine = i ? "threads" : "Virtual";
		CHECK_EQ(dls_repart_open(&again, &desc, NULL), 0);
		CHECK_EQ(dls_repart_sweep(again, &code, NULL), 0);
		CHECK_EQ(code, DLS_EBUSY);
		CHECK_EQ(dls_repart_code(again, 0, &kept), 0);
		CHECK_EQ(kept, 0);
		dls_repart_close(again);
	}
	dls_repart_close(NULL);
}

/* A repartitioning of 4 processors, one thing of which is wrong. */
static int refused(const struct dls_repart_desc *desc, const char *what)
{
	struct dls_parse_error error = { .what = "" };
	struct dls_repart *r = NULL;
	int code = dls_repart_open(&r, desc, &error);

	CHECK(error.what[0] && what[0]);
	if (!CHECK(strstr(error.what, what) != NULL))
		tap_note("\"%s\" is not about \"%s\"", error.what, what);
	CHECK(code < 0 && !r && dls_repart_open(&r, desc, NULL) == code);
	CHECK(!desc->schedule || error.at + error.length <= strlen(desc->schedule) || strcmp(desc->schedule, "none") == 0);
	return code;
}

static void bad_numbers(void)
{
	static const int64_t one[] = { 3, 4 }, zero[] = { 3, 0 }, minus[] = { 3, -4 }, heavy[] = { (int64_t)1 << 53, 1 };
	static const double speed[][4] = { { 1, 0, 1, 1 }, { 1, 1, INFINITY, 1 }, { NAN, 1, 1, 1 }, { 1, 1, 1, 0.9e-9 },
					   { 1, 1, 1, 1.1e9 }, { 1, -1, 1, 1 } };
	unsigned small[DLS_GROUP_RACKS_MAX + 1];
	const struct dls_repart_desc good = { .size = sizeof(good), .objects = 2, .weight = one, .work = no_work,
					      .schedule = "none", .processors = 4, .limit = 2, .shared = true };
	struct dls_repart_desc d = { .size = sizeof(d) };
	struct dls_repart *r;
	unsigned owner = 77;
	int code = 77;

#define REFUSED(change, code, what) (d = good, change, CHECK_EQ(refused(&d, what), code))
	REFUSED(d.objects = 0, DLS_EINVAL, "0 objects");
	REFUSED(d.weight = NULL, DLS_EINVAL, "weights");
	REFUSED(d.weight = zero, DLS_EINVAL, "object 1 has the weight 0");
	REFUSED(d.weight = minus, DLS_EINVAL, "object 1 has the weight -4");
	REFUSED(d.weight = heavy, DLS_ERANGE, "2^53");
	REFUSED(d.work = NULL, DLS_EINVAL, "work");
	REFUSED(d.limit = 0, DLS_EINVAL, "limit");
	REFUSED((d.rack = (unsigned[]){ 2, 1 }, d.racks = 2), DLS_EINVAL, "the racks have 3 processors, not 4");
	REFUSED((d.rack = (unsigned[]){ 4, 0 }, d.racks = 2), DLS_EINVAL, "rack 1 has 0");
	REFUSED((d.rack = (unsigned[]){ 4 }, d.racks = 0), DLS_EINVAL, "0 racks");
	REFUSED(d.racks = 2, DLS_EINVAL, "2 racks");
	REFUSED((d.shared = false, d.scheduler_rack = 1), DLS_ERANGE, "rack 1 of 1");
	REFUSED((d.shared = false, d.processors = 1), DLS_EINVAL, "shared");
	REFUSED(d.owner = ((unsigned[]){ 3, 4 }), DLS_ERANGE, "processor 4 of 4");
	REFUSED(d.speed = speed[0], DLS_ERANGE, "processor 1 has the speed 0, not one from 1e-09 to 1e+09");
	REFUSED(d.speed = speed[1], DLS_ERANGE, "processor 2 has the speed inf");
	REFUSED(d.speed = speed[2], DLS_ERANGE, "processor 0 has the speed");
	REFUSED(d.speed = speed[3], DLS_ERANGE, "processor 3 has the speed 9e-10");
	REFUSED(d.speed = speed[4], DLS_ERANGE, "processor 3 has the speed 1.1e+09");
	REFUSED(d.speed = speed[5], DLS_ERANGE, "processor 1 has the speed -1");
	REFUSED(d.processors = 70000, DLS_ERANGE, "70000 processors");
	for (unsigned i = 0; i <= DLS_GROUP_RACKS_MAX; i++)
		small[i] = 1;
	REFUSED((d.rack = small, d.racks = DLS_GROUP_RACKS_MAX + 1, d.processors = 0, d.limit = 100), DLS_ERANGE,
		"with the limit 100 a group is of more than 32 racks");
#undef REFUSED
	CHECK_EQ(dls_repart_open(NULL, &good, NULL), DLS_EINVAL);
	CHECK_EQ(dls_repart_open(&r, &good, NULL), 0);
	CHECK_EACH(DLS_ERANGE, dls_repart_owner(r, 2, &owner), dls_repart_code(r, 2, &code));
	CHECK_EACH(DLS_EINVAL, dls_repart_owner(r, 1, NULL), dls_repart_code(r, 1, NULL), dls_repart_group(r, 0, NULL),
		   dls_repart_processor_stats(r, 0, NULL));
	CHECK(owner == 77 && code == 77);
	CHECK_EQ(dls_repart_code(r, 1, &code), 0);
	CHECK_EQ(code, 0);
	dls_repart_close(r);
}

/* The slowest that there may be, and the fastest, in groups of their own: objects of 4 and 3 ns take 4 s and nothing. */
static void extreme_speeds(void)
{
	static const int64_t weight[] = { 4, 3 };
	static const double speed[] = { 1e-9, 1e9 };
	struct dls_repart_desc desc = { .size = sizeof(desc), .objects = 2, .weight = weight, .work = no_work, .processors = 2,
					.limit = 1, .shared = true, .speed = speed };
	struct dls_repart *r;
	struct dls_sweep_result s = { .size = sizeof(s) };

	for (unsigned moves = 0; moves < 2; moves++) {
		desc.schedule = moves ? "repart" : "none";
		CHECK_EQ(dls_repart_open(&r, &desc, NULL), 0);
		for (unsigned i = 0; i < 2; i++) {
			CHECK_EQ(dls_repart_sweep(r, NULL, &s), 0);
			CHECK_EQ(s.failed, 0);
			CHECK(moves || (fabs(s.time - 4) < 1e-6 && fabs(s.work - 4) < 1e-6));
		}
		dls_repart_close(r);
	}
}

/* In one process all processors are of rank 0.  Fails if there are more of them than were asked for, or
 * none if as many were asked for as there are. */
static void ranks(void)
{
	static const int64_t weight[] = { 3, 4 };
	const struct dls_repart_desc desc = { .size = sizeof(desc), .objects = 2, .weight = weight, .work = no_work, .processors = 4,
					      .limit = 2 };
	struct dls_repart_desc of_all = desc;
	struct dls_repart *repart;
	unsigned rank = 7;

	of_all.processors = 0;
	CHECK_EQ(dls_repart_open(&repart, &of_all, NULL), 0);
	CHECK_EQ(dls_repart_rank(repart, 0, &rank), 0);
	dls_repart_close(repart);
	rank = 7;
	CHECK_EQ(dls_repart_open(&repart, &desc, NULL), 0);
	CHECK_EQ(dls_repart_rank(repart, 4, &rank), DLS_ERANGE);
	CHECK_EQ(dls_repart_rank(repart, 0, NULL), DLS_EINVAL);
	CHECK_EQ(dls_repart_rank(repart, 0, &rank), 0);
	CHECK_EQ(rank, 0);
	dls_repart_close(repart);
}

static void bad_texts(void)
{
	static const int64_t weight[] = { 3, 4 };
	static const double speed[] = { 1, 1, 1, 1 };
	const struct dls_repart_desc good = { .size = sizeof(good), .objects = 2, .weight = weight, .work = no_work,
					      .processors = 4, .limit = 2 };
	struct dls_repart_desc d = { .size = sizeof(d) };

#define REFUSED(change, code, what) (d = good, change, CHECK_EQ(refused(&d, what), code))
	REFUSED(d.schedule = "gss", DLS_ENOENT, "no strategy has this name");
	REFUSED(d.schedule = "repart,calc=gas", DLS_ENOENT, "one of: static");
	REFUSED(d.schedule = "repart,scheduler=shared", DLS_EINVAL, "dedicated here, as `shared` is not set");
	REFUSED((d.schedule = "repart,scheduler=dedicated", d.shared = true), DLS_EINVAL,
		"shared here, as `shared` is set");
	REFUSED(d.schedule = "none,5", DLS_EINVAL, "CHUNK");
	REFUSED(d.inner = "gas", DLS_ENOENT, "no schedule has this name");
	REFUSED(d.inner = "rid", DLS_EINVAL, "threads");
	REFUSED(d.engine = "gas", DLS_ENOENT, "engine");
	REFUSED(d.net = "gas", DLS_ENOENT, "net");
	REFUSED(d.costs = "gas", DLS_ENOENT, "no costs have this name");
	REFUSED(d.faults = "gas=1", DLS_ENOENT, "one of: delay=");
	REFUSED(d.schedule = "repart,net=mesh:8x4", DLS_EINVAL, "32 processors");
	REFUSED((d.engine = "threads", d.speed = speed), DLS_EINVAL, "speeds");
	REFUSED((d.engine = "threads", d.faults = "slow=2"), DLS_EINVAL, "faults");
#undef REFUSED
}

TEST_MAIN(T(busy) T(bad_numbers) T(extreme_speeds) T(ranks) T(bad_texts))
