/* sizes.c - the classes kept of a loop: one for each number of workers and half octave of iterations. */
#include <stdlib.h>
#include <string.h>

#include "dls/error.h"
#include "lib/auto/auto.h"
#include "sched/chunk/first.h"

unsigned dls__auto_octave(uint64_t n)
{
	return dls__octave(n);
}

unsigned dls__auto_first(unsigned p, uint64_t n, unsigned flags)
{
	if (flags & DLS__AUTO_MONOTONIC)
		return DLS__AUTO_FAC2;
	return DLS__AUTO_STEAL + dls__first_power(p, n);
}

/* Add a candidate, once. */
static unsigned add(struct dls__auto_class *c, unsigned schedule)
{
	unsigned i = 0;

	while (i < c->candidates && c->seen[i].schedule != schedule)
		i++;
	if (i == c->candidates && i < DLS__AUTO_CANDIDATES)
		c->seen[c->candidates++].schedule = (uint8_t)schedule;
	return i;
}

static void add_all(struct dls__auto_class *c)
{
	double n = dls__typical(c->n), p = c->p;
	unsigned first = dls__auto_first(c->p, c->n, c->flags);

	add(c, first);
	add(c, DLS__AUTO_STATIC);
	if (!(c->flags & DLS__AUTO_MONOTONIC)) {
		add(c, first > DLS__AUTO_STEAL + 2 ? first - 2 : DLS__AUTO_STEAL);
		add(c, first + 2);
		add(c, DLS__AUTO_FRAC);
	}
	add(c, DLS__AUTO_FAC2);
	add(c, DLS__AUTO_MFSC);
	add(c, DLS__AUTO_TSS);
	add(c, DLS__AUTO_SS + dls__power(n / (64 * p), 60));
	add(c, DLS__AUTO_SS + dls__power(n / (16 * p), 60));
	if (n <= 1024)
		add(c, DLS__AUTO_SS);
	add(c, DLS__AUTO_AF);
	add(c, DLS__AUTO_AWF_B);
	add(c, DLS__AUTO_WEIGHTS);
	if (c->flags & DLS__AUTO_MAY_SERIAL)
		add(c, DLS__AUTO_SERIAL);
}

static void begin(struct dls__auto_class *c, unsigned p, uint64_t n, unsigned flags, int home, double region)
{
	memset(c, 0, dls__auto_size(p));
	c->p = p;
	c->n = n;
	c->octave = dls__auto_octave(n);
	c->flags = flags;
	c->buckets = dls__auto_buckets(p, UINT64_MAX);
	c->region = region > 0 && region < 1 ? (float)region : 1e-6f;
	/* As measured on a slow machine; then measured here. */
	c->decision.took = 10e-6f + 5e-6f * (float)p;
	c->trial.place = DLS__AUTO_NONE;
	c->single = p == 1 || n <= 1;
	c->decision.correction[0] = c->decision.correction[1] = 1;
	add_all(c);
	for (unsigned i = 0; i < c->candidates; i++)
		if ((int)c->seen[i].schedule == home)
			c->home = (uint8_t)i;
	c->current = c->home;
	for (unsigned w = 0; w < p; w++)
		c->data[w] = 1;		/* speeds: see profiles.c */
}

struct dls__auto_class *dls__auto_class(struct dls__auto *a, unsigned p, uint64_t n, unsigned flags, int home, double region)
{
	unsigned octave = dls__auto_octave(n), oldest = 0;
	struct dls__auto_class *c;

	a->used++;
	for (unsigned i = 0; i < DLS__AUTO_CLASSES; i++) {
		c = a->kept[i];
		if (c && c->p == p && c->octave == octave) {
			if (c->flags != flags)
				begin(c, p, n, flags, home, region);
			c->used = a->used;
			c->n = n;
			return c;
		}
		/* Unused places first; the difference stays right when the count wraps. */
		if (a->kept[oldest] && (!c || a->used - c->used > a->used - a->kept[oldest]->used))
			oldest = i;
	}
	c = a->kept[oldest];
	if (!c || c->p != p) {
		struct dls__auto_class *made = malloc(dls__auto_size(p));

		if (!made)
			return NULL;
		free(c);
		a->kept[oldest] = c = made;
	}
	begin(c, p, n, flags, home, region);
	c->used = a->used;
	return c;
}

void dls__auto_free(struct dls__auto *a)
{
	for (unsigned i = 0; i < DLS__AUTO_CLASSES; i++)
		free(a->kept[i]);
	*a = (struct dls__auto){ 0 };
}
