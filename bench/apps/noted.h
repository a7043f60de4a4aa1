/* noted.h - the applications of Shu & Wu, "Runtime incremental parallel scheduling (RIPS) on distributed memory computers",
 * IEEE TPDS 7(6):637-649, 1996, section 5: queens, 15-puzzles and molecules.  Each runs once, serially, and its tasks
 * are recorded; on a machine they take the recorded times. */
#ifndef NOTED_H
#define NOTED_H

#include "puzzle.h"
#include "tree.h"

enum { QUEENS_13, QUEENS_14, QUEENS_15, IDA_1, IDA_2, IDA_3, GROMOS_8, GROMOS_12, GROMOS_16, NOTED_APPS };

struct noted {
	const char *name;
	bool dealt;			/* its initial tasks are on all processors; else the root is on processor 0 */
	size_t rounds;			/* iterations, each a tree ... */
	const struct tree *tree[PUZZLE_ITERATIONS];
	uint64_t tasks;			/* roots not counted */
	double T_s;			/* sequential time, s */
};

/** Draw what applications share; then do the work of an application, once, also on several threads.  Returns 0 or an error. */
void noted_draw(void);
int noted_prepare(unsigned app);
/** Forget the molecules; from now on they are of this kind, at first flat (molecules.h). */
enum noted_molecule { NOTED_FLAT, NOTED_SKEWED, NOTED_PROTEIN, NOTED_MOLECULES };
void noted_set_molecule(enum noted_molecule kind);
/** Free what was noted of all of them. */
void noted_free(void);
const struct noted *noted(unsigned app);

/** Efficiency of an optimal schedule without overhead: Table V.  The time is an equal share of the work plus
 * the longest task; if there are several iterations, for each the longer of these two. */
double noted_optimum(unsigned app, unsigned processors);

#endif
