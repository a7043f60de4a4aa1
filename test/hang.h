/* hang.h - a test that may not end: when its time is over it bails out, and says what it was at.
 *
 *	hang_after(60, name);		seconds; `name` is read when they are over
 *	...
 *	alarm(0); */
#ifndef HANG_H
#define HANG_H

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "tap.h"

static const char *hang_name;

static void hang_end(int number)
{
	static const char text[] = "\nBail out! no end: ";

	(void)number;
	_exit(write(1, text, sizeof(text) - 1) > 0 && write(1, hang_name, strlen(hang_name)) > 0 && write(1, "\n", 1) > 0 ? 1 : 2);
}

__attribute__((unused)) static void hang_after(unsigned seconds, const char *name)
{
	hang_name = name;
	signal(SIGALRM, hang_end);
	alarm(seconds);
}

/* The same after seconds of this program's own time; 0: never. */
__attribute__((unused)) static void hang_after_work(unsigned seconds, const char *name)
{
	hang_name = name;
	signal(SIGVTALRM, hang_end);
	setitimer(ITIMER_VIRTUAL, &(struct itimerval){ .it_value.tv_sec = seconds }, NULL);
}

/* Limit memory, so that a storm of messages fails for lack of it. */
__attribute__((unused)) static void hang_limit(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(TAP_THREAD_SANITIZER)
	setrlimit(RLIMIT_AS, &(struct rlimit){ UINT64_C(4) << 30, UINT64_C(4) << 30 });
#endif
}

#endif
