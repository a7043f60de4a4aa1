/* soak.c - random programs, one after the other, for a long time; what they do wrong is counted.
 *
 *	soak		for MINUTES (1) from DLS_SEED on
 *	soak SEED	one program, whose seed the above printed
 *
 * Each program is a process with an environment of its own (schedule, report, trace, progress, tune file), since the library reads
 * that once.  It draws what to run from its seed: regions, nests, tasks, chains without a barrier, teams that change size, all
 * schedules, machines, cancellations, forks, several threads that each have a team.  How the threads interleave is not drawn.
 *
 * Fails if: an iteration is lost or runs twice, a sum differs, a call returns an error, a program ends with anything but 0, does
 * not end, or leaves no report. */
#define _DEFAULT_SOURCE	/* MAP_ANONYMOUS */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dls/machine.h"
#include "dls/strategy.h"
#include "once.h"

enum { MOST = 20000, ROWS = 8, ROUNDS = 40, HANGS = 180 /* s */ };

/* Shared by the programs and the one that starts them. */
static struct counts {
	_Atomic uint64_t lost, doubled, sums, errors, ended, hung, reports;	/* what must be 0 */
	_Atomic uint64_t rounds, loops, machines, cancelled, forks;
} *counts;

static atomic_uchar hits[ROWS][MOST];
static uint64_t seed, random_state;

/* The round under way. */
static struct {
	const char *what, *schedule;
	unsigned p, reps;
	int n[3], cost;
	long cancel_at;		/* < 0: never */
} r;

static uint64_t draw(uint64_t below)
{
	return tap_random(&random_state) % below;
}

static int draw_size(void)
{
	static const int size[] = { 0, 1, 2, 7, 64, 64, 100, 1000, 3000, MOST };

	return size[draw(sizeof(size) / sizeof(*size))];
}

static void wrong(_Atomic uint64_t *count, uint64_t by, int row)
{
	atomic_fetch_add(count, by);
	fprintf(stderr, "soak: %s %llu: %llu %s, row %d of %d, schedule %s, P = %u\n", r.what, (unsigned long long)seed,
		(unsigned long long)by, count == &counts->lost ? "lost" : count == &counts->doubled ? "doubled" :
		count == &counts->sums ? "sums wrong" : "errors", row, row < 0 ? 0 : r.n[row % 3], r.schedule, r.p);
}

static bool good(int code)
{
	if (code)
		wrong(&counts->errors, 1, -1);
	return code == 0;
}

/* Each of n marked `times` times, or at most so often; clears the marks. */
static void check(int row, int n, unsigned times, bool at_most)
{
	uint64_t lost = 0, doubled = 0;

	for (int i = 0; i < MOST; i++) {
		/* relaxed: no thread marks any more. */
		unsigned h = atomic_exchange_explicit(&hits[row][i], 0, memory_order_relaxed), want = i < n ? times % 256 : 0;

		lost += h < want && !at_most;
		doubled += h > want;
	}
	if (lost)
		wrong(&counts->lost, lost, row);
	if (doubled)
		wrong(&counts->doubled, doubled, row);
	atomic_fetch_add(&counts->loops, times);
}

static void mark(int row, long i)
{
	atomic_fetch_add_explicit(&hits[row][i], 1, memory_order_relaxed);	/* read after the loop's end */
	for (volatile long k = i % 7 * r.cost; k > 0; k--)
		;
	if (i == r.cancel_at)
		good(dls_for_cancel());
}

/* Two loops without a barrier, then one with. */
static void chain(bool named)
{
	for (unsigned k = 0; k < r.reps; k++) {
		if (named) {
			DLS_FOR(i, 0, r.n[0], .name = "soak a", .nowait = true)
				mark(0, i);
		} else {
			DLS_FOR(i, 0, r.n[0], .nowait = true)
				mark(0, i);
		}
		DLS_FOR(i, r.n[1] - 1, -1, .step = -1, .nowait = true, .schedule = r.schedule)
			mark(1, i);
		DLS_FOR_CHUNK(lo, hi, 0, r.n[2])
			for (int i = lo; i < hi; i++)
				mark(2, i);
	}
}

static void check_chain(void)
{
	for (int row = 0; row < 3; row++)
		check(row, r.n[row], r.reps, false);
}

static void regions(void)
{
	bool named = draw(2);

	DLS_PARALLEL(num_threads(r.p))
		chain(named);
	check_chain();
}

