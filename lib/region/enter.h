/* enter.h - where threads are: the record that the threads of a region share, with segments in which their
 * loops' work shares stand, and each thread's team state; and the way into a loop: what every entry fills in,
 * and what they all call then. */
#ifndef LIB_REGION_ENTER_H
#define LIB_REGION_ENTER_H

#include "lib/deal/deal.h"
#include "lib/site/blocks.h"

enum { DLS__SEGMENT = 16 };

struct dls__segment {
	struct dls__work_share share[DLS__SEGMENT];
	_Atomic(struct dls__segment *) next;	/* NULL: not needed yet; no_memory: could not be allocated */
	_Alignas(DLS__APART) atomic_uint passed;	/* threads of the region that have moved on */
};

struct dls__team_record {
	/* Where the next region's loops start, in the segment's first work share, and the number of the first
	 * of them. */
	struct dls__segment *segment;
	uint64_t loop;
	bool ended;		/* there was no memory for a next segment */
	unsigned workers;	/* of the region, once worker 0 has left it and written the above; until then 0 */
	_Atomic(void *) spare;	/* a segment put aside, or NULL */
	_Alignas(DLS__APART) atomic_uint gone;	/* if regions may be cancelled: threads that have left its body by the end */
};

/* A thread's state in the team of the region it is in. */
struct dls__team_state {
	struct dls__team_record *team;	/* NULL: there was no memory for it */
	struct dls__segment *segment;	/* where the next loop's work share stands */
	unsigned index;			/* ... in that segment */
	bool ended;			/* there is none: worker 0 runs the loops */
	uint64_t loop;			/* number of that loop in the record's life */
	uint64_t version;		/* of the settings, when the region was opened */
	int level;			/* omp_get_level() of the region; -1: none of ours */
	int busy;			/* level of the loop whose body this thread is in; -1: none */
	struct dls_site *where;		/* ... that loop, for a message on nesting; NULL: a combined loop */
	unsigned worker, workers;
};
_Static_assert(sizeof(struct dls__team_state) <= sizeof(((struct dls__saved_state *)0)->outer),
	       "a team state has room where it is saved");

/* Get a record that no region uses; NULL: there is no memory.  Put it back, which frees one that has ended, or free it. */
struct dls__team_record *dls__team_record_get(void);
void dls__team_record_put(struct dls__team_record *team);
void dls__team_record_free(struct dls__team_record *team);

/* Move the team state to the next segment.  Without memory the whole team comes to the last segment, and
 * has worker 0 run what is left of the region. */
void dls__team_state_move(struct dls__team_state *state);

/* The work share of the team state's next loop, which it goes past, and the loop's number; NULL: there is no
 * memory for it. */
static inline struct dls__work_share *dls__team_state_next(struct dls__team_state *state, uint64_t *loop)
{
	*loop = state->loop++;
	if (state->index == DLS__SEGMENT && !state->ended)
		dls__team_state_move(state);
	return state->ended ? NULL : &state->segment->share[state->index++];
}

/* A thread's team state at the begin of a region. */
static inline struct dls__team_state dls__team_state_first(const struct dls__parallel *region, int level,
							   unsigned worker, unsigned workers)
{
	return (struct dls__team_state){
		.team = region->team, .segment = region->segment, .loop = region->loop,
		.version = region->version,
		.ended = !region->team, .level = level, .busy = -1, .worker = worker, .workers = workers,
	};
}

/* Worker 0 writes into the region's record, which the team state must have, where the next region starts. */
static inline void dls__team_state_last(const struct dls__team_state *state)
{
	struct dls__team_record *team = state->team;

	if (state->worker > 0)
		return;
	team->segment = state->segment;
	team->loop = state->loop;
	team->ended = state->ended;
	team->workers = state->workers;
}

/* What a thread knows of where it is. */
struct dls__thread {
	struct dls__team_state state;
	struct dls__cursor *inside;	/* the innermost loop whose body it is in, of any region; NULL: none */
	unsigned untimed;		/* its blocks until one is timed */
};
enum { DLS__ALONE = -2 };		/* level of a thread that ends the program */

