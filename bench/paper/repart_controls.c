/* repart_controls.c - beyond Banicescu & Carino 2005: what its protocol leaves open, one thing changed at a time. */
#include <math.h>
#include <stdlib.h>

#include "repart.h"

/* A variant of the first: that of Table 5.1. */
static const struct variant {
	const char *name;
	struct repart_case one;
	unsigned give;		/* messages of a transfer */
} variants[] = {
	{ "AWFC", { .schedule = "repart,calc=awf-c" }, 2 },
	{ "rising sizes", { .schedule = "repart,calc=awf-c,order=lifo" }, 2 },
	{ "ahead=0", { .schedule = "repart,calc=awf-c,ahead=0" }, 2 },
	{ "ahead=2", { .schedule = "repart,calc=awf-c,ahead=2" }, 2 },
	{ "ahead=8", { .schedule = "repart,calc=awf-c,ahead=8" }, 2 },
	{ "fetch=get", { .schedule = "repart,calc=awf-c,fetch=get" }, 1 },
	{ "return=yes", { .schedule = "repart,calc=awf-c,return=yes" }, 2 },
	{ "room=1.02", { .schedule = "repart,calc=awf-c,room=1.02" }, 2 },
	{ "room=1.1", { .schedule = "repart,calc=awf-c,room=1.1" }, 2 },
	{ "least=0", { .schedule = "repart,calc=awf-c,least=0" }, 2 },
	{ "least=4", { .schedule = "repart,calc=awf-c,least=4" }, 2 },
	{ "least=16", { .schedule = "repart,calc=awf-c,least=16" }, 2 },
	{ "shared", { .schedule = "repart,calc=awf-c", .shared = true }, 2 },
};
enum { BASE, RISING, AHEAD_0, AHEAD_2, AHEAD_8, FETCH_GET, RETURN, ROOM_102, ROOM_110, LEAST_0, LEAST_4, LEAST_16, SHARED,
       VARIANTS = sizeof(variants) / sizeof(*variants) };

/* A member over all loops of a run. */
static double sum(const struct repart_run *run, size_t member)
{
	double all = 0;

	for (size_t l = 0; l < REPART_LOOPS; l++)
		all += repart_member(&run->loop[l], member);
	return all;
}

/* Its median over the seeds; less that of another case's, if there is one. */
static double median_sum(const struct repart_run *runs, const struct repart_run *less, size_t member)
{
	double *value = tool_need(malloc(paper.seeds * sizeof(*value))), middle;

	for (size_t s = 0; s < paper.seeds; s++)
		value[s] = sum(&runs[s], member) - (less ? sum(&less[s], member) : 0);
	middle = tool_spread(value, paper.seeds).median;
	free(value);
	return middle;
}
#define MEDIAN_SUM(runs, less, member) median_sum(runs, less, offsetof(struct repart_loop, member))

static void print(const struct repart_run *runs)
{
	static const char *const column[] = { "variant", "efficiency_400", "efficiency_600", "efficiency_800", "efficiency_1000",
					      "less_than_awfc", "moved_400", "moved_600", "moved_800", "moved_1000", "observations",
					      "events", "transfers", "refused", "messages", "megabytes", NULL };
	static const char *const text_column[] = { "", "Eff 400", "600", "800", "1000", "less by", "Xfer 400", "600", "800", "1000",
						   "observ.", "events", "transfers", "refused", "messages", "MB", NULL };
	static const int width[] = { -12, 7, 5, 5, 5, 7, 8, 4, 4, 4, 7, 6, 9, 7, 8, 5 };
	struct tool_table table;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (size_t i = 0; i < VARIANTS; i++) {
		const struct repart_run *of = runs + i * paper.seeds;

		tool_text(&table, variants[i].name);
		for (size_t l = 0; l < REPART_LOOPS; l++)
			paper_number(&table, "%.3f", REPART_SPREAD(of, l, efficiency).median);
		paper_number(&table, "%.3f", MEDIAN_SUM(runs, of, efficiency) / REPART_LOOPS);
		for (size_t l = 0; l < REPART_LOOPS; l++)
			paper_number(&table, "%.0f", REPART_SPREAD(of, l, moved).median);
		paper_number(&table, "%.0f", MEDIAN_SUM(of, NULL, moved_weight));
		paper_number(&table, "%.0f", MEDIAN_SUM(of, NULL, counter[REPART_EVENTS]));
		paper_number(&table, "%.0f", MEDIAN_SUM(of, NULL, counter[REPART_TRANSFERS]));
		paper_number(&table, "%.0f", MEDIAN_SUM(of, NULL, counter[REPART_REFUSED]));
		paper_number(&table, "%.0f", MEDIAN_SUM(of, NULL, messages));
		paper_number(&table, "%.1f", MEDIAN_SUM(of, NULL, bytes) / 1e6);
	}
	tool_table_end(&table);
}

