/* room.c - work that needs more stack than a thread may have: texts are printed, names read from files.
 *
 * It runs on memory from the heap.  To start a thread for it would take more of the stack than there may
 * be. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <ucontext.h>
#endif

#include "lib/base/room.h"

static _Thread_local bool narrow;

void dls__narrow(void)
{
	narrow = true;
}

#ifdef __GLIBC__
enum { ROOM = 256 * 1024 };

/* AddressSanitizer tracks the stack and would not know of the second one. */
__attribute__((weak)) void __asan_init(void);
__attribute__((weak)) void __tsan_init(void);

struct work {
	ucontext_t here, there;
	void (*f)(void *arg);
	void *arg;
	char stack[ROOM];
};

static _Thread_local struct work *now;		/* for begin(): makecontext() passes no pointers to it */

static void begin(void)
{
	now->f(now->arg);
}

/* Run f(arg) on another stack; false: there is no memory for the stack, and f() was not called. */
static bool elsewhere(void (*f)(void *arg), void *arg)
{
	struct work *w = malloc(sizeof(*w));

	if (!w)
		return false;
	getcontext(&w->there);		/* fails on no system with this C library */
	w->there.uc_stack.ss_sp = w->stack;
	w->there.uc_stack.ss_size = ROOM;
	w->there.uc_link = &w->here;
	w->f = f;
	w->arg = arg;
	now = w;
	makecontext(&w->there, begin, 0);
	swapcontext(&w->here, &w->there);
	free(w);
	return true;
}

static bool can_move(void)
{
	return narrow && !__asan_init && !__tsan_init;
}
#else
static bool elsewhere(void (*f)(void *arg), void *arg)
{
	(void)f, (void)arg;
	return false;
}

static bool can_move(void)
{
	return false;
}
#endif

void dls__with_room(void (*f)(void *arg), void *arg)
{
	bool move = can_move();

	narrow &= !move;	/* there is room for what f() calls */
	if (!move || !elsewhere(f, arg))
		f(arg);
	narrow |= move;
}
