/* huge.c - loops of more iterations than a strategy has pieces, and schedules longer than records keep.
 *
 * Fails if: a strategy deals pieces of a size that it cannot count, or another than was asked for without a word, or says so for a
 * size of its own; a text that is cut ends a report or trace, or is not marked as cut.
 *
 * runs: check, machines */
#include "child.h"
#include "dls.h"
#include "dls/loop.h"
#include "scratch.h"
#include "tap.h"

struct piece {
	const char *schedule;
	int64_t n;
	uint64_t unit;		/* the first piece is so many iterations */
	const char *says;
};

static int take(const void *arg)
{
	const struct piece *p = arg;
	struct dls_loop *loop;
	int64_t begin, end;

	if (dls_loop_open(&loop, 2, NULL, 0) || dls_loop_set_schedule(loop, p->schedule) || dls_loop_start(loop, 0, p->n, 1) ||
	    !dls_loop_next(loop, 0, &begin, &end))
		return 1;
	return (uint64_t)end - (uint64_t)begin == p->unit ? 0 : 2;
}

static void pieces(void)
{
	static const struct piece p[] = {
		{ "rid,1", INT64_C(1) << 48, 1, "" },
		{ "rid,1", (INT64_C(1) << 48) + 1, 2, "rid: 2 iterations a piece in place of 1 in a loop of 281474976710657, which has at most" },
		{ "gm,3", INT64_C(1) << 50, 4, "gm: 4 iterations a piece in place of 3 in a loop of 1125899906842624" },
		{ "sid,5", INT64_C(1) << 50, 5, "" },
	};

	for (size_t i = 0; i < sizeof(p) / sizeof(*p); i++) {
		int status = child_run(take, &p[i], true);

		CHECK_EQ(child_exit(status), 0);
		if (!CHECK(*p[i].says ? strstr(complained, p[i].says) != NULL : !*complained))
			tap_note("%s: %s", p[i].schedule, complained);
	}
}

/* The program once more: a loop under a schedule of many weights, reported and traced. */
static int weights(const char *argument)
{
	char schedule[1200] = "wf,weights=1";
	unsigned hits = 0;

	(void)argument;
	for (int w = 1; w < 200; w++)
		sprintf(schedule + strlen(schedule), ":%d", 1 + w % 3);
	for (int k = 0; k < 3; k++) {
		struct dls_loop *loop;
		struct dls_site *site;
		int64_t begin, end;

		if (dls_site_named(&site, "long") || dls_loop_open(&loop, 200, site, DLS_LOOP_EVERY_CHUNK) ||
		    dls_loop_set_schedule(loop, schedule) || dls_loop_start(loop, 0, 1000, 1))
			return 1;
		for (unsigned w = 0; w < 200; w++)
			while (dls_loop_next(loop, w, &begin, &end))
				hits += (unsigned)(end - begin);
		dls_loop_end(loop, NULL);
		dls_loop_close(loop);
	}
	return hits == 3000 ? 0 : 2;
}

/* Whether a file has a text. */
static bool has(const char *name, const char *text)
{
	static char all[1 << 20];

	return strstr(tap_read(name, all, sizeof(all)), text);
}

static void texts(void)
{
	static const char *const name[] = { "report.csv", "report.json", "report.html" };

	for (size_t i = 0; i < 3; i++) {
		const char *report = scratch(name[i]), *trace = scratch("trace");
		const char *const variables[] = { "DLS_REPORT", report, "DLS_TRACE", trace, NULL };
		struct child_self self = { "weights", variables };

		CHECK_EQ(child_exit(child_run(child_self, &self, true)), 0);
		if (!CHECK(!*complained))
			tap_note("%s", complained);
		CHECK(has(report, "wf,weights=1:2:3:1:2") && has(report, "..."));
		CHECK(has(trace, "wf,weights=1:2:3:1:2") && has(trace, "..."));
	}
}

TEST_MAIN_OR(weights, T(pieces) T(texts))
