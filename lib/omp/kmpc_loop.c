/* kmpc_loop.c - libomp's loops, as clang compiles calls of them into programs. */
#include "lib/base/message.h"
#include "lib/omp/gomp.h"

enum { CHUNKED = 33, STATIC, DYNAMIC = 35, GUIDED = 36, RUNTIME = 37, AUTO = 38, GUIDED_SIMD = 46, RUNTIME_SIMD = 47 };
enum { MONOTONIC = 1 << 29, NONMONOTONIC = 1 << 30, IS_LOOP = 0x200 };

/* How a kind of loop is dealt: an enum dls__kind; -1: by schedule(runtime); -2: by a schedule that is not taken. */
static int kind_of(int schedule)
{
	switch (schedule & ~(MONOTONIC | NONMONOTONIC)) {
	case DYNAMIC:
		return DLS__DYNAMIC_KIND;
	case GUIDED:
	case GUIDED_SIMD:
	case AUTO:
		return DLS__GUIDED_KIND;
	case RUNTIME:
	case RUNTIME_SIMD:
		return -1;
	default:
		return -2;
	}
}

/* Chunks must be multiples of this: schedule(simd: runtime) passes the width of vectors as its chunk; that of auto has no meaning. */
static uint64_t multiple_of(int schedule, int64_t chunk)
{
	int kind = schedule & ~(MONOTONIC | NONMONOTONIC);

	return chunk > 0 && kind != AUTO && kind != RUNTIME ? dls__gomp_multiple((uint64_t)chunk) : 0;
}

/* A loop that begins in the body of another loop belongs to a region that the library has not seen, or to another runtime. */
static enum dls__action begin_loop(const struct dls__call_site *call_site, const struct dls__ident *loc,
				   int schedule)
{
	struct dls__omp_thread *t = dls__omp_thread;
	bool inner;

	if (!dls__settings.active || !t)
		return DLS__PASSES;
	dls__omp_thread_mixes(t);
	inner = t->runtime != call_site->runtime || !dls__omp_thread_within(t);
	if (inner && !t->nested && t->loop != DLS__NO_LOOP) {
		dls__omp_nested_begin(dls__runtime_for(call_site));
		return DLS__PASSES;
	}
	dls__omp_thread_here();
	if (!call_site->open || kind_of(schedule) == -2)
		return DLS__PASSES;
	dls__call_site_knows(call_site, loc ? loc->source : NULL, NULL,
			     schedule & MONOTONIC ? DLS__IN_ORDER : DLS__ANY_ORDER_IF_ASKED);
	return dls__omp_thread_action(t, call_site);
}

/* A static loop's only chunk. */
static struct dls__chunk take_part(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__chunk chunk = dls__omp_thread_of(c)->native.first;

	(void)ticket;
	dls__omp_thread_of(c)->native.first.n = 0;
	return chunk.n ? chunk : dls__leave(c, 0);
}

/* Number of a worker's iterations under schedule(static, k), if its first one is `first` of n. */
static uint64_t cyclic(uint64_t n, uint64_t k, uint64_t first, unsigned workers)
{
	uint64_t round = k * workers, last = first + (n - 1 - first) / round * round;

	return (last - first) / workers + (k < n - last ? k : n - last);
}

/* A worker's iterations of a loop of n, from the first block that the runtime has given it. */
static struct dls__chunk static_part(uint64_t n, struct dls__chunk block, int schedule, uint64_t k,
				     const struct dls__team_state *state)
{
	uint64_t first;

	if (schedule == STATIC)
		return block;
	if (k < 1)
		k = 1;
	if (state->worker >= dls_ceil_div(n, k))
		return (struct dls__chunk){ 0, 0 };
	first = state->worker * k;
	/* At most one round; the length k P of a round may overflow. */
	if (k >= n / state->workers + (n % state->workers > 0))
		return (struct dls__chunk){ first, k < n - first ? k : n - first };
	return (struct dls__chunk){ first, cyclic(n, k, first, state->workers) };
}

/* Note of a static loop whether it is its whole region, by comparing the two source places, and what an entry
 * for the loop cannot do. */
