/* even.c - whether a loop that is left to static blocks still is even: courses of blocks whose times are invented.
 *
 * Fails if: a disturbance of some blocks, or one that is soon over, changes anything; blocks of one worker that take longer for good, or
 * less, pass, or are noticed sooner or later than patience says; one worker's blocks count as another's; or what is known of one loop is
 * left from another.
 *
 * runs: check */
#include "lib/site/even.h"
#include "tap.h"

enum { N = 1000, WORKERS = 4, EXECUTIONS = 2000 };

struct course {
	const char *name;
	unsigned usual;		/* ns, a block */
	double factor;		/* what worker 2's blocks take of it, from execution 100 on: so many times, */
	unsigned length, pause;	/* ... in `length` executions after each of which `pause` are as usual; 0: in all */
	unsigned patience;	/* blocks have to differ for so many times longer */
	unsigned from, to;	/* executions after which it is noticed; 0: never */
};

static const struct course courses[] = {
	{ "as usual", 50000, 1, 0, 0, 1, 0, 0 },
	{ "a tenth more", 50000, 1.1, 0, 0, 1, 0, 0 },
	{ "a quarter more", 50000, 1.25, 0, 0, 1, 8, 12 },
	{ "a quarter less", 50000, 0.75, 0, 0, 1, 8, 12 },
	{ "twice as much", 50000, 2, 0, 0, 1, 3, 4 },
	{ "half as much", 50000, 0.5, 0, 0, 1, 3, 6 },
	{ "a quarter more, long blocks", 200000, 1.25, 0, 0, 1, 8, 8 },
	{ "ten times as much, long blocks", 200000, 10, 0, 0, 1, 3, 3 },
	{ "half as much again, short blocks", 5000, 1.5, 0, 0, 1, 25, 100 },
	{ "three times as much, short blocks", 5000, 3, 0, 0, 1, 8, 13 },
	{ "less than a region, short blocks", 2000, 1.6, 0, 0, 1, 0, 0 },
	{ "interrupted", 5000, 500, 1, 50, 1, 0, 0 },
	{ "interrupted, and slow for a while", 10000, 1.4, 15, 50, 1, 0, 0 },
	{ "disturbed for a moment", 50000, 1.4, 5, 20, 1, 0, 0 },
	{ "disturbed for long", 50000, 1.4, 20, 20, 1, 8, 12 },
	{ "disturbed for long, in vain before", 50000, 1.4, 20, 20, 4, 0, 0 },
	{ "twice as much, in vain before", 50000, 2, 0, 0, 4, 8, 12 },
	{ "twice as much, often in vain before", 50000, 2, 0, 0, 64, 100, 200 },
	{ "twice as much, long blocks, in vain before", 500000, 2, 0, 0, 4, 3, 3 },
};

static void run(const struct course *c)
{
	static struct dls__even e;
	unsigned noticed = 0;

	dls__even_begin(&e, (double)c->usual * WORKERS / N, c->patience);
	for (unsigned k = 0; k < EXECUTIONS && !noticed; k++) {
		bool off = k >= 100 && (c->length == 0 || (k - 100) % (c->length + c->pause) < c->length);

		for (unsigned w = 0; w < WORKERS; w++)
			if (dls__even_ended(&e, N, w, WORKERS, (uint64_t)(c->usual * (off && w == 2 ? c->factor : 1))))
				noticed = k - 99;
	}
	if (!CHECK(noticed >= c->from && noticed <= c->to))
		tap_note("%s: after %u executions", c->name, noticed);
}

static void alone(void)
{
	for (unsigned i = 0; i < sizeof(courses) / sizeof(courses[0]); i++)
		run(&courses[i]);
}

/* Of other lengths and teams, blocks are expected to take as much longer. */
static void scaled(void)
{
	static struct dls__even e;

	dls__even_begin(&e, 100, 1);
	for (unsigned k = 0; k < 100; k++) {
		CHECK(!dls__even_ended(&e, 4 * N, 0, 2, 200000));
		CHECK(!dls__even_ended(&e, N, 0, 8, 12500));
		CHECK(!dls__even_ended(&e, 4 * N, k, 500, 800));	/* so short that nothing is said of them */
	}
	for (unsigned k = 0; k < 2; k++)
		CHECK(!dls__even_ended(&e, N, 1, 2, 500000));
	dls__even_begin(&e, 1000, 1);
	for (unsigned k = 0; k < 100; k++)
		CHECK(!dls__even_ended(&e, N, 1, 2, 500000));
	for (unsigned k = 0; k < 8; k++)	/* one of them shares the place of the other */
		CHECK_EQ(dls__even_ended(&e, N, 1 + DLS__EVEN_WORKERS * (k % 2), 2, 400000), false);
	CHECK(!dls__even_ended(&e, 0, 0, 2, 0));
}

TEST_MAIN(T(alone) T(scaled))
