/* chunks.c - dls-chunks as its users meet it: its rows, its figures, its refusals.
 *
 * Fails if: a row is not what the calculator or a loop deals, a figure is of another row, a long row is cut where it may
 * not be, an option goes to the wrong schedule, something bad is accepted or refused without a message that quotes it. */
#include <inttypes.h>
#include <unistd.h>

#include "deal.h"
#include "tool.h"

/* The row of a schedule in the table, with single blanks; "" if there is none. */
static const char *table_row(const char *schedule)
{
	static char row[4096];
	char *to = row;
	const char *at;
	char start[64];

	snprintf(start, sizeof(start), "\n%s ", schedule);
	at = strstr(tool_out, start);
	/* A row goes on in the lines that start with a blank. */
	for (at += at ? 1 : 0; at && *at && (*at != '\n' || at[1] == ' ') && to < row + sizeof(row) - 1; at++)
		if (*at != ' ' && *at != '\n')
			*to++ = *at;
		else if (to[-1] != ' ')
			*to++ = ' ';
	*to = 0;
	return row;
}

/* The same of a run with these arguments. */
static const char *row_of(const char *arguments, const char *schedule)
{
	CHECK_EQ(tool_run("dls-chunks", "%s", arguments), 0);
	return table_row(schedule);
}

/* Whether the output goes on like this. */
static bool goes_on(const char *at, const char *wanted)
{
	if (CHECK(strncmp(at, wanted, strlen(wanted)) == 0))
		return true;
	tap_note("wanted %.*s", (int)strcspn(wanted + 1, "\n"), wanted + 1);
	return false;
}

/* N = 1000, P = 4. */
static void known_rows(void)
{
	static const struct {
		const char *schedule;
		unsigned chunks;
		uint64_t size[32];
	} want[] = {
		{ "gss", 22, { 250, 188, 141, 106, 79, 59, 45, 33, 25, 19, 14, 11, 8, 6, 4, 3, 3, 2, 1, 1, 1, 1 } },
		{ "tss", 15, { 125, 116, 108, 100, 91, [12] = 25, 17, 9 } },	/* 0: not printed in the source */
		{ "fac2", 32, { 125, 125, 125, 125, 63, 63, 63, 63, 31, 31, 31, 31, 16, 16, 16, 16, 8, 8, 8, 8,
				4, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1 } },
	};
	char *at = tool_out;

	CHECK_EQ(tool_run("dls-chunks", "-n 1000 -p 4 -s gss,tss,fac2 --csv"), 0);
	tool_cut_source();
	CHECK(strncmp(at, "schedule,chunk,begin,size,worker,start_s,time_s\n", 48) == 0);
	at += strcspn(at, "\n");
	for (unsigned i = 0; i < 3; i++)
		for (uint64_t k = 0, begin = 0, size; k < want[i].chunks; k++, begin += size) {
			char row[80];

			if (!CHECK(*at == '\n'))
				return;
			size = want[i].size[k];
			if (size == 0 && sscanf(at + 1, "%*[^,],%*[^,],%*[^,],%" SCNu64, &size) != 1)
				size = 0;
			snprintf(row, sizeof(row), "\n%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",,,\n", want[i].schedule, k,
				 begin, size);
			if (!goes_on(at, row))
				return;
			at += strlen(row) - 1;
		}
	CHECK_TEXT(at, "\n");
}

/* The rows of each schedule number its chunks and cover the loop. */
static void rows_partition_the_loop(void)
{
	static const char *const loop[] = { "-n 1000 -p 4", "-n 1 -p 1", "-n 1 -p 8", "-n 3 -p 8", "-n 1009 -p 1",
					    "-n 1000 -p 31 --mu 1e-6 --sigma 3e-6 --overhead 1e-7 --weights 1:2:0.5" };

	for (size_t i = 0; i < sizeof(loop) / sizeof(*loop); i++) {
		uint64_t chunk = 0, begin = 0, size = 0, k, b, n = strtoull(loop[i] + 3, NULL, 10);
		char schedule[64] = "", name[64];
		unsigned schedules = 0;

		CHECK_EQ(tool_run("dls-chunks", "%s --csv", loop[i]), 0);
		for (char *at = tool_out; (at = strchr(at, '\n')) && *++at;) {
			if (!CHECK(sscanf(at, "%63[^,],%" SCNu64 ",%" SCNu64 ",%" SCNu64, name, &k, &b, &size) == 4))
				return;
			if (strcmp(name, schedule)) {
				if (schedules++)
					CHECK_EQ(begin, n);
				strcpy(schedule, name);
				chunk = begin = 0;
			}
			CHECK_EQ(k, chunk++);
			CHECK_EQ(b, begin);
			CHECK(size > 0);
			begin += size;
		}
		CHECK_EQ(begin, n);
		CHECK(schedules >= 10);
	}
}

