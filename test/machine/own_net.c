/* own_net.c - nets that a program registers: what registration and parsing refuse, trees, every strategy.
 *
 * runs: check, machines, pthreads */
#include "dls/strategy.h"
#include "machine.h"
#include "nets.h"

/* Two stars whose centres, 0 and `extent[0]`, are joined: "stars:K" has K processors in the first. */
static int stars_parse(struct dls_net *of, const char *arg)
{
	of->extent[0] = arg ? (unsigned)strtoul(arg, NULL, 10) : of->processors / 2;
	return of->extent[0] > 0 && of->extent[0] < of->processors ? 0 : DLS_EINVAL;
}

static int stars_print(const struct dls_net *of, char *text, size_t size) { return snprintf(text, size, "%u", of->extent[0]); }
static unsigned centre(const struct dls_net *of, unsigned p) { return p < of->extent[0] ? 0 : of->extent[0]; }

static unsigned stars_degree(const struct dls_net *of, unsigned p)
{
	return p == 0 ? of->extent[0] : p == of->extent[0] ? of->processors - of->extent[0] : 1;
}

static unsigned stars_neighbour(const struct dls_net *of, unsigned p, unsigned i)
{
	if (p == 0)
		return i + 1;
	if (p == of->extent[0])
		return i == 0 ? 0 : p + i;
	return centre(of, p);
}

static unsigned stars_distance(const struct dls_net *of, unsigned from, unsigned to)
{
	if (from == to)
		return 0;
	return (from != centre(of, from)) + (to != centre(of, to)) + (centre(of, from) != centre(of, to));
}

static unsigned stars_diameter(const struct dls_net *of) { return 3; }

static const struct dls_net_kind stars = {
	.size = sizeof(stars), .name = "stars", .form = "stars[:K]", .parse = stars_parse, .print = stars_print,
	.degree = stars_degree, .neighbour = stars_neighbour, .distance = stars_distance, .diameter = stars_diameter,
};

/* Fails if: what is incomplete or taken is registered, or what is good is not found, printed or listed. */
static void registered(void)
{
	static const size_t needed[] = {
		offsetof(struct dls_net_kind, size), offsetof(struct dls_net_kind, name), offsetof(struct dls_net_kind, form),
		offsetof(struct dls_net_kind, degree), offsetof(struct dls_net_kind, neighbour),
		offsetof(struct dls_net_kind, distance), offsetof(struct dls_net_kind, diameter),
	};
	struct dls_net_kind bad = stars;
	char text[40];

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		bad = stars;
		memset((char *)&bad + needed[i], 0, sizeof(void *));
		CHECK_EQ(dls_net_register(&bad), DLS_EINVAL);
	}
	bad = stars;
	bad.name = "Stars";
	CHECK_EQ(dls_net_register(&bad), DLS_EINVAL);
	bad.name = "ring";
	CHECK_EQ(dls_net_register(&bad), DLS_EEXIST);
	CHECK_EQ(dls_net_register(NULL), DLS_EINVAL);
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

/* Fails if: the tree is no spanning tree of links in preorder. */
static void trees(void)
{
	CHECK_EQ(dls_net_parse(&net, "stars:5", 12, NULL), 0);
	walk_all();
	CHECK_EQ(dls_net_walk_size(&net, 0), 12);
}

static unsigned one_way(const struct dls_net *of, unsigned p, unsigned i)
{
	return i == 0 && p == of->processors - 1 ? 1 : stars_neighbour(of, p, i);
}

static unsigned itself(const struct dls_net *of, unsigned p, unsigned i)
{
	return p == 0 && i == 0 ? 0 : stars_neighbour(of, p, i);
}

static unsigned too_far(const struct dls_net *of, unsigned from, unsigned to) { return 2 * stars_distance(of, from, to); }

static unsigned outside(const struct dls_net *of, unsigned p, unsigned i)
{
	return p == 0 && i == of->extent[0] - 1 ? of->processors : stars_neighbour(of, p, i);
}

static unsigned falling(const struct dls_net *of, unsigned p, unsigned i)
{
	return p == 0 ? of->extent[0] - i : stars_neighbour(of, p, i);
}

