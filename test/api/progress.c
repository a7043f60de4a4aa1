/* progress.c - how far a long loop has come, told to a function and to a terminal.
 *
 * Fails if: a function is called too often, two at a time or with figures that do not rise; a loop that began without it
 * calls it; a terminal gets its line too early, too often or keeps it; anything but a terminal gets one. */
#define _DEFAULT_SOURCE	/* size of a window */
#define _XOPEN_SOURCE 700	/* pseudo-terminals */
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/ioctl.h>

#include "child.h"
#include "deal.h"

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
}

static long duration;		/* of an iteration, ms */

static void work(int64_t i)
{
	pause_ms(duration);
}

/* Two workers, n iterations of so many milliseconds each; the loop's time, s. */
static double run(struct dls_team *team, const char *name, uint64_t n, long ms)
{
	struct dls_loop *loop = deal_open("ss", 2, deal_site(name), 0);
	double begin = tap_now();

	duration = ms;
	deal_team(loop, team, n, work);
	dls_loop_close(loop);
	return tap_now() - begin;
}

static atomic_uint inside;
static unsigned calls, faults;
static struct dls_progress last;

/* Called by any of the workers, one at a time. */
static void told(const struct dls_progress *p, void *arg)
{
	faults += atomic_fetch_add(&inside, 1) != 0;
	faults += strcmp(p->site, "told") != 0 || strcmp(p->schedule, "ss") != 0 || p->total != 200 || arg != &last;
	faults += p->done >= p->total || (calls && p->done <= last.done) || !(p->elapsed > 0) || !(p->left > 0);
	last = *p;
	calls++;
	atomic_fetch_sub(&inside, 1);
}

static void function(void)
{
	struct dls_team *team;
	unsigned tries = 0;
	double seconds;

	CHECK_EACH(DLS_ERANGE, dls_set_progress(told, &last, 0.0009), dls_set_progress(told, &last, 1.1e6),
		   dls_set_progress(told, &last, 0.0 / 0.0));
	CHECK_EQ(dls_team_open(&team, 2), 0);
	run(team, "before", 20, 1);
	CHECK_EQ(calls, 0);
	CHECK_EQ(dls_set_progress(told, &last, 0.01), 0);
	do {		/* again if a thread has lost its processor for most of it, while it called the function */
		calls = 0;
		seconds = run(team, "told", 200, 1);
		CHECK(calls >= 1 && calls <= seconds / 0.01 + 1);
	} while (calls < 2 && ++tries < 50);
	CHECK(calls >= 2);
	CHECK_EQ(faults, 0);
	tap_note("%u calls in %.3f s, the last at %llu of %llu", calls, seconds, (unsigned long long)last.done,
		 (unsigned long long)last.total);
	calls = 0;
	CHECK_EQ(dls_set_progress(told, &last, 3600), 0);
	run(team, "told", 200, 1);
	CHECK_EQ(dls_set_progress(NULL, NULL, 0), 0);
	run(team, "told", 200, 1);
	CHECK_EQ(calls, 0);
	dls_team_close(team);
}

enum { LONG = 5 };	/* the child's exit status: no loop was short */

static void ignore(const struct dls_progress *p, void *arg)
{
}

/* A loop that does not end: chunks of 20 ms for half a second, in which there is no line, and one that lasts until there must be one. */
static void begin(const char *name, const char *schedule, int64_t n)
{
	struct dls_loop *l = deal_open(schedule, 2, deal_site(name), 0);
	double since;

	dls_loop_start(l, 0, n, 1);
	deal_next(l, 0);
	since = tap_now();
	do {
		pause_ms(20);
		deal_next(l, 0);
	} while (tap_now() - since < 0.52);
	pause_ms(220);
	deal_next(l, 0);
	dls_loop_close(l);
}

/* The child: a loop that takes days, one that takes forever, and one in a narrow window. */
static int far(void)
{
	begin("days", "ss,100000", 1000000000000);
	begin("ages", "ss", INT64_MAX);
	ioctl(2, TIOCSWINSZ, &(struct winsize){ .ws_col = 8, .ws_row = 8 });
	begin("narrow window", "ss", INT64_MAX);
	return 0;
}

/* The child: a loop shorter than half a second, then two longer ones, the second with a function called more often than
 * the terminal wants its line. */
