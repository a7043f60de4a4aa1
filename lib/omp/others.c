/* others.c - functions that are passed on to the runtime and noted: a region that calls them is more than one static loop. */
#include "lib/omp/gomp.h"

#define PASS(result, name, parameters, arguments, names) \
result name parameters \
{ \
	dls__mixes(); \
	return dls__runtime_for(CALLER(names))->name arguments; \
}
PASS(bool, GOMP_single_start, (void), (), DLS__OF_GOMP)
PASS(void *, GOMP_single_copy_start, (void), (), DLS__OF_GOMP)
PASS(unsigned, GOMP_sections_start, (unsigned count), (count), DLS__OF_GOMP)
PASS(unsigned, GOMP_sections2_start, (unsigned count, uintptr_t *reductions, void **memory), (count, reductions, memory), DLS__OF_GOMP)
PASS(bool, GOMP_loop_static_start, (long begin, long end, long step, long chunk, long *first, long *past),
     (begin, end, step, chunk, first, past), DLS__OF_GOMP)
PASS(bool, GOMP_loop_start, (long begin, long end, long step, long schedule, long chunk, long *first, long *past,
			     uintptr_t *reductions, void **memory),
     (begin, end, step, schedule, chunk, first, past, reductions, memory), DLS__OF_GOMP)
PASS(bool, GOMP_cancel, (int which, bool do_it), (which, do_it), DLS__OF_GOMP)
PASS(int, __kmpc_single, (struct dls__ident *loc, int gtid), (loc, gtid), DLS__OF_KMPC)
PASS(int, __kmpc_master, (struct dls__ident *loc, int gtid), (loc, gtid), DLS__OF_KMPC)
PASS(int, __kmpc_masked, (struct dls__ident *loc, int gtid, int filter), (loc, gtid, filter), DLS__OF_KMPC)
PASS(int, __kmpc_omp_task, (struct dls__ident *loc, int gtid, void *task), (loc, gtid, task), DLS__OF_KMPC)
PASS(int, __kmpc_omp_taskwait, (struct dls__ident *loc, int gtid), (loc, gtid), DLS__OF_KMPC)
PASS(int, __kmpc_cancel, (struct dls__ident *loc, int gtid, int kind), (loc, gtid, kind), DLS__OF_KMPC)

#define PASS_VOID(name, parameters, arguments, names) \
void name parameters \
{ \
	dls__mixes(); \
	dls__runtime_for(CALLER(names))->name arguments; \
}
PASS_VOID(GOMP_ordered_start, (void), (), DLS__OF_GOMP)
PASS_VOID(GOMP_taskwait, (void), (), DLS__OF_GOMP)
PASS_VOID(GOMP_taskgroup_start, (void), (), DLS__OF_GOMP)
PASS_VOID(__kmpc_ordered, (struct dls__ident *loc, int gtid), (loc, gtid), DLS__OF_KMPC)
/* Older compilers pass fewer arguments; what stands in place of the others is not read. */
PASS_VOID(GOMP_task, (void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align, bool now,
		      unsigned flags, void **depend, int priority, void *detach),
	  (function, data, copy, size, align, now, flags, depend, priority, detach), DLS__OF_GOMP)

/* Each virtual thread adds its part by atomic operations, if the compiler has made code for that. */
enum { BY_ATOMICS = 2, HAS_ATOMICS = 0x10 };
#define REDUCE(name) \
int name(struct dls__ident *loc, int gtid, int count, size_t size, void *data, void (*function)(void *, void *), void *lock) \
{ \
	bool atomics = loc && loc->flags & HAS_ATOMICS; \
\
	if (!atomics) \
		dls__mixes(); \
	if (atomics && dls__place && dls__place->virtual && dls__place_within(dls__place)) \
		return BY_ATOMICS; \
	return dls__runtime_for(CALLER(DLS__OF_KMPC))->name(loc, gtid, count, size, data, function, lock); \
}
REDUCE(__kmpc_reduce_nowait)
REDUCE(__kmpc_reduce)

/* Numbers of threads, real or virtual. */
#define NUMBER(name, asks, virtual_value, without) \
int name(void) \
{ \
	struct dls__place *p = dls__place; \
	const struct dls__runtime *runtime; \
\
	if (p) { \
		p->calls += asks; \
		if (p->virtual && dls__place_within(p)) \
			return (int)(virtual_value); \
	} \
	runtime = dls__runtime_for(CALLER(DLS__OF_OMP)); \
	return runtime ? runtime->name() : without; \
}
NUMBER(omp_get_thread_num, DLS__ASKS_NUMBER, p->virtual - 1, 0)
NUMBER(omp_get_num_threads, DLS__ASKS_THREADS, p->virtuals, 1)
