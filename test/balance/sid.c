/* sid.c - sender initiated diffusion, Willebeek-LeMair 1993: one processor's decisions.
 *
 * runs: check, machines, alone */
#include "fake.h"

enum { UPDATE, TASKS };

/* Loads of processor 0 and of its neighbours, of which it hears the last when it may send. */
static const char *domain(const char *how, int64_t own, int64_t a, int64_t b, int64_t c, int64_t d)
{
	return fake_domain("sid", how, d + 1, own, (int64_t[]){ a, b, c, d });
}

/* The paper's Figure 2: K = 4, average 10 (exactly: 51 / 5), surplus 21, H = 20; each deficit is met: 2.2, 5.2,
 * 6.2, 7.2. Fails if the mean leaves out the processor itself, or loads above the mean count in H. */
static void figure2(void)
{
	CHECK_TEXT(domain("nearest", 31, 8, 5, 4, 3), "1:tasks x2, 2:tasks x5, 3:tasks x6, 4:tasks x7, "
		   "1:update 11 0, 2:update 11 0, 3:update 11 0, 4:update 11 0");
}

/* Average 10, surplus 21, but H = 22, one neighbour being above: shares 5.73, 6.68, 8.59, rounded to no more
 * than 21 in all. */
static void shares(void)
{
	CHECK_TEXT(domain("floor", 31, 11, 4, 3, 1), "2:tasks x5, 3:tasks x6, 4:tasks x8, "
		   "1:update 12 0, 2:update 12 0, 3:update 12 0, 4:update 12 0");
	CHECK_TEXT(domain("nearest", 31, 11, 4, 3, 1), "2:tasks x6, 3:tasks x7, 4:tasks x8, "
		   "1:update 10 0, 2:update 10 0, 3:update 10 0, 4:update 10 0");
}

/* What was sent is believed to be there, 10 of each, until the neighbour speaks: mean 44 / 5, surplus 2.2 of 11. */
static void credit(void)
{
	domain("floor", 31, 8, 5, 4, 3);
	CHECK_TEXT(fake_message(1, UPDATE, 3, 0), "1:tasks x2, "
		   "1:update 9 0, 2:update 9 0, 3:update 9 0, 4:update 9 0");
}

/* Eq. 9 is strict, and so is L_LOW; a share of less than `min` is not sent; a change of the own load sends
 * nothing. */
static void limits(void)
{
	fake_start("sid", "complete", 2, 100);
	fake_set("sid,threshold=10");
	CHECK_TEXT(fake_message(1, UPDATE, 80, 0), "");
	CHECK_TEXT(fake_message(1, UPDATE, 78, 0), "1:tasks x11, 1:update 89 0");
	CHECK_TEXT(fake_load(200), "1:update 200 0");
	fake_set("sid,low=alpha");	/* 11 */
	CHECK_TEXT(fake_message(1, UPDATE, 11, 0), "");
	CHECK_TEXT(fake_message(1, UPDATE, 10, 0), "1:tasks x95, 1:update 105 0");

	fake_start("sid", "complete", 2, 31);
	fake_set("sid,min=8");
	CHECK_TEXT(fake_message(1, UPDATE, 16, 0), "");
	CHECK_TEXT(fake_message(1, UPDATE, 15, 0), "1:tasks x8, 1:update 23 0");
}

/* Four shares of .8, each rounded to 1, of three tasks that can go: the fourth neighbour goes without, then
 * another.  Fails if it is always the last. */
static void turns(void)
{
	CHECK_TEXT(domain("nearest", 4, 0, 0, 0, 0), "1:tasks x1, 2:tasks x1, 3:tasks x1, "
		   "1:update 1 0, 2:update 1 0, 3:update 1 0, 4:update 1 0");
	fake_set("sid,round=nearest,low=0");
	fake_load(4);
	for (unsigned k = 1; k < 4; k++)
		fake_message(k, UPDATE, 0, 0);
	fake_set("sid,round=nearest,low=1");
	CHECK_TEXT(fake_message(4, UPDATE, 0, 0), "2:tasks x1, 3:tasks x1, 4:tasks x1, "
		   "1:update 1 0, 2:update 1 0, 3:update 1 0, 4:update 1 0");
}

/* unknown=: a neighbour that has not told its load has the mean of the others and gets nothing; or its load is waited for; or it has none,
 * and what it was sent until then counts until then.  Fails if equals are sent tasks, or one kind is another. */
