/* signals.c - a run that SIGINT, SIGTERM or SIGHUP ends still writes its report and trace.
 *
 * Each case is this program once more, which runs loops and sends itself the signal; an alarm ends one that hangs.
 *
 * Fails if: a file is not written, not whole, or written where the program or the system handles the signal itself; the parent sees
 * another end than without the library; a signal that is ignored, handled, blocked or waited for is not the program's any more; a
 * call is interrupted, or exit() after it hides the signal; a child of fork(), exit() meanwhile, a writer that waits or a second signal
 * hangs; the report is written twice, or while workers change what it reads; a thread that cannot be had is missed; the library's thread
 * keeps a process that ends with its last thread, after main().
 *
 * runs: shared */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "deal.h"
#include "scratch.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

static const char *csv, *json;
static bool threadless;		/* threads are refused */
static bool waits;		/* the trace is a FIFO without a reader */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *arg), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *arg), void *arg)
{
	return threadless ? EAGAIN : __real_pthread_create(thread, attr, start, arg);
}

static void loop(const char *name)
{
	struct dls_loop *l = deal_open("ss", 1, deal_site(name), DLS_LOOP_EVERY_CHUNK);

	deal_run(l, 1, 50);
	dls_loop_close(l);
}

/* A signal for the process, as others send it: any thread may get it. */
static void send_it(int signal)
{
	kill(getpid(), signal);
}

static void wait_long(void)
{
	for (;;)
		pause();
}

static struct {
	pthread_t main;
	int signal, end[2];
} its;

static void own_handler(int signal)
{
	if (write(its.end[1], "x", 1) != 1)
		_exit(1);
}

static void set_handler(int signal, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, NULL);
}

static char read_one(void)
{
	char c = 0;

	while (read(its.end[0], &c, 1) != 1 && errno == EINTR)
		;
	return c;
}

static atomic_bool enough;

/* Loops without end, while the signal comes. */
static void *run_on(void *arg)
{
	while (!atomic_load(&enough))
		loop(arg);
	return arg;
}

/* A signal for the main thread, once that is in a call. */
static void *interrupt(void *arg)
{
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	pthread_kill(its.main, its.signal);
	return arg;
}

static void *leave(void *signal)
{
	send_it((int)(intptr_t)signal);
	return NULL;
}

static void *outlive(void *seconds)
{
	nanosleep(&(struct timespec){ (intptr_t)seconds, 50000000 }, NULL);
	loop("last");
	return NULL;
}

static pthread_t start(void *(*run)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, arg))
		exit(1);
	return thread;
}

/* A reader of the trace, after a while in which it is waited for. */
static void read_later(void)
{
	char text[4096];
	int fd;

	if (fork() != 0)
		return;
	alarm(100);		/* where nobody writes */
	nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
	fd = open(getenv("DLS_TRACE"), O_RDONLY);
	while (read(fd, text, sizeof(text)) > 0)
		;
	_exit(0);
}

/* Until the process is gone. */
static void insist(int signal)
{
	pid_t parent = getpid();

	if (fork() != 0)
		return;
	for (int i = 0; i < 1500 && getppid() == parent; i++) {
		kill(parent, signal);
		nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
	}
	_exit(0);
}

/* Nothing less ends a process without its main thread whose others block all signals. */
static void kill_later(void)
{
	pid_t parent = getpid();

	if (fork() != 0)
		return;
	for (int i = 0; i < 1500 && getppid() == parent; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
	if (getppid() == parent)
		kill(parent, SIGKILL);
	_exit(0);
}

/* A child of the program's own, which the signal ends; it writes nothing. */
static int end_child(int signal)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		child_bound();
		send_it(signal);
		wait_long();
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) && WTERMSIG(status) == signal && access(getenv("DLS_REPORT"), F_OK) != 0 ? 7 : 1;
}

static void outlived_by(intptr_t seconds)
{
	kill_later();
	start(outlive, (void *)seconds);
	pthread_exit(NULL);
}

