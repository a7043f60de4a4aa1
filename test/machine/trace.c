/* trace.c - DLS_TRACE of machines: what the file says of runs in virtual time, hashed, and of one on threads, counted.
 *
 * The program runs itself with the variable set.  A change of a strategy, the engine, the cost presets or the trace's text
 * changes the hash; change it here if the change is meant.
 *
 * Fails if: an event is lost, doubled or written otherwise; two runs get the same number; events beyond the limit are not
 * counted.
 *
 * runs: check, machines, pthreads */
#include <inttypes.h>

#include "child.h"
#include "machine.h"
#include "scratch.h"

enum { STATUS = 7, SIZE = 1 << 22 };

static void run_machine(const char *strategy, const char *engine, const char *costs, unsigned processors)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "a \"task\"" };
	struct dls_machine_desc desc = { .size = sizeof(desc), .strategy = strategy, .engine = engine, .costs = costs,
					 .processors = processors, .seed = 3 };
	struct dls_machine *m;

	if (dls_machine_open(&m, &desc, NULL))
		exit(1);
	for (uint64_t i = 0; i < 10 * processors; i++)
		if (dls_machine_add(m, (unsigned)(i * i % 3 % processors), &(struct dls_task){ .type = &type, .cost = 1001 * i + 1 }))
			exit(1);
	if (dls_machine_run(m))
		exit(1);
	dls_machine_close(m);
}

/* The child. */
static int child(const char *which)
{
	static const char *const strategies[] = { "none", "gm", "rid", "dem", "rips", "factor", "rand" };

	if (strcmp(which, "threads") == 0)
		run_machine("none", "threads", NULL, 3);
	else if (strcmp(which, "one") == 0)
		run_machine("none", "virtual", NULL, 1);
	else
		for (unsigned i = 0; i < sizeof(strategies) / sizeof(*strategies); i++)
			run_machine(strategies[i], "virtual", i % 2 ? "cm5" : "ipsc2", 5);
	puts("output");
	return STATUS;
}

static char text[SIZE];

/* Run the child, and read its file. */
static void trace(const char *which, const char *limit)
{
	const char *file = scratch("x.json"), *const variables[] = { "DLS_TRACE", file, limit ? "DLS_TRACE_LIMIT" : NULL, limit, NULL };

	CHECK_EQ(child_again(which, variables, true), STATUS);
	CHECK_TEXT(said, "output\n");
	tap_read(file, text, SIZE);
}

static unsigned times(const char *part)
{
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
		n++;
	return n;
}

/* Tasks of 1, 1002, ... ns, one after the other. */
static void by_hand(void)
{
	trace("one", NULL);
	CHECK_TEXT(complained, "");
	CHECK_EQ(times("\"name\":\"machine 1: none, virtual time\""), 1);
	CHECK_EQ(times("\"name\":\"processor 0\""), 1);
	CHECK_EQ(times("\"name\":\"a \\u0022task\\u0022\""), 10);
	CHECK_EQ(times("\"pid\":10000001,\"tid\":1,\"name\":\"a \\u0022task\\u0022\",\"ts\":0.001,\"dur\":1.002,"), 1);
	CHECK_EQ(times("\"ts\":36.045,\"dur\":9.010,"), 1);
}

/* Of ten tasks the first three are kept. */
static void limited(void)
{
	trace("one", "3");
	CHECK(strstr(complained, ": 7 "));
	CHECK_EQ(times("\"name\":\"a \\u0022task\\u0022\""), 3);
	CHECK_EQ(times("\"ts\":45.055,\"s\":\"p\",\"name\":\"DLS_TRACE_LIMIT reached\",\"args\":{\"limit\":3,\"lost\":7}"), 1);
}

static void hashed(void)
{
	uint64_t hash = 0xcbf29ce484222325u;
	unsigned lines = 0;
	char *rest = text;

	trace("many", NULL);
	CHECK_TEXT(complained, "");
	for (char *line; (line = strtok_r(rest, "\n", &rest));) {
		if (!strstr(line, "\"pid\":1000000"))
			continue;
		lines++;
		for (; *line; line++)
			hash = (hash ^ (unsigned char)*line) * 0x100000001b3u;
	}
	if (!CHECK(hash == 0x8a26275fa2fd185f))
		tap_note("%u lines: 0x%016" PRIx64, lines, hash);
}

static void threads(void)
{
	trace("threads", NULL);
	CHECK_TEXT(complained, "");
	CHECK_EQ(times("\"name\":\"machine 1: none, threads\""), 1);
	for (unsigned i = 0; i < 3; i++) {
		char name[40];

		snprintf(name, sizeof(name), "\"tid\":%u,\"name\":\"a \\u0022task\\u0022\"", i + 1);
		CHECK(i < 2 ? times(name) >= 10 * (i + 1) : times(name) == 0);	/* a message may cut one in two */
	}
}

TEST_MAIN_OR(child, T(by_hand) T(limited) T(hashed) T(threads))
