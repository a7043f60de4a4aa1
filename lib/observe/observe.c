/* observe.c - passes reports of executions on: to the trace, the pictures' logs, progress and the statistics. */
#include <stdlib.h>

#include "lib/observe/observe.h"
#include "lib/observe/progress.h"
#include "lib/observe/statistics.h"
#include "lib/observe/trace.h"

/* Add b, which comes after a, to it. */
static void join(struct dls__chunk_span *a, const struct dls__chunk_span *b)
{
	a->ended = b->ended;
	a->n += b->n;
}

/* Make room: join neighbours pairwise. */
static void halve(struct dls__log *log)
{
	log->used /= 2;
	log->every *= 2;
	for (unsigned i = 0; i < log->used; i++) {
		struct dls__chunk_span span = log->span[2 * i];

		join(&span, &log->span[2 * i + 1]);
		log->span[i] = span;
	}
}

/* Record a worker's k-th chunk, counted from 0. */
static void note(struct dls__log *log, const struct dls__chunk_span *chunk, uint64_t k)
{
	enum { ROOM = 4096 };		/* even */

	if (log->every && !log->span) {
		log->span = malloc(ROOM * sizeof(*log->span));
		log->room = log->span ? ROOM : 0;
		log->every = log->span ? log->every : 0;
	}
	if (!log->every)
		return;
	if (log->used == log->room && k % log->every == 0)
		halve(log);
	if (k % log->every == 0)
		log->span[log->used++] = *chunk;
	else
		join(&log->span[log->used - 1], chunk);
}

void dls__observe_opened(struct dls__execution *e)
{
	static _Atomic uint64_t executions;

	/* relaxed: a number that must only be new. */
	e->number = atomic_fetch_add_explicit(&executions, 1, memory_order_relaxed) + 1;
	if (!e->observed || !dls__progress_opened(e))
		e->progress = NULL;
}

void dls__observe_chunk(const struct dls__execution *e, unsigned worker)
{
	struct dls__measurement *w = &e->measurement[worker];

	if (e->trace)
		dls__trace_chunk(e, worker);
	if (e->pictures)
		note(&w->log, &w->chunk, w->chunks - 1);
	if (e->progress)
		dls__progress_chunk(e, &w->chunk);
}

void dls__observe_left(const struct dls__execution *e, unsigned worker)
{
	if (e->trace)
		dls__trace_left(e, worker);
}

void dls__observe_closed(const struct dls__execution *e)
{
	if (e->progress)
		dls__progress_closed(e);
	if (e->statistics)
		dls__statistics_add(e->statistics, e);
}
