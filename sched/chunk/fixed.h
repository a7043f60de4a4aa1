/* fixed.h - the state that all rules of one fixed chunk size share. */
#ifndef SCHED_CHUNK_FIXED_H
#define SCHED_CHUNK_FIXED_H

#include "dls/calc.h"

struct fixed {
	uint64_t K;		/* size of every chunk but the last, iterations */
};

/* CHUNK iterations, or 1. */
static inline int fixed_init(void *state, const struct dls_loop_desc *loop)
{
	*(struct fixed *)state = (struct fixed){ .K = loop->chunk ? loop->chunk : 1 };
	return 0;
}

static inline uint64_t fixed_next(void *state, uint64_t R)
{
	const struct fixed *f = state;

	return f->K < R ? f->K : R;
}

static inline uint64_t fixed_repeat(void *state)
{
	(void)state;
	return UINT64_MAX;
}

#endif
