/* deal.c - joining a deal, cancelling and freeing it. */
#include <stdlib.h>
#include <string.h>

#include "lib/deal/dispenser.h"
#include "lib/deal/layer.h"

void dls__deal_cancel(struct dls__deal *d)
{
	/* relaxed: a take that does not see it yet starts one chunk more, unless `cancel` says otherwise. */
	atomic_store_explicit(&d->cancelled, true, memory_order_relaxed);
	if (d->dispenser->cancel)
		d->dispenser->cancel(d);
}

void dls__deal_free(struct dls__deal *d)
{
	free(d->store.home);
	free(d->special.hand);
	free(d->special.weight);
#define X(name)				\
	if (dls__##name.free)		\
		dls__##name.free(d);
#include "lib/deal/list.h"
#undef X
	dls__measure_free(d);
	dls__timing_free(&d->timing);
}

void dls__deal_join(struct dls__cursor *c, struct dls__deal *deal)
{
	c->deal = deal;
	c->head.take = dls__leave;
	c->figures.view.has_own = false;
	if (c->head.n > 0) {
		memcpy(c->state, deal->state, deal->calc->state_size);
		deal->dispenser->join(c);
	}
	if (__builtin_expect(deal->layers, 0))
		dls__layers_join(c);
}
