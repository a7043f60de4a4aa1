/* burst.h - gamma-ray bursts: is a light curve more than a linear autoregression?  As objects of a repartitioning,
 * one for each dataset, of which the replications of a bootstrap test are the parallel loop.
 *
 * Banicescu & Carino, "Addressing the stochastic nature of scientific computations via dynamic loop scheduling",
 * ETNA 21:66-80, 2005, section 5: 555 datasets of 46 to 9037 observations, 400 to 1000 replications each.  The
 * model and its fit are those of Chen & Tsay, JASA 88:298-308, 1993, and Cai, Fan & Yao, JASA 95:941-956, 2000, for
 * d = 2 channels at once:
 *
 *	y_t = F(u_t) x_t + e_t,   x_t = (1, y_{t-1}),   u_t = mean of the channels of y_{t-2},   t = 2 .. n - 1
 *
 * F, d x q, is fitted at each u_t by least squares, linear in u - u_t, with Epanechnikov weights, over the
 * k = a (n - 2) responses whose u is nearest, a being chosen by generalised cross-validation.  Against it stands one F
 * for all t, a linear autoregression.  The test: T = RSS0 / RSS1 - 1, RSS1 being the functional fit's residual sum of
 * squares, from whose residuals the replications draw their errors; regressors are kept.
 *
 * u_t is of lag 2 because x_t has lag 1: there, 1, u and u - u_t would be dependent in each fit.  The mean of the
 * channels, as it is the less noisy and has fewer ties.
 *
 * Departures: the bursts are drawn from a seed, as fast-rise exponential-decay pulses (Norris et al., ApJ
 * 459:393-412, 1996) on a background of 20 counts; y = 2 sqrt(count + 3/8) has a variance near 1 (Anscombe,
 * Biometrika 35:246-254, 1948).
 *
 * Everything is summed in an order of its own and each replication has its own random numbers: results are the same
 * bits for every schedule and number of threads. */
#ifndef BURST_H
#define BURST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/apps/memory.h"
#include "dls/repart.h"

enum { BURST_CHANNELS = 2, BURST_REGRESSORS = 1 + BURST_CHANNELS };
enum { BURST_LAG = 2, BURST_LEAST = 40 };	/* observations without a response; fewest that are analysed */
enum { BURST_BLOCK = 8 };			/* replications that are one iteration of the parallel loop */
enum { BURST_LANES = BURST_BLOCK * BURST_CHANNELS };

/** Why an analysis fails: what burst_work() returns beside errors of the library, which are negative. */
enum burst_code { BURST_SHORT = 1, BURST_SINGULAR };

/** A light curve. */
struct burst {
	uint64_t seed;
	size_t n;				/* observations */
	double (*y)[BURST_CHANNELS];
};

/** Draw the sizes of datasets, log-normal between two ends, which are 6.1 standard deviations apart, in decreasing
 * order; both ends are among them, `high` alone if there is one dataset.  From 46 to 9037 the deviation of the
 * logarithm is 0.865.
 *
 * datasets at least 1; 0 < low <= high */
void burst_sizes(size_t datasets, int64_t low, int64_t high, uint64_t seed, int64_t *n);

/** Draw a light curve of n observations, at least 1; one that is a linear autoregression with errors of variance 1.
 * Return 0; DLS_ENOMEM. */
int burst_draw(struct burst *burst, size_t n, uint64_t seed);
int burst_draw_linear(struct burst *burst, size_t n, uint64_t seed);
void burst_free(struct burst *burst);

/** What came of an analysis. */
struct burst_result {
	double p;		/* of T under a constant F: (1 + exceeded) / (1 + replications) */
	double T, a;
	unsigned exceeded;	/* replications whose T is not below that of the data */
	uint64_t work;		/* multiply-adds, of the sums over neighbours */
};

/** Analyse a light curve; the group shares out the fits and the replications.
 *
 * part  NULL: the caller does it all
 *
 * Returns 0; BURST_SHORT fewer than BURST_LEAST observations; BURST_SINGULAR a regression has no single solution;
 * DLS_ENOMEM.  The result is written if it returns 0. */
int burst_analyse(const struct burst *burst, unsigned replications, struct dls_part *part, struct burst_result *result);

/** Datasets 0 .. datasets - 1, in order of falling size. */
struct burst_set {
	size_t datasets;
	int64_t *n;			/* their weights */
	struct burst *burst;
};

