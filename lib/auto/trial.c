/* trial.c - executions one by one: which candidate runs, whether a trial has shown what it promised, whether the loop has
 * changed. */
#include <math.h>
#include <string.h>

#include "lib/auto/auto.h"

/* s */
static const double SHORT = 200e-6, TINY = 10e-6;

enum {
	RUNS = 3, RUNS_SHORT = 8,	/* of a trial, after the first, which warms the caches */
	REJECTED = 64,			/* executions without a trial of the same candidate; doubled each time */
	STABLE = 4,			/* executions between two times that what the loop takes is remembered */
	MORE = 60,			/* most executions without a call; as below, 61 is a prime */
	TOGETHER = 256			/* executions before the first trial of static with other loops */
};

/* Telling auto of an execution takes 0.25 us, and 3 us where cache lines pass slowly from thread to thread: of short ones, one in so many
 * s of the loop's time is told. */
static const double TOLD_EVERY = 80e-6;

/* Of so many executions one is profiled.  Primes: loops that take turns among a few sizes or costs would otherwise show but one. */
enum { EVERY = 5, EVERY_SHORT = 17, EVERY_TINY = 1021 };

unsigned dls__auto_every(const struct dls__auto_class *c, double wall)
{
	double share = wall * ((double)c->at_once / c->p);	/* of a worker; a profile is evaluated worker by worker */

	return !(wall > 0) || share >= SHORT ? EVERY : share >= TINY ? EVERY_SHORT : EVERY_TINY;
}

