/* platform.c - platforms: messages on shared links and others, speeds that change, computed by hand; bad platforms.
 *
 * runs: check, machines, pthreads */
#include <math.h>

#include "dls/net.h"
#include "dls/platform.h"
#include "sender.h"

enum { P = 4, MESSAGES = 400, HEAD = 16 + 8 * DLS_MESSAGE_WORDS };

/* Each processor has a link of its own, and all share the fifth: 1 MB/s, 2 MB/s; the sixth carries all at once. */
static const struct dls_platform_link links[] = {
	{ 1e-3, 1e6, true }, { 1e-3, 1e6, true }, { 1e-3, 1e6, true }, { 1e-3, 1e6, true }, { 5e-3, 2e6, true }, { 5e-3, 2e5, false },
};
enum { LINKS = sizeof(links) / sizeof(*links), BACKBONE = 4, WIDE = 5 };

static unsigned by_backbone(const void *context, unsigned from, unsigned to, unsigned link[DLS_ROUTE_MAX])
{
	link[0] = from;
	link[1] = *(const unsigned *)context;
	link[2] = to;
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
	return (struct dls_platform){ .size = sizeof(struct dls_platform), .processors = P, .links = LINKS, .link = links,
				      .route = by_backbone, .context = middle };
}

static struct dls_machine *run(unsigned middle)
{
	static unsigned context;
	struct dls_platform p = platform(&context);

	context = middle;
	return send_plans((struct dls_machine_desc){ .net = "ring", .processors = P, .costs = "ideal", .platform = &p });
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
	machine = run(BACKBONE);
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
	machine = run(WIDE);
	if (!machine)
		return;
	CHECK(first < slow);
	CHECK_EQ(arrived[0], 7 * ms + slow);
	CHECK_EQ(arrived[1], 7 * ms + slow);
	CHECK_EQ(arrived[2], 7 * ms + slow);
	dls_machine_close(machine);
}

/* Fails if: platform.H1 does not hold, or a message is lost. */
static void in_order(void)
{
	uint64_t state = tap_seed();

	for (unsigned middle = BACKBONE; middle <= WIDE; middle++) {
		struct dls_machine *machine;

		draw_plans(MESSAGES, P, &state);
		machine = run(middle);
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

/* Fails if: a platform that cannot be is accepted. */
static void refused(void)
{
	static const unsigned middle = BACKBONE;
	static const struct dls_platform_link bad[] = { { -1, 1, true }, { 0, 0, true }, { NAN, 1, true }, { 0, NAN, true }, { INFINITY, 1, true } };
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = P, .strategy = "none" };
	struct dls_link_stats s = { .size = sizeof(s) };
	struct dls_machine *machine;
	struct dls_platform p = platform(&middle);

	desc.platform = &p;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		p.link = &bad[i];
		p.links = 1;
		CHECK_EQ(dls_machine_open(&machine, &desc, NULL), DLS_ERANGE);
	}
	p = platform(&middle);
	desc.processors = P + 1;
	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), DLS_ERANGE);
	desc.processors = P;
	desc.engine = "threads";
	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), DLS_EINVAL);
	desc.engine = NULL;
	p.route = NULL;
	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), DLS_EINVAL);
	p.size = 0;
	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), DLS_EINVAL);
	p = platform(&middle);
	p.route = far;
	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), 0);
	CHECK_EACH(DLS_EINVAL, dls_machine_link_stats(machine, 0, &s), dls_machine_link_stats(NULL, 0, &s));
	machine_add(machine, 0, 1000);
	CHECK_EQ(dls_machine_run(machine), DLS_EINVAL);
	dls_machine_close(machine);
	p = platform(&middle);
	p.factor = stands;
	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), 0);
	machine_add(machine, 0, 1000);
	CHECK_EQ(dls_machine_run(machine), DLS_EINVAL);
	CHECK_EQ(dls_machine_link_stats(machine, LINKS, &s), DLS_ERANGE);
	CHECK_EQ(dls_machine_link_stats(machine, 0, NULL), DLS_EINVAL);
	dls_machine_close(machine);
	machine = MACHINE(.processors = P);
	machine_add(machine, 0, 1000);
	CHECK_EQ(dls_machine_run(machine), 0);
	CHECK_EQ(dls_machine_link_stats(machine, 0, &s), DLS_EINVAL);
	dls_machine_close(machine);
}

static void registered(void)
{
	CHECK_EQ(dls_strategy_register(&sender), 0);
}

TEST_MAIN(T(registered) T(shared) T(wide) T(in_order) T(speeds) T(refused))
