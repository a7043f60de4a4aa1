/* clock.h - the library's clock: nanoseconds, from the cheapest clock of the machine.
 *
 * The processor's time-stamp counter if the kernel itself uses it as its clock, which it does only if the counter runs at one
 * rate and alike on all processors; otherwise clock_gettime().  Nobody waits until the counter's rate is known: it follows from
 * two readings of both clocks, at dls__clock_start() and at the first reading some milliseconds later; until then readings are
 * those of clock_gettime().  Readings of different threads agree to within some ns; two readings of one thread may be equal, and a
 * caller that subtracts must not rely on their order. */
#ifndef LIB_BASE_CLOCK_H
#define LIB_BASE_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct dls__clock_state {
	atomic_bool tsc;	/* the counter's rate is known; what follows does not change then */
	uint64_t origin, began;	/* reading of the counter at `began` ns */
	uint64_t scale;		/* ns of one count, times 2^32 */
};
extern struct dls__clock_state dls__clock_state;

/* Must be called before the first reading.  Threads: any. */
void dls__clock_start(void);

/* clock_gettime(CLOCK_MONOTONIC), ns since dls__clock_start(). */
uint64_t dls__clock_monotonic(void);

/* A reading while the counter's rate is not known; may calibrate it. */
uint64_t dls__clock_slowly(void);

/* ns since dls__clock_start(). */
static inline uint64_t dls__clock_now(void)
{
#ifdef __x86_64__
	/* acquire: the rate; pairs with the release in calibrate(). */
	if (atomic_load_explicit(&dls__clock_state.tsc, memory_order_acquire)) {
		__extension__ typedef unsigned __int128 wide;
		uint64_t count = __builtin_ia32_rdtsc() - dls__clock_state.origin;

		return dls__clock_state.began + (uint64_t)((wide)count * dls__clock_state.scale >> 32);
	}
#endif
	return dls__clock_slowly();
}

/* Likewise, after all earlier reads and writes of this thread: to measure code shorter than what a processor
 * executes out of order. */
static inline uint64_t dls__clock_exact(void)
{
#ifdef __x86_64__
	__builtin_ia32_mfence();
	__builtin_ia32_lfence();
#endif
	return dls__clock_now();
}

/* Time from one reading to a later one; 0 if the clock has gone backwards. */
static inline uint64_t dls__clock_since(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

#endif
