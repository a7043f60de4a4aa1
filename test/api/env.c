/* env.c - the environment: precedence, per-site entries, messages, DLS_STRICT, DLS_DISPLAY_ENV, any bytes whatever.
 *
 * The program runs itself with variables set and looks at what it prints.
 *
 * Fails if: another schedule runs than was asked for and no message tells of it; a message does not quote, mark and list; a
 * value makes the program crash or hang.
 *
 * runs: check, machines, texts */
#include "child.h"
#include "deal.h"
#include "once.h"

/* The child: two sites, loops at them, and what they run under. */
static int child(const char *which)
{
	static atomic_uchar hits[1000];

	DLS_PARALLEL(num_threads(2)) {
		DLS_FOR(i, 0, 1000, .name = "solver", .schedule = "ss,3")
			atomic_fetch_add(&hits[i], 1);
		DLS_FOR(i, 0, 1000, .name = "other")
			atomic_fetch_add(&hits[i], 1);
		DLS_FOR(i, 0, 1000, .name = "clear\033[2J", .schedule = "fac")
			atomic_fetch_add(&hits[i], 1);
#line 42 "dir/main.c"
		DLS_FOR(i, 0, 1000)
#line 25 "test/api/env.c"
			atomic_fetch_add(&hits[i], 1);
		DLS_FOR(i, 0, 1000, .name = "one more")
			atomic_fetch_add(&hits[i], 1);
	}
	for (int i = 0; i < 1000; i++)
		if (hits[i] != 5)
			puts("WRONG");
	setenv("DLS_SCHEDULE", "rnd", 1);		/* too late to be read */
	printf("solver=%s ", deal_schedule(deal_site("solver")));
	printf("other=%s\n", deal_schedule(deal_site("other")));
	return 0;
}

static int status;

/* Run the child with these variables in place of ours; returns what it says. */
static const char *with(const char *const variables[])
{
	status = child_status(child_self, &(struct child_self){ "child", variables });
	return said;
}

#define WITH(...) with((const char *const[]){ __VA_ARGS__, NULL })
#define SCHEDULE(text) WITH("DLS_SCHEDULE", text)

static bool has(const char *text)
{
	bool found = strstr(said, text) != NULL;

	if (!found)
		tap_note("no \"%s\" in: %.600s", text, said);
	return found;
}

/* The child with these variables ends with this status, and says each of the texts; but not those with a ! before. */
static void says(int code, const char *const variables[], const char *const texts[])
{
	with(variables);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == code);
	for (; *texts; texts++)
		if (**texts == '!' ? !CHECK(!strstr(said, *texts + 1)) : !CHECK(has(*texts)))
			tap_note("%s=%s: \"%s\"", variables[0], variables[1], *texts);
}

#define VARIABLES(...) (const char *const[]){ __VA_ARGS__, NULL }
#define SAYS(code, variables, ...) says(code, variables, VARIABLES(__VA_ARGS__))
#define DLS(text) VARIABLES("DLS_SCHEDULE", text)
#define DLS_SHOWN(text) VARIABLES("DLS_SCHEDULE", text, "DLS_DISPLAY_ENV", "1")

static void precedence(void)
{
	CHECK_TEXT(with((const char *const[]){ NULL }), "solver=ss,3 other=auto\n");
	CHECK_TEXT(SCHEDULE("gss,8"), "solver=ss,3 other=gss,8\n");
	SAYS(0, DLS("gss;solver:awx"), "[awx]", "other=gss");
	CHECK_TEXT(SCHEDULE(" tss ; solver : mfsc ;"), "solver=mfsc other=tss\n");
	CHECK_TEXT(SCHEDULE("tss;solver:ss;gss;solver:mfsc"), "solver=mfsc other=gss\n");	/* the last ones hold */
	SAYS(0, DLS("ns::solver:ss;C:/c.c:7:ss;other:monotonic:gss;a:b c:70:ss"), "solver=ss,3 other=monotonic:gss\n", "!DLS_SCHEDULE=");
	CHECK_TEXT(SCHEDULE("other:nonmonotonic:ss,4;solver:wf,weights=2:1"),
		   "solver=wf,weights=2:1 other=nonmonotonic:ss,4\n");
	CHECK_TEXT(SCHEDULE("nonmonotonic:ss,4"), "solver=ss,3 other=nonmonotonic:ss,4\n");
	CHECK_TEXT(SCHEDULE("solver:rid,net=mesh:2x1,u=0.9;nonmonotonic:dem,4"),
		   "solver=rid,u=0.9,net=mesh:2x1 other=nonmonotonic:dem,4\n");
	CHECK_TEXT(SCHEDULE(""), "solver=ss,3 other=auto\n");
	CHECK_TEXT(WITH("OMP_SCHEDULE", "guided,5"), "solver=ss,3 other=gss,5\n");
	CHECK_TEXT(WITH("OMP_SCHEDULE", "guided", "DLS_SCHEDULE", "tss"), "solver=ss,3 other=tss\n");
	CHECK_TEXT(WITH("OMP_SCHEDULE", "guided", "DLS_SCHEDULE", "solver:tss"), "solver=tss other=gss\n");
}

