/* others.c - runtime functions that are passed on, and noted: a region that calls one is more than a static
 * loop. */
#include "lib/omp/gomp.h"

/* Note that the thread's region contains more than loops. */
static void has_more(void)
{
	struct dls__omp_thread *t = dls__omp_thread;

	dls__mixes();
	if (t && t->region && dls__omp_thread_within(t))
		t->more = true;
}

#define PASS(result, name, parameters, arguments, names) \
result name parameters \
{ \
	has_more(); \
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
PASS(int, __kmpc_omp_taskwait, (struct dls__ident *loc, int gtid), (loc, gtid), DLS__OF_KMPC)
PASS(int, __kmpc_cancel, (struct dls__ident *loc, int gtid, int kind), (loc, gtid, kind), DLS__OF_KMPC)

#define PASS_VOID(name, parameters, arguments, names) \
void name parameters \
{ \
	has_more(); \
	dls__runtime_for(CALLER(names))->name arguments; \
}
PASS_VOID(GOMP_ordered_start, (void), (), DLS__OF_GOMP)
PASS_VOID(GOMP_taskwait, (void), (), DLS__OF_GOMP)
PASS_VOID(GOMP_taskgroup_start, (void), (), DLS__OF_GOMP)
PASS_VOID(__kmpc_ordered, (struct dls__ident *loc, int gtid), (loc, gtid), DLS__OF_KMPC)

/* A thread that waits at a barrier runs tasks there. */
static void has_tasks(void)
{
	has_more();
	if (dls__omp_thread && dls__omp_thread->region && dls__omp_thread_within(dls__omp_thread))
		dls__omp_thread->had |= DLS__HAD_TASKS;
}

#define PASS_TASKS(result, go, name, parameters, arguments, names) \
result name parameters \
{ \
	has_tasks(); \
	go dls__runtime_for(CALLER(names))->name arguments; \
}
/* Older compilers pass fewer arguments; what stands in place of the others is not read. */
PASS_TASKS(void, , GOMP_task, (void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align, bool now,
			     unsigned flags, void **depend, int priority, void *detach),
	   (function, data, copy, size, align, now, flags, depend, priority, detach), DLS__OF_GOMP)
PASS_TASKS(void, , GOMP_taskloop, (void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align,
				 unsigned flags, unsigned long tasks, int priority, long begin, long end, long step),
	   (function, data, copy, size, align, flags, tasks, priority, begin, end, step), DLS__OF_GOMP)
PASS_TASKS(void, , GOMP_taskloop_ull, (void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align,
				     unsigned flags, unsigned long tasks, int priority, ull begin, ull end, ull step),
	   (function, data, copy, size, align, flags, tasks, priority, begin, end, step), DLS__OF_GOMP)
PASS_TASKS(int, return, __kmpc_omp_task, (struct dls__ident *loc, int gtid, void *task), (loc, gtid, task), DLS__OF_KMPC)
PASS_TASKS(int, return, __kmpc_omp_task_with_deps, (struct dls__ident *loc, int gtid, void *task, int n, void *depend, int aliases, void *alias),
	   (loc, gtid, task, n, depend, aliases, alias), DLS__OF_KMPC)
PASS_TASKS(void, , __kmpc_taskloop, (struct dls__ident *loc, int gtid, void *task, int now, uint64_t *lower, uint64_t *upper, int64_t step,
				   int group, int schedule, uint64_t grain, void *copy),
	   (loc, gtid, task, now, lower, upper, step, group, schedule, grain, copy), DLS__OF_KMPC)

/* Each virtual thread adds its part by atomic operations, if the compiler has made code for that. */
enum { BY_ATOMICS = 2, HAS_ATOMICS = 0x10 };
#define REDUCE(name) \
int name(struct dls__ident *loc, int gtid, int count, size_t size, void *data, void (*function)(void *, void *), void *lock) \
{ \
	bool atomics = loc && loc->flags & HAS_ATOMICS; \
\
	if (!atomics) \
		dls__mixes(); \
	if (atomics && dls__omp_thread && dls__omp_thread->virtual && \
	    dls__omp_thread_within(dls__omp_thread)) \
		return BY_ATOMICS; \
	return dls__runtime_for(CALLER(DLS__OF_KMPC))->name(loc, gtid, count, size, data, function, lock); \
}
REDUCE(__kmpc_reduce_nowait)
REDUCE(__kmpc_reduce)

/* Numbers of threads, real or virtual; in Fortran their names have an underscore. */
#define NUMBER(name, of, virtual_value, without, asks) \
int name(void) \
{ \
	const struct dls__call_site *call_site = CALLER(DLS__OF_OMP); \
	const struct dls__runtime *runtime; \
	struct dls__omp_thread *t = dls__omp_thread; \
\
	if (t) { \
		asks(t, call_site); \
		if (t->virtual && dls__omp_thread_within(t)) \
			return (int)(virtual_value); \
	} \
	runtime = dls__runtime_for(call_site); \
	return runtime ? runtime->of() : without; \
}

static void asks_threads(struct dls__omp_thread *t, const struct dls__call_site *call_site)
{
	t->asked = call_site;
	dls__omp_thread_asks(t, DLS__ASKS_THREADS);
}

static void asks_number(struct dls__omp_thread *t, const struct dls__call_site *call_site)
{
	(void)call_site;
	if (!t->split && t->calls % 4 == DLS__ASKS_THREADS)
		t->split = t->asked;
	dls__omp_thread_asks(t, DLS__ASKS_NUMBER);
}
NUMBER(omp_get_thread_num, omp_get_thread_num, t->virtual - 1, 0, asks_number)
NUMBER(omp_get_num_threads, omp_get_num_threads, t->virtuals, 1, asks_threads)
NUMBER(omp_get_thread_num_, omp_get_thread_num, t->virtual - 1, 0, asks_number)
NUMBER(omp_get_num_threads_, omp_get_num_threads, t->virtuals, 1, asks_threads)
PASS(int, omp_get_ancestor_thread_num, (int level), (level), DLS__OF_OMP)
