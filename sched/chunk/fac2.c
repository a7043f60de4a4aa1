/* fac2.c - factoring with x = 2: each batch of P equal chunks takes half of what remains.
 *
 * Hummel, Schonberg, Flynn, "Factoring: a method for scheduling parallel loops", CACM 35(8):90-101, 1992. */
#include "batch.h"
#include "fac2.h"

static int fac2_init(void *state, const struct dls_loop_desc *loop)
{
	*(struct batch *)state = (struct batch){ .p = loop->p };
	return 0;
}

static uint64_t fac2_next(void *state, uint64_t R)
{
	struct batch *b = state;

	if (b->left == 0) {
		b->K = fac2_chunk(R, b->p);
		b->left = b->p;
	}
	return batch_take(b, R);
}

static uint64_t fac2_repeat(void *state)
{
	return batch_repeat(state);
}

const struct dls_calc dls__calc_fac2 = {
	.name = "fac2", .aliases = "auto", .source = "Hummel 1992", .dispenser = DLS_TICKETS,
	.state_size = sizeof(struct batch), .init = fac2_init, .next = fac2_next, .repeat = fac2_repeat,
};
