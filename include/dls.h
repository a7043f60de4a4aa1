/* dls.h - libdls: scheduling of parallel loops.
 *
 *	DLS_PARALLEL_FOR(i, 0, n)
 *		work(i);
 *
 * and then, without recompiling, DLS_SCHEDULE=gss ./program.  See dls(7).
 *
 * Not included: machines (dls/machine.h), classes of tasks (dls/class.h), repartitioning (dls/repart.h), and what writers of
 * strategies need (dls/strategy.h). */
#ifndef DLS_H
#define DLS_H

#include "dls/calc.h"
#include "dls/curve.h"
#include "dls/error.h"
#include "dls/loop.h"
#include "dls/omp.h"
#include "dls/schedule.h"
#include "dls/site.h"
#include "dls/stats.h"
#include "dls/team.h"

#define DLS_VERSION "0.1.0"

#ifdef __cplusplus
#include <type_traits>
#include <utility>
#endif

DLS__C_BEGIN

/** The version of the library that the program runs with; DLS_VERSION is the version of the headers it was compiled with. */
DLS_API const char *dls_version(void);

DLS__C_END

/** Options of the loop macros, written `.step = -3, .nowait = true`; in this order from C++. */
struct dls_opts {
#ifdef __cplusplus
	int64_t step = 1;
	bool nowait = false;
	const char *name = nullptr, *schedule = nullptr;
	int64_t multiple = 0;
	bool dls__done = false;
	uint64_t dls__begin = 0;
	struct dls__chunk dls__chunk = {};
#else
	int64_t step;		/* 0 is the same as not given: 1 */
	bool nowait;		/* no barrier at the end */
	const char *name;	/* of the site, 1 to 63 bytes */
	const char *schedule;	/* used if neither DLS_SCHEDULE nor dls_site_set_schedule() gives the site one */
	int64_t multiple;	/* chunks start and end at multiples of it, counted in iterations from begin; 0: anywhere */
	bool dls__done;
	uint64_t dls__begin;
	struct dls__chunk dls__chunk;
#endif
};

/** Options of the macros for two indices, written in this order from C++. */
struct dls_opts_2d {
#ifdef __cplusplus
	bool nowait = false;
	const char *name = nullptr, *schedule = nullptr;
	int64_t multiple = 0;
	bool dls__done = false;
	uint64_t dls__i = 0, dls__j = 0;
	struct dls__chunk dls__chunk = {};
#else
	bool nowait;		/* as above */
	const char *name;
	const char *schedule;
	int64_t multiple;	/* ... counted in each row; along a curve, from its begin */
	bool dls__done;
	uint64_t dls__i, dls__j;
	struct dls__chunk dls__chunk;
#endif
};

/** DLS_FOR(i, begin, end, options...) body
 *
 * Inside a parallel region: its threads share the iterations i = begin, begin + step, ... while i < end (i > end
 * if step is negative), each of them run exactly once.  i has the type of `end` after integer promotion.  All
 * threads wait for each other at the end, unless `.nowait = true`.  Every thread of the region must come to
 * the same loops in the same order, and with equal bounds and options, which each evaluates once.
 *
 * The bounds are integers of at most 64 bits; others, pointers and iterators among them, are refused by the compiler.  A begin
 * that is no value of i's type, such as -3 if `end` is unsigned, ends the program by abort(), with a message on stderr.
 *
 * Forbidden, as in OpenMP: to leave the body by break, goto, return or an exception; to come to a loop in the body
 * of another of the same region, or in single, master, critical, ordered or a task.  A break ends the program by abort(), with
 * a message on stderr, with any number of threads.  So do goto and return if the team has more than one thread: at the end of
 * the DLS_PARALLEL, or in a plain region at the thread's next loop, unless the barrier that it misses stops the program. */
#define DLS_FOR(i, begin, ...) DLS__CAT(DLS__FOR_, DLS__OPTIONS(__VA_ARGS__))(i, begin, __VA_ARGS__)

