/* progress.c - the progress of a run: tasks begun.  They are counted by watching the machine, so only if there is a terminal. */
#include "bench/study/study.h"
#include "sim.h"

enum { LOOK = 4096 };	/* events between two looks at the clock */

static struct {
	uint64_t begun, all, events;
	const char *text;
} p;

static void told(void *arg, const struct dls_machine_event *e)
{
	(void)arg;
	p.begun += e->what == DLS_EVENT_BEGIN;
	if (++p.events % LOOK == 0)
		progress_within(p.text, p.begun, p.all, "tasks");
}

void progress_run(struct dls_machine *machine, const struct run *run)
{
	if (!progress_shown())
		return;
	p.begun = 0;
	p.all = run->load.tasks;
	p.text = run->text;
	dls_machine_watch(machine, told, NULL);
}
