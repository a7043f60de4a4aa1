/* observe.c - the cost of watching loops: the same chunks, or steps of many loops, each time in a new process. */
#include <sys/wait.h>
#include <unistd.h>

#include "overhead.h"

enum { STEPS = 10 };	/* of many loops */

/* s.  The library reads a dearer clock until it knows the rate of the time-stamp counter, some milliseconds after its first reading. */
#define WARM_UP 0.02

/* The child leaves by _exit(), so neither is written. */
const struct overhead_way overhead_way[OVERHEAD_WAYS] = {
	{ .name = "nothing" },
	{ .name = "measure", .measure = true },
	{ .name = "report", .variable = "DLS_REPORT", .value = "stderr" },
	{ .name = "trace", .variable = "DLS_TRACE", .value = "/dev/null" },
};

/* ns of the fastest step: in a step threads wait for each other thirty times, and rarely have all processors
 * to themselves as long as that.  dls-loops checks the results. */
static double steps(const struct cell *c)
{
	double least = INFINITY;

	for (int k = 0; k < c->loops; k++) {
		double start = tool_now();

		c->kernel->step[KERNEL_LIBDLS]();
		least = fmin(least, tool_now() - start);
	}
	return least * 1e9;
}

static void ready_kernel(const struct cell *c)
{
	struct dls_site *site;

	omp_set_num_threads(c->threads);
	c->kernel->setup();
	c->kernel->begin();
	for (const char *const *name = c->kernel->site; *name; name++)
		if (dls_site_named(&site, *name) || dls_site_set_schedule(site, c->text))
			tool_die(TOOL_CHECK_FAILED, "%s: no schedule for %s", c->schedule, *name);
}

static double watched(const struct cell *c)
{
	struct cell same = *c;
	struct dls_site *site;

	same.way = NULL;
	same.run = c->kernel ? steps : c->n ? overhead_chunk.libdls : overhead_dispatch;
	unsetenv("DLS_REPORT");
	unsetenv("DLS_TRACE");
	unsetenv("DLS_PROGRESS");
	if (c->way->variable)
		setenv(c->way->variable, c->way->value, 1);
	if (c->way->measure && (dls_site_named(&site, OVERHEAD_SITE) || dls_site_set_measured(site, true)))
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	if (c->kernel)
		ready_kernel(c);
	for (double until = tool_now() + WARM_UP; tool_now() < until;) {
		same.run(&same);
		overhead_check(&same, 1);
	}
	return overhead_repeat(&same, c->n > 0);
}

double overhead_observe(const struct cell *c)
{
	double ns;
	int pipes[2];
	pid_t child;

	fflush(stdout);
	if (pipe(pipes) || (child = fork()) < 0)
		tool_die(TOOL_CHECK_FAILED, "%s: cannot start a process", c->schedule);
	if (child == 0) {
		ns = watched(c);
		_exit(write(pipes[1], &ns, sizeof(ns)) != sizeof(ns));
	}
	close(pipes[1]);
	bool told = read(pipes[0], &ns, sizeof(ns)) == sizeof(ns);

	close(pipes[0]);
	waitpid(child, NULL, 0);
	if (!told)
		tool_die(TOOL_CHECK_FAILED, "%s: the process that measures it has failed", c->schedule);
	return ns;
}

/* A program of many small loops under the default schedule and static: watched, by how much longer a step takes. */
void overhead_measure_stencils(int threads)
{
	static const struct kernel *const kernel[] = { &kernel_stencils, &kernel_stencils_for };
	static const char *const name[2][OVERHEAD_WAYS] = {
		{ "default", NULL, "default, report", "default, trace" },
		{ "static", NULL, "static, report", "static, trace" },
	};

	if (threads == 1)
		return;
	for (size_t k = 0; k < 2; k++) {
		const struct cell *of[2][OVERHEAD_WAYS];
		char what[32];

		snprintf(what, sizeof(what), "observe-%s", kernel[k]->name);
		for (size_t s = 0; s < 2; s++)
			for (size_t i = 0; i < OVERHEAD_WAYS; i++) {
				struct cell *c = name[s][i] ? overhead_add(what, "libdls", name[s][i], overhead_observe, threads, 0) : NULL;

				of[s][i] = c;
				if (!c)
					continue;
				c->way = &overhead_way[i];
				c->kernel = kernel[k];
				c->text = s ? "static" : NULL;
				c->loops = STEPS;
			}
		snprintf(what, sizeof(what), "%s-ratio", kernel[k]->name);
		for (size_t s = 0; s < 2; s++)
			for (size_t i = 1; i < OVERHEAD_WAYS; i++)
				if (of[s][i])
					overhead_add_derived(what, "libdls", overhead_by, of[s][i], of[s][0])->ratio = true;
	}
	overhead_time(false, 0);
}
