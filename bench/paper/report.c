/* report.c - dls-paper report DIR: every experiment, in processes of their own, and one web page of all that they print.
 *
 * An experiment leaves NAME.txt, .csv, .json, .figures.csv, .record, .svg and .log in the folder, and last NAME.html, its part of
 * the page.  As make does, a part is kept while it is newer than this program, if it is of the same seeds; so a report that was
 * interrupted goes on.  The processes end with this one, however it ends, so that no two ever write one file. */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/paper/paper.h"

/* Seconds of processor time, measured one after the other, of those that take 2 or more: for the order and
 * the estimate. */
static const struct {
	const char *name;
	double seconds;
} longest[] = {
	{ "readings", 57 }, { "wlr93-fig8", 28 }, { "rips-table6", 25 }, { "aroma-fig1c", 13 },
	{ "wlr93-fig7", 11 }, { "rips-requests", 10 }, { "wlr93-update", 8 }, { "wlr93-table4", 7 },
	{ "rips-table4", 7 }, { "rips-fig11", 6 }, { "wlr93-table5", 6 }, { "rips-table5", 5 },
	{ "rips-table3", 5 }, { "wlr93-fig6", 5 }, { "aroma-table2", 4 }, { "wlr93-table1", 2 },
	{ "repart-table51", 2 }, { "aroma-table4", 2 },
};
static const double OTHERS = 0.5;

static double expected(const char *name)
{
	for (size_t i = 0; i < sizeof(longest) / sizeof(*longest); i++)
		if (strcmp(name, longest[i].name) == 0)
			return longest[i].seconds;
	return OTHERS;
}

/* One of the experiments. */
struct part {
	const struct paper_experiment *experiment;
	pid_t pid;		/* of its process; 0: none runs */
	double began;
	double expected, cpu;	/* processor time, s */
	double ran;		/* since it began, as long as it ran, s; 0: it has not run */
	bool over, failed;
};
static struct part *part, *part_end;
static const char *folder;
static uint64_t first;	/* of the seeds for all experiments that draw something; 0: each has its own */
static size_t seeds;

static const char *path(const char *name, const char *suffix)
{
	return tool_held_string("%s/%s%s", folder, name, suffix);
}

static void take_seeds(const struct paper_experiment *e)
{
	bool own = first == 0 || e->first == 0;

	paper.first = own ? e->first : first;
	paper.seeds = own ? (size_t)(e->last - e->first + 1) : seeds;
}

/* Whether a part is of the seeds that it would have. */
static bool same_seeds(const char *file, const struct paper_experiment *e)
{
	FILE *in = fopen(file, "r");
	unsigned long long from = 0;
	size_t n = 0;

	if (in) {
		if (fscanf(in, "<!-- %*u %*u %llu %zu", &from, &n) != 2)
			from = e->first, n = (size_t)(e->last - e->first + 1);
		fclose(in);
	}
	take_seeds(e);
	return from == paper.first && n == paper.seeds;
}

static bool there(const struct paper_experiment *e)
{
	struct stat program, page;
	const char *file = path(e->name, ".html");

	return stat("/proc/self/exe", &program) == 0 && stat(file, &page) == 0 &&
	       (page.st_mtim.tv_sec > program.st_mtim.tv_sec ||
		(page.st_mtim.tv_sec == program.st_mtim.tv_sec && page.st_mtim.tv_nsec > program.st_mtim.tv_nsec)) &&
	       same_seeds(file, e);
}

/* What a function prints on stdout, as CSV or text, into a file. */
static void print_into(const char *name, const char *suffix, enum tool_format format, void (*print)(const struct paper_experiment *e),
		       const struct paper_experiment *e)
{
	if (!freopen(path(name, suffix), "w", stdout))
		_exit(TOOL_CHECK_FAILED);
	paper.format = format;
	print(e);
}

static void print_table(const struct paper_experiment *e, const char *suffix, enum tool_format format)
{
	const char *file = path(e->name, suffix);
	FILE *out = tool_open("report", file, "w");

	paper_table_print(out, format);
	tool_close("report", file, out);
}

/* Write the experiment's part of the page.  Its first line has the figures for the page's summary. */
static void print_part(const struct paper_experiment *e, const char *svg, double seconds)
{
	const char *unfinished = path(e->name, ".part"), *file = path(e->name, ".html");
	FILE *out = tool_open("report", unfinished, "w");

	fprintf(out, "<!-- %zu %.0f %llu %zu", paper_changed(), seconds, (unsigned long long)paper.first, paper.seeds);
	for (size_t i = 0; i < PAPER_ACCOUNTS * PAPER_CLASSES; i++)
		fprintf(out, " %u", paper_ledger.account[i / PAPER_CLASSES][i % PAPER_CLASSES]);
	fputs(" -->\n", out);
	paper_page(out, e, svg);
	tool_close("report", unfinished, out);
	if (rename(unfinished, file))
		tool_die(TOOL_CHECK_FAILED, "report: %s: %s", file, strerror(errno));
}

