/* links.c - messages wait for the links of a platform, whose speeds change, too: computed by hand; none is lost, or overtakes
 * another one on its way; bad platforms.
 *
 * runs: check, machines, pthreads */
#include <math.h>

#include "dls/platform.h"
#include "dls/strategy.h"
#include "machine.h"

/* A strategy whose processors send the messages of a plan at the start, and note when each arrives, and in which order. */
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

enum { P = 4, MANY = 40, HEAD = 16 + 8 * DLS_MESSAGE_WORDS };

/* Each processor has a link of its own, and all share the fifth: 1 MB/s, 2 MB/s; the sixth carries all at once. */
static const struct dls_platform_link links[] = {
	{ 1e-3, 1e6, true }, { 1e-3, 1e6, true }, { 1e-3, 1e6, true }, { 1e-3, 1e6, true }, { 5e-3, 2e6, true }, { 5e-3, 2e5, false },
};
enum { LINKS = sizeof(links) / sizeof(*links), BACKBONE = 4, WIDE = 5 };

static unsigned by_backbone(const void *context, unsigned from, unsigned to, unsigned link[DLS_ROUTE_MAX])
{
	link[0] = from % P;
	link[1] = *(const unsigned *)context;
	link[2] = to % P;
	return from == to ? 0 : 3;
}

/* Half the speed from 2 to 3 s, and then for ever 4 times. */
static double factor(const void *context, unsigned processor, uint64_t ns, uint64_t *until)
{
	const uint64_t s = 1000000000;

	(void)context;
	if (processor)
		return 1;
	*until = ns < 2 * s ? 2 * s : ns < 3 * s ? 3 * s : UINT64_MAX;
	return ns < 2 * s ? 1 : ns < 3 * s ? .5 : 4;
}

static struct dls_platform platform(const unsigned *middle)
{
	return (struct dls_platform){ .size = sizeof(struct dls_platform), .processors = MANY, .links = LINKS, .link = links,
				      .route = by_backbone, .context = middle };
}

static struct dls_machine *run(unsigned middle, unsigned processors)
{
	static unsigned context;
	struct dls_platform p = platform(&context);

	context = middle;
	return send_plans((struct dls_machine_desc){ .net = "ring", .processors = processors, .costs = "ideal", .platform = &p });
}

/* ns on the wire of a link of so many bytes per s. */
static uint64_t wire(unsigned bytes, double bandwidth)
{
	return (uint64_t)llround((HEAD + bytes) / bandwidth * 1e9);
}

static struct dls_link_stats stats(const struct dls_machine *machine, unsigned link)
{
	struct dls_link_stats s = { .size = sizeof(s) };

	CHECK_EQ(dls_machine_link_stats(machine, link, &s), 0);
	return s;
}

/* Latencies add up, the slowest link counts once.  Two to the same processor share the backbone, where the second comes at the same
 * time, and then its link.  Fails if: a link is left out, carries two at a time, or its traffic is counted wrongly. */
static void shared(void)
{
	const uint64_t slow = wire(1000, 1e6), fast = wire(1000, 2e6), ms = 1000000;
	struct dls_machine *machine;

	plans = 2;
	plan[0] = (struct plan){ 0, 1, 1000 };
	plan[1] = (struct plan){ 2, 1, 1000 };
	machine = run(BACKBONE, P);
	if (!machine)
		return;
	CHECK_EQ(arrived[0], 7 * ms + slow);
	/* At the fourth link at 6 ms + fast; it is free at 6 ms + slow. */
	CHECK_EQ(arrived[1], 7 * ms + 2 * slow);
	CHECK(stats(machine, 0).messages >= 1 && stats(machine, 0).bytes >= HEAD + 1000);
	CHECK(stats(machine, BACKBONE).waited >= 1e-9 * (double)fast);
	CHECK_EQ(stats(machine, WIDE).messages, 0);
	dls_machine_close(machine);
}

/* Fails if: messages wait for a link that is not shared, or a short one overtakes a long one on it. */
static void wide(void)
{
	const uint64_t slow = wire(1000, 2e5), first = wire(1000, 1e6), ms = 1000000;
	struct dls_machine *machine;

	plans = 3;
	plan[0] = (struct plan){ 0, 1, 1000 };
	plan[1] = (struct plan){ 2, 3, 1000 };
	plan[2] = (struct plan){ 0, 1, 0 };
	machine = run(WIDE, P);
	if (!machine)
		return;
	CHECK(first < slow);
	CHECK_EQ(arrived[0], 7 * ms + slow);
	CHECK_EQ(arrived[1], 7 * ms + slow);
	CHECK_EQ(arrived[2], 7 * ms + slow);
	dls_machine_close(machine);
}

/* Of the 1560 ways between 40 processors most are taken.
 * Fails if: platform.H1 does not hold, a message is lost, or a way is forgotten when there come to be more. */
static void in_order(void)
{
	uint64_t state = tap_seed();

	for (unsigned i = 0; i < 4; i++) {
		unsigned processors = i < 2 ? P : MANY;
		struct dls_machine *machine;

		draw_plans(i < 2 ? 400 : MOST, processors, &state);
		machine = run(i % 2 ? WIDE : BACKBONE, processors);
		CHECK_EQ(overtaken(), 0);
		dls_machine_close(machine);
	}
}