static void regions_of_one_loop(void)
{
	for (unsigned k = 0; k < r.reps; k++)
		DLS_PARALLEL_FOR_WITH((num_threads(1 + k % r.p)), i, 0, r.n[0], .schedule = r.schedule)
			mark(0, i);
	check(0, r.n[0], r.reps, false);
}

static void two_indices(void)
{
	int columns = 1 + (int)draw(200), rows = MOST / columns;

	DLS_PARALLEL_FOR_2D_WITH((num_threads(r.p)), i, j, 0, rows, 0, columns, .schedule = r.schedule)
		mark(0, (long)i * columns + j);
	check(0, rows * columns, 1, false);
}

static void nested(void)
{
	int m = r.n[0] < 2000 ? r.n[0] : 2000, outer = 1 + (int)draw(ROWS);

	DLS_PARALLEL_FOR_WITH((num_threads(r.p)), o, 0, outer)
		DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, m, .schedule = r.schedule)
			mark(o, i);
	for (int row = 0; row < outer; row++)
		check(row, m, 1, false);
}

#ifdef _OPENMP
static void plain_regions(void)
{
	bool named = draw(2);

#pragma omp parallel num_threads(r.p)
	chain(named);
	check_chain();
}

static void tasks(void)
{
	int m = r.n[0] < 2000 ? r.n[0] : 2000;

#pragma omp parallel num_threads(r.p)
#pragma omp single
	for (int o = 0; o < ROWS; o++) {
#pragma omp task firstprivate(o)
		DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, m)
			mark(o, i);
	}
	for (int row = 0; row < ROWS; row++)
		check(row, m, 1, false);
}
#else
static void plain_regions(void)
{
	chain(false);
	check_chain();
}

static void tasks(void)
{
}
#endif

/* The sum of doubles is the same for every schedule and team, bit by bit. */
static void reductions(void)
{
	double first = 0;

	for (unsigned k = 0; k < r.reps; k++) {
		double sum = 0;
		long count = 0;

		DLS_PARALLEL(num_threads(1 + k % r.p)) {
			DLS_FOR_REDUCE(+, double, sum, i, 0, r.n[0], .schedule = r.schedule)
				sum += 1.0 / (i + 1);
			DLS_FOR_REDUCE(+, long, count, i, 0, r.n[1])
				count += i;
		}
		if (k == 0)
			first = sum;
		if (sum != first || count != (long)r.n[1] * (r.n[1] - 1) / 2)
			wrong(&counts->sums, 1, -1);
	}
}

/* A loop that is cancelled, and its next execution, which is complete. */
static void cancelled(void)
{
	for (int k = 0; k < 2; k++) {
		r.cancel_at = k == 0 && r.n[0] ? (long)draw((uint64_t)r.n[0]) : -1;
		DLS_PARALLEL(num_threads(r.p)) {
			DLS_FOR(i, 0, r.n[0], .nowait = true, .schedule = r.schedule)
				mark(0, i);
			DLS_FOR(i, 0, r.n[1])
				atomic_fetch_add_explicit(&hits[1][i], 1, memory_order_relaxed);
		}
		check(0, r.n[0], 1, k == 0);
		check(1, r.n[1], 1, false);
	}
	r.cancel_at = -1;
	atomic_fetch_add(&counts->cancelled, 1);
}

/* A site of a name gets other schedules, moments and measurements between executions. */
static void site(void)
{
	struct dls_site *s;
	struct dls_stats stats = { .size = sizeof(stats) };

	if (!good(dls_site_named(&s, "soak b")))
		return;
	for (int k = 0; k < 6; k++) {
		good(dls_site_set_schedule(s, once_schedules[draw(ONCE_SCHEDULES)]));
		good(dls_site_set_moments(s, 1e-6, 1e-6));
		good(dls_site_set_overhead(s, 1e-7));
		good(dls_site_set_measured(s, draw(2)));
		DLS_PARALLEL_FOR_WITH((num_threads(1 + (int)draw(r.p))), i, 0, r.n[0], .name = "soak b")
			mark(0, i);
		check(0, r.n[0], 1, false);
		good(dls_site_stats(s, &stats));
	}
}

/* Teams of any size, each with loops by call. */
struct job {
	struct dls_team *team;
	struct dls_loop *loop;
	int row;
	bool cancel;
};

static void work(void *arg, unsigned worker)
{
	struct job *job = arg;
	int64_t begin, end;

	while (dls_loop_next(job->loop, worker, &begin, &end)) {
		for (int64_t i = begin; i < end; i++)
			atomic_fetch_add_explicit(&hits[job->row][i], 1, memory_order_relaxed);
		if (job->cancel)
			good(dls_loop_cancel(job->loop));
	}
	dls_team_barrier(job->team);
}

