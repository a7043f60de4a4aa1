/* observe.c - who is told what: the trace, the pictures' logs, progress. */
#include <stdlib.h>

#include "lib/loop/deal.h"
#include "lib/observe/progress.h"
#include "lib/observe/trace.h"

/* Add b, which comes after a, to it. */
static void join(struct dls__span *a, const struct dls__span *b)
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
		struct dls__span span = log->span[2 * i];

		join(&span, &log->span[2 * i + 1]);
		log->span[i] = span;
	}
}

/* Note a worker's k-th chunk, from 0. */
static void note(struct dls__log *log, const struct dls__span *chunk, uint64_t k)
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

void dls__observe_chunk(const struct dls__deal *d, unsigned worker, struct dls__watch *w)
{
	if (d->trace)
		dls__trace_chunk(d, worker, &w->chunk);
	if (d->pictures)
		note(&w->log, &w->chunk, w->chunks - 1);
}

void dls__observe_start(struct dls__deal *d, const struct dls__watch *w)
{
	dls__progress_start(d, w);
}

void dls__observe_finish(const struct dls__deal *d, unsigned worker, const struct dls__watch *w, uint64_t asked)
{
	if (d->trace)
		dls__trace_finish(d, worker, w, asked);
}
