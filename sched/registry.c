/* registry.c - the built in calculators and strategies. */
#include "sched/registry.h"

const struct dls_calc *const dls__calcs[] = {
#define X(name) &dls__calc_##name,
#include "chunk/list.h"
#undef X
};
const size_t dls__calcs_n = sizeof(dls__calcs) / sizeof(*dls__calcs);

const struct dls_strategy *const dls__strategies[] = {
#ifndef DLS__LOOPS_ALONE
#define X(name) &dls__strategy_##name,
#include "balance/list.h"
#undef X
#endif
	NULL
};
const size_t dls__strategies_n = sizeof(dls__strategies) / sizeof(*dls__strategies) - 1;
