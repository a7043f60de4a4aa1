/* execution.c - one execution of a program: static data, thread-local data, stacks and memory as at its start; its threads, of which
 * one runs at a time; its end. */
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "explore.h"

struct explorer *x;

extern char __data_start[], _end[];

_Noreturn void explore_leave(enum end end)
{
	x->running = false;
	if (x->tls_size)
		memcpy(x->tls, x->tls_main, x->tls_size);
	_longjmp(x->out, (int)end + 1);
}

_Noreturn void explore_fail(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(x->why, sizeof(x->why), format, list);
	va_end(list);
	explore_leave(FAILED);
}

_Noreturn void weak_fail(const char *why, const char *file, int line)
{
	explore_fail("%s:%d: %s", file, line, why);
}

void weak_outcome(unsigned k)
{
	x->outcomes |= (uint64_t)1 << k;
}

unsigned weak_self(void)
{
	return x->self;
}

void explore_switch(unsigned t)
{
	unsigned self = x->self;

	if (t == self)
		return;
	if (x->tls_size) {
		memcpy(x->thread[self].tls, x->tls, x->tls_size);
		memcpy(x->tls, x->thread[t].tls, x->tls_size);
	}
	x->self = t;
	if (_setjmp(x->thread[self].at) == 0)
		_longjmp(x->thread[t].at, 1);
}

/* A thread; each time it is scheduled it changes its history (search.W1). */
static void begin(void)
{
	struct thread *h = explore_self();

	if (h->start)
		h->start(h->argument);
	else
		x->test->thread[x->self]();
	h->done = true;
	explore_schedule();
}

/* Up to its first operation. */
static void start(unsigned t)
{
	struct thread *h = &x->thread[t];

	getcontext(&h->context);
	h->context.uc_stack.ss_sp = h->stack;
	h->context.uc_stack.ss_size = STACK;
	makecontext(&h->context, begin, 0);
	if (x->tls_size) {
		memcpy(x->thread[T].tls, x->tls, x->tls_size);
		memcpy(x->tls, x->tls_main, x->tls_size);
	}
	x->self = t;
	if (_setjmp(x->thread[T].at) == 0)
		setcontext(&h->context);
}

enum end explore_once(void)
{
	int end;

	memcpy(x->data, x->copy, x->size);
	x->locations = x->depth = x->accesses = x->threads = x->cells = x->ranges = x->turns = 0;
	x->fair = false;
	x->messages = 1;		/* number 0 is older than all */
	memset(x->used, 0, sizeof(x->used));
	x->execution++;
	for (unsigned t = 0; t <= T; t++) {
		struct thread *h = &x->thread[t];

		memset((char *)h + offsetof(struct thread, now), 0, sizeof(*h) - offsetof(struct thread, now));
		h->now.clock[t] = 1;	/* unknown to the others */
		if (t < T && x->test->thread[t])
			x->threads = t + 1;
	}
	end = _setjmp(x->out);
	if (end)
		return (enum end)(end - 1);
	x->self = T;
	x->running = x->starting = true;
	if (x->test->before)
		x->test->before();
	for (unsigned t = 0; t < x->threads; t++)
		start(t);
	x->starting = false;
	explore_schedule();
	if (x->test->after)
		x->test->after();
	explore_leave(x->fair ? CUT : DONE);
}

static void crashed(int signal)
{
	snprintf(x->why, sizeof(x->why), "signal %d", signal);
	explore_leave(FAILED);
}

static int find_tls(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS) {
			x->tls = info->dlpi_tls_data;
			x->tls_size = info->dlpi_phdr[i].p_memsz;
		}
	return 1;	/* the program itself is the first */
}

static void *map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		abort();
	return memory;
}

void explore_set_up(void)
{
	struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER };
	stack_t stack = { .ss_size = STACK };
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

	x = map(sizeof(*x));
	x->states = map(STATES * sizeof(x->states[0]));
	x->cell = map(CELLS * sizeof(x->cell[0]));
	dl_iterate_phdr(find_tls, NULL);
	x->tls_main = map(x->tls_size + 1);
	memcpy(x->tls_main, x->tls, x->tls_size);
	for (unsigned t = 0; t <= T; t++) {
		x->thread[t].stack = map(STACK);
		x->thread[t].tls = map(x->tls_size + 1);
		x->arena[t] = map(ARENA);
	}
	stack.ss_sp = map(STACK);
	sigaltstack(&stack, NULL);
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	x->data = __data_start;
	x->size = (size_t)(_end - __data_start);
	x->copy = map(x->size);
	memcpy(x->copy, x->data, x->size);
}
