/* repart_worker.c - loop scheduling that moves data: the worker's side.  See repart.h. */
#include <math.h>
#include <string.h>

#include "repart.h"

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Make a report on the tasks that have ended since the last report. */
static struct dls__repart_request report(struct dls_vp *vp, struct dls__repart_state *s)
{
	struct dls__repart_request r = s->report;
	double k = (double)r.tasks;

	r.speed = dls_vp_weight(vp);
	r.used = s->used;
	r.variance = k > 1 ? fmax(0, (s->squares - r.time * r.time / r.done) / (k - 1)) : NAN;
	s->report = (struct dls__repart_request){ .done = 0 };
	s->squares = 0;
	return r;
}

static void request(struct dls_vp *vp, struct dls__repart_state *s)
{
	struct dls__repart_request r;

	if (s->asked || s->over || !s->works)
		return;
	s->asked = true;
	r = report(vp, s);
	if (s->scheduling)
		dls__repart_request(vp, s, s->scheduler, false, &r, NULL, 0);
	else
		dls_vp_send_data(vp, s->scheduler, DLS__REQUEST, NULL, &r, sizeof(r));
}

/* Request more tasks if few are left, of which `coming` are not in the queue yet. */
static void ask_ahead(struct dls_vp *vp, struct dls__repart_state *s, uint64_t coming)
{
	uint64_t left = dls_vp_queued_tasks(vp) + dls_vp_class_tasks(vp, 0).running + coming;

	if ((double)left <= dls_vp_value(vp, DLS__AHEAD)->real)
		request(vp, s);
}

/* Tasks have come, maybe after a time without any. */
static void resume(struct dls_vp *vp, struct dls__repart_state *s)
{
	uint64_t now = dls_vp_now(vp);

	s->asked = false;
	s->used++;
	if (s->dry < now)
		s->report.dispatch += 1e-9 * (double)(now - s->dry);
	s->dry = UINT64_MAX;
}

static void get(struct dls_vp *vp, struct dls__repart_state *s, unsigned owner, uint64_t first, uint64_t count)
{
	s->got = dls_vp_now(vp);
	dls_vp_send(vp, owner, DLS__GIVE, (int64_t[DLS_MESSAGE_WORDS]){ 0, (int64_t)first, (int64_t)count });
}

/* Report the window. */
static void tell(struct dls_vp *vp, struct dls__repart_state *s)
{
	uint64_t slots = dls_vp_window_expose(vp);
	size_t n = dls__repart_alike(vp, slots, NULL), bytes;
	struct dls__repart_request *first;
	struct dls__alike *alike;

	bytes = sizeof(*first) + n * sizeof(*alike);
	first = dls_vp_alloc(vp, bytes);
	if (!first)
		return;
	alike = (struct dls__alike *)(void *)(first + 1);
	*first = report(vp, s);
	dls__repart_alike(vp, slots, alike);
	s->asked = true;
	if (s->scheduling) {
		dls__repart_request(vp, s, s->scheduler, true, first, alike, n);
		dls__repart_begin(vp, s);
	} else {
		dls_vp_send_data(vp, s->scheduler, DLS__REQUEST, (int64_t[DLS_MESSAGE_WORDS]){ 1 }, first, bytes);
	}
}

/* queue=central: all tasks go to the scheduler. */
static void hand_over(struct dls_vp *vp, struct dls__repart_state *s)
{
	double weight = dls_vp_weight(vp);
	int64_t first[DLS_MESSAGE_WORDS] = { 1 };

	memcpy(&first[1], &weight, sizeof(weight));
	s->asked = true;
	if (s->scheduling) {
		dls_vp_divide(vp, 0);
		dls__repart_begin(vp, s);
	} else {	/* in one message, whatever block= says */
		dls_vp_window_send(vp, s->scheduler, 0, dls_vp_window_expose(vp), DLS__REQUEST, first);
	}
}

