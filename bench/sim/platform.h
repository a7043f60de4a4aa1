/* platform.h - dls-sim --platform: zones of hosts and routers, joined by routes over links.  Read by platform_text.c, or by
 * platform_xml.c as SimGrid's XML; what they find is checked and kept by platform.c. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include "sim.h"

/* Where the reader is, for messages. */
struct place {
	const char *file;
	size_t line;
};
extern struct place platform_place;
/* End the program: "--platform "FILE", line 3, "VALUE": why".  value NULL: none. */
_Noreturn void platform_refuse(const char *value, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A zone inside the one that is open, by its way of routing: Full or None; then what follows is in it until it is closed. */
void platform_zone(const char *name, const char *routing);
void platform_zone_end(void);
/* A host with a speed, "1Gf" or a plain number; trace: of its speed over time, as its file has it, or NULL.  A router. */
void platform_host(const char *name, const char *speed);
void platform_router(const char *name);
/* sharing: SHARED, FATPIPE or SPLITDUPLEX; NULL: SHARED. */
void platform_link(const char *name, const char *latency, const char *bandwidth, const char *sharing);

/* A route of hosts and routers of the zone that is open, or of its zones by their gateways (NULL: hosts; of a cluster, its router):
 * begin, add links in their order, end.  direction: of a SPLITDUPLEX link, UP or DOWN; else NULL. */
void platform_route(const char *from, const char *to, const char *gateway_from, const char *gateway_to, bool symmetrical);
void platform_route_link(const char *name, const char *direction);
void platform_route_end(void);

/* Hosts that each have a link to what joins them all: nothing, or a backbone (latency NULL: none). */
struct platform_cluster {
	const char *name, *prefix, *suffix, *radical;	/* radical: "0-99" or "0-3,7" */
	const char *speed, *latency, *bandwidth, *sharing;
	const char *backbone_latency, *backbone_bandwidth, *backbone_sharing;
	const char *router;				/* NULL: PREFIX NAME _router SUFFIX */
};
void platform_cluster(const struct platform_cluster *cluster);

/* The speed of a host over time: lines "seconds factor", and perhaps "LOOPAFTER seconds"; a file, or its text. */
void platform_trace_file(const char *host, const char *file);
void platform_trace(const char *host, const char *text, const char *period);

void platform_text(FILE *in);
void platform_xml(FILE *in);

#endif
