/* refused.c - bad input: the same error on all ranks, and no hang; where there is no MPI, an error in words, which check.sh looks for.
 *
 *	refused [late]		late: a rank does not come; says "late: ok", and ends without MPI_Finalize()
 *
 * Fails, or never ends, if: a rank returns from a collective call without telling the others; ends are not compared; a window that
 * one rank failed to get is used or freed on others; a machine or a repartitioning waits for ever for a rank,
 * or a machine for one that failed before its run. */
#include <math.h>
#include <unistd.h>

#include "dls.h"
#include "dls/machine.h"
#include "dls/mpi.h"
#include "dls/repart.h"
#include "tap.h"
#include "ranks.h"

static int open_with(struct dls_mpi_options options)
{
	struct dls_mpi *other = NULL;
	int code = dls_mpi_open(&other, MPI_COMM_WORLD, &options);

	if (code == 0)
		dls_mpi_close(other);
	return on_all(code);
}

#define OPTIONS(...) (struct dls_mpi_options){ .size = sizeof(struct dls_mpi_options), __VA_ARGS__ }
#define NO_OPTIONS (struct dls_mpi_options){ .size = 3 }

static void options(void)
{
	int level;

	CHECK_EQ(dls_mpi_open(&mpi, MPI_COMM_NULL, NULL), DLS_EINVAL);
	CHECK_EQ(open_with(OPTIONS(.helper = false)), 0);
	CHECK_EACH(DLS_EINVAL, open_with(NO_OPTIONS), open_with(rank == ranks - 1 ? NO_OPTIONS : OPTIONS(.timeout = 0)),
		   open_with(rank == 0 ? NO_OPTIONS : OPTIONS(.timeout = 0)), open_with(OPTIONS(.way = (enum dls_mpi_way)77)),
		   open_with(OPTIONS(.timeout = NAN)), open_with(OPTIONS(.timeout = rank)),
		   open_with(OPTIONS(.way = rank ? DLS_MPI_MESSAGES : DLS_MPI_AUTO)));
	MPI_Query_thread(&level);	/* MPI_THREAD_FUNNELED, unless the MPI gave more than was asked for */
	if (level < MPI_THREAD_MULTIPLE)
		CHECK_EQ(open_with(OPTIONS(.helper = true)), DLS_EINVAL);
	CHECK_EQ(dls_mpi_open(&mpi, MPI_COMM_WORLD, NULL), 0);	/* for the tests that follow */
}

static int open_loop(unsigned workers, const char *schedule)
{
	struct dls_mpi_loop *loop;
	int code = dls_mpi_loop_open(&loop, mpi, workers, schedule);

	if (code == 0)
		dls_mpi_loop_close(loop);
	return on_all(code);
}

static struct dls_mpi_loop *loop_of(const char *schedule)
{
	return ranks_loop(mpi, 1, schedule);
}

static void schedules(void)
{
	CHECK_EACH(0, open_loop(1, "gss"), open_loop(1, NULL), open_loop(1, rank ? "gss" : "GSS "));	/* equal all the same */
	CHECK_EACH(DLS_EINVAL, open_loop(1, rank ? "gss" : "fac2"), open_loop(1, rank ? NULL : "fac2"), open_loop(1, rank ? "fac2" : NULL),
		   open_loop(1, "wf,weights=1:2,multiple=4"), open_loop(1, rank ? "awf-b" : "awf-c"),
		   open_loop(1, rank ? "af,first=3" : "af,first=4"));
	CHECK_EQ(open_loop(1, rank ? "gss" : "nosuch"), DLS_ENOENT);
	CHECK_EACH(true, open_loop(1, "gss,-4") < 0, open_loop(1, rank ? "gss,-4" : "gss") < 0, open_loop(1, "af,first=0") < 0);
}

static int mine_init(void *state, const struct dls_loop_desc *loop)
{
	*(uint64_t *)state = loop->n / 7 + 1;
	return 0;
}

