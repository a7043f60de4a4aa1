/* enter.h - the way into a loop: what every entrance fills in, and what they all call then. */
#ifndef LIB_REGION_ENTER_H
#define LIB_REGION_ENTER_H

#include "lib/region/chain.h"
#include "lib/site/blocks.h"

/* Report, once, that a loop has no memory for its record. */
void dls__tell_of_memory(const struct dls__ask *ask);

/* The site of a loop; NULL: there is no memory for it, which is reported. */
struct dls__kept_site *dls__ask_site_slowly(const struct dls__ask *ask);
static inline struct dls__kept_site *dls__ask_site(const struct dls__ask *ask)
{
	/* acquire: pairs with the release in dls__kept_site(). */
	struct dls__kept_site *site = __atomic_load_n(&ask->site->site, __ATOMIC_ACQUIRE);

	return __builtin_expect(site && !ask->name, 1) ? site : dls__ask_site_slowly(ask);
}

/* Whether a loop is auto's to deal, and its workers come late. */
static inline bool dls__comes_late(const struct dls__ask *ask, unsigned answer)
{
	return ask->says & DLS__SAYS_LATE && answer & DLS__BLOCKS_AUTO;
}

/* Whether a loop is blocks by its site's answer; not auto's where workers come late. */
static inline bool dls__ask_blocks(const struct dls__ask *ask, unsigned answer)
{
	return dls__is_blocks(answer, ask->n) && !dls__comes_late(ask, answer);
}

/* What an entrance fills in.  It says itself what it knows without reading the request, which may be another thread's. */
struct dls__entrance {
	const struct dls__ask *ask;
	struct dls__kept_site *site;	/* NULL: there is no memory for it, or it is not asked for here */
	struct dls__thread *thread;
	unsigned worker, workers;
	struct dls__deal *deal;		/* NULL: there is no memory for it, or no need */
	uint64_t loop;			/* its number in the deal, which the first worker to come opens */
	bool blocks;			/* all workers know that the loop is blocks */
	bool aligned;			/* ... and has a .multiple */
	bool partial;			/* the loop is a reduction */
};
#define DLS__OPENED UINT64_MAX		/* `loop` of a deal that is open */

/* A site's own deal, or a new one if another region has that; NULL: there is no memory.  Put it back. */
struct dls__deal *dls__site_deal_take(struct dls__kept_site *site);
void dls__site_deal_put(struct dls__kept_site *site, struct dls__deal *deal);

/* Open a deal for a loop; false: there is no memory, and worker 0 takes all of it. */
bool dls__open_for(struct dls__deal *deal, const struct dls__ask *ask, struct dls__kept_site *site, unsigned workers);

/* Open loop `loop` in its deal, or wait until another thread has.  False: that is another loop. */
bool dls__open_or_wait(struct dls__deal *deal, uint64_t loop, const struct dls__ask *ask, struct dls__kept_site *site,
		       unsigned workers);

/* End the program unless the loop that a deal was opened for is this one; false: it is not, in an unmodified program. */
bool dls__check_same_loop(const struct dls__deal *deal, const struct dls__ask *ask);

/* Take the loop as the only worker, as one chunk unless chunks are watched. */
void dls__take_alone(struct dls__cursor *cursor, const struct dls__ask *ask, struct dls__kept_site *site,
		     const struct dls__thread *thread);

/* Take the worker's static block, which starts and ends at a multiple. */
void dls__take_block(struct dls__cursor *cursor, const struct dls__ask *ask, uint64_t multiple);

/* Time the worker's block, if auto has found the loop small or even: it need not stay so. */
void dls__time_block(struct dls__cursor *cursor, struct dls__kept_site *site);

/* Choose the thread's next block that is timed. */
void dls__block_choose(struct dls__thread *thread);

/* Whether the thread's next block is one that is timed: of 2 to 17 one, by chance, so that no cycle of loops hides one. */
static inline bool dls__block_timed(const struct dls__thread *thread)
{
	return __builtin_expect(thread->untimed == 0, 0);
}

/* Of a loop that has no memory for a deal: worker 0 takes all of it. */
void dls__take_unopened(struct dls__cursor *cursor, const struct dls__ask *ask);

/* Enter a loop with a cursor that is initialised, and take the first chunk at once unless `first` is NULL.  Inline, since every
 * entrance knows another part of what is asked here. */
static inline __attribute__((always_inline)) void dls__loop_enter(struct dls__cursor *cursor, struct dls__entrance e,
								  struct dls__chunk *first)
{
	cursor->exit.site = e.worker == 0 && e.workers > 1 ? e.site : NULL;	/* a worker that is alone has counted it */
	if (e.blocks && e.workers > 1) {
		if (dls__block_timed(e.thread)) {
			dls__block_choose(e.thread);
			dls__time_block(cursor, e.site);
		} else {
			e.thread->untimed--;
		}
		if (first && !e.aligned) {
			*first = dls__share_of(cursor);
			return;
		}
		if (e.aligned)
			dls__take_block(cursor, e.ask, e.ask->multiple);
		else
			dls__take_share(cursor);
	} else if (e.workers == 1) {
		dls__take_alone(cursor, e.ask, e.site, e.thread);
	} else if (e.deal && e.loop != DLS__OPENED && !dls__open_or_wait(e.deal, e.loop, e.ask, e.site, e.workers)) {
		dls__take_share(cursor);
	} else if (e.deal && e.deal->dispenser) {
		dls__deal_join(cursor, e.deal);
		if (e.partial)
			cursor->partials = e.deal->blocks.partials;
		if (e.worker == 0 && !e.site)	/* its opener found memory for that */
			cursor->exit.site = e.deal->site;
	} else {
		dls__take_unopened(cursor, e.ask);
	}
	if (first)
		*first = dls__next(&cursor->head);
}

/* libomp's, if it is in the process. */
extern int __kmpc_global_thread_num(void *) __attribute__((weak));

/* Leave the loop's body, and the loop. */
void dls__leave_body(struct dls__cursor *cursor);

/* Mark this thread, one of several, as inside a loop's body until dls__leave_body(); returns what the request
 * says. */
static inline struct dls__entrance dls__enter_body(struct dls__cursor *cursor, struct dls__thread *thread,
						   const struct dls__ask *ask, int level, unsigned worker,
						   unsigned workers)
{
	struct dls__seat *seat = &thread->seat;

	if (seat->busy == level)
		dls__inside_itself(thread, ask);
	dls__cursor_init(cursor, ask->n, worker, workers, dls__leave_body);
	dls__get_in(cursor, thread);
	cursor->exit.outer_busy = seat->busy;
	cursor->exit.outer_where = seat->where;
	seat->busy = level;
	seat->where = ask->site;
	return (struct dls__entrance){
		.ask = ask, .site = dls__ask_site(ask), .thread = thread, .worker = worker,
		.workers = workers, .loop = DLS__OPENED,
		.aligned = ask->multiple > 1, .partial = ask->partial,
	};
}

#endif
