/* poisson.c - the Poisson equation by odd-even successive overrelaxation.
 *
 * A node has room for all rows.  Its own are `first` to `end` - 1; of other rows it has the copies that it received last: its ghosts
 * are the rows first - 1 and end.  Each row, also on its way to another node, has the number of iterations that it has done.
 *
 * P1: if a node's row r has done v iterations, it is row r of the serial program after v iterations.  The owner's v is
 *     the largest.  Copies arrive in the order of v: a node receives them from one side alone, until the row itself
 *     comes from there, after them.
 * P2: a row is one node's, or is in a shipment to the node that will have it.  In the order of nodes, shipments between two
 *     of them included, rows are in order; each node has one at least.  (Rows leave from the end beside the other node's,
 *     and are taken at the end beside the sender's.  Shipments of one direction keep their order, and are all there before
 *     one of the other is sent: the policy sees to that.)
 * P3: the task (r, t) is queued or running where row r is, which has done t.
 * P4: for two rows beside each other, r of node A and s of node B, each iteration of s comes to A: when they
 *     became neighbours, s came with r's shipment, or r with that of s and A kept s, or both were A's once;
 *     what s has done since, B has sent to A, s being at the end of B's block beside A's.  So the sweep never
 *     stalls.  While r is under way B's messages go to where r comes from, or goes, for nothing: r brings s.
 *
 * Rows at the border have done all iterations from the start.  The last iteration's rows are not sent: nothing is made of
 * them. */
#include "poisson.h"

#include "dls/task.h"

static size_t row_bytes(const struct poisson *x)
{
	return sizeof(struct poisson_row) + x->setup.n * sizeof(double);
}

struct poisson_row *poisson_row(const struct poisson *x, double *rows, unsigned r)
{
	return (struct poisson_row *)(void *)((char *)rows + r * row_bytes(x));
}

static struct poisson_row *row(const struct poisson *x, const struct poisson_node *node, unsigned r)
{
	return poisson_row(x, node->rows, r);
}

static struct poisson_node *node_of(const struct poisson *x, const struct dls_vp *vp)
{
	return &x->node[dls_vp_id(vp)];
}

/* Rows as they are at the start. */
static void clear(const struct poisson *x, double *rows)
{
	unsigned n = x->setup.n;

	memset(rows, 0, n * row_bytes(x));
	for (unsigned r = 0; r < n; r++) {
		poisson_row(x, rows, r)->number = r;
		poisson_row(x, rows, r)->done = r == 0 || r == n - 1 ? x->setup.iterations : 0;
	}
}

/* The row's next iteration.  Returns how many points it has changed. */
static uint64_t relax(const struct poisson *x, double *rows, unsigned r)
{
	struct poisson_row *own = poisson_row(x, rows, r);
	const double *up = poisson_row(x, rows, r - 1)->u, *down = poisson_row(x, rows, r + 1)->u;
	unsigned n = x->setup.n, c = 1 + (r + 1 + own->done) % 2;
	uint64_t points = 0;
	double *u = own->u;

	for (; c < n - 1; c += 2, points++)
		u[c] += x->omega * (.25 * (up[c] + down[c] + u[c - 1] + u[c + 1] + x->source[r] + x->source[c]) - u[c]);
	own->done++;
	return points;
}

/* Rows have come: P1. */
static int keep(const struct poisson *x, struct poisson_node *node, const void *data, size_t bytes)
{
	const char *at = data, *end = at + bytes;

	if (bytes % row_bytes(x))
		return DLS_EINVAL;
	for (; at < end; at += row_bytes(x)) {
		struct poisson_row sent;

		memcpy(&sent, at, sizeof(sent));
		if (sent.done < row(x, node, sent.number)->done)
			return DLS_EINVAL;
		memcpy(row(x, node, sent.number), at, row_bytes(x));
	}
	return 0;
}

static bool can_run(const struct poisson *x, const struct poisson_node *node, uint64_t r, uint64_t t)
{
	return row(x, node, (unsigned)r - 1)->done >= t && row(x, node, (unsigned)r + 1)->done >= t;
}

static bool ready(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	const struct poisson *x = context;

	return can_run(x, node_of(x, vp), task->arg[0], task->arg[1]);
}

