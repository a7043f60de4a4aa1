/* live.c - the live dispenser: many workers, and several threads.  Its sequences are those of chunk/adaptive.c, its
 * bounds those of chunk/learn.c, the sums of the workers' figures those of test/weak/last.c.
 *
 * Fails if: a size follows from another R than the one it is taken from; one of many workers has no figures of its
 * own. */
#include "deal.h"
#include "once.h"

/* The largest number of workers, of which each has figures of its own, also those that draw tickets. */
static void many_workers(void)
{
	enum { MANY = DLS_WORKERS_MAX };
	static const char *const schedule[] = { "af", "bold,mu=1,sigma=1,h=1", "awf-b" };

	for (unsigned k = 0; k < 3; k++) {
		struct dls_loop *loop = deal_start(schedule[k], MANY, 8 * MANY, DLS_LOOP_EVERY_CHUNK | DLS_LOOP_VIRTUAL_TIME);
		uint64_t sum = 0, n = 0, call = 0;
		unsigned idle = 0;

		for (; idle < MANY; call++) {
			if (call % MANY == 0)
				dls_loop_set_time(loop, 1e-6 * (double)call);
			n = (uint64_t)deal_next(loop, (unsigned)(call % MANY)).n;
			idle = n ? 0 : idle + 1;
			sum += n;
		}
		if (CHECK_EQ(sum, 8 * MANY) != 8 * MANY)
			tap_note("%s", schedule[k]);
		dls_loop_close(loop);
	}
}

static void threads(void)
{
	static const char *const schedule[] = { "af", "af,exact", "bold,mu=1e-6,sigma=1e-6,h=1e-6" };

	once_threads(tap_stress(.7), schedule, 3, 5, 3000, NULL);
}

TEST_MAIN(T_ALONE(many_workers) T(threads))
