/* classic.c - litmus tests with known verdicts, which check the explorer itself. */
#include <stdatomic.h>
#include <stdlib.h>
#include "weak.h"

static atomic_uint x, y;
static unsigned plain, a, b, c, d;

#define SET(v, n, order) atomic_store_explicit(&v, n, memory_order_##order)
#define GET(v, order) atomic_load_explicit(&v, memory_order_##order)
#define CODE(name, ...) static void name(void) { __VA_ARGS__ }

CODE(out2, weak_outcome(2 * a + b);)
CODE(out4, weak_outcome(8 * a + 4 * b + 2 * c + d);)

/* Message passing: a = 1, b = 0 comes out unless released and acquired. */
CODE(mp_write, SET(x, 1, relaxed); SET(y, 1, relaxed);)
CODE(mp_release, SET(x, 1, relaxed); SET(y, 1, release);)
CODE(mp_read, a = GET(y, relaxed); b = GET(x, relaxed);)
CODE(mp_acquire, a = GET(y, acquire); b = GET(x, relaxed);)

/* Plain data behind a flag. */
CODE(data_write, plain = 1; SET(y, 1, release);)
CODE(data_read, if (GET(y, acquire)) HOLDS(plain == 1);)

/* Store buffering. */
CODE(sb_1, SET(x, 1, relaxed); a = GET(y, relaxed);)
CODE(sb_2, SET(y, 1, relaxed); b = GET(x, relaxed);)
CODE(sb_1_ra, SET(x, 1, release); a = GET(y, acquire);)
CODE(sb_2_ra, SET(y, 1, release); b = GET(x, acquire);)

/* Load buffering: RC11 rules a = b = 1 out; C11 does not, for relaxed. */
CODE(lb_1, a = GET(x, relaxed); SET(y, 1, relaxed);)
CODE(lb_2, b = GET(y, relaxed); SET(x, 1, relaxed);)

/* Two readers of independent writes: a b, c d = 1 0, 1 0. */
CODE(iriw_x, SET(x, 1, release);)
CODE(iriw_y, SET(y, 1, release);)
CODE(iriw_1, a = GET(x, acquire); b = GET(y, acquire);)
CODE(iriw_2, c = GET(y, acquire); d = GET(x, acquire);)

/* Coherence: two reads of one location do not go back. */
CODE(corr, a = GET(x, relaxed); b = GET(x, relaxed);)
CODE(set_x, SET(x, 1, relaxed);)

/* Two writes by two threads: x = y = 1 at the end. */
CODE(w2_1, SET(x, 1, relaxed); SET(y, 2, relaxed);)
CODE(w2_2, SET(y, 1, relaxed); SET(x, 2, relaxed);)
CODE(w2_1_release, SET(x, 1, release); SET(y, 2, release);)
CODE(w2_2_release, SET(y, 1, release); SET(x, 2, release);)
CODE(w2_out, weak_outcome(2 * (GET(x, relaxed) - 1) + GET(y, relaxed) - 1);)

/* A relaxed read-modify-write continues a release sequence; a store does not, in C20. */
CODE(sequence_add, atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);)
CODE(sequence_read, if (GET(y, acquire) == 2) a = 1, b = GET(x, relaxed);)
CODE(sequence_store, SET(x, 1, relaxed); SET(y, 1, release); SET(y, 2, relaxed);)

/* No two read the same, and a write does not come between. */
CODE(add_1, a = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);)
CODE(add_2, b = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);)
CODE(cas_1, unsigned old = 0; a = atomic_compare_exchange_strong_explicit(&x, &old, 1, memory_order_relaxed, memory_order_relaxed);)
CODE(cas_2, unsigned old = 0; b = atomic_compare_exchange_strong_explicit(&x, &old, 2, memory_order_relaxed, memory_order_relaxed);)

/* The explorer's own eyes: races are seen before the first operation, and after a release; memory after free is not touched. */
CODE(race_early, plain = 1; SET(x, 1, relaxed);)
CODE(race_late, SET(y, 1, release); plain = 2;)
CODE(read_late, if (GET(y, acquire)) a = plain;)
CODE(free_read, atomic_uint *p = malloc(4); atomic_init(p, 1); free(p); a = GET(*p, relaxed);)

/* Three loops that wait: for a value that comes; for one that comes in some executions alone; two threads
 * for each other. */
CODE(wait, while (GET(x, relaxed) != 1) ;)
CODE(wait_in_vain, if (GET(y, relaxed) == 0) while (GET(x, relaxed) != 2) ;)
CODE(set_both, SET(y, 1, relaxed); SET(x, 1, relaxed);)

static void lock(atomic_uint *first, atomic_uint *second)
{
	while (atomic_exchange_explicit(first, 1, memory_order_acquire))
		;
	while (atomic_exchange_explicit(second, 1, memory_order_acquire))
		;
	plain++;
	atomic_store_explicit(second, 0, memory_order_release);
	atomic_store_explicit(first, 0, memory_order_release);
}
CODE(lock_x_y, lock(&x, &y);)
CODE(lock_y_x, lock(&y, &x);)

WEAK_MAIN(0,
	{ "MP, relaxed", NULL, { mp_write, mp_read }, out2, 15, 0 },
	{ "MP, release and acquire", NULL, { mp_release, mp_acquire }, out2, 11, 0 },
	{ "MP, release alone", NULL, { mp_release, mp_read }, out2, 15, 0 },
	{ "MP, acquire alone", NULL, { mp_write, mp_acquire }, out2, 15, 0 },
	{ "MP, plain data", NULL, { data_write, data_read }, NULL, 0, 0 },
	{ "SB, relaxed", NULL, { sb_1, sb_2 }, out2, 15, 0 },
	{ "SB, release and acquire", NULL, { sb_1_ra, sb_2_ra }, out2, 15, 0 },
	{ "LB, relaxed", NULL, { lb_1, lb_2 }, out2, 7, 0 },
	{ "IRIW, release and acquire", NULL, { iriw_x, iriw_y, iriw_1, iriw_2 }, out4, 0xffff, 0 },
	{ "CoRR", NULL, { set_x, corr }, out2, 11, 0 },
	{ "2+2W, relaxed", NULL, { w2_1, w2_2 }, w2_out, 15, 0 },
	{ "2+2W, release", NULL, { w2_1_release, w2_2_release }, w2_out, 15, 0 },
	{ "release sequence, read-modify-write", NULL, { mp_release, sequence_add, sequence_read }, out2, 9, 0 },
	{ "release sequence, store", NULL, { sequence_store, sequence_read }, out2, 13, 0 },
	{ "atomicity, addition", NULL, { add_1, add_2 }, out2, 6, 0 },
	{ "atomicity, compare-exchange", NULL, { cas_1, cas_2 }, out2, 6, 0 },
	{ "race, before all operations", NULL, { race_early, race_early }, NULL, WEAK_FAILS, 0 },
	{ "race, after a release", NULL, { race_late, read_late }, NULL, WEAK_FAILS, 0 },
	{ "race, freed memory", NULL, { free_read }, NULL, WEAK_FAILS, 0 },
	{ "wait", NULL, { set_both, wait }, NULL, 0, 0 },
	{ "wait, in vain", NULL, { set_both, wait_in_vain }, NULL, WEAK_FAILS, 0 },
	{ "wait, locks in one order", NULL, { lock_x_y, lock_x_y }, NULL, 0, 0 },
	{ "wait, locks in two orders", NULL, { lock_x_y, lock_y_x }, NULL, WEAK_FAILS, 0 })
