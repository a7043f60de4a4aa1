/* versioned.h - settings that may change while parallel regions run.
 *
 * All threads of a region must find the same value of a setting, whenever each of them looks.  So old values
 * are kept.  Every new value of any setting begins a new version of the settings; a region notes the version
 * at which it is opened, and its threads ask for the value at that version.
 *
 * E1: a setting's values stand in the order of their versions, and none is ever overwritten: the value at a
 *     version is the same from then on.
 * E2: a value is written before its version begins: a region that notes a version sees all values up to it.
 * E3: the number of values is bounded, and memory for one may be refused.  The last value uses the
 *     setting's own memory and is `otherwise`, which must be right whatever is set later.
 * Progress: looking is wait-free; setting takes a lock. */
#ifndef LIB_BASE_VERSIONED_H
#define LIB_BASE_VERSIONED_H

#include <stdatomic.h>
#include <stdint.h>

enum { DLS__VALUES_MOST = 511 };

struct dls__versioned_value {
	struct dls__versioned_value *before;	/* NULL: it is the first */
	uint64_t version;
	unsigned value;
	unsigned number;
};
struct dls__versioned {
	_Atomic(struct dls__versioned_value *) newest;
	struct dls__versioned_value first;	/* of version 0: the value before there is another one */
	struct dls__versioned_value last;	/* number DLS__VALUES_MOST, or for which there was no memory;
						 * all others are malloc'ed */
};

/* A versioned setting that begins with a value: DLS__VERSIONED(&its_own_address, value). */
#define DLS__VERSIONED(at, begin) { .newest = &(at)->first, .first.value = (begin) }

extern _Atomic uint64_t dls__versions __attribute__((visibility("hidden")));

/* The present version of the settings. */
static inline uint64_t dls__version_now(void)
{
	/* acquire: the values of all versions up to this one are seen; pairs with the release in
	 * dls__versioned_set(). */
	return atomic_load_explicit(&dls__versions, memory_order_acquire);
}

/* Set a value from the next version on. */
void dls__versioned_set(struct dls__versioned *setting, unsigned value, unsigned otherwise);

/* Free what the values have allocated. */
void dls__versioned_free(struct dls__versioned *setting);

/* The value that holds at a version that has begun. */
static inline const struct dls__versioned_value *dls__versioned_find(const struct dls__versioned *setting,
								     uint64_t version)
{
	/* acquire: the values are written; pairs with the release in dls__versioned_set(). */
	const struct dls__versioned_value *v = atomic_load_explicit(&setting->newest, memory_order_acquire);

	while (v->version > version)
		v = v->before;
	return v;
}

static inline unsigned dls__versioned_at(const struct dls__versioned *setting, uint64_t version)
{
	return dls__versioned_find(setting, version)->value;
}

#endif
