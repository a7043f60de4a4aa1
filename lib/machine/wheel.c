/* wheel.c - putting events, and taking the next one. */
#include <stdlib.h>

#include "lib/machine/virtual.h"

enum { PAIRS = 15, LINE = 64 };
enum { NEAR = 2, MANY = 512 };	/* events below this level are near; larger machines do not fit a cache */
enum { STATE = 4 };		/* lines of a strategy's state to prefetch */

struct wheel_block {
	struct wheel_block *next;
	unsigned head, n;	/* pairs head .. n - 1 have not been taken */
	struct pair {
		uint64_t time;
		struct dls__due_event *event;
	} pair[PAIRS];
};

static unsigned digit(uint64_t time, unsigned level)
{
	return time >> 8 * level & (DLS__WHEEL_SLOTS - 1);
}

static struct wheel_block *new_block(struct dls__wheel *w)
{
	struct wheel_block *b = w->spare;

	if (b)
		w->spare = b->next;
	else
		b = malloc(sizeof(*b));
	if (b)
		b->next = NULL, b->head = b->n = 0;
	return b;
}

static struct wheel_block *spare(struct dls__wheel *w, struct wheel_block *b)
{
	struct wheel_block *next = b->next;

	b->next = w->spare;
	w->spare = b;
	return next;
}

static void put(struct dls__wheel *w, struct pair pair)
{
	uint64_t differs = pair.time ^ w->now;
	unsigned level = differs ? (63 - (unsigned)__builtin_clzll(differs)) / 8 : 0, s = digit(pair.time, level);
	struct wheel_block *last = w->full[level][s / 64] >> s % 64 & 1 ? w->slot[level][s].last : NULL;

	if (!last || last->n == PAIRS) {
		struct wheel_block *b = new_block(w);

		if (!b) {
			dls__machine_fail(w->machine, DLS_ENOMEM);
			return;
		}
		*(last ? &last->next : &w->slot[level][s].first) = b;
		w->slot[level][s].last = last = b;
		w->full[level][s / 64] |= UINT64_C(1) << s % 64;
	}
	last->pair[last->n++] = pair;
}

void dls__wheel_put(struct dls__wheel *w, struct dls__due_event *event)
{
	put(w, (struct pair){ event->time, event });
}

bool dls__wheel_more(const struct dls__wheel *w)
{
	unsigned s = digit(w->now, 0);

	return w->full[0][s / 64] >> s % 64 & 1;
}

/* The first slot of a level that holds events; by W1 none lies before the present's.  DLS__WHEEL_SLOTS: none. */
static unsigned first_full(const struct dls__wheel *w, unsigned level)
{
	for (unsigned i = 0; i < DLS__WHEEL_SLOTS / 64; i++)
		if (w->full[level][i])
			return 64 * i + (unsigned)__builtin_ctzll(w->full[level][i]);
	return DLS__WHEEL_SLOTS;
}

static struct wheel_block *empty(struct dls__wheel *w, unsigned level, unsigned s)
{
	w->full[level][s / 64] &= ~(UINT64_C(1) << s % 64);
	return w->slot[level][s].first;
}

static void call_lines(const void *from, unsigned lines)
{
	for (unsigned i = 0; i < lines; i++)
		__builtin_prefetch((const char *)from + i * LINE, 1);
}

/* Prefetch the cache lines that most events of a block will touch soon; no more, since a processor fetches at
 * most a dozen lines at once. */
static void call_near(const struct dls__wheel *w, const struct wheel_block *b)
{
	for (unsigned i = b->head; i < b->n; i++)
		__builtin_prefetch(b->pair[i].event, 1);
	for (unsigned i = b->head; i < b->n; i++) {
		struct dls__due_event *event = b->pair[i].event;
		const struct dls__processor *p = dls__processor(w->machine, event->processor);

		call_lines(&p->vp, event->message ? 3 : 5);
		call_lines(&p->wake, 2);
		if (event->message) {
			call_lines((const char *)p + w->machine->own.state_at, STATE);
			call_lines(dls__msg_of(event), sizeof(struct dls__msg) / LINE);
		}
	}
}

/* Move the events of a slot down; the present becomes the slot's begin. */
static void come_down(struct dls__wheel *w, unsigned level, unsigned s)
{
	uint64_t unit = UINT64_C(1) << 8 * level;

	w->now = (w->now & ~(unit * DLS__WHEEL_SLOTS - 1)) | s * unit;	/* at level 7 unit * 256 is 0 */
	for (struct wheel_block *b = empty(w, level, s); b; b = spare(w, b)) {
		if (level == NEAR && w->machine->net.processors > MANY)
			call_near(w, b);
		for (unsigned i = b->head; i < b->n; i++)
			put(w, b->pair[i]);
	}
}

struct dls__due_event *dls__wheel_take(struct dls__wheel *w)
{
	unsigned level, s;

	for (;;) {
		for (level = 0; (s = first_full(w, level)) == DLS__WHEEL_SLOTS;)
			if (++level == DLS__WHEEL_LEVELS)
				return NULL;
		if (level == 0)
			break;
		come_down(w, level, s);
	}

	struct wheel_block *b = w->slot[0][s].first;
	struct dls__due_event *event = b->pair[b->head++].event;

	w->now = event->time;
	if (b->head == b->n) {
		if (b->next)
			w->slot[0][s].first = b->next;
		else
			empty(w, 0, s);
		spare(w, b);
	}
	return event;
}

void dls__wheel_open(struct dls__wheel *w, struct dls_machine *machine)
{
	while (dls__wheel_take(w))
		;
	w->now = 0;
	w->machine = machine;
}

void dls__wheel_close(struct dls__wheel *w)
{
	dls__wheel_open(w, NULL);
	while (w->spare) {
		struct wheel_block *b = w->spare;

		w->spare = b->next;
		free(b);
	}
}
