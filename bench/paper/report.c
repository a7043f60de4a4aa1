/* report.c - dls-paper report DIR: every experiment, in processes of their own, and one web page of all that they print.
 *
 * An experiment leaves NAME.txt, .csv, .json, .figures.csv, .svg and .log in the folder, and last NAME.html, its part of the
 * page.  As make does, a part is kept while it is newer than this program; so a report that was interrupted goes on. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/paper/paper.h"

/* Seconds of one processor, roughly, of those that take longer than the others: for the order and the estimate. */
static const struct {
	const char *name;
	double seconds;
} longest[] = {
	{ "wlr93-topology", 180 }, { "wlr93-scale", 100 }, { "wlr93-latency", 90 }, { "wlr93-sensitivity", 40 },
	{ "rips-sensitivity", 30 }, { "wlr93-fig7", 30 }, { "wlr93-fig6", 20 }, { "wlr93-table4", 15 }, { "rips-table6", 15 },
	{ "rips-scale", 15 }, { "wlr93-fig8", 15 }, { "repart-threads", 60 },
};
enum { OTHERS = 4 };

static double expected(const char *name)
{
	for (size_t i = 0; i < sizeof(longest) / sizeof(*longest); i++)
		if (strcmp(name, longest[i].name) == 0)
			return longest[i].seconds;
	return OTHERS;
}

/* One of the experiments. */
static struct part {
	const struct paper_experiment *experiment;
	pid_t pid;		/* of its process; 0: none runs */
	double began;
	bool done, failed;
} *part;
static const char *folder;
static bool pictures;

static char *path(const char *name, const char *suffix)
{
	return tool_string("%s/%s%s", folder, name, suffix);
}

static FILE *open_file(const char *name, const char *suffix)
{
	char *file = path(name, suffix);
	FILE *out = fopen(file, "w");

	if (!out)
		tool_die(TOOL_USAGE, "report: %s: %s", file, strerror(errno));
	free(file);
	return out;
}

static void close_file(FILE *file, const char *name)
{
	if (ferror(file) | fclose(file))
		tool_die(TOOL_CHECK_FAILED, "report: %s/%s: %s", folder, name, strerror(errno));
}

static bool there(const char *name)
{
	struct stat program, page;
	char *file = path(name, ".html");
	bool newer = stat("/proc/self/exe", &program) == 0 && stat(file, &page) == 0 &&
		     (page.st_mtim.tv_sec > program.st_mtim.tv_sec ||
		      (page.st_mtim.tv_sec == program.st_mtim.tv_sec && page.st_mtim.tv_nsec > program.st_mtim.tv_nsec));

	free(file);
	return newer;
}

/* What a function prints on stdout, as CSV or text, into a file. */
static void print_into(const char *name, const char *suffix, enum tool_format format, void (*print)(const struct paper_experiment *e),
		       const struct paper_experiment *e)
{
	char *file = path(name, suffix);

	if (!freopen(file, "w", stdout))
		_exit(TOOL_CHECK_FAILED);
	paper.format = format;
	print(e);
	free(file);
}

/* The page's part begins with what the report says of it at the top. */
static void print_part(const struct paper_experiment *e, const char *svg, double seconds)
{
	size_t agree = 0, differ = 0, calibrated = 0;
	char *unfinished = path(e->name, ".part"), *file = path(e->name, ".html");
	FILE *out = open_file(e->name, ".part");
	struct paper_judged j;

	for (size_t k = 0; paper_judged(k, &j); k++)
		if (!isnan(j.low)) {
			agree += j.agrees;
			differ += !j.agrees;
			calibrated += j.by != NULL;
		}
	fprintf(out, "<!-- %zu %zu %zu %zu %.0f -->\n", agree, differ, calibrated, paper_changed(), seconds);
	paper_page(out, e, svg);
	close_file(out, unfinished);
	if (rename(unfinished, file))
		tool_die(TOOL_CHECK_FAILED, "report: %s: %s", file, strerror(errno));
	free(unfinished);
	free(file);
}

static void run_part(const struct paper_experiment *e)
{
	char *command[] = { (char *)(uintptr_t)tool_name, (char *)(uintptr_t)e->name, NULL }, *svg = path(e->name, ".svg");
	char *text = path(e->name, ".txt"), *log = path(e->name, ".log");
	double began = tool_now();
	FILE *out;

	if (!freopen(log, "w", stderr) || !freopen(text, "w", stdout))
		_exit(TOOL_CHECK_FAILED);
	tool_keep_command(2, command);
	paper.first = e->first;
	paper.seeds = (size_t)(e->last - e->first + 1);
	if (pictures)
		paper_plot_begin(svg);
	paper_experiment_run(e);
	out = open_file(e->name, ".csv");
	paper_table_print(out, TOOL_CSV);
	close_file(out, e->name);
	out = open_file(e->name, ".json");
	paper_table_print(out, TOOL_JSON);
	close_file(out, e->name);
	print_into(e->name, ".figures.csv", TOOL_CSV, paper_print_figures, e);
	print_part(e, pictures ? svg : NULL, tool_now() - began);
	free(svg);
	free(text);
	free(log);
	exit(TOOL_DONE);
}

static void start(struct part *p)
{
	char *stale = path(p->experiment->name, ".html");

	unlink(stale);
	free(stale);
	p->began = tool_now();
	fflush(NULL);
	p->pid = fork();
	if (p->pid == 0)
		run_part(p->experiment);
	if (p->pid < 0)
		tool_die(TOOL_CHECK_FAILED, "report: no process: %s", strerror(errno));
}

