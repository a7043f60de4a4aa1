/* update.c - the load update strategy: section III-F of Willebeek-LeMair 1993, see update.h.
 *
 * Departure: under update=period a load that has not changed is not sent again, so that a machine without work is silent. */
#include "update.h"

enum { FACTOR, STEP, PERIOD, DROP };

static void tick(struct dls_vp *vp, bool *ticking)
{
	const struct dls_value *t = dls_vp_value(vp, DLS__UPDATE_T);

	if (*ticking)
		return;
	*ticking = true;
	dls_vp_timer_start(vp, 0, t->word >= 0 ? dls_vp_default_period(vp) : (uint64_t)(t->real * 1e9));
}

/* Whether a load must be sent at once; never under update=period. */
static bool due(const struct dls_vp *vp, int64_t sent, int64_t load)
{
	const struct dls_value *dl = dls_vp_value(vp, DLS__UPDATE_DL);
	double was = (double)sent, is = (double)load, u = dls_vp_value(vp, DLS__UPDATE_U)->real;

	if (dls_vp_value(vp, DLS__UPDATE)->word == STEP)
		return fabs(is - was) >= (dl->percent ? dl->real * dls_vp_initial_mean_load(vp) / 100 : dl->real);
	return is <= was * u || (dls_vp_value(vp, DLS__UPDATE)->word == FACTOR && is * u >= was);
}

bool dls__update_due(struct dls_vp *vp, bool *ticking, int64_t sent, int64_t load)
{
	dls_vp_counter_add(vp, DLS__CHANGES, 1);
	if (load == sent)
		return false;
	if (dls_vp_value(vp, DLS__UPDATE)->word == PERIOD)
		tick(vp, ticking);
	else if (due(vp, sent, load))
		return true;
	dls_vp_counter_add(vp, DLS__ERROR, (uint64_t)(load > sent ? load - sent : sent - load));
	return false;
}

bool dls__update_timer(struct dls_vp *vp, bool *ticking, int64_t sent, int64_t load)
{
	if (load == sent)
		return false;
	tick(vp, ticking);
	return true;
}

void dls__update_decision(struct dls_vp *vp, uint64_t age, unsigned n)
{
	dls_vp_counter_add(vp, DLS__DECISIONS, 1);
	dls_vp_counter_add(vp, DLS__AGE, age / n);
}
