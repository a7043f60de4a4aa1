/* loop_run.c - the executions of a loop across ranks.
 *
 * Ranks start and end executions without communication.  dls_mpi_loop_end() compares a hash of the executions
 * on all ranks, and the numbers of iterations that they got. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dls/loop.h"
#include "lib/mpi/draw.h"
#include "lib/mpi/learn.h"
#include "lib/mpi/poke.h"
#include "lib/mpi/ranks_idempotent.h"
#include "lib/mpi/sequence.h"
#include "sched/wide.h"

static int prepare(struct dls_mpi_loop *loop)
{
	struct dls__mpi_worker *w = loop->worker;
	struct dls_loop_desc desc = { .size = sizeof(desc) };
	int code = 0;

	for (unsigned i = 0; !code && i < loop->workers; i++, w++) {
		w->walk = (struct dls__mpi_walk){ .K = 0 };
		w->got = 0;
		w->left = false;
		w->pace = INFINITY;
		w->n = 0;
		w->leftover = (struct dls__mpi_units){ 0, 0 };
		w->k = loop->first + i;
		w->units = 1;
		if (loop->n == 0)
			continue;
		code = dls_schedule_describe(loop->schedule, loop->n, loop->p, loop->first + i, &desc);
		if (code)
			break;
		if (loop->learner)
			desc.view = &loop->learner[i].view;
		if (loop->dealt.weighted)
			w->units = dls__mpi_units_of(desc.weight);
		if (desc.chunk % loop->multiple)
			desc.chunk += loop->multiple - desc.chunk % loop->multiple;
		loop->min = loop->calc->chunk || !desc.chunk ? 1 : desc.chunk;
		if (loop->n > UINT64_MAX - UINT32_MAX && loop->min < 2)	/* tickets past the end must not wrap */
			loop->min = 2;
		if (i == 0 || loop->dealt.own || loop->dealt.live)
			code = loop->calc->init(w->walk.state, &desc);
		else
			memcpy(w->walk.state, loop->worker->walk.state, loop->calc->state_size);
		if (!code && loop->learner)
			dls__mpi_learn_start(loop, i, desc.weight);
	}
	return code;
}

int dls_mpi_loop_start(struct dls_mpi_loop *loop, int64_t begin, int64_t end, int64_t step)
{
	int code;

	if (!loop || step == 0)
		return DLS_EINVAL;
	if (loop->running)
		return DLS_EBUSY;
	if (loop->code)
		return loop->code;
	loop->range.begin = (uint64_t)begin;
	loop->range.end = (uint64_t)end;
	loop->range.step = step;
	loop->n = dls__count(begin < end, begin > end, loop->range.begin, loop->range.end, step);
	if (loop->dealt.live && loop->n > INT64_MAX)	/* draws past the end must not wrap */
		return DLS_ERANGE;
	code = prepare(loop);
	if (!code)
		code = dls__mpi_idempotent_start(loop);
	if (code)
		return code;
	loop->running = true;
	return 0;
}

/* The iteration at which a unit of this execution begins; the loop's end if the unit lies past it. */
static uint64_t place(struct dls_mpi_loop *loop, struct dls__mpi_walk *w, uint64_t unit)
{
	uint64_t t = loop->dealt.weighted ? unit / DLS__TICKET : unit;
	struct dls__chunk chunk;

	if (loop->dealt.live)
		return unit < loop->n ? unit : loop->n;
	if (!dls__mpi_seek(loop, w, t))
		return loop->n;
	chunk = dls__mpi_row_chunk(w, t);
	if (!loop->dealt.weighted)
		return chunk.lo;
	return chunk.lo + dls__wide_shifted(dls__wide_product(unit % DLS__TICKET, chunk.n), DLS__TICKET_BITS);
}

/* The number of units of this execution; a walk must have reached its end. */
static uint64_t units_of(const struct dls_mpi_loop *loop, const struct dls__mpi_walk *w)
{
	if (loop->dealt.live)
		return loop->n;
	return loop->dealt.weighted ? w->past * DLS__TICKET : w->past;
}

/* Convert drawn units to iterations; units past this execution's end are kept for a later one. */
static struct dls__chunk take(struct dls_mpi_loop *loop, struct dls__mpi_worker *w, struct dls__mpi_units drawn)
{
	struct dls__chunk chunk;
	uint64_t from = drawn.from - loop->base, to = drawn.to - loop->base, units;

