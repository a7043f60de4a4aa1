/* verdict.c - what a report says first: what can be gained in all, or why nothing; when a loop gets no advice.
 *
 * Fails if: a gain is counted of the wrong loop, or of one whose name DLS_SCHEDULE cannot hold; what is
 * predicted counts as measured; another reason is given than holds; loops whose times add up to more than the
 * program's are subtracted from it; a loop of less than 1 % of the time, of less than ten regions or with
 * executions that disagree is advised on; words and picture have different times; the first advice is another
 * than what to change; each bucket of a loop of equal iterations is called long; a strategy, whose time cannot
 * be predicted, is said to take NaN times what it should; buckets count as equally wide where they are not; of
 * a balanced loop it is said that nothing is to be gained though no schedule was measured that leaves data with
 * their workers; threads that waited for a processor leave the range as it is; an entry of DLS_SCHEDULE is named
 * for a loop of an unmodified program that has none, or a schedule that starts iterations out of order advised
 * where nobody knows whether the program allows it.
 *
 * runs: check */
#include <math.h>

#include "tap.h"
#include "lib/report/report.h"
#include "lib/schedule/environment.h"

enum { SITES = 5, P = 2 };

static struct dls__report_site site[SITES];

/* A loop of so many seconds, of which a perfect balance would save some. */
static struct dls__report_site *loop(unsigned i, const char *name, double wall, double saving)
{
	site[i] = (struct dls__report_site){ .stats = { .measured = 4, .wall = wall, .saving = saving } };
	strcpy(site[i].name, name);
	return &site[i];
}

static void gains(struct dls__report_site *s, const char *schedule, double gain, bool measured)
{
	strcpy(s->advice.instead, schedule);
	s->advice.worthwhile = true;
	s->advice.entry = s->known.reach < DLS__REACH_SOURCE && dls__nameable(s->name);
	s->advice.gain = gain;
	s->advice.measured = measured;
}

static double waited;		/* s, beside 1 s in which threads ran */

static void says(unsigned sites, unsigned threads, double ran, const char *expected)
{
	struct dls__report_facts report = { .site = site, .sites = sites, .threads = threads, .ran = ran,
					    .processors = { .ran = 1, .waited = waited } };
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	dls__report_verdict(f, &report, false);
	fclose(f);
	CHECK_TEXT(text, expected);
	free(text);
}

static void gain(void)
{
	gains(loop(0, "forces", 0.5, 0.2), "steal,64", 0.38, false);
	loop(1, "rows", 0.06, 0.001);
	loop(2, "columns", 0.05, 0.001);
	says(3, P, 0.68, "The program ran 680 ms, 610 ms of it in 3 loops.  DLS_SCHEDULE='forces:steal,64' would take about 490 ms "
	     "(predicted, +-9.30 ms).");
	site[0].known.spread = 0.1;	/* hypot(3 %, 10 % / sqrt(4)) of 310 ms */
	says(3, P, 0.68, "The program ran 680 ms, 610 ms of it in 3 loops.  DLS_SCHEDULE='forces:steal,64' would take about 490 ms "
	     "(predicted, +-18.1 ms).");
	gains(&site[0], "gss", 0.38, true);
	says(3, P, 0.68, "The program ran 680 ms, 610 ms of it in 3 loops.  DLS_SCHEDULE='forces:gss' would take about 490 ms "
	     "(measured, +-15.5 ms).");
	gains(&site[1], "fac2", 0.5, false);
	gains(loop(3, "a,b", 0.01, 0), "fac2", 0.5, true);	/* it cannot be written */
	says(4, P, 0.68, "The program ran 680 ms, 620 ms of it in 4 loops.  DLS_SCHEDULE='forces:gss; rows:fac2' would take about 460 ms "
	     "(predicted, +-16.4 ms).");
	says(1, P, 0.4, "1 loop took 500 ms in all.  DLS_SCHEDULE='forces:gss' would take about 310 ms (measured, +-15.5 ms).");
	waited = 1.5;		/* 60 % */
	says(1, P, 0.4, "1 loop took 500 ms in all.  DLS_SCHEDULE='forces:gss' would take about 310 ms (measured, +-316 ms).");
	waited = 0.05;
	says(1, P, 0.4, "1 loop took 500 ms in all.  DLS_SCHEDULE='forces:gss' would take about 310 ms (measured, +-15.5 ms).");
	waited = 0;
}

