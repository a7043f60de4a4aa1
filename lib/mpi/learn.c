/* learn.c - adaptive rules across ranks: what a worker measures, and how its figures reach the other workers.
 *
 * As in shared memory (lib/deal/measure.c) with two departures: a worker's memory lasts as long as the loop, since executions that
 * follow each other without a barrier have no common beginning to clear it at; and figures travel with draws (figures.c).
 *
 * N1: a worker sees its own figures at once.  It sees the others' as they were at its last draw; in shared
 *     memory, as they are.  So a chunk's size may depend on old figures; its first iteration depends on the
 *     draw alone (draw.K1). */
#include <math.h>
#include <stdlib.h>

#include "dls/loop.h"
#include "dls/stats.h"
#include "lib/mpi/figures.h"
#include "lib/mpi/learn.h"
#include "lib/mpi/sequence.h"
#include "lib/schedule/schedule.h"

/* Time, s. */
static double now(void)
{
#ifdef SMPI_H
	return MPI_Wtime();	/* of the simulation */
#else
	return 1e-9 * (double)dls_clock();
#endif
}

int dls__mpi_learn_open(struct dls_mpi_loop *loop)
{
	loop->learner = calloc(loop->workers, sizeof(*loop->learner));
	for (unsigned i = 0; loop->learner && i < loop->workers; i++)
		loop->learner[i].wish = DLS__TICKET;
	return loop->learner ? 0 : DLS_ENOMEM;
}

/* Set the weight that the calculator learned. */
static void weigh_learned(const struct dls_mpi_loop *loop, struct dls__mpi_learner *l)
{
	l->wish = dls__mpi_units_of(dls__learned_weight(loop->calc->weight(&l->view), loop->p));
}

void dls__mpi_learn_start(struct dls_mpi_loop *loop, unsigned worker, double weight)
{
	struct dls__mpi_learner *l = &loop->learner[worker];
	struct dls__mpi_walk *w = &loop->worker[worker].walk;

	l->renewed = 0;
	if (loop->dealt.live)
		return;
	dls__mpi_seek(loop, w, 0);
	l->most = w->K;
	l->wish = dls__mpi_units_of(weight);
	if (l->view.has_own)
		weigh_learned(loop, l);
}

/* Take in a worker's new figures. */
static void renew(struct dls__mpi_learner *l, const double own[2])
{
	if (!(own[0] > 0) || !isfinite(own[0]) || !isfinite(own[1]))
		return;
	for (int i = 0; i < 2; i++) {
		l->view.sum[i] += own[i] - l->view.own[i];
		l->view.own[i] = own[i];
	}
	l->view.known += !l->view.has_own;
	l->view.has_own = true;
}

static void learn(struct dls_mpi_loop *loop, struct dls__mpi_learner *l, const struct dls_sample *sample, void *state)
{
	uint64_t batch = l->from / DLS__TICKET / loop->p + 1;
	double own[2] = { 0, 0 };

	loop->calc->learn(state, &l->memory, sample, own);
	if (loop->calc->pace == DLS_PACE_BATCH) {
		if (batch <= l->renewed)
			return;
		l->renewed = batch;
	}
	renew(l, own);
}

struct dls__mpi_figures dls__mpi_learn_tell(const struct dls_mpi_loop *loop, unsigned worker)
{
	const struct dls__mpi_learner *l = &loop->learner[worker];
	struct dls__mpi_figures figures = { .first = l->view.has_own && !l->has_told };

	for (int i = 0; i < 2; i++)
		figures.more[i] = l->view.own[i] - l->told[i];
	return figures;
}

void dls__mpi_learn_told(struct dls_mpi_loop *loop, unsigned worker, const struct dls__mpi_figures *figures)
{
	struct dls__mpi_learner *l = &loop->learner[worker];

	for (int i = 0; i < 2; i++) {
		l->told[i] = l->view.own[i];
		l->view.sum[i] = figures->sum[i];
	}
	l->has_told = l->view.has_own;
	l->view.known = (unsigned)figures->known;
}

