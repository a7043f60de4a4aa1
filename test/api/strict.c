/* strict.c - DLS_STRICT ends the program with status 2 and one line, wherever the library is first used and by however many
 * threads at once; what the program has registered for its end still runs, its loops included.
 *
 * The program runs itself.
 *
 * Fails if: it hangs (an alarm ends it), as it does if exit() is called under a lock or a once that loops need; a handler's
 * loops lose iterations; another thread leaves main() first, with another status.
 *
 * runs: check */
#include <pthread.h>

#include "child.h"
#include "deal.h"
#include "once.h"

enum { N = 100 };

static atomic_uint ran;

static void count(void *arg, unsigned worker)
{
	atomic_fetch_add(&ran, 1);
}

/* 3 N + 2, and the functions that look at the environment. */
static void use_library(const char *who)
{
	struct dls_loop *loop = deal_open("auto", 1, NULL, 0);
	struct dls_site *site = deal_site("at the end");
	struct dls_team *team;

	atomic_store(&ran, 0);
	DLS_FOR(i, 0, N)
		atomic_fetch_add(&ran, 1);
	DLS_PARALLEL_FOR(j, 0, N, .schedule = "no such schedule")
		atomic_fetch_add(&ran, 1);
	CHECK_EQ(dls_loop_start(loop, 0, N, 1), 0);
	atomic_fetch_add(&ran, (unsigned)deal_rest(loop, 0));
	deal_end(loop, N);
	dls_loop_close(loop);
	if (dls_team_open(&team, 2) == 0)
		dls_team_run(team, count, NULL);
	dls_team_close(team);
	dls_site_set_schedule(site, "gss");
	printf("%s %u %s\n", who, atomic_load(&ran), deal_schedule(site));
	fflush(stdout);
}

static void handle_exit(void)
{
	use_library("handler");
}

static bool is_child;

__attribute__((destructor)) static void destroy(void)
{
	if (is_child)
		use_library("destructor");
}

static pthread_barrier_t start;

static void *come_first(void *arg)
{
	struct dls_site *site;

	pthread_barrier_wait(&start);
	dls_site_named(&site, "one of many");
	return arg;
}

static void from_threads(void)
{
	enum { THREADS = 4 };
	pthread_t thread[THREADS];

	pthread_barrier_init(&start, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, come_first, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

#ifdef _OPENMP
#define PLAIN_REGION _Pragma("omp parallel num_threads(3)")
#else
#define PLAIN_REGION
#endif

/* The ways in which the library is first used: name, DLS_SCHEDULE, what is said of it, and the use.  by_option: with a good
 * environment and a bad text in the source. */
#define WAYS(X) \
	X(outside, "gss,x", "DLS_SCHEDULE=\"gss,[x]\": ", DLS_FOR(i, 0, N) (void)i) \
	X(in_region, "gss,x", "DLS_SCHEDULE=\"gss,[x]\": ", DLS_PARALLEL_FOR(i, 0, N) (void)i) \
	X(in_plain_region, "gss,x", "DLS_SCHEDULE=\"gss,[x]\": ", PLAIN_REGION DLS_FOR(i, 0, N) (void)i) \
	X(by_call, "gss,x", "DLS_SCHEDULE=\"gss,[x]\": ", \
	  struct dls_loop *loop; dls_loop_open(&loop, 2, NULL, 0); dls_loop_start(loop, 0, N, 1)) \
	X(by_threads, "ss;gss,x", "DLS_SCHEDULE=\"ss;gss,[x]\": ", from_threads()) \
	X(by_option, "gss", ": schedule=\"[gsss]\": ", \
	  DLS_PARALLEL(num_threads(3)) DLS_FOR(i, 0, N, .schedule = "gsss") (void)i)

#define USE(name, schedule, says, ...) static void name(void) { __VA_ARGS__; }
#define ROW(name, schedule, says, ...) { name, #name, schedule, says },

WAYS(USE)

static const struct way {
	void (*use)(void);
	const char *name, *schedule, *says;
} ways[] = { WAYS(ROW) };
enum { WAYS_COUNT = sizeof(ways) / sizeof(*ways) };

static void check(const struct way *way)
{
	const char *const variables[] = {
		"DLS_STRICT", "1", "DLS_SCHEDULE", way->schedule,
#if TAP_THREAD_SANITIZER	/* exit() comes before threads are joined */
		"TSAN_OPTIONS", "report_thread_leaks=0",
#endif
		NULL
	};

	CHECK_EQ(child_again(way->name, variables, false), 2);
	CHECK(strncmp(said, "libdls: ", 8) == 0 && strstr(said, way->says));
	CHECK(strstr(said, "\nhandler 302 gss\n") && strstr(said, "\ndestructor 302 gss\n"));
	CHECK(!strstr(said, "came back"));
	if (tap_failures)
		tap_note("%s: %s", way->name, said);
}

static void every_way(void)
{
	if (tap_skip_if(TAP_LIBARCHER, "libarcher gives a program that calls exit() before its first region an exit status of its own"))
		return;
	for (size_t i = 0; i < WAYS_COUNT; i++)
		check(&ways[i]);
}

static int child(const char *which)
{
	is_child = true;
	atexit(handle_exit);
	for (size_t i = 0; i < WAYS_COUNT; i++)
		if (strcmp(ways[i].name, which) == 0)
			ways[i].use();
	puts("came back");
	return 0;
}

TEST_MAIN_OR(child, T(every_way))
