/* many.c - parallel runs of dls-sim, each in a process of its own; rows are printed in the order of serial runs.
 *
 * A child writes its results to memory that it shares with the parent, and exits with 0; if it fails, it prints the message itself. */
#define _DEFAULT_SOURCE		/* MAP_ANONYMOUS */
#include <sys/mman.h>

#include "bench/study/study.h"
#include "sim.h"

static void *share(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return tool_need(memory == MAP_FAILED ? NULL : memory);
}

void jobs_in_turn(const struct job *jobs, size_t n)
{
	struct traffic *traffic = tool_need(calloc(platform_links() + 1, sizeof(*traffic)));

	for (size_t i = 0; i < n; i++) {
		struct run run = { .traffic = traffic };

		job_run(&jobs[i], &run);
		progress_clear();
		print_run(&jobs[i], &run);
		progress_over(1);
	}
	free(traffic);
}

struct many {
	const struct job *jobs;
	size_t n, printed;
	struct run *run;
	bool *over;
};

static void run_one(void *arg, size_t i)
{
	struct many *m = arg;

	progress_off();
	job_run(&m->jobs[i], &m->run[i]);
	fflush(stderr);
}

static void over(void *arg, size_t i, int status)
{
	struct many *m = arg;

	tool_child_failed(m->jobs[i].strategy, status);
	m->over[i] = true;
	progress_clear();
	for (; m->printed < m->n && m->over[m->printed]; m->printed++)
		print_run(&m->jobs[m->printed], &m->run[m->printed]);
	progress_over(1);
}

static void waits(void)
{
	progress_over(0);
}

void jobs_run(const struct job *jobs, size_t n, bool parallel)
{
	struct many m = { .jobs = jobs, .n = n };
	struct tool_children runs = { .most = tool_processors(), .run = run_one, .over = over, .waits = waits, .arg = &m };
	size_t traffic_bytes = (n * platform_links() + 1) * sizeof(struct traffic);
	struct traffic *traffic;

	progress_begin(n);
	if (!parallel || runs.most == 1 || n < 2) {
		jobs_in_turn(jobs, n);
		progress_clear();
		return;
	}
	m.run = share(n * sizeof(*m.run));
	traffic = share(traffic_bytes);
	for (size_t i = 0; i < n; i++)
		m.run[i].traffic = traffic + i * platform_links();
	m.over = tool_held(calloc(n, sizeof(*m.over)));
	tool_children(&runs, n);
	progress_clear();
	munmap(m.run, n * sizeof(*m.run));
	munmap(traffic, traffic_bytes);
}