/* The rows are what a loop deals to workers that ask in turn, unless workers own ranges or the clock decides. */
static void rows_are_what_loops_deal(void)
{
	static const struct {
		int64_t n;
		unsigned p;
	} of[] = { { 1000, 4 }, { 1009, 7 }, { 5, 8 }, { 20011, 3 }, { 1000, 1 } };

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		uint64_t b, size;
		int64_t lo, hi;
		char schedule[64] = "", name[64];
		struct dls_loop *loop = NULL;
		const struct dls_calc *calc = NULL;
		unsigned worker = 0;

		CHECK_EQ(tool_run("dls-chunks", "-n %lld -p %u --csv --mu 1e-6 --sigma 3e-6 --overhead 1e-7",
			     (long long)of[i].n, of[i].p), 0);
		for (char *at = tool_out; (at = strchr(at, '\n')) && *++at;) {
			if (!CHECK(sscanf(at, "%63[^,],%*[^,],%" SCNu64 ",%" SCNu64, name, &b, &size) == 3))
				return;
			if (strcmp(name, schedule)) {
				strcpy(schedule, name);
				calc = dls_calc_find(name);
				dls_loop_close(loop);
				loop = deal_open(name, of[i].p, NULL, DLS_LOOP_EVERY_CHUNK);
				if (!CHECK(calc) || !CHECK(loop))
					return;
				CHECK_EQ(dls_loop_set_moments(loop, 1e-6, 3e-6), 0);
				CHECK_EQ(dls_loop_set_overhead(loop, 1e-7), 0);
				CHECK_EQ(dls_loop_start(loop, 0, of[i].n, 1), 0);
				worker = 0;
			}
			if (calc->dispenser == DLS_DISPENSER_RANGES || calc->dispenser == DLS_DISPENSER_LIVE || calc->pace != DLS_PACE_NEVER)
				continue;
			lo = hi = 0;
			/* A worker without a share of its own is passed over. */
			for (unsigned asked = 0; asked < of[i].p; asked++)
				if (dls_loop_next(loop, worker++ % of[i].p, &lo, &hi))
					break;
			if (CHECK_EQ(lo, b) != b || CHECK_EQ(hi - lo, size) != size) {
				tap_note("%s, N = %lld, P = %u", name, (long long)of[i].n, of[i].p);
				break;
			}
		}
		dls_loop_close(loop);
	}
}

static void json_has_the_same_rows(void)
{
	static char csv[sizeof(tool_out)];
	char *at = csv, row[256];

	CHECK_EQ(tool_run("dls-chunks", "-n 100 -s all,'ss,8' --csv"), 0);
	tool_cut_source();
	strcpy(csv, tool_out);
	CHECK_EQ(tool_run("dls-chunks", "-n 100 -s all,'ss,8' --json"), 0);
	tool_cut_source();
	CHECK(strncmp(tool_out, "[\n  {\"schedule\": \"", 18) == 0);
	for (char *line = tool_out; (line = strchr(line, '\n')) && line[1] == ' ';) {
		char name[64];
		uint64_t k, b, size;
		int end = 0;

		line++;
		sscanf(line, "  {\"schedule\": \"%63[^\"]\", \"chunk\": %" SCNu64 ", \"begin\": %" SCNu64
		       ", \"size\": %" SCNu64 ", \"worker\": %n", name, &k, &b, &size, &end);
		if (!CHECK(end > 0))
			return;
		end += (int)strcspn(line + end, "}") + 1;
		at += strcspn(at, "\n");
		CHECK(line[end] == (at[1 + strcspn(at + 1, "\n")] && at[2 + strcspn(at + 1, "\n")] ? ',' : '\n'));
		snprintf(row, sizeof(row), strchr(name, ',') ? "\n\"%s\",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ","
			 : "\n%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", name, k, b, size);
		if (!goes_on(at, row))
			return;
		at++;
	}
	CHECK(strcmp(tool_out + strlen(tool_out) - 4, "}\n]\n") == 0);
	CHECK_TEXT(at + strcspn(at, "\n"), "\n");
}

