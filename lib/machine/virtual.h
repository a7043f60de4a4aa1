/* virtual.h - a processor of the virtual engine: its events (engine_virtual.c), its messages on their way (virtual_carry.c),
 * where its time goes (virtual_account.c), and who is told (virtual_watch.c). */
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

/* A processor's time, ns; V3 (virtual_account.c). */
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

static inline void dls__show(const struct dls__processor *p, enum dls_event what, uint64_t from, uint64_t to)
{
	if (p->vp.machine->watch.call && to > from)
		dls__tell_span(p, what, from, to, 0);
}

/* virtual_account.c: keep account of a span that ends after the bound; add up all spans, at the end of the run; the engine's
 * stats. */
void dls__account_ahead(struct dls__processor *p, enum dls__spent_on on, uint64_t from, uint64_t to);
void dls__account_close(struct dls__processor *p);
void dls__account_stats(const struct dls_vp *vp, struct dls_processor_stats *stats);

static inline void dls__account_spend(struct dls__processor *p, enum dls__spent_on on, uint64_t from, uint64_t to)
{
	if (to <= from)
		return;
	p->account.spent[on] += to - from;
	if (to > p->vp.machine->times.until)
		dls__account_ahead(p, on, from, to);
}

/* The processor is at work for so long, in messages of its strategy or of the machine. */
static inline void dls__at_work(struct dls__processor *p, uint64_t ns, enum dls__service service)
{
	uint64_t end = dls__time_sum(p->clock, ns);

	if (end > INT64_MAX) {
		dls__machine_fail(p->vp.machine, DLS_ERANGE);
		return;
	}
	dls__account_spend(p, service == DLS__TERMINATION ? DLS__PART_SERVICE : DLS__PART_OVERHEAD, p->clock, end);
	dls__show(p, service == DLS__TERMINATION ? DLS_EVENT_SERVICE : DLS_EVENT_OVERHEAD, p->clock, end);
	p->clock = end;
	p->vp.running.began += ns;	/* the time of a task does not count it */
}

/* A message comes at a time; the same, as late as faults make it. */
static inline void dls__event_put(struct dls_machine *m, struct dls__msg *msg, uint64_t arrival)
{
	msg->event = (struct dls__due_event){ .time = arrival, .processor = msg->to, .message = true };
	dls__wheel_put(dls__wheel_of(m), &msg->event);
}
static inline void dls__carry_put(struct dls_machine *m, struct dls__msg *msg, uint64_t arrival)
{
	uint64_t link = (uint64_t)msg->from << 32 | msg->to;

	dls__event_put(m, msg, m->faults.delay ? dls__faults_late(&m->faults, m->seed, link, arrival) : arrival);
}

/* virtual_links.c: a message comes to a link of its way, or to its end; all links are free, or forgotten. */
void dls__links_pass(struct dls_machine *machine, struct dls__msg *msg, uint64_t time, uint64_t on_wire);
void dls__links_clear(struct dls_machine *machine);
void dls__links_free(struct dls_machine *machine);
/* virtual_carry.c: ns that a message is on a wire. */
uint64_t dls__carry_on_wire(const struct dls_machine *machine, const struct dls__msg *msg);

/* virtual_carry.c: post, fetch and timer of the engine. */
void dls__carry_post(struct dls_vp *vp, struct dls__msg *msg);
void dls__carry_fetch(struct dls_vp *vp, struct dls__msg *msg);
void dls__carry_timer(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay);

#endif