/** DLS_FOR_CHUNK(lo, hi, begin, end, options...) body
 *
 * As DLS_FOR, but the body runs once per chunk: lo is its first index, hi the bound in the direction of step
 * that the chunk stays before, never past `end`. */
#define DLS_FOR_CHUNK(lo, hi, begin, ...) \
	DLS__CAT(DLS__CHUNK_, DLS__OPTIONS(__VA_ARGS__))(lo, hi, begin, __VA_ARGS__)

/** DLS_FOR_2D(i, j, i_begin, i_end, j_begin, j_end, options...) body
 *
 * As DLS_FOR, over all pairs of i_begin <= i < i_end and j_begin <= j < j_end: i has the type of `i_end` after integer
 * promotion, j that of `j_end`.  A chunk's pairs are neighbours: in a row, then in the next, with the rightmost index
 * fastest, or, under schedules with curve=hilbert or curve=morton, along that curve (dls/curve.h), if neither side exceeds
 * DLS_CURVE_MAX; longer ones go by rows.  There is no .step.  A loop of 2^64 pairs or more is refused by abort(). */
#define DLS_FOR_2D(i, j, i_begin, i_end, j_begin, ...) \
	DLS__CAT(DLS__FOR_2D_, DLS__OPTIONS(__VA_ARGS__))(i, j, i_begin, i_end, j_begin, __VA_ARGS__)

/** DLS_PARALLEL(clauses...) body
 *
 * `#pragma omp parallel` with any clauses; the loops in the body then need no more synchronisation than the
 * compiler's own.  The body must not be left by break, goto, return or an exception. */
#define DLS_PARALLEL(...) DLS__PARALLEL(DLS__CAT(dls__region_, __COUNTER__), __VA_ARGS__)

/** Region and loop in one. */
#define DLS_PARALLEL_FOR(i, begin, ...) \
	DLS_PARALLEL() DLS__CAT(DLS__LAST_FOR_, DLS__OPTIONS(__VA_ARGS__))(i, begin, __VA_ARGS__)
#define DLS_PARALLEL_FOR_CHUNK(lo, hi, begin, ...) \
	DLS_PARALLEL() DLS__CAT(DLS__LAST_CHUNK_, DLS__OPTIONS(__VA_ARGS__))(lo, hi, begin, __VA_ARGS__)
#define DLS_PARALLEL_FOR_2D(i, j, i_begin, i_end, j_begin, ...) \
	DLS_PARALLEL() DLS__CAT(DLS__LAST_2D_, DLS__OPTIONS(__VA_ARGS__))(i, j, i_begin, i_end, j_begin, __VA_ARGS__)

/* Private from here on. */

#define DLS__CAT(a, b) DLS__CAT_(a, b)
#define DLS__CAT_(a, b) a##b

/* 0 if the arguments are `end` alone, N if options follow. */
#define DLS__OPTIONS(...) DLS__NINTH(__VA_ARGS__, N, N, N, N, N, N, N, 0, )
#define DLS__NINTH(a, b, c, d, e, f, g, h, i, ...) i

#define DLS__FOR_0(i, begin, end) DLS__FOR(i, false, begin, end, .step = 1)
#define DLS__FOR_N(i, begin, end, ...) DLS__FOR(i, false, begin, end, __VA_ARGS__)
#define DLS__CHUNK_0(lo, hi, begin, end) DLS__CHUNK(lo, hi, false, begin, end, .step = 1)
#define DLS__CHUNK_N(lo, hi, begin, end, ...) DLS__CHUNK(lo, hi, false, begin, end, __VA_ARGS__)
#define DLS__FOR_2D_0(i, j, i_begin, i_end, j_begin, j_end) \
	DLS__FOR_2D(i, j, false, i_begin, i_end, j_begin, j_end, .nowait = false)
