/* crew_open.c - allocates a crew (crew.h), and fills its processors' queues for one execution. */
#include <stdlib.h>
#include <string.h>

#include "lib/crew/member.h"

static const struct dls__engine engine = {
	.name = "crew", .now = dls__stepper_now, .post = dls__stepper_post, .timer = dls__stepper_timer,
};

bool dls__crew_serves(const struct dls__crew *crew, const struct dls__spec *spec, unsigned p)
{
	return crew && crew->machine.spec.strategy == spec->strategy && crew->machine.net.processors == p &&
	       strcmp(crew->machine.spec.net, spec->net) == 0;
}

int dls__crew_net(struct dls_net *net, const struct dls__spec *spec, unsigned p)
{
	return dls_net_parse(net, *spec->net ? spec->net : "hypercube", p, NULL);
}

void dls__crew_free(struct dls__crew *crew)
{
	if (!crew)
		return;
	while (crew->members > 0)
		dls__stepper_close(&dls__member(crew, --crew->members)->stepper);
	free(crew->machine.own.from);
	free(crew->machine.table);
	free(crew);
}

static struct dls__crew *make(const struct dls__spec *spec, unsigned p)
{
	struct dls__crew *crew = calloc(1, sizeof(*crew));
	struct dls_machine *m;
	size_t state;

	if (!crew)
		return NULL;
	m = &crew->machine;
	if (dls__crew_net(&m->net, spec, p))
		goto fail;
	state = dls__state_size(spec->strategy, &m->net);
	if (state > SIZE_MAX / 2)
		goto fail;
	m->own.stride = (sizeof(struct dls__member) + state + DLS__APART - 1) / DLS__APART * DLS__APART;
	if (m->own.stride > SIZE_MAX / p || !(m->own.from = aligned_alloc(DLS__APART, m->own.stride * p)))
		goto fail;
	if (spec->strategy->table_size && !(m->table = calloc(p, spec->strategy->table_size)))
		goto fail;
	m->engine = &engine;
	m->costs.pause = DLS__THREADS_PAUSE;
	m->rules.fixed = m->rules.count_started = m->rules.completed = true;
	for (; crew->members < p; crew->members++) {
		struct dls__member *w = dls__member(crew, crew->members);

		memset(w, 0, sizeof(*w));
		w->stepper.vp.machine = m;
		w->stepper.vp.id = crew->members;
		w->stepper.vp.state = w + 1;
		if (dls__stepper_open(&w->stepper))
			goto fail;
	}
	return crew;
fail:
	dls__crew_free(crew);
	return NULL;
}

/* Drop all that the last execution has left, and put the range begin .. end - 1 into the queue; false: there is no memory. */
static bool refill(struct dls__crew *crew, struct dls__member *w, uint64_t begin, uint64_t end, uint64_t now)
{
	struct dls_machine *m = &crew->machine;
	struct dls__stepper *s = &w->stepper;
	struct dls_task *task;

	dls__stepper_end(s);
	if (begin < end) {
		task = dls__task_new(m, &s->pool);
		if (!task)
			return false;
		*task = (struct dls_task){
			.type = &crew->iterations, .arg = { begin, end }, .origin = s->vp.id,
		};
		dls__tasks_push(m, &s->vp.queue, task);
	}
	memset(s->vp.state, 0, m->own.stride - sizeof(*w));
	dls__vp_reset(&s->vp);
	dls__stepper_begin(s, now);
	w->started = false;
	w->from = s->vp.id;
	w->round = (struct dls__round){ .n = 0 };
	/* relaxed: published with the deal. */
	atomic_store_explicit(&w->hint, DLS__NOTHING, memory_order_relaxed);
	atomic_store_explicit(&w->owner, NULL, memory_order_relaxed);
	atomic_store_explicit(&w->alarm, 0, memory_order_relaxed);
	return true;
}

bool dls__crew_open(struct dls__crew **result, const struct dls__spec *spec, uint64_t n, unsigned p, uint64_t grain,
		    struct dls__kept_site *site, const struct dls__weight *weight)
{
	struct dls__crew *crew = *result;
	struct dls_machine *m;
	uint64_t now, begin = 0;

	if (!dls__crew_serves(crew, spec, p)) {
		dls__crew_free(crew);
		*result = crew = make(spec, p);
		if (!crew)
			return false;
		dls__clock_start();
	}
	m = &crew->machine;
	dls__spec_copy(&m->spec, spec);
	m->seed = ++crew->executions;
	m->added.mean = (double)(n / grain + (n % grain != 0)) / p;
	m->added.mean = m->added.mean > 1 ? m->added.mean : 1;
	atomic_store_explicit(&m->code, 0, memory_order_relaxed);	/* relaxed: published with the deal */
	crew->iterations = (struct dls_task_type){ .size = sizeof(crew->iterations), .name = "iterations", .grain = grain };
	if (m->table)
		memset(m->table, 0, p * spec->strategy->table_size);
	crew->site = spec->strategy->rounds ? site : NULL;
	now = dls__clock_now();
	for (unsigned i = 0; i < p; i++) {
		uint64_t end = dls__share_end(n, p, weight, i);

		if (!refill(crew, dls__member(crew, i), begin, end, now))
			return false;
		begin = end;
	}
	return true;
}
