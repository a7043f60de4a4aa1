/* hbm.c - hierarchical balancing method, Willebeek-LeMair 1993: the root's orders, and whole machines in virtual time.
 *
 * runs: check, machines, alone */
#include "fake.h"
#include "whole.h"

enum { UPDATE, ORDER, TASKS };

/* Eqs. 23 and 24 at processor 0 of eight, which has 40.
 * Level 1: 40 against 8 moves 16, and 48 is told to level 2.  There 48 against 16 moves 8 from each of two; own load, 16 by
 * now, is told anew to level 1, and 16 against the 24 that are booked there brings 4 back.  Level 3: 64 against 256 moves 24
 * from each of four; when 512 are told, what was booked to the lower half stays: 160 against 512 moves 44, now by one message
 * down the tree.  Fails if delta is not a 2^i-th, a match is another, an order is not booked, or the own part of it left out. */
static void orders(void)
{
	fake_start("hbm", "hypercube", 8, 40);
	CHECK_TEXT(fake_message(1, UPDATE, 8, 0), "1:tasks x16");
	CHECK_TEXT(fake_message(2, UPDATE, 16, 0), "1:order 2 8, 2:tasks x8, 1:order 1 4");
	CHECK_TEXT(fake_message(4, UPDATE, 256, 0), "4:order 3 24, 5:order 3 24, 6:order 3 24, 7:order 3 24");
	fake_set("hbm,notify=tree");
	CHECK_TEXT(fake_message(4, UPDATE, 512, 0), "4:order 3 44");
}

/* Of three processors two have 9: compared by processor, 12 and 6 are due, and 6 go from 0, which has a match, and not from 1;
 * then 1 gives half of the 6 by which it has more than 0.  Of six, 4 and 5 have no match in level 2, and level 3 moves
 * (120 - 4/6 120) / 2 from each of 0 and 1.  Fails if sums are compared, or a missing processor is told. */
static void missing(void)
{
	fake_start("hbm", "hypercube", 3, 9);
	CHECK_TEXT(fake_message(1, UPDATE, 9, 0), "");
	CHECK_TEXT(fake_message(2, UPDATE, 0, 0), "2:tasks x6, 1:order 1 3");

	fake_start("hbm", "hypercube", 6, 30);
	CHECK_TEXT(fake_message(1, UPDATE, 30, 0), "");
	CHECK_TEXT(fake_message(2, UPDATE, 60, 0), "");
	CHECK_TEXT(fake_message(4, UPDATE, 0, 0), "1:order 3 20, 4:tasks x20, 1:order 1 10");
	fake_start("hbm,notify=tree", "hypercube", 6, 30);
	fake_message(1, UPDATE, 30, 0);
	fake_message(2, UPDATE, 60, 0);
	CHECK_TEXT(fake_message(4, UPDATE, 0, 0), "1:order 3 20, 4:tasks x20, 1:order 1 10");
}

/* Processor 0 of two hears the load of 1; of more it hears `last` from 2 thereafter.  Returns what it does at the last. */
static const char *first(const char *strategy, unsigned processors, int64_t own, int64_t load, int64_t last)
{
	fake_start(strategy, "hypercube", processors, own);
	if (processors == 2)
		return fake_message(1, UPDATE, load, 0);
	CHECK_TEXT(fake_message(1, UPDATE, load, 0), "");
	return fake_message(2, UPDATE, last, 0);
}

/* A difference of 2 moves a task between two processors, one of 1 none; so do 4 between four, and 3 none.  Fails if a
 * threshold is another one's, or strict. */
static void thresholds(void)
{
	CHECK_TEXT(first("hbm", 2, 10, 9, 0), "");
	CHECK_TEXT(first("hbm", 2, 10, 8, 0), "1:tasks x1");
	CHECK_TEXT(first("hbm", 4, 10, 10, 17), "");
	CHECK_TEXT(first("hbm", 4, 10, 10, 16), "1:order 2 1, 2:tasks x1");

	CHECK_TEXT(first("hbm,threshold=7:9", 2, 10, 4, 0), "");
	CHECK_TEXT(first("hbm,threshold=7:9", 2, 10, 3, 0), "1:tasks x3");
	CHECK_TEXT(first("hbm,threshold=7:9", 8, 10, 4, 6), "");
	CHECK_TEXT(first("hbm,threshold=7:9", 8, 10, 4, 5), "1:order 2 2, 2:tasks x2");
	CHECK_TEXT(first("hbm,min=5", 2, 10, 2, 0), "");
	CHECK_TEXT(first("hbm,min=5", 2, 10, 0, 0), "1:tasks x5");
}

/* Processor 1 tells the loads from one on to another, each a step of 1 from the last.  Returns what 0 did at the last one; at the others
 * nothing. */
static const char *steps(int64_t from, int64_t to)
{
	int64_t step = from < to ? 1 : -1;

	for (int64_t load = from; load != to; load += step)
		CHECK_TEXT(fake_message(1, UPDATE, load, 0), "");
	return fake_message(1, UPDATE, to, 0);
}

/* 40 against 8 moves 16, and nothing until 1 has them all: 24 against 24 when it is compared next, at 16.  If 1 loses 4 meanwhile, it
 * can expect 12 more, and 24 against 16 moves 4; if it tells of that at once, half of what it told before, it can expect nothing.
 * 8 against 40 is an order of 16.  What comes to 1 meanwhile is not what it sends: 24 against 80 - 16 is an order of 20.
 * Fails if an order is repeated because of what is told in small steps, if any step ends what was booked, or none reduces it. */
