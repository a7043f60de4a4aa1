/* gomp.c - libgomp's regions and barriers, as gcc compiles calls of them into programs. */
#include "lib/omp/gomp.h"

/* A region about to run: its function, and the loop that is the whole region. */
struct region {
	_Alignas(128) const void *reductions;	/* task reductions, where the runtime looks for them */
	void (*function)(void *);
	void *data;
	const struct dls__call_site *call_site;	/* of the loop; NULL: there is none, or it is passed */
	uint64_t n, begin, end, step;
	struct dls__omp_region omp;
	uint64_t multiple;
	const struct dls_schedule *like;
};

static void open_combined(struct dls__omp_thread *t, const struct region *r)
{
	t->range = (struct dls__index_range){ .begin = r->begin, .end = r->end, .step = r->step,
					      .down = (int64_t)r->step < 0 };
	if (r->call_site->action == DLS__TAKES) {
		dls__omp_loop_open(t, r->call_site, r->n, r->multiple, r->like);
	} else {
		t->native.first.n = 0;
		dls__omp_loop_measure(t, r->call_site, r->n, r->like, false, dls__gomp_take);
	}
}

static void run(struct region *r, struct dls__omp_thread *t)
{
	dls__omp_thread_enter(t, &r->omp);
	if (r->call_site)
		open_combined(t, r);
	if (r->omp.call_site && r->omp.virtual)
		dls__omp_region_work_share(t, r->function, r->data);
	else
		r->function(r->data);
	dls__omp_thread_leave(t);
}

/* Run a region's function if there was no memory for the thread's record. */
static __attribute__((noinline)) void enter_here(struct region *r)
{
	struct dls__omp_thread thread;

	run(r, &thread);
}

/* Called by the runtime on each thread of a region, in place of the region's function, which it calls. */
static void enter(void *data)
{
	struct dls__omp_thread *t = dls__omp_thread_new();

	if (t) {
		run(data, t);
		dls__omp_thread_keep(t);
	} else {
		enter_here(data);
	}
}

static inline void open_region(struct region *r, void (*function)(void *), void *data,
			       const struct dls__call_site *call_site, const void *call, unsigned threads,
			       bool loop)
{
	dls__mixes();
	r->function = function;
	r->data = data;
	r->call_site = NULL;
	dls__omp_region_open(&r->omp, call_site, NULL, call, threads, loop);
}

/* A region's call site is known by its function's address: unlike the call's, that is in the right module,
 * even after tail calls. */
#define CALL_SITE_OF(function) dls__call_site((const void *)(uintptr_t)(function), DLS__OF_GOMP)

void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags)
{
	const struct dls__call_site *call_site = CALL_SITE_OF(function);
	struct region r;

	if (!dls__settings.active || !call_site->open) {
		dls__runtime_for(call_site)->GOMP_parallel(function, data, threads, flags);
		return;
	}
	open_region(&r, function, data, call_site, CALL, threads, false);
	call_site->runtime->GOMP_parallel(enter, &r, threads, flags);
	dls__omp_region_close(&r.omp);
}

void GOMP_parallel_sections(void (*function)(void *), void *data, unsigned threads, unsigned count, unsigned flags)
{
	const struct dls__call_site *call_site = CALL_SITE_OF(function);
	struct region r;

	if (!dls__settings.active || !call_site->open) {
		dls__runtime_for(call_site)->GOMP_parallel_sections(function, data, threads, count, flags);
		return;
	}
	open_region(&r, function, data, call_site, CALL, threads, true);
	call_site->runtime->GOMP_parallel_sections(enter, &r, threads, count, flags);
	dls__omp_region_close(&r.omp);
}

unsigned GOMP_parallel_reductions(void (*function)(void *), void *data, unsigned threads, unsigned flags)
{
	const struct dls__call_site *call_site = CALL_SITE_OF(function);
	struct region r;
	unsigned result;

	if (!dls__settings.active || !call_site->open)
		return dls__runtime_for(call_site)->GOMP_parallel_reductions(function, data, threads, flags);
	open_region(&r, function, data, call_site, CALL, threads, true);
	memcpy(&r.reductions, data, sizeof(r.reductions));
	result = call_site->runtime->GOMP_parallel_reductions(enter, &r, threads, flags);
	dls__omp_region_close(&r.omp);
	return result;
}