/* Loops that only their source changes. */
static void source(void)
{
	struct dls__report_site *s = loop(0, "a.c:9", 0.5, 0.2);

	s->known.reach = DLS__REACH_SOURCE;
	gains(s, "fac2", 0.4, false);
	says(1, P, 0.6, "The program ran 600 ms, 500 ms of it in 1 loop.  fac2 would take about 400 ms (predicted, +-9.00 ms), once "
	     "schedule(runtime) is in the source of a.c:9.");
	s = loop(1, "a.c:7", 0.05, 0.02);
	s->known.reach = DLS__REACH_PHASE;
	s->known.loop = "a.c:8";
	gains(s, "fac2", 0.4, false);
	gains(loop(2, "a.c:20", 0.02, 0.02), "tss", 0.5, false);
	says(3, P, 0.6, "The program ran 600 ms, 570 ms of it in 3 loops.  DLS_SCHEDULE='a.c:20:tss' would take about 370 ms (predicted, "
	     "+-10.2 ms), with fac2 for more loops, once schedule(runtime) is in the source of a.c:9, a.c:8.");
}

/* Names that an entry can have. */
static void names(void)
{
	static const char *const good[] = { "forces", "a b.c:3", "a.c:3#2", "a:b.c:3", "space::relax", "program+0xc7de2" };
	static const char *const bad[] = { "", "a,b", "a;b", "it's.c:3", " a", "a ", "a:b", "a\xef\xbf\xbd.c:3",
		"a234567890123456789012345678901234567890123456789012345678901234" };

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		if (!CHECK(dls__nameable(good[i])))
			tap_note("%s", good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!CHECK(!dls__nameable(bad[i])))
			tap_note("%s", bad[i]);
	CHECK(!dls__nameable(NULL));
}

static void nothing(void)
{
	gains(loop(0, "a,b", 1, 0.2), "gss", 0.2, true);
	says(1, P, 2, "The program ran 2.00 s, 1.00 s of it in 1 loop.  a,b would be faster under gss, but DLS_SCHEDULE cannot hold its name.");
	says(0, 0, 2, "The program ran 2.00 s; no loop was measured.");
	loop(0, "a", 1, 0.01);
	says(1, P, 2, "The program ran 2.00 s, 1.00 s of it in 1 loop.  Nothing to gain: the loops are balanced (measured), a perfect balance "
	     "would save 10.0 ms of 1.00 s.");
	says(1, 1, 2, "The program ran 2.00 s, 1.00 s of it in 1 loop.  Nothing to gain: one thread ran the loops.");
	says(1, P, 100, "The program ran 100 s, 1.00 s of it in 1 loop.  Nothing to gain: its loops take 1.0 % of the time.");
	loop(0, "a", 1, 0.2);
	says(1, P, 2, "The program ran 2.00 s, 1.00 s of it in 1 loop.  Nothing to gain by another schedule (predicted), though a perfect "
	     "balance would save 200 ms of 1.00 s.");
	gains(&site[0], "gss", 0.01, true);		/* half a percent of the program's time */
	says(1, P, 2, "The program ran 2.00 s, 1.00 s of it in 1 loop.  Nothing to gain by another schedule (predicted), though a perfect "
	     "balance would save 200 ms of 1.00 s.");
	loop(0, "a", 1, 0.2)->advice.busy = true;
	loop(1, "b", 0.4, 0);
	says(2, P, 2, "The program ran 2.00 s, 1.40 s of it in 2 loops.  What another schedule would gain cannot be told: the executions "
	     "of a disagree, since the machine was busy or their work differs.");
}

