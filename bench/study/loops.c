/* loops.c - dls-study: loops for a study, in virtual time: schedules by times, speeds, workers and
 * iterations. */
#include <unistd.h>

#include "bench/chunks/chunks.h"
#include "dls/strategy.h"
#include "study.h"

enum { SCHEDULE, PROCESSORS, SPEEDS, ITERATIONS, TIMES };
static const char *const list[] = { "schedule", "processors", "speeds", "iterations", "times", NULL };
static const char *const one[] = { "seed", "mu", "sigma", "overhead", "weights", "steps", "plugin", NULL };

static const char *value[5], *measure, *against, *folder, *seeds = "1", *plugin;
static uint64_t first, runs;

static const struct tool_option options[] = {
	{ TOOL_SCHEDULE, .value = "LIST",
	  .help = "schedules, each as in DLS_SCHEDULE, or all\n[static, ss, gss, fac2]",
	  .text = &value[SCHEDULE] },
	{ "times", "LIST",
	  "const, uniform, normal, exp, gamma ... [exp]\n"
	  "times of iterations; also increasing, decreasing, or a FILE with one on each\n"
	  "line; each may have ,mu=S and ,sigma=S.  trace=FILE[,execution=K][,loop=NAME]:\n"
	  "those of a loop that a program ran with DLS_TRACE or DLS_REPORT",
	  .text = &value[TIMES] },
	{ TOOL_PROCESSORS, .value = "LIST", .help = "numbers of workers, 1 to 65536 [4]",
	  .text = &value[PROCESSORS] },
	{ "speeds", "LIST", "speeds of the workers: '1; 1:1:2' [1]\nthe rest have 1",
	  .text = &value[SPEEDS] },
	{ .name = "iterations", .value = "LIST", .letter = 'n',
	  .help = "numbers of iterations, 1 to 1e7 [1000]", .text = &value[ITERATIONS] },
	{ TOOL_SEEDS, .value = "A[-B]", .help = "of drawn times, common to all schedules [1]",
	  .text = &seeds },
	{ "against", "NAME", "the others are compared with it; or best [the first]", .text = &against },
	{ "measure", "COLUMN", "time_s, efficiency, chunks ... [time_s]", .text = &measure },
	{ "output", "DIR", "folder of the outputs [the file's, or this one]", .letter = 'o',
	  .text = &folder },
	{ "mu", "S", "mean time of one iteration, seconds [1e-3]", .rare = true,
	  .text = &told[TOLD_MU].value },
	{ "sigma", "S", "its standard deviation, where it is free [mu/2]", .rare = true,
	  .text = &told[TOLD_SIGMA].value },
	{ "overhead", "S", "time of one dispatch, seconds [0; a trace's own]", .rare = true,
	  .text = &told[TOLD_OVERHEAD].value },
	{ "weights", "W0:W1:...", "speeds that schedules are told; speeds: the true ones [1]", .rare = true,
	  .text = &told[TOLD_WEIGHTS].value, .colons = true },
	{ "steps", "K", "executions, each learning from the last, which is measured [1]", .rare = true,
	  .number = &chunks_steps, .min = 1, .max = 10000 },
	TOOL_LECTURE,
	TOOL_PLUGIN(&plugin),
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-study", .option = options, .arguments = true,
	.about =
	"dls-study compares loop schedules in virtual time: paired differences, a figure.\n"
	"\n"
	"  dls-study -s gss,fac2,af --times exp,gamma -p 4,16 --seed 1-30 -o out\n"
	"  dls-study FILE.study                from a file, or strategies by dls-sim\n",
	.examples =
	"  dls-study -s gss,fac2 --times exp,gamma,sigma=2e-3 --speeds '1; 1:1:2:4' --against best -o out\n"
	"  dls-study -s fac2,mine --plugin ./mine.so --seed 1-30 -o out\n"
	"  dls-study -s gss,fac2 --times trace=trace.json -p 2,4,8 -o out\n",
	.notes = "Exit status: 0 done, 1 a run failed, 2 usage.\n",
};

