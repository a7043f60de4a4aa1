/* statistics.h - what a site's measured executions came to, and the report on all sites. */
#ifndef LIB_OBSERVE_STATISTICS_H
#define LIB_OBSERVE_STATISTICS_H

#include <pthread.h>

#include "lib/observe/observe.h"
#include "lib/observe/output.h"

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

struct dls__statistics {
	pthread_mutex_t mutex;		/* guards all */
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

/* The statistics of a site, made at the first call; NULL: there is no memory. */
struct dls__statistics *dls__statistics(struct dls__site *site);

/* In the child of a fork(): forget them if another thread was changing them. */
void dls__statistics_forked(struct dls__site *site);

void dls__statistics_free(struct dls__statistics *statistics);	/* NULL does nothing */

/* Write the report; the format follows from the name, which dls__report_known() has found right.  out: NULL for "stderr".
 * Returns 0 or an errno. */
int dls__report_write(const char *file, struct dls__output *out);
/* Whether a name has a format. */
bool dls__report_known(const char *file);

#endif
