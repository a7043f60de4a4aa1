/* candidates.c - the schedules that auto chooses from: their texts, and which of them suit a class. */
#include <math.h>
#include <string.h>

#include "lib/auto/auto.h"
#include "lib/auto/numbers.h"
#include "lib/base/name.h"
#include "sched/chunk/first.h"

static const char *const fixed[DLS__AUTO_STEAL] = { "static", "fac2", "gss" };

void dls__auto_text(unsigned schedule, char text[DLS__AUTO_TEXT])
{
	bool steal = schedule < DLS__AUTO_SS;

	if (schedule < DLS__AUTO_STEAL) {
		strcpy(text, fixed[schedule]);
		return;
	}
	strcpy(text, steal ? "steal," : "ss,");
	dls__name_number(text + strlen(text), (int64_t)1 << (schedule - (steal ? DLS__AUTO_STEAL : DLS__AUTO_SS)));
}

unsigned dls__auto_octave(uint64_t n)
{
	return dls__octave(n);
}

unsigned dls__auto_first(unsigned p, uint64_t n, unsigned flags)
{
	if (flags >= DLS__AUTO_OWN)
		return flags / DLS__AUTO_OWN - 1;
	if (flags & DLS__AUTO_MONOTONIC)
		return DLS__AUTO_FAC2;
	return DLS__AUTO_STEAL + dls__first_power(p, n);
}

bool dls__auto_affine(unsigned schedule)
{
	return schedule == DLS__AUTO_STATIC || (schedule >= DLS__AUTO_STEAL && schedule < DLS__AUTO_SS);
}

unsigned dls__auto_find(const struct dls__size_class *c, unsigned schedule)
{
	unsigned i = 0;

	while (i < c->candidates && c->arm[i].schedule != schedule)
		i++;
	return i;
}

/* Add a candidate, once. */
static void add(struct dls__size_class *c, unsigned schedule)
{
	if (dls__auto_find(c, schedule) == c->candidates && c->candidates < DLS__AUTO_CANDIDATES)
		c->arm[c->candidates++].schedule = (uint8_t)schedule;
}

double dls__auto_each(const struct dls__size_class *c, double wall)
{
	return wall * c->at_once / (double)c->n;
}

/* Each of Q processors makes N/QK takes, and the chunk that starts last keeps the others waiting for about K/4
 * iterations: together they are least at K = 2 sqrt(TAKE / each N/Q).  A worker has some chunks for others to steal. */
unsigned dls__auto_suited(const struct dls__size_class *c, double each)
{
	double n = dls__typical(c->n);

	if (!(each > 0) || c->flags & DLS__AUTO_MONOTONIC)
		return dls__auto_first(c->p, c->n, c->flags % DLS__AUTO_OWN);
	return DLS__AUTO_STEAL +
	       dls__power(fmin(2 * sqrt(TAKE / each * (n / c->at_once)), n / c->p / CHUNKS), 16);
}

void dls__auto_guess(struct dls__size_class *c, double each)
{
	double n = dls__typical(c->n), p = c->p;
	unsigned first = dls__auto_suited(c, each);

	memset(c->arm, 0, sizeof(c->arm));
	c->candidates = c->current = 0;
	if (c->single)
		add(c, DLS__AUTO_STATIC);
	else if (c->flags >= DLS__AUTO_OWN)
		add(c, dls__auto_first(c->p, c->n, c->flags));
	add(c, first);
	add(c, DLS__AUTO_STATIC);
	if (!(c->flags & DLS__AUTO_MONOTONIC))
		add(c, first > DLS__AUTO_STEAL + 2 ? first - 2 : DLS__AUTO_STEAL);
	add(c, DLS__AUTO_FAC2);
	add(c, DLS__AUTO_SS + dls__power(n / (CHUNKS * p), 60));
}