static void handle_request(struct dls_vp *vp, struct dls__repart_state *s, const struct dls_message *m)
{
	const struct dls__repart_request *r = m->data;
	struct dls__repart_request handed_over = { .variance = NAN };

	memcpy(&handed_over.speed, &m->word[1], sizeof(handed_over.speed));
	dls__repart_request(vp, s, m->from, m->word[0], r ? r : &handed_over, r ? (const void *)(r + 1) : NULL,
			    r ? (m->bytes - sizeof(*r)) / sizeof(struct dls__alike) : 0);
	if (m->tasks == 0)
		dls__repart_begin(vp, s);
}

static void repart_message(struct dls_vp *vp, void *state, const struct dls_message *m)
{
	struct dls__repart_state *s = state;
	unsigned owner = (unsigned)m->word[0];
	uint64_t first = (uint64_t)m->word[1], count = (uint64_t)m->word[2];

	switch (m->kind) {
	case DLS__REQUEST:
		handle_request(vp, s, m);
		break;
	case DLS__SIZE:
		resume(vp, s);
		if (m->tasks == 0)
			dls_vp_window_take(vp, owner, first, count);
		ask_ahead(vp, s, m->tasks);
		break;
	case DLS__GET:
		get(vp, s, owner, first, count);
		break;
	case DLS__GIVE:
		dls_vp_window_send(vp, m->from, first, count, DLS__CHUNK_DATA, NULL);
		break;
	case DLS__CHUNK_DATA:
		s->report.move = 1e-9 * (double)(dls_vp_now(vp) - s->got);
		resume(vp, s);
		ask_ahead(vp, s, m->tasks);
		break;
	case DLS__END_OF_LOOP:
		s->over = true;
		break;
	default:
		break;
	}
}

static void repart_start(struct dls_vp *vp, void *state)
{
	struct dls__repart_state *s = state;
	unsigned P = dls_vp_processors(vp), id = dls_vp_id(vp);

	s->scheduler = P - 1;
	s->works = id != s->scheduler || P == 1 || dls__repart_is(vp, DLS__SCHEDULER, DLS__SHARED);
	s->dry = 0;
	if (id == s->scheduler)
		dls__repart_start(vp, s, repart_message);
	if (dls__repart_is(vp, DLS__QUEUE, DLS__CENTRAL))
		hand_over(vp, s);
	else
		tell(vp, s);
}

static void return_results(struct dls_vp *vp, struct dls__repart_state *s)
{
	if (s->results > 0)
		dls_vp_send(vp, s->owner, DLS__RESULTS, (int64_t[DLS_MESSAGE_WORDS]){ (int64_t)s->results });
	s->results = 0;
}

static void add_result(struct dls_vp *vp, struct dls__repart_state *s, const struct dls_task *task)
{
	if (task->origin != s->owner || task->origin == dls_vp_id(vp))
		return_results(vp, s);
	s->owner = task->origin;
	s->results += task->origin != dls_vp_id(vp);
}

static void add(struct dls__repart_state *s, uint64_t weight, uint64_t ns)
{
	double t = 1e-9 * (double)ns;

	s->report.done += (double)weight;
	s->report.tasks++;
	s->report.time += t;
	s->squares += t * t / (double)weight;
}

/* In loops: the task that began last has ended now. */
static void add_begun(struct dls__repart_state *s, uint64_t now)
{
	if (s->begun)
		add(s, s->begun_weight, now > s->begun ? now - s->begun : 1);
	s->begun = 0;
}

static void repart_done(struct dls_vp *vp, void *state, const struct dls_task *task)
{
	struct dls__repart_state *s = state;
	uint64_t ran = dls_vp_class_tasks(vp, 0).time, now = dls_vp_now(vp), weight = dls_task_weight(task);

	if (ran > s->ran) {
		add_begun(s, s->begun);		/* it has taken no time */
		add(s, weight, ran - s->ran);
	} else if (ran > 0) {
		add(s, weight, 1);
	} else {	/* in loops the task has only begun */
		add_begun(s, now);
		s->begun = max(now, 1);
		s->begun_weight = weight;
	}
	s->ran = ran;
	if (dls__repart_is(vp, DLS__RETURN, DLS__YES))
		add_result(vp, s, task);
	ask_ahead(vp, s, 0);
}

