/* segments.h - the primes up to a limit, as tasks of a class.
 *
 * Nishikawa & Steenkiste, "A general architecture for load balancing in a distributed-memory environment", ICDCS 1993,
 * section 5.1, prime: 1 to 1,000,000 in segments of 2,000, a task for each, none waiting for another.  Each number is
 * divided by the primes up to its root, in increasing order, until one divides it.  Those up to the root of the limit are
 * found before, and are on every node.
 *
 * A segment's work is the divisions that it makes, counted when it has been run; later segments have more of it.  Segments
 * are dealt cyclically and run in increasing order, so those that are moved are the last. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/apps/nodes.h"
#include "dls/class.h"
#include "dls/machine.h"

enum { SEGMENTS_LIMIT = 1000000, SEGMENTS_LENGTH = 2000, SEGMENTS_LEAST = 4, SEGMENTS_MOST = 100000000 };

/** What there is to do; 0 or NULL: the default.
 *
 * nodes   of the machine, at least 1
 * policy  of the class; NULL: "factor"
 * time    ns that all divisions together take at speed 1, in virtual time; 0: none
 * jitter  the time of each segment is multiplied by a number from 1 - jitter to 1 + jitter, drawn from `seed`; 0 to 1
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
	_Alignas(NODES_LINE) uint32_t *divisor;
	uint32_t *runs;		/* by segment */
	uint64_t divisions;
};

struct segments {
	struct segments_setup setup;
	struct dls_class_desc classes[1];
	unsigned class_count;
	uint32_t tasks;			/* number i is of segment (i - 1) / length */
	uint64_t divisions;		/* of the serial program */
	uint32_t *divisor, divisors;	/* primes up to the root of the limit */
	struct segments_node *node;
	uint8_t *prime, *serial;	/* of each number: whether it is; written by its task alone */
};

/** Make ready.  The search stays where it is until it is closed.  Returns 0; DLS_ERANGE no node, or a limit or jitter out
 * of range; DLS_ENOMEM.  After an error there is nothing to close. */
int segments_open(struct segments *x, const struct segments_setup *setup);
void segments_close(struct segments *x);

/** Add the tasks, for the machine's next run; what the last has left is gone.  Returns 0; DLS_ERANGE not a machine of so
 * many nodes; else what dls_class_add() does. */
int segments_deal(struct segments *x, struct dls_machine *machine);

/** After a run: each task has run once, and the primes are those of the serial program, found by as many divisions. */
bool segments_right(const struct segments *x);

#endif