static bool loop_on(struct job *job, unsigned p, const char *schedule, int n)
{
	bool done = good(dls_loop_open(&job->loop, p, NULL, 0)) && good(dls_loop_set_schedule(job->loop, schedule)) &&
		    good(dls_loop_start(job->loop, 0, n, 1)) && good(dls_team_run(job->team, work, job)) &&
		    good(dls_loop_end(job->loop, NULL));

	dls_loop_close(job->loop);
	return done;
}

static void teams(void)
{
	for (unsigned k = 0; k < 4; k++) {
		unsigned p = 1 + (unsigned)draw(k == 3 ? 40 : 6);
		struct job job = { .row = 0, .cancel = draw(4) == 0 };

		if (!good(dls_team_open(&job.team, p)))
			return;
		for (unsigned l = 0; l < 3; l++, job.cancel = false) {
			r.schedule = once_schedules[draw(ONCE_SCHEDULES)];
			loop_on(&job, p, r.schedule, r.n[l]);
			check(0, r.n[l], 1, job.cancel);
		}
		dls_team_close(job.team);
	}
}

/* Threads that each have a team and loops, on sites of their own and on one of all. */
static void *host(void *arg)
{
	struct job job = { .row = (int)(uintptr_t)arg };

	if (!good(dls_team_open(&job.team, 2)))
		return NULL;
	for (unsigned k = 0; k < r.reps; k++)
		loop_on(&job, 2, r.schedule, r.n[0]);
	dls_team_close(job.team);
	return NULL;
}

static void hosts(void)
{
	pthread_t thread[3];

	for (uintptr_t k = 0; k < 3; k++)
		if (pthread_create(&thread[k], NULL, host, (void *)k))
			abort();
	for (int k = 0; k < 3; k++) {
		pthread_join(thread[k], NULL);
		check(k, r.n[0], r.reps, false);
	}
}

/* A child of a thread that may have teams asleep. */
static void forks(void)
{
#if !defined(TAP_ADDRESS_SANITIZER) && !defined(TAP_THREAD_SANITIZER)	/* no threads in their forked children */
	int status = -1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		alarm(HANGS / 2);
		teams();
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		wrong(&counts->errors, 1, -1);
	atomic_fetch_add(&counts->forks, 1);
#endif
}

/* Task k spawns tasks 2k + 1 and 2k + 2, while there are any. */
static int task(struct dls_vp *vp, struct dls_task *of, void *context)
{
	const int *n = context;
	long k = (long)of->arg[0];

	mark(0, k);
	for (long next = 2 * k + 1; next <= 2 * k + 2; next++) {
		struct dls_task spawned = { .type = of->type, .arg = { (uint64_t)next } };

		if (next < *n && dls_vp_spawn(vp, &spawned))
			return DLS_ENOMEM;
		dls_vp_poll(vp);
	}
	return 0;
}

static void machines(void)
{
	static const char *const net[] = { "", ",net=ring", ",net=complete", ",net=mesh", ",net=tree" };
	int n = 1 + (int)draw(2000);
	const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = task, .context = &n };
	struct dls_task root = { .type = &type };
	struct dls_run_result result = { .size = sizeof(result) };
	struct dls_machine *m;
	uint64_t strategies = 0;
	char text[100];

	while (dls_strategy_at(strategies))
		strategies++;
	snprintf(text, sizeof(text), "%s%s", dls_strategy_at(draw(strategies))->name, net[draw(5)]);
	r.schedule = text;
	if (!good(dls_machine_open(&m, &(struct dls_machine_desc){ .size = sizeof(struct dls_machine_desc), .strategy = text,
			.engine = draw(2) ? "threads" : "virtual", .processors = 1 + (unsigned)draw(9), .seed = draw(1000) },
			NULL)))
		return;
	for (int k = 0; k < 2; k++)
		if (good(dls_machine_add(m, 0, &root)) && good(dls_machine_run(m)) && good(dls_machine_result(m, &result))) {
			if (result.tasks != (uint64_t)n)
				wrong(&counts->sums, 1, -1);
			check(0, n, 1, false);
		}
	dls_machine_close(m);
	atomic_fetch_add(&counts->machines, 1);
}

static const struct {
	const char *what;
	void (*run)(void);
} kinds[] = {
	{ "regions", regions }, { "regions of one loop", regions_of_one_loop }, { "plain regions", plain_regions },
	{ "two indices", two_indices }, { "nested", nested }, { "tasks", tasks }, { "reductions", reductions },
	{ "cancelled", cancelled }, { "site", site }, { "teams", teams }, { "hosts", hosts }, { "forks", forks },
	{ "machines", machines },
};

