/* unmet.c - what the environment asks for and the program does not meet: variables, sites, a report.
 *
 * Other software has variables that begin with DLS_, too: one that resembles none of libdls's is told of on request only. */
#define _GNU_SOURCE		/* environ, memrchr(), program_invocation_short_name */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/message.h"
#include "lib/base/name.h"
#include "lib/base/variable.h"
#include "lib/site/site.h"
#include "lib/site/unmet.h"

static const char prefix[] = "DLS_";
enum { PREFIX = sizeof(prefix) - 1, NAMED = 4 };	/* NAMED: loops that a message names */

/* Without the prefix. */
static const char *const variables[] = {
	"CHECK", "DISPLAY_ENV", "OMP", "PROGRESS", "REPORT", "RUN", "RUN_PROGRAM", "SCHEDULE", "STRICT", "TRACE", "TRACE_LIMIT",
};
enum { VARIABLES = sizeof(variables) / sizeof(*variables) };

/* The variable of which this one has more or fewer words, as in DLS_REPORT_FILE; NULL: none. */
static const char *same_words(const char *name, size_t length)
{
	for (size_t i = 0; i < VARIABLES; i++) {
		size_t n = strlen(variables[i]), both = n < length ? n : length;
		const char *more = n < length ? name : variables[i];

		if (both >= 4 && n != length && strncmp(name, variables[i], both) == 0 && more[both] == '_')
			return variables[i];
	}
	return NULL;
}

/* One that begins with the prefix, without it.  Returns whether it is near one that exists. */
static bool told(const char *name, size_t length, bool all)
{
	struct dls__nearest nearest = { .written = name, .length = length };
	char quote[DLS__QUOTE];
	const char *near = same_words(name, length);

	for (size_t i = 0; i < VARIABLES; i++) {
		if (strlen(variables[i]) == length && memcmp(variables[i], name, length) == 0)
			return false;
		dls__nearest_try(&nearest, variables[i], strlen(variables[i]));
	}
	near = near ? near : nearest.name;
	dls__quote(quote, name, length, 0, 0);
	if (near)
		dls__tell_user("%s%s: there is no such variable; did you mean %s%s?", prefix, quote, prefix, near);
	else if (all)
		dls__tell_user("%s%s: libdls has no such variable; dls(7) lists all", prefix, quote);
	return near;
}

bool dls__unmet_variables(bool all)
{
	bool any = false;

	for (char **v = dls__variables_trusted() ? environ : NULL; v && *v; v++)
		if (strncmp(*v, prefix, PREFIX) == 0)
			any |= told(*v + PREFIX, strcspn(*v + PREFIX, "="), all);
	return any;
}

/* The first loops without an entry.  The sites' mutex guards both; a name that is there stays as it is. */
enum { PASSED = 256 };
static char passed[PASSED][64];
static unsigned passes;

void dls__unmet_passed(const char *name)
{
	bool known = false;

	dls__sites_lock();
	for (unsigned i = 0; i < passes; i++)
		known |= strcmp(passed[i], name) == 0;
	if (!known && passes < PASSED)
		strncpy(passed[passes++], name, sizeof(*passed) - 1);
	dls__sites_unlock();
}

/* The loops that may be meant. */
struct meant {
	struct dls__nearest nearest;
	const char *place;	/* the one whose line is nearest, of the file that is written; NULL: none */
	long off;		/* ... by so many lines */
	char quote[NAMED][DLS__QUOTE];
	unsigned loops;
};

/* As much of a place's path as is written of `written`. */
static const char *tail(const char *name, const char *written, size_t length)
{
	const char *at = name + strlen(name);

	for (size_t i = 0; i < length; i++)
		if (written[i] == '/')
			while (at > name && *--at != '/')
				;
	while (at > name && at[-1] != '/')
		at--;
	return at;
}

struct place {
	const char *file;	/* without its path */
	size_t length;
	long line;		/* 0: it is no place */
};

static struct place place_of(const char *name, size_t length)
{
	const char *colon = memchr(name, ':', length), *slash = memrchr(name, '/', length);
	const char *file = slash ? slash + 1 : name;

	if (!colon || colon < file)
		return (struct place){ .line = 0 };
	return (struct place){ file, (size_t)(colon - file), strtol(colon + 1, NULL, 10) };
}

