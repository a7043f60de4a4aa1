/* unmet.c - what the environment asks for and the program does not meet: variables, sites, a report.
 *
 * Other software has variables that begin with DLS_, too: nothing is said of one that resembles none of libdls's. */
#define _GNU_SOURCE		/* environ, memrchr(), program_invocation_short_name */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/message.h"
#include "lib/base/name.h"
#include "lib/base/reading.h"
#include "lib/base/variable.h"
#include "lib/site/site.h"
#include "lib/site/unmet.h"

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

bool dls__unmet_variables(void)
{
	bool any = false;

	for (char **v = dls__variables_trusted() ? environ : NULL; v && *v; v++)
		if (strncmp(*v, prefix, PREFIX) == 0)
			any |= misspelled(*v + PREFIX, strcspn(*v + PREFIX, "="));
	return any;
}

/* A name from its last '/' on. */
static struct dls__stretch base_of(const char *name, size_t length)
{
	const char *slash = memrchr(name, '/', length), *base = slash ? slash + 1 : name;

	return (struct dls__stretch){ base, length - (size_t)(base - name) };
}

static void tell_site(const struct dls__schedule_entry *entry)
{
	struct dls__stretch written = base_of(entry->site, entry->length);
	struct dls__nearest nearest = { .written = written.s, .length = written.n };
	char quote[DLS__QUOTE], names[NAMED * (DLS__QUOTE + 2) + 64] = "", near[DLS__QUOTE] = "";
	struct dls__printer to = { names, sizeof(names), 0 };
	unsigned loops = 0;

	for (struct dls__kept_site *site = NULL; (site = dls__site_after(site)); loops++) {
		struct dls__stretch base = base_of(site->name, strlen(site->name));

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

bool dls__unmet_sites(const struct dls__schedules *s)
{
	bool any = false;

	for (size_t i = 0; i < s->entries; i++)
		if (!atomic_load_explicit(&s->entry[i].met, memory_order_relaxed)) {	/* relaxed: for a message */
			tell_site(&s->entry[i]);
			any = true;
		}
	return any;
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
