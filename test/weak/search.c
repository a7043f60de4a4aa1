/* search.c - runs small programs of threads under every execution that C11's memory model allows.
 *
 * The programs are compiled by gcc -fsanitize=thread, which puts a call before each access to memory and in place of each atomic
 * operation.  The calls are answered here and not by ThreadSanitizer's runtime: so the library's own sources are run, not a copy.
 *
 * The model is RC11 without seq_cst accesses, which the library has none of: Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing
 * sequential consistency in C/C++11", PLDI 2017; as an operational one with views: Kang, Hur, Lahav, Vafeiadis, Dreyer, "A
 * promising semantics for relaxed-memory concurrency", POPL 2017, without promises.  An atomic location is a list of messages,
 * in modification order.  A thread has a view: of each location the oldest message that it may still read, and of each thread how
 * much of it happened before.  A load reads any message that is not older; a store puts one anywhere behind it; a
 * read-modify-write right behind the one it reads.  A release puts the thread's view into its message, an acquire adds the
 * message's to its own.  Release sequences are those of C20: read-modify-writes alone continue them, so code that is right here is
 * right under C11's longer ones.
 *
 * Departures.  Load buffering, a load that reads what depends on a later store of its own thread, does not happen (RC11's rule):
 * a load of plain data that such a machine would move behind a relaxed store is found as a race in its place.  A
 * compare-exchange never fails spuriously.  pthread_cond_signal() wakes all that wait; a timed wait never times out.
 *
 * W1: what follows depends on the execution graph alone: what each thread has read from where, and the modification orders.  So
 *     a graph that was met is not continued again.  Race-free plain data is a function of the graph, and a race ends the search.
 * W2: an operation on a location that one thread alone uses, or none writes, commutes with the others' and is not scheduled; when
 *     another turns up the search starts again.
 * W3: a thread that reads a message three times at one place, writing nothing in between, waits: some other execution shows it
 *     the end of its wait, and this one is cut. */
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "explore.h"

struct explorer *x;

static const char *const order_name[] = { "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst" };
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

_Noreturn void weak_cut(void)
{
	explore_leave(CUT);
}

void weak_outcome(unsigned k)
{
	x->outcomes |= (uint64_t)1 << k;
}

unsigned weak_self(void)
{
	return x->self;
}

uint64_t explore_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9) ^ h >> 32;
}

/* Depth first: the last choice that has an alternative is changed for the next execution. */
unsigned explore_choose(unsigned n)
{
	if (n == 1)
		return 0;
	if (x->depth == CHOICES)
		explore_fail("explorer: an execution has more than %d choices", CHOICES);
	if (x->depth >= x->known) {
		x->choice[x->depth] = 0;
		x->of[x->depth] = n;
		x->known = x->depth + 1;
	} else if (x->of[x->depth] != n) {
		explore_fail("explorer: the program is not deterministic");
	}
	return x->choice[x->depth++];
}

static bool next_choices(void)
{
	while (x->known > 0 && x->choice[x->known - 1] + 1 == x->of[x->known - 1])
		x->known--;
	if (x->known == 0)
		return false;
	x->choice[x->known - 1]++;
	return true;
}

/* W1 */
static bool met_before(void)
{
	uint64_t key = explore_mix(1, x->fence_hash);

	for (unsigned t = 0; t < x->threads; t++)
		key += explore_mix(explore_mix(2 + t, x->thread[t].history), (uintptr_t)x->thread[t].sleeps);
	for (unsigned l = 0; l < x->locations; l++)
		key += x->location[l].hash;
	key = explore_mix(explore_mix(7, x->explorations), key);
	key += key == 0;
	for (size_t i = key % STATES;; i = (i + 1) % STATES) {
		if (x->states[i] == key)
			return true;
		if (!x->states[i]) {
			x->states[i] = key;
			x->met++;
			if (++x->kept > STATES / 2)
				explore_fail("explorer: more than %d states", STATES / 2);
			return false;
		}
	}
}

static bool can_run(unsigned t)
{
	const struct thread *h = &x->thread[t];

	return !h->done && !h->sleeps && !(h->wants && h->wants->holder) && !(h->awaits && !*h->awaits);
}

static void switch_to(unsigned t)
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

void explore_schedule(void)
{
	unsigned ready[T], n = 0;
	bool all = true;

	if (x->starting) {
		switch_to(T);
		return;
	}
	if (x->depth >= x->known && met_before())
		explore_leave(SEEN);
	for (unsigned t = 0; t < x->threads; t++) {
		all &= x->thread[t].done;
		if (can_run(t))
			ready[n++] = t;
	}
	if (all)
		switch_to(T);
	else if (n == 0)
		explore_fail("all threads sleep");
	else
		switch_to(ready[explore_choose(n)]);
}

/* A thread; each time it is scheduled it changes its history (W1). */
static void begin(void)
{
	struct thread *h = &x->thread[x->self];

	if (h->start)
		h->start(h->argument);
	else
		x->test->thread[x->self]();
	h->done = true;
	explore_schedule();
}

static bool is_shared(unsigned i)
{
	unsigned all = x->shared[i].readers | x->shared[i].writers;

	return x->shared[i].writers && all & (all - 1);
}