/* 2 s at speed 1, 1 at a half, then at 4: 5 s of work end at 3 + 2.5 / 4; of a processor of speed 2, 10 s; with a quantum of 0.3 s and polls of
 * 0.01 s, which begin anew at each change: 6 polls in 2 s, 3 in 1 s.
 * Fails if: a change comes late, what is left is not expressed by the new speed, or polls are lost. */
static void speeds(void)
{
	static const struct {
		const char *costs;
		double speed, work, end, busy;
	} row[] = {
		{ "ideal", 1, 5, 3.625, 3.625 }, { "ideal", 2, 10, 3.625, 3.625 }, { "ideal", 1, 1.5, 1.5, 1.5 },
		{ "ideal", 1, 2, 2, 2 }, { "ideal", 1, 2.25, 2.5, 2.5 },
		/* 1.94 + 0.97 / 2 s of work are done at 3 s, 0.5 are left: one poll */
		{ "ideal,quantum=0.3,poll=0.01", 1, 2.925, 3.135, 3.035 },
		/* Both changes in a cycle of 0.45 s, the first in its poll: 0.75 + 0.4 / 2 s are done at 3 s, and 0.4 are left. */
		{ "ideal,quantum=0.15,poll=0.3", 1, 1.35, 3.4, 1.25 },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		static const unsigned middle = BACKBONE;
		struct dls_platform p = platform(&middle);
		struct dls_processor_stats s = { .size = sizeof(s) };
		double speed[P] = { row[i].speed, 1, 1, 1 };
		struct dls_machine *machine;

		p.factor = factor;
		machine = machine_open((struct dls_machine_desc){ .strategy = "none", .processors = P, .costs = row[i].costs, .speed = speed,
								  .platform = &p });
		if (!CHECK(machine))
			return;
		CHECK_EQ(dls_machine_net(machine)->processors, P);
		machine_add(machine, 0, (uint64_t)llround(1e9 * row[i].work));
		CHECK_EQ(dls_machine_run(machine), 0);
		CHECK(fabs(machine_result(machine).time - row[i].end) < 1e-6);
		CHECK_EQ(dls_machine_processor_stats(machine, 0, &s), 0);
		CHECK(fabs(s.busy - row[i].busy) < 1e-6);
		CHECK(fabs(s.busy + s.polling + s.idle + s.overhead + s.service - machine_result(machine).time) < 1e-8);
		tap_note("%s: %.9f, busy %.9f", row[i].costs, machine_result(machine).time, s.busy);
		dls_machine_close(machine);
	}
}

static unsigned far(const void *context, unsigned from, unsigned to, unsigned link[DLS_ROUTE_MAX])
{
	(void)context, (void)from, (void)to;
	link[0] = LINKS;
	return 1;
}

static double stands(const void *context, unsigned processor, uint64_t ns, uint64_t *until)
{
	(void)context, (void)processor, (void)ns, (void)until;
	return 0;
}

/* Fails if: a platform that cannot be is accepted, at the latest when it answers, or statistics are told of links that there are not. */
static void refused(void)
{
	static const unsigned middle = BACKBONE;
	static const struct dls_platform_link bad[] = { { -1, 1, true }, { 0, 0, true }, { NAN, 1, true }, { 0, NAN, true }, { INFINITY, 1, true } };
	const struct dls_machine_desc good = { .size = sizeof(good), .processors = P, .strategy = "none" };
	struct dls_link_stats s = { .size = sizeof(s) };
	struct dls_machine_desc desc;
	struct dls_machine *machine;
	struct dls_platform p;

#define OPENS(code, change) \
	(p = platform(&middle), desc = good, desc.platform = &p, change, CHECK_EQ(dls_machine_open(&machine, &desc, NULL), code))
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		OPENS(DLS_ERANGE, (p.link = &bad[i], p.links = 1));
	OPENS(DLS_ERANGE, desc.processors = MANY + 1);
	OPENS(DLS_EINVAL, desc.engine = "threads");
	OPENS(DLS_EINVAL, p.route = NULL);
	OPENS(DLS_EINVAL, p.size = 0);
	for (unsigned i = 0; i < 3; i++) {
		if (i < 2)
			OPENS(0, i ? (void)(p.factor = stands) : (void)(p.route = far));
		else
			machine = MACHINE(.processors = P);	/* without a platform */
		CHECK_EACH(DLS_EINVAL, dls_machine_link_stats(machine, 0, &s), dls_machine_link_stats(NULL, 0, &s));
		machine_add(machine, 0, 1000);
		CHECK_EQ(dls_machine_run(machine), i < 2 ? DLS_EINVAL : 0);
		CHECK_EQ(dls_machine_link_stats(machine, LINKS, &s), i < 2 ? DLS_ERANGE : DLS_EINVAL);
		CHECK_EQ(dls_machine_link_stats(machine, 0, NULL), DLS_EINVAL);
		dls_machine_close(machine);
	}
#undef OPENS
}

static void registered(void)
{
	CHECK_EQ(dls_strategy_register(&sender), 0);
}

TEST_MAIN(T(registered) T(shared) T(wide) T(in_order) T(speeds) T(refused))
