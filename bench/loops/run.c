/* run.c - one execution of a kernel's loop, under a schedule of libdls or of the compiler. */
#include "dls.h"
#include "dls/strategy.h"
#include "loops.h"

/* One worker in one loop; each on cache lines of its own. */
struct worker {
	_Alignas(128) bool clocked, slow, logged;	/* logged: its chunks are kept */
	double busy;		/* ns; if clocked */
	double owed;		/* it has yet to wait so long to seem slow, ns; below 0: it has waited so much too long */
	uint64_t chunks;
	struct chunk *log;	/* kept from loop to loop */
	size_t log_length, log_room;
};

static struct worker *workers;
static double clock_cost;	/* of one reading, ns */

static void log_chunk(struct worker *w, uint64_t began, int lo, int n)
{
	if (w->log_length == w->log_room) {
		w->log_room = w->log_room ? 2 * w->log_room : 256;
		w->log = tool_need(realloc(w->log, w->log_room * sizeof(*w->log)));
	}
	w->log[w->log_length++] = (struct chunk){ began, lo, n };
}

static inline double since(uint64_t start)
{
	return (double)(int64_t)(dls_clock() - start);
}

/* The clock is coarse: a slow worker waits too long or too short, and corrects that after its next chunk. */
static inline void iterate(struct worker *w, int lo, int hi)
{
	uint64_t start = w->clocked ? dls_clock() : 0;
	double work, gone;

	for (int i = lo; i < hi; i++)
		loops.kernel->iteration(i);
	if (!w->clocked)
		return;
	gone = since(start);
	work = fmax(0, gone - clock_cost);
	if (w->logged)
		log_chunk(w, start, lo, hi - lo);
	if (w->slow) {
		work *= loops.factor;
		w->owed += work;
		while (gone < w->owed)
			gone = since(start);
		w->owed -= gone;
	}
	w->busy += work;
}

static void run_libdls(const char *site)
{
	DLS_PARALLEL(num_threads(loops.threads)) {
		struct worker *w = &workers[omp_get_thread_num()];

		DLS_FOR_CHUNK(lo, hi, 0, loops.kernel->n, .nowait = true, .name = site) {
			w->chunks++;
			iterate(w, lo, hi);
		}
	}
}

/* The compiler's loop does not say where a chunk ends: here each iteration counts as a chunk, and the number of chunks is
 * known only where it follows from the rule. */
#define PRAGMA(text) _Pragma(#text)
#define RUN_COMPILER(kind, count) \
	static void run_##kind(const char *site) \
	{ \
		int n = loops.kernel->n; \
		(void)site; \
		PRAGMA(omp parallel num_threads(loops.threads)) \
		{ \
			struct worker *w = &workers[omp_get_thread_num()]; \
			PRAGMA(omp for schedule(kind) nowait) \
			for (int i = 0; i < n; i++) { \
				count; \
				iterate(w, i, i + 1); \
			} \
		} \
	}
RUN_COMPILER(static, w->chunks = 1)
RUN_COMPILER(dynamic, w->chunks++)
RUN_COMPILER(guided, )

static const struct side compiler[2][COMPILERS] = { {
	{ .side = TOOL_OPENMP, .schedule = "static", .run = run_static, .way = KERNEL_STATIC },
	{ .side = TOOL_OPENMP, .schedule = "dynamic", .run = run_dynamic, .way = KERNEL_DYNAMIC },
	{ .side = TOOL_OPENMP, .schedule = "guided", .run = run_guided, .way = KERNEL_GUIDED },
}, {
	{ .side = TOOL_OPENMP, .schedule = "shipped", .way = KERNEL_SHIPPED },
	{ .side = TOOL_OPENMP, .schedule = "static", .way = KERNEL_STATIC },
	{ .side = TOOL_OPENMP, .schedule = "guided", .way = KERNEL_GUIDED },
} };

double loops_run(const struct side *side, const char *site, int speed, bool clocked)
{
	double time;

	for (unsigned i = 0; i < loops.threads; i++) {
		struct worker *w = &workers[i];
		bool slow = speed == SLOWED && i == loops.slow_worker;

		*w = (struct worker){
			.slow = slow, .clocked = clocked || slow, .logged = clocked && loops.plot && side->libdls,
			.log = w->log, .log_room = w->log_room,
		};
	}
	time = tool_now();
	for (int k = 0; k < loops.kernel->steps; k++)
		loops.kernel->step[side->way]();
	if (!loops.kernel->steps)
		side->run(site);
	return tool_now() - time;
}

void loops_tally(double *chunks, double *imbalance)
{
	double sum = 0, max = 0, n = 0;

	for (unsigned i = 0; i < loops.threads; i++) {
		sum += workers[i].busy;
		max = fmax(max, workers[i].busy);
		n += (double)workers[i].chunks;
	}
	*chunks = n > 0 ? n : NAN;
	*imbalance = n > 0 ? 100 * (max * loops.threads / sum - 1) : NAN;
}

const struct chunk *loops_log(unsigned worker, size_t *n)
{
	*n = workers[worker].log_length;
	return workers[worker].log;
}

void loops_prepare(void)
{
	unsigned got = 0;
	uint64_t start;

	workers = tool_need(aligned_alloc(_Alignof(struct worker), loops.threads * sizeof(*workers)));
	memset(workers, 0, loops.threads * sizeof(*workers));
	omp_set_dynamic(0);
	omp_set_num_threads((int)loops.threads);
#pragma omp parallel num_threads(loops.threads)
#pragma omp single
	got = (unsigned)omp_get_num_threads();
	if (got != loops.threads)
		tool_die(TOOL_USAGE, "%s \"%u\": the OpenMP runtime starts only %u", tool_written("threads"),
			 loops.threads, got);
	start = dls_clock();
	for (int i = 0; i < 1000; i++)
		clock_cost = since(start) / 1000;
	loops.line_ns = tool_line_ns();
}

/* The side of a schedule of libdls. */
static struct side ours(const char *text)
{
	struct dls_schedule *schedule = tool_parse(tool_written("schedule"), text, text);
	const struct dls_strategy *strategy = dls_schedule_strategy(schedule);
	const struct dls_calc *calc = tool_calc(schedule);
	const char *printed = tool_schedule_text(schedule);
	struct side side = {
		.side = "libdls", .schedule = text, .run = run_libdls, .way = KERNEL_LIBDLS, .libdls = true,
		.parts = calc->parts,
	};

	side.learns = calc->pace == DLS_PACE_EXECUTION || strstr(printed, "weights=site") ||
		      (loops.steps > 1 && strstr(printed, "auto")) ||
		      (strategy && strategy->rounds);
	dls_schedule_free(schedule);
	return side;
}

size_t loops_sides(const char *list, struct side **side)
{
	const char **schedule;
	size_t n = tool_schedules(tool_written("schedule"), list, true, &schedule);

	*side = tool_held(calloc(COMPILERS + n, sizeof(**side)));
	memcpy(*side, compiler[loops.programs], sizeof(*compiler));
	for (size_t i = 0; i < n; i++)
		(*side)[COMPILERS + i] = ours(schedule[i]);
	for (size_t i = 0; i < COMPILERS + n; i++)
		for (int speed = 0; speed < SPEEDS; speed++)
			(*side)[i].runs[speed].step = tool_held(calloc(loops.runs * loops.steps, sizeof(double)));
	return COMPILERS + n;
}

void loops_free(struct side *side, size_t sides)
{
	for (size_t i = 0; i < sides; i++)
		free(side[i].chunk);
}
