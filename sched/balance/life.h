/* life.h - the life of a task: how often it is sent before it is run where it is.
 *
 * So that every run ends, whatever the parameters.  What strategies know of each other's loads is old, so they may send the same
 * tasks to and fro for as long as a long task keeps somebody at work: under hbm with u > 1/2 they do.  With a life L each of T
 * tasks (pieces of ranges) is sent L times at most, and as a task that is run, spawned, sent or received is a change of
 * load, there are 2 + 2 L changes for each.  What a strategy does besides sending tasks are answers to changes: how many to
 * each is told at the head of its file.
 *
 * L is the net's diameter, which a task may have to cross, and LIFE: so many that hbm at u = .7 is as unstable as the paper
 * found it (dls-paper wlr93-update), and that with the defaults no figure of dls-paper changes. */
#ifndef SCHED_BALANCE_LIFE_H
#define SCHED_BALANCE_LIFE_H

#include "dls/strategy.h"

enum { DLS__LIFE = 448 };

/* At the start. */
static inline void dls__give_life(struct dls_vp *vp)
{
	dls_vp_hop_limit(vp, DLS__LIFE + dls_net_diameter(dls_vp_net(vp)));
}

#endif
