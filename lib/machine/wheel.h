/* wheel.h - events by time: a hierarchical timing wheel.
 *
 * Level l has 256 slots of 256^l ns.  An event waits at the level of the highest digit, to base 256, in which its time differs
 * from the present, and comes down when that digit is reached.  Varghese, Lauck, "Hashed and hierarchical timing wheels", SOSP
 * 1987.  So an event is moved at most 8 times, most often 2 or 3, however many there are.
 *
 * W1: no event lies before the present.  The events of a slot were put there in the order of their numbers, and come down in that
 *     order; at level 0, where all events of a slot have the same time, first in is first out.  A slot is refilled from above only
 *     when it is empty, and only later events join it.  So events are taken in the total order of (time, number).
 *
 * Slots are blocks of (time, event) pairs, so that moving a far event does not touch it.  Near events are prefetched, with their
 * processors: a large machine spends most of its time on these cache misses. */
#ifndef LIB_MACHINE_WHEEL_H
#define LIB_MACHINE_WHEEL_H

#include "lib/machine/machine.h"
#include "lib/machine/send.h"

enum { DLS__WHEEL_LEVELS = 8, DLS__WHEEL_SLOTS = 256 };

struct wheel_block;

struct dls__wheel {
	uint64_t now;
	struct dls_machine *machine;	/* the events are of its processors */
	uint64_t full[DLS__WHEEL_LEVELS][DLS__WHEEL_SLOTS / 64];	/* slots that hold events */
	struct {
		struct wheel_block *first, *last;
	} slot[DLS__WHEEL_LEVELS][DLS__WHEEL_SLOTS];
	struct wheel_block *spare;
};

/* Empty the wheel, and set its time to 0.  It must be all zero, or have been opened before. */
void dls__wheel_open(struct dls__wheel *wheel, struct dls_machine *machine);
void dls__wheel_close(struct dls__wheel *wheel);

/* Put an event, whose time must not be before the present.  If there is no memory for it, the machine fails. */
void dls__wheel_put(struct dls__wheel *wheel, struct dls__due_event *event);
/* Whether there are more events of the present. */
bool dls__wheel_more(const struct dls__wheel *wheel);
/* Take the next event, whose time becomes the present; NULL: there is none. */
struct dls__due_event *dls__wheel_take(struct dls__wheel *wheel);

#endif
