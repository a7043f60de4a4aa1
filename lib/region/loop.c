/* loop.c - loops by call: one work share, and a cursor for each worker, which enters as a thread of a region
 * does.
 *
 * Two things are done here alone.  A loop is stopped by a flag of its own, since a cancel may meet an end,
 * and a work share that has been opened again must not be cancelled.  And the end counts the execution and
 * has workers leave that have not: any of them may have stopped asking, or may never have come. */
#include <math.h>

#include "dls/loop.h"
#include "lib/region/enter.h"

struct worker {
	_Alignas(DLS__APART) uint64_t execution;	/* that the cursor has joined */
	uint64_t handed;				/* iterations, since the start */
	struct dls__cursor cursor;
};

struct range {
	uint64_t begin, end, step, n;	/* begin and end as bits */
};

struct dls_loop {
	struct dls__work_share share;
	uint64_t execution;		/* number of the one that runs or ran last */
	atomic_bool running;		/* between start and end */
	atomic_bool stopped;		/* no more chunks start: it does not run, or was cancelled */
	unsigned workers, flags;
	bool whole;			/* one worker takes it as one chunk */
	struct range range;
	struct dls_site *site;		/* NULL: it has one of its own */
	struct dls__kept_site *own_site;
	uint64_t clock;			/* virtual time, ns */
	struct dls_schedule *schedule;	/* own; NULL: the site's */
	double moment[DLS__MOMENTS];	/* < 0: not told */
	struct dls__request request;		/* the next execution's, but for its iterations */
	struct dls__extra extra;
	struct worker worker[];
};

/* relaxed, here and wherever they are set: what a start or an end has to publish, the caller makes visible (dls/loop.h); a
 * cancel stands for itself. */
static inline bool running(const struct dls_loop *loop)
{
	return atomic_load_explicit(&loop->running, memory_order_relaxed);
}

static inline bool stopped(const struct dls_loop *loop)
{
	return atomic_load_explicit(&loop->stopped, memory_order_relaxed);
}

int dls_loop_open(struct dls_loop **result, unsigned workers, struct dls_site *site, unsigned flags)
{
	struct dls_loop *loop;
	size_t size = sizeof(*loop) + workers * sizeof(loop->worker[0]);

	if (!result || flags & ~(unsigned)(DLS_LOOP_EVERY_CHUNK | DLS_LOOP_VIRTUAL_TIME))
		return DLS_EINVAL;
	if (workers == 0 || workers > DLS_WORKERS_MAX)
		return DLS_ERANGE;
	loop = dls__alloc_apart(size);
	if (!loop)
		return DLS_ENOMEM;
	if (!site && !(loop->own_site = dls__site_private())) {
		free(loop);
		return DLS_ENOMEM;
	}
	loop->workers = workers;
	loop->flags = flags;
	loop->site = site;
	atomic_init(&loop->stopped, true);
	loop->share.special.stopped = &loop->stopped;
	for (int i = 0; i < DLS__MOMENTS; i++)
		loop->moment[i] = -1;
	loop->extra.moment = loop->moment;
	loop->extra.clock = flags & DLS_LOOP_VIRTUAL_TIME ? &loop->clock : NULL;
	loop->request.extra = &loop->extra;
	*result = loop;
	return 0;
}

/* Whether an option with a value in its range, or out of it, may be set: 0, or why not. */
static int may_set(const struct dls_loop *loop, bool in_range)
{
	return !loop ? DLS_EINVAL : !in_range ? DLS_ERANGE : running(loop) ? DLS_EBUSY : 0;
}

int dls_loop_set_schedule(struct dls_loop *loop, const char *text)
{
	struct dls_schedule *schedule = NULL;
	int code = may_set(loop, true);

	if (!code && text)
		code = dls_schedule_parse(&schedule, text, NULL);
	if (code)
		return code;
	dls_schedule_free(loop->schedule);
	loop->extra.schedule = loop->schedule = schedule;
	loop->share.kept = false;	/* the next schedule may come to lie at the last one's address */
	return 0;
}

