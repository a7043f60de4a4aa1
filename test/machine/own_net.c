/* own_net.c - nets and loads of the program's own: what registration and parsing refuse, trees and routes, every strategy. */
#include "dls/load.h"
#include "dls/strategy.h"
#include "machine.h"

/* Two stars whose centres, 0 and `extent[0]`, are joined: "stars:K" has K processors in the first. */
static int stars_parse(struct dls_net *net, const char *arg)
{
	net->extent[0] = arg ? (unsigned)strtoul(arg, NULL, 10) : net->processors / 2;
	return net->extent[0] > 0 && net->extent[0] < net->processors ? 0 : DLS_EINVAL;
}

static int stars_print(const struct dls_net *net, char *text, size_t size)
{
	return snprintf(text, size, "%u", net->extent[0]);
}

static unsigned centre(const struct dls_net *net, unsigned p)
{
	return p < net->extent[0] ? 0 : net->extent[0];
}

static unsigned stars_degree(const struct dls_net *net, unsigned p)
{
	return p == 0 ? net->extent[0] : p == net->extent[0] ? net->processors - net->extent[0] : 1;
}

static unsigned stars_neighbour(const struct dls_net *net, unsigned p, unsigned i)
{
	if (p == 0)
		return i + 1;
	if (p == net->extent[0])
		return i == 0 ? 0 : p + i;
	return centre(net, p);
}

static unsigned stars_distance(const struct dls_net *net, unsigned from, unsigned to)
{
	if (from == to)
		return 0;
	return (from != centre(net, from)) + (to != centre(net, to)) + (centre(net, from) != centre(net, to));
}

static unsigned stars_diameter(const struct dls_net *net)
{
	(void)net;
	return 3;
}

static const struct dls_net_kind stars = {
	.size = sizeof(stars), .name = "stars", .form = "stars[:K]", .parse = stars_parse, .print = stars_print,
	.degree = stars_degree, .neighbour = stars_neighbour, .distance = stars_distance, .diameter = stars_diameter,
};

/* Fails if: what is incomplete or taken is registered, or what is good is not found, printed or listed. */
static void registered(void)
{
	struct dls_net_kind bad = stars;
	struct dls_net net;
	char text[40];

	bad.size = 0;
	CHECK_EQ(dls_net_register(&bad), DLS_EINVAL);
	bad = stars;
	bad.distance = NULL;
	CHECK_EQ(dls_net_register(&bad), DLS_EINVAL);
	bad = stars;
	bad.name = "Stars";
	CHECK_EQ(dls_net_register(&bad), DLS_EINVAL);
	bad.name = "ring";
	CHECK_EQ(dls_net_register(&bad), DLS_EEXIST);
	CHECK_EQ(dls_net_register(NULL), DLS_EINVAL);
	for (unsigned missing = 0; missing < 5; missing++) {
		bad = stars;
		if (missing == 0)
			bad.name = NULL;
		else if (missing == 1)
			bad.form = NULL;
		else if (missing == 2)
			bad.degree = NULL;
		else if (missing == 3)
			bad.neighbour = NULL;
		else
			bad.diameter = NULL;
		CHECK_EQ(dls_net_register(&bad), DLS_EINVAL);
	}
	CHECK_EQ(dls_net_register(&stars), 0);
	CHECK_EQ(dls_net_register(&stars), DLS_EEXIST);
	CHECK_TEXT(dls_net_kind_at(7), "stars");
	CHECK(!dls_net_kind_at(8));
	CHECK_EQ(dls_net_parse(&net, " Stars:3", 9, NULL), 0);
	dls_net_print(&net, text, sizeof(text));
	CHECK_TEXT(text, "stars:3");
	CHECK_EQ(dls_net_parse(&net, "stars:9", 9, NULL), DLS_EINVAL);
	CHECK_EQ(dls_net_parse(&net, "stars", 0, NULL), DLS_EINVAL);
}