/* This thread's. */
extern _Thread_local struct dls__thread dls__here __attribute__((visibility("hidden")));

/* To find it takes a call, which gcc would make anew at each use if it knew what this is. */
static inline struct dls__thread *dls__this_thread(void)
{
	struct dls__thread *thread = &dls__here;

	__asm__("" : "+r"(thread));
	return thread;
}

_Noreturn void dls__region_left(void);

/* Save this thread's team state, for a region of a level; the caller writes the new one. */
static inline struct dls__thread *dls__save_team_state(struct dls__saved_state *saved, int level)
{
	struct dls__thread *thread = dls__this_thread();
	struct dls__team_state *state = &thread->state;

	/* A thread that was not cancelled out of a region comes from one of a lower level, or from none;
	 * without OpenMP all are 0. */
	if (level > 0 && state->level >= level)
		dls__region_left();
	saved->state = state;
	memcpy(saved->outer, state, sizeof(*state));
	saved->done = false;
	return thread;
}

/* Have a thread enter the body of a cursor's loop; another one may leave it. */
static inline void dls__get_in(struct dls__cursor *cursor, struct dls__thread *thread)
{
	cursor->exit.thread = thread;
	cursor->exit.outer = thread->inside;
	thread->inside = cursor;
}

/* A loop was met inside the body of another one of its region. */
_Noreturn void dls__inside_itself(const struct dls__thread *thread, const struct dls__request *request);

/* Report, once, that a loop has no memory for its record. */
void dls__tell_of_memory(const struct dls__request *request);

/* The site of a loop; NULL: there is no memory for it, which is reported. */
struct dls__kept_site *dls__request_site_slowly(const struct dls__request *request);
static inline struct dls__kept_site *dls__request_site(const struct dls__request *request)
{
	/* acquire: pairs with the release in dls__kept_site(). */
	struct dls__kept_site *site = __atomic_load_n(&request->site->site, __ATOMIC_ACQUIRE);

	return __builtin_expect(site && !request->name, 1) ? site : dls__request_site_slowly(request);
}

/* Whether a loop is auto's to deal, and its workers come late. */
static inline bool dls__comes_late(const struct dls__request *request, unsigned answer)
{
	return request->kind & DLS__KIND_LATE && answer & DLS__BLOCKS_AUTO;
}

/* Whether a loop is blocks by its site's answer; not with a multiple, nor auto's where workers come late. */
static inline bool dls__request_blocks(const struct dls__request *request, unsigned answer)
{
	return dls__is_blocks(answer, request->n) && !dls__comes_late(request, answer) &&
	       request->multiple <= 1;
}

/* What an entry fills in.  It says itself what it knows without reading the request, which may be another
 * thread's. */
struct dls__loop_entry {
	const struct dls__request *request;
	struct dls__kept_site *site;	/* NULL: there is no memory for it, or it is not asked for here */
	struct dls__thread *thread;
	unsigned worker, workers;
	struct dls__work_share *share;		/* NULL: there is no memory for it, or no need */
	uint64_t loop;			/* its number in the work share, which the first worker to come opens */
	bool blocks;			/* all workers know that the loop is blocks */
};
#define DLS__OPENED UINT64_MAX		/* `loop` of a work share that is open */

/* Open loop `loop` in its work share, or wait until another thread has.  False: that is another loop. */
bool dls__open_or_wait(struct dls__work_share *share, uint64_t loop, const struct dls__request *request,
		       struct dls__kept_site *site, unsigned workers);

/* End the program unless the loop that a work share was opened for is this one; false: it is not, in an
 * unmodified program. */
bool dls__check_same_loop(const struct dls__work_share *share, const struct dls__request *request);

/* Take the loop as the only worker, as one chunk unless chunks are measured. */
void dls__take_alone(struct dls__cursor *cursor, const struct dls__request *request,
		     struct dls__kept_site *site, const struct dls__thread *thread);

