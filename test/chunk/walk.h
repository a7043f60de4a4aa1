/* walk.h - deal a loop by a calculator, chunk after chunk, as one dispenser would.
 *
 *	CHECK_TEXT(walk("gss", 10, 2), "5 3 1x2");
 *
 * Sizes appear in the order in which they are dealt, `axk` standing for k chunks of size a.  The workers ask
 * in turn, 0, 1, .., P-1, 0, ... */
#ifndef WALK_H
#define WALK_H

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "dls/loop.h"
#include "dls/schedule.h"
#include "tap.h"

#define WALK_CHUNKS (1u << 22)	/* a longer walk is given up */

struct walk {
	uint64_t chunks, hash;		/* FNV-1a over the runs' sizes and counts taken as 64-bit words */
	uint64_t size, count;		/* the run under way */
	unsigned runs;
	size_t length;
	char text[1024];		/* the runs; "..." at the end if there are more */
};

static void walk_close_run(struct walk *w)
{
	char run[64] = "";

	if (w->count == 0)
		return;
	w->hash = (w->hash ^ w->size) * 1099511628211u;
	w->hash = (w->hash ^ w->count) * 1099511628211u;
	snprintf(run, sizeof run, w->count > 1 ? "%s%" PRIu64 "x%" PRIu64 : "%s%" PRIu64, w->runs++ ? " " : "",
		 w->size, w->count);
	if (w->length + strlen(run) + sizeof " ..." <= sizeof w->text) {
		strcpy(w->text + w->length, run);
		w->length += strlen(run);
	} else if (w->length < sizeof w->text) {
		strcpy(w->text + w->length, " ...");
		w->length = sizeof w->text;
	}
	w->count = 0;
}

/* Count chunks of size K as dealt, from R remaining on; returns what then remains. */
static uint64_t walk_deal(struct walk *w, uint64_t R, uint64_t K, uint64_t count)
{
	uint64_t whole = count < R / K ? count : R / K;

	if (whole > 0 && (w->count == 0 || w->size != K)) {
		walk_close_run(w);
		w->size = K;
	}
	w->count += whole;
	w->chunks += whole;
	R -= whole * K;
	return whole < count && R > 0 ? walk_deal(w, R, R, 1) : R;
}

/* Walk a parsed schedule; `repeat`: take runs by repeat() where the calculator has it.
 * False, after a note, if the calculator broke its contract or the walk was too long. */
static bool walk_loop(struct walk *w, const struct dls_schedule *schedule, uint64_t n, unsigned p, bool repeat)
{
	const struct dls_calc *calc = dls_schedule_calc(schedule);
	/* Where sizes depend on who asks: of n iterations no more than n workers get one. */
	unsigned walkers = calc->dispenser != DLS_DISPENSER_LIVE ? 1 : n < p ? (unsigned)n : p;
	struct dls_loop_desc loop = { .size = sizeof(loop) };
	uint64_t R = n;
	bool ok = CHECK(calc->state_size <= DLS_STATE_MAX);
	/* No roomier than it must be: what writes past its state spoils another's, or meets AddressSanitizer. */
	size_t align = _Alignof(max_align_t), stride = (calc->state_size / align + 1) * align;
	char *state = aligned_alloc(align, walkers * stride);

	*w = (struct walk){ .hash = 14695981039346656037u };
	if (!CHECK(state != NULL))
		return false;
	for (unsigned i = 0; i < walkers; i++) {
		ok = ok && CHECK(dls_schedule_describe(schedule, n, p, i, &loop) == 0);
		ok = ok && CHECK(calc->init(state + i * stride, &loop) == 0);
	}
	for (unsigned i = 0; ok && R > 0; i = (i + 1) % walkers) {
		void *mine = state + i * stride;
		uint64_t K = calc->next(mine, R), more = repeat && calc->repeat ? calc->repeat(mine) : 0;

		ok = CHECK(K >= 1 && K <= R);
		if (ok && calc->chunk == NULL && K < loop.chunk)	/* CHUNK is a smallest chunk */
			K = loop.chunk < R ? loop.chunk : R;
		if (ok)
			R = walk_deal(w, R, K, 1);
		if (ok && more > 0 && R > 0)
			R = walk_deal(w, R, K, more);
		ok = ok && CHECK(w->chunks < WALK_CHUNKS);
	}
	walk_close_run(w);
	free(state);
	return ok;
}

