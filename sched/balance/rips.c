/* rips.c - runtime incremental parallel scheduling: user phases, in which tasks run, alternate with system phases, in which all
 * processors together redistribute all queued tasks.  The run begins with a system phase, for which nobody asks.
 *
 * Shu and Wu, IEEE Trans. Parallel Distrib. Syst. 7(6):637-649, 1996, section 3; how tasks move is section 4
 * (rips_move.c).
 *
 * A processor is ready for a system phase when RTE is empty: the queued tasks before the divider of Figure 3.  Under
 * queue=eager these are the tasks that the last system phase gave it, under queue=lazy also those that it has spawned since.
 * The phase begins with an init, when all processors are ready, or any is.  Sums of what is queued go up the tree, the
 * mean comes down, tasks move, and each processor goes on by itself.
 *
 * R1: System phases are numbered, and each processor goes through all, in this order.  The root sends the mean when all have
 *     entered.  So a processor that has the mean can ignore inits of this phase.  An init of the next phase may come before it
 *     has left this one, and is kept (`wanted`); one of a later phase cannot come.
 * R2: A child sends its report and its sum for the next phase only when it has this phase's mean from its
 *     parent.  By then the parent has used what the child sent for this phase: one place for each child is
 *     enough, and phases need no parity.
 *
 * Where the paper is silent, or its rules do not suffice:
 *   A phase that finds no task, queued or suspended, is the last, unless tasks come later.
 *   All inits of a phase are passed on: the trees of different initiators lead through different processors.
 *   A processor with tasks ignores inits until it has run a task since the last phase, or a pause is over.
 * Otherwise processors that get their tasks late run none before the next phase, which finds few tasks, of
 * several levels: 14-Queens reaches an efficiency of .90 without the rule, .95 with it.  The rule also
 * ensures progress.
 *   A processor that was given no task may ask for a phase if its suspended task has spawned tasks behind
 * its divider.
 *   Under eligible=off a processor without any also asks for the next phase, once it has waited an eighth of the time during
 * which it got no task: otherwise the others exchange messages for an hour while one runs a task of an hour.
 *   After a phase with fewer tasks than processors spawned tasks wait as under queue=eager.
 *
 * Bound: a phase is an init to each processor from every requester, and a few messages over each edge of the tree or in each
 * dimension.  A requester has run one of the tasks given to it, or has waited, at most (1 + ln(time / t)) / ln(9/8) times,
 * t being the time of the shortest phase. */
#include "rips.h"

enum { ALL, ANY };		/* transfer */
enum { LAZY, EAGER };		/* queue */
enum { ON, OFF };		/* eligible */
enum { PHASES, SCHEDULED };	/* counters, by the root */
enum { PATIENCE, FRESH };	/* timers */

static bool is(const struct dls_vp *vp, unsigned param, int word)
{
	return dls_vp_value(vp, param)->word == word;
}

/* Send to the children in the tree. */
static void tell(struct dls_vp *vp, const struct rips *r, unsigned kind, const int64_t *word)
{
	for (unsigned e = 1; e <= r->children; e++)
		dls_vp_send(vp, dls__rips_end(vp, r, e), kind, word);
}

static void enter(struct dls_vp *vp, struct rips *r);

/* Enter the next system phase if it has been requested. */
static void heed(struct dls_vp *vp, struct rips *r)
{
	if (r->stage == RIPS_USER && r->wanted > r->phase && !r->fresh)
		enter(vp, r);
}

static void begin_user_phase(struct dls_vp *vp, struct rips *r, bool eager)
{
	uint64_t tasks = dls_vp_queued_tasks(vp);

	dls_vp_divide(vp, eager ? tasks : UINT64_MAX);
	r->stage = RIPS_USER;
	r->shut = eager;
	r->dry = false;
	r->since = dls_vp_now(vp);
	r->load = dls_vp_load(vp);
	r->given = tasks > 0;
	if (r->given)
		r->given_last = r->since;
	r->fresh = r->given || dls__rips_suspended(vp);
	if (r->fresh)
		dls_vp_timer_start(vp, FRESH, dls_vp_default_period(vp));
}

