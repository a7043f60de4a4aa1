/* repart_worker.c - loop scheduling that moves data: what a worker does.
 *
 * Fails if: it asks too early, too late or twice, reports what is not so (of tasks that take no time, pieces of
 * a loop or weights beyond 64 bits, too), runs what it was not told to, forgets a Give when it is through, or
 * returns results to the wrong place.
 *
 * runs: check, machines, alone */
#include "repart.h"

static bool near(double got, double want)
{
	if (fabs(got - want) <= 1e-9 * fabs(want))
		return true;
	tap_note("%g, not %g", got, want);
	return false;
}

/* Another processor gets n tasks and exposes them. */
static void open_other(unsigned id, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		machine_add(fake.machine, id, 1);
	dls__vp_reset(dls__vp_at(fake.machine, id));
	CHECK_EQ(dls_vp_window_expose(dls__vp_at(fake.machine, id)), n);
}

static void tells(void)
{
	CHECK_TEXT(start("repart", 3, 0, (uint64_t[]){ 5, 5, 5, 0, 7 }, 5), "2:request");
	CHECK_EQ(fake.vp->queue.units, 0);
	CHECK_EQ(fake.vp->load, 0);
	CHECK_EQ(request.stretches, 5);	/* one for each task: only pieces of a range are in a row */
	CHECK_EQ(request.alike[2].weight, 5);
	CHECK_EQ(request.alike[3].weight, 1);
	CHECK_EQ(request.alike[4].weight, 7);
	CHECK_EQ(request.alike[4].slots, 1);
	CHECK_TEXT(start("repart", 3, 1, NULL, 0), "2:request");
	CHECK_EQ(request.stretches, 0);
	CHECK(near(request.report.speed, 1));
}

/* ahead=1: as the last task begins, at once if it is the only one; 0: as it has ended; 2: one sooner. */
static void asks(void)
{
	static const uint64_t cost[] = { 10, 30, 10, 10, 10, 10 };

	start("repart", 3, 0, cost, 6);
	CHECK_TEXT(message(2, DLS__SIZE, 0, 0, 3), "");
	CHECK_EQ(fake.vp->queue.units, 3);
	CHECK_TEXT(run(1), "");
	CHECK_TEXT(run(1), "2:request");
	CHECK_TEXT(run(1), "");
	CHECK_TEXT(message(2, DLS__SIZE, 0, 3, 1), "2:request");
	CHECK_TEXT(message(2, DLS__SIZE, 0, 4, 2), "");		/* with the one before it three */
	CHECK_TEXT(run(1), "");
	CHECK_TEXT(run(1), "2:request");
	CHECK_TEXT(message(2, DLS__END_OF_LOOP, 0, 0, 0), "");
	CHECK_TEXT(run(1), "");

	start("repart,ahead=0", 3, 0, cost, 6);
	CHECK_TEXT(message(2, DLS__SIZE, 0, 0, 2), "");
	CHECK_TEXT(run(1), "");
	CHECK_TEXT(run(1), "2:request");

	start("repart,ahead=2", 3, 0, cost, 6);
	CHECK_TEXT(message(2, DLS__SIZE, 0, 0, 3), "");
	CHECK_TEXT(run(1), "2:request");
	CHECK_TEXT(message(2, DLS__SIZE, 0, 3, 1), "");
	CHECK_TEXT(run(1), "2:request");
	CHECK(request.report.dispatch == 0);	/* the answer came in time */
	CHECK_TEXT(run(1), "");
}

/* Of 10, 30 and 10 in 2, 3 and 1 s; before, 4 s of waiting, and then 5.  The variance of one unit of weight
 * is that between the times of tasks, by their weights: (4/10 + 9/30 - 25/40) / 1. */
static void reports(void)
{
	start("repart,ahead=0", 3, 0, (uint64_t[]){ 10, 30, 10 }, 3);
	dls__vp_idle(fake.vp);
	fake.now = 4ull * S;
	message(2, DLS__SIZE, 0, 0, 2);
	run(2);
	CHECK_TEXT(run(3), "2:request");
	CHECK_EQ(request.report.done, 40);
	CHECK(near(request.report.time, 5));
	CHECK(near(request.report.dispatch, 4));
	CHECK(near(request.report.variance, 0.075));
	CHECK(request.report.move == 0);
	CHECK_EQ(request.stretches, 0);
	fake.now += 5ull * S;
	message(2, DLS__SIZE, 0, 2, 1);
	CHECK_TEXT(run(1), "2:request");
	CHECK_EQ(request.report.done, 10);
	CHECK(near(request.report.time, 1));
	CHECK(near(request.report.dispatch, 5));
	CHECK(isnan(request.report.variance));
}

/* Tasks of 0 s take none, wherever they stand; the last of them may be reported with what comes next. */
static void reports_no_time(void)
{
	static const uint64_t cost[] = { 10, 1, 20, 1, 1, 30, 1, 1 };

	start("repart,ahead=0", 3, 0, cost, 8);
	message(2, DLS__SIZE, 0, 0, 7);
	for (unsigned i = 0; i < 7; i++)
		run(cost[i] > 1 ? 0.1 * (double)cost[i] : 0);
	CHECK(request.report.tasks == 6 || request.report.tasks == 7);
	CHECK(near(request.report.done, 57 + (double)request.report.tasks));
	CHECK(fabs(request.report.time - 6) < 1e-6);
	fake.now += 5ull * S;
	message(2, DLS__SIZE, 0, 7, 1);
	run(0);
	CHECK(request.report.time < 1e-6);
	CHECK(near(request.report.dispatch, 5));
}

