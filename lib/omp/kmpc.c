/* kmpc.c - libomp's regions and barriers, as clang compiles calls of them into programs. */
#include <stdarg.h>
#include <unistd.h>

#include "lib/base/message.h"
#include "lib/omp/gomp.h"

enum { ARGUMENTS = 64, MANY = 1024 };	/* a region with more than ARGUMENTS is passed on */

/* A region about to run. */
struct region {
	dls__microtask *function;
	struct dls__omp_region omp;
	int arguments;
	void *argument[ARGUMENTS];
};

/* A function may be called with too many arguments: by the calling conventions it ignores them, and the
 * caller removes them. */
#define A4(i) a[i], a[i + 1], a[i + 2], a[i + 3]
#define A16(i) A4(i), A4(i + 4), A4(i + 8), A4(i + 12)
#define A64(i) A16(i), A16(i + 16), A16(i + 32), A16(i + 48)
#define A256(i) A64(i), A64(i + 64), A64(i + 128), A64(i + 192)
static __attribute__((noinline)) void call_many(const struct region *r, int *gtid, int *btid)
{
	void *const *a = r->argument;

	if (r->arguments <= 16)
		r->function(gtid, btid, A16(0));
	else
		r->function(gtid, btid, A64(0));
}

/* Call a region's function with few arguments, which need no stack. */
static void call(const struct region *r, int *gtid, int *btid)
{
	void *const *a = r->argument;

	if (r->arguments <= 4)
		r->function(gtid, btid, A4(0));
	else
		call_many(r, gtid, btid);
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

static void run(struct region *r, struct dls__omp_thread *t, int *gtid, int *btid)
{
	dls__omp_thread_enter(t, &r->omp);
	if (r->omp.call_site && r->omp.virtual)
		dls__omp_region_work_share(t, call_again, &(struct call){ r, gtid, btid });
	else
		call(r, gtid, btid);
	dls__omp_thread_leave(t);
}

/* Run a region's function if there was no memory for the thread's record. */
static __attribute__((noinline)) void enter_here(struct region *r, int *gtid, int *btid)
{
	struct dls__omp_thread thread;

	run(r, &thread, gtid, btid);
}

/* Called by the runtime on each thread of a region, in place of the region's function, which it calls. */
static void enter(int *gtid, int *btid, ...)
{
	struct dls__omp_thread *t = dls__omp_thread_new();
	struct region *r;
	va_list arguments;

	va_start(arguments, btid);
	r = va_arg(arguments, struct region *);
	va_end(arguments);
	if (t) {
		run(r, t, gtid, btid);
		dls__omp_thread_keep(t);
	} else {
		enter_here(r, gtid, btid);
	}
}

static __attribute__((noinline)) void fork_some(const struct dls__runtime *runtime, struct dls__ident *loc, int n,
						dls__microtask *function, void *const *a)
{
	if (n <= 16)
		runtime->__kmpc_fork_call(loc, n, function, A16(0));
	else
		runtime->__kmpc_fork_call(loc, n, function, A64(0));
}

/* Passed on as it is. */
static void fork_plainly(const struct dls__runtime *runtime, struct dls__ident *loc, int n, dls__microtask *function,
			 void *const *a)
{
	if (n <= 4)
		runtime->__kmpc_fork_call(loc, n, function, A4(0));
	else
		fork_some(runtime, loc, n, function, a);
}

static __attribute__((noinline)) void fork_many(const struct dls__runtime *runtime, struct dls__ident *loc, int n,
						dls__microtask *function, va_list list)
{
	void *a[MANY];

	if (n > MANY) {
		dls__tell_user("a region has %d arguments; up to %d are passed on", n, MANY);
		_exit(127);
	}
	for (int i = 0; i < MANY; i++)
		a[i] = i < n ? va_arg(list, void *) : NULL;
	runtime->__kmpc_fork_call(loc, n, function, A256(0), A256(256), A256(512), A256(768));
}

void __kmpc_fork_call(struct dls__ident *loc, int arguments, dls__microtask *function, ...)
{
	const struct dls__call_site *call_site =
		dls__call_site((const void *)(uintptr_t)function, DLS__OF_KMPC);
	struct region r;
	va_list list;

	r.function = function;
	r.arguments = arguments;
	va_start(list, function);
	if (arguments > ARGUMENTS)
		fork_many(dls__runtime_for(call_site), loc, arguments, function, list);
	else
		for (int i = 0; i < arguments; i++)
			r.argument[i] = va_arg(list, void *);
	va_end(list);
	if (arguments > ARGUMENTS)
		return;
	if (!dls__settings.active || !call_site->open) {
		fork_plainly(dls__runtime_for(call_site), loc, arguments, function, r.argument);
		return;
	}
	dls__mixes();
	dls__omp_region_open(&r.omp, call_site, loc ? loc->source : NULL, CALL, 0, false);
	r.omp.apart = true;
	call_site->runtime->__kmpc_fork_call(loc, 1, enter, &r);
	dls__omp_region_close(&r.omp);
}

/* libomp 16 and later: if the condition is false, the thread calls the function by itself. */
void __kmpc_fork_call_if(struct dls__ident *loc, int arguments, dls__microtask *function, int condition, void *argument)
{
	const struct dls__call_site *call_site =
		dls__call_site((const void *)(uintptr_t)function, DLS__OF_KMPC);

	if (condition && arguments <= 1)
		__kmpc_fork_call(loc, arguments, function, argument);
	else
		dls__runtime_for(call_site)
			->__kmpc_fork_call_if(loc, arguments, function, condition, argument);
}

void __kmpc_barrier(struct dls__ident *loc, int gtid)
{
	const struct dls__call_site *call_site = CALLER(DLS__OF_KMPC);

	if (call_site->open) {
		dls__omp_thread_arrive();
		dls__omp_thread_here();
	}
	dls__runtime_for(call_site)->__kmpc_barrier(loc, gtid);
	if (call_site->open)
		dls__omp_thread_pass(call_site);
}

int __kmpc_cancel_barrier(struct dls__ident *loc, int gtid)
{
	const struct dls__call_site *call_site = CALLER(DLS__OF_KMPC);

	if (call_site->open) {
		dls__mixes();
		dls__omp_thread_here();
	}
	return dls__runtime_for(call_site)->__kmpc_cancel_barrier(loc, gtid);
}
