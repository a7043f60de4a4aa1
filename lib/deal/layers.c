/* layers.c - the layers of a deal: which it has, joined from the lowest up, left from the highest down. */
#include "lib/deal/layer.h"

static const struct dls__layer_ops *const layer[DLS__LAYERS] = {
#define X(name) [DLS__LAYER_##name] = &dls__layer_##name,
#include "lib/deal/layers.h"
#undef X
};

/* Take the lowest or the highest layer out of a set; false: it was empty. */
static inline bool next_up(unsigned *layers, unsigned *i)
{
	if (!*layers)
		return false;
	*i = (unsigned)__builtin_ctz(*layers);
	*layers &= *layers - 1;
	return true;
}

static inline bool next_down(unsigned *layers, unsigned *i)
{
	if (!*layers)
		return false;
	*i = 31 - (unsigned)__builtin_clz(*layers);
	*layers &= ~(1u << *i);
	return true;
}

void dls__layers_choose(struct dls__deal *d, const struct dls__ask *ask)
{
	unsigned layers = 0;

	for (unsigned i = 0; i < DLS__LAYERS; i++)
		if (layer[i]->wants && layer[i]->wants(d, ask))
			layers |= 1u << i;
	if (d->layers != layers)	/* so that the line stays shared */
		d->layers = (uint8_t)layers;
}

bool dls__layers_open(struct dls__deal *d, const struct dls__ask *ask)
{
	for (unsigned layers = d->layers, i; next_up(&layers, &i);)
		if (layer[i]->open && !layer[i]->open(d, ask))
			return false;
	return true;
}

bool dls__layers_constant(const struct dls__deal *d)
{
	for (unsigned layers = d->layers, i; next_up(&layers, &i);)
		if (!layer[i]->constant)
			return false;
	return true;
}

static void leave(struct dls__cursor *c, bool dropped)
{
	c->leave = c->leave_beneath;
	for (unsigned layers = c->deal->layers, i; next_down(&layers, &i);)
		if (layer[i]->leave)
			layer[i]->leave(c, dropped);
	if (c->leave)
		c->leave(c);
}

static void leave_layers(struct dls__cursor *c)
{
	leave(c, false);
}

void dls__layers_join(struct dls__cursor *c)
{
	c->leave_beneath = c->leave;
	for (unsigned layers = c->deal->layers, i; next_up(&layers, &i);) {
		layer[i]->join(c);
		if (layer[i]->leave)
			c->leave = leave_layers;
	}
}

void dls__deal_drop(struct dls__cursor *c)
{
	if (c->leave == leave_layers)
		leave(c, true);
	else if (c->leave)
		c->leave(c);
}
