/* sim.c - dls-sim: runs of a machine; here, the command line and one run. */
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "dls/platform.h"
#include "bench/study/study.h"
#include "sim.h"

enum { PROCESSORS = 32 };

/* 125.5 blocks of 2000 loops of 1.3 us, which is what a task of the paper's takes when there are 100. */
#define GRAIN 0.3263
#define GRAIN_THREADS 1e-4

struct sim sim = { .load = "uniform", .tasks = 100, .seed = 1, .intervals = 100 };

static bool tell_speed;
static enum tool_format format;
static const char *strategies = "rid", *engine = "virtual", *seeds = "1", *sweep, *resume, *plugin, *study, *folder;

/* The number of processors if the net does not say it. */
static unsigned usual_processors(void)
{
	return platform_given() ? platform_given()->processors : PROCESSORS;
}

/* A machine for a strategy.  The net may say P, or leave it to the default. */
static int open_machine(struct dls_machine **machine, const char *strategy, const double *speed, const double *weight,
			struct dls_parse_error *error)
{
	struct dls_machine_desc desc = { .size = sizeof(desc), .strategy = strategy, .net = sim.net, .costs = sim.costs,
					 .faults = sim.faults, .engine = sim.engine, .speed = speed,
					 .weight = weight, .processors = sim.processors, .seed = sim.seed,
					 .spend = sim.spend, .platform = platform_given() };
	int code = dls_machine_open(machine, &desc, error);

	if (code == DLS_EINVAL && !sim.processors) {
		desc.processors = usual_processors();
		code = dls_machine_open(machine, &desc, error);
	}
	return code;
}

/* A calculator is easily taken for a strategy. */
static void tell_calculator(const char *option, const char *strategy)
{
	const char *name = tool_held_string("%.*s", (int)strcspn(strategy, ",: "), strategy);

	if (dls_calc_find(name))
		tool_die(TOOL_USAGE, "%s \"%s\": %s is a calculator of loops: --strategy repart,calc=%s, or dls study for loops", option,
			 strategy, name, name);
}

static struct dls_machine *machine_of(const char *option, const char *strategy, const double *speed, const double *weight)
{
	struct dls_parse_error error = { .what = "" };
	struct dls_machine *machine;
	int code = open_machine(&machine, strategy, speed, weight, &error);

	if (code && *error.what && !dls_strategy_find(strategy))
		tell_calculator(option, strategy);
	if (code && *error.what)
		tool_die(TOOL_USAGE, "%s \"%s\": %s", option, strategy, error.what);
	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s \"%s\": %s", option, strategy, dls_strerror(code));
	return machine;
}

/* Refuse a text by itself, before it is one of several in a machine. */
static void check(const char *option, const char *text, const struct dls_machine_desc *desc)
{
	struct dls_parse_error error = { .what = "" };
	struct dls_machine *machine;
	int code = text ? dls_machine_open(&machine, desc, &error) : DLS_EBUSY;

	if (!code)
		dls_machine_close(machine);
	else if (text)
		tool_die(code == DLS_ENOMEM ? TOOL_CHECK_FAILED : TOOL_USAGE, "%s \"%s\": %s", option, text,
			 *error.what ? error.what : dls_strerror(code));
}

/* tree:15 is easily taken for a tree of 15 processors. */
static void tell_arity(void)
{
	enum { MANY = 8 };
	static const char *const tree[] = { "tree:", "fattree:" };

	for (size_t i = 0; i < sizeof(tree) / sizeof(*tree) && !sim.processors; i++) {
		size_t n = strlen(tree[i]);

		if (strncmp(sim.net, tree[i], n) == 0 && atoi(sim.net + n) >= MANY)
			fprintf(stderr, "%s: --net \"%s\": %d is the number of children; there are %d processors, since --processors does not say\n",
				tool_name, sim.net, atoi(sim.net + n), usual_processors());
	}
}

/* Speeds of P processors, malloc'ed; NULL: they are all 1. */
static double *speeds_of(unsigned P)
{
	double *speed;

	if (!platform_given())
		return tool_each("--speeds", sim.speeds, P, "processors");
	speed = tool_need(malloc(P * sizeof(*speed)));
	memcpy(speed, platform_speeds(), P * sizeof(*speed));
	return speed;
}

static void check_net(void)
{
	struct dls_parse_error error;
	struct dls_net net;

	if (!sim.net || (!sim.processors && dls_net_parse(&net, sim.net, 0, NULL) == 0))
		return;
	if (dls_net_parse(&net, sim.net, sim.processors ? sim.processors : usual_processors(), &error))
		tool_die(TOOL_USAGE, "--net \"%s\": %s", sim.net, error.what);
	tell_arity();
}

