/* serial.c - whether a loop that is too small to be dealt runs on one thread: courses of a loop whose times are invented.
 *
 * Fails if: one thread is not chosen where it takes clearly less, or is where it takes as much; learning costs more than 5 % of all
 * time; one long execution changes the choice; a loop that has become dear stays on one
 * thread; or a team that has become faster, or slower, is not noticed.
 *
 * runs: check, alone */
#include <math.h>

#include "lib/auto/serial.h"
#include "tap.h"

enum { EXECUTIONS = 20000 };

struct course {
	const char *name;
	double together, serial;	/* ns, */
	double then_together, then_serial;	/* ... of the second half */
	bool first, second;		/* what most executions of each half are to be: on one thread */
	double most;			/* time over that of the better one */
};

static const struct course courses[] = {
	{ "a region of 1 us, a loop of 0.2", 1100, 600, 1100, 600, true, true, 1.05 },
	{ "64 workers, a loop of 2 us", 15000, 2400, 15000, 2400, true, true, 1.05 },
	{ "as long on one thread", 2000, 1950, 2000, 1950, false, false, 1.05 },
	{ "longer on one thread", 3000, 4500, 3000, 4500, false, false, 1.1 },
	{ "64 workers, 64 times as long", 9000, 300000, 9000, 300000, false, false, 1.01 },
	{ "becomes dear", 1100, 600, 20000, 38000, true, false, 1.03 },
	{ "becomes cheap", 4000, 7000, 1100, 500, false, true, 1.5 },
	{ "regions become dear", 2000, 3000, 12000, 3000, false, true, 1.3 },
};

static void run(const struct course *c, uint64_t *seed)
{
	struct dls__serial a = { 0 };
	double took = 0, best = 0;
	unsigned serial[2] = { 0, 0 }, wait = 0;

	for (unsigned k = 0; k < EXECUTIONS; k++) {
		bool half = k >= EXECUTIONS / 2;
		double together = half ? c->then_together : c->together, alone = half ? c->then_serial : c->serial;
		double u = (double)(tap_random(seed) >> 11) * 0x1p-53, time = (a.by ? alone : together) * (1 + 0.04 * (u - 0.5));

		if (u < 0.01)		/* the system */
			time *= 5;
		serial[half] += a.by != DLS__BY_TEAM;
		took += a.by ? alone : together;
		best += fmin(alone, together);
		if (wait-- == 0)
			wait = dls__serial_ended(&a, (float)time);
	}
	CHECK_EQ(serial[0] > EXECUTIONS / 4, c->first);
	CHECK_EQ(serial[1] > EXECUTIONS / 4, c->second);
	if (!CHECK(took <= c->most * best))
		tap_note("%s: %.3f of the better one", c->name, took / best);
}

static void courses_run(void)
{
	uint64_t seed = 1;	/* of 3000 seeds one shows a team that stays for lack of luck */

	for (size_t i = 0; i < sizeof(courses) / sizeof(*courses); i++)
		run(&courses[i], &seed);
}

TEST_MAIN(T(courses_run))
