/* result.c - the result of a machine's run. */
#include "lib/base/sized.h"
#include "lib/machine/vp.h"

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static void add_pool(struct dls_run_result *r, const struct dls__pool *pool)
{
	r->transfers += pool->transfers;
	r->hops += pool->hops;
	r->messages += pool->messages;
	r->bytes += pool->bytes;
	r->service_messages += pool->service_messages;
	r->data_messages += pool->data_messages;
	r->data_bytes += pool->data_bytes;
	r->events += pool->events;
	r->work += pool->work / 1e9;
	for (size_t i = 0; i < DLS_KINDS_MAX; i++)
		r->kind[i] += pool->kind[i];
	for (size_t i = 0; i < DLS_COUNTERS_MAX; i++)
		r->counter[i] += pool->counter[i];
}

static void vp_stats(const struct dls_vp *vp, struct dls_processor_stats *stats)
{
	*stats = (struct dls_processor_stats){
		.tasks = vp->ran.tasks, .nonlocal = vp->ran.nonlocal,
		.tasks_sent = vp->ran.sent, .tasks_received = vp->traffic.tasks_received,
		.sent = vp->traffic.sent, .received = vp->traffic.received,
		.service_sent = vp->end.sent, .service_received = vp->end.received,
	};
	vp->machine->engine->stats(vp, stats);
}

/* Whether there was a run, and it is over: added.mean is at least 1 from the first run on. */
static bool has_run(const struct dls_machine *m)
{
	return m && !m->running && m->added.mean > 0;
}

struct dls_run_result dls__result_own(const struct dls_machine *m)
{
	struct dls_run_result r = { 0 };

	r.processors = m->net.processors;
	r.time = seconds(m->times.last);
	r.detected = seconds(m->times.detected);
	add_pool(&r, &m->pool);
	for (unsigned i = m->own.first; i < m->own.end; i++) {
		const struct dls_vp *vp = dls__vp_at(m, i);
		struct dls_processor_stats s;

		if (vp->pool != &m->pool)
			add_pool(&r, vp->pool);
		vp_stats(vp, &s);
		r.tasks += s.tasks;
		r.nonlocal += s.nonlocal;
		r.busy += s.busy;
		r.polling += s.polling;
		r.overhead += s.overhead;
		r.service += s.service;
		r.held += s.held;
		r.idle += s.idle;
		r.after += s.after;
		r.preempted += s.preempted;
	}
	return r;
}

int dls_machine_result(const struct dls_machine *m, struct dls_run_result *result)
{
	struct dls_run_result r;

	if (!has_run(m))
		return DLS_EINVAL;
	r = m->engine->total ? *m->engine->total(m) : dls__result_own(m);
	return dls__sized_write(result, &r, sizeof(r));
}

int dls_machine_processor_stats(const struct dls_machine *m, unsigned processor, struct dls_processor_stats *stats)
{
	struct dls_processor_stats s;

	if (!has_run(m))
		return DLS_EINVAL;
	if (processor >= m->net.processors || !dls__is_own(m, processor))
		return DLS_ERANGE;
	vp_stats(dls__vp_at(m, processor), &s);
	return dls__sized_write(stats, &s, sizeof(s));
}
