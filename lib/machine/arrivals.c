/* arrivals.c - tasks that arrive at their processors during the run.
 *
 * Each processor has at most one timer for them, which the strategy does not see: it goes off when the next task arrives.  While
 * the strategy holds tasks no arriving task enters the queue, since the strategy's phase or sweep relies on the queue as it is.
 * Arriving tasks count as created from the begin of the run on, so the end is not detected before they have run.
 *
 * A processor reads only its own part of the list, which is sorted before the run and does not change during it. */
#include <stdlib.h>
#include <string.h>

#include "lib/machine/vp.h"

struct dls__arrivals {
	size_t n, room;
	struct arrival {
		uint64_t time;		/* ns */
		uint32_t processor;
		size_t number;		/* in the order of adding */
		struct dls_task task;
	} *list;
	struct turn {
		size_t next;		/* in the list */
		bool held;		/* the next task has arrived while the strategy holds tasks */
	} *turn;			/* of each processor */
};

static struct arrival *grown(struct dls__arrivals *a)
{
	size_t room = a->room ? 2 * a->room : 64;
	struct arrival *list = realloc(a->list, room * sizeof(*list));

	if (!list)
		return NULL;
	a->list = list;
	a->room = room;
	return list;
}

int dls__arrivals_add(struct dls_machine *m, unsigned processor, const struct dls_task *task, uint64_t ns)
{
	struct dls__arrivals *a = m->arrivals ? m->arrivals : calloc(1, sizeof(*a));

	if (!a)
		return DLS_ENOMEM;
	m->arrivals = a;
	if (a->n == a->room && !grown(a))
		return DLS_ENOMEM;
	a->list[a->n] = (struct arrival){ .time = ns, .processor = processor, .number = a->n, .task = *task };
	a->n++;
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct arrival *a = left, *b = right;

	if (a->processor != b->processor)
		return a->processor < b->processor ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

int dls__arrivals_begin(struct dls_machine *m)
{
	struct dls__arrivals *a = m->arrivals;
	unsigned P = m->net.processors;

	if (!a->turn)
		a->turn = malloc(P * sizeof(*a->turn));
	if (!a->turn)
		return DLS_ENOMEM;
	qsort(a->list, a->n, sizeof(*a->list), compare);
	for (size_t p = 0, i = 0; p < P; p++) {
		a->turn[p] = (struct turn){ .next = i };
		for (; i < a->n && a->list[i].processor == p; i++)
			dls__end_created(dls__vp_at(m, (unsigned)p), dls__task_units(&a->list[i].task));
	}
	return 0;
}

/* The processor's next arrival; NULL: there is none. */
static const struct arrival *next_of(const struct dls_vp *vp)
{
	const struct dls__arrivals *a = vp->machine->arrivals;
	size_t i = a->turn[vp->id].next;

	return i < a->n && a->list[i].processor == vp->id ? &a->list[i] : NULL;
}

void dls__arrivals_await(struct dls_vp *vp)
{
	const struct arrival *next = next_of(vp);
	uint64_t now = vp->machine->engine->now(vp);
	struct dls__msg *msg;

	if (!next)
		return;
	msg = dls__message_to(vp, vp->id, DLS__TIMER, DLS__ARRIVALS, NULL);
	if (msg)
		vp->machine->engine->timer(vp, msg, next->time > now ? next->time - now : 0);
}

void dls__arrivals_come(struct dls_vp *vp)
{
	uint64_t now = vp->machine->engine->now(vp);
	struct dls__tasks tasks = { .first = NULL };
	const struct arrival *next;

	if (vp->standing.held) {
		vp->machine->arrivals->turn[vp->id].held = true;
		return;
	}
	while ((next = next_of(vp)) && next->time <= now) {
		struct dls_task *task = dls__class_task(vp, &next->task);

		if (!task)
			return;
		dls__tasks_push(vp->machine, &tasks, task);
		vp->machine->arrivals->turn[vp->id].next++;
	}
	dls__vp_accept(vp, &tasks);
	dls__arrivals_await(vp);
}

void dls__arrivals_free(struct dls_machine *m)
{
	if (!m->arrivals)
		return;
	free(m->arrivals->list);
	free(m->arrivals->turn);
	free(m->arrivals);
	m->arrivals = NULL;
}

/* After a failure a held processor stays held: its strategy may not have finished the phase for which it held tasks. */
void dls_vp_release(struct dls_vp *vp)
{
	struct dls_machine *m = vp->machine;
	struct turn *turn;

	if (dls__machine_failed(m))
		return;
	vp->standing.held = false;
	if (!m->arrivals)
		return;
	turn = &m->arrivals->turn[vp->id];
	if (turn->held)
		dls__arrivals_await(vp);
	turn->held = false;
}
