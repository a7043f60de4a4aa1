/* tune.c - DLS_TUNE: the file across runs, what is refused, and what stays as it was.
 *
 * Fails if: a choice does not come back as it was set, a line of another loop, team, processor or version or a comment is
 * lost or changed, a damaged line stays, a file that is not one of ours is written over, a frozen or unchanged one is written at
 * all, a loop under a frozen one changes its schedule, a child of fork() writes, a file is seen half written, or something wrong
 * is said twice or not at all.
 *
 * runs: check */
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

#include "child.h"
#include "dls.h"
#include "lib/site/env.h"
#include "scratch.h"
#include "tune.h"

#define HEAD "libdls tune 1\n"

static char file[64];
static char cpu[DLS__TUNE_CPU];		/* as a child found it */

/* The child's argument has commands: "set SITE P OCTAVE SCHEDULE SECONDS;", "get SITE P OCTAVE;", "many N;", "fork;",
 * "loops SITE N TIMES;". */
static void set(const char *site, unsigned workers, unsigned octave, const char *schedule, double seconds)
{
	struct dls__tune_key key = { site, workers, octave };
	struct dls__choice c = { .seconds = seconds, .first = NAN, .executions = 7 };

	snprintf(c.schedule, sizeof(c.schedule), "%s", schedule);
	dls__tune_set(&key, &c);
}

static void get(const char *site, unsigned workers, unsigned octave)
{
	struct dls__tune_key key = { site, workers, octave };
	struct dls__choice c;

	if (!dls__tune_find(&key, &c)) {
		puts("none");
		return;
	}
	printf("%s %g %g %llu\n", c.schedule, c.seconds, c.first, (unsigned long long)c.executions);
	if (strcmp(c.schedule, "odd") == 0)
		dls__tune_refuse(&key, &c);
}

static void many(const char *site, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s %u", site, i);
		set(name, 2, 40, "steal,3", 1);
	}
}

/* Loops of two workers that take turns; prints each size of a first chunk, and how many loops in a row had it.  Of a site whose name
 * begins with "in_order" iterations are handed out in order. */
static void loops(const char *name, unsigned n, unsigned times)
{
	struct dls_site *site;
	struct dls_loop *loop;
	int64_t begin, end, size = 0;
	unsigned alike = 0;

	if (dls_site_named(&site, name) || dls_loop_open(&loop, 2, site, 0))
		return;
	if (strncmp(name, "in_order", 8) == 0)
		dls_site_set_schedule(site, "monotonic:auto");
	for (unsigned k = 0; k < times; k++) {
		bool more[2] = { true, true }, first = true;

		dls_loop_start(loop, 0, n, 1);
		while (more[0] || more[1])
			for (unsigned w = 0; w < 2; w++) {
				more[w] = more[w] && dls_loop_next(loop, w, &begin, &end);
				if (first && end - begin != size && alike > 0) {
					printf("%lld x %u ", (long long)size, alike);
					alike = 0;
				}
				size = first ? end - begin : size;
				alike += first;
				first = false;
			}
		dls_loop_end(loop, NULL);
	}
	printf("%lld x %u\n", (long long)size, alike);
	dls_loop_close(loop);
}

