/* queens.c - N-Queens as tasks that spawn each other: the tasks, and the solutions they count, which do not depend on the
 * processors that run them.
 *
 * runs: machines, pthreads */
#include "bench/apps/queens.h"

#include "apps.h"

static struct queens q;

static void open_queens(unsigned n)
{
	CHECK_EQ(queens_open(&q, n), 0);
}

static void run_serially(void)
{
	struct dls_task root = queens_root(&q);

	CHECK_EQ(tree_run(&q.tree, &root), 0);
}

/* The next row as it is told in queens.h, column by column and queen by queen; column[] is of the rows below. */
static void plainly(unsigned n, unsigned row, int *column, struct queens_found *f)
{
	f->solutions += row == n;
	for (int c = 0; row < n && c < (int)n; c++) {
		bool taken = false, attacked = false;

		for (unsigned i = 0; i < row; i++)
			taken |= column[i] == c;
		if (taken)
			continue;
		f->tries++;
		for (unsigned i = row; i-- > 0 && !attacked;) {
			f->checks++;
			attacked = abs(column[i] - c) == (int)(row - i);
		}
		column[row] = c;
		if (!attacked)
			plainly(n, row + 1, column, f);
	}
}

/* Fails if a check is left out or made twice, if queens are checked in another order, and if what a task finds
 * is not what its mirror image would. */
static void counts(void)
{
	static const uint64_t solutions[] = { 2, 10, 4, 40, 92, 352 };	/* of 4 .. 9 queens */

	for (unsigned n = 4; n <= 9; n++) {
		struct queens_found want = { 0 }, got;
		int column[QUEENS_MOST];

		plainly(n, 0, column, &want);
		open_queens(n);
		run_serially();
		got = queens_sum(&q);
		CHECK_EQ(got.tries, want.tries);
		CHECK_EQ(got.checks, want.checks);
		CHECK_EQ(got.solutions, solutions[n - 4]);
		queens_close(&q);
	}
	CHECK_EQ(queens_open(&q, 3), DLS_ERANGE);
	CHECK_EQ(queens_open(&q, 16), DLS_ERANGE);
}

static int add_root(struct dls_machine *m)
{
	struct dls_task root = queens_root(&q);

	return dls_machine_add(m, 0, &root);
}

/* A serial run does half the work, and finds the rest by its mirror image. */
static void machines(void)
{
	open_queens(10);
	run_serially();
	apps_machines(&(struct apps_work){ &q.tree, add_root, false, q.found, QUEENS_PLACES * sizeof(*q.found) });
	queens_close(&q);
}

TEST_MAIN(T_ALONE(counts) T(machines))
