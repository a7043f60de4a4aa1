/* dls/reduce.h - reductions whose result has the same bits in every run; included by dls.h.
 *
 *	double sum = 0;
 *
 *	DLS_REDUCE(+, double, sum, i, 0, n)
 *		sum += f(i);
 *
 * Floating-point addition is not associative, so the order of additions changes a sum.  OpenMP's reduction clause adds the sums of
 * the threads: the bits change with the schedule, the number of threads, and from run to run.  Here they do not.
 *
 * The n iterations of the loop are cut into blocks of 2^k, and only the last block may be shorter.  k depends on n and on nothing
 * else:
 *
 *	2^k <= max(1, min(sqrt(n) / 4, n / 128)) < 2^(k+1), but at least so large that there are at most DLS_BLOCKS_MAX blocks
 *
 * The schedule deals iterations; a chunk consists of the blocks whose first iterations it holds.  So each block is run by one
 * thread, from the operator's identity on and in the order of its iterations.  Its result, a partial, is a function of the block
 * alone.  Partials are combined along a fixed binary tree over the blocks: nodes of 2^j blocks that begin at a multiple of 2^j;
 * at the end the remaining nodes are combined from the last to the first.  So the result is a function of n and the body, not of
 * the schedule, the threads, or the time at which nodes are combined.  The old value of the variable is the first operand, and is
 * combined last.
 *
 * This holds for one compiled program.  Other compilers and flags may change the bits of a block, and with -ffast-math the
 * compiler may vectorise a block in a way that depends on where its data lie in memory.
 *
 * Why this k.  A block costs its thread some nanoseconds, for the start of the inner loop, one store and one combination: with
 * sqrt(n) / 4 iterations in a block that is little in loops long enough to be worth a region.  Up to n = 255 a block is one
 * iteration, so that few and long iterations spread over all threads; from then on there are 128 blocks or more, and from
 * n = 1024 on 4 to 8 sqrt(n): 6 for each of 100 threads in a loop of 10000 iterations.  DLS_BLOCKS_MAX bounds the memory, of
 * one partial for each block, and the work of the last thread.  Powers of two keep the alignment of the data the same in all
 * blocks.
 *
 * A thread combines the complete nodes within a chunk as soon as it has run the chunk, from its own cache; the last thread to
 * leave the loop combines the rest, which is two nodes or so for each power of two in a chunk.  Threads write to one cache line
 * only where their chunks meet. */
#ifndef DLS_REDUCE_H
#define DLS_REDUCE_H

#include "dls/omp.h"

#ifdef __cplusplus
#include <type_traits>
#endif

DLS__C_BEGIN

/** Most blocks of a reduction. */
#define DLS_BLOCKS_MAX 2048

/** DLS_REDUCE(op, type, variable, i, begin, end, options...) body
 *
 * Region and loop in one, as DLS_PARALLEL_FOR; for a region with clauses write DLS_PARALLEL(clauses) DLS_FOR_REDUCE(...).  In
 * the body `variable` is a private one of `type`, which starts at the identity of `op`.  Afterwards the variable of that name
 * outside, an object of the same type, is its old value combined with what the body has computed; a loop without iterations
 * leaves it unchanged.
 *
 * op        + * min max & | ^ && ||
 * type      arithmetic: any for + *, any real one for min max && ||, any integer type for & | ^; at most 64 bits if integer
 * variable  an identifier
 *
 * Bounds and options are evaluated once before the region and once in each thread.  All else is as in DLS_FOR, but a `.multiple` ends
 * the program by abort(), since blocks start at multiples of their own length, and `.idempotent` is ignored.  If there is no memory for
 * the partials, one thread runs the loop: the result is the same. */