static void silent(void)
{
	fake_start("sid,unknown=mean", "complete", 3, 50);
	CHECK_TEXT(fake_message(1, UPDATE, 50, 0), "");
	CHECK_TEXT(fake_message(1, UPDATE, 40, 0), "1:tasks x5, 1:update 45 0, 2:update 45 0");
	CHECK_TEXT(fake_message(2, UPDATE, 45, 0), "");

	fake_start("sid,unknown=wait", "complete", 3, 50);
	CHECK_TEXT(fake_message(1, UPDATE, 40, 0), "");
	CHECK_TEXT(fake_message(2, UPDATE, 0, 0), "2:tasks x20, 1:update 30 0, 2:update 30 0");

	fake_start("sid,unknown=empty", "complete", 3, 50);
	CHECK_TEXT(fake_message(1, UPDATE, 40, 0), "2:tasks x20, 1:update 30 0, 2:update 30 0");
	CHECK_TEXT(fake_message(1, UPDATE, 40, 0), "");
	CHECK_TEXT(fake_message(2, UPDATE, 0, 0), "2:tasks x6, 1:update 24 0, 2:update 24 0");
}

static void alone(void)
{
	CHECK_TEXT(fake_start("sid", "complete", 1, 50), "");
	CHECK_TEXT(fake_load(0), "");
}

/* small=raise: a share of less than `min` is raised to it.  Average 10, surplus 21, H = 22: shares 5.73, 6.68, 8.59; within the
 * surplus 7 and 7 are all that the first two leave the third.  cap=off: 9 too, and more than 21 in all. */
static void raised(void)
{
	CHECK_TEXT(fake_domain("sid,small=raise,min=8", "floor", 2, 31, (int64_t[]){ 11, 4, 3, 1 }),
		   "2:tasks x8, 3:tasks x8, 1:update 15 0, 2:update 15 0, 3:update 15 0, 4:update 15 0");
	CHECK_TEXT(fake_domain("sid,small=raise,min=8,cap=off", "floor", 2, 31, (int64_t[]){ 11, 4, 3, 1 }),
		   "2:tasks x8, 3:tasks x8, 4:tasks x8, 1:update 7 0, 2:update 7 0, 3:update 7 0, 4:update 7 0");
	CHECK_TEXT(fake_domain("sid,cap=off", "nearest", 2, 31, (int64_t[]){ 11, 4, 3, 1 }), "2:tasks x6, 3:tasks x7, 4:tasks x9, "
		   "1:update 9 0, 2:update 9 0, 3:update 9 0, 4:update 9 0");
}

/* credit=off: the loads of 5, 4 and 3 stand, beside 11 and 3: mean 26 / 5, shares 2.2, .2, 1.2, 2.2.  Fails if what was sent
 * counts. */
static void no_credit(void)
{
	fake_domain("sid,credit=off", "floor", 4, 31, (int64_t[]){ 8, 5, 4, 3 });
	CHECK_TEXT(fake_message(1, UPDATE, 3, 0), "3:tasks x1, 4:tasks x2, 1:tasks x2, "
		   "1:update 6 0, 2:update 6 0, 3:update 6 0, 4:update 6 0");
}

/* counts=pending: of 31 tasks one runs: mean 50 / 5, surplus 20, and 10 are left.  Between two tasks, load 0 running, the one about
 * to begin does not count.  Fails if the running one does. */
static void pending(void)
{
	CHECK_TEXT(fake_domain("sid,counts=pending", "floor", 4, 31, (int64_t[]){ 8, 5, 4, 3 }), "1:tasks x2, 2:tasks x5, 3:tasks x6, 4:tasks x7, "
		   "1:update 10 0, 2:update 10 0, 3:update 10 0, 4:update 10 0");
	CHECK_TEXT(fake_start("sid,counts=pending", "complete", 2, 9), "1:update 8 0");
}

/* update=drop: a rise is not told, a fall to u times is. */
static void drops(void)
{
	fake_start("sid,update=drop", "complete", 2, 100);
	CHECK_TEXT(fake_load(200), "");
	CHECK_TEXT(fake_load(91), "");
	CHECK_TEXT(fake_load(90), "1:update 90 0");
}

TEST_MAIN(T(raised) T(no_credit) T(pending) T(drops) T(figure2) T(shares) T(credit) T(limits) T(turns) T(silent) T(alone))
