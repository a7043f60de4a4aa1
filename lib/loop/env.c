/* env.c - the variables: DLS_SCHEDULE, OMP_SCHEDULE, DLS_STRICT, DLS_DISPLAY_ENV, DLS_REPORT, DLS_TRACE,
 * DLS_TRACE_LIMIT and DLS_PROGRESS. */
#define _GNU_SOURCE		/* secure_getenv(), where there is one */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif
#include <unistd.h>

#include "dls.h"
#include "lib/loop/deal.h"
#include "lib/loop/env.h"
#include "lib/loop/fork.h"
#include "lib/base/message.h"
#include "lib/schedule/schedule.h"
#include "lib/loop/site.h"
#include "lib/observe/progress.h"
#include "lib/observe/statistics.h"
#include "lib/observe/trace.h"
#include "sched/registry.h"

extern const struct dls_calc dls__calc_fac2;
const struct dls_schedule dls__fac2 = { .calc = &dls__calc_fac2 };

enum { SHOWN = 8 };
static size_t refused;		/* entries of the variable being read */
static struct dls__env env = { .schedule = &dls__fac2 };
static const char *origin = "default";

static _Atomic enum { UNREAD, READ, REFUSED } state;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* held while it is read */
static _Thread_local bool reading;	/* this thread reads the environment */
static _Thread_local bool ending;	/* ... has called exit() */

/* For DLS_STRICT.  The thread that comes first ends the program; the others stay, lest one leaves main() with a status of
 * its own, but for those that come when functions of the program's end use the library: they may be at work for them. */
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
		dls__region_forsake();
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
	if (!env.strict || ending) {
		dls_schedule_print(instead, name, sizeof(name));
		dls__message("%s=\"%s\": %s; using %s", where, quote, error->what, name);
		return;
	}
	dls__message("%s=\"%s\": %s", where, quote, error->what);
	if (reading)
		atomic_store_explicit(&state, REFUSED, memory_order_relaxed);	/* relaxed: this thread looks first */
	else
		end_program();
}

static bool is_refused(void)
{
	return atomic_load_explicit(&state, memory_order_relaxed) == REFUSED;	/* relaxed: as above */
}

static bool blank(const char *text, size_t length)
{
	return strspn(text, " \t") >= length;
}

static bool flag(const char *name)
{
	const char *text = getenv(name);
	char quote[DLS__QUOTE];

	if (!text || blank(text, strlen(text)) || strcmp(text, "0") == 0 || dls__name_equal(text, strlen(text), "false", 5))
		return false;
	if (strcmp(text, "1") == 0 || dls__name_equal(text, strlen(text), "true", 4))
		return true;
	dls__message("%s=\"%s\": accepted are 0, 1, true and false; using 0", name,
		     dls__quote(quote, text, strlen(text), 0, strlen(text)));
	return false;
}

static bool is_modifier(const char *text, size_t n)
{
	return dls__name_equal(text, n, "monotonic", 9) || dls__name_equal(text, n, "nonmonotonic", 12);
}

/* The bytes of an entry before its schedule, without the colon; 0 if it is for all sites.  What stands before the
 * first comma is [SITE:] [monotonic:|nonmonotonic:] NAME, and SITE may hold a colon itself. */
static size_t site_length(const char *entry, size_t length)
{
	const char *comma = memchr(entry, ',', length);
	size_t end = comma ? (size_t)(comma - entry) : length, colon[2] = { 0, 0 };
	int colons = 0;

	while (end > 0 && colons < 2)
		if (entry[--end] == ':')
			colon[colons++] = end;
	if (colons == 0)
		return 0;

	const char *word = colons == 2 ? entry + colon[1] + 1 : entry;
	size_t n = (size_t)(entry + colon[0] - word);

	if (!is_modifier(word, n))
		return colon[0];
	return colons == 2 && !is_modifier(entry, colon[1]) ? colon[1] : 0;
}

/* Complain about an entry of a variable, with the whole value. */
static void refuse(const char *name, const char *value, const struct dls_parse_error *error)
{
	if (refused++ < SHOWN)
		dls__complain(name, value, strlen(value), error, env.schedule);
	else if (refused == SHOWN + 1)
		dls__message("%s: further entries are refused", name);
}