static int child(const char *which)
{
	static const char name[] = "a name of more than twenty\033eight characters";
	struct dls_team *team;

	if (strcmp(which, "far") == 0)
		return far();
	if (dls_team_open(&team, 2))
		return 1;
	if (run(team, "a short loop", 2, 10) > 0.4)	/* so the system has made it long */
		return LONG;
	run(team, name, 80, 20);
	dls_set_progress(ignore, NULL, 0.01);
	run(team, name, 80, 20);
	dls_team_close(team);
	return 0;
}

static char text[4096];

/* Run the child with this as its stderr, and read what comes out of the other end; its exit status. */
static int read_child(const char *which, int in, int out)
{
	static const char *const variables[] = { "DLS_PROGRESS", "1", NULL };
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(in, 2);
		close(in);
		close(out);
		child_bound();
		_exit(child_self(&(struct child_self){ which, variables }));
	}
	close(in);
	child_read(out, text, sizeof(text));
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == LONG));
	return WEXITSTATUS(status);
}

/* The child's exit status; -1: there are no terminals. */
static int read_terminal(const char *which)
{
	int out = posix_openpt(O_RDWR | O_NOCTTY), in = -1;

	if (out < 0 || grantpt(out) != 0 || unlockpt(out) != 0 || (in = open(ptsname(out), O_RDWR | O_NOCTTY)) < 0)
		return -1;
	return read_child(which, in, out);
}

static void terminal(void)
{
	unsigned lines = 0, erased = 0, length = 0, tries = 0;
	double begin;
	int status;

	do {
		begin = tap_now();
		status = read_terminal("child");
	} while (status == LONG && ++tries < 50);
	if (tap_skip_if(status, status == LONG ? "20 ms take half a second here" : "no pseudo-terminal"))
		return;
	CHECK(!strchr(text, '\n'));
	CHECK(!strstr(text, "a short loop"));
	for (char *line = text, *end; *line == '\r' && (end = strchr(line + 1, '\r')); line = end) {
		unsigned done, percent, minutes, s;
		int n = 0;

		line++;
		if (strspn(line, " ") == (size_t)(end - line)) {
			CHECK_EQ(end++ - line, length);	/* blanks over it all */
			erased++;
			continue;
		}
		CHECK_EQ(sscanf(line, "than twenty?eight characters  ss  %u/80 (%u%%)  %*d/s  %u:%u left%n", &done,
				&percent, &minutes, &s, &n), 4);
		CHECK(n > 0 && n < 80 && done > 0 && done < 80 && percent == done * 100 / 80 && s < 60);
		lines++;
		length = (unsigned)n;
	}
	CHECK(lines >= 2 && lines <= (tap_now() - begin - 1) / 0.2 + 2);
	CHECK_EQ(erased, 2);
	if (tap_failures)
		tap_note("%s", text);
}

/* Rates, times and windows of other sizes. */
static void far_away(void)
{
	unsigned long long done;
	unsigned rate, tenth, power, hours, minutes, s;
	const char *line;
	int n = 0;

	if (tap_skip_if(read_terminal("far"), "no pseudo-terminal"))
		return;
	line = strstr(text, "\rdays  ss,100000  ");
	CHECK(line && sscanf(line, "\rdays  ss,100000  %llu/1000000000000 (0%%)  %u.%ue%u/s  %u:%2u:%2u left%n",
			     &done, &rate, &tenth, &power, &hours, &minutes, &s, &n) == 7);
	CHECK(n > 0 && done % 100000 == 0 && rate >= 1 && rate <= 9 && tenth <= 9 && power >= 4 && power <= 6 && hours > 9);
	line = strstr(text, "\rages  ss  ");
	CHECK(line && strstr(line, "/s  ? left"));
	CHECK(strstr(text, "\rnarrow ") && !strstr(text, "narrow w"));
	if (tap_failures)
		tap_note("%s", text);
}

static void no_terminal(void)
{
	unsigned tries = 0;
	int ends[2];

	do
		if (CHECK_EQ(pipe(ends), 0))
			return;
	while (read_child("child", ends[1], ends[0]) == LONG && ++tries < 50);
	CHECK_TEXT(text, "");
}

TEST_MAIN_OR(child, T(function) T(terminal) T(far_away) T(no_terminal))
