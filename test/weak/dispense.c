/* dispense.c - loops from dls_loop_next() on, all of whose orders are relaxed: each iteration comes once all the same. */
#include "lib/region/loop.c"
#include "weak.h"

enum { N = 4 };
static struct dls_loop *loop;
static unsigned come[N];

static void open_loop(const char *schedule, int64_t n)
{
	dls_loop_open(&loop, 2, NULL, 0);
	HOLDS(dls_loop_set_schedule(loop, schedule) == 0);
	HOLDS(dls_loop_start(loop, 0, n, 1) == 0);
}

static void open_tickets(void) { open_loop("gss", N); }
static void open_own(void) { open_loop("static,1", N); }
static void open_tiles(void) { open_loop("frac", N); }

static void run(void)
{
	int64_t begin, end;

	while (dls_loop_next(loop, weak_self(), &begin, &end))
		for (; begin < end; begin++)
			come[begin]++;		/* a race, if another one has it too */
}

static void all_come(void)
{
	for (unsigned i = 0; i < N; i++)
		HOLDS(come[i] == 1);
}

WEAK_MAIN(1,
	{ "tickets", open_tickets, { run, run }, all_come, 0, 30 },
	{ "own", open_own, { run, run }, all_come, 0, 30 },
	{ "tiles", open_tiles, { run, run }, all_come, 0, 30 })
