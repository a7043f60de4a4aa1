/* segments.h - the primes up to a limit, as tasks of a class.
 *
 * Nishikawa 1993, section 5.1, prime: 1 to 1,000,000 in segments of 2,000, a task for each; none waits for another.  Each
 * number is divided by the primes up to its root, in increasing order, until one divides it.  The primes up to the root of the
 * limit are computed before the run, and are on every node.
 *
 * A segment's work is the number of its divisions, counted when it has run; later segments have more work.  Segments
 * are dealt cyclically and run in increasing order, so the last ones move. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/apps/nodes.h"
#include "dls/class.h"
#include "dls/machine.h"

enum { SEGMENTS_LIMIT = 1000000, SEGMENTS_LENGTH = 2000, SEGMENTS_LEAST = 4, SEGMENTS_MOST = 100000000 };

/** As in nodes.h.  The policy is "factor" by default.
 *
 * limit   the last number; 0: SEGMENTS_LIMIT
 * length  numbers of a segment, of the last perhaps less; 0: SEGMENTS_LENGTH */
struct segments_setup {
	unsigned nodes;
	const char *policy;
	uint64_t time;
	double jitter;
	uint64_t seed;
	uint32_t limit, length;
};

/** A node's memory, read and written by that node alone. */
struct segments_node {
	_Alignas(MEMORY_LINE) uint32_t *divisor;
	uint32_t *runs;		/* by segment */
	uint64_t divisions;
};

struct segments {
	struct segments_setup setup;
	struct memory memory;
	struct dls_class_desc classes[1];
	unsigned class_count;
	uint32_t tasks;			/* number i is of segment (i - 1) / length */
	uint64_t divisions;		/* of the serial program */
	uint32_t *divisor, divisors;	/* primes up to the root of the limit */
	struct segments_node *node;
	uint8_t *prime, *serial;	/* of each number: whether it is; written by its task alone */
};

int segments_open(struct segments *x, const struct segments_setup *setup);
void segments_close(struct segments *x);
int segments_deal(struct segments *x, struct dls_machine *machine);
/** Also whether the primes have been found by as many divisions as in the serial program. */
bool segments_right(const struct segments *x);

#endif