static void leave(struct dls_vp *vp, struct rips *r)
{
	dls_vp_charge(vp, DLS_CHARGE_SCHEDULE, dls_vp_queued_tasks(vp));
	dls_vp_release(vp);
	begin_user_phase(vp, r, is(vp, RIPS_QUEUE, EAGER) || r->low);
	heed(vp, r);
}

static void mean_told(struct dls_vp *vp, struct rips *r, const int64_t *word)
{
	tell(vp, r, RIPS_MEAN, word);
	r->low = word[2] < dls_vp_processors(vp);
	r->over = word[3] == 0;
	r->summed = 0;
	r->sum = (struct rips_sum){ .load = 0 };
	r->stage = RIPS_MOVE;
	if (dls__rips_begin(vp, r, (struct dls__mean){ word[0], word[1] }))
		leave(vp, r);
}

/* The root has the sums of all processors: send the mean. */
static void tell_mean(struct dls_vp *vp, struct rips *r)
{
	struct rips_sum sum = r->sum;
	unsigned N = dls_vp_processors(vp);
	struct dls__mean mean = dls__walk_mean(sum.tasks < N ? sum.tasks : sum.load, N);

	dls_vp_counter_add(vp, PHASES, sum.tasks + sum.suspended > 0);
	dls_vp_counter_add(vp, SCHEDULED, (uint64_t)sum.tasks);
	mean_told(vp, r, (int64_t[DLS_MESSAGE_WORDS]){ mean.w_avg, mean.R, sum.tasks, sum.tasks + sum.suspended });
}

static void enter(struct dls_vp *vp, struct rips *r)
{
	r->phase++;
	r->stage = RIPS_GATHER;
	dls_vp_timer_stop(vp, PATIENCE);
	dls_vp_timer_stop(vp, FRESH);
	dls_vp_hold(vp);
	dls_vp_charge(vp, DLS_CHARGE_PHASE, 1);
	if (dls__rips_gather(vp, r))
		tell_mean(vp, r);
}

/* Pass an init on, and follow it. */
static void init(struct dls_vp *vp, struct rips *r, uint32_t phase, unsigned root)
{
	unsigned child, id = dls_vp_id(vp);

	if (phase < r->phase || (phase == r->phase && (r->stage == RIPS_USER || r->stage == RIPS_MOVE)))
		return;
	for (unsigned i = 0; (child = dls_net_broadcast_child(dls_vp_net(vp), root, id, i)) != DLS_NO_PROCESSOR; i++)
		dls_vp_send(vp, child, RIPS_INIT, (int64_t[DLS_MESSAGE_WORDS]){ phase, root });
	if (phase > r->wanted)
		r->wanted = phase;
	heed(vp, r);
}

static void ask(struct dls_vp *vp, struct rips *r)
{
	init(vp, r, r->phase + 1, dls_vp_id(vp));
}

/* The time from which a processor may request a system phase although the last one gave it no task. */
static uint64_t patience(const struct rips *r)
{
	return r->since + (r->since - r->given_last) / 8;
}

/* Report that all processors here and below are ready, once all children have. */
static void report(struct dls_vp *vp, struct rips *r)
{
	if (!r->due || r->heard < r->children)
		return;
	r->due = false;
	r->heard = 0;
	if (r->parent != DLS_NO_PROCESSOR)
		dls_vp_send(vp, r->parent, RIPS_READY, NULL);
	else
		ask(vp, r);
}

static void rips_idle(struct dls_vp *vp, void *state)
{
	struct rips *r = state;

	if (r->stage != RIPS_USER || r->over)
		return;
	r->dry = true;
	r->fresh = false;
	heed(vp, r);
	if (r->stage != RIPS_USER)
		return;
	if (is(vp, RIPS_TRANSFER, ALL)) {
		r->due = true;
		report(vp, r);
	} else if (r->given || dls_vp_queued_load(vp) > 0) {	/* tasks behind the divider */
		ask(vp, r);
	} else if (is(vp, RIPS_ELIGIBLE, OFF)) {
		if (dls_vp_now(vp) >= patience(r))
			ask(vp, r);
		else
			dls_vp_timer_start(vp, PATIENCE, patience(r) - dls_vp_now(vp));
	}
}

