/* sender.h - a strategy whose processors send the messages of a plan at the start, and note when each arrives, and in which order. */
#ifndef SENDER_H
#define SENDER_H

#include <string.h>

#include "dls/strategy.h"
#include "machine.h"

enum { MOST = 3200, LONGEST = 3000 };	/* messages; bytes of each */

static struct plan {
	unsigned from, to, bytes;
} plan[MOST];
static unsigned plans;
static uint64_t arrived[MOST];	/* by the number of the message */
static unsigned order[MOST], orders;

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

/* Send them; a task of the last processor keeps the run from ending before.  NULL: the machine cannot be opened. */
static struct dls_machine *send_plans(struct dls_machine_desc desc)
{
	struct dls_machine *machine;

	desc.strategy = "sender";
	machine = machine_open(desc);
	memset(arrived, 0, sizeof(arrived));
	orders = 0;
	if (!CHECK(machine))
		return NULL;
	machine_add(machine, desc.processors - 1, 10000000000);
	CHECK_EQ(dls_machine_run(machine), 0);
	CHECK_EQ(machine_result(machine).messages, plans);
	return machine;
}

/* From each processor in turn, to a drawn one, of a drawn length. */
static void draw_plans(unsigned messages, unsigned processors, uint64_t *state)
{
	for (plans = 0; plans < messages; plans++) {
		unsigned from = plans % processors, to = (unsigned)((from + 1 + tap_random(state) % (processors - 1)) % processors);

		plan[plans] = (struct plan){ from, to, (unsigned)(tap_random(state) % LONGEST) };
	}
}

/* How many messages came before one that left earlier on the same way. */
static unsigned overtaken(void)
{
	static unsigned at[MOST];
	unsigned n = 0;

	CHECK_EQ(orders, plans);
	for (unsigned i = 0; i < orders; i++)
		at[order[i]] = i;
	for (unsigned i = 0; i < plans; i++)
		for (unsigned k = 0; k < i; k++)
			n += plan[k].from == plan[i].from && plan[k].to == plan[i].to && at[k] > at[i];
	return n;
}

#endif