static void note_static(const struct dls__omp_thread *t, const struct dls__call_site *call_site,
			const struct dls__ident *loc)
{
	const struct dls__call_site *region = t->region ? t->region->call_site : NULL;
	const char *whole = region ? t->region->source : NULL;
	bool alone = whole && loc->source && strcmp(whole, loc->source) == 0 &&
		     strcmp(call_site->name, call_site->offset);

	if (region)
		dls__call_site_relate(call_site, region);
	if (dls__call_site_has(call_site, DLS__WAS_STATIC | (alone ? 0 : DLS__WAS_PART)) &&
	    call_site->schedule && !(region && region->action == DLS__TAKES))
		dls__tell_user("%s: a static loop is dealt only as the whole of its region, so its entry in DLS_SCHEDULE "
			       "is not used for it", call_site->name);
}

/* Iterations of a range whose end is its last index. */
#define COUNT(lower, upper, step) \
	((step) > 0 ? (lower) <= (upper) ? ((uint64_t)(upper) - (uint64_t)(lower)) / (uint64_t)(step) + 1 : 0 : \
	 (lower) >= (upper) ? ((uint64_t)(lower) - (uint64_t)(upper)) / (0 - (uint64_t)(step)) + 1 : 0)

/* As in libomp, COUNT() wraps to 0 for a loop over all values of the type. */
#define LOOP(name, type, signed_type, unsigned_type) \
static struct dls__chunk take_##name(struct dls__cursor *c, uint64_t ticket) \
{ \
	struct dls__omp_thread *t = dls__omp_thread_of(c); \
	signed_type step; \
	type lower, upper; \
	uint64_t n; \
\
	(void)ticket; \
	t->native.last = 0; \
	if (!t->native.next.of_##name(t->native.loc, t->native.gtid, &t->native.last, \
				      &lower, &upper, &step)) \
		return dls__leave(c, 0); \
	n = COUNT(lower, upper, (signed_type)t->range.step); \
	return (struct dls__chunk){ COUNT((type)t->range.begin, lower, (signed_type)t->range.step) - 1, n }; \
} \
\
void __kmpc_dispatch_init_##name(struct dls__ident *loc, int gtid, int schedule, type lower, type upper, signed_type step, \
				 signed_type chunk) \
{ \
	const struct dls__call_site *call_site = CALLER(DLS__OF_KMPC); \
	enum dls__action action = begin_loop(call_site, loc, schedule); \
	uint64_t n = action == DLS__PASSES ? 0 : (unsigned_type)COUNT(lower, upper, step); \
	uint64_t of = chunk > 0 ? (uint64_t)chunk : 0; \
	struct dls__omp_thread *t = dls__omp_thread; \
	int kind = kind_of(schedule); \
\
	if (action != DLS__TAKES) \
		dls__runtime_for(call_site)->__kmpc_dispatch_init_##name(loc, gtid, schedule, lower, upper, \
									 step, chunk); \
	if (action == DLS__PASSES) \
		return; \
	t->range.begin = (uint64_t)lower; \
	t->range.step = (uint64_t)step; \
	if (action == DLS__TAKES) { \
		dls__omp_loop_open(t, call_site, n, multiple_of(schedule, chunk), \
				   dls__gomp_like(t->runtime, kind, of)); \
		return; \
	} \
	t->native.loc = loc; \
	t->native.gtid = gtid; \
	t->native.next.of_##name = t->runtime->__kmpc_dispatch_next_##name; \
	dls__omp_loop_measure(t, call_site, n, dls__gomp_like(t->runtime, kind, of), false, take_##name); \
} \
\
int __kmpc_dispatch_next_##name(struct dls__ident *loc, int gtid, int *last, type *lower, type *upper, signed_type *step) \
{ \
	struct dls__omp_thread *t = dls__omp_thread; \
	struct dls__chunk chunk; \
	int more; \
\
	/* Last case: libomp's GOMP_ functions call this one in a loop that is measured through them. */ \
	if (!t || t->loop == DLS__NO_LOOP || \
	    (t->loop == DLS__MEASURED && t->cursor.native != take_##name)) { \
		more = dls__runtime_for(CALLER(DLS__OF_KMPC))->__kmpc_dispatch_next_##name(loc, gtid, last, lower, upper, step); \
		if (!more && t && t->nested) \
			dls__omp_nested_end(); \
		return more; \
	} \
	chunk = dls__omp_loop_next(t); \
	if (chunk.n == 0) \
		return 0; \
	/* Stays true: the thread's last chunk is the loop's last.  A runtime may reset its own flag. */ \
	if (last && t->loop == DLS__MEASURED) \
		*last = t->native.last; \
	else if (last && chunk.lo + chunk.n == t->cursor.head.n) \
		*last = 1; \
	*lower = (type)(t->range.begin + chunk.lo * t->range.step); \
	*upper = (type)(t->range.begin + (chunk.lo + chunk.n - 1) * t->range.step); \
	*step = (signed_type)t->range.step; \
	return 1; \
} \
\
void __kmpc_for_static_init_##name(struct dls__ident *loc, int gtid, int schedule, int *last, type *lower, type *upper, \
				   signed_type *stride, signed_type step, signed_type chunk) \
{ \
	const struct dls__call_site *call_site = CALLER(DLS__OF_KMPC); \
	struct dls__omp_thread *t = dls__omp_thread; \
	type first = *lower, end = *upper; \
	int kind = schedule & ~(MONOTONIC | NONMONOTONIC); \
	uint64_t n; \
\
	if (t && t->virtual && dls__omp_thread_within(t)) { \
		uint64_t lo, past; \
\
		n = COUNT(first, end, step); \
		lo = dls_static_begin(n, t->virtuals, t->virtual - 1); \
		past = dls_static_begin(n, t->virtuals, t->virtual); \
\
		*lower = (type)((uint64_t)first + lo * (uint64_t)step); \
		*upper = (type)((uint64_t)first + (past - 1) * (uint64_t)step); \
		*stride = (signed_type)n; \
		*last = past == n && lo < past; \
		if (lo == past) {	/* no iteration: empty in any type */ \
			*lower = step > 0 ? end : first; \
			*upper = step > 0 ? first : end; \
			if (n == 1) \
				*lower = (type)((uint64_t)*lower + (uint64_t)step); \
		} \
		return; \
	} \
	if (t) \
		dls__omp_thread_asks(t, kind == STATIC && loc && loc->flags & IS_LOOP ? DLS__ASKS_BLOCK : \
					DLS__ASKS_NUMBER); \
	if (call_site->open && t && t->runtime == call_site->runtime) \
		dls__omp_thread_here(); \
	dls__runtime_for(call_site)->__kmpc_for_static_init_##name(loc, gtid, schedule, last, lower, upper, \
								   stride, step, chunk); \
	if (!dls__settings.active || !t || !call_site->open || !loc || !(loc->flags & IS_LOOP) || \
	    step == 0 || (kind != STATIC && kind != CHUNKED)) \
		return; \
	dls__call_site_knows(call_site, loc->source, NULL, DLS__ENTRY_ALONE); \
	note_static(t, call_site, loc); \
	if (!dls__measuring() || !call_site->site || t->runtime != call_site->runtime || \
	    t->loop != DLS__NO_LOOP || !dls__omp_thread_within(t)) \
		return; \
	t->range.begin = (uint64_t)first; \
	n = COUNT(first, end, step); \
	t->native.first = static_part(n, (struct dls__chunk){ COUNT(first, *lower, step) - 1, \
							     COUNT(*lower, *upper, step) }, \
				      kind, (uint64_t)chunk, &t->state); \
	dls__omp_loop_measure(t, call_site, n, \
			      dls__schedule_like(DLS__STATIC_KIND, kind == STATIC ? 0 : (uint64_t)chunk), \
			      kind == CHUNKED, take_part); \
	dls__omp_loop_next(t); \
}

