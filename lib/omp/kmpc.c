/* kmpc.c - libomp's functions, as clang compiles calls of them into programs. */
#include <stdarg.h>
#include <unistd.h>

#include "lib/base/message.h"
#include "lib/omp/gomp.h"

enum { ARGUMENTS = 64, MANY = 1024 };	/* a region with more than the first is passed on */

/* A region about to run. */
struct region {
	dls__microtask *function;
	struct dls__scene scene;
	int arguments;
	void *argument[ARGUMENTS];
};

/* Calling conventions leave arguments that a function has not to the caller. */
#define A4(i) a[i], a[i + 1], a[i + 2], a[i + 3]
#define A16(i) A4(i), A4(i + 4), A4(i + 8), A4(i + 12)
#define A64(i) A16(i), A16(i + 16), A16(i + 32), A16(i + 48)
#define A256(i) A64(i), A64(i + 64), A64(i + 128), A64(i + 192)
static void call(const struct region *r, int *gtid, int *btid)
{
	void *const *a = r->argument;

	if (r->arguments <= 4)
		r->function(gtid, btid, A4(0));
	else if (r->arguments <= 16)
		r->function(gtid, btid, A16(0));
	else
		r->function(gtid, btid, A64(0));
}

struct call {
	const struct region *region;
	int *gtid, *btid;
};

static void call_again(void *arg)
{
	const struct call *c = arg;

	call(c->region, c->gtid, c->btid);
}

/* Stands before a region's function on each of its threads. */
static void enter(int *gtid, int *btid, ...)
{
	struct region *r;
	struct dls__place place;
	va_list arguments;

	va_start(arguments, btid);
	r = va_arg(arguments, struct region *);
	va_end(arguments);
	dls__place_enter(&place, &r->scene);
	if (r->scene.spot && r->scene.virtual)
		dls__scene_deal(&place, call_again, &(struct call){ r, gtid, btid });
	else
		call(r, gtid, btid);
	dls__place_leave(&place);
}

/* Passed on as it is. */
static void fork_plainly(const struct dls__runtime *runtime, struct dls__ident *loc, int n, dls__microtask *function,
			 void *const *a)
{
	if (n <= 4)
		runtime->__kmpc_fork_call(loc, n, function, A4(0));
	else if (n <= 16)
		runtime->__kmpc_fork_call(loc, n, function, A16(0));
	else if (n <= ARGUMENTS)
		runtime->__kmpc_fork_call(loc, n, function, A64(0));
	else
		runtime->__kmpc_fork_call(loc, n, function, A256(0), A256(256), A256(512), A256(768));
}

static void fork_many(const struct dls__runtime *runtime, struct dls__ident *loc, int n, dls__microtask *function, va_list list)
{
	void *argument[MANY];

	if (n > MANY) {
		dls__message("a region has %d arguments; up to %d are passed on", n, MANY);
		_exit(127);
	}
	for (int i = 0; i < MANY; i++)
		argument[i] = i < n ? va_arg(list, void *) : NULL;
	fork_plainly(runtime, loc, n, function, argument);
}

void __kmpc_fork_call(struct dls__ident *loc, int arguments, dls__microtask *function, ...)
{
	const struct dls__spot *spot = dls__spot((const void *)(uintptr_t)function, DLS__OF_KMPC);
	struct region r;
	va_list list;

	r.function = function;
	r.arguments = arguments;
	va_start(list, function);
	if (arguments > ARGUMENTS)
		fork_many(dls__runtime_for(spot), loc, arguments, function, list);
	else
		for (int i = 0; i < arguments; i++)
			r.argument[i] = va_arg(list, void *);
	va_end(list);
	if (arguments > ARGUMENTS)
		return;
	if (!dls__settings.active || !spot->open) {
		fork_plainly(dls__runtime_for(spot), loc, arguments, function, r.argument);
		return;
	}
	dls__mixes();
	dls__scene_open(&r.scene, spot, loc ? loc->source : NULL, CALL, 0, false);
	spot->runtime->__kmpc_fork_call(loc, 1, enter, &r);
	dls__scene_close(&r.scene);
}

/* libomp 16 and later: where the condition does not hold, the thread calls the function by itself. */
void __kmpc_fork_call_if(struct dls__ident *loc, int arguments, dls__microtask *function, int condition, void *argument)
{
	const struct dls__spot *spot = dls__spot((const void *)(uintptr_t)function, DLS__OF_KMPC);

	if (condition && arguments <= 1)
		__kmpc_fork_call(loc, arguments, function, argument);
	else
		dls__runtime_for(spot)->__kmpc_fork_call_if(loc, arguments, function, condition, argument);
}

/* The place of a thread that comes to a loop or a barrier; a cancelled loop is over there. */
static inline struct dls__place *place_here(void)
{
	struct dls__place *p = dls__place;

	if (p && p->mode != DLS__NO_LOOP && dls__place_within(p))
		dls__place_end(p);
	return p;
}

