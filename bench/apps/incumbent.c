/* incumbent.c - branch and bound with an incumbent.  See incumbent.h. */
#include "incumbent.h"

/* A node.  A task's arg[0] has its jobs, four bits each, the first lowest; from bit 48 on, their number. */
enum { NUMBER = 48 };

struct place {
	uint64_t order;
	unsigned n, used;	/* jobs in the order; as bits */
	uint32_t time, tardiness;
};

static uint32_t late(const struct bb *bb, uint32_t time, unsigned j)
{
	return time > bb->d[j] ? time - bb->d[j] : 0;
}

static void append(const struct bb *bb, struct place *p, unsigned j)
{
	p->order |= (uint64_t)j << 4 * p->n++;
	p->used |= 1u << j;
	p->time += bb->e[j];
	p->tardiness += late(bb, p->time, j);
}

static struct place unpack(const struct bb *bb, uint64_t packed)
{
	struct place p = { .n = 0 };

	for (unsigned i = 0; i < packed >> NUMBER; i++)
		append(bb, &p, packed >> 4 * i & 15);
	return p;
}

/* A lower bound on the tardiness of every order that begins with these jobs. */
static uint32_t bound(const struct bb *bb, const struct place *p)
{
	uint32_t time = p->time, least = UINT32_MAX;

	for (unsigned j = 0; j < bb->n; j++)
		time += p->used >> j & 1 ? 0 : bb->e[j];
	for (unsigned j = 0; j < bb->n; j++)
		if (!(p->used >> j & 1) && late(bb, time, j) < least)
			least = late(bb, time, j);
	return p->tardiness + (p->n < bb->n ? least : 0);
}

/* The jobs that are left, the nearest due date first. */
static unsigned left(const struct bb *bb, const struct place *p, unsigned job[BB_JOBS])
{
	unsigned n = 0;

	for (unsigned j = 0; j < bb->n; j++) {
		unsigned k = n;

		if (p->used >> j & 1)
			continue;
		for (; k > 0 && bb->d[job[k - 1]] > bb->d[j]; k--)
			job[k] = job[k - 1];
		job[k] = j;
		n++;
	}
	return n;
}

static void search_below(const struct incumbent *s, const struct place *p, struct incumbent_found *found)
{
	unsigned job[BB_JOBS], n = left(s->bb, p, job);

	if (n == 0 && p->tardiness < found->best)
		found->best = p->tardiness;
	for (unsigned i = 0; i < n; i++) {
		struct place next = *p;

		append(s->bb, &next, job[i]);
		found->nodes++;
		if (bound(s->bb, &next) < found->best)
			search_below(s, &next, found);
	}
}

static int64_t key_of(const struct incumbent *s, const struct place *p)
{
	switch (s->key) {
	case INCUMBENT_DEPTH:
		return p->n;
	case INCUMBENT_MINUS_DEPTH:
		return -(int64_t)p->n;
	case INCUMBENT_BOUND:
		return bound(s->bb, p);
	default:
		return 0;
	}
}

int incumbent_run(struct dls_vp *vp, const struct incumbent *s, const struct dls_task *task,
		  int (*again)(struct dls_vp *vp, const struct dls_task *task))
{
	struct incumbent_found *found = &s->found[dls_vp_id(vp)];
	struct place p = unpack(s->bb, task->arg[0]);
	unsigned job[BB_JOBS], n = left(s->bb, &p, job);
	uint64_t before = found->nodes++;
	int code = 0;

	found->tasks++;
	if ((uint32_t)task->arg[1] < found->best)
		found->best = (uint32_t)task->arg[1];
	if (bound(s->bb, &p) < found->best) {
		if (n <= s->serial)
			search_below(s, &p, found);
		else
			for (unsigned i = 0; i < n && !code; i++) {
				struct dls_task child = *task;
				struct place next = p;

				append(s->bb, &next, job[i]);
				if (bound(s->bb, &next) >= found->best) {
					found->nodes++;
					continue;
				}
				child.arg[0] = next.order | (uint64_t)next.n << NUMBER;
				child.arg[1] = found->best;
				child.key = key_of(s, &next);
				code = again(vp, &child);
			}
	}
	dls_vp_spend(vp, (found->nodes - before) * s->step);
	return code;
}

struct dls_task incumbent_root(void)
{
	return (struct dls_task){ .arg = { 0, UINT32_MAX } };
}
