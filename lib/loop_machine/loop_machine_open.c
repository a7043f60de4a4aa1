/* loop_machine_open.c - allocates a loop machine (loop_machine.h), and fills its processors' queues for one
 * execution. */
#include <stdlib.h>
#include <string.h>

#include "lib/loop_machine/processor.h"

static const struct dls__engine engine = {
	.name = "loop", .now = dls__stepper_now, .post = dls__stepper_post, .timer = dls__stepper_timer,
};

bool dls__loop_machine_serves(const struct dls__loop_machine *loop, const struct dls__spec *spec, unsigned p)
{
	return loop && loop->machine.spec.strategy == spec->strategy && loop->machine.net.processors == p &&
	       strcmp(loop->machine.spec.net, spec->net) == 0;
}

int dls__loop_machine_net(struct dls_net *net, const struct dls__spec *spec, unsigned p)
{
	return dls_net_parse(net, *spec->net ? spec->net : "hypercube", p, NULL);
}

void dls__loop_machine_free(struct dls__loop_machine *loop)
{
	if (!loop)
		return;
	while (loop->processors > 0)
		dls__stepper_close(&dls__loop_processor(loop, --loop->processors)->stepper);
	free(loop->machine.own.from);
	free(loop->machine.table);
	free(loop);
}

static struct dls__loop_machine *make(const struct dls__spec *spec, unsigned p)
{
	struct dls__loop_machine *loop = calloc(1, sizeof(*loop));
	struct dls_machine *m;
	size_t state;

	if (!loop)
		return NULL;
	m = &loop->machine;
	if (dls__loop_machine_net(&m->net, spec, p))
		goto fail;
	state = dls__state_size(spec->strategy, &m->net);
	if (state > SIZE_MAX / 2)
		goto fail;
	m->own.stride = (sizeof(struct dls__loop_processor) + state + DLS__APART - 1) / DLS__APART *
			DLS__APART;
	if (m->own.stride > SIZE_MAX / p || !(m->own.from = aligned_alloc(DLS__APART, m->own.stride * p)))
		goto fail;
	if (spec->strategy->table_size && !(m->table = calloc(p, spec->strategy->table_size)))
		goto fail;
	m->engine = &engine;
	m->costs.pause = DLS__THREADS_PAUSE;
	m->rules.fixed = m->rules.count_started = m->rules.completed = true;
	for (; loop->processors < p; loop->processors++) {
		struct dls__loop_processor *w = dls__loop_processor(loop, loop->processors);

		memset(w, 0, sizeof(*w));
		w->stepper.vp.machine = m;
		w->stepper.vp.id = loop->processors;
		w->stepper.vp.state = w + 1;
		if (dls__stepper_open(&w->stepper))
			goto fail;
	}
	return loop;
fail:
	dls__loop_machine_free(loop);
	return NULL;
}

/* Drop all that the last execution has left, and put the range begin .. end - 1 into the queue; false: there is no memory. */
static bool refill(struct dls__loop_machine *loop, struct dls__loop_processor *w, uint64_t begin, uint64_t end,
		   uint64_t now)
{
	struct dls_machine *m = &loop->machine;
	struct dls__stepper *s = &w->stepper;
	struct dls_task *task;

	dls__stepper_end(s);
	if (begin < end) {
		task = dls__task_new(m, &s->pool);
		if (!task)
			return false;
		*task = (struct dls_task){
			.type = &loop->iterations, .arg = { begin, end }, .origin = s->vp.id,
		};
		dls__tasks_push(m, &s->vp.queue, task);
	}
	memset(s->vp.state, 0, m->own.stride - sizeof(*w));
	dls__vp_reset(&s->vp);
	dls__stepper_begin(s, now);
	w->started = false;
	w->from = s->vp.id;
	w->round = (struct dls__round){ .n = 0 };
	/* relaxed: published with the work share. */
	atomic_store_explicit(&w->hint, DLS__NOT_READY, memory_order_relaxed);
	atomic_store_explicit(&w->owner, NULL, memory_order_relaxed);
	atomic_store_explicit(&w->alarm, 0, memory_order_relaxed);
	return true;
}

bool dls__loop_machine_open(struct dls__loop_machine **result, const struct dls__spec *spec, uint64_t n, unsigned p,
			    uint64_t grain, struct dls__kept_site *site, const struct dls__weight *weight)
{
	struct dls__loop_machine *loop = *result;
	struct dls_machine *m;
	uint64_t now, begin = 0;

	if (!dls__loop_machine_serves(loop, spec, p)) {
		dls__loop_machine_free(loop);
		*result = loop = make(spec, p);
		if (!loop)
			return false;
		dls__clock_start();
	}
	m = &loop->machine;
	dls__spec_copy(&m->spec, spec);
	m->seed = ++loop->executions;
	m->added.mean = (double)(n / grain + (n % grain != 0)) / p;
	m->added.mean = m->added.mean > 1 ? m->added.mean : 1;
	/* relaxed: published with the work share. */
	atomic_store_explicit(&m->code, 0, memory_order_relaxed);
	loop->iterations = (struct dls_task_type){
		.size = sizeof(loop->iterations), .name = "iterations", .grain = grain,
	};
	if (m->table)
		memset(m->table, 0, p * spec->strategy->table_size);
	loop->site = spec->strategy->rounds ? site : NULL;
	now = dls__clock_now();
	for (unsigned i = 0; i < p; i++) {
		uint64_t end = dls__share_end(n, p, weight, i);

		if (!refill(loop, dls__loop_processor(loop, i), begin, end, now))
			return false;
		begin = end;
	}
	return true;
}
