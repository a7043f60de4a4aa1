/* costs_measured.h - what scheduling takes on this machine, as far as this program's executions have shown it. */
#ifndef LIB_SITE_COSTS_MEASURED_H
#define LIB_SITE_COSTS_MEASURED_H

#include <stddef.h>

#include "dls/predict.h"

/* A take and a reading of the clock, measured when this is first asked for, in some microseconds; the way of a line from one worker
 * to another, and beginning a region of no more workers than processors, as executions told of them: the default while fewer than four
 * have.
 * Threads: any. */
void dls__costs_read(struct dls_costs *costs);

/* An execution by p workers has shown what a line took on its way and how long its last worker was in coming, ns. */
void dls__costs_told(unsigned p, uint64_t transfer, uint64_t came);

/* The costs in words, those that are defaults with that word.  Returns the length, as snprintf() does. */
size_t dls__costs_print(char *text, size_t size);

#endif
