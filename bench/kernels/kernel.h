/* kernel.h - a real loop with unequal iterations, for dls-loops.
 *
 * A kernel is one file that defines one struct kernel, and its line in list.h. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "bench/tool/random.h"

struct kernel {
	const char *name, *what;
	int n;				/* iterations 0 .. n - 1, independent of each other */
	void (*setup)(void);		/* before the loop; may be called again; NULL: nothing to set up */
	/* Adds its results to places of `result` that no other iteration touches.  They start at zero, so that the
	 * comparison finds an iteration that was left out and one that ran twice. */
	void (*iteration)(int i);
	void *result;
	size_t size;			/* of the result, bytes */
};

#define X(name) extern const struct kernel kernel_##name;
#include "list.h"
#undef X

#endif