static void messages(void)
{
	/* What is used is known when it is named. */
	SAYS(0, DLS("gsss;;tss"), "[gsss];;tss\": ", "gsss;[;]tss\": ", "other=tss", "!using auto");
	SAYS(0, VARIABLES("DLS_SCHEDULE", "gsss", "OMP_SCHEDULE", "guided"), "\"[gsss]\": ", "; using gss\n", "other=gss");
	SAYS(0, DLS("gss,-4"), "libdls: DLS_SCHEDULE=\"gss,[-4]\": ", "; using auto\n", "other=auto");
	SAYS(0, DLS("gsss"), "\"[gsss]\"", " static ss fsc mfsc gss ", " rid ");
	SAYS(0, DLS("tss;solver:x\n\x1b;other:gss"), "[x\\x0a\\x1b]", "using tss", "solver=ss,3 other=gss");
	SAYS(0, VARIABLES("OMP_SCHEDULE", "dynamic,-1"), "OMP_SCHEDULE=\"dynamic,[-1]\"", "other=auto");
	SAYS(0, VARIABLES("DLS_SCHEDULE", "gss", "DLS_STRICT", "maybe"), "DLS_STRICT=\"[maybe]\"");
	SAYS(0, DLS("\n\n\"\\%s%n"), "\"[\\x0a\\x0a\"\\%s%n]\"");	/* one line, however the value is made */
	CHECK(strncmp(said, "libdls: DLS_SCHEDULE", 20) == 0);
}

/* The library writes one line, which marks the place and says what is wrong; the loops run as if the entry were not there.
 * LeakSanitizer, which takes as long as the child, looks at those of the other functions. */
static void told(const char *name, const char *value, const char *quoted, const char *what)
{
	char begin[400];

	WITH(name, value, "ASAN_OPTIONS", "detect_leaks=0");
	snprintf(begin, sizeof(begin), "libdls: %s=\"%s\": ", name, quoted);
	if (CHECK(has(begin) && has(what) && has("; using auto\nsolver=ss,3 other=auto\n")))
		CHECK(strstr(strstr(said, begin) + 1, "libdls: ") == NULL);
}

