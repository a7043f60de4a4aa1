/* virtual.h - a processor of the virtual engine, and its account of time (virtual_account.c). */
#ifndef LIB_MACHINE_VIRTUAL_H
#define LIB_MACHINE_VIRTUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/machine/vp.h"
#include "lib/machine/wheel.h"

/* What a processor spends time on apart from tasks, also after the last task. */
enum dls__virtual_activity { DLS__PART_OVERHEAD, DLS__PART_SERVICE, DLS__PART_HELD, DLS__PARTS };

struct dls__interval {
	uint64_t from, to;
	enum dls__virtual_activity activity;
};
struct dls__intervals;

/* A processor's time, ns; virtual_account.V3. */
struct dls__account {
	uint64_t busy, polling, spent[DLS__PARTS];
	uint64_t after[DLS__PARTS];	/* the part of `spent` after ... */
	uint64_t bound;			/* ... this bound */
	struct dls__intervals *oldest, *newest;	/* intervals that end after the present, except the latest */
	struct dls__interval latest;
};

/* Layout: most events touch only the two cache lines from `wake` on and the first three of `vp`, which
 * wheel.c prefetches. */
struct dls__processor {
	struct dls_vp vp;
	_Alignas(64) struct dls__due_event wake;
	bool waking;			/* `wake` is in the wheel ... */
	bool last;			/* ... put again, behind all other events of its time */
	unsigned put_off;		/* messages that wait for the next poll */
	uint64_t clock;
	uint64_t left;			/* ns that the running task still takes, at this processor's speed, ... */
	uint64_t resumed;		/* ... from this time on, ... */
	uint64_t end;			/* ... until this time if no message is handled */
	uint64_t change;		/* when its speed changes next, while a task runs; UINT64_MAX: none */
	double factor;			/* factor of its speed (platform) by which `left` was computed */
	uint64_t polled;		/* when the running task last polled; UINT64_MAX: never */
	uint64_t channel;		/* when all messages sent so far have left */
	uint64_t held_since;
	struct dls__account account;
};

static inline struct dls__processor *dls__processor(const struct dls_machine *m, unsigned id)
{
	return (struct dls__processor *)(void *)dls__vp_at(m, id);
}

static inline struct dls__wheel *dls__wheel_of(const struct dls_machine *m)
{
	return m->engine_data;
}

static inline uint64_t dls__later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Times do not wrap: an event past INT64_MAX ends the run when it is taken (beyond()). */
static inline uint64_t dls__time_sum(uint64_t a, uint64_t b)
{
	return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/* virtual_account.c: record an interval that ends after the bound machine->times.until. */
void dls__account_ahead(struct dls__processor *p, enum dls__virtual_activity activity, uint64_t from,
			uint64_t to);
/* Report an interval to whoever watches the machine. */
void dls__tell_span(const struct dls__processor *p, enum dls_event what, uint64_t from, uint64_t to, uint64_t polling)
	__attribute__((cold));
/* Add up all intervals, at the end of the run. */
void dls__account_close(struct dls__processor *p);
/* The engine's stats(). */
void dls__account_stats(const struct dls_vp *vp, struct dls_processor_stats *stats);

#endif
