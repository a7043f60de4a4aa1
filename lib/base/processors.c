/* processors.c - the processors that this process may use, from the files of Linux.
 *
 * A control group limits what all its processes use together, and its parents limit it in turn.  A process can use the union of its
 * threads' affinities: an OpenMP runtime may have bound each thread to one processor.
 * Files are read line by line; a line that does not look as expected is skipped.  Texts are in the heap: exit() may be called in a
 * thread with a small stack.
 * See cgroups(7), proc(5), sched-bwc and cgroup-v2 of the kernel's documentation. */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/processors.h"
#include "lib/base/reading.h"
#include "lib/base/room.h"

enum { LINE = 4096, PROCESSORS = 8192 };

typedef void visitor(void *arg, char *line);

/* Call visit() for each line of a file, without the line's end; lines that are too long are left out.  The
 * file's name is given as to printf(). */
static __attribute__((format(printf, 3, 4))) void each_line(visitor *visit, void *arg, const char *format, ...)
{
	char *text = malloc(PATH_MAX > LINE ? PATH_MAX : LINE), *end;	/* the name, and then each line */
	bool begins = true;
	va_list args;
	FILE *file;
	int length;

	if (!text)
		return;
	va_start(args, format);
	length = vsnprintf(text, PATH_MAX, format, args);
	va_end(args);
	file = length < PATH_MAX ? fopen(text, "r") : NULL;
	while (file && fgets(text, LINE, file)) {
		end = strchr(text, '\n');
		if (end)
			*end = 0;
		if (begins && (end || feof(file)))
			visit(arg, text);
		begins = end != NULL;
	}
	if (file)
		fclose(file);
	free(text);
}

/* The next word of a line; NULL: there is none. */
static char *word(char **rest)
{
	return strtok_r(NULL, " \t", rest);
}

/* A whole number; UINT64_MAX: the word is none. */
static uint64_t whole(const char *text)
{
	uint64_t value;
	bool fits;

	if (!text || !dls__whole((struct dls__stretch){ text, strlen(text) }, &value, &fits) || !fits)
		return UINT64_MAX;
	return value;
}

static void limit(struct dls__processors *p, uint64_t quota, uint64_t period)
{
	if (quota > 0 && quota < UINT64_MAX && period > 0 && period < UINT64_MAX)
		p->quota = fmin(p->quota, (double)quota / (double)period);
}

/* cpu.max: "QUOTA PERIOD", us; a quota of "max" is none. */
static void read_max(void *arg, char *line)
{
	uint64_t quota;
	char *rest = line;

	quota = whole(strtok_r(line, " \t", &rest));
	limit(arg, quota, whole(word(&rest)));
}

static void read_number(void *arg, char *line)
{
	*(uint64_t *)arg = whole(line);		/* -1: no quota */
}

static void read_group(struct dls__processors *p, const char *folder)
{
	uint64_t quota = UINT64_MAX, period = UINT64_MAX;

	each_line(read_max, p, "%s/cpu.max", folder);
	each_line(read_number, &quota, "%s/cpu.cfs_quota_us", folder);
	each_line(read_number, &period, "%s/cpu.cfs_period_us", folder);
	limit(p, quota, period);
}

struct groups {
	struct dls__processors *p;
	const char *root;
	char unified[LINE], cpu[LINE];	/* the process's groups, of version 2 and of version 1's "cpu"; empty: none */
	char folder[PATH_MAX];		/* under way */
};

/* Whether a word is one of those between commas. */
static bool among(const char *list, const char *wanted)
{
	size_t n = strlen(wanted);

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, wanted, n) == 0 && (at[n] == ',' || !at[n]))
			return true;
	}
	return false;
}

/* proc/self/cgroup: NUMBER:CONTROLLERS:PATH. */
static void read_membership(void *arg, char *line)
{
	struct groups *g = arg;
	char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!path || path[1] != '/')
		return;
	*controllers++ = 0;
	*path++ = 0;
	if (strcmp(line, "0") == 0 && !*controllers)
		strcpy(g->unified, path);
	else if (among(controllers, "cpu"))
		strcpy(g->cpu, path);
}

/* Replace \NNN, octal, which stands for blanks. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; to++)
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] >= '0' && text[2] <= '7' && text[3] >= '0' &&
		    text[3] <= '7') {
			*to = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0'));
			text += 4;
		} else {
			*to = *text++;
		}
	*to = 0;
}

/* The limits of a group and its parents, as far as they are mounted: `top`, the folder `place`, is one of them. */
static void read_mounted(struct groups *g, const char *group, const char *top, const char *place)
{
	size_t n = strcmp(top, "/") ? strlen(top) : 0, base = strlen(g->root) + strlen(place);

	/* A group whose path leads out of this namespace, or lies outside `top`, is not mounted. */
	if (strncmp(group, top, n) != 0 || (group[n] && group[n] != '/') || strstr(group, "/.."))
		group = top;
	if (snprintf(g->folder, PATH_MAX, "%s%s%s", g->root, place, strcmp(group + n, "/") ? group + n : "") >= PATH_MAX)
		return;
	for (;;) {
		read_group(g->p, g->folder);
		if (strlen(g->folder) <= base)
			return;
		*strrchr(g->folder, '/') = 0;
	}
}

