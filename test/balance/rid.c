/* rid.c - receiver initiated diffusion, Willebeek-LeMair 1993: one processor's decisions.
 *
 * runs: check, machines, alone */
#include "fake.h"

enum { UPDATE, REQUEST, ANSWER, TASKS };

/* Loads of processor 0 and of its neighbours, of which it hears the last when it may ask. */
static const char *domain(const char *how, int64_t own, int64_t a, int64_t b, int64_t c, int64_t d)
{
	return fake_domain("rid", how, own + 1, own, (int64_t[]){ a, b, c, d });
}

/* The paper's Figure 3: K = 4, average 10, deficiency D = 8, surplus H = 4 + 3 + 2 = 9: shares 3.56, 2.67, 1.78,
 * rounded one by one.  Fails if the neighbour below the mean counts in H, or the shares are not of D. */
static void figure3(void)
{
	CHECK_TEXT(domain("floor", 2, 14, 13, 12, 9), "1:request 3 0, 2:request 2 0, 3:request 1 0");
	CHECK_TEXT(domain("nearest", 2, 14, 13, 12, 9), "1:request 4 0, 2:request 3 0, 3:request 2 0");

	/* The second has 4 tasks, not 13, and gives 2 of them; nothing is asked before the last answer. */
	CHECK_TEXT(fake_load(6), "1:update 6 0, 2:update 6 0, 3:update 6 0, 4:update 6 0");
	fake_set("rid,low=inf");
	CHECK_TEXT(fake_message(1, ANSWER, 4, 10), "");
	CHECK_TEXT(fake_message(4, UPDATE, 90, 0), "");
	fake_load(8);
	CHECK_TEXT(fake_message(2, ANSWER, 2, 2), "");
	fake_load(10);
	/* Loads 10, 10, 2, 10, 90: mean 24.4. */
	CHECK_TEXT(fake_message(3, ANSWER, 2, 10), "4:request 14 0");
}

/* A request is met up to half of the load, and always answered.  Fails if half is rounded up, or what is left is
 * counted before the tasks go. */
static void answers(void)
{
	fake_start("rid", "complete", 2, 100);
	fake_set("rid,u=0,low=0");
	CHECK_TEXT(fake_message(1, REQUEST, 30, 0), "1:tasks x30, 1:answer 30 70");
	CHECK_TEXT(fake_message(1, REQUEST, 36, 0), "1:tasks x35, 1:answer 35 35");
	CHECK_TEXT(fake_message(1, REQUEST, 18, 0), "1:tasks x17, 1:answer 17 18");
	fake_load(1);
	CHECK_TEXT(fake_message(1, REQUEST, 1, 0), "1:answer 0 1");
	fake_load(0);
	CHECK_TEXT(fake_message(1, REQUEST, 1, 0), "1:answer 0 0");
}

/* A neighbour that granted nothing is not asked again before it speaks; one that granted something is.  Fails if two processors can
 * go on asking and refusing for ever. */
static void rest(void)
{
	fake_start("rid", "complete", 2, 0);
	fake_set("rid,low=inf");
	CHECK_TEXT(fake_message(1, UPDATE, 20, 0), "1:request 10 0");
	CHECK_TEXT(fake_message(1, ANSWER, 0, 20), "");
	CHECK_TEXT(fake_load(1), "1:update 1 0");
	CHECK_TEXT(fake_message(1, UPDATE, 21, 0), "1:request 10 0");
	CHECK_TEXT(fake_message(1, ANSWER, 1, 20), "1:request 10 0");	/* 9.5 */
	CHECK_TEXT(fake_message(1, ANSWER, 0, 0), "");
}

/* Eq. 16 is strict, and so is L_LOW = alpha = 1 + 100 / 10; a share of less than `min` is not asked for. */
static void limits(void)
{
	fake_start("rid", "complete", 2, 100);
	CHECK_TEXT(fake_message(1, UPDATE, 200, 0), "");
	CHECK_TEXT(fake_load(11), "1:update 11 0");
	CHECK_TEXT(fake_load(10), "1:request 95 0");

	fake_start("rid", "complete", 2, 1);
	CHECK_TEXT(fake_message(1, UPDATE, 3, 0), "");
	CHECK_TEXT(fake_message(1, UPDATE, 4, 0), "1:request 2 0");	/* 1.5 */
	fake_start("rid,cap=on", "complete", 2, 1);
	CHECK_TEXT(fake_message(1, UPDATE, 4, 0), "1:request 1 0");
	fake_start("rid", "complete", 2, 1);
	fake_set("rid,min=3");
	CHECK_TEXT(fake_message(1, UPDATE, 5, 0), "");
	CHECK_TEXT(fake_message(1, UPDATE, 7, 0), "1:request 3 0");
	fake_start("rid", "complete", 2, 1);
	fake_set("rid,threshold=10");
	CHECK_TEXT(fake_message(1, UPDATE, 21, 0), "");
	CHECK_TEXT(fake_message(1, UPDATE, 23, 0), "1:request 11 0");
}

/* cap=on: lacking 2.4, .6 from each of four, it asks two for 1; the next time the second and third.  Fails if it is always
 * the same. */
static void turns(void)
{
	CHECK_TEXT(fake_domain("rid,cap=on", "nearest", 1, 0, (int64_t[]){ 3, 3, 3, 3 }), "1:request 1 0, 2:request 1 0");
	fake_load(2);
	CHECK_TEXT(fake_message(1, ANSWER, 1, 3), "");
	CHECK_TEXT(fake_message(2, ANSWER, 1, 3), "");
	CHECK_TEXT(fake_load(0), "1:update 0 0, 2:update 0 0, 3:update 0 0, 4:update 0 0, 2:request 1 0, 3:request 1 0");
}

/* A neighbour is believed to have no load before it speaks: mean 10. */
static void silent(void)
{
	fake_start("rid", "complete", 5, 0);
	CHECK_TEXT(fake_message(3, UPDATE, 50, 0), "3:request 10 0");
}

static void alone(void)
{
	CHECK_TEXT(fake_start("rid", "complete", 1, 50), "");
	CHECK_TEXT(fake_load(0), "");
}

/* Figure 3's shares add up to 9, not to D = 8; under cap=on the last is cut.  .6 from each of four becomes four requests. */
static void cap(void)
{
	CHECK_TEXT(fake_domain("rid,cap=on", "nearest", 3, 2, (int64_t[]){ 14, 13, 12, 9 }), "1:request 4 0, 2:request 3 0, 3:request 1 0");
	CHECK_TEXT(domain("nearest", 0, 3, 3, 3, 3), "1:request 1 0, 2:request 1 0, 3:request 1 0, 4:request 1 0");
}

/* trigger=load: an update makes it ask nothing, a change of its own load does.  Fails if both do. */
static void trigger(void)
{
	fake_start("rid,low=inf,trigger=load", "complete", 2, 30);
	CHECK_TEXT(fake_message(1, UPDATE, 60, 0), "");
	CHECK_TEXT(fake_load(28), "1:request 16 0");
}

/* counts=pending: the running task counts neither in what is asked for nor in what is given. */
static void pending(void)
{
	fake_start("rid,u=0,low=0,counts=pending", "complete", 2, 37);
	CHECK_TEXT(fake_message(1, REQUEST, 30, 0), "1:tasks x18, 1:answer 18 18");
}

TEST_MAIN(T(cap) T(trigger) T(pending) T(figure3) T(answers) T(rest) T(limits) T(turns) T(silent) T(alone))
