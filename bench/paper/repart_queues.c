/* repart_queues.c - section 2 of Banicescu & Carino 2005: work queues in the scheduler, on all processors, and in parts. */
#include "repart.h"

enum { DISTRIBUTED, REPLICATED, CENTRAL, QUEUES, SIZES = 3, CASES = SIZES * QUEUES };

static const struct {
	const char *name, *schedule;
} queues[QUEUES] = {
	[DISTRIBUTED] = { "distributed", "repart,calc=awf-c" },
	[REPLICATED] = { "replicated", "repart,calc=awf-c,queue=replicated" },
	[CENTRAL] = { "central", "repart,calc=awf-c,queue=central" },
};

/* Bytes of an observation; a dataset of the mean size then keeps a processor at either end of a transfer for so long as it is on
 * the way, 1.25 ns a byte. */
static const struct {
	const char *costs;
	uint32_t unit_bytes;
} sizes[SIZES] = {
	{ "cluster,quantum=1000,poll=0,latency=5e-6,byte=1.25e-9,pack=37e-6", 32 },
	{ "cluster,quantum=1000,poll=0,latency=5e-6,byte=1.25e-9,pack=37e-3", 32000 },
	{ "cluster,quantum=1000,poll=0,latency=5e-6,byte=1.25e-9,pack=370e-3", 320000 },
};

/* What a run came to. */
struct figures {
	double efficiency;	/* of all loops */
	double gigabytes[2];	/* sent in the first loop, and in the later ones; data and messages */
	double memory;		/* GB of the processor that needs most */
};

COLUMNS(COLUMN_KEY("bytes", NULL), COLUMN_TEXT("queue", NULL), COLUMN("T_400", "T 400", "%.1f"), COLUMN("T_600", "600", "%.1f"),
	COLUMN("T_800", "800", "%.1f"), COLUMN("T_1000", "1000", "%.1f"), COLUMN("efficiency", "Eff", "%.3f"),
	COLUMN("gigabytes_first", "GB, 400", "%.3f"), COLUMN("gigabytes_later", "later", "%.3f"),
	COLUMN("messages", NULL, "%.0f"), COLUMN("memory", "memory, GB", "%.3f"));

static struct figures figures_of(const struct repart_run *run, size_t queue, uint32_t unit_bytes)
{
	struct figures f = { .memory = 0 };
	double most = 0;

	for (size_t l = 0; l < REPART_LOOPS; l++) {
		const struct repart_loop *loop = &run->loop[l];

		f.efficiency += loop->efficiency * loop->time;
		f.gigabytes[l > 0] += loop->bytes / 1e9;
		most = fmax(most, loop->most);
	}
	f.efficiency /= run->loop[REPART_LOOPS].time;
	f.memory = (queue == DISTRIBUTED ? most : run->observations) * unit_bytes / 1e9;
	return f;
}

/* Medians over the seeds. */
#define MEDIAN(member) paper_spread(all, sizeof(*all), offsetof(struct figures, member)).median
static struct figures print(const struct repart_run *runs, size_t i)
{
	struct figures *all = tool_held(calloc(paper.seeds, sizeof(*all))), f;
	double T[REPART_LOOPS];

	for (size_t s = 0; s < paper.seeds; s++)
		all[s] = figures_of(&runs[s], i % QUEUES, sizes[i / QUEUES].unit_bytes);
	f = (struct figures){ MEDIAN(efficiency), { MEDIAN(gigabytes[0]), MEDIAN(gigabytes[1]) }, MEDIAN(memory) };
	for (size_t l = 0; l < REPART_LOOPS; l++)
		T[l] = REPART_MEDIAN(runs, l, time);
	paper_row(TEXTS(queues[i % QUEUES].name),
		  FIGURES(sizes[i / QUEUES].unit_bytes, T[0], T[1], T[2], T[3], f.efficiency, f.gigabytes[0], f.gigabytes[1],
			  REPART_MEDIAN(runs, REPART_LOOPS, messages), f.memory));
	return f;
}

static void run_queues(void)
{
	struct repart_case cases[CASES];
	struct figures f[CASES];
	struct repart_run *runs;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = (struct repart_case){ .schedule = queues[i % QUEUES].schedule, .costs = sizes[i / QUEUES].costs,
						 .unit_bytes = sizes[i / QUEUES].unit_bytes };
	runs = repart_runs(cases, CASES);
	for (size_t i = 0; i < CASES; i++)
		f[i] = print(runs + i * paper.seeds, i);
	for (size_t i = 0; i < CASES; i += QUEUES)
		paper_own(0, INFINITY, f[i + DISTRIBUTED].efficiency - f[i + CENTRAL].efficiency, NULL,
			    "distributed, %u bytes: efficiency above central's", (unsigned)sizes[i / QUEUES].unit_bytes);
}

const struct paper_experiment paper_repart_queues = {
	.name = "repart-queues", .what = "section 2: distributed, replicated and central work queues",
	.first = 1, .last = 30, .medians = true, .run = run_queues, .column = column,
	.note = "bytes: of an observation; T: of each loop, s; GB: sent in the first loop and in all later ones; memory: of\n"
		"the processor that needs most, the scheduler where the queue is central, every one where it is replicated.\n"
		"The paper's nodes have 2.5 GB.  A dataset keeps the processors at both ends of its way as long as one of the\n"
		"mean size is on it.  distributed: what moves in the first loop need not move again.  replicated: nothing\n"
		"moves, but all of it is everywhere, and results would have to be told.  central: all datasets go to the\n"
		"scheduler and from there to the groups, in every loop; and as a chunk is so many observations from the head of\n"
		"one list, while time goes with their square, the first are too large, however small the data: what dealing\n"
		"large datasets to all groups avoids (section 4.2).",
	.picture = { .title = "Efficiency of work queues by the bytes of an observation", .y = "efficiency",
		     .x = "bytes", .of = "queue", .log_x = true },
};
