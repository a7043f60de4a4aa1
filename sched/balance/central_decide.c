/* central_decide.c - the scheduler: handling reports, deciding, and instructing nodes.  See central.h. */
#include "central.h"

static void change(struct dls__central *s, struct dls__load_entry *e)
{
	s->changed += !e->changed;
	e->changed = true;
}

static void decide(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node)
{
	struct dls__load_entry *e = dls__entry(vp, node, task_class);

	if (!e->changed)
		return;
	e->changed = false;
	s->changed--;
	if (s->ops && dls_vp_upcall(vp, task_class, node, s->ops, s))
		return;
	if (!e->confirms || s->node[task_class].open == 0)	/* while moves are open, the report of the last one decides */
		dls__policy_of(vp, task_class)->balance(vp, s, task_class, node);
}

/* central.C3.  Decide on the changed entry first, then on entries that this decision has changed. */
static void decide_all(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node)
{
	if (s->deciding)
		return;
	s->deciding = true;
	decide(vp, s, task_class, node);
	while (s->changed > 0)
		for (unsigned i = 0; i < s->nodes; i++)
			for (unsigned c = 0; c < dls_vp_classes(vp); c++)
				decide(vp, s, c, i);
	s->deciding = false;
}

static bool all_started(const struct dls__central *s, unsigned task_class)
{
	return s->node[task_class].started == s->nodes;
}

/* A node has reported its initial tasks.  If the class's tasks wait at the scheduler, those on the node
 * count as given to it. */
static void started(struct dls_vp *vp, struct dls__central *s, unsigned node, const struct dls__node_report *r)
{
	struct dls__load_entry *e = dls__entry(vp, node, r->task_class);

	e->started = true;
	e->given += node == s->scheduler ? 0 : r->tasks;	/* a view may have scheduled some */
	if (++s->node[r->task_class].started == s->nodes)
		for (unsigned i = 0; i < s->nodes; i++)
			change(s, dls__entry(vp, i, r->task_class));
}

static void confirmed(struct dls_vp *vp, struct dls__central *s, unsigned node, const struct dls__node_report *r)
{
	struct dls__load_entry *source = dls__entry(vp, node, r->task_class);
	struct dls__load_entry *destination = dls__entry(vp, r->peer, r->task_class);

	source->out -= r->asked;
	destination->in -= (int64_t)(r->asked - r->count);
	if (dls__waits(vp, r->task_class)) {		/* those on the scheduler wait, given to no node */
		source->given -= node == s->scheduler ? 0 : r->count;
		destination->given += r->peer == s->scheduler ? 0 : r->count;
	}
	s->node[r->task_class].open -= r->count > 0 ? 1 : 2;
	if (r->count > 0) {
		source->fresh = destination->fresh = false;
	} else {
		source->refused = true;
		dls_vp_counter_add(vp, DLS__REFUSED, 1);
	}
}

static void arrived(struct dls_vp *vp, struct dls__central *s, unsigned node, const struct dls__node_report *r)
{
	struct dls__node *of = &s->node[r->task_class];
	double cost = (double)(dls_vp_now(vp) - r->since) * 1e-9;

	of->open--;
	of->cost = of->cost > 0 ? (of->cost + cost) / 2 : cost;
	dls__entry(vp, node, r->task_class)->in -= (int64_t)r->count;
}

void dls__central_receive(struct dls_vp *vp, struct dls__central *s, unsigned node, uint64_t sent,
			  const struct dls__node_report *r)
{
	struct dls__load_entry *e = dls__entry(vp, node, r->task_class);

	dls__entry_tell(e, r, sent, dls__policy_of(vp, r->task_class)->keep);
	if (r->kind == DLS__START)
		started(vp, s, node, r);
	else if (r->kind == DLS__MOVED)
		confirmed(vp, s, node, r);
	else if (r->kind == DLS__ARRIVED)
		arrived(vp, s, node, r);
	else
		dls_vp_charge(vp, DLS_CHARGE_SCHEDULE, 1);
	e->confirms = r->kind == DLS__MOVED || r->kind == DLS__ARRIVED;
	if (!all_started(s, r->task_class))
		return;
	change(s, e);
	decide_all(vp, s, r->task_class, node);
}

uint64_t dls__central_waiting(const struct dls_vp *vp, const struct dls__central *s, unsigned task_class)
{
	uint64_t queued = dls_vp_class_tasks(vp, task_class).queued;
	uint64_t own = s->held_back ? dls_vp_allowed(vp, task_class) : 0;

	return queued > own ? queued - own : 0;
}

/* If more tasks wait than before, decide for nodes that have run all their tasks; nothing has changed for others. */
void dls__central_look(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	struct dls__node *of = &s->node[task_class];
	uint64_t waiting = dls__central_waiting(vp, s, task_class), before = of->waiting;
	unsigned first = of->turn;

	of->waiting = waiting;
	if (waiting <= before || !all_started(s, task_class))
		return;
	for (unsigned i = 0; i < s->nodes && waiting > 0; i++) {
		unsigned node = (first + i) % s->nodes;
		const struct dls__load_entry *e = dls__entry(vp, node, task_class);

		if (e->given > e->run)
			continue;
		of->turn = (node + 1) % s->nodes;
		change(s, dls__entry(vp, node, task_class));
		decide_all(vp, s, task_class, node);
		waiting = dls__central_waiting(vp, s, task_class);
	}
	of->waiting = waiting;
}

bool dls__central_schedule(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node)
{
	struct dls_hint one = { .source = s->scheduler, .destination = node, .count = 1, .key = INT64_MIN };
	const int64_t word[DLS_MESSAGE_WORDS] = { DLS__SCHEDULED, task_class };

	if (dls__central_waiting(vp, s, task_class) == 0) {
		s->node[task_class].waiting = 0;	/* so that look() notices the next that comes */
		return false;
	}
	if (node == s->scheduler)
		dls_vp_allow(vp, task_class, dls_vp_allowed(vp, task_class) + 1);
	else if (dls_vp_ship(vp, task_class, &one, DLS_QUEUE_END_FIRST, DLS__TASKS, word) == 0)
		return false;
	dls__entry(vp, node, task_class)->given++;
	s->node[task_class].waiting -= s->node[task_class].waiting > 0;
	dls_vp_counter_add(vp, DLS__GIVEN, 1);
	return true;
}

void dls__central_keep(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	dls_vp_allow(vp, task_class, dls_vp_allowed(vp, task_class) + 1);
	dls_vp_release(vp);
	s->node[task_class].waiting -= s->node[task_class].waiting > 0;
	dls_vp_counter_add(vp, DLS__GIVEN, 1);
}

void dls__central_reserve(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node)
{
	for (unsigned c = 0; c < dls_vp_classes(vp); c++) {
		struct dls__load_entry *e = dls__entry(vp, node, c);
		bool was_closed = e->closed;

		e->reserved = c == task_class;
		e->closed = task_class != DLS_CLASSES_MAX && c != task_class;
		if (was_closed && !e->closed && dls__policy_of(vp, c) && all_started(s, c))
			change(s, e);
	}
	if (node == s->scheduler)
		dls_vp_reserve(vp, task_class);
	else
		dls_vp_send(vp, node, DLS__RESERVE, (int64_t[DLS_MESSAGE_WORDS]){ task_class });
}