/** Draw them, sizes as by burst_sizes().  Returns 0; DLS_ENOMEM. */
int burst_open(struct burst_set *set, size_t datasets, int64_t low, int64_t high, uint64_t seed);
void burst_close(struct burst_set *set);

/** Work on an object, for struct dls_repart_desc: analyse a dataset; arg is a struct burst_sweep. */
struct burst_sweep {
	const struct burst_set *set;
	unsigned replications;
	struct burst_result *result;	/* of each dataset */
};
int burst_work(struct dls_part *part, size_t object, void *arg);

/** Analyse all datasets, with each number of replications after the other, keeping the partition.
 *
 * desc    of the machine; objects, weight and work are filled in
 * sweep   of each number of replications, what it came to
 * result  of each number, of each dataset; those that fail are all 0
 *
 * Returns 0, also if analyses fail; or an error of the library. */
int burst_run(const struct burst_set *set, const struct dls_repart_desc *desc, const unsigned *replications, size_t sweeps,
	      struct dls_sweep_result *sweep, struct burst_result *result);

/** The parts of an analysis. */

/** Draw a normal number with mean 0 and variance 1; a count from Poisson's distribution. */
double burst_normal(uint64_t *state);
unsigned burst_poisson(double mean, uint64_t *state);

/** The shares of the responses that can be neighbours: cross-validation chooses one. */
enum { BURST_SHARES = 5 };
extern const double burst_share[BURST_SHARES];

/** The regressions of a light curve, its observations in order of u. */
struct burst_fit {
	struct memory memory;
	size_t n;					/* responses */
	double *u;
	double (*x)[BURST_REGRESSORS];			/* transformed so that X'X = n I: neither F's fit nor its residuals change */
	double (*e)[BURST_CHANNELS];			/* residuals of a constant F */
	double (*xx)[BURST_REGRESSORS * (BURST_REGRESSORS + 1) / 2];	/* products of x with itself */
};

/** A response: its u and its time; all of a light curve in order of u, malloc'ed; NULL: there is no memory. */
struct burst_response {
	double u;
	size_t t;
};
struct burst_response *burst_fit_order(const struct burst *burst);

/** Take a light curve apart.  Returns as burst_analyse() does. */
int burst_fit_open(struct burst_fit *fit, const struct burst *burst);
void burst_fit_close(struct burst_fit *fit);

/** First of the k responses nearest to response t in u; `from`: that of an earlier t, or 0. */
size_t burst_fit_nearest(const struct burst_fit *fit, size_t t, size_t k, size_t from);

/** The row of I - S for response t: e_t less its fit, as weights of the responses first .. first + k - 1; returns
 * whether the fit has one solution.  The multiply-adds of a row are k BURST_FIT_WORK. */
bool burst_fit_row(const struct burst_fit *fit, size_t t, size_t first, size_t k, double *row);
enum { BURST_FIT_WORK = 3 * BURST_REGRESSORS * (BURST_REGRESSORS + 1) / 2 + 2 * BURST_REGRESSORS };

/** The rows of I - S of all responses, k values each, that of response t from its value for response first[t] on. */
struct burst_band {
	size_t k, *first;
	double *row;
};

/** Responses of a block of replications, or residuals: each channel of each replication is a lane. */
typedef double burst_lanes[BURST_LANES];

/** Draw the errors of replication r: residuals of n responses, both channels of a time together.  They are its responses too:
 * neither a constant F added to them nor their mean taken off would change the residuals of either fit. */
void burst_draw_errors(uint64_t seed, const double (*residual)[BURST_CHANNELS], size_t n, uint64_t r, burst_lanes *e, size_t lane);

/** Sums of squares of the residuals of each lane, e[t] being the responses in order of u: of a constant F; of the
 * functional one. */
void burst_rss_constant(const struct burst_fit *fit, const burst_lanes *e, burst_lanes rss);
void burst_rss_functional(const struct burst_fit *fit, const struct burst_band *band, const burst_lanes *e, burst_lanes rss);

/** Solve M x = b for a symmetric positive definite M of `size` rows, given its lower half, which is overwritten; b
 * becomes x. Returns whether M is that, to 10 digits. */
bool burst_solve(size_t size, double M[][2 * BURST_REGRESSORS], double *b);

#endif
