/* gomp_loop.c - libgomp's loops, as gcc compiles calls of them into programs. */
#include "lib/omp/gomp.h"
#include "sched/chunk/first.h"

/* The schedule that omp_get_schedule() reports, with which the runtime deals a schedule(runtime) loop. */
static const struct dls_schedule *like_runtime(const struct dls__runtime *r)
{
	enum { STATIC = 1, DYNAMIC = 2, GUIDED = 3 };
	int kind, chunk;

	r->omp_get_schedule(&kind, &chunk);
	kind &= 0x7fffffff;
	return dls__schedule_like(kind == DYNAMIC ? DLS__DYNAMIC_KIND : kind == GUIDED ? DLS__GUIDED_KIND : DLS__STATIC_KIND,
				  chunk > 0 ? (uint64_t)chunk : 0);
}

const struct dls_schedule *dls__gomp_like(const struct dls__runtime *r, int kind, uint64_t chunk)
{
	return kind < 0 ? like_runtime(r) : dls__schedule_like((enum dls__kind)kind, chunk);
}

/* An unset schedule(runtime) gets a chunk of 1, 8 or 64: few values, since a class of sizes is
 * forgotten when its first schedule becomes another one. */
const struct dls_schedule *dls__gomp_own(const struct dls__runtime *r, int kind, uint64_t chunk, uint64_t n, unsigned workers)
{
	const struct dls_schedule *like = dls__gomp_like(r, kind, chunk), *single = dls__schedule_like(DLS__DYNAMIC_KIND, 0);
	unsigned power = dls__first_power(workers, n);

	if (kind >= 0 || dls__settings.scheduled || like != single)
		return like;
	return dls__schedule_like(DLS__DYNAMIC_KIND, (uint64_t)1 << (power < 6 ? power : 6) / 3 * 3);
}

static inline bool put(const struct dls__omp_thread *t, struct dls__chunk chunk, uint64_t *begin,
		       uint64_t *end)
{
	const struct dls__index_range *r = &t->range;

	dls__indices(chunk, t->cursor.head.n, r->begin, r->end, r->step, begin, end);
	return true;
}

/* Give the chunk of a ticket that dls__draw_equal() has not, or of none. */
static __attribute__((noinline)) bool give_slowly(struct dls__omp_thread *t, uint64_t ticket, uint64_t *begin,
						  uint64_t *end)
{
	struct dls__chunk chunk;

	if (!dls__look_up(&t->cursor.head, ticket, &chunk))
		chunk = t->cursor.head.take(&t->cursor, ticket);
	if (chunk.n)
		return put(t, chunk, begin, end);
	dls__omp_loop_done(t);
	return false;
}

/* Give the next chunk.  As little code as possible lies between two draws: see dls__draw_equal(). */
static inline __attribute__((always_inline)) bool give(struct dls__omp_thread *t, uint64_t *begin,
						       uint64_t *end)
{
	struct dls__chunk chunk;
	uint64_t ticket;

	return dls__draw_equal(&t->cursor.head, &ticket, &chunk) ? put(t, chunk, begin, end) :
	       give_slowly(t, ticket, begin, end);
}

static inline bool give_ull(struct dls__omp_thread *t, ull *begin, ull *end)
{
	uint64_t at, past;

	if (!give(t, &at, &past))
		return false;
	*begin = at;
	*end = past;
	return true;
}

/* The iterations of a chunk that the runtime has dealt.  The end of the loop's last chunk may lie anywhere
 * within the last step. */
static struct dls__chunk chunk_of(const struct dls__omp_thread *t, uint64_t begin, uint64_t end)
{
	const struct dls__index_range *r = &t->range;
	uint64_t step = r->down ? 0 - r->step : r->step, off = r->down ? r->begin - begin : begin - r->begin;
	uint64_t length = r->down ? begin - end : end - begin;

	return step == 1 ? (struct dls__chunk){ off, length } : (struct dls__chunk){ off / step, dls_ceil_div(length, step) };
}

struct dls__chunk dls__gomp_take(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__omp_thread *t = dls__omp_thread_of(c);
	struct dls__chunk chunk = t->native.first;
	long begin, end;

	(void)ticket;
	t->native.first.n = 0;
	if (chunk.n)
		return chunk;
	return t->native.next.of_long && t->native.next.of_long(&begin, &end) ?
	       chunk_of(t, (uint64_t)begin, (uint64_t)end) : dls__leave(c, 0);
}