static int send_row(struct dls_vp *vp, const struct poisson *x, unsigned to, unsigned r)
{
	return dls_class_send(vp, 0, to, row(x, node_of(x, vp), r), row_bytes(x));
}

static int run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct poisson *x = context;
	const struct poisson_setup *s = &x->setup;
	struct poisson_node *node = node_of(x, vp);
	uint64_t t = task->arg[1], number = task->arg[0] * s->iterations + t, points;
	unsigned r = (unsigned)task->arg[0], id = dls_vp_id(vp);
	int code = 0;

	if (r < node->first || r >= node->end || row(x, node, r)->done != t || !can_run(x, node, r, t))
		return DLS_EINVAL;
	points = relax(x, node->rows, r);
	if (s->time)
		dls_vp_spend(vp, nodes_time(s->time, points, x->points, s->jitter, s->seed, number));
	x->runs[number]++;
	if (t + 1 == s->iterations)
		return 0;
	if (r == node->first && id > 0)
		code = send_row(vp, x, id - 1, r);
	if (code == 0 && r == node->end - 1 && id + 1 < s->nodes)
		code = send_row(vp, x, id + 1, r);
	if (code == 0)
		code = dls_class_spawn(vp, 0, &(struct dls_task){ .arg = { r, t + 1 }, .key = (int64_t)t + 1 });
	return code;
}

static int receive(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	const struct poisson *x = context;

	(void)from;
	return keep(x, node_of(x, vp), data, bytes);
}

/* Pack the last or first row of the block, which leaves it, with the row's task. */
static int ship_row(const struct poisson *x, struct poisson_node *node, struct dls_shipment *shipment, bool last)
{
	unsigned r = last ? --node->end : node->first++;
	int code = dls_shipment_pack(shipment, node->task[r]);

	return code ? code : dls_shipment_pack_data(shipment, row(x, node, r), row_bytes(x));
}

/* Pack up to hint->count rows from the end of the block beside the destination, while their tasks may go;
 * then a copy of the row that they will border on. */
static int ship_out(struct dls_vp *vp, struct dls_shipment *shipment, const struct dls_hint *hint, void *context)
{
	const struct poisson *x = context;
	struct poisson_node *node = node_of(x, vp);
	bool last = hint->destination == dls_vp_id(vp) + 1;
	unsigned rows = node->end - node->first;
	struct dls_task *task;
	int code = 0;

	if (hint->destination >= x->setup.nodes || (!last && hint->destination + 1 != dls_vp_id(vp)))
		return 0;
	memset(node->task, 0, x->setup.n * sizeof(*node->task));
	while ((task = dls_shipment_next(shipment)))
		node->task[task->arg[0]] = task;
	for (uint64_t left = hint->count; left > 0 && code == 0 && node->end - node->first > 1; left--) {
		if (!node->task[last ? node->end - 1 : node->first])
			break;
		code = ship_row(x, node, shipment, last);
	}
	if (code == 0 && node->end - node->first < rows)
		code = dls_shipment_pack_data(shipment, row(x, node, last ? node->end - 1 : node->first), row_bytes(x));
	return code;
}

static int ship_in(struct dls_vp *vp, struct dls_task *task, const void *data, size_t bytes, void *context)
{
	const struct poisson *x = context;
	struct poisson_node *node = node_of(x, vp);
	unsigned r = (unsigned)task->arg[0];
	int code = keep(x, node, data, bytes);

	if (code || row(x, node, r)->done != task->arg[1])
		return code ? code : DLS_EINVAL;
	if (r + 1 == node->first)
		node->first--;
	else if (r == node->end)
		node->end++;
	else
		return DLS_EINVAL;	/* P2 */
	return 0;
}

static void run_serially(struct poisson *x)
{
	clear(x, x->serial);
	x->points = 0;
	for (unsigned t = 0; t < x->setup.iterations; t++)
		for (unsigned r = 1; r < x->setup.n - 1; r++)
			x->points += relax(x, x->serial, r);
}

