/* trial.c - a candidate runs in place of the current schedule until it has shown what it takes. */
#include <math.h>

#include "lib/auto/auto.h"
#include "lib/auto/numbers.h"

bool dls__auto_open(const struct dls__auto_class *c, unsigned i)
{
	return i != c->current && c->told.executions >= c->seen[i].until &&
	       c->told.lost < LOST * c->told.total;
}

void dls__auto_try(struct dls__auto_class *c, unsigned i)
{
	c->trial = (struct dls__auto_trial){ .place = (uint8_t)i };
	c->seen[i].walls = 0;
	c->told.trials++;
}

/* Whether a central schedule is on trial for the order of its iterations, without a gain that was predicted. */
static bool for_order(const struct dls__auto_class *c, double now)
{
	const struct dls__auto_seen *s = &c->seen[c->trial.place];

	return !dls__auto_affine(s->schedule) && (1 + GAIN) * (double)s->predicted > now;
}

static void end(struct dls__auto_class *c)
{
	c->trial = (struct dls__auto_trial){ .place = DLS__AUTO_NONE };
}

static void reject(struct dls__auto_class *c)
{
	struct dls__auto_seen *s = &c->seen[c->trial.place];

	s->until = c->told.executions + ((uint32_t)SETTLED << s->rejected);
	s->rejected += s->rejected < IN_VAIN;
	c->told.lost += fmax(0, c->trial.losing);
	end(c);
}

static void keep(struct dls__auto_class *c)
{
	c->seen[c->trial.place].rejected = 0;
	c->current = c->trial.place;
	c->told.adopted = c->told.executions;
	c->told.kept++;
	c->watch.usual = (float)dls__auto_median(&c->seen[c->current]);
	c->shares = c->trial.together;
	if (c->shares) {	/* the profiles are of data that were elsewhere */
		dls__latest_forget(&c->profile);
		c->profile_at = 0;
	}
	end(c);
}

/* Whether two executions in sequence are too long; a single one may have been disturbed. */
static bool hopeless(const struct dls__auto_class *c, double wall, double now)
{
	return c->trial.before > 0 && !for_order(c, now) &&
	       CLEAR * fmin(wall, (double)c->trial.before) > now;
}

static bool gains(const struct dls__auto_class *c, double now)
{
	return dls__auto_median(&c->seen[c->trial.place]) < (for_order(c, now) ? CLEAR : 1 - GAIN) * now;
}

/* Executions that are measured, after the first, which warms the caches. */
static unsigned runs_of(const struct dls__auto_class *c, double now)
{
	return for_order(c, now) ? RUNS_MANY : RUNS;
}

void dls__auto_tried(struct dls__auto_class *c, double wall)
{
	double now = dls__auto_median(&c->seen[c->current]);

	/* An execution longer than the one before may have been disturbed. */
	c->trial.losing += (double)c->n *
			   ((c->trial.before > 0 ? fmin(wall, (double)c->trial.before) : wall) - now);
	if (c->trial.runs++ > 0)
		dls__auto_add_wall(&c->seen[c->trial.place], wall);
	if (hopeless(c, wall, now))	/* also if only its last executions are: the loop has changed */
		reject(c);
	else if (c->trial.runs <= runs_of(c, now))
		c->trial.before = (float)wall;
	else if (gains(c, now))
		keep(c);
	else
		reject(c);
}
