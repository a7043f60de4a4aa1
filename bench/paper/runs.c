/* runs.c - the runs of an experiment, several at a time, and means over them. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "bench/paper/paper.h"

enum { THREADS_MAX = 64 };

struct each {
	void (*job)(void *arg, size_t i);
	void *arg;
	size_t n;
	_Atomic size_t next, done;
};

static void *work(void *arg)
{
	struct each *each = arg;
	bool progress = isatty(STDERR_FILENO);
	size_t i;

	/* relaxed: a number alone is handed out; what the jobs write is seen after the join. */
	while ((i = atomic_fetch_add_explicit(&each->next, 1, memory_order_relaxed)) < each->n) {
		each->job(each->arg, i);
		i = atomic_fetch_add_explicit(&each->done, 1, memory_order_relaxed);
		if (progress)
			fprintf(stderr, "\r%zu of %zu runs ", i + 1, each->n);
	}
	return NULL;
}

void paper_each(void (*job)(void *arg, size_t i), void *arg, size_t n)
{
	struct each each = { .job = job, .arg = arg, .n = n };
	size_t threads = tool_processors() < n ? tool_processors() : n, started = 0;
	pthread_t thread[THREADS_MAX];

	/* This thread is one of them, and the only one if there can be no other. */
	while (started + 1 < threads && started < THREADS_MAX && !pthread_create(&thread[started], NULL, work, &each))
		started++;
	work(&each);
	while (started > 0)
		pthread_join(thread[--started], NULL);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

struct job {
	const struct paper_runs *runs;
	char *run;
};

static bool drawn(const struct paper_runs *runs, size_t i)
{
	return !runs->drawn || runs->drawn((const char *)runs->cases + i * runs->case_size);
}

static void run_one(void *arg, size_t i)
{
	const struct job *job = arg;
	const struct paper_runs *r = job->runs;
	size_t of = i / paper.seeds, seed = i % paper.seeds;

	if (seed == 0 || drawn(r, of))
		r->run((const char *)r->cases + of * r->case_size, paper.first + seed, job->run + i * r->run_size);
}

void *paper_runs(const struct paper_runs *runs)
{
	struct job job = { runs, tool_held(calloc(runs->n * paper.seeds, runs->run_size)) };

	paper_each(run_one, &job, runs->n * paper.seeds);
	return job.run;
}

/* Standard deviations of the runs of means, found by the means' address. */
static struct deviation {
	const void *mean;
	const double *of;
	struct deviation *before;
} *deviations;

static double deviation(const double *run, size_t step, size_t n, double mean)
{
	double squares = 0;

	for (size_t k = 0; k < n; k++)
		squares += (run[k * step] - mean) * (run[k * step] - mean);
	squares = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
	return squares < 1e-9 * fabs(mean) ? 0 : squares;	/* rounding */
}

static void add_deviations(const double *run, size_t figures, size_t n, const double *mean)
{
	double *of = tool_held(calloc(figures, sizeof(*of)));
	struct deviation *all = tool_held(malloc(sizeof(*all)));

	for (size_t i = 0; i < figures; i++)
		of[i] = deviation(run + i, figures, n, mean[i]);
	*all = (struct deviation){ mean, of, deviations };
	deviations = all;
}

double paper_deviation(const void *mean, size_t member)
{
	for (const struct deviation *d = deviations; d; d = d->before)
		if (d->mean == mean)
			return paper_member(d->of, member);
	return 0;
}

double paper_deviation_of(const void *runs, size_t run_size, size_t member)
{
	const double *run = (const double *)runs + member / sizeof(double);
	double mean = 0;

	for (size_t k = 0; k < paper.seeds; k++)
		mean += run[k * (run_size / sizeof(double))] / (double)paper.seeds;
	return deviation(run, run_size / sizeof(double), paper.seeds, mean);
}

double paper_half(double of, size_t n)
{
	return n > 1 ? paper_student((double)(n - 1)) * of / sqrt((double)n) : 0;
}

void paper_mean(const void *runs, size_t run_size, size_t n, void *means)
{
	size_t figures = run_size / sizeof(double);
	const double *run = runs;
	double *mean = means;

	memset(mean, 0, run_size);
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < figures; i++)
			mean[i] += run[k * figures + i] / (double)n;
	if (n > 1)
		add_deviations(run, figures, n, mean);
}

void *paper_means(const struct paper_runs *runs)
{
	char *all = paper_runs(runs), *means = tool_held(calloc(runs->n, runs->run_size));

	for (size_t i = 0; i < runs->n; i++)
		paper_mean(all + i * paper.seeds * runs->run_size, runs->run_size, drawn(runs, i) ? paper.seeds : 1,
			   means + i * runs->run_size);
	return means;
}

double paper_member(const void *run, size_t member)
{
	double value;

	memcpy(&value, (const char *)run + member, sizeof(value));
	return value;
}

struct tool_spread paper_spread(const void *runs, size_t run_size, size_t member)
{
	double *value = tool_need(malloc(paper.seeds * sizeof(*value)));
	struct tool_spread spread;

	for (size_t i = 0; i < paper.seeds; i++)
		value[i] = paper_member((const char *)runs + i * run_size, member);
	spread = tool_spread(value, paper.seeds);
	free(value);
	return spread;
}

void paper_need(int code, const char *what)
{
	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s: %s", what, dls_strerror(code));
}

struct dls_machine *paper_machine(const struct dls_machine_desc *desc)
{
	struct dls_parse_error error = { .what = "" };
	struct dls_machine_desc sized = *desc;
	struct dls_machine *machine;
	int code;

	sized.size = sizeof(sized);
	code = dls_machine_open(&machine, &sized, &error);

	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s on %s, %s: %s", desc->strategy, desc->net, desc->costs,
			 *error.what ? error.what : dls_strerror(code));
	return machine;
}

void paper_machine_run(struct dls_machine *machine, const char *what, struct dls_run_result *result)
{
	paper_need(dls_machine_run(machine), what);
	result->size = sizeof(*result);
	dls_machine_result(machine, result);
}

double paper_sum(const char *const *name, const uint64_t *value, size_t n, const char *names)
{
	double sum = NAN;

	for (size_t i = 0; i < n; i++) {
		const char *at = name[i] ? strstr(names, name[i]) : NULL;

		if (at && (at == names || at[-1] == ' ') && strchr(" ", at[strlen(name[i])]))
			sum = (isnan(sum) ? 0 : sum) + (double)value[i];
	}
	return sum;
}
