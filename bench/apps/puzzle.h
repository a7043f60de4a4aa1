/* puzzle.h - IDA* on the 15-puzzle, as tasks of a machine.
 *
 * Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence
 * 27(1):97-109, 1985: in each iteration all nodes are visited whose f, the moves made and the sum of the tiles'
 * distances from their places, is within a bound; each bound is 2 more than the one before, up to the first that
 * has a solution.  The move just made is never taken back.  Shu & Wu, "Runtime incremental parallel scheduling
 * (RIPS) on distributed memory computers", section 5: a barrier between iterations.
 *
 * A task is a position; its slack is the bound minus its f.  With a slack of more than PUZZLE_SLACK it looks at the
 * positions one move further, and spawns those within the bound; otherwise it searches all positions below it.  The root
 * always spawns, and is not counted.  The last iteration is searched whole, for all its solutions, so that the work does
 * not depend on which task finds one first.
 *
 * Departure: the paper does not name its three instances; these are Korf's that are nearest in tasks and in the
 * efficiency of an optimal schedule.  Each has a unit time of its own, which makes its sequential time that of the
 * paper's rows for RIPS: 44.2, 204.8 and 884.5 s.  One for all three would not do: they have 16.7, 46.0 and 44.5
 * million nodes. */
#ifndef PUZZLE_H
#define PUZZLE_H

#include <stdbool.h>

#include "tree.h"

enum { PUZZLE_SLACK = 8, PUZZLE_INSTANCES = 3, PUZZLE_TYPES = PUZZLE_SLACK / 2 + 2, PUZZLE_ITERATIONS = 20 };

/** An instance. */
struct puzzle_instance {
	uint64_t start;		/* tiles by place, four bits each, the first lowest; 0 is the blank */
	unsigned length;	/* of a shortest solution: the last bound */
	uint32_t unit;		/* ns of a node */
};
/** Numbers 28, 77 and 83 of Korf 1985. */
extern const struct puzzle_instance puzzle_instance[PUZZLE_INSTANCES];

struct puzzle_found {
	uint64_t nodes, solutions;
};

/** A search, one iteration at a time. */
struct puzzle {
	uint64_t start;
	uint32_t unit;
	unsigned bound;		/* of the iteration; puzzle_open() sets the first */
	struct puzzle_found *found;	/* by each processor, all iterations together; [0] by a serial run */
	unsigned processors;
	struct dls_task_type type[PUZZLE_TYPES];	/* by half the slack; the last those that spawn */
	struct tree *tree;	/* of a serial run */
};

/** Make ready for the first iteration, on up to so many processors.  The search stays where it is until it is
 * closed.  Returns 0; DLS_ENOMEM. */
int puzzle_open(struct puzzle *z, uint64_t start, uint32_t unit, unsigned processors);
void puzzle_close(struct puzzle *z);

/** The root's task, for processor 0 of a machine: one iteration.  Unless it found a solution, the next has a bound
 * that is greater by 2. */
struct dls_task puzzle_root(const struct puzzle *z);

/** Run all iterations serially, each into a tree of its own, to be freed by tree_free() also after an error.
 *
 * trees  PUZZLE_ITERATIONS empty ones, which then stay where they are
 *
 * Returns how many there were; DLS_ERANGE: not enough; DLS_ENOMEM. */
int puzzle_run(struct puzzle *z, struct tree *trees);

/** What has been found in all. */
struct puzzle_found puzzle_sum(const struct puzzle *z);

/** The parts of a search. */

/** A node: the positions of the tiles, the blank, the blank's last place, moves made, and the tiles' distances from their
 * places. */
struct puzzle_node {
	uint64_t tiles;
	unsigned blank, from, moves, distance;
};

/** By place: the places next to it, those above, left, right and below, up to PUZZLE_NOWHERE. */
enum { PUZZLE_NOWHERE = 16 };
extern const uint8_t puzzle_next_to[16][5];

/** The node of a task; that after a move of the tile at `place`; whether it is within the bound. */
struct puzzle_node puzzle_node_of(const struct dls_task *task);
struct puzzle_node puzzle_move(const struct puzzle_node *node, unsigned place);
bool puzzle_within(const struct puzzle *z, const struct puzzle_node *node);

#endif
