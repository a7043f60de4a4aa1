/* dem.c - dimension exchange method: a processor without load makes all processors balance at once, with their partners of
 * one dimension of the net after the other.
 *
 * Willebeek-LeMair and Reeves, IEEE Trans. Parallel Distrib. Syst. 4(9):979-993, 1993, sections III-E and V, Table II, after
 * Cybenko, J. Parallel Distrib. Comput. 7:279-301, 1989.
 *
 * Sweeps are numbered.  A processor that requests a sweep sends its number down the binomial tree of which it is the root, and
 * joins it.  In each dimension the upper partner sends its load, the lower one answers with half of the difference, which
 * then moves one way or the other.  No task is run meanwhile.  Queued load is summed: if nothing is left anywhere, no
 * processor requests another sweep; a processor that a sweep leaves without queued tasks waits before its next request, each time
 * twice as long.
 *
 * D1: Every processor takes part in the sweeps 1, 2, 3, ..., each once and in this order.  It joins the next sweep as soon as it has
 *     finished its own, up to the highest number that it has received (`wanted`).  Hence processors that make requests at the same
 *     time request the same sweep, and no processor is ever in a sweep that another leaves out.
 * D2: In a sweep it meets its partners in the order of dimensions, and a partner is the same for both.  A partner that waits
 *     for an answer does not go on, so in each dimension at most one load is early, of this sweep or the next, whatever the
 *     order of arrival between links: it is kept (`early`).  Answers and tasks are never early.
 * D3: Every processor hears of the newest sweep.  A request is passed on unless a newer one, or one for the same sweep by a
 *     lower root, has been, or all are known to have joined; processors that are in that sweep or have finished it pass it on
 *     as well, as the trees of different roots lead through different processors.  So the request of the lowest root that asks
 *     for the newest sweep reaches all, unless all have joined.
 * So of all processors that are in a sweep or asked for one, the least advanced one (sweep, dimension) has a partner as far as
 * itself, or one that will still be asked: the sweep ends.
 *
 * In hypercubes, meshes and tori whose extents are not powers of two, missing partners are left out.  Then some processors
 * hear of only a part of the others (`heard`), and do not learn that nothing is left.
 *
 * Bound: a sweep is at most three messages a dimension for each processor, and one request to each processor from every
 * requester.  A processor without load after a sweep waits twice as long as before.  While loads change only by sweeps, in which
 * the sum of their squares falls until nothing moves, there are at most log2(time / wait) of them. */
#include "dls/strategy.h"

enum { LOW, MIN, WAIT };
enum { REQUEST, LOAD, ANSWER, TASKS };
enum { REQUESTS, SWEEPS };	/* counters; the second by processor 0 */

enum { DIMENSIONS = 27 };	/* of a mesh of three dimensions, 2^24 processors and extents just above powers of two */

struct dem_load {
	struct dem_load *next;
	int64_t load, queued;
	uint32_t sweep, heard;
	unsigned dimension;
};

struct dem {
	uint32_t sweep, wanted;		/* D1 */
	unsigned root;			/* the lowest processor known to have requested sweep `wanted` */
	uint32_t heard;			/* processors heard of in this sweep */
	unsigned dimension;
	bool busy;			/* in a sweep */
	int64_t queued;			/* load queued on those `heard` of when they joined the sweep */
	int64_t missing;		/* load of the tasks still to come */
	int64_t before;			/* if arriving: the load without the tasks that arrive */
	bool arriving;			/* tasks enter the queue once the handler has returned */
	uint64_t wait;			/* before its next request, ns */
	bool waiting;
	bool nothing;			/* the last sweep found nothing queued anywhere */
	struct dem_load *early, *spare;	/* loads of early messages (D2); unused entries */
};

static bool dem_low(const struct dls_vp *vp)
{
	return (double)dls_vp_load(vp) < dls_vp_value(vp, LOW)->real;
}

static void dem_wait(struct dls_vp *vp, struct dem *d)
{
	d->waiting = true;
	dls_vp_timer_start(vp, 0, d->wait);
	if (d->wait < UINT64_MAX / 4)
		d->wait *= 2;
}

static void reset_wait(const struct dls_vp *vp, struct dem *d)
{
	const struct dls_value *wait = dls_vp_value(vp, WAIT);

	d->waiting = false;
	d->wait = wait->word < 0 ? (uint64_t)(wait->real * 1e9) : dls_vp_default_period(vp);
}

