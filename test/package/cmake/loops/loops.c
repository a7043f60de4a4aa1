/* loops.c - without OpenMP, by threads of the library. */
#include <dls.h>
#include <stdio.h>
#include <string.h>

static int seen[1000];

static void work(void *loop, unsigned worker)
{
	int64_t begin, end;

	while (dls_loop_next(loop, worker, &begin, &end))
		for (; begin < end; begin++)
			seen[begin]++;
}

int main(void)
{
	struct dls_loop *loop;
	struct dls_team *team;

	if (dls_team_open(&team, 2) || dls_loop_open(&loop, 2, NULL, 0) || dls_loop_start(loop, 0, 1000, 1) ||
	    dls_team_run(team, work, loop))
		return 1;
	dls_loop_close(loop);
	dls_team_close(team);
	for (int i = 0; i < 1000; i++)
		if (seen[i] != 1)
			return 1;
	puts(strcmp(dls_version(), DLS_VERSION) ? "another library" : "right");
	return 0;
}