	chunk.lo = place(loop, &w->walk, from);
	if (!loop->dealt.weighted && !loop->dealt.live && chunk.lo < loop->n) {
		w->ticket = from;
		return dls__mpi_row_chunk(&w->walk, from);
	}
	chunk.n = chunk.lo < loop->n ? place(loop, &w->walk, to) - chunk.lo : 0;
	if (loop->dealt.live || w->walk.end == loop->n) {
		units = units_of(loop, &w->walk);
		if (to > units) {
			w->left = true;
			w->leftover.from = loop->base + (from > units ? from : units);
			w->leftover.to = drawn.to;
		}
	}
	return chunk;
}

/* Units left over from an earlier execution, else fresh ones; false: MPI has failed, or a live loop is at its end. */
static bool get_units(struct dls_mpi_loop *loop, unsigned worker, struct dls__mpi_units *units)
{
	unsigned i;

	/* relaxed, both: the units were written before the execution began; the number alone matters. */
	if (atomic_load_explicit(&loop->leftover.taken, memory_order_relaxed) < loop->leftover.n) {
		i = atomic_fetch_add_explicit(&loop->leftover.taken, 1, memory_order_relaxed);
		if (i < loop->leftover.n) {
			*units = loop->leftover.units[i];
			return true;
		}
	}
	if (loop->dealt.live)
		return dls__mpi_draw_live(loop, worker, units) == 0 && units->to > units->from;
	return dls__mpi_draw(loop, worker, loop->worker[worker].units, units) == 0;
}

/* The next chunk of a worker that needs no counter. */
static struct dls__chunk own_chunk(struct dls_mpi_loop *loop, struct dls__mpi_worker *w)
{
	struct dls__chunk chunk = { 0, 0 };

	if (loop->n > 0)
		chunk.lo = loop->calc->at(w->walk.state, w->k, &chunk.n);
	w->k += loop->p;
	return chunk;
}

static struct dls__chunk next_chunk(struct dls_mpi_loop *loop, unsigned worker)
{
	struct dls__mpi_worker *w = &loop->worker[worker];
	struct dls__chunk chunk = { 0, 0 };
	struct dls__mpi_units units;

	if (loop->learner) {
		chunk = dls__mpi_learn_next(loop, worker);
		if (chunk.n > 0)
			return chunk;
	}
	if (loop->dealt.own && !w->left) {
		chunk = own_chunk(loop, w);
		w->left = chunk.n == 0;
	}
	while (chunk.n == 0 && !w->left) {
		if (loop->learner)
			w->units = dls__mpi_learn_units(loop, worker);
		if (!get_units(loop, worker, &units)) {
			w->left = true;
			break;
		}
		chunk = take(loop, w, units);
		if (loop->learner && chunk.n > 0)
			return dls__mpi_learn_got(loop, worker, units.from - loop->base, chunk);
	}
	return chunk;
}

bool dls_mpi_loop_next(struct dls_mpi_loop *loop, unsigned worker, int64_t *begin, int64_t *end)
{
	struct dls__mpi_worker *w;
	struct dls__chunk chunk;
	uint64_t past;

	if (!loop || !loop->running || worker >= loop->workers)
		return false;
	dls_mpi_poke(loop->mpi);
	w = &loop->worker[worker];
	dls__mpi_idempotent_done(loop, w);
	if (w->n > 0)
		w->pace = (MPI_Wtime() - w->began) / (double)w->n;
	chunk = next_chunk(loop, worker);
	if (chunk.n == 0 && loop->idempotent)
		chunk = dls__mpi_idempotent_next(loop, w);
	if (chunk.n == 0)
		return false;
	if (loop->dealt.ahead)
		dls__mpi_ask_ahead(loop, worker, chunk.n);
	w->got += chunk.n;
	past = chunk.lo + chunk.n;
	*begin = (int64_t)(loop->range.begin + chunk.lo * (uint64_t)loop->range.step);
	*end = (int64_t)(past < loop->n ? loop->range.begin + past * (uint64_t)loop->range.step : loop->range.end);
	return true;
}

