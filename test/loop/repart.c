/* repart.c - loops under the strategy repart, with every calculator there is: each iteration once.
 *
 * Fails if: a piece is lost or handed out twice, by any calculator, a worker is not told that there is
 * nothing left (the program hangs, and is killed), or an execution sees what an earlier one has left. */
#include <stdatomic.h>

#include "guard.h"
#include "once.h"

enum { MOST = 3000, HANG = 120 /* s */ };

static atomic_uchar hits[MOST];
static const struct once_range plain = { 0, MOST, 1 };

static const char *const rest[] = { "", ",queue=central", ",fetch=get,ahead=0", ",mode=reactive", ",queue=replicated,ahead=3",
				    ",scheduler=dedicated,return=yes", ",room=0.5,least=9" };
enum { RESTS = sizeof(rest) / sizeof(*rest) };

static void work(void *arg, unsigned worker)
{
	struct dls_loop *loop = arg;
	int64_t begin, end;

	while (dls_loop_next(loop, worker, &begin, &end))
		for (int64_t i = begin; i < end; i++)
			once_mark(hits, plain, i);
}

static void execute(struct dls_loop *loop, struct dls_team *team, uint64_t n, unsigned p, const char *schedule)
{
	uint64_t ran;

	guard(schedule, HANG);
	CHECK_EQ(dls_loop_start(loop, 0, (int64_t)n, 1), 0);
	if (team)
		CHECK_EQ(dls_team_run(team, work, loop), 0);
	else
		for (unsigned w = 0; w < p; w++)
			work(loop, p - 1 - w);
	CHECK_EQ(dls_loop_end(loop, &ran), 0);
	CHECK_EQ(ran, n);
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
			CHECK_EQ(dls_loop_open(&loop, workers[i], NULL, DLS_LOOP_EVERY_CHUNK), 0);
			if (CHECK_EQ(dls_loop_set_schedule(loop, schedule), 0))
				tap_note("%s", schedule);
			execute(loop, team, tap_random(&seed) % 300, workers[i], schedule);
			execute(loop, NULL, tap_random(&seed) % MOST, workers[i], schedule);
			execute(loop, team, tap_random(&seed) % (2 * workers[i]), workers[i], schedule);
			dls_loop_close(loop);
		}
		dls_team_close(team);
	}
}

TEST_MAIN(T(calculators))
