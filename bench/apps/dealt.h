/* dealt.h - one execution of a loop in virtual time by the library's dispensers: the worker that is free first asks next. */
#ifndef DEALT_H
#define DEALT_H

#include <stdint.h>

struct dls_loop;

enum { DEALT_WORKERS_MAX = 64 };

struct dealt {
	unsigned workers;	/* at most DEALT_WORKERS_MAX, those of the loop */
	uint64_t n;		/* iterations */
	const uint64_t *upto;	/* n + 1: what those before each take, ns */
	uint64_t dispatch;	/* of a chunk, ns */
	void (*got)(void *arg, unsigned worker, int64_t begin, int64_t end);	/* a chunk */
	void *arg;
};

/** Returns its length, ns; 0: an iteration was lost, or the loop could not be started. */
uint64_t dealt_run(struct dls_loop *loop, const struct dealt *d);

#endif
