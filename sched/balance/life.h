/* life.h - the life of a task: how often it may be sent before it must be run where it is.
 *
 * The limit makes every run end, whatever the parameters.  Strategies know only old loads: while a long task
 * keeps one processor at work they may send the same tasks to and fro, as hbm does with u = .7.  With a life
 * L each of T tasks (pieces of ranges) is sent at most L times.  A task that is run, spawned, sent or
 * received changes a load, so there are 2 + 2 L changes for each.  All other messages of a strategy are
 * answers to changes; the head of its file gives their number for each.
 *
 * L is the net's diameter, which a task may have to cross, plus LIFE: enough for hbm at u = .7 to be as unstable as in the paper
 * (dls-paper wlr93-update), and for no figure of dls-paper to change with the defaults. */
#ifndef SCHED_BALANCE_LIFE_H
#define SCHED_BALANCE_LIFE_H

#include "dls/strategy.h"

enum { DLS__LIFE = 448 };

/* At the start. */
static inline void dls__give_life(struct dls_vp *vp)
{
	dls_vp_set_hop_limit(vp, DLS__LIFE + dls_net_diameter(dls_vp_net(vp)));
}

#endif