static uint64_t mine_next(void *state, uint64_t R)
{
	uint64_t K = *(uint64_t *)state;

	return K < R ? K : R;
}

/* A calculator of rank 0's alone, then of all. */
static void users(void)
{
	const struct dls_calc mine = { .size = sizeof(mine), .name = "mine", .source = "test", .state_size = 8, .init = mine_init,
				       .next = mine_next };

	if (rank == 0)
		CHECK_EQ(dls_calc_register(&mine), 0);
	CHECK_EQ(open_loop(1, "mine"), DLS_ENOENT);
	if (rank > 0)
		CHECK_EQ(dls_calc_register(&mine), 0);
	CHECK_EQ(open_loop(1, "mine"), 0);
}

static uint64_t nothing_next(void *state, uint64_t R)
{
	(void)state, (void)R;
	return 0;
}

/* Chunks of no iterations are dealt as the smallest, by tickets and by what remains. */
static void nothing(void)
{
	struct dls_calc calc = { .size = sizeof(calc), .source = "test", .state_size = 8, .init = mine_init, .next = nothing_next };

	for (int live = 0; live < 2; live++) {
		struct dls_mpi_loop *loop;
		uint64_t ran = 0;

		calc.name = live ? "nothing-live" : "nothing";
		calc.dispenser = live ? DLS_DISPENSER_LIVE : DLS_DISPENSER_TICKETS;
		CHECK_EQ(dls_calc_register(&calc), 0);
		loop = loop_of(calc.name);
		DLS_MPI_FOR(loop, i, 0, 100)
			ran++;
		CHECK_EQ(ranks_sum(ran), 100);
		CHECK_EQ(dls_mpi_loop_close(loop), 0);
	}
}

static void counts(void)
{
	struct dls_mpi_loop *loop[DLS_MPI_LOOPS_MAX];

	CHECK_EACH(DLS_ERANGE, open_loop(0, "gss"), open_loop(rank ? 0 : 1, "gss"), open_loop(DLS_WORKERS_MAX + 1, "gss"));
	CHECK_EQ(open_loop(DLS_WORKERS_MAX, "gss") < 0, ranks > 1);
	for (int i = 0; i < DLS_MPI_LOOPS_MAX; i++)
		loop[i] = loop_of("gss");
	CHECK_EQ(open_loop(1, "gss"), DLS_EBUSY);
	for (int i = 0; i < DLS_MPI_LOOPS_MAX; i++)
		CHECK_EQ(dls_mpi_loop_close(loop[i]), 0);
}

/* Workers call MPI by messages; MPI_THREAD_FUNNELED allows but one. */
static void levels(void)
{
	struct dls_mpi_loop *loop;
	struct dls_mpi *other;
	int level, code;

	MPI_Query_thread(&level);
	CHECK_EQ(dls_mpi_open(&other, MPI_COMM_WORLD, &OPTIONS(.way = DLS_MPI_MESSAGES)), 0);
	code = on_all(dls_mpi_loop_open(&loop, other, 2, "gss"));
	CHECK_EQ(code, level < MPI_THREAD_SERIALIZED ? DLS_EINVAL : 0);
	if (code == 0)
		CHECK_EQ(dls_mpi_loop_close(loop), 0);
	CHECK_EQ(dls_mpi_close(other), 0);
}

/* Start it and take all chunks of this rank. */
static void run(struct dls_mpi_loop *loop, int64_t begin, int64_t end)
{
	int64_t lo, hi;

	CHECK_EQ(dls_mpi_loop_start(loop, begin, end, 1), 0);
	while (dls_mpi_loop_next(loop, 0, &lo, &hi))
		;
}

static void ranges_differ(struct dls_mpi_loop *loop)
{
	run(loop, 0, rank ? 1000 : 900);
	CHECK_EQ(on_all(dls_mpi_loop_end(loop, NULL)), DLS_EINVAL);
	CHECK_EQ(on_all(dls_mpi_loop_start(loop, 0, 10, 1)), DLS_EINVAL);
	CHECK_EQ(on_all(dls_mpi_loop_close(loop)), 0);
}

