/* viss.c - variable increase size chunks: stages of P equal chunks, the increase halving from stage to stage.
 *
 * Philip, Das, "Evaluation of loop scheduling algorithms on distributed memory systems", PDCS 1997:
 * c_0 = N/(X P), c_j = c_0 (1 + 1/2 + ... + 1/2^j) = c_0 (2 - 2^-j). */
#include "batch.h"
#include "sched/wide.h"

struct viss {
	struct batch batch;
	uint64_t n, X;
	unsigned j;
};

static int viss_init(void *state, const struct dls_loop_desc *loop)
{
	uint64_t X = loop->arg && loop->arg[0].given ? loop->arg[0].count : loop->p;

	*(struct viss *)state = (struct viss){ .batch.p = loop->p, .n = loop->n, .X = X };
	return 0;
}

static uint64_t viss_next(void *state, uint64_t R)
{
	struct viss *v = state;

	if (v->batch.left == 0) {
		dls__wide below = dls__wide_times(dls__wide_product(v->X, v->batch.p), UINT64_C(1) << v->j);

		v->batch.K = dls__wide_ceil(dls__wide_product(v->n, (UINT64_C(2) << v->j) - 1), below);
		v->batch.left = v->batch.p;
		if (v->j < 62)		/* c_j has reached 2 c_0 long before */
			v->j++;
	}
	return batch_take(&v->batch, R);
}

const struct dls_calc dls__calc_viss = {
	.size = sizeof(struct dls_calc), .name = "viss", .source = "Philip 1997", .dispenser = DLS_DISPENSER_TICKETS,
	.state_size = sizeof(struct viss), .init = viss_init, .next = viss_next, .repeat = batch_repeat,
	.param = {
		{ .name = "x", .min = 1, .max = 65536, .whole = true, .text = "divisor X of the first chunk N/XP; default P" },
	},
};
