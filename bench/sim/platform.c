/* platform.c - the machines of dls-sim --platform: what their files say, and the ways of messages. */
#include <stdarg.h>

#include "dls/platform.h"
#include "platform.h"

enum { HOSTS_MOST = 1 << 20, PAIRS_CHECKED = 1 << 20, DEPTH = 16, NONE = PLATFORM_NONE, QUOTED = 60, NUMBERS = 1000000000 };

enum kind { HOST, ROUTER, ZONE, CLUSTER };

/* A host, a router, or a zone with what is in it. */
struct node {
	enum kind kind;
	char *name;
	int parent;			/* its zone; NONE: the outermost */
	int number;			/* of a host */
	int up, down, backbone;		/* links of a cluster's host; of a cluster, NONE: it has none */
	int router;			/* of a cluster */
	double speed;			/* of a host, flop/s */
	const struct platform_trace *trace;	/* NULL: none */
};

struct way {
	int from, to, gateway_from, gateway_to;
	size_t links;
	int *link;
};

/* What the hosts of a cluster have alike. */
struct member {
	double speed, latency, bandwidth;
};

struct place platform_place;

static struct {
	struct node *node;
	size_t nodes;
	struct platform_names node_names, link_names;
	struct way *way;
	size_t ways;
	struct dls_platform_link *link;
	char **link_name;
	int *twin;			/* the other direction of a link; else itself */
	size_t links;
	int *host;			/* nodes */
	size_t hosts;
	int open;			/* zone */
	unsigned depth;			/* zones that are open */
	bool symmetrical;
	double *speed;			/* by the fastest, of each host */
	struct dls_platform desc;
} p = { .open = NONE };