/* A compiler may name a loop by its directive's line. */
static void consider_place(struct meant *m, const char *name)
{
	struct place written = place_of(m->nearest.written, m->nearest.length), its = place_of(name, strlen(name));
	bool same = written.line > 0 && its.line > 0 && written.length == its.length && memcmp(written.file, its.file, its.length) == 0;

	if (same && (!m->place || labs(its.line - written.line) < m->off)) {
		m->place = name;
		m->off = labs(its.line - written.line);
	}
}

static void consider(struct meant *m, const char *name)
{
	const char *end = tail(name, m->nearest.written, m->nearest.length);

	dls__nearest_try(&m->nearest, end, strlen(end));
	consider_place(m, end);
	if (m->loops < NAMED)
		dls__quote(m->quote[m->loops], name, strlen(name), 0, 0);
	m->loops++;
}

static void consider_site(void *arg, const struct dls__report_met *met)
{
	consider(arg, met->name);
}

struct search {
	const char *name;
	bool found;
};

static void compare(void *arg, const struct dls__report_met *met)
{
	struct search *s = arg;

	s->found |= strcmp(s->name, met->name) == 0;
}

static void consider_passed(struct meant *m)
{
	unsigned n;

	dls__sites_lock();
	n = passes;
	dls__sites_unlock();
	for (unsigned i = 0; i < n; i++) {
		struct search s = { .name = passed[i] };

		dls__sites_each(compare, &s);
		if (!s.found)
			consider(m, passed[i]);
	}
}

static void tell_site(const struct dls__schedule_entry *entry)
{
	struct meant m = { .nearest = { .written = entry->site, .length = entry->length } };
	char quote[DLS__QUOTE], names[NAMED * (DLS__QUOTE + 2) + 64] = "", near[DLS__QUOTE] = "";
	struct dls__printer to = { names, sizeof(names), 0 };

	dls__sites_each(consider_site, &m);
	consider_passed(&m);
	if (m.place)
		dls__quote(near, m.place, strlen(m.place), 0, 0);
	else if (m.nearest.name)
		dls__quote(near, m.nearest.name, m.nearest.name_length, 0, 0);
	dls__quote(quote, entry->site, entry->length, 0, 0);
	if (*near)
		dls__put(&to, "; did you mean \"%s\"?", near);
	for (unsigned i = 0; i < NAMED && i < m.loops && !*near; i++)
		dls__put(&to, "%s%s", i ? ", " : "; there were: ", m.quote[i]);
	if (m.loops > NAMED && !*near)
		dls__put(&to, " and %u more", m.loops - NAMED);
	dls__tell_user("DLS_SCHEDULE: no loop was met at or by the name of \"%s\"%s", quote, names);
}

bool dls__unmet_sites(const struct dls__schedules *s)
{
	enum { MOST = 8 };
	size_t unmet = 0;

	for (size_t i = 0; i < s->entries; i++)
		if (!atomic_load_explicit(&s->entry[i].met, memory_order_relaxed) && unmet++ < MOST)	/* relaxed: for a message */
			tell_site(&s->entry[i]);
	if (unmet > MOST)
		dls__tell_user("DLS_SCHEDULE: %zu more of its sites were not met", unmet - MOST);
	return unmet > 0;
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

bool dls__foreign_cleared(void)
{
	return dls__foreign_run() && !getenv("DLS_RUN");
}

bool dls__unmet_asked(void)
{
	char *file = dls__variable_text("DLS_REPORT", false);
	const char *schedule = getenv("DLS_SCHEDULE");
	bool asked = file || (schedule && strchr(schedule, ':'));

	free(file);
	if (asked)
		process = getpid();
	return asked;
}

bool dls__unmet_here(void)
{
	return getpid() == process && (!preloaded || dls__foreign_run());
}

void dls__unmet_report(void)
{
	char *file = dls__variable_text("DLS_REPORT", false), quote[DLS__QUOTE];

	if (file)
		dls__tell_user("DLS_REPORT=\"%s\": no loop was seen in process %lld (%s); no report is written",
			       dls__quote(quote, file, strlen(file), 0, 0), (long long)process,
			       program_invocation_short_name);
	free(file);
}
