/* aroma.c - the applications of Nishikawa & Steenkiste 1993, section 5, and machines that balance them.
 *
 * Each run does the application's work, whose results are compared with the serial ones; tasks take the paper's time, spread
 * over them in proportion to what they do.  Of the sequential times, that of mm is what its optimal times in Table 2 (a) come
 * from, 30.01 s, not the 29.76 s of 2 (b); that of LA is what it takes on one node, 61.53 s, as its optimal times say. */
#include "aroma.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/apps/air.h"
#include "bench/apps/poisson.h"
#include "bench/apps/product.h"
#include "bench/apps/segments.h"
#include "dls/machine.h"
#include "dls/strategy.h"

const struct aroma_app aroma_app[AROMA_APPS] = {
	[AROMA_MM] = { "mm", 30.01, 97.0, true }, [AROMA_PRIME] = { "prime", 68.59, 145.5, true },
	[AROMA_POISSON] = { "poisson", 11.87, 49.9, false }, [AROMA_LA] = { "LA", 61.53, 215.32, false },
};

union program {
	struct product product;
	struct segments segments;
	struct poisson poisson;
	struct air air;
};

struct operations {
	int (*open)(union program *p, const struct aroma_case *one, uint64_t seed, struct dls_machine_desc *desc);
	int (*deal)(union program *p, struct dls_machine *machine);
	bool (*right)(const union program *p);
	void (*close)(union program *p);
};

/* The same of all applications; `more` stands in the setup of this one. */
#define OPERATIONS(X, more) \
static int X##_begin(union program *p, const struct aroma_case *one, uint64_t seed, struct dls_machine_desc *desc) \
{ \
	struct X##_setup setup = { .nodes = one->nodes, .policy = one->policy, .jitter = one->jitter, .seed = seed, \
				     .time = (uint64_t)llround(1e9 * aroma_app[one->app].T_fast) more }; \
	int code = X##_open(&p->X, &setup); \
\
	desc->classes = p->X.classes; \
	desc->class_count = p->X.class_count; \
	return code; \
} \
static int X##_add(union program *p, struct dls_machine *machine) { return X##_deal(&p->X, machine); } \
static bool X##_check(const union program *p) { return X##_right(&p->X); } \
static void X##_end(union program *p) { X##_close(&p->X); }

#define MARKS , .marks = one->literal ? &(struct air_marks){ one->nodes, one->nodes, one->nodes + 1 } : NULL
OPERATIONS(product, )
OPERATIONS(segments, )
OPERATIONS(poisson, )
OPERATIONS(air, MARKS)

static const struct operations operations[AROMA_APPS] = {
	[AROMA_MM] = { product_begin, product_add, product_check, product_end },
	[AROMA_PRIME] = { segments_begin, segments_add, segments_check, segments_end },
	[AROMA_POISSON] = { poisson_begin, poisson_add, poisson_check, poisson_end },
	[AROMA_LA] = { air_begin, air_add, air_check, air_end },
};

static double speed_of(const struct aroma_case *one, unsigned i)
{
	return one->slow && i == 0 ? aroma_app[one->app].T_fast / aroma_app[one->app].T_slow : 1;
}

double aroma_optimum(const struct aroma_case *one)
{
	double speed = 0;

	for (unsigned i = 0; i < one->nodes; i++)
		speed += speed_of(one, i);
	return aroma_app[one->app].T_fast / speed;
}

double aroma_share(const struct aroma_case *one, unsigned i, double tasks)
{
	return tasks * speed_of(one, i) * aroma_optimum(one) / aroma_app[one->app].T_fast;
}

double aroma_more(const struct aroma_run *jitter, const struct aroma_run *run)
{
	return jitter->T != run->T ? jitter->ratio - run->ratio : NAN;
}

static void need(int code, const struct aroma_case *one, const char *what)
{
	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s, %u nodes, %s: %s", aroma_app[one->app].name, one->nodes,
			 one->policy ? one->policy : "balanced", *what ? what : dls_strerror(code));
}