/* Texts that say nothing, or not what they seem to. */
static void malformed(void)
{
	static const struct {
		const char *value, *quoted, *what;
	} entry[] = {
		{ "a:b:c:gss", "[a:b:c]:gss", "FILE:LINE" }, { "monotonic:solver:gss", "[monotonic:solver]:gss", "FILE:LINE" },
		{ "solver::gss", "[solver:]:gss", "colons in pairs" }, { "::gss", "[:]:gss", "FILE:LINE" },
		{ "monotonic::gss", "[monotonic:]:gss", "in pairs" }, { " :gss", " [:]gss", "FILE:LINE" },
		{ "main.c:042:gss", "[main.c:042]:gss", "FILE:LINE" }, { ":42:gss", "[:42]:gss", "FILE:LINE" },
		{ "a-name-of-more-than-the-sixty-three-bytes-that-one-may-have-at-most:gss",
		  "[a-name-of-more-than-the-sixty-three-bytes-that-one-may-have-at-most]:gss", "1 to 63 bytes" },
		{ ";", "[;]", "missing before" }, { ";;;", "[;];;", "missing before" }, { " ; ;", " [;] ;", "missing before" },
		{ "main.c:42:ss;\t;main.c:42:gss;;", "main.c:42:ss;\\x09[;]main.c:42:gss;;", "missing before" },
		{ "solver:gss,other:ss", "solver:gss,[other:ss]", "SITE:SCHEDULE begins a new entry, after a semicolon" },
		{ "solver:gss,8,other:ss", "solver:gss,8,[other:ss]", "after a semicolon" },
		{ "solver:rid,other:ss", "solver:rid,[other:ss]", "after a semicolon" },
		{ "solver:rid,u=.5,other:ss", "solver:rid,u=.5,[other:ss]", "after a semicolon" },
		{ "solver:gss,main.c:42:ss", "solver:gss,[main.c:42:ss]", "after a semicolon" },
		{ "solver:gss,other=ss", "solver:gss,[other=ss]", "with a colon, and begins a new entry after a semicolon" },
	}, either[] = {
		{ "monotonic:monotonic:ss", "monotonic:[monotonic]:ss", "right before a schedule, once" },
		{ "nonmonotonic : mono-tonic :ss", "nonmonotonic : [mono-tonic] :ss", "once" },
		{ ":gss", "[:]gss", "monotonic:" }, { ":monotonic:gss", "[:]monotonic:gss", "monotonic:" },
		{ "monotonic:", "monotonic:[]", "no schedule has this name" },
		{ "gss,", "gss,[]", "CHUNK" }, { "gss,8,", "gss,8,[]", "KEY=VALUE" }, { "gss,8,9", "gss,8,[9]", "CHUNK first" },
		{ "gss,,8", "gss,[],8", "CHUNK" }, { "wf,weights=1:", "wf,weights=1:[]", "weights are" },
		{ "fac,mu=1,mu=1", "fac,mu=1,[mu]=1", "given twice" }, { "af,exact,exact", "af,exact,[exact]", "given twice" },
		{ "fac,mu=", "fac,mu=[]", "not a number" }, { "rid,u=.5,u=.5", "rid,u=.5,u=[.5]", "given twice" },
		{ "rid,net=ring,net=ring", "rid,net=ring,net=[ring]", "given twice" },
		{ "tss,f=0", "tss,f=[0]", "first chunk F, iterations; default N/2P) is a whole number of at least 1" },
		{ "tap,alpha=x", "tap,alpha=[x]", "is a number from 0 to 1e+06" },
		{ "af,window=2", "af,window=[2]", "is one of: last all" }, { "af,first", "af,[first]", "CHUNK" },
		{ "solver=gss", "[solver=gss]", "SITE:SCHEDULE, with a colon" },
		{ "solver=gss,8", "[solver=gss],8", "SITE:SCHEDULE, with a colon" },
		{ "gss,ss", "gss,[ss]", "a schedule begins a new entry" }, { "gss,8,ss", "gss,8,[ss]", "a schedule begins a new entry" },
		{ "gsss", "[gsss]", "no schedule has this name; did you mean gss?; there are: " },
		{ "guidde", "[guidde]", "did you mean guided?" }, { "sefl-scheduling", "[sefl-scheduling]", "no schedule has this name" },
		{ "factoring", "[factoring]", "did you mean fac2?" }, { "Weighted-Factoring", "[Weighted-Factoring]", "did you mean wf?" },
		{ "fractilin", "[fractilin]", "did you mean fractiling?" }, { "guided self scheduling", "[guided self scheduling]", "did you mean gss?" },
		{ "factr", "[factr]", "did you mean factor?" }, { "work_stealing", "[work_stealing]", "did you mean steal?" },
		{ "rdi", "[rdi]", "did you mean rid?" }, { "gs", "[gs]", "did you mean gss?" }, { "xyzzy", "[xyzzy]", "no schedule has this name; there are: " },
		{ "rid,net=", "rid,net=[]", "name of a net" }, { "rid,net=mesh:", "rid,net=mesh:[]", "each extent" },
	};

	for (size_t i = tap_first(); i < sizeof(entry) / sizeof(*entry); i += tap_sample())
		told("DLS_SCHEDULE", entry[i].value, entry[i].quoted, entry[i].what);
	for (size_t i = tap_first(); i < sizeof(either) / sizeof(*either); i += tap_sample())	/* one parser reads both */
		told(i % 2 ? "DLS_SCHEDULE" : "OMP_SCHEDULE", either[i].value, either[i].quoted, either[i].what);
	told("OMP_SCHEDULE", "solver:gss", "[solver]:gss", "only monotonic:");
	told("OMP_SCHEDULE", "gss;", "[gss;]", "no schedule has this name");
	SAYS(0, DLS("nobody:"), "\"nobody:[]\": no schedule has this name");
}

static void strict(void)
{
	if (tap_skip_if(TAP_LIBARCHER, "libarcher gives a program that calls exit() before its first region an exit status of its own"))
		return;
	SAYS(2, VARIABLES("DLS_STRICT", "1", "DLS_SCHEDULE", "gss,x"), "gss,[x]", "!using", "!solver=");
	SAYS(2, VARIABLES("DLS_STRICT", "1", "OMP_SCHEDULE", "gss,x"), "gss,[x]");
	SAYS(0, VARIABLES("DLS_STRICT", "1", "DLS_SCHEDULE", "gss"), "other=gss");
	SAYS(0, VARIABLES("DLS_STRICT", "0", "DLS_SCHEDULE", "gss,x"), "other=auto");
}

