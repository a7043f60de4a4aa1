/* rips.h - the applications of Shu and Wu 1996, and a machine that balances them.
 *
 * W. Shu, M.-Y. Wu, Runtime incremental parallel scheduling (RIPS) on distributed memory computers, IEEE Trans. Parallel
 * Distrib. Syst. 7(6):637-649, 1996; section 5. */
#ifndef RIPS_H
#define RIPS_H

#include <stddef.h>

#include "bench/apps/puzzle.h"
#include "bench/apps/tree.h"
#include "bench/paper/paper.h"

enum { QUEENS_13, QUEENS_14, QUEENS_15, IDA_1, IDA_2, IDA_3, GROMOS_8, GROMOS_12, GROMOS_16, RIPS_APPS };

/* The machine of Tables II to V. */
enum { RIPS_N = 32 };

/* An application. */
struct rips_app {
	const char *name;
	bool dealt;			/* its initial tasks are on all processors; else the root is on processor 0 */
	size_t rounds;			/* iterations, each a tree ... */
	const struct tree *tree[PUZZLE_ITERATIONS];
	uint64_t tasks;			/* roots not counted */
	double T_s;			/* sequential time, s */
};

/* What a run came to: sums over the iterations; times are means of the processors'. */
struct rips_run {
	double T;			/* T_p, s */
	double overhead, idle, busy;	/* s */
	double efficiency, speedup;	/* over T_s */
	double nonlocal;		/* tasks run elsewhere than they began */
	double hops;			/* links that tasks went over */
	double messages;
	double phases, scheduled;	/* system phases; tasks that took part in them; NAN but under rips */
	double comm;			/* messages from a user phase to a system phase, likewise */
};

/* A run to be. */
struct rips_case {
	unsigned app;
	const char *label;		/* in tables */
	const char *strategy;		/* as for struct dls_machine_desc ... */
	const char *net;		/* ... NULL: fattree:4 */
	const char *costs;		/* ... NULL: cm5 */
	unsigned processors;		/* N; 0: RIPS_N */
	bool drawn;			/* it depends on the seed */
	struct rips_run theirs;		/* the paper's; 0: it has none */
};

/* Do the work of the applications of all cases once, and note their tasks. */
void rips_prepare(const struct rips_case *cases, size_t n);
const struct rips_app *rips_app(unsigned app);

/* That, and run all cases: those that are drawn under all seeds of the command line.  Returns their means, malloc'ed; the
 * program ends if a task is lost or run twice. */
struct rips_run *rips_runs(const struct rips_case *cases, size_t n);

/* Efficiency of an optimal schedule without overhead: Table V.  The last task of an application ends later than all others by
 * as much as the longest takes; an iteration of a search takes as long as its longest task at least. */
double rips_optimum(unsigned app, unsigned processors);

/* A column of a table: a member of struct rips_run, the paper's own before it. */
struct rips_column {
	const char *name, *text;	/* in CSV and JSON; in text */
	const char *format;
	size_t member;			/* its offset */
	bool paper;			/* it has it */
};
/* The member at an offset. */
double rips_member(const struct rips_run *run, size_t member);
#define RIPS_COLUMN(member, text, format, paper) { #member, text, format, offsetof(struct rips_run, member), paper }

/* Print cases and what they came to: application, label, and the columns, of which the last has no name. */
void rips_table(const struct rips_column *column, const struct rips_case *cases, const struct rips_run *run, size_t n);

/* Table II. */
enum { ALL_EAGER, ALL_LAZY, ANY_EAGER, ANY_LAZY, RIPS_POLICIES, RIPS_TABLE2 = 2 * RIPS_POLICIES };
extern const struct rips_case rips_table2[RIPS_TABLE2];

/* Table IV, each application's strategies in this order; random allocation both ways, the paper's figures with the first. */
enum { CYCLIC, UNIFORM, GRADIENT, RID, RIPS, RIPS_STRATEGIES, RIPS_TABLE4 = RIPS_APPS * RIPS_STRATEGIES };
extern const struct rips_case rips_table4[RIPS_TABLE4];
/* Table V. */
extern const double rips_table5[RIPS_APPS];

#endif
