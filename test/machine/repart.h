/* repart.h - machines under the strategy repart, drawn from a seed: parameters, faults, objects, places. */
#ifndef REPART_H
#define REPART_H

#include <inttypes.h>
#include <math.h>

#include "guard.h"
#include "machine.h"
#include "once.h"

enum { MOST = 64, OBJECTS = 4096, HANGS = 20 /* s */ };

enum queue { DISTRIBUTED, REPLICATED, CENTRAL };

/* A case.  Objects 0 .. tasks - 1 are tasks, then come the iterations of `ranges` tasks that are ranges. */
static struct plan {
	const char *engine;
	bool in_virtual_time;
	char text[200], faults[80], name[600];
	const struct dls_calc *calc;
	unsigned p, filled;		/* processors; how many of them have objects at the start, at most */
	uint64_t seed, tasks, ranges, iterations, grain;
	enum queue queue;
	bool dedicated, reactive, get, returns;
	bool declared;			/* costs are; otherwise tasks say what they take when they run */
	bool heavy;			/* one is more than all the others together */
	bool weighted;			/* processors have weights */
	bool nothing;			/* every other task takes no time */
	double spread;			/* of costs: largest to smallest */
} plan;

/* What the tasks of a run did. */
static atomic_uchar hits[OBJECTS];
static atomic_uint hops;		/* the most of any task */

/* Weight of object k, ns: the same in each run. */
static uint64_t cost_of(uint64_t k)
{
	uint64_t state = plan.seed ^ k << 32;

	if (plan.heavy && k == plan.tasks / 2)
		return 10000000000;
	if (plan.nothing && tap_random(&state) % 2)
		return 0;
	return (uint64_t)(1000 * pow(plan.spread, (double)(tap_random(&state) % 1000) / 1000));
}

/* Processor of object k at the start; any processors may have none. */
static unsigned place_of(uint64_t k)
{
	uint64_t state = plan.seed + 77 * k;

	return (unsigned)((tap_random(&state) % plan.filled + plan.seed) % plan.p);
}

static void see(const struct dls_task *task, uint64_t k)
{
	/* relaxed: read after the run. */
	unsigned most = atomic_load_explicit(&hops, memory_order_relaxed);

	atomic_fetch_add_explicit(&hits[k], 1, memory_order_relaxed);
	while (task->hops > most && !atomic_compare_exchange_weak_explicit(&hops, &most, task->hops, memory_order_relaxed,
									    memory_order_relaxed))
		;
}

static int run_task(struct dls_vp *vp, struct dls_task *task, void *context)
{
	see(task, task->arg[0]);
	if (!plan.declared)
		dls_vp_spend(vp, cost_of(task->arg[0]));
	dls_vp_poll(vp);
	return 0;
}

static int run_range(struct dls_vp *vp, struct dls_task *task, void *context)
{
	for (uint64_t i = task->arg[0]; i < task->arg[1]; i++) {
		see(task, i);
		if (!plan.declared)
			dls_vp_spend(vp, cost_of(i));
	}
	return 0;
}

static const char *one_of(uint64_t *state, const char *const *words, unsigned n)
{
	return words[tap_random(state) % n];
}

static void draw_text(uint64_t *state)
{
	static const char *const queues[] = { "", ",queue=replicated", ",queue=central" };
	static const char *const room[] = { "", "", "", ",room=1", ",room=1.3", ",room=0.01" };
	static const char *const least[] = { "", "", ",least=0", ",least=3" };
	static const char *const other[] = { "", "", "", ",order=lifo", ",load=cost", ",block=3,net=ring" };
	size_t calcs = 0;

	while (dls_calc_at(calcs))
		calcs++;
	plan.calc = dls_calc_at(tap_random(state) % calcs);
	plan.queue = tap_random(state) % 2 ? DISTRIBUTED : (enum queue)(tap_random(state) % 3);
	plan.dedicated = tap_random(state) % 2;
	plan.reactive = tap_random(state) % 5 == 0;
	plan.get = tap_random(state) % 3 == 0;
	plan.returns = tap_random(state) % 3 == 0;
	snprintf(plan.text, sizeof(plan.text), "repart,calc=%s,ahead=%u%s%s%s%s%s%s%s%s", plan.calc->name,
		 (unsigned)(tap_random(state) % 4), queues[plan.queue], plan.dedicated ? ",scheduler=dedicated" : "",
		 plan.reactive ? ",mode=reactive" : "", plan.get ? ",fetch=get" : "", plan.returns ? ",return=yes" : "",
		 one_of(state, room, 6), one_of(state, least, 4), one_of(state, other, 6));
}