/* As many iterations, elsewhere. */
static void places_differ(struct dls_mpi_loop *loop)
{
	run(loop, rank, 1000 + rank);
	CHECK_EQ(dls_mpi_loop_end_nowait(loop, NULL), 0);
	CHECK_EQ(on_all(dls_mpi_loop_close(loop)), DLS_EINVAL);
}

static void once_or_twice(struct dls_mpi_loop *loop)
{
	run(loop, 0, 100);
	if (rank == 0) {
		CHECK_EQ(dls_mpi_loop_end_nowait(loop, NULL), 0);
		run(loop, 0, 100);
	}
	CHECK_EQ(on_all(dls_mpi_loop_end(loop, NULL)), DLS_EINVAL);
	CHECK_EQ(on_all(dls_mpi_loop_close(loop)), 0);
}

/* What a loop that adapts does not accept. */
static void idempotent(struct dls_mpi_loop *loop)
{
	CHECK_EQ(on_all(dls_mpi_loop_set_idempotent(loop, 1000)), DLS_EINVAL);
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
}

static void adaptive(void)
{
	struct dls_mpi_loop *loop = loop_of("af");

	CHECK_EQ(dls_mpi_loop_start(loop, INT64_MIN, INT64_MAX, 1), DLS_ERANGE);
	idempotent(loop);
	idempotent(loop_of("awf-b"));
}

/* The last rank takes no chunk although it has one: static, or a ticket left over. */
static void not_taken(struct dls_mpi_loop *loop)
{
	run(loop, 0, 100);
	CHECK_EQ(on_all(dls_mpi_loop_end(loop, NULL)), 0);
	if (rank < ranks - 1)
		run(loop, 0, 100);
	else
		CHECK_EQ(dls_mpi_loop_start(loop, 0, 100, 1), 0);
	CHECK_EQ(on_all(dls_mpi_loop_end(loop, NULL)), DLS_EINVAL);
	CHECK_EQ(on_all(dls_mpi_loop_close(loop)), 0);
}

static void ranks_differ(void)
{
	static const struct {
		void (*run)(struct dls_mpi_loop *loop);
		const char *schedule[3];
	} row[] = {
		{ ranges_differ, { "fac2", "awf-c", "af" } }, { places_differ, { "fac2", "awf-c", "af" } },
		{ once_or_twice, { "gss", "awf-b", "af" } }, { not_taken, { "static", "ss" } },
	};

	for (size_t i = 0; i < 3 * sizeof(row) / sizeof(*row); i++)
		if (row[i / 3].schedule[i % 3])
			row[i / 3].run(loop_of(row[i / 3].schedule[i % 3]));
}

static void misuse(void)
{
	struct dls_mpi_loop *loop = loop_of("ss");
	int64_t lo, hi;

	CHECK(!dls_mpi_loop_next(loop, 0, &lo, &hi));
	CHECK_EACH(DLS_EINVAL, dls_mpi_loop_end(loop, NULL), dls_mpi_loop_start(loop, 0, 10, 0), dls_mpi_loop_open(NULL, mpi, 1, "ss"));
	CHECK_EQ(dls_mpi_loop_start(loop, 0, 10, 1), 0);
	CHECK_EACH(DLS_EBUSY, dls_mpi_loop_start(loop, 0, 10, 1), dls_mpi_loop_close(loop));
	CHECK(!dls_mpi_loop_next(loop, 1, &lo, &hi));
	while (dls_mpi_loop_next(loop, 0, &lo, &hi))
		;
	CHECK_EQ(dls_mpi_loop_end(loop, NULL), 0);
	CHECK_EACH(0, dls_mpi_loop_close(loop), dls_mpi_loop_close(NULL), dls_mpi_close(NULL));
}

