/* decide.c - the candidate that promises most, by simulation. */
#include <math.h>
#include <stdlib.h>

#include "dls/error.h"
#include "lib/auto/auto.h"

static const double GAIN = 0.02;		/* that makes a trial worth it */
static const double UNREST = 0.15, UNKNOWN = 1.05;

bool dls__auto_due(const struct dls__auto_class *c)
{
	return !c->single && c->trial.place == DLS__AUTO_NONE && c->watch.since >= c->decision.at && c->profile.count > 0 &&
	       c->watch.checks == 0 && c->seen[c->current].walls > 0 &&
	       c->decision.ran >= (100u << c->decision.in_vain) * (double)c->decision.took;
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

/* Predict all candidates, s for one iteration, without correction. */
static int simulate(struct dls__auto_class *c, const struct dls_costs *costs, const struct dls_schedule *(*parsed)(unsigned),
		    double *time, double *speed)
{
	struct dls_profile profile = { .size = sizeof(profile), .n = c->n, .time = time };
	struct dls_prediction prediction = { .size = sizeof(prediction) };
	const float *speeds = dls__latest_speeds(&c->profile);
	struct dls_predictor *predictor;
	int error;

	profile.buckets = dls__latest_read(&c->profile, c->n, time);
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
		predicted /= (double)c->n;
		c->seen[i].predicted = predicted > 0 && predicted < 1e9 ? (float)predicted : 0;
	}
	if (error == 0)
		dls_predictor_close(predictor);
	return 0;
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

		if (!dls__auto_affine(s->schedule) != own && s->walls > most && s->predicted > 0) {
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

	/* The loop may have changed since it was measured, and the prediction may be wrong: the mean of both.  Once its time of
	 * rejection is over, what was measured then, perhaps while disturbed, counts no more. */
	if (s->walls >= 3 && predicted > 0 && !(s->rejected > 0 && c->told.executions >= s->until))
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
	error = simulate(c, costs, parsed, time, time + buckets);
	free(time);
	if (error)
		return error;
	correct(c);
	for (unsigned i = 0; i < c->candidates; i++)
		c->seen[i].predicted *= c->decision.correction[!dls__auto_affine(c->seen[i].schedule)];
	chosen = best(c, unrest);
	if (chosen != DLS__AUTO_NONE && now > 0 && 1 - expected(c, &c->seen[chosen]) / now > GAIN) {
		dls__auto_try(c, chosen);
		c->decision.in_vain = 0;
	} else {
		c->decision.in_vain += c->decision.in_vain < 4;
	}
	c->told.decisions++;
	c->decision.ran = 0;
	c->decision.at = c->watch.since + (c->watch.since < 12 ? 4 : 16);
	return 0;
}
