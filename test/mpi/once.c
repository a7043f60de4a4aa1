/* once.c - loops across ranks: each iteration runs once, in exactly the chunks of a loop with all ranks' workers.
 *
 *	once WAY NODE_RANKS WORKERS SEED	WAY: auto, shared, rma, messages
 *
 * Fails if: threads of a region do not share their rank's part under DLS_MPI_FOR; a ticket past an execution's end
 * is lost or used twice (carry nothing over, or forget to move the base); a batch of a node overlaps another one; the
 * ranks' sequences differ; an answer reaches the wrong worker; a live loop's draw past the end is dropped. */
#include <pthread.h>
#include <time.h>

#include "dls.h"
#include "dls/mpi.h"
#include "tap.h"
#include "ranks.h"

static unsigned workers;

enum { LOOP_MAX = 1000, CHAIN = 200, CHAIN_N = 60 };

/* What the workers of this rank got: how often each iteration, and the size of the chunk that begins there. */
struct seen {
	int times[LOOP_MAX];
	int size[LOOP_MAX];
};

struct job {
	struct dls_mpi_loop *loop;
	unsigned worker;
	int64_t begin, step;
	struct seen *seen;
	uint64_t random;
};

/* A delay now and then, so that ranks overtake each other. */
static void dawdle(uint64_t *random)
{
	if (tap_random(random) % 64 == 0)
		nanosleep(&(struct timespec){ .tv_nsec = (long)(tap_random(random) % 300000) }, NULL);
}

static void *work(void *argument)
{
	struct job *j = argument;
	int64_t lo, hi;

	while (dls_mpi_loop_next(j->loop, j->worker, &lo, &hi)) {
		int64_t first = (lo - j->begin) / j->step, k = first;

		for (int64_t i = lo; j->step > 0 ? i < hi : i > hi; i += j->step)
			__atomic_fetch_add(&j->seen->times[k++], 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&j->seen->size[first], (int)(k - first), __ATOMIC_RELAXED);
		dawdle(&j->random);
	}
	return NULL;
}

static void execute(struct dls_mpi_loop *loop, int64_t begin, int64_t n, int64_t step, struct seen *seen, uint64_t *random)
{
	struct job job[8];
	pthread_t thread[8];

	CHECK_EQ(dls_mpi_loop_start(loop, begin, begin + n * step, step), 0);
	for (unsigned w = 0; w < workers; w++) {
		job[w] = (struct job){ loop, w, begin, step, seen, tap_random(random) };
		if (w)
			CHECK_EQ(pthread_create(&thread[w], NULL, work, &job[w]), 0);
	}
	work(&job[0]);
	for (unsigned w = 1; w < workers; w++)
		pthread_join(thread[w], NULL);
}

/* Compare with what all ranks saw together; `want`: a sequence of chunks, or NULL. */
static void check_seen(struct seen *seen, int n, const int *want, const char *what)
{
	struct seen all;

	all_reduce(seen, &all, (int)(sizeof(all) / sizeof(int)), MPI_INT, MPI_SUM);
	for (int i = 0; i < n; i++)
		if (all.times[i] != 1 || (want && all.size[i] != want[i])) {
			if (rank == 0)
				tap_note("%s: iteration %d of %d: %d times, chunk of %d, not %d", what, i, n, all.times[i], all.size[i],
					 want ? want[i] : -1);
			CHECK(!"once, in sequence");
			return;
		}
}

/* The chunks of a loop of libdls with as many workers. */
static void reference(const char *schedule, int n, int *want)
{
	struct dls_loop *loop;
	int64_t lo, hi;

	memset(want, 0, sizeof(int) * LOOP_MAX);
	if (dls_loop_open(&loop, (unsigned)ranks * workers, NULL, DLS_LOOP_EVERY_CHUNK) ||
	    dls_loop_set_schedule(loop, schedule) || dls_loop_start(loop, 0, n, 1))
		abort();
	for (unsigned w = 0; w < (unsigned)ranks * workers; w++)
		while (dls_loop_next(loop, w, &lo, &hi))
			want[lo] = (int)(hi - lo);
	dls_loop_close(loop);
}

static void one_schedule(const char *schedule, bool same_sequence, uint64_t *random)
{
	static int want[LOOP_MAX];
	static struct seen seen;
	struct dls_mpi_loop *loop = ranks_loop(mpi, workers, schedule);
	uint64_t got;

	for (int e = 0; e < 3; e++) {
		/* The same on all ranks. */
		uint64_t r = (uint64_t)e + (uint64_t)schedule[0];
		int n = e == 1 ? 0 : (int)(tap_random(&r) % LOOP_MAX);

		memset(&seen, 0, sizeof(seen));
		execute(loop, 5, n, e == 2 ? -3 : 1, &seen, random);
		CHECK_EQ(dls_mpi_loop_end(loop, &got), 0);
		CHECK_EQ(ranks_sum(got), n);
		if (same_sequence && n > 0)
			reference(schedule, n, want);
		check_seen(&seen, n, same_sequence ? want : NULL, schedule);
	}
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
}

static uint64_t seed;