static struct dls__chunk take_ull(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__omp_thread *t = dls__omp_thread_of(c);
	struct dls__chunk chunk = t->native.first;
	ull begin, end;

	(void)ticket;
	t->native.first.n = 0;
	if (chunk.n)
		return chunk;
	return t->native.next.of_ull && t->native.next.of_ull(&begin, &end) ?
	       chunk_of(t, begin, end) : dls__leave(c, 0);
}

/* Begin a loop; returns what to do with it. */
static inline enum dls__action begin_loop(const struct dls__call_site *call_site,
					  enum dls__foreign_order order)
{
	struct dls__omp_thread *t = dls__omp_thread;
	enum dls__action action;

	if (!t)
		return DLS__PASSES;
	dls__omp_thread_mixes(t);
	if (call_site->open)
		dls__call_site_knows(call_site, NULL, NULL, order);
	action = dls__omp_thread_action(t, call_site);
	if (action == DLS__PASSES && t->loop != DLS__NO_LOOP)
		dls__omp_nested_begin(dls__runtime_for(call_site));
	return action;
}

static inline void set_range(struct dls__omp_thread *t, bool down, uint64_t begin, uint64_t end,
			     uint64_t step)
{
	t->range = (struct dls__index_range){ .begin = begin, .end = end, .step = step, .down = down };
}

static bool start_long(const struct dls__call_site *call_site, long begin, long end, long step, long chunk,
		       int kind, long *first, long *past)
{
	struct dls__omp_thread *t = dls__omp_thread;
	uint64_t n = dls__gomp_count(begin, end, step);

	set_range(t, step < 0, (uint64_t)begin, (uint64_t)end, (uint64_t)step);
	dls__omp_loop_open(t, call_site, n, dls__gomp_multiple((uint64_t)chunk),
			   dls__gomp_own(call_site->runtime, kind, (uint64_t)chunk, n, t->state.workers));
	return give(t, (uint64_t *)first, (uint64_t *)past);
}

/* A step above half of the type's range has the bits of a negative step, so the direction comes as `up`. */
static uint64_t count_ull(bool up, ull begin, ull end, ull step)
{
	uint64_t length = up ? end - begin : begin - end, by = up ? step : 0 - step;

	return by && (up ? begin < end : begin > end) ? (length - 1) / by + 1 : 0;
}

static bool start_ull(const struct dls__call_site *call_site, bool up, ull begin, ull end, ull step,
		      ull chunk, int kind, ull *first, ull *past)
{
	struct dls__omp_thread *t = dls__omp_thread;
	uint64_t n = count_ull(up, begin, end, step);

	set_range(t, !up, begin, end, step);
	dls__omp_loop_open(t, call_site, n, dls__gomp_multiple(chunk),
			   dls__gomp_own(call_site->runtime, kind, chunk, n, t->state.workers));
	return give_ull(t, first, past);
}

/* Measure a loop that the runtime has begun: `any`, with the chunk from *first to *past. */
static bool measure_long(const struct dls__call_site *call_site, long begin, long end, long step,
			 const struct dls_schedule *as, bool any, long *first, long *past)
{
	struct dls__omp_thread *t = dls__omp_thread;

	set_range(t, step < 0, (uint64_t)begin, (uint64_t)end, (uint64_t)step);
	t->native.first = any ? chunk_of(t, (uint64_t)*first, (uint64_t)*past) : (struct dls__chunk){ 0, 0 };
	t->native.next.of_long = NULL;
	dls__omp_loop_measure(t, call_site, dls__gomp_count(begin, end, step), as, false, dls__gomp_take);
	return give(t, (uint64_t *)first, (uint64_t *)past);
}

static bool measure_ull(const struct dls__call_site *call_site, bool up, ull begin, ull end, ull step,
			const struct dls_schedule *as, bool any, ull *first, ull *past)
{
	struct dls__omp_thread *t = dls__omp_thread;

	set_range(t, !up, begin, end, step);
	t->native.first = any ? chunk_of(t, *first, *past) : (struct dls__chunk){ 0, 0 };
	t->native.next.of_ull = NULL;
	dls__omp_loop_measure(t, call_site, count_ull(up, begin, end, step), as, false, take_ull);
	return give_ull(t, first, past);
}


/* The functions of one kind of loop. */
#define RANGE_long begin, end, step
#define RANGE_ull up, begin, end, step
#define START(type, name, kind, order, chunk, ...) \
	const struct dls__call_site *call_site; \
	enum dls__action action; \
	bool any; \
