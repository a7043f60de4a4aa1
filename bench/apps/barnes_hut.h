/* barnes_hut.h - gravity between bodies in clusters, by a tree of cells: the loop over the leaves of a tree of particles for which
 * fractiling was made (Banicescu and Hummel 1995).
 *
 * J. Barnes, P. Hut, "A hierarchical O(N log N) force-calculation algorithm", Nature 324:446-449, 1986.  A cell of side l whose
 * centre of mass is farther away than l / theta acts as one body; nearer cells are opened.  Departures: a leaf holds up to
 * BARNES_HUT_LEAF bodies, and no cell acts on a body inside it.  Bodies are in the order of the leaves, depth first, which is the
 * Morton order of their positions: consecutive bodies are near each other, and a range of them is a region of space.
 *
 * Units: the gravitational constant and the mass of all bodies are 1. */
#ifndef BARNES_HUT_H
#define BARNES_HUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BARNES_HUT_LEAF = 8 };

struct barnes_hut_body {
	double at[3], mass;
	uint32_t id;		/* 0 .. n - 1, whatever the order */
};

/** A cell of the tree.  Cells are in depth-first order; `next` follows the last one inside it, so a leaf's is its own number + 1. */
struct barnes_hut_cell {
	double centre[3], mass;	/* of its bodies */
	double side;
	uint32_t first, bodies;	/* in the order of bodies */
	uint32_t next;
};

struct barnes_hut {
	struct barnes_hut_body *body, *spare;
	struct barnes_hut_cell *cell;
	uint32_t bodies, cells, room;
	double theta;
};

struct barnes_hut_force {
	double of[3];		/* for each unit of the body's mass */
	uint64_t pulls;		/* bodies and cells that act on it */
};

/** Draw bodies in clusters, those of a cluster as Plummer's model has them, and build the tree.  theta >= 0; with 0 each body is
 * pulled by each other one.  Returns 0 or DLS_ENOMEM, after which it is closed. */
int barnes_hut_open(struct barnes_hut *b, uint32_t bodies, double theta, uint64_t seed);
void barnes_hut_close(struct barnes_hut *b);

/** Build the tree of the bodies as they are: their order changes.  Returns 0 or DLS_ENOMEM. */
int barnes_hut_build(struct barnes_hut *b);

/** The force on the i-th body; the same bits wherever and in whatever order it is computed.  Threads: any number. */
struct barnes_hut_force barnes_hut_force(const struct barnes_hut *b, uint32_t i);

/** The same by direct sums over all other bodies. */
struct barnes_hut_force barnes_hut_direct(const struct barnes_hut *b, uint32_t i);

#endif