static void draw_objects(uint64_t *state)
{
	static const double spread[] = { 1, 1, 10, 1000, 1e6 };
	uint64_t most = 12 * plan.p + 20;

	plan.tasks = tap_random(state) % 8 ? tap_random(state) % most : tap_random(state) % 3;
	plan.ranges = tap_random(state) % 3 ? 0 : 1 + tap_random(state) % plan.p;
	plan.iterations = plan.ranges ? tap_random(state) % most : 0;
	plan.grain = 1 + tap_random(state) % 9;
	plan.spread = spread[tap_random(state) % 5];
	plan.heavy = tap_random(state) % 4 == 0;
	plan.declared = tap_random(state) % 4 > 0;
	plan.weighted = tap_random(state) % 2;
	plan.nothing = tap_random(state) % 4 == 0;
	plan.filled = tap_random(state) % 3 ? plan.p : 1 + (unsigned)(tap_random(state) % plan.p);
}

static void draw(const char *engine, unsigned p, uint64_t seed)
{
	static const char *const faults[] = {
		"", "", "delay=1e-6", "delay=1e-3", "stall=1e-3", "slow=5", "delay=1e-4,stall=1e-3,slow=3", "delay=1",
	};
	uint64_t state = seed * 64 + p;

	plan = (struct plan){ .engine = engine, .p = p, .seed = seed, .in_virtual_time = strcmp(engine, "virtual") == 0 };
	draw_text(&state);
	draw_objects(&state);
	if (plan.in_virtual_time)
		snprintf(plan.faults, sizeof(plan.faults), "%s", one_of(&state, faults, 8));
	snprintf(plan.name, sizeof(plan.name), "%s, %s, P = %u, seed %" PRIu64 ", faults \"%s\": %" PRIu64 " tasks, %" PRIu64
		 " ranges of %" PRIu64 " iterations, grain %" PRIu64 ", on %u processors, spread %g%s%s%s%s", engine, plan.text, p,
		 seed, plan.faults, plan.tasks, plan.ranges, plan.iterations, plan.grain, plan.filled, plan.spread,
		 plan.heavy ? ", one heavy" : "", plan.declared ? ", declared" : "", plan.weighted ? ", weights" : "",
		 plan.nothing ? ", half of them nothing" : "");
}

static struct dls_machine *open_machine(void)
{
	static const char *const costs[] = { "ideal", "cluster", "ipsc2", "nectar", "ideal,latency=1e-5", "ideal,quantum=0" };
	double weight[MOST], speed[MOST];
	uint64_t state = plan.seed;

	for (unsigned i = 0; i < plan.p; i++) {
		speed[i] = 0.1 + (double)(tap_random(&state) % 50) / 10;
		weight[i] = tap_random(&state) % 2 ? speed[i] : 1e-3 + (double)(tap_random(&state) % 1000);
	}
	return MACHINE(.strategy = plan.text, .engine = plan.engine, .processors = plan.p, .seed = plan.seed,
		       .faults = plan.faults, .costs = plan.in_virtual_time ? costs[plan.seed % 6] : NULL,
		       .weight = plan.weighted ? weight : NULL, .speed = plan.weighted && plan.in_virtual_time ? speed : NULL);
}

static void add_objects(struct dls_machine *m)
{
	static const struct dls_task_type plain = { .size = sizeof(plain), .name = "plain", .run = run_task };
	static struct dls_task_type range = { .size = sizeof(range), .name = "range", .run = run_range };

	range.grain = plan.grain;
	for (uint64_t k = 0; k < plan.tasks; k++) {
		struct dls_task task = { .type = &plain, .arg = { k }, .key = (int64_t)(k % 3),
					 .cost = plan.declared ? cost_of(k) : 0 };

		CHECK_EQ(dls_machine_add(m, place_of(k), &task), 0);
	}
	for (uint64_t k = 0; k < plan.ranges; k++) {
		struct dls_task task = { .type = &range, .cost = plan.declared ? cost_of(k) : 0 };

		task.arg[0] = plan.tasks + plan.iterations * k / plan.ranges;
		task.arg[1] = plan.tasks + plan.iterations * (k + 1) / plan.ranges;
		CHECK_EQ(dls_machine_add(m, place_of(plan.tasks + k), &task), 0);
	}
}

/* Run the plan: each object runs once, and is sent no more often than its queue allows. */
static struct dls_run_result run_objects(struct dls_machine *m)
{
	static const unsigned most_hops[] = { [DISTRIBUTED] = 1, [REPLICATED] = 0, [CENTRAL] = 2 };
	struct dls_run_result r;

	hops = 0;
	add_objects(m);
	guard(plan.name, HANGS);
	r = machine_run(m);
	guard_over();
	once_check(hits, plan.tasks + plan.iterations, 1, plan.name, plan.p);
	CHECK(hops <= most_hops[plan.queue]);
	return r;
}

#endif
