/* update.c - the load update strategy of Willebeek-LeMair 1993, section III-F, as "sid" uses it.
 *
 * runs: check, machines, alone */
#include "fake.h"

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

TEST_MAIN(T(factor) T(factor_ends) T(step) T(period))
