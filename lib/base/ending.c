/* ending.c - writes files when the program ends, by exit() or by a signal.
 *
 * A signal that would end the program is caught: its handler wakes a thread, which writes what exit() would have written, and then ends
 * the process by that signal.
 *
 * E1: a signal is caught only if its action was the default one when the first function was registered.  The program's own handlers,
 *     earlier and later ones, and signals that are ignored, blocked or waited for stay as they are.
 * E2: each function is called once, under a mutex; exit() after a caught signal does not return.
 * E3: a second signal ends the process at once, but not within GRACE: timeout(1) and others send one signal twice.
 * E4: a child of fork() has no such thread: there the handler gives the signal its default action.
 * E5: the thread does not keep the process alive: it ends once it sees that main() has ended by
 *     pthread_exit(), and signals are then no longer caught.  The last thread calls exit(), which may be this
 *     one.
 * Without a thread, or memory for it, signals are not caught. */
#define _XOPEN_SOURCE 700	/* SA_ONSTACK */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/ending.h"
#include "lib/base/fork.h"

static const uint64_t GRACE = 1000000000, STILL = 200000000;	/* ns */
enum { STACK = 1 << 20 };

static _Atomic(struct dls__ending *) endings;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* held by the one that writes */
DLS__ACROSS_FORK(ending, .order = DLS__FORK_ENDING, .mutex = &mutex);
static bool written;

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

static _Atomic pid_t begun, watched;	/* the process that begins to watch; that has the thread; 0: none */
static pthread_t watcher;
static sem_t wake;
static atomic_int caught;		/* the signal; 0: none */
static _Atomic uint64_t when;		/* time of the signal, ns; 0: none yet */

/* The next function that this process has registered itself, not its parent before fork(). */
static struct dls__ending *own(struct dls__ending *e)
{
	while (e && e->process != getpid())
		e = e->next;
	return e;
}

static struct dls__ending *first(void)
{
	/* acquire: pairs with the release in dls__at_end(). */
	return own(atomic_load_explicit(&endings, memory_order_acquire));
}

static void write_once(void)
{
	pthread_mutex_lock(&mutex);
	for (struct dls__ending *e = first(); e && !written; e = own(e->next))
		e->write();
	written = true;
	pthread_mutex_unlock(&mutex);
}

/* Give a signal its default action and send it to this thread, which may block it so far. */
static void end_by(int signal)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };

	sigemptyset(&normal.sa_mask);
	sigaction(signal, &normal, NULL);
	raise(signal);
}

/* Time in ns, by functions that a signal handler may call. */
static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1000000000 * (uint64_t)t.tv_sec + (uint64_t)t.tv_nsec;
}

static void handle(int signal)
{
	uint64_t before = 0, time = now();
	int error = errno;

	/* relaxed, all: numbers alone; the semaphore orders what the thread reads. */
	if (atomic_load_explicit(&watched, memory_order_relaxed) != getpid()) {
		end_by(signal);
	} else if (atomic_compare_exchange_strong_explicit(&when, &before, time, memory_order_relaxed, memory_order_relaxed)) {
		atomic_store_explicit(&caught, signal, memory_order_relaxed);
		sem_post(&wake);
		/* Wait here, but not for long: the functions may need a lock that this thread holds. */
		nanosleep(&(struct timespec){ .tv_nsec = (long)STILL }, NULL);
	} else if (time - before > GRACE) {
		end_by(signal);
	}
	errno = error;
}

/* Whether the process has only other threads left. */
static bool main_ended(void)
{
	char text[100];		/* "NUMBER (NAME) STATE" */
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	const char *state;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
	state = strrchr(text, ')');
	return state && strncmp(state, ") Z", 3) == 0;
}

/* Wait up to a second for a signal; false: none came. */
static bool woken(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	if (sem_timedwait(&wake, &until) == 0)
		return true;
	nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);	/* whatever the clock says */
	return false;
}

/* Catch the signals that would end the program; or give caught ones their default action again. */
static void catch(bool on)
{
	struct sigaction ours = { .sa_handler = handle, .sa_flags = SA_RESTART | SA_ONSTACK }, normal = { .sa_handler = SIG_DFL }, is;

	sigemptyset(&ours.sa_mask);
	for (int i = 0; i < SIGNALS; i++)
		sigaddset(&ours.sa_mask, signals[i]);
	sigemptyset(&normal.sa_mask);
	for (int i = 0; i < SIGNALS; i++)
		if (sigaction(signals[i], NULL, &is) == 0 && !(is.sa_flags & SA_SIGINFO) &&
		    is.sa_handler == (on ? SIG_DFL : handle))
			sigaction(signals[i], on ? &ours : &normal, NULL);
}

static void *watch(void *arg)
{
	sigset_t one;
	int signal;

	while (!woken())
		if (main_ended()) {
			catch(false);
			break;
		}
	signal = atomic_load_explicit(&caught, memory_order_relaxed);	/* relaxed: as above */
	if (signal) {
		write_once();
		end_by(signal);
		sigemptyset(&one);
		sigaddset(&one, signal);
		pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	}
	return arg;
}

/* The process ends, or a module with its own copy of the library is unloaded. */
static void end(void)
{
	if (first())
		write_once();
	if (atomic_load_explicit(&begun, memory_order_relaxed))		/* relaxed: a number alone */
		catch(false);
	/* acquire: pairs with the release in dls__watch_signals(). */
	if (atomic_load_explicit(&watched, memory_order_acquire) != getpid() || pthread_equal(watcher, pthread_self()))
		return;
	sem_post(&wake);
	pthread_join(watcher, NULL);	/* a signal that was caught ends the process here */
}

void dls__at_end(struct dls__ending *e)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	e->process = getpid();
	e->next = atomic_load_explicit(&endings, memory_order_relaxed);	/* relaxed: the exchange looks again */
	/* release: publishes what `e` is about. */
	while (!atomic_compare_exchange_weak_explicit(&endings, &e->next, e, memory_order_release, memory_order_relaxed))
		;
	if (!atomic_flag_test_and_set_explicit(&told, memory_order_relaxed))	/* relaxed: the flag alone */
		atexit(end);
}

/* A thread that no signal comes to. */
static bool start(void)
{
	sigset_t all, outer;
	pthread_attr_t attr;
	size_t size;
	int code;

	if (sem_init(&wake, 0, 0) != 0 || pthread_attr_init(&attr) != 0)
		return false;
	if (pthread_attr_getstacksize(&attr, &size) == 0 && size < STACK)	/* musl */
		pthread_attr_setstacksize(&attr, STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &outer);
	code = pthread_create(&watcher, &attr, watch, NULL);
	pthread_sigmask(SIG_SETMASK, &outer, NULL);
	pthread_attr_destroy(&attr);
	return code == 0;
}

void dls__watch_signals(void)
{
	/* relaxed, both: a number alone. */
	pid_t before = atomic_load_explicit(&begun, memory_order_relaxed);

	if (!first() || before == getpid() ||
	    !atomic_compare_exchange_strong_explicit(&begun, &before, getpid(), memory_order_relaxed, memory_order_relaxed) ||
	    !start())
		return;
	/* release: publishes `watcher`; pairs with the acquire in end(). */
	atomic_store_explicit(&watched, getpid(), memory_order_release);
	catch(true);
}