static void table(void)
{
	CHECK_EQ(tool_run("dls-chunks", "-n 1000 -p 4 -s gss,ss,fac2"), 0);
	CHECK_TEXT(table_row("gss"), "gss 22 250 1 250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4");
	CHECK_TEXT(table_row("ss"), "ss 1000 1 1 1x1000");
	CHECK_TEXT(table_row("fac2"), "fac2 32 125 1 125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4");
	CHECK_EQ(tool_run("dls-chunks", "-s 'gss,50;static'"), 0);
	CHECK_TEXT(table_row("gss,50"), "gss,50 10 250 27 250 188 141 106 79 59 50x3 27");
	CHECK_TEXT(table_row("static"), "static 4 250 250 250x4");
	CHECK_EQ(tool_run("dls-chunks", "-n 100000 -p 16 -s tss,gss"), 0);
	CHECK(strncmp(table_row("tss"), "tss 63 3125 50 3125 3075 3025 2976 ", 35) == 0);
	CHECK(strstr(table_row("tss"), " .. "));
	CHECK(strcmp(table_row("tss") + strlen(table_row("tss")) - 11, " 149 100 50") == 0);
	CHECK(strncmp(table_row("gss"), "gss 145 6250 1 6250 5860 5494 ", 30) == 0);
	/* The end cuts a batch short: the means of tss's sizes leave 48 of 1000 to the last one. */
	CHECK_TEXT(row_of("-s tfss", "tfss"), "tfss 16 113 9 113x4 79x4 46x4 13x3 9");
}

static void what_the_command_line_tells(void)
{
	CHECK_TEXT(row_of("-s fac", "fac (as fac2)"), "fac (as fac2) 32 125 1 125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4");
	CHECK(strstr(tool_out, "\nfac (as fac2): needs mu, sigma\n"));
	CHECK_TEXT(row_of("-s fac,50", "fac,50 (as fac2,50)"), "fac,50 (as fac2,50) 13 125 48 125x4 63x4 50x4 48");
	CHECK_EQ(tool_run("dls-chunks", "-s fac --mu 1"), 0);
	CHECK(strstr(tool_out, "\nfac (as fac2): needs sigma\n"));
	CHECK_TEXT(row_of("-s fac --mu 1e-6 --sigma 2e-6", "fac"), "fac 40 210 1 210x4 15x4 9x4 5x4 4x4 2x8 1x12");
	/* What a schedule says itself takes precedence. */
	CHECK_TEXT(row_of("-s fac,mu=1,sigma=2 --sigma 5", "fac,mu=1,sigma=2"),
		   "fac,mu=1,sigma=2 40 210 1 210x4 15x4 9x4 5x4 4x4 2x8 1x12");
	/* sigma = 0: one batch of N / P. */
	CHECK_TEXT(row_of("-s fac,sigma=0 --mu 3 --sigma 5", "fac,sigma=0"), "fac,sigma=0 4 250 250 250x4");
	/* Workers ask in turn: the first chunks are fac2's 250, times the weights 1/2 and 3/2. */
	CHECK(strstr(row_of("-p 2 -s wf --weights 1:3", "wf"), " 125 375 "));
}

static void large_loops(void)
{
	CHECK_TEXT(row_of("-n 1000000000000 -s ss", "ss"), "ss 1000000000000 1 1 1x1000000000000");
	CHECK(strstr(row_of("-n 9223372036854775808 -s gss -p 2", "gss"),
		     "gss 64 4611686018427387904 1 4611686018427387904 2305843009213693952 "));
	CHECK_EQ(tool_run("dls-chunks", "-n 18446744073709551615 2>&1"), 0);
	CHECK(strncmp(tool_out, "dls-chunks: left out: awf, ", 27) == 0);
	CHECK_TEXT(table_row("ss"), "ss 18446744073709551615 1 1 1x18446744073709551615");
	CHECK_EQ(tool_run("dls-chunks", "-n 1e12 -p 64 2>/dev/null"), 0);
	CHECK_EQ(tool_run("dls-chunks", "-n 1e19 -p 65536 2>/dev/null"), 0);
	CHECK_EQ(tool_run("dls-chunks", "-n 1e9 -s ss --csv 2>&1"), 2);
	CHECK(strstr(tool_out, "10000000") && tool_lines() == 1);
	CHECK_EQ(tool_run("dls-chunks", "-n 1e9 -s ss --json 2>&1"), 2);
	CHECK_EQ(tool_lines(), 1);
}

