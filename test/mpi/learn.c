/* learn.c - adaptive rules across ranks: figures reach all workers, and sizes follow from them.
 *
 *	learn WAY [slow]	WAY: auto, rma, messages; slow: rank 0 takes ten times as long, in simulated time
 *
 * The figures are those of calculators that measure no time: worker 0 is three times as fast as the others.  Workers take turns, so
 * each chunk's size is known.
 * Fails if: figures are counted twice or not at all (leave has_told or told out); a live loop's size comes from an old count; weights
 * are not renewed; under `slow`, if af or awf-c keeps giving rank 0 as much as the others. */
#include <math.h>
#include <time.h>

#include "dls.h"
#include "dls/mpi.h"
#include "tap.h"
#include "ranks.h"

static int64_t n;

enum { LARGE = 256, SMALL = 64 };

struct state {
	uint64_t n, step;
	unsigned p;
	double speed;
	const struct dls_measured *view;
};

static int init(void *state, const struct dls_loop_desc *loop)
{
	*(struct state *)state = (struct state){ loop->n, 0, loop->p, loop->worker == 0 ? 3 : 1, loop->view };
	return 0;
}

/* The first half in large tickets, so that those of the second are drawn by weights alone. */
static uint64_t ticket_size(void *state, uint64_t R)
{
	uint64_t K = R > ((struct state *)state)->n / 2 ? LARGE : SMALL;

	return K < R ? K : R;
}

static uint64_t live_size(void *state, uint64_t R)
{
	const struct state *s = state;
	uint64_t K = s->view->has_own ? (uint64_t)((double)R / 2 * s->view->own[0] / s->view->sum[0]) : 10;

	return K < 1 ? 1 : K < R ? K : R;
}

static void learn(const void *state, struct dls_learned *memory, const struct dls_sample *sample, double own[2])
{
	(void)memory;
	CHECK(sample->n > 0 && sample->time > 0);
	own[0] = ((const struct state *)state)->speed;
	own[1] = 1;
}

/* The state of a sequence does not know its worker. */
static void learn_by_rank(const void *state, struct dls_learned *memory, const struct dls_sample *sample, double own[2])
{
	(void)state, (void)memory, (void)sample;
	own[0] = rank == 0 ? 3 : 1;
	own[1] = 1;
}

static double weight(const struct dls_measured *view)
{
	return view->known * view->own[0] / view->sum[0];
}

static const struct dls_calc tickets = {
	.size = sizeof(tickets), .name = "by-weight", .source = "test", .needs = DLS_NEED_WEIGHTS, .dispenser = DLS_DISPENSER_TICKETS,
	.state_size = sizeof(struct state), .init = init, .next = ticket_size, .pace = DLS_PACE_CHUNK, .learn = learn_by_rank,
	.weight = weight,
}, live = {
	.size = sizeof(live), .name = "by-figures", .source = "test", .dispenser = DLS_DISPENSER_LIVE,
	.state_size = sizeof(struct state), .init = init, .next = live_size, .pace = DLS_PACE_CHUNK, .learn = learn,
};

/* All ranks come, rank 0 answering meanwhile; returns the sum. */
static int64_t together(int64_t mine)
{
	int64_t all = 0;
	MPI_Request request;

	MPI_Iallreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
	answer_until(&request);
	return all;
}

/* Rank r's turn; returns the size of its chunk, on all ranks. */
static int64_t turn(struct dls_mpi_loop *loop, int r)
{
	int64_t lo = 0, hi = 0;

	if (rank == r && !dls_mpi_loop_next(loop, 0, &lo, &hi))
		hi = lo;
	return together(hi - lo);
}

static struct dls_mpi_loop *start(const char *schedule)
{
	struct dls_mpi_loop *loop = ranks_loop(mpi, 1, schedule);
	char text[64];