/* A thread waits.  If the location is not known to be shared, the others have not come yet. */
_Noreturn void explore_wait(void)
{
	if (!x->alone)
		explore_leave(CUT);
	x->alone->readers = x->alone->writers = ~0u;
	explore_leave(AGAIN);
}

/* Before an operation; false: one outside the threads, done at once. */
bool explore_step(uintptr_t address, enum access access)
{
	unsigned i = (unsigned)(explore_mix(3, address) % ADDRESSES), t;
	bool before;

	if (!x || !x->running || x->self == T)
		return false;
	t = x->self;
	while (x->shared[i].address && x->shared[i].address != address)
		i = (i + 1) % ADDRESSES;
	before = is_shared(i);
	x->shared[i].address = address;
	x->shared[i].readers |= (access & READ ? 1u : 0) << t;
	x->shared[i].writers |= (access & WRITE ? 1u : 0) << t;
	if (before)
		explore_schedule();
	else if (is_shared(i))		/* W2 */
		explore_leave(AGAIN);
	x->alone = before ? NULL : &x->shared[i];
	if (++x->thread[t].steps > STEPS)
		explore_wait();
	return true;
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

static enum end run_once(void)
{
	int end;

	memcpy(x->data, x->copy, x->size);
	x->locations = x->depth = x->accesses = x->threads = x->cells = x->ranges = 0;
	x->messages = 1;		/* number 0 is older than all */
	x->fence_hash = 0;
	memset(&x->fences, 0, sizeof(x->fences));
	memset(x->used, 0, sizeof(x->used));
	x->execution++;
	for (unsigned t = 0; t <= T; t++) {
		struct thread *h = &x->thread[t];
		char *stack = h->stack, *tls = h->tls;

		memset((char *)h + offsetof(struct thread, now), 0, sizeof(*h) - offsetof(struct thread, now));
		h->stack = stack;
		h->tls = tls;
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
	explore_leave(DONE);
}

/* False: it fails.  *executions counts those that came to their end. */
static bool explore(unsigned number, const struct weak_test *test, unsigned *executions, unsigned *cut)
{
	enum end end;

	x->test = test;
	x->number = number;
	memset(x->shared, 0, sizeof(x->shared));
again:
	x->explorations++;		/* part of the keys: the table is seldom cleared */
	if (x->kept > STATES / 8) {
		memset(x->states, 0, STATES * sizeof(x->states[0]));
		x->kept = 0;
	}
	*executions = *cut = x->met = x->known = 0;
	x->outcomes = 0;
	for (unsigned n = 0;; n++) {
		end = run_once();
		if (end == AGAIN)
			goto again;
		if (end == FAILED)
			return false;
		*executions += end == DONE;
		*cut += end == CUT;
		if (n == EXECUTIONS) {
			snprintf(x->why, sizeof(x->why), "explorer: more than %u executions", EXECUTIONS);
			return false;
		}
		if (!next_choices())
			break;
	}
	snprintf(x->why, sizeof(x->why), "outcomes %#llx, not %#llx", (unsigned long long)x->outcomes,
		 (unsigned long long)test->outcomes);
	if (*executions == 0)
		snprintf(x->why, sizeof(x->why), "no execution comes to its end");
	return *executions > 0 && (!test->outcomes || test->outcomes == WEAK_FAILS || test->outcomes == x->outcomes);
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

static void set_up(void)
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

/* The next weaker order, in turn; false: there is none any more. */
static bool weaker(enum order from, unsigned i, enum order *to)
{
	if (from == ACQ_REL && i < 2)
		*to = i == 0 ? ACQUIRE : RELEASE;
	else if ((from == ACQUIRE || from == RELEASE) && i == 0)
		*to = RELAXED;
	else
		return false;
	return true;
}

int weak_main(const struct weak_test *tests, unsigned count, int weaken)
{
	unsigned executions, cut, sites, bad = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	set_up();
	printf("1..%u\n", count);
	for (unsigned i = 0; i < count; i++) {
		bool ok = explore(i, &tests[i], &executions, &cut) == (tests[i].outcomes != WEAK_FAILS);

		bad += !ok;
		printf("%s %u - %s: %u executions, %u cut, %u states\n", ok ? "ok" : "not ok", i + 1, tests[i].name, executions, cut,
		       x->met);
		if (!ok)
			printf("# %s\n", x->why);
	}
	sites = bad || !weaken ? 0 : x->sites;
	for (unsigned s = 0; s < sites; s++) {
		enum order from = x->site[s].order, to;

		for (unsigned k = 0; weaker(from, k, &to); k++) {
			const char *killer = NULL;
			uint64_t tests_of_site = x->site[s].tests;

			x->weak = x->site[s];
			x->weak_to = to;
			for (unsigned i = 0; i < count && !killer; i++)
				if (tests_of_site >> i & 1 && !explore(i, &tests[i], &executions, &cut))
					killer = tests[i].name;
			printf("# weakened %#lx %s %s %s %s %s: %s\n", (unsigned long)x->site[s].address - 1,
			       x->site[s].role == FAILURE ? "failure" : "operation", order_name[from], order_name[to],
			       killer ? "killed" : "survived", killer ? killer : "-", killer ? x->why : "-");
			x->weak.address = 0;
		}
	}
	return bad != 0;
}
