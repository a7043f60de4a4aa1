/* gm.c - gradient model, Willebeek-LeMair 1993: one processor's decisions, and whole machines in virtual time.
 *
 * runs: check, machines, alone */
#include "fake.h"
#include "whole.h"

enum { PROXIMITY, TASKS };

/* Processor 0 of a 4 x 4 torus, w_max = 4, neighbours 1, 3, 4 and 12: eq. 5, told when it changes:
 * at once if it falls, at the next poll if it rises.  LWM 5, HWM 10. */
static void proximity(void)
{
	fake_start("gm,lwm=5", "torus:4x4", 16, 8);
	CHECK_TEXT(fake_message(3, PROXIMITY, 3, 0), "");	/* min + 1 = w_max */
	CHECK_TEXT(fake_message(1, PROXIMITY, 1, 0), "1:proximity 2 0, 3:proximity 2 0, 4:proximity 2 0, 12:proximity 2 0");
	CHECK_TEXT(fake_message(4, PROXIMITY, 1, 0), "");
	CHECK_TEXT(fake_message(1, PROXIMITY, 4, 0), "");
	CHECK_TEXT(fake_message(4, PROXIMITY, 2, 0), "timer 1 +1");
	CHECK_TEXT(fake_message(4, PROXIMITY, 4, 0), "");
	CHECK_TEXT(fake_timer(1), "1:proximity 4 0, 3:proximity 4 0, 4:proximity 4 0, 12:proximity 4 0");
	CHECK_TEXT(fake_load(5), "");
	CHECK_TEXT(fake_load(4), "1:proximity 0 0, 3:proximity 0 0, 4:proximity 0 0, 12:proximity 0 0");
	CHECK_TEXT(fake_load(3), "");
}

/* Above 10, delta goes at each poll to the neighbour closest to a light one, those that tie taking turns; not at 10, nor with
 * all neighbours at w_max.  Fails if the timer runs on with nothing to release. */
static void release(void)
{
	fake_start("gm,lwm=5,delta=2", "torus:4x4", 16, 40);
	fake_message(3, PROXIMITY, 2, 0);
	CHECK_TEXT(fake_message(12, PROXIMITY, 2, 0), "");	/* already set */
	CHECK_TEXT(fake_timer(0), "3:tasks x2, timer 0 +1");
	CHECK_TEXT(fake_timer(0), "12:tasks x2, timer 0 +1");
	CHECK_TEXT(fake_timer(0), "3:tasks x2, timer 0 +1");
	fake_message(1, PROXIMITY, 1, 0);
	CHECK_TEXT(fake_timer(0), "1:tasks x2, timer 0 +1");
	CHECK_TEXT(fake_timer(0), "1:tasks x2, timer 0 +1");
	fake_load(12);
	CHECK_TEXT(fake_timer(0), "1:tasks x2");
	fake_load(40);
	fake_message(1, PROXIMITY, 4, 0);
	fake_message(3, PROXIMITY, 4, 0);
	fake_message(12, PROXIMITY, 4, 0);
	CHECK_TEXT(fake_timer(0), "");
	CHECK_TEXT(fake_message(4, PROXIMITY, 3, 0), "timer 0 +1");
}

/* The periodic form: w_max = 5, all is done when 2, 4, ... us have passed, and what arrives stays. */
static void periodic(void)
{
	fake_start("gm,lwm=5,update=period,t=2e-6", "torus:4x4", 16, 40);
	fake.now = 4600;
	CHECK_TEXT(fake_message(3, PROXIMITY, 4, 0), "timer 0 +1400");	/* min + 1 = w_max, but there is one below that */
	CHECK_TEXT(fake_message(1, PROXIMITY, 3, 0), "timer 1 +1400");
	fake.now = 6000;
	CHECK_TEXT(fake_timer(1), "1:proximity 4 0, 3:proximity 4 0, 4:proximity 4 0, 12:proximity 4 0");
	CHECK_TEXT(fake_timer(0), "1:tasks x1, timer 0 +2000");
	CHECK_TEXT(fake_message(1, TASKS, 0, 0), "");
}

/* What arrives at a processor that is not light goes on to the closer neighbour; under arrived=stays it stays. */
static void arrived(void)
{
	fake_start("gm,lwm=5", "torus:4x4", 16, 8);
	fake_message(3, PROXIMITY, 1, 0);
	CHECK_TEXT(fake_message(1, TASKS, 0, 0), "3:tasks 0 0");
	fake_start("gm,lwm=5,arrived=stays", "torus:4x4", 16, 8);
	fake_message(3, PROXIMITY, 1, 0);
	CHECK_TEXT(fake_message(1, TASKS, 0, 0), "");
}

