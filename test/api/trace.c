/* trace.c - DLS_TRACE: what the file says, and that writing it changes nothing else.
 *
 * The program runs itself with the variable set; trace.py reads the file.
 *
 * Fails if: the file is not JSON whatever a site is called, slices of a worker overlap, an iteration is in no chunk or in
 * two, losses are not counted and reported, or the program's output or exit status changes.
 *
 * runs: plain */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "child.h"
#include "deal.h"
#include "scratch.h"
#include "tool.h"

enum { STATUS = 7, P = 3, N = 5000 };

static struct dls_loop *outer;

/* A loop inside an iteration, by a single worker of its own. */
static void inner(void)
{
	struct dls_loop *loop = deal_open("auto", 1, NULL, DLS_LOOP_EVERY_CHUNK);

	deal_run(loop, 1, 10);
	dls_loop_close(loop);
}

static void work(int64_t i)
{
	for (volatile unsigned k = 0; k < 20; k++)
		;
	if (i == 1234)
		inner();
}

/* A loop in virtual time, which is in no trace. */
static void virtual(void)
{
	struct dls_loop *loop = deal_open("auto", 1, NULL, DLS_LOOP_VIRTUAL_TIME);

	CHECK_EQ(dls_loop_start(loop, 0, 10, 1), 0);
	for (int i = 0; deal_next(loop, 0).n; i++)
		dls_loop_set_time(loop, i);
	dls_loop_close(loop);
}

static int finish(void)
{
	puts("output");
	fflush(stdout);
	return tap_failures ? 1 : STATUS;
}

/* The child: loops of several schedules, one of them in place of another, at a site of a hard name, with a loop inside
 * one iteration, without iterations; and a child of its own, which must leave the file alone. */
static int child(void)
{
	static const char *const schedules[] = { "gss", "awf-b", "ss,7", "static", "fsc", "steal", "af" };
	struct dls_team *team = NULL;
	int status;

	CHECK_EQ(dls_team_open(&team, P), 0);
	outer = deal_open("ss", P, deal_site("a \"b\\c\"\n\xc3\xa9 \xff\xed\xa0\x80\xc3"), 0);
	for (size_t i = 0; i < sizeof(schedules) / sizeof(*schedules); i++) {
		CHECK_EQ(dls_loop_set_schedule(outer, schedules[i]), 0);
		deal_team(outer, team, N, work);
	}
	deal_team(outer, team, 0, work);
	dls_loop_close(outer);
	dls_team_close(team);
	virtual();
	finish();

	pid_t pid = fork();

	if (pid == 0)
		exit(0);
	waitpid(pid, &status, 0);
	return tap_failures ? 1 : STATUS;
}

enum { ENOUGH = 5000 };		/* more than one block of records */

static atomic_uint chunks;

static void *run_on(void *arg)
{
	while (deal_next(outer, 0).n)
		if (atomic_fetch_add(&chunks, 1) > 2 * ENOUGH)	/* so that the file stays small however late it is written */
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	return arg;
}

/* The child that ends while a loop is under way. */
static int early(void)
{
	pthread_t thread;

	outer = deal_start("ss", 2, INT64_MAX, 0);
	CHECK_EQ(pthread_create(&thread, NULL, run_on, NULL), 0);
	while (atomic_load(&chunks) < ENOUGH)
		sched_yield();
	return finish();
}

enum { SHORT = 300, SHORT_CHUNKS = 10 };	/* threads, and chunks of each */

static void *run_short(void *arg)
{
	deal_run(outer, 1, SHORT_CHUNKS);
	return arg;
}

enum { SANITIZED = TAP_ADDRESS_SANITIZER || TAP_THREAD_SANITIZER };

