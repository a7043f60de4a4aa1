/* sweep.c - a sweep: a run of the machine in which each object is a task, and its results. */
#include <math.h>
#include <pthread.h>

#include "dls/task.h"
#include "lib/base/sized.h"
#include "lib/repart/repart.h"

/* A member of this group becomes the owner of an object that has come from another group.  With return=yes the object is here
 * for this sweep only, and keeps its owner.  If its owner's processor has left the group, an object that
 * stayed also gets another owner. */
static int take_over(struct dls_part *p, size_t i)
{
	struct dls_repart *r = p->repart;
	struct dls__object *o = &r->object[i];
	struct dls__repart_worker *owner;

	if (r->returns)
		return o->arrived;
	if (r->member[o->owner].group != p->id) {
		owner = dls__repart_lightest(p);
		owner->weight += o->weight;
		o->owner = (unsigned)(owner - r->member);
	}
	return r->calls.move && !o->arrived && o->owner != o->was ? r->calls.move(p, i, o->was, o->owner, r->calls.context) : o->arrived;
}

/* Work on an object; if `work` spends no time, the object takes its weight in ns. */
static void work_on(struct dls_part *p, size_t i)
{
	struct dls_repart *r = p->repart;
	struct dls__object *o = &r->object[i];

	dls__part_work(p);
	o->code = r->calls.work(p, i, r->calls.arg);
	if (r->virtual && !o->code && p->now == p->began)
		o->code = dls_part_spend(p, 1e-9 * (double)o->weight);
	o->time = dls__part_worked(p);
	if (o->code)
		return;
	p->done += o->weight;
	p->time += o->time;
}

int dls__repart_run(struct dls_vp *vp, struct dls_task *task, void *repart)
{
	struct dls_repart *r = repart;
	struct dls_part *p = &r->part[dls_vp_id(vp)];
	size_t i = task->arg[0];

	if (r->abandoned)
		return DLS_ENOMEM;
	dls__part_begin(p, vp);
	r->object[i].begun = true;
	r->object[i].worker = p->id;
	r->object[i].code = take_over(p, i);
	if (!r->object[i].code)
		work_on(p, i);
	if (r->virtual) {
		p->spent += p->now ? p->now : 1;
		dls_vp_spend(vp, p->now ? p->now : 1);	/* 0 would mean its cost */
	}
	return 0;
}

/* A group's expected speed in weight per ns: that of the last sweep, if known and the calculator learns; else
 * its processors' speeds, added up, times `each`, the rate at speed 1. */
static double fast(const struct dls_part *p, double each)
{
	return p->repart->learns && p->rate > 0 ? p->rate : p->speed * each;
}

static int weigh(struct dls_repart *r)
{
	double rate = 0, speed = 0, sum = 0, each;

	for (unsigned g = 0; g < r->groups; g++) {
		rate += r->part[g].rate;
		speed += r->part[g].rate > 0 ? r->part[g].speed : 0;
	}
	each = speed > 0 ? rate / speed : 1;
	for (unsigned g = 0; g < r->groups; g++)
		sum += fast(&r->part[g], each);
	for (unsigned g = 0; g < r->groups; g++) {
		int code = dls_machine_set_weight(r->machine, g, fast(&r->part[g], each) * r->groups / sum);

		if (code)
			return code;
	}
	return 0;
}

/* Add each object's task to its owner's group, the heaviest first. */
static int add(struct dls_repart *r)
{
	for (size_t k = 0; k < r->objects; k++) {
		size_t i = r->order[k].object;
		const struct dls__object *o = &r->object[i];
		struct dls_task task = { .type = &r->type[i], .arg = { i }, .cost = o->cost };
		int code = dls_machine_add(r->machine, r->member[o->owner].group, &task);

		if (code)
			return code;
	}
	return 0;
}

