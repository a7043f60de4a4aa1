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

static struct {
	XML_Parser parser;
	const char **attribute;
	const char *element;
	unsigned skipped;	/* elements that are open inside one that is passed over */
	char *text;		/* of the trace that is open */
	struct traced {
		char *name, *period, *text, *file;
	} *traced;
	size_t traces;
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
	if (strtod(needed("version"), NULL) < 4)
		platform_refuse(needed("version"), "not version 4 or later: simgrid_update_xml brings files up to date");
}

static void zone_begin(void)
{
	platform_zone(needed("id"), needed("routing"));
}

static void host_begin(void)
{
	platform_host(needed("id"), needed("speed"));
	if (optional("speed_file"))
		platform_trace_file(needed("id"), optional("speed_file"));
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
	};
	const char *topology = optional("topology");

	if (topology && strcmp(topology, "FLAT") != 0)
		platform_refuse(topology, "not a topology of clusters that is read: FLAT");
	if (!c.backbone_latency != !c.backbone_bandwidth)
		platform_refuse(c.name, "a backbone has bb_lat and bb_bw");
	platform_cluster(&c);
}

static void link_begin(void)
{
	platform_link(needed("id"), optional("latency") ? optional("latency") : "0", needed("bandwidth"), optional("sharing_policy"));
}

static bool is_symmetrical(void)
{
	const char *text = optional("symmetrical");

	return !text || (strcmp(text, "NO") != 0 && strcmp(text, "no") != 0);
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
	x.traced = tool_grow(x.traced, x.traces, sizeof(*x.traced));
	x.traced[x.traces] = (struct traced){ copy(needed("id")), copy(optional("periodicity")), NULL, copy(optional("file")) };
	x.text = tool_string("%s", "");
}

static void trace_end(void)
{
	x.traced[x.traces++].text = x.text;
	x.text = NULL;
}

static void trace_connect_begin(void)
{
	const char *kind = needed("kind"), *name = needed("trace");

	if (strcmp(kind, "SPEED") != 0 && strcmp(kind, "POWER") != 0)
		platform_refuse(kind, "not a kind of traces that is read: SPEED (processors and links do not fail)");
	for (size_t i = 0; i < x.traces; i++)
		if (strcmp(x.traced[i].name, name) == 0) {
			if (x.traced[i].file)
				platform_trace_file(needed("element"), x.traced[i].file);
			else
				platform_trace(needed("element"), x.traced[i].text, x.traced[i].period);
			return;
		}
	platform_refuse(name, "there is no trace of this name before");
}

static const struct {
	const char *name;
	void (*begin)(void);
	void (*end)(void);
} elements[] = {
	{ "platform", platform_begin, NULL }, { "zone", zone_begin, platform_zone_end }, { "AS", zone_begin, platform_zone_end },
	{ "host", host_begin, NULL }, { "router", router_begin, NULL }, { "cluster", cluster_begin, NULL }, { "link", link_begin, NULL },
	{ "route", route_begin, platform_route_end }, { "zoneRoute", zone_route_begin, platform_route_end },
	{ "ASroute", zone_route_begin, platform_route_end }, { "link_ctn", link_ctn_begin, NULL }, { "trace", trace_begin, trace_end },
	{ "trace_connect", trace_connect_begin, NULL },
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

static void begin(void *data, const XML_Char *element, const XML_Char **attribute)
{
	(void)data;
	platform_place.line = XML_GetCurrentLineNumber(x.parser);
	if (x.skipped || is_passed(element)) {
		x.skipped++;
		return;
	}
	x.element = element;
	x.attribute = attribute;
	refuse_attributes();
	for (size_t i = 0; i < ELEMENTS; i++)
		if (strcmp(elements[i].name, element) == 0) {
			elements[i].begin();
			return;
		}
	platform_refuse(element, "not an element that is read: platform, zone, host, router, cluster, link, route, zoneRoute, link_ctn, trace or "
			"trace_connect");
}

static void end(void *data, const XML_Char *element)
{
	(void)data;
	platform_place.line = XML_GetCurrentLineNumber(x.parser);
	if (x.skipped) {
		x.skipped--;
		return;
	}
	for (size_t i = 0; i < ELEMENTS; i++)
		if (strcmp(elements[i].name, element) == 0 && elements[i].end)
			elements[i].end();
}

static void characters(void *data, const XML_Char *text, int length)
{
	char *longer;

	(void)data;
	if (!x.text)
		return;
	longer = tool_string("%s%.*s", x.text, length, text);
	free(x.text);
	x.text = longer;
}

void platform_xml(FILE *in)
{
	char buffer[4096];
	size_t n;

	x.parser = tool_need(XML_ParserCreate(NULL));
	XML_SetElementHandler(x.parser, begin, end);
	XML_SetCharacterDataHandler(x.parser, characters);
	do {
		n = fread(buffer, 1, sizeof(buffer), in);
		if (ferror(in))
			platform_refuse(NULL, "%s", strerror(errno));
		if (XML_Parse(x.parser, buffer, (int)n, n < sizeof(buffer)) != XML_STATUS_OK) {
			if (XML_GetErrorCode(x.parser) == XML_ERROR_NO_MEMORY)
				tool_need(NULL);
			platform_place.line = XML_GetCurrentLineNumber(x.parser);
			platform_refuse(NULL, "not XML: %s", XML_ErrorString(XML_GetErrorCode(x.parser)));
		}
	} while (n == sizeof(buffer));
	XML_ParserFree(x.parser);
	for (size_t i = 0; i < x.traces; i++) {
		free(x.traced[i].name);
		free(x.traced[i].period);
		free(x.traced[i].text);
		free(x.traced[i].file);
	}
	free(x.traced);
}

#endif