/* For a balanced loop whose data may move between workers the verdict says so, and names what to try; not
 * if it is one loop of many. */
static void moving(void)
{
#define OF "no schedule that keeps iterations with their workers was measured for long.  Try DLS_SCHEDULE="
	struct dls__report_site *s = loop(0, "a", 1, 0.01);
	char *text;
	size_t size;
	FILE *f;

	s->advice.moves = s->advice.entry = true;
	strcpy(s->advice.instead, "steal,64");
	loop(1, "b", 0.2, 0);
	says(2, P, 2, "The program ran 2.00 s, 1.20 s of it in 2 loops.  Balance is not the question: a perfect one would "
	     "save 10.0 ms of 1.20 s (measured).  Moving data may be: of a " OF "'a:steal,64'; dls-advise --verify compares.");
	s->stats.saving = 0.1;
	says(2, P, 2, "The program ran 2.00 s, 1.20 s of it in 2 loops.  No other schedule is predicted to gain, though a "
	     "perfect balance would save 100 ms of 1.20 s.  Moving data may be: of a " OF "'a:steal,64'; dls-advise --verify "
	     "compares.");
	strcpy(s->name, "a;b");
	s->advice.entry = false;
	s->stats.saving = 0.01;
	says(1, P, 2, "The program ran 2.00 s, 1.00 s of it in 1 loop.  Balance is not the question: a perfect one would "
	     "save 10.0 ms of 1.00 s (measured).  Moving data may be: of a;b " OF "'steal,64'; dls-advise --verify compares.");
	says(1, P, 100, "The program ran 100 s, 1.00 s of it in 1 loop.  Nothing to gain: its loops take 1.0 % of the time.");
	says(1, 1, 2, "The program ran 2.00 s, 1.00 s of it in 1 loop.  Nothing to gain: one thread ran the loops.");
	s->stats.wall = 0.01;		/* one of many */
	s->stats.saving = 0;
	says(2, P, 2, "The program ran 2.00 s, 210 ms of it in 2 loops.  Nothing to gain: the loops are balanced (measured), "
	     "a perfect balance would save 0 s of 210 ms.");
	s->workers = P;
	s->worker = (struct dls_worker_stats[P]){ { .size = 0 } };
	f = open_memstream(&text, &size);
	dls__report_reading(f, s, false);
	fclose(f);
	CHECK_TEXT(text, "Well balanced: a perfect balance would save no more than 0.0 % of 10.0 ms.");
	free(text);
#undef OF
}
static enum dls__reach reach;

/* Two halves of 1 s and 3 s by two workers under static, whose executions took `wall` each. */
static const struct dls__advice *advised_with(double seconds, double wall, double spread, double share, double saving)
{
	static struct dls__advice advice;
	struct dls__tried tried = { "static", { .workers = P, .executions = 4, .wall = 4e9 * wall, .busy = 4e9 * wall, .n = 4 * 64 } };
	double time[DLS__BUCKETS];

	for (unsigned i = 0; i < DLS__BUCKETS; i++)
		time[i] = (i < DLS__BUCKETS / 2 ? 0.25 : 0.75) * seconds / (DLS__BUCKETS / 2);
	CHECK(dls__advise(&(struct dls__known){ .name = "a", .reach = reach, .workers = P, .time = time, .n = 64, .spread = spread, .efficiency = 2.0 / 3, .now = "static",
						.tried = &tried, .trieds = 1, .share = share, .saving = saving, .mean = wall }, &advice));
	return &advice;
}

static const struct dls__advice *advised(double seconds, double wall, double spread, double share)
{
	return advised_with(seconds, wall, spread, share, NAN);
}

static bool begins(const struct dls__advice *a, const char *text)
{
	if (a->lines && strncmp(a->line[0], text, strlen(text)) == 0)
		return true;
	tap_note("%s", a->lines ? a->line[0] : "nothing");
	return false;
}

