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

#if defined(__cplusplus) && __cplusplus < 201103L
#error "dls.h needs C++11 or later"
#else

#include "dls/calc.h"
#include "dls/curve.h"
#include "dls/error.h"
#include "dls/loop.h"
#include "dls/omp.h"
#include "dls/reduce.h"
#include "dls/schedule.h"
#include "dls/site.h"
#include "dls/stats.h"
#include "dls/team.h"

#define DLS_VERSION "1.0.0"

#ifdef __cplusplus
#include <type_traits>
#include <utility>
#endif

DLS__C_BEGIN

/** The version of the library that the program runs with; DLS_VERSION is the version of the headers it was compiled with. */
DLS_API const char *dls_version(void);

/** Start no more chunks of a macro loop: of the innermost one whose body the calling thread is in.
 *
 * Chunks under way run to their end, also those of the other threads; then all threads reach the loop's end as usual.  A static block
 * that its thread computes itself is one chunk, and so is a loop that runs on one thread and is not measured.  A DLS_REDUCE leaves
 * its variable unchanged.  The loop's next execution is complete.
 *
 * Returns 0; DLS_EINVAL: the thread is in no body, or in one of dls_loop_next(), which has dls_loop_cancel().  Threads: any. */
DLS_API int dls_for_cancel(void);

DLS__C_END

/** Options of the loop macros, written `.step = -3, .nowait = true`, in any order. */
struct dls_opts {
#ifdef __cplusplus
	int64_t step = 1;
	bool nowait = false;
	const char *name = nullptr, *schedule = nullptr;
	int64_t multiple = 0;
	bool idempotent = false;
	bool dls__done = false;
	uint64_t dls__begin = 0;
	struct dls__chunk dls__chunk = {};
#else
	int64_t step;		/* 0: not given, that is, 1 */
	bool nowait;		/* no barrier at the end */
	const char *name;	/* of the site, 1 to 63 bytes */
	const char *schedule;	/* used if neither DLS_SCHEDULE nor dls_site_set_schedule() gives the site one */
	int64_t multiple;	/* chunks start and end at multiples of it, counted in iterations from begin; 0: anywhere */
	bool idempotent;	/* DLS_FOR, DLS_FOR_CHUNK: iterations may be run again if a thread is slow: see dls_for(3) */
	bool dls__done;
	uint64_t dls__begin;
	struct dls__chunk dls__chunk;
#endif
};

/** Options of the macros for two indices. */
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
 * threads wait for each other at the end, unless `.nowait = true`.  Every thread of the region must come to the same loops in
 * the same order, with equal bounds and options.  Each thread evaluates them once.
 *
 * The bounds are integers of at most 64 bits; the compiler refuses other types, such as pointers and iterators.  A begin
 * that is no value of i's type, such as -3 if `end` is unsigned, ends the program by abort(), with a message on stderr.
 *
 * Forbidden, as in OpenMP: to leave the body by break, goto, return or an exception; to come to a loop in the body
 * of another of the same region, or in single, master, critical, ordered or a task.  A break ends the program by abort(), with
 * a message on stderr, with any number of threads.  So do goto and return if the team has more than one thread: at the end of
 * the DLS_PARALLEL, or in a plain region at the thread's next loop, unless the barrier that it misses stops the program. */
#define DLS_FOR(i, begin, ...) \
	DLS__CHECKED(i, begin, __VA_ARGS__, ) DLS__CAT(DLS__FOR_, DLS__OPTIONS(__VA_ARGS__))(i, begin, __VA_ARGS__)

/** DLS_FOR_CHUNK(lo, hi, begin, end, options...) body
 *
 * As DLS_FOR, but the body runs once per chunk: lo is its first index, hi the bound in the direction of step
 * that the chunk stays before, never past `end`. */
#define DLS_FOR_CHUNK(lo, hi, begin, ...) \
	DLS__CHECKED(lo, begin, __VA_ARGS__, ) DLS__CAT(DLS__CHUNK_, DLS__OPTIONS(__VA_ARGS__))(lo, hi, begin, __VA_ARGS__)

/** DLS_FOR_2D(i, j, i_begin, i_end, j_begin, j_end, options...) body
 *
 * As DLS_FOR, over all pairs of i_begin <= i < i_end and j_begin <= j < j_end: i has the type of `i_end` after integer
 * promotion, j that of `j_end`.  A chunk's pairs are neighbours: row by row, with j running fastest, or along a curve
 * (dls/curve.h) under schedules with curve=hilbert or curve=morton, if neither side exceeds DLS_CURVE_MAX.  There is no .step.
 * A loop of 2^64 pairs or more ends the program by abort(). */
