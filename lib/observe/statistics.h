/* statistics.h - a site's statistics: the sums over its executions, and the figures that schedules have learned from them. */
#ifndef LIB_OBSERVE_STATISTICS_H
#define LIB_OBSERVE_STATISTICS_H

#include <pthread.h>
#include <stdatomic.h>

#include "dls/stats.h"
#include "lib/observe/observe.h"
#include "lib/schedule/schedule.h"

/* What a site has learned of one worker. */
struct dls__rates {
	_Alignas(128) _Atomic double rate;	/* by the recency-weighted rule of awf: iterations per s; 0: not known */
	_Atomic double last;			/* rate in the last execution in which it had iterations */
	_Atomic double steady;			/* mean of `last`, older ones fading; used by `rounds` */
	struct dls_learned memory;		/* awf's; guarded by the statistics' mutex */
};
enum { DLS__BLOCKS = 17 };	/* block b of the rates is of workers 2^b - 1 .. 2^(b+1) - 2 */

struct dls__rate_blocks {
	_Atomic(struct dls__rates *) block[DLS__BLOCKS];
};

struct dls__site_learned {
	_Atomic double moment[DLS__MOMENTS];	/* s; < 0: not known */
	_Atomic(struct dls__rate_blocks *) rates;	/* NULL: there are none yet */
};

/* Executions whose CHUNK, as asked for, exceeds N/P: not all workers can have an equal part. */
struct dls__coarse {
	uint64_t executions, chunk, n;	/* number; chunk and n of the one with the largest `without` */
	unsigned workers, without;	/* its workers, and those without iterations */
};

/* Sums over a site's executions under one schedule. */
struct dls__schedule_sums {
	struct dls__schedule_sums *next;
	uint64_t executions, last;	/* their number; number of the last one among all of the site */
	struct dls__taken taken;	/* executions with the last number of workers */
	uint64_t number;		/* of the parsed schedule that `asked` was printed from */
	struct dls__coarse coarse;
	const char *why;		/* why `calc` ran instead of `asked`, in words; NULL: it did not */
	char calc[32];			/* the calculator that ran */
	char asked[];			/* the schedule asked for, as printed */
};

/* The execution that took longest. */
struct dls__slowest {
	uint64_t execution, begin, wall, n;	/* its number, ns, ns, iterations */
	unsigned workers;			/* 0: there is none */
	const struct dls__schedule_sums *ran;
	bool nowait;				/* a worker that had left did not wait for the others */
	struct dls__stay {
		uint64_t came, left;		/* ns after begin; UINT64_MAX and 0: it never came */
	} *stay;				/* of each worker */
	struct dls__log *log;			/* of each worker */
};

/* Sums of times are whole numbers of ns, which a double holds exactly up to a hundred days. */
struct dls__worker_sums {
	uint64_t executions, chunks, iterations;
	double busy, dispatch, idle, late, finish;	/* ns */
	struct dls__speed speed;
};

struct dls__sums {
	uint64_t measured, chunks, iterations;
	uint64_t requests;		/* also those that got no chunk */
	double wall, busy, dispatch, idle, late;	/* ns */
	double longest, mean;		/* busy times, sums over executions, ns */
	double finish, saving;		/* mean finishing times, savings, sums over executions, ns */
	double cov;			/* sum over executions */
	bool nowait;			/* an execution had no barrier at its end */
	struct dls__moments moments;
	struct dls__taken alone;	/* of one worker */
	unsigned workers, room;		/* of the last execution; in `worker` */
	struct dls__worker_sums *worker;
	struct dls__schedule_sums *ran;	/* in the order in which they were first seen */
	struct dls__slowest slowest;	/* if pictures are wanted */
	struct dls__profile_sums *profile;	/* NULL: not kept, or no memory */
};

/* What is known of a site from its executions. */
struct dls__statistics {
	struct dls__site_learned learned;	/* first: see lib/site/site.h */
	_Atomic unsigned unprofiled;	/* how many of the next executions are not profiled */
	pthread_mutex_t mutex;
	struct dls__sums *sums;		/* of measured executions, NULL: there was none; guarded by the mutex */
	/* Counts of all executions, made by worker 0.  The first thread that counts has its own counts, which
	 * need no atomic addition. */
	const void *_Atomic first;
	struct dls__count {
		_Atomic uint64_t executions, iterations;
	} firsts, others;
};

void dls__statistics_init(struct dls__statistics *statistics);	/* all zeros so far */
void dls__statistics_free(struct dls__statistics *statistics);

/* In the child of a fork(): forget the sums if another thread was changing them. */
void dls__statistics_forked(struct dls__statistics *statistics);

/* Count an execution of so many iterations.  thread: an address that no other thread passes at this time. */
static inline void dls__statistics_count(struct dls__statistics *s, uint64_t iterations, const void *thread)
{
	/* relaxed, all: numbers alone; the thread that adds to the first counts is the only one. */
	const void *first = atomic_load_explicit(&s->first, memory_order_relaxed);

	if (first == thread ||
	    (!first && atomic_compare_exchange_strong_explicit(&s->first, &first, thread, memory_order_relaxed,
							       memory_order_relaxed))) {
		struct dls__count *c = &s->firsts;

		atomic_store_explicit(&c->executions, atomic_load_explicit(&c->executions, memory_order_relaxed) + 1,
				      memory_order_relaxed);
		atomic_store_explicit(&c->iterations, atomic_load_explicit(&c->iterations, memory_order_relaxed) + iterations,
				      memory_order_relaxed);
		return;
	}
	atomic_fetch_add_explicit(&s->others.iterations, iterations, memory_order_relaxed);
	atomic_fetch_add_explicit(&s->others.executions, 1, memory_order_relaxed);
}

/* Whether to profile the execution about to begin.  Of short ones only a few are profiled, since a profile
 * takes a microsecond. */
static inline bool dls__statistics_profiles(struct dls__statistics *s)
{
	/* relaxed, both: a number alone, which may well be wrong by one. */
	unsigned left = atomic_load_explicit(&s->unprofiled, memory_order_relaxed);

	if (left)
		atomic_store_explicit(&s->unprofiled, left - 1, memory_order_relaxed);
	return left == 0;
}

/* Executions counted so far. */
uint64_t dls__statistics_executions(struct dls__statistics *statistics);

/* A measured execution is over. */
void dls__statistics_add(struct dls__statistics *statistics, const struct dls__execution *execution);

void dls__statistics_read(struct dls__statistics *statistics, struct dls_stats *stats);
/* Read one worker's statistics; false: no measured execution had such a worker. */
bool dls__statistics_read_worker(struct dls__statistics *statistics, unsigned worker, struct dls_worker_stats *stats);

/* A site's sums, all zeros if nothing was measured.  Called under the mutex. */
const struct dls__sums *dls__statistics_sums(const struct dls__statistics *statistics);

void dls__slowest_free(struct dls__slowest *slowest);

/* learned.c */
void dls__learned_init(struct dls__site_learned *learned);
void dls__learned_free(struct dls__site_learned *learned);

/* A worker's rates; NULL: there are none yet or, with `make`, there is no memory. */
struct dls__rates *dls__rates(struct dls__site_learned *learned, unsigned worker, bool make);

/* Update the site's moments and dispatch time h (s; < 0: not known) from all executions; its workers' rates
 * from the last one. */
void dls__learn_moments(struct dls__site_learned *learned, const struct dls__moments *moments, double h);
void dls__learn_rates(struct dls__site_learned *learned, const struct dls__execution *execution);

#endif
