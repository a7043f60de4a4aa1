/* threads.c - machines on threads: each task runs exactly once and the run ends, whatever the strategy and the number of
 * processors.
 *
 * runs: check, machines, pthreads */
#include "dls/net.h"
#include "guard.h"
#include "once_case.h"

static const unsigned processors[] = { 1, 2, 3, 4, 8, 16 };
enum { PROCESSORS = sizeof(processors) / sizeof(*processors), HANGS = 300 };

static void check_run(struct dls_machine *machine)
{
	uint64_t sent = 0, received = 0;
	struct dls_run_result r;

	add(machine);
	r = machine_run(machine);
	check_once(&r);
	for (unsigned i = 0; i < plan.p; i++) {
		struct dls_processor_stats s = machine_stats(machine, i);

		CHECK(s.busy >= 0 && s.overhead >= 0 && s.service >= 0 && s.held >= 0 && s.idle >= 0);
		sent += s.tasks_sent;
		received += s.tasks_received;
	}
	CHECK(r.detected < HANGS);
	CHECK_EQ(sent, received);
	CHECK_EQ(r.transfers, sent);
}

static void run_case(const struct dls_strategy *strategy, unsigned p, uint64_t *random)
{
	size_t nets = 0;
	unsigned before = tap_failures;
	struct dls_machine *machine;

	while (dls_net_kind_at(nets))
		nets++;
	draw(strategy, dls_net_kind_at(tap_random(random) % nets), p, tap_random(random) % 1000000000, true);
	machine = open_machine();
	guard(plan.name, HANGS);
	for (unsigned runs = 0; machine && runs < 2; runs++)
		check_run(machine);
	if (tap_failures > before)
		tap_note("%s", plan.name);
	dls_machine_close(machine);
	guard_over();
}

/* Fails if: a message or task is lost or handled twice; a processor sleeps through a message; the end is announced early,
 * late or never; a second run finds anything of the first. */
static void once(void)
{
	uint64_t random = tap_seed();

	for (size_t i = 0; dls_strategy_at(i); i++)
		for (unsigned p = 0; p < PROCESSORS; p++)
			run_case(dls_strategy_at(i), processors[p], &random);
}

/* The same, drawn. */
static void drawn(void)
{
	uint64_t random = tap_seed() ^ 1, strategies = 0, cases = 0;
	time_t end = time(NULL) + (time_t)tap_stress(1);

	while (dls_strategy_at(strategies))
		strategies++;
	do {
		run_case(dls_strategy_at(tap_random(&random) % strategies), processors[tap_random(&random) % PROCESSORS], &random);
		cases++;
	} while (time(NULL) < end);
	tap_note("%llu machines", (unsigned long long)cases);
}

TEST_MAIN(T(once) T(drawn))
