/* advice.c - what to change about a loop: the schedule that would be faster, or why none would. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/report/forecast.h"
#include "lib/report/report.h"
#include "lib/schedule/environment.h"

#define REGION 1e-6		/* s: the cost of a parallel region where none was measured */
#define WORTH 0.03		/* share of a loop's time: smaller gains are within the predictions' error */
#define LEAST 0.05		/* share of a loop's time: if less can be saved, predictions do not count */
#define UNEQUAL 1.5		/* x ideal: static blocks that take longer are not tried, whatever it costs to move data */
#define LITTLE 0.01		/* a loop that takes less of the program's time gets no advice */
#define BELOW 0.98		/* of the ideal: if an execution takes less, others were disturbed */
#define ABOVE 2			/* measured / predicted: an execution was disturbed, or its body is not as in the profile */
#define PEAK 4			/* times the mean iteration: a bucket above it may hold one long iteration */
#define SLOWER 1.15		/* what counts as a slower body */
#define APART 0.10		/* what counts as workers of different speeds */
#define FAR_APART 0.25		/* ... as speeds worth a word */

__attribute__((format(printf, 2, 3)))
static void say(struct dls__advising *a, const char *format, ...)
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
	const struct dls__report_unit *unit = dls__report_unit(seconds);

	snprintf(text, 32, "%.3g %s", seconds / unit->seconds, unit->ascii);
	return text;
}

const char *const dls__reaches[DLS__REACHES] = {
	NULL, "unordered", "entry", "alone", "source", "phase", "other"
};

static bool too_little(struct dls__advising *a)
{
	if (!(a->known->share < LITTLE))	/* also if it is not known */
		return false;
	say(a, "nothing to gain: it takes %.2g %% of the time (measured)", 100 * a->known->share);
	return true;
}

static bool too_small(struct dls__advising *a, double work)
{
	char text[32];

	if (!(work < 10 * REGION))
		return false;
	say(a, "too small: its iterations take %s in all (measured), less than ten parallel regions cost; run it by one thread, or "
	    "merge it with a neighbour", in_units(text, work));
	return true;
}

static void too_balanced(struct dls__advising *a)
{
	say(a, "nothing to gain by another schedule: a perfect balance at no cost would save %.1f %% (measured)", 100 * a->known->saving);
}

/* Whether an execution took less than the ideal: then the profiled executions were disturbed. */
static bool below_ideal(const struct dls__advising *a)
{
	for (unsigned i = 0; i < a->advice->forecasts; i++)
		if (a->advice->forecast[i].measured < BELOW * a->ideal)
			return true;
	return false;
}

/* Whether the executions agree too little for advice. */
static bool disagree(struct dls__advising *a, const struct dls__forecast *now)
{
	bool below = below_ideal(a);
	bool above = now && now->time > 0 && now->measured > ABOVE * fmax(now->time, a->known->longest);

	a->advice->busy = !a->advice->absolute || below || above;
	if (below)
		a->advice->ideal = NAN;
	if (!a->advice->absolute)
		say(a, "its executions differ by %.0f %% (measured): the machine was busy, or their work differs; no schedule is advised",
		    100 * a->known->spread);
	else if (below)
		say(a, "some executions take less than the mean of their iterations allows (measured): the machine was busy, or the body's "
		    "cost depends on the schedule; no schedule is advised");
	else if (above)
		say(a, "executions take %.3g times what their iterations explain (measured): the machine was busy; no schedule is advised",
		    now->measured / now->time);
	return a->advice->busy;
}

/* Limits that no schedule changes. */
static void limits(struct dls__advising *a)
{
	const struct dls__known *k = a->known;
	uint64_t begin, end;
	char one[32], all[32];
	unsigned most = 0;
	bool single;

	for (unsigned i = 1; i < a->profile.buckets; i++)
		most = a->time[i] > a->time[most] ? i : most;
	begin = dls__bucket_begin(a->profile.n, a->profile.buckets, most);
	end = dls__bucket_begin(a->profile.n, a->profile.buckets, most + 1);
	single = end - begin == 1;
	in_units(all, a->ideal);
	if (k->longest > a->ideal || (single && a->time[most] > a->ideal))
		say(a, "one iteration takes %s or more, longer than the ideal %s of the whole loop: split it, or put it first (measured)",
		    in_units(one, fmax(k->longest, single ? a->time[most] : 0)), all);
	else if (a->time[most] > fmax(a->ideal, PEAK * a->work / k->n * (double)(end - begin)))
		say(a, "iterations %llu to %llu take %s, longer than the ideal %s of the whole loop: if one of them "
		    "takes most of it, split it, or put it first (measured)", (unsigned long long)begin,
		    (unsigned long long)end - 1, in_units(one, a->time[most]), all);
	if (k->n < 4.0 * k->workers)
		say(a, "%.0f iterations are few for %u threads: split them (%s, or a loop inside) (measured)", k->n, k->workers,
		    k->reach == DLS__REACH_OWN ? "DLS_FOR_2D" : "collapse");
}

