/* polling.c - requests of work, Kumar 1994: one processor's decisions.
 *
 * runs: check, machines, alone */
#include "fake.h"

enum { TASKS, REQUEST, REJECT, NEXT, GIVEN };

/* The processor has run its last task. */
static const char *idle(void)
{
	fake_queue(0);
	fake.vp->load = 0;
	fake.said[0] = 0;
	fake.machine->spec.strategy->idle(fake.vp, fake.vp->state);
	return fake.said;
}

static const char *start(const char *strategy, const char *net, unsigned processors)
{
	char text[80];

	snprintf(text, sizeof(text), "%s,wait=1e-6", strategy);
	CHECK_TEXT(fake_start(text, net, processors, 0), "");
	return idle();
}

/* Asynchronous round robin of processor 0: from 1 on, without itself; it waits when all have rejected, twice as long each time
 * until it has had a task.  A second answer to a request, or one to an earlier one, changes nothing. */
static void arr(void)
{
	CHECK_TEXT(start("polling,target=arr", "ring", 4), "1:request 1 0");
	CHECK_TEXT(fake_message(1, REJECT, 1, 0), "2:request 2 0");
	CHECK_TEXT(fake_message(2, REJECT, 2, 0), "3:request 3 0");
	CHECK_TEXT(fake_message(3, REJECT, 3, 0), "timer 0 +1000");
	CHECK_TEXT(fake_timer(0), "1:request 4 0");
	fake_message(1, REJECT, 4, 0);
	fake_message(2, REJECT, 5, 0);
	CHECK_TEXT(fake_message(3, REJECT, 6, 0), "timer 0 +2000");
	CHECK_TEXT(fake_timer(0), "1:request 7 0");
	CHECK_TEXT(fake_message(1, TASKS, 7, 0), "");
	CHECK_TEXT(idle(), "2:request 8 0");
	CHECK_TEXT(fake_message(1, TASKS, 7, 0), "");
	CHECK_TEXT(idle(), "");	/* request 8 is open */
	CHECK_TEXT(fake_message(2, REJECT, 8, 0), "3:request 9 0");
	fake_message(3, REJECT, 9, 0);
	CHECK_TEXT(fake_message(1, REJECT, 10, 0), "timer 0 +1000");
	fake_load(3);
	CHECK_TEXT(fake_timer(0), "");
}

/* Global round robin: processor 0 deals the turns of all, and has its own without a message; who asks is left out. */
static void grr(void)
{
	CHECK_TEXT(start("polling,target=grr", "ring", 4), "1:request 1 0");
	CHECK_TEXT(fake_message(3, NEXT, 0, 0), "3:target 2 0");
	CHECK_TEXT(fake_message(3, NEXT, 0, 0), "3:target 0 0");
	CHECK_TEXT(fake_message(2, NEXT, 0, 0), "2:target 1 0");
	CHECK_TEXT(fake_message(1, NEXT, 0, 0), "1:target 2 0");
	CHECK_TEXT(fake_message(1, REJECT, 1, 0), "3:request 2 0");
	CHECK_TEXT(fake_message(2, GIVEN, 1, 0), "1:request 3 0");
}

/* Its neighbours in turn, and the wait after as many rejects; at random, all others alike. */
static void others(void)
{
	uint64_t asked[8] = { 0 };
	double chi = 0;

	CHECK_TEXT(start("polling,target=nn", "ring", 9), "1:request 1 0");
	CHECK_TEXT(fake_message(1, REJECT, 1, 0), "8:request 2 0");
	CHECK_TEXT(fake_message(8, REJECT, 2, 0), "timer 0 +1000");
	fake.seed = tap_seed();
	start("polling", "ring", 8);
	for (unsigned i = 0, to; i < 7000; i++) {
		fake_message(1, TASKS, i + 1, 0);
		CHECK_EQ(sscanf(idle(), "%u:request", &to), 1);
		asked[to % 8]++;
	}
	CHECK_EQ(asked[0], 0);
	for (unsigned p = 1; p < 8; p++)
		chi += ((double)asked[p] - 1000) * ((double)asked[p] - 1000) / 1000;
	tap_note("chi-squared %.1f of 6 degrees of freedom", chi);
	CHECK(chi < 40);
}

/* Half of the queued tasks, rounded up, or the part that was said; the running one stays.  The first task alone is sent if it is
 * more than that part of the load. */
static void gives(void)
{
	fake_start("polling", "ring", 4, 8);
	CHECK_TEXT(fake_message(2, REQUEST, 5, 0), "2:tasks x4");
	CHECK_TEXT(fake_message(2, REQUEST, 6, 0), "2:tasks x2");
	fake_load(2);
	CHECK_TEXT(fake_message(2, REQUEST, 7, 0), "2:tasks x1");
	CHECK_TEXT(fake_message(2, REQUEST, 7, 0), "2:reject 7 0");
	fake_start("polling,split=0.1", "ring", 4, 31);
	CHECK_TEXT(fake_message(2, REQUEST, 5, 0), "2:tasks x3");
	fake_start("polling,split=1", "ring", 4, 31);
	CHECK_TEXT(fake_message(2, REQUEST, 5, 0), "2:tasks x30");
	fake_start("polling,split=0,load=cost", "ring", 4, 31);
	CHECK_TEXT(fake_message(2, REQUEST, 5, 0), "2:tasks x1");
}

TEST_MAIN(T(arr) T(grr) T(others) T(gives))
