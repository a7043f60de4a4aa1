/* epoch.h - settings that may change while parallel regions run.
 *
 * All threads of a region must find the same value of a setting, whenever each of them looks.  Every change of any setting begins
 * a new epoch.  A region notes the epoch at which it is opened, and its threads ask for the value at that epoch.
 *
 * E1: a setting's changes stand in the order of their epochs, and none is ever overwritten: the value at an epoch is the same
 *     from then on.
 * E2: a change is written before its epoch begins: a region that notes an epoch sees all changes up to it.
 * E3: room for changes is bounded.  The last one sets `otherwise`, which must be right whatever is asked for later.
 * Progress: looking is wait-free; a change takes a lock. */
#ifndef LIB_BASE_EPOCH_H
#define LIB_BASE_EPOCH_H

#include <stdatomic.h>
#include <stdint.h>

enum { DLS__CHANGES = 15 };

struct dls__setting {
	atomic_uint changes;
	struct {
		uint64_t epoch;
		unsigned value;
	} change[DLS__CHANGES];
};

/* The present epoch. */
uint64_t dls__epoch(void);

/* Set a value from the next epoch on; 0 is that of a setting full of zeros. */
void dls__setting_change(struct dls__setting *setting, unsigned value, unsigned otherwise);

/* Keep other threads from changing any, around fork(). */
void dls__settings_lock(void);
void dls__settings_unlock(void);

/* The value at an epoch that has begun. */
static inline unsigned dls__setting_at(const struct dls__setting *setting, uint64_t epoch)
{
	/* acquire: the changes counted are written; pairs with the release in dls__setting_change(). */
	unsigned i = atomic_load_explicit(&setting->changes, memory_order_acquire);

	while (i > 0)
		if (setting->change[--i].epoch <= epoch)
			return setting->change[i].value;
	return 0;
}

#endif
