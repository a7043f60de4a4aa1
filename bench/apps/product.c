/* product.c - a matrix product. */
#include "product.h"

#include "dls/task.h"

/* c = a B, of one row. */
static void row_times(const double *a, const double *b, double *c, unsigned n)
{
	for (unsigned j = 0; j < n; j++)
		c[j] = 0;
	for (unsigned k = 0; k < n; k++)
		for (unsigned j = 0; j < n; j++)
			c[j] += a[k] * b[(size_t)k * n + j];
}

static size_t row_bytes(const struct product *x)
{
	return x->setup.n * sizeof(double);
}

static double *row(const struct product *x, double *matrix, uint64_t i)
{
	return matrix + i * x->setup.n;
}

static int run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct product *x = context;
	const struct product_setup *s = &x->setup;
	struct product_node *node = &x->node[dls_vp_id(vp)];
	uint64_t i = task->arg[0];

	if (dls_vp_id(vp) >= s->nodes || !node->has[i])
		return DLS_EINVAL;
	row_times(row(x, node->a, i), node->b, row(x, x->result, i), s->n);
	node->runs[i]++;
	dls_vp_spend(vp, nodes_time(s->time, 1, s->n, s->jitter, s->seed, i));
	return 0;
}

static int ship_out(struct dls_vp *vp, struct dls_shipment *shipment, const struct dls_hint *hint, void *context)
{
	struct product *x = context;
	struct product_node *node = &x->node[dls_vp_id(vp)];
	struct dls_task *task;
	int code = 0;

	for (uint64_t left = hint->count; left > 0 && code == 0 && (task = dls_shipment_next(shipment)); left--) {
		uint64_t i = task->arg[0];

		code = dls_shipment_pack(shipment, task);
		if (code == 0)
			code = dls_shipment_pack_data(shipment, row(x, node->a, i), row_bytes(x));
		node->has[i] = false;
	}
	return code;
}

static int ship_in(struct dls_vp *vp, struct dls_task *task, const void *data, size_t bytes, void *context)
{
	struct product *x = context;
	struct product_node *node = &x->node[dls_vp_id(vp)];
	uint64_t i = task->arg[0];

	if (dls_vp_id(vp) >= x->setup.nodes || bytes != row_bytes(x))
		return DLS_EINVAL;
	memcpy(row(x, node->a, i), data, bytes);
	node->has[i] = true;
	return 0;
}

static void draw(double *matrix, size_t elements, uint64_t *state)
{
	for (size_t i = 0; i < elements; i++)
		matrix[i] = 2 * random_real(state) - 1;
}

static int fill(struct product *x)
{
	size_t n = x->setup.n;
	uint64_t state = x->setup.seed;

	x->a = memory_alloc(&x->memory, n * n, sizeof(*x->a));
	x->b = memory_alloc(&x->memory, n * n, sizeof(*x->b));
	x->result = memory_alloc(&x->memory, n * n, sizeof(*x->result));
	x->serial = memory_alloc(&x->memory, n * n, sizeof(*x->serial));
	x->node = memory_alloc(&x->memory, x->setup.nodes, sizeof(*x->node));
	if (x->memory.failed)
		return DLS_ENOMEM;
	draw(x->a, n * n, &state);
	draw(x->b, n * n, &state);
	for (unsigned i = 0; i < n; i++)
		row_times(row(x, x->a, i), x->b, row(x, x->serial, i), x->setup.n);
	for (struct product_node *node = x->node; node < x->node + x->setup.nodes && !x->memory.failed; node++) {
		node->a = memory_alloc(&x->memory, n * n, sizeof(*node->a));
		node->b = memory_alloc(&x->memory, n * n, sizeof(*node->b));
		node->has = memory_alloc(&x->memory, n, sizeof(*node->has));
		node->runs = memory_alloc(&x->memory, n, sizeof(*node->runs));
		if (node->b)
			memcpy(node->b, x->b, n * n * sizeof(*node->b));
	}
	return x->memory.failed ? DLS_ENOMEM : 0;
}

int product_open(struct product *x, const struct product_setup *setup)
{
	int code;

	*x = (struct product){ .setup = *setup, .class_count = 1 };
	if (setup->n == 0)
		x->setup.n = PRODUCT_N;
	if (setup->nodes == 0 || x->setup.n > PRODUCT_MOST || !(setup->jitter >= 0 && setup->jitter <= 1))
		return DLS_ERANGE;
	x->classes[0] = (struct dls_class_desc){
		.size = sizeof(struct dls_class_desc), .name = "row", .policy = setup->policy ? setup->policy : "factor",
		.run = run, .ship_out = ship_out, .ship_in = ship_in, .context = x,
	};
	code = fill(x);
	if (code)
		product_close(x);
	return code;
}

void product_close(struct product *x)
{
	memory_free(&x->memory);
	*x = (struct product){ .class_count = 0 };
}

/* Its block of A, and a task for each row of it. */
static int deal_node(struct product *x, struct dls_machine *machine, unsigned k)
{
	unsigned n = x->setup.n;
	uint64_t first = nodes_share(n, k, x->setup.nodes), end = nodes_share(n, k + 1, x->setup.nodes);
	struct product_node *node = &x->node[k];
	int code = 0;

	memset(node->runs, 0, n * sizeof(*node->runs));
	memset(node->has, 0, n * sizeof(*node->has));
	for (uint64_t i = first; i < end && code == 0; i++) {
		memcpy(row(x, node->a, i), row(x, x->a, i), row_bytes(x));
		node->has[i] = true;
		code = dls_class_add(machine, k, 0, &(struct dls_task){ .arg = { i }, .key = (int64_t)i });
	}
	return code;
}

int product_deal(struct product *x, struct dls_machine *machine)
{
	unsigned processors = dls_machine_net(machine)->processors;
	int code = processors == x->setup.nodes || processors == x->setup.nodes + 1 ? 0 : DLS_ERANGE;

	memset(x->result, 0xff, x->setup.n * row_bytes(x));	/* no numbers */
	for (unsigned k = 0; k < x->setup.nodes && code == 0; k++)
		code = deal_node(x, machine, k);
	return code;
}

bool product_right(const struct product *x)
{
	for (unsigned i = 0; i < x->setup.n; i++) {
		unsigned runs = 0;

		for (unsigned k = 0; k < x->setup.nodes; k++)
			runs += x->node[k].runs[i];
		if (runs != 1)
			return false;
	}
	return memcmp(x->result, x->serial, x->setup.n * row_bytes(x)) == 0;
}
