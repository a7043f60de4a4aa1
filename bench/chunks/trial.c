/* trial.c - a loop that the library's dispensers deal to workers; one thread acts for all of them.
 *
 * In virtual time the worker that is free first asks next, among several the one with the lowest number; a dispatch takes h,
 * and iterations their time divided by the worker's speed.  If workers are to ask in turn, each chunk takes
 * the same time, whatever its size, and a dispatch none.
 *
 * A calculator with parts() has each chunk handed out in several takes, which do not show where a chunk ends: two chunks in
 * a row of one worker look like parts of one.  So a copy of the calculator is registered whose parts(), called once per
 * chunk, records the chunk's size. */
#include "chunks.h"

/* Virtual time ends here, ns. */
#define TIME_MAX 1e18

struct worker {
	uint64_t now;		/* when it asks next, ns */
	uint64_t begin, start;	/* its chunk's first iteration, and when that began */
	uint64_t busy;		/* ns in this execution */
};

struct trial {
	struct dls_loop *loop;
	bool turns, parts;
	uint64_t base, h;	/* when the execution began; time of a dispatch; ns */
	unsigned *heap, waiting;	/* the workers that have not left, the one that asks next first */
	struct worker *worker;
	size_t shown;		/* MEASURED, without a loop: chunks of the trace that were returned so far */
};

static struct {
	const struct dls_calc *calc;
	uint64_t K;		/* size of the chunk that the last take began; 0: it began none */
} watched;

static uint64_t watched_parts(const void *state, uint64_t K)
{
	watched.K = K;
	return watched.calc->parts(state, K);
}

/* The schedule's text; with parts(), under the name of the watched copy. */
static const char *trial_text(const struct row *row)
{
	const struct dls_calc *calc = row->calc;
	char *text = tool_schedule_text(row->schedule), *at, name[64];
	int code;

	if (!calc->parts)
		return text;
	snprintf(name, sizeof(name), "%s-watched", calc->name);
	if (!dls_calc_find(name)) {
		struct dls_calc copy = *calc;

		copy.name = tool_need(strdup(name));
		copy.aliases = NULL;
		copy.parts = watched_parts;
		code = dls_calc_register(&copy);
		if (code)
			tool_die(TOOL_CHECK_FAILED, "\"%s\": cannot be watched: %s", row->label, dls_strerror(code));
	}
	watched.calc = calc;
	at = strchr(text, ':');	/* of monotonic: or of weights= */
	at = at && at < text + strcspn(text, ",") ? at + 1 : text;
	return tool_held_string("%.*s%s%s", (int)(at - text), text, name, at + strlen(calc->name));
}

static bool before(const struct trial *t, unsigned a, unsigned b)
{
	uint64_t x = t->worker[a].now, y = t->worker[b].now;

	return x < y || (x == y && a < b);
}

/* Put the first of the heap where it belongs now. */
static void settle(struct trial *t)
{
	unsigned k = 0, w = t->heap[0];

	for (;;) {
		unsigned child = 2 * k + 1;

		if (child + 1 < t->waiting && before(t, t->heap[child + 1], t->heap[child]))
			child++;
		if (child >= t->waiting || !before(t, t->heap[child], w))
			break;
		t->heap[k] = t->heap[child];
		k = child;
	}
	t->heap[k] = w;
}

/* How long a worker takes for these iterations, ns. */
static uint64_t takes(const struct trial *t, unsigned w, uint64_t begin, uint64_t end)
{
	double time = t->turns ? 1 : 1e9 * times_of(begin, end) / speed_of(w);

	if (!(time + (double)t->worker[w].start <= TIME_MAX))
		tool_die(TOOL_USAGE, "--times \"%s\", --mu \"%g\": the loop takes more than %g s, where virtual time "
			 "ends", times.name, times.mu, 1e-9 * TIME_MAX);
	return (uint64_t)(time + 0.5);
}

