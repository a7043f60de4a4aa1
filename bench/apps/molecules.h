/* molecules.h - forces between atoms of a molecule whose distance is less than a cut-off, as tasks of a machine.
 *
 * Shu 1996, section 5: the force loop of GROMOS for superoxide dismutase, 6968 atoms, cut-offs of 8, 12 and
 * 16 angstrom; 1022 initial tasks spawn 3964.
 *
 * Departures: the atoms are those of a synthetic globule, drawn evenly in a sphere that has 0.1 of them in a
 * cubic angstrom, and numbered cell by cell.  The paper does not say how its tasks divide the loop over atoms;
 * here it is cut into 4986 contiguous pieces of one or two, an initial task having four or five of them: it runs
 * the first and spawns the others.  Or they are those of a protein in water, see molecules_draw_protein().
 *
 * A piece finds the neighbours of its atoms and adds up the forces on these alone, so each pair is met from both
 * ends, each force is written by one task, and all are the same bits on every machine.  With MOLECULES_PAIR for
 * each meeting, the three cut-offs take 104.9, 316.4 and 665.1 s; the paper's rows for RIPS come to 105.0, 316.2
 * and 665.6 s. */
#ifndef MOLECULES_H
#define MOLECULES_H

#include <stdbool.h>

#include "tree.h"

enum { ATOMS = 6968, MOLECULES_INITIAL = 1022, MOLECULES_PIECES = 4986, MOLECULES_PAIR = 85000 /* ns */ };
enum { MOLECULES_SEED = 448 };	/* a seed for which the times of the three cut-offs are near the paper's */
enum { MOLECULES_ANGSTROM = 1 << 16 };	/* units of length */
enum { MOLECULES_CELLS = 14 };	/* along each side of a cube, of 4 angstrom each */

/** Atoms: in units from the centre; those of cell c are from first[c] on. */
struct molecules_globule {
	int32_t at[ATOMS][3];
	uint32_t first[MOLECULES_CELLS * MOLECULES_CELLS * MOLECULES_CELLS + 1];
	uint32_t loop[ATOMS], turn[ATOMS];	/* loop[k]: the k-th atom of the loop; turn: the inverse */
	bool once;			/* only a pair's first atom in the loop pays for it; else both do */
	uint32_t pair;			/* ns of a pair */
};

/** Draw them. */
void molecules_draw(struct molecules_globule *globule, uint64_t seed);
/** Of a protein in water.
 *
 * Superoxide dismutase has 31.4 kDa: at 1.21 cubic angstrom a Da a sphere of 20.9 angstrom, in which 2660 atoms make 0.07 in a cubic angstrom, what
 * the united atoms of a protein come to.  The other 4308 are those of 1436 molecules of water, which are one charge group each, all around at
 * 0.1 atoms in a cubic angstrom.  The protein's atoms come first, cell by cell, then those of the water.  As in lists of pairs,
 * each pair is that of the atom which comes first.  The time of a pair makes 105 s of the cut-off of 8 angstrom. */
void molecules_draw_protein(struct molecules_globule *globule, uint64_t seed);

struct molecules_force {
	double of[3];
	uint64_t pairs;
};

/** A loop over the atoms of a globule, which is kept. */
struct molecules {
	const struct molecules_globule *globule;
	unsigned cutoff;		/* angstrom */
	double skew;			/* 0 .. 1: the first piece takes 1 + skew times as long as it would, the last 1 - skew times */
	struct molecules_force *force;	/* on each atom */
	struct dls_task_type root, initial, piece;
	struct tree tree;
};

/** Make ready.  The loop stays where it is until it is closed.  cutoff: a multiple of 4 angstrom.  Returns 0;
 * DLS_EINVAL; DLS_ENOMEM.  skew stands for pair lists that hold each pair once, with the atom that comes first. */
int molecules_open(struct molecules *m, const struct molecules_globule *globule, unsigned cutoff, double skew);
void molecules_close(struct molecules *m);

/** The task that spawns all initial ones, for tree_run(&m->tree, ...); not counted.  The tree is dealt by
 * tree_deal(). */
struct dls_task molecules_root(const struct molecules *m);

/** Have a machine do the work: on each processor such a root for its share of the initial tasks, in contiguous
 * blocks.  Returns what dls_machine_add() does. */
int molecules_deal(const struct molecules *m, struct dls_machine *machine);

/** Meetings of pairs, each pair's two, or one of a globule whose pairs are met once. */
uint64_t molecules_pairs(const struct molecules *m);

/** Add the force of atom j on atom i: Lennard-Jones, without its unit, r^2 being 1 square angstrom more, so that atoms drawn
 * too near to each other do no harm. */
void molecules_meet(const struct molecules *m, unsigned i, unsigned j, struct molecules_force *f);

#endif
