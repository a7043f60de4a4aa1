/* wlr93_readings.c - Table IV of Willebeek-LeMair 1993 under other readings of its text: one thing changed at a time, then the
 * sets of changes that come nearest to what was printed.  Those found by search are hypotheses. */
#include "wlr93.h"

#define LITERAL ",unknown=empty,counts=pending,small=raise,update=drop,cap=off"
#define DEM_SAID { .pi = 0.67, .transfers = 645 }
#define HBM_SAID { .pi = 0.65, .transfers = 6694 }
#define RID_A_SAID { .pi = 0.65, .transfers = 2862 }
#define RID_I_SAID { .pi = 0.65, .transfers = 2820 }
#define SID_A_SAID { .pi = 0.38, .transfers = 3952 }
#define SID_I_SAID { .pi = 0.49, .transfers = 4155 }
#define GM_SAID { .pi = 0.43, .transfers = 5324 }

static const struct reading {
	const char *what, *of, *strategy;
	unsigned tasks;
	struct wlr93_run theirs;
} readings[] = {
#define SIDS(what, more) \
	{ what, "SID alpha", "sid,low=alpha" more, 0, SID_A_SAID }, { what, "SID inf", "sid,low=inf" more, 0, SID_I_SAID }
#define RIDS(what, more) \
	{ what, "RID alpha", "rid,low=alpha" more, 0, RID_A_SAID }, { what, "RID inf", "rid,low=inf" more, 0, RID_I_SAID }
	SIDS("default", ""), SIDS("oldest task given", ",give=first"), SIDS("delta_min as a floor", ",small=raise"),
	SIDS("pending tasks only", ",counts=pending"), SIDS("updates on drops only", ",update=drop"),
	SIDS("unknown neighbours are empty", ",unknown=empty"), SIDS("... are waited for", ",unknown=wait"),
	SIDS("no credit", ",credit=off"), SIDS("u = 1/2", ",u=0.5"), SIDS("nearest, no cap", ",round=nearest,cap=off"),
	SIDS("all literal", LITERAL ",credit=off"), SIDS("all literal, u = 1/2", LITERAL ",credit=off,u=0.5"),
	RIDS("default", ""), RIDS("oldest task given", ",give=first"), RIDS("delta_min as a floor", ",small=raise"),
	RIDS("pending tasks only", ",counts=pending"), RIDS("updates on drops only", ",update=drop"), RIDS("shares cut to the deficit", ",cap=on"),
	RIDS("unknown neighbours have the mean", ",unknown=mean"), RIDS("own changes only", ",trigger=load"),
	RIDS("u = 1/2", ",u=0.5"), RIDS("rounded down", ",round=floor"),
	RIDS("all literal", LITERAL ",trigger=load"), RIDS("all literal, u = 1/2", LITERAL ",trigger=load,u=0.5"),
	{ "default", "HBM", "hbm", 0, HBM_SAID },
	{ "thresholds in loops", "HBM", "hbm,load=cost,threshold=2600:5200:10400:20800:41600", 0, HBM_SAID },
	{ "default", "GM", "gm", 0, GM_SAID }, { "oldest task given", "GM", "gm,give=first", 0, GM_SAID },
	{ "newest task run", "GM", "gm,order=lifo", 0, GM_SAID }, { "periodic", "GM", "gm,update=period", 0, GM_SAID },
	{ "tasks that arrive stay", "GM", "gm,arrived=stays", 0, GM_SAID }, { "default", "DEM", "dem", 0, DEM_SAID },
	{ "g = 50", "DEM", "dem", 50, DEM_SAID }, { "g = 50", "SID inf", "sid,low=inf", 50, SID_I_SAID },
};
enum { READINGS = sizeof(readings) / sizeof(*readings) };

#define RUN(m, name, head, format, ...) { name, head, format, offsetof(struct wlr93_run, m), __VA_ARGS__ }
#define WHY "it is a reading: no one of them has all of the paper's figures; see dls_balance(7)"
COLUMNS(COLUMN_TEXT("reading", ""), COLUMN_TEXT("case", ""), RUN(t_bal, "T", NULL, "%.1f", .key = false),
	RUN(pi, "Pi", NULL, "%.3f", .kind = PAPER_AGAIN, .unit = 0.01, .why = WHY),
	RUN(transfers, "transfers", "moved", "%.0f", .kind = PAPER_AGAIN, .unit = 1, .why = WHY),
	RUN(overhead, "overhead", "overh.", "%.4f", .key = false), RUN(messages, "messages", NULL, "%.0f", .key = false),
	{ "strategy", .key = false });

static void run_readings(void)
{
	struct wlr93_case cases[READINGS];
	struct wlr93_run *mean;

	for (size_t i = 0; i < READINGS; i++)
		cases[i] = (struct wlr93_case){ .strategy = readings[i].strategy, .tasks = readings[i].tasks };
	mean = wlr93_means(cases, READINGS);
	for (size_t i = 0; i < READINGS; i++)
		paper_run_row(TEXTS(readings[i].what, readings[i].of, readings[i].strategy), &readings[i].theirs, &mean[i]);
}

const struct paper_experiment paper_wlr93_readings = {
	.name = "wlr93-readings", .what = "Table IV under other readings of the text: one thing changed at a time",
	.first = 1, .last = 20, .run = run_readings, .column = column,
	.note = "* the paper's, of ten runs.  T in seconds; moved: tasks transferred.  Each parameter is in dls_balance(7), with the\n"
		"sentence of the paper that it reads.  all literal: those of the rows above at once.",
	.picture = { .title = "Normalized performance by reading, N = 32, g = 100", .y = "Pi" },
	.nearest = "SID: u = 1/2 in T, all literal in the tasks moved; RID: the default; HBM: thresholds in loops; GM: tasks that arrive stay, "
		   "or periodic; DEM: the default",
};
