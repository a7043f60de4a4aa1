/* repart.h - the analysis of 555 datasets by groups of processors, between which a scheduler moves datasets.
 *
 * I. Banicescu, R. L. Carino, Addressing the stochastic nature of scientific computations via dynamic loop scheduling,
 * Electronic Transactions on Numerical Analysis 21:66-80, 2005; sections 4 and 5. */
#ifndef PAPER_REPART_H
#define PAPER_REPART_H

#include "bench/paper/paper.h"

/* Four loops over the datasets, one for each value of `parameter`. */
enum { REPART_DATASETS = 555, REPART_LOOPS = 4 };
extern const unsigned repart_parameter[REPART_LOOPS];

/* The job: 64 processors in racks 2, 4 and 5, one of them the scheduler, in the last rack; groups of at most 16. */
enum { REPART_P = 64, REPART_WORKERS = REPART_P - 1, REPART_RACKS = 3, REPART_SCHEDULER_RACK = 2, REPART_LIMIT = 16,
       REPART_GROUPS = 4 };

/* What calculators are told of a loop beforehand: nothing; or the mean and deviation of an observation's time
 * on 16 processors, and the time h of a scheduling event: the time of its two messages, or the mean wait for
 * an owner, half a dataset's time, since owners answer between two datasets. */
enum repart_told { REPART_NOTHING, REPART_MESSAGES, REPART_WAIT };

/* What to run: four loops, each with the partition that the one before left. */
struct repart_case {
	const char *schedule;	/* as for struct dls_repart_desc */
	enum repart_told told;
	unsigned regroup;	/* as there; 0: groups stay as they are */
};

/* What a loop of it came to. */
struct repart_loop {
	double time;		/* T_P, s */
	double efficiency;	/* over all processors */
	double efficiency_63;	/* over those that work */
	double moved;		/* datasets that have another owner than before the loop */
	double moved_weight;	/* observations in these datasets */
	double exchanged;	/* processors that changed to another group before the loop */
};

/* A processor after the first loop. */
struct repart_processor {
	double group;
	double datasets;	/* it owns */
	double work;		/* s, in the analysis */
};

struct repart_run {
	struct repart_loop loop[REPART_LOOPS];
	struct repart_processor processor[REPART_P];	/* the scheduler's own is all 0 */
};

/* Draw the sizes of the datasets, in observations, the largest first. */
void repart_sizes(uint64_t seed, int64_t size[REPART_DATASETS]);

/* Run all cases under all seeds of the command line.  Returns the runs, those of one case side by side; the program
 * ends if a dataset is lost or analysed twice. */
struct repart_run *repart_runs(const struct repart_case *cases, size_t n);

/* A member of struct repart_loop over the runs of a case: its median, least and most. */
#define REPART_SPREAD(runs, l, member) paper_spread(runs, sizeof(struct repart_run), offsetof(struct repart_run, loop[l].member))
#define REPART_DEVIATION(runs, l, member) paper_deviation_of(runs, sizeof(struct repart_run), offsetof(struct repart_run, loop[l].member))
#define REPART_MEDIAN(runs, l, member) REPART_SPREAD(runs, l, member).median

/* The schemes of Table 5.1. */
enum { REPART_STAT, REPART_MFSC, REPART_GSS, REPART_AWFC, REPART_SCHEMES };
struct repart_theirs {
	const char *name, *schedule;
	const char *calc;	/* of the schedule; NULL: none */
	double moved[REPART_LOOPS], efficiency[REPART_LOOPS];
};
extern const struct repart_theirs repart_theirs[REPART_SCHEMES];

#endif
