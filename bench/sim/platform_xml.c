/* platform_xml.c - SimGrid's platforms in XML, version 4 or later: zone, host, router, cluster, link, route, zoneRoute, link_ctn, and traces
 * of speed.  By expat; the rest is refused, and what has no effect here is passed over. */
#include "platform.h"

#ifndef SIM_EXPAT

void platform_xml(FILE *in)
{
	(void)in;
	tool_die(TOOL_MISSING, "--platform \"%s\": this dls-sim was built without expat (package libexpat1-dev), and reads no XML, but the text that "
		 "dls-sim(1) describes", platform_place.file);
}

#else

#include <expat.h>

enum { FILE_MOST = 1000000000, BLOCK = 4096 };

/* A trace is read when it is first connected: others may be of kinds that are not read. */
struct traced {
	char *name, *period, *text, *file;
	const struct platform_trace *trace;
};

static struct {
	XML_Parser parser;
	char *file;		/* all of it */
	const char **attribute;
	const char *element;
	size_t *open;		/* of elements, the outermost first */
	size_t depth;
	size_t skipped;		/* elements that are open inside one that is passed over */
	FILE *text;		/* of the trace that is open; NULL: none is */
	char *traced_text;
	struct traced *traced;
	size_t traces;
	struct platform_names names;	/* of traces */
} x;

/* NULL: there is none. */
static const char *optional(const char *name)
{
	for (const char **a = x.attribute; *a; a += 2)
		if (strcmp(a[0], name) == 0)
			return a[1];
	return NULL;
}

static const char *needed(const char *name)
{
	const char *value = optional(name);

	if (!value)
		platform_refuse(x.element, "needs the attribute %s", name);
	return value;
}

/* Attributes that would change the result. */
static void refuse_attributes(void)
{
	static const char *const name[][2] = {
		{ "state_file", "processors and links do not fail" }, { "availability_file", "give speed_file" }, { "bandwidth_file", "bandwidths do not change" },
		{ "latency_file", "latencies do not change" }, { "limiter_link", "there are no limiters" },
	};

	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++)
		if (optional(name[i][0]))
			platform_refuse(name[i][0], "%s", name[i][1]);
}

static void platform_begin(void)
{
	const char *version = needed("version");

	if (strspn(version, "0123456789.") < strlen(version) || !(strtod(version, NULL) >= 4))
		platform_refuse(version, "not version 4 or later: simgrid_update_xml brings files up to date");
}

static void zone_begin(void)
{
	platform_zone(needed("id"), needed("routing"));
}

/* Which of its speeds a host has; its cores have no effect. */
static uint64_t state_of(void)
{
	if (optional("core"))
		platform_whole(optional("core"), 1, 1000000, "number of cores");
	return optional("pstate") ? platform_whole(optional("pstate"), 0, 1000000, "number of a speed") : 0;
}

static void host_begin(void)
{
	platform_host(needed("id"), needed("speed"), state_of());
	if (optional("speed_file"))
		platform_set_trace(needed("id"), platform_trace_file(optional("speed_file")));
}

static void router_begin(void)
{
	platform_router(needed("id"));
}

static void cluster_begin(void)
{
	struct platform_cluster c = {
		.name = needed("id"), .prefix = needed("prefix"), .suffix = needed("suffix"), .radical = needed("radical"), .speed = needed("speed"),
		.latency = needed("lat"), .bandwidth = needed("bw"), .sharing = optional("sharing_policy"), .backbone_latency = optional("bb_lat"),
		.backbone_bandwidth = optional("bb_bw"), .backbone_sharing = optional("bb_sharing_policy"), .router = optional("router_id"),
		.state = state_of(),
	};
	const char *topology = optional("topology");

	if (topology && strcmp(topology, "FLAT") != 0)
		platform_refuse(topology, "not a topology of clusters that is read: FLAT");
	if (!c.backbone_latency != !c.backbone_bandwidth)
		platform_refuse(c.name, "a backbone has bb_lat and bb_bw");
	/* No message goes from a host to itself. */
	if (optional("loopback_lat"))
		platform_seconds(optional("loopback_lat"));
	if (optional("loopback_bw"))
		platform_bandwidth(optional("loopback_bw"));
	platform_cluster(&c);
}

static void link_begin(void)
{
	platform_link(needed("id"), optional("latency") ? optional("latency") : "0", needed("bandwidth"), optional("sharing_policy"));
}