static int child(const char *commands)
{
	char text[1024], *rest = text;
	double seconds;

	snprintf(text, sizeof(text), "%s", commands);
	dls__env();
	for (char *command = strtok_r(text, ";", &rest); command; command = strtok_r(NULL, ";", &rest)) {
		char site[32], schedule[32];
		unsigned p, octave;

		if (sscanf(command, "set %31s %u %u %31s %lf", site, &p, &octave, schedule, &seconds) == 5)
			set(site, p, octave, schedule, seconds);
		else if (sscanf(command, "get %31s %u %u", site, &p, &octave) == 3)
			get(site, p, octave);
		else if (sscanf(command, "many %31s %u", site, &p) == 2)
			many(site, p);
		else if (sscanf(command, "loops %31s %u %u", site, &p, &octave) == 3)
			loops(site, p, octave);
		else if (strcmp(command, "wanted") == 0)
			printf("%d %d\n", dls__tune_wanted(), dls__tune_frozen());
		else if (strcmp(command, "fork") == 0 && fork() == 0)
			set("child", 2, 40, "ss", 1);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}

/* Run a child with DLS_TUNE=value; what it prints is in `said`, its messages in `complained`. */
static void run(const char *value, const char *commands)
{
	const char *const variables[] = { "DLS_TUNE", value, NULL };

	CHECK_EQ(child_exit(child_run(child_self, &(struct child_self){ commands, variables }, true)), 0);
}

static void quietly(const char *value, const char *commands)
{
	run(value, commands);
	CHECK_TEXT(complained, "");
}

/* One line, that ends with this. */
static void complained_of(const char *what)
{
	size_t n = strlen(complained), m = strlen(what);

	if (!CHECK(strncmp(complained, "libdls: DLS_TUNE=\"", 18) == 0 && strchr(complained, '\n') == complained + n - 1) ||
	    !CHECK(n > m && memcmp(complained + n - 1 - m, what, m) == 0))
		tap_note("%s (not: %s)", complained, what);
}

/* The file has this text, which it returns; it lasts until the next call. */
__attribute__((format(printf, 1, 2))) static const char *plant(const char *format, ...)
{
	static char text[4096];
	FILE *f = fopen(file, "w");
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0))
		exit(1);
	return text;
}

static const char *now(void)
{
	static char text[1 << 16];

	return tap_read(file, text, sizeof(text));
}

/* Also finds the processor's model as the library sees it. */
static void round_trip(void)
{
	const char *at;

	strcpy(file, scratch("tune"));
	chmod(scratch_folder, 0755);
	quietly(file, "wanted;get a 2 40;set a 2 40 steal,39 0.25;get a 2 40;set b.c:7 2 41 ss 1e-6;get b.c:7 3 41;get b.c:7 2 40");
	CHECK_TEXT(said, "1 0\nnone\nsteal,39 0.25 nan 7\nnone\nnone\n");
	CHECK(strncmp(now(), HEAD "# ", strlen(HEAD) + 2) == 0);
	at = strstr(now(), "cpu=\"");
	if (!CHECK(at) || !CHECK_EQ(sscanf(at, "cpu=\"%63[^\"]", cpu), 1))
		return;
	CHECK(strstr(now(), tune_line("a", 2, "steal,39", DLS_VERSION, cpu)));
	quietly(file, "get a 2 40;get b.c:7 2 41;get a 3 40;get a 2 41");
	CHECK_TEXT(said, "steal,39 0.25 nan 7\nss 1e-06 nan 7\nnone\nnone\n");
	run("", "wanted;set a 2 40 ss 1;get a 2 40");
	CHECK_TEXT(said, "0 0\nnone\n");
	CHECK_TEXT(complained, "");
}

/* What another run, program or user has written stays, in its order; the changed line goes to the end. */
static void others_stay(void)
{
	char wanted[4096];

	plant(HEAD "%s# mine\n\n%s%s\"not a line\n%s%s", tune_line("a", 2, "gss", DLS_VERSION, cpu),
	      tune_line("a", 3, "gss", DLS_VERSION, cpu), tune_line("a", 2, "ss", DLS_VERSION, "other"),
	      tune_line("b", 2, "tss", "old", cpu), "# no end");
	run(file, "get a 2 40;get a 3 40;get b 2 40;set a 2 40 steal,39 0.25;get a 2 40");
	complained_of("line 7 is no choice as dls(7) describes them; ignored");
	CHECK_TEXT(said, "gss 0.25 nan 7\ngss 0.25 nan 7\nnone\nsteal,39 0.25 nan 7\n");
	snprintf(wanted, sizeof(wanted), HEAD "# mine\n\n%s%s%s# no end\n%s", tune_line("a", 3, "gss", DLS_VERSION, cpu),
		 tune_line("a", 2, "ss", DLS_VERSION, "other"), tune_line("b", 2, "tss", "old", cpu),
		 tune_line("a", 2, "steal,39", DLS_VERSION, cpu));
	CHECK_TEXT(now(), wanted);
	/* One of another version is replaced. */
	run(file, "set b 2 40 ss 0.25");
	CHECK(!strstr(now(), "\"tss\"") && strstr(now(), tune_line("b", 2, "ss", DLS_VERSION, cpu)));
}

