/* update.c - the load update strategy of Willebeek-LeMair 1993, section III-F, as "sid" uses it.
 *
 * runs: check, machines, alone */
#include "fake.h"
#include "sched/balance/update.h"


#define TOLD(load, told) CHECK_TEXT(fake_load(load), told)

/* Down to u times, or up to 1/u times the value last sent.  Fails if either end is not included, if the last value
 * seen stands in for the last one sent, or if updates go one way only. */
static void factor(void)
{
	CHECK_TEXT(fake_start("sid", "complete", 2, 100), "1:update 100 0");
	TOLD(95, "");
	TOLD(91, "");
	TOLD(90, "1:update 90 0");
	TOLD(99, "");
	TOLD(100, "1:update 100 0");
	TOLD(0, "1:update 0 0");
	TOLD(1, "1:update 1 0");
	TOLD(2, "1:update 2 0");
	TOLD(1, "1:update 1 0");
	fake_start("sid", "complete", 2, 100);
	fake_set("sid,u=0.5");
	TOLD(51, "");
	TOLD(199, "");
	TOLD(50, "1:update 50 0");
	TOLD(99, "");
	TOLD(100, "1:update 100 0");
}

/* u = 0 tells of nothing but an empty queue and its end; u = 1 of everything. */
static void factor_ends(void)
{
	fake_start("sid", "complete", 2, 100);
	fake_set("sid,u=0");
	TOLD(1, "");
	TOLD(100000, "");
	TOLD(0, "1:update 0 0");
	TOLD(1, "1:update 1 0");
	fake_set("sid,u=1");
	TOLD(1000000, "1:update 1000000 0");
	TOLD(999999, "1:update 999999 0");
}

/* Fails if a step of dl itself is not told, or per cent are not of the initial load. */
static void step(void)
{
	fake_start("sid", "complete", 2, 60);
	fake_set("sid,update=step");
	TOLD(55, "");
	TOLD(65, "");
	TOLD(54, "1:update 54 0");
	fake_set("sid,update=step,dl=2");
	TOLD(53, "");
	TOLD(52, "1:update 52 0");
	TOLD(53, "");
	TOLD(54, "1:update 54 0");
}

/* Fails if a changed load is told before its time or not at all, or if the timer goes on for ever. */
static void period(void)
{
	fake_start("sid", "complete", 2, 60);
	fake_set("sid,update=period");
	TOLD(50, "timer 0 +100000");
	TOLD(0, "");
	CHECK_TEXT(fake_timer(0), "timer 0 +100000, 1:update 0 0");
	TOLD(7, "");
	TOLD(0, "");
	CHECK_TEXT(fake_timer(0), "");
	fake_set("sid,update=period,t=2e-6");
	TOLD(9, "timer 0 +2000");
}

/* Two changes that are not told, wrong by 5 and 9; one that is; a load that comes back to what was told. */
static void errors(void)
{
	fake_start("sid", "complete", 2, 100);
	fake_load(95);
	fake_load(91);
	fake_load(50);
	fake_load(51);
	fake_load(50);
	CHECK_EQ(fake.machine->pool.counter[DLS__CHANGES], 5);
	CHECK_EQ(fake.machine->pool.counter[DLS__ERROR], 5 + 9 + 1);
}

/* A decision at 1500 ns on loads of 1500 and 1000 ns and on a neighbour that has not spoken, which is as old as
 * the run; one that moves nothing does not count.  Fails if the first update of a neighbour, or when it came, is
 * what ages. */
static void ages(void)
{
	fake_start("sid", "complete", 4, 100);
	fake_set("sid,low=50,unknown=empty");
	fake.now = 200;
	fake_message(1, 0, 99, 0);
	fake.now = 1000;
	fake_message(2, 0, 60, 0);
	CHECK_EQ(fake.machine->pool.counter[DLS__DECISIONS], 0);
	fake.now = 1500;
	fake_set("sid,low=100,unknown=empty");
	CHECK_TEXT(fake_message(1, 0, 99, 0), "2:tasks x2, 3:tasks x32, "
		   "1:update 66 0, 2:update 66 0, 3:update 66 0");
	CHECK_EQ(fake.machine->pool.counter[DLS__DECISIONS], 1);
	CHECK_EQ(fake.machine->pool.counter[DLS__AGE], (0 + 500 + 1500) / 3);
}

TEST_MAIN(T(factor) T(factor_ends) T(step) T(period) T(errors) T(ages))