static void rips_timer(struct dls_vp *vp, void *state, unsigned which)
{
	struct rips *r = state;

	if (which == PATIENCE) {
		ask(vp, r);
	} else {
		r->fresh = false;
		heed(vp, r);
	}
}

static void rips_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	const int64_t *word = message->word;
	struct rips *r = state;

	switch (message->kind) {
	case RIPS_READY:
		r->heard++;
		report(vp, r);
		break;
	case RIPS_INIT:
		init(vp, r, (uint32_t)word[0], (unsigned)word[1]);
		break;
	case RIPS_SUM:
		if (dls__rips_summed(vp, r, message))
			tell_mean(vp, r);
		break;
	case RIPS_MEAN:
		mean_told(vp, r, word);
		break;
	case RIPS_LOAD:
		if (dls__rips_told(vp, r, word))
			leave(vp, r);
		break;
	default:	/* RIPS_TASKS */
		if (dls__rips_arrived(vp, r, message))
			leave(vp, r);
		break;
	}
}

/* Tasks have come that need a phase: after the last phase, or behind the divider of a processor with none
 * before it.  Ask for the phase here, since no other processor may. */
static void waken(struct dls_vp *vp, struct rips *r)
{
	if (r->stage != RIPS_USER || dls_vp_queued_tasks(vp) == 0)
		return;
	if (!r->over && !(r->dry && r->shut && is(vp, RIPS_TRANSFER, ANY)))
		return;
	r->over = r->dry = false;
	ask(vp, r);
}

static void rips_load(struct dls_vp *vp, void *state)
{
	struct rips *r = state;

	waken(vp, r);
	if (r->arriving && dls__rips_entered(vp, r))
		leave(vp, r);
	if (r->stage == RIPS_USER && dls_vp_load(vp) != r->load)
		r->fresh = false;
	if (!dls__rips_suspended(vp))	/* else the running task has just spawned another */
		heed(vp, r);
}

static void rips_start(struct dls_vp *vp, void *state)
{
	const struct dls_net *net = dls_vp_net(vp);
	unsigned id = dls_vp_id(vp);
	struct rips *r = state;

	r->parent = dls_net_walk_parent(net, id);
	r->order = dls_net_walk_order(net, id);
	r->N_i = dls_net_walk_size(net, id);
	while (dls_net_walk_child(net, id, r->children) != DLS_NO_PROCESSOR)
		r->children++;
	r->flow = (int64_t *)&r->link[r->children + 1];
	enter(vp, r);
}

const struct dls_strategy dls__strategy_rips = {
	.size = sizeof(struct dls_strategy), .name = "rips", .source = "Shu 1996",
	.idea = "all processors stop together now and then, and share all tasks out equally along a tree",
	.block_all = true,
	.state_size = sizeof(struct rips) + RIPS_MORE * (sizeof(struct rips_edge) + sizeof(int64_t)),
	.link_size = sizeof(struct rips_edge) + sizeof(int64_t),
	.start = rips_start, .load = rips_load, .message = rips_message, .idle = rips_idle, .timer = rips_timer,
	.kind = { [RIPS_READY] = "ready", [RIPS_INIT] = "init", [RIPS_SUM] = "sum",
		  [RIPS_MEAN] = "mean", [RIPS_TASKS] = "tasks", [RIPS_LOAD] = "load" },
	.counter = { [PHASES] = "phases", [SCHEDULED] = "scheduled" },
	.param = {
		[RIPS_TRANSFER] = { .name = "transfer", .value = "any", .min = 1, .max = 0, .words = "all any",
				    .text = "a system phase begins when all processors are ready for it, or any is" },
		[RIPS_QUEUE] = { .name = "queue", .value = "lazy", .min = 1, .max = 0, .words = "lazy eager",
				 .text = "a spawned task may be run in the same user phase, or waits for the next" },
		[RIPS_WALK] = { .name = "walk", .value = "twa", .min = 1, .max = 0, .words = "twa mtwa twaet dem",
				.by_cost = "twaet",
				.text = "how tasks move: by tree walking, modified, with load=cost; by dimension exchange" },
		[RIPS_ELIGIBLE] = { .name = "eligible", .value = "on", .min = 1, .max = 0, .words = "on off",
				    .text = "transfer=any: only a processor that was given a task asks for the next phase" },
	},
};
