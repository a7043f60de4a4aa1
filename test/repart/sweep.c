/* sweep.c - sweeps, on threads and in virtual time: each object once, the partition kept, codes, figures.
 *
 * Fails if: an object is lost or worked on twice, an owner is not the member with the least of the group that worked
 * on its object, or is not read back, a move is called twice, late or for nothing, a code ends the sweep or stays for
 * the next one, the same description gives other bits, T_1 or the efficiency are not what they are said to be, sweeps
 * do not learn from the last, ThreadSanitizer finds that foremen write the same place.
 *
 * runs: machines, pthreads */
#include <math.h>

#include "sweeps.h"

static const char *const schedules[] = {
	"none", "repart,calc=awf-c", "repart,calc=gss", "repart,calc=ss", "rid,net=complete", "repart,calc=fac2",
	"repart,return=yes", "repart,mode=reactive", "repart,queue=central", "repart,queue=replicated,calc=mfsc",
	"gm,net=complete", "repart,calc=static,ahead=0", "repart,room=1.2,least=3",
};
static const char *const inners[] = { NULL, "static", "ss", "fac2", "awf-c", "gss,2", "steal" };
static const char *const faults[] = { NULL, "delay=1e-3", "stall=1e-3", "slow=4", "delay=1e-4,stall=1e-4,slow=2" };
enum {
	SCHEDULES = sizeof(schedules) / sizeof(*schedules), INNERS = sizeof(inners) / sizeof(*inners),
	FAULTS = sizeof(faults) / sizeof(*faults),
	VIRTUAL = 300,
};

static bool returns(const char *schedule)
{
	return strstr(schedule, "return=yes");
}

static struct dls_repart_desc draw(uint64_t *seed, unsigned most)
{
	struct dls_repart_desc desc = {
		.schedule = schedules[tap_random(seed) % SCHEDULES],
		.inner = inners[tap_random(seed) % INNERS], .shared = tap_random(seed) % 2,
		.processors = 1 + (unsigned)tap_random(seed) % most, .limit = 1 + (unsigned)tap_random(seed) % most,
		.seed = tap_random(seed),
	};

	desc.processors += !desc.shared;
	sweeps_draw(1 + tap_random(seed) % (tap_random(seed) % 4 ? 60 : SWEEPS_OBJECTS), seed);
	sweeps.processors = desc.processors - !desc.shared;
	if (tap_random(seed) % 4 == 0)
		sweeps.weight[0] = 1000000;		/* heavier than all others together */
	sweeps.fails = tap_random(seed) % 3 ? 0 : 3;
	sweeps.fails_to_move = tap_random(seed) % 3 ? 0 : 2;
	return desc;
}

static void once_on_threads(void)
{
	uint64_t seed = tap_seed();
	double seconds = tap_stress(1);
	time_t start = time(NULL);

	for (unsigned k = 0; k < 25 || difftime(time(NULL), start) < seconds; k++) {
		struct dls_repart_desc desc = draw(&seed, 8);

		desc.engine = "threads";
		sweeps.spins = k % 3 ? 100 : 0;
		if (tap_failures || !sweeps_open(&desc))
			return;
		for (unsigned i = 0; i < 3; i++)
			sweeps_run(returns(desc.schedule));
		dls_repart_close(sweeps.repart);
	}
}

