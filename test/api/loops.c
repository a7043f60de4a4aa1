/* loops.c - dls-loops: its kernels under libdls, what it prints and what it refuses.
 *
 * Fails if: a kernel's result is not the serial one, a row or a column is missing, a verdict's words do not fit its
 * figures, a refusal does not quote what was wrong or name what is accepted. */
#include <sys/resource.h>

#include "strategies.h"
#include "tool.h"

static int loops(const char *arguments)
{
	return tool_run("dls-loops", "%s 2>&1", arguments);
}

/* Every kernel gives the serial result, and so does each form of those of many loops; the tool itself compares. */
static void kernels(void)
{
	static const char *const schedule[] = { "gss", "awf-b", "af", "tss", "steal", STRATEGIES("rid,3", "factor", "phase",) };
	char list[4096], *rest = list;
	unsigned k = 0;

	CHECK_EQ(loops("--list"), 0);
	memcpy(list, tool_out, sizeof(list));
	list[sizeof(list) - 1] = 0;
	for (char *name = strtok_r(list, "\n", &rest); name; name = strtok_r(NULL, "\n", &rest), k++) {
		char arguments[256];

		name[strcspn(name, " ")] = 0;
		snprintf(arguments, sizeof(arguments), "%s -t 2 --runs 1 -s %s", name, schedule[k % (sizeof(schedule) / sizeof(*schedule))]);
		if (CHECK_EQ(loops(arguments), 0))
			tap_note("%s: %s", arguments, tool_out);
		CHECK(strstr(tool_out, name));
	}
	CHECK(k >= 15);
}

static void csv(void)
{
	static const char head[] =
		"side,kernel,schedule,threads,time_median,time_min,time_max,chunks,imbalance_percent,step,"
		"time_late,time_ideal,ratio_to_ideal,version,command,files\n";
	const char *row;

	CHECK_EQ(loops("matrix -t 2 --runs 1 --csv -s 'gss; ss,100'"), 0);
	CHECK(strncmp(tool_out, head, strlen(head)) == 0);
	CHECK_EQ(tool_lines(), 1 + 3 + 2);
	row = strstr(tool_out, "\nlibdls,matrix,\"ss,100\",2,");
	CHECK(row);
	if (row) {
		double time[3], chunks;

		CHECK_EQ(sscanf(row, "\nlibdls,matrix,\"ss,100\",2,%lf,%lf,%lf,%lf", &time[0], &time[1],
				&time[2], &chunks), 4);
		CHECK(time[1] > 0 && time[1] <= time[0] && time[0] <= time[2]);
		CHECK_EQ(chunks, 5);	/* 480 rows */
	}
}

static void slow_worker(void)
{
	double imbalance;
	const char *row;

	CHECK_EQ(loops("matrix -t 2 --runs 1 --csv -s static --slow 0:2"), 0);
	row = strstr(tool_out, "\nlibdls,");
	CHECK(row);
	/* About 100 (2 * 14 / (14 + 1) - 1) = 87 on a quiet machine; what holds on any is max / mean = 1..P. */
	if (row && CHECK_EQ(sscanf(row, "\nlibdls,matrix,static,2,%*f,%*f,%*f,2,%lf", &imbalance), 1) == 1)
		CHECK(imbalance >= 0 && imbalance <= 100);
}

/* Each schedule has a row for the run and one for each step.  Fails if: steps are mixed up or miscounted, time_late is not
 * the median from the fourth step on, or the ratio is not to the ideal. */
static void time_steps(void)
{
	double run = 0, late = 0, ideal = 0, ratio = 0, step[6], sum = 0, off;
	const char *row;

	CHECK_EQ(loops("matrix -t 2 --runs 1 --csv -s awf --steps 5 --slow 1:3"), 0);
	row = strstr(tool_out, "\nlibdls,matrix,awf,2,");
	if (!CHECK(row) || CHECK_EQ(sscanf(row, "\nlibdls,matrix,awf,2,%lf,%*f,%*f,%*d,%*f,0,%lf,%lf,%lf", &run, &late,
					   &ideal, &ratio), 4) != 4)
		return;
	for (int k = 1; k <= 5; k++) {
		int number;

		row = strchr(row + 1, '\n');
		if (!CHECK(row) || CHECK_EQ(sscanf(row, "\nlibdls,matrix,awf,2,%lf,%*f,%*f,,,%d,,", &step[k], &number), 2)
		    != 2)
			return;
		CHECK_EQ(number, k);
		sum += step[k];
	}
	CHECK(sum - run < 1e-8 && run - sum < 1e-8);
	off = late - (step[4] + step[5]) / 2;
	CHECK(off < 1e-8 && off > -1e-8);
	CHECK(ratio * ideal > 0.999 * late && ratio * ideal < 1.001 * late);
}

/* Processor time that the tool takes, s. */
static double processor_time(const char *arguments)
{
	struct rusage before, after;

	getrusage(RUSAGE_CHILDREN, &before);
	CHECK_EQ(loops(arguments), 0);
	getrusage(RUSAGE_CHILDREN, &after);
	return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
	       1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec);
}

/* A worker of an eighth of the speed waits, on its processor, seven times as long as it computes: with what else the tool does,
 * all takes two to three times the processor time.  How long it takes says nothing where others have the processor as well.
 * Fails if: the worker does not wait. */
static void emulation(void)
{
	const char *san = getenv("SAN");
	double equal, slow;

	if (san && *san) {
		tap_skip("eight times as long is minutes under a sanitizer");
		return;
	}
	equal = processor_time("matrix -t 1 --runs 1 --csv -s fac2 --slow 0:1.001");
	slow = processor_time("matrix -t 1 --runs 1 --csv -s fac2 --slow 0:8");
	if (!CHECK(slow > 1.5 * equal))
		tap_note("%g s of processor time, %g s without waiting", slow, equal);
}

