/* window.h - a processor's window: tasks that other processors may take (window.c). */
#ifndef LIB_MACHINE_WINDOW_H
#define LIB_MACHINE_WINDOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/task.h"

/* Written by dls_vp_window_expose(), then only read, by all processors; `left` is an exception. */
struct dls__window {
	struct dls__window_entry {
		uint64_t first;		/* the task's slot, or the slot of a range's first piece */
		struct dls_task task;
	} *entry;			/* by rising slots; one more after the last has the end */
	size_t entries;
	uint64_t slots;
	atomic_bool locked;		/* window.W3: lock of the members that follow */
	struct dls__slots {
		uint64_t first, end;
	} *left;			/* slots that have not been taken, in rising order; NULL: not recorded */
	size_t lefts, room;
};

/* Take the task, or piece, of the first slot of vp's own window that has not been taken; false: there is none. */
bool dls__window_next(struct dls_vp *vp, struct dls_task *piece);

#endif
