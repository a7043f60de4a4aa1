/* gm.c - gradient model: heavy processors release tasks, which drift down a map of distances to the nearest light one.
 *
 * Willebeek-LeMair and Reeves, IEEE Trans. Parallel Distrib. Syst. 4(9):979-993, 1993, section III-A and Table II, after Lin
 * and Keller's model.
 *
 * Where the paper is silent, and what update=period does: see dls_balance(7).  After 64 times `hops`, or
 * 64 log2 N if that is less, plus the net's diameter, a task is run where it is: otherwise a delta that
 * makes heavy processors light has them hand the same tasks to and fro without end.  A proximity that
 * falls is sent at once, one that rises at the next poll: when a processor is no longer light, its
 * neighbours take each other's proximity for a way to another light processor and count up to w_max: with
 * a message for each step of each neighbour, messages would multiply.  Timers are set only while there is
 * something to release or to send.
 *
 * Bound: each task is sent at most that often; all other messages are proximities.  A proximity falls because a neighbour has
 * sent one that is lower by 1, and rises because it has lost such a neighbour; both are below w_max.  So each time that a
 * processor becomes light or ceases to be, which takes a change of its load, the news dies out within w_max steps.  A timer
 * that goes off has sent a task or a proximity, or is not set again before load has changed. */
#include "dls/strategy.h"

enum { LWM, HWM, DELTA, HOPS, UPDATE, T, ARRIVED };
enum { CHANGE, PERIOD };	/* update */
enum { ON, STAYS };	/* arrived */
enum { PROXIMITY, TASKS };
enum { RELEASE, TELL };	/* timers */
enum { LIFE = 64 };

struct gm {
	double low, high;	/* LWM, HWM */
	int64_t delta;
	unsigned hops;
	uint64_t period;	/* ns; 0: update=change */
	unsigned w_max;
	unsigned proximity;	/* as last sent to the neighbours */
	unsigned nearest;	/* smallest proximity of the neighbours */
	unsigned turn;		/* link that is considered first */
	bool releasing, telling;	/* the timer is set */
	unsigned link[];	/* proximity of each neighbour */
};

static double number(const struct dls_vp *vp, unsigned i, double otherwise)
{
	const struct dls_value *value = dls_vp_value(vp, i);

	return value->word < 0 ? value->real : otherwise;
}

static unsigned log2_up(unsigned n)
{
	unsigned log = 0;

	while (log < 32 && n > UINT64_C(1) << log)
		log++;
	return log;
}

/* The neighbour that gets the tasks; one with a proximity below w_max exists. */
static unsigned downhill(struct dls_vp *vp, struct gm *g)
{
	unsigned K = dls_vp_degree(vp), k = g->turn % K;

	while (g->link[k] != g->nearest)
		k = (k + 1) % K;
	g->turn = k + 1;
	return dls_vp_neighbour(vp, k);
}

static bool heavy(const struct dls_vp *vp, const struct gm *g)
{
	return (double)dls_vp_load(vp) > g->high && g->nearest < g->w_max && dls_vp_migratable(vp, g->delta) > 0;
}

static unsigned proximity(const struct dls_vp *vp, const struct gm *g)
{
	if ((double)dls_vp_load(vp) < g->low)
		return 0;
	return g->nearest < g->w_max ? g->nearest + 1 : g->w_max;	/* eq. 5 */
}

static void tell(struct dls_vp *vp, struct gm *g)
{
	int64_t word[DLS_MESSAGE_WORDS] = { g->proximity = proximity(vp, g) };

	for (unsigned k = 0; k < dls_vp_degree(vp); k++)
		dls_vp_send(vp, dls_vp_neighbour(vp, k), PROXIMITY, word);
}

/* Time to the next poll, after the present one. */
static uint64_t soon(const struct dls_vp *vp, const struct gm *g)
{
	return g->period ? g->period - dls_vp_now(vp) % g->period : 1;
}

static void gm_load(struct dls_vp *vp, void *state)
{
	struct gm *g = state;

	if (proximity(vp, g) < g->proximity && !g->period) {
		tell(vp, g);
	} else if (proximity(vp, g) != g->proximity && !g->telling) {
		g->telling = true;
		dls_vp_timer_start(vp, TELL, soon(vp, g));
	}
	if (!g->releasing && heavy(vp, g)) {
		g->releasing = true;
		dls_vp_timer_start(vp, RELEASE, soon(vp, g));
	}
}

