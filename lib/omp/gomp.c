/* gomp.c - libgomp's regions and barriers, as gcc compiles calls of them into programs. */
#include "lib/omp/gomp.h"

/* A region about to run: its function, and the loop that is the whole region. */
struct region {
	_Alignas(128) const void *reductions;	/* task reductions, where the runtime looks for them */
	void (*function)(void *);
	void *data;
	const struct dls__spot *spot;	/* of the loop; NULL: there is none, or it is passed */
	uint64_t n, begin, end, step;
	struct dls__scene scene;
	uint64_t multiple;
	const struct dls_schedule *like;
};

static void open_combined(struct dls__place *p, const struct region *r)
{
	p->range = (struct dls__index_range){ .begin = r->begin, .end = r->end, .step = r->step, .down = (int64_t)r->step < 0 };
	if (r->spot->does == DLS__TAKES) {
		dls__place_open(p, r->spot, r->n, r->multiple, r->like);
	} else {
		p->watch.first.n = 0;
		dls__place_watch(p, r->spot, r->n, r->like, false, dls__gomp_take);
	}
}

static void run(struct region *r, struct dls__place *p)
{
	dls__place_enter(p, &r->scene);
	if (r->spot)
		open_combined(p, r);
	if (r->scene.spot && r->scene.virtual)
		dls__scene_deal(p, r->function, r->data);
	else
		r->function(r->data);
	dls__place_leave(p);
}

/* Run a region's function if there was no memory for a place. */
static __attribute__((noinline)) void enter_here(struct region *r)
{
	struct dls__place place;

	run(r, &place);
}

/* Called by the runtime on each thread of a region, in place of the region's function, which it calls. */
static void enter(void *data)
{
	struct dls__place *p = dls__place_new();

	if (p) {
		run(data, p);
		dls__place_keep(p);
	} else {
		enter_here(data);
	}
}

static inline void open_region(struct region *r, void (*function)(void *), void *data, const struct dls__spot *spot,
			       const void *call, unsigned threads, bool loop)
{
	dls__mixes();
	r->function = function;
	r->data = data;
	r->spot = NULL;
	dls__scene_open(&r->scene, spot, NULL, call, threads, loop);
}

/* A region's spot is its function: unlike the call's address, it is in the right module even after tail
 * calls. */
#define SPOT_OF(function) dls__spot((const void *)(uintptr_t)(function), DLS__OF_GOMP)

void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags)
{
	const struct dls__spot *spot = SPOT_OF(function);
	struct region r;

	if (!dls__settings.active || !spot->open) {
		dls__runtime_for(spot)->GOMP_parallel(function, data, threads, flags);
		return;
	}
	open_region(&r, function, data, spot, CALL, threads, false);
	spot->runtime->GOMP_parallel(enter, &r, threads, flags);
	dls__scene_close(&r.scene);
}

void GOMP_parallel_sections(void (*function)(void *), void *data, unsigned threads, unsigned count, unsigned flags)
{
	const struct dls__spot *spot = SPOT_OF(function);
	struct region r;

	if (!dls__settings.active || !spot->open) {
		dls__runtime_for(spot)->GOMP_parallel_sections(function, data, threads, count, flags);
		return;
	}
	open_region(&r, function, data, spot, CALL, threads, true);
	spot->runtime->GOMP_parallel_sections(enter, &r, threads, count, flags);
	dls__scene_close(&r.scene);
}

unsigned GOMP_parallel_reductions(void (*function)(void *), void *data, unsigned threads, unsigned flags)
{
	const struct dls__spot *spot = SPOT_OF(function);
	struct region r;
	unsigned result;

	if (!dls__settings.active || !spot->open)
		return dls__runtime_for(spot)->GOMP_parallel_reductions(function, data, threads, flags);
	open_region(&r, function, data, spot, CALL, threads, true);
	memcpy(&r.reductions, data, sizeof(r.reductions));
	result = spot->runtime->GOMP_parallel_reductions(enter, &r, threads, flags);
	dls__scene_close(&r.scene);
	return result;
}

/* Run a region that is one loop.  False: the loop is not taken, and the caller must pass the region to the runtime. */
static bool combined(struct region *r, const struct dls__spot *spot, const void *call, int kind, enum dls__foreign_order order,
		     unsigned threads, long begin, long end, long step, long chunk)
{
	dls__spot_knows(spot, NULL, call, order);
	if (spot->does == DLS__PASSES)
		return false;
	r->spot = spot;
	r->n = dls__gomp_count(begin, end, step);
	r->begin = (uint64_t)begin;
	r->end = (uint64_t)end;
	r->step = (uint64_t)step;
	r->multiple = dls__gomp_multiple((uint64_t)chunk);
	if (spot->does == DLS__TAKES)
		r->like = dls__gomp_own(spot->runtime, kind, (uint64_t)chunk, r->n,
					threads ? threads : (unsigned)spot->runtime->omp_get_max_threads());
	else
		r->like = dls__gomp_like(spot->runtime, kind, (uint64_t)chunk);
	return spot->does == DLS__TAKES;
}

