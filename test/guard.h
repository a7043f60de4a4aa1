/* guard.h - a test that does not end is ended, and says what it was doing.
 *
 *	guard(plan.name, HANGS);
 *	CHECK_EQ(dls_machine_run(m), 0);
 *	guard_over(); */
#ifndef GUARD_H
#define GUARD_H

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "tap.h"

static const char *guard_what = "";

static inline void guard_hang(int number)
{
	static const char text[] = "\nBail out! no end: ";

	(void)number;
	if (write(1, text, sizeof(text) - 1) > 0 && write(1, guard_what, strlen(guard_what)) >= 0 && write(1, "\n", 1) > 0)
		_exit(1);
	_exit(2);
}

/* From here on there are so many seconds of processor time, of which other programs take none, and three times as many to sleep in.
 * The text must stay where it is. */
static inline void guard(const char *what, unsigned seconds)
{
	guard_what = what;
	signal(SIGPROF, guard_hang);
	setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = seconds }, NULL);
	signal(SIGALRM, guard_hang);
	alarm(3 * seconds);
}

static inline void guard_over(void)
{
	alarm(0);
	setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = 0 }, NULL);
}

/* A storm of messages ends for want of memory; sanitizers take address space by the terabyte. */
static inline void guard_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !TAP_THREAD_SANITIZER
	const rlim_t most = sizeof(rlim_t) > 4 ? (rlim_t)(UINT64_C(4) << 30) : RLIM_INFINITY;

	setrlimit(RLIMIT_AS, &(struct rlimit){ most, most });
#endif
}

#endif