	dls_mpi_loop_print_schedule(loop, text, sizeof(text));
	CHECK_TEXT(text, schedule);
	CHECK_EQ(dls_mpi_loop_start(loop, 0, n, 1), 0);
	together(0);
	return loop;
}

/* Each worker takes a chunk, tells its figures with a second one, and by messages has all figures with the third. */
static void warm(struct dls_mpi_loop *loop, int64_t *taken)
{
	for (int i = 0; i < 3 * ranks; i++)
		*taken += turn(loop, i % ranks);
}

static void end(struct dls_mpi_loop *loop, int64_t taken)
{
	for (int r = 0; taken < n; r = (r + 1) % ranks)
		taken += turn(loop, r);
	CHECK_EQ(taken, n);
	for (int r = 0; r < ranks; r++)
		CHECK_EQ(turn(loop, r), 0);
	CHECK_EQ(dls_mpi_loop_end(loop, NULL), 0);
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
}

static void weights(void)
{
	struct dls_mpi_loop *loop = start("by-weight");
	int64_t taken = 0, K;

	warm(loop, &taken);
	while (taken < n / 2 + LARGE)	/* a draw begins and ends among small tickets from here on */
		for (int r = 0; r < ranks; r++)
			taken += turn(loop, r);
	for (int r = 0; r < ranks; r++) {
		double want = SMALL * (r == 0 ? 3.0 : 1.0) * ranks / (ranks + 2);

		taken += K = turn(loop, r);
		if (fabs((double)K - want) > 1 && rank == 0)
			tap_note("rank %d: %ld, not %g", r, (long)K, want);
		CHECK(fabs((double)K - want) <= 1);
	}
	end(loop, taken);
}

static void live_sizes(void)
{
	struct dls_mpi_loop *loop = start("by-figures");
	int64_t taken = 0, K, want;

	warm(loop, &taken);
	for (int i = 0; i < 3 * ranks && n - taken > 10 * ranks; i++) {
		want = (int64_t)((double)(n - taken) / 2 * (i % ranks == 0 ? 3 : 1) / (ranks + 2));
		taken += K = turn(loop, i % ranks);
		CHECK_EQ(K, want);
	}
	end(loop, taken);
}

/* Rank 0's iterations take 1 ms, the others' 100 us: it gets less than its fair share of 500, though more than
 * nothing: its first chunk alone is 250. */
static void slow(const char *schedule)
{
	struct dls_mpi_loop *loop = ranks_loop(mpi, 1, schedule);
	int64_t lo, hi, got = 0, of_0;

	CHECK_EQ(dls_mpi_loop_start(loop, 0, 500 * ranks, 1), 0);
	while (dls_mpi_loop_next(loop, 0, &lo, &hi)) {
		got += hi - lo;
		for (int64_t i = lo; i < hi; i++)
			nanosleep(&(struct timespec){ .tv_nsec = rank ? 100000 : 1000000 }, NULL);
	}
	CHECK_EQ(dls_mpi_loop_end(loop, NULL), 0);
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
	of_0 = together(rank ? 0 : got);
	CHECK_EQ(together(got), 500 * ranks);
	if (rank == 0)
		tap_note("%s: rank 0 got %ld of %d iterations", schedule, (long)of_0, 500 * ranks);
	CHECK(of_0 > 0 && of_0 < 400);
}

int main(int argc, char **argv)
{
	struct dls_mpi_options options = { .size = sizeof(options) };

	if (argc < 2)
		return 2;
	options.way = way_of(argv[1]);
	ranks_open(&argc, &argv, MPI_THREAD_FUNNELED, &options);
	n = 3200 * ranks;
	if (argc > 2) {
		slow("awf-b");
		slow("awf-c");
		slow("af,exact=1");
	} else {
		CHECK_EQ(dls_calc_register(&tickets), 0);
		CHECK_EQ(dls_calc_register(&live), 0);
		weights();
		live_sizes();
	}
	return ranks_end();
}
