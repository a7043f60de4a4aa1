/* report.c - dls-paper report DIR: every experiment, in processes of their own, and one web page of all that they print.
 *
 * An experiment leaves NAME.txt, .csv, .json, .figures.csv, .record, .svg and .log in the folder, and last NAME.html, its part of
 * the page.  As make does, a part is kept while it is newer than this program, if it is of the same seeds; so a report that was
 * interrupted goes on.  The processes end with this one, however it ends, so that no two ever write one file. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "bench/paper/left.h"
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
static struct part {
	const struct paper_experiment *experiment;
	pid_t pid;		/* of its process; 0: none runs */
	double began;
	bool failed;
} *part;
static struct paper_part *timed;	/* of each part */
static const char *folder;
static uint64_t first;	/* of the seeds for all experiments that draw something; 0: each has its own */
static size_t seeds;

static const char *path(const char *name, const char *suffix)
{
	return tool_held_string("%s/%s%s", folder, name, suffix);
}

static FILE *open_file(const char *file)
{
	FILE *out = fopen(file, "w");

	if (!out)
		tool_die(TOOL_USAGE, "report: %s: %s", file, strerror(errno));
	return out;
}

static void close_file(FILE *out, const char *file)
{
	if (ferror(out) | fclose(out))
		tool_die(TOOL_CHECK_FAILED, "report: %s: %s", file, strerror(errno));
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
	FILE *out = open_file(file);

	paper_table_print(out, format);
	close_file(out, file);
}

/* The page's part begins with what the report says of it at the top. */
static void print_part(const struct paper_experiment *e, const char *svg, double seconds)
{
	const char *unfinished = path(e->name, ".part"), *file = path(e->name, ".html");
	FILE *out = open_file(unfinished);

	fprintf(out, "<!-- %zu %.0f %llu %zu", paper_changed(), seconds, (unsigned long long)paper.first, paper.seeds);
	for (size_t i = 0; i < PAPER_ACCOUNTS * PAPER_CLASSES; i++)
		fprintf(out, " %u", paper_ledger.account[i / PAPER_CLASSES][i % PAPER_CLASSES]);
	fputs(" -->\n", out);
	paper_page(out, e, svg);
	close_file(out, unfinished);
	if (rename(unfinished, file))
		tool_die(TOOL_CHECK_FAILED, "report: %s: %s", file, strerror(errno));
}

static void run_part(const struct paper_experiment *e)
{
	char *command[] = { (char *)(uintptr_t)tool_name, (char *)(uintptr_t)e->name, NULL };
	const char *svg = path(e->name, ".svg");
	double began = tool_now();

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

/* In a process that has just begun: end as soon as its parent does. */
static void end_with(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(TOOL_CHECK_FAILED);
#else
	(void)parent;
#endif
}

static void start(struct part *p)
{
	pid_t parent = getpid();

	unlink(path(p->experiment->name, ".html"));
	p->began = tool_now();
	fflush(NULL);
	p->pid = fork();
	if (p->pid == 0) {
		end_with(parent);
		run_part(p->experiment);
	}
	if (p->pid < 0)
		tool_die(TOOL_CHECK_FAILED, "report: no process: %s", strerror(errno));
}

/* Processor time of the processes that have been waited for. */
static double cpu_of_ended(void)
{
	struct rusage use;

	getrusage(RUSAGE_CHILDREN, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	       1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* What a part that runs has had so far. */
static void measure(struct part *p)
{
	struct timespec cpu;
	clockid_t clock;

	timed[p - part].ran = tool_now() - p->began;
	if (clock_getcpuclockid(p->pid, &clock) == 0 && clock_gettime(clock, &cpu) == 0)
		timed[p - part].cpu = (double)cpu.tv_sec + 1e-9 * (double)cpu.tv_nsec;
}

/* What is over; of the one that has just ended, or of those that run; what is left. */
static void say_progress(const struct part *ended)
{
	bool known = false;
	size_t done = 0;
	double left;

	for (size_t i = 0; i < paper_experiments_n; i++) {
		if (part[i].pid > 0)
			measure(&part[i]);
		done += timed[i].over;
		known |= timed[i].ran > 0;
	}
	left = paper_left(timed, paper_experiments_n, tool_processors());
	fprintf(stderr, "%s%2zu of %zu", isatty(STDERR_FILENO) ? "\r" : "", done, paper_experiments_n);
	if (ended)
		fprintf(stderr, "  %-18s %4.0f s%s", ended->experiment->name, timed[ended - part].ran,
			ended->failed ? "  FAILED" : "");
	for (struct part *p = part; p < part + paper_experiments_n && !ended; p++)
		if (p->pid > 0)
			fprintf(stderr, "  %s %.0f s", p->experiment->name, timed[p - part].ran);
	if (left > 0)
		fprintf(stderr, "  about %.0f %s left%s", ceil(left < 100 ? left : left / 60), left < 100 ? "s" : "minutes",
			known ? "" : " if no other program runs");
	fputs(isatty(STDERR_FILENO) ? "\033[K" : "", stderr);
	fputs(ended || !isatty(STDERR_FILENO) ? "\n" : "", stderr);
}

/* Wait for one that runs; meanwhile a terminal shows what does. */
static void wait_one(void)
{
	bool terminal = isatty(STDERR_FILENO);
	double before = cpu_of_ended();
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, terminal ? WNOHANG : 0)) == 0) {
		say_progress(NULL);
		nanosleep(&(struct timespec){ .tv_nsec = 500000000 }, NULL);
	}
	for (struct part *p = part; p < part + paper_experiments_n; p++)
		if (pid > 0 && p->pid == pid) {
			p->pid = 0;
			timed[p - part] = (struct paper_part){
				timed[p - part].expected, cpu_of_ended() - before, tool_now() - p->began, true
			};
			p->failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
			say_progress(p);
		}
}

