/* layer.h - what stands between a dispenser and a worker.
 *
 * A layer has a take, which it puts before what the cursor takes from when it joins (dls__cover()).  Whenever the worker asks, the take
 * uncovers that, asks it by dls__next(), covers it again unless nothing came, and hands out what it makes of the chunk.  It does not
 * know what is beneath it, nor above. */
#ifndef LIB_DEAL_LAYER_H
#define LIB_DEAL_LAYER_H

#include "lib/deal/deal.h"

struct dls__layer_ops {
	/* Whether the workers of the deal that opens go through it, whose dispenser and layers beneath are chosen; NULL: those who join
	 * a cursor say so. */
	bool (*wants)(struct dls__deal *deal, const struct dls__ask *ask);
	/* Prepare the deal, whose dispenser is open; NULL: there is nothing to.  False: there is no memory. */
	bool (*open)(struct dls__deal *deal, const struct dls__ask *ask);
	/* Prepare the cursor, and cover what it takes from. */
	void (*join)(struct dls__cursor *cursor);
	/* The worker leaves; NULL: that is nothing to it.  dropped: it has not asked to the end. */
	void (*leave)(struct dls__cursor *cursor, bool dropped);
	bool constant;		/* the next opening for the same loop finds the deal as this one has left it */
};

/* Each is dls__layer_NAME. */
#define X(name) extern const struct dls__layer_ops dls__layer_##name;
#include "lib/deal/layers.h"
#undef X

/* Choose and prepare the layers of a deal that opens. */
void dls__layers_choose(struct dls__deal *deal, const struct dls__ask *ask);
bool dls__layers_open(struct dls__deal *deal, const struct dls__ask *ask);

/* Whether the next opening for the same loop finds the layers as this one has left them. */
bool dls__layers_constant(const struct dls__deal *deal);

/* Have a cursor that has joined the dispenser go through the deal's layers. */
void dls__layers_join(struct dls__cursor *cursor);

#endif
