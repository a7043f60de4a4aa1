/* child.h - a child does what must not happen in the test itself, and the test looks at what it says. */
#ifndef CHILD_H
#define CHILD_H

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the last child has written to standard output and standard error. */
static char said[1 << 16];

/* Have a child do `act`, exit with what that returns, and be ended by an alarm after a minute.  Returns its wait status;
 * -1: there could be no child. */
static int child_status(int (*act)(const void *arg), const void *arg)
{
	int pipes[2], status = -1;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	if (pipe(pipes) != 0)
		return -1;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(pipes[1], 1);
		dup2(pipes[1], 2);
		close(pipes[0]);
		close(pipes[1]);
		signal(SIGABRT, SIG_DFL);
		alarm(60);
		_exit(act(arg));
	}
	close(pipes[1]);
	while (n < sizeof(said) - 1 && (got = read(pipes[0], said + n, sizeof(said) - 1 - n)) > 0)
		n += (size_t)got;
	said[n] = 0;
	close(pipes[0]);
	if (pid > 0)
		waitpid(pid, &status, 0);
	return status;
}

#endif
