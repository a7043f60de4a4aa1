/* branch_bound.c - single-machine job scheduling by branch and bound. */
#include "branch_bound.h"

#include "bench/tool/random.h"
#include "dls/task.h"

const unsigned bb_requirement[] = { 100, 110, 125, 150, 200, 0 };

void bb_draw(struct bb *bb, unsigned n, uint64_t seed)
{
	uint32_t sum = 0;

	*bb = (struct bb){ .n = n };
	for (unsigned j = 0; j < n; j++)
		sum += bb->e[j] = (uint32_t)(1 + random_next(&seed) % 100);
	for (unsigned j = 0; j < n; j++)
		bb->d[j] = sum / 5 + (uint32_t)(random_next(&seed) % (sum - sum / 5 + 1));
}

static uint32_t late(const struct bb *bb, uint32_t time, unsigned j)
{
	return time > bb->d[j] ? time - bb->d[j] : 0;
}

/* Over sets of jobs instead of orders: the last job of a set ends when all of it has run. */
uint32_t bb_optimum(const struct bb *bb)
{
	uint32_t least[1u << BB_JOBS], time[1u << BB_JOBS];

	least[0] = time[0] = 0;
	for (unsigned set = 1; set < 1u << bb->n; set++) {
		unsigned lowest = 0;

		while (!(set >> lowest & 1))
			lowest++;
		time[set] = time[set & (set - 1)] + bb->e[lowest];
		least[set] = UINT32_MAX;
		for (unsigned j = lowest; j < bb->n; j++) {
			uint32_t t = set >> j & 1 ? least[set ^ 1u << j] + late(bb, time[set], j) : UINT32_MAX;

			least[set] = t < least[set] ? t : least[set];
		}
	}
	return least[(1u << bb->n) - 1];
}

uint64_t bb_tasks(const struct bb *bb, unsigned m)
{
	uint64_t tasks = 1;

	for (unsigned k = bb->n; k > m; k--)
		tasks *= k;
	return tasks;
}

/* A node: the jobs that are left, when those before them end, and how late they are in all. */
struct node {
	unsigned left, jobs[BB_JOBS];
	uint32_t time, tardiness;
};

/* The node below that puts its i-th job next. */
static void descend(const struct bb *bb, struct node *to, const struct node *from, unsigned i)
{
	unsigned j = from->jobs[i];

	to->time = from->time + bb->e[j];
	to->tardiness = from->tardiness + late(bb, to->time, j);
	to->left = from->left - 1;
	for (unsigned k = 0; k < i; k++)
		to->jobs[k] = from->jobs[k];
	for (unsigned k = i; k < to->left; k++)
		to->jobs[k] = from->jobs[k + 1];
}

/* The node of a task: the digits of its number, to the bases n, n - 1, ... m + 1, choose among the jobs left. */
static struct node prefix(const struct bb *bb, unsigned m, uint64_t task)
{
	struct node node = { .left = bb->n };
	uint64_t below = bb_tasks(bb, m);

	for (unsigned j = 0; j < bb->n; j++)
		node.jobs[j] = j;
	while (node.left > m) {
		struct node up = node;

		below /= up.left;
		descend(bb, &node, &up, (unsigned)(task / below));
		task %= below;
	}
	return node;
}

/* Few enough jobs left for a task to search them without a poll: a microsecond. */
enum { UNPOLLED = 5 };

/* What is below a node within the limit.  Without jobs left it is a solution. */
static void search(const struct bb *bb, const struct node *node, struct bb_found *found, struct dls_vp *vp)
{
	found->solutions += node->left == 0;
	found->steps += node->left;
	if (vp && node->left == UNPOLLED)
		dls_vp_poll(vp);
	for (unsigned i = 0; i < node->left; i++) {
		uint32_t time = node->time + bb->e[node->jobs[i]];
		struct node next;

		if (node->tardiness + late(bb, time, node->jobs[i]) > bb->limit)
			continue;
		descend(bb, &next, node, i);
		search(bb, &next, found, vp);
	}
}

static struct bb_found search_task(const struct bb *bb, unsigned m, uint64_t task, struct dls_vp *vp)
{
	struct node node = prefix(bb, m, task);
	struct bb_found found = { .steps = 1 };

	if (node.tardiness <= bb->limit)
		search(bb, &node, &found, vp);
	return found;
}

struct bb_found bb_search(const struct bb *bb, unsigned m, uint64_t task)
{
	return search_task(bb, m, task, NULL);
}

void bb_merge(const struct bb *bb, unsigned m, uint64_t *steps, const uint64_t *smaller)
{
	uint64_t tasks = bb_tasks(bb, m);

	for (uint64_t i = 0; i < tasks; i++) {
		uint64_t sum = 1;

		if (prefix(bb, m, i).tardiness <= bb->limit)
			for (unsigned k = 0; k < m; k++)
				sum += smaller[i * m + k];
		steps[i] = sum;
	}
}

static int run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct bb_work *work = context;
	struct bb_found found = search_task(work->bb, work->m, task->arg[0], vp);

	work->found[task->arg[0]].steps += found.steps;
	work->found[task->arg[0]].solutions += found.solutions;
	dls_vp_spend(vp, found.steps * BB_STEP);
	return 0;
}

struct dls_task_type bb_type(struct bb_work *work)
{
	return (struct dls_task_type){
		.size = sizeof(struct dls_task_type), .name = "branch and bound", .run = run, .context = work,
	};
}

int bb_deal(struct dls_machine *machine, const struct bb *bb, unsigned m, const struct dls_task_type *type,
	    const uint64_t *steps)
{
	static const struct dls_task_type searched = { .size = sizeof(searched),
						    .name = "branch and bound, searched before" };
	uint64_t tasks = bb_tasks(bb, m), p = dls_machine_net(machine)->processors;
	int code = 0;

	for (uint64_t i = 0; i < tasks && code == 0; i++) {
		struct dls_task task = { .type = steps ? &searched : type, .arg = { i } };

		task.cost = steps ? steps[i] * BB_STEP : 0;
		code = dls_machine_add(machine, (unsigned)(i * p / tasks), &task);
	}
	return code;
}
