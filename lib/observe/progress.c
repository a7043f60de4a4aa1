/* progress.c - progress of long loops: a line on the terminal, and a callback of the program.
 *
 * If a report is due when a worker finishes a chunk, this worker makes the report.  No worker waits for
 * another that is reporting: it skips the report until the loop's next one is due. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "dls/stats.h"
#include "lib/base/clock.h"
#include "lib/base/fork.h"
#include "lib/base/writing.h"
#include "lib/observe/progress.h"
#include "lib/observe/ran.h"
#include "lib/schedule/schedule.h"

/* ns: when a loop gets its first line, and the time between two lines. */
static const uint64_t FIRST = 500000000, PERIOD = 200000000;
/* Stands in place of the next time while a worker is reporting. */
static const uint64_t SAYING = UINT64_MAX;

static bool terminal;

/* The arguments of dls_set_progress(), under the mutex; also the period in ns, read without it; 0: no callback. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
DLS__ACROSS_FORK(progress, .order = DLS__FORK_PROGRESS, .mutex = &mutex);
static void (*callback)(const struct dls_progress *, void *);
static void *callback_arg;
static _Atomic uint64_t callback_period;

static atomic_flag busy = ATOMIC_FLAG_INIT;	/* a worker is reporting */

/* The line, under its mutex. */
static pthread_mutex_t line_mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(const struct dls__execution *) line_of;	/* execution whose line is shown; NULL: none */
static int line_length;
static uint64_t line_written;				/* ns */

/* In the child of a fork(): the line is the parent's, and no thread is reporting. */
static void in_child(void)
{
	atomic_store_explicit(&line_of, NULL, memory_order_relaxed);	/* relaxed: there is one thread */
	line_length = 0;
	atomic_flag_clear_explicit(&busy, memory_order_relaxed);
}

DLS__ACROSS_FORK(line, .order = DLS__FORK_LINE, .mutex = &line_mutex, .in_child = in_child);

void dls__progress_open(void)
{
	terminal = isatty(STDERR_FILENO);
}

static uint64_t period(void)
{
	/* relaxed: a number alone. */
	uint64_t ns = atomic_load_explicit(&callback_period, memory_order_relaxed);

	return ns ? ns : PERIOD;
}

bool dls__progress_opened(const struct dls__execution *e)
{
	uint64_t first = terminal && period() > FIRST ? FIRST : period();

	/* relaxed: as above. */
	if (!terminal && !atomic_load_explicit(&callback_period, memory_order_relaxed))
		return false;
	/* relaxed, both: published with the execution. */
	atomic_store_explicit(&e->progress->done, 0, memory_order_relaxed);
	atomic_store_explicit(&e->progress->say, e->opened + first, memory_order_relaxed);
	return true;
}

struct dls__versioned dls__progress_setting = DLS__VERSIONED(&dls__progress_setting, false);
atomic_uint dls__times_wanted;

int dls_set_progress(void (*call)(const struct dls_progress *, void *), void *arg, double seconds)
{
	void (*replaced)(const struct dls_progress *, void *);

	if (call && !(seconds >= 0.001 && seconds <= 1e6))
		return DLS_ERANGE;
	pthread_mutex_lock(&mutex);
	replaced = callback;
	callback = call;
	callback_arg = arg;
	/* relaxed: the function is looked up under the mutex. */
	atomic_store_explicit(&callback_period, call ? (uint64_t)(1e9 * seconds) : 0, memory_order_relaxed);
	/* relaxed, both: it may be seen a moment late. */
	if (call && !replaced)
		atomic_fetch_add_explicit(&dls__times_wanted, DLS__WANTED_BY_CALL, memory_order_relaxed);
	else if (!call && replaced)
		atomic_fetch_sub_explicit(&dls__times_wanted, DLS__WANTED_BY_CALL, memory_order_relaxed);
	dls__versioned_set(&dls__progress_setting, call != NULL, true);
	pthread_mutex_unlock(&mutex);
	return 0;
}

/* Three figures or fewer, written with a point in every locale. */
static void print_rate(char *text, size_t size, double rate)
{
	int e = rate > 0 ? (int)floor(log10(rate)) : 0, tenths = (int)(10 * rate / pow(10, e));

	if (rate > 0 && (e < 0 || e > 2))
		snprintf(text, size, "%d.%de%d/s", tenths / 10, tenths % 10, e);
	else
		snprintf(text, size, "%d/s", (int)rate);
}

