/* awf.c - adaptive weighted factoring for time steps: weights learned from earlier executions.
 *
 * Banicescu, Velusamy, "Performance of scheduling scientific applications with adaptive weighted factoring",
 * IPDPS 2001, HCW. */
#include "awf.h"

const struct dls_calc dls__calc_awf = AWF("awf", "Banicescu 2001", DLS_PACE_EXECUTION, awf_learn, fac2_next);
