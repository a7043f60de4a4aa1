/* database.c - the scheduler's knowledge of the nodes, and the computations on it. */
#include <math.h>

#include "database.h"

/* A node that is reserved for another class counts with its rate times this factor. */
static const double nearly_none = 1e-9;

enum { WORTH = 8 };	/* a surplus below 1/WORTH of a node's remaining tasks is not moved yet */

struct dls__load_entry *dls__entry(struct dls_vp *vp, unsigned node, unsigned task_class)
{
	return (struct dls__load_entry *)dls_vp_table(vp) + (size_t)node * dls_vp_classes(vp) + task_class;
}

/* Record a report.  If the tasks' time is not known, the time since the last report is used. */
void dls__entry_tell(struct dls__load_entry *e, const struct dls__node_report *r, uint64_t sent, double keep)
{
	uint64_t passed = sent > e->told ? sent - e->told : 0;
	uint64_t came = r->kind == DLS__ARRIVED ? r->count : 0, went = r->kind == DLS__MOVED ? r->count : 0;

	if (r->kind == DLS__STATUS) {
		e->fresh = true;
		e->statuses++;
		e->R *= keep;
		e->T *= keep;
	}
	if (r->run > 0) {
		e->refused = false;
		e->ending = r->tasks + went < e->tasks + came;
		e->R += (double)r->run;
		e->T += (double)(r->time ? r->time : passed) * 1e-9;
	}
	e->run += r->run;
	e->tasks = r->tasks;
	e->group = r->group;
	e->phase = r->phase;
	e->told = sent;
}

static double seconds_since(const struct dls__load_entry *e, uint64_t now)
{
	return now > e->told ? (double)(now - e->told) * 1e-9 : 0;
}

static double told_rate(const struct dls__load_entry *e)
{
	return e->R > 0 && e->T > 0 ? e->R / e->T : 0;
}

/* A node's rate: `rate`, as reported.  If `silent` (a node that does not report counts as slow), at most one
 * group of tasks / the time since its last report. */
static double rate_of(const struct dls__load_entry *e, uint64_t now, double rate, bool silent)
{
	double silence = seconds_since(e, now), group = (double)e->group;

	return silent && e->tasks > 0 && rate * silence > group ? group / silence : rate;
}

uint64_t dls__entry_tasks(struct dls_vp *vp, unsigned node, unsigned task_class)
{
	struct dls_class_tasks now;

	if (node != dls_vp_id(vp) || dls__policy_of(vp, task_class)->waits)
		return dls__entry(vp, node, task_class)->tasks;
	now = dls_vp_class_tasks(vp, task_class);
	return now.queued + now.running;
}

/* Tasks that a node probably has left: those reported, less those run since at its rate. */
static double have(const struct dls__load_entry *e, uint64_t tasks, double seconds)
{
	return fmax(0, (double)tasks - fmin(e->rate * seconds, (double)e->group) + (double)(e->in > 0 ? e->in : 0) -
			       (double)e->out);
}

/* `others`: the rate of nodes that have not reported one; 0: no node has, so all count as equally fast, and
 * as having run nothing. */
static void assess(struct dls_vp *vp, unsigned task_class, unsigned node, double others)
{
	const struct dls__policy *policy = dls__policy_of(vp, task_class);
	bool still = policy->renewed || node == dls_vp_id(vp);
	struct dls__load_entry *e = dls__entry(vp, node, task_class);
	uint64_t now = dls_vp_now(vp);
	double rate = told_rate(e);

	e->rate = others > 0 ? rate_of(e, now, rate > 0 ? rate : others, policy->silent) : 1;
	e->rate *= e->closed ? nearly_none : 1;
	e->have = have(e, dls__entry_tasks(vp, node, task_class), others > 0 && !still ? seconds_since(e, now) : 0);
	e->apart = false;
}

void dls__assess(struct dls_vp *vp, unsigned nodes, unsigned task_class)
{
	unsigned known = 0;
	double sum = 0;

	for (unsigned i = 0; i < nodes; i++) {
		const struct dls__load_entry *e = dls__entry(vp, i, task_class);

		known += told_rate(e) > 0;
		sum += told_rate(e);
	}
	for (unsigned i = 0; i < nodes; i++)
		assess(vp, task_class, i, known > 0 ? sum / known : 0);
}

