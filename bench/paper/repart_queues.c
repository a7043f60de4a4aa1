/* repart_queues.c - section 2 of Banicescu & Carino 2005: work queues in the scheduler, on all processors, and in parts. */
#include <math.h>
#include <stdlib.h>

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
	double T[REPART_LOOPS + 1], efficiency;	/* of each loop, of all; s */
	double gigabytes[2];			/* sent in the first loop, and in the later ones; data and messages */
	double messages;
	double memory;				/* GB of the processor that needs most */
};

static struct figures figures_of(const struct repart_run *run, unsigned queue, uint32_t unit_bytes)
{
	struct figures f = { .messages = 0 };
	double most = 0;

	for (size_t l = 0; l < REPART_LOOPS; l++) {
		const struct repart_loop *loop = &run->loop[l];

		f.T[l] = loop->time;
		f.T[REPART_LOOPS] += loop->time;
		f.efficiency += loop->efficiency * loop->time;
		f.gigabytes[l > 0] += loop->bytes / 1e9;
		f.messages += loop->messages;
		most = fmax(most, loop->most);
	}
	f.efficiency /= f.T[REPART_LOOPS];
	f.memory = (queue == DISTRIBUTED ? most : run->observations) * unit_bytes / 1e9;
	return f;
}

static struct figures median(const struct repart_run *runs, unsigned queue, uint32_t unit_bytes)
{
	struct figures *all = tool_need(malloc(paper.seeds * sizeof(*all))), middle;
	double *value = tool_need(malloc(paper.seeds * sizeof(*value)));

	for (size_t s = 0; s < paper.seeds; s++)
		all[s] = figures_of(&runs[s], queue, unit_bytes);
#define X(member) \
	for (size_t s = 0; s < paper.seeds; s++) \
		value[s] = all[s].member; \
	middle.member = tool_spread(value, paper.seeds).median;
	X(T[0]) X(T[1]) X(T[2]) X(T[3]) X(T[4]) X(efficiency) X(gigabytes[0]) X(gigabytes[1]) X(messages) X(memory)
#undef X
	free(value);
	free(all);
	return middle;
}

static void print(const struct figures *figures)
{
	static const char *const column[] = { "bytes", "queue", "T_400", "T_600", "T_800", "T_1000", "efficiency", "gigabytes_first",
					      "gigabytes_later", "messages", "memory", NULL };
	static const char *const text_column[] = { "bytes", "queue", "T 400", "600", "800", "1000", "Eff", "GB, 400", "later",
						   "messages", "memory, GB", NULL };
	static const int width[] = { 6, -11, 6, 6, 6, 6, 5, 7, 7, 8, 10 };
	struct tool_table table;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (size_t i = 0; i < CASES; i++) {
		const struct figures *f = &figures[i];

		tool_whole(&table, sizes[i / QUEUES].unit_bytes);
		tool_text(&table, queues[i % QUEUES].name);
		for (size_t l = 0; l < REPART_LOOPS; l++)
			paper_number(&table, "%.1f", f->T[l]);
		paper_number(&table, "%.3f", f->efficiency);
		paper_number(&table, "%.3f", f->gigabytes[0]);
		paper_number(&table, "%.3f", f->gigabytes[1]);
		paper_number(&table, "%.0f", f->messages);
		paper_number(&table, "%.3f", f->memory);
	}
	tool_table_end(&table);
}

static void accept(const struct figures *figures)
{
	const struct figures *small = figures, *large = figures + (SIZES - 1) * QUEUES;

	for (unsigned q = DISTRIBUTED; q <= REPLICATED; q++)
		paper_accept(NAN, 0.95, 1, small[q].efficiency, "%s, %u bytes: efficiency", queues[q].name,
			     (unsigned)sizes[0].unit_bytes);
	for (size_t k = 0; k < SIZES; k++) {
		const struct figures *f = figures + k * QUEUES;

		paper_accept(NAN, 0.02, INFINITY, f[DISTRIBUTED].efficiency - f[CENTRAL].efficiency,
			     "distributed, %u bytes: efficiency above central's", (unsigned)sizes[k].unit_bytes);
		paper_accept(NAN, 0, 1, f[REPLICATED].efficiency - f[DISTRIBUTED].efficiency,
			     "replicated, %u bytes: efficiency above distributed's", (unsigned)sizes[k].unit_bytes);
	}
	paper_accept(NAN, 2, INFINITY, large[CENTRAL].gigabytes[1] / large[DISTRIBUTED].gigabytes[1],
		     "bytes sent after the first loop: central / distributed");
	paper_accept(NAN, 0, 0.001, large[REPLICATED].gigabytes[1] / large[DISTRIBUTED].gigabytes[1],
		     "bytes sent after the first loop: replicated / distributed");
	paper_accept(NAN, REPART_WORKERS / 4., REPART_WORKERS, large[REPLICATED].memory / large[DISTRIBUTED].memory,
		     "memory of the processor that needs most: replicated / distributed");
}

static void run_queues(void)
{
	struct repart_case cases[CASES];
	struct figures figures[CASES];
	struct repart_run *runs;

	for (size_t i = 0; i < CASES; i++)
		cases[i] = (struct repart_case){ .schedule = queues[i % QUEUES].schedule, .costs = sizes[i / QUEUES].costs,
						 .unit_bytes = sizes[i / QUEUES].unit_bytes };
	runs = repart_runs(cases, CASES);
	for (size_t i = 0; i < CASES; i++)
		figures[i] = median(runs + i * paper.seeds, i % QUEUES, sizes[i / QUEUES].unit_bytes);
	print(figures);
	paper_say("\nbytes: of an observation; T: of each loop, s; GB: sent in the first loop and in all later ones; memory: of\n"
		  "the processor that needs most, the scheduler where the queue is central, every one where it is replicated.\n"
		  "The paper's nodes have 2.5 GB.  A dataset keeps the processors at both ends of its way as long as one of the\n"
		  "mean size is on it.  distributed: what moves in the first loop need not move again.  replicated: nothing\n"
		  "moves, but all of it is everywhere, and results would have to be told.  central: all datasets go to the\n"
		  "scheduler and from there to the groups, in every loop; and as a chunk is so many observations from the head of\n"
		  "one list, while time goes with their square, the first are too large, however small the data: what dealing\n"
		  "large datasets to all groups avoids (section 4.2).");
	accept(figures);
	free(runs);
}

const struct paper_experiment paper_repart_queues = {
	.name = "repart-queues", .what = "section 2: distributed, replicated and central work queues",
	.first = 1, .last = 30, .medians = true, .run = run_queues,
};
