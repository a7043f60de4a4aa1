/* env.c - the environment, read once: DLS_STRICT and DLS_DISPLAY_ENV here, the other variables in lib/schedule and lib/observe. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "dls.h"
#include "lib/base/fork.h"
#include "lib/base/message.h"
#include "lib/base/openmp.h"
#include "lib/base/stay.h"
#include "lib/base/variable.h"
#include "lib/base/writing.h"
#include "lib/site/env.h"
#include "lib/site/site.h"
#include "lib/site/unmet.h"
#include "lib/observe/chosen.h"
#include "lib/observe/progress.h"
#include "sched/registry.h"

void (*dls__env_end)(void);
bool dls__cancellation;

struct dls__env dls__given = { .schedules = { .general = &dls__auto, .origin = "default" } };

static _Atomic enum { UNREAD, READ, REFUSED } state;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* held while it is read */
static _Thread_local bool reading;	/* this thread reads the environment */
static _Thread_local bool ending;	/* ... has called exit() */

/* For DLS_STRICT.  The first thread ends the program.  Later ones stop here, since one could otherwise leave main() with a status of
 * its own; but threads that come while the program's atexit() functions use the library go on: those functions may need them. */
static void end_program(void)
{
	static atomic_bool ended, used;

	/* relaxed, all: flags alone. */
	if (ending) {
		atomic_store_explicit(&used, true, memory_order_relaxed);
		return;
	}
	if (!atomic_exchange_explicit(&ended, true, memory_order_relaxed)) {
		ending = true;
		if (dls__env_end)
			dls__env_end();
		exit(2);
	}
	while (!atomic_load_explicit(&used, memory_order_relaxed))
		pause();
}

void dls__complain(const char *where, const char *text, size_t length, const struct dls_parse_error *error,
		   const struct dls_schedule *instead)
{
	char quote[DLS__QUOTE], name[128] = "";

	dls__quote(quote, text, length, error->at, error->length);
	if (!dls__given.strict || ending) {
		dls_schedule_print(instead, name, sizeof(name));
		dls__tell_user("%s=\"%s\": %s; using %s", where, quote, error->what, name);
		return;
	}
	dls__tell_user("%s=\"%s\": %s", where, quote, error->what);
	if (reading)
		dls__given.schedules.refused = true;
	else
		end_program();
}

static void display_choice(void *arg, const struct dls__report_met *met)
{
	(void)arg;
	if (met->chosens && dls__ran_auto(met->asked))
		dls__tell_user("%s: auto runs %s", met->name, met->chosen[0].now.schedule);
}

/* At the program's end. */
static void display_end(void)
{
	dls__sites_each(display_choice, NULL);
}

static void display_runtime(void)
{
	unsigned threads = dls__runtime_threads();
	const char *schedule = getenv("OMP_SCHEDULE");
	char names[DLS__RUNTIME], number[16] = "";

	dls__runtime_names(names);
	dls__variable_display("OPENMP RUNTIME", names, *names ? NULL : threads ? "linked statically" : "compiled without -fopenmp");
	if (threads)
		snprintf(number, sizeof(number), "%u", threads);
	dls__variable_display("THREADS", threads ? number : *names ? "" : "1", NULL);
	dls__variable_display("OMP_SCHEDULE", schedule ? schedule : "", NULL);
}

static void display(void)
{
	dls__write_line("LIBDLS DISPLAY ENVIRONMENT BEGIN\n  VERSION = '%s'\n", DLS_VERSION);
	display_runtime();
	dls__schedules_display(&dls__given.schedules);
	dls__variable_display_flag("DLS_STRICT", dls__given.strict);
	dls__observers_display(&dls__given.observers);
	dls__variable_display_flag("DLS_CHECK", dls__check());
	dls__variable_display_flag("DLS_DISPLAY_ENV", true);
	dls__write_text("LIBDLS DISPLAY ENVIRONMENT END\n");
}

/* As libgomp and libomp read it: true, .true., yes, enabled, on, 1. */
static bool cancellation(void)
{
	const char *value = getenv("OMP_CANCELLATION");

	if (!value)
		return false;
	value += strspn(value, " \t.");
	return (*value && strchr("tTyYeE1", *value)) || strncasecmp(value, "on", 2) == 0;
}

static void read_variables(void)
{
	dls__cancellation = cancellation();
	dls__given.strict = dls__variable_flag("DLS_STRICT");
	dls__given.display = dls__variable_flag("DLS_DISPLAY_ENV");
	dls__schedules_read(&dls__given.schedules, dls__complain);
	if (dls__unmet_variables() && dls__given.strict)
		dls__given.schedules.refused = true;
	if (dls__given.schedules.refused)
		return;
	dls__observers_read(&dls__given.observers, dls__sites_each, dls__given.display);
	/* relaxed: published with the environment. */
	if (dls__given.observers.report || dls__given.observers.trace || dls__given.observers.progress)
		atomic_fetch_or_explicit(&dls__times_wanted, DLS__WANTED_FOR_EVER, memory_order_relaxed);
	if (dls__given.display) {
		display();
		atexit(display_end);
	}
}

static bool is_reading(void)
{
	return reading;
}

DLS__ACROSS_FORK(env, .order = DLS__FORK_ENV, .mutex = &mutex, .is_mine = is_reading);

/* relaxed: the mutex is held. */
static void read_environment(void)
{
	int cancel;

	if (atomic_load_explicit(&state, memory_order_relaxed) != UNREAD)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	reading = true;
	dls__stay_loaded();
	read_variables();
	reading = false;
	pthread_setcancelstate(cancel, &cancel);
	/* release: publishes dls__given; pairs with the acquire in dls__env(). */
	atomic_store_explicit(&state, dls__given.schedules.refused ? REFUSED : READ, memory_order_release);
}

/* Parsing calls a calculator's init(), which may use the library: it sees what has been read so far.  The program is ended
 * only after the mutex has been released, since its atexit() functions may use the library, too. */
static void read_first(void)
{
	if (reading)
		return;
	pthread_mutex_lock(&mutex);
	read_environment();
	pthread_mutex_unlock(&mutex);
	/* relaxed: the mutex was held. */
	if (atomic_load_explicit(&state, memory_order_relaxed) == REFUSED)
		end_program();
}

/* The last function of the program's end, within exit(), which must not be called again. */
static void end_process(void)
{
	/* acquire: pairs with the release in read_environment(). */
	int now = atomic_load_explicit(&state, memory_order_acquire);

	if (!dls__unmet_here())
		return;
	if (now == UNREAD)
		dls__unmet_report();
	if (now != READ || !dls__unmet_sites(&dls__given.schedules) || !dls__given.strict)
		return;
	fflush(NULL);
	_exit(2);
}

/* Before main(): so the functions that the program registers for its end, which may have loops, come first. */
__attribute__((constructor(101))) static void begin(void)
{
	if (dls__unmet_asked())
		atexit(end_process);
}

const struct dls__env *dls__env(void)
{
	/* acquire: pairs with the release in read_environment(). */
	if (__builtin_expect(atomic_load_explicit(&state, memory_order_acquire) != READ, false))
		read_first();
	return &dls__given;
}
