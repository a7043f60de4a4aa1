/* advise.c - dls-advise: advice on a program's loops, from a trace or a report that it has written. */
#include "bench/advise/advise.h"
#include "dls/loop.h"

static enum tool_format format;
static unsigned threads;
static const char *speeds, *html, *plugin;
static bool verifies;
static unsigned rounds = 5;

static const struct tool_option options[] = {
	{ TOOL_THREADS, .value = "P", .help = "predict for so many threads [the files']\n2 to 65536",
	  .number = &threads, .min = 2,
	  .max = DLS_WORKERS_MAX },
	{ "speeds", "S0:S1:...", "speeds of the threads; the rest have 1\n1 is the mean of the files'",
	  .text = &speeds, .colons = true },
	TOOL_FORMATS(&format, "the predictions, a row for each loop and schedule"),
	{ "html", "FILE", "also write a page with pictures", .text = &html },
	TOOL_LECTURE,
	TOOL_PLUGIN(&plugin),
	{ "verify", NULL, "run a program without the advice and with it, in turn\nwhat follows is the "
	  "program", .flag = &verifies, .command = true },
	{ TOOL_RUNS, .help = "of --verify, each way, 2 to 1000 [5]", .number = &rounds, .min = 2,
	  .max = 1000 },
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-advise", .option = options, .arguments = true,
	.about =
	"dls-advise FILE... tells what to change about the loops of a program, from files\n"
	"of DLS_TRACE or DLS_REPORT=FILE.json or FILE.html.\n"
	"dls-advise --verify PROGRAM [ARGUMENT...] measures what that gains.\n"
	"\n"
	"  dls-advise report.json               schedules side by side, predicted; advice\n"
	"  dls-advise -t 64 trace.json          the same for 64 threads\n"
	"  dls-advise --verify ./solver input   is it faster?\n",
	.examples =
	"  dls-advise --speeds 1:1:0.5 t.json   for a third thread of half the speed\n"
	"  dls-advise one.json two.json         loops of the same name are one: runs under two schedules, or by one\n"
	"                                       thread and by several\n",
	.notes =
	"Times of loops whose executions differ are not printed, but their ratios are.  FILE may be -, the standard\n"
	"input.  Exit status: 0 done, 1 there was no memory, or the program of --verify ended badly, 2 usage, a file that is\n"
	"neither a trace nor a report, or a program that cannot be run.\n",
};

static size_t calculators(void)
{
	size_t n = 0;

	while (dls_calc_at(n))
		n++;
	return n;
}

static size_t own;	/* the first calculator that is not the library's */

/* Have the plug-in's calculators predicted, too: schedules that no worker has tried. */
static void add_own(struct loop *loop)
{
	for (size_t i = own; i < calculators(); i++)
		loop_tried(loop, dls_calc_at(i)->name, &(struct dls__taken){ .workers = 0 });
}

static void advise(struct loop *loop)
{
	const struct dls__profile_sums *p = &loop->profile;
	unsigned P = threads ? threads : loop->workers;
	bool elsewhere = speeds || P != loop->workers;
	struct dls__bars traced;

	add_own(loop);
	if (elsewhere && loop->workers) {
		free(loop->speed);
		loop->speed = tool_each("--speeds", speeds, P, "threads");
	}
	loop->known = (struct dls__known){
		.workers = P, .speed = loop->speed, .time = dls__profile_read(p, loop->time) ? loop->time : NULL,
		.variance = p->scv > 0 ? p->variance : NULL,
		.n = p->executions ? p->n / (double)p->executions : 0, .longest = p->longest,
		.spread = dls__profile_spread(p), .now = loop->now, .ordered = loop->ordered,
		.tried = loop->tried, .trieds = loop->trieds,
		.efficiency = !elsewhere && loop->busy_longest > 0 ? loop->busy_mean / loop->busy_longest : NAN,
		.saving = loop->wall > 0 && loop->threads > 0 ? loop->saving / loop->wall + loop->dispatch / loop->threads : NAN,
		.alone = loop->alone, .elsewhere = elsewhere, .share = loop->share > 0 ? loop->share : NAN,
		.mean = loop->executions > 0 ? loop->wall / loop->executions : NAN,
		.name = loop->name, .reach = loop->reach, .loop = loop->of, .blocks = loop->blocks && !elsewhere,
	};
	dls__profile_bars(p, &traced);
	if (traced.bars > loop->bars.bars)
		loop->bars = traced;
	if (!dls__advise(&loop->known, &loop->advice))
		tool_die(TOOL_CHECK_FAILED, "out of memory");
}

void free_loops(struct loops *loops)
{
	for (size_t i = 0; i < loops->n; i++) {
		struct loop *l = &loops->loop[i];

		free(l->tried);
		free(l->speed);
		free(l->learned);
	}
	free(loops->loop);
}

int main(int argc, char **argv)
{
	struct loops loops = { .n = 0 };
	FILE *page = NULL;
	char **file = tool_options(&tool, argc, argv);

	own = calculators();
	tool_plugin(plugin);
	if (verifies) {
		if (!*file)
			tool_die(TOOL_USAGE, "--verify: which program? see dls-advise --help");
		if (threads || speeds || html || plugin)
			tool_die(TOOL_USAGE, "--verify measures: -t, --speeds, --html and --plugin are not accepted with it");
		verify(file, rounds, format, advise);
		return TOOL_DONE;
	}
	if (!*file)
		tool_die(TOOL_USAGE, "no FILE given: a trace of DLS_TRACE=FILE or a report of DLS_REPORT=FILE.json or FILE.html; see --help");
	if (speeds)
		free(tool_each("--speeds", speeds, threads ? threads : DLS_WORKERS_MAX, "threads"));
	for (; *file; file++)
		read_file(&loops, *file);
	if (html)
		page = tool_open("--html", html, "w");
	for (size_t i = 0; i < loops.n; i++)
		advise(&loops.loop[i]);
	print_loops(&loops, format);
	if (page) {
		page_loops(page, &loops);
		tool_close("--html", html, page);
	}
	free_loops(&loops);
	return TOOL_DONE;
}
