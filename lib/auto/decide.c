/* decide.c - the candidate that promises most, by simulation. */
#include <math.h>
#include <stdlib.h>

#include "dls/error.h"
#include "lib/auto/auto.h"

static const double GAIN = 0.02;		/* that makes a trial worth it */
static const double UNREST = 0.15, UNKNOWN = 1.05;
static const double LONG = 1e-3;		/* s */

enum {
	REMEMBERED = 128,		/* executions after which times of a schedule that ran before count no more */
	OLD = 32			/* executions of which what a few lose is little */
};

bool dls__auto_due(const struct dls__auto_class *c)
{
	return !c->single && c->trial.place == DLS__AUTO_NONE && c->watch.since >= c->decision.at && c->profile.count > 0 &&
	       c->seen[c->current].walls > 0 && c->decision.ran >= (100u << c->decision.in_vain) * (double)c->decision.took;
}

void dls__auto_decided(struct dls__auto_class *c, double seconds)
{
	/* At most twice the last: another program may have had the processor meanwhile. */
	if (seconds > 0)
		c->decision.took = fmaxf(fminf((float)seconds, 2 * c->decision.took), 1e-6f);
}

/* Adaptive schedules are candidates only if the workers differ in speed. */
static bool offered(unsigned schedule, const float *speeds)
{
	return speeds || (schedule != DLS__AUTO_AF && schedule != DLS__AUTO_AWF_B && schedule != DLS__AUTO_WEIGHTS);
}

/* Predict all candidates, s for one iteration, without correction.  Where costly iterations change their places (unrest), from a single
 * execution: what several have in common hides them. */
static int simulate(struct dls__auto_class *c, const struct dls_costs *costs, const struct dls_schedule *(*parsed)(unsigned),
		    double *time, double *speed, bool unrest)
{
	struct dls__latest profiles = c->profile;
	struct dls_profile profile = { .size = sizeof(profile), .n = c->n, .time = time };
	struct dls_prediction prediction = { .size = sizeof(prediction) };
	const float *speeds = dls__latest_speeds(&c->profile);
	struct dls_predictor *predictor;
	int error;

	if (unrest)
		profiles.count = 1;
	profile.buckets = dls__latest_read(&profiles, c->n, time);
	for (unsigned w = 0; speeds && w < c->p; w++)
		speed[w] = (double)speeds[w];
	error = dls_predictor_open(&predictor, &profile, c->p, speeds ? speed : NULL, costs);
	if (error == DLS_ENOMEM)
		return error;
	for (unsigned i = 0; i < c->candidates; i++) {
		unsigned schedule = c->seen[i].schedule;
		double predicted = 0;

		if (error == 0 && offered(schedule, speeds) && parsed(schedule) &&
		    dls_predictor_run(predictor, parsed(schedule), &prediction) == 0)
			predicted = prediction.time;
		/* The workers take turns on the processors, and only in the last turn do they idle. */
		predicted *= 1 + ((double)c->p / c->at_once - 1) * (1 - prediction.idle);
		predicted /= (double)c->n;
		c->seen[i].predicted = predicted > 0 && predicted < 1e9 ? (float)predicted : 0;
	}
	if (error == 0)
		dls_predictor_close(predictor);
	return 0;
}

/* Whether what was measured of a candidate that does not run still counts: not for long, since it may have been disturbed. */
static bool counts(const struct dls__auto_class *c, const struct dls__auto_seen *s)
{
	return c->told.executions < (s->rejected > 0 ? s->until : c->told.adopted + REMEMBERED);
}

/* measured / predicted for the schedules that treat caches alike: the current one stands for its own kind, the most often measured
 * one for the other. */
static void correct(struct dls__auto_class *c)
{
	unsigned own = !dls__auto_affine(c->seen[c->current].schedule);
	unsigned most = 2;

	c->decision.correction[own] = 1;
	if (c->seen[c->current].predicted > 0)
		c->decision.correction[own] = (float)(dls__auto_median(&c->seen[c->current]) / (double)c->seen[c->current].predicted);
	c->decision.correction[!own] = c->decision.correction[own];
	for (unsigned i = 0; i < c->candidates; i++) {
		const struct dls__auto_seen *s = &c->seen[i];

		if (!dls__auto_affine(s->schedule) != own && s->walls > most && s->predicted > 0 && counts(c, s)) {
			most = s->walls;
			c->decision.correction[!own] = (float)(dls__auto_median(s) / (double)s->predicted);
		}
	}
	for (unsigned k = 0; k < 2; k++)
		c->decision.correction[k] = fminf(fmaxf(c->decision.correction[k], 0.2f), 5);
}

/* Whether all chunks of a schedule are small: its time depends little on where the costly iterations are. */
static bool small_chunks(unsigned schedule)
{
	return schedule == DLS__AUTO_MFSC || schedule >= DLS__AUTO_STEAL;
}

