/* wlr93.h - the artificial load of Willebeek-LeMair and Reeves 1993, and a machine that balances it.
 *
 * M. H. Willebeek-LeMair, A. P. Reeves, Strategies for dynamic load balancing on highly parallel computers, IEEE Trans.
 * Parallel and Distributed Systems 4(9):979-993, 1993; section V-A. */
#ifndef WLR93_H
#define WLR93_H

#include "bench/paper/paper.h"
#include "dls/machine.h"

/* Uniform from 1 to n, n far below 2^32. */
uint64_t wlr93_uniform(uint64_t *state, uint64_t n);

/* The machine of Table IV. */
enum { WLR93_N = 32, WLR93_G = 100 };

/* A run to be. */
struct wlr93_case {
	const char *strategy;		/* as for struct dls_machine_desc ... */
	const char *net;		/* ... NULL: hypercube */
	const char *costs;		/* ... NULL: ipsc2 */
	unsigned processors;		/* N; 0: WLR93_N */
	unsigned tasks;			/* g, of each processor; 0: WLR93_G */
	bool spike;			/* all of them on processor 0 */
};

/* What it came to. */
struct wlr93_run {
	double t_opt, t_nobal, t_bal;	/* s; the first two without polling */
	double ratio;			/* t_bal / t_opt */
	double pi;			/* normalized performance, eq. 36 */
	double speedup;			/* t_nobal / t_bal */
	double polling, overhead;	/* parts of the processors' time up to t_bal */
	double idle;			/* held or idle, likewise */
	double transfers, messages;	/* tasks sent; the strategy's messages */
	double busiest;			/* messages that one processor sent or received, the most of any */
	double kind[DLS_KINDS_MAX];	/* messages of each kind */
	double counter[DLS_COUNTERS_MAX];	/* the strategy's */
};

/* Run it; the program ends if a task is lost or run twice. */
void wlr93_run(const struct wlr93_case *one, uint64_t seed, struct wlr93_run *run);

/* Run all cases under all seeds of the command line; returns the run of case c under the k-th seed at c * paper.seeds + k,
 * malloc'ed. */
struct wlr93_run *wlr93_runs(const struct wlr93_case *cases, size_t n);

/* Means over the seeds of one case, member by member: of the runs at `run`. */
struct wlr93_run wlr93_mean(const struct wlr93_run *run);

/* The part of the seeds under which the first case is faster than the second. */
double wlr93_faster(const struct wlr93_run *run, const struct wlr93_run *than);

/* Messages of one kind, and one counter, of a run under a strategy, by name; NAN: the strategy has none such. */
double wlr93_kind(const struct wlr93_run *run, const char *strategy, const char *kind);
double wlr93_counter(const struct wlr93_run *run, const char *strategy, const char *counter);

/* Strategies side by side, where something is varied: `rows` x `strategies` cases. */
struct wlr93_table {
	const char *key;		/* what is varied: head of its column */
	size_t rows, strategies;
	const struct wlr93_case *cases;	/* without a strategy: not run */
	const char *const *label;	/* of each row ... */
	const double *x;		/* ... and its place in a plot */
	struct wlr93_run *mean;		/* set by wlr93_table(), to be freed */
};
/* Run and print it, with the optimum after the strategies. */
void wlr93_table(struct wlr93_table *table);
/* The means of a case; those of the optimum come after the last strategy. */
const struct wlr93_run *wlr93_at(const struct wlr93_table *table, size_t row, size_t strategy);
/* Plot a member of struct wlr93_run over x; `colours` as for paper_plot(). */
void wlr93_plot(const struct wlr93_table *table, const char *title, const char *y_label, size_t member, size_t colours);

/* Whether the run repeats, bit by bit. */
bool wlr93_same(const struct wlr93_case *one, uint64_t seed, const struct wlr93_run *run);

#endif