/* The processor time says more where other programs run too. */
static void print_speed(const struct run *run, double seconds, double cpu)
{
	double events = (double)run->result.events;

	fprintf(stderr, "%s: %s: %.0f events in %.3f s, %.2f million per second; in %.3f s of processor time, %.2f\n",
		tool_name, run->text, events, seconds, 1e-6 * events / seconds, cpu, 1e-6 * events / cpu);
}

/* Parts of the processors' time. */
static void measure(const struct dls_machine *machine, struct run *run)
{
	static const size_t member[PARTS_N] = {
#define MEMBER(name) offsetof(struct dls_processor_stats, name)
		MEMBER(busy), MEMBER(polling), MEMBER(overhead), MEMBER(service), MEMBER(held), MEMBER(idle)
	};
	const struct dls_run_result *r = &run->result;
	const double sum[PARTS_N] = { r->busy, r->polling, r->overhead, r->service, r->held, r->idle };
	unsigned P = r->processors;
	double time = r->time;

	for (size_t k = 0; k < PARTS_N; k++)
		run->part[k] = (struct part){ 0, INFINITY, 0 };
	for (unsigned p = 0; p < P; p++) {
		struct dls_processor_stats stats = { .size = sizeof(stats) };

		if (dls_machine_processor_stats(machine, p, &stats)) {	/* it is another rank's */
			for (size_t k = 0; k < PARTS_N; k++)
				run->part[k] = (struct part){ time > 0 ? 100 * sum[k] / time / P : 0, NAN, NAN };
			return;
		}
		for (size_t k = 0; k < PARTS_N; k++) {
			double spent = *(const double *)(const void *)((const char *)&stats + member[k]);
			double percent = time > 0 ? 100 * spent / time : 0;

			run->part[k].mean += percent / P;
			run->part[k].least = fmin(run->part[k].least, percent);
			run->part[k].most = fmax(run->part[k].most, percent);
		}
	}
}

void job_run(const struct job *job, struct run *run)
{
	const char *strategy = job->strategy;
	struct dls_machine *machine;
	double *speed, *weight, begin, seconds;
	unsigned P;
	clock_t cpu;
	int code;

	sim = job->sim;
	machine = machine_of("--strategy", strategy, NULL, NULL);
	P = dls_machine_net(machine)->processors;
	speed = speeds_of(P);
	weight = tool_each("--weights", sim.weights, P, "processors");
	if (speed || weight) {	/* their number P is known only by now */
		dls_machine_close(machine);
		machine = machine_of("--strategy", strategy, speed, weight);
	}
	if (!sim.ranks && sim.threads && P > tool_processors() && !(sim.spend && strcmp(sim.spend, "sleep") == 0))
		fprintf(stderr, "%s: %s: %u processors on %u of this computer take turns: their times are not those of %u\n", tool_name,
			strategy, P, tool_processors(), P);
	*run = (struct run){ .text = strategy, .strategy = dls_machine_strategy(machine), .load = load_add(machine, speed),
			     .traffic = run->traffic };
	dls_net_print(dls_machine_net(machine), run->net, sizeof(run->net));
	if (sim.threads && watch_any())
		watch_keep(machine);
	else if (!sim.threads && !tell_speed)
		progress_run(machine, run);
	begin = tool_now();
	cpu = clock();
	code = dls_machine_run(machine);
	cpu = clock() - cpu;
	seconds = tool_now() - begin;
	progress_clear();
	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s: %s", strategy,
			 code == DLS_ERANGE ? "the run would take more than 2^63 ns" : dls_strerror(code));
	run->result.size = sizeof(run->result);
	dls_machine_result(machine, &run->result);
	if (run->result.tasks != run->load.tasks)
		tool_die(TOOL_CHECK_FAILED, "%s: %" PRIu64 " of %" PRIu64 " tasks ran", strategy, run->result.tasks,
			 run->load.tasks);
	measure(machine, run);
	for (unsigned i = 0; i < platform_links(); i++) {
		struct dls_link_stats s = { .size = sizeof(s) };

		dls_machine_link_stats(machine, i, &s);
		run->traffic[i] = (struct traffic){ s.messages, s.bytes, s.busy, s.waited };
	}
	if (sim.threads && watch_any())
		watch_kept(dls_machine_net(machine), run);
	else if (watch_any())
		watch_run(machine_of("--strategy", strategy, speed, weight), run, speed);
	if (tell_speed)
		print_speed(run, seconds, (double)cpu / CLOCKS_PER_SEC);
	dls_machine_close(machine);
	free(speed);
	free(weight);
}