/* What a candidate would take, s for one iteration; 0: not known. */
static double expected(const struct dls__auto_class *c, const struct dls__auto_seen *s)
{
	double predicted = (double)s->predicted;

	/* The loop may have changed since it was measured, and the prediction may be wrong: the mean of both. */
	if (s->walls >= 3 && predicted > 0 && counts(c, s))
		return (predicted + dls__auto_median(s)) / 2;
	/* The effect of caches on the other kind is unknown until a schedule of it has been measured. */
	return predicted * (dls__auto_affine(s->schedule) == dls__auto_affine(c->seen[c->current].schedule) ? 1 : UNKNOWN);
}

/* The best of the open candidates; if costly iterations change their places (unrest), of those with small chunks. */
static unsigned best(const struct dls__auto_class *c, bool unrest)
{
	unsigned chosen = DLS__AUTO_NONE;

	for (unsigned i = 0; i < c->candidates; i++)
		if (expected(c, &c->seen[i]) > 0 && dls__auto_open(c, i) && (!unrest || small_chunks(c->seen[i].schedule)) &&
		    (chosen == DLS__AUTO_NONE || expected(c, &c->seen[i]) < expected(c, &c->seen[chosen])))
			chosen = i;
	return chosen;
}

/* Under a schedule that hands out iterations anywhere: the best one that leaves them where their data may be, if none has been measured
 * lately, and this is predicted by all profiles to be no slower.  What it gains by caches no prediction knows. */
static unsigned of_own_data(const struct dls__auto_class *c, double now)
{
	unsigned chosen = DLS__AUTO_NONE;
	float least = 1.01f * (float)now;

	for (unsigned i = 0; i < c->candidates; i++) {
		const struct dls__auto_seen *s = &c->seen[i];

		if (!dls__auto_affine(s->schedule))
			continue;
		if (i == c->current || (s->walls > 0 && counts(c, s)))
			return DLS__AUTO_NONE;
		if (s->predicted > 0 && s->predicted < least && dls__auto_open(c, i)) {
			chosen = i;
			/* Nothing is before static blocks: they share nothing, and their chunks are the longest possible. */
			least = s->schedule == DLS__AUTO_STATIC ? 0 : s->predicted;
		}
	}
	return chosen;
}

/* Under one that leaves iterations to their workers, once nothing else promises a gain: fac2, which hands them out in their order.  That
 * may change what they take, by what others have brought into a shared cache or have worked out, which no prediction knows. */
static unsigned of_order(const struct dls__auto_class *c, double now)
{
	unsigned i = dls__auto_find(c, DLS__AUTO_FAC2);
	const struct dls__auto_seen *s = &c->seen[i];

	if (i == c->candidates || c->watch.since < OLD || s->walls > 0 || s->rejected > 1 || now * (double)c->n < LONG ||
	    !dls__auto_open(c, i))
		return DLS__AUTO_NONE;
	return s->predicted > 0 && (double)s->predicted < 1.02 * now ? i : DLS__AUTO_NONE;
}

int dls__auto_decide(struct dls__auto_class *c, const struct dls_costs *costs, const struct dls_schedule *(*parsed)(unsigned))
{
	unsigned buckets = dls__buckets(c->p, c->n);
	double *time = malloc(sizeof(*time) * (buckets + (size_t)c->p));
	double now = dls__auto_median(&c->seen[c->current]);
	bool unrest = dls__latest_unrest(&c->profile) > UNREST;
	unsigned chosen;
	int error;

	if (!time)
		return DLS_ENOMEM;
	error = simulate(c, costs, parsed, time, time + buckets, unrest);
	free(time);
	if (error)
		return error;
	correct(c);
	for (unsigned i = 0; i < c->candidates; i++)
		c->seen[i].predicted *= c->decision.correction[!dls__auto_affine(c->seen[i].schedule)];
	chosen = best(c, unrest);
	if (chosen != DLS__AUTO_NONE && !(now > 0 && 1 - expected(c, &c->seen[chosen]) / now > GAIN))
		chosen = unrest || c->profile.count < DLS__LATEST ? DLS__AUTO_NONE : of_own_data(c, now);
	if (chosen == DLS__AUTO_NONE && !unrest && c->profile.count == DLS__LATEST && dls__auto_affine(c->seen[c->current].schedule))
		chosen = of_order(c, now);
	if (chosen != DLS__AUTO_NONE) {
		dls__auto_try(c, chosen);
		c->decision.in_vain = 0;
	} else {
		/* By a single profile nothing is known of unrest, and few candidates are looked at. */
		c->decision.in_vain += c->decision.in_vain < 4 && c->profile.count > 1;
	}
	c->told.decisions++;
	c->decision.ran = 0;
	c->decision.at = c->watch.since + (c->watch.since < 12 ? 4 : 16);
	return 0;
}
