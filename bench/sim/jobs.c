/* jobs.c - the runs of a command line of dls-sim: one for each strategy, each point of a sweep, each seed. */
#include <ctype.h>

#include "sim.h"

enum { JOBS_MOST = 1000000, AXES_MOST = 8 };

/* "u=0.1:0.9:0.1" or "processors=8:64:*2". */
struct axis {
	char key[32];
	double first, last, step;
	bool times;		/* the step is a factor */
	size_t n;
};

static double value_of(const struct axis *a, size_t i)
{
	return a->times ? a->first * pow(a->step, (double)i) : a->first + (double)i * a->step;
}

static bool number(const char **at, double *value)
{
	char *end;

	*value = strtod(*at, &end);
	if (end == *at || !isfinite(*value))
		return false;
	*at = end;
	return true;
}

static void parse_axis(const char *option, const char *text, size_t length, struct axis *a)
{
	const char *end = text + length, *at = memchr(text, '=', length);
	bool good = at && at > text && (size_t)(at - text) < sizeof(a->key);

	*a = (struct axis){ .step = 0 };
	if (good) {
		memcpy(a->key, text, (size_t)(at++ - text));
		good = number(&at, &a->first) && at < end && *at++ == ':' && number(&at, &a->last) && at < end && *at++ == ':';
		a->times = good && *at == '*';
		at += a->times;
		good = good && number(&at, &a->step) && at == end && a->last >= a->first &&
		       (a->times ? a->first > 0 && a->step > 1 : a->step > 0);
	}
	if (!good)
		tool_die(TOOL_USAGE, "%s \"%.*s\": not KEY=FIRST:LAST:STEP or KEY=FIRST:LAST:*FACTOR, such as u=0.1:0.9:0.1 or "
			 "processors=8:64:*2", option, (int)length, text);
	/* The last one may be off by what rounding makes of it. */
	while (value_of(a, a->n) <= a->last * (1 + 1e-9) && a->n <= JOBS_MOST)
		a->n++;
}

static size_t parse_sweep(const char *text, struct axis *axis)
{
	size_t n = 0;

	for (; text; n++) {
		size_t length = strcspn(text, ",;"), blanks = strspn(text, " \t\n"), end = length;

		while (end > blanks && isspace((unsigned char)text[end - 1]))
			end--;
		if (n == AXES_MOST)
			tool_die(TOOL_USAGE, "--sweep \"%s\": more than %d keys", text, AXES_MOST);
		parse_axis("--sweep", text + blanks, end > blanks ? end - blanks : 0, &axis[n]);
		text = text[length] ? text + length + 1 : NULL;
	}
	return n;
}

/* The next of the strategies; NULL: no more. */
static char *next_of(char **rest)
{
	char *text = *rest, *end;

	if (!text)
		return NULL;
	end = text + tool_item(text);
	*rest = *end ? end + 1 : NULL;
	*end = 0;
	text += strspn(text, " \t\n");
	for (size_t n = strlen(text); n && strchr(" \t\n", text[n - 1]); n--)
		text[n - 1] = 0;
	return text;
}

static bool is_cost(const char *key)
{
	static const char *const cost[] = { "quantum", "poll", "send", "receive", "latency", "hop", "long", "setup", "byte", "carry",
					    "pack", "create", "dequeue", "schedule", "phase", "pause" };

	for (size_t i = 0; i < sizeof(cost) / sizeof(*cost); i++)
		if (strcmp(key, cost[i]) == 0)
			return true;
	return false;
}

/* One of the inputs that have an option, a cost, or a parameter of the strategy. */
static void set(struct job *job, const struct axis *a, size_t i)
{
	const char *text = tool_held_string("%.10g", value_of(a, i));

	job->point = tool_held_string("%s%s%s=%s", job->point, *job->point ? " " : "", a->key, text);
	if (strcmp(a->key, "processors") == 0) {
		job->sim.processors = (unsigned)tool_count("--sweep processors", text, 1, DLS_PROCESSORS_MAX);
	} else if (strcmp(a->key, "tasks") == 0) {
		job->sim.tasks = tool_count("--sweep tasks", text, 0, 1000000);
	} else if (strcmp(a->key, "grain") == 0) {
		job->sim.grain = tool_real("--sweep grain", text, 1e-9, 1e6);
	} else if (is_cost(a->key)) {
		job->sim.costs = job->costs = tool_held_string("%s,%s=%s", job->sim.costs ? job->sim.costs : "ideal", a->key, text);
	} else {
		job->strategy = tool_held_string("%s,%s=%s", job->strategy, a->key, text);
	}
}

struct list {
	struct job *job;
	size_t n;
};

/* All points of the sweep, all seeds. */
static void add(struct list *list, const char *strategy, const struct axis *axis, size_t axes, uint64_t first, uint64_t seeds)
{
	size_t points = 1;

	for (size_t k = 0; k < axes; k++)
		if (axis[k].n > JOBS_MOST || (points *= axis[k].n) > JOBS_MOST)
			tool_die(TOOL_USAGE, "--sweep: more than %d points", JOBS_MOST);
	for (size_t point = 0; point < points; point++)
		for (uint64_t seed = 0; seed < seeds; seed++) {
			size_t rest = point, stride = points;
			struct job *job;

			if (list->n == JOBS_MOST)
				tool_die(TOOL_USAGE, "--sweep, --seed: more than %d runs", JOBS_MOST);
			list->job = tool_grow(list->job, list->n, sizeof(*list->job));
			job = &list->job[list->n++];
			*job = (struct job){ .given = strategy, .strategy = strategy, .point = "", .sim = sim, .seeds = seeds,
					      .last = seed + 1 == seeds };
			job->sim.seed = first + seed;
			for (size_t k = 0; k < axes; k++, rest %= stride) {	/* the last key changes fastest */
				stride /= axis[k].n;
				set(job, &axis[k], rest / stride);
			}
		}
}

size_t jobs_make(const char *strategies, const char *sweep, const char *seeds, struct job **jobs)
{
	char *rest = tool_held_string("%s", strategies), *text;
	const struct dls_strategy *strategy;
	struct list list = { .n = 0 };
	struct axis axis[AXES_MOST];
	size_t axes = parse_sweep(sweep, axis);
	uint64_t first, n = tool_seeds("--seed", seeds, 0, UINT64_MAX, &first);

	while ((text = next_of(&rest))) {
		bool all = strcmp(text, "all") == 0;

		for (size_t i = 0; all ? (strategy = dls_strategy_at(i)) != NULL : i == 0; i++)
			add(&list, all ? strategy->name : text, axis, axes, first, n);
	}
	*jobs = list.job;
	return list.n;
}