/* Fails if: the default tree is no spanning tree of links in preorder, or a route does not get nearer. */
static void trees(void)
{
	struct dls_net net;

	CHECK_EQ(dls_net_parse(&net, "stars:5", 12, NULL), 0);
	for (unsigned p = 0; p < 12; p++) {
		unsigned parent = dls_net_walk_parent(&net, p), size = 1, child, at = dls_net_walk_order(&net, p) + 1;

		CHECK(p ? dls_net_neighbour_index(&net, p, parent) != DLS_NO_PROCESSOR : parent == DLS_NO_PROCESSOR);
		for (unsigned i = 0; (child = dls_net_walk_child(&net, p, i)) != DLS_NO_PROCESSOR; i++) {
			CHECK_EQ(dls_net_walk_parent(&net, child), p);
			CHECK_EQ(dls_net_walk_order(&net, child), at);
			at += dls_net_walk_size(&net, child);
			size += dls_net_walk_size(&net, child);
		}
		CHECK_EQ(dls_net_walk_size(&net, p), size);
		for (unsigned q = 0; q < 12; q++)
			if (p != q)
				CHECK_EQ(dls_net_distance(&net, dls_net_next_hop(&net, p, q), q) + 1, dls_net_distance(&net, p, q));
	}
	CHECK_EQ(dls_net_walk_size(&net, 0), 12);
}

static unsigned one_way(const struct dls_net *net, unsigned p, unsigned i)
{
	return i == 0 && p == net->processors - 1 ? 1 : stars_neighbour(net, p, i);
}

static unsigned itself(const struct dls_net *net, unsigned p, unsigned i)
{
	return p == 0 && i == 0 ? 0 : stars_neighbour(net, p, i);
}

static unsigned too_far(const struct dls_net *net, unsigned from, unsigned to)
{
	return 2 * stars_distance(net, from, to);
}

static unsigned outside(const struct dls_net *net, unsigned p, unsigned i)
{
	return p == 0 && i == net->extent[0] - 1 ? net->processors : stars_neighbour(net, p, i);
}

static unsigned falling(const struct dls_net *net, unsigned p, unsigned i)
{
	return p == 0 ? net->extent[0] - i : stars_neighbour(net, p, i);
}

/* No neighbour of the last processor is nearer to processor 0. */
static unsigned astray(const struct dls_net *net, unsigned from, unsigned to)
{
	return from == net->processors - 1 && to == 0 ? 5 : stars_distance(net, from, to);
}

static unsigned off_itself(const struct dls_net *net, unsigned from, unsigned to)
{
	return from == to && from == net->processors - 1 ? 3 : stars_distance(net, from, to);
}

static int parse_more(struct dls_net *net, const char *arg)
{
	(void)arg;
	net->extent[0] = 2;
	net->processors = 10;
	return 0;
}

static int parse_most(struct dls_net *net, const char *arg)
{
	(void)arg;
	net->extent[0] = 2;
	net->processors = DLS_PROCESSORS_MAX + 1;
	return 0;
}

static int parse_never(struct dls_net *net, const char *arg)
{
	(void)net, (void)arg;
	return 7;
}

/* Fails if: a net on which strategies would go astray is accepted. */
static void refused(void)
{
	enum { BAD = 10 };
	struct dls_net_kind bad[BAD];
	static const char *const says[] = { "which does not have", "rising order", "is 2, not 1", "rising order", "rising order",
					    "one link nearer", "one link nearer", "gives 10 processors, not 8", "not 8", "is written stars" };
	struct dls_parse_error error;
	struct dls_net net;

	for (unsigned i = 0; i < BAD; i++)
		bad[i] = stars;
	bad[0].neighbour = one_way;
	bad[1].neighbour = itself;
	bad[2].distance = too_far;
	bad[3].neighbour = outside;
	bad[4].neighbour = falling;
	bad[5].distance = astray;
	bad[6].distance = off_itself;
	bad[7].parse = parse_more;
	bad[8].parse = parse_most;
	bad[9].parse = parse_never;
	for (unsigned i = 0; i < BAD; i++) {
		static const char *const name[] = { "one-way", "itself", "too-far", "outside", "falling", "astray", "off-itself", "more",
						    "most", "never" };

		bad[i].name = name[i];
		CHECK_EQ(dls_net_register(&bad[i]), 0);
		CHECK_EQ(dls_net_parse(&net, name[i], 8, &error), DLS_EINVAL);
		if (!CHECK(strstr(error.what, says[i])))
			tap_note("%s", error.what);
	}
}

