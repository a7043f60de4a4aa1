/* statistics.h - what a site's executions came to. */
#ifndef LIB_OBSERVE_STATISTICS_H
#define LIB_OBSERVE_STATISTICS_H

#include <pthread.h>

#include "dls/stats.h"
#include "lib/observe/learned.h"

/* A schedule that a site ran under. */
struct dls__ran {
	struct dls__ran *next;
	uint64_t executions;
	const char *why;		/* it ran in place of the one asked for, in words; NULL: it is that one */
	char calc[32];			/* what really ran */
	char asked[];			/* the schedule as printed */
};

/* The execution that took longest. */
struct dls__slowest {
	uint64_t execution, begin, wall, n;	/* its number, ns, ns, iterations */
	unsigned workers;			/* 0: there is none */
	const struct dls__ran *ran;
	bool nowait;				/* who had left did not wait for the others */
	struct dls__stay {
		uint64_t came, left;		/* ns after begin; of who never came UINT64_MAX and 0 */
	} *stay;				/* of each worker */
	struct dls__log *log;			/* of each worker */
};

/* Sums of times are whole numbers of ns, which a double holds exactly up to a hundred days. */
struct dls__worker_sums {
	uint64_t executions, chunks, iterations;
	double busy, dispatch, idle, late, finish;	/* ns */
};

struct dls__sums {
	uint64_t measured, chunks, iterations, trimmed;
	uint64_t requests;		/* also those in vain */
	double wall, busy, dispatch, idle, late;	/* ns */
	double longest, mean;		/* busy times, sums over executions, ns */
	double finish, saving;		/* mean finishing times, savings, sums over executions, ns */
	double cov;			/* sum over executions */
	struct dls__moments moments;
	unsigned workers, room;		/* of the last execution; in `worker` */
	struct dls__worker_sums *worker;
	struct dls__ran *ran;		/* in the order in which they were first seen */
	struct dls__slowest slowest;	/* if pictures are wanted */
};

/* What is known of a site from its executions. */
struct dls__statistics {
	struct dls__learned learned;
	pthread_mutex_t mutex;
	struct dls__sums sums;		/* of measured executions; guarded by the mutex */
	_Alignas(128) _Atomic uint64_t executions, iterations;	/* all; counted by whoever is worker 0 */
};

void dls__statistics_init(struct dls__statistics *statistics);	/* all zeros so far */
void dls__statistics_free(struct dls__statistics *statistics);

/* In the child of a fork(): forget the sums if another thread was changing them. */
void dls__statistics_forked(struct dls__statistics *statistics);

/* An execution is over. */
void dls__statistics_add(struct dls__statistics *statistics, const struct dls__execution *execution);

void dls__statistics_read(struct dls__statistics *statistics, struct dls_stats *stats);
/* False: no measured execution had such a worker. */
bool dls__statistics_read_worker(struct dls__statistics *statistics, unsigned worker, struct dls_worker_stats *stats);

void dls__slowest_free(struct dls__slowest *slowest);

#endif