#define DLS_FOR_2D(i, j, i_begin, i_end, j_begin, ...) \
	DLS__CHECKED(i, i_begin, i_end, ) DLS__CHECKED(j, j_begin, __VA_ARGS__, ) \
	DLS__CAT(DLS__FOR_2D_, DLS__OPTIONS(__VA_ARGS__))(i, j, i_begin, i_end, j_begin, __VA_ARGS__)

/** DLS_PARALLEL(clauses...) body
 *
 * `#pragma omp parallel` with any clauses; the loops in the body then need no more synchronisation than the
 * compiler's own.  The body must not be left by break, goto, return or an exception. */
#define DLS_PARALLEL(...) DLS__PARALLEL_REGION(DLS__CAT(dls__region_, __COUNTER__), __VA_ARGS__)

/** Region and loop in one.  Bounds are evaluated once, before the region, and options once before the region and once in each thread.  The
 * first argument of the macros with WITH is the region's clauses in parentheses, such as `(num_threads(4) reduction(+ : sum))`. */
#define DLS_PARALLEL_FOR(i, begin, ...) \
	DLS__CHECKED(i, begin, __VA_ARGS__, ) \
	DLS__CAT(DLS__WITH_FOR_, DLS__OPTIONS(__VA_ARGS__))(true, DLS__OWN_IF(i), i, begin, __VA_ARGS__)
#define DLS_PARALLEL_FOR_CHUNK(lo, hi, begin, ...) \
	DLS__CHECKED(lo, begin, __VA_ARGS__, ) \
	DLS__CAT(DLS__WITH_CHUNK_, DLS__OPTIONS(__VA_ARGS__))(true, DLS__OWN_IF(lo), lo, hi, begin, __VA_ARGS__)
#define DLS_PARALLEL_FOR_2D(i, j, i_begin, i_end, j_begin, ...) \
	DLS__CHECKED(i, i_begin, i_end, ) DLS__CHECKED(j, j_begin, __VA_ARGS__, ) \
	DLS__CAT(DLS__WITH_2D_, DLS__OPTIONS(__VA_ARGS__))(true, DLS__OWN_IF(i), i, j, i_begin, i_end, j_begin, __VA_ARGS__)

#define DLS_PARALLEL_FOR_WITH(clauses, i, begin, ...) \
	DLS__CHECKED(i, begin, __VA_ARGS__, ) \
	DLS__CAT(DLS__WITH_FOR_, DLS__OPTIONS(__VA_ARGS__))(false, clauses, i, begin, __VA_ARGS__)
#define DLS_PARALLEL_FOR_CHUNK_WITH(clauses, lo, hi, begin, ...) \
	DLS__CHECKED(lo, begin, __VA_ARGS__, ) \
	DLS__CAT(DLS__WITH_CHUNK_, DLS__OPTIONS(__VA_ARGS__))(false, clauses, lo, hi, begin, __VA_ARGS__)
#define DLS_PARALLEL_FOR_2D_WITH(clauses, i, j, i_begin, i_end, j_begin, ...) \
	DLS__CHECKED(i, i_begin, i_end, ) DLS__CHECKED(j, j_begin, __VA_ARGS__, ) \
	DLS__CAT(DLS__WITH_2D_, DLS__OPTIONS(__VA_ARGS__))(false, clauses, i, j, i_begin, i_end, j_begin, __VA_ARGS__)

/* Private from here on. */

#define DLS__CAT(a, b) DLS__CAT_(a, b)
#define DLS__CAT_(a, b) a##b

/* 0 if the arguments are `end` alone, 1 if options follow. */
#define DLS__OPTIONS(...) DLS__NINTH(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 0, )
#define DLS__NINTH(a, b, c, d, e, f, g, h, i, ...) i

#define DLS__FOR_0(i, begin, end) DLS__FOR_LOOP(i, begin, end, .step = 1)
#define DLS__FOR_1(i, begin, end, ...) DLS__FOR_LOOP(i, begin, end, __VA_ARGS__)
#define DLS__CHUNK_0(lo, hi, begin, end) DLS__CHUNK(lo, hi, begin, end, .step = 1)
#define DLS__CHUNK_1(lo, hi, begin, end, ...) DLS__CHUNK(lo, hi, begin, end, __VA_ARGS__)
#define DLS__FOR_2D_0(i, j, i_begin, i_end, j_begin, j_end) \
	DLS__FOR_2D_LOOP(i, j, i_begin, i_end, j_begin, j_end, .nowait = false)