static void run_part(const struct paper_experiment *e)
{
	char *command[] = { (char *)(uintptr_t)tool_name, (char *)(uintptr_t)e->name, NULL };
	const char *svg = path(e->name, ".svg");
	double began = tool_now();

	unlink(path(e->name, ".html"));
	if (!freopen(path(e->name, ".log"), "w", stderr) || !freopen(path(e->name, ".txt"), "w", stdout))
		_exit(TOOL_CHECK_FAILED);
	tool_keep_command(2, command);
	take_seeds(e);
	paper_plot_begin(svg);
	paper_experiment_run(e);
	print_table(e, ".csv", TOOL_CSV);
	print_table(e, ".json", TOOL_JSON);
	print_into(e->name, ".figures.csv", TOOL_CSV, paper_print_figures, e);
	print_into(e->name, ".record", TOOL_TEXT, paper_print_record, e);
	print_part(e, svg, tool_now() - began);
	exit(TOOL_DONE);
}

/* Processor time of the processes that have been waited for. */
static double cpu_of_ended(void)
{
	struct rusage use;

	getrusage(RUSAGE_CHILDREN, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	       1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* Note how long a part has run so far, and its processor time. */
static void measure(struct part *p)
{
	struct timespec cpu;
	clockid_t clock;

	p->ran = tool_now() - p->began;
	if (clock_getcpuclockid(p->pid, &clock) == 0 && clock_gettime(clock, &cpu) == 0)
		p->cpu = (double)cpu.tv_sec + 1e-9 * (double)cpu.tv_nsec;
}

/* How many times the expected processor time parts need: those that are over, and those that are late. */
static double slowness(void)
{
	double wanted = 0, had = 0;

	for (unsigned late = 0; late <= 1; late++)
		for (const struct part *p = part; p < part_end; p++)
			if (late ? !p->over && p->cpu > (wanted > 0 ? had / wanted : 1) * p->expected
				 : p->over && p->ran > 0) {
				wanted += p->expected;
				had += p->cpu;
			}
	return wanted > 0 ? had / wanted : 1;
}

/* How long all still takes, s, at least as long as the longest part: by the processor time that parts have had,
 * and what part of the time they had a processor; so a busy machine is seen before the first part has ended. */
static double time_left(void)
{
	double slow = slowness(), cpu = .01, ran = .01, all = 0, most = 0, share;

	for (const struct part *p = part; p < part_end; p++) {
		double left = p->over ? 0 : fmax(p->expected * slow - p->cpu, 0);

		cpu += p->cpu;
		ran += p->ran;
		all += left;
		most = fmax(most, left);
	}
	share = fmin(cpu / ran, 1);
	return fmax(all / tool_processors(), most) / share;
}

/* Print how many parts are over; the time of the one just ended, or of those that run; the time left. */
static void say_progress(const struct part *ended)
{
	bool known = false;
	size_t done = 0;
	double left;

	for (struct part *p = part; p < part_end; p++) {
		if (p->pid > 0)
			measure(p);
		done += p->over;
		known |= p->ran > 0;
	}
	left = time_left();
	fprintf(stderr, "%s%2zu of %zu", isatty(STDERR_FILENO) ? "\r" : "", done, paper_experiments_n);
	if (ended)
		fprintf(stderr, "  %-18s %4.0f s%s", ended->experiment->name, ended->ran,
			ended->failed ? "  FAILED" : "");
	for (struct part *p = part; p < part_end && !ended; p++)
		if (p->pid > 0)
			fprintf(stderr, "  %s %.0f s", p->experiment->name, p->ran);
	if (left > 0)
		fprintf(stderr, "  about %.0f %s left%s", ceil(left < 100 ? left : left / 60), left < 100 ? "s" : "minutes",
			known ? "" : " if no other program runs");
	fputs(isatty(STDERR_FILENO) ? "\033[K" : "", stderr);
	fputs(ended || !isatty(STDERR_FILENO) ? "\n" : "", stderr);
}

/* For tool_children(), of a list of parts. */
static void part_run(void *arg, size_t i)
{
	struct part **list = arg;

	run_part(list[i]->experiment);
}

static void part_begun(void *arg, size_t i, long pid)
{
	struct part **list = arg;

	list[i]->pid = (pid_t)pid;
	list[i]->began = tool_now();
}

static void part_over(void *arg, size_t i, int status)
{
	struct part **list = arg, *p = list[i];
	static double before;
	double all = cpu_of_ended();

	p->pid = 0;
	p->cpu = all - before;
	before = all;
	p->ran = tool_now() - p->began;
	p->over = true;
	p->failed = status != 0;
	say_progress(p);
}

static void show_running(void)
{
	say_progress(NULL);
}

static int longer(const void *a, const void *b)
{
	const struct part *p = a, *q = b;
	double x = p->expected, y = q->expected;

	return x != y ? (x < y) - (x > y) : strcmp(p->experiment->name, q->experiment->name);
}

static void run_parts(void)
{
	struct part **list = tool_held(calloc(paper_experiments_n, sizeof(struct part *)));
	struct tool_children children = {
		.most = tool_processors(), .go_on = true, .begun = part_begun, .run = part_run, .over = part_over,
		.waits = isatty(STDERR_FILENO) ? show_running : NULL, .arg = list,
	};
	size_t n = 0;

	for (struct part *p = part; p < part_end; p++)
		if (!p->over)
			list[n++] = p;
	if (n < paper_experiments_n)
		fprintf(stderr, "%2zu of %zu are there\n", paper_experiments_n - n, paper_experiments_n);
	if (n > 0 && !isatty(STDERR_FILENO))
		say_progress(NULL);
	tool_children(&children, n);
}

/* Collect the figures of all experiments in one file. */
static void add_ledger(void)
{
	const char *ledger = path("ledger", ".csv");
	FILE *out = tool_open("report", ledger, "w");
	char line[4096];
	bool head = false;

	for (size_t i = 0; i < paper_experiments_n; i++) {
		FILE *in = fopen(path(paper_experiments[i]->name, ".figures.csv"), "r");

		if (in && fgets(line, sizeof(line), in) && !head)
			head = fputs(line, out) >= 0;
		while (in && fgets(line, sizeof(line), in))
			fputs(line, out);
		if (in)
			fclose(in);
	}
	tool_close("report", ledger, out);
}

static void add_constants(void)
{
	const char *file = path("constants", ".csv");
	FILE *out = tool_open("report", file, "w");

	paper_print_constants(out, TOOL_CSV);
	tool_close("report", file, out);
}

enum { NOT_FOUND = 127 };

/* Run a program without its output; its exit status. */
static int run_silent(const char *const *command)
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
		execvp(command[0], (char *const *)(uintptr_t)command);
		_exit(NOT_FOUND);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : TOOL_CHECK_FAILED;
}

static void print_pdf(void)
{
	const char *html = path("report", ".html"), *pdf = path("report", ".pdf");
	char here[4096] = "";
	bool relative = *folder != '/' && getcwd(here, sizeof(here));
	const char *const converters[][8] = {
		{ "chromium", "--headless", "--disable-gpu", geteuid() == 0 ? "--no-sandbox" : "--disable-gpu", "--no-pdf-header-footer",
		  tool_held_string("--print-to-pdf=%s", pdf), tool_held_string("file://%s%s%s", relative ? here : "", relative ? "/" : "", html) },
		{ "wkhtmltopdf", "--quiet", html, pdf },
	};
	const char *failed = NULL;
	bool made = false;

	unlink(pdf);
	for (size_t i = 0; i < sizeof(converters) / sizeof(*converters) && !made; i++) {
		int status = run_silent(converters[i]);

		made = status == 0 && access(pdf, R_OK) == 0;
		failed = made || status == NOT_FOUND ? failed : converters[i][0];
	}
	if (made)
		fprintf(stderr, "%s, %s\n", html, pdf);
	else if (failed)
		fprintf(stderr, "%s; no PDF: %s has failed\n", html, failed);
	else
		fprintf(stderr, "%s; no PDF: chromium or wkhtmltopdf is not installed (packages chromium, wkhtmltopdf)\n", html);
}

int paper_report(const char *to, bool own_seeds)
{
	size_t failed = 0;
	struct stat there_is;
	const char *page;
	FILE *out;

	folder = to;
	first = own_seeds ? 0 : paper.first;
	seeds = paper.seeds;
	if (mkdir(folder, 0777) && (errno != EEXIST || stat(folder, &there_is) || !S_ISDIR(there_is.st_mode)))
		tool_die(TOOL_USAGE, "report \"%s\": %s", folder, strerror(errno));
	part = tool_held(calloc(paper_experiments_n, sizeof(*part)));
	part_end = part + paper_experiments_n;
	for (size_t i = 0; i < paper_experiments_n; i++) {
		const struct paper_experiment *e = paper_experiments[i];

		part[i] = (struct part){ .experiment = e, .expected = expected(e->name), .over = there(e) };
	}
	qsort(part, paper_experiments_n, sizeof(*part), longer);
	run_parts();
	add_constants();
	add_ledger();
	page = path("report", ".html");
	out = tool_open("report", page, "w");
	paper_report_page(out, folder);
	tool_close("report", page, out);
	print_pdf();
	for (const struct part *p = part; p < part_end; p++) {
		failed += p->failed;
		if (p->failed)
			fprintf(stderr, "%s: report: %s failed: see %s/%s.log\n", tool_name, p->experiment->name, folder,
				p->experiment->name);
	}
	return failed > 0 ? TOOL_CHECK_FAILED : TOOL_DONE;
}
