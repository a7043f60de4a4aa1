/* domain.c - the known loads of a processor's neighbours, and the division of load among them: see domain.h. */
#include "domain.h"
#include "life.h"

enum { ALPHA, INF };
enum { NEAREST, FLOOR };
enum { RAISE = 1, OFF = 1, PENDING = 1 };	/* small=, cap=, counts= */
enum { EMPTY, WAIT };	/* unknown= */

static bool is(const struct dls_vp *vp, unsigned param, int word)
{
	return dls_vp_value(vp, param)->word == word;
}

int64_t dls__domain_own(const struct dls_vp *vp)
{
	int64_t queued = dls_vp_queued_load(vp);

	if (!is(vp, DLS__COUNTS, PENDING))
		return dls_vp_load(vp);
	/* If no task runs, the first queued task begins as soon as the handler returns. */
	return queued > 0 && queued == dls_vp_load(vp) ? queued - queued / (int64_t)dls_vp_queued_tasks(vp) : queued;
}

static void tell(struct dls_vp *vp, struct dls__domain *d)
{
	int64_t word[DLS_MESSAGE_WORDS] = { d->told = dls__domain_own(vp) };

	for (unsigned k = 0; k < dls_vp_degree(vp); k++)
		dls_vp_send(vp, dls_vp_neighbour(vp, k), DLS__DOMAIN_UPDATE, word);
}

void dls__domain_start(struct dls_vp *vp, void *state)
{
	dls__give_life(vp);
	tell(vp, state);
}

void dls__domain_load(struct dls_vp *vp, void *state)
{
	struct dls__domain *d = state;

	if (dls__update_due(vp, &d->ticking, d->told, dls__domain_own(vp)))
		tell(vp, d);
}

void dls__domain_timer(struct dls_vp *vp, void *state, unsigned which)
{
	struct dls__domain *d = state;

	(void)which;
	d->ticking = false;
	if (dls__update_timer(vp, &d->ticking, d->told, dls__domain_own(vp)))
		tell(vp, d);
}

static double deviation(double mean, int64_t load, enum dls__side side)
{
	return side == DLS__GIVE ? mean - (double)load : (double)load - mean;
}

double dls__domain_low(const struct dls_vp *vp)
{
	const struct dls_value *low = dls_vp_value(vp, DLS__LOW);

	if (low->word == ALPHA)
		return 1 + dls_vp_initial_mean_load(vp) / 10;
	return low->word == INF ? (double)INFINITY : low->real;
}

static double weight(const struct dls__domain_division *d, const struct dls__link *link)
{
	double h = deviation(d->mean, link->load, d->side);

	if (!link->known && !d->empty)
		return 0;
	return h > 0 && !(link->barren && d->side == DLS__TAKE) ? h : 0;	/* eqs. 10, 17 */
}

struct dls__domain_division dls__domain_divide(const struct dls_vp *vp, const struct dls__link *link,
					       enum dls__side side)
{
	unsigned K = dls_vp_degree(vp);
	struct dls__domain_division d = { .side = side, .empty = is(vp, DLS__UNKNOWN, EMPTY) };
	unsigned counted = 1;
	int64_t own = dls__domain_own(vp), sum = own;

	for (unsigned k = 0; k < K; k++)
		if (link[k].known || d.empty) {
			sum += link[k].load;
			counted++;
		}
	if (counted <= K && is(vp, DLS__UNKNOWN, WAIT))
		return d;
	d.mean = (double)sum / counted;
	d.excess = -deviation(d.mean, own, side);
	if (!(d.excess > dls_vp_value(vp, DLS__THRESHOLD)->real))	/* eqs. 9, 16 */
		return d;
	d.left = is(vp, DLS__CAP, OFF) ? (double)INFINITY : ceil(d.excess - .5);
	for (unsigned k = 0; k < K; k++)
		d.total += weight(&d, &link[k]);
	return d;
}

int64_t dls__domain_share(const struct dls_vp *vp, struct dls__domain_division *d, const struct dls__link *link)
{
	double share = d->excess * weight(d, link), min;

	if (!(share > 0 && d->left > 0))
		return 0;
	min = dls_vp_value(vp, DLS__MIN)->real;
	share /= d->total;
	share = is(vp, DLS__ROUND, NEAREST) ? floor(share + .5) : floor(share);
	if (is(vp, DLS__SMALL, RAISE))
		share = fmax(share, ceil(min));
	share = fmin(share, d->left);
	if (share <= 0 || share < min)
		return 0;
	d->left -= share;
	return (int64_t)share;
}

void dls__domain_told(struct dls__link *link, const struct dls_message *message, int64_t load)
{
	*link = (struct dls__link){ .load = load, .sent = message->sent, .known = true };
}

void dls__domain_decision(struct dls_vp *vp, const struct dls__link *link)
{
	unsigned K = dls_vp_degree(vp);
	uint64_t age = 0;

	for (unsigned k = 0; k < K; k++)
		age += dls__update_age(vp, link[k].sent);
	dls__update_decision(vp, age, K);
}
