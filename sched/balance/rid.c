/* rid.c - receiver initiated diffusion: a processor short of load requests its deficit from the neighbours above its domain's
 * mean.
 *
 * Willebeek-LeMair and Reeves, IEEE Trans. Parallel Distrib. Syst. 4(9):979-993, 1993, sections III-C and III-F,
 * Table II.
 *
 * Where the paper is silent: see dls_balance(7).  The answer comes after the tasks, and says how much load
 * was granted and is left.
 *
 * Bound: a change of load (life.h) is sent to at most K neighbours; a link carries one request at first, one for each update
 * and each grant that came over it, and an answer to each. */
#include "domain.h"

enum { TRIGGER = DLS__DOMAIN_PARAMS };
enum { ANY };	/* trigger= */
enum { UPDATE = DLS__DOMAIN_UPDATE, REQUEST, ANSWER, TASKS };

struct rid {
	struct dls__domain domain;
	unsigned open;		/* requests not yet answered */
	struct dls__link link[];
};

static void rid_balance(struct dls_vp *vp, struct rid *r)
{
	unsigned K = dls_vp_degree(vp), first = r->domain.turn;
	struct dls__domain_division d;

	if (r->open > 0 || !((double)dls__domain_own(vp) < dls__domain_low(vp)))
		return;
	d = dls__domain_divide(vp, r->link, DLS__TAKE);
	if (d.left == 0)	/* within the threshold, as after most updates */
		return;
	for (unsigned i = 0; i < K; i++) {
		unsigned k = (first + i) % K;
		int64_t share = dls__domain_share(vp, &d, &r->link[k]);

		if (share > 0) {
			dls_vp_send(vp, dls_vp_neighbour(vp, k), REQUEST, (int64_t[DLS_MESSAGE_WORDS]){ share });
			r->open++;
		}
	}
	if (r->open > 0) {
		r->domain.turn = (first + 1) % K;
		dls__domain_decision(vp, r->link);
	}
}

static void rid_load(struct dls_vp *vp, void *state)
{
	struct rid *r = state;

	dls__domain_load(vp, r);
	rid_balance(vp, r);
}

/* Grant at most half of the load: the request may be based on an old load. */
static void rid_grant(struct dls_vp *vp, unsigned to, int64_t asked)
{
	int64_t half = dls__domain_own(vp) / 2, granted;

	granted = dls_vp_migrate(vp, to, TASKS, asked < half ? asked : half, NULL);
	dls_vp_send(vp, to, ANSWER, (int64_t[DLS_MESSAGE_WORDS]){ granted, dls__domain_own(vp) });
}

/* A neighbour's load has come. */
static void rid_heard(struct dls_vp *vp, struct rid *r)
{
	if (dls_vp_value(vp, TRIGGER)->word == ANY)
		rid_balance(vp, r);
}

static void rid_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	unsigned k = dls_net_neighbour_index(dls_vp_net(vp), dls_vp_id(vp), message->from);
	const int64_t *word = message->word;
	struct rid *r = state;

	switch (message->kind) {
	case UPDATE:
		dls__domain_told(&r->link[k], message, word[0]);
		rid_heard(vp, r);
		break;
	case REQUEST:
		rid_grant(vp, message->from, word[0]);
		break;
	case ANSWER:
		dls__domain_told(&r->link[k], message, word[1]);
		r->link[k].barren = word[0] == 0;
		r->open--;
		rid_heard(vp, r);
		break;
	default:	/* TASKS: they change the load */
		break;
	}
}

const struct dls_strategy dls__strategy_rid = {
	.size = sizeof(struct dls_strategy), .name = "rid", .source = "Willebeek-LeMair 1993",
	.idea = "processors short of load ask their neighbours for it",
	.state_size = sizeof(struct rid), .link_size = sizeof(struct dls__link),
	.start = dls__domain_start, .load = rid_load, .timer = dls__domain_timer, .message = rid_message,
	.kind = { [UPDATE] = "update", [REQUEST] = "request", [ANSWER] = "answer", [TASKS] = "tasks" },
	.counter = { DLS__UPDATE_COUNTER },
	.param = {
		DLS__UPDATE_PARAM("0.9"), DLS__DOMAIN_PARAM("alpha", "nearest", "off", "empty"),
		[TRIGGER] = { .name = "trigger", .value = "any", .min = 1, .max = 0, .words = "any load",
			      .text = "what makes a processor look whether it is short: also a neighbour's load, or only a change of its own" },
	},
};
