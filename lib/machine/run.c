/* run.c - filling a machine with tasks, and running it. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "lib/machine/vp.h"

/* Put a task in a processor's queue. */
static int queue(struct dls_machine *m, unsigned processor, const struct dls_task *task)
{
	struct dls__tasks one = { .first = NULL };
	struct dls_vp *vp = dls__vp_at(m, processor);
	struct dls_task *copy = dls__class_task(vp, task);

	if (!copy)
		return DLS_ENOMEM;
	dls__tasks_push(m, m->classes.of || m->spec.by_key ? &one : &vp->queue, copy);
	if (m->classes.of)
		dls__lane_accept(vp, &one);
	else if (m->spec.by_key)
		dls__tasks_accept(vp, &one);
	return 0;
}

int dls_machine_add_at(struct dls_machine *m, unsigned processor, const struct dls_task *task, uint64_t ns)
{
	uint64_t units, load;
	int code = m ? dls__class_check(m, task) : DLS_EINVAL;

	if (code)
		return code;
	if (m->running)
		return DLS_EBUSY;
	units = dls__task_units(task);
	load = dls__task_loads(m, task);
	if (processor >= m->net.processors || (m->limits.most && (units > m->limits.most || m->added.tasks > m->limits.most - units)) ||
	    load > DLS_LOAD_MAX - m->added.load || ns > INT64_MAX)
		return DLS_ERANGE;
	if (units == 0 || !dls__is_own(m, processor))
		return 0;
	code = ns ? dls__arrivals_add(m, processor, task, ns) : queue(m, processor, task);
	if (code)
		return code;
	m->added.tasks += units;
	m->added.load += load;
	return 0;
}

int dls_machine_add(struct dls_machine *m, unsigned processor, const struct dls_task *task)
{
	return dls_machine_add_at(m, processor, task, 0);
}

int dls_class_add(struct dls_machine *m, unsigned processor, unsigned task_class, const struct dls_task *task)
{
	struct dls_task copy;

	if (!m || !task)
		return DLS_EINVAL;
	if (task_class >= m->classes.count)
		return DLS_ENOENT;
	copy = *task;
	copy.type = &m->classes.of[task_class].type;
	return dls_machine_add(m, processor, &copy);
}

int dls_machine_set_weight(struct dls_machine *m, unsigned processor, double weight)
{
	if (!m)
		return DLS_EINVAL;
	if (processor >= m->net.processors || !(weight > 0) || isinf(weight))
		return DLS_ERANGE;
	if (m->running)
		return DLS_EBUSY;
	if (!m->weight) {
		m->weight = malloc(m->net.processors * sizeof(*m->weight));
		if (!m->weight)
			return DLS_ENOMEM;
		for (unsigned i = 0; i < m->net.processors; i++)
			m->weight[i] = 1;
	}
	m->weight[processor] = weight;
	return 0;
}

/* Drop the tasks that a failed run has left. */
static void drop(struct dls_machine *m)
{
	for (unsigned i = m->own.first; i < m->own.end; i++) {
		dls__lane_forget(dls__vp_at(m, i));
		dls__pool_rewind(dls__vp_at(m, i)->pool);
	}
}

/* Prepare a run.  Returns 0; DLS_ENOMEM. */
static int prepare(struct dls_machine *m)
{
	double load = 0;

	for (unsigned i = m->own.first; i < m->own.end; i++) {
		struct dls_vp *vp = dls__vp_at(m, i);

		memset(vp->state, 0, m->own.stride - m->own.state_at);
		if (vp->pool != &m->pool)
			dls__pool_clear(vp->pool);
		load += (double)vp->queue.load;
	}
	dls__pool_clear(&m->pool);
	if (m->table)
		memset(m->table, 0, m->net.processors * m->spec.strategy->table_size);
	m->added.mean = fmax(1, load / m->net.processors);
	dls__machine_trace_begin(m);
	for (unsigned i = m->own.first; i < m->own.end; i++)
		dls__vp_reset(dls__vp_at(m, i));
	/* relaxed: starting the machine's threads publishes it to them. */
	atomic_store_explicit(&m->code, 0, memory_order_relaxed);
	atomic_store_explicit(&m->limits.created, m->added.tasks, memory_order_relaxed);
	atomic_store_explicit(&m->limits.load, m->added.load, memory_order_relaxed);
	m->times.last = m->times.detected = m->times.until = 0;
	return m->arrivals ? dls__arrivals_begin(m) : 0;
}

int dls_machine_run(struct dls_machine *m)
{
	int code, cancel;

	if (!m)
		return DLS_EINVAL;
	if (m->running)
		return DLS_EBUSY;
	/* A cancelled thread ends only after the run, since other threads wait for it. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	m->running = true;
	code = prepare(m);
	if (code && m->engine->share) {		/* run all the same: other processes wait for this one */
		dls__machine_fail(m, code);
		code = 0;
	}
	if (!code)
		code = m->engine->run(m);
	m->running = false;
	dls__arrivals_free(m);
	m->added.tasks = m->added.load = 0;
	if (code)
		drop(m);
	dls__machine_trace_end(m);
	pthread_setcancelstate(cancel, &cancel);
	pthread_testcancel();
	return code;
}
