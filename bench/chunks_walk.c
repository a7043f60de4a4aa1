/* chunks_walk.c - a calculator's sequence, run by run. */
#include <inttypes.h>
#include <stdlib.h>

#include "chunks.h"

static void step(struct walk *walk)
{
	const struct dls_calc *calc = walk->calc;
	char *state = walk->state + (size_t)walk->asker * DLS_STATE_MAX;
	uint64_t K, more, fit;

	walk->ahead = (struct run){ 0, 0 };
	if (walk->R == 0 || walk->steps == ROWS_MAX)
		return;
	if (walk->cut) {
		walk->ahead = (struct run){ walk->R, 1 };
		walk->R = 0;
		return;
	}
	walk->steps++;
	walk->asker = (walk->asker + 1) % walk->askers;
	K = calc->next(state, walk->R);
	more = calc->repeat && walk->askers == 1 ? calc->repeat(state) : 0;
	if (K < walk->min)
		K = walk->min;
	if (K > walk->R)
		K = walk->R;
	fit = walk->R / K;
	walk->cut = more >= fit;
	walk->ahead = (struct run){ K, walk->cut ? fit : more + 1 };
	walk->R -= K * walk->ahead.times;
}

bool chunks_next(struct walk *walk, struct run *run)
{
	*run = walk->ahead;
	if (run->times == 0)
		return false;
	for (step(walk); walk->ahead.size == run->size; step(walk))
		run->times += walk->ahead.times;
	return true;
}

void chunks_begin(struct walk *walk, const struct row *row)
{
	const struct dls_calc *calc = row->calc;

	*walk = (struct walk){ .calc = calc, .askers = calc->dispenser == DLS_LIVE ? chunks_p : 1, .R = chunks_n };
	walk->state = tool_need(malloc((size_t)walk->askers * DLS_STATE_MAX));
	for (unsigned w = 0; w < walk->askers; w++) {
		struct dls_loop_desc loop;
		int code = dls_schedule_describe(row->schedule, chunks_n, chunks_p, w, &loop);

		if (code == 0)
			code = calc->init(walk->state + (size_t)w * DLS_STATE_MAX, &loop);
		if (code)
			tool_die(TOOL_USAGE, "-s \"%s\": refused for n = %" PRIu64 ", p = %u: %s", row->label, chunks_n,
				 chunks_p, dls_strerror(code));
		if (!calc->chunk)
			walk->min = loop.chunk;
	}
	step(walk);
}

void chunks_survey(struct row *row)
{
	struct walk walk;
	struct run run;

	row->smallest = UINT64_MAX;
	for (chunks_begin(&walk, row); chunks_next(&walk, &run); row->runs++) {
		row->chunks += run.times;
		if (run.size > row->largest)
			row->largest = run.size;
		if (run.size < row->smallest)
			row->smallest = run.size;
		row->shown[row->runs < HEAD ? row->runs : HEAD + (row->runs - HEAD) % TAIL] = run;
	}
	row->endless = walk.R > 0;
	free(walk.state);
}