static unsigned line_degree(const struct dls_net *net, unsigned p)
{
	return (p > 0) + (p + 1 < net->processors);
}

static unsigned line_neighbour(const struct dls_net *net, unsigned p, unsigned i)
{
	(void)net;
	return i == 0 && p > 0 ? p - 1 : p + 1;
}

static unsigned line_distance(const struct dls_net *net, unsigned from, unsigned to)
{
	(void)net;
	return from < to ? to - from : from - to;
}

static unsigned line_diameter(const struct dls_net *net)
{
	return net->processors - 1;
}

static unsigned hops;

static unsigned line_hop(const struct dls_net *net, unsigned p, unsigned to)
{
	(void)net;
	hops++;
	return p < to ? p + 1 : p - 1;
}

/* Fails if: a net without a reader of its arguments takes some, or its own routes are not asked for. */
static void plain(void)
{
	struct dls_net_kind line = {
		.size = sizeof(line), .name = "line", .form = "line", .degree = line_degree, .neighbour = line_neighbour,
		.distance = line_distance, .diameter = line_diameter, .next_hop = line_hop,
	};
	struct dls_net net;
	struct dls_parse_error error;
	char text[20];

	CHECK_EQ(dls_net_register(&line), 0);
	CHECK_EQ(dls_net_parse(&net, "line:3", 5, &error), DLS_EINVAL);
	CHECK(dls_net_parse(&net, "line", 0, &error) < 0);
	CHECK_EQ(dls_net_parse(&net, "LINE", 5, &error), 0);
	dls_net_print(&net, text, sizeof(text));
	CHECK_TEXT(text, "line");
	CHECK_EQ(dls_net_next_hop(&net, 4, 1), 3);
	CHECK_EQ(hops, 1);
}

/* Fails if: a strategy takes the net for another, or links carry messages elsewhere. */
static void under_every_strategy(void)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task" };

	for (size_t i = 0; dls_strategy_at(i); i++)
		for (unsigned contention = 0; contention < 2; contention++) {
			struct dls_machine *m = MACHINE(.strategy = dls_strategy_at(i)->name, .net = "stars:5", .processors = 12,
							.costs = contention ? "cm5,contention=on" : "cm5");

			for (unsigned k = 0; k < 300; k++)
				CHECK_EQ(dls_machine_add(m, k % 4, &(struct dls_task){ .type = &type, .cost = 1000 * k }), 0);
			CHECK_EQ(machine_run(m).tasks, 300);
			dls_machine_close(m);
		}
}

static int fill(struct dls_machine *machine, const struct dls_load_desc *desc)
{
	(void)machine, (void)desc;
	return 0;
}

/* Fails if: what is incomplete or taken is registered, or a load is not found by its name with arguments. */
static void loads(void)
{
	struct dls_load load = { .name = "waves", .form = "waves[,height=H]", .fill = fill };

	CHECK_EQ(dls_load_register(&load), DLS_EINVAL);
	load.size = sizeof(load);
	CHECK(!dls_load_at(0) && !dls_load_find("waves"));
	CHECK_EQ(dls_load_register(&load), 0);
	CHECK_EQ(dls_load_register(&load), DLS_EEXIST);
	load.name = "a,b";
	CHECK_EQ(dls_load_register(&load), DLS_EINVAL);
	CHECK(dls_load_find("Waves,height=3") == dls_load_at(0) && !dls_load_find("wave") && !dls_load_find(NULL) && !dls_load_at(1));
}

TEST_MAIN(T(registered) T(trees) T(refused) T(plain) T(under_every_strategy) T(loads))
