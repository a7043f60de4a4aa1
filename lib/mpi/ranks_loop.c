/* ranks_loop.c - opening a loop across ranks, and its executions.
 *
 * A loop's workers are numbered through all ranks.  What the ranks must agree on is agreed at the opening, or compared at an end
 * that waits: a hash of the executions, and how many iterations were got. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dls/loop.h"
#include "dls/site.h"
#include "dls/strategy.h"
#include "lib/mpi/ranks.h"
#include "sched/wide.h"

static const uint64_t TEXT_MAX = 1 << 20;

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

static uint64_t mix_text(const char *text)
{
	uint64_t hash = 1;

	while (*text)
		hash = mix(hash, (unsigned char)*text++);
	return hash;
}

static char *print(const struct dls_schedule *schedule)
{
	size_t size = (schedule ? dls_schedule_print(schedule, NULL, 0) : dls_site_print_schedule(NULL, NULL, 0)) + 1;
	char *text = malloc(size);

	if (text && schedule)
		dls_schedule_print(schedule, text, size);
	else if (text)
		dls_site_print_schedule(NULL, text, size);
	return text;
}

/* Parse a schedule, and say what is wrong with it. */
static int parse(const struct dls_mpi *mpi, struct dls_schedule **schedule, const char *text)
{
	struct dls_parse_error error;
	int code = dls_schedule_parse(schedule, text, &error);

	if (code == DLS_ENOMEM)
		return code;
	if (code)
		dls__mpi_message(mpi, "schedule \"%.200s\": %s", text, error.what);
	return code;
}

/* The schedule in place of one that cannot be dealt by tickets. */
static int replace(struct dls_mpi_loop *loop)
{
	const struct dls_calc *calc = dls_schedule_calc(loop->schedule);
	struct dls_schedule *other;
	int code;

	if (calc && calc->dispenser != DLS_DISPENSER_LIVE && strcmp(calc->name, "auto") != 0) {
		if (calc->learn && loop->mpi->rank == 0)
			dls__mpi_message(loop->mpi, "%s learns nothing across ranks: its weights are those of the schedule",
					 calc->name);
		return 0;
	}
	if (loop->mpi->rank == 0 && !(calc && strcmp(calc->name, "auto") == 0))
		dls__mpi_message(loop->mpi, "%s is not for loops across ranks; using fac2",
				 calc ? calc->name : dls_schedule_strategy(loop->schedule)->name);
	code = dls_schedule_parse(&other, "fac2", NULL);
	if (code)
		return code;
	dls_schedule_free(loop->schedule);
	loop->schedule = other;
	return 0;
}

