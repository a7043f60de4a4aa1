/* launch.c - regions of one loop: its deal is opened before the region and joined in it.
 *
 * L1: whoever exchanges a deal out of a site, or out of the spare ones, has it alone until it is put back.  A site keeps a deal from
 *     the second time on that it is put back; the first time, it joins the spare ones.
 * L2: a deal that was opened for as many threads as the region has is joined by them at once: the region's begin publishes it.
 *     Else one of them opens it again, as loop 0, and the others wait.
 * L3: a late loop under auto that nobody watches has no deal.  Its `next` only rises, by whoever takes the iterations that it passes;
 *     the first worker comes before others can, and leaves when none are left.
 * Progress: as in enter.c. */
#include "lib/base/tsan.h"
#include "lib/site/blocks.h"
#include "lib/site/env.h"
#include "lib/region/enter.h"

/* Of sites that have not put one back yet: most loops of a large program run once. */
static _Atomic(struct dls__deal *) spare[DLS__SITE_DEALS];

static struct dls__deal *take_spare(void) __attribute__((noinline));
static void put_spare(struct dls__deal *deal) __attribute__((noinline));

static struct dls__deal *take_spare(void)
{
	for (int i = 0; i < DLS__SITE_DEALS; i++) {
		/* relaxed: a look; acquire: takes over what put_spare() released. */
		struct dls__deal *deal = atomic_load_explicit(&spare[i], memory_order_relaxed);

		if (deal && (deal = atomic_exchange_explicit(&spare[i], NULL, memory_order_acquire))) {
			dls__tsan_acquire(deal);
			return deal;
		}
	}
	return dls__alloc_apart(sizeof(struct dls__deal));
}

static void put_spare(struct dls__deal *deal)
{
	for (int i = 0; i < DLS__SITE_DEALS; i++) {
		struct dls__deal *none = NULL;

		/* relaxed: a look; release: hands the deal over to take_spare(). */
		if (!atomic_load_explicit(&spare[i], memory_order_relaxed) &&
		    atomic_compare_exchange_strong_explicit(&spare[i], &none, deal, memory_order_release, memory_order_relaxed))
			return;
	}
	dls__deal_free(deal);
	free(deal);
}

struct dls__deal *dls__site_deal_take(struct dls__kept_site *site)
{
	for (int i = 0; i < DLS__SITE_DEALS; i++) {
		/* relaxed: a look; acquire: takes over what dls__site_deal_put() released. */
		struct dls__deal *deal = atomic_load_explicit(&site->deal[i], memory_order_relaxed);

		if (deal > DLS__DEAL_LENT &&
		    (deal = atomic_exchange_explicit(&site->deal[i], DLS__DEAL_LENT, memory_order_acquire)) > DLS__DEAL_LENT) {
			dls__tsan_acquire(deal);
			return deal;
		}
	}
	return take_spare();
}

void dls__site_deal_put(struct dls__kept_site *site, struct dls__deal *deal)
{
	dls__tsan_release(deal);
	for (int i = 0; i < DLS__SITE_DEALS; i++) {
		/* relaxed: a look; release: hands the deal over to dls__site_deal_take(). */
		struct dls__deal *lent = atomic_load_explicit(&site->deal[i], memory_order_relaxed);

		if (lent == DLS__DEAL_LENT &&
		    atomic_compare_exchange_strong_explicit(&site->deal[i], &lent, deal, memory_order_release, memory_order_relaxed))
			return;
		/* relaxed: nothing is handed over yet. */
		if (!lent && atomic_compare_exchange_strong_explicit(&site->deal[i], &lent, DLS__DEAL_LENT, memory_order_relaxed,
								     memory_order_relaxed))
			break;
	}
	put_spare(deal);
}

/* Half of a worker's part of what is left. */
static struct dls__chunk take_late(struct dls__cursor *c, uint64_t ticket)
{
	/* relaxed, both: the number alone counts; the team passes on what the loop reads and writes. */
	uint64_t next = __atomic_load_n(c->next, __ATOMIC_RELAXED), n;