/* Parse one entry of a variable; NULL: it is refused. */
static struct dls_schedule *entry(const char *name, const char *value, size_t at, size_t length)
{
	struct dls_parse_error error;
	struct dls_schedule *schedule;

	if (is_refused())
		return NULL;
	if (dls__schedule_parse(&schedule, value + at, length, &error) == 0)
		return schedule;
	error.at += at;
	refuse(name, value, &error);
	return NULL;
}

static void read_general(const char *name)
{
	const char *value = getenv(name);

	if (!value || blank(value, strlen(value)))
		return;
	refused = 0;

	const struct dls_schedule *schedule = entry(name, value, 0, strlen(value));

	if (schedule) {
		env.schedule = schedule;
		origin = name;
	}
}

/* Call visit(at, length) for the entries of a value between semicolons. */
static void each_entry(const char *value, void (*visit)(const char *value, size_t at, size_t length))
{
	for (size_t at = 0, n;; at += n + 1) {
		n = strcspn(value + at, ";");
		visit(value, at, n);
		if (!value[at + n])
			return;
	}
}

static const char dls_schedule_name[] = "DLS_SCHEDULE";
static char *dls_schedule_value;		/* a copy, since setenv() may come later */

/* Nothing is said yet: what is used instead of a refused entry may be that of the next one. */
static void read_for_all(const char *value, size_t at, size_t length)
{
	static struct dls_schedule *last;
	struct dls_schedule *schedule;

	if (blank(value + at, length) || site_length(value + at, length) ||
	    dls__schedule_parse(&schedule, value + at, length, NULL))
		return;
	dls_schedule_free(last);
	env.schedule = last = schedule;
	origin = dls_schedule_name;
}

/* FILE:LINE, as the library writes a line. */
static bool is_place(const char *site, size_t length)
{
	size_t digits = 0;

	while (digits < length && site[length - digits - 1] >= '0' && site[length - digits - 1] <= '9')
		digits++;
	return digits && digits + 1 < length && site[length - digits - 1] == ':' && site[length - digits] != '0';
}

/* A name whose colons stand in pairs, as in C++: a single one would be taken for another part of the entry. */
static bool is_name(const char *site, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (site[i] == ':' && (++i == length || site[i] != ':'))
			return false;
	return length > 0 && length < sizeof(((struct dls__site *)0)->name);
}

static struct dls__env_site *sites;

static void read_for_site(const char *value, size_t at, size_t length, size_t site)
{
	static const struct dls_parse_error no_site = {
		.what = "SITE of SITE:SCHEDULE is the name of a loop, of 1 to 63 bytes, with colons in pairs alone, or FILE:LINE"
	};
	struct dls_parse_error error = no_site;
	size_t skip = strspn(value + at, " \t"), n = site > skip ? site - skip : 0;
	const char *text = value + at + skip;

	while (n && blank(&text[n - 1], 1))
		n--;
	if (!is_place(text, n) && !is_name(text, n)) {
		error.at = n ? at + skip : at + site;
		error.length = n ? n : 1;
		refuse(dls_schedule_name, value, &error);
		return;
	}

	const struct dls_schedule *schedule = entry(dls_schedule_name, value, at + site + 1, length - site - 1);

	if (schedule)
		sites[env.sites++] = (struct dls__env_site){ text, n, schedule, false };
}

/* What is not for all loops, and what is wrong with any entry. */
static void read_rest(const char *value, size_t at, size_t length)
{
	static bool told;
	size_t site = site_length(value + at, length);

	if (blank(value + at, length)) {	/* nothing need follow the last semicolon */
		if (value[at + length] && !told)
			refuse(dls_schedule_name, value, &(struct dls_parse_error){ at + length, 1,
			       "an entry, [SITE:]SCHEDULE, is missing before this semicolon" });
		told = true;
	} else if (site) {
		read_for_site(value, at, length, site);
	} else {
		dls_schedule_free(entry(dls_schedule_name, value, at, length));
	}
}

