/* aroma.h - the applications of Nishikawa and Steenkiste 1993, and machines that balance them.
 *
 * H. Nishikawa, P. Steenkiste, A general architecture for load balancing in a distributed-memory environment, Proc. 13th Int.
 * Conf. on Distributed Computing Systems (ICDCS), 1993; section 5. */
#ifndef AROMA_H
#define AROMA_H

#include "bench/paper/paper.h"

enum { AROMA_MM, AROMA_PRIME, AROMA_POISSON, AROMA_LA, AROMA_APPS };

/* The most nodes of a machine. */
enum { AROMA_NODES = 5 };

/* An application, and what it takes on one node, s: of a Sun 4/330, and of a Sun 4/110. */
struct aroma_app {
	const char *name;
	double T_fast, T_slow;
};
extern const struct aroma_app aroma_app[AROMA_APPS];

/* What to run. */
struct aroma_case {
	unsigned app, nodes;
	bool slow;		/* node 0 is a Sun 4/110; all others are 4/330 */
	const char *policy;	/* of the application's tasks; "none": no balancing; NULL: its default */
	double jitter;		/* tasks take 1 - jitter to 1 + jitter of their times, by the seed */
};

/* What it came to. */
struct aroma_run {
	double T;		/* end of the last task, s */
	double optimal, ratio;	/* 1 / sum(1 / T_seq), s: no communication or balancing; T / optimal */
	double tasks;		/* run */
	double moved;		/* tasks, each as often as it moved; no fields from the scheduler */
	double statuses;	/* messages that tell what a node has done */
	double moves;		/* of tasks from node to node, each of one or more */
	double messages;	/* of the balancer, statuses and moves included */
	double node[AROMA_NODES];	/* tasks run on each */
};

/* How many of so many equal tasks node i runs in the optimal time. */
double aroma_share(const struct aroma_case *one, unsigned i, double tasks);

/* Run all cases: those with jitter under all seeds of the command line.  Returns the means; the program ends if a
 * task is lost or runs twice, or a result is not the serial one. */
struct aroma_run *aroma_runs(const struct aroma_case *cases, size_t n);

/* Why figures do not agree. */
#define AROMA_COSTS "these machines do not have all of the paper's communication and memory traffic"

#endif