/* Each twice: the same to the last bit. */
static void once_in_virtual_time(void)
{
	uint64_t seed = tap_seed(), moved = 0;
	double speed[SWEEPS_PROCESSORS];

	/* Some repartitionings drawn move nothing; a hundred times as many move something. */
	for (unsigned k = 0; (k < VIRTUAL || (moved <= 50 && k < 100 * VIRTUAL)) && tap_failures == 0; k++) {
		uint64_t before = seed;
		struct dls_sweep_result sweep[2][3];
		struct dls_run_result run[2][3];

		for (unsigned again = 0; again < 2; again++) {
			struct dls_repart_desc desc;

			seed = before;
			desc = draw(&seed, SWEEPS_PROCESSORS);
			desc.costs = k % 2 ? "cluster" : NULL;
			desc.faults = faults[k % FAULTS];
			for (unsigned p = 0; p < sweeps.processors; p++)
				speed[p] = 0.5 + (double)(tap_random(&seed) % 4);
			desc.speed = k % 3 ? NULL : speed;
			sweeps.slow = k % 5 ? 1 : 3;
			if (!sweeps_open(&desc))
				return;
			for (unsigned i = 0; i < 3; i++) {
				sweep[again][i] = sweeps_run(returns(desc.schedule));
				run[again][i] = sweeps.run;
			}
			dls_repart_close(sweeps.repart);
		}
		for (unsigned i = 0; i < 3; i++) {
			moved += sweep[0][i].moved;
			CHECK(sweep[0][i].time == sweep[1][i].time && sweep[0][i].work == sweep[1][i].work);
			CHECK(sweep[0][i].efficiency == sweep[1][i].efficiency);
			CHECK_EQ(sweep[0][i].moved, sweep[1][i].moved);
			CHECK_EQ(run[0][i].events, run[1][i].events);
			CHECK_EQ(run[0][i].bytes, run[1][i].bytes);
		}
	}
	CHECK(moved > 50);
}

/* Owners stay as they were given, or are those of dls_group_deal(), until somebody moves them. */
static void first_owners(void)
{
	static const unsigned size[] = { 3, 2 };
	uint64_t seed = 7;
	struct dls_repart_desc desc = { .size = sizeof(desc), .schedule = "none", .processors = 5, .limit = 4, .shared = true };
	unsigned owner[50];

	for (unsigned given = 0; given < 2; given++) {
		sweeps_draw(50, &seed);
		sweeps.processors = 5;
		if (given)
			for (size_t i = 0; i < 50; i++)
				owner[i] = i % 3 ? 4 : 1;
		else
			CHECK_EQ(dls_group_deal(sweeps.weight, 50, size, 2, owner), 0);
		desc.owner = given ? owner : NULL;
		if (!sweeps_open(&desc))
			return;
		CHECK_EQ(dls_repart_groups(sweeps.repart), 2);
		for (unsigned k = 0; k < 2; k++) {
			for (size_t i = 0; i < 50; i++)
				CHECK_EQ(sweeps_owner(i), owner[i]);
			CHECK_EQ(sweeps_run(false).moved, 0);
		}
		dls_repart_close(sweeps.repart);
	}
}

static struct dls_repart *opened(struct dls_repart_desc desc)
{
	struct dls_repart *r = NULL;

	desc.size = sizeof(desc);
	CHECK_EQ(dls_repart_open(&r, &desc, NULL), 0);
	return r;
}
#define OPENED(...) opened((struct dls_repart_desc){ __VA_ARGS__ })

/* Objects that weigh as much each. */
static const int64_t *alike(int64_t each)
{
	static int64_t weight[40];

	for (size_t i = 0; i < 40; i++)
		weight[i] = each;
	return weight;
}

static struct dls_sweep_result swept(struct dls_repart *r, void *arg)
{
	struct dls_sweep_result s = { .size = sizeof(s) };

	CHECK_EQ(dls_repart_sweep(r, arg, &s), 0);
	return s;
}

/* Of the machine, in the last sweep. */
static struct dls_run_result ran(const struct dls_repart *r)
{
	struct dls_run_result run = { .size = sizeof(run) };

	CHECK_EQ(dls_repart_machine_result(r, &run), 0);
	return run;
}

static int code_of(const struct dls_repart *r, size_t object)
{
	int code = 77;

	CHECK_EQ(dls_repart_code(r, object, &code), 0);
	return code;
}

/* Takes 1 s a unit of weight on group 0, the second time twice that on the others. */
struct timed {
	const int64_t *weight;
	double factor;
};

static int timed_work(struct dls_part *part, size_t object, void *arg)
{
	const struct timed *t = arg;

	return dls_part_spend(part, (double)t->weight[object] * (dls_part_group(part) ? t->factor : 1));
}

