/* fork.h - what a child of fork() finds whole, whatever the parent's other threads were doing.
 *
 * A static lock is held across fork(), so that the child finds it free.  Each lock is declared for this in
 * its own file, by DLS__ACROSS_FORK: a program that is linked with libdls.a gets only the handlers of locks
 * that it contains.  Locks of objects, of which there may be many, are not held: one that is locked in the
 * child will never be unlocked, and its owner mends that.  Teams, machines and loops compare dls__forks()
 * with its value at the start of their threads. */
#ifndef LIB_BASE_FORK_H
#define LIB_BASE_FORK_H

#include <pthread.h>
#include <stdbool.h>

/* The order in which fork() takes the locks: a thread that holds one may take those that follow. */
enum dls__fork_order {
	/* Of libdls-omp.so, which takes them before those of libdls.so: */
	DLS__FORK_KNOWN, DLS__FORK_CALL_SITES, DLS__FORK_RUNTIMES,
	DLS__FORK_ENDING, DLS__FORK_ENV, DLS__FORK_SITES, DLS__FORK_CALCS, DLS__FORK_NETS, DLS__FORK_PROGRESS,
	DLS__FORK_LINE, DLS__FORK_SETTINGS, DLS__FORK_ONCE, DLS__FORK_REGION
};

struct dls__across_fork {
	enum dls__fork_order order;
	pthread_mutex_t *mutex;		/* NULL: none */
	bool (*is_mine)(void);		/* whether this thread holds it already; NULL: it does not */
	void (*in_child)(void);		/* called there while all locks are held; NULL: nothing to do */
	struct dls__across_fork *next;
};

/* Register a static lock or state; before main(), or while its library is being loaded. */
void dls__across_fork(struct dls__across_fork *state);

/* In the file of a lock: DLS__ACROSS_FORK(sites, .order = DLS__FORK_SITES, .mutex = &mutex).  Before the program's own constructors can
 * register functions with pthread_atfork(): those then run while the locks are free. */
#define DLS__ACROSS_FORK(name, ...) \
	static void hold_##name##_across_fork(void) __attribute__((constructor(101))); \
	static void hold_##name##_across_fork(void) \
	{ \
		static struct dls__across_fork own = { __VA_ARGS__ }; \
\
		dls__across_fork(&own); \
	} \
	struct dls__across_fork

/* How many fork()s lead from the program's start to this process.  Threads started at a lower count do not exist in it. */
unsigned dls__forks(void);

#endif
