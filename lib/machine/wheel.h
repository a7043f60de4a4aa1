/* wheel.h - events by time: a hierarchical timing wheel.
 *
 * Level l has 256 slots of 256^l ns; an event waits at the level of the highest digit, to base 256, in which its time differs
 * from the present, and comes down as that digit is reached.  Varghese, Lauck, "Hashed and hierarchical timing wheels", SOSP
 * 1987.  So an event is moved at most 8 times, most often 2 or 3, however many there are.
 *
 * W1: no event lies before the present; the events of a slot were put there in the order of their numbers, and come down in that
 *     order: at level 0, where all events of a slot have one time, first in is first out.  A slot is refilled from above only
 *     when it is empty, and only later events join it.  So events are taken in the total order of (time, number).
 *
 * Slots are blocks of (time, event) pairs, so that events far away are moved without being touched.  Those that come near are
 * prefetched, with their processors; a large machine spends most of its time on these cache misses. */
#ifndef LIB_MACHINE_WHEEL_H
#define LIB_MACHINE_WHEEL_H

#include "lib/machine/machine.h"
#include "lib/machine/send.h"

enum { DLS__WHEEL_LEVELS = 8, DLS__WHEEL_SLOTS = 256 };

struct wheel_block;

struct dls__wheel {
	uint64_t now;
	struct dls_machine *machine;	/* whose processors the events are of */
	uint64_t full[DLS__WHEEL_LEVELS][DLS__WHEEL_SLOTS / 64];	/* slots that hold events */
	struct {
		struct wheel_block *first, *last;
	} slot[DLS__WHEEL_LEVELS][DLS__WHEEL_SLOTS];
	struct wheel_block *spare;
};

/* Empty the wheel, at time 0; it is all zero, or was opened before. */
void dls__wheel_open(struct dls__wheel *wheel, struct dls_machine *machine);
void dls__wheel_close(struct dls__wheel *wheel);

/* Put an event; event->time is not before the present.  Without memory for it the machine fails. */
void dls__wheel_put(struct dls__wheel *wheel, struct dls__due_event *event);
/* Whether more events are put for the present. */
bool dls__wheel_more(const struct dls__wheel *wheel);
/* Take the next event, whose time is then the present; NULL: none. */
struct dls__due_event *dls__wheel_take(struct dls__wheel *wheel);

#endif