#define DLS__FOR_2D_N(i, j, i_begin, i_end, j_begin, j_end, ...) \
	DLS__FOR_2D(i, j, false, i_begin, i_end, j_begin, j_end, __VA_ARGS__)
/* The region's own barrier follows: */
#define DLS__LAST_FOR_0(i, begin, end) DLS__FOR(i, true, begin, end, .step = 1)
#define DLS__LAST_FOR_N(i, begin, end, ...) DLS__FOR(i, true, begin, end, __VA_ARGS__)
#define DLS__LAST_CHUNK_0(lo, hi, begin, end) DLS__CHUNK(lo, hi, true, begin, end, .step = 1)
#define DLS__LAST_CHUNK_N(lo, hi, begin, end, ...) DLS__CHUNK(lo, hi, true, begin, end, __VA_ARGS__)

#define DLS__LAST_2D_0(i, j, i_begin, i_end, j_begin, j_end) \
	DLS__FOR_2D(i, j, true, i_begin, i_end, j_begin, j_end, .nowait = false)
#define DLS__LAST_2D_N(i, j, i_begin, i_end, j_begin, j_end, ...) \
	DLS__FOR_2D(i, j, true, i_begin, i_end, j_begin, j_end, __VA_ARGS__)

#ifdef __cplusplus
#define DLS__OPTS(...) __extension__ dls_opts{ __VA_ARGS__ }
#define DLS__OPTS_2D(...) __extension__ dls_opts_2d{ __VA_ARGS__ }
#define DLS__ASSERT static_assert

/* A bound: its type after integer promotion and its value.  One that is not `ok` compiles too, so that the only message is the
 * assertion's. */
template <class T, bool = std::is_convertible<T, long long>::value> struct dls__bound_of {
	typedef long long type;
	enum { ok = 0 };
	template <class U> static type value(const U &) { return 0; }
};
template <class T> struct dls__bound_of<T, true> {
	typedef decltype(std::declval<T>() + 0) type;
	enum { ok = std::is_integral<type>::value && sizeof(type) <= sizeof(long long) };
	static type value(type x) { return x; }
};
template <class T> struct dls__bound : dls__bound_of<typename std::decay<T>::type> {};
#define DLS__TYPE(x) typename dls__bound<decltype((x))>::type
#define DLS__VALUE(x) (dls__bound<decltype((x))>::value(x))
#define DLS__OK(x) (dls__bound<decltype((x))>::ok)
#else
#define DLS__OPTS(...) { __VA_ARGS__ }
#define DLS__OPTS_2D(...) { __VA_ARGS__ }
#define DLS__ASSERT _Static_assert
#define DLS__TYPE(x) __typeof__(DLS__OF_BOUND(x, 0, 0u, 0l, 0ul, 0ll, 0ull, 0ll))
#define DLS__VALUE(x) ((DLS__TYPE(x))(x))
#define DLS__OK(x) DLS__OF_BOUND(x, 1, 1, 1, 1, 1, 1, 0)
/* Selects by the type of a bound after integer promotion; `other` if it is no integer. */
#define DLS__OF_BOUND(x, i, u, l, ul, ll, ull, other) __extension__ _Generic((x) + 0, int: i, unsigned: u, long: l, \
	unsigned long: ul, long long: ll, unsigned long long: ull, default: other)
#endif

#define DLS__AFTER(id, last) (dls__o_##id.nowait ? DLS__NOWAIT : last ? DLS__LAST : DLS__BARRIER)
#define DLS__STEP(opts) ((opts).step ? (opts).step : 1)
#define DLS__SIGNED(type) ((type)-1 < (type)1)

