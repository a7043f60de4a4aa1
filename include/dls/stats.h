/* dls/stats.h - statistics of a site's executions, the measures of balance, the report, progress.
 *
 * Executions and iterations of a site are always counted.  Times are taken only if they are needed: under DLS_REPORT, DLS_TRACE
 * or DLS_PROGRESS, by a schedule that learns or lacks mu, sigma or h, in virtual time, and after dls_site_set_measured().  That
 * costs two clock readings a chunk, and one for each of af's parts; otherwise a chunk costs nothing more. */
#ifndef DLS_STATS_H
#define DLS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"

DLS__C_BEGIN

struct dls_site;

/** A site's executions so far.  Times are seconds.
 *
 * With chunk i taking t_i for n_i iterations, and m chunks, mu = sum t_i / sum n_i and sigma^2 = (sum of n_i (t_i / n_i - mu)^2) /
 * (m - 1).  sigma is the deviation of single iterations if their times are independent. */
struct dls_stats {
	size_t size;		/* sizeof(struct dls_stats) */
	uint64_t executions, iterations;	/* all of them */
	uint64_t measured;	/* executions whose times were taken; all members below are of these only */
	uint64_t chunks, measured_iterations;
	unsigned workers;	/* of the last measured execution */
	double wall;		/* from the first request to the last worker's end, summed over executions */
	double busy, dispatch, idle;	/* of all workers: in iterations; in requests; after they left */
	double late;		/* of all workers: before they came */
	double finish;		/* finishing time since the execution's begin, mean over workers and executions */
	double imbalance;	/* per cent: sums over executions, 100 (longest / mean busy time - 1) */
	double cov;		/* of the workers' finishing times, mean of the executions */
	double efficiency;	/* sums over executions, mean / longest busy time */
	double saving;		/* s by which wall would shrink if all workers had finished at the mean time,
				 * but not before the last one began; at most the longest busy time */
	double mu, sigma, h;	/* time of an iteration, mean and deviation, once two chunks have been timed; of a dispatch, mean; NAN: not
				 * known */
	uint64_t trimmed;	/* chunks left out of mu and sigma: they took longer than n mu by more than six deviations and more than a
				 * millisecond, after the first eight chunks; their threads must have lost their processors */
};

/** One worker's part in a site's statistics. */
struct dls_worker_stats {
	size_t size;		/* sizeof(struct dls_worker_stats) */
	uint64_t chunks, iterations;
	double busy, dispatch, idle, late;	/* seconds, sums */
	double finish;			/* seconds after the execution's begin, mean */
};

/** The library's clock, by which executions are measured: ns since its first reading.
 *
 * The time-stamp counter if the kernel uses it as its clock; else, and in the first five milliseconds, CLOCK_MONOTONIC.  Threads: any. */
DLS_API uint64_t dls_clock(void);

/** Get a site's statistics.
 *
 * Returns 0; DLS_EINVAL; DLS_ENOMEM.  Threads: any; executions under way are not in it. */
DLS_API int dls_site_stats(struct dls_site *site, struct dls_stats *stats);

/** Get the statistics of one of the site's workers.
 *
 * Returns 0; DLS_EINVAL; DLS_ERANGE if no measured execution had such a worker; DLS_ENOMEM.  Threads: any. */
DLS_API int dls_site_worker_stats(struct dls_site *site, unsigned worker, struct dls_worker_stats *stats);

/** Measure a site's executions from the next one on; false: stop, unless something else needs the times.
 *
 * Static blocks are measured in regions opened afterwards; in plain regions see dls_for(3).
 * Returns 0; DLS_EINVAL; DLS_ENOMEM.  Threads: any. */
DLS_API int dls_site_set_measured(struct dls_site *site, bool on);

/** Percent imbalance: 100 (largest / mean - 1), 0 if all are equal.  NAN: n is 0 or the mean not above 0.
 *
 * Source: Pearce, Gamblin, de Supinski, Schulz, Amato, "Quantifying the effectiveness of load balance algorithms",
 * ICS 2012, pp. 185-194. */
DLS_API double dls_percent_imbalance(const double *time, size_t n);

/** Coefficient of variation: standard deviation (of all n, not n - 1) by mean.  NAN as above.
 *
 * Source: of finishing times: Hummel 1992. */
DLS_API double dls_cov(const double *time, size_t n);

/** Normalized performance Pi of a strategy: (t_nobal - t_bal) / (t_nobal - t_opt), 0 as slow as without balancing, 1 at
 * the optimum, below 0 slower than without.  NAN: t_nobal == t_opt.
 *
 * t_nobal  time without balancing
 * t_bal    time with it
 * t_opt    the same work divided evenly, at no cost
 *
 * Source: Willebeek-LeMair & Reeves, "Strategies for dynamic load balancing on highly parallel computers", IEEE TPDS
 * 4(9):979-993, 1993, eq. 36. */
DLS_API double dls_normalized_performance(double t_nobal, double t_bal, double t_opt);

/** Write the report on all sites so far, as DLS_REPORT does at the end of the program.
 *
 * file   NAME.txt, NAME.csv, NAME.json or NAME.html; "stderr" or "stdout", as text; "csv" or "json", on stdout.  A per cent sign stands for
 *	  itself.  dls(7) describes the formats, and how files are written
 *
 * Executions that began before measuring was requested have no times.
 * Returns 0; DLS_EINVAL another name; DLS_EIO if it cannot be written: errno says why, and a regular file is unchanged.
 * Threads: any. */
DLS_API int dls_report(const char *file);

/** How far a loop under way has come. */
struct dls_progress {
	const char *site, *schedule;	/* schedule: as it runs; lasts until the function returns */
	uint64_t done, total;	/* iterations: of finished chunks, of the loop */
	double elapsed, left;	/* seconds since its begin; until its end, at the mean rate so far */
};

/** Have a function called while long loops run.
 *
 * call      NULL: no longer
 * seconds   between two calls for one loop, and from its begin to the first; 0.001 to 1e6
 *
 * When the time has come, the next worker that finishes a chunk calls the function, one worker at a time; the
 * function must not open loops.  The setting takes effect for loops that begin later, and for static blocks
 * in regions opened later; a call that has begun may end after dls_set_progress() returns.
 * Returns 0; DLS_ERANGE.  Threads: any. */
DLS_API int dls_set_progress(void (*call)(const struct dls_progress *progress, void *arg), void *arg,
			     double seconds);

DLS__C_END

#endif
