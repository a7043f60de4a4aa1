/* repart.c - loops under the strategy repart, with every calculator there is: each iteration once.
 *
 * Fails if: a piece is lost or handed out twice, by any calculator, a worker is not told that there is
 * nothing left (the program hangs, and is killed), or an execution sees what an earlier one has left.
 *
 * runs: machines */
#include <stdatomic.h>

#include "deal.h"
#include "guard.h"
#include "once.h"

enum { MOST = 3000, HANG = 300 /* s */ };

static atomic_uchar hits[MOST];

static const char *const rest[] = { "", ",queue=central", ",fetch=get,ahead=0", ",mode=reactive", ",queue=replicated,ahead=3",
				    ",scheduler=dedicated,return=yes", ",room=0.5,least=9" };
enum { RESTS = sizeof(rest) / sizeof(*rest) };

static void execute(struct dls_loop *loop, struct dls_team *team, uint64_t n, unsigned p, const char *schedule)
{
	struct once_job job = { loop, { 0, MOST, 1 }, hits };

	guard(schedule, HANG);
	CHECK_EQ(dls_loop_start(loop, 0, (int64_t)n, 1), 0);
	if (team)
		CHECK_EQ(dls_team_run(team, once_work, &job), 0);
	else
		for (unsigned w = 0; w < p; w++)
			once_work(&job, p - 1 - w);
	deal_end(loop, n);
	once_check(hits, n, 1, schedule, p);
}

/* By a team of threads, and by one thread that acts for all workers, the scheduler's first. */
static void calculators(void)
{
	static const unsigned workers[] = { 1, 2, 3, 8 };
	const struct dls_calc *calc;
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 4; i++) {
		struct dls_team *team;

		CHECK_EQ(dls_team_open(&team, workers[i]), 0);
		for (unsigned k = 0; (calc = dls_calc_at(k / RESTS)); k++) {
			struct dls_loop *loop;
			char schedule[100];

			snprintf(schedule, sizeof(schedule), "repart%s,calc=%s%s", k % 3 ? "" : ",1", calc->name,
				 rest[k % RESTS]);
			loop = deal_open(schedule, workers[i], NULL, DLS_LOOP_EVERY_CHUNK);
			execute(loop, team, tap_random(&seed) % 300, workers[i], schedule);
			execute(loop, NULL, tap_random(&seed) % MOST, workers[i], schedule);
			execute(loop, team, tap_random(&seed) % (2 * workers[i]), workers[i], schedule);
			dls_loop_close(loop);
		}
		dls_team_close(team);
	}
}

TEST_MAIN(T(calculators))
