/* tune.c - DLS_TUNE: its file is read when the environment is, and written at the end if a choice has changed.
 *
 * Before it is written it is read again, since other processes may have written it: their choices stay unless this process has
 * changed the same ones.  If two processes write at one time, one may lose its choices, but the file is whole.
 * A file that does not begin as these files do is never overwritten. */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "dls.h"
#include "lib/base/ending.h"
#include "lib/base/fork.h"
#include "lib/base/message.h"
#include "lib/base/variable.h"
#include "lib/observe/chosen.h"
#include "lib/observe/tune_file.h"
#include "lib/auto/auto.h"

/* Set while the environment is read. */
static char *variable;			/* the name of the file as it was given */
static struct dls__output file;
static bool wanted, frozen, kept;	/* kept: written at the end */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* guards the variables that follow */
DLS__ACROSS_FORK(tune, .order = DLS__FORK_TUNE, .mutex = &mutex);
static struct dls__tune_table *table;	/* NULL: it is not wanted */
static bool refused, full;		/* a message about it was printed */

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	char quote[DLS__QUOTE], text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	dls__tell_user("DLS_TUNE=\"%s\": %s", dls__quote(quote, variable, strlen(variable), 0, 0), text);
}

static void write_all(FILE *f, const void *old)
{
	dls__tune_write(f, table, *(const struct dls__content *)old);
	/* If it were renamed before its bytes are on the disk, it could be empty after a crash. */
	if (fflush(f) == 0)
		fsync(fileno(f));
}

static void write_file(void)
{
	struct dls__content old;
	const char *why;
	int code;

	pthread_mutex_lock(&mutex);
	if (table->changed) {
		why = dls__tune_load(&file, &old);
		code = why ? 0 : dls__output_write(&file, write_all, &old);
		free(old.text);
		if (why || code)
			say("%s; new choices are not kept", why ? why : strerror(code));
	}
	pthread_mutex_unlock(&mutex);
}

/* The model of the processor. */
static void read_cpu(void)
{
	FILE *info = fopen("/proc/cpuinfo", "r");
	struct utsname name;
	char line[256], *value = NULL;

	snprintf(table->cpu, sizeof(table->cpu), "%.60s", uname(&name) == 0 && *name.machine ? name.machine : "unknown");
	while (info && !value && fgets(line, sizeof(line), info))
		value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
	if (info)
		fclose(info);
	if (value) {
		struct dls__stretch text = dls__trim((struct dls__stretch){ value + 1, strcspn(value + 1, "\n") });

		if (text.n)
			snprintf(table->cpu, sizeof(table->cpu), "%.*s", (int)text.n, text.s);
	}
}

static void take_choices(struct dls__content c)
{
	struct dls__tune_count n = dls__tune_take(table, c);

	if (n.bad > 1)
		say("line %u and %u more are no choices as dls(7) describes them; ignored", n.first_bad, n.bad - 1);
	else if (n.bad)
		say("line %u is no choice as dls(7) describes them; ignored", n.first_bad);
	else if (n.lines && !n.used)
		say("none of its %u choices is of libdls %s on this processor, \"%s\"", n.lines, DLS_VERSION, table->cpu);
}

/* Cut ",frozen" off the name; false: something else follows the comma. */
static bool cut_frozen(char *name)
{
	char *comma = strrchr(name, ',');

	if (!comma)
		return true;
	*comma = 0;
	frozen = strcmp(comma + 1, "frozen") == 0;
	return frozen;
}

/* Find the file and read it.  Returns NULL, or why it is not used, in words. */
static const char *open_file(const char *name, struct dls__content *c)
{
	const char *why = dls__output_locate(&file, name);

	if (why)
		return why;
	if (dls__output_numbered(name))
		return "%n is another file in every run";
	why = dls__tune_load(&file, c);
	if (why)
		return why;
	return frozen && access(file.place, F_OK) != 0 ? strerror(errno) : NULL;
}

/* Reserve the file for this process, if it may be written. */
static void keep_file(const char *name)
{
	static struct dls__ending end = { .write = write_file };
	struct dls__output out;
	const char *why = dls__output_reserve(&out, name);

	if (why) {
		say("%s; new choices are not kept", why);
		return;
	}
	dls__output_free(&file);
	file = out;
	kept = true;
	dls__at_end(&end);
}

void dls__tune_open(bool display)
{
	struct dls__content c = { .text = NULL };
	const char *why;
	char *name;

	variable = dls__variable_text("DLS_TUNE", display);
	if (!variable)
		return;
	name = strdup(variable);
	table = calloc(1, sizeof(*table));
	why = !name || !table ? strerror(ENOMEM) : cut_frozen(name) ? open_file(name, &c) : "after the comma stands frozen";
	if (why) {
		say("%s; no choices are read or kept", why);
		dls__output_free(&file);
	} else {
		wanted = true;
		read_cpu();
		take_choices(c);
		if (!frozen)
			keep_file(name);
	}
	free(c.text);
	free(name);
}

void dls__tune_display(void)
{
	dls__variable_display("DLS_TUNE", wanted ? file.name : "",
			      !wanted || kept ? NULL : frozen ? "frozen" : "not written");
}

void dls__tune_count(struct dls__chosen_count *count)
{
	pthread_mutex_lock(&mutex);
	for (const struct dls__tune_entry *e = table ? table->first : NULL; e; e = e->after)
		if (dls__auto_named(e->line.choice.schedule) >= 0)	/* else it is refused when its loop runs */
			dls__chosen_count(count, e->line.choice.schedule);
	pthread_mutex_unlock(&mutex);
}

bool dls__tune_wanted(void)
{
	return wanted;
}

bool dls__tune_frozen(void)
{
	return frozen;
}

bool dls__tune_find(const struct dls__tune_key *key, struct dls__choice *choice)
{
	const struct dls__tune_entry *e;

	pthread_mutex_lock(&mutex);
	e = table ? dls__tune_look(table, key) : NULL;
	if (e)
		*choice = e->line.choice;
	pthread_mutex_unlock(&mutex);
	return e;
}

/* Whether to print a message that is printed once. */
static bool once(bool *said)
{
	bool before;

	pthread_mutex_lock(&mutex);
	before = *said;
	*said = true;
	pthread_mutex_unlock(&mutex);
	return !before;
}

void dls__tune_refuse(const struct dls__tune_key *key, const struct dls__choice *choice)
{
	if (once(&refused))
		say("\"%s\" threads=%u octave=%u: auto does not choose schedule=\"%s\"; ignored", key->site, key->workers,
		    key->octave, choice->schedule);
}

void dls__tune_set(const struct dls__tune_key *key, const struct dls__choice *choice)
{
	struct dls__tune_entry *e;

	if (!wanted || frozen)
		return;
	pthread_mutex_lock(&mutex);
	e = dls__tune_look(table, key);
	if (!e || !e->changed)
		e = table->changed < DLS__TUNE_LINES ? dls__tune_make(table, key) : NULL;
	if (e) {
		table->changed += !e->changed;
		e->changed = true;
		e->line.choice = *choice;
	}
	pthread_mutex_unlock(&mutex);
	if (!e && once(&full))
		say("there is no room for more choices; they are not kept");
}
