/* ready.h - whether a processor has a task to run. */
#ifndef LIB_MACHINE_READY_H
#define LIB_MACHINE_READY_H

#include "lib/machine/class.h"
#include "lib/machine/vp.h"

/* Whether dls__vp_next() has something to hand out. */
static inline bool dls__vp_ready(const struct dls_vp *vp)
{
	struct dls__lane *lane;

	return vp->queue.units > 0 && vp->open > 0 && !vp->standing.held && !vp->standing.ended &&
	       (!vp->classes.lane || dls__lane_choose(vp, &lane));
}

/* Whether there would be nothing to run even without a hold: then the engine must call dls__vp_idle(). */
static inline bool dls__vp_dry(const struct dls_vp *vp)
{
	struct dls__lane *lane;

	return vp->queue.units == 0 ||
	       (!vp->standing.held && (vp->open == 0 || (vp->classes.lane && !dls__lane_choose(vp, &lane))));
}

#endif
