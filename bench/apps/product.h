/* product.h - a matrix product, as tasks of a class.
 *
 * Nishikawa 1993, section 5.1, mm: 256 x 256, a task for each row, all of the same size; none waits for another.
 *
 * A and the result are dealt by row, in contiguous blocks; B is on every node.  A task that moves takes its row of A
 * with it.  One task computes each row, in the order of the serial program, so the result is the same bits on every
 * node. */
#ifndef PRODUCT_H
#define PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/apps/nodes.h"
#include "dls/class.h"
#include "dls/machine.h"

enum { PRODUCT_N = 256, PRODUCT_MOST = 4096 };

/** As in nodes.h.  The policy is "factor" by default; n: rows and columns, 0: PRODUCT_N. */
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
	_Alignas(MEMORY_LINE) double *a, *b;
	bool *has;	/* by row */
	uint32_t *runs;
};

struct product {
	struct product_setup setup;
	struct memory memory;
	struct dls_class_desc classes[1];
	unsigned class_count;
	struct product_node *node;
	double *a, *b;			/* drawn from `seed`, -1 to 1 */
	double *result, *serial;	/* each row of the result is written by its task alone */
};

int product_open(struct product *x, const struct product_setup *setup);
void product_close(struct product *x);
int product_deal(struct product *x, struct dls_machine *machine);
bool product_right(const struct product *x);

#endif