#define DLS_REDUCE(op, type, variable, i, begin, ...) \
	DLS__REDUCE_COMBINED(i, begin, __VA_ARGS__) \
	DLS__CAT(DLS__REDUCE_, DLS__OPTIONS(__VA_ARGS__))(#op, type, variable, i, true, begin, __VA_ARGS__)

/** DLS_FOR_REDUCE(op, type, variable, i, begin, end, options...) body
 *
 * The same inside a parallel region, whose threads share the loop and the variable outside; they all see the result after the
 * loop's barrier.  With `.nowait = true` it is there after the next barrier of the region, as under OpenMP. */
#define DLS_FOR_REDUCE(op, type, variable, i, begin, ...) \
	DLS__CHECKED(i, begin, __VA_ARGS__, ) \
	DLS__CAT(DLS__REDUCE_, DLS__OPTIONS(__VA_ARGS__))(#op, type, variable, i, false, begin, __VA_ARGS__)

/** DLS_REDUCE_BY(combine, identity, type, variable, i, begin, end, options...) body
 *
 * DLS_REDUCE by a function of the caller's, or in C++ anything that can be called so:
 *
 *	void combine(type *into, const type *from)
 *
 * combine    sets *into to *into combined with *from, which comes from later iterations; it need be neither commutative nor
 *            associative.  Calls of several threads may run at the same time, on different objects
 * identity   an expression for what a block starts from; each thread evaluates it once
 * type       of any size, assignable; in C++ trivially copyable */
#define DLS_REDUCE_BY(combine, identity, type, variable, i, begin, ...) \
	DLS__REDUCE_COMBINED(i, begin, __VA_ARGS__) \
	DLS__CAT(DLS__REDUCE_BY_, DLS__OPTIONS(__VA_ARGS__)) \
		(combine, identity, type, variable, i, true, begin, __VA_ARGS__)

/** DLS_FOR_REDUCE_BY(combine, identity, type, variable, i, begin, end, options...) body
 *
 * The same inside a parallel region, as DLS_FOR_REDUCE. */
#define DLS_FOR_REDUCE_BY(combine, identity, type, variable, i, begin, ...) \
	DLS__CHECKED(i, begin, __VA_ARGS__, ) \
	DLS__CAT(DLS__REDUCE_BY_, DLS__OPTIONS(__VA_ARGS__))(combine, identity, type, variable, i, false, begin, __VA_ARGS__)

/* Private from here on. */

/* Partials on a thread's stack if there was no memory and it runs the loop alone: the at most 11 complete
 * nodes before a block, and the block's own. */
enum { DLS__NODES = 12 };

/* One thread's part of a DLS_REDUCE. */
struct dls__reduce_part {
	struct dls__run run;
	uint64_t length, n;		/* iterations of a block, of the loop */
	uint64_t block, past;		/* the current block; the end of the current chunk's blocks */
	uint64_t first, count;		/* the block's iterations: first .. first + count - 1 */
	size_t bytes;			/* of a partial */
	char *slot;			/* where the block's partial goes; NULL: no block, the thread combines what is left */
	void *into;			/* the caller sets *into to *into combined with *from */
	const void *from;
	uint64_t rest[32];		/* read and written by the library alone */
};

/* An operator for a type: the code of a type is its kind and its size. */
#define DLS__KIND(kind, type) ((kind) << 8 | (int)sizeof(type))
#define DLS__IS(op, text) (__builtin_strcmp(op, text) == 0)
#define DLS__OPERATES(op, type) (DLS__IS(op, "+") || DLS__IS(op, "*") || ((type) >> 8 != 'c' && \
	(DLS__IS(op, "min") || DLS__IS(op, "max") || DLS__IS(op, "&&") || DLS__IS(op, "||"))) || ((type) >> 8 != 'c' && \
	(type) >> 8 != 'f' && (DLS__IS(op, "&") || DLS__IS(op, "|") || DLS__IS(op, "^"))))

/* An operator and its type.  "": a function of the caller's.  The caller combines all pairs that it gets from
 * dls__reduce_pair().  With the type DLS__BY_CHUNK these are pairs of different chunks alone: after
 * dls__reduce_chunk() the caller itself combines the nodes within r->block .. r->past - 1, level by level. */
