/* oracle.c - every calculator against oracle.py, which evaluates the published formulas in exact arithmetic.
 *
 * Any change of a constant, of a rounding direction or of the width of an intermediate result in any
 * calculator but rnd alters at least one sequence of the grid.
 *
 * runs: alone */
#include "oracle.h"
#include "walk.h"

struct cell {
	char schedule[160];
	uint64_t n, chunks, hash;
	unsigned p;
	int first;	/* where the first runs start in the line */
};

static bool cell_read(struct cell *c, const char *line)
{
	return sscanf(line, "%159[^|]|%" SCNu64 "|%u|%" SCNu64 "|%" SCNx64 "|%n", c->schedule, &c->n, &c->p,
		      &c->chunks, &c->hash, &c->first) == 5;
}

static bool look(const char *line)
{
	struct cell c;
	struct walk w;

	if (!CHECK(cell_read(&c, line)) || !walk_both(&w, c.schedule, c.n, c.p))
		return false;
	if (w.chunks == c.chunks && w.hash == c.hash)
		return true;
	tap_note("%s, N = %" PRIu64 ", P = %u: %" PRIu64 " chunks, not %" PRIu64, c.schedule, c.n, c.p, w.chunks, c.chunks);
	tap_note("dealt: %.300s", w.text);
	tap_note("exact: %s", line + c.first);
	return false;
}

static void grid(void)
{
	oracle_each("test/chunk/oracle.py", look, 5000);
}

TEST_MAIN(T(grid))