/* Two groups of two and one processor: 4 + 2 and 3 s of each member; what is not in a loop all members do. */
static void figures(void)
{
	static const int64_t weight[] = { 4, 3, 2 };
	struct timed t = { weight, 1 };
	struct dls_repart *r = OPENED(.objects = 3, .weight = weight, .owner = (unsigned[]){ 0, 2, 1 }, .work = timed_work,
				      .schedule = "none", .rack = (unsigned[]){ 2, 2 }, .racks = 2, .scheduler_rack = 1, .limit = 2);
	struct dls_repart_stats stats = { .size = sizeof(stats) };
	struct dls_group group;
	struct dls_sweep_result s;

	CHECK_EQ(dls_repart_processor_stats(r, 2, &stats), 0);
	CHECK(stats.group == 1 && stats.objects == 1 && stats.weight == 3 && stats.work == 0);
	s = swept(r, &t);
	CHECK(fabs(s.time - 6) < 1e-9 && fabs(s.work - 15) < 1e-9);
	CHECK(fabs(s.efficiency - 15.0 / 18) < 1e-9 && fabs(s.efficiency_all - 15.0 / 24) < 1e-9);
	CHECK_EQ(dls_repart_processor_stats(r, 1, &stats), 0);
	CHECK(stats.group == 0 && fabs(stats.work - 6) < 1e-9);
	CHECK_EQ(dls_repart_group(r, 1, &group), 0);
	CHECK(group.size == 1 && group.scheduler && group.rack[0] == 1);
	CHECK_EQ(dls_repart_group(r, 2, &group), DLS_ERANGE);
	CHECK_EQ(dls_repart_sweep(r, &t, NULL), 0);
	dls_repart_close(r);
}

/* A group that takes ten times as long as the other, which nobody has said, is given less by calculators that learn from
 * sweep to sweep, and not by others; a move's time is no work. */
static int costly_move(struct dls_part *part, size_t object, unsigned from, unsigned to, void *context)
{
	return dls_part_spend(part, *(const double *)context);
}

static void learns(void)
{
	static const char *const schedule[] = { "repart,calc=wf", "repart,calc=awf", "repart,calc=ss" };
	int64_t weight[100];
	struct timed t = { weight, 10 };

	for (size_t i = 0; i < 100; i++)
		weight[i] = 10 + (int64_t)(i * 37 % 100);
	for (unsigned k = 0; k < 3; k++) {
		double move = k == 2 ? 5 : 0;
		struct dls_repart *r = OPENED(.objects = 100, .weight = weight, .work = timed_work, .processors = 2, .limit = 1,
					      .shared = true, .schedule = schedule[k], .move = costly_move, .context = &move);
		struct dls_sweep_result s[4];

		s[0] = swept(r, &t);
		CHECK(s[0].moved > 20 && (move > 0 || s[0].efficiency < 0.7));
		CHECK(fabs(s[0].work + move * (double)s[0].moved - ran(r).busy) < 1e-6);
		for (unsigned i = 1; i < 4; i++)
			s[i] = swept(r, &t);
		if (k < 2) {
			CHECK(k == 1 ? s[1].efficiency > 0.9 : s[1].efficiency < 0.7);
			CHECK(s[3].moved == 0 && s[3].efficiency >= s[1].efficiency);
		}
		dls_repart_close(r);
	}
}

/* Ten of the 20 objects of group 0 take ten times as long as all others, which their weights do not tell: 110 s and 20 s.
 * By what they took, each group is to have 65 s, which is what the next sweeps take. */
static int uneven_work(struct dls_part *part, size_t object, void *arg)
{
	return dls_part_spend(part, object < 10 ? 10 : 1);
}

static void measured(void)
{
	static const double time[] = { 110, 65, 65 };
	unsigned owner[40];
	struct dls_repart *r;

	for (unsigned i = 0; i < 40; i++)
		owner[i] = i / 20;
	r = OPENED(.objects = 40, .weight = alike(10), .owner = owner, .work = uneven_work, .processors = 2, .limit = 1,
		   .shared = true, .schedule = "repart,mode=reactive");
	for (unsigned i = 0; i < 3; i++) {
		struct dls_sweep_result s = swept(r, NULL);

		CHECK(i == 1 ? s.moved > 10 : s.moved == 0);
		CHECK(fabs(s.time - time[i]) < 1e-3);
	}
	dls_repart_close(r);
}

/* Five objects of 2e9 s are more than virtual time holds: the sweep fails, those that were not begun say so, and the
 * next is as if nothing had been. */