static void gm_start(struct dls_vp *vp, void *state)
{
	const struct dls_value *delta = dls_vp_value(vp, DELTA), *t = dls_vp_value(vp, T);
	unsigned log = log2_up(dls_vp_processors(vp));
	struct gm *g = state;

	g->low = number(vp, LWM, 1 + dls_vp_initial_mean_load(vp) / 10);
	g->high = number(vp, HWM, 2 * g->low);
	g->delta = (int64_t)(delta->percent ? delta->real * dls_vp_initial_mean_load(vp) / 100 : delta->real);
	if (g->delta < 1)
		g->delta = 1;
	g->hops = (unsigned)number(vp, HOPS, log);
	dls_vp_set_hop_limit(vp, LIFE * (g->hops < log ? g->hops : log) + dls_net_diameter(dls_vp_net(vp)));
	if (dls_vp_value(vp, UPDATE)->word == PERIOD)
		g->period = t->word < 0 ? (uint64_t)(t->real * 1e9) : dls_vp_default_period(vp);
	g->w_max = g->proximity = g->nearest = dls_net_diameter(dls_vp_net(vp)) + (g->period > 0);
	for (unsigned k = 0; k < dls_vp_degree(vp); k++)
		g->link[k] = g->w_max;
	gm_load(vp, g);
}

static void gm_timer(struct dls_vp *vp, void *state, unsigned which)
{
	struct gm *g = state;

	if (which == TELL) {
		g->telling = false;
		if (proximity(vp, g) != g->proximity)
			tell(vp, g);
	} else {
		g->releasing = false;
		if (heavy(vp, g))	/* its load then changes, and gm_load() goes on */
			dls_vp_migrate(vp, downhill(vp, g), TASKS, g->delta, NULL);
	}
}

static void told(struct dls_vp *vp, struct gm *g, const struct dls_message *message)
{
	unsigned was, k = dls_net_neighbour_index(dls_vp_net(vp), dls_vp_id(vp), message->from);

	was = g->link[k];
	g->link[k] = (unsigned)message->word[0];
	if (g->link[k] <= g->nearest) {
		g->nearest = g->link[k];
	} else if (was == g->nearest) {
		g->nearest = g->w_max;
		for (k = 0; k < dls_vp_degree(vp); k++)
			if (g->link[k] < g->nearest)
				g->nearest = g->link[k];
	}
	gm_load(vp, g);
}

static void gm_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	struct gm *g = state;

	if (message->kind == PROXIMITY)
		told(vp, g, message);
	else if (!g->period && dls_vp_value(vp, ARRIVED)->word == ON && (double)dls_vp_load(vp) >= g->low && g->nearest < g->w_max && message->hops < g->hops)
		dls_vp_forward(vp, downhill(vp, g), TASKS, NULL);
}

const struct dls_strategy dls__strategy_gm = {
	.size = sizeof(struct dls_strategy), .name = "gm", .source = "Willebeek-LeMair 1993",
	.idea = "tasks drift from heavy processors towards the nearest light one",
	.state_size = sizeof(struct gm), .link_size = sizeof(unsigned),
	.start = gm_start, .load = gm_load, .message = gm_message, .timer = gm_timer,
	.kind = { [PROXIMITY] = "proximity", [TASKS] = "tasks" },
	.param = {
		[LWM] = { .name = "lwm", .value = "alpha", .min = 0, .max = 1e15, .words = "alpha",
			  .text = "load below which a processor is light; alpha: 1 + a tenth of the initial load" },
		[HWM] = { .name = "hwm", .value = "double", .min = 0, .max = 1e15, .words = "double",
			  .text = "load above which a processor is heavy; double: twice lwm" },
		[DELTA] = { .name = "delta", .value = "1", .min = 0, .max = 1e15, .percent = true,
			    .text = "load that a heavy processor lets go of at each poll, a task at least" },
		[HOPS] = { .name = "hops", .value = "log", .min = 1, .max = 4294967295.0, .whole = true, .words = "log",
			   .text = "times that a task is sent before it stays where it is; log: the logarithm of the processors" },
		[UPDATE] = { .name = "update", .value = "change", .min = 1, .max = 0, .words = "change period",
			     .text = "proximities are told, and tasks let go of, as soon as can be, or every t seconds" },
		[T] = { .name = "t", .value = "pause", .min = 1e-9, .max = 1e9, .words = "pause",
			.text = "seconds of update=period" },
		[ARRIVED] = { .name = "arrived", .value = "on", .min = 1, .max = 0, .words = "on stays",
			      .text = "a task that comes to a processor that is not light goes on, or stays until that is heavy" },
	},
};