/* Measures, which can be compared, are the columns between "seed" and "dealt". */
enum { SEED = 7 };
static const char *const column[] = {
	"schedule", "ran", "times", "iterations", "workers", "speeds", "steps", "seed", "time_s",
	"efficiency", "cov", "imbalance_percent", "chunks", "predicted_s", "mean_s", "deviation_s", "dealt",
	NULL
};

static bool is_measure(const char *name)
{
	for (size_t i = SEED + 1; column[i + 1]; i++)
		if (strcmp(column[i], name) == 0)
			return true;
	return false;
}

static void set(const char *key, const char *text)
{
	tool_take(&tool, key, text);
}

static void settle(void)
{
	runs = tool_seeds(tool_written("seed"), seeds, 0, UINT64_MAX, &first);
	for (unsigned t = 0; t < TOLD_WEIGHTS; t++)
		chunks_check(&told[t]);
	chunks_steps = chunks_steps ? chunks_steps : 1;
	chunks_timed = true;
	tool_plugin(plugin);
}

static const char *every(size_t i)
{
	const struct dls_calc *calc = dls_calc_at(i);

	return calc ? calc->name : NULL;
}

/* Which of these a word begins with, those that follow a kind first. */
enum { MU, SIGMA, EXECUTION, LOOP, TRACE, PARTS };
static const char *const part[PARTS] = { "mu=", "sigma=", "execution=", "loop=", "trace=" };

static unsigned part_of(const char *word)
{
	unsigned k = 0;

	while (k < PARTS && strncmp(word, part[k], strlen(part[k])) != 0)
		k++;
	return k;
}

/* A name of a loop may have commas. */
static size_t times_item(const char *text)
{
	size_t n = strcspn(text, ",;");

	while (text[n] == ',' && part_of(text + n + 1) < TRACE)
		n += 1 + strcspn(text + n + 1, part_of(text + n + 1) == LOOP ? ";" : ",;");
	return n;
}

static size_t item(const char *key, const char *text)
{
	if (strcmp(key, "times") == 0)
		return times_item(text);
	if (strcmp(key, "processors") == 0 || strcmp(key, "iterations") == 0)
		return strcspn(text, ",;");
	return strcmp(key, "speeds") == 0 ? strcspn(text, ";") : tool_item(text);
}

static const char *times_text(const struct cell *c)
{
	return c->value[TIMES] ? c->value[TIMES] : "exp";
}

static const char *group_text(const struct study *s, const struct cell *c, unsigned which)
{
	const char *speeds = c->value[SPEEDS], *n = c->value[ITERATIONS];

	(void)s;
	if (which == 0)
		return n ? tool_held_string("%s, %s iterations", times_text(c), n) : times_text(c);
	return tool_held_string("%s workers%s%s", c->value[PROCESSORS] ? c->value[PROCESSORS] : "4",
				speeds && strcmp(speeds, "1") ? ", speeds " : "",
				speeds && strcmp(speeds, "1") ? speeds : "");
}

/* What a text "gamma,sigma=2e-3" or "trace=FILE,loop=NAME" says, into `times` and what schedules are told. */
static void take_times(const char *text)
{
	char *rest = tool_held_string("%s", text), *word;
	const char *file = NULL, *loop = NULL;
	uint64_t execution = 0;

	for (word = rest; word; word = rest) {
		unsigned k = part_of(word);
		char *after = k < PARTS ? word + strlen(part[k]) : word;

		rest = k == LOOP ? NULL : strchr(word, ',');
		if (rest)
			*rest++ = 0;
		if (k == MU || k == SIGMA) {
			told[k == MU ? TOLD_MU : TOLD_SIGMA].value = after;
			chunks_check(&told[k == MU ? TOLD_MU : TOLD_SIGMA]);
		} else if (k == EXECUTION) {
			execution = tool_count("--times", after, 1, UINT64_MAX);
		} else if (k == LOOP || k == TRACE) {
			*(k == LOOP ? &loop : &file) = after;
		} else {
			times.name = word;
		}
	}
	if (!file && (loop || execution || !times.name))
		tool_die(TOOL_USAGE, "--times \"%s\": %s", text,
			 loop || execution ? "loop= and execution= are of a trace, which trace=FILE names"
					   : "needs a kind, as exp, or trace=FILE");
	if (file)
		trace_read(file, loop, execution);
}

