/* once_case.h - the cases of once.c and repart.c: a machine and its tasks, drawn from a seed. */
#ifndef ONCE_CASE_H
#define ONCE_CASE_H

#include <inttypes.h>

#include "drawn.h"
#include "lib/machine/costs.h"
#include "lib/schedule/spec.h"
#include "machine.h"
#include "once.h"

enum { MOST = 1 << 14, RECORDED = 1000 };

/* A case.  Tasks 0 .. roots - 1 are added; task k spawns the next `branch` from roots + k branch on, while there are any;
 * behind these come the iterations of `ranges` tasks that are ranges.  Seeds below RECORDED draw no order=key, and no
 * numbers as parameters; those below 2 RECORDED nothing far, nor late tasks.  Cases on threads draw no numbers as
 * parameters, and take little time. */
static struct plan {
	const struct dls_strategy *strategy;
	char text[512], net[16], costs[512], faults[128], name[1536];
	unsigned p;
	uint64_t seed, roots, branch, tasks, ranges, iterations, grain;
	uint64_t unit, enormous;	/* ns of a task: up to; that of one of them */
	bool threads, declared, limited, spike;
	bool numbers;			/* drawn as parameters: of periods so long, for one, that virtual time ends first */
	bool far;			/* so are costs and faults, and times are of any order of magnitude */
	enum { AT_ONCE, MEANWHILE, DRAINED } late;	/* tasks come while others run, or 16 at a time when those before are through;
							 * and spawn others when they are done */
} plan;

/* Whether seeds of 2 RECORDED and more draw what is far, of which virtual time may end, and late tasks. */
static bool draws_all = true;

static atomic_uchar hits[2 * MOST];
static _Atomic uint64_t pieces;
static uint64_t due;		/* pieces that are to be run */
static atomic_uint hops;	/* the most of any piece */

/* Time of task or iteration k, ns: the same in each run; zero for some. */
static uint64_t length(uint64_t k)
{
	uint64_t state = plan.seed ^ k << 32;

	if (plan.enormous && k == plan.tasks / 2)
		return plan.enormous;
	if (plan.unit == 0 || k % 5 == 0)
		return 0;
	return tap_random(&state) % plan.unit / (k < plan.tasks ? 1 : 16);
}

static void count_piece(const struct dls_task *task)
{
	unsigned most = hops;

	pieces++;
	while (task->hops > most && !atomic_compare_exchange_weak(&hops, &most, task->hops))
		continue;
}

static int spawn_children(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct dls_task child = { .type = task->type, .key = task->key + 1 };

	for (uint64_t i = 0; i < plan.branch; i++) {
		child.arg[0] = plan.roots + task->arg[0] * plan.branch + i;
		if (child.arg[0] >= plan.tasks)
			break;
		child.cost = plan.declared ? length(child.arg[0]) : 0;
		if (!plan.late)
			dls_vp_poll(vp);
		CHECK_EQ(dls_vp_spawn(vp, &child), 0);
	}
	return 0;
}

static int run_task(struct dls_vp *vp, struct dls_task *task, void *context)
{
	hits[task->arg[0]]++;
	count_piece(task);
	if (!plan.declared)
		dls_vp_spend(vp, length(task->arg[0]));
	return plan.late ? 0 : spawn_children(vp, task, context);
}

static int run_range(struct dls_vp *vp, struct dls_task *task, void *context)
{
	CHECK(task->arg[0] < task->arg[1] && task->arg[1] - task->arg[0] <= plan.grain);
	count_piece(task);
	for (uint64_t i = task->arg[0]; i < task->arg[1]; i++) {
		hits[i]++;
		if (!plan.declared)
			dls_vp_spend(vp, length(i));
	}
	return 0;
}

