/* puzzle.c - IDA* on the 15-puzzle as tasks that spawn each other: Korf's figures, and the tasks, which do not depend on
 * the processors that run them.
 *
 * runs: machines, alone, pthreads */
#include "bench/apps/puzzle.h"

#include "apps.h"

/* An instance with a short solution: Korf's number 79. */
static const struct puzzle_instance easy = { UINT64_C(0xfa6824ce35db7910), 42, 1000 };

static struct puzzle z;
static struct tree iteration[PUZZLE_ITERATIONS];
static int iterations;

/* Positions looked at until a solution is found; Korf's order is that of puzzle_next_to[]. */
static bool first_solution(const struct puzzle *of, const struct puzzle_node *node, uint64_t *looked)
{
	if (node->distance == 0)
		return true;
	for (const uint8_t *place = puzzle_next_to[node->blank]; *place != PUZZLE_NOWHERE; place++) {
		struct puzzle_node below;

		if (*place == node->from)
			continue;
		++*looked;
		below = puzzle_move(node, *place);
		if (puzzle_within(of, &below) && first_solution(of, &below, looked))
			return true;
	}
	return false;
}

static void korf_instance(const struct puzzle_instance *of, uint64_t generated)
{
	uint64_t looked = 1;

	CHECK_EQ(puzzle_open(&z, of->start, of->unit, 1), 0);
	for (;; z.bound += 2) {
		struct dls_task root = puzzle_root(&z);
		struct puzzle_node node = puzzle_node_of(&root);

		if (first_solution(&z, &node, &looked))
			break;
	}
	CHECK_EQ(z.bound, of->length);
	CHECK_EQ(looked, generated);
	puzzle_close(&z);
}

/* Korf 1985: lengths of the shortest solutions, and nodes generated up to the first.  Fails if a tile is
 * elsewhere, or a move is. */
static void korf(void)
{
	korf_instance(&puzzle_instance[0], 5934442);
	korf_instance(&puzzle_instance[1], 18918269);
	korf_instance(&puzzle_instance[2], 65533432);
	korf_instance(&easy, 540860);
}

static void run_serially(const struct puzzle_instance *of)
{
	CHECK_EQ(puzzle_open(&z, of->start, of->unit, 1), 0);
	iterations = puzzle_run(&z, iteration);
	CHECK(iterations > 0);
	CHECK_EQ(z.bound, of->length);
}

static void close_all(void)
{
	for (unsigned i = 0; i < PUZZLE_ITERATIONS; i++)
		tree_free(&iteration[i]);
	puzzle_close(&z);
}

/* One iteration after the other on a machine.  Fails if a task is lost or runs twice, and if noted tasks take
 * another time. */
static void on_machine(const struct apps_machine *of, struct puzzle_found want)
{
	struct dls_machine *m = apps_open(of);
	struct puzzle own;

	CHECK_EQ(puzzle_open(&own, easy.start, easy.unit, of->processors), 0);
	for (int i = 0; i < iterations; i++, own.bound += 2) {
		struct dls_task root = puzzle_root(&own);
		struct dls_run_result worked, noted;

		CHECK_EQ(puzzle_sum(&own).solutions, 0);
		CHECK_EQ(dls_machine_add(m, 0, &root), 0);
		worked = machine_run(m);
		CHECK_EQ(tree_add(&iteration[i], m), 0);
		noted = machine_run(m);
		CHECK_EQ(worked.tasks, iteration[i].tasks);
		apps_same(of, &worked, &noted);
	}
	CHECK_EQ(puzzle_sum(&own).nodes, want.nodes);
	CHECK_EQ(puzzle_sum(&own).solutions, want.solutions);
	puzzle_close(&own);
	dls_machine_close(m);
}

static void machines(void)
{
	run_serially(&easy);
	for (unsigned i = 0; i < APPS_MACHINES; i++)
		on_machine(&apps_machine[i], puzzle_sum(&z));
	close_all();
}

/* Nothing to do, and one move to make. */
static void solved(void)
{
	for (unsigned k = 0; k < 2; k++) {
		run_serially(&(struct puzzle_instance){ .start = UINT64_C(0xfedcba9876543210) - k * 15, .length = k });
		CHECK_EQ(iterations, 1);
		CHECK_EQ(puzzle_sum(&z).solutions, 1);
		CHECK_EQ(puzzle_sum(&z).nodes, k + 1);
		close_all();
	}
}

TEST_MAIN(T(korf) T(machines) T(solved))