static bool is_symmetrical(void)
{
	const char *text = optional("symmetrical");

	if (!text || strcmp(text, "YES") == 0 || strcmp(text, "yes") == 0)
		return true;
	if (strcmp(text, "NO") != 0 && strcmp(text, "no") != 0)
		platform_refuse(text, "not YES or NO");
	return false;
}

static void route_begin(void)
{
	platform_route(needed("src"), needed("dst"), NULL, NULL, is_symmetrical());
}

static void zone_route_begin(void)
{
	platform_route(needed("src"), needed("dst"), needed("gw_src"), needed("gw_dst"), is_symmetrical());
}

static void link_ctn_begin(void)
{
	platform_route_link(needed("id"), optional("direction"));
}

static char *copy(const char *text)
{
	return text ? tool_string("%s", text) : NULL;
}

static void trace_begin(void)
{
	const char *name = needed("id");

	if (platform_find(&x.names, name) != PLATFORM_NONE)
		platform_refuse(name, "there are two traces of this name");
	x.traced = tool_grow(x.traced, x.traces, sizeof(*x.traced));
	x.traced[x.traces] = (struct traced){ .name = copy(name), .period = copy(optional("periodicity")), .file = copy(optional("file")) };
	platform_put(&x.names, x.traced[x.traces].name, x.traces);
	x.text = tool_text_open(&x.traced_text);
}

static void trace_end(void)
{
	tool_text_close(x.text);
	x.text = NULL;
	x.traced[x.traces++].text = x.traced_text;
}

static void trace_connect_begin(void)
{
	const char *kind = needed("kind"), *name = needed("trace");
	int at = platform_find(&x.names, name);
	struct traced *traced;

	if (strcmp(kind, "SPEED") != 0 && strcmp(kind, "POWER") != 0)
		platform_refuse(kind, "not a kind of traces that is read: SPEED (processors and links do not fail)");
	if (at == PLATFORM_NONE)
		platform_refuse(name, "there is no trace of this name before");
	traced = &x.traced[at];
	if (!traced->trace)
		traced->trace = traced->file ? platform_trace_file(traced->file) : platform_trace(traced->text, name, traced->period);
	platform_set_trace(needed("element"), traced->trace);
}

/* Where an element may stand: outermost, in the platform, in a zone, in a route. */
enum place_of { OUTERMOST = 1, PLATFORM = 2, IN_ZONE = 4, IN_ROUTE = 8 };

static const struct {
	const char *name;
	void (*begin)(void);
	void (*end)(void);
	unsigned where, inside;		/* where it may stand; what is in it */
} elements[] = {
	{ "platform", platform_begin, NULL, OUTERMOST, PLATFORM },
	{ "zone", zone_begin, platform_zone_end, PLATFORM | IN_ZONE, IN_ZONE }, { "AS", zone_begin, platform_zone_end, PLATFORM | IN_ZONE, IN_ZONE },
	{ "host", host_begin, NULL, IN_ZONE, 0 }, { "router", router_begin, NULL, IN_ZONE, 0 },
	{ "cluster", cluster_begin, NULL, PLATFORM | IN_ZONE, 0 }, { "link", link_begin, NULL, IN_ZONE, 0 },
	{ "route", route_begin, platform_route_end, IN_ZONE, IN_ROUTE }, { "zoneRoute", zone_route_begin, platform_route_end, IN_ZONE, IN_ROUTE },
	{ "ASroute", zone_route_begin, platform_route_end, IN_ZONE, IN_ROUTE }, { "link_ctn", link_ctn_begin, NULL, IN_ROUTE, 0 },
	{ "trace", trace_begin, trace_end, PLATFORM | IN_ZONE, 0 },
	{ "trace_connect", trace_connect_begin, NULL, PLATFORM | IN_ZONE, 0 },
};
enum { ELEMENTS = sizeof(elements) / sizeof(*elements) };

/* Without effect here. */
static bool is_passed(const char *element)
{
	static const char *const passed[] = { "prop", "config", "disk", "mount", "storage", "storage_type" };

	for (size_t i = 0; i < sizeof(passed) / sizeof(*passed); i++)
		if (strcmp(element, passed[i]) == 0)
			return true;
	return false;
}