/* What is said with OpenMP alone. */
#ifdef _OPENMP
#define FAC(text) text
#else
#define FAC(text) ""
#endif

static void display(void)
{
	SAYS(0, DLS_SHOWN("gss;solver:fac"), "DLS_SCHEDULE = 'gss' [DLS_SCHEDULE]", "DLS_SCHEDULE for solver = 'fac'",
	     "VERSION = '" DLS_VERSION "'", "DLS_STRICT = 'FALSE'", "DLS_DISPLAY_ENV = 'TRUE'", "!no loop was met",
	     FAC("libdls: solver: fac does not know mu=, sigma= or h= yet, which it needs"), FAC("running fac2"));
#ifdef _OPENMP
	SAYS(0, VARIABLES("DLS_DISPLAY_ENV", "1", "OMP_SCHEDULE", "guided,4", "OMP_NUM_THREADS", "3"), "  OPENMP RUNTIME = 'lib", "omp",
	     "  THREADS = '3'\n", "  OMP_SCHEDULE = 'guided,4'\n", "!without -fopenmp");
#else
	SAYS(0, DLS_SHOWN("gss"), "  OPENMP RUNTIME = '' [compiled without -fopenmp]\n", "  THREADS = '1'\n", "  OMP_SCHEDULE = ''\n");
#endif
}

static void check_printable(void)
{
	for (const char *c = said; *c; c++)
		CHECK(*c == '\n' || (*c >= ' ' && *c <= '~'));
}

/* Fails if: a name that meets nothing passes in silence, or is not compared with those that exist; DLS_STRICT lets it pass. */
static void unmet_sites(void)
{
	static const char sovler[] = "libdls: DLS_SCHEDULE: no loop was met at or by the name of \"sovler\"; did you mean \"solver\"?\n";

	SAYS(0, DLS("gss;sovler:fac"), sovler, "solver=ss,3 other=gss\n");
	SAYS(0, DLS_SHOWN("gss;sovler:fac"), sovler);
	SAYS(2, VARIABLES("DLS_STRICT", "1", "DLS_SCHEDULE", "gss;sovler:fac"), sovler, "solver=ss,3 other=gss\n");
	SAYS(0, VARIABLES("DLS_STRICT", "1", "DLS_SCHEDULE", "gss;solver:ss;main.c:42:ss"), "!no loop was met", "solver=ss other=gss\n");
	SAYS(0, DLS("main.c:43:ss"), "by the name of \"main.c:43\"; did you mean \"dir/main.c:42\"?\n");
	SAYS(0, DLS("dir/mian.c:42:ss"), "by the name of \"dir/mian.c:42\"; did you mean \"dir/main.c:42\"?\n");
	SAYS(0, VARIABLES("DLS_DISPLAY_ENV", "TRUE", "DLS_REPORT", "csv"), "  DLS_REPORT = 'csv'\n");
	SAYS(0, DLS("a\x1b:ss"), "by the name of \"a\\x1b\"; there were: solver, other, clear\\x1b[2J, dir/main.c:42 and 1 more\n");
	SAYS(0, DLS("1:ss;2:ss"), "by the name of \"1\"; there were: ", "by the name of \"2\"; there were: ");
	check_printable();
}

static void unmet_variables(void)
{
	static const struct {
		const char *name, *near;
	} row[] = {
		{ "DLS_SCEDULE", "DLS_SCHEDULE" }, { "DLS_REPORTS", "DLS_REPORT" }, { "DLS_TRCAE", "DLS_TRACE" }, { "DLS_Trace", "DLS_TRACE" },
	};
	static const char *const known[] = {
		"DLS_CHECK", "DLS_DISPLAY_ENV", "DLS_OMP", "DLS_PROGRESS", "DLS_REPORT", "DLS_RUN", "DLS_RUN_PROGRAM", "DLS_STRICT",
		"DLS_TRACE", "DLS_TRACE_LIMIT", "DLS_SEED", "DLS_STRESS", "DLS_BIN", "DLS_ABI", "DLS_LIBDIR", "DLS_HOME",
		"DLS_CHECKPOINT", "DLS_",
	};
	char text[200];

	for (size_t i = tap_first(); i < sizeof(row) / sizeof(*row); i += tap_sample()) {
		snprintf(text, sizeof(text), "libdls: %s: there is no such variable; did you mean %s?\n", row[i].name, row[i].near);
		SAYS(0, VARIABLES(row[i].name, "x"), text, "other=auto\n");
		SAYS(2, VARIABLES(row[i].name, "x", "DLS_STRICT", "1"), text, "!other=");
	}
	for (size_t i = tap_first(); i < sizeof(known) / sizeof(*known); i += tap_sample())
		SAYS(0, VARIABLES(known[i], ""), "!variable", "other=auto\n");
}

