/* child.h - a child does what must not happen in the test itself, and the test looks at what it says. */
#ifndef CHILD_H
#define CHILD_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char said[1 << 16];		/* what the last child has written to standard output and standard error */
static char complained[1 << 14];	/* to standard error, where child_run() has kept it apart */

static inline void child_read(int fd, char *text, size_t size)
{
	size_t n = 0;
	ssize_t got;

	while (n < size - 1 && (got = read(fd, text + n, size - 1 - n)) > 0)	/* < 0: EIO of a terminal that is gone */
		n += (size_t)got;
	text[n] = 0;
	close(fd);
}

/* Drop LeakSanitizer's line on a thread that ended while it looked at them. */
static inline void child_drop_note(char *text)
{
	static const char note[] = " was not suspended. False leaks are possible.\n";
	char *at, *line;

	while ((at = strstr(text, note))) {
		for (line = at; line > text && line[-1] != '\n'; line--)
			;
		memmove(line, at + strlen(note), strlen(at + strlen(note)) + 1);
	}
}

/* A child that does not end has five minutes of processor time, which other programs do not take from it, and three times as long to
 * sleep in.  Also what it executes. */
static inline void child_bound(void)
{
	const struct rlimit most = { 300, 310 };

	setrlimit(RLIMIT_CPU, &most);
	alarm(900);
}

static inline int child_run(int (*act)(const void *arg), const void *arg, bool apart)
{
	int pipes[2][2], status = -1;
	pid_t pid;

	if (pipe(pipes[0]) != 0 || pipe(pipes[1]) != 0)
		return -1;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(pipes[0][1], 1);
		dup2(pipes[apart][1], 2);
		for (int i = 0; i < 4; i++)
			close(pipes[i / 2][i % 2]);
		signal(SIGABRT, SIG_DFL);
		child_bound();
		_exit(act(arg));
	}
	close(pipes[0][1]);
	close(pipes[1][1]);
	child_read(pipes[0][0], said, sizeof(said));
	child_read(pipes[1][0], complained, sizeof(complained));
	child_drop_note(said);
	child_drop_note(complained);
	if (pid > 0)
		waitpid(pid, &status, 0);
	return status;
}

/* Have a child do `act`, exit with what that returns, and be ended by child_bound().  Returns its wait status; -1: there could be no
 * child. */
static inline int child_status(int (*act)(const void *arg), const void *arg)
{
	return child_run(act, arg, false);
}

/* The exit status of a process, or 128 and the signal that ended it. */
static inline int child_exit(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* This program once more, with an argument and with variables: name, value, ..., NULL. */
struct child_self {
	const char *argument;
	const char *const *variables;
};

static const char *child_program = "";	/* this one; /proc/self/exe would be the emulator of another architecture's */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"	/* C++: the function hides the structure's constructor */
/* An `act` that runs a struct child_self. */
static inline int child_self(const void *arg)
{
	static const char *const ours[] = { "DLS_SCHEDULE", "OMP_SCHEDULE", "DLS_STRICT", "DLS_DISPLAY_ENV" };
	const struct child_self *self = (const struct child_self *)arg;

	for (int i = 0; i < 4; i++)
		unsetenv(ours[i]);
	for (const char *const *v = self->variables; *v; v += 2)
		setenv(v[0], v[1], 1);
	execl(child_program, child_program, self->argument, (char *)NULL);
	return 127;
}
#pragma GCC diagnostic pop

#ifdef CPU_SET
/* Bind this thread to one processor of those that it may run on; false: it cannot be. */
static inline bool child_bind(void)
{
	cpu_set_t set, one;
	unsigned first = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		return false;
	while (first < CPU_SETSIZE && !CPU_ISSET(first, &set))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	return sched_setaffinity(0, sizeof(one), &one) == 0;
}

/* child_self() on one processor from its start. */
static inline int child_self_on_one(const void *arg)
{
	return child_bind() ? child_self(arg) : 127;
}
#endif

/* The exit status of this program run once more; `apart`: what it complains of is kept from what it says. */
static inline int child_again(const char *argument, const char *const *variables, bool apart)
{
	const struct child_self self = { argument, variables };

	return child_exit(child_run(child_self, &self, apart));
}

/* TEST_MAIN() of a program that is also the child of child_self(): then `child` gets the argument. */
#define TEST_MAIN_OR(child, tests) \
	int main(int argc, char **argv) \
	{ \
		static const struct tap_test list[] = { tests }; \
\
		child_program = argv[0]; \
		return argc > 1 ? child(argv[1]) : tap_run(list, sizeof(list) / sizeof(*list)); \
	}

#endif
