/* whole.c - strategies on whole machines in virtual time: each task runs once, few messages do, and how much is gained.
 *
 * Fails if: a task is lost or run twice under any fault; processors ask and refuse, poll, or send to and fro, for ever, or stop; a
 * strategy gains less than its paper says, or more than it can while loads are told late.
 *
 * runs: machines, alone */
#include "whole.h"

static const struct once {
	const char *strategy;
	uint64_t most;		/* messages for each processor */
} once[] = {
	{ "acwn", 20000 }, { "acwn,update=period,block=all", 20000 }, { "acwn,saturation=inf,u=0.9", 20000 },
	{ "acwn,saturation=20000,load=cost", 20000 },
	{ "dem", 3000 }, { "dem,block=all,low=3,min=2,wait=0.001", 6000 }, { "dem,load=cost", 3000 },
	{ "gm", 20000 }, { "gm,update=period", 20000 }, { "gm,arrived=stays", 20000 },
	{ "gm,block=all,delta=20%,hops=100", 20000 }, { "gm,load=cost,delta=3000", 20000 },
	{ "hbm", 3000 }, { "hbm,notify=tree,block=all,threshold=2:3", 3000 },
	{ "hbm,load=cost,update=period,t=0.01,threshold=3000", 3000 },
	{ "manager", 20000 }, { "manager,t=1e-9,least=0.001,block=1", 200000 }, { "manager,least=5,load=cost", 20000 },
	{ "polling", 20000 }, { "polling,target=arr,block=1", 20000 }, { "polling,target=grr,load=cost", 20000 },
	{ "polling,target=nn,split=1", 20000 },
};

/* Of these each run is long, as every load is told to all neighbours: fewer runs. */
static const char *const told[] = {
	"none", "rand", "rand,draw=cyclic,block=all", "sid", "sid,low=alpha,round=nearest", "sid,threshold=0,min=0",
	"sid,update=period,block=3", "sid,load=cost", "sid,round=nearest,threshold=0", "rid", "rid,low=inf,round=floor",
	"rid,threshold=0,min=0,low=inf,cap=on", "rid,u=1,order=lifo", "rid,update=step,block=all",
	"rid,load=cost,low=inf,threshold=0,cap=on", "rid,update=period,t=1e-4",
	"sid,counts=pending,small=raise,update=drop,credit=off,cap=off", "rid,cap=on", "rid,small=raise,low=inf,cap=on",
	"rid,counts=pending,update=drop,trigger=load", "sid,give=first",
};

/* All of 640 tasks on one of 32. */
static const struct spike {
	const char *strategy;
	uint64_t most;		/* messages for each task */
} spike[] = {
	{ "acwn", UINT64_MAX / 640 },
	{ "manager", 100 },	/* periods do not go on while nothing changes */
	/* Who is idle waits before it polls again. */
	{ "polling,target=arr", 20 }, { "polling,target=grr", 20 }, { "polling,target=rp", 20 }, { "polling,target=nn", 20 },
};

/* The paper's figures, within bounds; without polling nearly all of what can be gained. */
static const struct bounds {
	const char *strategy, *costs;
	double ratio, pi[2], transfers[2], overhead;	/* most, or least and most */
} bounds[] = {
	{ "sid", "ipsc2", 9, { .45, .68 }, { 0, 1e9 }, 1 },
	{ "sid", "ipsc2,poll=0", 9, { .92, 1 }, { 0, 1e9 }, 1 },
	{ "rid", "ipsc2", 1.39, { 0, 1 }, { 0, 1e9 }, 1 },
	{ "rid,low=inf", "ipsc2", 1.39, { 0, 1 }, { 0, 1e9 }, 1 },
	{ "rid", "ipsc2,poll=0", 9, { .93, 1 }, { 0, 1e9 }, 1 },
	{ "gm", "ipsc2", 9, { .2, .55 }, { 0, 1e9 }, .04 },
	{ "hbm", "ipsc2", 9, { .52, .69 }, { 0, 1e9 }, .02 },
	{ "hbm", "ipsc2,poll=0", 9, { .9, 1 }, { 0, 1e9 }, 1 },
	{ "dem", "ipsc2", 1.36, { .6, .7 }, { 1000, 1600 }, .02 },
	{ "dem", "ipsc2,poll=0", 9, { .95, 1 }, { 0, 1e9 }, 1 },
};

enum {
	ONCE = sizeof(once) / sizeof(*once), TOLD = sizeof(told) / sizeof(*told), SPIKES = sizeof(spike) / sizeof(*spike),
	FIGURES = sizeof(bounds) / sizeof(*bounds),
};

