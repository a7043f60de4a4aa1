/* state.c - functions by which strategies and tasks read and set the state of a virtual processor. */
#include "lib/base/mix.h"
#include "lib/machine/vp.h"
#include "lib/machine/vp_check.h"
#include "sched/wide.h"

unsigned dls_vp_id(const struct dls_vp *vp)
{
	return vp->id;
}

unsigned dls_vp_processors(const struct dls_vp *vp)
{
	return vp->machine->net.processors;
}

const struct dls_net *dls_vp_net(const struct dls_vp *vp)
{
	return &vp->machine->net;
}

unsigned dls_vp_degree(const struct dls_vp *vp)
{
	return dls_net_degree(&vp->machine->net, vp->id);
}

unsigned dls_vp_neighbour(const struct dls_vp *vp, unsigned i)
{
	if (vp->machine->rules.check && !dls__vp_below(vp, "dls_vp_neighbour", "neighbour", i, dls_vp_degree(vp)))
		return DLS_NO_PROCESSOR;
	return dls_net_neighbour(&vp->machine->net, vp->id, i);
}

uint64_t dls_vp_now(const struct dls_vp *vp)
{
	return vp->machine->engine->now(vp);
}

int64_t dls_vp_load(const struct dls_vp *vp)
{
	return vp->load;
}

int64_t dls_vp_queued_load(const struct dls_vp *vp)
{
	return vp->queue.load;
}

uint64_t dls_vp_queued_tasks(const struct dls_vp *vp)
{
	return vp->queue.units;
}

double dls_vp_initial_mean_load(const struct dls_vp *vp)
{
	return vp->machine->added.mean;
}

const struct dls_value *dls_vp_value(const struct dls_vp *vp, unsigned i)
{
	static const struct dls_value none = { .word = -1 };

	if (!dls__vp_below(vp, "dls_vp_value", "parameter", i, DLS_VALUES_MAX) ||
	    (vp->machine->rules.check &&
	     !dls__check_named(vp, "dls_vp_value", "parameter", vp->machine->spec.strategy->param[i].name, i)))
		return &none;
	return &vp->machine->spec.value[i];
}

void *dls_vp_table(struct dls_vp *vp)
{
	return vp->id + 1 == vp->machine->net.processors ? vp->machine->table : NULL;
}

double dls_vp_weight(const struct dls_vp *vp)
{
	return vp->machine->weight ? vp->machine->weight[vp->id] : 1;
}

uint64_t dls_vp_default_period(const struct dls_vp *vp)
{
	return vp->machine->costs.pause;
}

uint64_t dls_vp_random(struct dls_vp *vp, uint64_t bound)
{
	if (bound == 0 && vp->machine->rules.check)
		dls__vp_refuse(vp, "dls_vp_random", "bound 0 is not above 0");
	return dls__wide_shifted(dls__wide_product(dls__mix_next(&vp->random), bound), 64);
}

void dls_vp_hold(struct dls_vp *vp)
{
	vp->standing.held = true;
}

void dls_vp_divide(struct dls_vp *vp, uint64_t tasks)
{
	vp->open = tasks;
	vp->standing.idle = false;
}

/* A product that overflows ends the run, since it is more than a clock can hold. */
void dls__busy_for(struct dls_vp *vp, uint64_t ns, uint64_t times)
{
	uint64_t all;

	if (ns == 0 || times == 0 || !vp->machine->engine->charge)
		return;
	vp->machine->engine->charge(vp, __builtin_mul_overflow(ns, times, &all) ? UINT64_MAX : all);
}

void dls_vp_charge(struct dls_vp *vp, enum dls_charge what, uint64_t times)
{
	const struct dls__machine_costs *c = &vp->machine->costs;

	dls__busy_for(vp, what == DLS_CHARGE_SCHEDULE ? c->schedule : c->phase, times);
}

void dls_vp_counter_add(struct dls_vp *vp, unsigned counter, uint64_t amount)
{
	if (dls__vp_below(vp, "dls_vp_counter_add", "counter", counter, DLS_COUNTERS_MAX) &&
	    (!vp->machine->rules.check ||
	     dls__check_named(vp, "dls_vp_counter_add", "counter", vp->machine->spec.strategy->counter[counter], counter)))
		vp->pool->counter[counter] += amount;
}

void dls_vp_poll(struct dls_vp *vp)
{
	if (vp->standing.in_task)
		vp->machine->engine->poll(vp);
}

void dls_vp_spend(struct dls_vp *vp, uint64_t ns)
{
	vp->running.spent = ns < DLS__WORK_MAX - vp->running.spent ? vp->running.spent + ns : DLS__WORK_MAX;
	if (vp->machine->spend && vp->standing.in_task)
		vp->machine->engine->spend(vp, ns);
}