/* Refuse entities in attributes: expat skips those silently that an external DTD might declare. */
static void refuse_entities(void)
{
	static const char *const own[] = { "amp;", "lt;", "gt;", "quot;", "apos;", "#" };
	const char *tag = x.file + XML_GetCurrentByteIndex(x.parser), *end = tag + XML_GetCurrentByteCount(x.parser);

	while ((tag = memchr(tag, '&', (size_t)(end - tag)))) {
		bool known = false;

		tag++;
		for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
			known |= strncmp(tag, own[i], strlen(own[i])) == 0;
		if (!known)
			platform_refuse(tool_held_string("%.*s", (int)strcspn(tag, ";"), tag), "entities are not read");
	}
}

static void begin(void *data, const XML_Char *element, const XML_Char **attribute)
{
	size_t i = 0;

	(void)data;
	platform_place.line = XML_GetCurrentLineNumber(x.parser);
	if (x.skipped || is_passed(element)) {
		x.skipped++;
		return;
	}
	x.element = element;
	x.attribute = attribute;
	while (i < ELEMENTS && strcmp(elements[i].name, element) != 0)
		i++;
	if (i == ELEMENTS)
		platform_refuse(element, "not an element that is read: platform, zone, host, router, cluster, link, route, zoneRoute, link_ctn, trace "
				"or trace_connect");
	if (!(elements[i].where & (x.depth ? elements[x.open[x.depth - 1]].inside : OUTERMOST)))
		platform_refuse(element, "does not stand %s%s", x.depth ? "in " : "outermost", x.depth ? elements[x.open[x.depth - 1]].name : "");
	refuse_attributes();
	refuse_entities();
	elements[i].begin();
	x.open = tool_grow(x.open, x.depth, sizeof(*x.open));
	x.open[x.depth++] = i;
}

static void end(void *data, const XML_Char *element)
{
	(void)data;
	(void)element;
	platform_place.line = XML_GetCurrentLineNumber(x.parser);
	if (x.skipped) {
		x.skipped--;
		return;
	}
	if (elements[x.open[--x.depth]].end)
		elements[x.open[x.depth]].end();
}

static void characters(void *data, const XML_Char *text, int length)
{
	(void)data;
	if (x.text && !x.skipped)
		fwrite(text, 1, (size_t)length, x.text);
}

/* Refuse a DOCTYPE with declarations: entities and default attributes make a long file of a short one. */
static void doctype(void *data, const XML_Char *name, const XML_Char *system, const XML_Char *public, int declares)
{
	(void)data;
	(void)system;
	(void)public;
	platform_place.line = XML_GetCurrentLineNumber(x.parser);
	if (declares)
		platform_refuse(name, "declarations in its DOCTYPE, such as <!ENTITY>, are not read");
}

static void skipped_entity(void *data, const XML_Char *name, int is_parameter)
{
	(void)data;
	(void)is_parameter;
	platform_place.line = XML_GetCurrentLineNumber(x.parser);
	platform_refuse(name, "entities are not read");
}

/* Parse the whole file at once: in pieces, expat scans an unfinished token from its begin each time. */
void platform_xml(FILE *in)
{
	size_t n = 0, got;

	do {
		x.file = tool_need(realloc(x.file, 2 * n + BLOCK));
		got = fread(x.file + n, 1, n + BLOCK, in);
		n += got;
		if (n > FILE_MOST)
			platform_refuse(NULL, "more than %d bytes", FILE_MOST);
	} while (got);
	if (ferror(in))
		platform_refuse(NULL, "%s", strerror(errno));
	x.parser = tool_need(XML_ParserCreate(NULL));
	XML_SetElementHandler(x.parser, begin, end);
	XML_SetCharacterDataHandler(x.parser, characters);
	XML_SetStartDoctypeDeclHandler(x.parser, doctype);
	XML_SetSkippedEntityHandler(x.parser, skipped_entity);
	if (XML_Parse(x.parser, x.file, (int)n, true) != XML_STATUS_OK) {
		if (XML_GetErrorCode(x.parser) == XML_ERROR_NO_MEMORY)
			tool_need(NULL);
		platform_place.line = XML_GetCurrentLineNumber(x.parser);
		platform_refuse(NULL, "not XML: %s", XML_ErrorString(XML_GetErrorCode(x.parser)));
	}
	XML_ParserFree(x.parser);
	x.parser = NULL;
	free(x.file);
	x.file = NULL;
	for (size_t i = 0; i < x.traces; i++) {
		free(x.traced[i].period);
		free(x.traced[i].text);
		free(x.traced[i].file);
	}
	free(x.traced);
	free(x.open);
}

#endif