static bool has(const struct dls__advice *a, const char *text)
{
	for (unsigned i = 0; i < a->lines; i++)
		if (strstr(a->line[i], text))
			return true;
	return false;
}

static void no_advice(void)
{
	const struct dls__advice *a = advised(4, 3, 0, 0.5);

	CHECK(a->worthwhile && a->gain > 0.3 && a->gain < 0.34 && !a->measured && !a->busy && strncmp(a->instead, "steal,", 6) == 0);
	reach = DLS__REACH_ENTRY;
	a = advised(4, 3, 0, 0.5);
	CHECK(a->worthwhile && a->entry && strncmp(a->instead, "steal,", 6) && strncmp(a->instead, "frac", 4));
	reach = DLS__REACH_ANY_ORDER;
	CHECK(strncmp(advised(4, 3, 0, 0.5)->instead, "steal,", 6) == 0);
	reach = DLS__REACH_OWN;
	CHECK(advised(4, 3, 0, NAN)->worthwhile);
	CHECK(advised_with(4, 3, 0, NAN, 0.06)->worthwhile);
	a = advised_with(4, 3, 0, NAN, 0.021);
	CHECK(!a->worthwhile && begins(a, "nothing to gain by another schedule: a perfect balance at no cost would save 2.1 % (measured)"));
	a = advised(4, 3, 0, 0.009);
	CHECK(!a->worthwhile && begins(a, "nothing to gain: it takes 0.9 % of the time (measured)"));
	a = advised(9e-6, 7e-6, 0, 0.5);
	CHECK(!a->worthwhile && begins(a, "too small: its iterations take 9 us in all (measured)"));
	a = advised(4, 3, 0.3, 0.5);
	CHECK(!a->worthwhile && a->busy && begins(a, "its executions differ by 30 % (measured)"));
	a = advised(4, 1.9, 0, 0.5);
	CHECK(!a->worthwhile && a->busy && isnan(a->ideal) && begins(a, "some executions take less than the mean"));
	a = advised(4, 6.1, 0, 0.5);
	CHECK(!a->worthwhile && a->busy && begins(a, "executions take 2.03 times what their iterations explain (measured)"));
}

/* Iterations of 4 s in all, of which one takes .1 s, under a strategy. */
static void strategy(void)
{
	static struct dls__advice advice;
	struct dls__tried tried = { "rid", { .workers = P, .executions = 4, .wall = 4 * 2.1e9, .busy = 4 * 4e9, .n = 4 * 64 } };
	double time[DLS__BUCKETS];

	for (unsigned i = 0; i < DLS__BUCKETS; i++)
		time[i] = 4.0 / DLS__BUCKETS;
	CHECK(dls__advise(&(struct dls__known){ .workers = P, .time = time, .n = 64, .longest = 0.1, .efficiency = 0.96, .now = "rid",
						.tried = &tried, .trieds = 1, .share = NAN, .saving = NAN, .mean = 2.1 }, &advice));
	CHECK(!advice.busy && begins(&advice, "steal,1 would take 2 s where rid takes 2.1 s: 5 % less (predicted)"));
}

/* Iterations of 1 s, but one of them of `longest`, each timed alone, under static by so many workers. */
static const struct dls__advice *one_longer(unsigned n, uint64_t longer, double longest, unsigned workers)
{
	static struct dls__advice advice;
	double bucket[DLS__BUCKETS] = { 0 }, time[DLS__BUCKETS] = { 0 };
	unsigned buckets = dls__buckets(1, n);

	for (unsigned b = 0; b < buckets; b++)
		for (uint64_t i = dls__bucket_begin(n, buckets, b); i < dls__bucket_begin(n, buckets, b + 1); i++)
			bucket[b] += i == longer ? longest : 1;
	dls__rebucket(bucket, buckets, time, DLS__BUCKETS);
	CHECK(dls__advise(&(struct dls__known){ .workers = workers, .time = time, .n = n, .efficiency = 0.5, .now = "static", .share = NAN,
						.saving = NAN, .mean = NAN }, &advice));
	return &advice;
}

