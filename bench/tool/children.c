/* children.c - work in processes of their own, some at a time. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "bench/tool/tool.h"

/* In a process that has just begun: end as soon as its parent does, however that ends. */
static void end_with(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(TOOL_CHECK_FAILED);
#else
	(void)parent;
#endif
}

static pid_t start(const struct tool_children *c, size_t i)
{
	pid_t parent = getpid(), child;

	fflush(NULL);		/* or the child would write it as well */
	child = fork();
	if (child == 0) {
		end_with(parent);
		c->run(c->arg, i);
		_exit(TOOL_DONE);
	}
	if (c->begun && child > 0)
		c->begun(c->arg, i, child);
	return child;
}

/* End those that are still running. */
static void stop(const pid_t *child, size_t begun)
{
	for (size_t i = 0; i < begun; i++)
		if (child[i] > 0)
			kill(child[i], SIGTERM);
}

static void ring(int number)
{
	(void)number;
}

/* Wait for one of the children; returns its number. */
static size_t end_of_one(const struct tool_children *c, const pid_t *child, size_t begun, int *status)
{
	for (;;) {
		pid_t ended;

		alarm(c->waits ? 1 : 0);	/* so that the wait is interrupted */
		ended = wait(status);
		alarm(0);
		for (size_t i = 0; i < begun && ended > 0; i++)
			if (child[i] == ended)
				return i;
		if (ended < 0 && errno != EINTR)
			tool_die(TOOL_CHECK_FAILED, "cannot wait for a process: %s", strerror(errno));
		if (c->waits)
			c->waits();
	}
}

void tool_children(const struct tool_children *c, size_t n)
{
	pid_t *child = tool_need(calloc(n + 1, sizeof(*child)));
	size_t prepared = 0, begun = 0, ended = 0;

	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = ring }, NULL);
	while (ended < n) {
		int status = 0;
		size_t i;

		if (begun < n && begun - ended < c->most) {
			if (c->begin && prepared == begun)
				c->begin(c->arg, prepared++);
			child[begun] = start(c, begun);
			if (child[begun] > 0) {
				begun++;
				continue;
			}
			if (begun == ended)
				tool_die(TOOL_CHECK_FAILED, "cannot start a process: %s", strerror(errno));
		}
		i = end_of_one(c, child, begun, &status);
		child[i] = 0;
		ended++;
		if (status && !c->go_on)
			stop(child, begun);
		c->over(c->arg, i, status);
	}
	free(child);
}

void tool_child_failed(const char *what, int status)
{
	if (WIFSIGNALED(status))
		tool_die(TOOL_CHECK_FAILED, "%s: the run was killed by signal %d", what, WTERMSIG(status));
	if (status)
		exit(WEXITSTATUS(status));
}
