/* kinds.h - the kinds of rounds that a random program runs. */
#ifndef SOAK_KINDS_H
#define SOAK_KINDS_H

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dls/machine.h"
#include "dls/strategy.h"
#include "round.h"

#ifdef _OPENMP
static bool first_thread(void)
{
	return omp_get_thread_num() == 0;
}
#else
static bool first_thread(void)
{
	return true;
}
#endif

/* Loops of every kind with few iterations or none, as threads meet them; the first thread comes late.  Those of one index mark row 0,
 * of two row 1, those that may run again row 2. */
static long total;

static void few(int n, bool nowait)
{
	if (first_thread())
		nanosleep(&(struct timespec){ .tv_nsec = 1000 * r.cost }, NULL);
	for (unsigned k = 0; k < r.reps; k++) {
		DLS_FOR(i, 0, n, .nowait = nowait, .schedule = r.schedule)
			mark(0, i);
		DLS_FOR_2D(i, j, 0, n, 0, 2, .nowait = nowait)
			mark(1, 2 * i + j);
		DLS_FOR_CHUNK(lo, hi, 0, n, .nowait = nowait, .name = "soak c")
			for (int i = lo; i < hi; i++)
				mark(0, i);
		DLS_FOR_2D(i, j, 0, 2, 0, n, .nowait = nowait, .schedule = r.schedule)
			mark(1, 2 * j + i);
		DLS_FOR(i, n - 1, -1, .step = -1, .nowait = nowait, .multiple = 2)
			mark(0, i);
		DLS_FOR(i, 0, n, .nowait = nowait, .idempotent = true, .schedule = "ss")
			atomic_store_explicit(&hits[2][i], 1, memory_order_relaxed);
		DLS_FOR_REDUCE(+, long, total, i, 0, n, .nowait = nowait, .schedule = r.schedule)
			total += 1;
	}
}

/* Those that are all of their region. */
static void few_whole(int n)
{
	for (unsigned k = 0; k < r.reps; k++) {
		DLS_PARALLEL_FOR_WITH((num_threads(r.p)), i, 0, n, .schedule = r.schedule)
			mark(0, i);
		DLS_PARALLEL_FOR_2D_WITH((num_threads(r.p)), i, j, 0, n, 0, 2, .schedule = r.schedule)
			mark(1, 2 * i + j);
		DLS_PARALLEL_FOR_CHUNK_WITH((num_threads(r.p)), lo, hi, 0, n)
			for (int i = lo; i < hi; i++)
				mark(0, i);
		DLS_PARALLEL_FOR_2D_WITH((num_threads(r.p)), i, j, 0, 2, 0, n)
			mark(1, 2 * j + i);
		DLS_PARALLEL_FOR_WITH((num_threads(r.p)), i, n - 1, -1, .step = -1, .multiple = 2)
			mark(0, i);
		DLS_REDUCE(+, long, total, i, 0, n, .schedule = r.schedule)
			total += 1;
	}
}

static void tiny(void)
{
	int n = (int)(draw(3) * draw(4)), kind = (int)draw(4);
	bool nowait = draw(2);

	total = 0;
	r.n[0] = n;
	switch (kind) {
	case 0:
		few(n, nowait);
		break;
	case 1:
		DLS_PARALLEL(num_threads(r.p))
			few(n, nowait);
		break;
	case 2:
#ifdef _OPENMP
#pragma omp parallel num_threads(r.p)
#endif
		few(n, nowait);
		break;
	case 3:
		few_whole(n);
		break;
	}
	check(0, n, 3 * r.reps, false);
	check(1, 2 * n, 2 * r.reps, false);
	if (kind != 3)
		check(2, n, 1, false);
	if (total != (long)r.reps * n)
		wrong("sums wrong", 1, -1);
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
			wrong("sums wrong", 1, -1);
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
#if !TAP_ADDRESS_SANITIZER && !TAP_THREAD_SANITIZER	/* no threads in their forked children */
	int status = -1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		teams();
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		wrong("errors", 1, -1);
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
				wrong("sums wrong", 1, -1);
			check(0, n, 1, false);
		}
	dls_machine_close(m);
}

static const struct {
	const char *what;
	void (*run)(void);
} kinds[] = {
	{ "regions", regions }, { "regions of one loop", regions_of_one_loop }, { "plain regions", plain_regions },
	{ "two indices", two_indices }, { "nested", nested }, { "tasks", tasks }, { "reductions", reductions },
	{ "cancelled", cancelled }, { "site", site }, { "teams", teams }, { "hosts", hosts }, { "forks", forks },
	{ "machines", machines }, { "tiny", tiny },
};

#endif