/* No neighbour of the last processor is nearer to processor 0. */
static unsigned astray(const struct dls_net *of, unsigned from, unsigned to)
{
	return from == of->processors - 1 && to == 0 ? 5 : stars_distance(of, from, to);
}

static unsigned off_itself(const struct dls_net *of, unsigned from, unsigned to)
{
	return from == to && from == of->processors - 1 ? 3 : stars_distance(of, from, to);
}

static int parse_more(struct dls_net *of, const char *arg)
{
	of->extent[0] = 2;
	of->processors = 10;
	return 0;
}

static int parse_most(struct dls_net *of, const char *arg)
{
	of->extent[0] = 2;
	of->processors = DLS_PROCESSORS_MAX + 1;
	return 0;
}

static int parse_never(struct dls_net *of, const char *arg) { return 7; }

/* Fails if: a net on which strategies would go astray is accepted. */
static void refused(void)
{
	static const struct {
		const char *name, *says;
		unsigned (*neighbour)(const struct dls_net *of, unsigned p, unsigned i);
		unsigned (*distance)(const struct dls_net *of, unsigned from, unsigned to);
		int (*parse)(struct dls_net *of, const char *arg);
	} bad[] = {
		{ "one-way", "which does not have", .neighbour = one_way },
		{ "itself", "rising order", .neighbour = itself },
		{ "too-far", "is 2, not 1", .distance = too_far },
		{ "outside", "rising order", .neighbour = outside },
		{ "falling", "rising order", .neighbour = falling },
		{ "astray", "one link nearer", .distance = astray },
		{ "off-itself", "one link nearer", .distance = off_itself },
		{ "more", "gives 10 processors, not 8", .parse = parse_more },
		{ "most", "not 8", .parse = parse_most },
		{ "never", "is written stars", .parse = parse_never },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct dls_net_kind kind = stars;
		struct dls_parse_error error;

		kind.name = bad[i].name;
		kind.neighbour = bad[i].neighbour ? bad[i].neighbour : kind.neighbour;
		kind.distance = bad[i].distance ? bad[i].distance : kind.distance;
		kind.parse = bad[i].parse ? bad[i].parse : kind.parse;
		CHECK_EQ(dls_net_register(&kind), 0);
		CHECK_EQ(dls_net_parse(&net, kind.name, 8, &error), DLS_EINVAL);
		if (!CHECK(strstr(error.what, bad[i].says)))
			tap_note("%s", error.what);
	}
}

static unsigned line_degree(const struct dls_net *of, unsigned p) { return (p > 0) + (p + 1 < of->processors); }
static unsigned line_neighbour(const struct dls_net *of, unsigned p, unsigned i) { return i == 0 && p > 0 ? p - 1 : p + 1; }
static unsigned line_distance(const struct dls_net *of, unsigned from, unsigned to) { return from < to ? to - from : from - to; }
static unsigned line_diameter(const struct dls_net *of) { return of->processors - 1; }

/* Fails if: a net without a reader of its arguments takes some. */
static void plain(void)
{
	struct dls_net_kind line = {
		.size = sizeof(line), .name = "line", .form = "line", .degree = line_degree, .neighbour = line_neighbour,
		.distance = line_distance, .diameter = line_diameter,
	};
	struct dls_parse_error error;
	char text[20];

	CHECK_EQ(dls_net_register(&line), 0);
	CHECK_EQ(dls_net_parse(&net, "line:3", 5, &error), DLS_EINVAL);
	CHECK(dls_net_parse(&net, "line", 0, &error) < 0);
	CHECK_EQ(dls_net_parse(&net, "LINE", 5, &error), 0);
	dls_net_print(&net, text, sizeof(text));
	CHECK_TEXT(text, "line");
}

/* Fails if: a strategy takes the net for another. */
static void under_every_strategy(void)
{
	for (size_t i = 0; dls_strategy_at(i); i++) {
		struct dls_machine *m = MACHINE(.strategy = dls_strategy_at(i)->name, .net = "stars:5", .processors = 12, .costs = "cm5");

		for (unsigned k = 0; k < 300; k++)
			machine_add(m, k % 4, 1000 * k);
		CHECK_EQ(machine_run(m).tasks, 300);
		dls_machine_close(m);
	}
}

TEST_MAIN(T(registered) T(trees) T(refused) T(plain) T(under_every_strategy))