/* delta in per cent of the initial load, a task at least; LWM = 1 + a tenth of it, HWM twice that. */
static void parameters(void)
{
	fake_start("gm,delta=10%", "ring", 4, 40);	/* 5 and 10 */
	CHECK_TEXT(fake_message(1, PROXIMITY, 0, 0), "1:proximity 1 0, 3:proximity 1 0, timer 0 +1");
	CHECK_TEXT(fake_timer(0), "1:tasks x4, timer 0 +1");
	fake_load(11);
	CHECK_TEXT(fake_timer(0), "1:tasks x4");
	CHECK_TEXT(fake_load(5), "");
	CHECK_TEXT(fake_load(4), "1:proximity 0 0, 3:proximity 0 0");
	fake_start("gm,delta=1%,hwm=30", "ring", 4, 40);
	fake_message(1, PROXIMITY, 0, 0);
	CHECK_TEXT(fake_timer(0), "1:tasks x1, timer 0 +1");
	fake_load(31);
	CHECK_TEXT(fake_timer(0), "1:tasks x1");
}

/* Distances of the two ends of the first message with tasks in *said from a processor; *said goes past it. */
static bool next_transfer(const char **said, const struct dls_net *net, unsigned goal, unsigned *from, unsigned *to)
{
	char kind[16];

	while (**said && sscanf(*said, "%u<%u %15s", to, from, kind) == 3) {
		*said += strcspn(*said, ",");
		*said += strspn(*said, ", ");
		if (strcmp(kind, "tasks") == 0) {
			*from = dls_net_distance(net, *from, goal);
			*to = dls_net_distance(net, *to, goal);
			return true;
		}
	}
	return false;
}

/* Figure 1: one light processor, 5, and two heavy ones, 2 and 15.  Each comes to know its distance from the light one, and
 * every transfer goes one link towards it. */
static void figure1(void)
{
	static const unsigned tasks[] = { 50, 50, 90, 50, 50, 0, 50, 50, 50, 50, 50, 50, 50, 50, 50, 90 };
	struct whole w = { .strategy = "gm,lwm=40,hwm=60,hops=9", .net = "mesh:4x4", .processors = 16, .cost = 1000000000,
			   .until = 4500000 };
	const char *said = whole.said;
	unsigned from, to, arrived = 0, n = 0;
	struct dls_net net;

	whole_run(&w, tasks);
	CHECK_EQ(dls_net_parse(&net, w.net, 16, NULL), 0);
	for (unsigned p = 0; p < 16; p++)
		CHECK_EQ(whole.word[p][PROXIMITY], dls_net_distance(&net, p, 5));
	for (; next_transfer(&said, &net, 5, &from, &to); n++) {
		CHECK_EQ(to, from - 1);
		arrived += to == 0;
	}
	CHECK(n > 10 && arrived > 3);
}

/* A task is sent so many times at most: three links from the heavy one for N = 8, or as many as said. */
static void hops(void)
{
	static const char *const strategies[] = { "gm,lwm=40,hwm=60,hops=1", "gm,lwm=40,hwm=60,hops=2", "gm,lwm=40,hwm=60" };
	static const unsigned tasks[] = { 90, 50, 50, 50, 0, 50, 50, 50 };
	struct dls_net net;

	CHECK_EQ(dls_net_parse(&net, "ring", 8, NULL), 0);
	for (unsigned i = 0; i < 3; i++) {
		struct whole w = { .strategy = strategies[i], .net = "ring", .processors = 8, .cost = 1000000000,
				   .until = 4500000 };
		const char *said = whole.said;
		unsigned from, to, farthest = 0;

		whole_run(&w, tasks);
		while (next_transfer(&said, &net, 0, &from, &to))
			farthest = to > farthest ? to : farthest;
		CHECK_EQ(farthest, i + 1);
	}
}

/* A processor that is heavy by the one task that it runs has nothing to release, and waits in silence. */
static void silence(void)
{
	static const unsigned tasks[] = { 1, 0 };
	struct whole w = { .strategy = "gm,load=cost", .processors = 2, .cost = 1000000000000 };

	CHECK(whole_run(&w, tasks).events < 30);
}

TEST_MAIN(T(proximity) T(release) T(periodic) T(arrived) T(parameters) T(figure1) T(hops) T(silence))