/* One line that quotes what was wrong, and nothing on stdout. */
static void refusals(void)
{
	static const char *const wrong[][2] = {
		{ "-n 0", "\"0\"" }, { "-n x", "\"x\"" }, { "-n -1", "\"-1\"" }, { "-n 1e20", "\"1e20\"" },
		{ "-n ''", "\"\"" }, { "-n 18446744073709551616", "\"18446744073709551616\"" },
		{ "-p 0", "\"0\"" }, { "-p 65537", "\"65537\"" }, { "-p 4x", "\"4x\"" },
		{ "-s gzz", "\"gzz\"" }, { "-s ''", "all" }, { "-s 4", "\"4\"" },
		{ "-s gss,0", "\"gss,0\"" }, { "--mu 0", "\"0\"" }, { "--mu nan", "\"nan\"" },
		{ "--sigma -1", "\"-1\"" },
		{ "--sigma 1,mu=2", "\"1,mu=2\"" }, { "--overhead x", "\"x\"" }, { "--weights 1:x", "\"1:x\"" },
		{ "--nosuch", "--nosuch" }, { "-q", "-q" }, { "-n", "-n" }, { "extra", "\"extra\"" },
		{ "-s rnd,min=9,max=5", "\"rnd,min=9,max=5\"" },
		{ "--times nosuch", "\"nosuch\"" }, { "--times /dev/null", "\"/dev/null\"" },
		{ "--times uniform --sigma 1", "\"1\"" }, { "--times exp -n 1e8", "\"100000000\"" },
		{ "--times const --mu 1e9", "\"1e+09\"" }, { "--times exp --mu 1e300", "\"exp\"" },
		{ "--times", "--times" }, { "-s awf-b -n 1e8", "\"100000000\"" },
		{ "--speeds 1:0", "\"0\"" }, { "--speeds 1:", "\"1:\"" }, { "--speeds 1,2", "\"1,2\"" },
		{ "--speeds 1:1:1:1:1", "\"1:1:1:1:1\"" }, { "--steps 0", "\"0\"" }, { "--seed -1", "\"-1\"" },
		{ "-s rid,4", "\"rid,4\": a strategy has no chunk sizes" },
		{ "--plot /nonexistent/a.svg", "\"/nonexistent/a.svg\"" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		if (strncmp(wrong[i][0], "--plot", 6) == 0 && system("command -v gnuplot >/dev/null"))
			continue;
		if (!CHECK(tool_run("dls-chunks", "%s 2>/dev/null", wrong[i][0]) == 2) || !CHECK_TEXT(tool_out, ""))
			tap_note("%s", wrong[i][0]);
		tool_run("dls-chunks", "%s 2>&1", wrong[i][0]);
		if (!CHECK(strncmp(tool_out, "dls-chunks: ", 12) == 0) || !CHECK(strstr(tool_out, wrong[i][1])) ||
		    !CHECK(tool_lines() == 1))
			tap_note("%s: %s", wrong[i][0], tool_out);
	}
}

static void help(void)
{
	CHECK_EQ(tool_run("dls-chunks", "--help"), 0);
	CHECK(strstr(tool_out, "--weights"));
	CHECK_EQ(tool_run("dls-chunks", " "), 0);
	CHECK(strstr(tool_out, "1000 iterations, 4 workers"));
}

static void plot(void)
{
	char file[] = "/tmp/dls-chunks-XXXXXX", start[6];
	int fd;

	if (system("command -v gnuplot >/dev/null")) {
		tap_skip("no gnuplot (package gnuplot-nox)");
		return;
	}
	fd = mkstemp(file);
	if (!CHECK(fd >= 0))
		return;
	close(fd);
	CHECK_EQ(tool_run("dls-chunks", "-s all --plot %s", file), 0);
	CHECK(*table_row("gss"));
	CHECK_TEXT(tap_read(file, start, sizeof(start)), "<?xml");
	remove(file);
}

static void no_gnuplot(void)
{
	char *path = strdup(getenv("PATH"));

	setenv("PATH", "/nonexistent", 1);
	CHECK_EQ(tool_run("dls-chunks", "--plot /nonexistent/a.svg 2>&1"), 3);
	setenv("PATH", path, 1);
	free(path);
	CHECK(strstr(tool_out, "gnuplot-nox"));
	CHECK_EQ(tool_lines(), 1);
}

TEST_MAIN(T(known_rows) T(rows_partition_the_loop) T(rows_are_what_loops_deal) T(json_has_the_same_rows) T(table)
	  T(what_the_command_line_tells) T(large_loops) T(refusals) T(help) T(plot) T(no_gnuplot))