static void unchanged(void)
{
	const char *text = plant(HEAD "%s", tune_line("a", 2, "gss", DLS_VERSION, cpu));
	struct stat before, after;

	CHECK_EQ(stat(file, &before), 0);
	quietly(file, "get a 2 40;get b 2 40");
	CHECK_EQ(stat(file, &after), 0);
	CHECK_EQ(before.st_ino, after.st_ino);
	CHECK_TEXT(now(), text);
}

static void frozen(void)
{
	const char *text = plant(HEAD "%s", tune_line("a", 2, "gss", DLS_VERSION, cpu));
	char value[80];

	chmod(file, 0444);
	snprintf(value, sizeof(value), "%s,frozen", file);
	quietly(value, "wanted;set a 2 40 ss 1;set b 2 40 ss 1;get a 2 40;get b 2 40");
	CHECK_TEXT(said, "1 1\ngss 0.25 nan 7\nnone\n");
	CHECK_TEXT(now(), text);
	unlink(file);
	run(value, "wanted;get a 2 40");
	complained_of(": No such file or directory; no choices are read or kept");
	CHECK(access(file, F_OK) != 0);
}

/* A loop that a frozen file has runs as the file says; others under the first guess, however often. */
static void frozen_loops(void)
{
	char text[1024], value[80], first[32];

	plant(HEAD "%s", tune_line("a", 2, "ss,16", DLS_VERSION, cpu));
	snprintf(value, sizeof(value), "%s,frozen", file);
	quietly(value, "loops b 1000 1");
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(said, " "), said);
	CHECK(atoi(first) > 0);
	quietly(value, "loops a 1000000 3;loops b 1000 300");
	snprintf(text, sizeof(text), "16 x 3\n%s x 300\n", first);
	CHECK_TEXT(said, text);
	/* The report says so. */
	CHECK_EQ(child_exit(child_run(child_self, &(struct child_self){ "loops a 1000000 3", (const char *const[]){
		"DLS_TUNE", value, "DLS_REPORT", "stderr", NULL } }, true)), 0);
	if (!CHECK(strstr(complained, "ss,16, by DLS_TUNE, which is frozen")))
		tap_note("%s", complained);
	plant(HEAD "%s", tune_line("a", 2, "ss,17", DLS_VERSION, cpu));
	quietly(file, "loops b 1000000 1");
	snprintf(text, sizeof(text), "%.99s", said);
	run(file, "loops a 1000000 1");
	complained_of("\"a\" threads=2 octave=40: auto does not choose schedule=\"ss,17\"; ignored");
	CHECK_TEXT(said, text);
	unlink(file);
}

/* Fails if a loop whose iterations must be handed out in order runs what a frozen file has for it, which does not do so. */
static void loops_in_order(void)
{
	static const char *const schedule[] = { "steal,16", "frac,x=3" };
	char value[80];

	for (int i = 0; i < 2; i++) {
		plant(HEAD "%s", tune_line("in_order", 2, schedule[i], DLS_VERSION, cpu));
		snprintf(value, sizeof(value), "%s,frozen", file);
		quietly(value, "loops in_order 1000000 3");
		CHECK_TEXT(said, "250000 x 3\n");	/* the first guess is fac2 */
	}
	plant(HEAD "%s", tune_line("in_order", 2, "ss,16", DLS_VERSION, cpu));
	quietly(value, "loops in_order 1000000 3");
	CHECK_TEXT(said, "16 x 3\n");
	unlink(file);
}