/* Of iterations that are no multiple of 64.  Fails if a bucket of one counts as two, or one of two as three; if of less than 64 the
 * predictions have parts of one in its neighbours; or if a bucket of one is taken for one within which costs may differ. */
static void unequal_widths(void)
{
	const struct dls__advice *a;

	CHECK(has(one_longer(100, 2, 90, 4), "iterations 1 to 2 take 91 s, longer than the ideal 47.2 s"));
	CHECK(has(one_longer(100, 0, 90, 4), "one iteration takes 90 s or more, longer than the ideal 47.2 s"));
	CHECK(has(one_longer(65, 3, 90, 4), "one iteration takes 90 s or more"));
	CHECK(has(one_longer(65, 63, 90, 4), "iterations 63 to 64 take 91 s"));
	CHECK(!has(one_longer(100, 100, 0, 60), "longer than the ideal"));	/* 2 s of 1.7 in each wide bucket */
	for (unsigned n = 2 * P; n <= DLS__BUCKETS; n++) {
		uint64_t block = dls_static_begin(n, P, 1);
		double static_time = NAN;

		a = one_longer(n, block - 1, 20, P);
		for (unsigned i = 0; i < a->forecasts; i++)
			if (strcmp(a->forecast[i].schedule, "static") == 0)
				static_time = a->forecast[i].time;
		if (!CHECK(fabs(static_time / ((double)block + 19) - 1) < 1e-3))
			tap_note("%u iterations: static would take %g s", n, static_time);
	}
}

/* 6400 equal iterations of 1 ms: under static and gss by workers of these speeds, or by others than those that were measured. */
static const struct dls__advice *uneven(double spread, unsigned workers, const double *speed, const double *variance)
{
	static struct dls__advice advice;
	struct dls__tried tried[] = {
		{ "static", { .workers = workers, .executions = 4, .wall = 4 * 6.4e9, .busy = 4 * 6.4e9, .n = 4 * 6400 } },
		{ "gss", { .workers = workers, .executions = 4, .wall = 4 * 6.4e9, .busy = 4 * 8e9, .n = 4 * 6400 } },
	};
	double time[DLS__BUCKETS];

	for (unsigned i = 0; i < DLS__BUCKETS; i++)
		time[i] = 0.1;
	CHECK(dls__advise(&(struct dls__known){
		.workers = workers, .speed = speed, .time = time, .variance = variance, .n = 6400, .spread = spread, .efficiency = 0.5,
		.now = "static", .tried = tried, .trieds = speed ? 2 : 0, .elsewhere = !speed, .share = NAN, .saving = NAN, .mean = NAN,
	}, &advice));
	return &advice;
}

static void in_order(void)
{
	static const double speed[] = { 1.5, 0.5 };
	static double variance[DLS__BUCKETS];
	const struct dls__advice *a = uneven(0, P, speed, NULL);

	CHECK(a->worthwhile && a->lines > 1 && has(a, "threads differ in speed, from 0.50 to 1.50 of the mean (measured)"));
	CHECK(strncmp(a->line[0], a->instead, strlen(a->instead)) == 0 && has(a, "iterations take 25 % longer where schedules move them"));
	a = uneven(0.3, P, speed, NULL);	/* kinds that differ by a quarter differ by 11 % at most */
	CHECK(a->busy && a->lines == 1 && begins(a, "its executions differ by 30 % (measured)"));
	CHECK(has(uneven(0.1, P, speed, NULL), "iterations take 25 % longer"));
	a = uneven(0.3, 32, NULL, NULL);
	CHECK(a->busy && a->lines == 1 && begins(a, "its executions differ by 30 % (measured)"));
	a = uneven(0, 256, NULL, variance);	/* each bucket takes four times the ideal */
	CHECK(!a->busy && a->lines == 1 && begins(a, "with 256 threads static would take 1"));
	a = uneven(0, 256, NULL, NULL);
	CHECK(a->lines == 1 && begins(a, "the profile carries predictions for up to 32 threads: for 256") && has(a, "(steal,25)"));
}

