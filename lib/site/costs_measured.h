/* costs_measured.h - what scheduling takes on this machine, as far as this program's executions have shown it. */
#ifndef LIB_SITE_COSTS_MEASURED_H
#define LIB_SITE_COSTS_MEASURED_H

#include <stdint.h>

#include "dls/predict.h"

/* The way of a line from one worker to another, and beginning a region of no more workers than processors, as executions have shown:
 * the default while fewer than four have.  The rest is the default.
 * Threads: any. */
void dls__costs_read(struct dls_costs *costs);

/* An execution by p workers has shown what a line took on its way and how long its last worker was in coming, ns. */
void dls__costs_add(unsigned p, uint64_t transfer, uint64_t came);

#endif
