/* walk.c - tree walking: the actions of one node; see walk.h. */
#include "walk.h"

struct dls__mean dls__walk_mean(int64_t W, unsigned N)
{
	return (struct dls__mean){ .w_avg = W / N, .R = W % N };
}

int64_t dls__walk_quota(struct dls__mean mean, unsigned i, unsigned N_i)
{
	int64_t more = mean.R - i, r = more < 0 ? 0 : more < N_i ? more : N_i;

	return mean.w_avg * N_i + r;
}

int64_t dls__walk_up(struct dls__mean mean, unsigned i, unsigned N_i, int64_t W_i)
{
	return W_i - dls__walk_quota(mean, i, N_i);
}

size_t dls__walk_next(enum dls__walk_rule rule, const int64_t *flow, size_t edges, int64_t have)
{
	size_t next = edges;
	bool waits = false;

	for (size_t e = 0; e < edges; e++) {
		waits = waits || flow[e] < 0;
		if (flow[e] > 0 && (next == edges || (rule == DLS__MTWA && flow[e] < flow[next])))
			next = e;
	}
	/* A node that awaits nothing sends: it has enough, or with estimated times never will. */
	return waits && next < edges && (rule == DLS__TWA || flow[next] > have) ? edges : next;
}

int64_t dls__walk_pack(const struct dls_vp *vp, int64_t amount)
{
	int64_t below = dls_vp_migratable(vp, amount), low = amount, high = amount + (amount - below) - 1;

	/* One more task is nearer if `high` includes it; the load with it is the least amount that does. */
	if (high <= amount || dls_vp_migratable(vp, high) == below)
		return below;
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (dls_vp_migratable(vp, middle) == below)
			low = middle;
		else
			high = middle;
	}
	return high;
}
