/* own.c - the dispenser without a counter: worker w takes chunks w, w + P, ... of a sequence in closed form.
 *
 * O1: the chunk numbers of different workers differ modulo P, so no chunk is taken twice.
 * Progress: wait-free; nothing is shared. */
#include "dls/calc.h"
#include "lib/deal/dispenser.h"
#include "lib/base/message.h"
#include "lib/schedule/schedule.h"

struct counts {
	_Atomic uint64_t handed;	/* iterations, to workers that have left */
	atomic_uint gone;		/* ... and how many have */
};
DLS__COUNTS(struct counts, counts_of)

struct owner {
	uint64_t next;		/* number of its next chunk */
	uint64_t handed;	/* iterations, so far */
};
DLS__OWN(struct owner, owner_of)

static bool own_open(struct dls__work_share *d)
{
	if (d->special.users) {
		/* relaxed, both: published with the rest of the work share. */
		atomic_store_explicit(&counts_of(d)->handed, 0, memory_order_relaxed);
		atomic_store_explicit(&counts_of(d)->gone, 0, memory_order_relaxed);
	}
	return true;
}

/* The last worker to leave checks that the chunks of a user's calculator make up the loop. */
static __attribute__((noinline)) void count_out(struct dls__work_share *d, uint64_t handed)
{
	uint64_t sum;

	/* relaxed, here and below: a number, which `gone` passes on. */
	atomic_fetch_add_explicit(&counts_of(d)->handed, handed, memory_order_relaxed);
	if (!dls__last_of(d->p, &counts_of(d)->gone))
		return;
	sum = atomic_load_explicit(&counts_of(d)->handed, memory_order_relaxed);
	if (sum != d->n && dls__calc_blame(d->calc))
		dls__tell_user("%s: calculator %s dealt %llu iterations of %llu: the chunks of its at() do not make up the loop",
			       d->site ? d->site->name : "dls_loop", d->calc->name, (unsigned long long)sum,
			       (unsigned long long)d->n);
}

static struct dls__chunk leave_own(struct dls__cursor *c, uint64_t ticket)
{
	if (c->share->special.users)
		count_out(c->share, owner_of(c)->handed);
	return dls__leave(c, ticket);
}

static struct dls__chunk take_own(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__chunk chunk;

	if (dls__cancelled(c->share))	/* what has been handed out is not all */
		return dls__leave(c, ticket);
	chunk.lo = c->share->calc->at(c->state, owner_of(c)->next, &chunk.n);
	if (chunk.n == 0 || chunk.lo >= c->head.n)
		return leave_own(c, ticket);
	if (chunk.n > c->head.n - chunk.lo)
		chunk.n = c->head.n - chunk.lo;
	if (__builtin_add_overflow(owner_of(c)->next, c->workers, &owner_of(c)->next))
		c->head.take = leave_own;
	owner_of(c)->handed += chunk.n;
	return chunk;
}

static void own_join(struct dls__cursor *c)
{
	struct dls_loop_desc desc;

	if (c->share->calc->needs & DLS_NEED_WEIGHTS) {	/* the share depends on whose it is */
		dls__work_share_describe(c->share, c->worker, &desc);
		c->share->calc->init(c->state, &desc);
	}
	owner_of(c)->next = c->worker;
	owner_of(c)->handed = 0;
	c->head.take = take_own;
}

const struct dls__dispenser_ops dls__own = { .declared = 1 << DLS_DISPENSER_OWN, .open = own_open, .join = own_join, .bound = true };
