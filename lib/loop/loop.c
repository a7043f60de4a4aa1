/* loop.c - loops by call: one deal, and a cursor for each worker. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dls/loop.h"
#include "dls/omp.h"
#include "lib/loop/deal.h"

struct worker {
	_Alignas(DLS__APART) uint64_t execution;	/* that the cursor has joined */
	uint64_t handed;				/* iterations, since the start */
	struct dls__cursor cursor;
};

struct dls_loop {
	struct dls__deal deal;
	uint64_t execution;		/* number of the one that runs or ran last */
	bool running;
	unsigned workers, flags;
	uint64_t begin, end, step, n;	/* begin and end as bits */
	struct dls_site *site;		/* NULL: none but the environment */
	struct dls_schedule *schedule;	/* own; NULL: the site's */
	double moment[DLS__MOMENTS];	/* < 0: not told */
	struct worker worker[];
};

int dls_loop_open(struct dls_loop **result, unsigned workers, struct dls_site *site, unsigned flags)
{
	struct dls_loop *loop;
	size_t size = sizeof(*loop) + workers * sizeof(loop->worker[0]);

	if (!result || flags & ~(unsigned)DLS_EVERY_CHUNK)
		return DLS_EINVAL;
	if (workers == 0 || workers > DLS_WORKERS_MAX)
		return DLS_ERANGE;
	loop = aligned_alloc(DLS__APART, size);
	if (!loop)
		return DLS_ENOMEM;
	memset(loop, 0, size);
	loop->workers = workers;
	loop->flags = flags;
	loop->site = site;
	for (int i = 0; i < DLS__MOMENTS; i++)
		loop->moment[i] = -1;
	*result = loop;
	return 0;
}

int dls_loop_schedule(struct dls_loop *loop, const char *text)
{
	struct dls_schedule *schedule = NULL;

	if (!loop)
		return DLS_EINVAL;
	if (loop->running)
		return DLS_EBUSY;
	if (text) {
		int code = dls_schedule_parse(&schedule, text, NULL);

		if (code)
			return code;
	}
	dls_schedule_free(loop->schedule);
	loop->schedule = schedule;
	return 0;
}

int dls_loop_moments(struct dls_loop *loop, double mu, double sigma)
{
	if (!loop)
		return DLS_EINVAL;
	if (!isfinite(mu) || !(mu > 0) || !isfinite(sigma) || !(sigma >= 0))
		return DLS_ERANGE;
	if (loop->running)
		return DLS_EBUSY;
	loop->moment[DLS__MU] = mu;
	loop->moment[DLS__SIGMA] = sigma;
	return 0;
}

int dls_loop_overhead(struct dls_loop *loop, double h)
{
	if (!loop)
		return DLS_EINVAL;
	if (!isfinite(h) || !(h >= 0))
		return DLS_ERANGE;
	if (loop->running)
		return DLS_EBUSY;
	loop->moment[DLS__H] = h;
	return 0;
}

static int start(struct dls_loop *loop, bool up, bool down, uint64_t begin, uint64_t end, int64_t step)
{
	if (!loop || step == 0)
		return DLS_EINVAL;
	if (loop->running)
		return DLS_EBUSY;

	uint64_t n = dls__count(up, down, begin, end, step);
	struct dls__wish wish = {
		.site = loop->site ? dls__site(loop->site, NULL) : NULL,
		.schedule = loop->schedule, .moment = loop->moment,
	};

	if (!dls__deal_open(&loop->deal, &wish, n, loop->workers))
		return DLS_ENOMEM;
	loop->begin = begin;
	loop->end = end;
	loop->step = (uint64_t)step;
	loop->n = n;
	loop->execution++;
	loop->running = true;
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

static void join(struct dls_loop *loop, struct worker *w)
{
	struct dls__cursor *c = &w->cursor;

	w->execution = loop->execution;
	w->handed = 0;
	c->N = loop->n;
	c->worker = (unsigned)(w - loop->worker);
	c->workers = loop->workers;
	c->leave = NULL;
	if (loop->workers == 1 && !(loop->flags & DLS_EVERY_CHUNK))
		dls__take_all(c);
	else
		dls__deal_join(c, &loop->deal);
}

bool dls_loop_next_u64(struct dls_loop *loop, unsigned worker, uint64_t *begin, uint64_t *end)
{
	if (!loop->running || worker >= loop->workers)
		return false;

	struct worker *w = &loop->worker[worker];
	struct dls__cursor *c = &w->cursor;

	if (w->execution != loop->execution)
		join(loop, w);
	if (!c->take(c))
		return false;

	uint64_t past = c->lo + c->n;

	w->handed += c->n;
	*begin = loop->begin + c->lo * loop->step;
	*end = past < loop->n ? loop->begin + past * loop->step : loop->end;
	return true;
}

bool dls_loop_next(struct dls_loop *loop, unsigned worker, int64_t *begin, int64_t *end)
{
	uint64_t b, e;

	if (!dls_loop_next_u64(loop, worker, &b, &e))
		return false;
	*begin = (int64_t)b;
	*end = (int64_t)e;
	return true;
}

int dls_loop_end(struct dls_loop *loop, uint64_t *iterations)
{
	uint64_t sum = 0;

	if (!loop || !loop->running)
		return DLS_EINVAL;
	loop->running = false;
	for (unsigned i = 0; iterations && i < loop->workers; i++)
		sum += loop->worker[i].execution == loop->execution ? loop->worker[i].handed : 0;
	if (iterations)
		*iterations = sum;
	return 0;
}

void dls_loop_close(struct dls_loop *loop)
{
	if (!loop)
		return;
	dls_schedule_free(loop->schedule);
	free(loop->deal.range);
	free(loop);
}