/* Append to the strategy's name words that its parameters and the machine's accept. */
static void draw_text(uint64_t *state)
{
	static const char *const common[] = { ",block=all", ",block=3", ",order=lifo", ",load=cost" };
	const struct dls_param *param = plan.strategy->param;

	strcpy(plan.text, plan.strategy->name);
	plan.numbers = !plan.threads && plan.seed >= RECORDED && (plan.seed + plan.seed / 1000) % 2;
	if (plan.numbers) {
		draw_values(state, param, DLS_VALUES_MAX, 2, plan.text, sizeof(plan.text));
		draw_values(state, dls__spec_keys, plan.strategy->policy ? 1 : SIZE_MAX, 4, plan.text, sizeof(plan.text));
		return;
	}
	for (unsigned i = 0; i < 4; i++)
		if (tap_random(state) % 4 == 0 && (!plan.strategy->policy || i == 2) && !(i == 1 && strstr(plan.text, "block")))
			strcat(plan.text, common[i]);
	if (plan.seed >= RECORDED && plan.seed % 4 == 2 && !strstr(plan.text, "order"))
		strcat(plan.text, plan.strategy->by_key ? ",order=fifo" : ",order=key");
	for (unsigned i = 0; i < DLS_VALUES_MAX && param[i].name; i++) {
		char words[64], *word, *rest;

		if (!param[i].words || tap_random(state) % 2)
			continue;
		snprintf(words, sizeof(words), "%s", param[i].words);
		for (word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
			size_t end = strlen(plan.text);

			if (tap_random(state) % 2 == 0) {
				snprintf(plan.text + end, sizeof(plan.text) - end, ",%s=%s", param[i].name, word);
				break;
			}
		}
	}
}

static void draw_far(uint64_t *state)
{
	plan.costs[strcspn(plan.costs, ",")] = 0;
	draw_values(state, dls__costs_keys, SIZE_MAX, 5, plan.costs, sizeof(plan.costs));
	if (draw_below(state, 3))
		return;
	plan.faults[0] = 0;
	draw_values(state, dls__faults_keys, SIZE_MAX, 2, plan.faults, sizeof(plan.faults));
	memmove(plan.faults, plan.faults + (*plan.faults == ','), sizeof(plan.faults) - 1);
}

static void draw_tasks(uint64_t *state)
{
	static const uint64_t unit[] = { 0, 1, 1000, 1000000, 5000000 };
	const uint64_t roots[] = { 0, 1, plan.p - 1, plan.p, 2 + tap_random(state) % (8 * plan.p) };

	plan.roots = roots[tap_random(state) % 5];
	plan.branch = tap_random(state) % 3 ? 0 : 1 + tap_random(state) % 4;
	plan.tasks = plan.roots && plan.branch ? plan.roots + tap_random(state) % (8 * plan.p + 20) : plan.roots;
	plan.ranges = tap_random(state) % 3 ? 0 : 1 + tap_random(state) % (plan.p + 2);
	plan.grain = 1 + tap_random(state) % 9;
	plan.iterations = plan.ranges ? tap_random(state) % (20 * plan.p + 30) : 0;
	plan.unit = unit[tap_random(state) % 5];
	if (plan.far)
		plan.unit <<= tap_random(state) % 25;
	if (plan.threads && plan.unit > 10000)
		plan.unit = 10000;
	plan.enormous = tap_random(state) % 6 || plan.threads ? 0 : 100000000000;
	plan.declared = tap_random(state) % 2;
	plan.limited = tap_random(state) % 4 == 0;
	plan.spike = tap_random(state) % 3 == 0;
	plan.late = draws_all && plan.seed >= 2 * RECORDED && plan.seed % 4 == 0 ? 1 + tap_random(state) % 2 : AT_ONCE;
}