static double first = 1.1;	/* an iteration of the first half, x the mean */

/* As recorded of kmeans: 20,000 iterations of 55 ns, 120 executions of 1.1 ms under a schedule, and some under another one.  Moving its
 * iterations makes each of them look dear, static blocks too. */
static const struct dls__advice *kmeans(const char *now, unsigned executions, const char *other, unsigned others, double took)
{
	static struct dls__advice advice;
	struct dls__tried tried[] = {
		{ now, { P, executions, 1.1e6 * executions, 2.19e6 * executions, 2e4 * executions } },
		{ other, { P, others, 1e6 * took * others, 2e6 * took * others, 2e4 * others } },
	};
	double time[DLS__BUCKETS];

	for (unsigned i = 0; i < DLS__BUCKETS; i++)
		time[i] = 2.19e-3 / DLS__BUCKETS * (i < DLS__BUCKETS / 2 ? first : 2 - first);
	CHECK(dls__advise(&(struct dls__known){
		.workers = P, .time = time, .n = 20000, .spread = 0.02, .efficiency = 0.997, .now = now, .tried = tried,
		.trieds = others ? 2 : 1, .share = 0.5, .saving = 0.006, .mean = 1.1e-3,
	}, &advice));
	return &advice;
}

static void data_that_move(void)
{
	static const char moving[] = "balance is not the question: a perfect one would save 0.6 % (measured); moving data "
				     "may be: no schedule that keeps iterations with their workers was measured for long; "
				     "try DLS_SCHEDULE=static";
	static const char nothing[] = "nothing to gain by another schedule: ";
	const struct dls__advice *a = kmeans("fac2", 120, NULL, 0, 0);

	CHECK(!a->worthwhile && a->moves && begins(a, moving) && has(a, " or steal,64 (dls-advise --verify compares)"));
	CHECK_TEXT(a->instead, "steal,64");		/* static is predicted to take a tenth longer */
	CHECK(kmeans("mfsc", 120, "fac2", 20, 1.1)->moves);
	CHECK(kmeans("fac2", 120, "static", 2, 1.2)->moves);	/* the first executions move the data */
	CHECK(kmeans("fac2", 1, NULL, 0, 0)->moves);
	a = kmeans("fac2", 120, "static", 3, 1.2);
	CHECK(!a->worthwhile && !a->moves && begins(a, nothing));
	a = kmeans("fac2", 2, "static", 2, 1.2);		/* runs of two executions each */
	CHECK(!a->moves && begins(a, nothing));
	a = kmeans("fac2", 120, "steal,64", 100, 0.9);
	CHECK(!a->moves && has(a, "iterations take 22 % longer where schedules move them (locality): keep them with their workers"));
	CHECK(!kmeans("static", 120, NULL, 0, 0)->moves && !kmeans("frac,x=3", 120, NULL, 0, 0)->moves);
	CHECK(!kmeans("steal,64", 1, NULL, 0, 0)->moves);
	a = kmeans("monotonic:fac2", 120, NULL, 0, 0);
	CHECK(a->moves && begins(a, moving) && has(a, "DLS_SCHEDULE=static (dls-advise --verify compares)"));
	CHECK_TEXT(a->instead, "static");
	first = 1.9;			/* blocks would take almost twice as long, and steal starts out of order */
	a = kmeans("monotonic:fac2", 120, NULL, 0, 0);
	CHECK(!a->moves && !*a->instead);
	a = kmeans("fac2", 120, NULL, 0, 0);
	CHECK(a->moves);
	CHECK_TEXT(a->instead, "steal,64");
	first = 1.1;
	CHECK(kmeans("rid", 120, NULL, 0, 0)->moves);
	CHECK(kmeans("of_a_plug_in", 120, NULL, 0, 0)->moves);
	a = kmeans("of_a_plug_in", 120, "static", 100, 0.9);	/* which may keep iterations as static does */
	CHECK(!a->moves && !has(a, "(locality)"));
}

