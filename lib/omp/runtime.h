/* runtime.h - the OpenMP runtimes of the process: which one a caller would have reached, and its functions. */
#ifndef LIB_OMP_RUNTIME_H
#define LIB_OMP_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"

typedef unsigned long long ull;
typedef void dls__microtask(int *gtid, int *btid, ...);

struct dls__ident {
	int reserved_1, flags, reserved_2, reserved_3;
	const char *source;	/* ";file;function;line;column;;" */
};

/* The runtime's functions that this library replaces, X(result, name, arguments). */
#define DLS__LOOPS(X, kind, starts, ull_starts) \
	X(bool, GOMP_loop_##kind##_start, starts) \
	X(bool, GOMP_loop_##kind##_next, (long *, long *)) \
	X(bool, GOMP_loop_ull_##kind##_start, ull_starts) \
	X(bool, GOMP_loop_ull_##kind##_next, (ull *, ull *))
#define DLS__CHUNKED(X, kind) DLS__LOOPS(X, kind, (long, long, long, long, long *, long *), (bool, ull, ull, ull, ull, ull *, ull *)) \
	X(void, GOMP_parallel_loop_##kind, (void (*)(void *), void *, unsigned, long, long, long, long, unsigned))
#define DLS__RUNTIME(X, kind) DLS__LOOPS(X, kind, (long, long, long, long *, long *), (bool, ull, ull, ull, ull *, ull *)) \
	X(void, GOMP_parallel_loop_##kind, (void (*)(void *), void *, unsigned, long, long, long, unsigned))

#define DLS__GOMP(X) \
	X(void, GOMP_parallel, (void (*)(void *), void *, unsigned, unsigned)) \
	X(void, GOMP_parallel_sections, (void (*)(void *), void *, unsigned, unsigned, unsigned)) \
	X(unsigned, GOMP_parallel_reductions, (void (*)(void *), void *, unsigned, unsigned)) \
	DLS__CHUNKED(X, dynamic) \
	DLS__CHUNKED(X, guided) \
	DLS__CHUNKED(X, nonmonotonic_dynamic) \
	DLS__CHUNKED(X, nonmonotonic_guided) \
	DLS__RUNTIME(X, runtime) \
	DLS__RUNTIME(X, maybe_nonmonotonic_runtime) \
	DLS__RUNTIME(X, nonmonotonic_runtime) \
	X(void, GOMP_loop_end, (void)) \
	X(void, GOMP_loop_end_nowait, (void)) \
	X(bool, GOMP_loop_end_cancel, (void)) \
	X(void, GOMP_barrier, (void)) \
	X(bool, GOMP_barrier_cancel, (void)) \
	X(bool, GOMP_single_start, (void)) \
	X(void *, GOMP_single_copy_start, (void)) \
	X(unsigned, GOMP_sections_start, (unsigned)) \
	X(void, GOMP_sections_end, (void)) \
	X(unsigned, GOMP_sections2_start, (unsigned, uintptr_t *, void **)) \
	X(bool, GOMP_loop_static_start, (long, long, long, long, long *, long *)) \
	X(bool, GOMP_loop_start, (long, long, long, long, long, long *, long *, uintptr_t *, void **)) \
	X(void, GOMP_ordered_start, (void)) \
	X(void, GOMP_taskwait, (void)) \
	X(void, GOMP_taskgroup_start, (void)) \
	X(void, GOMP_task, (void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned, void **, int, void *)) \
	X(void, GOMP_taskloop, (void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned, unsigned long, int, long, long, \
				long)) \
	X(void, GOMP_taskloop_ull, (void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned, unsigned long, int, ull, \
				    ull, ull)) \
	X(bool, GOMP_cancel, (int, bool))

#define DLS__DISPATCH(X, kind, type, stride) \
	X(void, __kmpc_dispatch_init_##kind, (struct dls__ident *, int, int, type, type, stride, stride)) \
	X(int, __kmpc_dispatch_next_##kind, (struct dls__ident *, int, int *, type *, type *, stride *)) \
	X(void, __kmpc_for_static_init_##kind, (struct dls__ident *, int, int, int *, type *, type *, stride *, stride, stride))
#define DLS__KMPC(X) \
	X(void, __kmpc_fork_call, (struct dls__ident *, int, dls__microtask *, ...)) \
	X(void, __kmpc_fork_call_if, (struct dls__ident *, int, dls__microtask *, int, void *)) \
	DLS__DISPATCH(X, 4, int32_t, int32_t) \
	DLS__DISPATCH(X, 4u, uint32_t, int32_t) \
	DLS__DISPATCH(X, 8, int64_t, int64_t) \
	DLS__DISPATCH(X, 8u, uint64_t, int64_t) \
	X(void, __kmpc_for_static_fini, (struct dls__ident *, int)) \
	X(void, __kmpc_doacross_init, (struct dls__ident *, int, int, const void *)) \
	X(void, __kmpc_doacross_fini, (struct dls__ident *, int)) \
	X(void, __kmpc_barrier, (struct dls__ident *, int)) \
	X(int, __kmpc_cancel_barrier, (struct dls__ident *, int)) \
	X(int, __kmpc_single, (struct dls__ident *, int)) \
	X(int, __kmpc_master, (struct dls__ident *, int)) \
	X(int, __kmpc_masked, (struct dls__ident *, int, int)) \
	X(void, __kmpc_ordered, (struct dls__ident *, int)) \
	X(int, __kmpc_omp_task, (struct dls__ident *, int, void *)) \
	X(int, __kmpc_omp_task_with_deps, (struct dls__ident *, int, void *, int, void *, int, void *)) \
	X(void, __kmpc_taskloop, (struct dls__ident *, int, void *, int, uint64_t *, uint64_t *, int64_t, int, int, uint64_t, void *)) \
	X(int, __kmpc_omp_taskwait, (struct dls__ident *, int)) \
	X(int, __kmpc_cancel, (struct dls__ident *, int, int)) \
	X(int, __kmpc_reduce, (struct dls__ident *, int, int, size_t, void *, void (*)(void *, void *), void *)) \
	X(int, __kmpc_reduce_nowait, (struct dls__ident *, int, int, size_t, void *, void (*)(void *, void *), void *))

/* The runtime's functions that this library itself calls. */
#define DLS__ASKED(X) \
	X(int, omp_get_thread_num, (void)) \
	X(int, omp_get_num_threads, (void)) \
	X(int, omp_get_ancestor_thread_num, (int)) \
	X(int, omp_get_level, (void)) \
	X(int, omp_get_max_threads, (void)) \
	X(int, omp_get_cancellation, (void)) \
	X(void, omp_get_schedule, (int *, int *))

/* This library's functions of these names, which the loader finds first. */
#define X(result, name, arguments) DLS_API result name arguments;
DLS__GOMP(X) DLS__KMPC(X)
#undef X
DLS_API int omp_get_thread_num(void);
DLS_API int omp_get_num_threads(void);
DLS_API int omp_get_thread_num_(void);
DLS_API int omp_get_num_threads_(void);
DLS_API int omp_get_ancestor_thread_num(int);

/* A module that has OpenMP's functions.  If a program calls a function that it lacks, the program ends, as by
 * the loader. */
struct dls__runtime {
	struct dls__runtime *next;
	const void *module;	/* where it begins: tells it from others */
#define X(result, name, arguments) result (*name) arguments;
	DLS__GOMP(X) DLS__KMPC(X) DLS__ASKED(X)
#undef X
};

/* The names of libgomp, which gcc compiles into programs; of libomp, which clang does; of omp.h.  libomp has all of them. */
enum dls__names { DLS__OF_GOMP, DLS__OF_KMPC, DLS__OF_OMP, DLS__KINDS_OF_NAMES };

/* What DLS_SCHEDULE, DLS_REPORT, DLS_TRACE, DLS_PROGRESS and DLS_OMP ask for. */
struct dls__settings {
	bool active;		/* anything */
	bool unordered, advise;	/* DLS_OMP */
	bool scheduled;		/* OMP_SCHEDULE */
};
extern struct dls__settings dls__settings;

/* A shared library or the program. */
struct dls__module {
	struct dls__module *next;
	uintptr_t base, begin, end;	/* load address; of its segments */
	bool own;			/* this library */
	bool locals;			/* it has thread-local variables */
	_Atomic(struct dls__runtime *) runtime[DLS__KINDS_OF_NAMES];	/* of its calls; NULL: not known */
	bool is_runtime[DLS__KINDS_OF_NAMES];		/* it is one itself; valid if runtime[] is not NULL */
	char name[1024];			/* path; "": the program */
};

/* Shortcut: the runtime of all calls with such names; NULL if there are several runtimes, or the environment
 * asks libdls to act. */
extern _Atomic(const struct dls__runtime *) dls__only[DLS__KINDS_OF_NAMES];

/* The module of a code address, never NULL.  It stays loaded from then on.  Threads: any; takes a lock. */
struct dls__module *dls__module_of(const void *address);

/* The runtime that a module's calls would reach without this library; NULL: there is none.  Threads: any; takes a lock. */
const struct dls__runtime *dls__runtime_of(struct dls__module *module, enum dls__names names);

#endif