/* The part in hand has been run. */
static void finish_part(struct dls__mpi_learner *l, double at)
{
	dls__moments_count(&l->parts, l->part_n, (at - l->part_began) / (double)l->part_n);
	l->part_began = at;
}

/* The next part of the chunk in hand; n 0: there is none. */
static struct dls__chunk next_part(struct dls__mpi_learner *l)
{
	struct dls__chunk part = { l->part.lo, l->part_n < l->part.n ? l->part_n : l->part.n };

	if (part.n == 0)
		return part;
	l->part_n = part.n;
	l->part.lo += part.n;
	l->part.n -= part.n;
	return part;
}

struct dls__chunk dls__mpi_learn_next(struct dls_mpi_loop *loop, unsigned worker)
{
	struct dls__mpi_learner *l = &loop->learner[worker];
	struct dls_sample sample = { .n = l->n, .variance = NAN };
	struct dls__chunk part = { 0, 0 };
	double at = now();

	if (l->n > 0) {
		if (loop->calc->parts) {
			finish_part(l, at);
			part = next_part(l);
			if (part.n > 0)
				return part;
			sample.variance = dls__moments_variance(&l->parts);
		}
		sample.time = fmax(at - l->began, 1e-9);
		sample.dispatch = l->began - l->asked;
		l->busy += sample.time;
		l->done += l->n;
		if (loop->calc->pace != DLS_PACE_EXECUTION)
			learn(loop, l, &sample, loop->worker[worker].walk.state);
		l->n = 0;
	}
	l->asked = at;
	return part;
}

/* The wish is clamped to the longest chunk, converted to units by the size of the ticket where the last draw
 * ended. */
uint64_t dls__mpi_learn_units(struct dls_mpi_loop *loop, unsigned worker)
{
	struct dls__mpi_learner *l = &loop->learner[worker];
	const struct dls__mpi_walk *w = &loop->worker[worker].walk;
	struct dls__mpi_figures figures;
	double most;

	if (loop->mpi->near) {	/* otherwise figures go with the draw */
		figures = dls__mpi_learn_tell(loop, worker);
		dls__mpi_tell(&loop->mpi->slot[loop->slot], &figures);
		dls__mpi_learn_told(loop, worker, &figures);
	}
	if (loop->dealt.live)
		return 0;
	if (l->view.has_own && loop->calc->pace != DLS_PACE_EXECUTION)
		weigh_learned(loop, l);
	most = (double)l->most / (double)(w->K ? w->K : 1) * (double)DLS__TICKET;
	return most < (double)l->wish ? (uint64_t)fmax(1, most) : l->wish;
}

struct dls__chunk dls__mpi_learn_got(struct dls_mpi_loop *loop, unsigned worker, uint64_t from, struct dls__chunk chunk)
{
	struct dls__mpi_learner *l = &loop->learner[worker];
	uint64_t parts;

	l->began = now();
	l->dispatch += l->began - l->asked;
	l->n = chunk.n;
	l->from = from;
	if (!loop->calc->parts)
		return chunk;
	parts = loop->calc->parts(loop->worker[worker].walk.state, chunk.n);
	l->part = chunk;
	l->part_n = dls_ceil_div(chunk.n, parts ? parts : 1);
	l->part_began = l->began;
	l->parts = (struct dls__moments){ 0 };
	return next_part(l);
}

void dls__mpi_learn_end(struct dls_mpi_loop *loop)
{
	for (unsigned i = 0; i < loop->workers && loop->calc->pace == DLS_PACE_EXECUTION; i++) {
		struct dls__mpi_learner *l = &loop->learner[i];
		struct dls_sample sample = { .n = l->done, .time = l->busy, .dispatch = l->dispatch, .variance = NAN };

		if (l->done > 0)
			learn(loop, l, &sample, loop->worker[i].walk.state);
		l->busy = l->dispatch = 0;
		l->done = 0;
	}
}