\
	if (!dls__settings.active) \
		return PASSED_TO(DLS__OF_GOMP)->name(RANGE_##type, __VA_ARGS__); \
	call_site = CALLER(DLS__OF_GOMP); \
	action = begin_loop(call_site, order); \
	if (action == DLS__TAKES) \
		return start_##type(call_site, RANGE_##type, chunk, kind, first, past); \
	any = dls__runtime_for(call_site)->name(RANGE_##type, __VA_ARGS__); \
	if (action != DLS__MEASURES) \
		return any; \
	return measure_##type(call_site, RANGE_##type, \
			      dls__gomp_like(call_site->runtime, kind, (uint64_t)(chunk)), any, first, past);
#define NEXT(kind_name) \
static __attribute__((noinline)) bool next_##kind_name(long *first, long *past, const void *caller) \
{ \
	struct dls__omp_thread *t = dls__omp_thread; \
\
	if (!t || t->loop == DLS__NO_LOOP) \
		return dls__runtime_for(dls__call_site(caller, DLS__OF_GOMP)) \
		       ->GOMP_loop_##kind_name##_next(first, past); \
	t->native.next.of_long = t->runtime->GOMP_loop_##kind_name##_next; \
	return give(t, (uint64_t *)first, (uint64_t *)past); \
} \
bool GOMP_loop_##kind_name##_next(long *first, long *past) \
{ \
	struct dls__omp_thread *t = dls__omp_thread; \
	const struct dls__runtime *only; \
\
	if (__builtin_expect(t && t->loop == DLS__TAKEN, 1)) \
		return give(t, (uint64_t *)first, (uint64_t *)past); \
	/* acquire: pairs with the release in dls__runtime_of(). */ \
	only = atomic_load_explicit(&dls__only[DLS__OF_GOMP], memory_order_acquire); \
	return only ? only->GOMP_loop_##kind_name##_next(first, past) : \
	       next_##kind_name(first, past, (const char *)__builtin_return_address(0) - 1); \
} \
bool GOMP_loop_ull_##kind_name##_next(ull *first, ull *past) \
{ \
	struct dls__omp_thread *t = dls__omp_thread; \
\
	if (!t) \
		return PASSED_TO(DLS__OF_GOMP)->GOMP_loop_ull_##kind_name##_next(first, past); \
	if (t->loop == DLS__NO_LOOP) \
		return dls__runtime_for(CALLER(DLS__OF_GOMP))->GOMP_loop_ull_##kind_name##_next(first, past); \
	if (t->loop == DLS__MEASURED) \
		t->native.next.of_ull = t->runtime->GOMP_loop_ull_##kind_name##_next; \
	return give_ull(t, first, past); \
}
#define CHUNKED(kind_name, kind, order) \
bool GOMP_loop_##kind_name##_start(long begin, long end, long step, long chunk, long *first, long *past) \
{ \
	START(long, GOMP_loop_##kind_name##_start, kind, order, chunk, chunk, first, past) \
} \
bool GOMP_loop_ull_##kind_name##_start(bool up, ull begin, ull end, ull step, ull chunk, ull *first, ull *past) \
{ \
	START(ull, GOMP_loop_ull_##kind_name##_start, kind, order, chunk, chunk, first, past) \
} \
NEXT(kind_name)
#define RUNTIME(kind_name, order) \
bool GOMP_loop_##kind_name##_start(long begin, long end, long step, long *first, long *past) \
{ \
	START(long, GOMP_loop_##kind_name##_start, -1, order, 0, first, past) \
} \
bool GOMP_loop_ull_##kind_name##_start(bool up, ull begin, ull end, ull step, ull *first, ull *past) \
{ \
	START(ull, GOMP_loop_ull_##kind_name##_start, -1, order, 0, first, past) \
} \
NEXT(kind_name)

CHUNKED(dynamic, DLS__DYNAMIC_KIND, DLS__IN_ORDER)
CHUNKED(nonmonotonic_dynamic, DLS__DYNAMIC_KIND, DLS__ANY_ORDER_IF_ASKED)
CHUNKED(guided, DLS__GUIDED_KIND, DLS__IN_ORDER)
CHUNKED(nonmonotonic_guided, DLS__GUIDED_KIND, DLS__ANY_ORDER_IF_ASKED)
RUNTIME(runtime, DLS__IN_ORDER)
RUNTIME(maybe_nonmonotonic_runtime, DLS__ANY_ORDER_IF_ASKED)
RUNTIME(nonmonotonic_runtime, DLS__ANY_ORDER)