/* MPI without windows, or one that the last rank cannot lock. */
static enum { NONE, SHARED = 1, GLOBAL = 2, LOCK = 4 } missing;

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
	return missing & SHARED ? MPI_ERR_WIN : PMPI_Win_allocate_shared(size, unit, info, comm, base, win);
}

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
{
	return missing & GLOBAL ? MPI_ERR_WIN : PMPI_Win_allocate(size, unit, info, comm, base, win);
}

int MPI_Win_lock_all(int mode, MPI_Win win)
{
	return missing & LOCK && rank == ranks - 1 ? MPI_ERR_WIN : PMPI_Win_lock_all(mode, win);
}

/* Another way is used, by all. */
static void deal_without(int what, enum dls_mpi_way way)
{
	bool shared = !(what & SHARED) || ranks == 1;
	struct dls_mpi_loop *loop;
	struct dls_mpi *other;

	missing = what;
	if (CHECK_EQ(on_all(dls_mpi_open(&other, MPI_COMM_WORLD, &OPTIONS(.way = way))), 0))
		return;
	CHECK_EQ(dls_mpi_way_of(other), shared ? DLS_MPI_SHARED : DLS_MPI_MESSAGES);
	loop = ranks_loop(other, 1, "gss");
	CHECK_EQ(ranks_sum(ranks_deal(loop, 1000)), 1000);
	CHECK_EQ(dls_mpi_loop_close(loop), 0);
	CHECK_EQ(dls_mpi_close(other), 0);
	missing = NONE;
}

static void windows(void)
{
	deal_without(SHARED, DLS_MPI_AUTO);
	deal_without(SHARED, DLS_MPI_SHARED);
	for (int what = GLOBAL; what <= LOCK; what++)	/* GLOBAL, with SHARED, LOCK */
		deal_without(what, DLS_MPI_RMA);
}

/* A malloc() of so many bytes finds no memory; 0: all do. */
static size_t too_much;
extern void *__libc_malloc(size_t size);
#undef malloc	/* SimGrid's */

void *malloc(size_t size)
{
	return size > 0 && size == too_much ? NULL : __libc_malloc(size);
}

static int run_nothing(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)vp, (void)task, (void)context;
	return 0;
}

/* The last rank lacks memory before its run, for the places of 601 processors in the list of tasks that come during it; then it has
 * it, and the task comes. */
static void poor(void)
{
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = 601, .engine = "mpi", .strategy = "rid" };
	static const struct dls_task_type nothing = { .size = sizeof(nothing), .name = "nothing", .run = run_nothing };
	const struct dls_mpi_task_type type = { .type = &nothing };
	struct dls_machine *machine;
	struct dls_mpi *other;

	CHECK_EQ(dls_mpi_open(&other, MPI_COMM_WORLD, &OPTIONS(.timeout = 60)), 0);
	CHECK_EQ(dls_mpi_machines(other, &type, 1), 0);
	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), 0);
	for (int lacking = 1; lacking >= 0; lacking--) {
		CHECK_EQ(dls_machine_add_at(machine, 600, &(struct dls_task){ .type = &nothing }, 1000), 0);
		too_much = lacking && rank == ranks - 1 ? 601 * 2 * sizeof(size_t) : 0;
		CHECK_EQ(on_all(dls_machine_run(machine)), lacking ? DLS_ENOMEM : 0);
		too_much = 0;
	}
	dls_machine_close(machine);
	CHECK_EQ(dls_mpi_close(other), 0);
}

