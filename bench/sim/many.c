/* many.c - parallel runs of dls-sim, each in a process of its own; rows are printed in the order of serial runs.
 *
 * A child writes its results to memory that it shares with the parent, and exits with 0; if it fails, it prints the message itself. */
#define _DEFAULT_SOURCE		/* MAP_ANONYMOUS */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/study/study.h"
#include "sim.h"

static void *share(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return tool_need(memory == MAP_FAILED ? NULL : memory);
}

/* Room for the traffic of a platform's links in n runs. */
static struct traffic *share_traffic(size_t n)
{
	return share((n * platform_links() + 1) * sizeof(struct traffic));
}

static void in_turn(const struct job *jobs, size_t n, size_t done)
{
	struct traffic *traffic = tool_need(calloc(platform_links() + 1, sizeof(*traffic)));

	for (size_t i = done; i < n; i++) {
		struct run run = { .traffic = traffic };

		job_run(&jobs[i], &run);
		progress_clear();
		print_run(&jobs[i], &run);
		progress_over(1);
	}
	free(traffic);
}

static pid_t start(const struct job *job, struct run *run)
{
	pid_t child;

	fflush(NULL);		/* or the child would write it as well */
	child = fork();
	if (child == 0) {
		progress_off();
		job_run(job, run);
		fflush(stderr);
		_exit(TOOL_DONE);
	}
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

/* Wait for one of the children; returns its job, and when it has failed its exit status. */
static size_t end_of_one(const pid_t *child, size_t begun, int *status)
{
	for (;;) {
		pid_t ended;

		alarm(1);	/* so that the wait is interrupted, and progress shown */
		ended = wait(status);
		alarm(0);
		for (size_t i = 0; i < begun && ended > 0; i++)
			if (child[i] == ended)
				return i;
		if (ended < 0 && errno != EINTR)
			tool_die(TOOL_CHECK_FAILED, "cannot wait for a run: %s", strerror(errno));
		progress_over(0);
	}
}

void jobs_run(const struct job *jobs, size_t n, size_t done, bool parallel)
{
	size_t most = tool_processors(), left = n - done, begun = 0, ended = 0, printed = 0;
	struct traffic *traffic;
	struct run *run;
	pid_t *child;
	bool *over;

	progress_begin(left);
	if (!parallel || most == 1 || left < 2) {
		in_turn(jobs, n, done);
		progress_clear();
		return;
	}
	jobs += done;
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = ring }, NULL);
	run = share(left * sizeof(*run));
	traffic = share_traffic(left);
	for (size_t i = 0; i < left; i++)
		run[i].traffic = traffic + i * platform_links();
	child = tool_held(calloc(left, sizeof(*child)));
	over = tool_held(calloc(left, sizeof(*over)));
	while (ended < left) {
		int status = 0;
		size_t i;

		if (begun < left && begun - ended < most) {
			child[begun] = start(&jobs[begun], &run[begun]);
			if (child[begun] > 0) {
				begun++;
				continue;
			}
			if (begun == ended)
				tool_die(TOOL_CHECK_FAILED, "cannot start a process: %s", strerror(errno));
		}
		i = end_of_one(child, begun, &status);
		over[i] = true;
		child[i] = 0;
		ended++;
		if (status)
			stop(child, begun);
		if (!WIFEXITED(status))
			tool_die(TOOL_CHECK_FAILED, "%s: the run was killed by signal %d", jobs[i].strategy, WTERMSIG(status));
		if (WEXITSTATUS(status))
			exit(WEXITSTATUS(status));
		progress_clear();
		for (; printed < begun && over[printed]; printed++)
			print_run(&jobs[printed], &run[printed]);
		progress_over(1);
	}
	progress_clear();
	munmap(run, left * sizeof(*run));
	munmap(traffic, (left * platform_links() + 1) * sizeof(*traffic));
}
