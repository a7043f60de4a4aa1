/* aroma.c - the applications of Nishikawa & Steenkiste 1993, section 5, and machines that balance them.
 *
 * Each run does the application's work, and its results are compared with the serial ones.  The paper's time
 * is divided among the tasks in proportion to their work.  The sequential time of mm is 30.01 s, from which
 * its optimal times in Table 2 (a) come, not the 29.76 s of Table 2 (b).  That of LA is its time on one node,
 * 61.53 s, which agrees with its optimal times. */
#include "aroma.h"

#include "bench/apps/air.h"
#include "bench/apps/poisson.h"
#include "bench/apps/product.h"
#include "bench/apps/segments.h"

const struct aroma_app aroma_app[AROMA_APPS] = {
	[AROMA_MM] = { "mm", 30.01, 97.0 }, [AROMA_PRIME] = { "prime", 68.59, 145.5 },
	[AROMA_POISSON] = { "poisson", 11.87, 49.9 }, [AROMA_LA] = { "LA", 61.53, 215.32 },
};

/* Further costs, by Table 1.  A task of poisson: (13.29 s on one node - 11.87 s) / 20000 tasks; its messages:
 * by its 3.02 s on five nodes.  Start-up, on several nodes: mm sends a matrix of 256 x 256 numbers to all at
 * 3 MB/s; prime, which sends nothing, takes half a second more than its tasks.  A field of LA, 50 kB at
 * 3 MB/s, is copied by a processor at both ends. */
static const struct {
	const char *costs;
	double start;		/* s */
} by_app[AROMA_APPS] = {
	[AROMA_MM] = { "nectar", 0.175 }, [AROMA_PRIME] = { "nectar", 0.5 },
	[AROMA_POISSON] = { "nectar,dequeue=71e-6,send=1.25e-3,receive=1.25e-3", 0 }, [AROMA_LA] = { "nectar", 0 },
};
enum { AIR_COPY = 33300000 };	/* ns */

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

static double speed_of(const struct aroma_case *one, unsigned i)
{
	return one->slow && i == 0 ? aroma_app[one->app].T_fast / aroma_app[one->app].T_slow : 1;
}

/* The functions of an application, alike for all; `more` adds members to its setup. */
#define OPERATIONS(X, more) \
static int X##_begin(union program *p, const struct aroma_case *one, uint64_t seed, struct dls_machine_desc *desc) \
{ \
	struct X##_setup setup = { .nodes = one->nodes, .policy = one->policy, .jitter = one->jitter, .seed = seed, \
				     .time = (uint64_t)llround(1e9 * aroma_app[one->app].T_fast) more(one) }; \
	int code = X##_open(&p->X, &setup); \
\
	desc->classes = p->X.classes; \
	desc->class_count = p->X.class_count; \
	return code; \
} \
static int X##_add(union program *p, struct dls_machine *machine) { return X##_deal(&p->X, machine); } \
static bool X##_check(const union program *p) { return X##_right(&p->X); } \
static void X##_end(union program *p) { X##_close(&p->X); }

#define NO_MORE(one)
#define AIR(one) , .copy = AIR_COPY, .copy_0 = speed_of(one, 0)
OPERATIONS(product, NO_MORE)
OPERATIONS(segments, NO_MORE)
OPERATIONS(poisson, NO_MORE)
OPERATIONS(air, AIR)

#define OF(X) { X##_begin, X##_add, X##_check, X##_end }
static const struct operations operations[AROMA_APPS] = {
	[AROMA_MM] = OF(product), [AROMA_PRIME] = OF(segments), [AROMA_POISSON] = OF(poisson), [AROMA_LA] = OF(air),
};

static double optimum(const struct aroma_case *one)
{
	double speed = 0;

	for (unsigned i = 0; i < one->nodes; i++)
		speed += speed_of(one, i);
	return aroma_app[one->app].T_fast / speed;
}

double aroma_share(const struct aroma_case *one, unsigned i, double tasks)
{
	return tasks * speed_of(one, i) * optimum(one) / aroma_app[one->app].T_fast;
}

static void need(int code, const struct aroma_case *one, const char *what)
{
	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s, %u nodes, %s: %s", aroma_app[one->app].name, one->nodes,
			 one->policy ? one->policy : "balanced", *what ? what : dls_strerror(code));
}

static void note(const struct dls_machine *machine, const struct aroma_case *one, const struct dls_run_result *result,
		 struct aroma_run *run)
{
	const struct dls_strategy *s = dls_machine_strategy(machine);

	double T = result->time + (one->nodes > 1 ? by_app[one->app].start : 0);

	*run = (struct aroma_run){ .T = T, .optimal = optimum(one), .ratio = T / optimum(one),
				   .tasks = (double)result->tasks, .messages = (double)result->messages,
				   .moved = paper_counter(s, result, "moved"), .moves = paper_counter(s, result, "moves"),
				   .statuses = paper_counter(s, result, "statuses") };
	for (unsigned i = 0; i < one->nodes; i++) {
		struct dls_processor_stats vp = { .size = sizeof(vp) };

		dls_machine_processor_stats(machine, i, &vp);
		run->node[i] = (double)vp.tasks;
	}
}

static bool drawn(const void *one)
{
	return ((const struct aroma_case *)one)->jitter > 0;
}

static void run_case(const void *of, uint64_t given, void *run)
{
	const struct aroma_case *one = of;
	const struct operations *app = &operations[one->app];
	union program *program = tool_need(calloc(1, sizeof(*program)));
	uint64_t seed = drawn(one) ? given : 1;
	double speed[AROMA_NODES + 1];
	struct dls_machine_desc desc = {
		.strategy = "classes,scheduler=dedicated", .net = "complete", .costs = by_app[one->app].costs,
		.speed = speed, .processors = one->nodes + 1, .seed = seed,
	};
	struct dls_machine *machine;
	struct dls_run_result result;

	need(app->open(program, one, seed, &desc), one, "");
	for (unsigned i = 0; i <= one->nodes; i++)
		speed[i] = speed_of(one, i);
	machine = paper_machine(&desc);
	need(app->deal(program, machine), one, "");
	paper_machine_run(machine, aroma_app[one->app].name, &result);
	if (!app->right(program))
		need(DLS_EINVAL, one, "a task was lost or ran twice, or the result is not the serial one");
	note(machine, one, &result, run);
	dls_machine_close(machine);
	app->close(program);
	free(program);
}

struct aroma_run *aroma_runs(const struct aroma_case *cases, size_t n)
{
	return paper_means(&(struct paper_runs){ run_case, drawn, cases, sizeof(*cases), n, sizeof(struct aroma_run) });
}
