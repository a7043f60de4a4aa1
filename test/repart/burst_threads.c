/* burst_threads.c - light curves as objects of a repartitioning: results do not depend on who works on what.
 *
 * Fails if: replications share a random stream or a sum, or are lost or run twice; a group's members write to one
 * place.
 *
 * runs: machines, pthreads */
#include "bench/apps/burst.h"
#include "dls/calc.h"

#include "tap.h"

enum { DATASETS = 16, SWEEPS = 2, LOW = 46, HIGH = 110 };

static const unsigned replications[SWEEPS] = { 21, 40 };
static struct burst_set set;
static struct burst_result serial[SWEEPS][DATASETS];

static void analyse_serially(void)
{
	CHECK_EQ(burst_open(&set, DATASETS, LOW, HIGH, tap_seed()), 0);
	for (size_t s = 0; s < SWEEPS; s++)
		for (size_t i = 0; i < DATASETS; i++)
			CHECK_EQ(burst_analyse(&set.burst[i], replications[s], NULL, &serial[s][i]), 0);
}

/* All figures, to the last bit. */
static bool same(const struct burst_result *a, const struct burst_result *b)
{
	return a->p == b->p && a->T == b->T && a->a == b->a && a->exceeded == b->exceeded && a->work == b->work;
}

static void check_run(struct dls_repart_desc desc)
{
	static struct burst_result result[SWEEPS][DATASETS];
	struct dls_sweep_result sweep[SWEEPS];
	unsigned before = tap_failures;

	desc.size = sizeof(desc);
	CHECK_EQ(burst_run(&set, &desc, replications, SWEEPS, sweep, result[0]), 0);
	for (size_t s = 0; s < SWEEPS; s++) {
		CHECK_EQ(sweep[s].failed, 0);
		for (size_t i = 0; i < DATASETS; i++)
			CHECK(same(&result[s][i], &serial[s][i]));
	}
	if (tap_failures > before)
		tap_note("%s, inner %s, %u processors in groups of %u, %s", desc.schedule, desc.inner, desc.processors,
			 desc.limit, desc.engine);
}

/* Processors and the limit of groups. */
static const struct { unsigned P, limit; } machines[] = { { 1, 1 }, { 2, 1 }, { 2, 2 }, { 3, 2 }, { 4, 1 }, { 4, 4 }, { 8, 3 } };
enum { MACHINES = sizeof(machines) / sizeof(*machines) };

/* Each calculator deals the datasets, and another the iterations within groups, on some of the machines, under DLS_STRESS on each;
 * then strategies that move objects each in their way.  With and without a processor for the scheduler, on threads and in virtual
 * time. */
static void machines_and_schedules(void)
{
	static const char *const strategies[] = { "none", "gm", "rid,net=complete", "repart,calc=ss,fetch=get" };
	const struct dls_calc *calc;
	size_t calcs = 0, step = tap_thorough() ? 1 : TAP_THREAD_SANITIZER ? MACHINES : 3;

	while (dls_calc_at(calcs))
		calcs++;
	for (size_t i = 0; i < calcs + sizeof(strategies) / sizeof(*strategies); i++)
		for (size_t m = i < calcs ? i % step : 0; m < MACHINES; m += i < calcs ? step : 1) {
			const bool threads = (i + m) % 4;
			char schedule[64];

			if (TAP_THREAD_SANITIZER && !threads)
				continue;	/* one thread alone has no races */
			calc = dls_calc_at(i);
			snprintf(schedule, sizeof(schedule), "%s%s", calc ? "repart,calc=" : "", calc ? calc->name : strategies[i - calcs]);
			check_run((struct dls_repart_desc){
				.schedule = schedule, .engine = threads ? "threads" : "virtual", .processors = machines[m].P,
				.shared = machines[m].P == 1 || i % 2, .limit = machines[m].limit,
				.inner = dls_calc_at((i + m) % calcs)->name });
		}
	burst_close(&set);
}

TEST_MAIN(T(analyse_serially) T(machines_and_schedules))
