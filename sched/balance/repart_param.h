/* repart_param.h - the parameters of the strategy repart, also for lib/repart, which reads its text. */
#ifndef SCHED_BALANCE_REPART_PARAM_H
#define SCHED_BALANCE_REPART_PARAM_H

#include "dls/strategy.h"

/* Parameters, by their place, and the words of MODE, RETURN, QUEUE, SCHEDULER and SERVE. */
enum dls__repart_param { DLS__CALC, DLS__AHEAD, DLS__MODE, DLS__RETURN, DLS__QUEUE, DLS__SCHEDULER, DLS__ROOM,
			 DLS__LEAST, DLS__FIRST, DLS__SERVE, DLS__UNIT_MU, DLS__UNIT_SIGMA, DLS__EVENT_H };
enum { DLS__ACTIVE, DLS__REACTIVE };
enum { DLS__NO, DLS__YES };
enum { DLS__DISTRIBUTED, DLS__REPLICATED, DLS__CENTRAL };
enum { DLS__SHARED, DLS__DEDICATED };
enum { DLS__RISING, DLS__FALLING };

extern const struct dls_strategy dls__strategy_repart;

#endif
