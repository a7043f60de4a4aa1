/* idempotent.c - the filter of loops whose chunks may be run more than once: a worker that finds nothing
 * left to start runs chunks that others have in flight.
 *
 * It stands right before a loop's dispenser, so that a chunk is in its worker's flight until the worker
 * asks for another one.  Whoever ends the chunk first makes the flight's state NONE, or its worker DRAWING.
 *
 * H1: a chunk that a worker has drawn and nobody has ended is in its flight, or the flight is DRAWING.
 * H2: a worker leaves the loop only after it has found nothing to draw, and then each flight at NONE: so
 *     each iteration has been run to its end by some worker, even if another one never returns.
 * H3: a flight that such a worker has found at NONE gets no other chunk.  Its worker, too, changes the
 *     state by a read-modify-write before it draws, and the later one of the two sees all that came before
 *     the earlier: the loop is empty.
 * A worker starts its search at the flight of the next worker, so that few of them run the same chunk
 * again.
 * Progress: a worker waits for another one only while that is in the dispenser, not in a body. */
#include <sched.h>

#include "lib/deal/dispenser.h"

enum { NONE, DRAWING, BUSY };

struct dls__flight {
	_Alignas(DLS__APART) atomic_uint state;
	struct dls__chunk chunk;	/* BUSY */
	/* Its worker's own: */
	_Alignas(DLS__APART) struct dls__flight *again;	/* whose chunk it runs; NULL: its own, or none */
	bool dry;			/* it has found nothing to draw */
};

static bool idempotent_wants(struct dls__work_share *d, const struct dls__request *request)
{
	return request->kind & DLS__KIND_IDEMPOTENT && d->n > 0 && d->p > 1 && !d->dispenser->bound;
}

static bool idempotent_open(struct dls__work_share *d, const struct dls__request *request)
{
	(void)request;
	if (!dls__room_for(d->p, &d->special.flights, &d->special.flight, sizeof(*d->special.flight)))
		return false;
	for (unsigned i = 0; i < d->p; i++)
		/* relaxed: published with the rest of the work share. */
		atomic_store_explicit(&d->special.flight[i].state, NONE, memory_order_relaxed);
	return true;
}

/* Draw a chunk.  c->leave is NULL meanwhile: a dispenser with no chunks left would leave the loop by it. */
static struct dls__chunk draw(struct dls__cursor *c)
{
	void (*leave)(struct dls__cursor *) = c->leave;
	struct dls__chunk chunk;

	dls__pop_filter(c, DLS__FILTER_idempotent);
	c->leave = NULL;
	chunk = dls__next(&c->head);
	c->leave = leave;
	return chunk;
}

/* A chunk that another worker has in flight; n 0: there is none. */
static struct dls__chunk find(struct dls__cursor *c, struct dls__flight *own)
{
	struct dls__work_share *d = c->share;
	unsigned at = c->worker;

	for (unsigned i = 1, turns = 1; i < d->p; ) {
		struct dls__flight *f = &d->special.flight[at + 1 < d->p ? at + 1 : 0];
		/* acquire: the chunk, and what it has written if it is ended.  release: H3; pairs with the acquire in
		 * take_idempotent(). */
		unsigned state = atomic_fetch_add_explicit(&f->state, 0, memory_order_acq_rel);

		if (state == BUSY) {
			own->again = f;
			return f->chunk;
		}
		if (state == DRAWING) {
			if (turns++ % 64 == 0)	/* it has lost its processor */
				sched_yield();
			continue;
		}
		at = at + 1 < d->p ? at + 1 : 0;
		i++;
	}
	return (struct dls__chunk){ 0, 0 };
}

static struct dls__chunk take_idempotent(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__flight *own = &c->share->special.flight[c->worker];
	struct dls__chunk chunk = { 0, 0 };
	unsigned busy = BUSY;

	if (own->again) {
		/* release: what the chunk has written; pairs with the acquire in find().  It fails if another one has ended it. */
		atomic_compare_exchange_strong_explicit(&own->again->state, &busy, NONE, memory_order_release,
							memory_order_relaxed);
		own->again = NULL;
	}
	if (!own->dry) {
		/* acquire: H3.  What the last chunk has written comes with the store below. */
		atomic_exchange_explicit(&own->state, DRAWING, memory_order_acquire);
		chunk = draw(c);
		dls__push_filter(c, DLS__FILTER_idempotent, take_idempotent);
		own->dry = chunk.n == 0;
		if (chunk.n)	/* else others may read it (H3) */
			own->chunk = chunk;
		/* release: the chunk, and what the last one has written; pairs with the acquire in find(). */
		atomic_store_explicit(&own->state, chunk.n ? BUSY : NONE, memory_order_release);
	}
	if (own->dry && !dls__cancelled(c->share))
		chunk = find(c, own);
	return chunk.n ? chunk : dls__leave(c, ticket);
}

static void idempotent_join(struct dls__cursor *c)
{
	struct dls__flight *own = &c->share->special.flight[c->worker];

	own->again = NULL;
	own->dry = false;
	dls__push_filter(c, DLS__FILTER_idempotent, take_idempotent);
}

const struct dls__filter_ops dls__filter_idempotent = {
	.wants = idempotent_wants, .open = idempotent_open, .join = idempotent_join
};