enum { DLS__BY_CHUNK = 1 };
struct dls__operation {
	const char *op;
	int type;
	size_t bytes;
	void *stack;		/* DLS__NODES values, and then the identity, which is set for an operator */
	void *outer;
};

/* Open the loop's reduction before the loop, and take part once it is open. */
DLS_API void dls__reduce_prepare(struct dls__reduce_part *r, const struct dls__operation *operation, uint64_t n);
DLS_API void dls__reduce_join(struct dls__reduce_part *r, void *stack);

/* Go to the first block of the next chunk.  At the end the last thread has one more turn, without a block, in which it
 * combines what is left.  False: this thread is done. */
DLS_API bool dls__reduce_chunk(struct dls__reduce_part *r);

/* The next two values that the caller combines; false: none before the next chunk. */
DLS_API bool dls__reduce_pair(struct dls__reduce_part *r);

/* Report a `.multiple` in a reduction, and abort. */
DLS_API void dls__reduce_no_multiple(const struct dls_site *site) __attribute__((__noreturn__, __cold__));

/* Before a region of one reduction. */
static inline void dls__reduce_combined(struct dls__combined *combined, struct dls_site *site,
					const char *name, const char *schedule, uint64_t n)
{
	dls__combined_prepare(combined, site, name, schedule, 0, 0, 0, 0, n);
#ifdef _OPENMP
	dls__combined_unopened(combined, (unsigned)omp_get_max_threads());
#else
	dls__combined_unopened(combined, 1);
#endif
}

static inline void dls__reduce_begin(struct dls__reduce_part *r, struct dls_site *site, const char *name, const char *schedule,
				     int64_t multiple, int after, uint64_t n, const struct dls__operation *operation)
{
	int says = dls__kind_of(schedule) | (after == DLS__NOWAIT ? DLS__KIND_NOWAIT : 0);
	struct dls__request request = { site, name, schedule, says, n, 0, operation->bytes, 0, 0 };

	if (multiple)
		dls__reduce_no_multiple(site);
	dls__reduce_prepare(r, operation, n);
	dls__for_open(&r->run, request, after, 0);
	dls__reduce_join(r, operation->stack);
}

/* Go to the next block; false: none is left, and the loop's barrier has been passed. */
static inline bool dls__reduce_next(struct dls__reduce_part *r)
{
	if (r->block + 1 < r->past) {
		r->block++;
		r->slot += r->bytes;
		r->first += r->length;
		r->count = r->n - r->first < r->length ? r->n - r->first : r->length;
		return true;
	}
	if (dls__reduce_chunk(r))
		return true;
	dls__for_close(&r->run);
	return false;
}

DLS__C_END

#ifdef __cplusplus
template <class Type> constexpr int dls__type_code()
{
	return std::is_same<Type, bool>::value ? DLS__KIND('b', Type) :
	       std::is_floating_point<Type>::value ? DLS__KIND('f', Type) :
	       !std::is_integral<Type>::value || sizeof(Type) > 8 ? 0 :
	       DLS__KIND(std::is_signed<Type>::value ? 's' : 'u', Type);
}
#define DLS__TYPE_CODE(T) (dls__type_code<__typeof__(T)>())
#define DLS__COPIES(T) (std::is_trivially_copyable<__typeof__(T)>::value)
#else
#define DLS__TYPE_CODE(T) __extension__ _Generic((__typeof__(T) *)0, _Bool *: DLS__KIND('b', T), \
	char *: DLS__KIND((char)-1 < 0 ? 's' : 'u', T), signed char *: DLS__KIND('s', T), unsigned char *: DLS__KIND('u', T), \
	short *: DLS__KIND('s', T), unsigned short *: DLS__KIND('u', T), int *: DLS__KIND('s', T), \
	unsigned *: DLS__KIND('u', T), long *: DLS__KIND('s', T), unsigned long *: DLS__KIND('u', T), \
	long long *: DLS__KIND('s', T), unsigned long long *: DLS__KIND('u', T), float *: DLS__KIND('f', T), \
	double *: DLS__KIND('f', T), long double *: DLS__KIND('f', T), float _Complex *: DLS__KIND('c', T), \
	double _Complex *: DLS__KIND('c', T), long double _Complex *: DLS__KIND('c', T), default: 0)
