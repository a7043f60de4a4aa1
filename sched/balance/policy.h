/* policy.h - the policy of a strategy that balances a class of tasks by a scheduler (central.h). */
#ifndef SCHED_BALANCE_POLICY_H
#define SCHED_BALANCE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "dls/strategy.h"

struct dls__central;
struct dls__node;
struct dls_class_tasks;

/* A policy: struct dls_strategy.policy.
 *
 * due      on a node, after a task: whether it must report
 * group    after how many of a node's `tasks` it must report, if nothing happens before
 * balance  on the scheduler: `node` has reported, or tasks wait that it could run
 * waits    tasks wait at the scheduler until they are scheduled
 * renewed  each task that has been run has a successor, so nodes keep their numbers of tasks
 * keep     factor by which a status reduces the weight of earlier reports on speed
 * silent   on the scheduler: whether nodes that do not report count as slow; NULL: no */
struct dls__policy {
	bool (*due)(const struct dls__node *node, const struct dls_class_tasks *now);
	uint64_t (*group)(uint64_t tasks);
	void (*balance)(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node);
	bool waits, renewed;
	double keep;
	bool (*silent)(const struct dls_vp *vp, unsigned task_class);
};

/* The policy of a class; NULL: none. */
static inline const struct dls__policy *dls__policy_of(const struct dls_vp *vp, unsigned task_class)
{
	const struct dls_strategy *strategy = dls_vp_policy(vp, task_class);

	return strategy ? strategy->policy : NULL;
}

#endif
