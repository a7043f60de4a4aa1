/* diffusion.c - none, rand, sid and rid on whole machines, in virtual time. */
#include "whole.h"

enum { TASKS = 500 };

static uint8_t runs[TASKS];
static unsigned ran_on[TASKS];

/* arg[0]: its number; arg[1]: tasks that it spawns, numbered from there on. */
static int run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	runs[task->arg[0]]++;
	ran_on[task->arg[0]] = dls_vp_id(vp);
	for (uint64_t i = 1; i <= task->arg[1]; i++) {
		struct dls_task child = { .type = task->type, .arg = { task->arg[0] + i }, .cost = task->cost };

		CHECK_EQ(dls_vp_spawn(vp, &child), 0);
	}
	return 0;
}

static const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = run };

/* What processors 0, 1 and 2 of a ring tell each other. */
static const char *trace(const char *strategy)
{
	static const unsigned tasks[] = { 6, 0, 2 };

	whole_run(&(struct whole){ .strategy = strategy, .net = "ring", .processors = 3, .cost = 10000000 }, tasks);
	return whole.said;
}

/* Three processors with 6, 0 and 2 tasks of 10 ms.
 *
 * rid: 1 hears of 6 and asks for 2, the mean it believes in, before 2 has spoken; answered (2, 4).  Later 2, down
 * to 1, believes in 4 and 2: mean 7/3, lacks 4/3, asks 0 for 1.  Nothing more is worth a request.
 * sid: 0 hears of 0 and gives 2 to each, 2 not having spoken.  Then 2 has 4 and hears of 1 and 2: mean 7/3, a
 * surplus of 5/3 of which 4/3 is 1's. */
static void traces(void)
{
	CHECK_TEXT(trace("rid"),
		   "1<0 update 6 0, 0<1 update 0 0, 0<2 update 2 0, 1<2 update 2 0, 2<0 update 6 0, 2<1 update 0 0, "
		   "0<1 request 2 0, 1<0 tasks 0 0, 1<0 tasks 0 0, 1<0 answer 2 4, 1<0 update 4 0, 2<1 update 1 0, "
		   "0<1 update 1 0, 2<0 update 4 0, 0<1 update 2 0, 2<1 update 2 0, 0<2 update 1 0, 1<2 update 1 0, "
		   "0<2 request 1 0, 2<0 tasks 0 0, 1<0 update 3 0, 0<2 update 2 0, 1<2 update 2 0, 2<0 answer 1 3, "
		   "2<0 update 3 0, 1<0 update 2 0, 0<1 update 1 0, 2<0 update 2 0, 2<1 update 1 0, 0<2 update 1 0, "
		   "1<2 update 1 0, 1<0 update 1 0, 0<1 update 0 0, 2<0 update 1 0, 2<1 update 0 0, 0<2 update 0 0, "
		   "1<2 update 0 0, 1<0 update 0 0, 2<0 update 0 0");
	CHECK_TEXT(trace("sid"),
		   "1<0 update 6 0, 0<1 update 0 0, 0<2 update 2 0, 1<2 update 2 0, 2<0 update 6 0, 2<1 update 0 0, "
		   "1<0 tasks 0 0, 1<0 tasks 0 0, 2<0 tasks 0 0, 2<0 tasks 0 0, 0<1 update 1 0, 0<2 update 3 0, "
		   "0<1 update 2 0, 1<0 update 2 0, 1<2 update 3 0, 2<1 update 1 0, 2<0 update 2 0, 2<1 update 2 0, "
		   "1<2 update 4 0, 0<2 update 4 0, 1<2 tasks 0 0, 0<2 update 3 0, 0<1 update 3 0, 1<2 update 3 0, "
		   "2<1 update 3 0, 0<2 update 2 0, 1<0 update 1 0, 1<2 update 2 0, 2<0 update 1 0, 0<1 update 2 0, "
		   "2<1 update 2 0, 0<2 update 1 0, 1<0 update 0 0, 1<2 update 1 0, 0<1 update 1 0, 2<0 update 0 0, "
		   "2<1 update 1 0, 0<2 update 0 0, 1<2 update 0 0, 0<1 update 0 0, 2<1 update 0 0");
}

/* Of eight tasks on one of two processors the last are sent away, or under give=first those next to be run; under order=lifo the
 * last are those.  Fails if the end is not taken, or not of both orders. */
