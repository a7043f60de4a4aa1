/* links.c - contention=: messages wait for the links they cross, computed by hand; none is lost, or overtakes another one on its way.
 *
 * runs: check, machines, pthreads */
#include "dls/net.h"
#include "sender.h"

enum { P = 8, L = 100000, H = 10000, MESSAGES = 20 };	/* latency and hop, ns; messages of each processor */
enum { MANY = 40 };	/* processors that all have links */

static unsigned processors = P;

/* Short messages, such as the detection's, take no wire. */
static void run(const char *contention, const char *net)
{
	char costs[160];

	snprintf(costs, sizeof(costs), "ideal,latency=1e-4,hop=1e-5,long=200,byte=1e-6,contention=%s", contention);
	dls_machine_close(send_plans((struct dls_machine_desc){ .net = net, .processors = processors, .costs = costs }));
}

/* ns that a message with these data is on a wire. */
static uint64_t wire(unsigned bytes)
{
	return 1000 * (16 + 8 * DLS_MESSAGE_WORDS + (uint64_t)bytes);
}

/* From 0 to 3 of a ring, over three links.  Fails if: a link is left out or counted twice, or cut-through waits for the end. */
static void alone(void)
{
	const uint64_t w = wire(1000);

	plans = 1;
	plan[0] = (struct plan){ 0, 3, 1000 };
	run("off", "ring");
	CHECK_EQ(arrived[0], w + L + 2 * H);
	run("on", "ring");
	CHECK_EQ(arrived[0], 3 * w + L + 2 * H);
	run("cut", "ring");
	CHECK_EQ(arrived[0], w + L + 2 * H);
	plan[0].bytes = 10;	/* a short one */
	run("on", "ring");
	CHECK_EQ(arrived[0], L + 2 * H);
}

/* Fails if: a link carries two messages at a time, the two directions of a link are one, or other links wait as well. */
static void several(void)
{
	const uint64_t w = wire(1000);

	plans = 4;
	plan[0] = (struct plan){ 1, 3, 1000 };
	plan[1] = (struct plan){ 0, 3, 1000 };
	plan[2] = (struct plan){ 3, 2, 1000 };
	plan[3] = (struct plan){ 5, 6, 1000 };
	run("cut", "ring");
	CHECK_EQ(arrived[0], L + H + w);
	/* Its head is at 1 after L, waits there until w, and at 2 until L + w. */
	CHECK_EQ(arrived[1], L + w + H + w);
	CHECK_EQ(arrived[2], w + L);
	CHECK_EQ(arrived[3], w + L);
	plans = 2;
	plan[0] = plan[1];	/* twice the same way */
	run("on", "ring");
	CHECK_EQ(arrived[0], 3 * w + L + 2 * H);
	CHECK_EQ(arrived[1], 4 * w + L + 2 * H);
}

/* Fails if: virtual_links.L1 does not hold, a message is lost, or a message comes earlier than over free links. */
static void in_order(void)
{
	static const char *const contention[] = { "on", "cut" };
	const char *net;
	uint64_t state = tap_seed();

	for (size_t n = 0; (net = dls_net_kind_at(n)); n++)
		for (unsigned c = 0; c < 2; c++) {
			unsigned early = 0;

			draw_plans(P * MESSAGES, P, &state);
			run(contention[c], net);
			for (unsigned i = 0; i < plans; i++)
				early += arrived[i] < L + (plan[i].bytes > 200 ? wire(plan[i].bytes) : 0);
			if (CHECK_EQ(early + overtaken(), 0))
				tap_note("%s, contention=%s", net, contention[c]);
		}
}

/* Each processor sends one message to each other one, and then one more, over 1560 links.
 * Fails if: a link that is occupied is forgotten when there come to be more links. */
static void many(void)
{
	plans = 0;
	for (unsigned from = 0; from < MANY; from++)
		for (unsigned k = 0; k < 2 * MANY; k++)
			if (k % MANY != from)
				plan[plans++] = (struct plan){ from, k % MANY, 1000 };
	processors = MANY;
	run("on", "complete");
	processors = P;
	for (unsigned i = 0; i < plans; i++)
		CHECK_EQ(arrived[i], (i % (2 * MANY - 2) < MANY - 1 ? 1 : 2) * wire(1000) + L);
}

static void registered(void)
{
	CHECK_EQ(dls_strategy_register(&sender), 0);
}

TEST_MAIN(T(registered) T(alone) T(several) T(in_order) T(many))
