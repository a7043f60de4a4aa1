/* termination.c - the detection of the end: counts of tasks go up a tree, and are checked once when they agree.
 *
 * The tree is processor 0's binomial broadcast tree.  A processor that has nothing to run, and all of whose children have reported,
 * reports how many tasks were created and done, here and below, since its last report.
 *
 * E1: the root never counts more tasks done than were done, since each is created on one processor and done on one.
 * Its counts of created and done may agree by chance, since reports are of different times.  So the root checks: a probe goes down the
 * tree, and the number of tasks ever created comes up.
 * E2: if as many were done before the probe set out, no task was left then, and none has been created since, because
 *     only tasks create tasks: this is the end.
 * Otherwise the root waits for the reports that processors which have created tasks still owe.  If no task creates others, the
 * first agreement is enough.
 *
 * Data that processors send each other (class.c) count as a task from sending to receiving, since their receiver may create
 * tasks.
 *
 * After Mattern, "Algorithms for distributed termination detection", Distributed Computing 2:161-175, 1987, section 6. */
#include "lib/machine/vp.h"

enum kind { REPORT, PROBE, ANSWER, END };

static unsigned child(const struct dls_vp *vp, unsigned i)
{
	return dls_net_broadcast_child(&vp->machine->net, 0, vp->id, i);
}

static unsigned parent(const struct dls_vp *vp)
{
	return dls_net_broadcast_parent(&vp->machine->net, 0, vp->id);
}

void dls__end_reset(struct dls_vp *vp)
{
	struct dls__end *e = &vp->end;

	*e = (struct dls__end){
		.created_here = vp->queue.units, .created = vp->queue.units, .probed = UINT64_MAX,
	};
	while (child(vp, e->children) != DLS_NO_PROCESSOR)
		e->children++;
	e->silent = e->children;
}

void dls__end_created(struct dls_vp *vp, uint64_t tasks)
{
	vp->end.created_here += tasks;
	vp->end.created += tasks;
}

void dls__end_done(struct dls_vp *vp)
{
	vp->end.done++;
}

static void announce(struct dls_vp *vp)
{
	vp->standing.ended = true;
	for (unsigned i = 0; i < vp->end.children; i++)
		dls__vp_service(vp, child(vp, i), END, NULL);
	if (vp->id == 0)
		vp->machine->times.detected = vp->machine->engine->now(vp);
}

/* Answer the probe, when all children have answered. */
static void answer(struct dls_vp *vp)
{
	if (vp->id != 0)
		dls__vp_service(vp, parent(vp), ANSWER, (int64_t[DLS_MESSAGE_WORDS]){ (int64_t)vp->end.sum });
	else if (vp->end.sum == vp->end.probed)
		announce(vp);
}

static void probe(struct dls_vp *vp)
{
	struct dls__end *e = &vp->end;

	e->sum = e->created_here;
	e->waiting = e->children;
	for (unsigned i = 0; i < e->children; i++)
		dls__vp_service(vp, child(vp, i), PROBE, NULL);
	if (e->waiting == 0)
		answer(vp);
}

void dls__end_idle(struct dls_vp *vp)
{
	struct dls__end *e = &vp->end;

	if (e->silent > 0 || vp->standing.ended)
		return;
	if (vp->id != 0) {
		if (e->reported && e->created == 0 && e->done == 0)
			return;
		dls__vp_service(vp, parent(vp), REPORT,
				(int64_t[DLS_MESSAGE_WORDS]){ (int64_t)e->created, (int64_t)e->done, !e->reported });
		e->reported = true;
		e->created = 0;
		e->done = 0;
	} else if (e->created == e->done && e->waiting == 0 && e->probed != e->done) {
		e->probed = e->done;
		if (vp->machine->rules.fixed)
			announce(vp);
		else
			probe(vp);
	}
}

void dls__end_message(struct dls_vp *vp, const struct dls_message *message)
{
	struct dls__end *e = &vp->end;

	switch ((enum kind)message->kind) {
	case REPORT:
		e->silent -= message->word[2] != 0;
		e->created += (uint64_t)message->word[0];
		e->done += (uint64_t)message->word[1];
		break;
	case PROBE:
		probe(vp);
		break;
	case ANSWER:
		e->sum += (uint64_t)message->word[0];
		if (--e->waiting == 0)
			answer(vp);
		break;
	case END:
		announce(vp);
		break;
	}
}