/* The platform has a host for each processor. */
static void check_hosts(void)
{
	unsigned hosts = platform_given() ? platform_given()->processors : UINT_MAX;
	struct dls_net net;

	if (sim.processors > hosts)
		tool_die(TOOL_USAGE, "--processors \"%u\": --platform \"%s\" has %u hosts", sim.processors, sim.platform, hosts);
	if (sim.net && dls_net_parse(&net, sim.net, 0, NULL) == 0 && net.processors > hosts)
		tool_die(TOOL_USAGE, "--net \"%s\": %u processors, but --platform \"%s\" has %u hosts", sim.net, net.processors, sim.platform,
			 hosts);
}

static void check_costs(const char *option)
{
	check(option, sim.costs, &(struct dls_machine_desc){ .size = sizeof(struct dls_machine_desc), .processors = 1, .costs = sim.costs });
}

/* Check the options of a job; swept: what messages say of values that the sweep gives. */
static void look_at(const struct job *job, const char *swept)
{
	struct dls_machine *machine;
	unsigned P;

	sim = job->sim;
	check_costs(job->costs ? swept : "--costs");
	check_net();
	check_hosts();
	if (*job->point)
		dls_machine_close(machine_of("--strategy", job->given, NULL, NULL));
	machine = machine_of(*job->point ? swept : "--strategy", job->strategy, NULL, NULL);
	P = dls_machine_net(machine)->processors;
	free(tool_each("--speeds", sim.speeds, P, "processors"));
	free(tool_each("--weights", sim.weights, P, "processors"));
	load_check(P);
	if (watch[WATCH_HTML].name)
		html_check(watch[WATCH_HTML].name, P);
	dls_machine_close(machine);
}

/* Refuse options that cannot go together, or that the library refuses. */
static void look(const struct job *jobs, size_t n)
{
	const char *swept = tool_held_string("--sweep \"%s\" gives", sweep ? sweep : "");
	const struct {
		const char *option, *value;
	} one[] = { { "faults", sim.faults }, { "speeds", sim.spend ? NULL : sim.speeds }, { "platform", sim.platform } };
	enum { ONE = sizeof(one) / sizeof(*one) };

	if (sim.spend && strcmp(sim.spend, "work") && strcmp(sim.spend, "sleep"))
		tool_die(TOOL_USAGE, "--spend \"%s\": not work or sleep", sim.spend);
	if (sim.spend && !sim.threads)
		tool_die(TOOL_USAGE, "--spend \"%s\": with --engine threads alone", sim.spend);
	for (size_t i = 0; sim.threads && i < ONE; i++)
		if (one[i].value)
			tool_die(TOOL_USAGE, "--%s \"%s\": in virtual time alone, not with --engine %s%s", one[i].option,
				 one[i].value, sim.engine, i == 1 ? " unless --spend says how tasks take their time" : "");
	if (sim.ranks && (graph_is() || arrive_is()))
		tool_die(TOOL_USAGE, "--load \"%s\": not with --engine mpi", sim.load);
	if (sim.ranks && sim.spend)
		tool_die(TOOL_USAGE, "--spend \"%s\": not with --engine mpi", sim.spend);
	for (size_t i = 0; sim.ranks && i < WATCH_N; i++)
		if (watch[i].name)
			tool_die(TOOL_USAGE, "--%s \"%s\": not with --engine mpi", watch[i].way->option, watch[i].name);
	if (sim.platform && sim.speeds)
		tool_die(TOOL_USAGE, "--speeds \"%s\": not with --platform, whose hosts have speeds", sim.speeds);
	platform_read();
	check("--faults", sim.faults, &(struct dls_machine_desc){ .size = sizeof(struct dls_machine_desc), .processors = 1,
								  .faults = sim.faults });
	check_costs("--costs");
	load_read();
	for (size_t i = 0; i < n; i += jobs[i].seeds)
		look_at(&jobs[i], swept);
	watch_look(n);
}

