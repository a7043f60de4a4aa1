/* events.h - reporting what a machine's processors do to whoever watches it.
 *
 * For each span and message an engine checks whether the machine is watched, and calls these functions only then.  They read the
 * machine and change nothing. */
#ifndef LIB_MACHINE_EVENTS_H
#define LIB_MACHINE_EVENTS_H

#include "lib/machine/vp.h"

/* Add processor, load and queue to an event, and report it. */
void dls__watch_tell(const struct dls_vp *vp, struct dls_machine_event *event) __attribute__((cold));
/* Report that a message leaves vp at `now`, or is handled there. */
void dls__watch_message(const struct dls_vp *vp, enum dls_event what, const struct dls__msg *msg, uint64_t now)
	__attribute__((cold));

#endif