static unsigned workers_of(const struct cell *c)
{
	const char *workers = c->value[PROCESSORS];

	return workers ? (unsigned)tool_count(tool_written("processors"), workers, 1, DLS_WORKERS_MAX) : 4;
}

/* The loop of a cell, but for drawn times. */
static void take_cell(const struct cell *c)
{
	const char *n = c->value[ITERATIONS], *speeds = c->value[SPEEDS];
	struct told *weights = &told[TOLD_WEIGHTS];

	take_times(times_text(c));
	chunks_p = workers_of(c);
	chunks_n = n ? tool_count(tool_written("iterations"), n, 1, RUN_MAX) : 1000;
	if (trace.file)
		chunks_n = trace.iterations;
	if (weights->value && strcmp(weights->value, "speeds") == 0)
		weights->value = speeds;
	chunks_check(weights);
	chunks_complete_weights();
	times.seed = first;
	chunks_times();		/* before there are speeds: a trace's workers are taken for equally fast */
	if (speeds)
		speeds_parse(speeds);
}

/* A checksum of every chunk: who ran it, and when. */
static uint32_t dealt(struct trial *trial, struct row *row)
{
	struct tool_sum sum;
	struct chunk c;

	tool_sum_begin(&sum);
	while (trial_next(trial, &c)) {
		const uint64_t figures[] = { c.begin, c.size, c.worker, (uint64_t)(1e9 * c.start + .5),
					     (uint64_t)(1e9 * c.time + .5) };

		for (size_t i = 0; i < 8 * sizeof(figures) / sizeof(*figures); i++)
			tool_sum_add(&sum, figures[i / 8] >> i % 8 * 8 & 0xff);
		row->chunks++;
	}
	return tool_sum_end(&sum);
}

static void print_row(struct tool_table *table, const struct cell *c, const struct row *row, uint32_t sum)
{
	const char *ran = tool_schedule_text(row->schedule);

	tool_text(table, c->value[SCHEDULE]);
	tool_text(table, ran);
	tool_text(table, times_text(c));
	tool_whole(table, chunks_n);
	tool_whole(table, chunks_p);
	tool_text(table, c->value[SPEEDS] ? c->value[SPEEDS] : "1");
	tool_whole(table, chunks_steps);
	tool_whole(table, times.seed);
	tool_number(table, "%.9f", row->time);
	tool_number(table, "%.9g", row->efficiency);
	tool_number(table, "%.9g", row->cov);
	tool_number(table, "%.9g", row->imbalance);
	tool_whole(table, row->chunks);
	tool_number(table, "%.9g", row->predicted);
	tool_number(table, "%.9g", times.mean);
	tool_number(table, "%.9g", times.deviation);
	tool_whole(table, sum);
}

static void run(struct tool_table *table, const struct cell *c, bool check)
{
	struct row row = { .time = NAN, .predicted = NAN };
	struct walk walk;

	chunks_resolve(&row, c->value[SCHEDULE]);
	if (check) {
		chunks_begin(&walk, &row);
		chunks_end(&walk);
	} else {
		struct trial *trial = trial_begin(&row);
		uint32_t sum = dealt(trial, &row);

		trial_figures(trial, &row);
		chunks_predict(&row);
		print_row(table, c, &row, sum);
		trial_end(trial);
	}
	dls_schedule_free(row.schedule);
}

static void cell(const struct cell *c, FILE *rows)
{
	struct tool_table table = { .out = rows, .format = TOOL_CSV, .column = column };
	const char *text = c->value[SCHEDULE];
	const char *name = tool_held_string("%.*s", (int)strcspn(text, ","), text);
	struct told given[TOLD];

	if (!rows && dls_strategy_find(name))
		tool_die(TOOL_USAGE, "%s \"%s\": a strategy, which has no chunk sizes of its own: machines "
			 "are studied from a file with lines \"strategy\", \"net\" and \"load\"",
			 tool_written("schedule"), name);
	memcpy(given, told, sizeof(given));
	take_cell(c);
	if (!rows) {
		run(NULL, c, true);
		return;
	}
	tool_table_begin(&table);
	for (uint64_t i = 0; i < runs; i++) {
		times.seed = first + i;
		if (i && times_drawn()) {
			const char *weights = told[TOLD_WEIGHTS].value;

			memcpy(told, given, sizeof(given));
			told[TOLD_WEIGHTS].value = weights;
			times.name = NULL;
			take_times(times_text(c));
			chunks_times();
		}
		run(&table, c, false);
	}
	tool_table_end(&table);
}