bool trial_next(struct trial *t, struct chunk *chunk)
{
	if (!t->loop && t->shown < trace.chunks) {
		*chunk = trace.chunk[t->shown++];
		return true;
	}
	while (t->waiting) {
		unsigned w = t->heap[0];
		struct worker *me = &t->worker[w];
		uint64_t begin, end, time;
		bool fresh;

		watched.K = 0;
		dls_loop_set_time(t->loop, 1e-9 * (double)me->now);
		if (!dls_loop_next_u64(t->loop, w, &begin, &end)) {
			t->heap[0] = t->heap[--t->waiting];
			settle(t);
			continue;
		}
		fresh = !t->parts || watched.K;
		if (fresh) {
			*chunk = (struct chunk){ begin, t->parts ? watched.K : end - begin, w, NAN, NAN, 1e-9 * (double)t->h };
			me->begin = begin;
			me->start = me->now + t->h;
			time = takes(t, w, begin, begin + chunk->size);
			me->busy += time;
			if (!t->turns) {
				chunk->start = 1e-9 * (double)(me->start - t->base);
				chunk->time = 1e-9 * (double)time;
			}
		}
		/* From the chunk's begin, so that its parts add up to its own time. */
		me->now = me->start + takes(t, w, me->begin, end);
		settle(t);
		if (fresh)
			return true;
	}
	return false;
}

static void start(struct trial *t)
{
	int code = dls_loop_start_u64(t->loop, 0, chunks_n, 1);

	if (code)
		tool_die(TOOL_CHECK_FAILED, "the loop cannot be started: %s", dls_strerror(code));
	for (unsigned w = 0; w < chunks_p; w++)
		if (t->worker[w].now > t->base)
			t->base = t->worker[w].now;
	for (unsigned w = 0; w < chunks_p; w++) {
		t->worker[w] = (struct worker){ .now = t->base };
		t->heap[w] = w;
	}
	t->waiting = chunks_p;
}

struct trial *trial_begin(const struct row *row)
{
	static unsigned trials;
	struct trial *t = tool_need(calloc(1, sizeof(*t)));
	const char *text;
	char name[32];
	struct dls_site *site;
	struct chunk chunk;
	int code;

	if (row->found == MEASURED)
		return t;
	text = trial_text(row);
	t->turns = row->found == IN_TURN;
	t->parts = row->calc->parts;
	if (!t->turns)
		t->h = (uint64_t)(1e9 * chunks_overhead + 0.5);
	t->worker = tool_need(calloc(chunks_p, sizeof(*t->worker)));
	t->heap = tool_need(calloc(chunks_p, sizeof(*t->heap)));
	/* A site of its own: what one schedule learns is not known to the others. */
	snprintf(name, sizeof(name), "trial %u", ++trials);
	code = dls_site_named(&site, name);
	if (!code)
		code = dls_loop_open(&t->loop, chunks_p, site, DLS_LOOP_EVERY_CHUNK | DLS_LOOP_VIRTUAL_TIME);
	if (!code)
		code = dls_loop_set_schedule(t->loop, text);
	if (!code && t->h)
		code = dls_loop_set_overhead(t->loop, 1e-9 * (double)t->h);
	if (code)
		tool_die(TOOL_CHECK_FAILED, "\"%s\" cannot be run: %s", text, dls_strerror(code));
	start(t);
	for (unsigned k = 1; k < (t->turns ? 1 : chunks_steps); k++) {
		while (trial_next(t, &chunk)) {
		}
		dls_loop_end(t->loop, NULL);
		start(t);
	}
	return t;
}

void trial_worker(const struct trial *t, unsigned w, double *came, double *left)
{
	*came = t->loop ? 0 : trace.came[w];
	*left = t->loop ? 1e-9 * (double)(t->worker[w].now - t->base) : trace.left[w];
}

void trial_figures(struct trial *t, struct row *row)
{
	double *value = tool_need(calloc(chunks_p, sizeof(*value))), speeds = 0, came;
	struct chunk chunk;

	while (trial_next(t, &chunk)) {
	}
	for (unsigned w = 0; w < chunks_p; w++) {
		trial_worker(t, w, &came, &value[w]);
		row->time = fmax(row->time, value[w]);	/* NAN at first */
	}
	row->cov = dls_cov(value, chunks_p);
	for (unsigned w = 0; w < chunks_p; w++) {
		speeds += speed_of(w);
		value[w] = t->loop ? (double)t->worker[w].busy : 0;
	}
	for (size_t k = 0; !t->loop && k < trace.chunks; k++)
		value[trace.chunk[k].worker] += trace.chunk[k].time;
	row->imbalance = dls_percent_imbalance(value, chunks_p);
	row->efficiency = times_of(0, chunks_n) / speeds / row->time;
	free(value);
}

void trial_end(struct trial *t)
{
	if (t->loop)
		dls_loop_close(t->loop);
	free(t->worker);
	free(t->heap);
	free(t);
}