static double busy_of_one(const struct dls__taken *t)
{
	return t->n > 0 ? 1e-9 * t->busy / t->n : NAN;
}

/* Whether two kinds of executions differ by `difference`, rather than executions of one kind among
 * themselves: a mixture of the two kinds has at most this spread. */
static bool explains(const struct dls__advising *a, double difference)
{
	return a->advice->absolute || 2 * sqrt(1 + difference) * a->known->spread <= 1.05 * difference;
}

/* Say how the body's cost changes when iterations move to other workers, or run beside other threads. */
static void body(struct dls__advising *a)
{
	const struct dls__known *k = a->known;
	const struct dls__taken kept = dls__forecast_taken(a, true), moved = dls__forecast_taken(a, false);
	double near = busy_of_one(&kept), far = busy_of_one(&moved), alone = busy_of_one(&k->alone);
	double together = isnan(near) ? far : isnan(far) ? near : fmin(near, far);

	if (far > SLOWER * near && explains(a, far / near - 1))
		say(a, "iterations take %.0f %% longer where schedules move them (locality): keep them with their workers, as "
		    "static%s (measured)", 100 * (far / near - 1), a->ordered ? " does" : " and steal do");
	if (k->workers > 1 && together > SLOWER * alone && a->advice->absolute)
		say(a, "iterations take %.0f %% longer by %u threads than by one: they share memory or caches, which no schedule "
		    "changes (measured)", 100 * (together / alone - 1), k->workers);
}

/* The least and the largest speed, as multiples of the mean; returns whether they are known. */
static bool speeds(struct dls__advising *a, double *least, double *most)
{
	const struct dls__known *k = a->known;
	double sum = 0;

	*least = INFINITY;
	*most = 0;
	for (unsigned i = 0; k->speed && i < k->workers; i++) {
		*least = fmin(*least, k->speed[i]);
		*most = fmax(*most, k->speed[i]);
		sum += k->speed[i];
	}
	*least *= k->workers / sum;
	*most *= k->workers / sum;
	return k->speed;
}

/* Name the schedule to change to, or one to try. */
static void name_instead(struct dls__advising *a, const char *schedule)
{
	const struct dls__known *k = a->known;

	a->advice->entry = k->reach < DLS__REACH_SOURCE && dls__nameable(k->name);
	snprintf(a->advice->instead, sizeof(a->advice->instead), "%s", schedule);
}

static void recommend(struct dls__advising *a, const char *schedule, double gain, bool measured)
{
	a->advice->worthwhile = true;
	a->advice->gain = gain;
	a->advice->measured = measured;
	name_instead(a, schedule);
}

/* The forecast of a kind of schedule that is expected to take the least; NULL: there is none. */
static const struct dls__forecast *least_of(const struct dls__advice *advice, const char *kind)
{
	const struct dls__forecast *least = NULL;

	for (unsigned i = 0; i < advice->forecasts; i++) {
		const struct dls__forecast *f = &advice->forecast[i];

		if (strncmp(f->schedule, kind, strlen(kind)) == 0 && (!least || f->expected < least->expected))
			least = f;
	}
	return least;
}