static int fill(struct poisson *x)
{
	unsigned n = x->setup.n;
	double h = 1. / (n - 1);

	x->source = memory_alloc(&x->memory, n, sizeof(*x->source));
	x->serial = memory_alloc(&x->memory, n, row_bytes(x));
	x->runs = memory_alloc(&x->memory, (size_t)n * x->setup.iterations, sizeof(*x->runs));
	x->node = memory_alloc(&x->memory, x->setup.nodes, sizeof(*x->node));
	if (x->memory.failed)
		return DLS_ENOMEM;
	for (unsigned i = 0; i < n; i++)
		x->source[i] = 2 * h * h * (i * h) * (1 - i * h);
	x->omega = 2 / (1 + 3.14159265358979 * h);	/* the best, but for terms of h^3 */
	run_serially(x);
	for (struct poisson_node *node = x->node; node < x->node + x->setup.nodes; node++) {
		node->rows = memory_alloc(&x->memory, n, row_bytes(x));
		node->task = memory_alloc(&x->memory, n, sizeof(struct dls_task *));
	}
	return x->memory.failed ? DLS_ENOMEM : 0;
}

int poisson_open(struct poisson *x, const struct poisson_setup *setup)
{
	struct poisson_setup *s = &x->setup;
	int code;

	*x = (struct poisson){ .setup = *setup, .class_count = 1 };
	if (s->n == 0)
		s->n = POISSON_N;
	if (s->iterations == 0)
		s->iterations = POISSON_ITERATIONS;
	if (s->n < 3 || s->n > POISSON_MOST || s->iterations > POISSON_MOST || s->nodes == 0 || s->nodes > s->n - 2 ||
	    !(s->jitter >= 0 && s->jitter <= 1))
		return DLS_ERANGE;
	x->classes[0] = (struct dls_class_desc){
		.size = sizeof(struct dls_class_desc), .name = "row", .policy = s->policy ? s->policy : "phase,links=chain",
		.run = run, .ready = ready, .ship_out = ship_out, .ship_in = ship_in, .receive = receive, .context = x,
	};
	code = fill(x);
	if (code)
		poisson_close(x);
	return code;
}

void poisson_close(struct poisson *x)
{
	memory_free(&x->memory);
	*x = (struct poisson){ .class_count = 0 };
}

static int add_row(struct dls_machine *machine, unsigned k, unsigned r)
{
	return dls_class_add(machine, k, 0, &(struct dls_task){ .arg = { r, 0 }, .key = 0 });
}

/* Its block of rows, a task for each; those that others wait for first. */
static int deal_node(struct poisson *x, struct dls_machine *machine, unsigned k)
{
	unsigned rows = x->setup.n - 2, nodes = x->setup.nodes;
	struct poisson_node *node = &x->node[k];
	int code;

	node->first = 1 + (unsigned)nodes_share(rows, k, nodes);
	node->end = 1 + (unsigned)nodes_share(rows, k + 1, nodes);
	clear(x, node->rows);
	code = add_row(machine, k, node->end - 1);
	for (unsigned r = node->first; r < node->end - 1 && code == 0; r++)
		code = add_row(machine, k, r);
	return code;
}

int poisson_deal(struct poisson *x, struct dls_machine *machine)
{
	unsigned processors = dls_machine_net(machine)->processors;
	int code = processors == x->setup.nodes || processors == x->setup.nodes + 1 ? 0 : DLS_ERANGE;

	memset(x->runs, 0, (size_t)x->setup.n * x->setup.iterations * sizeof(*x->runs));
	for (unsigned k = 0; k < x->setup.nodes && code == 0; k++)
		code = deal_node(x, machine, k);
	return code;
}

bool poisson_right(const struct poisson *x)
{
	const struct poisson_setup *s = &x->setup;
	unsigned r = 1;

	for (unsigned k = 0; k < s->nodes; k++) {
		if (x->node[k].first != r || x->node[k].end <= r)
			return false;
		for (; r < x->node[k].end; r++)
			if (memcmp(row(x, &x->node[k], r), poisson_row(x, x->serial, r), row_bytes(x)) != 0)
				return false;
	}
	for (size_t i = s->iterations; i < (size_t)(s->n - 1) * s->iterations; i++)
		if (x->runs[i] != 1)
			return false;
	return r == s->n - 1;
}