/* What the protocol says of the messages of a loop: how far they are from it, each of which is 0. */
struct odds {
	double answers;		/* Requests, and Sizes, Gets and Ends */
	double ends;		/* Ends, and workers */
	double messages;	/* 2 for each scheduling event, 2 or 1 for each transfer, 1 for each return */
};

static struct odds odds_of(const struct repart_loop *l, const struct variant *v)
{
	const double *kind = l->kind;
	double returns = kind[REPART_RESULTS];

	return (struct odds){
		fabs(kind[REPART_REQUEST] - kind[REPART_SIZE] - kind[REPART_GET] - kind[REPART_END]),
		fabs(kind[REPART_END] - (REPART_GROUPS - v->one.shared)),
		fabs(l->messages - 2 * l->counter[REPART_EVENTS] - v->give * l->counter[REPART_TRANSFERS] - returns),
	};
}

/* The most of each over all runs of dedicated schedulers: a shared one's own Requests and transfers need fewer messages. */
static struct odds worst(const struct repart_run *runs)
{
	struct odds most = { 0, 0, 0 };

	for (size_t i = 0; i < VARIANTS; i++)
		for (size_t s = 0; s < paper.seeds && !variants[i].one.shared; s++)
			for (size_t l = 0; l < REPART_LOOPS; l++) {
				struct odds o = odds_of(&runs[i * paper.seeds + s].loop[l], &variants[i]);

				most.answers = fmax(most.answers, o.answers);
				most.ends = fmax(most.ends, o.ends);
				most.messages = fmax(most.messages, o.messages);
			}
	return most;
}

/* Requests that came while the worker had another one open, or an answer that it had not used, over all runs: D2 of
 * sched/balance/repart.h. */
static double overlaps(const struct repart_run *runs)
{
	double all = 0;

	for (size_t i = 0; i < VARIANTS * paper.seeds; i++)
		all += sum(&runs[i], offsetof(struct repart_loop, counter[REPART_OVERLAPS]));
	return all;
}

/* Over loops and seeds. */
static double most_of(const struct repart_run *runs, size_t member)
{
	double most = 0;

	for (size_t l = 0; l < REPART_LOOPS; l++)
		most = fmax(most, repart_spread_at(runs, l, member).max);
	return most;
}

static void accept(const struct repart_run *runs)
{
	struct odds o = worst(runs);
	const struct repart_run *back = runs + RETURN * paper.seeds;

	paper_accept(NAN, 0.02, INFINITY, MEDIAN_SUM(runs, runs + RISING * paper.seeds, efficiency) / REPART_LOOPS,
		     "rising sizes: efficiency less than AWFC's by");
	paper_accept(NAN, 0, 0, overlaps(runs), "Requests of a worker while another or its answer is open");
	paper_accept(NAN, 0, 0, o.answers, "Requests of a loop less their answers, at most");
	paper_accept(NAN, 0, 0, o.ends, "Ends that a loop has too few or too many, at most");
	paper_accept(NAN, 0, 0, o.messages, "messages but 2 an event, 2 a transfer (fetch=get: 1), 1 a return, at most");
	paper_accept(NAN, 0, 0, most_of(back, offsetof(struct repart_loop, moved)), "return=yes: datasets that change owner");
	paper_accept(NAN, 1, INFINITY, MEDIAN_SUM(back, NULL, kind[REPART_DATA]) / MEDIAN_SUM(runs, NULL, kind[REPART_DATA]),
		     "return=yes: transfers / AWFC's");
	paper_accept(NAN, 0, 1.1, most_of(runs + ROOM_110 * paper.seeds, offsetof(struct repart_loop, groups_most)),
		     "room=1.1: observations of the fullest group / mean share, at most");
	paper_accept(NAN, 0, 0.01, fabs(MEDIAN_SUM(runs, runs + FETCH_GET * paper.seeds, efficiency)) / REPART_LOOPS,
		     "fetch=get: efficiency other than AWFC's by");
}

static void run_controls(void)
{
	struct repart_case cases[VARIANTS];
	struct repart_run *runs;

	for (size_t i = 0; i < VARIANTS; i++)
		cases[i] = variants[i].one;
	runs = repart_runs(cases, VARIANTS);
	print(runs);
	paper_say("\nAWFC: as in Table 5.1, ahead=1, fetch=give, room without end, least=1; less by: its efficiency less the\n"
		  "variant's, mean of the loops; Xfer: datasets transferred; the rest is of all four loops.  rising sizes: a\n"
		  "group's smallest datasets come first, its largest last, and what others get is its largest.  ahead: datasets\n"
		  "left when a group asks for the next chunk.  room: a group stores at most so many mean shares.  least:\n"
		  "smallest chunk, in mean datasets.  shared: the last group's foreman is the scheduler too, and hears nothing\n"
		  "while its group works on a dataset; all 64 processors work, so that it can come to 1.");
	accept(runs);
	free(runs);
}

const struct paper_experiment paper_repart_controls = {
	.name = "repart-controls", .what = "past the paper: order, requests ahead, one-sided transfers, returns, room, chunk size",
	.first = 1, .last = 30, .medians = true, .run = run_controls,
};
