/* round.h - a round of a random program: what it draws, what its iterations mark, what it finds wrong. */
#ifndef SOAK_ROUND_H
#define SOAK_ROUND_H

#include "once.h"

enum { MOST = 20000, ROWS = 8 };

/* Shared by the programs and the one that starts them. */
static struct counts {
	_Atomic uint64_t violations;	/* what must be 0 */
	_Atomic uint64_t rounds, loops;
} *counts;

static atomic_uchar hits[ROWS][MOST];
static uint64_t seed, random_state;

/* The round under way. */
static struct {
	const char *what, *schedule;
	unsigned p, reps;
	int n[3], cost;
	long cancel_at;		/* < 0: never */
} r;

static uint64_t draw(uint64_t below)
{
	return tap_random(&random_state) % below;
}

static int draw_size(void)
{
	static const int size[] = { 0, 1, 2, 7, 64, 64, 100, 1000, 3000, MOST };

	return size[draw(sizeof(size) / sizeof(*size))];
}

static void wrong(const char *what, uint64_t by, int row)
{
	atomic_fetch_add(&counts->violations, by);
	fprintf(stderr, "soak: %s %llu: %llu %s, row %d of %d, schedule %s, P = %u\n", r.what, (unsigned long long)seed,
		(unsigned long long)by, what, row, row < 0 ? 0 : r.n[row % 3], r.schedule, r.p);
}

static bool good(int code)
{
	if (code)
		wrong("errors", 1, -1);
	return code == 0;
}

/* Each of n marked `times` times, or at most so often; clears the marks. */
static void check(int row, int n, unsigned times, bool at_most)
{
	uint64_t lost = 0, doubled = 0;

	for (int i = 0; i < MOST; i++) {
		/* relaxed: no thread marks any more. */
		unsigned h = atomic_exchange_explicit(&hits[row][i], 0, memory_order_relaxed), want = i < n ? times % 256 : 0;

		lost += h < want && !at_most;
		doubled += h > want;
	}
	if (lost)
		wrong("lost", lost, row);
	if (doubled)
		wrong("doubled", doubled, row);
	atomic_fetch_add(&counts->loops, times);
}

static void mark(int row, long i)
{
	atomic_fetch_add_explicit(&hits[row][i], 1, memory_order_relaxed);	/* read after the loop's end */
	for (volatile long k = i % 7 * r.cost; k > 0; k--)
		;
	if (i == r.cancel_at)
		good(dls_for_cancel());
}

#endif
