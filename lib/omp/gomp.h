/* gomp.h - what loops and regions of libgomp's names share. */
#ifndef LIB_OMP_GOMP_H
#define LIB_OMP_GOMP_H

#include "lib/omp/know.h"
#include "lib/omp/omp_region.h"

/* A call is identified by the address of its last byte: the next instruction may belong to another line or function. */
#define CALL ((const char *)__builtin_return_address(0) - 1)
#define CALLER(names) dls__call_site(CALL, names)

/* The runtime to which this call is passed if the environment asks libdls for nothing. */
#define PASSED_TO(names) (CALLER(names)->runtime)

/* The runtime that a call is for.  A tail call at the end of a region's function seems to come from this
 * library. */
static inline const struct dls__runtime *dls__runtime_for(const struct dls__call_site *call_site)
{
	return call_site->own && dls__omp_thread ? dls__omp_thread->runtime : call_site->runtime;
}

static inline uint64_t dls__gomp_count(long begin, long end, long step)
{
	return step ? dls__count(begin < end, begin > end, (uint64_t)begin, (uint64_t)end, step) : 0;
}

/* Chunks must be multiples of this.  dynamic,k promises whole blocks of k iterations, guided,k chunks of at
 * least k except the last: blocks of k satisfy both under any schedule. */
static inline uint64_t dls__gomp_multiple(uint64_t chunk)
{
	return chunk > 1 ? chunk : 0;
}

/* How the runtime deals loops of a kind; kind -1: schedule(runtime). */
const struct dls_schedule *dls__gomp_like(const struct dls__runtime *runtime, int kind, uint64_t chunk);

/* The schedule that the program or its user has asked for.  If schedule(runtime) was never set, libgomp takes
 * dynamic,1; here it gets larger chunks, which cost less and balance as well. */
const struct dls_schedule *dls__gomp_own(const struct dls__runtime *runtime, int kind, uint64_t chunk, uint64_t n, unsigned workers);

/* Take a chunk of a loop of long indices that the runtime deals and libdls only measures. */
struct dls__chunk dls__gomp_take(struct dls__cursor *cursor, uint64_t ticket);

#endif
