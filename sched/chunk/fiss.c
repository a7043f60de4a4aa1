/* fiss.c - fixed increase size chunks: B stages of P equal chunks, larger by the same step each.
 *
 * Philip, Das, "Evaluation of loop scheduling algorithms on distributed memory systems", PDCS 1997:
 * c_0 = N/((B+2) P), c_j = c_{j-1} + d with d = 2N (1 - B/(B+2)) / (P B (B-1)), that is c_j = N (B (B-1) + 4j) / (P B (B-1)
 * (B+2)). */
#include "batch.h"
#include "sched/wide.h"

struct fiss {
	struct batch batch;
	uint64_t n, B, j;
};

static int fiss_init(void *state, const struct dls_loop_desc *loop)
{
	uint64_t B = loop->arg && loop->arg[0].given ? loop->arg[0].count : loop->p > 3 ? loop->p - 1 : 2;

	*(struct fiss *)state = (struct fiss){ .batch.p = loop->p, .n = loop->n, .B = B };
	return 0;
}

static uint64_t fiss_next(void *state, uint64_t R)
{
	struct fiss *f = state;

	if (f->batch.left == 0) {
		uint64_t pairs = f->B * (f->B - 1);
		dls__wide below = dls__wide_product(pairs * (f->B + 2), f->batch.p);

		f->batch.K = dls__wide_ceil(dls__wide_product(f->n, pairs + 4 * f->j), below);
		f->batch.left = f->batch.p;
		f->j++;
	}
	return batch_take(&f->batch, R);
}

const struct dls_calc dls__calc_fiss = {
	.size = sizeof(struct dls_calc), .name = "fiss", .source = "Philip 1997", .dispenser = DLS_DISPENSER_TICKETS,
	.state_size = sizeof(struct fiss), .init = fiss_init, .next = fiss_next, .repeat = batch_repeat,
	.param = {
		{ .name = "b", .min = 2, .max = 65536, .whole = true, .text = "stages B; default P - 1, at least 2" },
	},
};