int dls_loop_set_multiple(struct dls_loop *loop, uint64_t multiple)
{
	int code = may_set(loop, multiple <= DLS_MULTIPLE_MAX);

	if (!code)
		loop->request.multiple = multiple;
	return code;
}

int dls_loop_set_idempotent(struct dls_loop *loop, bool idempotent)
{
	int code = may_set(loop, true);

	if (!code)
		loop->request.kind = idempotent ? DLS__KIND_IDEMPOTENT : 0;
	return code;
}

int dls_loop_set_moments(struct dls_loop *loop, double mu, double sigma)
{
	int code = may_set(loop, isfinite(mu) && mu > 0 && isfinite(sigma) && sigma >= 0);

	if (!code) {
		loop->moment[DLS__MU] = mu;
		loop->moment[DLS__SIGMA] = sigma;
	}
	return code;
}

int dls_loop_set_overhead(struct dls_loop *loop, double h)
{
	int code = may_set(loop, isfinite(h) && h >= 0);

	if (!code)
		loop->moment[DLS__H] = h;
	return code;
}

static int start(struct dls_loop *loop, bool up, bool down, uint64_t begin, uint64_t end, int64_t step)
{
	if (!loop || step == 0)
		return DLS_EINVAL;
	if (running(loop))
		return DLS_EBUSY;

	/* acquire: pairs with the release in dls__kept_site(). */
	struct dls__kept_site *site = loop->site ? __atomic_load_n(&loop->site->site, __ATOMIC_ACQUIRE) : loop->own_site;

	if (!site)
		site = dls__kept_site(loop->site, NULL);
	loop->request.n = dls__count(up, down, begin, end, step);
	if (!dls__work_share_open(&loop->share, &loop->request, site, loop->workers))
		return DLS_ENOMEM;
	loop->range = (struct range){ begin, end, (uint64_t)step, loop->request.n };
	loop->execution++;
	loop->whole = loop->workers == 1 && !loop->flags && !(site && dls__site_measured(site));
	atomic_store_explicit(&loop->stopped, false, memory_order_relaxed);
	atomic_store_explicit(&loop->running, true, memory_order_relaxed);
	return 0;
}

int dls_loop_start(struct dls_loop *loop, int64_t begin, int64_t end, int64_t step)
{
	return start(loop, begin < end, begin > end, (uint64_t)begin, (uint64_t)end, step);
}

int dls_loop_start_u64(struct dls_loop *loop, uint64_t begin, uint64_t end, int64_t step)
{
	return start(loop, begin < end, begin > end, begin, end, step);
}

static inline bool give(struct range r, struct worker *w, struct dls__chunk chunk, uint64_t *begin, uint64_t *end)
{
	dls__indices(chunk, r.n, r.begin, r.end, r.step, begin, end);
	w->handed += chunk.n;
	return true;
}

/* Give the chunk of a ticket that dls__draw_equal() has not, or of none. */
__attribute__((noinline)) static bool next_slowly(struct dls_loop *loop, struct worker *w, uint64_t ticket,
						  uint64_t *begin, uint64_t *end)
{
	struct dls__chunk chunk;

	if (!dls__look_up(&w->cursor.head, ticket, &chunk))
		chunk = w->cursor.head.take(&w->cursor, ticket);
	return chunk.n > 0 && give(loop->range, w, chunk, begin, end);
}

/* Enter the execution; returns the first chunk. */
static struct dls__chunk join(struct dls_loop *loop, struct worker *w, unsigned worker)
{
	const struct dls__loop_entry e = {
		.request = &loop->request, .worker = worker, .workers = loop->workers,
		.share = loop->whole ? NULL : &loop->share, .loop = DLS__OPENED,
	};
	struct dls__chunk first;