/* The values of two bounds, and `first` converted to the type of the index, which is that of `end_`. */
#define DLS__BOUNDS(id, first, end_) \
	DLS__ASSERT(DLS__OK(first) && DLS__OK(end_), \
		    "the bounds of a loop are integers of at most 64 bits; in place of pointers and iterators " \
		    "write DLS_FOR(i, 0, last - first) and first[i], in place of floats count their steps"); \
	DLS__TYPE(first) dls__f_##id = DLS__VALUE(first); \
	DLS__TYPE(end_) dls__e_##id = DLS__VALUE(end_), dls__b_##id = (DLS__TYPE(end_))dls__f_##id

#define DLS__CHECK_BEGIN(site, id) \
	dls__for_check_begin(site, (uint64_t)dls__f_##id, DLS__SIGNED(__typeof__(dls__f_##id)), \
			     (uint64_t)dls__b_##id, 8 * sizeof(dls__b_##id), DLS__SIGNED(__typeof__(dls__b_##id)))

#ifdef _OPENMP
#define DLS__PRAGMA(...) _Pragma(#__VA_ARGS__)
#else
#define DLS__PRAGMA(...)
#endif

#define DLS__PARALLEL(region, ...) \
	for (struct dls__region region = dls__open_region(); !region.done; dls__region_close(&region)) \
		DLS__PRAGMA(omp parallel firstprivate(region) __VA_ARGS__) \
		for (struct dls__visit DLS__CAT(region, _visit) = dls__visit_region(region); \
		     !DLS__CAT(region, _visit).done; dls__region_leave(&DLS__CAT(region, _visit)))

/* The address of dls__o_ is never taken: its members can stay in registers, and a constant step stays a constant. */
#define DLS__RUN(id, last, first, end_, ...) \
	for (struct dls_opts dls__o_##id = DLS__OPTS(__VA_ARGS__); !dls__o_##id.dls__done; \
	     dls__o_##id.dls__done = true) \
		for (struct dls__run dls__r_##id, *dls__p_##id = __extension__({ \
			     static struct dls_site dls__s_##id = DLS_SITE_INIT; \
			     DLS__BOUNDS(id, first, end_); \
			     DLS__CHECK_BEGIN(&dls__s_##id, id); \
			     int64_t dls__d_##id = DLS__STEP(dls__o_##id); \
			     dls__o_##id.dls__begin = (uint64_t)dls__b_##id; \
			     dls__for_begin(&dls__r_##id, &dls__s_##id, dls__o_##id.name, dls__o_##id.schedule, \
					    dls__o_##id.multiple, DLS__AFTER(id, last), (uint64_t)dls__e_##id, \
					    dls__count(dls__b_##id < dls__e_##id, dls__b_##id > dls__e_##id, \
						       (uint64_t)dls__b_##id, (uint64_t)dls__e_##id, \
						       dls__d_##id), \
					    DLS__SIGNED(DLS__TYPE(end_)) && \
						    (int64_t)(DLS__TYPE(end_))dls__d_##id != dls__d_##id); \
			     &dls__r_##id; \
		     }); \
		     (dls__o_##id.dls__chunk = dls__for_next(dls__p_##id)).n;)

#define DLS__FIRST(id) \
	(dls__o_##id.dls__begin + dls__o_##id.dls__chunk.lo * (uint64_t)DLS__STEP(dls__o_##id))

/* The increment does not step past the last iteration, where the type might end. */
#define DLS__FOR(i, last, begin, end, ...) \
	DLS__RUN(i, last, begin, end, __VA_ARGS__) \
		for (uint64_t dls__k_##i = dls__o_##i.dls__chunk.n; dls__k_##i; \
		     dls__k_##i = dls__for_chunk_end(dls__k_##i, __FILE__, __LINE__)) \
			for (DLS__TYPE(end) i = (DLS__TYPE(end))DLS__FIRST(i), \
			     dls__d_##i = (DLS__TYPE(end))DLS__STEP(dls__o_##i); dls__k_##i; \
			     i = dls__k_##i > 1 ? i + dls__d_##i : i, dls__k_##i--)

#define DLS__CHUNK(lo, hi, last, begin, end, ...) \
	DLS__RUN(lo, last, begin, end, __VA_ARGS__) \
		for (uint64_t dls__k_##lo = dls__o_##lo.dls__chunk.n; dls__k_##lo; \
		     dls__k_##lo = dls__for_chunk_end(dls__k_##lo, __FILE__, __LINE__)) \
			for (DLS__TYPE(end) lo = (DLS__TYPE(end))DLS__FIRST(lo), \
			     hi = (DLS__TYPE(end))dls__bound_after(dls__p_##lo, dls__o_##lo.dls__chunk, \
								   dls__o_##lo.dls__begin, DLS__STEP(dls__o_##lo)); \
			     dls__k_##lo; dls__k_##lo = 0)

/* Strips of a chunk, each a plain loop over j, which may reach j_end but not pass it.  Names in the bounds are looked up
 * outside the scopes of i and j. */
#define DLS__FOR_2D(i, j, last, i_begin, i_end, j_begin, j_end, ...) \
	DLS__RUN_2D(i, j, last, i_begin, i_end, j_begin, j_end, __VA_ARGS__) \
		for (struct dls__strip dls__t_##i = dls__strip_first(dls__p_##i, dls__o_##i.dls__chunk); dls__t_##i.n; \
		     dls__t_##i = dls__strip_next(dls__p_##i, dls__t_##i)) \
			DLS__ONCE(i, DLS__TYPE(i_end) dls__b_##i = (DLS__TYPE(i_end))(dls__o_##i.dls__i + dls__t_##i.row)) \
			DLS__ONCE(i, DLS__TYPE(j_end) dls__b_##j = (DLS__TYPE(j_end))(dls__o_##i.dls__j + dls__t_##i.column)) \
			for (__typeof__(dls__b_##i) i = dls__b_##i; dls__t_##i.n; (void)i, dls__t_##i.n = 0) \
				for (uint64_t dls__k_##j = dls__t_##i.n; dls__k_##j; \
				     dls__k_##j = dls__for_chunk_end(dls__k_##j, __FILE__, __LINE__)) \
					for (__typeof__(dls__b_##j) j = dls__b_##j; dls__k_##j; j++, dls__k_##j--)

/* Declare for the strip under way. */
#define DLS__ONCE(i, ...) for (__VA_ARGS__; dls__t_##i.n; dls__t_##i.n = 0)

#define DLS__RUN_2D(i, j, last, i_begin, i_end, j_begin, j_end, ...) \
	for (struct dls_opts_2d dls__o_##i = DLS__OPTS_2D(__VA_ARGS__); !dls__o_##i.dls__done; \
	     dls__o_##i.dls__done = true) \
		for (struct dls__run_2d dls__r_##i, *dls__p_##i = __extension__({ \
			     static struct dls_site dls__s_##i = DLS_SITE_INIT; \
			     DLS__BOUNDS(i, i_begin, i_end); \
			     DLS__BOUNDS(j, j_begin, j_end); \
			     DLS__CHECK_BEGIN(&dls__s_##i, i); \
			     DLS__CHECK_BEGIN(&dls__s_##i, j); \
			     dls__o_##i.dls__i = (uint64_t)dls__b_##i; \
			     dls__o_##i.dls__j = (uint64_t)dls__b_##j; \
			     dls__for_begin_2d(&dls__r_##i, &dls__s_##i, dls__o_##i.name, dls__o_##i.schedule, \
					       dls__o_##i.multiple, DLS__AFTER(i, last), DLS__EXTENT(i), DLS__EXTENT(j)); \
			     &dls__r_##i; \
		     }); \
		     (dls__o_##i.dls__chunk = dls__for_next(&dls__p_##i->run)).n;)

#define DLS__EXTENT(i) \
	dls__count(dls__b_##i < dls__e_##i, false, (uint64_t)dls__b_##i, (uint64_t)dls__e_##i, 1)

#endif
