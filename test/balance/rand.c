/* rand.c - random placement: one processor's draws. */
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
	return fake.machine->spec.strategy->place(fake.vp, fake.vp->state);
}

/* Of 100 x 100 initial tasks and 10^5 spawned ones: chi-squared with 15 degrees of freedom is above 50 less than
 * once in 10^4 runs.  Fails if the own number, or the last, is never drawn, or a task that stays is drawn for
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
	CHECK(chi[0] < 50);
	CHECK(chi[1] < 50);
}

/* All in turn, the processor after the own one first; spawned tasks go on where initial ones ended. */
static void cyclic(void)
{
	unsigned to[P];

	start("rand,draw=cyclic", 3 * P + 2, to);
	for (unsigned p = 0; p < P; p++)
		CHECK_EQ(to[p], p == 1 || p == 2 ? 4 : 3);
	CHECK_EQ(place(), 3);
}

/* Tasks of different costs under load=cost: one to each processor, none left out.  Fails if a draw is for a load,
 * not for a task. */
static void costs(void)
{
	unsigned to[P];

	start("rand,draw=cyclic,load=cost", P, to);
	for (unsigned p = 0; p < P; p++)
		CHECK_EQ(to[p], 1);
}

static void alone(void)
{
	CHECK_TEXT(fake_start("rand", "complete", 1, 50), "");
	CHECK_EQ(dls_vp_load(fake.vp), 50);
	CHECK_TEXT(fake_start("rand", "complete", 2, 0), "");
}

TEST_MAIN(T(independent) T(cyclic) T(costs) T(alone))
