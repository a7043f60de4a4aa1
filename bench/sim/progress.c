/* progress.c - the progress of long runs, as a line on a terminal: runs that are over, and tasks begun in the present one.
 *
 * Tasks are counted by watching the machine, so only if there is a terminal. */
#include <unistd.h>

#include "sim.h"

enum { LOOK = 4096 };	/* events between two looks at the clock */

static struct {
	bool on, shown;
	double begin, last;
	size_t runs, over;
	uint64_t begun, all, events;
	const char *text;
} p;

void progress_begin(size_t runs)
{
	p.on = isatty(STDERR_FILENO);
	p.runs = runs;
	p.begin = p.last = tool_now();
}

void progress_off(void)
{
	p.on = false;
}

static void clear(void)
{
	if (p.shown)
		fputs("\r\033[K", stderr);
	p.shown = false;
}

/* Write the line, from half a second on, ten times a second. */
static void show(void)
{
	double now = tool_now();

	if (now - p.begin < .5 || now - p.last < .1)
		return;
	p.last = now;
	fprintf(stderr, "\r%s: ", tool_name);
	if (p.runs > 1)
		fprintf(stderr, "%zu of %zu runs%s", p.over, p.runs, p.all ? "; " : "");
	if (p.all)
		fprintf(stderr, "%s: %.0f %% of %.0f tasks", p.text, 100 * (double)p.begun / (double)p.all, (double)p.all);
	fprintf(stderr, ", %.0f s\033[K", now - p.begin);
	fflush(stderr);
	p.shown = true;
}

void progress_over(size_t runs)
{
	p.over += runs;
	p.all = 0;
	if (p.on && p.over < p.runs)
		show();
}

static void told(void *arg, const struct dls_machine_event *e)
{
	(void)arg;
	p.begun += e->what == DLS_EVENT_BEGIN;
	if (++p.events % LOOK == 0)
		show();
}

void progress_run(struct dls_machine *machine, const struct run *run)
{
	if (!p.on)
		return;
	p.begun = 0;
	p.all = run->load.tasks;
	p.text = run->text;
	dls_machine_watch(machine, told, NULL);
}

void progress_clear(void)
{
	if (p.on)
		clear();
}
