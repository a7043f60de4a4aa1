/* executed.c - executions one by one: whether a decision is due, what the next one runs, what is learned from its
 * time, and how many may follow unasked.  On trial a candidate runs in place of the current schedule until it has
 * shown what it takes. */
#include <math.h>
#include <stdlib.h>

#include "lib/auto/auto.h"
#include "lib/auto/numbers.h"

void dls__walls_add(struct dls__walls *w, double time)
{
	w->last = (uint8_t)((w->last + 1) % DLS__AUTO_WALLS);
	w->time[w->last] = (float)time;
	w->count += w->count < DLS__AUTO_WALLS;
}

/* The newest `most`, sorted; returns how many there are. */
static unsigned sort(const struct dls__walls *w, unsigned most, float sorted[DLS__AUTO_WALLS])
{
	unsigned m = w->count < most ? w->count : most;

	for (unsigned i = 0; i < m; i++) {
		float time = w->time[(w->last + DLS__AUTO_WALLS - i) % DLS__AUTO_WALLS];
		unsigned k = i;

		for (; k > 0 && sorted[k - 1] > time; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = time;
	}
	return m;
}

double dls__walls_median(const struct dls__walls *w)
{
	float sorted[DLS__AUTO_WALLS];
	unsigned m = sort(w, DLS__AUTO_WALLS, sorted);

	return m ? ((double)sorted[(m - 1) / 2] + (double)sorted[m / 2]) / 2 : 0;
}

double dls__auto_usual(const struct dls__size_class *c)
{
	return dls__walls_median(&c->arm[c->current].walls) * (double)c->n;
}

/* How many times as long as before the last executions took, if all took much longer; 1 otherwise. */
static double change_of(const struct dls__size_class *c)
{
	float last[DLS__AUTO_WALLS];
	double usual = (double)c->drift.usual;

	if (sort(&c->arm[c->current].walls, RUNS, last) < RUNS || !(usual > 0))
		return 1;
	return (double)last[0] > (1 + CHANGED) * usual ? (double)last[0] / usual : 1;
}

bool dls__auto_steady(const struct dls__size_class *c)
{
	float sorted[DLS__AUTO_WALLS];
	bool all = sort(&c->arm[c->current].walls, DLS__AUTO_WALLS, sorted) == DLS__AUTO_WALLS;

	/* One outlier on either side does not count. */
	return all && (double)sorted[DLS__AUTO_WALLS - 2] <= MUCH_LONGER * (double)sorted[1];
}

double dls__auto_uneven(const struct dls__size_class *c, double wall)
{
	double balance = dls__last_profile_balance(&c->profile), turns = (double)c->p / c->at_once;

	/* The first of several workers on a processor leave it to the others: only the last turn is as
	 * long as its longest block. */
	return fmax(0, wall - (double)c->region) * (1 - turns / (turns - 1 + 1 / balance));
}

bool dls__auto_small(const struct dls__size_class *c, double wall)
{
	return wall < SMALL * (double)c->sharing;
}

bool dls__auto_even(const struct dls__size_class *c, double wall)
{
	return c->profile.count > 0 && dls__auto_uneven(c, wall) < GAIN * wall;
}

unsigned dls__auto_every(const struct dls__size_class *c, double wall)
{
	/* A profile is evaluated worker by worker. */
	double share = wall * ((double)c->at_once / c->p), times = share > 0 ? fmax(1, SHORT / share) : 1;

	return (unsigned)fmin(EVERY * times, 1e6);
}

void dls__auto_profiled(struct dls__size_class *c, uint64_t n, const struct dls__bucket *const *row)
{
	if (!c->single && n > 0)
		dls__last_profile_add(&c->profile, n, row);
}

static bool on_trial(const struct dls__size_class *c)
{
	return c->trial.place != DLS__AUTO_NONE;
}

/* Executions before a loop under a schedule that hands out iterations anywhere next tries static with
 * other loops: each power of 2.  Loops that work on the same data, one after the other, are executed
 * equally often, and so try at one time. */
static uint32_t before_together(const struct dls__size_class *c)
{
	uint32_t at = RARELY;

	if (dls__auto_affine(c->arm[c->current].schedule))
		return UINT32_MAX;
	while (at > 0 && at < c->summary.executions)
		at *= 2;
	return at - c->summary.executions;
}

/* If it is time for it, begin a trial of static with other loops: all may gain and none alone, since
 * whoever moves iterations moves the data of the loops to come, too.  So costs look uneven; but a trial's
 * executions, as unequal as that, must lose little of all time. */
static void try_together(struct dls__size_class *c)
{
	unsigned blocks = dls__auto_find(c, DLS__AUTO_STATIC);
	double wall = dls__auto_usual(c), uneven = dls__auto_uneven(c, wall);
	bool never_profiled = c->profile.count == 0 && c->summary.trials == 0;

	if (before_together(c) > 0 || c->single || blocks == c->candidates ||
	    c->arm[c->current].walls.count == 0 || never_profiled ||
	    (RUNS + 1) * uneven * wall / (wall - uneven) >= LOST * c->summary.total)
		return;
	dls__auto_try(c, blocks);
	c->trial.together = true;
}

/* How many executions may follow the next one unasked: none past the next profile or trial with other
 * loops, and few enough for a change to be noticed. */
static uint16_t unasked(const struct dls__size_class *c, double wall)
{
	uint32_t next = c->summary.executions + 1, left = c->profile_at > next ? c->profile_at - next : 0;
	uint32_t other = before_together(c) - 1;	/* wraps if one is due that is not wanted: none */

	return (uint16_t)fmin(left < other ? left : other, fmin(UINT16_MAX, TIMED_EVERY / wall));
}

/* Whether most executions need not be looked at. */
static bool known(const struct dls__size_class *c, double wall)
{
	return !on_trial(c) && c->trial.runs > DLS__AUTO_WALLS && c->arm[c->current].walls.count > 0 &&
	       wall < SHORT;
}

bool dls__auto_due(const struct dls__size_class *c)
{
	return !c->single && !on_trial(c) && c->drift.since >= c->decision.at &&
	       c->profile.count > 0 && c->arm[c->current].walls.count > 0 &&
	       LOST * c->decision.ran >= (1 << c->decision.in_vain) * TOOK * c->p;
}

struct dls__auto_choice dls__auto_choose(struct dls__size_class *c)
{
	struct dls__auto_choice choice = { .more = 0 };
	double wall;

	try_together(c);
	choice.schedule = c->arm[on_trial(c) ? c->trial.place : c->current].schedule;
	wall = dls__auto_usual(c);
	if (c->single) {
		choice.more = UINT16_MAX;
		return choice;
	}
	choice.profile =
		(c->drift.since < 2 && c->profile.count < DLS__PROFILES_ENOUGH &&
		 !(wall > 0 && wall < SHORT)) ||
		(!on_trial(c) && c->summary.executions >= c->profile_at);
	if (choice.profile)
		c->profile_at = c->summary.executions + dls__auto_every(c, wall);
	else if (known(c, wall))
		choice.more = unasked(c, wall);
	c->more = choice.more;
	return choice;
}

bool dls__auto_open(const struct dls__size_class *c, unsigned i)
{
	return i != c->current && c->summary.executions >= c->arm[i].until &&
	       c->summary.lost < LOST * c->summary.total;
}

void dls__auto_try(struct dls__size_class *c, unsigned i)
{
	c->trial = (struct dls__auto_trial){ .place = (uint8_t)i };
	c->arm[i].walls.count = 0;
	c->summary.trials++;
}

/* Whether a central schedule is on trial for the order of its iterations, without a gain that was predicted. */
static bool for_order(const struct dls__size_class *c, double now)
{
	const struct dls__auto_arm *s = &c->arm[c->trial.place];

	return !dls__auto_affine(s->schedule) && (1 + GAIN) * (double)s->predicted > now;
}

static void reject(struct dls__size_class *c)
{
	c->arm[c->trial.place].until = c->summary.executions + SETTLED;
	c->summary.lost += fmax(0, c->trial.losing);
}

static void keep(struct dls__size_class *c)
{
	c->current = c->trial.place;
	c->summary.adopted = c->summary.executions;
	c->summary.kept++;
	c->drift.usual = (float)dls__walls_median(&c->arm[c->current].walls);
	if (c->trial.together) {	/* the profiles are of data that were elsewhere */
		dls__last_profile_forget(&c->profile);
		c->profile_at = 0;
	}
}

/* Whether a trial's median shows a gain.  A loop that tried static with others need only gain over its mean: its last
 * executions may by chance have found their data where static has them, and if it went back it would move the others'. */
static bool gains(const struct dls__size_class *c, double median, double now)
{
	double mean = c->summary.total / c->summary.executions / (double)c->n;

	if (c->trial.together && median < (1 + GAIN) * now)
		now = fmax(now, mean);
	return median < (for_order(c, now) ? CLEAR : 1 - GAIN) * now;
}

/* An execution on trial has taken `wall` s for one iteration.  The first one warms the caches. */
static void tried(struct dls__size_class *c, double wall)
{
	double now = dls__walls_median(&c->arm[c->current].walls);

	c->trial.losing += (double)c->n * (wall - now);
	if (c->trial.runs++ > 0)
		dls__walls_add(&c->arm[c->trial.place].walls, wall);
	if (c->trial.runs <= (for_order(c, now) ? RUNS_MANY : RUNS))
		return;
	if (gains(c, dls__walls_median(&c->arm[c->trial.place].walls), now))
		keep(c);
	else
		reject(c);
	c->trial = (struct dls__auto_trial){ .place = DLS__AUTO_NONE };
}

/* The loop has changed: forget all but the current schedule and its last times. */
static void forget(struct dls__size_class *c)
{
	for (unsigned i = 0; i < c->candidates; i++) {
		if (i != c->current)
			c->arm[i].walls.count = 0;
		c->arm[i].until = 0;
		c->arm[i].predicted = 0;
	}
	dls__last_profile_forget(&c->profile);
	c->profile_at = 0;
	c->decision.at = 2;
	c->decision.in_vain = 0;
	c->drift.since = 0;
	c->drift.usual = 0;
}

/* Small and even loops need no prediction. */
static void try_blocks(struct dls__size_class *c)
{
	unsigned blocks = dls__auto_find(c, DLS__AUTO_STATIC);
	double wall = dls__auto_usual(c);

	if (c->trial.runs >= DLS__AUTO_WALLS &&
	    (dls__auto_small(c, wall) || (wall < LONG && dls__auto_even(c, wall))) &&
	    dls__auto_open(c, blocks))
		dls__auto_try(c, blocks);
}

/* The first execution shows what an iteration takes; guess again if that asks for chunks of a quarter or
 * four times the size. */
static void guess_again(struct dls__size_class *c, double each)
{
	if (abs((int)dls__auto_suited(c, each) - c->arm[0].schedule) >= 2)
		dls__auto_guess(c, each);
}

/* An execution of the current schedule has taken `wall` s for one iteration. */
static void ran(struct dls__size_class *c, double wall)
{
	double change;

	/* The first after a switch warms the caches. */
	if (c->trial.runs > 0)
		dls__walls_add(&c->arm[c->current].walls, wall);
	c->trial.runs += c->trial.runs < 255;
	change = change_of(c);
	if (change != 1) {
		forget(c);
		if (change > MUCH_LONGER && c->current != 0) {
			c->current = 0;
			c->summary.adopted = c->summary.executions;
			c->trial.runs = 0;
		}
	} else if (c->trial.runs > RUNS) {
		c->drift.usual = (float)dls__walls_median(&c->arm[c->current].walls);
	}
	try_blocks(c);
}

void dls__auto_ended(struct dls__size_class *c, unsigned schedule, uint64_t n, double wall)
{
	uint32_t times = 1u + c->more;
	bool known = wall > 1e-12 && wall < 1e9 && n > 0;	/* a float holds it, divided by n */

	c->more = 0;
	c->summary.executions += times;
	c->drift.since += times;
	c->drift.last_wall = known ? (float)wall : 0;
	if (!known || c->single)
		return;
	c->n = n;
	c->summary.total += wall * times;
	c->decision.ran += wall * times;
	if (c->summary.executions == 1)
		guess_again(c, dls__auto_each(c, wall));
	if (on_trial(c) && schedule == c->arm[c->trial.place].schedule)
		tried(c, wall / (double)n);
	else if (!on_trial(c) && schedule == c->arm[c->current].schedule)
		ran(c, wall / (double)n);
}