static void key(const struct cell *c, FILE *out)
{
	fprintf(out, "schedule %s; times %s; iterations %s; processors %s; speeds %s; seed %s; steps %u; ",
		c->value[SCHEDULE], times_text(c), c->value[ITERATIONS] ? c->value[ITERATIONS] : "-",
		c->value[PROCESSORS] ? c->value[PROCESSORS] : "-", c->value[SPEEDS] ? c->value[SPEEDS] : "-",
		seeds, chunks_steps);
	for (unsigned t = 0; t < TOLD; t++)
		fprintf(out, "%s %s; ", told[t].option + 2, told[t].value ? told[t].value : "-");
}

/* Whether a list of numbers for some of the workers is not the same for all. */
static bool differ(const char *option, const char *text, unsigned workers)
{
	double *number = tool_each(option, text, workers, "workers");
	bool differ = false;

	for (unsigned w = 1; number && w < workers; w++)
		differ |= number[w] < number[0] || number[w] > number[0];
	free(number);
	return differ;
}

static void facts(const struct cell *c, struct study_facts *facts)
{
	const char *speeds = c->value[SPEEDS], *weights = told[TOLD_WEIGHTS].value;
	unsigned workers = workers_of(c);

	if (weights && strcmp(weights, "speeds") == 0)
		weights = speeds;
	*facts = (struct study_facts){ .equal = strncmp(times_text(c), "const", 5) == 0 &&
						!differ("--speeds", speeds, workers),
				       .told = differ("--weights", weights, workers),
				       .steps = chunks_steps };
}

static const struct study_kind loops = {
	.option = "study", .list = list, .one = one, .group = { "times", "workers" },
	.group_text = group_text, .first = "fac2", .measure = "time_s",
	.measures = "time_s, efficiency or chunks", .is_measure = is_measure, .set = set,
	.settle = settle, .all = every, .item = item, .cell = cell, .key = key, .facts = facts,
};

/* For study_lines(): set *arg if a line of the file has a key that only machines have. */
static void look(void *arg, char *text, size_t line)
{
	static const char *const machines[] = { "strategy", "net",   "load",  "platform",
						"tasks",    "grain", "costs", NULL };
	bool *is_machine = arg;

	(void)line;
	text[strcspn(text, " \t")] = 0;
	for (const char *const *key = machines; *key; key++)
		*is_machine |= strcmp(text, *key) == 0;
}

/* Strategies are dls-sim's. */
static void run_machines(char **file)
{
	const char *argument[7] = { "dls-sim", "--study", *file };
	size_t n = 3;
	char *here = tool_folder();
	const char *path = tool_held_string("%s/dls-sim", here ? here : ".");

	if (tool_lecture)
		argument[n++] = "--lecture";
	if (folder) {
		argument[n++] = "-o";
		argument[n++] = folder;
	}
	execv(path, (char **)(uintptr_t)argument);
	tool_die(TOOL_MISSING, "\"%s\", which runs strategies: %s", path, strerror(errno));
}

int main(int argc, char **argv)
{
	char **file = tool_options(&tool, argc, argv);
	bool machines = false;

	if (*file && (file[1] || !tool_only("lecture output")))
		tool_die(TOOL_USAGE, "\"%s\": %s", *file,
			 file[1] ? "one file is accepted"
				 : "all other options but -o and --lecture are lines of the file, not of the "
				   "command line");
	if (*file) {
		study_lines(loops.option, *file, look, &machines);
		if (machines)
			run_machines(file);
		return study_main(&loops, *file, folder);
	}
	study_option(&loops, "schedule", value[SCHEDULE] ? value[SCHEDULE] : "static,ss,gss,fac2");
	for (size_t i = 1; list[i]; i++)
		study_option(&loops, list[i], value[i]);
	study_option(&loops, "measure", measure);
	study_option(&loops, "against", against);
	return study_main(&loops, NULL, folder);
}
