/* scale.c - large numbers on a small machine: teams of up to 5000 threads, 10^6 sites, 10^4 teams, and the memory that each takes.
 *
 * Fails if: a loop, or a search among sites, takes time that grows with the square of threads or sites (the bounds of time only
 * tell that from a slow machine); an iteration is lost or run twice; a site, team or loop takes more memory than is said
 * here, or keeps any when it is closed. */
#include "deal.h"
#include "dls/strategy.h"
#include "once.h"
#include "refuse.h"

enum { N = 20000, SITES = 1000000, TEAMS = 10000, LOOPS = 100 };
enum { HANGS = 300 /* s, of a team under one schedule */ };

static atomic_uchar hits[N];

/* Workers up to which a schedule is tried: with net=complete each tells all others its load, and under DEM each that runs dry has all
 * others balance, so the messages of a loop grow with the square of P. */
static unsigned most_workers(const char *schedule)
{
	return strstr(schedule, "net=complete") ? 256 : strncmp(schedule, "dem", 3) == 0 ? 1000 : 5000;
}

/* A team with a loop under each schedule. */
static void teams_of(unsigned p)
{
	struct dls_team *team;
	double begun = tap_now(), longest = 0, took;
	const char *slowest = "";
	static char doing[100];
	int tried = 0;

	guard("opening a team", HANGS);
	if (CHECK_EQ(dls_team_open(&team, p), 0))
		return;
	for (int i = 0; i < ONCE_SCHEDULES && tap_failures == 0; i++) {
		struct once_job job = { .range = { 0, N, 1 }, .hits = hits };

		if (p > most_workers(once_schedules[i]))
			continue;
		tried++;
		snprintf(doing, sizeof(doing), "%s, P = %u", once_schedules[i], p);
		guard(doing, HANGS);
		took = tap_now();
		job.loop = deal_open(once_schedules[i], p, NULL, 0);
		for (int k = 0; k < 2; k++) {
			CHECK_EQ(dls_loop_start(job.loop, 0, N, 1), 0);
			CHECK_EQ(dls_team_run(team, once_work, &job), 0);
			CHECK_EQ(dls_loop_end(job.loop, NULL), 0);
			once_check(hits, N, 1, once_schedules[i], p);
		}
		dls_loop_close(job.loop);
		took = tap_now() - took;
		if (took > longest) {
			longest = took;
			slowest = once_schedules[i];
		}
	}
	dls_team_close(team);
	guard_over();
	tap_note("P = %u: %d schedules, %.1f s; slowest %s, %.2f s", p, tried, tap_now() - begun, slowest, longest);
}

static void threads(void)
{
	static const unsigned p[] = { 64, 256, 1000, 5000 };

	for (unsigned i = 0; i < sizeof(p) / sizeof(*p); i++)
		teams_of(p[i]);
}

/* Made, and found again in another order. */
static void sites(void)
{
	struct dls_site *site;
	long before = refuse_bytes;
	double begun = tap_now(), made, found;
	char name[30];

	guard("sites", 2 * HANGS);
	for (unsigned i = 0; i < SITES; i++) {
		snprintf(name, sizeof(name), "site %u", i);
		CHECK_EQ(dls_site_named(&site, name), 0);
	}
	made = tap_now() - begun;
	for (uint64_t i = 0; i < SITES; i++) {
		snprintf(name, sizeof(name), "site %u", (unsigned)(i * 7919 % SITES));
		CHECK_EQ(dls_site_named(&site, name), 0);
		CHECK_TEXT(site->file, name);
	}
	found = tap_now() - begun - made;
	guard_over();
	tap_note("%d sites: %.2f us to make one, %.2f us to find it, %ld bytes each", SITES, made / SITES * 1e6, found / SITES * 1e6,
		 (refuse_bytes - before) / SITES);
	CHECK((refuse_bytes - before) / SITES <= 4096);
}

static void count(void *arg, unsigned worker)
{
	(void)worker;
	atomic_fetch_add((atomic_uint *)arg, 1);
}

/* All open at a time, each run and closed. */
static void teams(void)
{
	static struct dls_team *team[TEAMS];
	long before = refuse_bytes;
	atomic_uint ran = 0;
	int n = 0;

	guard("teams", HANGS);
	while (n < TEAMS && CHECK_EQ(dls_team_open(&team[n], 2), 0) == 0)
		n++;
	tap_note("%d teams of 2: %ld bytes each, without the threads' stacks", n, (refuse_bytes - before) / TEAMS);
	CHECK((refuse_bytes - before) / TEAMS <= 4096);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < n; i++)
			CHECK_EQ(dls_team_run(team[i], count, &ran), 0);
	CHECK_EQ(ran, 4 * n);
	for (int i = 0; i < n; i++)
		dls_team_close(team[i]);
	CHECK_EQ(refuse_bytes, before);
	guard_over();
}

static bool is_strategy(const char *schedule)
{
	char name[20];

	snprintf(name, sizeof(name), "%s", strncmp(schedule, "nonmonotonic:", 13) == 0 ? schedule + 13 : schedule);
	name[strcspn(name, ",")] = 0;
	return dls_strategy_find(name) != NULL;
}

/* Bytes of a loop that has started. */
static long loop_bytes(const char *schedule, unsigned p, int n)
{
	static struct dls_loop *loop[LOOPS];
	long before = refuse_bytes, bytes;

	for (int l = 0; l < n; l++) {
		loop[l] = deal_open(schedule, p, NULL, 0);
		CHECK_EQ(dls_loop_start(loop[l], 0, N, 1), 0);
	}
	bytes = (refuse_bytes - before) / n;
	for (int l = 0; l < n; l++)
		dls_loop_close(loop[l]);
	return bytes;
}

/* What a loop takes for one worker, and for each further one.  A strategy gives each worker a processor with a mailbox and a pool. */
static void loops(void)
{
	static const char *const dealt[] = { "dealt by a calculator", "under a strategy" };
	static const long bound[2][2] = { { 8192, 2048 }, { 131072, 98304 } };
	enum { P = 1000 };
	long most[2][2] = { { 0 } };
	const char *largest[2][2] = { { "" } };

	guard("loops", HANGS);
	for (int i = 0; i < ONCE_SCHEDULES; i++) {
		int s = is_strategy(once_schedules[i]);
		long bytes[2] = { loop_bytes(once_schedules[i], 1, LOOPS), loop_bytes(once_schedules[i], P, 2) };

		bytes[1] = (bytes[1] - bytes[0]) / (P - 1);
		for (int k = 0; k < 2; k++)
			if (bytes[k] > most[s][k]) {
				most[s][k] = bytes[k];
				largest[s][k] = once_schedules[i];
			}
	}
	guard_over();
	for (int s = 0; s < 2; s++) {
		tap_note("a loop %s: at most %ld bytes for one worker (%s), and %ld for each further one (%s)", dealt[s], most[s][0],
			 largest[s][0], most[s][1], largest[s][1]);
		for (int k = 0; k < 2; k++)
			CHECK(most[s][k] > 0 && most[s][k] <= bound[s][k]);
	}
}

TEST_MAIN(T(loops) T(teams) T(sites) T(threads))
