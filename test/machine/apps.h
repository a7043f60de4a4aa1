/* apps.h - machines for the applications whose tasks spawn others. */
#ifndef APPS_H
#define APPS_H

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

/* `got` is within the fraction `by` of the paper's value. */
static inline void apps_near(double got, double want, double by)
{
	if (!CHECK(got > want * (1 - by) && got < want * (1 + by)))
		tap_note("%g is not within %g of %g", got, by, want);
}

#endif
