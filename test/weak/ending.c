/* ending.c - what is written at the end: handed over by one thread, written by another; the thread that signals wake. */
#define _XOPEN_SOURCE 700	/* SA_ONSTACK */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "weak.h"

/* Not the explorer's own process, which goes on. */
static int ignore(const void *of, ...)
{
	(void)of;
	return 0;
}
#define atexit(function) ((void)(function))
#define sem_init(semaphore, shared, value) 0
#define sem_post(semaphore) ignore(semaphore)
#define sigaction(signal, to, from) ignore(to)
#undef pthread_create
#undef pthread_join
#define pthread_create(thread, attr, start, argument) (*(thread) = 7, (void)(start), 0)
#define pthread_join(thread, result) HOLDS(thread == 7)
#include "lib/base/ending.c"

static int content;

static void write_content(void)
{
	HOLDS(content == 1);
	content = 2;
}

static struct dls__ending ending = { .write = write_content };

static void hand_over(void)
{
	content = 1;
	dls__at_end(&ending);
	dls__watch_signals();
}

WEAK_MAIN(1, { "ending", NULL, { hand_over, end }, NULL, 0, 30 })