/* The take of a worker's static share, without a work share. */
struct dls__chunk dls__take_share(struct dls__cursor *cursor, uint64_t ticket);

/* Choose the thread's next block that is timed, and time this one if auto has found the loop small or even: it need not
 * stay so. */
void dls__time_block(struct dls__cursor *cursor, struct dls__thread *thread, struct dls__kept_site *site);

/* Whether the thread's next block is one that is timed: of 2 to 17 one, by chance, so that no cycle of loops hides one. */
static inline bool dls__block_timed(const struct dls__thread *thread)
{
	return __builtin_expect(thread->untimed == 0, 0);
}

/* Enter a loop for whose work share there is no memory: worker 0 takes all iterations. */
void dls__take_unopened(struct dls__cursor *cursor, const struct dls__request *request);

/* Enter a loop with a cursor that is initialised, and take the first chunk at once unless `first` is NULL.  Inline, since every
 * entry knows another part of what is asked here. */
static inline __attribute__((always_inline)) void dls__loop_enter(struct dls__cursor *cursor,
								  struct dls__loop_entry e,
								  struct dls__chunk *first)
{
	cursor->exit.site = e.worker == 0 && e.workers > 1 ? e.site : NULL;	/* a worker that is alone has counted it */
	if (e.blocks && e.workers > 1) {
		if (dls__block_timed(e.thread))
			dls__time_block(cursor, e.thread, e.site);
		else
			e.thread->untimed--;
		if (first) {
			*first = dls__take_share(cursor, 0);
			return;
		}
		cursor->head.take = dls__take_share;
	} else if (!e.share && e.workers == 1) {
		dls__take_alone(cursor, e.request, e.site, e.thread);
	} else if (e.share && e.loop != DLS__OPENED &&
		   !dls__open_or_wait(e.share, e.loop, e.request, e.site, e.workers)) {
		cursor->head.take = dls__take_share;
	} else if (e.share && e.share->dispenser) {
		dls__work_share_join(cursor, e.share);
		if (e.worker == 0 && !e.site)	/* its opener found memory for that */
			cursor->exit.site = e.share->site;
	} else {
		dls__take_unopened(cursor, e.request);
	}
	if (first)
		*first = dls__next(&cursor->head);
}

/* libomp's, if it is in the process. */
extern int __kmpc_global_thread_num(void *) __attribute__((weak));

/* Leave the loop that a cursor has entered. */
static inline void dls__leave_loop(const struct dls__cursor *cursor)
{
	if (cursor->exit.site)
		dls__statistics_count(&cursor->exit.site->statistics, cursor->head.n, cursor->exit.thread);
	cursor->exit.thread->inside = cursor->exit.outer;
}

/* ... and its body, which the thread has been marked as inside of. */
static inline void dls__leave_body(struct dls__cursor *cursor)
{
	const struct dls__exit *exit = &cursor->exit;

	dls__leave_loop(cursor);
	exit->thread->state.busy = exit->outer_busy;
	exit->thread->state.where = exit->outer_where;
}

/* Mark this thread, one of several, as inside a loop's body until dls__leave_body(); returns what the request
 * says. */
static inline struct dls__loop_entry dls__enter_body(struct dls__cursor *cursor, struct dls__thread *thread,
						     const struct dls__request *request, int level,
						     unsigned worker, unsigned workers)
{
	struct dls__team_state *state = &thread->state;

	if (state->busy == level)
		dls__inside_itself(thread, request);
	dls__cursor_init(cursor, request->n, worker, workers, dls__leave_body);
	dls__get_in(cursor, thread);
	cursor->exit.outer_busy = state->busy;
	cursor->exit.outer_where = state->where;
	state->busy = level;
	state->where = request->site;
	return (struct dls__loop_entry){
		.request = request, .site = dls__request_site(request), .thread = thread, .worker = worker,
		.workers = workers, .loop = DLS__OPENED,
	};
}

#endif
