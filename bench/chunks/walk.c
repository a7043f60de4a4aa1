/* walk.c - a schedule's sequence, run by run. */
#include "chunks.h"

static void step(struct walk *walk)
{
	const struct dls_calc *calc = walk->calc;
	uint64_t K, more, fit;
	struct chunk chunk;

	walk->ahead = (struct run){ 0, 0 };
	if (walk->R == 0 || walk->steps == ROWS_MAX)
		return;
	walk->steps++;
	if (walk->trial) {
		if (!trial_next(walk->trial, &chunk))
			return;
		walk->ahead = (struct run){ chunk.size, 1 };
		walk->R -= chunk.size;
		return;
	}
	if (walk->cut) {
		walk->ahead = (struct run){ walk->R, 1 };
		walk->R = 0;
		return;
	}
	K = calc->next(walk->state, walk->R);
	if (K == 0)
		tool_die(TOOL_USAGE, "next() of calculator %s returned 0 with %" PRIu64 " of %" PRIu64 " iterations left, of which it "
			 "may return 1 to all", calc->name, walk->R, chunks_n);
	more = calc->repeat ? calc->repeat(walk->state) : 0;
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

static void prepare(struct walk *walk, const struct row *row)
{
	const struct dls_calc *calc = row->calc;
	struct dls_loop_desc loop = { .size = sizeof(loop) };
	int code = dls_schedule_describe(row->schedule, chunks_n, chunks_p, 0, &loop);

	if (code == 0)
		code = calc->init(walk->state, &loop);
	if (code)
		tool_die(TOOL_USAGE, "%s \"%s\": refused for n = %" PRIu64 ", p = %u: %s",
			 tool_written("schedule"), row->label, chunks_n, chunks_p, dls_strerror(code));
	if (!calc->chunk)
		walk->min = loop.chunk;
}

void chunks_begin(struct walk *walk, const struct row *row)
{
	*walk = (struct walk){ .calc = row->calc, .R = chunks_n };
	if (row->found != MEASURED)
		prepare(walk, row);
	if (row->found != WALKED)
		walk->trial = trial_begin(row);
	step(walk);
}

void chunks_end(struct walk *walk)
{
	if (walk->trial)
		trial_end(walk->trial);
}

void chunks_survey(struct row *row)
{
	struct walk walk;
	struct run run;

	row->smallest = UINT64_MAX;
	row->time = row->cov = row->imbalance = row->efficiency = row->predicted = NAN;
	for (chunks_begin(&walk, row); chunks_next(&walk, &run); row->runs++) {
		row->chunks += run.times;
		if (run.size > row->largest)
			row->largest = run.size;
		if (run.size < row->smallest)
			row->smallest = run.size;
		row->shown[row->runs < HEAD ? row->runs : HEAD + (row->runs - HEAD) % TAIL] = run;
	}
	row->endless = walk.R > 0;
	if (row->found == TIMED || row->found == MEASURED)
		trial_figures(walk.trial, row);
	if (row->found == TIMED)
		chunks_predict(row);
	chunks_end(&walk);
}
