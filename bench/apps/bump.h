/* bump.h - sweeps over a grid of cells whose cost is a bump that moves on, dealt to workers by a loop's schedule.
 *
 * BUMP_SIDE x BUMP_SIDE cells and BUMP_WORKERS workers, in virtual time through the library's own dispensers.  Cells are
 * numbered along a curve; a square of 32 x 32 is a worker's tile by hilbert and by morton alike.  A cell is computed from
 * itself and its four neighbours. */
#ifndef BUMP_H
#define BUMP_H

#include <stdint.h>

#include "dls/curve.h"

enum { BUMP_SIDE = 128, BUMP_WORKERS = 16, BUMP_SWEEPS = 10 };

struct bump_setup {
	const char *schedule;
	enum dls_curve_kind curve;
	double bump;		/* cost of the dearest tile, over the mean of all */
};

/** Means over the sweeps, of `same` and `missed` from the second on. */
struct bump_figures {
	double efficiency;
	double same;		/* part of the cells run by the worker of the last sweep */
	double cut;		/* pairs of neighbours of different workers */
	double missed;		/* cells that are not in their worker's cache, which holds 1.5 tiles */
	double chunks;
};

/** Run all sweeps; costs and the bump's way are drawn from the seed.  Returns 0; DLS_ERANGE no tile can cost so much, or a
 * cell was lost; DLS_ENOMEM; or what dls_loop_set_schedule() returns. */
int bump_run(const struct bump_setup *setup, uint64_t seed, struct bump_figures *figures);

#endif
