/* env.c - the environment, read once: DLS_STRICT and DLS_DISPLAY_ENV here, the other variables in lib/schedule and lib/observe; and what
 * it asks for and the program does not meet: variables, sites, a report.
 *
 * Other software has variables that begin with DLS_, too: nothing is said of one that resembles none of libdls's. */
#define _GNU_SOURCE		/* environ, memrchr(), program_invocation_short_name */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "dls.h"
#include "lib/base/fork.h"
#include "lib/base/message.h"
#include "lib/base/name.h"
#include "lib/base/openmp.h"
#include "lib/base/reading.h"
#include "lib/base/stay.h"
#include "lib/base/variable.h"
#include "lib/base/writing.h"
#include "lib/site/env.h"
#include "lib/site/site.h"
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

static const char prefix[] = "DLS_";
enum { PREFIX = sizeof(prefix) - 1, NAMED = 4 };	/* NAMED: loops that a message names */

/* Without the prefix. */
static const char *const variables[] = {
	"CHECK", "DISPLAY_ENV", "OMP", "PROGRESS", "REPORT", "RUN", "RUN_PROGRAM", "SCHEDULE", "STRICT", "TRACE", "TRACE_LIMIT",
};

/* Report a variable, named without the prefix, that is none of libdls's and is near one; returns whether it is. */
static bool misspelled(const char *name, size_t length)
{
	struct dls__nearest nearest = { .written = name, .length = length };
	char quote[DLS__QUOTE];

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		if (strlen(variables[i]) == length && memcmp(variables[i], name, length) == 0)
			return false;
		dls__nearest_try(&nearest, variables[i], strlen(variables[i]));
	}
	if (nearest.name)
		dls__tell_user("%s%s: there is no such variable; did you mean %s%s?", prefix,
			       dls__quote(quote, name, length, 0, 0), prefix, nearest.name);
	return nearest.name;
}

/* Report variables that are near one of libdls's, but none of them.  Returns whether there is any. */
static bool unmet_variables(void)
{
	bool any = false;

	for (char **v = dls__variables_trusted() ? environ : NULL; v && *v; v++)
		if (strncmp(*v, prefix, PREFIX) == 0)
			any |= misspelled(*v + PREFIX, strcspn(*v + PREFIX, "="));
	return any;
}

/* A name from its last '/' on. */
static struct dls__slice base_of(const char *name, size_t length)
{
	const char *slash = memrchr(name, '/', length), *base = slash ? slash + 1 : name;

	return (struct dls__slice){ base, length - (size_t)(base - name) };
}

static void tell_site(const struct dls__schedule_entry *entry)
{
	struct dls__slice written = base_of(entry->site, entry->length);
	struct dls__nearest nearest = { .written = written.s, .length = written.n };
	char quote[DLS__QUOTE], names[NAMED * (DLS__QUOTE + 2) + 64] = "", near[DLS__QUOTE] = "";
	struct dls__printer to = { names, sizeof(names), 0 };
	unsigned loops = 0;

	for (struct dls__kept_site *site = NULL; (site = dls__site_after(site)); loops++) {
		struct dls__slice base = base_of(site->name, strlen(site->name));

		dls__nearest_try(&nearest, base.s, base.n);
		dls__quote(quote, site->name, strlen(site->name), 0, 0);
		if (nearest.name == base.s)
			strcpy(near, quote);
		if (loops < NAMED)
			dls__put(&to, "%s%s", loops ? ", " : "there were: ", quote);
	}
	if (loops > NAMED)
		dls__put(&to, " and %u more", loops - NAMED);
	dls__quote(quote, entry->site, entry->length, 0, 0);
	if (*near)
		dls__tell_user("DLS_SCHEDULE: no loop was met at or by the name of \"%s\"; did you mean \"%s\"?", quote, near);
	else
		dls__tell_user("DLS_SCHEDULE: no loop was met at or by the name of \"%s\"; %s", quote, loops ? names : "there was none");
}

/* Report the sites of DLS_SCHEDULE that no loop has had.  Returns whether there is any. */
static bool unmet_sites(const struct dls__schedules *s)
{
	bool any = false;

	for (size_t i = 0; i < s->entries; i++)
		if (!atomic_load_explicit(&s->entry[i].met, memory_order_relaxed)) {	/* relaxed: for a message */
			tell_site(&s->entry[i]);
			any = true;
		}
	return any;
}

static void read_variables(void)
{
	dls__cancellation = cancellation();
	dls__given.strict = dls__variable_flag("DLS_STRICT");
	dls__given.display = dls__variable_flag("DLS_DISPLAY_ENV");
	dls__schedules_read(&dls__given.schedules, dls__complain);
	if (unmet_variables() && dls__given.strict)
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

static pid_t process;		/* the process that was asked; 0: none */

/* libdls-omp.so is loaded, also into all programs that the program starts, such as shells. */
static bool preloaded;
static long run;		/* the process that dls-run has started; 0: none, or not a program of OpenMP */

void dls__foreign_loaded(void)
{
	const char *number = getenv("DLS_RUN");

	preloaded = true;
	run = number ? strtol(number, NULL, 10) : 0;
}

bool dls__foreign_run(void)
{
	return run == getpid();
}

/* Whether this process asks for a report or for sites, before main(). */
static bool unmet_asked(void)
{
	char *file = dls__variable_text("DLS_REPORT", false);
	const char *schedule = getenv("DLS_SCHEDULE");
	bool asked = file || (schedule && strchr(schedule, ':'));

	free(file);
	if (asked)
		process = getpid();
	return asked;
}

/* Whether this process is the one that was asked, and no child or shell of it. */
static bool unmet_here(void)
{
	return getpid() == process && (!preloaded || dls__foreign_run());
}

/* Report that DLS_REPORT is given, and the library has seen no loop. */
static void unmet_report(void)
{
	char *file = dls__variable_text("DLS_REPORT", false), quote[DLS__QUOTE];

	if (file)
		dls__tell_user("DLS_REPORT=\"%s\": no loop was seen in process %lld (%s); no report is written",
			       dls__quote(quote, file, strlen(file), 0, 0), (long long)process,
			       program_invocation_short_name);
	free(file);
}

/* The last function of the program's end, within exit(), which must not be called again. */
static void end_process(void)
{
	/* acquire: pairs with the release in read_environment(). */
	int now = atomic_load_explicit(&state, memory_order_acquire);

	if (!unmet_here())
		return;
	if (now == UNREAD)
		unmet_report();
	if (now != READ || !unmet_sites(&dls__given.schedules) || !dls__given.strict)
		return;
	fflush(NULL);
	_exit(2);
}

/* Before main(): so the functions that the program registers for its end, which may have loops, come first. */
__attribute__((constructor(101))) static void begin(void)
{
	if (unmet_asked())
		atexit(end_process);
}

const struct dls__env *dls__env(void)
{
	/* acquire: pairs with the release in read_environment(). */
	if (__builtin_expect(atomic_load_explicit(&state, memory_order_acquire) != READ, false))
		read_first();
	return &dls__given;
}