/* The child with many threads, one after another, in an address space of 4 GB. */
static int short_lived(void)
{
	struct rlimit space = { 4000000 * (rlim_t)1024, 4000000 * (rlim_t)1024 };
	pthread_t thread;

	CHECK(SANITIZED || setrlimit(RLIMIT_AS, &space) == 0);
	outer = deal_open("ss", 1, NULL, DLS_LOOP_EVERY_CHUNK);
	for (int i = 0; i < SHORT && !tap_failures; i++)
		if (CHECK_EQ(pthread_create(&thread, NULL, run_short, NULL), 0) == 0)
			pthread_join(thread, NULL);
	return finish();
}

/* Run a child under this limit; its exit status. */
static int traced(const char *which, const char *limit)
{
	const char *const variables[] = { "DLS_TRACE", scratch("x.json"), limit ? "DLS_TRACE_LIMIT" : NULL, limit, NULL };
	int status = child_again(which, variables, true);

	CHECK_TEXT(said, "output\n");
	return status;
}

static unsigned long long figures[4];	/* lost, loops, chunks, iterations */

/* What trace.py prints; false: the file is bad, or there is no python3. */
static bool look(void)
{
	int status = tool_python("test/api/trace.py %s 2>&1", scratch("x.json"));

	if (status > 0)
		tap_note("%s", tool_out);
	return status >= 0 && CHECK_EQ(status, 0) == 0 &&
	       CHECK_EQ(sscanf(tool_out, "%llu %llu %llu %llu", &figures[0], &figures[1], &figures[2], &figures[3]), 4) == 4;
}

/* How many records the child with threads says to be lost at this limit. */
static unsigned long long lost_at(const char *limit)
{
	unsigned long long lost = 0, of = 0;

	CHECK_EQ(traced("threads", limit), STATUS);
	if (!CHECK_EQ(sscanf(complained, "libdls: DLS_TRACE=\"%*[^\"]\": %llu chunks and ends of loops are not in it: DLS_TRACE_LIMIT=%llu ",
			     &lost, &of), 2) || !CHECK(strchr(complained, '\n') == complained + strlen(complained) - 1))
		tap_note("%s", complained);
	CHECK_EQ(of, strtoull(limit, NULL, 10));
	return lost;
}

/* The same of a child whose trace is whole. */
static bool look_at(const char *which)
{
	CHECK_EQ(traced(which, NULL), STATUS);
	CHECK_TEXT(complained, "");
	return look();
}

static void whole(void)
{
	if (!look_at("child"))
		return;
	CHECK_EQ(figures[0], 0);
	CHECK_EQ(figures[1], 7 + 7 + 1);	/* each of the seven has one inside; one without iterations */
	CHECK_EQ(figures[3], 7 * (N + 10));
}

/* A thread's 12 records are those of a loop, of its 10 chunks and of its end.
 * Fails if: the limit takes one too few, or is passed without a word. */
static void just_enough(void)
{
	CHECK_EQ(traced("threads", "12"), STATUS);
	CHECK_TEXT(complained, "");
	if (look())
		CHECK_EQ(figures[0], 0);
	CHECK_EQ(lost_at("11"), SHORT);
	if (look()) {
		CHECK_EQ(figures[0], SHORT);
		CHECK_EQ(figures[2], SHORT_CHUNKS * SHORT);	/* each chunk, and no end */
	}
	CHECK_EQ(lost_at("1"), (SHORT_CHUNKS + 1) * SHORT);		/* the loop alone */
}

/* Fails if: each thread has memory of its own that no later one uses. */
static void many_threads(void)
{
	if (!look_at("threads"))
		return;
	CHECK_EQ(figures[0], 0);
	CHECK_EQ(figures[1], SHORT);
	CHECK_EQ(figures[2], SHORT_CHUNKS * SHORT);
}

static void unfinished(void)
{
	if (!look_at("early"))
		return;
	CHECK_EQ(figures[1], 0);
	CHECK(figures[2] > 0 && figures[2] == figures[3]);
}

static int run(const char *which)
{
	return strcmp(which, "early") == 0 ? early() : strcmp(which, "threads") == 0 ? short_lived() : child();
}

TEST_MAIN_OR(run, T(whole) T(just_enough) T(many_threads) T(unfinished))