	w->execution = loop->execution;
	w->handed = 0;
	dls__cursor_init(&w->cursor, loop->range.n, worker, loop->workers, NULL);
	dls__loop_enter(&w->cursor, e, &first);
	return first;
}

__attribute__((noinline)) static bool next_first(struct dls_loop *loop, unsigned worker, uint64_t *begin, uint64_t *end)
{
	struct worker *w = &loop->worker[worker];
	struct dls__chunk chunk = join(loop, w, worker);

	return chunk.n > 0 && give(loop->range, w, chunk, begin, end);
}

/* As little code as possible lies between two draws: see dls__draw_equal(). */
bool dls_loop_next_u64(struct dls_loop *loop, unsigned worker, uint64_t *begin, uint64_t *end)
{
	struct worker *w;
	struct dls__chunk chunk;
	uint64_t ticket;

	if (worker >= loop->workers || stopped(loop))
		return false;
	w = &loop->worker[worker];
	if (__builtin_expect(w->execution != loop->execution, 0))
		return next_first(loop, worker, begin, end);
	if (dls__draw_equal(&w->cursor.head, &ticket, &chunk))
		return give(loop->range, w, chunk, begin, end);
	return next_slowly(loop, w, ticket, begin, end);
}

bool dls_loop_next(struct dls_loop *loop, unsigned worker, int64_t *begin, int64_t *end)
{
	return dls_loop_next_u64(loop, worker, (uint64_t *)begin, (uint64_t *)end);
}

int dls_loop_set_time(struct dls_loop *loop, double seconds)
{
	if (!loop || !(loop->flags & DLS_LOOP_VIRTUAL_TIME))
		return DLS_EINVAL;
	if (!(seconds >= 0 && seconds <= 1e9))
		return DLS_ERANGE;
	loop->clock = (uint64_t)(1e9 * seconds + 0.5);
	return 0;
}

int dls_loop_cancel(struct dls_loop *loop)
{
	bool going = false;

	if (!loop)
		return DLS_EINVAL;
	/* A cancel that comes after dls_loop_end() has set `stopped` must find that, and return DLS_EINVAL.
	 * relaxed: workers may see it a moment later. */
	if (atomic_compare_exchange_strong_explicit(&loop->stopped, &going, true, memory_order_relaxed, memory_order_relaxed))
		return 0;
	return running(loop) ? 0 : DLS_EINVAL;	/* 0: a second cancel; else the loop is not running */
}

/* Let the workers leave that have not: those that did not ask to the end, or never asked. */
static void end_measuring(struct dls_loop *loop)
{
	unsigned absent = 0;

	for (unsigned i = 0; i < loop->workers; i++) {
		struct worker *w = &loop->worker[i];

		if (w->execution == loop->execution)
			dls__work_share_drop(&w->cursor);
		else
			absent++;
	}
	if (absent)
		dls__observe_closed(&loop->share.measuring.execution);
}

int dls_loop_end(struct dls_loop *loop, uint64_t *iterations)
{
	static _Thread_local char mark;	/* its address is the thread's */
	uint64_t sum = 0;

	if (!loop || !running(loop))
		return DLS_EINVAL;
	if (dls__goes_through(&loop->share, DLS__FILTER_measure) && !loop->whole)
		end_measuring(loop);
	atomic_store_explicit(&loop->running, false, memory_order_relaxed);
	atomic_store_explicit(&loop->stopped, true, memory_order_relaxed);
	for (unsigned i = 0; i < loop->workers; i++)
		sum += loop->worker[i].execution == loop->execution ? loop->worker[i].handed : 0;
	if (loop->share.site)
		dls__statistics_count(&loop->share.site->statistics, sum, &mark);
	if (iterations)
		*iterations = sum;
	return 0;
}

void dls_loop_close(struct dls_loop *loop)
{
	if (!loop)
		return;
	dls_schedule_free(loop->schedule);
	dls__work_share_free(&loop->share);
	dls__site_free(loop->own_site);
	free(loop);
}