static int longer(const void *a, const void *b)
{
	const struct part *p = a, *q = b;
	double x = expected(p->experiment->name), y = expected(q->experiment->name);

	return x != y ? (x < y) - (x > y) : strcmp(p->experiment->name, q->experiment->name);
}

static void run_parts(void)
{
	size_t running = 0, kept = 0;

	for (struct part *p = part; p < part + paper_experiments_n; p++) {
		timed[p - part] = (struct paper_part){ .expected = expected(p->experiment->name),
						       .over = there(p->experiment) };
		kept += timed[p - part].over;
	}
	if (kept > 0)
		fprintf(stderr, "%2zu of %zu are there\n", kept, paper_experiments_n);
	if (kept < paper_experiments_n && !isatty(STDERR_FILENO))
		say_progress(NULL);
	for (struct part *p = part; p < part + paper_experiments_n; p++) {
		if (timed[p - part].over)
			continue;
		while (running >= tool_processors()) {
			wait_one();
			running--;
		}
		start(p);
		running++;
	}
	while (running-- > 0)
		wait_one();
}

static void print_constants(const struct paper_experiment *none)
{
	(void)none;
	paper_print_constants();
}

/* The figures of all experiments. */
static void add_ledger(void)
{
	const char *ledger = path("ledger", ".csv");
	FILE *out = open_file(ledger);
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
	close_file(out, ledger);
}

/* In a process of its own, which loses its stdout. */
static void add_constants(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		print_into("constants", ".csv", TOOL_CSV, print_constants, NULL);
		exit(TOOL_DONE);
	}
	waitpid(pid, &(int){ 0 }, 0);
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
	timed = tool_held(calloc(paper_experiments_n, sizeof(*timed)));
	for (size_t i = 0; i < paper_experiments_n; i++)
		part[i].experiment = paper_experiments[i];
	qsort(part, paper_experiments_n, sizeof(*part), longer);
	run_parts();
	add_constants();
	add_ledger();
	page = path("report", ".html");
	out = open_file(page);
	paper_report_page(out, folder);
	close_file(out, page);
	print_pdf();
	for (size_t i = 0; i < paper_experiments_n; i++) {
		failed += part[i].failed;
		if (part[i].failed)
			fprintf(stderr, "%s: report: %s failed: see %s/%s.log\n", tool_name, part[i].experiment->name, folder,
				part[i].experiment->name);
	}
	return failed > 0 ? TOOL_CHECK_FAILED : TOOL_DONE;
}