/* Names that would have a terminal do something. */
static void display_escaped(void)
{
	SAYS(0, VARIABLES("DLS_DISPLAY_ENV", "1", "DLS_SCHEDULE", "\033]0;x\a\n:gss;\033c:ss", "DLS_TRACE", "/dev/null/\033[1m",
			  "DLS_REPORT", "/tmp/\r.csv"),
	     "DLS_SCHEDULE for \\x1bc = 'ss'", "DLS_REPORT = '/tmp/\\x0d.csv'", "DLS_TRACE=\"/dev/null/\\x1b[1m\": Not a directory",
	     FAC("libdls: clear\\x1b[2J: fac does not know mu=, sigma= or h= yet"));
	unlink("/tmp/\r.csv");
	check_printable();
}

/* File and line, with as much of the path as one likes. */
static void places(void)
{
	SAYS(0, DLS_SHOWN("main.c:42:fac,3"), FAC("dir/main.c:42: fac does not"));
	SAYS(0, DLS_SHOWN("dir/main.c:42:fac"), FAC("dir/main.c:42: fac does not"));
	SAYS(0, DLS_SHOWN("ir/main.c:42:fac"), "!main.c:42: fac");
	SAYS(0, DLS_SHOWN("main.c:43:fac"), "!main.c:42: fac");
}

/* Bytes at random, and pieces of schedules at random: the loops run, and a message tells of what is refused. */
static void any_bytes(void)
{
	static const char *const pieces[] = { "gss", ",", ";", ":", "=", "fac", "mu", "1e-6", "-", " ", "nonmonotonic:",
					      "solver:", "weights", "4", "\xff", "\n", "%s", "[" };
	uint64_t seed = tap_seed();

	for (int round = 0; round < (tap_thorough() ? 60 : 20); round++) {
		char text[400] = "";
		size_t n = 0, want = tap_random(&seed) % 300;

		while (n < want) {
			const char *piece = pieces[tap_random(&seed) % (sizeof(pieces) / sizeof(*pieces))];

			if (round % 3 == 0) {
				text[n++] = (char)(1 + tap_random(&seed) % 255);
			} else {
				strcpy(text + n, piece);
				n += strlen(piece);
			}
		}
		text[n] = 0;
		WITH("DLS_SCHEDULE", text, "ASAN_OPTIONS", "detect_leaks=0");
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		CHECK(!strstr(said, "WRONG"));
		CHECK(strstr(said, "other=auto") || strstr(said, "libdls: ") || strstr(text, "gss") || strstr(text, "fac"));
		check_printable();
	}
}

/* One value of nearly the largest size the system passes on. */
static void much(void)
{
	size_t n = 100000;
	char *text = malloc(n + 1);

	memset(text, ';', n);
	text[n] = 0;
	SAYS(0, DLS(text), "libdls: DLS_SCHEDULE=\"[;];;;", "; using auto\nsolver=ss,3 other=auto\n");
	CHECK(strlen(said) < 1000);
	for (size_t i = 0; i + 2 < n; i += 2)
		memcpy(text + i, ":;", 2);
	SAYS(0, DLS(text), "further entries are refused");
	CHECK(strlen(said) < 10000);
	memset(text, 'x', n);
	SAYS(0, DLS(text), "xxx...");
	CHECK(strlen(said) < 1000);
	free(text);
}

static void trace_limit(void)
{
	static const char *const bad[] = { "0", "-1", "+1", "1e3", "10k", "1000000001", "99999999999999999999" };
	char text[100];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), "libdls: DLS_TRACE_LIMIT=\"%s\": the most records a thread keeps", bad[i]);
		SAYS(0, VARIABLES("DLS_TRACE", "/dev/null", "DLS_TRACE_LIMIT", bad[i]), text, "from 1 to 1e9");
	}
	for (int i = 0; i < 2; i++)
		SAYS(0, VARIABLES("DLS_TRACE", "/dev/null", "DLS_TRACE_LIMIT", i ? "1000000000" : "1000"), "!DLS_TRACE_LIMIT=");
}

TEST_MAIN_OR(child, T(precedence) T(messages) T(malformed) T(strict) T(display) T(unmet_sites) T(unmet_variables) T(display_escaped) T(places)
	     T(any_bytes) T(much) T(trace_limit))
