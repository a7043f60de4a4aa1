/* know.c - names a call site, finds its schedule, and decides what to do with its loops. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/fork.h"
#include "lib/base/room.h"
#include "lib/omp/know.h"
#include "lib/omp/lines.h"
#include "lib/omp/omp_thread.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* of what is known of call sites */
DLS__ACROSS_FORK(known, .order = DLS__FORK_KNOWN, .mutex = &mutex);

/* Copy a name; one that is too long keeps its end, which tells more than its beginning. */
static void put_name(char to[64], const char *name)
{
	size_t n = strlen(name);

	name += n > 63 ? n - 63 : 0;
	memcpy(to, name, strlen(name) + 1);
}

/* Convert ";dir/file.c;function;42;7;;" to "file.c:42" and the function; false: the text has no place. */
static bool name_of_source(char name[64], char function[64], const char *source)
{
	const char *file = source && *source == ';' ? source + 1 : NULL, *end = file ? strchr(file, ';') : NULL, *slash, *line;
	char text[4096];

	*function = 0;
	if (!end || !(line = strchr(end + 1, ';')) || strtol(line + 1, NULL, 10) <= 0)
		return false;
	for (slash = end; slash > file && slash[-1] != '/'; slash--)
		;
	snprintf(text, sizeof(text), "%.*s:%ld", (int)(end - slash), slash, strtol(line + 1, NULL, 10));
	put_name(name, text);
	snprintf(text, sizeof(text), "%.*s", (int)(line - end - 1), end + 1);
	put_name(function, text);
	return true;
}

/* A call site that a thread has come to, and what the thread knows of it. */
struct knowing {
	const struct dls__call_site *call_site;
	const char *source;
	const void *call;
	enum dls__foreign_order order;
	const struct dls__call_site *around;	/* call site of the region around it; NULL: none */
};

/* Name the function by its symbol, by the symbol of the call that starts its region or, within a region, by the region's. */
static void name_function(struct dls__call_site *s, const struct knowing *k)
{
	char text[4096];

	/* If the call is in another module: it called a function that starts the region by a tail call. */
	if (dls__omp_function(s->key, text, sizeof(text)) == 0 ||
	    (k->call && dls__module_of(k->call) == s->module && dls__omp_function(k->call, text, sizeof(text)) == 0))
		put_name(s->symbol, text);
	else if (k->around && k->around != k->call_site)
		strcpy(s->symbol, k->around->symbol);
}

/* Split "file.c:42"; returns the line. */
static long line_of(const char *name, size_t *file)
{
	const char *colon = strrchr(name, ':');

	*file = colon ? (size_t)(colon - name) : 0;
	return colon ? strtol(colon + 1, NULL, 10) : 0;
}

/* In optimized code the runtime's call may come before all instructions of the loop's lines, and then has its
 * function's line.  The loop is then the last statement before the call, if that is below the function's
 * line; inlined code is mostly above it. */
static void look_below(struct dls__call_site *s, const char *region)
{
	char name[sizeof(s->name)];
	size_t n, m;

	if (strcmp(s->name, region) == 0 && dls__omp_statement(s->key, name, sizeof(name)) == 0 &&
	    line_of(name, &n) > line_of(region, &m) && n == m && memcmp(name, region, n) == 0)
		strcpy(s->name, name);
}

static void name_call_site(struct dls__call_site *s, const struct knowing *k)
{
	bool needed = dls__foreign_entries() || dls__measuring();
	const char *module = *s->module->name ? s->module->name : "program", *slash = strrchr(module, '/');
	char text[4096];

	snprintf(text, sizeof(text), "%s+0x%" PRIxPTR, slash ? slash + 1 : module,
		 (uintptr_t)s->key - s->module->base);
	put_name(s->offset, text);
	if (!needed || (!name_of_source(s->name, s->function, k->source) &&
			dls__omp_line(s->key, s->name, sizeof(s->name))))
		strcpy(s->name, s->offset);
	else if (k->around && k->around != k->call_site && !k->call && !k->source)
		look_below(s, k->around->name);
	if (needed)
		name_function(s, k);
	if (!*s->function)
		strcpy(s->function, s->symbol);
}

static void know(void *arg)
{
	const struct knowing *k = arg;
	struct dls__call_site *s = (struct dls__call_site *)k->call_site;
	struct dls__call_site fresh = { .key = s->key, .module = s->module };
	const char *names[] = { fresh.name, fresh.offset, fresh.symbol, fresh.function };
	const struct dls_schedule *schedule;
	struct dls_site *site = NULL;
	bool measuring = dls__measuring();

	name_call_site(&fresh, k);
	schedule = dls__foreign_schedule(names, 4, k->order, s->runtime->omp_get_cancellation());
	/* If DLS_SCHEDULE has entries, loops without one get a site too: an entry that no loop has met is compared with their
	 * names. */
	if ((schedule || measuring || dls__foreign_entries()) &&
	    dls__site_by_name(&site, fresh.name, *fresh.function ? fresh.function : NULL))
		dls__call_site_no_memory();
	if (site && dls__settings.advise)
		dls_site_set_measured(site, true);
	pthread_mutex_lock(&mutex);
	if (!atomic_load_explicit(&s->known, memory_order_relaxed)) {	/* relaxed: under the mutex */
		strcpy(s->name, fresh.name);
		strcpy(s->offset, fresh.offset);
		strcpy(s->symbol, fresh.symbol);
		strcpy(s->function, fresh.function);
		s->schedule = schedule;
		s->site = site;
		s->order = k->order;
		s->action = !site ? DLS__PASSES : schedule ? DLS__TAKES :
			  measuring ? DLS__MEASURES : DLS__PASSES;
		/* release: publishes the rest. */
		atomic_store_explicit(&s->known, true, memory_order_release);
	}
	pthread_mutex_unlock(&mutex);
}

void dls__call_site_know(const struct dls__call_site *call_site, const char *source, const void *call,
			 enum dls__foreign_order order)
{
	const struct dls__omp_thread *t = dls__omp_thread;
	struct knowing k = { call_site, source, call, order, NULL };

	if (!call_site->key)		/* no memory for it */
		return;
	if (order == DLS__ANY_ORDER_IF_ASKED && dls__settings.unordered)
		k.order = DLS__ANY_ORDER;
	if (t && t->region && (call || dls__omp_thread_within(t)))
		k.around = t->region->call_site;
	dls__with_room(know, &k);
}
