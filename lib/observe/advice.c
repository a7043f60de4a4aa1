/* advice.c - what to change about a loop: the schedule that would be faster, or why none would.
 *
 * A schedule's time is predicted from the loop's profile.  Where it was measured too, measured / predicted says how far
 * predictions are right for such schedules: those that keep a worker's iterations near each other, and the others. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dls/predict.h"
#include "lib/observe/advice.h"

#define REGION 1e-6		/* s: the cost of a parallel region where none was measured */
#define WORTH 0.03		/* a gain below it is within what predictions miss */
#define NEAR 0.02		/* a schedule that steals is preferred to one that is predicted so little faster */
#define SLOWER 1.15		/* what counts as a slower body */
#define APART 0.10		/* what counts as workers of different speeds */
#define DISAGREE 0.20		/* coefficient of variation of executions whose times have no useful mean */
#define FAR_APART 0.25		/* ... as speeds worth a word */

struct advising {
	const struct dls__known *known;
	struct dls__advice *advice;
	struct dls_profile profile;
	struct dls_predictor *predictor;	/* NULL: there is no profile, or no memory */
	double time[DLS__BUCKETS];
	double work, ideal;		/* s: of all iterations; spread perfectly */
	bool unequal;			/* speeds */
	bool failed;			/* there was no memory */
};

__attribute__((format(printf, 2, 3)))
static void say(struct advising *a, const char *format, ...)
{
	va_list args;

	if (a->advice->lines == DLS__ADVICE_LINES)
		return;
	va_start(args, format);
	vsnprintf(a->advice->line[a->advice->lines++], DLS__ADVICE_TEXT, format, args);
	va_end(args);
}

static const char *in_units(char text[32], double seconds)
{
	static const struct { double unit; const char *name; } units[] = { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "us" }, { 1e-9, "ns" } };
	int i = 0;

	while (i < 3 && seconds < 0.9995 * units[i].unit)
		i++;
	snprintf(text, 32, "%.3g %s", seconds / units[i].unit, units[i].name);
	return text;
}

/* Whether a worker's iterations are near each other, and run by it again in the next execution. */
static bool keeps_near(const struct dls_schedule *s)
{
	const struct dls_calc *calc = dls_schedule_calc(s);
	char text[16];

	dls_schedule_print(s, text, sizeof(text));
	return calc && (calc->dispenser == DLS_DISPENSER_OWN || calc->dispenser == DLS_DISPENSER_RANGES ||
			strncmp(text, "nonmonotonic:", 13) == 0);
}

static bool in_order(const char *schedule)
{
	return schedule && strncmp(schedule, "monotonic:", 10) == 0;
}

/* Have a forecast of a schedule, once; NULL: it is unknown, or there is no room. */
static struct dls__forecast *add(struct advising *a, const char *text)
{
	struct dls_prediction p = { .size = sizeof(p) };
	struct dls__advice *advice = a->advice;
	struct dls__forecast f = { .time = NAN, .idle = NAN, .chunks = NAN, .measured = NAN, .expected = NAN };
	struct dls_schedule *s;
	int code = dls_schedule_parse(&s, text, NULL);

	a->failed |= code == DLS_ENOMEM;
	if (code)
		return NULL;
	if (dls_schedule_print(s, f.schedule, sizeof(f.schedule)) >= sizeof(f.schedule)) {
		dls_schedule_free(s);
		return NULL;
	}
	for (unsigned i = 0; i < advice->forecasts; i++)
		if (strcmp(advice->forecast[i].schedule, f.schedule) == 0) {
			dls_schedule_free(s);
			return &advice->forecast[i];
		}
	f.near = keeps_near(s);
	if (a->predictor && dls_predictor_run(a->predictor, s, &p) == 0) {
		f.time = p.time;
		f.idle = p.idle;
		f.chunks = (double)p.chunks;
		a->ideal = p.ideal;
	}
	dls_schedule_free(s);
	if (advice->forecasts == DLS__FORECASTS)
		return NULL;
	advice->forecast[advice->forecasts] = f;
	return &advice->forecast[advice->forecasts++];
}

