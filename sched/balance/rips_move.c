/* rips_move.c - a system phase: sums go up the tree, and tasks move along the tree (walk.h), or by dimension exchange.
 *
 * The paper's section 4.  Its amounts are numbers of tasks, under load=cost times (TWAET).  A transfer is one message, or
 * as many as block= says; each holds the load of the whole transfer, which may be 0.
 *
 * R3: In a phase a processor gets at most one transfer from each other processor, and expects it: sender and
 *     receiver both compute it from the sums or loads that were sent.
 *
 * Dimension exchange (walk=dem) is that of Willebeek-LeMair 1993, section III-E: in each dimension of the net both partners
 * exchange their loads, and the heavier one sends half of the difference, rounded down. */
#include "rips.h"

unsigned dls__rips_end(const struct dls_vp *vp, const struct rips *r, unsigned edge)
{
	return edge == 0 ? r->parent : dls_net_walk_child(dls_vp_net(vp), dls_vp_id(vp), edge - 1);
}

/* The edge to a processor. */
static unsigned edge_to(const struct dls_vp *vp, const struct rips *r, unsigned other)
{
	unsigned edge = 0;

	while (edge < r->children && dls__rips_end(vp, r, edge) != other)
		edge++;
	return edge;
}

bool dls__rips_gather(struct dls_vp *vp, struct rips *r)
{
	struct rips_sum *sum = &r->sum;

	if (r->stage != RIPS_GATHER || r->summed < r->children)
		return false;
	sum->load += dls_vp_queued_load(vp);
	sum->tasks += (int64_t)dls_vp_queued_tasks(vp);
	sum->suspended += dls__rips_suspended(vp);
	r->stage = RIPS_AWAIT;
	if (r->parent != DLS_NO_PROCESSOR)
		dls_vp_send(vp, r->parent, RIPS_SUM, (int64_t[DLS_MESSAGE_WORDS]){ sum->load, sum->tasks, sum->suspended });
	return r->parent == DLS_NO_PROCESSOR;
}

bool dls__rips_summed(struct dls_vp *vp, struct rips *r, const struct dls_message *message)
{
	struct rips_edge *edge = &r->link[edge_to(vp, r, message->from)];

	edge->W = message->word[0];
	edge->tasks = message->word[1];
	r->sum.load += edge->W;
	r->sum.tasks += edge->tasks;
	r->sum.suspended += message->word[2];
	r->summed++;
	return dls__rips_gather(vp, r);
}

static int64_t amount(const struct dls_vp *vp, const struct rips *r)
{
	return r->low ? (int64_t)dls_vp_queued_tasks(vp) : dls_vp_queued_load(vp);
}

/* The load of the first `tasks` tasks in the order in which they are sent. */
static int64_t load_of(const struct dls_vp *vp, int64_t tasks)
{
	int64_t load = 0, all = dls_vp_queued_load(vp);

	for (; tasks > 0 && load < all; tasks--) {
		int64_t next = load + 1, low;

		while (dls_vp_migratable(vp, next) == load)
			next += next - load;
		for (low = load; next - low > 1;) {
			int64_t middle = low + (next - low) / 2;

			*(dls_vp_migratable(vp, middle) == load ? &low : &next) = middle;
		}
		load = next;
	}
	return load;
}

static void transfer(struct dls_vp *vp, const struct rips *r, unsigned to, int64_t what)
{
	int64_t word[DLS_MESSAGE_WORDS] = { r->low ? load_of(vp, what) : dls__walk_pack(vp, what) };

	if (word[0] > 0)
		dls_vp_migrate(vp, to, RIPS_TASKS, word[0], word);
	else
		dls_vp_send(vp, to, RIPS_TASKS, word);
}

