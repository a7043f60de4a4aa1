/* chosen.c - what the report says of loops under auto, and of the functions that loops are in.
 *
 * Fails if: what runs, since when, against what and at what loss is not said, or as a wrong multiple; a choice for one size of the
 * loop is taken for another's; a schedule that was measured counts as predicted; a format lacks the choice or the function; a
 * bar stands for the wrong schedule; of a loop of two sizes that take turns executions are counted that never were; the cells of a
 * loop come in the order of the schedule that was chosen; DLS_DISPLAY_ENV hides what is known of auto's
 * choices; the line that repeats them has not the schedule of the class that ran most often, lacks an entry, or
 * has one that cannot be read; or a schedule that auto may choose is another than its text says.
 *
 * runs: check */
#include <math.h>

#include "child.h"
#include "deal.h"
#include "scratch.h"
#include "lib/base/clock.h"
#include "lib/base/processors.h"
#include "lib/site/costs_measured.h"
#include "lib/site/site_schedule.h"
#include "lib/site/tuner.h"
#include "lib/report/report.h"
#include "lib/auto/auto.h"

/* So that no loop of these tests has more workers than processors, but for that of in_turns(). */
__attribute__((constructor)) static void count_many(void)
{
	atomic_store(&dls__processors_counted, 64);
}

/* The schedules that auto may choose are those of their texts. */
static void choices(void)
{
	for (unsigned i = 0; i < DLS__AUTO_SCHEDULES; i++) {
		const struct dls__choice *choice = dls__choice_of(i);
		const struct dls_schedule *s = &choice->schedule;
		struct dls_schedule *parsed = NULL;

		if (!CHECK(dls_schedule_parse(&parsed, choice->text, NULL) == 0))
			continue;
		if (!CHECK(s->calc == parsed->calc && s->chunk == parsed->chunk && s->order == parsed->order &&
			   s->loop.curve == parsed->loop.curve && s->loop.multiple == parsed->loop.multiple &&
			   s->given == parsed->given && s->users == parsed->users && !s->spec && !s->weight))
			tap_note("%s", choice->text);
		dls_schedule_free(parsed);
	}
}

/* 10 s is the ideal. */
static const struct dls__chosen example = {
	.workers = 4, .n = 5000, .executions = 40, .since = 7, .trials = 3, .kept = 1, .lost = 2, .total = 500, .ideal = 10,
	.candidates = 6, .now = { "steal,2", 10.4, 10.1 },
	.candidate = {
		{ "steal,2", 10.4, 10.1 }, { "fac2", 10.1, 10.2 }, { "tss", 11, NAN }, { "mfsc", 10.3, NAN }, { "static", 12.4, NAN },
		{ "ss,8", NAN, NAN },
	},
};

static char *written(void (*write)(FILE *, const struct dls__report_facts *), const struct dls__report_facts *report)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	write(f, report);
	fclose(f);
	return text;
}

static void say(FILE *f, const struct dls__report_facts *report)
{
	for (unsigned i = 0; i < report->site->chosens; i++) {
		dls__report_chosen(f, report->site, &report->site->chosen[i], false);
		putc('\n', f);
	}
}

static void says(const struct dls__report_facts *report, const char *expected)
{
	char *text = written(say, report);

	CHECK_TEXT(text, expected);
	free(text);
}

static void words(void)
{
	struct dls__report_site *site = calloc(1, sizeof(*site));
	struct dls__report_facts report = { .site = site, .sites = 1 };

	site->chosens = 1;
	site->chosen[0] = example;
	says(&report, "steal,2 since execution 7, 1.01 x ideal; static would be 1.24 (predicted), fac2 1.02 (measured), mfsc 1.03 "
		      "(predicted); 3 trials, 1 kept; 2.00 s lost of 500 s\n");
	site->chosen[0].ideal = NAN;
	site->chosen[0].trials = 0;
	says(&report, "steal,2 since execution 7, 10.1 s; static would be 12.4 s (predicted), fac2 10.2 s (measured), mfsc 10.3 s "
		      "(predicted)\n");
	site->chosens = 2;
	site->chosen[1] = (struct dls__chosen){ .workers = 2, .n = 9, .since = 1, .ideal = NAN, .now = { "tss", NAN, NAN } };
	site->chosen[0].candidates = 0;
	says(&report, "5000 iterations by 4 workers: steal,2 since execution 7, 10.1 s\n"
		      "9 iterations by 2 workers: tss since execution 1\n");
	free(site);
}

