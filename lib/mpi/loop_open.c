/* loop_open.c - opening a loop across ranks: what the ranks must agree on before they deal chunks.
 *
 * All ranks use rank 0's schedule; workers are numbered consecutively through all ranks. */
#include <stdlib.h>
#include <string.h>

#include "dls/loop.h"
#include "dls/site.h"
#include "dls/strategy.h"
#include "lib/mpi/draw.h"
#include "lib/mpi/learn.h"
#include "lib/mpi/poke.h"

static const uint64_t TEXT_MAX = 1 << 20;

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

/* Whether a calculator can deal a loop across ranks.  One with DLS_NEED_DONE cannot: ranks have no common clock, and none knows how
 * many iterations are done.  Nor can an adaptive one with multiple=: its draws may end at any iteration. */
static bool fits(const struct dls_calc *calc, uint64_t multiple)
{
	bool adapts = calc->learn || calc->dispenser == DLS_DISPENSER_LIVE;

	return strcmp(calc->name, "auto") != 0 && !(calc->needs & DLS_NEED_DONE) && !(adapts && multiple > 1);
}

/* Replace a schedule that cannot be dealt across ranks by fac2. */
static int replace(struct dls_mpi_loop *loop)
{
	const struct dls_calc *calc = dls_schedule_calc(loop->schedule);
	struct dls_schedule *other;
	int code;

	if (calc && fits(calc, loop->multiple))
		return 0;
	if (loop->mpi->rank == 0 && !(calc && strcmp(calc->name, "auto") == 0))
		dls__mpi_message(loop->mpi, "%s%s is not for loops across ranks; using fac2",
				 calc ? calc->name : dls_schedule_strategy(loop->schedule)->name,
				 calc && fits(calc, 1) ? " with multiple=" : "");
	code = dls_schedule_parse(&other, "fac2", NULL);
	if (code)
		return code;
	dls_schedule_free(loop->schedule);
	loop->schedule = other;
	return 0;
}

/* The number that follows a key in a schedule's text; 0: the key is not there. */
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

/* The schedule's calculator; its fallback, if the schedule lacks a moment that it needs. */
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

	loop->multiple = key_of(text, ",multiple=");
	if (loop->multiple == 0)
		loop->multiple = 1;
	if (!code)
		code = replace(loop);
	if (code)
		return code;
	loop->calc = calc = choose(loop, text);
	loop->dealt.live = calc->dispenser == DLS_DISPENSER_LIVE;
	loop->dealt.weighted = (calc->learn && !loop->dealt.live) ||
			 (calc->needs & DLS_NEED_WEIGHTS && strstr(text, ",weights=") && !strstr(text, ",weights=site"));
	if (calc->learn)
		code = dls__mpi_learn_open(loop);
	if (code)
		return code;
	loop->dealt.own = calc->dispenser == DLS_DISPENSER_OWN && loop->multiple == 1;
	if (loop->dealt.weighted && loop->multiple > 1) {
		if (mpi->rank == 0)
			dls__mpi_message(mpi, "schedule \"%.200s\": weights= and multiple= together are not for loops across ranks",
					 text);
		return DLS_EINVAL;
	}
	/* Rank 0 draws no batches: other ranks' RMA may need it to call MPI. */
	if (!mpi->near && mpi->rank > 0 && mpi->nodes > 1 && mpi->node_size > 1 && mpi->shared != MPI_WIN_NULL && !loop->dealt.live &&
	    !(loop->dealt.weighted && !loop->dealt.own))
		loop->node_workers = 1;	/* how many follows */
	loop->dealt.ahead = !mpi->near && mpi->way == DLS_MPI_MESSAGES && !loop->node_workers && !loop->learner && !loop->dealt.live;
	return 0;
}

/* *text: rank 0's schedule as text, allocated.  Returns DLS_EINVAL if the ranks gave different ones. */
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
		mine.hash = given ? dls__extend_text(1, *text) : 0;
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
		*text = NULL;	/* not freed: MPI may still write to it */
	return error;
}

/* Number the workers through all ranks, and count the node's workers.  Not by MPI_Iexscan(): SimGrid's
 * version sends P^2 messages. */
static int number_workers(struct dls_mpi_loop *loop)
{
	struct dls_mpi *mpi = loop->mpi;
	uint64_t *before = loop->before, *room = mpi->room, first, node, all = loop->workers;
	MPI_Request request;
	int code;

	room[0] = room[2] = all;
	code = DLS__MPI_COLLECTIVE(mpi, &request, MPI_Igather, &room[0], 1, MPI_UINT64_T, before ? before + 1 : NULL, 1, MPI_UINT64_T, 0,
				   mpi->comm);
	if (code)
		return code;
	for (int i = 1; before && i < mpi->size; i++)
		before[i] += before[i - 1];
	code = DLS__MPI_COLLECTIVE(mpi, &request, MPI_Iscatter, before, 1, MPI_UINT64_T, &room[1], 1, MPI_UINT64_T, 0, mpi->comm);
	if (code)
		return code;
	code = DLS__MPI_COLLECTIVE(mpi, &request, MPI_Iallreduce, MPI_IN_PLACE, &room[2], 1, MPI_UINT64_T, MPI_SUM, mpi->node);
	first = room[1];
	node = room[2];
	if (!code)
		code = dls__mpi_sum(mpi, &all, 1);
	if (code)
		return code;
	if (all > DLS_WORKERS_MAX) {
		if (mpi->rank == 0)
			dls__mpi_message(mpi, "dls_mpi_loop_open: %llu workers; accepted are up to %u",
					 (unsigned long long)all, DLS_WORKERS_MAX);
		return DLS_ERANGE;
	}
	loop->first = (unsigned)first;
	loop->p = (unsigned)all;
	if (loop->node_workers)
		loop->node_workers = node < 0xffff ? (unsigned)node : 0xfffe;
	return 0;
}

static int make_workers(struct dls_mpi_loop *loop)
{
	loop->memory = calloc(loop->workers + 1, sizeof(*loop->worker));
	loop->leftover.units = calloc(loop->workers, sizeof(*loop->leftover.units));
	loop->before = loop->mpi->rank ? NULL : calloc((size_t)loop->mpi->size + 1, sizeof(*loop->before));
	if (!loop->memory || !loop->leftover.units || (loop->mpi->rank == 0 && !loop->before))
		return DLS_ENOMEM;
	loop->worker = (struct dls__mpi_worker *)(((uintptr_t)loop->memory + 127) & ~(uintptr_t)127);
	return 0;
}

void dls__mpi_loop_free(struct dls_mpi_loop *loop)
{
	dls_schedule_free(loop->schedule);
	free(loop->memory);
	free(loop->leftover.units);
	free(loop->learner);
	free(loop->before);
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

/* Take the lowest free slot: it is the same on all ranks. */
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
		/* relaxed: no worker draws before the sum below is complete. */
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
		dls__mpi_loop_free(loop);
	free(text);
	return code;
}

size_t dls_mpi_loop_print_schedule(const struct dls_mpi_loop *loop, char *text, size_t size)
{
	return dls_schedule_print(loop->schedule, text, size);
}