static void read_sites(const char *value)
{
	size_t n = 1;

	for (const char *c = value; *c; c++)
		n += *c == ';';
	sites = calloc(n, sizeof(*sites));
	if (sites)
		each_entry(value, read_rest);
	else
		dls__message("%s: no memory for the entries of single loops; they are not used", dls_schedule_name);
	env.site = sites;
}

/* At the program's end: entries that were for no loop are perhaps misspelled. */
static void display_unmet(void)
{
	char quote[DLS__QUOTE];

	for (size_t i = 0; i < env.sites; i++)
		if (!atomic_load_explicit(&sites[i].met, memory_order_relaxed))	/* relaxed: for a message */
			dls__message("DLS_SCHEDULE: no loop was met at or by the name of \"%s\"",
				     dls__quote(quote, sites[i].site, sites[i].length, 0, 0));
}

/* getenv() for what opens a file; nothing in a program that has rights which its user has not. */
static const char *trusted_getenv(const char *name)
{
#ifdef __GLIBC__
	return secure_getenv(name);
#elif defined(__linux__)
	return getauxval(AT_SECURE) ? NULL : getenv(name);
#else
	return getuid() != geteuid() || getgid() != getegid() ? NULL : getenv(name);
#endif
}

/* Such a variable's value, if it is not blank; a copy, since setenv() may come later. */
static char *text_of(const char *name)
{
	const char *value = trusted_getenv(name);
	char *copy;

	if (env.display && !value && getenv(name))
		dls__message("%s: ignored, since the program has rights that its user has not (setuid)", name);
	if (!value || blank(value, strlen(value)))
		return NULL;
	copy = strdup(value);
	if (!copy)
		dls__message("%s: no memory for it; it is not used", name);
	return copy;
}

static char *report_file;
static struct dls__output report_out, trace_out;
static pid_t process;
static uint64_t trace_limit = 1000000;	/* records a thread */

static void write_report(void)
{
	char quote[DLS__QUOTE];
	int code;

	if (getpid() != process)	/* a child that fork() made: the file is its parent's */
		return;
	code = dls__report_write(report_file, report_out.name ? &report_out : NULL);
	if (code)
		dls__message("DLS_REPORT=\"%s\": %s; it is not complete",
			     dls__quote(quote, report_file, strlen(report_file), 0, 0), strerror(code));
}

static void read_report(void)
{
	const char *reason = NULL;
	char quote[DLS__QUOTE];

	report_file = text_of("DLS_REPORT");
	if (!report_file)
		return;
	if (!dls__report_known(report_file))
		reason = "accepted are stderr, FILE.csv, FILE.json and FILE.html";
	else if (strcmp(report_file, "stderr"))
		reason = dls__output_reserve(&report_out, report_file);
	if (reason) {
		dls__message("DLS_REPORT=\"%s\": %s; no report is written",
			     dls__quote(quote, report_file, strlen(report_file), 0, 0), reason);
		return;
	}
	env.observers.report = true;
	env.observers.pictures = strlen(report_file) > 5 && strcmp(report_file + strlen(report_file) - 5, ".html") == 0;
	process = getpid();
	atexit(write_report);
}

static void read_trace_limit(void)
{
	char *limit = text_of("DLS_TRACE_LIMIT"), *end, quote[DLS__QUOTE];
	unsigned long long value;

	if (!limit)
		return;
	errno = 0;
	value = strtoull(limit, &end, 10);
	if (*limit < '0' || *limit > '9' || *end || errno || value == 0 || value > 1000000000)
		dls__message("DLS_TRACE_LIMIT=\"%s\": the most records a thread keeps, a whole number from 1 to 1e9, "
			     "is written in digits; using %llu", dls__quote(quote, limit, strlen(limit), 0, 0),
			     (unsigned long long)trace_limit);
	else
		trace_limit = value;
	free(limit);
}

static void read_trace(void)
{
	char *file = text_of("DLS_TRACE");

	read_trace_limit();
	env.observers.trace = file && dls__trace_open(file, &trace_out, trace_limit);
	free(file);
}

static void read_progress(void)
{
	env.observers.progress = flag("DLS_PROGRESS");
	if (env.observers.progress)
		dls__progress_open();
}

