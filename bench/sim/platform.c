/* platform.c - the machines of dls-sim --platform: what their files say, and the ways of messages. */
#include <stdarg.h>

#include "dls/platform.h"
#include "platform.h"

enum { HOSTS_MOST = 1 << 20, PAIRS_CHECKED = 1 << 20, DEPTH = 16, NONE = -1 };

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
	struct trace *trace;		/* NULL: none */
};

/* The factor of a speed from each time on; period 0: it does not repeat. */
struct trace {
	size_t n;
	uint64_t *time, period;
	double *factor;
};

struct way {
	int from, to, gateway_from, gateway_to;
	size_t links;
	int *link;
};

struct place platform_place;

static struct {
	struct node *node;
	size_t nodes;
	struct way *way;
	size_t ways;
	struct dls_platform_link *link;
	char **link_name;
	int *twin;			/* the other direction of a link; else itself */
	size_t links;
	int *host;			/* nodes */
	size_t hosts;
	int open;			/* zone */
	bool symmetrical;
	double *speed;			/* by the fastest, of each host */
	struct dls_platform desc;
} p = { .open = NONE };

void platform_refuse(const char *value, const char *format, ...)
{
	char text[512], line[32] = "";
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (platform_place.line)
		snprintf(line, sizeof(line), ", line %zu", platform_place.line);
	if (value)
		tool_die(TOOL_USAGE, "--platform \"%s\"%s, \"%s\": %s", platform_place.file, line, value, text);
	tool_die(TOOL_USAGE, "--platform \"%s\"%s: %s", platform_place.file, line, text);
}

struct unit {
	const char *name;
	double factor;
};

/* "1.5us" in SI units, from `least` on. */
static double quantity(const char *text, const struct unit *unit, double least, const char *what)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || !isfinite(value))
		platform_refuse(text, "not a %s", what);
	for (; *end && unit->name; unit++)
		if (strcmp(end, unit->name) == 0) {
			value *= unit->factor;
			end = "";
			break;
		}
	if (*end || !(value >= least) || value > 1e30)
		platform_refuse(text, "not a %s", what);
	return value;
}

static double seconds(const char *text)
{
	static const struct unit unit[] = { { "ps", 1e-12 }, { "ns", 1e-9 }, { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 }, { "m", 60 }, { "h", 3600 },
					    { "d", 86400 }, { "w", 604800 }, { NULL, 0 } };

	return quantity(text, unit, 0, "time, such as 50us or 0.1ms; a number alone is of seconds");
}

static double bytes_per_second(const char *text)
{
	static const struct unit unit[] = {
		{ "Bps", 1 }, { "kBps", 1e3 }, { "MBps", 1e6 }, { "GBps", 1e9 }, { "TBps", 1e12 }, { "KiBps", 0x1p10 }, { "MiBps", 0x1p20 },
		{ "GiBps", 0x1p30 }, { "TiBps", 0x1p40 }, { "bps", .125 }, { "kbps", 125 }, { "Mbps", 1.25e5 }, { "Gbps", 1.25e8 },
		{ "Tbps", 1.25e11 }, { "Kibps", 0x1p7 }, { "Mibps", 0x1p17 }, { "Gibps", 0x1p27 }, { "Tibps", 0x1p37 }, { NULL, 0 }
	};

	return quantity(text, unit, 1e-9, "bandwidth, such as 125MBps or 1Gbps; a number alone is of bytes per second");
}

static double flops(const char *text)
{
	static const struct unit unit[] = { { "f", 1 }, { "kf", 1e3 }, { "Mf", 1e6 }, { "Gf", 1e9 }, { "Tf", 1e12 }, { "Pf", 1e15 }, { "Ef", 1e18 },
					    { NULL, 0 } };
	char *first = tool_string("%.*s", (int)strcspn(text, ","), text);	/* of several states of power */
	double value = quantity(first, unit, 1e-9, "speed, such as 1Gf or 98.095Mf; a number alone is of flop per second");

	free(first);
	return value;
}

static int find(const char *name)
{
	for (size_t i = 0; i < p.nodes; i++)
		if (strcmp(p.node[i].name, name) == 0)
			return (int)i;
	return NONE;
}

static int find_link(const char *name)
{
	for (size_t i = 0; i < p.links; i++)
		if (strcmp(p.link_name[i], name) == 0)
			return (int)i;
	return NONE;
}

/* Names of a cluster's hosts are not looked for before: they are many. */
static int add_node(enum kind kind, const char *name, bool look)
{
	if (!*name)
		platform_refuse(name, "needs a name");
	if (look && find(name) != NONE)
		platform_refuse(name, "there are two of this name");
	if (p.open == NONE && kind != ZONE && kind != CLUSTER)
		platform_refuse(name, "in no zone");
	p.node = tool_grow(p.node, p.nodes, sizeof(*p.node));
	p.node[p.nodes] = (struct node){ .kind = kind, .name = tool_string("%s", name), .parent = p.open, .number = NONE, .up = NONE,
					 .down = NONE, .backbone = NONE, .router = NONE };
	return (int)p.nodes++;
}

