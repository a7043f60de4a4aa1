/* acwn.c - adaptive contracting within a neighbourhood, Shu 1989: one processor's decisions.
 *
 * runs: check, machines, alone */
#include "fake.h"

enum { TASKS, UPDATE };

static unsigned place(void)
{
	return fake.machine->spec.strategy->place(fake.vp, fake.vp->state, NULL);
}

/* Tasks that have been sent `hops` times arrive. */
static const char *arrive(unsigned hops)
{
	return fake_handle(DLS__STRATEGY, 0, (struct dls_message){ .from = 1, .kind = TASKS, .hops = hops, .tasks = 1 });
}

/* Processor 0 of five, all neighbours, with a load of `own`, knows the loads of the others. */
static void know(const char *strategy, int64_t own, int64_t a, int64_t b, int64_t c, int64_t d)
{
	const int64_t load[] = { a, b, c, d };

	fake_start(strategy, "complete", 5, own);
	for (unsigned k = 0; k < 4; k++)
		fake_message(k + 1, UPDATE, load[k], 0);
}

/* A new task goes to the neighbour with the least load, which then counts it, and stays when none has less: fails if what was
 * sent is forgotten, or counts on after an update. */
static void contracts(void)
{
	know("acwn,saturation=inf", 5, 9, 4, 3, 9);
	CHECK_EQ(place(), 3);
	CHECK_EQ(place(), 2);	/* both 4 now: in turn */
	CHECK_EQ(place(), 3);
	CHECK_EQ(place(), 0);
	fake_message(3, UPDATE, 4, 0);
	CHECK_EQ(place(), 3);
	CHECK_EQ(place(), 0);
	CHECK_TEXT(fake_load(2), "1:update 2 0, 2:update 2 0, 3:update 2 0, 4:update 2 0");
}

/* What arrives goes on up to the radius; no further than to a local minimum, but horizon times at least. */
static void hops(void)
{
	know("acwn,saturation=inf,radius=3", 5, 4, 9, 9, 9);
	CHECK_TEXT(arrive(3), "");
	CHECK_TEXT(arrive(2), "1:tasks 0 0");
	CHECK_TEXT(arrive(1), "");	/* 5 and 5 */
	know("acwn,saturation=inf,horizon=2,radius=3", 5, 7, 9, 9, 9);
	CHECK_TEXT(arrive(2), "");
	CHECK_TEXT(arrive(1), "1:tasks 0 0");
	CHECK_EQ(place(), 1);
	know("acwn,radius=0", 5, 0, 0, 0, 0);
	CHECK_EQ(place(), 0);
}

/* Tasks stay when all neighbours are saturated; a neighbour below that is sent queued tasks: up to saturation, or to equal loads. */
static void saturation(void)
{
	know("acwn,saturation=4", 9, 4, 4, 4, 4);
	CHECK_EQ(place(), 0);
	CHECK_TEXT(arrive(1), "");
	CHECK_TEXT(fake_message(2, UPDATE, 3, 0), "2:tasks x1");
	CHECK_EQ(place(), 0);
	CHECK_TEXT(fake_message(2, UPDATE, 1, 0), "2:tasks x3");
	CHECK_EQ(place(), 0);
	know("acwn,saturation=4,u=0", 4, 4, 4, 4, 4);
	CHECK_TEXT(fake_message(2, UPDATE, 2, 0), "2:tasks x1");
	CHECK_TEXT(fake_message(3, UPDATE, 2, 0), "");	/* own load is 3 */
}

TEST_MAIN(T(contracts) T(hops) T(saturation))