/* Whether a format has all of some texts, in this order; the list ends with NULL. */
static void has(void (*write)(FILE *, const struct dls__report_facts *), const struct dls__report_facts *report, const char *const *part)
{
	char *text = written(write, report);
	const char *at = text;

	for (; *part; part++) {
		const char *found = strstr(at, *part);

		if (!CHECK(found))
			tap_note("missing: %s", *part);
		at = found ? found : at;
	}
	free(text);
}

static void formats(void)
{
	struct dls__report_site *site = calloc(1, sizeof(*site));
	struct dls__report_facts report = { .site = site, .sites = 1 };
	struct dls__report_schedule ran = { .asked = "auto", .calc = "steal,2", .under = "steal,2", .executions = 1,
					    .last = 1 };

	strcpy(site->name, "a.c:12");
	strcpy(site->function, "f<int>");
	site->ran = &ran;
	site->rans = 1;
	site->present = &ran;
	site->stats.measured = 1;
	site->stats.wall = 1;
	site->advice.ideal = NAN;
	site->chosens = 1;
	site->chosen[0] = example;
	has(dls__report_text, &report, (const char *[]){
		"  a.c:12 (f<int>)\n", "\na.c:12 (f<int>)\n", "\n  auto:       steal,2 since execution 7, 1.01 x ideal; static", NULL });
	has(dls__report_json, &report, (const char *[]){
		"\"function\": \"f\\u003cint\\u003e\"", "\"auto\": [", "{\"workers\": 4, \"iterations\": 5000, \"executions\": 40, "
		"\"schedule\": \"steal,2\", \"since\": 7, \"trials\": 3, \"kept\": 1, \"lost\": 2, "
		"\"total\": 500, \"ideal\": 10", "{\"schedule\": \"fac2\", \"predicted\": 10.1", "\"measured\": 10.1",
		"{\"schedule\": \"ss,8\", \"predicted\": null, \"measured\": null}]}]", NULL });
	/* By time; of the one without any there is no bar. */
	has(dls__report_html, &report, (const char *[]){
		"<code>auto</code> (ran: <code>steal,2</code>)", "a.c:12 <span class=\"note\">(f&#60;int&#62;)</span></h2>",
		"<b>auto:</b> steal,2 since execution 7, 1.01 x ideal", "Every schedule, for 5000 iterations by 4 workers",
		">steal,2</text><rect class=\"even\"", "<circle", "1.01, in force</text>", ">fac2</text><rect class=\"odd\"", "<circle",
		"1.02</text>", ">mfsc</text><rect class=\"odd\"", "1.03</text>", ">tss</text>", ">static</text>", NULL });
	free(site);
}

static struct dls__statistics none;
static const struct dls__chosen sizes[] = {
	{ .executions = 3, .total = 9, .n = 9, .now = { "gss", NAN, NAN } },
	{ .executions = 4, .total = 1, .n = 1, .now = { "static", NAN, NAN } },
};
#define CHOSE(text) \
	.chosens = 1, .chosen = &(const struct dls__chosen){ .executions = 1, .now = { text, NAN, NAN } }
static const struct dls__report_met met[] = {
	{ .name = "two sizes", .asked = "auto", .statistics = &none, .chosens = 2, .chosen = sizes },
	{ .name = "x/a.c:3", .asked = "monotonic:auto", .statistics = &none, CHOSE("fac2") },
	{ .name = "a.c:3", .asked = "nonmonotonic:auto,multiple=8", .statistics = &none, CHOSE("steal,4") },
	{ .name = "set since", .asked = "fac2", .statistics = &none, CHOSE("gss") },
	{ .name = "a;b", .asked = "auto", .statistics = &none, CHOSE("ss,16") },
};

static void each_met(void (*visit)(void *arg, const struct dls__report_met *met), void *arg)
{
	for (size_t i = 0; i < sizeof(met) / sizeof(*met); i++)
		visit(arg, &met[i]);
}

/* The class that ran most often counts, the shorter name comes first, and what is asked for now decides. */
static void repeated(void)
{
	static char text[1 << 16];
	struct dls__output out;
	const char *file = scratch("repeated.txt");

	dls__statistics_init(&none);
	CHECK_EQ(dls__output_find(&out, file), 0);
	CHECK_EQ(dls__report_write(file, &out, each_met), 0);
	dls__output_free(&out);
	tap_read(file, text, sizeof(text));
	if (!CHECK(strstr(text, "\nWhat auto has chosen, for the next run:\n"
			  "DLS_SCHEDULE='a.c:3:steal,4,multiple=8; x/a.c:3:monotonic:fac2; "
			  "two sizes:static'\n"
			  "(ss,16 for a;b, whose name DLS_SCHEDULE cannot hold)\n")))
		tap_note("%s", text);
}

