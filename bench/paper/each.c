/* each.c - the runs of an experiment, several at a time. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "bench/paper/paper.h"

enum { THREADS_MAX = 64 };

struct each {
	void (*job)(void *arg, size_t i);
	void *arg;
	size_t n;
	_Atomic size_t next, done;
};

static void *work(void *arg)
{
	struct each *each = arg;
	bool progress = isatty(STDERR_FILENO);
	size_t i;

	/* relaxed: a number alone is handed out; what the jobs write is seen after the join. */
	while ((i = atomic_fetch_add_explicit(&each->next, 1, memory_order_relaxed)) < each->n) {
		each->job(each->arg, i);
		i = atomic_fetch_add_explicit(&each->done, 1, memory_order_relaxed);
		if (progress)
			fprintf(stderr, "\r%zu of %zu runs ", i + 1, each->n);
	}
	return NULL;
}

void paper_each(void (*job)(void *arg, size_t i), void *arg, size_t n)
{
	struct each each = { .job = job, .arg = arg, .n = n };
	size_t threads = tool_processors() < n ? tool_processors() : n, started = 0;
	pthread_t thread[THREADS_MAX];

	/* This thread is one of them, and the only one if there can be no other. */
	while (started + 1 < threads && started < THREADS_MAX && !pthread_create(&thread[started], NULL, work, &each))
		started++;
	work(&each);
	while (started > 0)
		pthread_join(thread[--started], NULL);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}
