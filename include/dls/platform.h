/* dls/platform.h - machines as they are: links with their own latency and bandwidth, which messages share, and speeds that change.
 *
 * A strategy does not notice: its net says who its neighbours are, and the platform how long messages take between any two processors.
 * Processors and links do not fail. */
#ifndef DLS_PLATFORM_H
#define DLS_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"

DLS__C_BEGIN

struct dls_machine;

/** Most links of a route. */
#define DLS_ROUTE_MAX 64

/** A link.  A message is on the wire for bytes / bandwidth.
 *
 * latency    s, >= 0
 * bandwidth  bytes per s, > 0; INFINITY is accepted
 * shared     it carries one message at a time, the others wait in the order in which they came; else any number at once */
struct dls_platform_link {
	double latency;
	double bandwidth;
	bool shared;
};

/** A platform, for dls_machine_desc.  In virtual time alone.
 *
 * The head of a message crosses the links of its route one after the other.  The message has arrived when its
 * end has: later than its head by the time on the wire of the slowest link.  The costs latency, hop, long,
 * setup and byte have no effect.
 *
 * route   writes the links that messages from one processor to another cross, in their order, at most DLS_ROUTE_MAX, and returns
 *         how many; the same ones whenever it is called
 * factor  by which the speed of a processor is multiplied from `ns` on, > 0; *until gets the time of its next change, > ns, or UINT64_MAX;
 *         NULL: it is always 1.  When its speed changes, a processor that runs a task also looks for messages
 * context  passed to both */
struct dls_platform {
	size_t size;		/* sizeof(struct dls_platform) */
	unsigned processors;	/* 1 or more; the machine has at most these */
	unsigned links;
	const struct dls_platform_link *link;	/* lasts as long as the machine */
	unsigned (*route)(const void *context, unsigned from, unsigned to, unsigned link[DLS_ROUTE_MAX]);
	double (*factor)(const void *context, unsigned processor, uint64_t ns, uint64_t *until);
	const void *context;
};

/** Traffic of a link in a run, up to its end: also messages of the detection of the end, and after the last task. */
struct dls_link_stats {
	size_t size;		/* sizeof(struct dls_link_stats) */
	uint64_t messages, bytes;
	double busy;		/* s that messages were on its wire; of a link that is not shared, summed over them */
	double waited;		/* s that messages waited for it, likewise */
};

/** Traffic of a link in the last run.
 *
 * Returns 0; DLS_EINVAL no platform, no run, or it is under way; DLS_ERANGE no such link. */
DLS_API int dls_machine_link_stats(const struct dls_machine *machine, unsigned link, struct dls_link_stats *stats);

DLS__C_END

#endif
