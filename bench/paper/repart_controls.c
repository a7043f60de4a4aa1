/* repart_controls.c - beyond Banicescu & Carino 2005: what its protocol leaves open, one thing changed at a time. */
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
	{ "GSS", { .schedule = "repart,calc=gss" }, 2 },
	{ "GSS, first=2/3", { .schedule = "repart,calc=gss,first=0.6667" }, 2 },
	{ "GSS, first=1/2", { .schedule = "repart,calc=gss,first=0.5" }, 2 },
	{ "GSS, first=4/63", { .schedule = "repart,calc=gss,first=0.0635" }, 2 },
	{ "GSS, serve=falling", { .schedule = "repart,calc=gss,serve=falling" }, 2 },
};
enum { RETURN = 6, ROOM_110 = 8, VARIANTS = sizeof(variants) / sizeof(*variants) };

#define EFF(n, l) COLUMN("efficiency_" #n, l, "%.3f")
#define MOVED(n, l) COLUMN("moved_" #n, l, "%.0f")
COLUMNS(COLUMN_TEXT("variant", ""), EFF(400, "Eff 400"), EFF(600, "600"), EFF(800, "800"), EFF(1000, "1000"),
	COLUMN("less_than_awfc", "less by", "%.3f"), MOVED(400, "Xfer 400"), MOVED(600, "600"), MOVED(800, "800"),
	MOVED(1000, "1000"), COLUMN("observations", "observ.", "%.0f"), COLUMN("events", NULL, "%.0f"),
	COLUMN("transfers", NULL, "%.0f"), COLUMN("refused", NULL, "%.0f"), COLUMN("messages", NULL, "%.0f"),
	COLUMN("megabytes", "MB", "%.1f"));

/* The efficiency of AWFC less a variant's, summed over the loops: median over the seeds. */
static double less(const struct repart_run *awfc, const struct repart_run *of)
{
	double *value = tool_held(calloc(paper.seeds, sizeof(*value)));

	for (size_t s = 0; s < paper.seeds; s++)
		value[s] = awfc[s].loop[REPART_LOOPS].efficiency - of[s].loop[REPART_LOOPS].efficiency;
	return tool_spread(value, paper.seeds).median;
}

#define SUM(member) REPART_MEDIAN(of, REPART_LOOPS, member)
static void print(const struct repart_run *runs)
{
	for (size_t i = 0; i < VARIANTS; i++) {
		const struct repart_run *of = runs + i * paper.seeds;
		double e[REPART_LOOPS], m[REPART_LOOPS];

		for (size_t l = 0; l < REPART_LOOPS; l++) {
			e[l] = REPART_MEDIAN(of, l, efficiency);
			m[l] = REPART_MEDIAN(of, l, moved);
		}
		paper_row(TEXTS(variants[i].name),
			  FIGURES(e[0], e[1], e[2], e[3], less(runs, of) / REPART_LOOPS, m[0], m[1], m[2], m[3], SUM(moved_weight),
				  SUM(events), SUM(transfers), SUM(refused), SUM(messages), SUM(bytes) / 1e6));
	}
}

/* What the protocol says of the messages of a loop: how far they are from it at most, over all runs of dedicated schedulers.  A
 * shared one's own Requests and transfers need fewer messages. */
static void accept(const struct repart_run *runs)
{
	const struct repart_run *back = runs + RETURN * paper.seeds, *room = runs + ROOM_110 * paper.seeds;
	double overlaps = 0, answers = 0, ends = 0, messages = 0, moved = 0, fullest = 0;

	for (size_t i = 0; i < VARIANTS * paper.seeds * REPART_LOOPS; i++) {
		const struct variant *v = &variants[i / REPART_LOOPS / paper.seeds];
		const struct repart_loop *l = &runs[i / REPART_LOOPS].loop[i % REPART_LOOPS];

		overlaps += l->overlaps;	/* D2 of sched/balance/repart.h */
		if (v->one.shared)
			continue;
		answers = fmax(answers, fabs(l->request - l->size - l->get - l->end));
		ends = fmax(ends, fabs(l->end - REPART_GROUPS));
		messages = fmax(messages, fabs(l->messages - 2 * l->events - v->give * l->transfers - l->results));
	}
	for (size_t l = 0; l < REPART_LOOPS; l++) {
		moved = fmax(moved, REPART_SPREAD(back, l, moved).max);
		fullest = fmax(fullest, REPART_SPREAD(room, l, groups_most).max);
	}
	paper_own(0, 0, overlaps, NULL, "Requests of a worker while another or its answer is open");
	paper_own(0, 0, answers, NULL, "Requests of a loop less their answers, at most");
	paper_own(0, 0, ends, NULL, "Ends that a loop has too few or too many, at most");
	paper_own(0, 0, messages, NULL, "messages but 2 an event, 2 a transfer (fetch=get: 1), 1 a return, at most");
	paper_before(moved, "return=yes: datasets that change owner");
	paper_before(fullest, "room=1.1: observations of the fullest group / mean share, at most");
}

static void run_controls(void)
{
	struct repart_case cases[VARIANTS];
	struct repart_run *runs;

	for (size_t i = 0; i < VARIANTS; i++)
		cases[i] = variants[i].one;
	runs = repart_runs(cases, VARIANTS);
	print(runs);
	accept(runs);
}

const struct paper_experiment paper_repart_controls = {
	.name = "repart-controls", .what = "past the paper: order, requests ahead, one-sided transfers, returns, room, chunk size",
	.first = 1, .last = 30, .medians = true, .run = run_controls, .column = column,
	.note = "AWFC: as in Table 5.1, ahead=1, fetch=give, room without end, least=1; less by: its efficiency less the\n"
		"variant's, mean of the loops; Xfer: datasets transferred; the rest is of all four loops.  rising sizes: a\n"
		"group's smallest datasets come first, its largest last, and what others get is its largest.  ahead: datasets\n"
		"left when a group asks for the next chunk.  room: a group stores at most so many mean shares.  least:\n"
		"smallest chunk, in mean datasets.  shared: the last group's foreman is the scheduler too, and hears nothing\n"
		"while its group works on a dataset; all 64 processors work, so that it can come to 1.",
	.picture = { .title = "Efficiency of each loop", .y = "efficiency_400 efficiency_600 efficiency_800 efficiency_1000",
		     .value = "efficiency", .dots = true },
};
