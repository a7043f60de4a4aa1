/* kernel.h - a real loop with unequal iterations, or the many small loops of a time step, for dls-loops.
 *
 * A kernel is a struct kernel and its line in list.h; a file defines one, or several that share their loops' bodies. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/tool/random.h"

/* How a step runs its loops; as shipped: under the schedules that the source asks the compiler for. */
enum { KERNEL_SERIAL, KERNEL_STATIC, KERNEL_DYNAMIC, KERNEL_GUIDED, KERNEL_LIBDLS, KERNEL_SHIPPED, KERNEL_WAYS };

struct kernel {
	const char *name, *what;
	bool program;			/* its loops have the structure of a whole program's; it has no dynamic side */
	int n;				/* iterations 0 .. n - 1, independent of each other; of many loops, those of most */
	void (*setup)(void);		/* before the loop; may be called again; NULL: nothing to set up */
	/* Adds its results to places of `result` that no other iteration touches.  They start at zero, so that the
	 * comparison finds an iteration that was left out and one that ran twice. */
	void (*iteration)(int i);
	/* Many loops: a run is so many steps; 0: one loop, and none of these. */
	int steps;
	void (*begin)(void);		/* set the result to where a run begins */
	void (*step[KERNEL_WAYS])(void);	/* NULL: not this way */
	const char *const *site;	/* the names of its loops; NULL at the end */
	void *result;
	size_t size;			/* of the result, bytes */
};

#define X(name) extern const struct kernel kernel_##name;
#include "list.h"
#undef X

#endif