/* Rank 0 answers nobody: rank 1 is told at the end of its loop. */
static void unanswered(void)
{
	struct dls_mpi_loop *loop;
	struct dls_mpi *other;
	int64_t lo, hi;
	int one = 1;

	CHECK_EQ(dls_mpi_open(&other, MPI_COMM_WORLD, &OPTIONS(.way = DLS_MPI_MESSAGES, .timeout = 3)), 0);
	loop = ranks_loop(other, 1, "gss");
	CHECK_EQ(dls_mpi_loop_start(loop, 0, 100, 1), 0);
	if (rank == 0)
		MPI_Send(&one, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	if (rank == 1) {
		MPI_Recv(&one, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);	/* a start answers, too */
		CHECK(!dls_mpi_loop_next(loop, 0, &lo, &hi) && !dls_mpi_loop_next(loop, 0, &lo, &hi));
		CHECK_EQ(dls_mpi_loop_end(loop, NULL), DLS_EDEADLK);
		CHECK_EQ(dls_mpi_loop_close(loop), DLS_EDEADLK);
		CHECK_EQ(dls_mpi_close(other), DLS_EDEADLK);
	}
	ranks_sum(1);
}

/* Rank 1 does not come to a call: the others are told, and so again in the next one. */
static void absent(void (*call)(struct dls_mpi *other))
{
	struct dls_mpi *other;

	CHECK_EQ(dls_mpi_open(&other, MPI_COMM_WORLD, &OPTIONS(.timeout = 3)), 0);
	if (rank != 1) {
		call(other);
		CHECK_EQ(dls_mpi_close(other), DLS_EDEADLK);
	}
	ranks_sum(1);
}

static void run_machine(struct dls_mpi *other)
{
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = 4, .engine = "mpi" };
	struct dls_machine *machine;

	CHECK_EQ(dls_mpi_machines(other, NULL, 0), 0);
	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), 0);
	CHECK_EACH(DLS_EDEADLK, dls_machine_run(machine), dls_machine_run(machine));
	dls_machine_close(machine);
}

static int never(struct dls_part *part, size_t object, void *arg)
{
	(void)part, (void)arg;
	return (int)object;
}

static void open_repart(struct dls_mpi *other)
{
	struct dls_repart_desc desc = { .size = sizeof(desc), .objects = 1, .weight = (int64_t[]){ 1 }, .work = never, .processors = 4,
					.limit = 1, .engine = "mpi" };
	struct dls_repart *repart;

	CHECK_EQ(dls_mpi_machines(other, NULL, 0), 0);
	CHECK_EQ(dls_repart_open(&repart, &desc, NULL), DLS_EDEADLK);
}

static void open_loops(struct dls_mpi *other)
{
	struct dls_mpi_loop *loop;

	CHECK_EACH(DLS_EDEADLK, dls_mpi_loop_open(&loop, other, 1, "gss"), dls_mpi_loop_open(&loop, other, 1, "gss"));
}

/* Rank 1 does not come: the others are told. */
static _Noreturn void late(void)
{
	struct dls_mpi_options patience = OPTIONS(.timeout = 3);
	MPI_Comm comm;
	bool ok;

	unanswered();
	absent(run_machine);
	absent(open_repart);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	if (rank != 1)
		CHECK_EQ(dls_mpi_open(&mpi, comm, &patience), DLS_EDEADLK);
	ranks_sum(1);
	absent(open_loops);
	ok = ranks_sum(tap_failures > 0) == 0;
	if (rank == 0)
		printf("late: %s\n", ok ? "ok" : "failed");
	fflush(stdout);
	ranks_sum(1);
	_exit(0);
}

int main(int argc, char **argv)
{
	static const struct tap_test list[] = { T(options) T(schedules) T(users) T(nothing) T(counts) T(levels) T(ranks_differ)
						T(adaptive) T(misuse) T(windows) T(poor) };
	int wrong;

	CHECK_EQ(dls_mpi_open(&mpi, MPI_COMM_WORLD, NULL), DLS_EINVAL);	/* MPI is not initialised */
	ranks_begin(&argc, &argv, MPI_THREAD_FUNNELED);
	if (argc > 1)
		late();
	ranks_run(list, sizeof(list) / sizeof(*list));
	wrong = ranks_end();
	return wrong || dls_mpi_open(&mpi, MPI_COMM_WORLD, NULL) != DLS_EINVAL;
}
