/* whole.h - whole machines in virtual time with a log of their strategy: its messages as they are handled, their numbers by kind,
 * and the load that each processor has when the strategy first releases it. */
#ifndef WHOLE_H
#define WHOLE_H

#include "lib/machine/vp.h"
#include "machine.h"

enum { WHOLE_PROCESSORS = 128, WHOLE_TASKS = 4096 };

struct whole {
	const char *strategy, *net, *costs, *faults;
	unsigned processors;
	uint64_t seed, cost;		/* ns of each task */
	uint64_t until;			/* ns: messages are written down and counted until then; 0: all are */
};

static struct {
	const struct dls_strategy *plain;
	struct dls_strategy strategy;
	uint64_t until;
	char said[8000];
	uint64_t kind[DLS_KINDS_MAX];
	uint64_t given[WHOLE_PROCESSORS], taken[WHOLE_PROCESSORS];	/* messages */
	int64_t word[WHOLE_PROCESSORS][DLS_KINDS_MAX];	/* first word of the last message of each kind, by its sender */
	int64_t left[WHOLE_PROCESSORS];			/* load when the processor's tasks were let go first; -1: never held */
	bool held[WHOLE_PROCESSORS];
	uint8_t runs[WHOLE_TASKS];
} whole;

static void whole_look(struct dls_vp *vp)
{
	unsigned id = dls_vp_id(vp);

	if (whole.held[id] && !dls_vp_held(vp) && whole.left[id] < 0)
		whole.left[id] = dls_vp_load(vp);
	whole.held[id] = dls_vp_held(vp);
}

static void whole_start(struct dls_vp *vp, void *state)
{
	if (whole.plain->start)
		whole.plain->start(vp, state);
	whole_look(vp);
}

static void whole_message(struct dls_vp *vp, void *state, const struct dls_message *m)
{
	size_t n = strlen(whole.said), room = sizeof(whole.said) - n;

	if (!whole.until || dls_vp_now(vp) < whole.until) {
		whole.kind[m->kind]++;
		whole.given[m->from]++;
		whole.taken[dls_vp_id(vp)]++;
		whole.word[m->from][m->kind] = m->word[0];
		snprintf(whole.said + n, room, "%s%u<%u %s %lld %lld", n ? ", " : "", dls_vp_id(vp), m->from,
			 whole.plain->kind[m->kind], (long long)m->word[0], (long long)m->word[1]);
	}
	whole.plain->message(vp, state, m);
	whole_look(vp);
}

static void whole_load(struct dls_vp *vp, void *state)
{
	if (whole.plain->load)
		whole.plain->load(vp, state);
	whole_look(vp);
}

static int whole_run_task(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)vp;
	(void)context;
	whole.runs[task->arg[0]]++;
	return 0;
}

/* Run a machine with tasks[p] tasks on processor p: each runs once. */
static struct dls_run_result whole_run(const struct whole *w, const unsigned *tasks)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = whole_run_task };
	struct dls_machine *m = MACHINE(.strategy = w->strategy, .net = w->net, .processors = w->processors,
					.costs = w->costs ? w->costs : "ipsc2", .faults = w->faults, .seed = w->seed);
	struct dls_run_result result = { .size = sizeof(result) };
	unsigned n = 0;

	memset(&whole, 0, sizeof(whole));
	memset(whole.left, -1, sizeof(whole.left));
	if (!m)
		return result;
	whole.until = w->until;
	whole.plain = m->spec.strategy;
	whole.strategy = *whole.plain;
	whole.strategy.start = whole_start;
	whole.strategy.message = whole_message;
	whole.strategy.load = whole_load;
	m->spec.strategy = &whole.strategy;
	for (unsigned p = 0; p < w->processors; p++)
		for (unsigned i = 0; i < tasks[p]; i++) {
			struct dls_task task = { .type = &type, .arg = { n++ }, .cost = w->cost };

			CHECK_EQ(dls_machine_add(m, p, &task), 0);
		}
	result = machine_run(m);
	CHECK_EQ(result.tasks, n);
	for (unsigned i = 0; i < n; i++)
		CHECK_EQ(whole.runs[i], 1);
	dls_machine_close(m);
	return result;
}

/* Up to 20 tasks for each processor, or 20 for each on one of them, under all kinds of faults. */
__attribute__((unused)) static void whole_once(const char *strategy, uint64_t most_messages)
{
	static const char *const faults[] = { "", "delay=1e-3", "delay=0.5", "stall=0.02", "delay=0.01,stall=0.2,slow=3" };
	static const char *const nets[] = { "hypercube", "mesh", "ring", "tree", "complete" };
	static const unsigned sizes[] = { 1, 2, 3, 5, 6, 100 };
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 90; i++) {
		unsigned P = sizes[i % 6], tasks[WHOLE_PROCESSORS] = { 0 };
		struct whole w = { .strategy = strategy, .net = nets[tap_random(&seed) % 5], .processors = P,
				   .costs = tap_random(&seed) % 2 ? "ipsc2" : "ideal",
				   .faults = faults[tap_random(&seed) % 5], .seed = seed,
				   .cost = tap_random(&seed) % 4 * 3000000 };
		struct dls_run_result r;

		if (tap_random(&seed) % 3 == 0)
			tasks[tap_random(&seed) % P] = 20 * P;
		else
			for (unsigned p = 0; p < P; p++)
				tasks[p] = (unsigned)(tap_random(&seed) % 20);
		r = whole_run(&w, tasks);
		if (!CHECK(r.messages <= most_messages * P))
			tap_note("%s P=%u %s %s %s cost %llu: %llu messages, %.3f s, %llu transfers", strategy, P, w.net, w.costs,
				 w.faults, (unsigned long long)w.cost, (unsigned long long)r.messages, r.time,
				 (unsigned long long)r.transfers);
	}
}

/* The paper's Table IV in small: N = 32, g = 100, loads 1..49, sizes 1..10 l_i in 2000 loops of 1.3 us; means over seeds
 * 1..20. */
struct whole_figures {
	double ratio, pi, transfers, overhead;	/* of T_bal to T_opt; eq. 36; per run; without polling, of T_bal */
};

__attribute__((unused)) static struct whole_figures whole_table4(const char *strategy, const char *costs)
{
	enum { N = 32, g = 100, SEEDS = 20 };
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task" };
	struct whole_figures f = { 0 };

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct dls_machine *m = MACHINE(.strategy = strategy, .processors = N, .costs = costs, .seed = seed);
		struct dls_run_result r;
		double opt = 0, nobal = 0;
		uint64_t draw = seed;

		for (unsigned p = 0; p < N; p++) {
			uint64_t l = 1 + tap_random(&draw) % 49;
			double own = 0;

			for (unsigned i = 0; i < g; i++) {
				struct dls_task task = { .type = &type,
							 .cost = (1 + tap_random(&draw) % (10 * l)) * 2600000 };

				own += 1e-9 * (double)task.cost;
				CHECK_EQ(dls_machine_add(m, p, &task), 0);
			}
			opt += own / N;
			nobal = own > nobal ? own : nobal;
		}
		r = machine_run(m);
		f.ratio += r.time / opt / SEEDS;
		f.pi += (nobal - r.time) / (nobal - opt) / SEEDS;
		f.transfers += (double)r.transfers / SEEDS;
		f.overhead += r.overhead / N / r.time / SEEDS;
		dls_machine_close(m);
	}
	tap_note("%s, %s: T_bal/T_opt %.3f, Pi %.3f, %.0f transfers, overhead %.4f", strategy, costs, f.ratio, f.pi,
		 f.transfers, f.overhead);
	return f;
}

#endif
