/* observe.h - executions of loops, and the four functions by which lib/deal/measure.c tells of them.
 *
 * Only measured executions are reported.  All times are ns of one clock: dls__clock_now(), or the loop's own in virtual time. */
#ifndef LIB_OBSERVE_OBSERVE_H
#define LIB_OBSERVE_OBSERVE_H

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "dls/calc.h"
#include "dls/loop.h"
#include "lib/predict/profile.h"

struct dls_schedule;
struct dls__statistics;

/* Mean and deviation of the time of one iteration, from the times of chunks.
 *
 * Chunk i takes t_i for n_i iterations.  mean = sum t_i / sum n_i; the variance of an iteration is
 * sum n_i (t_i / n_i - mean)^2 / (count - 1), since the mean of n_i has the n_i-th part of it (West, CACM 22(9):532-535,
 * 1979, with weights n_i). */
struct dls__moments {
	double n, mean, m2;	/* sum n_i; s; sum n_i (t_i / n_i - mean)^2 */
	uint64_t count, trimmed;
};
void dls__moments_add(struct dls__moments *moments, uint64_t n, double seconds);
void dls__moments_merge(struct dls__moments *to, const struct dls__moments *from);

/* Count n iterations that took `each` s on average, even if the thread seems to have lost its processor. */
static inline void dls__moments_count(struct dls__moments *m, uint64_t n, double each)
{
	double k = (double)n, off = each - m->mean;

	m->n += k;
	m->mean += off * (k / m->n);
	m->m2 += k * off * (each - m->mean);
	m->count++;
}

/* Variance of one iteration's time; NAN: fewer than two chunks. */
static inline double dls__moments_variance(const struct dls__moments *m)
{
	return m->count > 1 ? m->m2 / (double)(m->count - 1) : NAN;
}

/* A chunk that has been run. */
struct dls__chunk_span {
	uint64_t asked, began, ended;	/* ns */
	uint64_t lo, n;
};

/* The chunks of one worker in one execution, for pictures. */
struct dls__log {
	struct dls__chunk_span *span;		/* NULL: not kept, or there was no memory */
	unsigned used, room;
	uint64_t every;		/* chunks in each span but the last, joined if room runs out; 0: no memory */
};

/* What is measured of one worker in one execution. */
struct dls__measurement {
	_Alignas(128) uint64_t execution;	/* number of the last one it came to */
	uint64_t came, finished;	/* when it first asked; when it learned that no chunk is left, 0: not yet */
	uint64_t freed;			/* when its thread left the previous measured loop; 0: none */
	uint64_t chunks, iterations, busy, dispatch;
	struct dls__moments moments;
	struct dls__chunk_span chunk;		/* in hand, then finished; n = 0: none */
	/* measure.c's own: */
	struct dls__chunk part;		/* the part of the chunk in hand that is not handed out yet */
	uint64_t untimed;		/* further chunks of the runtime, counted as the one in hand */
	uint64_t part_n, part_began;	/* ... iterations of each part; when the last one began */
	struct dls__moments parts;
	struct dls_learned memory;
	struct dls__worker_profile *profile;	/* NULL: not kept, or there was no memory */
	/* observe.c's own: */
	struct dls__log log;
};

struct dls__progress_count {
	_Atomic uint64_t done;		/* iterations of finished chunks */
	_Atomic uint64_t say;		/* when to print progress next, ns; UINT64_MAX: a worker is printing it */
};

/* One measured execution of a loop. */
struct dls__execution {
	/* The members that each worker reads, in one cache line. */
	struct dls__measurement *measurement;	/* of each worker */
	struct dls__progress_count *progress;	/* NULL: progress is not reported */
	unsigned workers;
	bool observed;			/* chunks and leaving workers are reported too */
	bool pictures, trace;		/* ... for pictures, for the trace */
	bool profile;			/* iterations' costs are kept by position */
	bool nowait;			/* a worker that has left does not wait for the others */

	uint64_t number, opened, n;	/* from 1; ns; iterations */
	struct dls__statistics *statistics;	/* of the site; NULL: it has none */
	const char *site;			/* its name */
	const struct dls_schedule *schedule;	/* the one asked for */
	const char *ran, *why;			/* what ran; why not as asked for, in words; NULL: as asked */
};

/* Whether a worker came.  One that never came counts as finished when the loop began. */
static inline bool dls__came(const struct dls__execution *e, unsigned worker)
{
	return e->measurement[worker].execution == e->number;
}

/* An execution begins.  All but its number is filled in. */
void dls__observe_opened(struct dls__execution *execution);

/* A worker has finished measurement[worker].chunk. */
void dls__observe_chunk(const struct dls__execution *execution, unsigned worker);

/* A worker has left: `finished` is set, and chunk.asked is when it asked and got no chunk. */
void dls__observe_left(const struct dls__execution *execution, unsigned worker);

/* All workers have left.  Called by one of them. */
void dls__observe_closed(const struct dls__execution *execution);

#endif
