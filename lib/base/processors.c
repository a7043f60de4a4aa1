/* processors.c - the processors that this process may use, from the files of Linux.
 *
 * A control group limits what all its processes use together, and its parents limit it in turn.  A process can use the union of its
 * threads' affinities: an OpenMP runtime may have bound each thread to one processor.
 * Files are read line by line; a line that does not look as expected is skipped.  Texts are in the heap: exit() may be called in a
 * thread with a small stack.
 * See cgroups(7), proc(5) and cgroup-v2 of the kernel's documentation. */
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

	if (!text || !dls__whole((struct dls__slice){ text, strlen(text) }, &value, &fits) || !fits)
		return UINT64_MAX;
	return value;
}

/* cpu.max: "QUOTA PERIOD", us; a quota of "max" is none. */
static void read_max(void *arg, char *line)
{
	struct dls__processors *p = arg;
	char *rest = line;
	uint64_t quota = whole(strtok_r(line, " \t", &rest)), period = whole(word(&rest));

	if (quota > 0 && quota < UINT64_MAX && period > 0 && period < UINT64_MAX)
		p->quota = fmin(p->quota, (double)quota / (double)period);
}

/* proc/self/cgroup: 0::PATH is the process's group of version 2; a path that leads out of this namespace stands for the root. */
static void read_membership(void *arg, char *line)
{
	if (strncmp(line, "0::/", 4) == 0 && !strstr(line, "/.."))
		strcpy(arg, line + 3);
}

/* The limits of the process's group and its parents, up to what is mounted: in a container its own group. */
static void read_quotas(struct dls__processors *p, const char *root)
{
	char *group = calloc(1, LINE);

	p->quota = INFINITY;
	if (!group)
		return;
	each_line(read_membership, group, "%s/proc/self/cgroup", root);
	for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
		*end = 0;
		each_line(read_max, p, "%s/sys/fs/cgroup%s/cpu.max", root, group);
	}
	free(group);
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
