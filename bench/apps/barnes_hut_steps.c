/* barnes_hut_steps.c - time steps of Barnes and Hut's tree, dealt in virtual time. */
#include "barnes_hut_steps.h"

#include <stdlib.h>
#include <string.h>

#include "barnes_hut.h"
#include "dealt.h"
#include "dls/error.h"
#include "dls/loop.h"

enum { N = BARNES_HUT_BODIES, STEPS = BARNES_HUT_STEPS, CELLS = N };	/* leaves hold several bodies: there are fewer cells */
enum { PULL = 20, DISPATCH = 1000 };	/* of a body or cell, of a chunk, ns */
static const double THETA = 0.7, STEP = 0.02;

struct run {
	const struct barnes_hut_setup *setup;
	struct barnes_hut tree;
	struct dls_loop *loop;
	struct barnes_hut_force force[N];
	uint64_t upto[N + 1];
	uint8_t worker[N], last[N];	/* by the bodies' ids: in this step and in the one before */
	uint32_t chunks;
	bool read[DEALT_WORKERS_MAX][CELLS];
};

static void take(void *arg, unsigned w, int64_t begin, int64_t end)
{
	struct run *r = arg;

	r->chunks++;
	for (int64_t i = begin; i < end; i++) {
		r->worker[r->tree.body[i].id] = (uint8_t)w;
		barnes_hut_read(&r->tree, (uint32_t)i, r->read[w]);
	}
}

static int step(struct run *r, unsigned s, struct barnes_hut_figures *f)
{
	unsigned P = r->setup->workers, same = 0;
	uint64_t length, read = 0;

	if (r->tree.cells > CELLS)
		return DLS_ENOMEM;
	memset(r->read, 0, sizeof(r->read));
	r->chunks = 0;
	for (uint32_t i = 0; i < N; i++) {
		r->force[i] = barnes_hut_force(&r->tree, i);
		r->upto[i + 1] = r->upto[i] + PULL * r->force[i].pulls;
	}
	length = dealt_run(r->loop, &(struct dealt){ P, N, r->upto, DISPATCH, take, r });
	if (length == 0)
		return DLS_ERANGE;
	for (uint32_t i = 0; i < N; i++)
		same += r->worker[i] == r->last[i];
	for (unsigned w = 0; w < P; w++)
		for (uint32_t k = 0; k < r->tree.cells; k++)
			read += r->read[w][k];
	memcpy(r->last, r->worker, sizeof(r->last));
	f->efficiency += (double)r->upto[N] / P / (double)length / STEPS;
	f->same += s > 0 ? (double)same / N / (STEPS - 1) : 0;
	f->read += (double)read / P / r->tree.cells / STEPS;
	f->chunks += (double)r->chunks / STEPS;
	return barnes_hut_move(&r->tree, r->force, STEP);
}

int barnes_hut_run(const struct barnes_hut_setup *setup, uint64_t seed, struct barnes_hut_figures *figures)
{
	struct run *r = calloc(1, sizeof(*r));
	int code = r ? barnes_hut_open(&r->tree, N, THETA, seed) : DLS_ENOMEM;

	*figures = (struct barnes_hut_figures){ .chunks = 0 };
	if (r)
		r->setup = setup;
	if (!code)
		code = dls_loop_open(&r->loop, setup->workers, NULL, DLS_LOOP_VIRTUAL_TIME);
	if (!code)
		code = dls_loop_set_schedule(r->loop, setup->schedule);
	for (unsigned s = 0; s < STEPS && !code; s++)
		code = step(r, s, figures);
	if (r) {
		dls_loop_close(r->loop);
		barnes_hut_close(&r->tree);
	}
	free(r);
	return code;
}