/* For a balanced loop: if the cost of moving its iterations is not known, say what to try. */
static bool try_staying(struct dls__advising *a)
{
	const struct dls__known *k = a->known;
	const struct dls__forecast *blocks = least_of(a->advice, "static");
	const struct dls__forecast *steal = a->ordered ? NULL : least_of(a->advice, "steal,");
	bool unequal = steal && blocks && steal->expected < (1 - 2 * WORTH) * blocks->expected;
	char balance[64];

	if (!steal && blocks && blocks->expected > UNEQUAL * a->ideal)
		a->advice->moves = false;	/* and no other would keep the order */
	if (!a->advice->moves)
		return false;
	name_instead(a, unequal ? steal->schedule : "static");
	if (k->saving < LEAST)
		snprintf(balance, sizeof(balance), "a perfect one would save %.1f %%", 100 * k->saving);
	else
		snprintf(balance, sizeof(balance), "efficiency %.3f", k->efficiency);
	say(a, "balance is not the question: %s (measured); moving data may be: no schedule that keeps iterations "
	    "with their workers was measured for long; try DLS_SCHEDULE=static%s%s (dls-advise --verify compares)",
	    balance, steal ? " or " : "", steal ? steal->schedule : "");
	return true;
}

static void verdict(struct dls__advising *a, const struct dls__forecast *now, struct dls__forecast *best)
{
	const struct dls__known *k = a->known;
	double efficiency = k->efficiency, gain;
	bool little = best && best != now && isnan(best->measured) && k->saving < LEAST;
	char was[32], is[32];

	if (!best || !now || isnan(now->expected)) {
		if (efficiency > 0.97 && !try_staying(a))
			say(a, "nothing to gain: the workers are balanced: efficiency %.3f (measured)", efficiency);
		return;
	}
	gain = 1 - best->expected / now->expected;
	if (!little && best != now && gain > WORTH && !(efficiency > 0.97 && gain < 2 * WORTH)) {
		best->best = true;
		recommend(a, best->schedule, gain, !isnan(best->measured));
		say(a, "%s would take %s where %s takes %s: %.0f %% less (%s), %.2f x ideal", best->schedule,
		    in_units(is, best->expected), now->schedule, in_units(was, now->expected), 100 * gain,
		    isnan(best->measured) ? "predicted" : "measured", best->expected / a->ideal);
	} else if ((efficiency > 0.97 || k->saving < LEAST) && try_staying(a)) {
		;
	} else if (little) {
		too_balanced(a);
	} else if (efficiency > 0.97) {
		say(a, "nothing to gain by another schedule: efficiency %.3f (measured)", efficiency);
	} else {
		say(a, "no schedule is predicted to be %.0f %% faster than %s, %.2f x ideal (%s)", 100 * WORTH, now->schedule,
		    now->expected / a->ideal, isnan(now->measured) ? "predicted" : "measured");
	}
}

/* The verdict on static loops of unmodified programs, of which only the blocks were measured. */
static void verdict_blocks(struct dls__advising *a)
{
	const struct dls__known *k = a->known;
	double percent = 100 * k->saving;

	if (too_little(a) || too_small(a, k->mean) || isnan(k->saving))
		return;
	if (k->saving < LEAST) {
		too_balanced(a);
		return;
	}
	if (k->reach == DLS__REACH_OTHER) {
		say(a, "its threads wait up to %.0f %% of the time (measured), unless they run tasks then; what they share "
		    "by sections, tasks or by hand no schedule changes, a loop in it once schedule(runtime) is in its "
		    "source", percent);
		return;
	}
	recommend(a, "fac2", k->saving, false);
	if (a->advice->entry)
		say(a, "DLS_SCHEDULE='%s:fac2' would take %.0f %% less (predicted); or compile it with schedule(runtime)",
		    k->name, percent);
	else if (k->reach == DLS__REACH_PHASE && k->loop)
		say(a, "fac2 would take %.0f %% less (predicted), once the loop at %s has schedule(runtime) in its source",
		    percent, k->loop);
	else if (k->reach == DLS__REACH_PHASE)
		say(a, "fac2 would take %.0f %% less (predicted), once the loop that ends there has schedule(runtime) in "
		    "its source; what threads divide by hand no schedule changes", percent);
	else
		say(a, "fac2 would take %.0f %% less (predicted), once the loop has schedule(runtime) in its source",
		    percent);
}

