/* repart.h - the cases of once_case.h under the strategy repart: its parameters, weights and speeds of processors; none of their
 * tasks spawns others. */
#ifndef REPART_H
#define REPART_H

#include "guard.h"
#include "once_case.h"

enum { P_MOST = 64, HANGS = 300 /* s */ };

enum queue { DISTRIBUTED, REPLICATED, CENTRAL };

static struct {
	enum queue queue;
	bool dedicated, reactive, returns;
	bool weighted;			/* processors have weights */
} how;

static const char *one_of(uint64_t *state, const char *const *words, unsigned n)
{
	return words[tap_random(state) % n];
}

static void draw_how(uint64_t *state)
{
	static const char *const queues[] = { "", ",queue=replicated", ",queue=central" };
	static const char *const room[] = { "", "", "", ",room=1", ",room=1.3", ",room=0.01" };
	static const char *const least[] = { "", "", ",least=0", ",least=3" };
	static const char *const other[] = { "", "", "", ",order=lifo", ",load=cost", ",block=3,net=ring" };
	const char *calc = dls_calc_at(tap_random(state) % count_of_calcs())->name;

	how.queue = tap_random(state) % 2 ? DISTRIBUTED : (enum queue)(tap_random(state) % 3);
	how.dedicated = tap_random(state) % 2;
	how.reactive = tap_random(state) % 5 == 0;
	how.returns = tap_random(state) % 3 == 0;
	how.weighted = tap_random(state) % 2;
	snprintf(plan.text, sizeof(plan.text), "repart,calc=%s,ahead=%u%s%s%s%s%s%s%s", calc, (unsigned)(tap_random(state) % 4),
		 queues[how.queue], how.dedicated ? ",scheduler=dedicated" : "", how.reactive ? ",mode=reactive" : "",
		 how.returns ? ",return=yes" : "", one_of(state, room, 6), one_of(state, least, 4),
		 one_of(state, other, 6));
}

static void draw_repart(bool threads, unsigned p, uint64_t seed)
{
	uint64_t state = seed * 64 + p;

	draws_all = false;
	draw(dls_strategy_find("repart"), "hypercube", p, seed, threads);
	plan.tasks = plan.roots;
	plan.branch = 0;
	draw_how(&state);
	name_plan();
}

static struct dls_machine *open_repart(void)
{
	double weight[P_MOST], speed[P_MOST];
	uint64_t state = plan.seed;

	for (unsigned i = 0; i < plan.p; i++) {
		speed[i] = 0.1 + (double)(tap_random(&state) % 50) / 10;
		weight[i] = tap_random(&state) % 2 ? speed[i] : 1e-3 + (double)(tap_random(&state) % 1000);
	}
	return MACHINE(.strategy = plan.text, .engine = plan.threads ? "threads" : "virtual", .processors = plan.p, .seed = plan.seed,
		       .faults = plan.threads ? NULL : plan.faults, .costs = plan.threads ? NULL : plan.costs,
		       .weight = how.weighted ? weight : NULL, .speed = how.weighted && !plan.threads ? speed : NULL);
}

/* Run the plan: each object runs once, and is sent no more often than its queue allows. */
static struct dls_run_result run_objects(struct dls_machine *m)
{
	static const unsigned most_hops[] = { [DISTRIBUTED] = 1, [REPLICATED] = 0, [CENTRAL] = 2 };
	struct dls_run_result r;

	add(m);
	guard(plan.name, HANGS);
	r = machine_run(m);
	guard_over();
	check_once(&r);
	CHECK(hops <= most_hops[how.queue]);
	return r;
}

#endif