	do {
		if (next == c->head.n)
			return dls__leave(c, ticket);
		n = (c->head.n - next - 1) / (2 * c->workers) + 1;
	} while (!__atomic_compare_exchange_n(c->next, &next, next + n, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return (struct dls__chunk){ next, n };
}

/* A loop that is blocks by auto's choice: perhaps one thread takes it. */
static void choose_one(struct dls__launch *l)
{
	bool timed;

	if (dls__blocks_serial(l->at, l->ask.n, &timed))
		l->how |= DLS__SERIAL;
	if (timed)
		l->began = dls__clock_now();
}

/* Tell auto what a timed launch took, on one thread or on a team. */
static void tell_of_one(const struct dls__launch *l)
{
	bool serial = l->how & DLS__SERIAL, refused = !serial && l->workers == 1;	/* a nested region */
	uint64_t took = refused ? 0 : dls__clock_since(l->began, dls__clock_now());

	dls__blocks_serial_ended(l->at, l->ask.n, serial, took);
}

/* What all have in common. */
static void prepare(struct dls__launch *l)
{
	l->deal = NULL;
	l->gone = l->workers = 0;
	l->began = 0;
	l->at = dls__ask_site(&l->ask);
}

void dls__launch_unopened(struct dls__launch *l, unsigned most)
{
	unsigned answer;

	prepare(l);
	answer = l->at ? dls__blocks_at(l->at, l->ask.says, dls__epoch()) : 0;
	if (answer & DLS__BLOCKS_AUTO && dls__is_blocks(answer, l->ask.n) && most > 1)
		choose_one(l);
}

void dls__launch_open(struct dls__launch *l, unsigned most, bool may_be_serial)
{
	unsigned expected = most, answer;

	prepare(l);
	answer = l->at ? dls__blocks_at(l->at, l->ask.says, dls__epoch()) : 0;
	if (dls__comes_late(&l->ask, answer) && l->ask.multiple <= 1) {
		l->next = 0;
		l->how |= DLS__LATE;
		return;
	}
	if (dls__ask_blocks(&l->ask, answer)) {
		if (answer & DLS__BLOCKS_AUTO && may_be_serial && most > 1)
			choose_one(l);
		return;
	}
	if (l->at) {
		/* relaxed: a number alone. */
		unsigned last = l->ask.says & DLS__SAYS_LATE ? most : atomic_load_explicit(&l->at->team, memory_order_relaxed);

		expected = last ? last : most;	/* a guess */
		l->deal = dls__site_deal_take(l->at);
		if (l->deal)	/* no thread has opened loop 0 in it; relaxed: the region's begin publishes it */
			atomic_store_explicit(&l->deal->turn, 0, memory_order_relaxed);
	}
	if (!l->deal) {
		dls__tell_of_memory(&l->ask);
		l->how |= DLS__SERIAL;
	} else if (expected > 1 && dls__open_for(l->deal, &l->ask, l->at, expected)) {
		l->how |= expected * (uint64_t)DLS__EXPECTED;
	}
}

void dls__launch_close(struct dls__launch *l)
{
	l->done = true;
	if (l->began)
		tell_of_one(l);
	/* relaxed: all have come to the region's end. */
	if (dls__cancellation && !(l->how & DLS__LATE) && __atomic_load_n(&l->gone, __ATOMIC_RELAXED) != l->workers)
		dls__region_left();
	if (l->deal)
		dls__site_deal_put(l->at, l->deal);
}

static void leave(struct dls__cursor *c)
{
	struct dls__thread *thread = c->exit.thread;

	if (c->exit.site)
		dls__statistics_count(&c->exit.site->statistics, c->head.n, thread);
	memcpy(&thread->seat, c->exit.visit.outer, sizeof(thread->seat));
	dls__get_out(c);
	if (dls__cancellation && !c->late)	/* relaxed: looked at when all have come to the region's end */
		__atomic_fetch_add(&c->exit.launch->gone, 1, __ATOMIC_RELAXED);
}

struct dls__chunk dls__for_launched(struct dls__cursor *c, struct dls__launch *l, struct dls__deal *deal, uint64_t how, uint64_t n,
				    int level, unsigned worker, unsigned workers)
{
	struct dls__thread *thread = dls__visit_enter(&c->exit.visit, level);
	struct dls__entrance e = {
		.ask = &l->ask, .thread = thread, .deal = deal, .loop = DLS__OPENED, .worker = worker,
		.workers = workers,
	};
	struct dls__chunk first;

	dls__cursor_init(c, n, worker, workers, leave);
	thread->seat = (struct dls__seat){
		.ended = true, .level = level, .busy = level, .worker = worker, .workers = workers,
	};
	dls__get_in(c, thread);
	c->exit.launch = l;
	if (worker == 0)
		l->workers = workers;
	if (how & DLS__LATE && workers > 1) {
		c->late = true;
		c->next = &l->next;
		c->head.take = take_late;
		c->exit.site = worker == 0 ? l->at : NULL;
		return take_late(c, 0);
	}
	if (worker == 0 || (!deal && dls__block_timed(e.thread)))
		e.site = l->at;
	if (deal && how / DLS__EXPECTED != workers) {
		if (worker == 0)	/* relaxed: as above */
			atomic_store_explicit(&l->at->team, workers, memory_order_relaxed);
		e.site = l->at;
		e.loop = 0;
	}
	e.blocks = !deal && !(how & DLS__SERIAL);
	e.aligned = how & DLS__ALIGNED;
	dls__loop_enter(c, e, &first);
	return first;
}