static const struct tool_option options[] = {
	{ TOOL_STRATEGY, .value = "LIST", .help = "strategies with their parameters, or all [rid]",
	  .text = &strategies },
	{ "net", "NET", "hypercube, tree, mesh, torus, ring ... [hypercube]\nhypercube[:D], tree[:K], "
	  "fattree[:K], mesh[:AxB[xC]], "
	  "torus[:AxB[xC]], ring,\ncomplete [hypercube, or the strategy's net=]", .text = &sim.net },
	{ TOOL_PROCESSORS, .value = "P", .help = "1 to 16777216 [what the net says, or 32]",
	  .number = &sim.processors, .min = 1,
	  .max = DLS_PROCESSORS_MAX },
	{ "costs", "COSTS", "ipsc2, cm5, nectar, cluster or ideal, and [,KEY=VALUE]... [ipsc2]", .rare = true,
	  .text = &sim.costs },
	{ "faults", "FAULTS", "delay=S,stall=S,slow=X: late messages, processors that stop, slow ones [none]",
	  .rare = true,
	  .text = &sim.faults },
	{ "load", "KIND", "uniform, spike, bimodal, exp, tree ... [uniform]\n"
	  "tree[,branch=B][,depth=D], poisson[,rate=R][,burst=B],\n"
	  "or a FILE with \"processor seconds\" on each line, a task each; trace=FILE with\n"
	  "\"arrival processor seconds bytes\"; graph=FILE with \"node seconds parents...\"",
	  .text = &sim.load },
	{ "tasks", "G", "tasks per processor, 0 to 1e6 [100]", .count = &sim.tasks, .max = 1e6 },
	{ "grain", "S", "mean time of a task, seconds [0.3263; on threads 1e-4]", .rare = true,
	  .real = &sim.grain, .min = 1e-9, .max = 1e6 },
	{ "bytes", "B", "of a task in a message [32]", .rare = true, .count = &sim.bytes, .max = UINT32_MAX },
	{ "speeds", "S0:S1:...", "speeds of the processors, in truth; the rest have 1", .text = &sim.speeds,
	  .colons = true },
	{ "platform", "FILE", "processors with their speeds, links with latency and bandwidth, traces of speed:\na platform of SimGrid (XML), or plain "
	  "text [all links as --costs says]", .rare = true, .text = &sim.platform },
	{ "weights", "W0:W1:...", "speeds that the strategy is told; the rest have 1", .rare = true,
	  .text = &sim.weights, .colons = true },
	{ TOOL_SEEDS, .value = "A[-B]",
	  .help = "of all random numbers; a run for each [1]\nfrom A to B, then mean, deviation "
	  "and 95 % interval", .text = &seeds },
	{ "sweep", "KEY=A:B:STEP",
	  "a run for each value of a parameter\nSTEP may be *FACTOR.  KEY: processors, tasks, grain,\n"
	  "a key of --costs, or a parameter of the strategies; several, separated by\ncommas or semicolons, "
	  "are combined", .text = &sweep },
	{ "resume", "FILE.csv", "write --csv there, after the rows that it has from this command line",
	  .rare = true, .text = &resume },
	{ "study", "FILE", "what a file lists, each with each\nstrategies, nets and loads: rows, paired "
	  "differences, a\ntable for LaTeX, a "
	  "figure; what is there and has not changed is kept", .text = &study },
	{ "output", "DIR", "folder of the study's outputs [the file's]", .letter = 'o', .rare = true, .text = &folder },
	{ "engine", "ENGINE", "virtual; threads: in real time, each processor a thread; mpi, under mpirun:\n"
	  "in real time, the processors on all ranks [virtual]", .rare = true, .text = &engine },
	{ "spend", "HOW", "tasks on threads: work, of a measured length, or sleep [processor time]",
	  .rare = true, .text = &sim.spend },
	TOOL_FORMATS(&format, "one row for each strategy, instead of text"),
	{ "html", "FILE.html", "a page: load and messages move on the net\nup to 16 runs",
	  .text = &watch[WATCH_HTML].name },
	{ "gantt", "FILE.svg", "also draw what each processor did, likewise", .rare = true,
	  .text = &watch[WATCH_GANTT].name },
	{ "heat", "FILE.svg", "also draw the load of each processor over time, likewise", .rare = true,
	  .text = &watch[WATCH_HEAT].name },
	{ "messages", "FILE.svg", "also draw how many messages of each kind were sent when, likewise",
	  .rare = true,
	  .text = &watch[WATCH_MESSAGES].name },
	TOOL_LECTURE,
	{ "series", "FILE.csv", "also write what each processor did in each of --intervals, under one "
	  "strategy", .rare = true,
	  .text = &watch[WATCH_SERIES].name },
	{ "intervals", "N", "1 to 10000 [100]", .rare = true, .number = &sim.intervals, .min = 1,
	  .max = 10000 },
	{ "spans", "FILE.csv", "also write every task, message and span of time, likewise", .rare = true,
	  .text = &watch[WATCH_SPANS].name },
	{ "trace", "FILE.json", "also write these for Perfetto or Chrome, likewise", .rare = true,
	  .text = &watch[WATCH_TRACE].name },
	TOOL_PLUGIN(&plugin),
	{ "speed", NULL, "print on stderr how many events per second the run took", .rare = true,
	  .flag = &tell_speed },
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-sim", .option = options,
	.about =
	"dls-sim runs a machine whose processors balance their load by messages.\n"
	"\n"
	"  dls-sim -s rid,u=0.9                    32 processors of an iPSC/2\n"
	"  dls-sim -s 'rid; dem; hbm,u=0.5'        one after the other; \"all\" are all\n"
	"  dls-sim --net mesh:8x8 --load spike     another net; all tasks on processor 0\n"
	"  dls-sim --sweep u=0.1:0.9:0.2 --seed 1-30\n",
	.examples =
	"                                          five parameters, thirty runs each, on all processors\n"
	"  dls-sim -p 1024 --csv                   one row of all measures\n"
	"  dls-sim -s rid,dem --html x.html        both beside each other, for a browser\n"
	"  dls-sim --study u.study                 a figure and a table of what a file lists\n",
	.notes =
	"T_opt: the load divided evenly; T_nobal: without balancing; both without any cost.  T_bal: the end of the\n"
	"last task.  Exit status: 0 done, 1 a task was lost or the run failed, 2 usage.\n",
};

