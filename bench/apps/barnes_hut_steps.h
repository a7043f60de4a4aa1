/* barnes_hut_steps.h - time steps of Barnes and Hut's tree, whose loops over the bodies are dealt to workers in virtual time. */
#ifndef BARNES_HUT_STEPS_H
#define BARNES_HUT_STEPS_H

#include <stdint.h>

enum { BARNES_HUT_BODIES = 3000, BARNES_HUT_STEPS = 8 };

struct barnes_hut_setup {
	const char *schedule;
	unsigned workers;	/* at most DEALT_WORKERS_MAX */
};

/** Means over the steps, of `same` from the second on. */
struct barnes_hut_figures {
	double efficiency;
	double same;		/* part of the bodies run by the worker of the last step */
	double read;		/* cells of the tree that a worker reads, part of all */
	double chunks;
};

/** Run all steps; bodies are drawn from the seed.  Returns 0; DLS_ERANGE a body was lost; DLS_ENOMEM; or what
 * dls_loop_set_schedule() returns. */
int barnes_hut_run(const struct barnes_hut_setup *setup, uint64_t seed, struct barnes_hut_figures *figures);

#endif
