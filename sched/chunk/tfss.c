/* tfss.c - trapezoid factoring self-scheduling: batches of P equal chunks, each the mean of P sizes of tss.
 *
 * Chronopoulos, Andonie, Benche, Grosu, "A class of loop self-scheduling for heterogeneous clusters", IEEE
 * Cluster 2001, pp. 282-291. */
#include "batch.h"
#include "tss.h"

struct tfss {
	struct batch batch;
	struct tss tss;
};

static int tfss_init(void *state, const struct dls_loop_desc *loop)
{
	struct tfss *f = state;

	f->batch = (struct batch){ .p = loop->p };
	tss_begin(&f->tss, loop->n, loop->p, 0, 1);
	return 0;
}

static uint64_t tfss_next(void *state, uint64_t R)
{
	struct tfss *f = state;

	if (f->batch.left == 0) {
		uint64_t sum = 0;	/* at most P (N/2P + 1) */

		for (unsigned i = 0; i < f->batch.p; i++)
			sum += tss_size(&f->tss);
		f->batch.K = dls_ceil_div(sum, f->batch.p);
		f->batch.left = f->batch.p;
	}
	return batch_take(&f->batch, R);
}

const struct dls_calc dls__calc_tfss = {
	.size = sizeof(struct dls_calc), .name = "tfss", .source = "Chronopoulos 2001",
	.dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct tfss), .init = tfss_init, .next = tfss_next,
	.repeat = batch_repeat,
};