enum { STATIC = 34, DYNAMIC = 35, GUIDED = 36, RUNTIME = 37, AUTO = 38, GUIDED_SIMD = 46, RUNTIME_SIMD = 47 };
enum { MONOTONIC = 1 << 29, NONMONOTONIC = 1 << 30, IS_LOOP = 0x200 };

/* How a kind of loop is dealt: an enum dls__kind, -1: by schedule(runtime), -2: by what is not taken. */
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

/* A loop that begins within another one's body belongs to a region that was not seen, or to another runtime. */
static enum dls__does begin_loop(const struct dls__spot *spot, const struct dls__ident *loc, int schedule)
{
	struct dls__place *p = dls__place;
	bool inner;

	if (!dls__settings.active || !p)
		return DLS__PASSES;
	dls__place_mixes(p);
	inner = p->runtime != spot->runtime || !dls__place_within(p);
	if (inner && !p->aside && p->mode != DLS__NO_LOOP) {
		dls__place_step_aside(dls__runtime_for(spot));
		return DLS__PASSES;
	}
	place_here();
	if (!spot->open || kind_of(schedule) == -2)
		return DLS__PASSES;
	dls__spot_knows(spot, loc ? loc->source : NULL, NULL, schedule & MONOTONIC ? DLS__IN_ORDER : DLS__ANY_ORDER_IF_ASKED);
	return dls__place_does(p, spot);
}

/* Iterations of a range whose end is its last index. */
#define COUNT(lower, upper, step) \
	((step) > 0 ? (lower) <= (upper) ? ((uint64_t)(upper) - (uint64_t)(lower)) / (uint64_t)(step) + 1 : 0 : \
	 (lower) >= (upper) ? ((uint64_t)(lower) - (uint64_t)(upper)) / (0 - (uint64_t)(step)) + 1 : 0)

