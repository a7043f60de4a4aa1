/* timing.c - the filter that takes the times of an execution under `auto`: of all of it, and of each worker
 * by bucket of iterations.
 *
 * Chunks are handed out in pieces that end where a bucket ends, so that the clock is read there alone. */
#include "lib/site/costs_measured.h"
#include "lib/site/tuner.h"
#include "lib/deal/dispenser.h"
#include "lib/auto/auto.h"

static struct dls__bucket *row_of(const struct dls__timing *t, unsigned worker)
{
	return t->bucket + (size_t)worker * t->buckets;
}

/* All since the last reading of the clock was spent on one bucket, or on one piece. */
static void account(struct dls__timed *w, uint64_t now)
{
	double time = 1e-9 * (double)dls__clock_since(w->since, now);

	if (w->across.n)
		dls__worker_profile_spread(&w->profile, w->across.lo, w->across.n, time);
	else
		w->profile.bucket[w->profile.at].time += time;
	w->across.n = 0;
	w->since = now;
}

/* The piece of the chunk in flight that comes next is of one bucket, but if chunks are aligned it may reach
 * into others: then it is timed alone. */
static struct dls__chunk profiled(struct dls__work_share *d, struct dls__timed *w)
{
	struct dls__chunk piece = w->rest;
	bool inside = piece.lo >= w->profile.lo && piece.lo < w->profile.end && w->across.n == 0;
	uint64_t left;

	if (!inside) {
		account(w, dls__clock_now());
		dls__worker_profile_enter(&w->profile, piece.lo);
	}
	left = w->profile.end - piece.lo;
	piece.n = piece.n < left ? piece.n : left;
	if (d->alignment.of > 1)	/* the chunk's end is aligned too */
		piece.n = dls__alignment_up(d->alignment, d->n, piece.lo + piece.n) - piece.lo;
	if (piece.n <= left) {
		w->profile.bucket[w->profile.at].n += piece.n;
		return piece;
	}
	if (inside)
		account(w, dls__clock_now());
	return w->across = piece;
}

static struct dls__chunk take_timed(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__work_share *d = c->share;
	struct dls__timed *w = &d->timing.worker[c->worker];
	struct dls__chunk piece;

	(void)ticket;
	if (w->rest.n == 0 || dls__cancelled(d)) {
		dls__pop_filter(c, DLS__FILTER_timing);
		piece = dls__next(&c->head);
		if (piece.n == 0)	/* this worker has left: the work share may be gone */
			return piece;
		w->rest = piece;
		dls__push_filter(c, DLS__FILTER_timing, take_timed);
	}
	piece = profiled(d, w);
	w->rest.lo += piece.n;
	w->rest.n -= piece.n;
	return piece;
}

/* The last to leave learns from all.  transfer: ns that it took to count itself, on a line that another worker has written; 0: not
 * known. */
static void learn(struct dls__work_share *d, uint64_t transfer)
{
	struct dls__timing *t = &d->timing;
	const struct dls__bucket **row = t->profiled ? malloc(d->p * sizeof(*row)) : NULL;
	uint64_t last = t->opened, came = 0;

	for (unsigned i = 0; i < d->p; i++) {
		if (t->worker[i].finished > last)
			last = t->worker[i].finished;
		if (t->profiled && dls__clock_since(t->opened, t->worker[i].came) > came)
			came = t->worker[i].came - t->opened;
		if (row)
			row[i] = row_of(t, i);
	}
	if (t->profiled && d->p > 1)
		dls__costs_add(d->p, transfer, came);
	dls__auto_learn(t, d->site, d->n, d->p, 1e-9 * (double)(last - t->opened), row);
	free(row);
	/* A program may have thousands of loops, each of which is profiled now and then. */
	free(t->bucket);
	t->bucket = NULL;
	t->room_buckets = 0;
}

/* If a worker is dropped, the execution is not timed. */
static void timing_leave(struct dls__cursor *c, bool dropped)
{
	struct dls__work_share *d = c->share;
	struct dls__timing *t = &d->timing;
	uint64_t now, began, fences = 0;	/* ns that two exact readings are apart */

	if (dropped)
		return;
	now = dls__clock_now();
	t->worker[c->worker].finished = now;
	if (t->profiled) {
		account(&t->worker[c->worker], now);
		began = dls__clock_exact();
		now = dls__clock_exact();
		fences = dls__clock_since(began, now);
	}
	if (dls__last_of(d->p, &t->gone) && !dls__cancelled(d))	/* tuner.H2 */
		learn(d, t->profiled ? dls__clock_since(now + fences, dls__clock_exact()) : 0);
}

static bool timing_wants(struct dls__work_share *d, const struct dls__request *request)
{
	(void)request;
	return d->timing.timed;
}

/* The execution is timed from here on. */
static bool timing_open(struct dls__work_share *d, const struct dls__request *request)
{
	(void)request;
	dls__clock_start();
	/* relaxed: published with the rest of the work share. */
	atomic_store_explicit(&d->timing.gone, 0, memory_order_relaxed);
	d->timing.opened = dls__clock_now();
	return true;
}

static void timing_join(struct dls__cursor *c)
{
	struct dls__work_share *d = c->share;
	struct dls__timing *t = &d->timing;
	struct dls__timed *w = &t->worker[c->worker];
	uint64_t now;

	if (!t->profiled)
		return;
	dls__worker_profile_begin(&w->profile, d->n, row_of(t, c->worker), t->buckets);
	now = dls__clock_now();
	w->came = w->since = now;
	w->rest.n = w->across.n = 0;
	dls__push_filter(c, DLS__FILTER_timing, take_timed);
}

void dls__timing_free(struct dls__timing *t)
{
	free(t->worker);
	free(t->bucket);
}

const struct dls__filter_ops dls__filter_timing = {
	.wants = timing_wants, .open = timing_open, .join = timing_join, .leave = timing_leave,
};
