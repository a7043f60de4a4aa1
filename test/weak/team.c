/* team.c - a team of pthreads: its runs and its barrier. */
#define SPINS 1
#define YIELDS 1
#define BRIEF 1
#include "lib/region/team.c"
#include "weak.h"

static struct dls_team *team;
static unsigned argument, wrote[3], sum;

static void open_two(void)
{
	dls_team_open(&team, 2);
	team->spin = false;
}

/* Both write their own, and worker 0 reads all of it after the run. */
static void write_own(void *arg, unsigned worker)
{
	wrote[worker] += *(unsigned *)arg;
}

static void run_twice(void)
{
	for (argument = 1; argument <= 2; argument++) {
		HOLDS(dls_team_run(team, write_own, &argument) == 0);
		HOLDS(wrote[0] == wrote[1]);
	}
	HOLDS(wrote[1] == 3);
	dls_team_close(team);
}

/* A job inside a run, whose parts write what the caller reads after it, whoever runs them. */
static void write_part(void *arg, unsigned worker)
{
	(void)arg;
	wrote[worker] = 1;
}

static void deal_one(void *arg, unsigned worker)
{
	(void)arg;
	if (worker == 0) {
		HOLDS(dls__team_deal(team, write_part, NULL) == 0);
		HOLDS(wrote[0] && wrote[1]);
	}
}

static void run_and_deal(void)
{
	HOLDS(dls_team_run(team, deal_one, NULL) == 0);
	dls_team_close(team);
}

/* A shared job whose caller waits until another thread runs a part: one of a team that has nothing to do comes.  The team has had jobs before, or has
 * not. */
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;

static void meet(void *arg, unsigned worker)
{
	(void)arg;
	pthread_mutex_lock(&door);
	wrote[worker] = 1;
	pthread_cond_broadcast(&opened);
	while (!wrote[!worker])
		pthread_cond_wait(&opened, &door);
	pthread_mutex_unlock(&door);
}

static void open_nested(void)
{
	open_two();
	team->posted = 1;
}

static void share_one(void)
{
	HOLDS(dls__team_share(team, meet, NULL) == 0);
	dls_team_close(team);
}

/* One whose caller does not wait: no part is started after it has ended. */
static void end_at_once(void *lives, unsigned worker)
{
	(void)worker;
	HOLDS(*(const bool *)lives);
}

static void share_brief(void)
{
	bool lives = true;

	HOLDS(dls__team_share(team, end_at_once, &lives) == 0);
	lives = false;
	dls_team_close(team);
}

/* The barrier alone. */
static void open_three(void)
{
	team = calloc(1, sizeof(*team));
	team->workers = 3;
	team->forks = dls__forks();
}

static void arrive(void)
{
	wrote[weak_self()] = 1;
	dls_team_barrier(team);
	HOLDS(wrote[0] && wrote[1] && wrote[2]);
}

static void arrive_twice(void)
{
	unsigned me = weak_self();

	wrote[me] = 1;
	dls_team_barrier(team);
	HOLDS(wrote[!me] >= 1);
	dls_team_barrier(team);
	wrote[!me]++;
}

static void open_pair(void)
{
	open_three();
	team->workers = 2;
}

/* team.P3: of two callers one runs, then perhaps the other: a team of one, whose worker is the caller. */
static void open_one(void)
{
	dls_team_open(&team, 1);
}

static void add(void *arg, unsigned worker)
{
	(void)arg, (void)worker;
	sum++;
}

static void run_alone(void)
{
	int code = dls_team_run(team, add, NULL);

	HOLDS(code == 0 || code == DLS_EBUSY);
}

WEAK_MAIN(1,
	{ "barrier, three", open_three, { arrive, arrive, arrive }, NULL, 0, 2 },
	{ "barrier, twice", open_pair, { arrive_twice, arrive_twice }, NULL, 0, 2 },
	{ "team, two callers", open_one, { run_alone, run_alone }, NULL, 0, 0 },
	{ "team, a job in a run", open_two, { run_and_deal }, NULL, 0, 1 },
	{ "team, the first shared job", open_two, { share_one }, NULL, 0, 1 },
	{ "team, a shared job", open_nested, { share_one }, NULL, 0, 3 },
	{ "team, a brief job", open_nested, { share_brief }, NULL, 0, 3 },
	{ "team, two runs", open_two, { run_twice }, NULL, 0, 2 })
