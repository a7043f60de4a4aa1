/* sid.c - sender initiated diffusion: a processor that learns of a neighbour short of load sends its surplus over its domain's
 * mean to neighbours below the mean.
 *
 * Willebeek-LeMair and Reeves, IEEE Trans. Parallel Distrib. Syst. 4(9):979-993, 1993, sections III-B and III-F,
 * Table II.
 *
 * Where the paper is silent: see dls_balance(7).
 *
 * Bound: a change of load (life.h) is sent to at most K neighbours; all other messages carry tasks. */
#include "domain.h"

enum { CREDIT = DLS__DOMAIN_PARAMS };
enum { ON };	/* credit= */
enum { UPDATE = DLS__DOMAIN_UPDATE, TASKS };

struct sid {
	struct dls__domain domain;
	struct dls__link link[];
};

static void sid_balance(struct dls_vp *vp, struct sid *s)
{
	struct dls__domain_division d = dls__domain_divide(vp, s->link, DLS__GIVE);
	unsigned K = dls_vp_degree(vp), first = s->domain.turn;
	bool sent = false;

	if (d.left == 0)	/* within the threshold, as after most updates */
		return;
	for (unsigned i = 0; i < K; i++) {
		unsigned k = (first + i) % K;
		struct dls__link *link = &s->link[k];
		int64_t share = dls__domain_share(vp, &d, link), moved = 0;

		if (share > 0)
			moved = dls_vp_migrate(vp, dls_vp_neighbour(vp, k), TASKS, share, NULL);
		if (dls_vp_value(vp, CREDIT)->word == ON)
			link->load += moved;
		sent |= moved > 0;
	}
	if (sent) {
		s->domain.turn = (first + 1) % K;
		dls__domain_decision(vp, s->link);
	}
}

static void sid_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	struct sid *s = state;
	unsigned k = dls_net_neighbour_index(dls_vp_net(vp), dls_vp_id(vp), message->from);

	if (message->kind != UPDATE)
		return;
	dls__domain_told(&s->link[k], message, message->word[0]);
	if ((double)message->word[0] < dls__domain_low(vp))
		sid_balance(vp, s);
}

const struct dls_strategy dls__strategy_sid = {
	.size = sizeof(struct dls_strategy), .name = "sid", .source = "Willebeek-LeMair 1993",
	.idea = "processors send their surplus to neighbours that tell of little load",
	.state_size = sizeof(struct sid), .link_size = sizeof(struct dls__link),
	.start = dls__domain_start, .load = dls__domain_load, .timer = dls__domain_timer, .message = sid_message,
	.kind = { [UPDATE] = "update", [TASKS] = "tasks" },
	.counter = { DLS__UPDATE_COUNTER },
	.param = {
		DLS__UPDATE_PARAM("0.9"), DLS__DOMAIN_PARAM("inf", "floor", "on", "mean"),
		[CREDIT] = { .name = "credit", .value = "on", .min = 1, .max = 0, .words = "on off",
			     .text = "load sent to a neighbour counts as its load until it tells its own, or does not" },
	},
};
