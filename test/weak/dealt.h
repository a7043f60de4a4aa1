/* dealt.h - one loop under the dispenser whose file is included before: each iteration comes once. */
#ifndef TEST_WEAK_DEALT_H
#define TEST_WEAK_DEALT_H

#include "weak.h"

enum { MOST = 12 };
static struct dls__work_share share;
static unsigned iterations, come[MOST];

static inline void run_chunk(struct dls__chunk chunk)
{
	HOLDS(chunk.lo + chunk.n <= iterations);
	for (uint64_t i = chunk.lo; i < chunk.lo + chunk.n; i++)
		come[i]++;		/* a race, if another one has it too */
}

/* Take chunks until none comes. */
static inline void run_chunks(struct dls__cursor *c)
{
	struct dls__chunk chunk;

	while ((chunk = c->head.take(c, 0)).n)
		run_chunk(chunk);
}

static void all_come(void)
{
	for (unsigned i = 0; i < iterations; i++)
		HOLDS(come[i] == 1);
}

#endif