void platform_zone(const char *name, const char *routing)
{
	if (p.open == NONE && p.nodes)
		platform_refuse(name, "a second outermost zone");
	if (strcmp(routing, "Full") != 0 && strcmp(routing, "None") != 0)
		platform_refuse(routing, "not a routing of zones that is read: Full or None");
	p.open = add_node(ZONE, name, true);
}

void platform_zone_end(void)
{
	p.open = p.node[p.open].parent;
}

static int add_host(const char *name, double speed, bool look)
{
	int node = add_node(HOST, name, look);

	if (p.hosts == HOSTS_MOST)
		platform_refuse(name, "more than %d hosts", HOSTS_MOST);
	p.node[node].speed = speed;
	p.node[node].number = (int)p.hosts;
	p.host = tool_grow(p.host, p.hosts, sizeof(*p.host));
	p.host[p.hosts++] = node;
	return node;
}

void platform_host(const char *name, const char *speed)
{
	add_host(name, flops(speed), true);
}

void platform_router(const char *name)
{
	add_node(ROUTER, name, true);
}

static int add_link(char *name, double latency, double bandwidth, bool shared)
{
	p.link = tool_grow(p.link, p.links, sizeof(*p.link));
	p.link_name = tool_grow(p.link_name, p.links, sizeof(*p.link_name));
	p.twin = tool_grow(p.twin, p.links, sizeof(*p.twin));
	p.link[p.links] = (struct dls_platform_link){ latency, bandwidth, shared };
	p.link_name[p.links] = name;
	p.twin[p.links] = (int)p.links;
	return (int)p.links++;
}

/* The link, or its first direction, whose twin is the other. */
static int add_links(const char *name, double latency, double bandwidth, const char *sharing)
{
	int link, other;

	if (strcmp(sharing, "SHARED") == 0 || strcmp(sharing, "FATPIPE") == 0)
		return add_link(tool_string("%s", name), latency, bandwidth, *sharing == 'S');
	if (strcmp(sharing, "SPLITDUPLEX") != 0)
		platform_refuse(sharing, "not SHARED, FATPIPE or SPLITDUPLEX");
	link = add_link(tool_string("%s_UP", name), latency, bandwidth, true);
	other = add_link(tool_string("%s_DOWN", name), latency, bandwidth, true);
	p.twin[link] = other;
	p.twin[other] = link;
	return link;
}

void platform_link(const char *name, const char *latency, const char *bandwidth, const char *sharing)
{
	char *up = tool_string("%s_UP", name);

	if (find_link(name) != NONE || find_link(up) != NONE)
		platform_refuse(name, "there are two links of this name");
	free(up);
	add_links(name, seconds(latency), bytes_per_second(bandwidth), sharing ? sharing : "SHARED");
}

static int node_of(const char *name)
{
	int node = find(name);

	if (node == NONE)
		platform_refuse(name, "there is no host, router or zone of this name");
	return node;
}

/* NULL: the router of a cluster, or the host itself. */
static int gateway_of(const char *gateway, int node)
{
	if (gateway)
		return node_of(gateway);
	if (p.node[node].kind == ZONE)
		platform_refuse(p.node[node].name, "a route of a zone needs its gateway");
	return p.node[node].kind == CLUSTER ? p.node[node].router : node;
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
	int link = find_link(one);

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

	if (!p.symmetrical)
		return;
	back = (struct way){ there->to, there->from, there->gateway_to, there->gateway_from, there->links, NULL };
	back.link = tool_need(calloc(back.links + 1, sizeof(*back.link)));
	for (size_t i = 0; i < back.links; i++)
		back.link[i] = p.twin[there->link[back.links - 1 - i]];
	p.way = tool_grow(p.way, p.ways, sizeof(*p.way));
	p.way[p.ways++] = back;
}

/* The next of "0-3,7"; returns what follows, NULL: no more. */
static const char *next_range(const char *text, const char *whole, unsigned long *first, unsigned long *last)
{
	char *end;

	*first = *last = strtoul(text, &end, 10);
	if (end > text && *end == '-') {
		text = end + 1;
		*last = strtoul(text, &end, 10);
	}
	if (end == text || (*end && *end != ',') || *last < *first || *last - *first >= HOSTS_MOST)
		platform_refuse(whole, "not numbers of hosts, such as 0-99 or 0-3,7");
	return *end ? end + 1 : NULL;
}

void platform_cluster(const struct platform_cluster *c)
{
	int cluster = add_node(CLUSTER, c->name, true), outside = p.open;
	double speed = flops(c->speed), latency = seconds(c->latency), bandwidth = bytes_per_second(c->bandwidth);
	const char *sharing = c->sharing ? c->sharing : "SPLITDUPLEX", *rest = c->radical;
	const char *router = c->router ? c->router : tool_held_string("%s%s_router%s", c->prefix, c->name, c->suffix);

	p.open = cluster;
	while (rest) {
		unsigned long first, last;

		rest = next_range(rest, c->radical, &first, &last);
		for (; first <= last; first++) {
			char *name = tool_string("%s%lu%s", c->prefix, first, c->suffix);
			char *link = tool_string("%s_link_%lu", c->name, first);
			int host = add_host(name, speed, false);

			p.node[host].up = add_links(link, latency, bandwidth, sharing);
			p.node[host].down = p.twin[p.node[host].up];
			free(name);
			free(link);
		}
	}
	p.node[cluster].router = add_node(ROUTER, router, true);
	if (c->backbone_latency)
		p.node[cluster].backbone = add_links(tool_held_string("%s_backbone", c->name), seconds(c->backbone_latency),
						     bytes_per_second(c->backbone_bandwidth),
						     c->backbone_sharing ? c->backbone_sharing : "SHARED");
	p.open = outside;
}

