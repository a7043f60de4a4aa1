/* virtual.h - a processor of the virtual engine, where its time goes (virtual_account.c), and who is told (virtual_watch.c). */
#ifndef LIB_MACHINE_VIRTUAL_H
#define LIB_MACHINE_VIRTUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/machine/vp.h"
#include "lib/machine/wheel.h"

/* What a processor spends time on apart from tasks, also after the last of them. */
enum dls__spent_on { DLS__PART_OVERHEAD, DLS__PART_SERVICE, DLS__PART_HELD, DLS__PARTS };

struct dls__interval {
	uint64_t from, to;
	enum dls__spent_on on;
};
struct dls__intervals;

/* A processor's time, ns; virtual_account.V3. */
struct dls__account {
	uint64_t busy, polling, spent[DLS__PARTS];
	uint64_t after[DLS__PARTS];	/* of `spent`, after the bound ... */
	uint64_t bound;			/* ... which was this one then */
	struct dls__intervals *oldest, *newest;	/* ahead of the present, but for: */
	struct dls__interval latest;
};

/* Two lines of the cache from `wake` on, and the first three of `vp`, are what most events touch (wheel.c). */
struct dls__processor {
	struct dls_vp vp;
	_Alignas(64) struct dls__due_event wake;
	bool waking;			/* `wake` is under way ... */
	bool last;			/* ... behind all that happens at its time */
	unsigned put_off;		/* messages that wait for the next poll */
	uint64_t clock;
	uint64_t left;			/* running: ns that it still takes, at this processor's speed ... */
	uint64_t resumed;		/* ... from this time on */
	uint64_t end;			/* ... to this one if nothing comes between */
	uint64_t polled;		/* its last poll; UINT64_MAX: none */
	uint64_t channel;		/* all that was sent has left by then */
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

/* Times do not wrap: one past INT64_MAX ends the run when it comes (beyond()). */
static inline uint64_t dls__time_sum(uint64_t a, uint64_t b)
{
	return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/* virtual_watch.c: tell who watches. */
void dls__tell_span(const struct dls__processor *p, enum dls_event what, uint64_t from, uint64_t to, uint64_t polling)
	__attribute__((cold));
void dls__tell_message(const struct dls__processor *p, enum dls_event what, const struct dls__msg *msg) __attribute__((cold));

/* virtual_account.c: keep account of a span that ends after the bound; add up all spans, at the end of the run; the engine's
 * stats. */
void dls__account_ahead(struct dls__processor *p, enum dls__spent_on on, uint64_t from, uint64_t to);
void dls__account_close(struct dls__processor *p);
void dls__account_stats(const struct dls_vp *vp, struct dls_processor_stats *stats);

#endif