static void enter(struct dls_vp *vp, struct dem *d)
{
	d->busy = true;
	d->sweep++;
	d->dimension = 0;
	d->queued = dls_vp_queued_load(vp);
	d->heard = 1;
	dls_vp_hold(vp);
	if (dls_vp_id(vp) == 0)
		dls_vp_counter_add(vp, SWEEPS, 1);
}

static void leave(struct dls_vp *vp, struct dem *d)
{
	d->busy = false;
	if (d->sweep < d->wanted)
		return;
	d->nothing = d->queued == 0 && d->heard == dls_vp_processors(vp);
	if ((double)dls_vp_queued_load(vp) >= dls_vp_value(vp, LOW)->real) {
		reset_wait(vp, d);
		dls_vp_timer_stop(vp, 0);
	} else if (!d->nothing) {
		dem_wait(vp, d);
	}
	dls_vp_release(vp);
}

/* Send tasks with a load of at most `load`, and say how much.  If nothing can be sent, a message is sent only
 * if `expected`. */
static void send_tasks(struct dls_vp *vp, unsigned to, int64_t load, bool expected)
{
	int64_t word[DLS_MESSAGE_WORDS] = { dls_vp_migratable(vp, load) };

	if (word[0] > 0)
		dls_vp_migrate(vp, to, TASKS, load, word);
	else if (expected)
		dls_vp_send(vp, to, TASKS, word);
}

/* Take the upper partner's load in this dimension out of `early`; NULL: it has not come. */
static const struct dem_load *upper_load(struct dem *d)
{
	for (struct dem_load **at = &d->early; *at; at = &(*at)->next) {
		struct dem_load *load = *at;

		if (load->sweep == d->sweep && load->dimension == d->dimension) {
			*at = load->next;
			load->next = d->spare;
			d->spare = load;
			return load;
		}
	}
	return NULL;
}

/* Exchange with the upper partner, whose load has come: send an answer, and tasks if this processor has more.
 * Returns whether it must wait for tasks. */
static bool exchange(struct dls_vp *vp, struct dem *d, unsigned partner, const struct dem_load *theirs)
{
	int64_t own = dls_vp_load(vp), half = (own > theirs->load ? own - theirs->load : theirs->load - own) / 2;
	bool give = own > theirs->load;

	if ((double)half < dls_vp_value(vp, MIN)->real)
		half = 0;
	dls_vp_send(vp, partner, ANSWER,
		    (int64_t[DLS_MESSAGE_WORDS]){ give ? dls_vp_migratable(vp, half) : -half, d->queued, d->heard });
	d->queued += theirs->queued;
	d->heard += theirs->heard;
	if (give)
		send_tasks(vp, partner, half, false);
	d->missing = half;
	return !give && half > 0;
}

/* Go through the dimensions until this processor must wait for a message. */
static void go_on(struct dls_vp *vp, struct dem *d)
{
	const struct dls_net *net = dls_vp_net(vp);
	unsigned D = dls_net_folds(net), id = dls_vp_id(vp);
	const struct dem_load *theirs;

	for (; d->dimension < D; d->dimension++) {
		unsigned partner = dls_net_fold(net, id, d->dimension);

		if (partner == DLS_NO_PROCESSOR)
			continue;
		if (partner < id) {
			dls_vp_send(vp, partner, LOAD, (int64_t[DLS_MESSAGE_WORDS]){
				(int64_t)d->sweep * DIMENSIONS + d->dimension, dls_vp_load(vp), d->queued, d->heard });
			return;
		}
		theirs = upper_load(d);
		if (!theirs)
			return;
		if (exchange(vp, d, partner, theirs))
			return;
	}
	leave(vp, d);
}

/* Join the requested sweeps one after another, until this processor must wait in one. */
static void join(struct dls_vp *vp, struct dem *d)
{
	while (!d->busy && d->sweep < d->wanted) {
		enter(vp, d);
		go_on(vp, d);
	}
}

/* The exchange in this dimension is complete. */
static void next(struct dls_vp *vp, struct dem *d)
{
	d->dimension++;
	go_on(vp, d);
	join(vp, d);
}

/* Accept the request of processor `root` for a sweep: pass it on down the tree of `root`, and join. */
static void pass_on(struct dls_vp *vp, struct dem *d, uint32_t sweep, unsigned root)
{
	unsigned child, id = dls_vp_id(vp);

	d->wanted = sweep;
	d->root = root;
	for (unsigned i = 0; (child = dls_net_broadcast_child(dls_vp_net(vp), root, id, i)) != DLS_NO_PROCESSOR; i++)
		dls_vp_send(vp, child, REQUEST, (int64_t[DLS_MESSAGE_WORDS]){ sweep, root });
	join(vp, d);
}