/* Fails if: a picture or the report is not written, lacks a schedule, or stands in the way of the table. */
static void plot_and_html(void)
{
	static char page[1 << 20];
	char folder[] = "/tmp/dls-loops-XXXXXX", svg[64], html[64], arguments[256];
	int status;

	if (!CHECK(mkdtemp(folder)))
		return;
	snprintf(svg, sizeof(svg), "%s/a.svg", folder);
	snprintf(html, sizeof(html), "%s/a.html", folder);
	snprintf(arguments, sizeof(arguments), "matrix poisson -t 2 --runs 1 -s 'gss; af; tss,f=99' --html %s", html);
	CHECK_EQ(loops(arguments), 0);
	CHECK(strstr(tool_out, "imbalance"));
	tap_read(html, page, sizeof(page));
	CHECK(strstr(page, "poisson tss,f=99") && strstr(page, "matrix af"));
	CHECK(strstr(page, "<svg"));
	snprintf(arguments, sizeof(arguments), "matrix poisson -t 2 --runs 1 -s 'gss; af; tss,f=99' --csv --plot %s",
		 svg);
	status = loops(arguments);
	if (status != 3) {	/* without gnuplot */
		CHECK_EQ(status, 0);
		CHECK(strncmp(tool_out, "side,", 5) == 0);
		tap_read(svg, page, sizeof(page));
		CHECK(strstr(page, "</svg>") && strstr(page, "tss,f=99"));
		CHECK(strstr(page, "Chunks, poisson, as they began"));
	} else if (!CHECK(strstr(tool_out, "gnuplot"))) {
		tap_note("%s", tool_out);
	}
	remove(svg);
	remove(html);
	remove(folder);
}

/* Lines fit a terminal; each of the compiler's schedules has a verdict, in words that fit its figures. */
static void verdicts(void)
{
	unsigned lines = 0;

	CHECK_EQ(loops("--demo matrix -t 2 --runs 3 -s 'gss; ss,10'"), 0);
	CHECK(strstr(tool_out, "emulate"));
	CHECK(strstr(tool_out, "  the first of the list\n"));
	for (char *line = tool_out, *end; (end = strchr(line, '\n')); line = end + 1) {
		double f, half, ms;
		char *ratio;

		*end = 0;
		ratio = strstr(line, " +- ");
		/* Where others have the processors, times may be wider than their columns. */
		if (sscanf(line, " %*s %*s %lf +- %lf", &ms, &half) != 2 || (ms < 9999 && half < 99))
			if (!CHECK(strlen(line) <= 80))
				tap_note("%s", line);
		if (!ratio || !strstr(ratio, " times as fast"))
			continue;
		lines++;
		if (strncmp(line, "      ", 6) == 0)	/* the words are in the line before */
			continue;
		while (ratio[-1] != ' ')
			ratio--;
		if (CHECK_EQ(sscanf(ratio, "%lf +- %lf", &f, &half), 2) != 2)
			continue;
		/* 0.03: figures are rounded. */
		if (strstr(line, "no difference from "))
			CHECK(f >= 0.98 && f <= 1.02 && half <= 0.02);
		else if (strstr(line, "nothing beats "))
			CHECK(f + 2 * half < 1.03);
		else if (!strstr(line, "too noisy to say against "))
			CHECK(strstr(line, " is ") && f >= 1.02 && f - 2 * half > 0.97);
	}
	CHECK_EQ(lines, 2 * 3);
}

static void refusals(void)
{
	static const struct {
		const char *arguments, *quoted, *accepted;
	} bad[] = {
		{ "nosuch", "\"nosuch\"", "mandelbrot, spmv" },
		{ "-s nosuch", "nosuch", "fac2" },
		{ "-s gss,bogus=1", "bogus", "" },
		{ "-t 0", "\"0\"", "from 1" },
		{ "--runs 1x", "\"1x\"", "from 1" },
		{ "-t 2 --slow 1", "\"1\"", "W:FACTOR" },
		{ "-t 2 --slow 2:2", "\"2\"", "from 0 to 1" },
		{ "-t 2 --slow 1:0.5", "\"0.5\"", "from 1" },
		{ "stencils -t 2 --slow 1:2", "\"stencils\"", "--slow" },
		{ "matrix stencils-for --plot /tmp/a.svg", "\"stencils-for\"", "--plot" },
		{ "--steps 0", "\"0\"", "from 1 to 1000" },
		{ "--steps 3 --demo", "--demo", "--steps" },
		{ "--html /tmp/a.txt", "\"/tmp/a.txt\"", ".html" },
		{ "--html /nosuch/a.html", "\"/nosuch/a.html\"", "No such" },
		{ "-s", "-s", "--help" },
		{ "--frobnicate", "--frobnicate", "--help" },
		{ "-x", "-x", "--help" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (CHECK_EQ(loops(bad[i].arguments), 2) != 2 ||
		    !CHECK(strstr(tool_out, bad[i].quoted) && strstr(tool_out, bad[i].accepted)))
			tap_note("dls-loops %s: %s", bad[i].arguments, tool_out);
	CHECK_EQ(loops("--help"), 0);
	CHECK(strstr(tool_out, "--slow"));
}

int main(void)
{
	static const struct tap_test list[] = {
		T(kernels) T(csv) T(slow_worker) T(time_steps) T(emulation) T(plot_and_html) T(verdicts) T(refusals)
	};

	if (loops("--list") != 3)
		return tap_run(list, sizeof(list) / sizeof(*list));
	puts("1..0 # SKIP dls-loops was built without OpenMP");
	return 0;
}