__attribute__((format(printf, 2, 3)))
static void add_written(struct advising *a, const char *format, ...)
{
	char text[DLS__FORECAST_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	add(a, text);
}

static void add_candidates(struct advising *a, bool ordered)
{
	double p = a->known->workers, n = (double)a->profile.n, k = fmin(fmax(floor(n / (128 * p)), 1), 64);

	add(a, "static");
	add(a, ordered ? "monotonic:fac2" : "fac2");
	if (!ordered) {
		add_written(a, "steal,%.0f", k);
		add_written(a, "steal,%.0f", fmax(floor(k / 4), 1));
		add_written(a, "steal,%.0f", 4 * k);
		add(a, "frac,x=3");
	}
	add(a, "gss");
	add(a, "tss");
	add(a, "mfsc");
	add_written(a, "ss,%.0f", fmax(floor(n / (64 * p)), 1));
	add_written(a, "ss,%.0f", fmax(floor(n / (16 * p)), 1));
	if (n <= 1024)
		add(a, "ss,1");
	if (a->unequal) {
		add(a, "awf-b");
		add(a, "af");
	}
}

/* An execution's mean. */
static double mean(const struct dls__taken *t, double sum)
{
	return t->executions ? 1e-9 * sum / (double)t->executions : NAN;
}

static double busy_of_one(const struct dls__taken *t)
{
	return t->n > 0 ? 1e-9 * t->busy / t->n : NAN;
}

static void add_tried(struct advising *a)
{
	const struct dls__known *k = a->known;

	for (unsigned i = 0; i < k->trieds; i++) {
		const struct dls__taken *t = &k->tried[i].taken;
		struct dls__forecast *f = add(a, k->tried[i].schedule);

		/* Executions of other sizes say nothing about this one. */
		if (f && !k->elsewhere && t->workers == k->workers && fabs(t->n / (double)t->executions / k->n - 1) < DISAGREE)
			f->measured = mean(t, t->wall);
	}
}

/* The schedule in force; NULL: it is not known. */
static struct dls__forecast *present(struct advising *a)
{
	struct dls__forecast *f = a->known->now ? add(a, a->known->now) : NULL;

	if (f)
		f->now = true;
	return f;
}

/* measured / predicted, mean over the schedules of one kind that were measured; NAN: there are none. */
static double rightness(const struct dls__advice *advice, bool near)
{
	double sum = 0;
	unsigned count = 0;

	for (unsigned i = 0; i < advice->forecasts; i++) {
		const struct dls__forecast *f = &advice->forecast[i];

		if (f->near == near && f->measured > 0 && f->time > 0) {
			sum += log(f->measured / f->time);
			count++;
		}
	}
	return count ? exp(sum / count) : NAN;
}

/* What each schedule is expected to take. */
static void expect(struct advising *a)
{
	double right[2] = { rightness(a->advice, false), rightness(a->advice, true) };

	for (int i = 0; i < 2; i++)
		if (isnan(right[i]))
			right[i] = isnan(right[1 - i]) ? 1 : right[1 - i];
	for (unsigned i = 0; i < a->advice->forecasts; i++) {
		struct dls__forecast *f = &a->advice->forecast[i];

		f->expected = isnan(f->measured) ? fmax(f->time, a->known->longest) * right[f->near] : f->measured;
	}
}

/* NULL: none is known. */
static struct dls__forecast *best_of(struct advising *a)
{
	struct dls__forecast *best = NULL, *steal = NULL;

	for (unsigned i = 0; i < a->advice->forecasts; i++) {
		struct dls__forecast *f = &a->advice->forecast[i];

		if (isnan(f->expected))
			continue;
		if (!best || f->expected < best->expected)
			best = f;
		if (strncmp(f->schedule, "steal", 5) == 0 && (!steal || f->expected < (1 - NEAR) * steal->expected))
			steal = f;
	}
	/* Predictions of central schedules hide what the traffic of their counter costs the iterations. */
	return steal && isnan(best->measured) && steal->expected <= (1 + NEAR) * best->expected ? steal : best;
}

/* Under schedules of one kind, s an iteration; NAN: none was measured. */
static double busy_of(struct advising *a, bool near)
{
	const struct dls__known *k = a->known;
	double busy = 0, n = 0;

	for (unsigned i = 0; i < k->trieds; i++) {
		struct dls_schedule *s;
		int code;

		if (k->tried[i].taken.workers != k->workers)
			continue;
		code = dls_schedule_parse(&s, k->tried[i].schedule, NULL);
		a->failed |= code == DLS_ENOMEM;
		if (code)
			continue;
		if (keeps_near(s) == near) {
			busy += k->tried[i].taken.busy;
			n += k->tried[i].taken.n;
		}
		dls_schedule_free(s);
	}
	return n > 0 ? 1e-9 * busy / n : NAN;
}

static bool too_small(struct advising *a)
{
	char work[32];

	if (a->work >= 10 * REGION)
		return false;
	say(a, "too small: its iterations take %s in all, less than ten parallel regions cost; run it by one thread, or merge it "
	    "with a neighbour", in_units(work, a->work));
	return true;
}

/* What no schedule changes. */
static void limits(struct advising *a)
{
	const struct dls__known *k = a->known;
	double n = (double)a->profile.n, width = n / a->profile.buckets;
	char one[32], all[32];
	unsigned most = 0;

	for (unsigned i = 1; i < a->profile.buckets; i++)
		most = a->time[i] > a->time[most] ? i : most;
	in_units(all, a->ideal);
	if (k->longest > a->ideal || (width <= 1 && a->time[most] > a->ideal))
		say(a, "one iteration takes %s or more, longer than the ideal %s of the whole loop: split it, or put it first",
		    in_units(one, fmax(k->longest, width <= 1 ? a->time[most] : 0)), all);
	else if (a->time[most] > a->ideal)
		say(a, "iterations %.0f to %.0f take %s, longer than the ideal %s of the whole loop: if one of them takes most of "
		    "it, split it, or put it first", floor(most * width), ceil((most + 1) * width) - 1,
		    in_units(one, a->time[most]), all);
	if (k->n < 4.0 * k->workers)
		say(a, "%.0f iterations are few for %u threads: split them (DLS_FOR_2D, or a loop inside)", k->n, k->workers);
}

/* What the body does when it is run elsewhere, or beside others. */
static void body(struct advising *a)
{
	const struct dls__known *k = a->known;
	double near = busy_of(a, true), far = busy_of(a, false), alone = busy_of_one(&k->alone);
	double together = isnan(near) ? far : isnan(far) ? near : fmin(near, far);

	if (far > SLOWER * near)
		say(a, "iterations take %.0f %% longer where schedules move them (locality): keep them with their workers, as "
		    "static and steal do", 100 * (far / near - 1));
	if (k->workers > 1 && together > SLOWER * alone)
		say(a, "iterations take %.0f %% longer by %u threads than by one: they share memory or caches, which no schedule "
		    "changes", 100 * (together / alone - 1), k->workers);
}

static void speeds(struct advising *a)
{
	const struct dls__known *k = a->known;
	double least = INFINITY, most = 0, sum = 0;

	for (unsigned i = 0; k->speed && i < k->workers; i++) {
		least = fmin(least, k->speed[i]);
		most = fmax(most, k->speed[i]);
		sum += k->speed[i];
	}
	a->unequal = most > (1 + APART) * least;
	if (most > (1 + FAR_APART) * least && !k->elsewhere)
		say(a, "threads differ in speed, from %.2f to %.2f of the mean", least * k->workers / sum,
		    most * k->workers / sum);
}

static void verdict(struct advising *a, const struct dls__forecast *now, struct dls__forecast *best)
{
	double efficiency = a->known->efficiency, gain;
	char was[32], is[32];

	if (!best || !now || isnan(now->expected)) {
		if (efficiency > 0.97)
			say(a, "nothing to gain: the workers are balanced (efficiency %.3f)", efficiency);
		return;
	}
	gain = 1 - best->expected / now->expected;
	if (best != now && gain > WORTH && !(efficiency > 0.97 && gain < 2 * WORTH)) {
		best->best = true;
		if (a->advice->absolute)
			say(a, "%s would take %s where %s takes %s: %.0f %% less (%s), %.2f x ideal", best->schedule,
			    in_units(is, best->expected), now->schedule, in_units(was, now->expected), 100 * gain,
			    isnan(best->measured) ? "predicted" : "measured", best->expected / a->ideal);
		else
			say(a, "%s would take %.0f %% less than %s (%s), %.2f x ideal", best->schedule, 100 * gain,
			    now->schedule, isnan(best->measured) ? "predicted" : "measured", best->expected / a->ideal);
	} else if (efficiency > 0.97) {
		say(a, "nothing to gain by another schedule: efficiency %.3f", efficiency);
	} else {
		say(a, "no schedule is predicted to be %.0f %% faster than %s, %.2f x ideal", 100 * WORTH, now->schedule,
		    now->expected / a->ideal);
	}
}

/* For workers that were not measured. */
static void verdict_elsewhere(struct advising *a, const struct dls__forecast *now, struct dls__forecast *best)
{
	unsigned p = a->known->workers;

	if (!best)
		return;
	if (now && !(best->expected < (1 - WORTH) * now->expected)) {
		say(a, "with %u threads %s would take %.3g x ideal, and no schedule %.0f %% less", p, now->schedule,
		    now->expected / a->ideal, 100 * WORTH);
		return;
	}
	best->best = true;
	if (now)
		say(a, "with %u threads %s would take %.3g x ideal, %s %.3g", p, now->schedule, now->expected / a->ideal,
		    best->schedule, best->expected / a->ideal);
	else
		say(a, "with %u threads %s would take %.3g x ideal", p, best->schedule, best->expected / a->ideal);
}

/* The profile in as many buckets as there are iterations, at most as it has. */
static void describe(struct advising *a)
{
	const struct dls__known *k = a->known;
	double n = round(k->n), width;

	a->profile = (struct dls_profile){ .size = sizeof(a->profile) };
	if (!k->time || !(n >= 1) || n > 9e18)
		return;
	a->profile.n = (uint64_t)n;
	a->profile.buckets = n < DLS__BUCKETS ? (unsigned)n : DLS__BUCKETS;
	a->profile.time = a->time;
	width = (double)DLS__BUCKETS / a->profile.buckets;
	for (unsigned i = 0; i < a->profile.buckets; i++) {
		double at = i * width, end = fmin((i + 1) * width, DLS__BUCKETS);

		for (double next; at < end; at = next) {
			next = fmin(floor(at) + 1, end);
			a->time[i] += (next - at) * k->time[(unsigned)at];
		}
		a->work += a->time[i];
	}
}

bool dls__advise(const struct dls__known *known, struct dls__advice *advice)
{
	struct advising a = { .known = known, .advice = advice, .ideal = NAN };
	struct dls__forecast *now, *best;
	bool ordered = in_order(known->now);

	*advice = (struct dls__advice){ .ideal = NAN, .absolute = known->spread < DISAGREE };
	describe(&a);
	if (!(a.work > 0) || known->workers < 2)
		return true;
	a.failed = dls_predictor_open(&a.predictor, &a.profile, known->workers, known->speed, NULL) == DLS_ENOMEM;
	speeds(&a);
	/* Pointers into the list stay: it has room for all. */
	now = present(&a);
	add_tried(&a);
	add_candidates(&a, ordered);
	dls_predictor_close(a.predictor);
	advice->ideal = a.ideal;
	expect(&a);
	if (too_small(&a))
		return !a.failed;
	best = best_of(&a);
	if (known->elsewhere)
		verdict_elsewhere(&a, now, best);
	else
		verdict(&a, now, best);
	limits(&a);
	body(&a);
	if (ordered)
		say(&a, "steal and frac are left out: monotonic: asks for chunks in order");
	if (!advice->absolute)
		say(&a, "its executions differ: predictions are for a mean one");
	return !a.failed;
}