static void repart_idle(struct dls_vp *vp, void *state)
{
	struct dls__repart_state *s = state;

	s->dry = dls_vp_now(vp);
	add_begun(s, s->dry);
	return_results(vp, s);
}

/* Called when the load changes: tasks that were handed out may have come. */
static void repart_load(struct dls_vp *vp, void *state)
{
	struct dls__repart_state *s = state;

	if (s->scheduling)
		dls__repart_begin(vp, s);
}

const struct dls_strategy dls__strategy_repart = {
	.size = sizeof(struct dls_strategy), .name = "repart", .source = "Banicescu 2005",
	.idea = "a scheduler deals chunks of the tasks that each stores, by a calculator; who has none left gets the slowest's",
	.block_all = true, .times = true,
	.state_size = sizeof(struct dls__repart_state), .table_size = sizeof(struct dls__served),
	.start = repart_start, .load = repart_load, .message = repart_message, .done = repart_done, .idle = repart_idle,
	.kind = { [DLS__REQUEST] = "request", [DLS__SIZE] = "size", [DLS__GET] = "get", [DLS__GIVE] = "give",
		  [DLS__CHUNK_DATA] = "data", [DLS__END_OF_LOOP] = "end", [DLS__RESULTS] = "results" },
	.counter = { [DLS__EVENTS] = "events", [DLS__TRANSFERS] = "transfers", [DLS__HANDED_OVER] = "moved",
		     [DLS__REFUSALS] = "refused", [DLS__OVERLAPS] = "overlaps" },
	.param = {
		[DLS__CALC] = { .name = "calc", .value = "awf-c", .min = 1, .max = 0, .calc = true,
				.text = "calculator of the chunks" },
		[DLS__AHEAD] = { .name = "ahead", .value = "1", .min = 0, .max = 64, .whole = true,
				 .text = "tasks left with which a worker asks for more" },
		[DLS__MODE] = { .name = "mode", .value = "active", .min = 1, .max = 0, .words = "active reactive",
				.text = "tasks move while the loop runs, or before it, by their costs" },
		[DLS__RETURN] = { .name = "return", .value = "no", .min = 1, .max = 0, .words = "no yes",
				  .text = "results of tasks go back to where those came from" },
		[DLS__QUEUE] = { .name = "queue", .value = "distributed", .min = 1, .max = 0,
				 .words = "distributed replicated central",
				 .text = "each stores its own tasks, all store all, or the scheduler does" },
		[DLS__SCHEDULER] = { .name = "scheduler", .value = "shared", .min = 1, .max = 0, .words = "shared dedicated",
				     .text = "the last processor runs tasks too, or does not" },
		[DLS__ROOM] = { .name = "room", .value = "any", .min = 0, .max = 1e15, .words = "any",
				.text = "weight that a worker can store, in mean shares" },
		[DLS__LEAST] = { .name = "least", .value = "1", .min = 0, .max = 1e15,
				 .text = "smallest chunk, in mean tasks, where CHUNK is that to the calculator" },
		[DLS__FIRST] = { .name = "first", .value = "any", .min = 0, .max = 1e15, .words = "any",
				 .text = "most weight of a worker's first chunk, in mean shares" },
		[DLS__SERVE] = { .name = "serve", .value = "rising", .min = 1, .max = 0, .words = "rising falling",
				 .text = "the first requests are answered from the lowest worker up, or from the highest down" },
		[DLS__UNIT_MU] = { .name = "mu", .value = "unknown", .min = 1e-15, .max = 1e9, .words = "unknown",
			      .text = "mean time of a unit of weight, s" },
		[DLS__UNIT_SIGMA] = { .name = "sigma", .value = "unknown", .min = 0, .max = 1e9, .words = "unknown",
				 .text = "its standard deviation, s" },
		[DLS__EVENT_H] = { .name = "h", .value = "unknown", .min = 0, .max = 1e9, .words = "unknown",
			     .text = "time of a scheduling event, s" },
	},
};