static void display(void)
{
	char value[80], wanted[128];
	const struct {
		const char *value, *shown;
	} cases[] = {
		{ file, "'%s'\n" }, { value, "'%s' [frozen]\n" }, { "/no/such/file", "'/no/such/file' [not written]\n" },
		{ "/", "''\n" },
	};

	plant("%s", HEAD);
	snprintf(value, sizeof(value), "%s,frozen", file);
	for (int i = 0; i < 4; i++) {
		const char *const variables[] = { "DLS_TUNE", cases[i].value, "DLS_DISPLAY_ENV", "1", NULL };

		child_run(child_self, &(struct child_self){ "wanted", variables }, true);
		snprintf(wanted, sizeof(wanted), "  DLS_TUNE = ");
		snprintf(wanted + strlen(wanted), sizeof(wanted) - strlen(wanted), cases[i].shown, file);
		if (!CHECK(strstr(complained, wanted)))
			tap_note("%s%s", wanted, complained);
	}
	unlink(file);
}

/* What is no file of choices is neither used nor changed. */
static void refused(void)
{
	static const struct {
		const char *tail, *text, *why;
	} cases[] = {
		{ "", "Dear Sir\n", "its first line is not \"libdls tune 1\"; no choices are read or kept" },
		{ "", "libdls tune 2\n", "its first line is not \"libdls tune 1\"; no choices are read or kept" },
		{ "", "\n" HEAD, "its first line is not \"libdls tune 1\"; no choices are read or kept" },
		{ ",frozn", HEAD, "after the comma stands frozen; no choices are read or kept" },
		{ ",", HEAD, "after the comma stands frozen; no choices are read or kept" },
		{ ".%n", HEAD, "%n is another file in every run; no choices are read or kept" },
		{ ".%d", HEAD, "after % stands p, h, n or %, not d; no choices are read or kept" },
		{ "/x", HEAD, "Not a directory; no choices are read or kept" },
		{ ".no/x", HEAD, "No such file or directory; new choices are not kept" },
	};
	static const char *const odd[] = { "/", "/dev/null", "/dev/stdout", "fifo" };
	char value[128], fifo[80];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		plant("%s", cases[i].text);
		snprintf(value, sizeof(value), "%s%s", file, cases[i].tail);
		run(value, "set a 2 40 ss 1;get a 2 40");
		complained_of(cases[i].why);
		CHECK_TEXT(now(), cases[i].text);
		snprintf(value, sizeof(value), "ls %s | wc -l | grep -qx 1", scratch_folder);
		CHECK_EQ(system(value), 0);
	}
	snprintf(fifo, sizeof(fifo), "%s.fifo", file);
	CHECK_EQ(mkfifo(fifo, 0644), 0);
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		run(strcmp(odd[i], "fifo") ? odd[i] : fifo, "set a 2 40 ss 1");
		complained_of("it is no regular file; no choices are read or kept");
		CHECK_TEXT(said, "");
	}
	unlink(fifo);
	CHECK_EQ(truncate(file, DLS__TUNE_BYTES + 1), 0);
	run(file, "set a 2 40 ss 1;get a 2 40");
	complained_of("it is larger than 20 MB; no choices are read or kept");
	unlink(file);
}

/* Said once each. */
static void complaints(void)
{
	char text[2048];

	plant(HEAD "%s%s", tune_line("a", 2, "gss", DLS_VERSION, "other"), tune_line("b", 2, "gss", "0.0.1", cpu));
	run(file, "get a 2 40;get b 2 40");
	snprintf(text, sizeof(text), "none of its 2 choices is of libdls %s on this processor, \"%s\"", DLS_VERSION, cpu);
	complained_of(text);
	plant(HEAD "x\n%sy\n", tune_line("a", 2, "odd", DLS_VERSION, cpu));
	run(file, "wanted");
	complained_of("line 2 and 1 more are no choices as dls(7) describes them; ignored");
	plant(HEAD "%s", tune_line("a", 2, "odd", DLS_VERSION, cpu));
	run(file, "get a 2 40;get a 2 40");
	complained_of("\"a\" threads=2 octave=40: auto does not choose schedule=\"odd\"; ignored");
	unlink(file);
}

/* The file of somebody who may not write it, or its folder, is read. */
static int as_nobody(const void *self)
{
	return geteuid() == 0 && (setgid(65534) || setuid(65534)) ? 126 : child_self(self);
}

