/* oracle.c - every calculator against oracle.py, which evaluates the published formulas in exact arithmetic.
 *
 * Any change of a constant, of a rounding direction or of the width of an intermediate result in any
 * calculator but rnd alters at least one sequence of the grid. */
#include <sys/wait.h>

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

static void grid(void)
{
	FILE *oracle = popen("command -v python3 >/dev/null || exit 127; exec python3 test/chunk/oracle.py", "r");
	char line[1024];
	unsigned compared = 0, wrong = 0;
	int status;

	if (!CHECK(oracle != NULL))
		return;
	while (fgets(line, sizeof line, oracle)) {
		struct cell c;
		struct walk w;

		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '#') {
			tap_note("%s", line + 2);
			continue;
		}
		if (!CHECK(cell_read(&c, line)))
			break;
		compared++;
		if (!walk_both(&w, c.schedule, c.n, c.p)) {
			wrong++;
		} else if (w.chunks != c.chunks || w.hash != c.hash) {
			if (wrong++ < 20) {
				tap_note("%s, N = %" PRIu64 ", P = %u: %" PRIu64 " chunks, not %" PRIu64, c.schedule,
					 c.n, c.p, w.chunks, c.chunks);
				tap_note("dealt: %.300s", w.text);
				tap_note("exact: %s", line + c.first);
			}
		}
	}
	status = pclose(oracle);
	if (compared == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		tap_skip("no python3 (package python3)");
		return;
	}
	tap_note("%u cells compared", compared);
	CHECK_EQ(status, 0);
	CHECK_EQ(wrong, 0);
	CHECK(compared >= 5000);
}

TEST_MAIN(T(grid))
