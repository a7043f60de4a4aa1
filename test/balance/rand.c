/* rand.c - random placement: one processor's draws.
 *
 * runs: check, machines, alone */
#include "fake.h"

enum { P = 16 };

/* Start with n tasks; how many go to each processor. */
static void start(const char *strategy, int64_t n, unsigned to[P])
{
	const char *said = fake_start(strategy, "ring", P, n);
	unsigned p;

	memset(to, 0, P * sizeof(*to));
	while (sscanf(said, "%u:task x1", &p) == 1 && p < P) {
		to[p]++;
		said += strcspn(said, ",");
		said += strspn(said, ", ");
	}
	CHECK_TEXT(said, "");
	CHECK_EQ(to[0], 0);
	to[0] = dls_vp_load(fake.vp) > 0 ? (unsigned)fake.vp->queue.units + 1 : 0;
}

static unsigned place(void)
{
	return fake.machine->spec.strategy->place(fake.vp, fake.vp->state, NULL);
}

/* Of 100 x 100 initial tasks and 10^5 spawned ones: chi-squared with 15 degrees of freedom is above 70 less than
 * once in 10^8 runs.  Fails if the own number, or the last, is never drawn, or a task that stays is drawn for
 * again. */
static void independent(void)
{
	uint64_t initial[P] = { 0 }, spawned[P] = { 0 };
	double chi[2] = { 0, 0 };
	unsigned to[P];

	fake.seed = tap_seed();
	for (unsigned i = 0; i < 100; i++, fake.seed++) {
		start("rand", 100, to);
		for (unsigned p = 0; p < P; p++)
			initial[p] += to[p];
	}
	for (unsigned i = 0; i < 100000; i++)
		spawned[place()]++;
	for (unsigned p = 0; p < P; p++) {
		double a = (double)initial[p] - 1e4 / P, b = (double)spawned[p] - 1e5 / P;

		chi[0] += a * a / (1e4 / P);
		chi[1] += b * b / (1e5 / P);
	}
	tap_note("chi-squared %.1f %.1f", chi[0], chi[1]);
	CHECK(chi[0] < 70);
	CHECK(chi[1] < 70);
}

/* All in turn, in an order of the processor's own; spawned tasks go on where initial ones ended.  Fails if a step has a divisor
 * in common with P, or if every seed draws the same order. */
static void cyclic(void)
{
	unsigned to[P], first[2] = { 0 };

	for (unsigned i = 0; i < 50; i++) {
		unsigned more = 0, seen[P] = { 0 };

		fake.seed = 1 + i;
		start("rand,draw=cyclic", 3 * P + 2, to);
		for (unsigned p = 0; p < P; p++) {
			CHECK(to[p] == 3 || to[p] == 4);
			more += to[p] == 4;
		}
		CHECK_EQ(more, 2);
		for (unsigned p = 0; p < P - 2; p++)
			CHECK_EQ(to[place()], 3);
		for (unsigned p = 0; p < P; p++)
			seen[place()]++;
		for (unsigned p = 0; p < P; p++)
			CHECK_EQ(seen[p], 1);
		first[place() < P / 2]++;
	}
	CHECK(first[0] > 5 && first[1] > 5);
}

/* Tasks of different costs under load=cost: one is dealt to each processor, and one stays in place of another of as much load.
 * Fails if a draw is for a load, not for a task. */
static void costs(void)
{
	unsigned to[P], once = 0;

	start("rand,draw=cyclic,load=cost", P, to);
	for (unsigned p = 1; p < P; p++)
		once += to[p] == 1;
	CHECK(once >= P - 3);
}

static void alone(void)
{
	CHECK_TEXT(fake_start("rand", "complete", 1, 50), "");
	CHECK_EQ(dls_vp_load(fake.vp), 50);
	CHECK_TEXT(fake_start("rand", "complete", 2, 0), "");
}

TEST_MAIN(T(independent) T(cyclic) T(costs) T(alone))
