/* run.c - dls-run: an unmodified OpenMP program, with libdls-omp.so loaded before it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dls.h"
#include "bench/run/run.h"
#include "bench/tool/tool.h"

static const char *schedule, *report, *trace;
static bool advise, unordered;

static const struct tool_option options[] = {
	{ "schedule", "S", "for the program's loops, as DLS_SCHEDULE has it", .text = &schedule },
	{ "report", "FILE", "what each loop did: stderr, FILE.csv, FILE.json, FILE.html", .text = &report },
	{ "trace", "FILE", "every chunk, for Perfetto", .text = &trace },
	{ "advise", NULL, "print the five most worthwhile changes at the end", .flag = &advise },
	{ "unordered", NULL, "a schedule for all loops may start iterations out of order", .flag = &unordered },
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-run", .option = options, .arguments = true, .command = true,
	.about = "dls-run [options] PROGRAM [ARGUMENT...]: run an unmodified OpenMP program under a schedule, or watch it.\n",
	.notes = "Without options, and without DLS_SCHEDULE, DLS_REPORT, DLS_TRACE, DLS_PROGRESS and DLS_OMP, the program runs as it\n"
		 "is.  Exit status: the program's; 2 a wrong option or a program that cannot be run so, 3 libdls-omp.so was not\n"
		 "found, 126 or 127 the program cannot be executed.\n",
};

static void set(const char *name, const char *value)
{
	if (value && setenv(name, value, 1))
		tool_die(TOOL_USAGE, "%s: %s", name, strerror(errno));
}

/* libdls-omp.so knows one more schedule: the program's runtime. */
static int native_init(void *state, const struct dls_loop_desc *loop)
{
	(void)state;
	(void)loop;
	return 0;
}

static uint64_t native_next(void *state, uint64_t R)
{
	(void)state;
	return R;
}

static const struct dls_calc native = {
	.size = sizeof(native), .name = "native", .source = "the program's runtime", .dispenser = DLS_DISPENSER_TICKETS,
	.init = native_init, .next = native_next,
};

/* A wrong schedule ends a child, since the library reads the environment once. */
static void check_schedule(void)
{
	static const char *const others[] = { "DLS_REPORT", "DLS_TRACE", "DLS_TUNE", "DLS_PROGRESS", "DLS_DISPLAY_ENV" };
	pid_t child = fork();
	int status;

	if (child == 0) {
		for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
			unsetenv(others[i]);
		set("DLS_STRICT", "1");
		dls_calc_register(&native);
		dls_site_print_schedule(NULL, NULL, 0);
		_exit(TOOL_DONE);
	}
	if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == TOOL_USAGE)
		exit(TOOL_USAGE);
}

static bool given(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

/* The folder of this program, with its final slash; "" if it is not known. */
static void own_folder(char *folder, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", folder, size - 1);
	char *slash;

	folder[n > 0 ? n : 0] = 0;
	slash = strrchr(folder, '/');
	folder[slash ? slash + 1 - folder : 0] = 0;
}

static void preload(void)
{
	static const char *const places[] = { "../lib/", "../", "" };
	char folder[4000], *path = NULL;
	const char *before = getenv("LD_PRELOAD");

	own_folder(folder, sizeof(folder));
	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && *folder; i++) {
		path = tool_string("%s%slibdls-omp.so", folder, places[i]);
		if (access(path, R_OK) == 0)
			break;
		free(path);
		path = NULL;
	}
	if (!path)
		path = tool_string("%s/libdls-omp.so", DLS_LIBDIR);
	if (access(path, R_OK))
		tool_die(TOOL_MISSING, "libdls-omp.so is not beside this tool's folder, nor is there %s; make install puts it there", path);
	if (strpbrk(path, " :"))
		tool_die(TOOL_MISSING, "\"%s\": LD_PRELOAD takes no path with a blank or a colon in it", path);
	set("LD_PRELOAD", before && *before ? tool_string("%s:%s", path, before) : path);
}

/* Where the program changes its folder, a relative name still means what it meant here. */
static const char *from_root(const char *name)
{
	char folder[4096];

	return !name || *name == '/' || strcmp(name, "stderr") == 0 || !getcwd(folder, sizeof(folder)) ? name :
	       tool_string("%s/%s", folder, name);
}

int main(int argc, char **argv)
{
	char **command = tool_options(&tool, argc, argv), *path;
	const char *words = getenv("DLS_OMP");

	if (!*command)
		tool_die(TOOL_USAGE, "which program? see dls-run --help");
	set("DLS_SCHEDULE", schedule);
	if (schedule)
		check_schedule();
	set("DLS_REPORT", from_root(report));
	set("DLS_TRACE", from_root(trace));
	if (advise || unordered)
		set("DLS_OMP", tool_string("%s,%s,%s", words ? words : "", advise ? "advise" : "", unordered ? "unordered" : ""));
	path = run_find(*command);
	if (!path)
		tool_die(127, "\"%s\": no such program", *command);
	if (given("DLS_SCHEDULE") || given("DLS_REPORT") || given("DLS_TRACE") || given("DLS_PROGRESS") || given("DLS_OMP")) {
		run_check(path, *command);
		preload();
	}
	execv(path, command);
	tool_die(errno == ENOENT ? 127 : 126, "\"%s\": %s", *command, strerror(errno));
}