/* Whatever auto chooses, and whatever was asked of it, the entry is a schedule, printed as it is written. */
static void entries(void)
{
	static const char *const asked[] = {
		"auto", "nonmonotonic:auto,multiple=8", "auto,curve=hilbert",
		"monotonic:auto,curve=rows,multiple=8",
	};
	char choice[32], text[DLS__REPEAT], printed[DLS__REPEAT];
	struct dls_schedule *s;

	for (unsigned i = 0; i < DLS__AUTO_SCHEDULES; i++)
		for (size_t k = 0; k < sizeof(asked) / sizeof(*asked); k++) {
			dls__auto_text(i, choice);
			if (i != DLS__AUTO_STATIC && dls__auto_affine(i) && dls__in_order(asked[k]))
				continue;	/* auto has no such choice then */
			dls__repeat_of(text, asked[k], choice);
			if (!CHECK_EQ(dls_schedule_parse(&s, text, NULL), 0)) {
				dls_schedule_print(s, printed, sizeof(printed));
				CHECK_TEXT(printed, text);
				dls_schedule_free(s);
			} else {
				tap_note("%s", text);
			}
		}
}

static void work(void)
{
	DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, 1000)
		(void)i;
}

/* It breaks if a runtime that runs the regions is not found. */
static void runtime(void)
{
	char text[DLS__RUNTIME];

	work();
	dls__runtime_names(text);
#ifdef _OPENMP
	CHECK(strstr(text, "omp"));
#else
	CHECK_TEXT(text, "");
#endif
}

/* From a loop to the file; what runs once has nothing to choose. */
static void run(void)
{
	const char *file = scratch("report.json");
	char text[4000];

	work();
	work();
	CHECK_EQ(dls_report(file), 0);
	tap_read(file, text, sizeof(text));
	CHECK(strstr(text, "\"function\": \"work\""));
#ifdef _OPENMP
	CHECK(strstr(text, "{\"workers\": 2, \"iterations\": 1000, \"executions\": 1, \"schedule\": \"steal,"));
	CHECK(strstr(text, "\"since\": 1"));
#endif
}

static int first_use(const void *arg)
{
	(void)arg;
	setenv("DLS_DISPLAY_ENV", "1", 1);
	for (int k = 0; k < 2; k++)
		work();
	exit(0);
}

/* Before a loop has run nothing is known of auto's choices; at the end it is. */
static void display(void)
{
	const char *end;

	CHECK_EQ(child_status(first_use, NULL), 0);
	CHECK(strstr(said, "  DLS_SCHEDULE = 'auto' [default]\n"));
	end = strstr(said, "ENVIRONMENT END\n");
#ifdef _OPENMP
	CHECK(end && strstr(end, ": auto runs steal,"));
#endif
	CHECK(end);
}

/* Two sizes in turn, so small that most executions follow on an answer: with one answer for both, what is counted as following on
 * it never runs.  A loop that is measured does not become blocks. */
static void turns(void)
{
	struct dls__chosen chosen[DLS__CHOSEN];
	struct dls_site *site = deal_measured("turns");
	unsigned n;

	for (int k = 0; k < 2000; k++)
		DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, k % 2 ? 1024 : 128, .name = "turns")
			(void)i;
	n = dls__auto_chosen(site->site, chosen);
#ifdef _OPENMP
	CHECK_EQ(n, 2);
	for (unsigned i = 0; i < n; i++)
		/* An answer counts the executions that may follow it unasked, 80 us of them. */
		if (!CHECK(chosen[i].executions <= 1500 && chosen[i].executions >= 900))
			tap_note("%llu iterations: %llu executions", (unsigned long long)chosen[i].n,
				 (unsigned long long)chosen[i].executions);
#endif
	(void)n;
}

#ifdef _OPENMP

static void wait_20_us(void)
{
	for (uint64_t began = dls__clock_now(); dls__clock_since(began, dls__clock_now()) < 20000; )
		continue;
}

/* It also fails if chunks that are longer than a bucket of the profile have no times.
 *
 * Of a loop whose iterations take 20 us or more, the ideal is not much less than that for half of them, and what is predicted for each schedule
 * is some of the time that it is measured to take: 1.5 s have been seen on a busy machine.  Fails if the profile has no times, or ones of
 * other units. */