/* Each case: its name, what comes before the first loop, and what after it. */
#define LEAVE(signal) start(leave, (void *)(intptr_t)(signal))
#define CASES(X) \
	X(plain, , send_it(signal); wait_long()) \
	X(without_a_thread, threadless = true, send_it(signal); wait_long()) \
	X(ignored, set_handler(signal, SIG_IGN), send_it(signal)) \
	X(handled_before, set_handler(signal, own_handler), send_it(signal); return read_one() == 'x' ? 7 : 1) \
	X(handled_after, , set_handler(signal, own_handler); send_it(signal); return read_one() == 'x' ? 7 : 1) \
	X(waited_for, pthread_sigmask(SIG_BLOCK, &set, NULL), \
	  send_it(signal); return sigwait(&set, &got) == 0 && got == signal ? 7 : 1) \
	X(twice, , read_later(); LEAVE(signal); LEAVE(SIGINT); wait_long()) \
	X(child, , return end_child(signal)) \
	X(read, , read_later(); start(interrupt, NULL); \
	  if (read(its.end[0], &got, 1) < 0) fputs("read() was interrupted\n", stderr); \
	  wait_long()) \
	X(pause, , read_later(); start(interrupt, NULL); pause(); exit(3)) \
	X(exit, , LEAVE(signal)) \
	X(busy, , start(run_on, "second"); start(run_on, "third"); \
	  for (int i = 0; i < 20; i++) loop("fourth"); \
	  LEAVE(signal); run_on("fourth")) \
	X(outlived_at_once, , outlived_by(0)) \
	X(outlived_by_seconds, , outlived_by(2)) \
	X(insisted, , insist(signal); wait_long())
#define TRY(name, before, ...) \
	if (strcmp(what, #name) == 0) { \
		before; \
		loop("first"); \
		__VA_ARGS__; \
	}

/* "15 case".  Returns 7 where the program goes on to its end. */
static int act(const char *what)
{
	int signal = (int)strtol(what, (char **)&what, 10), got = 0;
	sigset_t set;

	what++;
	its.signal = signal;
	its.main = pthread_self();
	for (int i = 0; i < 3; i++)
		set_handler(signals[i], SIG_DFL);	/* a test that runs in the background ignores SIGINT */
	sigemptyset(&set);
	sigaddset(&set, signal);
	if (pipe(its.end) != 0)
		return 1;
	CASES(TRY)
	return 7;
}

static int run_child(const char *what)
{
	/* As the C library would: the status of main(). */
	exit(act(what));
}

static const char *variables[] = { "DLS_REPORT", NULL, "DLS_TRACE", NULL, "DLS_TRACE_LIMIT", "500", NULL };

/* Its wait status, as child_exit() has it; the files are new. */
static int run(int signal, const char *what)
{
	char argument[40];

	unlink(csv);
	unlink(json);
	if (waits && CHECK_EQ(mkfifo(json, 0600), 0) != 0)
		return -1;
	snprintf(argument, sizeof(argument), "%d %s", signal, what);
	return child_again(argument, variables, true);
}

/* Whether the report and the trace are there, whole, with the first loop. */
static bool whole(void)
{
	static char text[1 << 22];
	const char *end;
	bool good;

	tap_read(csv, text, sizeof(text));
	good = CHECK(strncmp(text, "site,schedule,", 14) == 0);
	good = CHECK(strstr(text, "\"first\",\"ss\",") != NULL) && good;
	tap_read(json, text, sizeof(text));
	end = strlen(text) > 4 ? text + strlen(text) - 4 : text;
	good = CHECK(strstr(text, "\"site\":\"first\"") != NULL) && good;
	return CHECK(strcmp(end, "\n]}\n") == 0) && good;
}

static void ends(void)
{
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(run(signals[i], "plain"), 128 + signals[i]);
		CHECK_TEXT(complained, "");
		whole();
	}
}

static void of_the_program(void)
{
	static const char *const what[] = { "ignored", "handled_before", "handled_after", "waited_for" };

	for (int k = 0; k < 4; k++) {
		tap_note("%s", what[k]);
		CHECK_EQ(run(signals[k % 3], what[k]), 7);
		CHECK_TEXT(complained, "");
		whole();
	}
}

