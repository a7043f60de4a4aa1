/* dealer.c - chunk sizes one after another, from any calculator. */
#include <math.h>

#include "dealer.h"

static const struct dls_calc *dealing(const struct dls_calc *calc, unsigned known)
{
	while (calc->needs & (DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H) & ~known)
		calc = dls_calc_find(calc->fallback ? calc->fallback : "fac2");
	return calc;
}

static struct dls_loop_desc describe(const struct dls__dealer *d, uint64_t n, unsigned id, double weight)
{
	return (struct dls_loop_desc){
		.size = sizeof(struct dls_loop_desc), .n = n, .p = d->p, .chunk = d->calc->chunk ? 0 : d->least,
		.mu = d->told.mu, .sigma = d->told.sigma, .h = d->told.h, .worker = id, .weight = weight, .view = &d->view,
	};
}

/* Start a calculator for the loop; false: it refuses the loop. */
static bool begin(struct dls__dealer *d, const struct dls_calc *calc, uint64_t n, unsigned p, uint64_t least,
		  struct dls__moments_told told)
{
	struct dls_loop_desc desc;

	*d = (struct dls__dealer){ .calc = calc, .R = n, .least = 1, .p = p, .told = told };
	if (!calc->chunk && least > 1)
		d->least = least < n ? least : n;
	desc = describe(d, n, 0, 1);
	return calc->init(d->state, &desc) == 0;
}

void dls__dealer_open(struct dls__dealer *d, const struct dls_calc *calc, uint64_t n, unsigned p, uint64_t least,
		      struct dls__moments_told told)
{
	if (!begin(d, dealing(calc, told.known), n, p, least, told))
		begin(d, dls_calc_find("fac2"), n, p, least, told);
}

void dls__dealer_join(struct dls__dealer *d, struct dls__dealt *w, unsigned id, uint64_t n)
{
	struct dls_loop_desc desc = describe(d, n, id, w->weight);

	if (d->calc->dispenser == DLS_DISPENSER_LIVE)
		d->calc->init(w->state, &desc);
}

/* Make a worker's figures visible to the others. */
static void tell(struct dls__dealer *d, struct dls__dealt *w, const double own[2])
{
	for (int i = 0; i < 2; i++) {
		d->sum[i] += own[i] - w->own[i];
		w->own[i] = own[i];
	}
	d->view.known += !w->has_own;
	w->has_own = true;
	w->later = false;
}

static void look(struct dls__dealer *d, struct dls__dealt *w)
{
	if (w->later && w->batch < d->batch)
		tell(d, w, w->next);
	d->view.has_own = w->has_own;
	for (int i = 0; i < 2; i++) {
		d->view.own[i] = w->own[i];
		d->view.sum[i] = d->sum[i];
	}
}

static double weight_of(const struct dls__dealer *d, const struct dls__dealt *w)
{
	double weight = 1;

	if (d->calc->weight && w->has_own)
		weight = d->calc->weight(&d->view);
	else if (d->calc->needs & DLS_NEED_WEIGHTS)
		weight = w->weight;
	return weight > 1.0 / 64 ? fmin(weight, d->p) : 1.0 / 64;
}

uint64_t dls__dealer_size(struct dls__dealer *d, struct dls__dealt *w)
{
	bool live = d->calc->dispenser == DLS_DISPENSER_LIVE;
	uint64_t K;

	d->batch = d->chunks++ / d->p;
	look(d, w);
	w->batch = d->batch;
	K = d->calc->next(live ? w->state : d->state, d->R);
	if (!live)
		K = dls_round_up(weight_of(d, w) * (double)K, d->R);
	K = K > d->least ? K : d->least;
	return K < d->R ? K : d->R;
}

void dls__dealer_take(struct dls__dealer *d, struct dls__dealt *w, uint64_t n)
{
	double own[2];

	d->R -= n < d->R ? n : d->R;
	if (!d->calc->took)
		return;
	d->calc->took(w->state, n, own);
	tell(d, w, own);
}

void dls__dealer_learn(struct dls__dealer *d, struct dls__dealt *w, const struct dls_sample *sample)
{
	double own[2];

	d->view.done += sample->n;
	if (d->calc->pace < DLS_PACE_BATCH || !d->calc->learn || sample->n == 0 || !(sample->time > 0) || isinf(sample->time))
		return;
	d->calc->learn(d->calc->dispenser == DLS_DISPENSER_LIVE ? w->state : d->state, &w->memory, sample, own);
	if (!(own[0] > 0) || isinf(own[0]) || !isfinite(own[1]))
		return;
	if (d->calc->pace == DLS_PACE_CHUNK) {
		tell(d, w, own);
		return;
	}
	w->later = true;
	w->next[0] = own[0];
	w->next[1] = own[1];
}