static void unwritable(void)
{
	const char *const variables[] = { "DLS_TUNE", file, NULL }, *self = child_program;
	const char *text = plant(HEAD "%s", tune_line("a", 2, "gss", DLS_VERSION, cpu));
	char command[1024], copy[64];

	/* Nobody may have no way to this program: root's own folder is closed to others. */
	snprintf(copy, sizeof(copy), "%s/self", scratch_folder);
	snprintf(command, sizeof(command), "cp '%s' '%s' && chmod 755 '%s'", self, copy, copy);
	CHECK_EQ(system(command), 0);
	child_program = copy;
	chmod(file, 0444);
	chmod(scratch_folder, 0555);
	CHECK_EQ(child_exit(child_run(as_nobody, &(struct child_self){ "get a 2 40;set a 2 40 ss 1;get a 2 40", variables }, true)), 0);
	complained_of(": Permission denied; new choices are not kept");
	CHECK_TEXT(said, "gss 0.25 nan 7\nss 1 nan 7\n");
	CHECK_TEXT(now(), text);
	child_program = self;
	chmod(scratch_folder, 0755);
	unlink(copy);
	unlink(file);
}

static void forked(void)
{
	if (tap_skip_if(TAP_ADDRESS_SANITIZER, "a lock of the sanitizer's allocator may be held for ever in a forked child"))
		return;
	quietly(file, "set a 2 40 ss 0.25;fork;set b 2 40 ss 0.25");
	CHECK(strstr(now(), "\"a\" threads=2") && strstr(now(), "\"b\" threads=2") && !strstr(now(), "child"));
	unlink(file);
}

/* Processes that write one file at once: it is whole at any time, and has what the last one set. */
static void writers(void)
{
	enum { WRITERS = 6, EACH = 300 };
	const char *const variables[] = { "DLS_TUNE", file, NULL };
	struct dls__tune_table *table = tune_table(cpu);
	struct dls__output out;
	struct dls__content c;
	struct dls__tune_count n;
	pid_t pid[WRITERS];
	unsigned left = WRITERS;
	char command[96];

	CHECK(!dls__output_locate(&out, file));
	for (int i = 0; i < WRITERS; i++) {
		pid[i] = fork();
		if (pid[i] == 0) {
			snprintf(command, sizeof(command), "many w%d %d", i, EACH);
			_exit(child_self(&(struct child_self){ command, variables }));
		}
	}
	while (left > 0) {
		CHECK(!dls__tune_load(&out, &c));
		n = dls__tune_take(table, c);
		CHECK(n.bad == 0 && n.lines % EACH == 0 && n.used == n.lines);
		free(c.text);
		if (waitpid(-1, NULL, WNOHANG) > 0)
			left--;
	}
	CHECK(!dls__tune_load(&out, &c));
	n = dls__tune_take(table, c);
	CHECK(n.lines >= EACH && n.bad == 0 && n.lines % EACH == 0);
	free(c.text);
	tune_table_free(table);
	dls__output_free(&out);
	snprintf(command, sizeof(command), "ls -a %s | wc -l | grep -qx 3", scratch_folder);
	CHECK_EQ(system(command), 0);
	unlink(file);
}

/* Memory and the file stay bounded; the oldest lines go first. */
static void thousands(void)
{
	char *text = malloc(DLS__TUNE_BYTES), *at = text;
	unsigned lines_now = 0;

	run(file, "many x 30000;many x 20000");
	complained_of("there is no room for more choices; they are not kept");
	tap_read(file, text, DLS__TUNE_BYTES);
	for (at = text; (at = strchr(at, '\n')); at++)
		lines_now++;
	CHECK_EQ(lines_now, 1 + DLS__TUNE_LINES + 1);	/* the head, and that of a new file */
	quietly(file, "set last 2 40 ss 1");
	tap_read(file, text, DLS__TUNE_BYTES);
	CHECK(!strstr(text, "\"x 0\"") && strstr(text, "\"x 1\"") && strstr(text, "\"x 19999\"") && strstr(text, "\"last\""));
	free(text);
	unlink(file);
}

TEST_MAIN_OR(child, T(round_trip) T(others_stay) T(unchanged) T(frozen) T(frozen_loops) T(loops_in_order) T(display) T(refused) T(complaints)
	     T(unwritable) T(forked) T(writers) T(thousands))
