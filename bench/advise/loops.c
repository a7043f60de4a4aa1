/* loops.c - the loops in the files that were read, selected by the command line. */
#include "bench/advise/advise.h"

struct loop *loop_named(struct loops *loops, const char *name)
{
	/* The one asked for last is often asked for next. */
	for (size_t i = loops->n; i-- > 0;)
		if (strcmp(loops->loop[i].name, name) == 0)
			return &loops->loop[i];
	loops->loop = tool_grow(loops->loop, loops->n, sizeof(*loops->loop));
	loops->loop[loops->n] = (struct loop){ .name = tool_held_string("%s", name) };
	printable(loops->loop[loops->n].name);
	return &loops->loop[loops->n++];
}

void loop_tried(struct loop *loop, const char *schedule, const struct dls__taken *taken)
{
	struct dls__tried *t = NULL;

	for (unsigned i = 0; i < loop->trieds && !t; i++)
		if (loop->tried[i].taken.workers == taken->workers && strcmp(loop->tried[i].schedule, schedule) == 0)
			t = &loop->tried[i];
	if (!t) {
		loop->tried = tool_grow(loop->tried, loop->trieds, sizeof(*loop->tried));
		t = &loop->tried[loop->trieds++];
		*t = (struct dls__tried){ tool_held_string("%s", schedule), { .workers = taken->workers } };
	}
	t->taken.executions += taken->executions;
	t->taken.wall += taken->wall;
	t->taken.busy += taken->busy;
	t->taken.n += taken->n;
}

bool loop_workers(struct loop *loop, unsigned workers)
{
	if (workers <= loop->workers)
		return workers == loop->workers;
	loop->workers = workers;
	loop->profile = (struct dls__profile_sums){ .executions = 0 };
	loop->bars.bars = 0;
	loop->busy_mean = loop->busy_longest = 0;
	loop->wall = loop->saving = loop->executions = loop->threads = loop->dispatch = 0;
	free(loop->speed);
	free(loop->learned);
	loop->speed = tool_need(malloc(workers * sizeof(*loop->speed)));
	loop->learned = tool_need(calloc(workers, sizeof(*loop->learned)));
	for (unsigned w = 0; w < workers; w++)
		loop->speed[w] = 1;
	return true;
}