static void ask(struct dls_vp *vp, struct dem *d)
{
	dls_vp_counter_add(vp, REQUESTS, 1);
	pass_on(vp, d, d->sweep + 1, dls_vp_id(vp));
}

static void requested(struct dls_vp *vp, struct dem *d, uint32_t sweep, unsigned root)
{
	bool joined_by_all = !d->busy && d->heard == dls_vp_processors(vp);

	if (sweep > d->wanted || (sweep == d->wanted && root < d->root && !joined_by_all))
		pass_on(vp, d, sweep, root);
}

static void told(struct dls_vp *vp, struct dem *d, const int64_t *word)
{
	unsigned dimension = (unsigned)(word[0] % DIMENSIONS);
	uint32_t sweep = (uint32_t)(word[0] / DIMENSIONS);
	struct dem_load *load = d->spare ? d->spare : dls_vp_alloc(vp, sizeof(*load));

	if (!load)
		return;
	d->spare = load->next;
	*load = (struct dem_load){ d->early, word[1], word[2], sweep, (uint32_t)word[3], dimension };
	d->early = load;
	if (sweep > d->wanted) {
		d->wanted = sweep;
		d->root = DLS_NO_PROCESSOR;
	}
	if (sweep == d->sweep && dimension == d->dimension)
		go_on(vp, d);
	join(vp, d);
}

static void answered(struct dls_vp *vp, struct dem *d, unsigned from, const int64_t *word)
{
	d->queued += word[1];
	d->heard += (uint32_t)word[2];
	d->missing = word[0];
	if (word[0] > 0)
		return;
	if (word[0] < 0)
		send_tasks(vp, from, -word[0], true);
	next(vp, d);
}

static void dem_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	struct dem *d = state;
	const int64_t *word = message->word;

	switch (message->kind) {
	case REQUEST:
		requested(vp, d, (uint32_t)word[0], (unsigned)word[1]);
		break;
	case LOAD:
		told(vp, d, word);
		break;
	case ANSWER:
		answered(vp, d, message->from, word);
		break;
	default:	/* TASKS */
		if (word[0] == 0) {
			next(vp, d);
			break;
		}
		if (word[0] < d->missing)
			d->missing = word[0];
		d->arriving = true;
		d->before = dls_vp_load(vp);
		break;
	}
}

/* If no sweep is under way: request one if this processor is low, or if tasks are queued after a sweep found
 * none. */
static void look(struct dls_vp *vp, struct dem *d, bool waited)
{
	if (d->busy || d->waiting)
		return;
	if (d->nothing && dls_vp_queued_load(vp) == 0)
		return;
	if (d->nothing && !waited)	/* tasks were spawned after a sweep had found none */
		dem_wait(vp, d);
	else if (d->nothing || dem_low(vp))
		ask(vp, d);
}

static void dem_changed(struct dls_vp *vp, void *state)
{
	struct dem *d = state;

	if (d->arriving) {
		d->arriving = false;
		d->missing -= dls_vp_load(vp) - d->before;
		if (d->missing <= 0)
			next(vp, d);
	}
	look(vp, d, false);
}

static void dem_timer(struct dls_vp *vp, void *state, unsigned which)
{
	struct dem *d = state;

	(void)which;
	d->waiting = false;
	look(vp, d, true);
}

static void dem_start(struct dls_vp *vp, void *state)
{
	struct dem *d = state;

	reset_wait(vp, d);
	look(vp, d, false);
}

const struct dls_strategy dls__strategy_dem = {
	.size = sizeof(struct dls_strategy), .name = "dem", .source = "Willebeek-LeMair 1993",
	.idea = "all processors balance at once, pair by pair, one dimension after the other",
	.state_size = sizeof(struct dem),
	.start = dem_start, .load = dem_changed, .message = dem_message, .timer = dem_timer,
	.kind = { [REQUEST] = "request", [LOAD] = "load", [ANSWER] = "answer", [TASKS] = "tasks" },
	.counter = { [REQUESTS] = "requests", [SWEEPS] = "sweeps" },
	.param = {
		[LOW] = { .name = "low", .value = "1", .min = 0, .max = 1e15,
			  .text = "load below which a processor asks for a sweep" },
		[MIN] = { .name = "min", .value = "1", .min = 0, .max = 1e15, .text = "least load that is moved at once" },
		[WAIT] = { .name = "wait", .value = "pause", .min = 1e-9, .max = 1e9, .words = "pause",
			   .text = "seconds that a processor which a sweep leaves without queued tasks waits before it asks "
				   "again, doubled each time" },
	},
};