/* Up to 20 tasks for each processor, or 20 for each on one of them, under all kinds of faults. */
static void tasks_once(const char *strategy, uint64_t most_messages, unsigned runs)
{
	static const char *const faults[] = { "", "delay=1e-3", "delay=0.5", "stall=0.02", "delay=0.01,stall=0.2,slow=3" };
	static const char *const nets[] = { "hypercube", "mesh", "ring", "tree", "complete" };
	static const unsigned sizes[] = { 1, 2, 3, 5, 6, 100 };
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < runs; i++) {
		unsigned P = sizes[i % 6], tasks[WHOLE_PROCESSORS] = { 0 };
		struct whole w = { .strategy = strategy, .net = nets[tap_random(&seed) % 5], .processors = P,
				   .costs = tap_random(&seed) % 2 ? "ipsc2" : "ideal",
				   .faults = faults[tap_random(&seed) % 5], .seed = seed,
				   .cost = tap_random(&seed) % 4 * 3000000 };
		struct dls_run_result r;

		if (tap_random(&seed) % 3 == 0)
			tasks[tap_random(&seed) % P] = 20 * P;
		else
			for (unsigned p = 0; p < P; p++)
				tasks[p] = (unsigned)(tap_random(&seed) % 20);
		r = whole_run(&w, tasks);
		if (!CHECK(r.messages <= most_messages * P))
			tap_note("%s P=%u %s %s %s cost %llu: %llu messages, %.3f s, %llu transfers", strategy, P, w.net, w.costs,
				 w.faults, (unsigned long long)w.cost, (unsigned long long)r.messages, r.time,
				 (unsigned long long)r.transfers);
	}
}

static void next_once(void)
{
	static const struct once *row = once;

	tasks_once(row->strategy, row->most, tap_thorough() ? 90 : 30);
	row++;
}

static void next_told(void)
{
	static const char *const *row = told;

	tasks_once(*row++, 20000, tap_thorough() ? 18 : 12);
}

static void next_spike(void)
{
	static const unsigned tasks[WHOLE_PROCESSORS] = { 640 };
	static const struct spike *row = spike;
	struct whole w = { .strategy = row->strategy, .net = "hypercube", .costs = "cluster", .processors = 32, .cost = 300000000 };
	struct dls_run_result r = whole_run(&w, tasks);

	CHECK(r.time < 1.25 * r.work / 32);
	CHECK(r.messages < row->most * 640);
	row++;
}

/* The paper's Table IV in small: N = 32, g = 100, loads 1..49, sizes 1..10 l_i in 2000 loops of 1.3 us; means over seeds
 * 1..20. */
struct figures {
	double ratio, pi, transfers, overhead;	/* of T_bal to T_opt; eq. 36; per run; without polling, of T_bal */
};

static struct figures table4(const char *strategy, const char *costs)
{
	enum { N = 32, g = 100, SEEDS = 20 };
	struct figures f = { 0 };

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct dls_machine *m = MACHINE(.strategy = strategy, .processors = N, .costs = costs, .seed = seed);
		struct dls_run_result r;
		double opt = 0, nobal = 0;
		uint64_t draw = seed;

		for (unsigned p = 0; p < N; p++) {
			uint64_t l = 1 + tap_random(&draw) % 49;
			double own = 0;

			for (unsigned i = 0; i < g; i++) {
				uint64_t cost = (1 + tap_random(&draw) % (10 * l)) * 2600000;

				own += 1e-9 * (double)cost;
				machine_add(m, p, cost);
			}
			opt += own / N;
			nobal = own > nobal ? own : nobal;
		}
		r = machine_run(m);
		f.ratio += r.time / opt / SEEDS;
		f.pi += (nobal - r.time) / (nobal - opt) / SEEDS;
		f.transfers += (double)r.transfers / SEEDS;
		f.overhead += r.overhead / N / r.time / SEEDS;
		dls_machine_close(m);
	}
	tap_note("%s, %s: T_bal/T_opt %.3f, Pi %.3f, %.0f transfers, overhead %.4f", strategy, costs, f.ratio, f.pi,
		 f.transfers, f.overhead);
	return f;
}

static void next_figures(void)
{
	static const struct bounds *row = bounds;
	struct figures f = table4(row->strategy, row->costs);

	CHECK(f.ratio <= row->ratio && f.pi >= row->pi[0] && f.pi <= row->pi[1]);
	CHECK(f.transfers >= row->transfers[0] && f.transfers <= row->transfers[1]);
	CHECK(f.overhead <= row->overhead);
	row++;
}

int main(void)
{
	static struct tap_test list[ONCE + TOLD + SPIKES + FIGURES];
	struct tap_test *test = list;

	for (size_t i = 0; i < ONCE; i++)
		*test++ = (struct tap_test){ .name = once[i].strategy, .run = next_once };
	for (size_t i = 0; i < TOLD; i++)
		*test++ = (struct tap_test){ .name = told[i], .run = next_told };
	for (size_t i = 0; i < SPIKES; i++)
		*test++ = (struct tap_test){ .name = spike[i].strategy, .run = next_spike };
	for (size_t i = 0; i < FIGURES; i++)
		*test++ = (struct tap_test){ .name = bounds[i].strategy, .run = next_figures };
	return tap_run(list, sizeof(list) / sizeof(*list));
}
