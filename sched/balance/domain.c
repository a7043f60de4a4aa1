/* domain.c - the known loads of a processor's neighbours, and the division of load among them: see domain.h. */
#include "domain.h"
#include "update.h"

enum { ALPHA, INF };
enum { NEAREST, FLOOR };

void dls__domain_start(struct dls_vp *vp, struct dls__domain *d)
{
	int64_t word[DLS_MESSAGE_WORDS] = { d->told = dls_vp_load(vp) };

	for (unsigned k = 0; k < dls_vp_degree(vp); k++)
		dls_vp_send(vp, dls_vp_neighbour(vp, k), DLS__DOMAIN_UPDATE, word);
}

void dls__domain_load(struct dls_vp *vp, struct dls__domain *d)
{
	if (dls__update_due(vp, &d->ticking, d->told, dls_vp_load(vp)))
		dls__domain_start(vp, d);
}

void dls__domain_timer(struct dls_vp *vp, struct dls__domain *d)
{
	d->ticking = false;
	if (dls__update_timer(vp, &d->ticking, d->told, dls_vp_load(vp)))
		dls__domain_start(vp, d);
}

static double deviation(double mean, int64_t load, enum dls__side side)
{
	return side == DLS__GIVE ? mean - (double)load : (double)load - mean;
}

double dls__domain_low(const struct dls_vp *vp, unsigned first)
{
	const struct dls_value *low = dls_vp_value(vp, first + DLS__LOW);

	if (low->word == ALPHA)
		return 1 + dls_vp_initial_mean_load(vp) / 10;
	return low->word == INF ? (double)INFINITY : low->real;
}

static double weight(const struct dls__domain_division *d, const struct dls__link *link)
{
	double h = deviation(d->mean, link->load, d->side);

	return h > 0 && !(link->barren && d->side == DLS__TAKE) ? h : 0;	/* eqs. 10, 17 */
}

struct dls__domain_division dls__domain_divide(const struct dls_vp *vp, const struct dls__link *link, int64_t own,
					       enum dls__side side)
{
	unsigned K = dls_vp_degree(vp);
	struct dls__domain_division d = { .side = side };
	int64_t sum = own;

	for (unsigned k = 0; k < K; k++)
		sum += link[k].load;
	d.mean = (double)sum / (K + 1.0);
	d.excess = -deviation(d.mean, own, side);
	d.left = ceil(d.excess - .5);
	for (unsigned k = 0; k < K; k++)
		d.total += weight(&d, &link[k]);
	return d;
}

int64_t dls__domain_share(const struct dls_vp *vp, struct dls__domain_division *d, const struct dls__link *link,
			  unsigned first)
{
	bool nearest = dls_vp_value(vp, first + DLS__ROUND)->word == NEAREST;
	double share = d->excess * weight(d, link);

	if (!(share > 0))
		return 0;
	share /= d->total;
	share = fmin(nearest ? floor(share + .5) : floor(share), d->left);
	if (share <= 0 || share < dls_vp_value(vp, first + DLS__MIN)->real)
		return 0;
	d->left -= share;
	return (int64_t)share;
}

void dls__domain_told(struct dls__link *link, const struct dls_message *message, int64_t load)
{
	*link = (struct dls__link){ .load = load, .sent = message->sent };
}

void dls__domain_decision(struct dls_vp *vp, const struct dls__link *link)
{
	unsigned K = dls_vp_degree(vp);
	uint64_t age = 0;

	for (unsigned k = 0; k < K; k++)
		age += dls__update_age(vp, link[k].sent);
	dls__update_decision(vp, age, K);
}
