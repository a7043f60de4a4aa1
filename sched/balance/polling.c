/* polling.c - requests of work: a processor without tasks asks the others, one after the other, until one has some to give.
 *
 * Rao and Kumar, "Parallel depth first search, part I: implementation", Int. J. Parallel Programming 16(6):479-499, 1987: the
 * neighbours in turn (nn).  Kumar, Grama and Rao, "Scalable load balancing techniques for parallel computers", J. Parallel
 * Distrib. Comput. 22(1):60-79, 1994: all processors in turn, from an own variable "target" (arr, asynchronous round robin) or
 * one that processor 0 keeps for all (grr, global round robin), or at random (rp, random polling).
 *
 * A donor sends the part `split` of its queued load, at least one task.  Where the papers are silent: see
 * dls_balance(7).
 *
 * Bound: a processor that runs out of tasks sends at most log2(time / wait) times as many requests as there are targets before it
 * has a task again; each has one answer and, under grr, two messages from and to processor 0.  Tasks have a life (life.h). */
#include <math.h>

#include "life.h"

enum { TARGET, SPLIT, WAIT };
enum { ARR, GRR, RP, NN };	/* target= */
enum { TASKS, REQUEST, REJECT, NEXT, GIVEN };

struct polling {
	int64_t request;	/* number of the last request */
	bool open;		/* the last request is not answered yet */
	unsigned target;	/* the next target; under grr processor 0's is used by all */
	unsigned rejects;	/* rejections since the last wait */
	uint64_t wait;		/* length of the next wait, ns */
};

static bool is(const struct dls_vp *vp, int target)
{
	return dls_vp_value(vp, TARGET)->word == target;
}

static unsigned targets(const struct dls_vp *vp)
{
	return is(vp, NN) ? dls_vp_degree(vp) : dls_vp_processors(vp) - 1;
}

/* The next of all processors in turn, skipping `asker`. */
static unsigned in_turn(const struct dls_vp *vp, struct polling *s, unsigned asker)
{
	unsigned P = dls_vp_processors(vp), to = s->target == asker ? (asker + 1) % P : s->target;

	s->target = (to + 1) % P;
	return to;
}

static void request(struct dls_vp *vp, struct polling *s, unsigned to)
{
	dls_vp_send(vp, to, REQUEST, (int64_t[DLS_MESSAGE_WORDS]){ ++s->request });
}

static void poll_next(struct dls_vp *vp, struct polling *s)
{
	unsigned id = dls_vp_id(vp);

	if (targets(vp) == 0)
		return;
	s->open = true;
	if (is(vp, GRR) && id != 0) {
		dls_vp_send(vp, 0, NEXT, NULL);
	} else if (is(vp, NN)) {
		request(vp, s, dls_vp_neighbour(vp, s->target));
		s->target = (s->target + 1) % dls_vp_degree(vp);
	} else if (is(vp, RP)) {
		unsigned to = (unsigned)dls_vp_random(vp, dls_vp_processors(vp) - 1);

		request(vp, s, to + (to >= id));
	} else {
		request(vp, s, in_turn(vp, s, id));
	}
}

static void polling_start(struct dls_vp *vp, void *state)
{
	struct polling *s = state;

	dls__give_life(vp);
	if (is(vp, ARR))
		s->target = (dls_vp_id(vp) + 1) % dls_vp_processors(vp);
}

static uint64_t first_wait(const struct dls_vp *vp)
{
	const struct dls_value *wait = dls_vp_value(vp, WAIT);

	return wait->word >= 0 ? dls_vp_default_period(vp) : (uint64_t)(wait->real * 1e9);
}

/* No task is left, or none has come yet. */
static void polling_idle(struct dls_vp *vp, void *state)
{
	struct polling *s = state;

	s->rejects = 0;
	s->wait = first_wait(vp);
	dls_vp_timer_stop(vp, 0);
	if (!s->open)
		poll_next(vp, s);
}

static void polling_timer(struct dls_vp *vp, void *state, unsigned which)
{
	struct polling *s = state;

	(void)which;
	if (dls_vp_load(vp) == 0 && !s->open)
		poll_next(vp, s);
}

static void rejected(struct dls_vp *vp, struct polling *s)
{
	s->open = false;
	if (dls_vp_load(vp) > 0)
		return;
	if (++s->rejects < targets(vp)) {
		poll_next(vp, s);
		return;
	}
	s->rejects = 0;
	dls_vp_timer_start(vp, 0, s->wait);
	s->wait = s->wait < UINT64_MAX / 4 ? s->wait * 2 : s->wait;
}

static void answer(struct dls_vp *vp, unsigned to, int64_t number)
{
	const int64_t word[DLS_MESSAGE_WORDS] = { number };
	int64_t queued = dls_vp_queued_load(vp), amount;

	amount = (int64_t)fmin(ceil(dls_vp_value(vp, SPLIT)->real * (double)queued), (double)queued);
	if (amount < 1)
		amount = 1;
	while (amount < queued && dls_vp_migratable(vp, amount) == 0)	/* the first task alone is larger */
		amount = amount < queued / 2 ? amount * 2 : queued;
	if (queued == 0 || dls_vp_migrate(vp, to, TASKS, amount, word) == 0)
		dls_vp_send(vp, to, REJECT, word);
}

static void polling_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	struct polling *s = state;

	switch (message->kind) {
	case REQUEST:
		answer(vp, message->from, message->word[0]);
		break;
	case NEXT:
		dls_vp_send(vp, message->from, GIVEN, (int64_t[DLS_MESSAGE_WORDS]){ in_turn(vp, s, message->from) });
		break;
	case GIVEN:
		request(vp, s, (unsigned)message->word[0]);
		break;
	case REJECT:
		rejected(vp, s);
		break;
	default:	/* TASKS; under block= several for one request, the last after the next request */
		if (message->word[0] == s->request)
			s->open = false;
		break;
	}
}

const struct dls_strategy dls__strategy_polling = {
	.size = sizeof(struct dls_strategy), .name = "polling", .source = "Kumar 1994",
	.idea = "a processor without tasks asks others in turn, or at random, for a part of theirs",
	.block_all = true, .state_size = sizeof(struct polling),
	.start = polling_start, .idle = polling_idle, .message = polling_message, .timer = polling_timer,
	.kind = { [TASKS] = "tasks", [REQUEST] = "request", [REJECT] = "reject", [NEXT] = "next", [GIVEN] = "target" },
	.param = {
		[TARGET] = { .name = "target", .value = "rp", .min = 1, .max = 0, .words = "arr grr rp nn",
			     .text = "who is asked next: all in turn, each asker's own turn or that of all; one at random; neighbours in turn" },
		[SPLIT] = { .name = "split", .value = "0.5", .min = 0, .max = 1,
			    .text = "part of its queued load that an asked processor sends, a task at least" },
		[WAIT] = { .name = "wait", .value = "pause", .min = 1e-9, .max = 1e9, .words = "pause",
			   .text = "seconds until the next request when all have been asked for nothing; twice as long each time" },
	},
};
