/* window.h - tasks of a processor laid open (window.c). */
#ifndef LIB_MACHINE_WINDOW_H
#define LIB_MACHINE_WINDOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/task.h"

/* Written by dls_vp_window_expose(), then only read, by all processors. */
struct dls__window {
	struct dls__stretch_of_slots {
		uint64_t first;		/* slot; of a range the first of its pieces */
		struct dls_task task;
	} *stretch;			/* by rising slots, and one behind the last */
	size_t stretches;
	uint64_t slots;
	atomic_bool locked;		/* window.W3: of what follows */
	struct dls__slots {
		uint64_t first, end;
	} *left;			/* slots still left, in rising order; NULL: no account is kept */
	size_t lefts, room;
};

/* Take the task, or piece, of a slot of vp's own window that is still left; false: there is none. */
bool dls__window_next(struct dls_vp *vp, struct dls_task *piece);

#endif
