/* search.c - runs small programs of threads under every execution that C11's memory model allows.
 *
 * The programs are compiled by gcc -fsanitize=thread, which puts a call before each access to memory and in place of each atomic
 * operation.  The calls are answered here and not by ThreadSanitizer's runtime: so the library's own sources are run, not a copy.
 *
 * The model is RC11 without seq_cst accesses, and without fences, which the library has none of: Lahav, Vafeiadis, Kang, Hur,
 * Dreyer, "Repairing sequential consistency in C/C++11", PLDI 2017; as an operational one with views: Kang, Hur, Lahav,
 * Vafeiadis, Dreyer, "A promising semantics for relaxed-memory concurrency", POPL 2017, without promises.  An atomic location is
 * a list of messages, in modification order.  A thread has a view: of each location the oldest message that it may still read,
 * and of each thread how much of it happened before.  A load reads any message that is not older; a store puts one anywhere
 * behind it; a read-modify-write right behind the one it reads.  A release puts the thread's view into its message, an acquire
 * adds the message's to its own.  Release sequences are those of C20: read-modify-writes alone continue them, so code that is
 * right here is right under C11's longer ones.
 *
 * Departures.  Load buffering, a load that reads what depends on a later store of its own thread, does not happen (RC11's rule):
 * a load of plain data that such a machine would move behind a relaxed store is found as a race in its place.  A
 * compare-exchange never fails spuriously.  pthread_cond_signal() wakes all that wait; pthread_cond_timedwait() times out,
 * sooner or later.
 *
 * W1: what follows depends on the execution graph alone: what each thread has read from where, and the modification orders.  So
 *     a graph that was met is not continued again.  Race-free plain data is a function of the graph, and a race ends the search.
 * W2: an operation on a location that one thread alone uses, or none writes, commutes with the others' and is not scheduled; when
 *     another turns up the search starts again.
 * W3: a thread that reads a message three times at one place, writing nothing in between, waits: another execution goes on from
 *     where what it waits for has come.  This one is cut: the rest has no alternatives.  All loads read the newest message, and
 *     each thread runs until it has read one FAIR times, or for a while: if all that have not ended have read one so often, with
 *     nothing written since, they wait for ever. */
#include <stdio.h>
#include <string.h>

#include "explore.h"

uint64_t explore_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9) ^ h >> 32;
}

/* Depth first: the last choice that has an alternative is changed for the next execution. */
unsigned explore_choose(unsigned n)
{
	if (n == 1 || x->fair)
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

unsigned weak_choose(unsigned n)
{
	unsigned chosen = explore_choose(n);

	explore_self()->history = explore_mix(explore_self()->history, 41 + chosen);
	return chosen;
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
	uint64_t key = 0;

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

/* W3 */
static void run_fairly(void)
{
	bool all = true, waits = false;
	unsigned from = x->self + (++x->turns % FAIR == 0);

	for (unsigned i = 0; i < x->threads; i++) {
		unsigned t = (from + i) % x->threads;

		if (can_run(t) && !x->thread[t].waits) {
			explore_switch(t);
			return;
		}
		all &= x->thread[t].done;
		waits |= x->thread[t].waits;
	}
	if (!all)
		explore_fail(waits ? "a thread waits for ever" : "all threads sleep");
	explore_switch(T);
}

void explore_schedule(void)
{
	unsigned ready[T], n = 0;
	bool all = true;

	if (x->starting) {
		explore_switch(T);
		return;
	}
	if (x->fair) {
		run_fairly();
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
		explore_switch(T);
	else if (n == 0)
		explore_fail("all threads sleep");
	else
		explore_switch(ready[explore_choose(n)]);
}

static bool is_shared(unsigned i)
{
	unsigned all = x->shared[i].readers | x->shared[i].writers;

	return x->shared[i].writers && all & (all - 1);
}

/* A thread waits.  If the location is not known to be shared, the others have not come yet. */
void explore_wait(void)
{
	if (x->alone) {
		x->alone->readers = x->alone->writers = ~0u;
		explore_leave(AGAIN);
	}
	explore_self()->waits = x->fair;
	x->fair = true;
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
	if (++x->thread[t].steps > STEPS && (!x->fair || x->alone))
		explore_wait();
	if (x->thread[t].steps > 2 * STEPS)
		explore_fail("a thread runs on and on");
	return true;
}

/* False: it fails.  *executions counts those that came to their end. */
bool explore(unsigned number, const struct weak_test *test, unsigned *executions, unsigned *cut)
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
		end = explore_once();
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