/* proc/self/mountinfo: ID PARENT DEVICE ROOT PLACE OPTIONS [TAG]... - TYPE SOURCE OPTIONS. */
static void read_mount(void *arg, char *line)
{
	struct groups *g = arg;
	char *field[6] = { NULL }, *rest = line, *type, *options;

	field[0] = strtok_r(line, " \t", &rest);
	for (int i = 1; i < 6 && field[i - 1]; i++)
		field[i] = word(&rest);
	if (!field[5])
		return;
	do
		type = word(&rest);
	while (type && strcmp(type, "-") != 0);
	type = type ? word(&rest) : NULL;
	options = type && word(&rest) ? word(&rest) : NULL;
	if (!options || *field[3] != '/' || *field[4] != '/')
		return;
	unescape(field[3]);
	unescape(field[4]);
	if (strcmp(type, "cgroup2") == 0 && *g->unified)
		read_mounted(g, g->unified, field[3], field[4]);
	else if (strcmp(type, "cgroup") == 0 && *g->cpu && among(options, "cpu"))
		read_mounted(g, g->cpu, field[3], field[4]);
}

static void read_quotas(struct dls__processors *p, const char *root)
{
	struct groups *g = calloc(1, sizeof(*g));

	p->quota = INFINITY;
	if (!g)
		return;
	g->p = p;
	g->root = root;
	each_line(read_membership, g, "%s/proc/self/cgroup", root);
	each_line(read_mount, g, "%s/proc/self/mountinfo", root);
	free(g);
}

struct thread {
	struct dls__processors *p;
	unsigned char *may;		/* bit i: some thread may run on processor i */
};

/* A mask in hexadecimal digits, commas between its words. */
static void read_mask(unsigned char *may, const char *text)
{
	unsigned i = 0;

	for (size_t at = strlen(text); at-- > 0 && i < PROCESSORS;) {
		unsigned char c = (unsigned char)text[at];

		if (!isxdigit(c))
			continue;
		may[i / 8] |= (unsigned char)((c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10) << i % 8);
		i += 4;
	}
}

static void read_status(void *arg, char *line)
{
	static const char allowed[] = "Cpus_allowed:", lost[] = "nonvoluntary_ctxt_switches:";
	const struct thread *t = arg;
	uint64_t n;
	char *rest;

	if (strncmp(line, allowed, sizeof(allowed) - 1) == 0)
		read_mask(t->may, line + sizeof(allowed) - 1);
	if (strncmp(line, lost, sizeof(lost) - 1) == 0) {
		n = whole(strtok_r(line + sizeof(lost) - 1, " \t", &rest));
		t->p->switches += n < UINT64_MAX ? n : 0;
	}
}

/* "RAN WAITED SLICES", ns. */
static void read_schedstat(void *arg, char *line)
{
	struct dls__processors *p = ((const struct thread *)arg)->p;
	char *rest = line;
	uint64_t ran = whole(strtok_r(line, " \t", &rest)), waited = whole(word(&rest));

	if (ran == UINT64_MAX || waited == UINT64_MAX)
		return;
	p->ran = (isnan(p->ran) ? 0 : p->ran) + 1e-9 * (double)ran;
	p->waited = (isnan(p->waited) ? 0 : p->waited) + 1e-9 * (double)waited;
}

static void read_threads(struct dls__processors *p, const char *root)
{
	unsigned char may[PROCESSORS / 8] = { 0 };
	struct thread t = { p, may };
	char name[PATH_MAX];
	DIR *folder = snprintf(name, sizeof(name), "%s/proc/self/task", root) < PATH_MAX ? opendir(name) : NULL;

	p->ran = p->waited = NAN;
	for (struct dirent *e; folder && (e = readdir(folder));) {
		if (e->d_name[0] < '0' || e->d_name[0] > '9')
			continue;
		each_line(read_status, &t, "%s/proc/self/task/%s/status", root, e->d_name);
		each_line(read_schedstat, &t, "%s/proc/self/task/%s/schedstat", root, e->d_name);
	}
	if (folder)
		closedir(folder);
	for (int i = 0; i < PROCESSORS; i++)
		p->affinity += may[i / 8] >> i % 8 & 1;
}

/* Numbers and ranges of them, "0-3,5". */
static void read_online(void *arg, char *line)
{
	char *rest = line;
	unsigned n = 0;

	for (char *range = strtok_r(line, ",", &rest); range; range = strtok_r(NULL, ",", &rest)) {
		char *dash = strchr(range, '-');
		uint64_t first, last;

		if (dash)
			*dash = 0;
		first = whole(range);
		last = dash ? whole(dash + 1) : first;
		if (last >= PROCESSORS || last < first)
			return;
		n += (unsigned)(last - first) + 1;
	}
	*(unsigned *)arg = n;
}

void dls__processors_read(struct dls__processors *p, const char *root)
{

	*p = (struct dls__processors){ .online = 0 };
	each_line(read_online, &p->online, "%s/sys/devices/system/cpu/online", root);
	read_quotas(p, root);
	read_threads(p, root);
}

atomic_uint dls__processors_counted;

static void count_online(void *known)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	*(unsigned *)known = online > 0 ? (unsigned)online : 1;
}

unsigned dls__processors_online(void)
{
	/* relaxed, both: a number alone. */
	unsigned known = atomic_load_explicit(&dls__processors_counted, memory_order_relaxed);

	if (known > 0)
		return known;
	dls__with_room(count_online, &known);
	atomic_store_explicit(&dls__processors_counted, known, memory_order_relaxed);
	return known;
}
