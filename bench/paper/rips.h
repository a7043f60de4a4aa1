/* rips.h - the applications of Shu and Wu 1996, and a machine that balances them.
 *
 * W. Shu, M.-Y. Wu, Runtime incremental parallel scheduling (RIPS) on distributed memory computers, IEEE Trans. Parallel
 * Distrib. Syst. 7(6):637-649, 1996; section 5. */
#ifndef RIPS_H
#define RIPS_H

#include "bench/apps/noted.h"
#include "bench/paper/paper.h"

/* The machine of Tables II to V. */
enum { RIPS_N = 32 };

/* What a run came to: sums over the iterations; times are means of the processors'. */
struct rips_run {
	double T;			/* T_p, s */
	double overhead, idle, busy;	/* s */
	double efficiency, speedup;	/* over T_s */
	double nonlocal;		/* tasks run elsewhere than they began */
	double hops;			/* links that tasks went over */
	double messages;
	double phases, scheduled;	/* system phases; tasks that took part in them; NAN but under rips */
	double comm;			/* messages that end user phases; NAN likewise */
};

/* What to run. */
struct rips_case {
	unsigned app;
	const char *label;		/* in tables */
	const char *strategy;		/* as for struct dls_machine_desc ... */
	const char *net;		/* ... NULL: fattree:4 */
	unsigned processors;		/* N; 0: RIPS_N */
	unsigned begin;			/* for tasks that are dealt: over how many processors; 0: all */
	bool drawn;			/* it depends on the seed */
	struct rips_run theirs;		/* the paper's; 0: it has none */
};

/* Do the work of the applications of all cases once, and note their tasks. */
void rips_prepare(const struct rips_case *cases, size_t n);

/* rips_prepare(), then run all cases: the drawn ones under all seeds of the command line.  Returns the cases'
 * means; the program ends if a task is lost or run twice. */
struct rips_run *rips_runs(const struct rips_case *cases, size_t n);

/* Run the cases and fill the table: application, label, and members of the runs.  Returns as rips_runs(). */
struct rips_run *rips_table(const struct rips_case *cases, size_t n);
#define RIPS_HEAD COLUMN_TEXT("application", NULL), COLUMN_TEXT("case", NULL)
#define RIPS(member, head, format) COLUMN_MEMBER(struct rips_run, member, head, format)
#define RIPS_OF(kind, member, head, format, ...) COLUMN_MEMBER_OF(kind, struct rips_run, member, head, format, __VA_ARGS__)
/* The paper prints seconds with three digits, two of them decimals at most. */
#define RIPS_SECONDS 0.01, .digits = 3

/* Why figures of these tables do not agree. */
#define RIPS_COSTS "the paper does not give the costs of its machine"
#define RIPS_IDLE "it is a small part of T; the 15-puzzles and the molecule are others; where the tasks of GROMOS begin is unknown"
#define RIPS_APPS_DIFFER "GROMOS idles less here, IDA* has other instances, and where tasks begin is unknown"
#define RIPS_MOVED "IDA* has other instances, GROMOS another molecule, and who is whose neighbour is unknown"

/* Table II. */
enum { ALL_EAGER, ALL_LAZY, ANY_EAGER, ANY_LAZY, RIPS_POLICIES, RIPS_TABLE2 = 2 * RIPS_POLICIES };
extern const struct rips_case rips_table2[RIPS_TABLE2];

/* Table IV, each application's strategies in this order; random allocation both ways, the paper's figures with the first. */
enum { CYCLIC, UNIFORM, GRADIENT, RID, RIPS_OWN, RIPS_STRATEGIES, RIPS_TABLE4 = NOTED_APPS * RIPS_STRATEGIES };
extern const struct rips_case rips_table4[RIPS_TABLE4];
/* Table V. */
extern const double rips_table5[NOTED_APPS];
/* Table VI: speedup on 64, 128, 256 and 512 processors; of the strategy with this label. */
enum { RIPS_SIZES = 4 };
extern const unsigned rips_size[RIPS_SIZES];
double rips_table6(unsigned app, const char *label, size_t k);

#endif
