/* tss.h - the exact sizes of trapezoid self-scheduling, for rules based on them. */
#ifndef SCHED_CHUNK_TSS_H
#define SCHED_CHUNK_TSS_H

#include "dls/calc.h"
#include "sched/wide.h"

/* The next chunk's size before rounding down is s + r/den; delta = q + d/den. */
struct tss {
	uint64_t L, s, r, q, d, den;
};

/* Prepare for F = f (N/2P if 0) and L = l; F is at least L. */
static inline void tss_begin(struct tss *t, uint64_t N, unsigned P, uint64_t f, uint64_t l)
{
	uint64_t a = f ? f : N, a_den = f ? 1 : 2 * (uint64_t)P;	/* F = a / a_den */

	if (dls__wide_less(dls__wide_product(a, 1), dls__wide_product(l, a_den))) {
		a = l;
		a_den = 1;
	}
	dls__wide sum = dls__wide_sum(dls__wide_product(l, a_den), dls__wide_product(a, 1));
	uint64_t C = dls__wide_ceil(dls__wide_times(dls__wide_product(N, a_den), 2), sum);	/* <= N, and <= 4P where a_den is not 1 */

	*t = (struct tss){ .L = l, .s = a / a_den, .den = 1 };
	if (C > 1) {
		t->den = a_den * (C - 1);
		t->q = (a - l * a_den) / t->den;
		t->d = (a - l * a_den) % t->den;
		t->r = a % a_den * (C - 1);
	}
}

/* floor(F - i delta), at least L, for i = 0, 1, ... */
static inline uint64_t tss_size(struct tss *t)
{
	uint64_t K = t->s > t->L ? t->s : t->L, down = t->q + (t->r < t->d);

	if (t->s < t->L + down) {	/* L from here on */
		t->s = t->L;
		t->q = t->d = 0;
	} else {
		t->s -= down;
		t->r = t->r < t->d ? t->den - (t->d - t->r) : t->r - t->d;
	}
	return K;
}

#endif