/* Run a region that is one loop.  False: the loop is not taken, and the caller must pass the region to the runtime. */
static bool combined(struct region *r, const struct dls__call_site *call_site, const void *call, int kind,
		     enum dls__foreign_order order, unsigned threads, long begin, long end, long step,
		     long chunk)
{
	dls__call_site_knows(call_site, NULL, call, order);
	if (call_site->action == DLS__PASSES)
		return false;
	r->call_site = call_site;
	r->n = dls__gomp_count(begin, end, step);
	r->begin = (uint64_t)begin;
	r->end = (uint64_t)end;
	r->step = (uint64_t)step;
	r->multiple = dls__gomp_multiple((uint64_t)chunk);
	if (call_site->action == DLS__TAKES)
		r->like = dls__gomp_own(call_site->runtime, kind, (uint64_t)chunk, r->n, threads ? threads :
					(unsigned)call_site->runtime->omp_get_max_threads());
	else
		r->like = dls__gomp_like(call_site->runtime, kind, (uint64_t)chunk);
	return call_site->action == DLS__TAKES;
}

#define COMBINED(name, kind, order, chunk, ...) \
	const struct dls__call_site *call_site = CALL_SITE_OF(function); \
	struct region r; \
\
	if (!dls__settings.active || !call_site->open) { \
		dls__runtime_for(call_site)->name(function, data, threads, begin, end, step, __VA_ARGS__); \
		return; \
	} \
	open_region(&r, function, data, call_site, CALL, threads, true); \
	if (combined(&r, call_site, CALL, kind, order, threads, begin, end, step, chunk)) \
		call_site->runtime->GOMP_parallel(enter, &r, threads, flags); \
	else \
		call_site->runtime->name(enter, &r, threads, begin, end, step, __VA_ARGS__); \
	dls__omp_region_close(&r.omp);


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
	struct dls__omp_thread *t = dls__omp_thread;

	if (!t || t->loop == DLS__NO_LOOP || !dls__omp_thread_within(t))
		return false;
	return (dls__omp_loop_end(t) & 1) == (DLS__TAKEN & 1);
}

/* The runtime's own loop ends. */
static inline const struct dls__runtime *native(const struct dls__call_site *call_site)
{
	const struct dls__runtime *runtime = dls__runtime_for(call_site);

	if (dls__omp_thread && dls__omp_thread->nested)
		dls__omp_nested_end();
	return runtime;
}

void GOMP_loop_end(void)
{
	const struct dls__call_site *call_site;
	bool ours;

	if (!dls__omp_thread) {
		PASSED_TO(DLS__OF_GOMP)->GOMP_loop_end();
		return;
	}
	call_site = CALLER(DLS__OF_GOMP);
	ours = taken();
	dls__omp_thread_arrive();
	if (ours)
		dls__omp_thread->runtime->GOMP_barrier();
	else
		native(call_site)->GOMP_loop_end();
	dls__omp_thread_pass(call_site);
}

void GOMP_loop_end_nowait(void)
{
	if (!dls__omp_thread)
		PASSED_TO(DLS__OF_GOMP)->GOMP_loop_end_nowait();
	else if (!taken())
		native(CALLER(DLS__OF_GOMP))->GOMP_loop_end_nowait();
}

bool GOMP_loop_end_cancel(void)
{
	const struct dls__call_site *call_site = CALLER(DLS__OF_GOMP);

	return taken() ? dls__omp_thread->runtime->GOMP_barrier_cancel() :
	       native(call_site)->GOMP_loop_end_cancel();
}

void GOMP_barrier(void)
{
	const struct dls__call_site *call_site;

	if (!dls__omp_thread) {
		PASSED_TO(DLS__OF_GOMP)->GOMP_barrier();
		return;
	}
	call_site = CALLER(DLS__OF_GOMP);
	dls__omp_thread_arrive();
	dls__runtime_for(call_site)->GOMP_barrier();
	dls__omp_thread_pass(call_site);
}

void GOMP_sections_end(void)
{
	const struct dls__call_site *call_site;

	if (!dls__omp_thread) {
		PASSED_TO(DLS__OF_GOMP)->GOMP_sections_end();
		return;
	}
	call_site = CALLER(DLS__OF_GOMP);
	dls__omp_thread_arrive();
	dls__runtime_for(call_site)->GOMP_sections_end();
	dls__omp_thread_pass(call_site);
}

bool GOMP_barrier_cancel(void)
{
	dls__mixes();
	return dls__runtime_for(CALLER(DLS__OF_GOMP))->GOMP_barrier_cancel();
}
