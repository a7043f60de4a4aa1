/* processors.c - what the system leaves a process of its processors: planted files, any bytes, the report's words, a real run.
 *
 * Fails if: a limit of the process's group or of a parent group is missed, a group that is not the process's
 * counts, a mask or a list of processors is misread, a damaged file does harm or makes up a limit, a sentence is said that
 * the figures do not bear, or a program that taskset binds to one processor is not told.
 *
 * runs: check */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "deal.h"
#include "scratch.h"
#include "lib/base/processors.h"
#include "lib/report/report.h"

static char root[80];	/* of the file system */

/* Have a file below the root, and its folders. */
static void plant_bytes(const char *name, const void *data, size_t size)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = path + strlen(root); (slash = strchr(slash + 1, '/'));) {
		*slash = 0;
		mkdir(path, 0755);
		*slash = '/';
	}
	file = fopen(path, "w");
	if (!CHECK(file))
		exit(1);
	fwrite(data, 1, size, file);
	fclose(file);
}

static void plant(const char *name, const char *text)
{
	plant_bytes(name, text, strlen(text));
}

static void clear(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s/*", root);
	CHECK_EQ(system(command), 0);
}

static struct dls__processors look(void)
{
	struct dls__processors p;

	dls__processors_read(&p, root);
	return p;
}

/* In thousandths of a processor; -1: no limit. */
static int64_t quota(void)
{
	double value = look().quota;

	return isinf(value) ? -1 : (int64_t)(1000 * value + 0.5);
}

/* What a file changes. */
static void plant_limit(const char *name, const char *text, int64_t expected)
{
	plant(name, text);
	if (CHECK_EQ(quota(), expected) != (uint64_t)expected)
		tap_note("%s: %s", name, text);
}

static void nothing(void)
{
	struct dls__processors p;

	strcpy(root, scratch("."));
	p = look();
	CHECK(p.online == 0 && p.affinity == 0 && p.switches == 0 && isinf(p.quota) && isnan(p.ran) && isnan(p.waited));
}

static void group(void)
{
	clear();
	plant_limit("proc/self/cgroup", "4:cpu:/job\n0::/user.slice/job\n", -1);
	plant_limit("sys/fs/cgroup/user.slice/job/cpu.max", "max 100000\n", -1);
	plant_limit("sys/fs/cgroup/user.slice/job/cpu.max", "150000 100000\n", 1500);
	/* The smallest of the group's and its parents' counts, a sibling's and a child's do not. */
	plant("sys/fs/cgroup/user.slice/cpu.max", "100000 50000\n");
	plant("sys/fs/cgroup/user.slice/jobs/cpu.max", "1000 50000\n");
	plant_limit("sys/fs/cgroup/user.slice/job/below/cpu.max", "1000 50000\n", 1500);
	plant_limit("sys/fs/cgroup/user.slice/cpu.max", "50000 50000\n", 1000);
	plant_limit("sys/fs/cgroup/cpu.max", "25000 100000\n", 250);
	plant("proc/self/cgroup", "0::/\n");
	plant_limit("sys/fs/cgroup/cpu.max", "75000 100000\n", 750);
}

/* A container sees its own group where the host's root would be. */
static void container(void)
{
	clear();
	plant("sys/fs/cgroup/cpu.max", "300000 100000\n");
	plant_limit("proc/self/cgroup", "0::/docker/17\n", 3000);
	plant("sys/cpu.max", "1000 100000\n");
	plant_limit("proc/self/cgroup", "0::/../..\n", 3000);
}

/* Names that are too long are of no files; a root that leaves room for some of them only. */
static void long_names(void)
{
	static char longest[5000];
	struct dls__processors p;

	for (size_t n = 4050; n <= 4110; n += 6) {
		memset(longest, '/', n);
		longest[n] = 0;
		dls__processors_read(&p, longest);
		CHECK(p.quota > 0);
	}
	CHECK(p.online == 0 && p.affinity == 0 && isinf(p.quota) && isnan(p.ran));
	clear();
	memset(longest, 'a', 4080);
	memcpy(longest, "0::/", 4);
	plant_bytes("proc/self/cgroup", longest, 4080);
	plant_limit("sys/fs/cgroup/cpu.max", "1000 100000\n", 10);
}

static void threads(void)
{
	struct dls__processors p;

	clear();
	plant("sys/devices/system/cpu/online", "0-3,8-9,11\n");
	plant("proc/self/task/10/status", "Name:\ta\nCpus_allowed:\t000000f0,00000001\n"
	      "voluntary_ctxt_switches:\t7\nnonvoluntary_ctxt_switches:\t3\n");
	plant("proc/self/task/10/schedstat", "3000000000 500000000 12\n");
	plant("proc/self/task/11/status", "Cpus_allowed:\t3\nCpus_allowed_list:\t0-63\nnonvoluntary_ctxt_switches:\t40\n");
	plant("proc/self/task/11/schedstat", "1000000000 1500000000 12\n");
	plant("proc/self/task/x/status", "Cpus_allowed:\tffff\nnonvoluntary_ctxt_switches:\t40\n");
	p = look();
	CHECK_EQ(p.online, 7);
	CHECK_EQ(p.affinity, 6);
	CHECK_EQ(p.switches, 43);
	CHECK(fabs(p.ran - 4) < 1e-9 && fabs(p.waited - 2) < 1e-9);
	plant("sys/devices/system/cpu/online", "0\n");
	CHECK_EQ(look().online, 1);
}

/* Whatever stands in a file, no limit comes of it unless it is a number of a right line. */
static void damaged(void)
{
	static const char *const bad[] = {
		"", "\n", "max", "0 100000", "100000 0", "100000", "-1 100000", "1e5 100000", "100000 100000000000000000000", " ",
		"99999999999999999999 1", "x 100000", "\0 5 5",
	};
	static const char *const files[] = {
		"proc/self/cgroup", "sys/fs/cgroup/job/cpu.max", "sys/devices/system/cpu/online", "proc/self/task/1/status",
		"proc/self/task/1/schedstat",
	};
	static const char *const good[] = {
		"0::/job\n2:cpu:/job\n", "100000 100000\n", "0-1\n", "Cpus_allowed:\tf,ff\nnonvoluntary_ctxt_switches:\t1\n", "1 2 3\n",
	};
	enum { FILES = sizeof(files) / sizeof(*files) };
	uint64_t seed = tap_seed();
	char *longest = malloc(20000);

	clear();
	plant("proc/self/cgroup", good[0]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		plant("sys/fs/cgroup/job/cpu.max", bad[i]);
		if (CHECK_EQ(quota(), -1) != (uint64_t)-1)
			tap_note("cpu.max \"%s\"", bad[i]);
	}
	/* A line of any length. */
	memset(longest, '9', 20000);
	for (size_t i = 0; i < FILES; i++)
		plant_bytes(files[i], longest, 20000);
	CHECK_EQ(quota(), -1);
	plant("proc/self/cgroup", good[0]);
	for (int n = 4090; n < 4100; n++) {	/* its end is no line of its own */
		memcpy(longest + n, " 100000 100000\n", 15);
		plant_bytes("sys/fs/cgroup/job/cpu.max", longest, (size_t)n + 15);
		CHECK_EQ(quota(), -1);
		memset(longest + n, '9', 15);
	}
	memset(longest, '/', 20000);
	memcpy(longest, "0::", 3);
	plant_bytes("proc/self/cgroup", longest, 4000);
	CHECK_EQ(quota(), -1);
	free(longest);
	for (int round = 0; round < 300; round++)
		for (size_t i = 0; i < FILES; i++) {
			char text[256];
			size_t n = strlen(good[i]);

			memcpy(text, good[i], n);
			for (uint64_t k = tap_random(&seed) % 4; k > 0; k--)
				text[tap_random(&seed) % n] = (char)tap_random(&seed);
			plant_bytes(files[i], text, tap_random(&seed) % (n + 1));
			if (i == FILES - 1) {
				struct dls__processors p = look();

				CHECK(p.quota > 0 && p.online <= 8192 && p.affinity <= 8192);
			}
		}
}

static const char *said_of(unsigned workers, unsigned online, unsigned affinity, double limit, double ran, double waited)
{
	static char text[512];
	struct dls__report_facts report = {
		.threads = workers,
		.processors = { .online = online, .affinity = affinity, .quota = limit, .ran = ran, .waited = waited },
	};
	FILE *f = fmemopen(text, sizeof(text), "w");

	CHECK(f);
	dls__report_processors(f, &report, "<", ">");
	fputc(0, f);
	fclose(f);
	return text;
}

static void words(void)
{
	CHECK_TEXT(said_of(2, 2, 2, INFINITY, 10, 0.1), "");
	CHECK_TEXT(said_of(2, 0, 0, INFINITY, NAN, NAN), "");
	CHECK_TEXT(said_of(2, 4, 2, 2, 10, 0.1), "");
	CHECK_TEXT(said_of(2, 2, 2, 1.5, 10, 0.1), "<The container allows 1.5 of 2 processors for 2 threads.>");
	CHECK_TEXT(said_of(1, 2, 2, 0.25, 3, 1),
		   "<The container allows 0.25 of 2 processors for 1 thread.>"
		   "<Threads waited 25 % of the time for a processor: the container allows no more.>");
	CHECK_TEXT(said_of(2, 2, 1, INFINITY, 1, 1),
		   "<The affinity allows 1 of 2 processors for 2 threads.>"
		   "<Threads waited 50 % of the time for a processor: there are more threads.>");
	CHECK_TEXT(said_of(4, 0, 1, 1.5, 10, 0),
		   "<The affinity allows 1 processor for 4 threads.><The container allows 1.5 processors for 4 threads.>");
	CHECK_TEXT(said_of(4, 2, 2, 2, 10, 0), "<The machine has 2 processors for 4 threads.>");
	CHECK_TEXT(said_of(2, 2, 2, INFINITY, 69, 31), "<Threads waited 31 % of the time for a processor: other programs ran; measure again on a quiet machine.>");
	CHECK_TEXT(said_of(2, 2, 2, INFINITY, 0.05, 0.05), "");
}

static struct dls_loop *loop;

static void work(void *arg, unsigned worker)
{
	int64_t begin, end;

	(void)arg;
	while (dls_loop_next(loop, worker, &begin, &end))
		;
}

/* Two threads and a loop. */
static int child(const char *argument)
{
	struct dls_team *team;

	(void)argument;
	if (dls_team_open(&team, 2) || dls_loop_open(&loop, 2, deal_site("bound"), 0) || dls_loop_start(loop, 0, 100, 1) ||
	    dls_team_run(team, work, NULL))
		return 1;
	dls_loop_end(loop, NULL);
	dls_loop_close(loop);
	dls_team_close(team);
	return 0;
}

/* The child, bound to one processor; `report`: what DLS_REPORT says. */
static int bound(const void *report)
{
	setenv("DLS_REPORT", report, 1);
	execlp("taskset", "taskset", "-c", "0", child_program, "child", (char *)NULL);
	return 127;
}

static void taskset(void)
{
	const char *json = scratch("bound.json"), *html = scratch("bound.html");
	char text[1 << 14];
	struct dls__processors p;

	dls__processors_read(&p, "");
	if (tap_skip_if(p.online < 2 || system("taskset -c 0 true 2>/dev/null") != 0,
			"one processor, or no taskset that may bind to processor 0 (package util-linux)"))
		return;
	CHECK(p.affinity >= 1 && p.affinity <= p.online && p.ran >= 0 && p.waited >= 0);
	CHECK_EQ(child_exit(child_status(bound, "stderr")), 0);
	if (!CHECK(strstr(said, "\nThe affinity allows 1 of ") && strstr(said, " processors for 2 threads.\n")))
		tap_note("%s", said);
	CHECK_EQ(child_exit(child_status(bound, json)), 0);
	CHECK_TEXT(said, "");
	CHECK(strstr(tap_read(json, text, sizeof(text)), "\"affinity\": 1, "));
	CHECK_EQ(child_exit(child_status(bound, html)), 0);
	CHECK(strstr(tap_read(html, text, sizeof(text)), "The affinity allows 1 of "));
}

TEST_MAIN_OR(child, T(nothing) T(group) T(container) T(long_names) T(threads) T(damaged) T(words) T(taskset))