static void say_progress(const struct part *p, double began)
{
	double did = 0, all = 0, left;
	size_t done = 0;

	for (size_t i = 0; i < paper_experiments_n; i++) {
		all += part[i].began >= 0 ? expected(part[i].experiment->name) : 0;
		did += part[i].began >= 0 && part[i].done ? expected(part[i].experiment->name) : 0;
		done += part[i].done;
	}
	left = did > 0 ? (tool_now() - began) * (all - did) / did : 0;
	fprintf(stderr, "%2zu of %zu  %-18s %4.0f s%s", done, paper_experiments_n, p->experiment->name, tool_now() - p->began,
		p->failed ? "  FAILED" : "");
	if (left > 0)
		fprintf(stderr, "  about %.0f %s left", ceil(left < 100 ? left : left / 60), left < 100 ? "s" : "minutes");
	fputc('\n', stderr);
}

/* Wait for one that runs. */
static void wait_one(double began)
{
	int status;
	pid_t pid = waitpid(-1, &status, 0);

	for (struct part *p = part; p < part + paper_experiments_n; p++)
		if (pid > 0 && p->pid == pid) {
			p->pid = 0;
			p->done = true;
			p->failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
			say_progress(p, began);
		}
}

static int longer(const void *a, const void *b)
{
	const struct part *p = a, *q = b;
	double x = expected(p->experiment->name), y = expected(q->experiment->name);

	/* In real time each runs alone, at the end. */
	if (p->experiment->real_time != q->experiment->real_time)
		return p->experiment->real_time ? 1 : -1;
	return x != y ? (x < y) - (x > y) : strcmp(p->experiment->name, q->experiment->name);
}

static void run_parts(void)
{
	double began = tool_now();
	size_t running = 0, kept = 0;

	for (struct part *p = part; p < part + paper_experiments_n; p++) {
		p->done = there(p->experiment->name);
		p->began = p->done ? -1 : 0;
		kept += p->done;
	}
	if (kept > 0)
		fprintf(stderr, "%2zu of %zu are there\n", kept, paper_experiments_n);
	for (struct part *p = part; p < part + paper_experiments_n; p++) {
		if (p->done)
			continue;
		while (running >= tool_processors() || (running > 0 && p->experiment->real_time)) {
			wait_one(began);
			running--;
		}
		start(p);
		running++;
	}
	while (running-- > 0)
		wait_one(began);
}

static void print_constants(const struct paper_experiment *none)
{
	(void)none;
	paper_print_constants();
}

/* In a process of its own, which loses its stdout. */
static void add_constants(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		print_into("constants", ".txt", TOOL_TEXT, print_constants, NULL);
		print_into("constants", ".csv", TOOL_CSV, print_constants, NULL);
		exit(TOOL_DONE);
	}
	waitpid(pid, &(int){ 0 }, 0);
}

/* Run a program without its output; whether it ended well. */
static bool succeeds(char *const *command)
{
	pid_t pid;
	int status = 1;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execvp(command[0], command);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void print_pdf(void)
{
	char *html = path("report", ".html"), *pdf = path("report", ".pdf"), here[4096] = "";
	bool relative = *folder != '/' && getcwd(here, sizeof(here));
	char *url = tool_string("file://%s%s%s", relative ? here : "", relative ? "/" : "", html), *to = tool_string("--print-to-pdf=%s", pdf);
	char *root = (char *)(uintptr_t)(geteuid() == 0 ? "--no-sandbox" : "--disable-gpu");
	char *const converters[][8] = {
		{ "chromium", "--headless", "--disable-gpu", root, "--no-pdf-header-footer", to, url, NULL },
		{ "wkhtmltopdf", "--quiet", html, pdf, NULL },
	};
	bool made = false;

	for (size_t i = 0; i < sizeof(converters) / sizeof(*converters) && !made; i++)
		made = succeeds(converters[i]) && access(pdf, R_OK) == 0;
	if (made)
		fprintf(stderr, "%s, %s\n", html, pdf);
	else
		fprintf(stderr, "%s; no PDF: chromium or wkhtmltopdf is not installed (packages chromium, wkhtmltopdf)\n", html);
	free(html);
	free(pdf);
	free(url);
	free(to);
}

int paper_report(const char *to)
{
	size_t failed = 0;

	struct stat there_is;
	FILE *out;

	folder = to;
	if (mkdir(folder, 0777) && (errno != EEXIST || stat(folder, &there_is) || !S_ISDIR(there_is.st_mode)))
		tool_die(TOOL_USAGE, "report \"%s\": %s", folder, strerror(errno));
	pictures = system("command -v gnuplot >/dev/null 2>&1") == 0;
	if (!pictures)
		fputs("no pictures: gnuplot is not installed (package gnuplot-nox)\n", stderr);
	part = paper_keep(paper_experiments_n, sizeof(*part));
	for (size_t i = 0; i < paper_experiments_n; i++)
		part[i].experiment = paper_experiments[i];
	qsort(part, paper_experiments_n, sizeof(*part), longer);
	run_parts();
	add_constants();
	out = open_file("report", ".html");
	paper_report_page(out, folder);
	close_file(out, "report.html");
	print_pdf();
	for (size_t i = 0; i < paper_experiments_n; i++) {
		failed += part[i].failed;
		if (part[i].failed)
			fprintf(stderr, "%s: report: %s failed: see %s/%s.log\n", tool_name, part[i].experiment->name, folder,
				part[i].experiment->name);
	}
	return failed > 0 ? TOOL_CHECK_FAILED : TOOL_DONE;
}