/* The verdict if predictions are for other workers than those measured. */
static void verdict_elsewhere(struct dls__advising *a, const struct dls__forecast *now, struct dls__forecast *best)
{
	unsigned p = a->known->workers;

	if (!best)
		return;
	if (now && !(best->expected < (1 - WORTH) * now->expected)) {
		say(a, "with %u threads %s would take %.3g x ideal, and no schedule %.0f %% less (predicted)", p, now->schedule,
		    now->expected / a->ideal, 100 * WORTH);
		return;
	}
	best->best = true;
	if (now)
		say(a, "with %u threads %s would take %.3g x ideal, %s %.3g (predicted)", p, now->schedule, now->expected / a->ideal,
		    best->schedule, best->expected / a->ideal);
	else
		say(a, "with %u threads %s would take %.3g x ideal (predicted)", p, best->schedule, best->expected / a->ideal);
}

/* Describe the profile, with at most as many buckets as iterations. */
static void describe(struct dls__advising *a)
{
	const struct dls__known *k = a->known;
	double n = round(k->n);

	a->profile = (struct dls_profile){ .size = sizeof(a->profile) };
	if (!k->time || !(n >= 1) || n > 9e18)
		return;
	a->profile.n = (uint64_t)n;
	a->profile.buckets = dls__buckets(1, a->profile.n);
	a->profile.time = a->time;
	dls__rebucket(k->time, DLS__BUCKETS, a->time, a->profile.buckets);
	for (unsigned i = 0; i < a->profile.buckets; i++)
		a->work += a->time[i];
	/* Leave variances out if each worker has several buckets, or a bucket is one iteration: draws would
	 * only add noise. */
	if (k->workers > a->profile.buckets / 2 && a->profile.n > a->profile.buckets)
		a->profile.variance = k->variance;
}

/* If there are more workers than the profile is fine enough for, say so. */
static void beyond(struct dls__advising *a, unsigned carried)
{
	double width = (double)a->profile.n / a->profile.buckets;
	unsigned p = a->known->workers;

	if (p <= carried)
		return;
	if (a->profile.variance)
		say(a, "the profile carries predictions for up to %u threads: by %u each has so few iterations that single ones decide, so none is "
		    "advised", carried, p);
	else
		say(a, "the profile carries predictions for up to %u threads: for %u they leave out how much the iterations within a bucket "
		    "differ, which executions under short chunks (%s,%.0f) show, so none is advised", carried, p, a->ordered ? "ss" : "steal",
		    fmax(floor(width / 4), 1));
}

bool dls__advise(const struct dls__known *known, struct dls__advice *advice)
{
	struct dls__advising a = { .known = known, .advice = advice, .ideal = NAN };
	struct dls__forecast *now, *best;
	double slowest, fastest;
	unsigned carried;
	bool monotonic = known->ordered || dls__in_order(known->now);

	a.ordered = monotonic || known->reach > DLS__REACH_ANY_ORDER;
	*advice = (struct dls__advice){ .ideal = NAN, .absolute = known->spread < DLS__DISAGREE / 100.0 };
	if (known->blocks && known->workers > 1) {
		verdict_blocks(&a);
		return true;
	}
	advice->moves = known->workers > 1 && dls__forecast_moves(&a);
	describe(&a);
	if (!(a.work > 0) || known->workers < 2)
		return !a.failed;
	a.failed |= dls_predictor_open(&a.predictor, &a.profile, known->workers, known->speed, NULL) == DLS_ENOMEM;
	a.unequal = speeds(&a, &slowest, &fastest) && fastest > (1 + APART) * slowest;
	now = dls__forecast_all(&a, monotonic);
	dls_predictor_close(a.predictor);
	advice->ideal = a.ideal;
	if (too_little(&a) || too_small(&a, a.work))
		return !a.failed;
	best = dls__forecast_best(&a);
	carried = dls__carried(a.profile.n, a.profile.buckets, a.time, a.profile.variance);
	if (known->workers > carried && best && isnan(best->measured))
		best = NULL;
	if (!disagree(&a, now)) {
		if (known->elsewhere)
			verdict_elsewhere(&a, now, best);
		else
			verdict(&a, now, best);
		beyond(&a, carried);
		if (a.unequal && fastest > (1 + FAR_APART) * slowest && !known->elsewhere)
			say(&a, "threads differ in speed, from %.2f to %.2f of the mean (measured)", slowest, fastest);
		limits(&a);
	}
	body(&a);
	if (monotonic)
		say(&a, "steal and frac are left out: monotonic: asks for chunks in order");
	return !a.failed;
}
