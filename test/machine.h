/* machine.h - open, run and ask a machine; each error is a failed check.
 *
 *	struct dls_machine *m = MACHINE(.strategy = "sid", .processors = 8);
 *	...
 *	CHECK_EQ(machine_run(m).tasks, 20); */
#ifndef MACHINE_H
#define MACHINE_H

#include <malloc.h>

#include "dls/machine.h"
#include "tap.h"

/* Thousands of machines: their memory is used again, where the C library would map and unmap it each time. */
__attribute__((constructor, unused)) static void machine_keep_memory(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 1 << 25);
	mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
}

/* Returns NULL if the machine cannot be opened. */
static inline struct dls_machine *machine_open(struct dls_machine_desc desc)
{
	struct dls_parse_error error = { .what = "" };
	struct dls_machine *m = NULL;

	desc.size = sizeof(desc);
	if (CHECK_EQ(dls_machine_open(&m, &desc, &error), 0))
		tap_note("%s: %s", desc.strategy ? desc.strategy : "NULL", error.what);
	return m;
}
#define MACHINE(...) machine_open((struct dls_machine_desc){ __VA_ARGS__ })

static inline struct dls_run_result machine_result(const struct dls_machine *m)
{
	struct dls_run_result result = { .size = sizeof(result) };

	CHECK_EQ(dls_machine_result(m, &result), 0);
	return result;
}

/* Add a task without code, of so many ns. */
static inline void machine_add(struct dls_machine *m, unsigned processor, uint64_t cost)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task" };

	CHECK_EQ(dls_machine_add(m, processor, &(struct dls_task){ .type = &type, .cost = cost }), 0);
}

/* Run the machine; returns the result. */
static inline struct dls_run_result machine_run(struct dls_machine *m)
{
	CHECK_EQ(dls_machine_run(m), 0);
	return machine_result(m);
}

static inline struct dls_processor_stats machine_stats(const struct dls_machine *m, unsigned processor)
{
	struct dls_processor_stats stats = { .size = sizeof(stats) };

	CHECK_EQ(dls_machine_processor_stats(m, processor, &stats), 0);
	return stats;
}

#endif
