/* spot.h - the calls of a program into the runtime, and their loops: identified by return address or, if a
 * function is a whole loop or region, by the function's address. */
#ifndef LIB_OMP_SPOT_H
#define LIB_OMP_SPOT_H

#include <stdatomic.h>

#include "lib/region/foreign.h"
#include "lib/omp/runtime.h"

enum dls__does { DLS__PASSES, DLS__TAKES, DLS__WATCHES };

/* What executions of a region have contained (HAD), and what a spot has been (WAS). */
enum dls__past {
	DLS__HAD_LOOP = 1,	/* a static loop, and */
	DLS__HAD_MORE = 2,	/* ... something else */
	DLS__HAD_TASKS = 4,
	DLS__WAS_PHASE = 8,	/* a phase that ends or begins at this call has been reported, */
	DLS__WAS_MORE = 16,	/* ... and contained more than a loop */
	DLS__WAS_STATIC = 32,	/* it is a static loop's call, */
	DLS__WAS_PART = 64,	/* ... of a region that may be more than it */
};

struct dls__spot {
	struct dls__spot *next;
	const void *key;
	struct dls__module *module;
	const struct dls__runtime *runtime;	/* NULL: there is none */
	bool open;		/* not in a runtime or in this library: its loops may be taken */
	bool own;		/* in this library: a tail call */
	/* If it is a loop's; valid once `known` is true: */
	atomic_bool known;
	enum dls__does does;
	const struct dls_schedule *schedule;
	struct dls_site *site;
	enum dls__foreign_order order;	/* the order that the program allows */
	atomic_uint had;		/* enum dls__past */
	_Atomic(const struct dls__spot *) related;	/* a phase's or loop's region; a region's loop */
	_Atomic uint64_t inside, executions;	/* a region's: ns of the threads that opened it; executions */
	char name[64], offset[64];	/* "file.c:42", or the same as `offset`, "module+0x4f2" */
	char symbol[64], function[64];	/* its function, by symbol, and by source; "": not known */
};

static inline unsigned dls__spot_had(const struct dls__spot *spot)
{
	/* relaxed: the bits alone matter. */
	return atomic_load_explicit(&((struct dls__spot *)spot)->had, memory_order_relaxed);
}

/* Whether a region has been one static loop and nothing else so far. */
static inline bool dls__spot_is_loop(const struct dls__spot *spot)
{
	return (dls__spot_had(spot) & (DLS__HAD_LOOP | DLS__HAD_MORE)) == DLS__HAD_LOOP;
}

/* Add bits to `had`; returns the new ones. */
static inline unsigned dls__spot_has(const struct dls__spot *spot, unsigned had)
{
	atomic_uint *all = &((struct dls__spot *)spot)->had;

	/* relaxed: the bits alone matter. */
	return had & ~dls__spot_had(spot) ? had & ~atomic_fetch_or_explicit(all, had, memory_order_relaxed) : 0;
}

static inline void dls__spot_relate(const struct dls__spot *spot, const struct dls__spot *to)
{
	_Atomic(const struct dls__spot *) *related = &((struct dls__spot *)spot)->related;

	/* relaxed: a look.  release: publishes what is known of it; pairs with the acquire in scene.c. */
	if (atomic_load_explicit(related, memory_order_relaxed) != to)
		atomic_store_explicit(related, to, memory_order_release);
}

/* Whether loops and regions are watched. */
static inline bool dls__watching(void)
{
	return dls__settings.advise || dls__foreign_observed();
}

/* Register the schedule "native". */
void dls__native_register(void);

/* Say, once, that there is no memory for a place. */
void dls__spot_no_memory(void);

/* The spot of a key; never NULL. */
const struct dls__spot *dls__spot_slowly(const void *key, enum dls__names names);

/* Call visit() for each spot. */
void dls__spots_each(void (*visit)(struct dls__spot *spot, void *arg), void *arg);

/* Each thread keeps the spots that it met last: few, since they take room on its stack. */
enum { DLS__MET = 16 };
extern _Thread_local const struct dls__spot *dls__met[DLS__MET];

static inline const struct dls__spot *dls__spot(const void *key, enum dls__names names)
{
	const struct dls__spot **met = &dls__met[((uintptr_t)key ^ (uintptr_t)key >> 6) % DLS__MET];

	if (__builtin_expect(!*met || (*met)->key != key, 0))
		*met = dls__spot_slowly(key, names);
	return *met;
}

/* A schedule that deals as a runtime does, for reports and predictions; never NULL if `active`.  It lacks the chunk if there is no
 * memory. */
enum dls__kind { DLS__STATIC_KIND, DLS__DYNAMIC_KIND, DLS__GUIDED_KIND };
const struct dls_schedule *dls__schedule_like(enum dls__kind kind, uint64_t chunk);

#endif
