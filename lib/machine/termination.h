/* termination.h - a processor's part in the detection of the end (termination.c). */
#ifndef LIB_MACHINE_TERMINATION_H
#define LIB_MACHINE_TERMINATION_H

#include <stdbool.h>
#include <stdint.h>

#include "dls/strategy.h"

struct dls__end {
	uint64_t created_here;		/* tasks created here, ever */
	uint64_t created, done;		/* tasks here and below, not yet reported; at the root: all */
	uint64_t sum;			/* of `created_here` here and below, in the probe under way */
	uint64_t probed;		/* root: `done` when the last probe began; UINT64_MAX: none has */
	uint32_t children;		/* in the tree */
	uint32_t silent;		/* children that have not reported yet */
	uint32_t waiting;		/* children that have not answered the probe */
	bool reported;
	uint64_t sent, received;	/* messages */
};

void dls__end_reset(struct dls_vp *vp);
void dls__end_created(struct dls_vp *vp, uint64_t tasks);
void dls__end_done(struct dls_vp *vp);
void dls__end_idle(struct dls_vp *vp);
void dls__end_message(struct dls_vp *vp, const struct dls_message *message);

#endif