#define COMBINED(name, kind, order, chunk, ...) \
	const struct dls__spot *spot = SPOT_OF(function); \
	struct region r; \
\
	if (!dls__settings.active || !spot->open) { \
		dls__runtime_for(spot)->name(function, data, threads, begin, end, step, __VA_ARGS__); \
		return; \
	} \
	open_region(&r, function, data, spot, CALL, threads, true); \
	if (combined(&r, spot, CALL, kind, order, threads, begin, end, step, chunk)) \
		spot->runtime->GOMP_parallel(enter, &r, threads, flags); \
	else \
		spot->runtime->name(enter, &r, threads, begin, end, step, __VA_ARGS__); \
	dls__scene_close(&r.scene);


#define CHUNKED(kind_name, kind, order) \
void GOMP_parallel_loop_##kind_name(void (*function)(void *), void *data, unsigned threads, long begin, long end, long step, \
					   long chunk, unsigned flags) \
{ \
	COMBINED(GOMP_parallel_loop_##kind_name, kind, order, chunk, chunk, flags) \
}
CHUNKED(dynamic, DLS__DYNAMIC_KIND, DLS__IN_ORDER)
CHUNKED(nonmonotonic_dynamic, DLS__DYNAMIC_KIND, DLS__ANY_ORDER_IF_ASKED)
CHUNKED(guided, DLS__GUIDED_KIND, DLS__IN_ORDER)
CHUNKED(nonmonotonic_guided, DLS__GUIDED_KIND, DLS__ANY_ORDER_IF_ASKED)

#define RUNTIME(kind_name, order) \
void GOMP_parallel_loop_##kind_name(void (*function)(void *), void *data, unsigned threads, long begin, long end, long step, \
					   unsigned flags) \
{ \
	COMBINED(GOMP_parallel_loop_##kind_name, -1, order, 0, flags) \
}
RUNTIME(runtime, DLS__IN_ORDER)
RUNTIME(maybe_nonmonotonic_runtime, DLS__ANY_ORDER_IF_ASKED)
RUNTIME(nonmonotonic_runtime, DLS__ANY_ORDER)

/* End the thread's loop, complete or cancelled, unless the runtime deals it.  False: the runtime deals it. */
static inline bool taken(void)
{
	struct dls__place *p = dls__place;

	if (!p || p->mode == DLS__NO_LOOP || !dls__place_within(p))
		return false;
	return (dls__place_end(p) & 1) == (DLS__TAKEN & 1);
}

/* The runtime's own loop ends. */
static inline const struct dls__runtime *native(const struct dls__spot *spot)
{
	const struct dls__runtime *runtime = dls__runtime_for(spot);

	if (dls__place && dls__place->aside)
		dls__place_step_back();
	return runtime;
}

void GOMP_loop_end(void)
{
	const struct dls__spot *spot;
	bool ours;

	if (!dls__place) {
		PASSED_TO(DLS__OF_GOMP)->GOMP_loop_end();
		return;
	}
	spot = CALLER(DLS__OF_GOMP);
	ours = taken();
	dls__place_arrive();
	if (ours)
		dls__place->runtime->GOMP_barrier();
	else
		native(spot)->GOMP_loop_end();
	dls__place_pass(spot);
}

void GOMP_loop_end_nowait(void)
{
	if (!dls__place)
		PASSED_TO(DLS__OF_GOMP)->GOMP_loop_end_nowait();
	else if (!taken())
		native(CALLER(DLS__OF_GOMP))->GOMP_loop_end_nowait();
}

bool GOMP_loop_end_cancel(void)
{
	const struct dls__spot *spot = CALLER(DLS__OF_GOMP);

	return taken() ? dls__place->runtime->GOMP_barrier_cancel() : native(spot)->GOMP_loop_end_cancel();
}

void GOMP_barrier(void)
{
	const struct dls__spot *spot;

	if (!dls__place) {
		PASSED_TO(DLS__OF_GOMP)->GOMP_barrier();
		return;
	}
	spot = CALLER(DLS__OF_GOMP);
	dls__place_arrive();
	dls__runtime_for(spot)->GOMP_barrier();
	dls__place_pass(spot);
}

void GOMP_sections_end(void)
{
	const struct dls__spot *spot;

	if (!dls__place) {
		PASSED_TO(DLS__OF_GOMP)->GOMP_sections_end();
		return;
	}
	spot = CALLER(DLS__OF_GOMP);
	dls__place_arrive();
	dls__runtime_for(spot)->GOMP_sections_end();
	dls__place_pass(spot);
}

bool GOMP_barrier_cancel(void)
{
	dls__mixes();
	return dls__runtime_for(CALLER(DLS__OF_GOMP))->GOMP_barrier_cancel();
}
