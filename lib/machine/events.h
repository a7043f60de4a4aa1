/* events.h - who watches a machine is told what its processors do.
 *
 * An engine looks at each span and message whether somebody watches, and calls these functions only then.  They read the machine
 * and change nothing. */
#ifndef LIB_MACHINE_EVENTS_H
#define LIB_MACHINE_EVENTS_H

#include "lib/machine/vp.h"

/* Complete an event by its processor, load and queue, and tell of it. */
void dls__watch_tell(const struct dls_vp *vp, struct dls_machine_event *event) __attribute__((cold));
/* A message leaves vp at `now`, or is handled there. */
void dls__watch_message(const struct dls_vp *vp, enum dls_event what, const struct dls__msg *msg, uint64_t now)
	__attribute__((cold));

#endif
