/* wlr93.h - the artificial load of Willebeek-LeMair and Reeves 1993, and a machine that balances it.
 *
 * M. H. Willebeek-LeMair, A. P. Reeves, Strategies for dynamic load balancing on highly parallel computers, IEEE Trans.
 * Parallel and Distributed Systems 4(9):979-993, 1993; section V-A. */
#ifndef WLR93_H
#define WLR93_H

#include "bench/apps/branch_bound.h"
#include "bench/paper/paper.h"

/* The machine of Table IV. */
enum { WLR93_N = 32, WLR93_G = 100 };

struct wlr93_case {
	const char *strategy;		/* as for struct dls_machine_desc; "": nothing is run */
	const char *costs;		/* ... NULL: ipsc2 */
	unsigned processors;		/* N; 0: WLR93_N */
	unsigned tasks;			/* g, of each processor; 0: WLR93_G */
};

/* What a run came to. */
struct wlr93_run {
	double t_opt, t_nobal, t_bal;	/* s; the first two without polling */
	double ratio;			/* t_bal / t_opt */
	double pi;			/* normalized performance, eq. 36 */
	double speedup;			/* t_nobal / t_bal */
	double best;			/* t_nobal / t_opt */
	double polling, overhead;	/* parts of the processors' time up to t_bal */
	double idle;			/* held or idle, likewise */
	double transfers, messages;	/* tasks sent; the strategy's messages */
	double busiest;			/* messages that one processor sent or received, the most of any */
	double updates;			/* messages of the kind "update"; NAN: the strategy has none */
	double error, changes, age, decisions;	/* the strategy's counters of these names; NAN likewise */
};

/* Run a case, for PAPER_RUNS(); the program ends if a task is lost or run twice. */
void wlr93_run(const void *one, uint64_t seed, void *run);
struct wlr93_run *wlr93_means(const struct wlr93_case *cases, size_t n);

/* Strategies side by side, where something is varied. */
struct wlr93_row {
	const char *label;
	struct wlr93_case one;		/* without a strategy */
};
#define WLR93_ROW(text, ...) { .label = text, .one = { __VA_ARGS__ } }
struct wlr93_table {
	size_t rows, strategies;
	const char *const *strategy;
	const struct wlr93_row *row;
};
/* Its columns: first what is varied. */
#define WLR93_FIGURE(m, name, format) { name, NULL, format, .member = offsetof(struct wlr93_run, m) }
#define WLR93_COLUMNS(key) \
	COLUMNS(COLUMN_TEXT(key, NULL), COLUMN_TEXT("strategy", NULL), WLR93_FIGURE(t_bal, "T", "%.4g"), \
		WLR93_FIGURE(ratio, "T/T_opt", "%.3f"), WLR93_FIGURE(pi, "Pi", "%.3f"), WLR93_FIGURE(speedup, "speedup", "%.3f"), \
		WLR93_FIGURE(polling, "polling", "%.3f"), WLR93_FIGURE(overhead, "overhead", "%.4f"), WLR93_FIGURE(idle, "idle", "%.3f"), \
		WLR93_FIGURE(transfers, "transfers", "%.0f"), WLR93_FIGURE(messages, "messages", "%.0f"), WLR93_FIGURE(busiest, "busiest", "%.1f"))
/* Run all cases and fill the table: in a row its strategies, then the optimum.  Returns the cases' means. */
struct wlr93_run *wlr93_table(const struct wlr93_table *table);
#define WLR93_TABLE_NOTE "T in seconds; Pi: normalized performance, eq. 36; speedup over no balancing; polling, overhead and idle: parts\n" \
	"of the processors' time; busiest: messages sent and received by the processor with the most."

/* What a single decision leads to, on a machine at rest: each processor's first task is so long that no
 * message is under way any more when it ends, which ends the run. */
struct wlr93_rest {
	struct dls_run_result run;
	double received[WLR93_N], sent[WLR93_N];	/* tasks, by processor */
	double messages_received[WLR93_N], messages_sent[WLR93_N], messages[WLR93_N];	/* the last: both */
	double least, most;				/* messages of a processor */
};
/* The costs are those of an iPSC/2; load: tasks of each processor. */
struct wlr93_rest wlr93_rest(const char *strategy, const char *net, unsigned processors, const unsigned *load);

/* The branch and bound searches of each seed of the command line, section V-C, those of one side by side. */
const struct bb_search_steps *wlr93_searches(void);

#endif