static void print_left(char *text, size_t size, double seconds)
{
	uint64_t s = seconds < 1e9 ? (uint64_t)(seconds + 0.5) : 0;

	if (!(seconds < 1e9))
		snprintf(text, size, "?");
	else if (s < 3600)
		snprintf(text, size, "%d:%02d", (int)(s / 60), (int)(s % 60));
	else
		snprintf(text, size, "%d:%02d:%02d", (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60));
}

static void write_line(const struct dls__execution *e, const struct dls_progress *p, uint64_t now)
{
	enum { COLUMNS = 79, NAME = 28 };	/* of the site's name: its end, which tells more */
	size_t length = strlen(p->site);
	struct winsize window = { .ws_col = 0 };
	char text[COLUMNS + 1], line[2 * COLUMNS + 3], rate[32], left[32];
	int n;

	print_rate(rate, sizeof(rate), (double)p->done / p->elapsed);
	print_left(left, sizeof(left), p->left);
	n = snprintf(text, sizeof(text), "%s  %s  %" PRIu64 "/%" PRIu64 " (%d%%)  %s  %s left",
		     length > NAME ? p->site + length - NAME : p->site, p->schedule, p->done, p->total,
		     (int)(100 * ((double)p->done / (double)p->total)), rate, left);
	n = n < COLUMNS ? n : COLUMNS;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1 && n >= window.ws_col)
		n = window.ws_col - 1;	/* a second line could not be erased */
	text[n] = 0;
	for (char *c = text; *c; c++)	/* names may contain control characters */
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	pthread_mutex_lock(&line_mutex);
	if (now >= line_written + PERIOD) {
		snprintf(line, sizeof(line), "\r%-*s", line_length, text);
		dls__write_text(line);
		line_length = n;
		line_written = now;
		/* relaxed: dls__progress_closed() looks again under the mutex. */
		atomic_store_explicit(&line_of, e, memory_order_relaxed);
	}
	pthread_mutex_unlock(&line_mutex);
}

/* The schedule that runs; one worker at a time asks. */
static const char *schedule_of(const struct dls__execution *e)
{
	static char asked[256];

	dls_schedule_print(e->schedule, asked, sizeof(asked));
	return dls__ran_under(asked, e->ran, e->why);
}

static void say(const struct dls__execution *e, uint64_t done, uint64_t now)
{
	uint64_t elapsed = dls__clock_since(e->opened, now);
	struct dls_progress progress = {
		.site = e->site, .schedule = schedule_of(e), .done = done, .total = e->n,
		.elapsed = 1e-9 * (double)elapsed,
		.left = 1e-9 * (double)elapsed * ((double)(e->n - done) / (double)done),
	};
	void (*call)(const struct dls_progress *, void *);
	void *arg;
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_mutex_lock(&mutex);
	call = callback;
	arg = callback_arg;
	pthread_mutex_unlock(&mutex);
	if (terminal && elapsed >= FIRST)
		write_line(e, &progress, now);
	if (call)
		call(&progress, arg);
	pthread_setcancelstate(cancel, &cancel);
}

void dls__progress_chunk(const struct dls__execution *e, const struct dls__chunk_span *chunk)
{
	struct dls__progress_count *p = e->progress;
	/* relaxed, here and below: numbers alone; what is said comes from this worker, or stands since the opening. */
	uint64_t due = atomic_load_explicit(&p->say, memory_order_relaxed);
	uint64_t done = atomic_fetch_add_explicit(&p->done, chunk->n, memory_order_relaxed) + chunk->n;

	if (chunk->ended < due || done == e->n ||
	    !atomic_compare_exchange_strong_explicit(&p->say, &due, SAYING, memory_order_relaxed, memory_order_relaxed))
		return;
	/* acquire, and release below: the callback sees what its earlier calls wrote. */
	if (!atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
		say(e, done, chunk->ended);
		atomic_flag_clear_explicit(&busy, memory_order_release);
	}
	atomic_store_explicit(&p->say, dls__clock_now() + period(), memory_order_relaxed);
}

void dls__progress_closed(const struct dls__execution *e)
{
	int cancel;

	/* relaxed: a worker that wrote the line has left since, and `left` brings what it wrote. */
	if (atomic_load_explicit(&line_of, memory_order_relaxed) != e)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_mutex_lock(&line_mutex);
	if (atomic_load_explicit(&line_of, memory_order_relaxed) == e) {
		dls__write_line("\r%*s\r", line_length, "");
		line_length = 0;
		atomic_store_explicit(&line_of, NULL, memory_order_relaxed);
	}
	pthread_mutex_unlock(&line_mutex);
	pthread_setcancelstate(cancel, &cancel);
}
