/* even.h - whether a loop that is left to static blocks, because they are even, still is: what each worker's block takes, beside what it
 * took.
 *
 * Threads: any number of callers, of whom each worker is one at a time; an answer may be late by a block of another worker. */
#ifndef LIB_SITE_EVEN_H
#define LIB_SITE_EVEN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Workers that are told apart; a further one shares the place of one of them. */
enum { DLS__EVEN_WORKERS = 64 };

struct dls__even {
	_Atomic float each;		/* what an iteration takes of its worker's time, ns */
	_Atomic float time;		/* for which a worker's blocks have to differ, ns */
	atomic_ushort off[DLS__EVEN_WORKERS];	/* by worker: how much its last blocks in sequence differed */
};

/* An iteration takes so much from now on, ns; blocks have to differ for so many times longer than at first. */
void dls__even_begin(struct dls__even *even, double each, unsigned patience);

/* A worker's block of a loop of n iterations took so many ns; true: the loop is no longer what it was. */
bool dls__even_ended(struct dls__even *even, uint64_t n, unsigned worker, unsigned workers, uint64_t took);

#endif