#define DLS__FOR_2D_1(i, j, i_begin, i_end, j_begin, j_end, ...) \
	DLS__FOR_2D_LOOP(i, j, i_begin, i_end, j_begin, j_end, __VA_ARGS__)
#define DLS__WITH_FOR_0(own, clauses, i, begin, end) DLS__WITH_FOR(own, clauses, i, begin, end, .step = 1)
#define DLS__WITH_FOR_1(own, clauses, i, begin, end, ...) DLS__WITH_FOR(own, clauses, i, begin, end, __VA_ARGS__)
#define DLS__WITH_CHUNK_0(own, clauses, lo, hi, begin, end) DLS__WITH_CHUNK(own, clauses, lo, hi, begin, end, .step = 1)
#define DLS__WITH_CHUNK_1(own, clauses, lo, hi, begin, end, ...) DLS__WITH_CHUNK(own, clauses, lo, hi, begin, end, __VA_ARGS__)
#define DLS__WITH_2D_0(own, clauses, i, j, i_begin, i_end, j_begin, j_end) \
	DLS__WITH_2D(own, clauses, i, j, i_begin, i_end, j_begin, j_end, .nowait = false)
#define DLS__WITH_2D_1(own, clauses, i, j, i_begin, i_end, j_begin, j_end, ...) \
	DLS__WITH_2D(own, clauses, i, j, i_begin, i_end, j_begin, j_end, __VA_ARGS__)

/* DLS__CHECKED is used by the public macros themselves, so that compilers name few macros beside these messages: */
#define DLS__RULE \
	"the bounds of a loop are integers of at most 64 bits; in place of pointers and iterators " \
	"write DLS_FOR(i, 0, last - first) and first[i], in place of floats count their steps"
#define DLS__FORMS \
	"the end of a loop is missing: DLS_FOR(i, begin, end), DLS_FOR_CHUNK(lo, hi, begin, end), " \
	"DLS_FOR_2D(i, j, i_begin, i_end, j_begin, j_end); clauses and operators come first"

#ifdef __cplusplus
#define DLS__ASSERT static_assert
/* Options are set by assignments: designators need C++20 and a fixed order. */
#define DLS__OPTS(...) __extension__({ dls_opts dls__o; DLS__SET(dls__o, __VA_ARGS__); dls__o; })
#define DLS__OPTS_2D(...) __extension__({ dls_opts_2d dls__o; DLS__SET(dls__o, __VA_ARGS__); dls__o; })
#define DLS__SET(o, ...) \
	DLS__CAT(DLS__SET_, DLS__NINTH(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, ))(o, __VA_ARGS__)
#define DLS__SET_1(o, a) o a
#define DLS__SET_2(o, a, ...) o a; DLS__SET_1(o, __VA_ARGS__)
#define DLS__SET_3(o, a, ...) o a; DLS__SET_2(o, __VA_ARGS__)
#define DLS__SET_4(o, a, ...) o a; DLS__SET_3(o, __VA_ARGS__)
#define DLS__SET_5(o, a, ...) o a; DLS__SET_4(o, __VA_ARGS__)
#define DLS__SET_6(o, a, ...) o a; DLS__SET_5(o, __VA_ARGS__)
#define DLS__SET_7(o, a, ...) o a; DLS__SET_6(o, __VA_ARGS__)

/* A bound's type after integer promotion, and its value.  The type is that of (bound) + 0 as written: a
 * function's parameter would have a bit-field's declared type.  A bound that is not `ok` compiles too, so
 * that the assertion's message is the only one. */
template <class Sum, bool = std::is_integral<Sum>::value && sizeof(Sum) <= sizeof(long long)> struct dls__bound {
	typedef long long type;
	static const bool ok = false;
	template <class Bound> static type value(const Bound &) { return 0; }
};
template <class Sum> struct dls__bound<Sum, true> {
	typedef Sum type;
	static const bool ok = true;
	static type value(type x) { return x; }
};
/* Added to bounds in place of 0, to which an object may have no operator +.  If an object converts to an
 * integer, its sum has the integer's type. */