/* In a loop a piece is done as it begins, and runs until the next one begins or there is none. */
static void begin(void)
{
	CHECK(dls__vp_next(fake.vp));
	dls__vp_done(fake.vp);
}

static void reports_pieces(void)
{
	start("repart,ahead=0", 3, 0, (uint64_t[]){ 10, 30, 10, 20 }, 4);
	fake.now = S;
	message(2, DLS__SIZE, 0, 0, 3);
	begin();
	fake.now += 2ull * S;
	begin();
	fake.now += 3ull * S;
	begin();
	CHECK_EQ(request.report.tasks, 2);
	CHECK_EQ(request.report.done, 40);
	CHECK(near(request.report.time, 5));
	CHECK(near(request.report.variance, 0.075));
	fake.now += 7ull * S;
	dls__vp_idle(fake.vp);
	fake.now += 4ull * S;
	message(2, DLS__SIZE, 0, 3, 1);
	begin();
	CHECK_EQ(request.report.tasks, 1);
	CHECK_EQ(request.report.done, 10);
	CHECK(near(request.report.time, 7));
	CHECK(near(request.report.dispatch, 4));
}

/* Eight of 2^61 are more than 64 bits hold. */
static void reports_great_weights(void)
{
	uint64_t cost[8];

	for (unsigned i = 0; i < 8; i++)
		cost[i] = UINT64_C(1) << 61;
	start("repart,ahead=0,calc=gss", 3, 0, cost, 8);
	message(2, DLS__SIZE, 0, 0, 8);
	for (unsigned i = 0; i < 8; i++)
		run(1);
	CHECK_EQ(request.report.tasks, 8);
	CHECK(near(request.report.done, 8 * 0x1p61));
	CHECK(near(request.report.time, 8));
}

/* No Request before what a Get is about has come (repart.D2); it took 3 s. */
static void gets(void)
{
	start("repart", 3, 0, (uint64_t[]){ 10 }, 1);
	CHECK_TEXT(message(2, DLS__SIZE, 0, 0, 1), "2:request");
	CHECK_TEXT(message(2, DLS__GET, 1, 7, 2), "1:give 7+2");
	CHECK_TEXT(run(1), "");
	fake.now += 2ull * S;
	CHECK_TEXT(message(1, DLS__CHUNK_DATA, 0, 0, 2), "");
	CHECK_EQ(fake.vp->queue.units, 2);
	CHECK_TEXT(run(1), "2:request");
	CHECK(near(request.report.move, 3));
	CHECK_EQ(request.report.done, 20);
	CHECK(near(request.report.dispatch, 2));
	CHECK_TEXT(message(2, DLS__GET, 1, 5, 1), "1:give 5+1");
	CHECK_TEXT(message(1, DLS__CHUNK_DATA, 0, 0, 1), "");		/* with the one that is left two */

	/* By itself, from a window that is open. */
	start("repart,fetch=get", 3, 0, NULL, 0);
	open_other(1, 3);
	CHECK_TEXT(message(2, DLS__GET, 1, 1, 2), "0:data of 1 x2");
	CHECK_TEXT(message(1, DLS__CHUNK_DATA, 0, 0, 2), "");
	CHECK_TEXT(run(1), "2:request");
	start("repart,queue=replicated", 3, 0, NULL, 0);
	open_other(1, 3);
	CHECK_TEXT(message(2, DLS__SIZE, 1, 1, 2), "");
	CHECK_TEXT(run(1), "2:request");
}

/* A worker that has been told END still gives what others are told to get. */
static void gives(void)
{
	start("repart", 3, 0, (uint64_t[]){ 1, 2, 3, 4 }, 4);
	CHECK_TEXT(message(1, DLS__GIVE, 0, 2, 2), "1:data of 0 x2");
	message(2, DLS__SIZE, 0, 0, 1);
	CHECK_TEXT(message(2, DLS__END_OF_LOOP, 0, 0, 0), "");
	CHECK_TEXT(message(1, DLS__GIVE, 0, 1, 1), "1:data of 0 x1");
	CHECK_EQ(fake.vp->queue.units, 1);
	CHECK_TEXT(run(1), "");
}

/* Results of another's tasks go back when those are done. */
static void returns(void)
{
	start("repart,return=yes,ahead=0", 4, 0, (uint64_t[]){ 1 }, 1);
	message(3, DLS__SIZE, 0, 0, 1);
	CHECK_TEXT(run(1), "3:request");
	CHECK_TEXT(message(3, DLS__GET, 1, 0, 2), "1:give 0+2");
	message(1, DLS__CHUNK_DATA, 0, 0, 2);
	CHECK_TEXT(run(1), "");
	CHECK_TEXT(run(1), "3:request, 1:results 2");
	message(3, DLS__GET, 2, 0, 1);
	message(2, DLS__CHUNK_DATA, 0, 0, 1);
	CHECK_TEXT(run(1), "3:request, 2:results 1");
	start("repart,ahead=0", 4, 0, NULL, 0);
	message(3, DLS__GET, 1, 0, 1);
	message(1, DLS__CHUNK_DATA, 0, 0, 1);
	CHECK_TEXT(run(1), "3:request");
	close_machine();
}

TEST_MAIN(T(tells) T(asks) T(reports) T(reports_no_time) T(reports_pieces) T(reports_great_weights) T(gets) T(gives) T(returns))