static bool walk(struct dls_vp *vp, struct rips *r)
{
	enum dls__walk_rule rule = dls_vp_value(vp, RIPS_WALK)->word == RIPS_MTWA ? DLS__MTWA : DLS__TWA;
	size_t edges = r->children + 1, e;

	while ((e = dls__walk_next(rule, r->flow, edges, amount(vp, r))) < edges) {
		transfer(vp, r, dls__rips_end(vp, r, (unsigned)e), r->flow[e]);
		r->flow[e] = 0;
	}
	for (e = 0; e < edges; e++)
		if (r->flow[e] != 0)
			return false;
	return true;
}

static void next_dimension(struct rips *r)
{
	r->told[r->dimension++] = false;
	r->begun = false;
}

/* flow[0], the entry of the edge to the parent, is here the load awaited from the partner. */
static bool exchange(struct dls_vp *vp, struct rips *r)
{
	const struct dls_net *net = dls_vp_net(vp);

	for (; r->dimension < dls_net_folds(net); next_dimension(r)) {
		unsigned partner = dls_net_fold(net, dls_vp_id(vp), r->dimension);
		int64_t half;

		if (partner == DLS_NO_PROCESSOR)
			continue;
		if (!r->begun)
			dls_vp_send(vp, partner, RIPS_LOAD, (int64_t[DLS_MESSAGE_WORDS]){ r->dimension, amount(vp, r) });
		r->begun = true;
		if (!r->told[r->dimension] || r->flow[0] < 0)
			return false;
		half = (amount(vp, r) - r->theirs[r->dimension]) / 2;
		if (half > 0)
			transfer(vp, r, partner, half);
		if (half < 0) {
			r->flow[0] = half;
			return false;
		}
	}
	return true;
}

static bool by_dimension(const struct dls_vp *vp)
{
	return dls_vp_value(vp, RIPS_WALK)->word == RIPS_DEM;
}

static bool go_on(struct dls_vp *vp, struct rips *r)
{
	return by_dimension(vp) ? exchange(vp, r) : walk(vp, r);
}

bool dls__rips_begin(struct dls_vp *vp, struct rips *r, struct dls__mean mean)
{
	const struct dls_net *net = dls_vp_net(vp);
	int64_t W = amount(vp, r);

	r->dimension = 0;
	for (unsigned e = 1; e <= r->children && !by_dimension(vp); e++) {
		unsigned child = dls__rips_end(vp, r, e);
		int64_t W_j = r->low ? r->link[e].tasks : r->link[e].W;

		W += W_j;
		r->flow[e] = -dls__walk_up(mean, dls_net_walk_order(net, child), dls_net_walk_size(net, child), W_j);
	}
	r->flow[0] = by_dimension(vp) || r->parent == DLS_NO_PROCESSOR ? 0 : dls__walk_up(mean, r->order, r->N_i, W);
	return go_on(vp, r);
}

/* A transfer is complete: all expected tasks of an edge have come. */
static bool complete(struct dls_vp *vp, struct rips *r)
{
	r->flow[r->edge] = r->link[r->edge].came = 0;
	if (by_dimension(vp))
		next_dimension(r);
	return go_on(vp, r);
}

bool dls__rips_arrived(struct dls_vp *vp, struct rips *r, const struct dls_message *message)
{
	r->edge = by_dimension(vp) ? 0 : edge_to(vp, r, message->from);
	r->total = message->word[0];
	if (r->total == 0)
		return complete(vp, r);
	r->arriving = true;
	r->before = dls_vp_load(vp);
	return false;
}

bool dls__rips_entered(struct dls_vp *vp, struct rips *r)
{
	r->arriving = false;
	r->link[r->edge].came += dls_vp_load(vp) - r->before;
	return r->link[r->edge].came >= r->total && complete(vp, r);
}

bool dls__rips_told(struct dls_vp *vp, struct rips *r, const int64_t *word)
{
	r->told[word[0]] = true;
	r->theirs[word[0]] = word[1];
	return r->stage == RIPS_MOVE && go_on(vp, r);
}