/* Of static loops of unmodified programs, of which the blocks are known alone.  Breaks if less to save than for other loops is advice. */
static void no_advice_for_blocks(void)
{
	static struct dls__advice advice;
	struct dls__known k = { .workers = P, .name = "a.c:1", .reach = DLS__REACH_ALONE, .blocks = true, .saving = 0.3, .share = 0.5,
				.mean = 1e-3 };

	CHECK(dls__advise(&k, &advice) && advice.worthwhile && advice.entry &&
	      begins(&advice, "DLS_SCHEDULE='a.c:1:fac2' would take 30 % less (predicted)"));
	k.name = "a,b.c:1";
	CHECK(dls__advise(&k, &advice) && advice.worthwhile && !advice.entry &&
	      begins(&advice, "fac2 would take 30 % less (predicted), once the loop has schedule(runtime) in its source"));
	k.name = "a.c:1";
	for (k.reach = DLS__REACH_SOURCE; k.reach < DLS__REACH_OTHER; k.reach++)
		CHECK(dls__advise(&k, &advice) && advice.worthwhile && !advice.entry && begins(&advice, "fac2 would take 30 % less"));
	CHECK(dls__advise(&k, &advice) && !advice.worthwhile && begins(&advice, "its threads wait up to 30 % of the time (measured), unless"));
	k.reach = DLS__REACH_PHASE;
	k.loop = "a.c:3";
	CHECK(dls__advise(&k, &advice) && begins(&advice, "fac2 would take 30 % less (predicted), once the loop at a.c:3 has schedule("));
	k.saving = 0.049;
	CHECK(dls__advise(&k, &advice) && !advice.worthwhile &&
	      begins(&advice, "nothing to gain by another schedule: a perfect balance at no cost would save 4.9 %"));
	k.saving = NAN;
	CHECK(dls__advise(&k, &advice) && !advice.worthwhile && advice.lines == 0);
	k.saving = 0.3;
	k.mean = 9e-6;
	CHECK(dls__advise(&k, &advice) && !advice.worthwhile && begins(&advice, "too small"));
	k.mean = 1e-3;
	k.share = 0.005;
	CHECK(dls__advise(&k, &advice) && !advice.worthwhile && begins(&advice, "nothing to gain: it takes 0.5 %"));
}

/* The figures of the advice are those of what is said of auto, whose own are older. */
static void one_ideal(void)
{
	struct dls__report_site *s = loop(0, "a", 12, 0);
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	s->chosens = 1;
	s->chosen[0] = (struct dls__chosen){ .workers = P, .n = 64, .since = 3, .ideal = 1, .candidates = 2, .now = { "static", 1.1, 1.2 },
					     .candidate = { { "static", 1.1, 1.2 }, { "gss", 1.5, NAN } } };
	s->known.workers = P;
	s->known.n = 64;
	s->advice.ideal = 2;
	s->advice.forecasts = 2;
	s->advice.forecast[0] = (struct dls__forecast){ .schedule = "static", .measured = 3, .expected = 3 };
	s->advice.forecast[1] = (struct dls__forecast){ .schedule = "gss", .measured = NAN, .expected = 2.2 };
	dls__report_chosen(f, s, &s->chosen[0], false);
	putc('\n', f);
	s->advice.busy = true;
	dls__report_chosen(f, s, &s->chosen[0], false);
	fclose(f);
	CHECK_TEXT(text, "static since execution 3, 1.50 x ideal; gss would be 1.10 (predicted)\n"
			 "static since execution 3, 3.00 s; gss would be 2.20 s (predicted)");
	free(text);
}

TEST_MAIN(T(gain) T(source) T(names) T(nothing) T(moving) T(no_advice) T(no_advice_for_blocks) T(data_that_move) T(strategy)
	  T(unequal_widths) T(in_order) T(one_ideal))