/* A line "seconds factor" or "LOOPAFTER seconds"; false: it is none. */
static bool trace_line(struct trace *t, const char *line, double *after)
{
	double time, factor;
	char word[16], more;

	if (sscanf(line, "%15[A-Z] %lf %c", word, after, &more) == 2 && (strcmp(word, "LOOPAFTER") == 0 || strcmp(word, "PERIODICITY") == 0))
		return *after > 0 && *after < 1e9;
	if (sscanf(line, "%lf %lf %c", &time, &factor, &more) != 2 || !(time >= 0 && time < 1e9) || !(factor >= 1e-6 && factor <= 1e6))
		return false;
	if (t->n && (double)t->time[t->n - 1] >= time * 1e9)
		return false;
	t->time = tool_grow(t->time, t->n, sizeof(*t->time));
	t->factor = tool_grow(t->factor, t->n, sizeof(*t->factor));
	t->time[t->n] = (uint64_t)llround(time * 1e9);
	t->factor[t->n++] = factor;
	return true;
}

/* where: of the text, for messages. */
static void read_trace(const char *host, const char *text, const char *where, const char *period)
{
	struct trace *t = tool_need(calloc(1, sizeof(*t)));
	int node = node_of(host);
	double after = period ? seconds(period) : 0;

	if (p.node[node].kind != HOST)
		platform_refuse(host, "not a host");
	for (size_t k = 1; *text; k++) {
		char *line = tool_string("%.*s", (int)strcspn(text, "\r\n"), text);

		if (line[strspn(line, " \t")] && line[strspn(line, " \t")] != '#' && !trace_line(t, line, &after))
			platform_refuse(line, "%s, line %zu: not \"seconds factor\", later than the line before, with a factor from 1e-6 to 1e6 (processors "
					"do not fail: 0 is refused), or LOOPAFTER seconds", where, k);
		text += strcspn(text, "\n");
		text += *text == '\n';
		free(line);
	}
	if (!t->n)
		platform_refuse(where, "no line \"seconds factor\"");
	t->period = after > 0 ? t->time[t->n - 1] + (uint64_t)llround(after * 1e9) : 0;
	p.node[node].trace = t;
}

void platform_trace(const char *host, const char *text, const char *period)
{
	read_trace(host, text, "trace", period);
}

/* A file's name is from the platform's folder. */
void platform_trace_file(const char *host, const char *file)
{
	const char *slash = strrchr(platform_place.file, '/');
	const char *path = *file == '/' || !slash ? file : tool_held_string("%.*s/%s", (int)(slash - platform_place.file),
									    platform_place.file, file);
	FILE *in = fopen(path, "r"), *out;
	char *text;
	int c;

	if (!in)
		platform_refuse(file, "%s", strerror(errno));
	tool_keep_file(path, tool_cksum("--platform", path));
	out = tool_text_open(&text);
	while ((c = getc(in)) > 0)
		putc(c, out);
	tool_text_close(out);
	fclose(in);
	read_trace(host, text, file, NULL);
	free(text);
}

static double factor_at(const void *context, unsigned processor, uint64_t ns, uint64_t *until)
{
	const struct trace *t = p.node[p.host[processor]].trace;
	uint64_t round = 0, within = ns;
	size_t i = 0;

	(void)context;
	*until = UINT64_MAX;
	if (!t)
		return 1;
	if (t->period) {
		round = ns / t->period;
		within = ns % t->period;
	}
	while (i < t->n && t->time[i] <= within)
		i++;
	if (i < t->n || t->period)
		*until = round * t->period + (i < t->n ? t->time[i] : t->period + t->time[0]);
	return i ? t->factor[i - 1] : round ? t->factor[t->n - 1] : 1;
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

/* The children of the innermost zone that has both. */
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

/* Every two hosts, unless they are very many. */
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

void platform_read(void)
{
	FILE *in;
	int c;

	if (!sim.platform || p.hosts)
		return;
	platform_place = (struct place){ .file = sim.platform };
	in = tool_open_again("--platform", sim.platform, "rb");
	tool_keep_file(sim.platform, tool_cksum("--platform", sim.platform));
	while ((c = getc(in)) == ' ' || c == '\n' || c == '\t' || c == '\r' || c == 0xef || c == 0xbb || c == 0xbf)
		;
	rewind(in);
	(c == '<' ? platform_xml : platform_text)(in);
	fclose(in);
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
