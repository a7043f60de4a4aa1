/* sanitized.c - a right program for ThreadSanitizer: what a team, its barrier, a loop by calls and a reduction hand from thread to
 * thread, and with OpenMP the macros, too. */
#include <dls.h>
#include <stdio.h>

static struct dls_team *team;
static int seen[1000];
static long part[3];

static void work(void *loop, unsigned worker)
{
	int64_t begin, end;

	while (dls_loop_next(loop, worker, &begin, &end))
		for (; begin < end; begin++, part[worker]++)
			seen[begin]++;
	dls_team_barrier(team);
	if (part[0] + part[1] + part[2] != 1000)
		puts("wrong");
}

int main(void)
{
	static const char *const schedule[] = { "ss", "steal", "gss", "rid", "awf-c" };
	struct dls_loop *loop;
	double sum = 0;

	if (dls_team_open(&team, 3) || dls_loop_open(&loop, 3, NULL, 0))
		return 1;
	for (int round = 0; round < 50; round++) {
		for (int i = 0; i < 1000; i++)
			seen[i] = 0;
		part[0] = part[1] = part[2] = 0;
		dls_loop_set_schedule(loop, schedule[round % 5]);
		dls_loop_start(loop, 0, 1000, 1);
		dls_team_run(team, work, loop);
		dls_loop_end(loop, NULL);
		for (int i = 0; i < 1000; i++)
			if (seen[i] != 1)
				puts("wrong");
	}
#ifdef _OPENMP
	for (int round = 0; round < 20; round++) {
		DLS_REDUCE(+, double, sum, i, 0, 1000)
			sum += seen[i];
		DLS_PARALLEL_FOR(i, 0, 1000)
			seen[i]++;
		for (int i = 0; i < 1000; i++)
			sum += seen[i];
	}
#endif
	dls_loop_close(loop);
	dls_team_close(team);
	puts(sum < 0 ? "wrong" : "right");
	return 0;
}