void dls__assess_node(struct dls_vp *vp, unsigned nodes, unsigned task_class, unsigned node)
{
	double rate = told_rate(dls__entry(vp, node, task_class));

	if (rate > 0)
		assess(vp, task_class, node, rate);
	else
		dls__assess(vp, nodes, task_class);
}

static unsigned faster(struct dls_vp *vp, unsigned nodes, unsigned task_class, double rate)
{
	unsigned n = 0;

	for (unsigned i = 0; i < nodes; i++)
		n += dls__entry(vp, i, task_class)->rate > rate;
	return n;
}

/* Give one more task to each of the `rest` fastest nodes; of equally fast nodes, first to those that would
 * keep it.  At most `rest` nodes are faster than `high`; more than `rest` are faster than `low`, unless low
 * is 0. */
static void share_rest(struct dls_vp *vp, unsigned nodes, unsigned task_class, double high, uint64_t rest)
{
	double low = 0;

	while (high - low > 1e-12 * high) {
		double middle = low + (high - low) / 2;
		unsigned above = faster(vp, nodes, task_class, middle);

		*(above > rest ? &low : &high) = middle;
		if (above == rest)
			break;
	}
	for (unsigned pass = 0; pass < 3; pass++)
		for (unsigned i = 0; i < nodes && rest > 0; i++) {
			struct dls__load_entry *e = dls__entry(vp, i, task_class);
			bool equal = e->rate > low && e->rate <= high;

			if (pass == 0 ? e->rate > high : equal && (e->have > (double)e->share) == (pass == 1)) {
				e->share++;
				rest--;
			}
		}
}

void dls__share_out(struct dls_vp *vp, unsigned nodes, unsigned task_class)
{
	double total = 0, sum = 0, most = 0, dealt = 0;

	for (unsigned i = 0; i < nodes; i++) {
		total += dls__entry(vp, i, task_class)->have;
		sum += dls__entry(vp, i, task_class)->rate;
		most = fmax(most, dls__entry(vp, i, task_class)->rate);
	}
	total = floor(total + 0.5);
	for (unsigned i = 0; i < nodes; i++) {
		struct dls__load_entry *e = dls__entry(vp, i, task_class);

		e->share = (uint64_t)floor(total * (e->rate / sum));
		dealt += (double)e->share;
	}
	share_rest(vp, nodes, task_class, most, total > dealt ? (uint64_t)(total - dealt) : 0);
}

static double surplus(const struct dls__load_entry *e)
{
	return e->have - (double)e->share;
}

static bool may_give(const struct dls__load_entry *e)
{
	return !e->apart && !e->refused && e->out == 0 && surplus(e) > 0;
}

/* Number of tasks to move, at most all but the running one; 0: the gain is less than half of a task's time. */
static double amount(const struct dls__load_entry *from, const struct dls__load_entry *to, double cost)
{
	double k = fmin(floor(fmin(surplus(from), -surplus(to)) + 0.5), ceil(from->have) - !from->closed);
	double before = from->have / from->rate;
	double after = fmax((from->have - k) / from->rate, fmax(cost, to->have / to->rate) + k / to->rate);

	return before - after > 0.5 / from->rate ? k : 0;
}

unsigned dls__plan(struct dls_vp *vp, unsigned nodes, unsigned task_class, double least, double cost,
		   struct dls_hint *hint, unsigned most)
{
	bool later = !dls__policy_of(vp, task_class)->renewed;	/* later moves can even out the rest */
	unsigned n = 0;

	dls__share_out(vp, nodes, task_class);
	for (unsigned i = 0; i < nodes; i++) {
		struct dls__load_entry *e = dls__entry(vp, i, task_class);

		e->apart = later && surplus(e) * WORTH <= e->have;
	}
	while (n < most) {
		struct dls__load_entry *from = NULL, *to = NULL;
		struct dls_hint next = { .key = INT64_MIN };
		double k;

		for (unsigned i = 0; i < nodes; i++) {
			struct dls__load_entry *e = dls__entry(vp, i, task_class);

			if (may_give(e) && (!from || surplus(e) > surplus(from))) {
				from = e;
				next.source = i;
			}
			if (surplus(e) < 0 && (!to || surplus(e) < surplus(to))) {
				to = e;
				next.destination = i;
			}
		}
		if (!from || !to)
			break;
		k = amount(from, to, cost);
		if (k < least || k < 1) {
			from->apart = true;
			continue;
		}
		next.count = (uint64_t)k;
		from->have -= k;
		to->have += k;
		hint[n++] = next;
	}
	return n;
}