/* What a text has of a number of a key; 0: nothing. */
static uint64_t key_of(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static bool lacks(const struct dls_calc *calc, const char *text)
{
	return (calc->needs & DLS_NEED_MU && !strstr(text, ",mu=")) || (calc->needs & DLS_NEED_SIGMA && !strstr(text, ",sigma=")) ||
	       (calc->needs & DLS_NEED_H && !strstr(text, ",h="));
}

/* The calculator of the schedule, or its fallback if moments are missing. */
static const struct dls_calc *choose(const struct dls_mpi_loop *loop, const char *text)
{
	const struct dls_calc *calc = dls_schedule_calc(loop->schedule);
	const char *name = calc->fallback ? calc->fallback : "fac2";

	if (!lacks(calc, text))
		return calc;
	if (loop->mpi->rank == 0)
		dls__mpi_message(loop->mpi, "schedule \"%.200s\" does not give mu=, sigma= or h=, which %s needs; running %s", text,
				 calc->name, name);
	calc = dls_calc_find(name);
	return calc && !lacks(calc, text) ? calc : dls_calc_find("fac2");
}

/* Take in the schedule that all ranks use. */
static int adopt(struct dls_mpi_loop *loop, const char *text)
{
	struct dls_mpi *mpi = loop->mpi;
	const struct dls_calc *calc;
	int code = parse(mpi, &loop->schedule, text);

	if (!code)
		code = replace(loop);
	if (code)
		return code;
	loop->calc = calc = choose(loop, text);
	loop->multiple = key_of(text, ",multiple=");
	if (loop->multiple == 0)
		loop->multiple = 1;
	loop->weighted = calc->needs & DLS_NEED_WEIGHTS && strstr(text, ",weights=") && !strstr(text, ",weights=site");
	loop->own = calc->dispenser == DLS_DISPENSER_OWN && loop->multiple == 1;
	if (loop->weighted && loop->multiple > 1) {
		if (mpi->rank == 0)
			dls__mpi_message(mpi, "schedule \"%.200s\": weights= and multiple= together are not for loops across ranks",
					 text);
		return DLS_EINVAL;
	}
	/* Not rank 0: other ranks' RMA may wait for it to call MPI. */
	if (!mpi->near && mpi->rank > 0 && mpi->nodes > 1 && mpi->node_size > 1 && mpi->shared != MPI_WIN_NULL && !(loop->weighted && !loop->own))
		loop->node_workers = 1;	/* how many follows */
	return 0;
}

/* The text of rank 0, allocated; the ranks' own differ: DLS_EINVAL. */
static int agree_on_text(struct dls_mpi *mpi, const char *given, int code, char **text)
{
	struct dls_schedule *own = NULL;
	struct { uint64_t length, hash, given; int64_t code; } mine = { 0, 0, 0, 0 }, first;
	int error;

	*text = NULL;
	if (!code && given)
		code = parse(mpi, &own, given);
	if (!code) {
		*text = print(own);
		code = *text ? 0 : DLS_ENOMEM;
	}
	dls_schedule_free(own);
	mine.code = code;
	if (*text) {
		mine.length = strlen(*text);
		mine.given = given != NULL;
		mine.hash = given ? mix_text(*text) : 0;
	}
	first = mine;
	error = dls__mpi_broadcast(mpi, &first, sizeof(first));
	if (error)
		return error;
	if (!code && first.code == 0 && (mine.hash != first.hash || mine.given != first.given)) {
		dls__mpi_message(mpi, "dls_mpi_loop_open: schedule \"%.200s\" is not rank 0's", given ? given : "(none)");
		code = DLS_EINVAL;
	}
	if (!code && first.code == 0 && mpi->rank > 0) {
		char *room = realloc(*text, first.length + 1);

		*text = room ? room : *text;
		code = room ? 0 : DLS_ENOMEM;
	}
	if (!code)
		code = (int)first.code;
	error = dls__mpi_least(mpi, &code);
	if (error || code)
		return error ? error : code;
	if (first.length > TEXT_MAX)
		return DLS_ERANGE;
	error = dls__mpi_broadcast(mpi, *text, (int)first.length + 1);
	if (error)
		*text = NULL;	/* MPI may still write to it */
	return error;
}

/* Number the workers through all ranks, and count the node's. */
static int number_workers(struct dls_mpi_loop *loop)
{
	struct dls_mpi *mpi = loop->mpi;
	uint64_t all = loop->workers, *room = mpi->room, before;
	MPI_Request request;
	int code, result;

	room[0] = room[2] = loop->workers;
	room[1] = 0;
	dls__mpi_lock(mpi);
	result = MPI_Iexscan(&room[0], &room[1], 1, MPI_UINT64_T, MPI_SUM, mpi->comm, &request);
	dls__mpi_unlock(mpi);
	code = dls__mpi_result(mpi, result, "MPI_Iexscan");
	if (!code)
		code = dls__mpi_wait(mpi, &request, mpi->timeout);
	if (code)
		return code;
	before = room[1];
	if (mpi->nodes > 1) {
		dls__mpi_lock(mpi);
		result = MPI_Iallreduce(MPI_IN_PLACE, &room[2], 1, MPI_UINT64_T, MPI_SUM, mpi->node, &request);
		dls__mpi_unlock(mpi);
		code = dls__mpi_result(mpi, result, "MPI_Iallreduce");
		if (!code)
			code = dls__mpi_wait(mpi, &request, mpi->timeout);
		if (code)
			return code;
	}
	if (loop->node_workers)
		loop->node_workers = room[2] < 0xffff ? (unsigned)room[2] : 0xfffe;
	code = dls__mpi_sum(mpi, &all, 1);
	if (code)
		return code;
	loop->first = mpi->rank ? (unsigned)before : 0;
	if (all > DLS_WORKERS_MAX) {
		if (mpi->rank == 0)
			dls__mpi_message(mpi, "dls_mpi_loop_open: %llu workers; accepted are up to %u",
					 (unsigned long long)all, DLS_WORKERS_MAX);
		return DLS_ERANGE;
	}
	loop->p = (unsigned)all;
	return 0;
}

static int make_workers(struct dls_mpi_loop *loop)
{
	loop->memory = calloc(loop->workers + 1, sizeof(*loop->worker));
	loop->over = calloc(loop->workers, sizeof(*loop->over));
	if (!loop->memory || !loop->over)
		return DLS_ENOMEM;
	loop->worker = (struct dls__mpi_worker *)(((uintptr_t)loop->memory + 127) & ~(uintptr_t)127);
	return 0;
}

static void discard(struct dls_mpi_loop *loop)
{
	dls_schedule_free(loop->schedule);
	free(loop->memory);
	free(loop->over);
	free(loop);
}

static int check_workers(const struct dls_mpi *mpi, unsigned workers)
{
	if (workers == 0 || workers > DLS_WORKERS_MAX) {
		dls__mpi_message(mpi, "dls_mpi_loop_open: %u workers; accepted are 1 to %u", workers, DLS_WORKERS_MAX);
		return DLS_ERANGE;
	}
	if (workers > 1 && mpi->level < MPI_THREAD_SERIALIZED && (mpi->serves || !mpi->near)) {
		dls__mpi_message(mpi, "dls_mpi_loop_open: %u workers need MPI_THREAD_SERIALIZED (MPI_Init_thread())", workers);
		return DLS_EINVAL;
	}
	return 0;
}

/* Take the lowest free slot, the same on all ranks. */
static int take_slot(struct dls_mpi_loop *loop)
{
	struct dls_mpi *mpi = loop->mpi;
	uint64_t count = 0;
	int code;

	for (loop->slot = 0; loop->slot < DLS_MPI_LOOPS_MAX && mpi->used[loop->slot]; )
		loop->slot++;
	if (loop->slot == DLS_MPI_LOOPS_MAX)
		return DLS_EBUSY;
	if (mpi->node_rank == 0)
		/* relaxed: nobody draws before the sum below has been made. */
		atomic_store_explicit(&mpi->slot[loop->slot].batch, 0, memory_order_relaxed);
	code = mpi->rank == 0 ? dls__mpi_drawn(mpi, loop->slot, &count) : 0;
	if (code)
		return code;
	code = dls__mpi_sum(mpi, &count, 1);
	loop->opened = loop->base = count;
	return code;
}

int dls_mpi_loop_open(struct dls_mpi_loop **result, struct dls_mpi *mpi, unsigned workers, const char *schedule)
{
	struct dls_mpi_loop *loop = NULL;
	char *text = NULL;
	int code, error;

	if (!mpi || !result)
		return DLS_EINVAL;
	code = check_workers(mpi, workers);
	code = agree_on_text(mpi, schedule, code, &text);
	if (code)
		goto out;
	loop = calloc(1, sizeof(*loop));
	if (loop) {
		loop->mpi = mpi;
		loop->workers = workers;
		code = make_workers(loop);
	}
	code = loop ? code : DLS_ENOMEM;
	if (!code)
		code = adopt(loop, text);
	error = dls__mpi_least(mpi, &code);
	code = error ? error : code;
	if (!code)
		code = number_workers(loop);
	if (!code)
		code = take_slot(loop);
	if (!code) {
		mpi->used[loop->slot] = true;
		*result = loop;
		loop = NULL;
	}
out:
	if (loop)
		discard(loop);
	free(text);
	return code;
}

size_t dls_mpi_loop_print_schedule(const struct dls_mpi_loop *loop, char *text, size_t size)
{
	return dls_schedule_print(loop->schedule, text, size);
}

static int prepare(struct dls_mpi_loop *loop)
{
	struct dls__mpi_worker *w = loop->worker;
	struct dls_loop_desc desc = { .size = sizeof(desc) };
	int code = 0;

	for (unsigned i = 0; !code && i < loop->workers; i++, w++) {
		w->walk = (struct dls__mpi_walk){ .K = 0 };
		w->got = 0;
		w->left = false;
		w->over = (struct dls__mpi_units){ 0, 0 };
		w->k = loop->first + i;
		w->units = 1;
		if (loop->n == 0)
			continue;
		code = dls_schedule_describe(loop->schedule, loop->n, loop->p, loop->first + i, &desc);
		if (code)
			break;
		if (loop->weighted) {
			w->units = (uint64_t)(desc.weight * (double)DLS__TICKET + 0.5);
			w->units += w->units == 0;
		}
		if (desc.chunk % loop->multiple)
			desc.chunk += loop->multiple - desc.chunk % loop->multiple;
		loop->min = loop->calc->chunk || !desc.chunk ? 1 : desc.chunk;
		if (loop->n > UINT64_MAX - UINT32_MAX && loop->min < 2)	/* tickets past the end must not wrap */
			loop->min = 2;
		if (i == 0 || loop->own)
			code = loop->calc->init(w->walk.state, &desc);
		else
			memcpy(w->walk.state, loop->worker->walk.state, loop->calc->state_size);
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
	loop->begin = (uint64_t)begin;
	loop->end = (uint64_t)end;
	loop->step = step;
	loop->n = dls__count(begin < end, begin > end, loop->begin, loop->end, step);
	code = prepare(loop);
	if (code)
		return code;
	loop->running = true;
	return 0;
}

/* The iteration where a unit of this execution stands; the loop's end if it is past that. */
static uint64_t place(struct dls_mpi_loop *loop, struct dls__mpi_walk *w, uint64_t unit)
{
	uint64_t t = loop->weighted ? unit / DLS__TICKET : unit, lo, K;

	if (!dls__mpi_seek(loop, w, t))
		return loop->n;
	lo = w->lo + (t - w->first) * w->K;
	if (!loop->weighted)
		return lo;
	K = w->K < w->end - lo ? w->K : w->end - lo;
	return lo + dls__wide_shifted(dls__wide_product(unit % DLS__TICKET, K), DLS__TICKET_BITS);
}

/* Units of this execution, once a walk has come to the end. */
static uint64_t units_of(const struct dls_mpi_loop *loop, const struct dls__mpi_walk *w)
{
	return loop->weighted ? w->past * DLS__TICKET : w->past;
}

/* The iterations of drawn units; what lies past the end is kept. */
static struct dls__chunk take(struct dls_mpi_loop *loop, struct dls__mpi_worker *w, struct dls__mpi_units drawn)
{
	struct dls__chunk chunk;
	uint64_t from = drawn.from - loop->base, to = drawn.to - loop->base, units;

	chunk.lo = place(loop, &w->walk, from);
	if (!loop->weighted && chunk.lo < loop->n) {
		chunk.n = w->walk.K < w->walk.end - chunk.lo ? w->walk.K : w->walk.end - chunk.lo;
		return chunk;
	}
	chunk.n = chunk.lo < loop->n ? place(loop, &w->walk, to) - chunk.lo : 0;
	if (w->walk.end == loop->n) {
		units = units_of(loop, &w->walk);
		if (to > units) {
			w->left = true;
			w->over.from = loop->base + (from > units ? from : units);
			w->over.to = drawn.to;
		}
	}
	return chunk;
}

/* Units left over from an earlier execution, else fresh ones; false: MPI has failed. */
static bool get_units(struct dls_mpi_loop *loop, unsigned worker, struct dls__mpi_units *units)
{
	unsigned i;

	/* relaxed, both: written before the execution began; the number alone matters. */
	if (atomic_load_explicit(&loop->over_taken, memory_order_relaxed) < loop->overs) {
		i = atomic_fetch_add_explicit(&loop->over_taken, 1, memory_order_relaxed);
		if (i < loop->overs) {
			*units = loop->over[i];
			return true;
		}
	}
	return dls__mpi_draw(loop, worker, loop->worker[worker].units, units) == 0;
}

/* Its next chunk of a worker that needs no counter. */
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

	if (loop->own && !w->left) {
		chunk = own_chunk(loop, w);
		w->left = chunk.n == 0;
	}
	while (chunk.n == 0 && !w->left) {
		if (!get_units(loop, worker, &units))
			w->left = true;
		else
			chunk = take(loop, w, units);
	}
	return chunk;
}

bool dls_mpi_loop_next(struct dls_mpi_loop *loop, unsigned worker, int64_t *begin, int64_t *end)
{
	struct dls__chunk chunk;
	uint64_t past;

	if (!loop || !loop->running || worker >= loop->workers)
		return false;
	dls_mpi_poke(loop->mpi);
	chunk = next_chunk(loop, worker);
	if (chunk.n == 0)
		return false;
	loop->worker[worker].got += chunk.n;
	past = chunk.lo + chunk.n;
	*begin = (int64_t)(loop->begin + chunk.lo * (uint64_t)loop->step);
	*end = (int64_t)(past < loop->n ? loop->begin + past * (uint64_t)loop->step : loop->end);
	return true;
}

static int rising(const void *a, const void *b)
{
	const struct dls__mpi_units *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* Keep what workers have left over, in rising order; leftovers that nobody took stay. */
static void keep_over(struct dls_mpi_loop *loop)
{
	unsigned taken = atomic_load_explicit(&loop->over_taken, memory_order_relaxed), n = 0;	/* relaxed: no worker is in next() */

	for (unsigned i = taken; i < loop->overs; i++)
		loop->over[n++] = loop->over[i];
	for (unsigned i = 0; i < loop->workers && n < loop->workers; i++)
		if (loop->worker[i].over.to > loop->worker[i].over.from)
			loop->over[n++] = loop->worker[i].over;
	qsort(loop->over, n, sizeof(*loop->over), rising);
	loop->overs = n;
	atomic_store_explicit(&loop->over_taken, 0, memory_order_relaxed);
}

int dls_mpi_loop_end_nowait(struct dls_mpi_loop *loop, uint64_t *iterations)
{
	struct dls__mpi_walk *w;
	uint64_t got = 0, units = 0;

	if (!loop || !loop->running)
		return DLS_EINVAL;
	for (unsigned i = 0; i < loop->workers; i++)
		got += loop->worker[i].got;
	if (!loop->own) {
		w = &loop->worker->walk;
		dls__mpi_seek(loop, w, UINT64_MAX);
		units = units_of(loop, w);
		keep_over(loop);
	}
	loop->base += units;
	loop->hash = mix(mix(mix(mix(mix(loop->hash, loop->n), loop->begin), loop->end), (uint64_t)loop->step), units + 1);
	loop->asked += loop->n;
	loop->got += got;
	loop->running = false;
	if (iterations)
		*iterations = got;
	return 0;
}

/* Compare what the ranks have done since they did so last. */
static int compare(struct dls_mpi_loop *loop)
{
	struct dls_mpi *mpi = loop->mpi;
	uint64_t sum[3] = { loop->hash, loop->got, 0 }, ranks = (uint64_t)mpi->size;
	int code;

	sum[2] = mix(loop->hash, 1);	/* two hashes: their sums agree with each rank's only if all are alike */
	code = dls__mpi_sum(mpi, sum, 3);
	if (!code && (sum[0] != loop->hash * ranks || sum[2] != mix(loop->hash, 1) * ranks)) {
		if (mpi->rank == 0)
			dls__mpi_message(mpi, "the ranks' loops differ in bounds, step, chunks or number of executions");
		code = DLS_EINVAL;
	} else if (!code && sum[1] != loop->asked) {
		if (mpi->rank == 0)
			dls__mpi_message(mpi, "%llu of %llu iterations were taken: on each rank a worker must call "
					 "dls_mpi_loop_next() until it returns false", (unsigned long long)sum[1],
					 (unsigned long long)loop->asked);
		code = DLS_EINVAL;
	}
	loop->hash = loop->asked = loop->got = 0;
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
	loop->mpi->used[loop->slot] = false;
	discard(loop);
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