static void all_schedules(void)
{
	static const char *const further[] = { "ss,7", "gss,5", "fac2,multiple=8", "ss,4,multiple=6", "fac,mu=1e-6,sigma=2e-6",
					       "fsc,h=1e-6,sigma=1e-5", "rnd,seed=7" };
	const struct dls_calc *calc;
	uint64_t random = seed + (uint64_t)rank;
	int moments = DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H;

	for (size_t i = 0; (calc = dls_calc_at(i)); i++)
		if (calc->dispenser != DLS_DISPENSER_LIVE && strcmp(calc->name, "auto") != 0 && !(calc->needs & (unsigned)moments) &&
		    !calc->learn)
			one_schedule(calc->name, calc->dispenser == DLS_DISPENSER_TICKETS || calc->dispenser == DLS_DISPENSER_OWN,
				     &random);
	for (size_t i = 0; i < sizeof(further) / sizeof(*further); i++)
		one_schedule(further[i], true, &random);
}

/* Each iteration once, by chunks of any size. */
static void other_sizes(void)
{
	static const char *const schedule[] = {
		/* What needs a common clock, an auto or a strategy is replaced. */
		"bold,mu=1e-6,sigma=1e-6,h=1e-6", "af,multiple=4", "rid", "auto", "fac",
		"awf", "awf-b", "awf-c", "awf-d", "awf-e", "awf-b,5,weights=3:1", "af", "af,3,exact=1", "af,first=2,window=all",
		"wf,weights=3:1", "wf,weights=0.01:1:2.5", "static,weights=1:3", "wf,3,weights=5:1:1:1",
	};
	uint64_t random = seed + (uint64_t)rank;

	for (size_t i = 0; i < sizeof(schedule) / sizeof(*schedule); i++)
		one_schedule(schedule[i], false, &random);
}

/* Executions of changing length, none waited for but the last. */
static void chain(const char *schedule)
{
	static struct seen seen[CHAIN];
	static int want[LOOP_MAX];
	uint64_t random = seed + (uint64_t)rank, common = seed;
	struct dls_mpi_loop *loop = ranks_loop(mpi, workers, schedule);
	int n[CHAIN];

	memset(seen, 0, sizeof(seen));
	for (int e = 0; e < CHAIN; e++) {
		n[e] = (int)(tap_random(&common) % CHAIN_N);
		execute(loop, 0, n[e], 1, &seen[e], &random);
		CHECK_EQ(e + 1 < CHAIN ? dls_mpi_loop_end_nowait(loop, NULL) : dls_mpi_loop_end(loop, NULL), 0);
	}
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
	for (int e = 0; e < CHAIN; e++) {
		bool weighted = strstr(schedule, "weights") || schedule[0] == 'a';

		if (n[e] > 0 && !weighted)
			reference(schedule, n[e], want);
		check_seen(&seen[e], n[e], weighted ? NULL : want, schedule);
	}
}

static void chains(void)
{
	static const char *const schedule[] = { "fac2", "ss", "static", "wf,weights=3:1:2", "awf-c", "af" };

	for (size_t i = 0; i < sizeof(schedule) / sizeof(*schedule); i++)
		chain(schedule[i]);
}

/* Two loops open at once, their executions interleaved; their slots used again. */
static void two_loops(void)
{
	static struct seen seen[2];
	uint64_t random = seed + (uint64_t)rank;
	struct dls_mpi_loop *loop[2];

	for (int again = 0; again < 3; again++) {
		memset(seen, 0, sizeof(seen));
		loop[0] = ranks_loop(mpi, workers, "ss,3");
		loop[1] = ranks_loop(mpi, workers, "gss");
		CHECK_EQ(dls_mpi_close(mpi), DLS_EBUSY);
		execute(loop[0], 0, 500, 1, &seen[0], &random);
		CHECK_EQ(dls_mpi_loop_end_nowait(loop[0], NULL), 0);
		execute(loop[1], 0, 700, 1, &seen[1], &random);
		CHECK_EQ(dls_mpi_loop_end(loop[1], NULL), 0);
		CHECK_EQ(dls_mpi_loop_close(loop[0]), 0);
		CHECK_EQ(dls_mpi_loop_close(loop[1]), 0);
		check_seen(&seen[0], 500, NULL, "first loop");
		check_seen(&seen[1], 700, NULL, "second loop");
	}
}

/* By one of a rank's threads, then by all of them. */
static void macro(void)
{
	static struct seen seen;
	struct dls_mpi_loop *loop = ranks_loop(mpi, workers, "fac2");

	for (int step = 0; step < 6; step++) {
		memset(&seen, 0, sizeof(seen));
#ifdef _OPENMP
#pragma omp parallel num_threads(step < 3 ? 1 : workers)
#endif
		DLS_MPI_FOR(loop, i, 0, LOOP_MAX)
			seen.times[i]++;
		check_seen(&seen, LOOP_MAX, NULL, "DLS_MPI_FOR");
	}
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
}

int main(int argc, char **argv)
{
	static const struct tap_test list[] = { T(all_schedules) T(other_sizes) T(chains) T(two_loops) T(macro) };
	struct dls_mpi_options options = { .size = sizeof(options) };

	if (argc != 5)
		return 2;
	options.way = way_of(argv[1]);
	options.node_ranks = (unsigned)atoi(argv[2]);
	workers = (unsigned)atoi(argv[3]);
	seed = strtoull(argv[4], NULL, 0);
	ranks_open(&argc, &argv, workers > 1 ? MPI_THREAD_SERIALIZED : MPI_THREAD_FUNNELED, &options);
	if (rank == 0)
		printf("way %s\n", way_name[dls_mpi_way_of(mpi)]);
	ranks_run(list, sizeof(list) / sizeof(*list));
	return ranks_end();
}