#define DLS__COPIES(T) 1
#endif

/* A region of one reduction, with its bounds checked. */
#define DLS__REDUCE_COMBINED(i, begin, ...) \
	DLS__CHECKED(i, begin, __VA_ARGS__, ) \
	DLS__CAT(DLS__REDUCE_LAUNCH_, DLS__OPTIONS(__VA_ARGS__))(i, begin, __VA_ARGS__) \
	DLS_PARALLEL(if(!(dls__l_##i.flags & DLS__SERIAL)))
#define DLS__REDUCE_LAUNCH_0(i, begin, end) DLS__REDUCE_LAUNCH_1(i, begin, end, .step = 1)
#define DLS__REDUCE_LAUNCH_1(i, begin, end, ...) \
	for (struct dls_opts dls__u_##i = DLS__OPTS(__VA_ARGS__); !dls__u_##i.dls__done; dls__u_##i.dls__done = true) \
	for (struct dls__combined dls__l_##i, *dls__w_##i = __extension__({ \
		     static struct dls_site dls__s_##i = DLS__SITE_HERE; \
		     DLS__BOUNDS(i, begin, end); \
		     DLS__CHECK_STEP(&dls__s_##i, i, DLS__STEP(dls__u_##i), __VA_ARGS__); \
		     dls__reduce_combined(&dls__l_##i, &dls__s_##i, dls__u_##i.name, dls__u_##i.schedule, \
					  DLS__COUNT(i, DLS__STEP(dls__u_##i))); \
		     &dls__l_##i; \
	     }); \
	     !dls__l_##i.done; dls__combined_close(dls__w_##i))

#define DLS__REDUCE_0(op, T, variable, i, last, begin, end) \
	DLS__REDUCE_LOOP(op, T, variable, i, last, begin, end, .step = 1)
#define DLS__REDUCE_1(op, T, variable, i, last, begin, end, ...) \
	DLS__REDUCE_LOOP(op, T, variable, i, last, begin, end, __VA_ARGS__)
#define DLS__REDUCE_BY_0(combine, identity, T, variable, i, last, begin, end) \
	DLS__REDUCE_BY_LOOP(combine, identity, T, variable, i, last, begin, end, .step = 1)
#define DLS__REDUCE_BY_1(combine, identity, T, variable, i, last, begin, end, ...) \
	DLS__REDUCE_BY_LOOP(combine, identity, T, variable, i, last, begin, end, __VA_ARGS__)

#define DLS__REDUCE_LOOP(op, T, variable, i, last, begin, end, ...) \
	DLS__REDUCE_RUN(op, DLS__TYPE_CODE(T), (void)0, (void)0, T, variable, i, last, begin, end, __VA_ARGS__)
#define DLS__REDUCE_BY_LOOP(combine, identity, T, variable, i, last, begin, end, ...) \
	DLS__REDUCE_RUN("", 0, dls__t_##i[DLS__NODES] = identity, __extension__({ \
		while (dls__reduce_pair(dls__p_##i)) \
			combine((__typeof__(T) *)dls__p_##i->into, (const __typeof__(T) *)dls__p_##i->from); \
	}), T, variable, i, last, begin, end, __VA_ARGS__)

/* g++ 16 obeys a diagnostic pragma before a statement, not in an expression.  Before a statement, gcc 10
 * takes it for a body in column 1 and warns of misleading indentation. */
#define DLS__QUIET _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")
#if defined(__GNUC__) && __GNUC__ < 12 && !defined(__clang__)
#define DLS__QUIET_STATEMENT
#define DLS__QUIET_EXPRESSION DLS__QUIET
#else
#define DLS__QUIET_STATEMENT DLS__QUIET
#define DLS__QUIET_EXPRESSION
#endif

/* Nested `for` statements, from the outside in: the stack with the identity, and a pointer to the outer
 * variable; the options; the loop over blocks; the inner variable, the only name that hides one of the
 * caller's; the block's iterations.  `start` sets the identity, `pairs` follows each block.  The variable's
 * address is never taken: it can stay in a register. */
#define DLS__REDUCE_RUN(op_, type_, start, pairs, T, variable, i, last, begin, end, ...) \
	DLS__QUIET_STATEMENT \
	for (__typeof__(T) dls__t_##i[DLS__NODES + 1], *dls__v_##i = &(variable); dls__v_##i; dls__v_##i = DLS__NULL) \
	for (struct dls_opts dls__o_##i = DLS__OPTS(__VA_ARGS__); !dls__o_##i.dls__done; dls__o_##i.dls__done = true) \
		for (struct dls__reduce_part dls__r_##i, *dls__p_##i = __extension__({ \
			     static struct dls_site dls__s_##i = DLS__SITE_HERE; \
			     DLS__ASSERT(DLS__IS(op_, "") || type_, \
					 "the type is an arithmetic one, of at most 64 bits if it is an integer; for " \
					 "others there is DLS_REDUCE_BY"); \
			     DLS__ASSERT(DLS__IS(op_, "") || DLS__OPERATES(op_, type_), \
					 "the operator is one of + * min max & | ^ && ||, and one that the type has; " \
					 "for others there is DLS_REDUCE_BY"); \
			     DLS__ASSERT(DLS__COPIES(T), "what is reduced is trivially copyable"); \
			     struct dls__operation dls__a_##i = { op_, type_, sizeof(T), dls__t_##i, dls__v_##i }; \
			     DLS__BOUNDS(i, begin, end); \
			     DLS__CHECK_BEGIN(&dls__s_##i, i); \
			     DLS__CHECK_STEP(&dls__s_##i, i, DLS__STEP(dls__o_##i), __VA_ARGS__); \
			     start; \
			     dls__o_##i.dls__begin = (uint64_t)dls__b_##i; \
			     dls__reduce_begin(&dls__r_##i, &dls__s_##i, dls__o_##i.name, dls__o_##i.schedule, \
					       dls__o_##i.multiple, DLS__AFTER(i, last), \
					       dls__count(dls__b_##i < dls__e_##i, dls__b_##i > dls__e_##i, \
							  (uint64_t)dls__b_##i, (uint64_t)dls__e_##i, \
							  DLS__STEP(dls__o_##i)), &dls__a_##i); \
			     DLS__QUIET_EXPRESSION \
			     &dls__r_##i; \
		     }); dls__reduce_next(dls__p_##i); pairs) \
			for (__typeof__(T) variable = dls__t_##i[DLS__NODES], \
			     *dls__w_##i = (__typeof__(T) *)(void *)dls__p_##i->slot; dls__w_##i; \
			     *dls__w_##i = variable, dls__w_##i = DLS__NULL) \
				DLS__REDUCE_BODY(i, DLS__TYPE(end), DLS__STEP(dls__o_##i) == 1, dls__o_##i.dls__begin)

/* With a step of 1 the counter is the index, which may reach the loop's end but not pass it.  After a break
 * the rest is not 0. */
#define DLS__REDUCE_BODY(i, T, one, begin) \
	for (T dls__k_##i = __extension__({ _Pragma("GCC diagnostic pop") \
					    one ? (T)(begin + dls__p_##i->first) : (T)0; }), \
	     dls__e_##i = (T)((uint64_t)dls__k_##i + dls__p_##i->count), dls__left_##i = 0; \
	     dls__k_##i < dls__e_##i; \
	     dls__for_chunk_end((uint64_t)dls__left_##i, __FILE__, __LINE__), dls__k_##i++) \
		for (T i = one ? dls__k_##i : (T)(begin + (dls__p_##i->first + (uint64_t)dls__k_##i) * \
						  (uint64_t)DLS__STEP(dls__o_##i)), \
		     dls__go_##i = (dls__left_##i = 1); dls__go_##i; (void)i, dls__left_##i = dls__go_##i = 0)

#endif
