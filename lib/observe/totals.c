/* totals.c - one execution, added up over its workers. */
#include <math.h>

#include "lib/base/clock.h"
#include "lib/observe/totals.h"

uint64_t dls__finish_of(const struct dls__execution *e, unsigned worker, const struct dls__totals *t)
{
	return dls__came(e, worker) ? dls__clock_since(t->begin, e->watch[worker].finished) : 0;
}

uint64_t dls__late_of(const struct dls__execution *e, unsigned worker, const struct dls__totals *t)
{
	const struct dls__watch *w = &e->watch[worker];

	return dls__came(e, worker) ? dls__clock_since(w->freed > t->begin ? w->freed : t->begin, w->came) : t->wall;
}

uint64_t dls__idle_of(const struct dls__execution *e, unsigned worker, const struct dls__totals *t)
{
	const struct dls__watch *w = &e->watch[worker];

	if (!dls__came(e, worker))
		return 0;
	return dls__clock_since(w->came + w->busy + w->dispatch, e->nowait ? w->finished : t->begin + t->wall);
}

/* By how much the wall time would be shorter if those who came had all finished at the mean of their finishing times.  None
 * could before it came; and no schedule makes a loop shorter by more than the work that it moves. */
static double saving(const struct dls__execution *e, const struct dls__totals *t)
{
	double finish = 0, last = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < e->workers; i++)
		if (dls__came(e, i)) {
			n++;
			finish += (double)dls__finish_of(e, i, t);
			last = fmax(last, (double)dls__clock_since(t->begin, e->watch[i].came));
		}
	return n ? fmin((double)t->wall - fmax(round(finish / n), last), (double)t->longest) : 0;
}

/* dls_cov() of the finishing times. */
static double cov(const struct dls__execution *e, const struct dls__totals *t)
{
	double mean = t->finish / e->workers, squares = 0;

	if (t->finish == 0)
		return 0;
	for (unsigned i = 0; i < e->workers; i++) {
		double off = (double)dls__finish_of(e, i, t) / mean - 1;

		squares += off * off;
	}
	return sqrt(squares / e->workers);
}

struct dls__totals dls__add_up(const struct dls__execution *e)
{
	struct dls__totals t = { .begin = UINT64_MAX };

	for (unsigned i = 0; i < e->workers; i++)
		if (dls__came(e, i) && e->watch[i].came < t.begin)
			t.begin = e->watch[i].came;
	for (unsigned i = 0; i < e->workers; i++) {
		const struct dls__watch *w = &e->watch[i];
		uint64_t finish = dls__finish_of(e, i, &t);

		t.wall = finish > t.wall ? finish : t.wall;
		t.finish += (double)finish;
		if (!dls__came(e, i))
			continue;
		t.requests += w->chunks + 1;
		t.busy += (double)w->busy;
		t.dispatch += (double)w->dispatch;
		t.longest = w->busy > t.longest ? w->busy : t.longest;
		t.chunks += w->chunks;
		t.iterations += w->iterations;
	}
	for (unsigned i = 0; i < e->workers; i++) {
		t.late += (double)dls__late_of(e, i, &t);
		t.idle += (double)dls__idle_of(e, i, &t);
	}
	t.saving = saving(e, &t);
	t.cov = cov(e, &t);
	return t;
}
