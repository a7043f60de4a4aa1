/* explore.h - what the parts of the explorer share: search.c says what it does. */
#ifndef TEST_WEAK_EXPLORE_H
#define TEST_WEAK_EXPLORE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "weak.h"

enum { T = WEAK_THREADS, LOCATIONS = 160, MESSAGES = 2048, ORDER = 256, CHOICES = 4096, SITES = 1024, STATES = 1 << 22,
	CELLS = 1 << 16, STEPS = 4000, FAIR = 40, RECENT = 64, ADDRESSES = 4096, RANGES = 64 };
enum { STACK = 128 << 10, ARENA = 4 << 20, EXECUTIONS = 3000000, ACCESSES = 1000000 };

enum order { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
enum role { OPERATION, FAILURE };	/* the order of a compare-exchange that fails is the second */
enum end { DONE, SEEN, CUT, FAILED, AGAIN };
enum access { READ = 1, WRITE = 2 };

struct view {
	uint16_t clock[T + 1];
	uint16_t seen[LOCATIONS];	/* numbers of messages; 0: any */
};

struct message {
	struct view view;
	uint64_t value, writer;
	uint16_t location, place;
	bool taken;			/* a read-modify-write has read it */
};

struct location {
	uintptr_t address;		/* 0: plain writes have taken its place */
	unsigned size, count;
	uint16_t order[ORDER];
	uint16_t read[T + 1], write[T + 1];	/* clocks of the last */
	uint64_t hash;
	unsigned holder;		/* of a mutex, whose size is 0: thread + 1 */
};

struct thread {
	jmp_buf at;
	ucontext_t context;
	char *stack, *tls;
	struct view now;
	uint64_t history;
	unsigned steps;
	bool done;
	void *(*start)(void *);		/* of a thread that the program has made */
	void *argument;
	const struct location *wants;	/* a mutex */
	const bool *awaits;		/* another thread's end */
	const void *sleeps;		/* on a condition */
	struct { uintptr_t site; uint64_t what; unsigned times; } recent[RECENT];
	unsigned recents;
	bool waits;			/* since the last store */
};

struct cell {			/* eight bytes of plain memory */
	uintptr_t address;
	uint32_t execution;
	bool freed;
	uint16_t read[8][T + 1], write[8][T + 1];
};

struct range {			/* a large one that was written at once, or freed */
	uintptr_t from, to;
	unsigned thread;
	uint16_t clock;
	bool freed;
};

struct site {
	uintptr_t address;
	enum role role;
	enum order order;
	uint64_t tests;
};

extern struct explorer {
	const struct weak_test *test;
	unsigned number, threads;
	jmp_buf out;
	bool running, starting;
	bool fair;			/* the rest of this execution has no alternatives */
	unsigned turns;
	struct thread thread[T + 1];
	unsigned self;
	struct location location[LOCATIONS];
	unsigned locations;
	struct message message[MESSAGES];
	unsigned messages;
	unsigned choice[CHOICES], of[CHOICES], depth, known;
	uint64_t *states;
	unsigned met, kept, explorations;
	struct cell *cell, *used_cell[CELLS];
	unsigned cells;
	struct range range[RANGES];
	unsigned ranges;
	uint32_t execution;
	unsigned accesses;
	char *arena[T + 1];
	size_t used[T + 1];
	struct users { uintptr_t address; unsigned readers, writers; } shared[ADDRESSES], *alone;
	struct site site[SITES];
	unsigned sites;
	struct site weak;
	enum order weak_to;
	uint64_t outcomes;
	char why[512];
	char *data, *copy, *tls, *tls_main;
	size_t size, tls_size;
} *x;

static inline struct thread *explore_self(void)
{
	return &x->thread[x->self];
}

/* search.c: what runs next, and whether it has been met. */
uint64_t explore_mix(uint64_t h, uint64_t v);
unsigned explore_choose(unsigned n);			/* one of n ways */
void explore_schedule(void);
bool explore_step(uintptr_t address, enum access access);
void explore_wait(void);
bool explore(unsigned number, const struct weak_test *test, unsigned *executions, unsigned *cut);

/* execution.c: one run of the program. */
void explore_set_up(void);
enum end explore_once(void);
void explore_switch(unsigned thread);
_Noreturn void explore_leave(enum end end);
__attribute__((format(printf, 1, 2))) _Noreturn void explore_fail(const char *format, ...);

/* model.c: what an operation does to views and messages. */
struct location *explore_location(uintptr_t address, unsigned size);
void explore_join(struct view *to, const struct view *from);
void explore_reads(const struct message *m, enum order order);
void explore_writes(struct location *l, unsigned place, uint64_t value, enum order order, struct message *after);
uint64_t explore_load(uintptr_t address, unsigned size, int order, uintptr_t site);
void explore_store(uintptr_t address, unsigned size, uint64_t value, int order, uintptr_t site);
uint64_t explore_modify(uintptr_t address, unsigned size, uint64_t (*compute)(uint64_t, uint64_t), uint64_t operand,
			const uint64_t *expected, int order, int failure, uintptr_t site);

/* races.c */
void explore_plain(uintptr_t address, size_t size, enum access access, uintptr_t site, bool frees);
struct location *explore_atomic(uintptr_t address, unsigned size, enum access access, uintptr_t site);

#endif