const struct dls__observers *dls__observers(void)
{
	return &dls__env()->observers;
}

/* NAME = 'VALUE' [WHERE]; where: may be NULL. */
static void display_text(const char *name, const char *value, const char *where)
{
	char quote[DLS__QUOTE];

	fprintf(stderr, "  %s = '%s'%s%s%s\n", name, dls__quote(quote, value, strlen(value), 0, 0), where ? " [" : "",
		where ? where : "", where ? "]" : "");
}

static void display_flag(const char *name, bool value)
{
	display_text(name, value ? "TRUE" : "FALSE", NULL);
}

static void display(void)
{
	char text[256], quote[DLS__QUOTE], name[DLS__QUOTE + 32];

	fprintf(stderr, "LIBDLS DISPLAY ENVIRONMENT BEGIN\n  VERSION = '%s'\n", DLS_VERSION);
	dls_schedule_print(env.schedule, text, sizeof(text));
	display_text(dls_schedule_name, text, origin);
	for (size_t i = 0; i < env.sites; i++) {
		dls_schedule_print(env.site[i].schedule, text, sizeof(text));
		snprintf(name, sizeof(name), "%s for %s", dls_schedule_name,
			 dls__quote(quote, env.site[i].site, env.site[i].length, 0, 0));
		display_text(name, text, NULL);
	}
	display_flag("DLS_STRICT", env.strict);
	display_text("DLS_REPORT", report_out.name ? report_out.name : env.observers.report ? report_file : "", NULL);
	display_text("DLS_TRACE", trace_out.name ? trace_out.name : "", NULL);
	fprintf(stderr, "  DLS_TRACE_LIMIT = '%llu'\n", (unsigned long long)trace_limit);
	display_flag("DLS_PROGRESS", env.observers.progress);
	display_flag("DLS_DISPLAY_ENV", true);
	fputs("LIBDLS DISPLAY ENVIRONMENT END\n", stderr);
}

static void read_schedules(void)
{
	const char *value = getenv(dls_schedule_name);

	/* OMP_SCHEDULE counts, and is looked at, only where nothing else is said. */
	if (!value || blank(value, strlen(value))) {
		read_general("OMP_SCHEDULE");
	} else {
		dls_schedule_value = strdup(value);
		if (dls_schedule_value) {
			each_entry(dls_schedule_value, read_for_all);
			if (origin != dls_schedule_name)
				read_general("OMP_SCHEDULE");
			read_sites(dls_schedule_value);
		} else {
			dls__message("%s: no memory for it; using fac2", dls_schedule_name);
		}
	}
}

static void read_variables(void)
{
	env.strict = flag("DLS_STRICT");
	env.display = flag("DLS_DISPLAY_ENV");
	read_schedules();
	if (is_refused())
		return;
	read_report();
	read_trace();
	read_progress();
	if (env.display) {
		display();
		atexit(display_unmet);
	}
}

void dls__env_lock(void)
{
	if (!reading)
		pthread_mutex_lock(&mutex);
}

void dls__env_unlock(void)
{
	if (!reading)
		pthread_mutex_unlock(&mutex);
}

/* relaxed: the mutex is held. */
static void read_environment(void)
{
	int cancel;

	if (atomic_load_explicit(&state, memory_order_relaxed) != UNREAD)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	reading = true;
	read_variables();
	reading = false;
	pthread_setcancelstate(cancel, &cancel);
	/* release: publishes `env`; pairs with the acquire in dls__env(). */
	if (!is_refused())
		atomic_store_explicit(&state, READ, memory_order_release);
}

/* A calculator's init(), which parsing calls, may use the library: it sees what has been read so far.  The program ends
 * while the mutex is free, since functions of its end may use the library too. */
static void read_first(void)
{
	if (reading)
		return;
	dls__env_lock();
	read_environment();
	dls__env_unlock();
	if (is_refused())
		end_program();
}

const struct dls__env *dls__env(void)
{
	/* acquire: pairs with the release in read_environment(). */
	if (__builtin_expect(atomic_load_explicit(&state, memory_order_acquire) != READ, false))
		read_first();
	return &env;
}
