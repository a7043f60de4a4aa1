/* writing.c - all that the library writes, to stderr and to files.
 *
 * The system sends SIGPIPE and SIGXFSZ to the writing thread.  The thread blocks them, and removes those that
 * its own writes caused: not a signal that was pending before, nor one sent to the process meanwhile, which
 * comes later. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/writing.h"

struct held {
	sigset_t outer, pending;	/* the thread's mask; what was pending before */
	int cancel;
};

static const int signals[] = { SIGPIPE, SIGXFSZ };
enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

/* Cancellation is disabled too: other threads may wait for the writing one. */
static void hold(struct held *h)
{
	sigset_t both;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &h->cancel);
	sigemptyset(&both);
	for (int i = 0; i < SIGNALS; i++)
		sigaddset(&both, signals[i]);
	pthread_sigmask(SIG_BLOCK, &both, &h->outer);
	sigpending(&h->pending);
}

static void let_go(const struct held *h, bool failed)
{
	sigset_t own;
	int cancel;

	for (int i = 0; i < SIGNALS && failed; i++) {
		sigemptyset(&own);
		sigaddset(&own, signals[i]);
		if (!sigismember(&h->pending, signals[i]))
			sigtimedwait(&own, NULL, &(struct timespec){ .tv_sec = 0 });
	}
	pthread_sigmask(SIG_SETMASK, &h->outer, NULL);
	pthread_setcancelstate(h->cancel, &cancel);
}

/* Write n bytes to a descriptor; false: not all of them were written. */
static bool write_all(int fd, const char *text, size_t n)
{
	while (n > 0) {
		ssize_t written = write(fd, text, n);

		if (written == 0 || (written < 0 && errno != EINTR))
			return false;
		text += written > 0 ? written : 0;
		n -= written > 0 ? (size_t)written : 0;
	}
	return true;
}

void dls__write_text(const char *text)
{
	int error = errno;
	struct held held;
	bool good;

	hold(&held);
	/* Written to the descriptor: an error of the stream could become the program's exit status. */
	flockfile(stderr);
	good = fflush(stderr) == 0;
	good &= write_all(fileno(stderr), text, strlen(text));
	funlockfile(stderr);
	let_go(&held, !good);
	errno = error;
}

void dls__write_line(const char *format, ...)
{
	char line[1200];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	dls__write_text(line);
}

int dls__write_stream(int fd, void (*write)(FILE *, const void *), const void *arg)
{
	FILE *file = fdopen(fd, "w");
	struct held held;
	bool good;
	int code;

	if (!file) {
		code = errno;
		close(fd);
		return code;
	}
	hold(&held);
	errno = 0;
	write(file, arg);
	good = fflush(file) == 0 && !ferror(file);
	code = good ? 0 : errno ? errno : EIO;
	if (fclose(file) != 0 && good)
		code = errno;
	let_go(&held, code != 0);
	return code;
}

int dls__write_standard(bool to_stdout, void (*write)(FILE *, const void *), const void *arg)
{
	int fd;

	if (to_stdout)
		dls__write_after_stdout();
	else
		dls__write_text("");
	fd = fcntl(fileno(to_stdout ? stdout : stderr), F_DUPFD_CLOEXEC, 3);
	return fd < 0 ? errno : dls__write_stream(fd, write, arg);
}

void dls__write_after_stdout(void)
{
	if (ftrylockfile(stdout) != 0)
		return;
	fflush(stdout);
	funlockfile(stdout);
}
