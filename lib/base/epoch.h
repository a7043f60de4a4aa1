/* epoch.h - settings that may change while parallel regions run.
 *
 * All threads of a region must find the same value of a setting, whenever each of them looks.  Every change of any setting begins
 * a new epoch.  A region notes the epoch at which it is opened, and its threads ask for the value at that epoch.
 *
 * E1: a setting's changes stand in the order of their epochs, and none is ever overwritten: the value at an epoch is the same
 *     from then on.
 * E2: a change is written before its epoch begins: a region that notes an epoch sees all changes up to it.
 * E3: the number of changes is bounded, and memory for one may be refused.  The last change uses the
 *     setting's own memory and sets `otherwise`, a value that must be right whatever is set later.
 * Progress: looking is wait-free; a change takes a lock. */
#ifndef LIB_BASE_EPOCH_H
#define LIB_BASE_EPOCH_H

#include <stdatomic.h>
#include <stdint.h>

enum { DLS__CHANGES = 511 };

struct dls__change {
	struct dls__change *before;	/* NULL: it is the first */
	uint64_t epoch;
	unsigned value;
	unsigned number;
};
struct dls__setting {
	_Atomic(struct dls__change *) newest;
	struct dls__change first;	/* of epoch 0: the value before there is another one */
	struct dls__change last;	/* of DLS__CHANGES, or for which there was no memory; all others are malloc'ed */
};

/* A setting that begins with a value: DLS__SETTING_OF(&its_own_address, value). */
#define DLS__SETTING_OF(at, begin) { .newest = &(at)->first, .first.value = (begin) }

extern _Atomic uint64_t dls__epochs __attribute__((visibility("hidden")));

/* The present epoch. */
static inline uint64_t dls__epoch(void)
{
	/* acquire: the changes of all epochs up to this one are seen; pairs with the release in
	 * dls__setting_change(). */
	return atomic_load_explicit(&dls__epochs, memory_order_acquire);
}

/* Set a value from the next epoch on. */
void dls__setting_change(struct dls__setting *setting, unsigned value, unsigned otherwise);

/* Free what changes have allocated. */
void dls__setting_free(struct dls__setting *setting);

/* The change that holds at an epoch that has begun. */
static inline const struct dls__change *dls__change_at(const struct dls__setting *setting, uint64_t epoch)
{
	/* acquire: the changes are written; pairs with the release in dls__setting_change(). */
	const struct dls__change *change = atomic_load_explicit(&setting->newest, memory_order_acquire);

	while (change->epoch > epoch)
		change = change->before;
	return change;
}

static inline unsigned dls__setting_at(const struct dls__setting *setting, uint64_t epoch)
{
	return dls__change_at(setting, epoch)->value;
}

#endif