/* A second signal soon after the first changes nothing, unless the machine is so busy that it is not soon; later ones do. */
static void second(void)
{
	char text[100] = "";

	waits = true;
	for (int k = 0; k < 3 && strncmp(text, "site,", 5) != 0; k++) {
		int status = run(SIGTERM, "twice");

		CHECK(status == 128 + SIGTERM || status == 128 + SIGINT);
		tap_read(csv, text, sizeof(text));
	}
	CHECK(strncmp(text, "site,", 5) == 0);
	CHECK_EQ(run(SIGTERM, "insisted"), 128 + SIGTERM);
	waits = false;
}

static bool late(void)
{
	return tap_skip_if(TAP_THREAD_SANITIZER, "the sanitizer runs handlers later than the system does");
}

static void forked(void)
{
	if (late())
		return;
	CHECK_EQ(run(SIGTERM, "child"), 7);
	CHECK_TEXT(complained, "");
	whole();
}

/* They go on, or seem to, while the trace waits for its reader. */
static void calls(void)
{
	if (late())
		return;
	waits = true;
	for (int k = 0; k < (tap_thorough() ? 4 : 2); k++) {
		CHECK_EQ(run(SIGINT, k % 2 ? "pause" : "read"), 128 + SIGINT);
		CHECK_TEXT(complained, "");
		CHECK(access(csv, F_OK) == 0);
	}
	waits = false;
}

/* Either may come first. */
static void exits(void)
{
	variables[1] = "stderr";
	for (int k = 0; k < (tap_thorough() ? 20 : 10) && tap_failures == 0; k++) {
		static const char report[] = "libdls: report on 1 loop\n";
		int status = run(SIGTERM, "exit");

		CHECK(status == 7 || status == 128 + SIGTERM);
		if (!CHECK(strncmp(complained, report, strlen(report)) == 0 && !strstr(complained + 1, report)))
			tap_note("%s", complained);
	}
	variables[1] = csv;
}

static void busy(void)
{
	for (int k = 0; k < (tap_thorough() ? 10 : 5) && tap_failures == 0; k++) {
		CHECK_EQ(run(SIGTERM, "busy"), 128 + SIGTERM);
		if (!CHECK(strncmp(complained, "libdls: DLS_TRACE=", 18) == 0 && strchr(complained, '\n')[1] == 0))	/* its limit */
			tap_note("%s", complained);
		whole();
	}
}

/* main() ends by pthread_exit(): the last thread is the library's own, or one that goes on after that. */
static void outlived(void)
{
	char text[8000];

	if (tap_skip_if(TAP_THREAD_SANITIZER, "the sanitizer's own thread keeps such a process, with or without the library"))
		return;
	for (int k = 0; k < 2; k++) {
		CHECK_EQ(run(SIGTERM, k ? "outlived_by_seconds" : "outlived_at_once"), 0);
		CHECK_TEXT(complained, "");
		whole();
		CHECK(strstr(tap_read(csv, text, sizeof(text)), "\"last\",\"ss\",") != NULL);
	}
}

static void refused(void)
{
	if (tap_skip_if(strstr(child_program, "-shared"), "libdls.so asks for its threads without this program"))
		return;
	CHECK_EQ(run(SIGTERM, "without_a_thread"), 128 + SIGTERM);
	CHECK_TEXT(complained, "");
	CHECK(access(csv, F_OK) != 0 && access(json, F_OK) != 0);
}

static void begin(void)
{
	variables[1] = csv = scratch("report.csv");
	variables[3] = json = scratch("trace.json");
}

/* Nothing is left beside the files. */
static void end(void)
{
	unlink(csv);
	unlink(json);
	CHECK_EQ(rmdir(scratch_folder), 0);
}

TEST_MAIN_OR(run_child, T(begin) T(ends) T(of_the_program) T(second) T(forked) T(calls) T(exits) T(busy) T(outlived)
	T(refused) T(end))
