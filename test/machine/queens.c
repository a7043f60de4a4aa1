/* queens.c - N-Queens as tasks that spawn each other: which tasks, and what they count; it does not depend on the
 * processors that run them. */
#include "bench/apps/queens.h"

#include "apps.h"
#include "dls/strategy.h"

static struct queens q;
static struct queens_found found[QUEENS_PLACES];

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

static void paper(unsigned n, const unsigned tasks[4], uint64_t solutions, double seconds, double efficiency)
{
	unsigned by_level[QUEENS_LEVELS + 1] = { 0 };
	double share, longest;

	open_queens(n);
	run_serially();
	for (size_t i = 0; i < q.tree.tasks; i++)
		by_level[q.tree.of[q.tree.task[i].type] - q.type]++;
	CHECK_EQ(by_level[0], 1);
	for (unsigned k = 1; k <= QUEENS_LEVELS; k++)
		CHECK_EQ(by_level[k], tasks[k - 1]);
	CHECK_EQ(queens_sum(&q).solutions, solutions);
	share = 1e-9 * (double)tree_time(&q.tree) / 32;
	longest = 1e-9 * (double)tree_longest(&q.tree);
	apps_near(share * 32, seconds, .002);
	apps_near(share / (share + longest), efficiency, .001);
	queens_close(&q);
}

/* Shu & Wu: tasks of each level, sequential times, and efficiencies of an optimal schedule, Table V (of 15
 * queens as it comes from the others' formula).  Fails if a unit time moves by .5 %. */
static void of_the_paper(void)
{
	paper(12, (const unsigned[]){ 12, 110, 756, 4080 }, 14200, 5.676, .980);
	paper(13, (const unsigned[]){ 13, 132, 1030, 6404 }, 73712, 32.64, .986);
	paper(14, (const unsigned[]){ 14, 156, 1364, 9632 }, 365596, 200.6, .992);
	if (tap_stress(0) > 0)
		paper(15, (const unsigned[]){ 15, 182, 1764, 13980 }, 2279184, 1305.6, .995);
}

/* Fails if a task is lost or runs twice, if a serial run finds by its mirror image what there is not, and if
 * noted tasks take another time or spawn others. */
static void machines(void)
{
	open_queens(10);
	run_serially();
	memcpy(found, q.found, sizeof(found));
	for (unsigned i = 0; i < APPS_MACHINES; i++) {
		struct dls_machine *m = apps_open(&apps_machine[i]);
		struct dls_task root = queens_root(&q);
		struct dls_run_result worked, noted;

		memset(q.found, 0, sizeof(found));
		CHECK_EQ(dls_machine_add(m, 0, &root), 0);
		worked = machine_run(m);
		CHECK_EQ(worked.tasks, q.tree.tasks);
		CHECK(memcmp(q.found, found, sizeof(found)) == 0);
		CHECK_EQ(tree_add(&q.tree, m), 0);
		noted = machine_run(m);
		apps_same(&apps_machine[i], &worked, &noted);
		if (strcmp(apps_machine[i].engine, "virtual") == 0)
			apps_near(worked.work, 1e-9 * (double)tree_time(&q.tree), 1e-12);
		dls_machine_close(m);
	}
	queens_close(&q);
}

/* Every strategy on real threads, as many runs as the time allows: of 8 queens, or of 12 under DLS_STRESS.  Fails if a task that
 * is spawned, sent or placed is lost or runs twice, and hangs if the end is not found. */
static void threads(void)
{
	static const unsigned processors[] = { 1, 2, 4, 8 };
	unsigned n = tap_stress(0) > 0 ? 12 : 8, runs = 0;
	const struct dls_strategy *strategy;
	time_t end = time(NULL) + (time_t)tap_stress(0);

	open_queens(n);
	do
		for (size_t i = 0; (strategy = dls_strategy_at(i)); i++)
			for (unsigned k = 0; k < 4; k++) {
				struct dls_machine *m = apps_open(&(struct apps_machine){ strategy->name, "threads", processors[k] });
				struct dls_task root = queens_root(&q);

				memset(q.found, 0, sizeof(found));
				CHECK_EQ(dls_machine_add(m, 0, &root), 0);
				machine_run(m);
				CHECK_EQ(queens_sum(&q).solutions, n == 8 ? 92 : 14200);
				dls_machine_close(m);
				runs++;
			}
	while (time(NULL) < end);
	tap_note("%u runs of %u queens", runs, n);
	queens_close(&q);
}

TEST_MAIN(T(counts) T(of_the_paper) T(machines) T(threads))