LOOP(4, int32_t, int32_t, uint32_t)
LOOP(4u, uint32_t, int32_t, uint32_t)
LOOP(8, int64_t, int64_t, uint64_t)
LOOP(8u, uint64_t, int64_t, uint64_t)

void __kmpc_for_static_fini(struct dls__ident *loc, int gtid)
{
	const struct dls__call_site *call_site = CALLER(DLS__OF_KMPC);
	struct dls__omp_thread *t = dls__omp_thread;

	if (t && t->virtual && dls__omp_thread_within(t))
		return;
	if (t && t->loop == DLS__MEASURED && t->runtime == call_site->runtime && dls__omp_thread_within(t)) {
		dls__omp_loop_next(t);
		dls__omp_loop_end(t);
	}
	dls__runtime_for(call_site)->__kmpc_for_static_fini(loc, gtid);
}

void __kmpc_doacross_init(struct dls__ident *loc, int gtid, int dimensions, const void *dimension)
{
	if (dls__omp_thread)
		dls__omp_thread->doacross = true;
	dls__runtime_for(CALLER(DLS__OF_KMPC))->__kmpc_doacross_init(loc, gtid, dimensions, dimension);
}

void __kmpc_doacross_fini(struct dls__ident *loc, int gtid)
{
	if (dls__omp_thread)
		dls__omp_thread->doacross = false;
	dls__runtime_for(CALLER(DLS__OF_KMPC))->__kmpc_doacross_fini(loc, gtid);
}