static void name_plan(void)
{
	snprintf(plan.name, sizeof(plan.name), "%s on %s, P = %u%s, seed %" PRIu64 ", costs %s, faults \"%s\": %" PRIu64
		 " tasks, %" PRIu64 " added, branch %" PRIu64 ", %" PRIu64 " ranges of %" PRIu64 " iterations, grain %" PRIu64
		 ", unit %" PRIu64 "%s%s%s%s%s", plan.text, plan.net, plan.p, plan.threads ? " threads" : "", plan.seed, plan.costs,
		 plan.faults, plan.tasks, plan.roots, plan.branch, plan.ranges, plan.iterations, plan.grain, plan.unit,
		 plan.enormous ? ", one enormous" : "", plan.declared ? ", declared" : "", plan.limited ? ", limited" : "",
		 plan.spike ? ", spike" : "", plan.late == MEANWHILE ? ", meanwhile" : plan.late ? ", drained" : "");
}

static void draw(const struct dls_strategy *strategy, const char *net, unsigned p, uint64_t seed, bool threads)
{
	uint64_t state = seed;

	plan = (struct plan){ .strategy = strategy, .p = p, .seed = seed, .threads = threads };
	snprintf(plan.net, sizeof(plan.net), "%s", net);
	draw_text(&state);
	draw_machine(&state, plan.costs, plan.faults);
	plan.far = draws_all && plan.numbers && plan.seed >= 2 * RECORDED && plan.seed / 2 % 2;
	if (plan.far)
		draw_far(&state);
	draw_tasks(&state);
	name_plan();
}

/* When task k comes, ns. */
static uint64_t arrival(uint64_t k, uint64_t *state)
{
	uint64_t gap = 1000 + plan.unit;

	return plan.late == AT_ONCE ? 0 : plan.late == DRAINED ? (k / 16 + 1) * gap * 100 : tap_random(state) % 3 * (k * gap / 4);
}

static void add(struct dls_machine *m)
{
	static struct dls_task_type plain = { .size = sizeof(plain), .name = "plain", .run = run_task };
	static struct dls_task_type range = { .size = sizeof(range), .name = "range", .run = run_range, .mean = 500, .bytes = 200 };
	uint64_t state = plan.seed + 1;

	plain.done = plan.late ? spawn_children : NULL;
	range.grain = plan.grain;
	memset(hits, 0, plan.tasks + plan.iterations);
	pieces = 0;
	hops = 0;
	due = plan.tasks;
	for (uint64_t k = 0; k < plan.roots; k++) {
		struct dls_task task = { .type = &plain, .arg = { k }, .key = (int64_t)(k % 3), .cost = plan.declared ? length(k) : 0 };

		CHECK_EQ(dls_machine_add_at(m, plan.spike ? 0 : (unsigned)(tap_random(&state) % plan.p), &task, arrival(k, &state)), 0);
	}
	for (uint64_t k = 0; k < plan.ranges; k++) {
		struct dls_task task = { .type = &range, .cost = plan.declared ? 700 : 0 };

		task.arg[0] = plan.tasks + plan.iterations * k / plan.ranges;
		task.arg[1] = plan.tasks + plan.iterations * (k + 1) / plan.ranges;
		due += (task.arg[1] - task.arg[0] + plan.grain - 1) / plan.grain;
		CHECK_EQ(dls_machine_add(m, plan.spike ? 0 : (unsigned)(tap_random(&state) % plan.p), &task), 0);
	}
}

static inline struct dls_machine *open_machine(void)
{
	return MACHINE(.engine = plan.threads ? "threads" : "virtual", .strategy = plan.text, .net = plan.net, .spend = "work",
		       .costs = plan.threads ? NULL : plan.costs, .faults = plan.threads ? NULL : plan.faults,
		       .processors = plan.p, .seed = plan.seed, .tasks = plan.limited ? plan.tasks + plan.iterations + plan.ranges : 0);
}

/* All of the run's tasks and iterations once, and the result says so.  Of what the processors sent some may be on the way. */
static void check_once(const struct dls_run_result *r)
{
	once_check(hits, plan.tasks + plan.iterations, 1, plan.text, plan.p);
	CHECK_EQ(pieces, due);
	CHECK_EQ(r->processors, plan.p);
	CHECK_EQ(r->tasks, pieces);
	CHECK(r->detected >= r->time && r->time >= 0);
}

#endif
