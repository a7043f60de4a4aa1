/* segments.c - the primes up to a limit. */
#include "segments.h"

#include "dls/task.h"

/* Whether a number is prime; counts divisions. */
static bool is_prime(uint32_t number, const uint32_t *divisor, uint32_t divisors, uint64_t *divisions)
{
	for (uint32_t i = 0; i < divisors && divisor[i] * divisor[i] <= number; i++) {
		++*divisions;
		if (number % divisor[i] == 0)
			return false;
	}
	return number > 1;
}

/* Returns the divisions. */
static uint64_t run_segment(const struct segments *x, const uint32_t *divisor, uint64_t segment, uint8_t *prime)
{
	uint32_t first = (uint32_t)(segment * x->setup.length) + 1;
	uint32_t numbers = x->setup.limit + 1 - first;
	uint64_t divisions = 0;

	if (numbers > x->setup.length)
		numbers = x->setup.length;
	for (uint32_t i = first; i < first + numbers; i++)
		prime[i] = is_prime(i, divisor, x->divisors, &divisions);
	return divisions;
}

static int run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct segments *x = context;
	const struct segments_setup *s = &x->setup;
	struct segments_node *node = &x->node[dls_vp_id(vp)];
	uint64_t segment = task->arg[0], divisions;

	if (dls_vp_id(vp) >= s->nodes)
		return DLS_EINVAL;
	divisions = run_segment(x, node->divisor, segment, x->prime);
	node->runs[segment]++;
	node->divisions += divisions;
	dls_vp_spend(vp, nodes_time(s->time, divisions, x->divisions, s->jitter, s->seed, segment));
	return 0;
}

/* The divisors are the primes up to the root, each found by those before it. */
static void find_divisors(struct segments *x)
{
	uint64_t divisions = 0;

	for (uint32_t i = 2; i * i <= x->setup.limit; i++)
		if (is_prime(i, x->divisor, x->divisors, &divisions))
			x->divisor[x->divisors++] = i;
}

static int fill(struct segments *x)
{
	const struct segments_setup *s = &x->setup;
	size_t root = 1;

	while ((root + 1) * (root + 1) <= s->limit)
		root++;
	x->divisor = memory_alloc(&x->memory, root, sizeof(*x->divisor));
	x->prime = memory_alloc(&x->memory, (size_t)s->limit + 1, sizeof(*x->prime));
	x->serial = memory_alloc(&x->memory, (size_t)s->limit + 1, sizeof(*x->serial));
	x->node = memory_alloc(&x->memory, s->nodes, sizeof(*x->node));
	if (x->memory.failed)
		return DLS_ENOMEM;
	find_divisors(x);
	for (uint32_t segment = 0; segment < x->tasks; segment++)
		x->divisions += run_segment(x, x->divisor, segment, x->serial);
	for (struct segments_node *node = x->node; node < x->node + s->nodes && !x->memory.failed; node++) {
		node->divisor = memory_alloc(&x->memory, x->divisors, sizeof(*node->divisor));
		node->runs = memory_alloc(&x->memory, x->tasks, sizeof(*node->runs));
		if (node->divisor)
			memcpy(node->divisor, x->divisor, x->divisors * sizeof(*node->divisor));
	}
	return x->memory.failed ? DLS_ENOMEM : 0;
}

int segments_open(struct segments *x, const struct segments_setup *setup)
{
	struct segments_setup *s = &x->setup;
	int code;

	*x = (struct segments){ .setup = *setup, .class_count = 1 };
	if (s->limit == 0)
		s->limit = SEGMENTS_LIMIT;
	if (s->length == 0)
		s->length = SEGMENTS_LENGTH;
	if (s->nodes == 0 || s->limit < SEGMENTS_LEAST || s->limit > SEGMENTS_MOST ||
	    !(s->jitter >= 0 && s->jitter <= 1))
		return DLS_ERANGE;
	x->tasks = (s->limit - 1) / s->length + 1;
	x->classes[0] = (struct dls_class_desc){
		.size = sizeof(struct dls_class_desc), .name = "segment", .policy = s->policy ? s->policy : "factor", .run = run,
		.context = x,
	};
	code = fill(x);
	if (code)
		segments_close(x);
	return code;
}

void segments_close(struct segments *x)
{
	memory_free(&x->memory);
	*x = (struct segments){ .class_count = 0 };
}

int segments_deal(struct segments *x, struct dls_machine *machine)
{
	unsigned nodes = x->setup.nodes, processors = dls_machine_net(machine)->processors;
	int code = processors == nodes || processors == nodes + 1 ? 0 : DLS_ERANGE;

	memset(x->prime + 1, 0xff, x->setup.limit);	/* neither */
	for (unsigned k = 0; k < nodes; k++) {
		memset(x->node[k].runs, 0, x->tasks * sizeof(*x->node[k].runs));
		x->node[k].divisions = 0;
	}
	for (uint32_t i = 0; i < x->tasks && code == 0; i++)
		code = dls_class_add(machine, i % nodes, 0, &(struct dls_task){ .arg = { i }, .key = i });
	return code;
}

bool segments_right(const struct segments *x)
{
	uint64_t divisions = 0;

	for (uint32_t i = 0; i < x->tasks; i++) {
		unsigned runs = 0;

		for (unsigned k = 0; k < x->setup.nodes; k++)
			runs += x->node[k].runs[i];
		if (runs != 1)
			return false;
	}
	for (unsigned k = 0; k < x->setup.nodes; k++)
		divisions += x->node[k].divisions;
	return divisions == x->divisions && memcmp(x->prime, x->serial, (size_t)x->setup.limit + 1) == 0;
}
