/* manager.c - adaptive load sharing, Xu 1990: the decisions of the manager and of another processor.
 *
 * runs: check, machines, alone */
#include "fake.h"

enum { TASKS, GATHER, LOAD, ORDER };

/* The manager of four processors gathers at the start, and hears these loads; its own is `own`.  Returns what it does then. */
static const char *gathered(int64_t own, int64_t a, int64_t b, int64_t c)
{
	fake_load(own);
	CHECK_TEXT(fake_message(1, LOAD, b, 0), "");
	CHECK_TEXT(fake_message(0, LOAD, a, 0), "");
	return fake_message(2, LOAD, c, 0);
}

#define ALL "0:gather 0 0, 1:gather 0 0, 2:gather 0 0"
static void start(const char *strategy, int64_t own)
{
	CHECK_TEXT(fake_start_on(3, strategy, "ring", 4, own), ALL);
}

/* Everyone gets the mean; what does not divide stays where there is more.  Loads that differ by one stay: fails if the rest is
 * dealt to others, if own tasks are not sent, or if an order has more than a surplus or a deficit. */
static void shares(void)
{
	start("manager,t=1e-6", 9);
	CHECK_TEXT(gathered(9, 1, 0, 2), "timer 0 +500, 0:tasks x2, 1:tasks x3, 2:tasks x1");
	start("manager,t=1e-6", 1);
	CHECK_TEXT(gathered(1, 10, 0, 2), "timer 0 +481, 0:order 1 3, 0:order 2 1, 0:order 3 2");
	start("manager,t=1e-6", 2);
	CHECK_TEXT(gathered(2, 3, 2, 3), "timer 0 +5000");
	start("manager,t=1e-6", 0);
	CHECK_TEXT(gathered(0, 11, 0, 0), "timer 0 +333, 0:order 1 3, 0:order 2 3, 0:order 3 2");
}

/* The period is t over the imbalance, at most t / least; the next one is twice as long if no load has changed. */
static void periods(void)
{
	start("manager,t=1e-6", 2);
	CHECK_TEXT(gathered(2, 2, 2, 2), "timer 0 +10000");
	CHECK_TEXT(fake_timer(0), ALL);
	CHECK_TEXT(gathered(2, 2, 2, 2), "timer 0 +20000");
	CHECK_TEXT(fake_timer(0), ALL);
	CHECK_TEXT(gathered(1, 2, 2, 2), "timer 0 +7000");
	CHECK_TEXT(fake_timer(0), ALL);
	CHECK_TEXT(gathered(0, 0, 0, 0), "timer 0 +10000");
	start("manager,t=1e-6,least=2", 5);
	CHECK_TEXT(gathered(5, 1, 1, 1), "timer 0 +500");
	start("manager,t=1e-6,least=1.5", 5);
	CHECK_TEXT(gathered(5, 1, 1, 1), "timer 0 +666, 0:tasks x1, 1:tasks x1, 2:tasks x1");
}

/* A node answers with its load, and sends what it is ordered to, at most what it has queued.  A manager without others is
 * silent. */
static void nodes(void)
{
	CHECK_TEXT(fake_start("manager", "ring", 4, 8), "");
	CHECK_TEXT(fake_message(3, GATHER, 0, 0), "3:load 8 0");
	CHECK_TEXT(fake_message(3, ORDER, 2, 5), "2:tasks x5");
	CHECK_TEXT(fake_message(3, ORDER, 1, 5), "1:tasks x2");
	CHECK_TEXT(fake_message(3, ORDER, 1, 5), "");
	CHECK_TEXT(fake_message(3, GATHER, 0, 0), "3:load 1 0");
	CHECK_TEXT(fake_start("manager", "ring", 1, 8), "");
}

TEST_MAIN(T(shares) T(periods) T(nodes))
