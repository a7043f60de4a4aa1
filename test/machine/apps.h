/* apps.h - the applications whose tasks spawn others: figures of their trees, and machines for them. */
#ifndef APPS_H
#define APPS_H

#include <math.h>

#include "bench/apps/tree.h"

#include "machine.h"

static const struct apps_machine {
	const char *strategy, *engine;
	unsigned processors;
} apps_machine[] = {
	{ "none", "virtual", 1 }, { "rand", "virtual", 5 }, { "rid", "virtual", 16 }, { "dem", "virtual", 8 },
	{ "rips", "virtual", 17 }, { "none", "threads", 1 }, { "rand", "threads", 2 }, { "rid", "threads", 2 },
	{ "dem", "threads", 2 }, { "rips", "threads", 2 }, { "rips,queue=eager,transfer=all", "threads", 3 },
};
enum { APPS_MACHINES = sizeof(apps_machine) / sizeof(*apps_machine) };

static struct dls_machine *apps_open(const struct apps_machine *of)
{
	return MACHINE(.strategy = of->strategy, .engine = of->engine, .processors = of->processors, .costs = "cm5", .seed = 1);
}

/* Work that was done serially, and noted: the same on each machine.
 *
 * add          adds the tasks that do it
 * dealt        to all processors; else a root to processor 0
 * found        what they find, and what they write alone */
struct apps_work {
	const struct tree *tree;
	int (*add)(struct dls_machine *machine);
	bool dealt;
	void *found;
	size_t bytes;
};

/* A run of noted tasks equals the run of tasks that did their work; in virtual time to the last message. */
static inline void apps_same(const struct apps_machine *of, const struct dls_run_result *a, const struct dls_run_result *b)
{
	CHECK_EQ(a->tasks, b->tasks);
	if (strcmp(of->engine, "virtual") != 0)
		return;
	CHECK_EQ(a->events, b->events);
	CHECK_EQ(a->bytes, b->bytes);
	CHECK(a->work == b->work);
	CHECK(a->time == b->time);
	CHECK(a->idle == b->idle);
}

/* Fails if a task is lost or runs twice, if what is found is not what a serial run finds, and if noted tasks take another time or
 * spawn others. */
static inline void apps_machines(const struct apps_work *work)
{
	void *serial = malloc(work->bytes);

	if (!CHECK(serial != NULL))
		return;
	memcpy(serial, work->found, work->bytes);
	for (unsigned i = 0; i < APPS_MACHINES; i++) {
		const struct apps_machine *of = &apps_machine[i];
		struct dls_machine *machine = apps_open(of);
		struct dls_run_result worked, noted;

		memset(work->found, 0, work->bytes);
		CHECK_EQ(work->add(machine), 0);
		worked = machine_run(machine);
		CHECK_EQ(worked.tasks, work->tree->tasks + (work->dealt ? of->processors - 1 : 0));
		CHECK(memcmp(work->found, serial, work->bytes) == 0);
		CHECK_EQ(work->dealt ? tree_deal(work->tree, machine, of->processors) : tree_add(work->tree, machine), 0);
		noted = machine_run(machine);
		apps_same(of, &worked, &noted);
		if (strcmp(of->engine, "virtual") == 0)
			CHECK_EQ(llround(1e9 * worked.work), tree_time(work->tree));
		dls_machine_close(machine);
	}
	free(serial);
}

#endif