static int rising(const void *a, const void *b)
{
	const struct dls__mpi_units *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* Keep the workers' left-over units, in rising order, with the earlier ones that no worker took. */
static void keep_leftover(struct dls_mpi_loop *loop)
{
	/* relaxed: no worker is in next(). */
	unsigned taken = atomic_load_explicit(&loop->leftover.taken, memory_order_relaxed), n = 0;

	for (unsigned i = taken; i < loop->leftover.n; i++)
		loop->leftover.units[n++] = loop->leftover.units[i];
	for (unsigned i = 0; i < loop->workers && n < loop->workers; i++)
		if (loop->worker[i].leftover.to > loop->worker[i].leftover.from)
			loop->leftover.units[n++] = loop->worker[i].leftover;
	qsort(loop->leftover.units, n, sizeof(*loop->leftover.units), rising);
	loop->leftover.n = n;
	atomic_store_explicit(&loop->leftover.taken, 0, memory_order_relaxed);
}

int dls_mpi_loop_end_nowait(struct dls_mpi_loop *loop, uint64_t *iterations)
{
	struct dls__mpi_walk *w;
	uint64_t got = 0, units = 0, hash;

	if (!loop || !loop->running)
		return DLS_EINVAL;
	for (unsigned i = 0; i < loop->workers; i++)
		got += loop->worker[i].got;
	dls__mpi_settle(loop);
	if (!loop->dealt.own) {
		w = &loop->worker->walk;
		if (!loop->dealt.live)
			dls__mpi_seek(loop, w, UINT64_MAX);
		units = units_of(loop, w);
		keep_leftover(loop);
	}
	if (loop->learner)
		dls__mpi_learn_end(loop);
	loop->base += units;
	hash = dls__extend(dls__extend(loop->account.hash, loop->n), loop->range.begin);
	hash = dls__extend(dls__extend(hash, loop->range.end), (uint64_t)loop->range.step);
	loop->account.hash = dls__extend(hash, units + 1);
	if (loop->idempotent) {
		loop->account.asked += loop->n * (uint64_t)loop->mpi->size;
		loop->account.got += dls__mpi_idempotent_told(loop) ? loop->n : 0;
	} else {
		loop->account.asked += loop->n;
		loop->account.got += got;
	}
	loop->running = false;
	if (iterations)
		*iterations = got;
	return 0;
}

/* Compare the ranks' executions since the last comparison. */
static int compare(struct dls_mpi_loop *loop)
{
	struct dls_mpi *mpi = loop->mpi;
	uint64_t sum[3] = { loop->account.hash, loop->account.got, 0 }, ranks = (uint64_t)mpi->size;
	int code;

	sum[2] = dls__extend(loop->account.hash, 1);	/* if ranks differ, so does one of the sums */
	code = dls__mpi_sum(mpi, sum, 3);
	if (!code && (sum[0] != loop->account.hash * ranks || sum[2] != dls__extend(loop->account.hash, 1) * ranks)) {
		if (mpi->rank == 0)
			dls__mpi_message(mpi, "the ranks' loops differ in bounds, step, chunks or number of executions");
		code = DLS_EINVAL;
	} else if (!code && sum[1] != loop->account.asked) {
		if (mpi->rank == 0)
			dls__mpi_message(mpi, "%llu of %llu iterations were taken: on each rank a worker must call "
					 "dls_mpi_loop_next() until it returns false", (unsigned long long)sum[1],
					 (unsigned long long)loop->account.asked);
		code = DLS_EINVAL;
	}
	loop->account.hash = loop->account.asked = loop->account.got = 0;
	if (code)
		loop->code = code;
	return code;
}

int dls_mpi_loop_end(struct dls_mpi_loop *loop, uint64_t *iterations)
{
	int code = dls_mpi_loop_end_nowait(loop, iterations);

	return code ? code : compare(loop);
}

int dls_mpi_loop_close(struct dls_mpi_loop *loop)
{
	int code;

	if (!loop)
		return 0;
	if (loop->running)
		return DLS_EBUSY;
	code = compare(loop);
	dls__mpi_idempotent_free(loop);
	loop->mpi->used[loop->slot] = false;
	dls__mpi_loop_free(loop);
	return code;
}

void dls__mpi_abort(const struct dls_mpi_loop *loop, int code)
{
	if (loop) {
		dls__mpi_message(loop->mpi, "DLS_MPI_FOR: %s", dls_strerror(code));
		MPI_Abort(loop->mpi->comm, 1);
	}
	abort();
}