/* The rows go to `file`, which may have some already; returns how many. */
static size_t open_resumed(const struct job *jobs, size_t n, FILE **file)
{
	if (format == TOOL_JSON)
		tool_die(TOOL_USAGE, "--resume \"%s\": writes CSV, not with --json", resume);
	format = TOOL_CSV;
	*file = tool_open_again("--resume", resume, access(resume, F_OK) == 0 ? "r+" : "w+");
	return print_resume(*file, resume, jobs, n);
}

void sim_set(const char *option, const char *value)
{
	tool_take(&tool, option, value);
}

const char *sim_seeds(void)
{
	return seeds;
}

/* What follows from the options, before the runs are made. */
void sim_settle(void)
{
	if (plugin)
		setenv("DLS_CHECK", "1", 0);	/* DLS_CHECK=0 turns it off; the library's strategies break no rule */
	sim.ranks = strcmp(engine, "mpi") == 0;
	sim.threads = sim.ranks || strcmp(engine, "threads") == 0;
	if (!sim.threads && strcmp(engine, "virtual"))
		tool_die(TOOL_USAGE, "--engine \"%s\": not virtual, threads or mpi", engine);
	if (sim.ranks && resume)
		tool_die(TOOL_USAGE, "--resume \"%s\": not with --engine mpi", resume);
	if (sim.ranks && study)
		tool_die(TOOL_USAGE, "--engine \"%s\": not in a study", engine);
	sim.engine = engine;
	if (sim.ranks)
		ranks_begin();
	if (!sim.costs && !sim.threads)
		sim.costs = "ipsc2";
	if (!(sim.grain > 0))
		sim.grain = sim.threads ? GRAIN_THREADS : GRAIN;
	tool_plugin(plugin);
}

void sim_cell(const char *strategy, const char *net, const char *load, const char *platform, FILE *file)
{
	struct job *jobs;
	size_t n;

	sim.net = net;
	sim.load = load ? load : sim.load;
	sim.platform = platform;
	n = jobs_make(strategy, NULL, seeds, &jobs);
	look(jobs, n);
	if (file) {
		print_begin(file, TOOL_CSV, true);
		jobs_in_turn(jobs, n);
	}
	free(jobs);
}

int main(int argc, char **argv)
{
	size_t n, done = 0;
	FILE *out = stdout;
	struct job *jobs;

	tool_options(&tool, argc, argv);
	if (study && !tool_only("study lecture output"))
		tool_die(TOOL_USAGE, "--study \"%s\": all other options but -o and --lecture are lines of the file, not of the command line",
			 study);
	if (study)
		return study_main(&machines, study, folder);
	if (folder)
		tool_die(TOOL_USAGE, "-o \"%s\": with --study alone", folder);
	sim_settle();
	n = jobs_make(strategies, sweep, seeds, &jobs);
	look(jobs, n);
	watch_open();
	if (resume)
		done = open_resumed(jobs, n, &out);
	print_begin(out, format, sweep || (n > 0 && jobs[0].seeds > 1));
	jobs_run(jobs + done, n - done, !sim.threads && !tell_speed && !watch_any());
	print_end();
	if (out != stdout && fclose(out))
		tool_die(TOOL_CHECK_FAILED, "--resume \"%s\": %s", resume, strerror(errno));
	watch_close();
	free(jobs);
	if (sim.ranks)
		ranks_end();
	return TOOL_DONE;
}