static void booked(void)
{
	CHECK_TEXT(first("hbm,u=1", 2, 40, 8, 0), "1:tasks x16");
	CHECK_TEXT(steps(9, 24), "");
	CHECK_TEXT(first("hbm,u=1", 2, 40, 8, 0), "1:tasks x16");
	CHECK_TEXT(fake_message(1, UPDATE, 4, 0), "1:tasks x10");
	CHECK_TEXT(first("hbm,u=1", 2, 40, 8, 0), "1:tasks x16");
	CHECK_TEXT(steps(7, 4), "1:tasks x4");

	fake_start("hbm,u=1", "hypercube", 2, 8);
	CHECK_TEXT(fake_message(1, UPDATE, 40, 0), "1:order 1 16");
	CHECK_TEXT(steps(41, 80), "1:order 1 20");
}

/* By period, what has changed is told when the timer goes off, and not before. */
static void period(void)
{
	fake_start("hbm,update=period,t=2", "hypercube", 2, 10);
	CHECK_TEXT(fake_message(1, UPDATE, 10, 0), "");
	CHECK_TEXT(fake_load(2), "timer 0 +2000000000");
	CHECK_TEXT(fake_load(1), "");
	CHECK_TEXT(fake_timer(0), "timer 0 +2000000000, 1:order 1 4");
	CHECK_TEXT(fake_timer(0), "");
}

/* Four processors, 0 and 1 of them idle: N - 1 updates up the tree, an order of level 2 down it to 2 and by 2 to 3, tasks across.
 * 2 and 0 know their own new loads before those of 3 and 1, and move one task more. */
static void tree(void)
{
	static const unsigned tasks[] = { 0, 0, 4, 4 };
	struct whole w = { .strategy = "hbm,notify=tree,block=all", .processors = 4, .cost = 1000000000, .until = 3000000 };

	whole_run(&w, tasks);
	CHECK_TEXT(whole.said, "0<1 update 0 0, 2<3 update 4 0, 0<2 update 8 0, 2<0 order 2 2, 3<2 order 2 2, 0<2 tasks 0 0, "
		   "3<2 order 1 1, 1<3 tasks 0 0, 2<3 update 2 0, 1<0 tasks 0 0, 2<3 tasks 0 0, 0<1 update 2 0");
}

/* Eqs. 25, 28 and 29: the upper half has all the load, and each of its processors is ordered once: by the root, or down a tree
 * of which the root sends one message. */
static void messages(void)
{
	static const char *const strategies[] = { "hbm,block=all,update=step,dl=1e9", "hbm,block=all,update=step,dl=1e9,notify=tree" };
	unsigned tasks[32] = { 0 };

	for (unsigned p = 16; p < 32; p++)
		tasks[p] = 8;
	for (unsigned i = 0; i < 2; i++) {
		struct whole w = { .strategy = strategies[i], .processors = 32, .cost = 1000000000, .until = 900000000 };

		whole_run(&w, tasks);
		CHECK_EQ(whole.kind[UPDATE], 31);
		CHECK_EQ(whole.kind[ORDER], 16);
		CHECK_EQ(whole.kind[TASKS], 16);
		CHECK_EQ(whole.taken[0], 5 + 1);
		CHECK_EQ(whole.given[0], i == 0 ? 16 : 1);
		CHECK_EQ(whole.given[31] + whole.taken[31], 3);
	}
}

/* Loads told in small steps, tasks of 30 s, all on one processor or some on each: fails if orders are repeated for each task that comes, so
 * that tasks go to and fro: where they are told one by one there were thousands of messages for each, and most processors idle. */
static void small_steps(void)
{
	static const char *const how[] = { "u=0.71", "u=0.8", "u=0.95", "u=1", "u=1,notify=tree", "update=step,dl=1", "update=period,t=1e-6" };
	static const unsigned sizes[] = { 16, 24, 64, 100 };

	for (unsigned i = 0; i < 4 * 7 * 2 && !tap_failures; i++) {
		unsigned P = sizes[i / 14], tasks[WHOLE_PROCESSORS] = { 0 };
		char strategy[64];
		struct whole w = { .strategy = strategy, .net = i % 5 ? "hypercube" : "mesh", .costs = i % 3 ? "ideal" : "ipsc2",
				   .processors = P, .cost = 30000000000, .until = 1 };
		struct dls_run_result r;

		snprintf(strategy, sizeof(strategy), "hbm,%s", how[i / 2 % 7]);
		for (unsigned p = 0; p < P; p++)
			tasks[i % 2 ? 0 : p] += i % 2 ? 35 : p * 37 % 50;
		r = whole_run(&w, tasks);
		if (!CHECK(r.messages < 200 * r.tasks && r.time < 4 * r.work / P))
			tap_note("%s: %u processors, %llu messages for %llu tasks, %.2f T_opt", strategy, P, (unsigned long long)r.messages,
				 (unsigned long long)r.tasks, r.time * P / r.work);
	}
}

TEST_MAIN(T(orders) T(missing) T(thresholds) T(booked) T(period) T(tree) T(messages) T(small_steps))