void platform_refuse(const char *value, const char *format, ...)
{
	char text[512], line[32] = "", quoted[QUOTED + 4];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (platform_place.line)
		snprintf(line, sizeof(line), ", line %zu", platform_place.line);
	if (!value)
		tool_die(TOOL_USAGE, "--platform \"%s\"%s: %s", platform_place.file, line, text);
	snprintf(quoted, sizeof(quoted), "%.*s%s", QUOTED, value, strlen(value) > QUOTED ? "..." : "");
	for (char *c = quoted; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	tool_die(TOOL_USAGE, "--platform \"%s\"%s, \"%s\": %s", platform_place.file, line, quoted, text);
}

static int add_node(enum kind kind, const char *name)
{
	if (!*name)
		platform_refuse(name, "needs a name");
	if (platform_find(&p.node_names, name) != NONE)
		platform_refuse(name, "there are two of this name");
	if (p.open == NONE && kind != ZONE && kind != CLUSTER)
		platform_refuse(name, "in no zone");
	if (p.open == NONE && p.nodes)
		platform_refuse(name, "a second outermost zone");
	p.node = tool_grow(p.node, p.nodes, sizeof(*p.node));
	p.node[p.nodes] = (struct node){ .kind = kind, .name = tool_string("%s", name), .parent = p.open, .number = NONE, .up = NONE,
					 .down = NONE, .backbone = NONE, .router = NONE };
	platform_put(&p.node_names, p.node[p.nodes].name, p.nodes);
	return (int)p.nodes++;
}

void platform_zone(const char *name, const char *routing)
{
	if (strcmp(routing, "Full") != 0 && strcmp(routing, "None") != 0)
		platform_refuse(routing, "not a routing of zones that is read: Full or None");
	if (++p.depth > DEPTH)
		platform_refuse(name, "zones stand in each other more than %d deep", DEPTH);
	p.open = add_node(ZONE, name);
}

void platform_zone_end(void)
{
	p.depth--;
	p.open = p.node[p.open].parent;
}

static int add_host(const char *name, double speed)
{
	int node = add_node(HOST, name);

	if (p.hosts == HOSTS_MOST)
		platform_refuse(name, "more than %d hosts", HOSTS_MOST);
	p.node[node].speed = speed;
	p.node[node].number = (int)p.hosts;
	p.host = tool_grow(p.host, p.hosts, sizeof(*p.host));
	p.host[p.hosts++] = node;
	return node;
}

void platform_host(const char *name, const char *speed, uint64_t state)
{
	add_host(name, platform_speed(speed, state));
}

void platform_router(const char *name)
{
	add_node(ROUTER, name);
}

static int add_link(char *name, double latency, double bandwidth, bool shared)
{
	p.link = tool_grow(p.link, p.links, sizeof(*p.link));
	p.link_name = tool_grow(p.link_name, p.links, sizeof(*p.link_name));
	p.twin = tool_grow(p.twin, p.links, sizeof(*p.twin));
	p.link[p.links] = (struct dls_platform_link){ latency, bandwidth, shared };
	p.link_name[p.links] = name;
	platform_put(&p.link_names, name, p.links);
	p.twin[p.links] = (int)p.links;
	return (int)p.links++;
}

/* Add a link, or two for a SPLITDUPLEX one; returns it, or the upward one, whose twin is the downward one. */
static int add_links(const char *name, double latency, double bandwidth, const char *sharing)
{
	char *up = tool_string("%s_UP", name), *down = tool_string("%s_DOWN", name), *one = tool_string("%s", name);
	int link, other;

	if (platform_find(&p.link_names, one) != NONE || platform_find(&p.link_names, up) != NONE || platform_find(&p.link_names, down) != NONE)
		platform_refuse(name, "there are two links of this name");
	if (strcmp(sharing, "SHARED") == 0 || strcmp(sharing, "FATPIPE") == 0) {
		free(up);
		free(down);
		return add_link(one, latency, bandwidth, *sharing == 'S');
	}
	if (strcmp(sharing, "SPLITDUPLEX") != 0)
		platform_refuse(sharing, "not SHARED, FATPIPE or SPLITDUPLEX");
	free(one);
	link = add_link(up, latency, bandwidth, true);
	other = add_link(down, latency, bandwidth, true);
	p.twin[link] = other;
	p.twin[other] = link;
	return link;
}

void platform_link(const char *name, const char *latency, const char *bandwidth, const char *sharing)
{
	add_links(name, platform_seconds(latency), platform_bandwidth(bandwidth), sharing ? sharing : "SHARED");
}

static int node_of(const char *name)
{
	int node = platform_find(&p.node_names, name);

	if (node == NONE)
		platform_refuse(name, "there is no host, router or zone of this name");
	return node;
}

/* NULL: the router of a cluster, or the host itself. */
static int gateway_of(const char *gateway, int node)
{
	int at;

	if (!gateway && p.node[node].kind == ZONE)
		platform_refuse(p.node[node].name, "a route of a zone needs its gateway");
	if (!gateway)
		return p.node[node].kind == CLUSTER ? p.node[node].router : node;
	at = node_of(gateway);
	for (int in = at; in != node; in = p.node[in].parent)
		if (in == NONE)
			platform_refuse(gateway, "not in \"%s\", whose gateway it is to be", p.node[node].name);
	if (p.node[at].kind != HOST && p.node[at].kind != ROUTER)
		platform_refuse(gateway, "a gateway is a host or a router");
	return at;
}

void platform_route(const char *from, const char *to, const char *gateway_from, const char *gateway_to, bool symmetrical)
{
	struct way way = { .from = node_of(from), .to = node_of(to) };

	way.gateway_from = gateway_of(gateway_from, way.from);
	way.gateway_to = gateway_of(gateway_to, way.to);
	if (p.node[way.from].parent != p.open || p.node[way.to].parent != p.open)
		platform_refuse(p.node[way.from].parent != p.open ? from : to, "not in the zone of this route");
	p.way = tool_grow(p.way, p.ways, sizeof(*p.way));
	p.way[p.ways] = way;
	p.symmetrical = symmetrical && way.from != way.to;
}

void platform_route_link(const char *name, const char *direction)
{
	struct way *way = &p.way[p.ways];
	char *one = direction && strcmp(direction, "NONE") != 0 ? tool_string("%s_%s", name, direction) : tool_string("%s", name);
	int link = platform_find(&p.link_names, one);

	if (link == NONE)
		platform_refuse(name, "there is no such link%s%s", direction ? " of the direction " : "; one that is SPLITDUPLEX needs its "
				"direction, UP or DOWN", direction ? direction : "");
	way->link = tool_grow(way->link, way->links, sizeof(*way->link));
	way->link[way->links++] = link;
	free(one);
}

void platform_route_end(void)
{
	struct way *there = &p.way[p.ways++], back;

	if (!there->links)
		platform_refuse(p.node[there->from].name, "a route from there has no link");
	if (!p.symmetrical)
		return;
	back = (struct way){ there->to, there->from, there->gateway_to, there->gateway_from, there->links, NULL };
	back.link = tool_need(calloc(back.links + 1, sizeof(*back.link)));
	for (size_t i = 0; i < back.links; i++)
		back.link[i] = p.twin[there->link[back.links - 1 - i]];
	p.way = tool_grow(p.way, p.ways, sizeof(*p.way));
	p.way[p.ways++] = back;
}

/* Digits; returns what follows them, NULL: there are none, or they are no number of a host. */
static const char *next_number(const char *text, uint64_t *value)
{
	size_t length = strspn(text, "0123456789");

	return tool_is_whole(text, length, value) && *value < NUMBERS ? text + length : NULL;
}

/* The next of "0-3,7"; returns what follows, NULL: no more. */
static const char *next_range(const char *text, const char *whole, uint64_t *first, uint64_t *last)
{
	const char *end = next_number(text, first);

	*last = *first;
	if (end && *end == '-')
		end = next_number(end + 1, last);
	if (!end || (*end && *end != ',') || *last < *first)
		platform_refuse(whole, "not numbers of hosts below %d, such as 0-99 or 0-3,7", NUMBERS);
	return *end ? end + 1 : NULL;
}

/* A host of a cluster, and its link. */
static void add_member(const struct platform_cluster *c, uint64_t number, const struct member *like)
{
	char *name = tool_string("%s%llu%s", c->prefix, (unsigned long long)number, c->suffix);
	char *link = tool_string("%s_link_%llu", c->name, (unsigned long long)number);
	int there = platform_find(&p.node_names, name), host;

	if (there != NONE && p.node[there].parent == p.open)
		platform_refuse(c->radical, "has %llu twice", (unsigned long long)number);
	host = add_host(name, like->speed);
	p.node[host].up = add_links(link, like->latency, like->bandwidth, c->sharing ? c->sharing : "SPLITDUPLEX");
	p.node[host].down = p.twin[p.node[host].up];
	free(name);
	free(link);
}

void platform_cluster(const struct platform_cluster *c)
{
	const struct member like = { platform_speed(c->speed, c->state), platform_seconds(c->latency), platform_bandwidth(c->bandwidth) };
	const char *router = c->router ? c->router : tool_held_string("%s%s_router%s", c->prefix, c->name, c->suffix);
	int cluster = add_node(CLUSTER, c->name), outside = p.open;

	p.open = cluster;
	for (const char *rest = c->radical; rest; ) {
		uint64_t first, last;

		rest = next_range(rest, c->radical, &first, &last);
		for (; first <= last; first++)
			add_member(c, first, &like);
	}
	p.node[cluster].router = add_node(ROUTER, router);
	if (c->backbone_latency)
		p.node[cluster].backbone = add_links(tool_held_string("%s_backbone", c->name), platform_seconds(c->backbone_latency),
						     platform_bandwidth(c->backbone_bandwidth),
						     c->backbone_sharing ? c->backbone_sharing : "SHARED");
	p.open = outside;
}

void platform_set_trace(const char *host, const struct platform_trace *trace)
{
	int node = node_of(host);

	if (p.node[node].kind != HOST)
		platform_refuse(host, "not a host");
	if (p.node[node].trace)
		platform_refuse(host, "has a trace already");
	p.node[node].trace = trace;
}

static double factor_at(const void *context, unsigned processor, uint64_t ns, uint64_t *until)
{
	const struct platform_trace *trace = p.node[p.host[processor]].trace;

	(void)context;
	*until = UINT64_MAX;
	return trace ? platform_trace_factor(trace, ns, until) : 1;
}

static int by_ends(const void *a, const void *b)
{
	const struct way *x = a, *y = b;

	return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

struct path {
	unsigned n, *link;
};

static bool cross(struct path *path, int link)
{
	if (path->n == DLS_ROUTE_MAX)
		return false;
	path->link[path->n++] = (unsigned)link;
	return true;
}

static unsigned depth_of(int node)
{
	unsigned depth = 0;

	for (; node != NONE; node = p.node[node].parent)
		depth++;
	return depth;
}

/* Go up from both nodes to the two children of the innermost zone that has both. */
static void part(int *from, int *to)
{
	unsigned a = depth_of(*from), b = depth_of(*to);

	for (; a > b; a--)
		*from = p.node[*from].parent;
	for (; b > a; b--)
		*to = p.node[*to].parent;
	while (p.node[*from].parent != p.node[*to].parent) {
		*from = p.node[*from].parent;
		*to = p.node[*to].parent;
	}
}

/* Between a cluster's hosts, or one and its router. */
static bool within_cluster(const struct node *cluster, int from, int to, struct path *path)
{
	return (p.node[from].up == NONE || cross(path, p.node[from].up)) &&
	       (cluster->backbone == NONE || cross(path, cluster->backbone)) && (p.node[to].down == NONE || cross(path, p.node[to].down));
}

static bool find_path(int from, int to, struct path *path, unsigned depth)
{
	int a = from, b = to;
	const struct way *way;

	if (from == to)
		return true;
	part(&a, &b);
	if (depth == DEPTH || a == b || p.node[a].parent == NONE)
		return false;
	if (p.node[p.node[a].parent].kind == CLUSTER)
		return within_cluster(&p.node[p.node[a].parent], from, to, path);
	way = p.ways ? bsearch(&(struct way){ .from = a, .to = b }, p.way, p.ways, sizeof(*p.way), by_ends) : NULL;
	if (!way || !find_path(from, way->gateway_from, path, depth + 1))
		return false;
	for (size_t i = 0; i < way->links; i++)
		if (!cross(path, way->link[i]))
			return false;
	return find_path(way->gateway_to, to, path, depth + 1);
}

static unsigned route(const void *context, unsigned from, unsigned to, unsigned link[DLS_ROUTE_MAX])
{
	struct path path = { 0, link };

	(void)context;
	if (from == to)
		return 0;
	return find_path(p.host[from], p.host[to], &path, 0) ? path.n : DLS_ROUTE_MAX + 1;
}

/* Check that no route is given twice, and that every host (some, if very many) has a route to all others. */
static void check_ways(void)
{
	unsigned link[DLS_ROUTE_MAX];
	size_t step = 1;

	while (p.hosts / step * p.hosts > PAIRS_CHECKED)
		step++;
	for (size_t i = 1; i < p.ways; i++)
		if (by_ends(&p.way[i - 1], &p.way[i]) == 0)
			platform_refuse(p.node[p.way[i].from].name, "two routes from there to \"%s\"", p.node[p.way[i].to].name);
	for (size_t i = 0; i < p.hosts; i += step)
		for (size_t k = 0; k < p.hosts; k++)
			if (route(NULL, (unsigned)i, (unsigned)k, link) > DLS_ROUTE_MAX)
				platform_refuse(p.node[p.host[i]].name, "no route from there to \"%s\", or one of more than %d links",
						p.node[p.host[k]].name, DLS_ROUTE_MAX);
}

static void set_speeds(void)
{
	double fastest = 0;

	for (size_t i = 0; i < p.hosts; i++)
		fastest = fmax(fastest, p.node[p.host[i]].speed);
	p.speed = tool_need(calloc(p.hosts, sizeof(*p.speed)));
	for (size_t i = 0; i < p.hosts; i++)
		p.speed[i] = p.node[p.host[i]].speed / fastest;
}

static void read_from(FILE *in)
{
	int c;

	while ((c = getc(in)) == ' ' || c == '\n' || c == '\t' || c == '\r' || c == 0xef || c == 0xbb || c == 0xbf)
		;
	rewind(in);
	(c == '<' ? platform_xml : platform_text)(in);
	platform_place.line = 0;
	if (!p.hosts)
		platform_refuse(NULL, "no host");
	if (p.ways)
		qsort(p.way, p.ways, sizeof(*p.way), by_ends);
	check_ways();
	set_speeds();
	p.desc = (struct dls_platform){ .size = sizeof(p.desc), .processors = (unsigned)p.hosts, .links = (unsigned)p.links, .link = p.link,
					.route = route, .factor = factor_at };
}

void platform_read(void)
{
	FILE *in;

	if (!sim.platform || p.hosts)
		return;
	platform_place = (struct place){ .file = sim.platform };
	in = tool_open_again("--platform", sim.platform, "rb");
	tool_keep_file(sim.platform, tool_cksum("--platform", sim.platform));
	read_from(in);
	fclose(in);
}

const struct dls_platform *platform_given(void)
{
	return sim.platform ? &p.desc : NULL;
}

const double *platform_speeds(void)
{
	return p.speed;
}

unsigned platform_links(void)
{
	return sim.platform ? (unsigned)p.links : 0;
}

const char *platform_link_name(unsigned link)
{
	return p.link_name[link];
}
