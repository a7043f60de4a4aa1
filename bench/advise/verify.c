/* verify.c - dls-advise --verify: a program without the advice and with it, in turn, and what that gained. */
#define _XOPEN_SOURCE 700	/* mkdtemp() */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/advise/advise.h"

#define DIFFERS 0.1	/* if runs of the same kind differ by more, the machine is too busy to tell */

/* What is compared: a loop that advice names, or the whole program. */
struct compared {
	const struct loop *loop;	/* NULL: the program */
	double *without, *with;		/* s, of each round: an execution of the loop, on average; the program's run; NAN: it did not run */
};

static char folder[4096];

static char *report_file(void)
{
	return tool_string("%s/report.json", folder);
}

static void remove_folder(void)
{
	char *file = report_file();

	unlink(file);
	rmdir(folder);
	free(file);
}

static void make_folder(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/dls-advise-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(folder))
		tool_die(TOOL_CHECK_FAILED, "\"%s\": %s", folder, strerror(errno));
	atexit(remove_folder);
}

/* In the child: become the program, with no input and no output but stderr.  If that fails, write errno to
 * the pipe `failed`. */
static _Noreturn void become(char **command, const char *schedule, int failed)
{
	static const char *const others[] = { "DLS_TRACE", "DLS_PROGRESS", "DLS_DISPLAY_ENV" };
	int null = open("/dev/null", O_RDWR), error;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		unsetenv(others[i]);
	if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0 && !setenv("DLS_REPORT", report_file(), 1) &&
	    (!schedule || !setenv("DLS_SCHEDULE", schedule, 1)))
		execvp(*command, command);
	error = errno;
	_exit(write(failed, &error, sizeof(error)) == sizeof(error) ? 127 : 126);
}

