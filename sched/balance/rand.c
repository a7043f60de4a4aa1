/* rand.c - random placement: each task is run on a random processor, drawn when the task begins, whatever the loads are.
 *
 * Initial tasks are placed at the start.  As many tasks stay as were drawn to stay (under load=cost, as much
 * load).  The first tasks of the queue stay, since tasks are sent from its other end; which ones stay does
 * not matter, since all are drawn alike.
 *
 * draw=cyclic deals to each processor in turn instead of drawing, each dealer in an order of its own; this agrees with Shu &
 * Wu's figures.  An order is an arithmetic progression modulo P with random begin and step.
 *
 * Bound: each task is sent at most once. */
#include "dls/strategy.h"

enum { DRAW };
enum { INDEPENDENT, CYCLIC };
enum { TASK };

struct rand {
	unsigned next, step;	/* cyclic: the processor that gets the next task; the step after it, 0: not drawn yet */
};

static unsigned gcd(unsigned a, unsigned b)
{
	while (b) {
		unsigned rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static unsigned rand_place(struct dls_vp *vp, void *state, const struct dls_task *task)
{
	unsigned P = dls_vp_processors(vp), next;
	struct rand *r = state;

	(void)task;
	if (dls_vp_value(vp, DRAW)->word == INDEPENDENT)
		return (unsigned)dls_vp_random(vp, P);
	if (r->step == 0) {
		r->next = (unsigned)dls_vp_random(vp, P);
		do
			r->step = 1 + (unsigned)dls_vp_random(vp, P);
		while (gcd(r->step, P) != 1);
	}
	next = r->next;
	r->next = (r->next + r->step) % P;
	return next;
}

/* Load of the task that would be sent next; 0: there is none. */
static int64_t next_task(const struct dls_vp *vp, int64_t queued)
{
	int64_t none = 0, some = 1;	/* amounts for which no task, or at least one, would be sent */

	while (dls_vp_migratable(vp, some) == 0) {
		none = some;
		if (some >= queued)
			return 0;
		some *= 2;
	}
	while (some - none > 1) {
		int64_t middle = none + (some - none) / 2;

		if (dls_vp_migratable(vp, middle) > 0)
			some = middle;
		else
			none = middle;
	}
	return some;
}

static void rand_start(struct dls_vp *vp, void *state)
{
	int64_t left = dls_vp_queued_load(vp), load;

	while (left > 0 && (load = next_task(vp, left)) > 0) {
		unsigned to = rand_place(vp, state, NULL);

		left -= load;
		if (to != dls_vp_id(vp))
			dls_vp_migrate(vp, to, TASK, load, NULL);
	}
}

const struct dls_strategy dls__strategy_rand = {
	.size = sizeof(struct dls_strategy), .name = "rand", .source = "folklore",
	.idea = "each task is run on a processor drawn at random",
	.state_size = sizeof(struct rand), .start = rand_start, .place = rand_place,
	.kind = { [TASK] = "task" },
	.param = {
		[DRAW] = { .name = "draw", .value = "independent", .min = 1, .max = 0, .words = "independent cyclic",
			   .text = "each processor drawn at random, or all in turn, in an order drawn" },
	},
};
