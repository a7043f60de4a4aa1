/* registry.h - the built in calculators and strategies, for the library alone. */
#ifndef SCHED_REGISTRY_H
#define SCHED_REGISTRY_H

#include <stddef.h>

#include "dls/calc.h"
#include "dls/strategy.h"

/* A library of loops alone has no machines, and so no strategies (make MACHINES=no). */
#ifdef DLS__LOOPS_ALONE
enum { DLS__MACHINES = 0 };
#else
enum { DLS__MACHINES = 1 };
#endif

/* Built in calculators and how many there are; each is dls__calc_NAME. */
#define X(name) extern const struct dls_calc dls__calc_##name;
#include "chunk/list.h"
#undef X
extern const struct dls_calc *const dls__calcs[];
extern const size_t dls__calcs_n;

/* Likewise strategies; each is dls__strategy_NAME. */
#define X(name) extern const struct dls_strategy dls__strategy_##name;
#include "balance/list.h"
#undef X
extern const struct dls_strategy *const dls__strategies[];
extern const size_t dls__strategies_n;

/* The strategy of machines with classes of tasks, which users cannot name. */
extern const struct dls_strategy dls__strategy_classes;

#endif