/* The newest `most` walls, sorted; returns how many there are. */
static unsigned sort(const struct dls__auto_seen *s, unsigned most, float sorted[DLS__AUTO_WALLS])
{
	unsigned m = s->walls < most ? s->walls : most;

	for (unsigned i = 0; i < m; i++) {
		float wall = s->wall[(s->last + DLS__AUTO_WALLS - i) % DLS__AUTO_WALLS];
		unsigned k = i;

		for (; k > 0 && sorted[k - 1] > wall; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = wall;
	}
	return m;
}

static double median(const struct dls__auto_seen *s, unsigned most)
{
	float sorted[DLS__AUTO_WALLS];
	unsigned m = sort(s, most, sorted);

	return m == 0 ? 0 : m % 2 ? (double)sorted[m / 2] : ((double)sorted[m / 2 - 1] + (double)sorted[m / 2]) / 2;
}

double dls__auto_median(const struct dls__auto_seen *s)
{
	return median(s, DLS__AUTO_WALLS);
}

static void add_wall(struct dls__auto_seen *s, double wall)
{
	s->last = (uint8_t)((s->last + 1) % DLS__AUTO_WALLS);
	s->wall[s->last] = (float)wall;
	s->walls += s->walls < DLS__AUTO_WALLS;
}

double dls__auto_usual(const struct dls__auto_class *c)
{
	const struct dls__auto_seen *s = &c->seen[c->current];

	return (s->walls ? dls__auto_median(s) : (double)c->expected) * (double)c->n;
}

bool dls__auto_open(const struct dls__auto_class *c, unsigned i)
{
	const struct dls__auto_seen *s = &c->seen[i];

	/* Trials may lose 1 % of all time, and 0.3 of an execution, as two executions in sequence show it. */
	return i != c->current && c->told.executions >= s->until &&
	       c->told.lost < 0.01 * c->told.total + 0.3 * dls__auto_usual(c);
}

void dls__auto_try(struct dls__auto_class *c, unsigned i)
{
	c->trial.place = (uint8_t)i;
	c->trial.runs = 0;
	c->trial.lost = 0;
	c->seen[i].walls = 0;
	c->told.trials++;
}

/* Executions before a loop under a schedule that hands out iterations anywhere next tries static with other loops: each power of 2.  Loops
 * that work on the same data, one after the other, are executed equally often, and so try at one time. */
static uint32_t before_together(const struct dls__auto_class *c)
{
	uint32_t at = TOGETHER;

	if (dls__auto_affine(c->seen[c->current].schedule))
		return UINT32_MAX;
	while (at > 0 && at < c->told.executions)
		at *= 2;
	return at - c->told.executions;
}

/* How many executions may follow the next one unasked: none past the next profile or trial with other loops, and few enough for a change
 * to be noticed. */
static uint16_t until(const struct dls__auto_class *c, double wall)
{
	uint32_t next = c->told.executions + 1, left = c->profile_at > next ? c->profile_at - next : 0;
	uint32_t other = before_together(c) - 1;	/* none if this one is due by now, and is not wanted */
	double most = fmin(MORE, TOLD_EVERY / wall);

	return (uint16_t)fmin(left < other ? left : other, most);
}

/* Whether a loop is short and unchanged, so that most of its executions need not be looked at. */
static bool settled(const struct dls__auto_class *c, double wall)
{
	const struct dls__auto_seen *s = &c->seen[c->current];

	if (c->trial.place != DLS__AUTO_NONE || c->trial.runs <= DLS__AUTO_WALLS || s->walls == 0 || !(wall < SHORT))
		return false;
	return wall < 10 * (double)c->sharing || fabs((double)s->wall[s->last] * (double)c->n / wall - 1) < 0.15;
}

/* Forget all but the current schedule and its last three times. */
static void forget(struct dls__auto_class *c)
{
	for (unsigned i = 0; i < c->candidates; i++) {
		struct dls__auto_seen *s = &c->seen[i];

		if (i == c->current) {
			float last[3];

			for (unsigned k = 0; k < 3; k++)
				last[2 - k] = s->wall[(s->last + DLS__AUTO_WALLS - k) % DLS__AUTO_WALLS];
			memcpy(s->wall, last, sizeof(last));
			s->walls = s->walls < 3 ? s->walls : 3;
			s->last = 2;
		} else {
			s->walls = 0;
		}
		s->until = 0;
		s->rejected = 0;
		s->predicted = 0;
	}
	/* Of a trial that has just ended, the change was at fault. */
	if (c->trial.runs <= 2 * STABLE) {
		c->told.lost = fmax(0, c->told.lost - (double)c->trial.lost);
		c->trial.lost = 0;
	}
	c->watch.since = 0;
	c->decision.at = 2;
	c->decision.in_vain = 0;
	c->profile_at = 0;
	dls__latest_forget(&c->profile);	/* costs that have moved look like speeds */
	c->decision.correction[0] = c->decision.correction[1] = 1;
	c->watch.reference = 0;
	c->told.drifts++;
}

/* Whether the last three executions all took much longer, or all much less, than they did when last found stable. */
static bool changed(const struct dls__auto_class *c)
{
	const struct dls__auto_seen *s = &c->seen[c->current];
	float last[DLS__AUTO_WALLS];

	return sort(s, 3, last) == 3 && c->watch.reference > 0 &&
	       (last[0] > 1.3f * c->watch.reference || last[2] < 0.7f * c->watch.reference);
}

/* What the current schedule takes is how the loop is when stable. */
static void remember(struct dls__auto_class *c)
{
	float sorted[DLS__AUTO_WALLS];
	unsigned m = sort(&c->seen[c->current], DLS__AUTO_WALLS, sorted), outliers = m == DLS__AUTO_WALLS;

	c->watch.reference = (float)dls__auto_median(&c->seen[c->current]);
	c->watch.least = m ? sorted[outliers] : 0;
	c->watch.most = m ? sorted[m - 1 - outliers] : 0;
}

static void switched(struct dls__auto_class *c)
{
	c->trial.place = DLS__AUTO_NONE;
	c->trial.together = false;
	c->trial.runs = 0;
	c->trial.losing = c->trial.before = 0;
	c->watch.until_stable = STABLE;
}

/* Whether a central schedule is on trial for the order of its iterations, without a gain that was predicted. */
static bool blind(const struct dls__auto_class *c, double now)
{
	const struct dls__auto_seen *s = &c->seen[c->trial.place];

	return !dls__auto_affine(s->schedule) && (double)s->predicted > 0.98 * now;
}

/* If it is time for it, begin a trial of static with other loops: all may gain and none alone, since whoever moves iterations moves the
 * data of the loops to come, too.  So costs look uneven; but two executions as unequal as that lose at most 1 %. */
static void join(struct dls__auto_class *c)
{
	unsigned simple = dls__auto_find(c, DLS__AUTO_STATIC);
	double wall = dls__auto_usual(c), uneven = dls__auto_uneven(c, wall);

	if (before_together(c) > 0 || c->single || simple == c->candidates || c->seen[c->current].walls == 0 || c->profile.count == 0 ||
	    2 * uneven * wall / (wall - uneven) >= 0.01 * c->told.total)
		return;
	switched(c);
	dls__auto_try(c, simple);
	c->trial.together = true;
}

static void reject(struct dls__auto_class *c)
{
	struct dls__auto_seen *s = &c->seen[c->trial.place];

	s->until = c->told.executions + ((uint32_t)REJECTED << (s->rejected < 8 ? s->rejected : 8));
	c->trial.lost = fmaxf(c->trial.lost, c->trial.losing);
	c->told.lost += fmax(0, (double)c->trial.losing);
	s->rejected += s->rejected < 255;
	if (blind(c, dls__auto_median(&c->seen[c->current])))
		s->walls = 0;		/* only what is predicted may bring it back */
	switched(c);
}

static void keep(struct dls__auto_class *c)
{
	c->seen[c->trial.place].rejected = 0;
	c->current = c->trial.place;
	c->told.adopted = c->told.executions;
	remember(c);
	c->told.kept++;
	c->shares = c->trial.together;
	if (c->shares) {	/* the profiles are of data that were elsewhere */
		dls__latest_forget(&c->profile);
		c->profile_at = 0;
	}
	switched(c);
}

/* Whether a trial is hopeless: two executions in sequence are too long.  A single one may have been disturbed. */
static bool hopeless(const struct dls__auto_class *c, double wall, double before, double now)
{
	return before > 0 && !blind(c, now) && fmin(wall, before) > 1.15 * now;
}

/* Whether a trial has shown that its schedule takes less than another that takes `now`. */
static bool gains(const struct dls__auto_class *c, double now)
{
	return dls__auto_median(&c->seen[c->trial.place]) < (blind(c, now) ? 0.9 : 0.985) * now;
}

/* Measured executions of a trial. */
static unsigned runs_of(const struct dls__auto_class *c, double now)
{
	return now * (double)c->n < SHORT || blind(c, now) ? RUNS_SHORT : RUNS;
}

/* An execution of the trial has ended. */
static void judge(struct dls__auto_class *c, double wall)
{
	double now = dls__auto_median(&c->seen[c->current]), before = (double)c->trial.before;

	c->trial.losing += (float)((before > 0 ? fmin(wall, before) : wall) - now) * (float)c->n;
	if (c->trial.runs++ > 0)
		add_wall(&c->seen[c->trial.place], wall);
	if (hopeless(c, wall, before, now)) {	/* also if only its last executions are: the loop has changed */
		reject(c);
	} else if (c->trial.runs <= runs_of(c, now)) {
		c->trial.before = (float)wall;
	} else if (gains(c, now)) {
		keep(c);
	} else {
		reject(c);
	}
}

/* After two bad executions in sequence under an adopted schedule, go back to the first guess. */
static void flee(struct dls__auto_class *c, double wall)
{
	const struct dls__auto_seen *s = &c->seen[c->current];
	double before = (double)s->wall[(s->last + DLS__AUTO_WALLS - 1) % DLS__AUTO_WALLS];

	if (c->current == c->home || c->shares || !(c->watch.reference > 0) || fmin(wall, before) < 1.5 * (double)c->watch.reference)
		return;
	c->trial.place = c->current;
	reject(c);
	c->current = c->home;
	c->told.adopted = c->told.executions;
	forget(c);
	/* What is known of it is of the loop before it changed. */
	c->seen[c->current].walls = 0;
	c->expected = (float)fmin(wall, before);
}

/* The place of what runs next. */
static unsigned running(const struct dls__auto_class *c)
{
	return c->trial.place != DLS__AUTO_NONE ? c->trial.place : c->current;
}

struct dls__auto_choice dls__auto_choose(struct dls__auto_class *c)
{
	join(c);

	struct dls__auto_choice choice = { .schedule = c->seen[running(c)].schedule };
	double wall = dls__auto_usual(c);

	if (c->single) {
		choice.more = UINT16_MAX;
		return choice;
	}
	choice.profile = (c->watch.since < 2 && c->profile.count < DLS__LATEST && !(wall > 0 && wall < SHORT)) ||
			 (c->trial.place == DLS__AUTO_NONE && c->told.executions >= c->profile_at);
	if (choice.profile)
		c->profile_at = c->told.executions + dls__auto_every(c, wall);
	else if (settled(c, wall))
		choice.more = until(c, wall);
	c->profiled = choice.profile;
	c->more = choice.more;
	return choice;
}

/* Loops too small or too even to be worth a prediction: try static. */
static void try_small(struct dls__auto_class *c)
{
	unsigned simple = dls__auto_find(c, DLS__AUTO_STATIC);
	double wall = dls__auto_usual(c);

	if (c->trial.runs >= DLS__AUTO_WALLS && (wall < 10 * (double)c->sharing || dls__auto_even(c, wall)) && dls__auto_open(c, simple))
		dls__auto_try(c, simple);
}

/* The first execution shows what an iteration takes; guess again if that asks for chunks of a quarter or four times the size. */
static void guess_again(struct dls__auto_class *c, double wall)
{
	struct dls__auto_class other = *c;
	int before = c->seen[c->home].schedule, now;

	dls__auto_guess(&other, dls__auto_each(c, wall));
	now = other.seen[0].schedule;
	if (before >= DLS__AUTO_STEAL && before < DLS__AUTO_SS && c->home == 0 && (now - before >= 2 || before - now >= 2))
		dls__auto_guess(c, dls__auto_each(c, wall));
}

void dls__auto_ended(struct dls__auto_class *c, unsigned schedule, uint64_t n, double wall)
{
	uint32_t times = 1u + c->more;
	bool known = wall > 1e-12 && wall < 1e9 && n > 0;	/* a float holds it, divided by n */

	c->more = 0;
	c->told.executions += times;
	c->watch.since += times;
	c->watch.last_wall = known ? (float)wall : 0;
	if (!known || c->single)
		return;
	c->n = n;
	c->told.total += wall * times;
	c->decision.ran += wall * times;
	/* Profiling makes a short loop longer: its time does not count. */
	if (c->profiled && dls__auto_usual(c) > 0 && dls__auto_usual(c) < SHORT)
		return;
	if (c->told.executions == 1)
		guess_again(c, wall);
	wall /= (double)n;
	if (c->trial.place != DLS__AUTO_NONE) {
		if (schedule == c->seen[running(c)].schedule)
			judge(c, wall);
		return;
	}
	if (schedule != c->seen[c->current].schedule)
		return;
	/* The first after a switch warms the caches. */
	if (c->trial.runs > 0)
		add_wall(&c->seen[c->current], wall);
	c->trial.runs += c->trial.runs < 255;
	flee(c, wall);
	if (changed(c)) {
		forget(c);
	} else if (c->watch.until_stable <= 1) {
		c->watch.until_stable = STABLE;
		if (c->trial.runs > 3)
			remember(c);
	} else {
		c->watch.until_stable--;
	}
	try_small(c);
}