struct dls__none {};
template <class Bound, bool = std::is_convertible<Bound, long long>::value> struct dls__sum {
	typedef dls__none type;
};
template <class Bound> struct dls__sum<Bound, true> {
	typedef decltype(std::declval<Bound>() + 0) type;
};
template <class Bound> typename dls__sum<typename std::decay<Bound>::type>::type operator+(dls__none, Bound &&);
template <class Bound> struct dls__zero
	: std::conditional<std::is_arithmetic<Bound>::value || (std::is_enum<Bound>::value && std::is_convertible<Bound, int>::value),
			   int, dls__none> {};
#define DLS__BOUND(x) \
	dls__bound<decltype(std::declval<typename dls__zero<typename std::decay<decltype((x))>::type>::type>() + (x))>
#define DLS__TYPE(x) typename DLS__BOUND(x)::type
#define DLS__VALUE(x) (DLS__BOUND(x)::value(x))
#define DLS__CHECKED(id, first, end_, ...) \
	for (bool dls__c_##id = __extension__({ \
		     static_assert(sizeof(#end_) > 1 && __builtin_strncmp(#end_, ".", 1), DLS__FORMS); \
		     enum { dls__integers = DLS__BOUND(first)::ok && DLS__BOUND(end_)::ok }; \
		     static_assert(dls__integers, DLS__RULE); \
		     true; \
	     }); \
	     dls__c_##id; dls__c_##id = false)
#else
#define DLS__ASSERT _Static_assert
/* The initialiser begins with the last member: so compilers warn of an excess element if an option has no
 * name. */
#define DLS__OPTS(...) { .dls__chunk = { 0 }, __VA_ARGS__ }
#define DLS__OPTS_2D(...) { .dls__chunk = { 0 }, __VA_ARGS__ }
#define DLS__TYPE(x) __typeof__(DLS__OF_BOUND(x, 0, 0u, 0l, 0ul, 0ll, 0ull, 0ll))
#define DLS__VALUE(x) ((DLS__TYPE(x))(x))
#define DLS__CHECKED(id, first, end_, ...) \
	for (bool dls__c_##id = __extension__({ \
		     _Static_assert(sizeof(#end_) > 1 && __builtin_strncmp(#end_, ".", 1), DLS__FORMS); \
		     enum { dls__integers = DLS__OK(first) && DLS__OK(end_) }; \
		     _Static_assert(dls__integers, DLS__RULE); \
		     true; \
	     }); \
	     dls__c_##id; dls__c_##id = false)
#define DLS__OK(x) DLS__OF_BOUND(x, 1, 1, 1, 1, 1, 1, 0)
/* Selects by the type of a bound after integer promotion; `other` if it is no integer.  In gcc a bit-field
 * wider than int has a type of its own width, none of these. */
#define DLS__OF_BOUND(x, i, u, l, ul, ll, ull, other) __extension__ _Generic((x) + 0, int: i, unsigned: u, long: l, \
	unsigned long: ul, long long: ll, unsigned long long: ull, default: \
	_Generic((x) + 0ll, long long: ll, unsigned long long: ull, default: other))
#endif

#define DLS__AFTER(id, last) (dls__o_##id.nowait ? DLS__NOWAIT : last ? DLS__LAST : DLS__BARRIER)
#define DLS__STEP(opts) ((opts).step ? (opts).step : 1)
#define DLS__SIGNED(type) ((type)-1 < (type)1)
/* The largest product that the index's type holds; products of unsigned types may wrap. */
#define DLS__MOST(type) (DLS__SIGNED(type) ? UINT64_MAX >> (65 - 8 * sizeof(type)) : UINT64_MAX)

/* The values of two bounds, and `first` converted to the type of the index, which is that of `end_`. */
#define DLS__BOUNDS(id, first, end_) \
	DLS__TYPE(first) dls__f_##id = DLS__VALUE(first); \
	DLS__TYPE(end_) dls__e_##id = DLS__VALUE(end_), dls__b_##id = (DLS__TYPE(end_))dls__f_##id

#define DLS__CHECK_BEGIN(site, id) \
	dls__for_check_begin(site, (uint64_t)dls__f_##id, DLS__SIGNED(__typeof__(dls__f_##id)), \
			     (uint64_t)dls__b_##id, 8 * sizeof(dls__b_##id), DLS__SIGNED(__typeof__(dls__b_##id)))

/* Check the step, an int64_t of the options. */
#define DLS__CHECK_STEP(site, id, step, ...) \
	dls__for_check_step(site, step, sizeof(dls__b_##id) == 4 && dls__b_##id > dls__e_##id, #__VA_ARGS__)

#ifdef _OPENMP
#define DLS__PRAGMA(...) _Pragma(#__VA_ARGS__)
#else
#define DLS__PRAGMA(...)
#endif
#define DLS__PRAGMA_OF(...) DLS__PRAGMA(__VA_ARGS__)	/* of arguments in which macros are replaced */
#define DLS__INSIDE(...) __VA_ARGS__

/* Refuse clauses without parentheses, which clang would ignore. */
#define DLS__ENCLOSED_OR_REFUSED(clauses) \
	DLS__ASSERT(DLS__ENCLOSED(clauses), "clauses stand in parentheses: DLS_PARALLEL_FOR_WITH((reduction(+ : s)), i, 0, n)")
#define DLS__ENCLOSED(clauses) DLS__SECOND(DLS__TWO clauses, 0, )
#define DLS__TWO(...) 1, 1
#define DLS__SECOND(...) DLS__SECOND_OF(__VA_ARGS__)
#define DLS__SECOND_OF(a, b, ...) b

/* A label, so that DLS_PARALLEL may stand in any column, as the pragma that it replaces: gcc compares the columns of a loop and
 * its body unless the body begins in a macro. */
#if !defined(__GNUC__) || defined(__clang__)
#define DLS__BODY(label)
#elif defined(__cplusplus)
#define DLS__BODY(label) [[gnu::__unused__]] label:
#else
#define DLS__BODY(label) label: __attribute__((__unused__))
#endif

/* Values that the threads need are copied one by one: for an object OpenMP would copy the address. */
#define DLS__PARALLEL_REGION(region, ...) DLS__REGION(region, __VA_ARGS__)	/* expands `region` */
#define DLS__REGION(region, ...) \
	for (struct dls__parallel region = dls__open_region(); !region.done; dls__parallel_close(&region)) \
		for (uint64_t region##_loop DLS__LINE_BEGIN = region.loop, region##_version = region.version, \
		     region##_team = (uintptr_t)region.team, region##_segment = (uintptr_t)region.segment, \
		     region##_once = 1; region##_once; region##_once = 0) \
			DLS__PRAGMA(omp parallel firstprivate(region##_loop, region##_version, region##_team, \
							      region##_segment) __VA_ARGS__) \
			for (struct dls__saved_state region##_saved = dls__enter_region( \
				     (struct dls__team_record *)(uintptr_t)region##_team, \
				     (struct dls__segment *)(uintptr_t)region##_segment, region##_loop, region##_version); \
			     !region##_saved.done; dls__parallel_leave(&region##_saved)) \
				DLS__BODY(region##_body)

/* Number of iterations between the bounds of DLS__BOUNDS. */
#define DLS__COUNT(id, step) \
	dls__count(dls__b_##id < dls__e_##id, dls__b_##id > dls__e_##id, (uint64_t)dls__b_##id, (uint64_t)dls__e_##id, step)

/* The address of dls__o_ is never taken: its members can stay in registers, and a constant step stays a constant. */
#define DLS__RUN(id, first, end_, ...) \
	for (struct dls_opts dls__o_##id = DLS__OPTS(__VA_ARGS__); !dls__o_##id.dls__done; \
	     dls__o_##id.dls__done = true) \
		for (struct dls__run dls__r_##id, *dls__p_##id = __extension__({ \
			     static struct dls_site dls__s_##id = DLS__SITE_HERE; \
			     DLS__BOUNDS(id, first, end_); \
			     DLS__CHECK_BEGIN(&dls__s_##id, id); \
			     int64_t dls__d_##id = DLS__STEP(dls__o_##id); \
			     DLS__CHECK_STEP(&dls__s_##id, id, dls__d_##id, __VA_ARGS__); \
			     dls__o_##id.dls__begin = (uint64_t)dls__b_##id; \
			     dls__o_##id.dls__chunk = dls__for_first_chunk( \
				     &dls__r_##id, &dls__s_##id, dls__o_##id.name, dls__o_##id.schedule, dls__o_##id.multiple, \
				     DLS__AFTER(id, false), (uint64_t)dls__e_##id, DLS__COUNT(id, dls__d_##id), \
				     dls__o_##id.idempotent); \
			     &dls__r_##id; \
		     }); \
		     dls__o_##id.dls__chunk.n; dls__o_##id.dls__chunk = dls__for_next_chunk(dls__p_##id))

/* The clause of a region that has none of the user's: auto may have one thread run the region's loop. */
#define DLS__OWN_IF(id) (if(!(dls__x_##id##_flags & DLS__SERIAL)))

/* A region and its loop, which is opened before the region.  `own`: the clauses are DLS__OWN_IF.  The region copies to its threads
 * what they need to join, from the begin of a cache line on: to fetch a line from another processor may take longer than all else
 * here.  Each thread evaluates the options too, so that a constant step is a constant there. */
#define DLS__COMBINED(own, clauses, id, first, end_, ...) \
	for (struct dls_opts dls__u_##id = DLS__OPTS(__VA_ARGS__); !dls__u_##id.dls__done; dls__u_##id.dls__done = true) \
	for (struct dls__combined dls__l_##id, *dls__w_##id = __extension__({ \
		     DLS__ENCLOSED_OR_REFUSED(clauses); \
		     static struct dls_site dls__s_##id = DLS__SITE_HERE; \
		     DLS__BOUNDS(id, first, end_); \
		     DLS__CHECK_BEGIN(&dls__s_##id, id); \
		     int64_t dls__d_##id = DLS__STEP(dls__u_##id); \
		     DLS__CHECK_STEP(&dls__s_##id, id, dls__d_##id, __VA_ARGS__); \
		     dls__combined_begin(&dls__l_##id, &dls__s_##id, dls__u_##id.name, dls__u_##id.schedule, \
					 dls__u_##id.multiple, dls__u_##id.nowait, (uint64_t)dls__b_##id, \
					 (uint64_t)dls__e_##id, DLS__COUNT(id, dls__d_##id), own); \
		     &dls__l_##id; \
	     }); \
	     !dls__l_##id.done; dls__combined_close(&dls__l_##id)) \
		DLS__COMBINED_LOOP(clauses, dls__w_##id, dls__x_##id, id, __VA_ARGS__)
#define DLS__COMBINED_LOOP(clauses, combined, x, id, ...) \
	for (uint64_t x##_begin DLS__LINE_BEGIN = combined->begin, x##_n = combined->request.n, \
	     x##_flags = combined->flags, x##_share = (uintptr_t)combined->share, x##_once = 1; x##_once; x##_once = 0) \
		DLS__PRAGMA_OF(omp parallel firstprivate(combined, x##_begin, x##_n, x##_flags, x##_share) \
			       DLS__INSIDE clauses) \
		for (struct dls_opts dls__o_##id = DLS__OPTS(__VA_ARGS__); !dls__o_##id.dls__done; \
		     dls__o_##id.dls__done = true) \
			for (struct dls__run dls__r_##id, *dls__p_##id = __extension__({ \
				     dls__o_##id.dls__begin = x##_begin; \
				     dls__o_##id.dls__chunk = dls__combined_join( \
					     &dls__r_##id, combined, (struct dls__work_share *)(uintptr_t)x##_share, \
					     x##_flags, x##_n, DLS__STEP(dls__o_##id)); \
				     &dls__r_##id; \
			     }); \
			     dls__o_##id.dls__chunk.n; dls__o_##id.dls__chunk = dls__for_next_chunk(dls__p_##id))

#define DLS__FIRST(id) \
	(dls__o_##id.dls__begin + dls__o_##id.dls__chunk.lo * (uint64_t)DLS__STEP(dls__o_##id))

/* Each piece of a chunk is a loop that compilers vectorise and unroll: the index advances in the loop's own increment, never past
 * its type's ends, and a count of what is left ends the loop, or with constant steps of 1 and -1 the bound.  A loop of its own for
 * the index will not do: at its head gcc would compute the addresses of a branchy body before its first branch.  A break leaves a
 * rest, and that costs nothing in a body without a break. */
#define DLS__FOR_LOOP(i, begin, end, ...) DLS__RUN(i, begin, end, __VA_ARGS__) DLS__PIECES(i, end)
#define DLS__WITH_FOR(own, clauses, i, begin, end, ...) \
	DLS__COMBINED(own, clauses, i, begin, end, __VA_ARGS__) DLS__PIECES(i, end)
#define DLS__PIECES(i, end) \
	for (struct dls__piece dls__t_##i = dls__piece_from(DLS__FIRST(i), dls__o_##i.dls__chunk.n, \
						       DLS__STEP(dls__o_##i), DLS__MOST(DLS__TYPE(end))); \
	     dls__t_##i.n; \
	     dls__t_##i.n = dls__for_chunk_end(dls__t_##i.n, __FILE__, __LINE__), \
	     dls__t_##i = dls__piece_from(dls__t_##i.next, dls__t_##i.left, DLS__STEP(dls__o_##i), DLS__MOST(DLS__TYPE(end)))) \
		for (DLS__TYPE(end) i = (DLS__TYPE(end))dls__t_##i.from, \
		     dls__e_##i = (DLS__TYPE(end))dls__t_##i.next, \
		     dls__d_##i = (DLS__TYPE(end))dls__t_##i.by; \
		     (dls__t_##i.way == 0 ? dls__t_##i.n != 0 : dls__t_##i.way > 0 ? i < dls__e_##i : i > dls__e_##i) \
			     || (dls__t_##i.n = 0); \
		     i += dls__d_##i, dls__t_##i.n -= dls__t_##i.way == 0)

#define DLS__CHUNK(lo, hi, begin, end, ...) DLS__RUN(lo, begin, end, __VA_ARGS__) DLS__PAIR(lo, hi, end)
#define DLS__WITH_CHUNK(own, clauses, lo, hi, begin, end, ...) \
	DLS__COMBINED(own, clauses, lo, begin, end, __VA_ARGS__) DLS__PAIR(lo, hi, end)
#define DLS__PAIR(lo, hi, end) \
	for (uint64_t dls__k_##lo = dls__o_##lo.dls__chunk.n; dls__k_##lo; \
	     dls__k_##lo = dls__for_chunk_end(dls__k_##lo, __FILE__, __LINE__)) \
		for (DLS__TYPE(end) lo = (DLS__TYPE(end))DLS__FIRST(lo), \
		     hi = (DLS__TYPE(end))dls__bound_after(dls__p_##lo, dls__o_##lo.dls__chunk, \
							   dls__o_##lo.dls__begin, DLS__STEP(dls__o_##lo)); \
		     dls__k_##lo; dls__k_##lo = 0)

#define DLS__FOR_2D_LOOP(i, j, i_begin, i_end, j_begin, j_end, ...) \
	DLS__RUN_2D(i, j, i_begin, i_end, j_begin, j_end, __VA_ARGS__) DLS__STRIPS(i, j, i_end, j_end)
#define DLS__WITH_2D(own, clauses, i, j, i_begin, i_end, j_begin, j_end, ...) \
	DLS__COMBINED_2D(own, clauses, i, j, i_begin, i_end, j_begin, j_end, __VA_ARGS__) \
	DLS__STRIPS(i, j, i_end, j_end)

/* Strips of a chunk, each a plain loop over j, which may reach j_end but not pass it.  Names in the bounds are looked up
 * outside the scopes of i and j. */
#define DLS__STRIPS(i, j, i_end, j_end) \
		for (struct dls__strip dls__t_##i = dls__strip_first(dls__p_##i, dls__o_##i.dls__chunk); dls__t_##i.n; \
		     dls__t_##i = dls__strip_next(dls__p_##i, dls__t_##i)) \
			DLS__ONCE(i, DLS__TYPE(i_end) dls__b_##i = (DLS__TYPE(i_end))(dls__o_##i.dls__i + dls__t_##i.row)) \
			DLS__ONCE(i, DLS__TYPE(j_end) dls__b_##j = (DLS__TYPE(j_end))(dls__o_##i.dls__j + dls__t_##i.column)) \
			for (__typeof__(dls__b_##i) i = dls__b_##i; dls__t_##i.n; \
			     (void)i, dls__t_##i.n = dls__for_chunk_end(dls__t_##i.n, __FILE__, __LINE__)) \
				for (__typeof__(dls__b_##j) j = dls__b_##j, \
				     dls__e_##j = (__typeof__(dls__b_##j))((uint64_t)dls__b_##j + dls__t_##i.n); \
				     j < dls__e_##j || (dls__t_##i.n = 0); j++)

/* Declare for the strip under way. */
#define DLS__ONCE(i, ...) for (__VA_ARGS__; dls__t_##i.n; dls__t_##i.n = 0)

#define DLS__RUN_2D(i, j, i_begin, i_end, j_begin, j_end, ...) \
	for (struct dls_opts_2d dls__o_##i = DLS__OPTS_2D(__VA_ARGS__); !dls__o_##i.dls__done; \
	     dls__o_##i.dls__done = true) \
		for (struct dls__run_2d dls__r_##i, *dls__p_##i = __extension__({ \
			     static struct dls_site dls__s_##i = DLS__SITE_HERE; \
			     DLS__BOUNDS(i, i_begin, i_end); \
			     DLS__BOUNDS(j, j_begin, j_end); \
			     DLS__CHECK_BEGIN(&dls__s_##i, i); \
			     DLS__CHECK_BEGIN(&dls__s_##i, j); \
			     dls__o_##i.dls__i = (uint64_t)dls__b_##i; \
			     dls__o_##i.dls__j = (uint64_t)dls__b_##j; \
			     dls__o_##i.dls__chunk = dls__for_first_chunk_2d( \
				     &dls__r_##i, &dls__s_##i, dls__o_##i.name, dls__o_##i.schedule, dls__o_##i.multiple, \
				     DLS__AFTER(i, false), DLS__EXTENT(i), DLS__EXTENT(j)); \
			     &dls__r_##i; \
		     }); \
		     dls__o_##i.dls__chunk.n; dls__o_##i.dls__chunk = dls__for_next_chunk(&dls__p_##i->run))

/* As DLS__COMBINED. */
#define DLS__COMBINED_2D(own, clauses, i, j, i_begin, i_end, j_begin, j_end, ...) \
	for (struct dls_opts_2d dls__u_##i = DLS__OPTS_2D(__VA_ARGS__); !dls__u_##i.dls__done; dls__u_##i.dls__done = true) \
	for (struct dls__combined dls__l_##i, *dls__w_##i = __extension__({ \
		     DLS__ENCLOSED_OR_REFUSED(clauses); \
		     static struct dls_site dls__s_##i = DLS__SITE_HERE; \
		     DLS__BOUNDS(i, i_begin, i_end); \
		     DLS__BOUNDS(j, j_begin, j_end); \
		     DLS__CHECK_BEGIN(&dls__s_##i, i); \
		     DLS__CHECK_BEGIN(&dls__s_##i, j); \
		     dls__combined_begin_2d(&dls__l_##i, &dls__s_##i, dls__u_##i.name, dls__u_##i.schedule, \
					    dls__u_##i.multiple, dls__u_##i.nowait, (uint64_t)dls__b_##i, \
					    (uint64_t)dls__b_##j, DLS__EXTENT(i), DLS__EXTENT(j), own); \
		     &dls__l_##i; \
	     }); \
	     !dls__l_##i.done; dls__combined_close(&dls__l_##i)) \
		DLS__COMBINED_LOOP_2D(clauses, dls__w_##i, dls__x_##i, i, __VA_ARGS__)
#define DLS__COMBINED_LOOP_2D(clauses, combined, x, i, ...) \
	for (uint64_t x##_i DLS__LINE_BEGIN = combined->begin, x##_j = combined->end, \
	     x##_rows = combined->request.rows, x##_columns = combined->columns, x##_flags = combined->flags, \
	     x##_share = (uintptr_t)combined->share, x##_once = 1; x##_once; x##_once = 0) \
		DLS__PRAGMA_OF(omp parallel firstprivate(combined, x##_i, x##_j, x##_rows, x##_columns, x##_flags, \
							 x##_share) DLS__INSIDE clauses) \
		for (struct dls_opts_2d dls__o_##i = DLS__OPTS_2D(__VA_ARGS__); !dls__o_##i.dls__done; dls__o_##i.dls__done = true) \
			for (struct dls__run_2d dls__r_##i, *dls__p_##i = __extension__({ \
				     dls__o_##i.dls__i = x##_i; \
				     dls__o_##i.dls__j = x##_j; \
				     dls__o_##i.dls__chunk = dls__combined_join_2d( \
					     &dls__r_##i, combined, (struct dls__work_share *)(uintptr_t)x##_share, \
					     x##_flags, x##_rows, x##_columns); \
				     &dls__r_##i; \
			     }); \
			     dls__o_##i.dls__chunk.n; dls__o_##i.dls__chunk = dls__for_next_chunk(&dls__p_##i->run))

#define DLS__EXTENT(i) \
	dls__count(dls__b_##i < dls__e_##i, false, (uint64_t)dls__b_##i, (uint64_t)dls__e_##i, 1)

#endif
#endif
