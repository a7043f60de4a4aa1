/* run.c - dls-run: runs an unmodified OpenMP program with libdls-omp.so preloaded. */
#define _XOPEN_SOURCE 700	/* realpath() */
#include <sys/wait.h>
#include <unistd.h>

#include "dls.h"
#include "bench/run/run.h"
#include "bench/tool/tool.h"

static const char *schedule, *report, *trace;
static bool advise, unordered;
static enum tool_format format;

static const struct tool_option options[] = {
	{ TOOL_SCHEDULE, .value = "S", .help = "for the program's loops, as DLS_SCHEDULE has it",
	  .text = &schedule },
	{ "report", "FILE", "stderr, or a file .txt, .csv, .json, .html\nwhat each loop did; stdout, too",
	  .text = &report },
	TOOL_FORMATS(&format, "the report as CSV, behind what the program prints"),
	{ "trace", "FILE", "every chunk, for Perfetto", .text = &trace },
	{ "advise", NULL, "print the five most worthwhile changes at the end", .flag = &advise },
	{ "unordered", NULL, "schedules may start iterations out of order\nfor all loops, not only those "
	  "that --schedule names", .flag = &unordered },
	TOOL_LAST
};

static const struct tool tool = {
	.name = "dls-run", .option = options, .arguments = true, .command = true,
	.about =
	"dls-run [OPTION...] PROGRAM [ARGUMENT...]: run an unmodified OpenMP program\n"
	"under a schedule, or watch it.\n"
	"\n"
	"  dls-run --advise ./solver input          what would be gained\n"
	"  dls-run --report solver.html ./solver    what each loop did\n"
	"  dls-run -s 'solver.c:42:fac2' ./solver   one loop under a schedule\n",
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

/* A single schedule is parsed here, since a child takes as long as the program's loader.  What is refused
 * here, such as several entries, is checked in a child, since a process reads the environment once. */
static void check_schedule(void)
{
	static const char *const others[] = { "DLS_REPORT", "DLS_TRACE", "DLS_PROGRESS", "DLS_DISPLAY_ENV" };
	struct dls_schedule *parsed;
	pid_t child;
	int status;

	if (dls_schedule_parse(&parsed, schedule, NULL) == 0) {
		dls_schedule_free(parsed);
		return;
	}
	child = fork();
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

/* The folder of libdls-omp.so. */
static char *library_folder(void)
{
	static const char *const places[] = { DLS_LIBDIRS "..", "." };
	char *own = tool_folder();

	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && own; i++) {
		char *folder = realpath(tool_string("%s/%s", own, places[i]), NULL);

		if (folder && access(tool_string("%s/libdls-omp.so", folder), R_OK) == 0)
			return folder;
	}
	if (access(DLS_LIBDIR "/libdls-omp.so", R_OK) == 0)
		return tool_string("%s", DLS_LIBDIR);
	if (own)
		tool_die(TOOL_MISSING, "libdls-omp.so is neither in \"%s\", where make install puts it, nor in ../lib, ../lib64, .. or . "
			 "from \"%s\", where this tool is", DLS_LIBDIR, own);
	tool_die(TOOL_MISSING, "libdls-omp.so is not in \"%s\", where make install puts it; where this tool is cannot be told, so "
		 "it is not looked for beside it", DLS_LIBDIR);
}

/* Put a word before what a variable has. */
static void set_first(const char *name, const char *word)
{
	const char *before = getenv(name);

	set(name, before && *before ? tool_string("%s:%s", word, before) : word);
}

/* Preload by the path, which stays right if the program changes LD_LIBRARY_PATH for programs that it starts.
 * LD_PRELOAD cannot quote a blank: if the folder has one, preload by name, and have the folder searched. */
static void preload(void)
{
	char *folder = library_folder();
	bool blank = strpbrk(folder, " \t\n\v\f\r");

	if (strpbrk(folder, blank ? ":;" : ":"))
		tool_die(TOOL_MISSING, "\"%s\": the loader finds no library in a folder with a colon in its name, or with a blank and "
			 "a semicolon; move libdls to another", folder);
	if (blank)
		set_first("LD_LIBRARY_PATH", folder);
	set_first("LD_PRELOAD", blank ? "libdls-omp.so" : tool_string("%s/libdls-omp.so", folder));
}

/* What sanitizers in the program must know.  AddressSanitizer refuses to run behind another library, which
 * may define what it replaces; ours does not.  To put its library first would put it into all programs that
 * this one starts, too, which it would search for leaks.  ThreadSanitizer would report what it cannot see
 * ordered in libraries that were not compiled for it. */
static void tell_sanitizers(void)
{
	set_first("ASAN_OPTIONS", "verify_asan_link_order=0");
	set_first("TSAN_OPTIONS", "ignore_noninstrumented_modules=1");
}

/* Make a file's name absolute: a relative one would mean another file if the program changes its folder. */
static const char *from_root(const char *name)
{
	char folder[4096];

	return !name || *name == '/' || strcmp(name, "stderr") == 0 || strcmp(name, "stdout") == 0 || !getcwd(folder, sizeof(folder)) ? name :
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
	if (report && format != TOOL_TEXT)
		tool_die(TOOL_USAGE, "--report \"%s\": one report is written, so not with --csv or --json", report);
	set("DLS_REPORT", format == TOOL_CSV ? "csv" : format == TOOL_JSON ? "json" : from_root(report));
	set("DLS_TRACE", from_root(trace));
	if (advise || unordered)
		set("DLS_OMP", tool_string("%s,%s,%s", words ? words : "", advise ? "advise" : "", unordered ? "unordered" : ""));
	path = run_find(*command);
	if (!path)
		tool_die(127, "\"%s\": no such program", *command);
	if (given("DLS_SCHEDULE") || given("DLS_REPORT") || given("DLS_TRACE") || given("DLS_PROGRESS") || given("DLS_OMP")) {
		/* execv() leaves the number of the process as it is. */
		set("DLS_RUN", run_check(path, *command) ? tool_string("%lld", (long long)getpid()) : "0");
		preload();
		tell_sanitizers();
	}
	execv(path, command);
	tool_die(errno == ENOENT ? 127 : 126, "\"%s\": %s", *command, strerror(errno));
}
