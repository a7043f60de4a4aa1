/* decide.c - the candidate that promises most, by simulation. */
#include <math.h>
#include <stdlib.h>

#include "dls/error.h"
#include "lib/auto/auto.h"
#include "lib/auto/numbers.h"

/* Predict all candidates, s for one iteration, without correction. */
static int simulate(struct dls__size_class *c, const struct dls_costs *costs,
		    const struct dls_schedule *(*schedule_of)(unsigned), double *time)
{
	struct dls_profile profile = { .size = sizeof(profile), .n = c->n, .time = time };
	struct dls_prediction prediction = { .size = sizeof(prediction) };
	struct dls_predictor *predictor;
	int error;

	profile.buckets = dls__last_profile_read(&c->profile, c->n, time);
	error = dls_predictor_open(&predictor, &profile, c->p, NULL, costs);
	if (error == DLS_ENOMEM)
		return error;
	for (unsigned i = 0; i < c->candidates; i++) {
		unsigned schedule = c->arm[i].schedule;
		double predicted = 0;

		if (error == 0 && dls_predictor_run(predictor, schedule_of(schedule), &prediction) == 0)
			predicted = prediction.time;
		/* The workers take turns on the processors, and only in the last turn do they idle. */
		predicted *= 1 + ((double)c->p / c->at_once - 1) * (1 - prediction.idle);
		predicted /= (double)c->n;
		c->arm[i].predicted = predicted > 0 && predicted < 1e9 ? (float)predicted : 0;
	}
	if (error == 0)
		dls_predictor_close(predictor);
	return 0;
}

/* Scale the predictions by what the current schedule takes: so they allow for caches. */
static void correct(struct dls__size_class *c)
{
	const struct dls__auto_arm *s = &c->arm[c->current];
	double factor = s->predicted > 0 ? dls__walls_median(&s->walls) / (double)s->predicted : 1;

	for (unsigned i = 0; i < c->candidates; i++)
		c->arm[i].predicted *= (float)factor;
}

/* The open candidate that promises the largest gain over `now`. */
static unsigned best(const struct dls__size_class *c, double now)
{
	unsigned chosen = DLS__AUTO_NONE;
	double least = (1 - GAIN) * now;

	for (unsigned i = 0; i < c->candidates; i++) {
		double time = (double)c->arm[i].predicted;

		if (time > 0 && time < least && dls__auto_open(c, i)) {
			chosen = i;
			least = time;
		}
	}
	return chosen;
}

/* Whether a candidate that has not been measured is predicted to be no slower: then a trial shows what
 * caches gain, which no prediction knows. */
static bool may_gain(const struct dls__size_class *c, unsigned i, double now)
{
	const struct dls__auto_arm *s = &c->arm[i];

	return i < c->candidates && s->walls.count == 0 && s->predicted > 0 &&
	       (double)s->predicted < (1 + GAIN) * now && dls__auto_open(c, i);
}

/* Under a schedule that hands out iterations anywhere: the best that leaves them where their data may be,
 * if none has been measured. */
static unsigned of_own_data(const struct dls__size_class *c, double now)
{
	unsigned chosen = DLS__AUTO_NONE;

	for (unsigned i = 0; i < c->candidates; i++) {
		if (!dls__auto_affine(c->arm[i].schedule))
			continue;
		if (c->arm[i].walls.count > 0)
			return DLS__AUTO_NONE;
		if (may_gain(c, i, now) &&
		    (chosen == DLS__AUTO_NONE || c->arm[i].predicted < c->arm[chosen].predicted))
			chosen = i;
	}
	return chosen;
}

/* Under one that leaves iterations to their workers: fac2, which hands them out in their order.  That may
 * change what they take, by what others have brought into a shared cache or have worked out. */
static unsigned of_order(const struct dls__size_class *c, double now)
{
	unsigned i = dls__auto_find(c, DLS__AUTO_FAC2);
	bool worth = c->drift.since >= OLD && now * (double)c->n >= LONG;

	return worth && may_gain(c, i, now) ? i : DLS__AUTO_NONE;
}

static unsigned chosen(const struct dls__size_class *c, double now, bool unrest)
{
	unsigned i = best(c, now);

	if (i != DLS__AUTO_NONE || unrest || c->profile.count < DLS__PROFILES_ENOUGH)
		return i;
	return dls__auto_affine(c->arm[c->current].schedule) ? of_order(c, now) : of_own_data(c, now);
}

int dls__auto_decide(struct dls__size_class *c, const struct dls_costs *costs,
		     const struct dls_schedule *(*schedule_of)(unsigned))
{
	double *time = malloc(sizeof(*time) * dls__buckets(c->p, c->n));
	double now = dls__walls_median(&c->arm[c->current].walls);
	bool unrest = (double)c->profile.unrest > CHANGED;
	unsigned i;
	int error;

	if (!time)
		return DLS_ENOMEM;
	error = simulate(c, costs, schedule_of, time);
	free(time);
	if (error)
		return error;
	correct(c);
	i = chosen(c, now, unrest);
	if (i != DLS__AUTO_NONE) {
		dls__auto_try(c, i);
		c->decision.in_vain = 0;
	} else {
		/* By a single profile few candidates are looked at. */
		c->decision.in_vain += c->decision.in_vain < DOUBLINGS && c->profile.count > 1;
	}
	c->decision.ran = 0;
	c->decision.at = c->drift.since + RUNS_MANY;
	return 0;
}