static void beyond_time(void)
{
	static const int64_t weight[] = { 9, 8, 7, 6, 5, 4, 3 };
	struct timed t = { alike(1800000000), 1 };
	struct dls_repart *r = OPENED(.objects = 7, .weight = weight, .work = timed_work, .schedule = "repart", .processors = 1,
				      .limit = 1, .shared = true);
	struct dls_sweep_result s = { .size = sizeof(s) };

	for (unsigned i = 0; i < 2; i++, t.weight = weight) {
		size_t stalled = 0;

		CHECK_EQ(dls_repart_sweep(r, &t, &s), i ? 0 : DLS_ERANGE);
		for (size_t k = 0; k < 7; k++)
			stalled += code_of(r, k) == DLS_EDEADLK;
		CHECK_EQ(s.failed, stalled);
		CHECK(i ? stalled == 0 && fabs(s.time - 42) < 1e-3 : stalled > 0 && stalled < 7);
	}
	dls_repart_close(r);
}

/* Slow processors are slow in what they are said to have worked, too. */
static void slowed(void)
{
	struct timed t = { alike(5), 1 };
	struct dls_repart *r = OPENED(.objects = 40, .weight = t.weight, .work = timed_work, .schedule = "none", .processors = 4,
				      .limit = 1, .shared = true, .faults = "slow=3", .seed = 1);
	struct dls_sweep_result s = swept(r, &t);

	CHECK(ran(r).work < ran(r).busy * 0.9 && fabs(s.work - ran(r).busy) < 1e-6 * s.work);
	dls_repart_close(r);
}

/* Nothing, or 0 s, is said of how long it takes. */
static int silent_work(struct dls_part *part, size_t object, void *arg)
{
	return object % 3 ? (int)(object % 3) - 1 : dls_part_spend(part, 0);
}

/* Objects take their weight, 2^40 and 2^39 ns, of both members, of which one is half as fast; the one with a code takes
 * nothing. */
static void silent(void)
{
	static const int64_t weight[] = { (int64_t)1 << 40, (int64_t)1 << 39, 3 };
	double one = 1e-9 * ldexp(1, 39);
	struct dls_repart *r = OPENED(.objects = 3, .weight = weight, .work = silent_work, .schedule = "none", .processors = 2,
				      .limit = 2, .shared = true, .speed = (double[]){ 1, 0.5 });

	for (unsigned i = 0; i < 2; i++) {
		struct dls_sweep_result s = swept(r, NULL);

		CHECK(s.failed == 1 && fabs(s.time - 6 * one) < 1e-6 && fabs(s.work - 9 * one) < 1e-6);
	}
	dls_repart_close(r);
}

/* What a move takes is not said of the object. */
static void silent_after_move(void)
{
	unsigned owner[40] = { 0 };
	double move = 0.5;
	struct dls_repart *r = OPENED(.objects = 40, .weight = alike(1000000000), .owner = owner, .work = silent_work,
				      .schedule = "repart,calc=ss", .processors = 2, .limit = 1, .shared = true,
				      .move = costly_move, .context = &move);
	struct dls_sweep_result s = swept(r, NULL);

	CHECK(s.moved > 5);
	CHECK(fabs(s.work - 27) < 1e-6);
	CHECK(fabs(ran(r).busy - s.work - 0.5 * (double)s.moved) < 1e-6);
	dls_repart_close(r);
}

/* 2^40 ns at the speed 1e-9 are more than an object may take: that is its code. */
static void silent_too_long(void)
{
	struct dls_repart *r = OPENED(.objects = 1, .weight = alike((int64_t)1 << 40), .work = silent_work, .schedule = "none",
				      .processors = 1, .limit = 1, .shared = true, .speed = (double[]){ 1e-9 });

	CHECK_EQ(swept(r, NULL).failed, 1);
	CHECK_EQ(code_of(r, 0), DLS_ERANGE);
	dls_repart_close(r);
}

TEST_MAIN(T(once_on_threads) T_ALONE(once_in_virtual_time) T(first_owners) T(figures) T(learns) T(measured)
	  T(beyond_time) T(slowed) T(silent) T(silent_after_move) T(silent_too_long))
