/* costs_measured.h - what scheduling takes on this machine: measured once, when it is first asked for, in less than 2 ms. */
#ifndef LIB_SITE_COSTS_MEASURED_H
#define LIB_SITE_COSTS_MEASURED_H

#include "dls/predict.h"

/* Threads: any; the first one measures. */
const struct dls_costs *dls__loop_costs(void);

/* The costs if they have been measured; else NULL. */
const struct dls_costs *dls__loop_costs_known(void);

#endif
