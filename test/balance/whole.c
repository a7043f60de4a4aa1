/* whole.c - strategies on whole machines in virtual time: few messages do, and how much is gained.  That each task
 * runs once, after few events, machine/once.c tries for all parameters.
 *
 * Fails if: idle processors ask or poll without a wait; a strategy gains less than its paper says, or more than it can
 * while loads are told late.
 *
 * runs: machines, alone */
#include "whole.h"

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

enum { SPIKES = sizeof(spike) / sizeof(*spike), FIGURES = sizeof(bounds) / sizeof(*bounds) };

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
	static struct tap_test list[SPIKES + FIGURES];
	struct tap_test *test = list;

	for (size_t i = 0; i < SPIKES; i++)
		*test++ = (struct tap_test){ .name = spike[i].strategy, .run = next_spike };
	for (size_t i = 0; i < FIGURES; i++)
		*test++ = (struct tap_test){ .name = bounds[i].strategy, .run = next_figures };
	return tap_run(list, sizeof(list) / sizeof(*list));
}
