/* registered.h - adding to the calculators and strategies that there are; finding them: sched/registry.h. */
#ifndef LIB_SCHEDULE_REGISTERED_H
#define LIB_SCHEDULE_REGISTERED_H

#include <stdbool.h>
#include <stddef.h>

#include "dls/calc.h"
#include "dls/strategy.h"

/* Add a copy at the end.  Returns 0, DLS_EEXIST or DLS_ENOMEM. */
int dls__calc_add(const struct dls_calc *calc);
int dls__strategy_add(const struct dls_strategy *strategy);

/* Whether a test holds for a name or one of its aliases, which blanks part; `all`: for each of them. */
bool dls__each_name(const char *name, const char *aliases, bool (*test)(const char *name, size_t length), bool all);

#endif