static struct dls_machine *machine_of(const struct aroma_case *one, struct dls_machine_desc *desc)
{
	struct dls_parse_error error = { .what = "" };
	double speed[AROMA_NODES + 1];
	struct dls_machine *machine;

	for (unsigned i = 0; i <= one->nodes; i++)
		speed[i] = speed_of(one, i);
	desc->strategy = one->shared ? "classes" : "classes,scheduler=dedicated";
	desc->net = "complete";
	desc->costs = "nectar";
	desc->speed = speed;
	desc->processors = one->nodes + !one->shared;
	need(dls_machine_open(&machine, desc, &error), one, error.what);
	return machine;
}

static double counted(const struct dls_machine *machine, const struct dls_run *result, const char *name)
{
	const struct dls_strategy *s = dls_machine_strategy(machine);

	for (size_t i = 0; i < DLS_COUNTERS_MAX; i++)
		if (s->counter[i] && strcmp(s->counter[i], name) == 0)
			return (double)result->counter[i];
	tool_die(TOOL_CHECK_FAILED, "%s has no counter %s", s->name, name);
}

static struct aroma_run result_of(const struct dls_machine *machine, const struct aroma_case *one)
{
	struct aroma_run run = { .T = 0 };
	struct dls_run result = { .size = sizeof(result) };

	dls_machine_result(machine, &result);
	run.T = result.time;
	run.ratio = result.time / aroma_optimum(one);
	run.tasks = (double)result.tasks;
	run.moved = counted(machine, &result, "moved");
	run.messages = (double)result.messages;
	run.statuses = counted(machine, &result, "statuses");
	run.moves = counted(machine, &result, "moves");
	for (unsigned i = 0; i < one->nodes; i++) {
		struct dls_vp_stats vp = { .size = sizeof(vp) };

		dls_machine_vp(machine, i, &vp);
		run.node[i] = (double)vp.tasks;
	}
	return run;
}

static struct aroma_run run_case(const struct aroma_case *one, uint64_t seed)
{
	const struct operations *app = &operations[one->app];
	union program *program = tool_need(calloc(1, sizeof(*program)));
	struct dls_machine_desc desc = { .size = sizeof(desc), .seed = seed };
	struct dls_machine *machine;
	struct aroma_run run;

	need(app->open(program, one, seed, &desc), one, "");
	machine = machine_of(one, &desc);
	need(app->deal(program, machine), one, "");
	need(dls_machine_run(machine), one, "");
	if (!app->right(program))
		need(DLS_EINVAL, one, "a task was lost or ran twice, or the result is not the serial one");
	run = result_of(machine, one);
	dls_machine_close(machine);
	app->close(program);
	free(program);
	return run;
}

struct runs {
	const struct aroma_case *cases;
	struct aroma_run *run;
};

static void job(void *arg, size_t i)
{
	const struct runs *runs = arg;
	size_t seed = i % paper.seeds;
	const struct aroma_case *one = &runs->cases[i / paper.seeds];

	if (one->jitter > 0)
		runs->run[i] = run_case(one, paper.first + seed);
	else if (seed == 0)
		runs->run[i] = run_case(one, 1);
}

static struct aroma_run mean(const struct aroma_run *run, size_t n)
{
	struct aroma_run mean = { .T = 0 };

#define X(member) \
	for (size_t k = 0; k < n; k++) \
		mean.member += run[k].member / (double)n;
	X(T) X(ratio) X(tasks) X(moved) X(statuses) X(moves) X(messages)
	X(node[0]) X(node[1]) X(node[2]) X(node[3]) X(node[4])
#undef X
	return mean;
}

struct aroma_run *aroma_runs(const struct aroma_case *cases, size_t n)
{
	struct runs runs = { cases, tool_need(calloc(n * paper.seeds, sizeof(*runs.run))) };
	struct aroma_run *means = tool_need(calloc(n, sizeof(*means)));

	paper_each(job, &runs, n * paper.seeds);
	for (size_t i = 0; i < n; i++)
		means[i] = mean(runs.run + i * paper.seeds, cases[i].jitter > 0 ? paper.seeds : 1);
	free(runs.run);
	return means;
}