/* Prepare the objects' records.  If a failed sweep did not begin an object, the object was not moved yet. */
static int prepare(struct dls_repart *r, size_t *exchanged)
{
	int code;

	for (size_t i = 0; i < r->objects; i++)
		r->object[i].was = r->object[i].begun ? r->object[i].owner : r->object[i].was;
	code = dls__repart_regroup(r, exchanged);
	if (!code)
		code = weigh(r);
	for (size_t i = 0; i < r->objects; i++) {
		r->object[i].begun = false;
		r->object[i].code = DLS_EDEADLK;
		r->object[i].arrived = 0;
	}
	for (unsigned i = 0; i < r->processors; i++)
		r->member[i].work = 0;
	for (unsigned g = 0; g < r->groups; g++) {
		r->part[g].spent = r->part[g].time = 0;
		r->part[g].done = 0;
	}
	code = code ? code : add(r);
	if (r->processes.across) {
		int least = code, failed = r->machine->engine->least(&least);

		code = failed ? failed : least;
	}
	if (code) {
		r->abandoned = true;
		dls_machine_run(r->machine);	/* which fails with the first task, and drops the others */
		r->abandoned = false;
	}
	return code;
}

/* ns of the machine for each ns of a group: its processor may be slow (faults). */
static double slowed(const struct dls_repart *r, unsigned g)
{
	struct dls_processor_stats vp = { .size = sizeof(vp) };

	if (r->part[g].spent == 0 || dls_machine_processor_stats(r->machine, g, &vp))
		return 1;
	return vp.busy / (1e-9 * (double)r->part[g].spent);
}

/* Set costs by the objects' times; objects without a time cost their weight, and the sum of costs stays the same. */
static void measure(struct dls_repart *r)
{
	double weight, time;

	dls__repart_timed(r, &weight, &time);
	for (size_t i = 0; i < r->objects; i++) {
		double own = dls__repart_own_time(r, &r->object[i]);

		r->object[i].cost = own > 0 ? (uint64_t)(fmax(own * (weight / time), 1) + 0.5) : (uint64_t)r->object[i].weight;
	}
}

/* Record what the next sweep uses. */
static void learn(struct dls_repart *r)
{
	for (unsigned g = 0; g < r->groups; g++) {
		struct dls_part *p = &r->part[g];

		p->slowed = slowed(r, g);
		for (unsigned m = 0; p->slowed != 1 && m < p->group.size; m++)
			p->member[m]->work = (uint64_t)((double)p->member[m]->work * p->slowed + 0.5);
		if (p->time > 0)
			p->rate = (double)p->done / ((double)p->time * p->slowed);
	}
	if (r->measures)
		measure(r);
}

static void sum_up(const struct dls_repart *r, size_t exchanged, struct dls_sweep_result *sweep)
{
	struct dls_run_result run = { .size = sizeof(run) };
	struct dls_sweep_result s = { .exchanged = exchanged };

	dls_machine_result(r->machine, &run);
	s.time = run.time;
	for (unsigned i = 0; i < r->processors; i++)
		s.work += 1e-9 * (double)r->member[i].work;
	for (size_t i = 0; i < r->objects; i++) {
		const struct dls__object *o = &r->object[i];

		s.failed += o->code != 0;
		s.moved += o->owner != o->was;
		s.moved_weight += o->owner != o->was ? o->weight : 0;
	}
	if (s.time > 0) {
		s.efficiency = s.work / (r->processors * s.time);
		s.efficiency_all = s.work / ((r->processors + r->dedicated) * s.time);
	}
	dls__sized_write(sweep, &s, sizeof(s));
}

int dls_repart_sweep(struct dls_repart *r, void *arg, struct dls_sweep_result *sweep)
{
	size_t exchanged = 0;
	int code, cancel;

	if (!r || r->processes.broken || (sweep && !dls__sized_size(sweep)))
		return DLS_EINVAL;
	if (r->running)
		return DLS_EBUSY;
	/* As in dls_machine_run(). */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	r->running = true;
	r->calls.arg = arg;
	code = prepare(r, &exchanged);
	if (!code) {
		code = dls_machine_run(r->machine);
		if (!code && r->processes.across)
			code = dls__repart_tell(r);
		dls__repart_count(r);
		if (!code)
			learn(r);
		if (sweep)
			sum_up(r, exchanged, sweep);
	}
	r->processes.broken = r->processes.across && code;
	r->running = false;
	pthread_setcancelstate(cancel, &cancel);
	pthread_testcancel();
	return code;
}
