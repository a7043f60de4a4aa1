/* whole.h - whole machines in virtual time with a log of their strategy: its messages as they are handled, their numbers by kind,
 * and the load that each processor has when the strategy first releases it. */
#ifndef WHOLE_H
#define WHOLE_H

#include "lib/machine/vp.h"
#include "machine.h"

enum { WHOLE_PROCESSORS = 128, WHOLE_TASKS = 4096 };

struct whole {
	const char *strategy, *net, *costs;
	unsigned processors;
	uint64_t cost;			/* ns of each task */
	uint64_t until;			/* ns: messages are written down and counted until then; 0: all are */
};

static struct {
	const struct dls_strategy *plain;
	struct dls_strategy strategy;
	uint64_t until;
	size_t length;			/* of what fits of: */
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

	if (whole.held[id] && !vp->standing.held && whole.left[id] < 0)
		whole.left[id] = dls_vp_load(vp);
	whole.held[id] = vp->standing.held;
}

static void whole_start(struct dls_vp *vp, void *state)
{
	if (whole.plain->start)
		whole.plain->start(vp, state);
	whole_look(vp);
}

static void whole_message(struct dls_vp *vp, void *state, const struct dls_message *m)
{
	size_t n = whole.length, room = sizeof(whole.said) - n;

	if (!whole.until || dls_vp_now(vp) < whole.until) {
		whole.kind[m->kind]++;
		whole.given[m->from]++;
		whole.taken[dls_vp_id(vp)]++;
		whole.word[m->from][m->kind] = m->word[0];
		if (room > 1)
			snprintf(whole.said + n, room, "%s%u<%u %s %lld %lld", n ? ", " : "", dls_vp_id(vp), m->from,
				 whole.plain->kind[m->kind], (long long)m->word[0], (long long)m->word[1]);
		whole.length += strlen(whole.said + n);
	}
	if (whole.plain->message)
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
	whole.runs[task->arg[0]]++;
	return 0;
}

/* Run a machine with tasks[p] tasks on processor p: each runs once. */
static struct dls_run_result whole_run(const struct whole *w, const unsigned *tasks)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = whole_run_task };
	struct dls_machine *m = MACHINE(.strategy = w->strategy, .net = w->net, .processors = w->processors,
					.costs = w->costs ? w->costs : "ipsc2");
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

#endif