static void variable(const char *name, unsigned often, const char *value)
{
	if (draw(often) == 0)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

/* The report and the trace of this program, in `folder`. */
static char report[200];

static void environment(const char *folder)
{
	static const char *const endings[] = { "html", "json", "csv" };
	char text[200];

	variable("DLS_SCHEDULE", 3, once_schedules[draw(ONCE_SCHEDULES)]);
	snprintf(report, sizeof(report), "%s/report.%s", folder, endings[draw(3)]);
	variable("DLS_REPORT", 2, report);
	if (!getenv("DLS_REPORT"))
		report[0] = 0;
	snprintf(text, sizeof(text), "%s/trace.json", folder);
	variable("DLS_TRACE", 4, text);
	setenv("DLS_TRACE_LIMIT", "1000000", 1);
	snprintf(text, sizeof(text), "%s/tune", folder);
	variable("DLS_TUNE", 4, text);
}

static _Noreturn void program(const char *folder)
{
	struct stat there;

	random_state = seed;
	alarm(HANGS);
	environment(folder);
#ifdef _OPENMP
	omp_set_max_active_levels(2);
#endif
	for (int k = 0; k < ROUNDS; k++) {
		size_t kind = draw(sizeof(kinds) / sizeof(*kinds));

		r.what = kinds[kind].what;
		r.schedule = once_schedules[draw(ONCE_SCHEDULES)];
		r.p = 1 + (unsigned)draw(5);
		r.reps = 1 + (unsigned)draw(12);
		r.cost = (int)(draw(3) * draw(20));
		r.cancel_at = -1;
		for (int i = 0; i < 3; i++)
			r.n[i] = draw_size();
		kinds[kind].run();
		atomic_fetch_add(&counts->rounds, 1);
	}
	if (*report && (dls_report(report) != 0 || stat(report, &there) != 0 || there.st_size == 0))
		atomic_fetch_add(&counts->reports, 1);
	exit(0);
}

/* Returns whether the program ended as it should. */
static bool run(const char *folder)
{
	int status = -1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		program(folder);
	waitpid(pid, &status, 0);
	if (status == 0)
		return true;
	atomic_fetch_add(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? &counts->hung : &counts->ended, 1);
	return false;
}

static uint64_t violations(void)
{
	return counts->lost + counts->doubled + counts->sums + counts->errors + counts->ended + counts->hung + counts->reports;
}

static void say(double minutes, uint64_t programs)
{
	printf("%5.1f min: %llu programs, %llu rounds, %llu loops, %llu machines, %llu cancelled, %llu forks; violations: lost %llu, "
	       "doubled %llu, sums %llu, errors %llu, ended badly %llu, hung %llu, no report %llu\n", minutes,
	       (unsigned long long)programs, (unsigned long long)counts->rounds, (unsigned long long)counts->loops,
	       (unsigned long long)counts->machines, (unsigned long long)counts->cancelled, (unsigned long long)counts->forks,
	       (unsigned long long)counts->lost, (unsigned long long)counts->doubled, (unsigned long long)counts->sums,
	       (unsigned long long)counts->errors, (unsigned long long)counts->ended, (unsigned long long)counts->hung,
	       (unsigned long long)counts->reports);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *text = getenv("MINUTES");
	double minutes = text && *text ? strtod(text, NULL) : 1, begun = tap_now(), said = begun;
	char folder[] = "/tmp/dls-soak-XXXXXX", command[100];
	uint64_t programs = 0, first;

	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED || !mkdtemp(folder)) {
		perror("soak");
		return 2;
	}
	if (!(minutes > 0)) {
		fprintf(stderr, "soak: MINUTES \"%s\": a number above 0 is accepted\n", text);
		return 2;
	}
	first = argc > 1 ? strtoull(argv[1], NULL, 0) : tap_seed();
	do {
		seed = first + programs++;
		if (!run(folder))
			printf("soak: program %llu ended badly; once more: %s %llu\n", (unsigned long long)seed, argv[0],
			       (unsigned long long)seed);
		if (tap_now() - said >= 60) {
			said = tap_now();
			say((said - begun) / 60, programs);
		}
	} while (argc == 1 && tap_now() - begun < 60 * minutes);
	say((tap_now() - begun) / 60, programs);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return violations() > 0 || system(command) != 0;
}