/* Walk by at(): the chunks lie end to end, and a worker whose chunk is empty has none after it. */
static bool walk_at(struct walk *w, const struct dls_schedule *schedule, uint64_t n, unsigned p)
{
	const struct dls_calc *calc = dls_schedule_calc(schedule);
	_Alignas(max_align_t) char state[DLS_STATE_MAX];
	struct dls_loop_desc loop = { .size = sizeof(loop) };
	uint64_t k, size, dealt = 0;
	bool ok = CHECK(dls_schedule_describe(schedule, n, p, 0, &loop) == 0) && CHECK(calc->init(state, &loop) == 0);

	*w = (struct walk){ .hash = 14695981039346656037u };
	for (k = 0; ok && dealt < n; k++) {
		uint64_t begin = calc->at(state, k, &size);

		if (size > 0) {
			ok = CHECK(begin == dealt) && CHECK(size <= n - dealt);
			walk_deal(w, n, size, 1);
			dealt += size;
		} else {
			calc->at(state, k + p, &size);
			ok = CHECK(k < p) && CHECK(size == 0);
		}
	}
	for (unsigned i = 0; ok && i < p; i++) {
		calc->at(state, k + i, &size);
		ok = CHECK(size == 0);
	}
	calc->at(state, UINT64_MAX, &size);
	walk_close_run(w);
	return ok && CHECK(size == 0);
}

/* Walk by the library, which alone knows how workers of different weights share tickets. */
static bool walk_shares(struct walk *w, const char *text, uint64_t n, unsigned p)
{
	struct dls_loop *loop = NULL;
	uint64_t begin, end, dealt = 0;
	bool ok = CHECK(dls_loop_open(&loop, p, NULL, DLS_LOOP_EVERY_CHUNK) == 0) &&
		  CHECK(dls_loop_set_schedule(loop, text) == 0) && CHECK(dls_loop_start_u64(loop, 0, n, 1) == 0);

	*w = (struct walk){ .hash = 14695981039346656037u };
	for (unsigned i = 0; ok && dls_loop_next_u64(loop, i, &begin, &end); i = (i + 1) % p) {
		ok = CHECK(begin == dealt && begin < end && end <= n) && CHECK(w->chunks < WALK_CHUNKS);
		walk_deal(w, n - begin, end - begin, 1);
		dealt = end;
	}
	walk_close_run(w);
	dls_loop_close(loop);
	return ok && CHECK(dealt == n);
}

/* Walk by next() with and without repeat(), and by at(), which must all deal the same; then, if workers have weights, as
 * the library does.  False after a note. */
static bool walk_both(struct walk *w, const char *text, uint64_t n, unsigned p)
{
	struct dls_schedule *schedule = NULL;
	struct dls_parse_error error = { .what = "" };
	struct walk runs;
	bool ok = dls_schedule_parse(&schedule, text, &error) == 0;

	if (!ok)
		tap_note("%s: %s", text, error.what);
	ok = CHECK(ok) && walk_loop(w, schedule, n, p, false) && walk_loop(&runs, schedule, n, p, true);
	if (ok && !CHECK(w->chunks == runs.chunks && w->hash == runs.hash)) {
		tap_note("one by one: %s", w->text);
		tap_note("by repeat:  %s", runs.text);
		ok = false;
	}
	if (ok && dls_schedule_calc(schedule)->at)
		ok = walk_at(&runs, schedule, n, p) && CHECK(w->hash == runs.hash);
	if (ok && dls_schedule_calc(schedule)->dispenser == DLS_DISPENSER_TICKETS &&
	    dls_schedule_calc(schedule)->needs & DLS_NEED_WEIGHTS)
		ok = walk_shares(w, text, n, p);
	if (!ok)
		tap_note("%s, N = %" PRIu64 ", P = %u", text, n, p);
	dls_schedule_free(schedule);
	return ok;
}

/* Begin a loop of a schedule's calculator in a state of DLS_STATE_MAX bytes; view: may be NULL.  Returns the calculator. */
static inline const struct dls_calc *walk_begin(void *state, const char *text, uint64_t n, unsigned p,
						const struct dls_measured *view)
{
	struct dls_schedule *schedule = NULL;
	const struct dls_calc *calc;
	struct dls_loop_desc loop = { .size = sizeof(loop) };

	if (!CHECK(dls_schedule_parse(&schedule, text, NULL) == 0))
		exit(1);
	calc = dls_schedule_calc(schedule);
	CHECK_EQ(dls_schedule_describe(schedule, n, p, 0, &loop), 0);
	loop.view = view;
	CHECK_EQ(calc->init(state, &loop), 0);
	dls_schedule_free(schedule);
	return calc;
}

/* The runs of a loop; the text lasts until the next walk. */
static inline const char *walk(const char *text, uint64_t n, unsigned p)
{
	static struct walk w;

	return walk_both(&w, text, n, p) ? w.text : "(no walk)";
}

/* How many chunks a loop has. */
static inline uint64_t walk_count(const char *text, uint64_t n, unsigned p)
{
	struct walk w;

	return walk_both(&w, text, n, p) ? w.chunks : 0;
}

#endif
