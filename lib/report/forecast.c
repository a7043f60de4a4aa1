/* forecast.c - what a loop would take under each schedule.
 *
 * A schedule's time is predicted from the loop's profile.  If a schedule was also measured, measured / predicted corrects the
 * predictions of its kind: schedules that keep a worker's iterations near each other, and all others. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/report/forecast.h"

#define NEAR 0.02		/* schedules that steal are preferred to others at most this much faster */

/* Whether a schedule gives a worker adjacent iterations, and the same ones again in the next execution. */
static bool keeps_near(const struct dls_schedule *s)
{
	const struct dls_calc *calc = dls_schedule_calc(s);
	char text[16];

	dls_schedule_print(s, text, sizeof(text));
	return calc && (calc->dispenser == DLS_DISPENSER_OWN || calc->dispenser == DLS_DISPENSER_RANGES ||
			strncmp(text, "nonmonotonic:", 13) == 0);
}

bool dls__in_order(const char *schedule)
{
	return schedule && strncmp(schedule, "monotonic:", 10) == 0;
}

static bool out_of_order(const struct dls_schedule *s, const char *text)
{
	const struct dls_calc *calc = dls_schedule_calc(s);

	return !calc || strncmp(text, "nonmonotonic:", 13) == 0 ||
	       (calc->dispenser == DLS_DISPENSER_RANGES && !dls__in_order(text));
}

/* Add a forecast of a schedule, or find the one that is there; NULL: the schedule is unknown, or there is no
 * room. */
static struct dls__forecast *add(struct dls__advising *a, const char *text)
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
	f.unordered = out_of_order(s, f.schedule);
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
static void add_written(struct dls__advising *a, const char *format, ...)
{
	char text[DLS__FORECAST_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	add(a, text);
}

static void add_candidates(struct dls__advising *a, bool monotonic)
{
	double p = a->known->workers, n = (double)a->profile.n, k = fmin(fmax(floor(n / (128 * p)), 1), 64);

	add(a, "static");
	add(a, monotonic ? "monotonic:fac2" : "fac2");
	if (!monotonic) {
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

static void add_tried(struct dls__advising *a)
{
	const struct dls__known *k = a->known;

	for (unsigned i = 0; i < k->trieds; i++) {
		const struct dls__taken *t = &k->tried[i].taken;
		struct dls__forecast *f = add(a, k->tried[i].schedule);

		/* Executions of other sizes say nothing about this one. */
		if (f && !k->elsewhere && t->workers == k->workers && fabs(t->n / (double)t->executions / k->n - 1) < DLS__DISAGREE / 100.0)
			f->measured = mean(t, t->wall);
	}
}

/* The schedule in force; NULL: it is not known. */
static struct dls__forecast *present(struct dls__advising *a)
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
static void expect(struct dls__advising *a)
{
	double right[2] = { rightness(a->advice, false), rightness(a->advice, true) };

	for (int i = 0; i < 2; i++)
		if (isnan(right[i]))
			right[i] = isnan(right[1 - i]) ? 1 : right[1 - i];
	for (unsigned i = 0; i < a->advice->forecasts; i++) {
		struct dls__forecast *f = &a->advice->forecast[i];

		f->expected = f->measured;
		if (isnan(f->measured) && !isnan(f->time))
			f->expected = fmax(fmax(f->time, a->known->longest) * right[f->near], a->ideal);
	}
}

/* Whether the profile is too coarse: one bucket takes longer than the ideal, and the variance within it is
 * not known. */
static bool coarse(const struct dls__advising *a)
{
	uint64_t n = a->profile.n;
	unsigned B = a->profile.buckets;

	for (unsigned i = 0; i < B && !a->profile.variance; i++)
		if (a->time[i] > a->ideal && dls__bucket_width(n, B, i) > 1)
			return true;
	return false;
}

/* Whether it may be advised. */
static bool allowed(const struct dls__advising *a, const struct dls__forecast *f)
{
	return !isnan(f->expected) && (f->now || !f->unordered || !a->ordered);
}

/* Of the schedules at most `little` times slower than the best, the one with most chunks. */
static struct dls__forecast *finest(struct dls__advising *a, struct dls__forecast *best)
{
	const double little = 1.25, time = best->expected;

	for (unsigned i = 0; i < a->advice->forecasts; i++) {
		struct dls__forecast *f = &a->advice->forecast[i];

		if (allowed(a, f) && f->expected <= little * time && f->chunks > best->chunks)
			best = f;
	}
	return best;
}

struct dls__forecast *dls__forecast_best(struct dls__advising *a)
{
	struct dls__forecast *best = NULL, *steal = NULL;

	for (unsigned i = 0; i < a->advice->forecasts; i++) {
		struct dls__forecast *f = &a->advice->forecast[i];

		if (!allowed(a, f))
			continue;
		if (!best || f->expected < best->expected)
			best = f;
		if (strncmp(f->schedule, "steal", 5) == 0 && (!steal || f->expected < (1 - NEAR) * steal->expected))
			steal = f;
	}
	if (best && isnan(best->measured) && coarse(a))
		return finest(a, best);
	/* Predictions of central schedules leave out that the traffic of the counter slows the iterations. */
	return steal && isnan(best->measured) && steal->expected <= (1 + NEAR) * best->expected ? steal : best;
}

/* keeps_near() for a schedule's text: 1 or 0; -1: not known, a program's own schedule. */
static int near_by_name(struct dls__advising *a, const char *text)
{
	struct dls_schedule *s;
	int code = dls_schedule_parse(&s, text, NULL), near;

	a->failed |= code == DLS_ENOMEM;
	if (code)
		return -1;
	near = keeps_near(s);
	dls_schedule_free(s);
	return near;
}

struct dls__taken dls__forecast_taken(struct dls__advising *a, bool near)
{
	const struct dls__known *k = a->known;
	struct dls__taken sum = { .workers = k->workers };

	for (unsigned i = 0; i < k->trieds; i++) {
		const struct dls__taken *t = &k->tried[i].taken;

		if (t->workers != k->workers || near_by_name(a, k->tried[i].schedule) != near)
			continue;
		sum.executions += t->executions;
		sum.wall += t->wall;
		sum.busy += t->busy;
		sum.n += t->n;
	}
	return sum;
}

bool dls__forecast_moves(struct dls__advising *a)
{
	enum { SETTLED = 3 };		/* executions */
	const struct dls__known *k = a->known;
	uint64_t kept = dls__forecast_taken(a, true).executions, others = 0;

	for (unsigned i = 0; i < k->trieds; i++)
		others += k->tried[i].taken.workers == k->workers ? k->tried[i].taken.executions : 0;
	others -= kept;
	return k->now && near_by_name(a, k->now) != 1 && kept < (others < SETTLED ? others : SETTLED);
}

struct dls__forecast *dls__forecast_all(struct dls__advising *a, bool monotonic)
{
	/* Pointers into the list stay: it has room for all. */
	struct dls__forecast *now = present(a);

	add_tried(a);
	add_candidates(a, monotonic);
	expect(a);
	return now;
}
