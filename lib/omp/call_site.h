/* call_site.h - the calls of a program into the runtime, and their loops: identified by return address or, if
 * a function is a whole loop or region, by the function's address. */
#ifndef LIB_OMP_CALL_SITE_H
#define LIB_OMP_CALL_SITE_H

#include <stdatomic.h>

#include "lib/region/foreign.h"
#include "lib/omp/runtime.h"

enum dls__action { DLS__PASSES, DLS__TAKES, DLS__MEASURES };

/* What executions of a region have contained (HAD), and what a call site has been (WAS). */
enum dls__history {
	DLS__HAD_LOOP = 1,	/* a static loop, and */
	DLS__HAD_MORE = 2,	/* ... something else */
	DLS__HAD_TASKS = 4,
	DLS__WAS_PHASE = 8,	/* a phase that ends or begins at this call has been reported, */
	DLS__WAS_MORE = 16,	/* ... and contained more than a loop */
	DLS__WAS_STATIC = 32,	/* it is a static loop's call, */
	DLS__WAS_PART = 64,	/* ... of a region that may be more than it */
};

struct dls__call_site {
	struct dls__call_site *next;
	const void *key;
	struct dls__module *module;
	const struct dls__runtime *runtime;	/* NULL: there is none */
	bool open;		/* not in a runtime or in this library: its loops may be taken */
	bool own;		/* in this library: a tail call */
	/* If it is a loop's; valid once `known` is true: */
	atomic_bool known;
	enum dls__action action;
	const struct dls_schedule *schedule;
	struct dls_site *site;
	enum dls__foreign_order order;	/* the order that the program allows */
	atomic_uint had;		/* enum dls__history */
	_Atomic(const struct dls__call_site *) related;	/* a phase's or loop's region; a region's loop */
	_Atomic uint64_t inside, executions;	/* a region's: ns of the threads that opened it; executions */
	char name[64], offset[64];	/* "file.c:42", or the same as `offset`, "module+0x4f2" */
	char symbol[64], function[64];	/* its function, by symbol, and by source; "": not known */
};

static inline unsigned dls__call_site_had(const struct dls__call_site *call_site)
{
	/* relaxed: the bits alone matter. */
	return atomic_load_explicit(&((struct dls__call_site *)call_site)->had, memory_order_relaxed);
}

/* Whether a region has been one static loop and nothing else so far. */
static inline bool dls__call_site_is_loop(const struct dls__call_site *call_site)
{
	return (dls__call_site_had(call_site) & (DLS__HAD_LOOP | DLS__HAD_MORE)) == DLS__HAD_LOOP;
}

/* Add bits to `had`; returns the new ones. */
static inline unsigned dls__call_site_has(const struct dls__call_site *call_site, unsigned had)
{
	atomic_uint *all = &((struct dls__call_site *)call_site)->had;

	/* relaxed: the bits alone matter. */
	return had & ~dls__call_site_had(call_site) ?
	       had & ~atomic_fetch_or_explicit(all, had, memory_order_relaxed) : 0;
}

static inline void dls__call_site_relate(const struct dls__call_site *call_site,
					 const struct dls__call_site *to)
{
	_Atomic(const struct dls__call_site *) *related = &((struct dls__call_site *)call_site)->related;

	/* relaxed: a look.  release: publishes what is known of it; pairs with the acquire in
	 * omp_region.c. */
	if (atomic_load_explicit(related, memory_order_relaxed) != to)
		atomic_store_explicit(related, to, memory_order_release);
}

/* Whether loops and regions are measured. */
static inline bool dls__measuring(void)
{
	return dls__settings.advise || dls__foreign_observed();
}

/* Register the schedule "native". */
void dls__native_register(void);

/* Say, once, that there is no memory for a record. */
void dls__call_site_no_memory(void);

/* The call site of a key; never NULL. */
const struct dls__call_site *dls__call_site_slowly(const void *key, enum dls__names names);

/* Call visit() for each call site. */
void dls__call_sites_each(void (*visit)(struct dls__call_site *call_site, void *arg), void *arg);

/* Each thread keeps the call sites that it came to last: few, since they take room on its stack. */
enum { DLS__CACHED_CALL_SITES = 16 };
extern _Thread_local const struct dls__call_site *dls__call_site_cache[DLS__CACHED_CALL_SITES];

static inline const struct dls__call_site *dls__call_site(const void *key, enum dls__names names)
{
	uintptr_t hash = (uintptr_t)key ^ (uintptr_t)key >> 6;
	const struct dls__call_site **cached = &dls__call_site_cache[hash % DLS__CACHED_CALL_SITES];

	if (__builtin_expect(!*cached || (*cached)->key != key, 0))
		*cached = dls__call_site_slowly(key, names);
	return *cached;
}

/* A schedule that deals as a runtime does, for reports and predictions; never NULL if `active`.  It lacks the chunk if there is no
 * memory. */
enum dls__kind { DLS__STATIC_KIND, DLS__DYNAMIC_KIND, DLS__GUIDED_KIND };
const struct dls_schedule *dls__schedule_like(enum dls__kind kind, uint64_t chunk);

#endif