static void predicted_of(const char *name, unsigned multiple)
{
	struct dls__chosen chosen[DLS__CHOSEN];
	struct dls_site *site = deal_site(name);
	unsigned told = 0;

	for (int k = 0; k < 400 && told < 2; k++) {
		DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, 200, .name = name, .multiple = multiple)
			wait_20_us();
		if (dls__auto_chosen(site->site, chosen) != 1)
			continue;
		told = 0;
		if (!CHECK(isnan(chosen[0].ideal) || (chosen[0].ideal > .15 * 100 * 20e-6 && chosen[0].ideal < 100)))
			tap_note("%g s is no ideal", chosen[0].ideal);
		for (unsigned i = 0; i < chosen[0].candidates; i++)
			if (!isnan(chosen[0].candidate[i].predicted)) {
				told++;
				if (!CHECK(chosen[0].candidate[i].predicted > 1e-4 && chosen[0].candidate[i].predicted < 100))
					tap_note("%s: %g s", chosen[0].candidate[i].schedule, chosen[0].candidate[i].predicted);
			}
	}
	CHECK(told > 1);
}

static void predicted(void)
{
	predicted_of("predicted", 0);
	predicted_of("multiples", 8);	/* a bucket is 3 or 4 iterations */
}

/* The ideal of eight workers on two processors is half of what the iterations take.  Breaks if auto does not count the processors. */
static void in_turns(void)
{
	enum { P = 8, N = 6400 };
	struct dls__kept_site *record;
	const struct dls__bucket *row[P] = { NULL };
	const struct dls_schedule *automatic;
	struct dls__chosen chosen[DLS__CHOSEN];
	struct dls__timing t = { 0 };

	DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, 1000, .name = "in turns")
		(void)i;
	record = deal_site("in turns")->site;
	atomic_store(&dls__processors_counted, 0);
	CHECK_EQ(dls__processors_online(), sysconf(_SC_NPROCESSORS_ONLN));
	atomic_store(&dls__processors_counted, 2);
	CHECK_EQ(dls__site_schedule_parse("auto", &automatic), 0);
	dls__auto_schedule(&t, record, automatic, NULL, N, P);
	if (CHECK(t.timed && t.profiled)) {
		for (unsigned w = 0; w < P; w++) {
			row[w] = t.bucket + w * t.buckets;
			for (unsigned b = 0; b < t.buckets; b++)
				t.bucket[w * t.buckets + b] = b % P == w ? (struct dls__bucket){ 2.0 / t.buckets, N / t.buckets } :
									   (struct dls__bucket){ 0, 0 };
		}
		dls__auto_learn(&t, record, N, P, 1, row);
		CHECK_EQ(dls__auto_chosen(record, chosen), 1);
		CHECK(fabs(chosen[0].ideal - 1) < 1e-3);
	}
	count_many();
	free(t.worker);
	free(t.bucket);
}

#endif

enum { SIDE = 64 };

/* Cells of a rectangle under auto that do not follow, in an order, the one that their thread ran before. */
static unsigned jumps(const char *name, const char *schedule, enum dls_curve_kind kind)
{
	atomic_uint jumps = 0;
	struct dls_curve curve;

	dls_curve_init(&curve, kind, SIDE, SIDE);
	DLS_PARALLEL(num_threads(2)) {
		uint64_t before = UINT64_MAX, k = 0;

		DLS_FOR_2D(i, j, 0u, (unsigned)SIDE, 0u, (unsigned)SIDE, .name = name, .schedule = schedule) {
			dls_curve_index(&curve, i, j, &k);
			if (k != before + 1)
				atomic_fetch_add_explicit(&jumps, 1, memory_order_relaxed);
			before = k;
		}
	}
	return atomic_load_explicit(&jumps, memory_order_relaxed);
}

/* The order of cells is that of `auto`, not that of the schedule that it has chosen.  It breaks with the work share's
 * schedule in place of the one asked for: steal,4 by rows leaves Morton's order at every other cell. */
static void curve(void)
{
	CHECK(jumps("morton", "auto,curve=morton", DLS_CURVE_MORTON) <= SIDE * SIDE / 4 + 2);
}

TEST_MAIN(T(deal_environment) T(choices) T(words) T(formats) T(repeated) T(entries) T(display) T(curve) T(run)
	  T(turns) T_OPENMP(predicted) T_OPENMP(in_turns) T(runtime))
