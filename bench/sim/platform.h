/* platform.h - dls-sim --platform: zones of hosts and routers, joined by routes over links.  Read by platform_text.c, or by
 * platform_xml.c as SimGrid's XML, in a time that is linear in the file but for a logarithm; what they find is checked and kept by
 * platform.c. */
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

/* Quantities in SI units, by SimGrid's names: "1.5us".  state: of several speeds, "2Gf,1Gf", the number of the one. */
double platform_seconds(const char *text);
double platform_bandwidth(const char *text);
double platform_speed(const char *text, uint64_t state);
/* what: "number of cores". */
uint64_t platform_whole(const char *text, uint64_t least, uint64_t most, const char *what);

/* The number of the element with this name, PLATFORM_NONE: none; add a new name, which is not copied. */
enum { PLATFORM_NONE = -1 };
struct platform_names {
	void *tree;
};
int platform_find(const struct platform_names *names, const char *name);
void platform_put(struct platform_names *names, const char *name, size_t at);

/* A zone inside the one that is open, by its way of routing: Full or None; then what follows is in it until it is closed. */
void platform_zone(const char *name, const char *routing);
void platform_zone_end(void);
/* A host with a speed, "1Gf" or a plain number.  A router. */
void platform_host(const char *name, const char *speed, uint64_t state);
void platform_router(const char *name);
/* sharing: SHARED, FATPIPE or SPLITDUPLEX; NULL: SHARED. */
void platform_link(const char *name, const char *latency, const char *bandwidth, const char *sharing);

/* A route between hosts, routers or zones of the open zone, zones by gateways (NULL: the host or router; a
 * cluster's router): begin, add links in order, end.  direction: UP or DOWN if SPLITDUPLEX, else NULL. */
void platform_route(const char *from, const char *to, const char *gateway_from, const char *gateway_to, bool symmetrical);
void platform_route_link(const char *name, const char *direction);
void platform_route_end(void);

/* Hosts that each have a link; the links meet directly or, unless its latency is NULL, over a backbone. */
struct platform_cluster {
	const char *name, *prefix, *suffix, *radical;	/* radical: "0-99" or "0-3,7" */
	const char *speed, *latency, *bandwidth, *sharing;
	uint64_t state;					/* of the speeds */
	const char *backbone_latency, *backbone_bandwidth, *backbone_sharing;
	const char *router;				/* NULL: PREFIX NAME _router SUFFIX */
};
void platform_cluster(const struct platform_cluster *cluster);

/* The speed of hosts over time: lines "seconds factor", and perhaps "LOOPAFTER seconds"; a file, which is read once, or a text, with
 * its name in messages and its period, NULL: none.  Kept until the program ends. */
struct platform_trace;
const struct platform_trace *platform_trace_file(const char *file);
const struct platform_trace *platform_trace(const char *text, const char *where, const char *period);
void platform_set_trace(const char *host, const struct platform_trace *trace);
/* The factor from `ns` on; *until gets the time of its next change, if there is one. */
double platform_trace_factor(const struct platform_trace *trace, uint64_t ns, uint64_t *until);

void platform_text(FILE *in);
void platform_xml(FILE *in);

#endif
