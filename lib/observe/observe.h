/* observe.h - what was measured of executions, and who is told.
 *
 * lib/loop/measure.c takes the times; it tells of chunks, of workers that have finished, and of executions that are over.
 * All times are ns of one clock: dls__clock_now(), or the loop's own in virtual time. */
#ifndef LIB_OBSERVE_OBSERVE_H
#define LIB_OBSERVE_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "dls/loop.h"
#include "dls/stats.h"

struct dls__deal;
struct dls__site;

/* Mean and deviation of the time of one iteration, from times of several at once: chunk i takes t_i for n_i of them.
 * mean = sum t_i / sum n_i; the variance of an iteration is sum n_i (t_i / n_i - mean)^2 / (count - 1), since the mean of
 * n_i has the n_i-th part of it (West, CACM 22(9):532-535, 1979, with weights n_i). */
struct dls__moments {
	double n, mean, m2;	/* sum n_i; s; sum n_i (t_i / n_i - mean)^2 */
	uint64_t count, trimmed;
};
void dls__moments_add(struct dls__moments *moments, uint64_t n, double seconds);
void dls__moments_merge(struct dls__moments *to, const struct dls__moments *from);
double dls__moments_variance(const struct dls__moments *moments);	/* NAN: fewer than two chunks */

/* A chunk that has been run. */
struct dls__span {
	uint64_t asked, began, ended;	/* ns */
	uint64_t lo, n;
};

/* The chunks of one worker in one execution, for pictures. */
struct dls__log {
	struct dls__span *span;		/* NULL: not kept, or there was no memory */
	unsigned used, room;
	uint64_t every;		/* chunks in one span, but for the last; neighbours are joined when room runs out; 0: there was no
				 * memory for one */
};

/* What one worker has done in one execution. */
struct dls__watch {
	_Alignas(128) uint64_t execution;	/* number of the last one it came to */
	uint64_t came, finished;	/* first asked; was told that there is no more; 0: was not yet */
	uint64_t freed;			/* when its thread had left the measured loop before this one; 0: none */
	uint64_t chunks, iterations, busy, dispatch;
	struct dls__moments moments;
	struct dls__span chunk;		/* in hand; n = 0: none */
	struct dls__chunk part;		/* ... what is left of it to be handed out */
	uint64_t part_n, part_began;	/* ... iterations of each part; when the last one began */
	struct dls__moments parts;
	struct dls_memory memory;
	double told[2];			/* its figures as they are in the sums */
	bool has_told;			/* they are there */
	struct dls__log log;
};

/* Who wants to be told, by the environment. */
struct dls__observers {
	bool report, pictures, trace, progress;
};
const struct dls__observers *dls__observers(void);

/* A worker has finished w->chunk. */
void dls__observe_chunk(const struct dls__deal *deal, unsigned worker, struct dls__watch *w);

/* A worker has got w->chunk. */
void dls__observe_start(struct dls__deal *deal, const struct dls__watch *w);

/* A worker has left: w->finished is set; `asked` is when it asked in vain. */
void dls__observe_finish(const struct dls__deal *deal, unsigned worker, const struct dls__watch *w, uint64_t asked);

/* All workers have left, and the deal is still as it was.  Called by one of them. */
void dls__observe_execution(struct dls__deal *deal);

#endif
