/* links.c - contention=: messages wait for the links they cross, computed by hand; none is lost, or overtakes another one on its way. */
#include <string.h>

#include "dls/net.h"
#include "dls/strategy.h"
#include "machine.h"

enum { P = 8, L = 100000, H = 10000, MESSAGES = 20, LONGEST = 3000 };	/* latency and hop, ns; messages of each processor */
enum { MANY = 40, MOST = 2 * MANY * MANY };	/* processors that all have links; messages */

static struct plan {
	unsigned from, to, bytes;
} plan[MOST];
static unsigned plans;
static uint64_t arrived[MOST];	/* by the number of the message */
static unsigned order[MOST], orders, processors = P;

static void send_all(struct dls_vp *vp, void *state)
{
	static const char data[LONGEST];

	for (unsigned i = 0; i < plans; i++) {
		int64_t word[DLS_MESSAGE_WORDS] = { i };

		if (plan[i].from == dls_vp_id(vp))
			dls_vp_send_data(vp, plan[i].to, 0, word, data, plan[i].bytes);
	}
}

static void keep(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	arrived[message->word[0]] = dls_vp_now(vp);
	order[orders++] = (unsigned)message->word[0];
}

static const struct dls_strategy sender = {
	.size = sizeof(sender), .name = "sender", .source = "this test", .idea = "all messages leave at the start",
	.start = send_all, .message = keep, .kind = { "message" },
};

/* Send them under these costs; a task keeps the run from ending before.  Short messages, such as the detection's, take no wire. */
static void run(const char *contention, const char *net)
{
	char costs[160];
	struct dls_machine *machine;

	snprintf(costs, sizeof(costs), "ideal,latency=1e-4,hop=1e-5,long=200,byte=1e-6,contention=%s", contention);
	machine = machine_open((struct dls_machine_desc){ .strategy = "sender", .net = net, .processors = processors, .costs = costs });
	memset(arrived, 0, sizeof(arrived));
	orders = 0;
	if (!CHECK(machine))
		return;
	machine_add(machine, processors - 1, 10000000000);
	CHECK_EQ(dls_machine_run(machine), 0);
	CHECK_EQ(machine_result(machine).messages, plans);
	dls_machine_close(machine);
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
			unsigned at[P * MESSAGES], bad = 0;

			plans = 0;
			for (unsigned i = 0; i < P * MESSAGES; i++) {
				struct plan *p = &plan[plans++];

				p->from = i % P;
				p->to = (unsigned)((p->from + 1 + tap_random(&state) % (P - 1)) % P);
				p->bytes = (unsigned)(tap_random(&state) % LONGEST);
			}
			run(contention[c], net);
			CHECK_EQ(orders, plans);
			for (unsigned i = 0; i < orders; i++)
				at[order[i]] = i;
			for (unsigned i = 0; i < plans; i++) {
				bad += arrived[i] < L + (plan[i].bytes > 200 ? wire(plan[i].bytes) : 0);
				for (unsigned k = 0; k < i; k++)
					bad += plan[k].from == plan[i].from && plan[k].to == plan[i].to && at[k] > at[i];
			}
			if (CHECK_EQ(bad, 0))
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

/* Every strategy balances a load on a mesh whose links are narrow, and twice in the same way.
 * Fails if: a task is lost on its way, or a run leaves a link occupied for the next. */
static void strategies(void)
{
	for (size_t s = 0; dls_strategy_at(s); s++) {
		struct dls_machine *machine;
		struct dls_run_result r[2];

		if (strcmp(dls_strategy_at(s)->name, "sender") == 0)
			continue;
		machine = machine_open((struct dls_machine_desc){ .strategy = dls_strategy_at(s)->name, .net = "mesh:4x3",
								  .costs = "cluster,byte=1e-7,contention=on", .seed = 3 });
		if (!CHECK(machine))
			return;
		for (unsigned k = 0; k < 2; k++) {
			for (unsigned i = 0; i < 200; i++)
				machine_add(machine, i % 2, 100000);
			CHECK_EQ(dls_machine_run(machine), 0);
			r[k] = machine_result(machine);
			CHECK_EQ(r[k].tasks, 200);
		}
		if (!CHECK(r[0].time >= r[1].time && r[0].time <= r[1].time && r[0].events == r[1].events))
			tap_note("%s", dls_strategy_at(s)->name);
		dls_machine_close(machine);
	}
}

static void registered(void)
{
	CHECK_EQ(dls_strategy_register(&sender), 0);
}

TEST_MAIN(T(registered) T(alone) T(several) T(in_order) T(many) T(strategies))
