/* idle.h - memory that no thread uses, kept for the next one that needs it.
 *
 * Whoever takes something out of a slot has it alone until it puts it back.  Slots hold an address above `empty`, or
 * no more than that: then nothing.  Progress: wait-free. */
#ifndef LIB_DEAL_IDLE_H
#define LIB_DEAL_IDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/base/tsan.h"

/* Take what is in one of the slots, which is `empty` from then on; NULL: nothing is in any. */
static inline void *dls__idle_take(_Atomic(void *) slot[], int slots, void *empty)
{
	for (int i = 0; i < slots; i++) {
		/* relaxed: a look; acquire: takes over what dls__idle_put() released. */
		void *idle = atomic_load_explicit(&slot[i], memory_order_relaxed);

		if (idle > empty && (idle = atomic_exchange_explicit(&slot[i], empty, memory_order_acquire)) > empty) {
			dls__tsan_acquire(&slot[i]);
			return idle;
		}
	}
	return NULL;
}

/* Put it into a slot that is `empty`; false: there is none. */
static inline bool dls__idle_put(_Atomic(void *) slot[], int slots, void *empty, void *idle)
{
	for (int i = 0; i < slots; i++) {
		/* relaxed: a look. */
		void *found = atomic_load_explicit(&slot[i], memory_order_relaxed);

		if (found != empty)
			continue;
		dls__tsan_release(&slot[i]);
		/* release: hands it over to dls__idle_take(). */
		if (atomic_compare_exchange_strong_explicit(&slot[i], &found, idle, memory_order_release,
							    memory_order_relaxed))
			return true;
	}
	return false;
}

#endif
