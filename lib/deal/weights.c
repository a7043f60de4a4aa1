/* weights.c - the weights of a deal's workers, by what its site has learned of them. */
#include "lib/deal/deal.h"
#include "lib/schedule/schedule.h"
#include "sched/registry.h"

/* What the site knows of a worker's rate; 0: nothing. */
static double rate_of(const struct dls__deal *d, unsigned worker)
{
	struct dls__rates *rates = dls__rates(&d->site->statistics.learned, worker, false);

	if (!rates)
		return 0;
	/* relaxed: a number that stands for itself. */
	return atomic_load_explicit(d->schedule->calc->dispenser == DLS_DISPENSER_OWN ? &rates->last : &rates->rate,
				    memory_order_relaxed);
}

static bool have_room(struct dls__special *s, unsigned p)
{
	if (s->weighed < p) {
		free(s->weight);
		s->weight = calloc(p, sizeof(*s->weight));
		s->weighed = s->weight ? p : 0;
	}
	return s->weighed >= p;
}

/* Weights in proportion to the rates, the mean being 1; a worker that the site knows nothing of has the mean.  Returns how many it
 * knows. */
static unsigned find(const struct dls__deal *d, struct dls__weight *weight)
{
	struct dls_measured view = { .known = 0 };
	double sum = 0;

	for (unsigned i = 0; i < d->p; i++) {
		weight[i].own = rate_of(d, i);
		view.sum[0] += weight[i].own;
		view.known += weight[i].own > 0;
	}
	for (unsigned i = 0; i < d->p; i++) {
		view.own[0] = weight[i].own;
		weight[i].own = view.own[0] > 0 ? dls__learned_weight(dls__calc_awf.weight(&view), d->p) : 1;
		sum += weight[i].own;
		weight[i].upto = sum;
	}
	for (unsigned i = 0; i < d->p; i++) {
		weight[i].own *= d->p / sum;
		weight[i].upto *= d->p / sum;
	}
	weight[d->p - 1].upto = d->p;
	return view.known;
}

bool dls__deal_weigh(struct dls__deal *d)
{
	bool learned = false;

	if (d->site && (d->schedule->site_weights || d->schedule->calc->pace == DLS_PACE_EXECUTION)) {
		if (!have_room(&d->special, d->p))
			return false;
		learned = find(d, d->special.weight) > 0;
	}
	if (d->special.learned != learned)	/* so that the line stays shared */
		d->special.learned = learned;
	return true;
}