/* Run the program, which must end well; returns how long it took.  NULL: under the schedules that it has. */
static double run(char **command, const char *schedule)
{
	void (*interrupt)(int) = signal(SIGINT, SIG_IGN), (*quit)(int) = signal(SIGQUIT, SIG_IGN);
	int failed[2], status = 0, error = 0;
	double start, took;
	ssize_t got;
	pid_t child;

	if (pipe(failed) || fcntl(failed[1], F_SETFD, FD_CLOEXEC))
		tool_die(TOOL_CHECK_FAILED, "pipe: %s", strerror(errno));
	start = tool_now();
	child = fork();
	if (child < 0)
		tool_die(TOOL_CHECK_FAILED, "fork: %s", strerror(errno));
	if (child == 0) {
		signal(SIGINT, interrupt);
		signal(SIGQUIT, quit);
		become(command, schedule, failed[1]);
	}
	close(failed[1]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	took = tool_now() - start;
	got = read(failed[0], &error, sizeof(error));
	close(failed[0]);
	signal(SIGINT, interrupt);
	signal(SIGQUIT, quit);
	if (got > 0)
		tool_die(TOOL_USAGE, "--verify \"%s\": %s", *command, strerror(error));
	if (WIFSIGNALED(status))
		tool_die(TOOL_CHECK_FAILED, "--verify \"%s\": signal %d ended it%s: nothing is verified", *command, WTERMSIG(status),
			 schedule ? " with the advice" : "");
	if (WEXITSTATUS(status))
		tool_die(TOOL_CHECK_FAILED, "--verify \"%s\": it ended with status %d%s: nothing is verified", *command,
			 WEXITSTATUS(status), schedule ? " with the advice" : "");
	return took;
}

static void read_report(struct loops *loops, const char *program)
{
	char *file = report_file();

	if (access(file, F_OK))
		tool_die(TOOL_CHECK_FAILED, "--verify \"%s\": it has written no report: it runs no loop of libdls; an OpenMP program that "
			 "is not linked with it is run by dls-run: --verify dls-run %s", program, program);
	read_file(loops, file);
	unlink(file);
	free(file);
}

/* Time in a loop, s; and of one of its executions, on average. */
static double total(const struct loop *l, double *mean)
{
	double wall = 0, executions = 0;

	for (unsigned i = 0; i < l->trieds; i++) {
		wall += 1e-9 * (double)l->tried[i].taken.wall;
		executions += (double)l->tried[i].taken.executions;
	}
	*mean = executions > 0 ? wall / executions : NAN;
	return wall;
}

/* Whether DLS_SCHEDULE can name a loop whose advice is another schedule, or one to try. */
static bool can_follow(const struct loop *l)
{
	return *l->advice.instead && l->advice.entry;
}

/* DLS_SCHEDULE with the advice after what it has. */
static const char *with_advice(const struct compared *what, size_t n)
{
	const char *before = getenv("DLS_SCHEDULE");
	char *text = tool_held_string("%s", before ? before : "");

	/* A semicolon may follow the last entry, not two. */
	for (size_t length = strlen(text); length > 0 && strchr("; \t", text[length - 1]); length--)
		text[length - 1] = 0;
	for (size_t i = 0; i < n; i++) {
		const struct loop *l = what[i].loop;

		text = tool_held_string("%s%s%s:%s", text, *text ? ";" : "", l->name, l->advice.instead);
	}
	return text;
}

/* Run the program once, and note the mean time of each of `n` loops, and behind them the program's time. */
static void measure(struct compared *what, size_t n, unsigned round, char **command, const char *schedule)
{
	double took = run(command, schedule);
	struct loops loops = { .n = 0 };

	read_report(&loops, *command);
	for (size_t i = 0; i < n; i++)
		total(loop_named(&loops, what[i].loop->name), &(schedule ? what[i].with : what[i].without)[round]);
	(schedule ? what[n].with : what[n].without)[round] = took;
	free_loops(&loops);
}

static void print_row(struct tool_table *table, const struct compared *c, unsigned rounds)
{
	double *gain = tool_held(malloc(rounds * sizeof(*gain)));
	struct tool_spread gained, without, with;
	bool ran = true;

	for (unsigned r = 0; r < rounds; r++) {
		gain[r] = 100 * (1 - c->with[r] / c->without[r]);
		ran = ran && !isnan(gain[r]);
	}
	gained = tool_spread(gain, rounds);
	without = tool_spread(c->without, rounds);
	with = tool_spread(c->with, rounds);
	tool_text(table, c->loop ? c->loop->name : "program");
	tool_text(table, c->loop ? c->loop->advice.instead : "");
	tool_number(table, "%.6g", without.median);
	tool_number(table, "%.6g", with.median);
	tool_number(table, "%.1f", ran ? gained.median : NAN);
	tool_number(table, "%.1f", ran ? gained.min : NAN);
	tool_number(table, "%.1f", ran ? gained.max : NAN);
	tool_number(table, "%.1f", c->loop && c->loop->advice.worthwhile ? 100 * c->loop->advice.gain : NAN);
	tool_text(table, !c->loop || !c->loop->advice.worthwhile ? "" :
		  c->loop->advice.measured ? "measured" : "predicted");
	tool_text(table, !ran ? "not run in every run" : gained.min > 0 ? "gained" : gained.max < 0 ? "lost" :
		  without.max - without.min > DIFFERS * without.median || with.max - with.min > DIFFERS * with.median ?
		  "machine too busy to tell" : "no difference");
}

static void print_verified(struct compared *what, size_t n, unsigned rounds, const char *schedule, enum tool_format format)
{
	static const char *const column[] = {
		"what", "schedule", "without_seconds", "with_seconds", "gained_percent", "least", "most", "expected_percent", "by", "verdict",
		NULL,
	};
	static const int width[] = { -24, -16, 16, 13, 15, 7, 7, 17, -10, -24 };
	struct tool_table table = { .out = stdout, .format = format, .column = column, .width = width };

	if (format == TOOL_TEXT)
		printf("\nverified by %u runs without and %u with DLS_SCHEDULE='%s', in turn; medians, and of what was gained the least and the "
		       "most\n\n", rounds, rounds, schedule);
	tool_table_begin(&table);
	for (size_t i = 0; i <= n && n > 0; i++)
		print_row(&table, &what[i], rounds);
	tool_table_end(&table);
}

void verify(char **command, unsigned rounds, enum tool_format format, void (*advise)(struct loop *loop))
{
	struct loops loops = { .n = 0 };
	struct compared *what;
	size_t n = 0;
	double took, mean;

	make_folder();
	took = run(command, NULL);
	read_report(&loops, *command);
	what = tool_held(calloc(loops.n + 1, sizeof(*what)));
	for (size_t i = 0; i < loops.n; i++) {
		struct loop *l = &loops.loop[i];

		l->share = fmin(total(l, &mean) / took, 1);
		advise(l);
		if (can_follow(l))
			what[n++].loop = l;
	}
	for (size_t i = 0; i <= n; i++) {
		what[i].without = tool_held(calloc(rounds, sizeof(double)));
		what[i].with = tool_held(calloc(rounds, sizeof(double)));
	}
	if (format == TOOL_TEXT)
		print_loops(&loops, format);
	if (n > 0 || format != TOOL_TEXT) {
		const char *schedule = with_advice(what, n);

		for (unsigned r = 0; r < rounds && n > 0; r++) {
			measure(what, n, r, command, r % 2 ? schedule : NULL);
			measure(what, n, r, command, r % 2 ? NULL : schedule);
		}
		print_verified(what, n, rounds, schedule, format);
	} else {
		puts("\nnothing to verify: no other schedule is advised");
	}
	free_loops(&loops);
}
