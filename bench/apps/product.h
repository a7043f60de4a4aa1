/* product.h - a matrix product, as tasks of a class.
 *
 * Nishikawa & Steenkiste, "A general architecture for load balancing in a distributed-memory environment", ICDCS 1993,
 * section 5.1, mm: 256 x 256, a task for each row, all of the same size and none waiting for another.
 *
 * A and the result are dealt by row, in contiguous blocks, B is on every node.  A task that is moved takes its row of A
 * with it.  Each row is added up by one task in the order of the serial program, so the result is the same bits whoever
 * runs what. */
#ifndef PRODUCT_H
#define PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/apps/nodes.h"
#include "dls/class.h"
#include "dls/machine.h"

enum { PRODUCT_N = 256, PRODUCT_MOST = 4096 };

/** What there is to do; 0 or NULL: the default.
 *
 * nodes   of the machine, at least 1
 * policy  of the class; NULL: "factor"
 * time    ns that all tasks together take at speed 1, in virtual time; 0: none
 * jitter  the time of each is multiplied by a number from 1 - jitter to 1 + jitter, drawn from `seed`; 0 to 1
 * n       rows and columns; 0: PRODUCT_N */
struct product_setup {
	unsigned nodes;
	const char *policy;
	uint64_t time;
	double jitter;
	uint64_t seed;
	unsigned n;
};

/** A node's memory, read and written by that node alone.  Row i of A is here if has[i]; one that is on no node is in a message. */
struct product_node {
	_Alignas(NODES_LINE) double *a, *b;
	bool *has;	/* by row */
	uint32_t *runs;
};

struct product {
	struct product_setup setup;
	struct dls_class_desc classes[1];
	unsigned class_count;
	struct product_node *node;
	double *a, *b;			/* drawn from `seed`, -1 to 1 */
	double *result, *serial;	/* each row of the result is written by its task alone */
};

/** Make ready.  The product stays where it is until it is closed.  Returns 0; DLS_ERANGE no node, or a size or jitter out
 * of range; DLS_ENOMEM.  After an error there is nothing to close. */
int product_open(struct product *x, const struct product_setup *setup);
void product_close(struct product *x);

/** Add the tasks, for the machine's next run; what the last has left is gone.  Returns 0; DLS_ERANGE not a machine of so
 * many nodes; else what dls_class_add() does. */
int product_deal(struct product *x, struct dls_machine *machine);

/** After a run: each task has run once, and the result is that of the serial program, bit for bit. */
bool product_right(const struct product *x);

#endif