static void gives(void)
{
	static const struct { const char *strategy; unsigned first, last; } row[] = {
		{ "sid,block=all", 0, 1 }, { "sid,give=first", 1, 0 }, { "sid,order=lifo", 1, 0 },
		{ "sid,give=first,order=lifo", 0, 1 }, { "sid,give=first,load=cost", 1, 0 },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct dls_machine *m = MACHINE(.strategy = row[i].strategy, .processors = 2, .costs = "ipsc2", .seed = 1);

		for (unsigned n = 0; n < 8; n++) {
			struct dls_task task = { .type = &type, .arg = { n }, .cost = 10000000 };

			CHECK_EQ(dls_machine_add(m, 0, &task), 0);
		}
		machine_run(m);
		dls_machine_close(m);
		CHECK_EQ(ran_on[1], row[i].first);	/* of lifo's 0 .. 7, 7 begins at once */
		CHECK_EQ(ran_on[6], row[i].last);
	}
}

/* Tasks of random costs, some 0, here and there; some spawn others.  Each is run once; and messages are bounded,
 * which fails if two processors ask and refuse, or send to and fro, for ever. */
static void once(void)
{
	static const char *const strategies[] = {
		"none", "rand", "rand,draw=cyclic,block=all", "sid", "sid,low=alpha,round=nearest", "sid,threshold=0,min=0",
		"sid,update=period,block=3", "sid,load=cost", "sid,round=nearest,threshold=0", "rid", "rid,low=inf,round=floor",
		"rid,threshold=0,min=0,low=inf,cap=on", "rid,u=1,order=lifo", "rid,update=step,block=all", "rid,load=cost,low=inf,threshold=0,cap=on",
		"rid,update=period,t=1e-4", "sid,counts=pending,small=raise,update=drop,credit=off,cap=off",
		"rid,cap=on", "rid,small=raise,low=inf,cap=on", "rid,counts=pending,update=drop,trigger=load", "sid,give=first",
	};
	static const char *const nets[] = { "hypercube", "ring", "tree", "mesh", "complete" };
	static const unsigned sizes[] = { 1, 2, 3, 5, 8, 16, 33 };
	static const char *const costs[] = { "ipsc2", "cluster", "ideal" };
	uint64_t seed = tap_seed();

	for (size_t i = 0; i < 400; i++) {
		unsigned P = sizes[tap_random(&seed) % (sizeof(sizes) / sizeof(*sizes))], n = 0;
		const char *strategy = strategies[i % (sizeof(strategies) / sizeof(*strategies))];
		struct dls_machine *m = MACHINE(.strategy = strategy, .net = nets[tap_random(&seed) % 5], .processors = P,
						.costs = costs[tap_random(&seed) % 3], .seed = seed);
		uint64_t scale = 1 + tap_random(&seed) % 10000000, most = tap_random(&seed) % 400;
		struct dls_run_result r;

		memset(runs, 0, sizeof(runs));
		while (n < most) {
			uint64_t spawns = tap_random(&seed) % 10 == 0 ? tap_random(&seed) % 20 : 0;
			struct dls_task task = { .type = &type, .arg = { n, spawns }, .cost = tap_random(&seed) % scale };
			unsigned where = tap_random(&seed) % 2 ? 0 : (unsigned)(tap_random(&seed) % P);

			CHECK_EQ(dls_machine_add(m, where, &task), 0);
			n += (unsigned)spawns + 1;
		}
		r = machine_run(m);
		dls_machine_close(m);
		CHECK_EQ(r.tasks, n);
		for (unsigned k = 0; k < n; k++)
			CHECK_EQ(runs[k], 1);
		if (!CHECK(r.messages <= 200 * (n + 10) * (uint64_t)P))
			tap_note("%s P=%u n=%u: %llu messages", strategy, P, n, (unsigned long long)r.messages);
	}
}

/* One task of 10 s and 20 short ones on one processor of eight: what is said is the same if the long one takes
 * 10^4 s.  Fails if a processor asks again without anything having changed. */
static void quiet(void)
{
	static const char *const strategies[] = { "sid", "rid", "rid,low=inf", "rid,load=cost,low=inf", "sid,load=cost",
						  "rid,update=period" };

	for (size_t i = 0; i < sizeof(strategies) / sizeof(*strategies); i++) {
		uint64_t messages[2];

		for (int k = 0; k < 2; k++) {
			struct dls_machine *m = MACHINE(.strategy = strategies[i], .processors = 8, .costs = "ipsc2", .seed = 1);
			struct dls_task task = { .type = &type, .cost = k ? 10000000000000 : 10000000000 };

			for (int n = 0; n < 20; n++) {
				CHECK_EQ(dls_machine_add(m, 0, &task), 0);
				task.cost = 10000000;
			}
			messages[k] = machine_run(m).messages;
			dls_machine_close(m);
		}
		CHECK_EQ(messages[1], messages[0]);
		CHECK(messages[0] < 1500);
	}
}

TEST_MAIN(T(traces) T(gives) T(once) T(quiet))