#define LOOP(name, type, signed_type) \
static struct dls__chunk take_##name(struct dls__cursor *c, uint64_t ticket) \
{ \
	struct dls__place *p = dls__place_of(c); \
	signed_type step; \
	type lower, upper; \
	uint64_t n; \
\
	(void)ticket; \
	p->last = 0; \
	if (!p->next.of_##name(p->loc, p->gtid, &p->last, &lower, &upper, &step)) \
		return dls__foreign_over(c); \
	n = COUNT(lower, upper, (signed_type)p->step); \
	return (struct dls__chunk){ COUNT((type)p->begin, lower, (signed_type)p->step) - 1, n }; \
} \
\
void __kmpc_dispatch_init_##name(struct dls__ident *loc, int gtid, int schedule, type lower, type upper, signed_type step, \
				 signed_type chunk) \
{ \
	const struct dls__spot *spot = CALLER(DLS__OF_KMPC); \
	enum dls__does does = begin_loop(spot, loc, schedule); \
	uint64_t n = does == DLS__PASSES ? 0 : COUNT(lower, upper, step), of = chunk > 0 ? (uint64_t)chunk : 0; \
	struct dls__place *p = dls__place; \
	int kind = kind_of(schedule); \
\
	if (does != DLS__TAKES) \
		dls__runtime_for(spot)->__kmpc_dispatch_init_##name(loc, gtid, schedule, lower, upper, step, chunk); \
	if (does == DLS__PASSES) \
		return; \
	p->begin = (uint64_t)lower; \
	p->step = (uint64_t)step; \
	if (does == DLS__TAKES) { \
		dls__place_open(p, spot, n, kind < 0 ? 0 : dls__gomp_multiple((enum dls__kind)kind, of)); \
		return; \
	} \
	p->loc = loc; \
	p->gtid = gtid; \
	p->next.of_##name = p->runtime->__kmpc_dispatch_next_##name; \
	dls__place_watch(p, spot, n, dls__gomp_like(p->runtime, kind, of), take_##name); \
} \
\
int __kmpc_dispatch_next_##name(struct dls__ident *loc, int gtid, int *last, type *lower, type *upper, signed_type *step) \
{ \
	struct dls__place *p = dls__place; \
	struct dls__chunk chunk; \
	int more; \
\
	/* libomp's functions of libgomp's names come here from a loop that is watched by those. */ \
	if (!p || p->mode == DLS__NO_LOOP || (p->mode == DLS__WATCHED && p->cursor.native.take != take_##name)) { \
		more = dls__runtime_for(CALLER(DLS__OF_KMPC))->__kmpc_dispatch_next_##name(loc, gtid, last, lower, upper, step); \
		if (!more && p && p->aside) \
			dls__place_step_back(); \
		return more; \
	} \
	chunk = dls__place_next(p); \
	if (chunk.n == 0) \
		return 0; \
	/* Once set it stays: what the thread runs last is the loop's last chunk.  The runtime's own may change. */ \
	if (last && p->mode == DLS__WATCHED) \
		*last = p->last; \
	else if (last && chunk.lo + chunk.n == p->cursor.head.N) \
		*last = 1; \
	*lower = (type)(p->begin + chunk.lo * p->step); \
	*upper = (type)(p->begin + (chunk.lo + chunk.n - 1) * p->step); \
	*step = (signed_type)p->step; \
	return 1; \
} \
\
static struct dls__chunk take_block_##name(struct dls__cursor *c, uint64_t ticket) \
{ \
	struct dls__chunk chunk = dls__place_of(c)->first; \
\
	(void)ticket; \
	dls__place_of(c)->first.n = 0; \
	return chunk.n ? chunk : dls__foreign_over(c); \
} \
\
/* Each thread gets one block. */ \
void __kmpc_for_static_init_##name(struct dls__ident *loc, int gtid, int schedule, int *last, type *lower, type *upper, \
				   signed_type *stride, signed_type step, signed_type chunk) \
{ \
	const struct dls__spot *spot = CALLER(DLS__OF_KMPC); \
	struct dls__place *p = dls__place; \
	type first = *lower, end = *upper; \
\
	if (p && p->virtual && dls__place_within(p)) { \
		uint64_t n = COUNT(first, end, step), lo = dls_static_begin(n, p->virtuals, p->virtual - 1); \
		uint64_t past = dls_static_begin(n, p->virtuals, p->virtual); \
\
		*lower = (type)((uint64_t)first + lo * (uint64_t)step); \
		*upper = (type)((uint64_t)first + (past - 1) * (uint64_t)step); \
		*stride = (signed_type)n; \
		*last = past == n && lo < past; \
		if (lo == past) {	/* none, whatever the type; n = 0 is left to the program */ \
			*lower = step > 0 ? end : first; \
			*upper = step > 0 ? first : end; \
			if (n == 1) \
				*lower = (type)((uint64_t)*lower + (uint64_t)step); \
		} \
		return; \
	} \
	if (p) \
		p->calls += (schedule & ~(MONOTONIC | NONMONOTONIC)) == STATIC && loc && loc->flags & IS_LOOP ? DLS__ASKS_BLOCK : 1; \
	if (spot->open && p && p->runtime == spot->runtime) \
		place_here(); \
	dls__runtime_for(spot)->__kmpc_for_static_init_##name(loc, gtid, schedule, last, lower, upper, stride, step, chunk); \
	if (!dls__settings.active || !p || !spot->open || !loc || !(loc->flags & IS_LOOP) || step == 0 || \
	    (schedule & ~(MONOTONIC | NONMONOTONIC)) != STATIC) \
		return; \
	dls__spot_knows(spot, loc->source, NULL, DLS__IN_ORDER); \
	if (!dls__watching() || !spot->site || p->runtime != spot->runtime || p->mode != DLS__NO_LOOP || \
	    !dls__place_within(p)) \
		return; \
	p->begin = (uint64_t)first; \
	p->first.lo = COUNT(first, *lower, step) - 1; \
	p->first.n = COUNT(*lower, *upper, step); \
	if (dls__place_watch(p, spot, COUNT(first, end, step), dls__schedule_like(DLS__STATIC_KIND, 0), take_block_##name)) \
		dls__place_next(p); \
}

LOOP(4, int32_t, int32_t)
LOOP(4u, uint32_t, int32_t)
LOOP(8, int64_t, int64_t)
LOOP(8u, uint64_t, int64_t)

void __kmpc_for_static_fini(struct dls__ident *loc, int gtid)
{
	const struct dls__spot *spot = CALLER(DLS__OF_KMPC);
	struct dls__place *p = dls__place;

	if (p && p->virtual && dls__place_within(p))
		return;
	if (p && p->mode == DLS__WATCHED && p->runtime == spot->runtime && dls__place_within(p)) {
		dls__place_next(p);
		dls__place_end(p);
	}
	dls__runtime_for(spot)->__kmpc_for_static_fini(loc, gtid);
}

void __kmpc_doacross_init(struct dls__ident *loc, int gtid, int dimensions, const void *dimension)
{
	if (dls__place)
		dls__place->doacross = true;
	dls__runtime_for(CALLER(DLS__OF_KMPC))->__kmpc_doacross_init(loc, gtid, dimensions, dimension);
}

void __kmpc_doacross_fini(struct dls__ident *loc, int gtid)
{
	if (dls__place)
		dls__place->doacross = false;
	dls__runtime_for(CALLER(DLS__OF_KMPC))->__kmpc_doacross_fini(loc, gtid);
}

void __kmpc_barrier(struct dls__ident *loc, int gtid)
{
	const struct dls__spot *spot = CALLER(DLS__OF_KMPC);

	if (spot->open) {
		dls__place_arrive();
		place_here();
	}
	dls__runtime_for(spot)->__kmpc_barrier(loc, gtid);
	if (spot->open)
		dls__place_pass(spot);
}

int __kmpc_cancel_barrier(struct dls__ident *loc, int gtid)
{
	const struct dls__spot *spot = CALLER(DLS__OF_KMPC);

	if (spot->open) {
		dls__mixes();
		place_here();
	}
	return dls__runtime_for(spot)->__kmpc_cancel_barrier(loc, gtid);
}
