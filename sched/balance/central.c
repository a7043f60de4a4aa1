/* central.c - the protocol of nodes and scheduler. */
#include "central.h"
#include "life.h"

const struct dls__policy *dls__central_policy(const struct dls_vp *vp, unsigned task_class)
{
	const struct dls_strategy *strategy = dls_vp_policy(vp, task_class);

	return strategy ? strategy->policy : NULL;
}

static bool is_scheduler(const struct dls_vp *vp, const struct dls__central *s)
{
	return dls_vp_id(vp) == s->scheduler;
}

static bool waits(const struct dls_vp *vp, unsigned task_class)
{
	const struct dls__policy *policy = dls__central_policy(vp, task_class);

	return policy && policy->waits;
}

/* The scheduler. */

static void change(struct dls__central *s, struct dls__entry *e)
{
	s->changed += !e->changed;
	e->changed = true;
}

static void decide(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node)
{
	struct dls__entry *e = dls__entry(vp, node, task_class);

	if (!e->changed)
		return;
	e->changed = false;
	s->changed--;
	if (s->ops && dls_vp_upcall(vp, task_class, node, s->ops, s))
		return;
	if (!e->confirms || s->node[task_class].open == 0)	/* otherwise the last of the moves will be confirmed, too */
		dls__central_policy(vp, task_class)->balance(vp, s, task_class, node);
}

/* C3.  The entry that has changed is looked at first; there are others only if deciding on it has changed them. */
static void decide_all(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node)
{
	if (s->deciding)
		return;
	s->deciding = true;
	decide(vp, s, task_class, node);
	while (s->changed > 0)
		for (unsigned i = 0; i < s->nodes; i++)
			for (unsigned c = 0; c < dls_vp_classes(vp); c++)
				decide(vp, s, c, i);
	s->deciding = false;
}

static bool all_started(const struct dls__central *s, unsigned task_class)
{
	return s->node[task_class].started == s->nodes;
}

/* Where tasks are to wait, a node may have kept some. */
static void started(struct dls_vp *vp, struct dls__central *s, unsigned node, const struct dls__report *r)
{
	struct dls__entry *e = dls__entry(vp, node, r->task_class);

	e->started = true;
	e->given += node == s->scheduler ? 0 : r->tasks;	/* a view may have scheduled some */
	if (++s->node[r->task_class].started == s->nodes)
		for (unsigned i = 0; i < s->nodes; i++)
			change(s, dls__entry(vp, i, r->task_class));
}

static void confirmed(struct dls_vp *vp, struct dls__central *s, unsigned node, const struct dls__report *r)
{
	struct dls__entry *source = dls__entry(vp, node, r->task_class);
	struct dls__entry *destination = dls__entry(vp, r->peer, r->task_class);

	source->out -= r->asked;
	destination->in -= (int64_t)(r->asked - r->count);
	if (waits(vp, r->task_class)) {		/* those of the scheduler do, and were given to no node */
		source->given -= node == s->scheduler ? 0 : r->count;
		destination->given += r->peer == s->scheduler ? 0 : r->count;
	}
	s->node[r->task_class].open -= r->count > 0 ? 1 : 2;
	if (r->count > 0) {
		source->fresh = destination->fresh = false;
	} else {
		source->refused = true;
		dls_vp_count(vp, DLS__REFUSED, 1);
	}
}

static void arrived(struct dls_vp *vp, struct dls__central *s, unsigned node, const struct dls__report *r)
{
	struct dls__node *of = &s->node[r->task_class];
	double cost = (double)(dls_vp_now(vp) - r->since) * 1e-9;

	of->open--;
	of->cost = of->cost > 0 ? (of->cost + cost) / 2 : cost;
	dls__entry(vp, node, r->task_class)->in -= (int64_t)r->count;
}

static void receive(struct dls_vp *vp, struct dls__central *s, unsigned node, uint64_t sent, const struct dls__report *r)
{
	struct dls__entry *e = dls__entry(vp, node, r->task_class);

	dls__entry_tell(e, r, sent, dls__central_policy(vp, r->task_class)->keep);
	if (r->kind == DLS__START)
		started(vp, s, node, r);
	else if (r->kind == DLS__MOVED)
		confirmed(vp, s, node, r);
	else if (r->kind == DLS__ARRIVED)
		arrived(vp, s, node, r);
	else
		dls_vp_charge(vp, DLS_CHARGE_SCHEDULE, 1);
	e->confirms = r->kind == DLS__MOVED || r->kind == DLS__ARRIVED;
	if (!all_started(s, r->task_class))
		return;
	change(s, e);
	decide_all(vp, s, r->task_class, node);
}

/* Tasks have come to wait at the scheduler: of a node that has all it has been given still to run, nothing has
 * changed. */
static void look(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	struct dls__node *of = &s->node[task_class];
	uint64_t waiting = dls__central_waiting(vp, s, task_class), before = of->waiting;

	of->waiting = waiting;
	if (waiting <= before || !all_started(s, task_class))
		return;
	for (unsigned i = 0; i < s->nodes && waiting > 0; i++) {
		unsigned node = (of->turn + i) % s->nodes;
		const struct dls__entry *e = dls__entry(vp, node, task_class);

		if (e->given > e->run)
			continue;
		of->turn = (node + 1) % s->nodes;
		change(s, dls__entry(vp, node, task_class));
		decide_all(vp, s, task_class, node);
		waiting = dls__central_waiting(vp, s, task_class);
	}
	of->waiting = waiting;
}

/* A node. */

static void tell(struct dls_vp *vp, struct dls__central *s, struct dls__report report)
{
	struct dls_class_tasks now = dls_vp_class(vp, report.task_class);
	struct dls__node *n = &s->node[report.task_class];

	report.run = now.run - n->run;
	report.time = now.time - n->time;
	report.tasks = now.queued + now.running;
	report.group = dls__central_policy(vp, report.task_class)->group(report.tasks);
	report.phase = now.phase;
	n->run = now.run;
	n->time = now.time;
	n->group = report.group;
	n->until = now.run + report.group;
	if (report.kind == DLS__START || report.kind == DLS__STATUS || n->phase == INT64_MAX)
		n->phase = now.phase;
	if (report.kind == DLS__STATUS)
		dls_vp_count(vp, DLS__STATUSES, 1);
	if (is_scheduler(vp, s))
		receive(vp, s, dls_vp_id(vp), dls_vp_now(vp), &report);
	else
		dls_vp_send_data(vp, s->scheduler, report.kind, NULL, &report, sizeof(report));
}

/* Of a class whose tasks wait at the scheduler, what is there is told by none unless it was scheduled there. */
static bool tells(const struct dls_vp *vp, const struct dls__central *s, unsigned task_class)
{
	if (is_scheduler(vp, s) && (s->dedicated || (waits(vp, task_class) && !s->held_back)))
		return false;
	return dls__central_policy(vp, task_class);
}

static void tell_arrivals(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	struct dls__node *n = &s->node[task_class];
	uint64_t came = n->came;

	n->came = 0;
	if (came > 0)
		tell(vp, s, (struct dls__report){ .task_class = task_class, .kind = DLS__ARRIVED, .count = came,
						  .since = n->asked });
}

/* What cannot be sent because of a task that is running is tried once more when that has ended: `again`. */
static void give(struct dls_vp *vp, struct dls__central *s, unsigned task_class, struct dls_hint hint, uint64_t asked,
		 bool again)
{
	int64_t word[DLS_WORDS] = { DLS__MOVING, task_class, (int64_t)asked };
	uint64_t sent = dls_vp_ship(vp, task_class, &hint, DLS_END_LAST, DLS__TASKS, word);
	struct dls__node *n = &s->node[task_class];

	if (sent == 0 && !again && n->later.count == 0 && dls_vp_class(vp, task_class).running) {
		n->later = hint;
		n->later_asked = asked;
		return;
	}
	dls_vp_count(vp, DLS__MOVED_TASKS, sent);
	tell(vp, s, (struct dls__report){ .task_class = task_class, .kind = DLS__MOVED, .asked = hint.count,
					  .count = sent, .peer = hint.destination });
}

static void give_later(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	struct dls_hint hint = s->node[task_class].later;

	s->node[task_class].later.count = 0;
	if (hint.count > 0)
		give(vp, s, task_class, hint, s->node[task_class].later_asked, true);
}

/* Both. */

static void handle_move(struct dls_vp *vp, struct dls__central *s, const struct dls_message *m)
{
	struct dls_hint hint = { .source = dls_vp_id(vp), .destination = (unsigned)m->word[1],
				 .count = (uint64_t)m->word[2], .key = m->word[3] };

	give(vp, s, (unsigned)m->word[0], hint, m->sent, false);
}

/* They are in the queue when the handler has returned, and then told of, by dls__central_load(). */
static void handle_tasks(struct dls_vp *vp, struct dls__central *s, const struct dls_message *m)
{
	struct dls__node *n = &s->node[m->word[1]];

	if (m->word[0] != DLS__MOVING || !dls__central_policy(vp, (unsigned)m->word[1]))
		return;
	tell_arrivals(vp, s, (unsigned)m->word[1]);
	n->came = m->tasks;
	n->asked = (uint64_t)m->word[2];
}

void dls__central_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	struct dls__central *s = state;

	if (message->kind == DLS__TASKS)
		handle_tasks(vp, s, message);
	else if (message->kind == DLS__MOVE)
		handle_move(vp, s, message);
	else if (message->kind == DLS__RESERVE)
		dls_vp_reserve(vp, (unsigned)message->word[0]);
	else
		receive(vp, s, message->from, message->sent, message->data);
}

static void deal_to(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node, uint64_t count)
{
	const int64_t word[DLS_WORDS] = { DLS__MOVING, task_class, (int64_t)dls_vp_now(vp) };
	struct dls_hint hint = { .source = s->scheduler, .destination = node, .key = INT64_MIN, .count = count };
	uint64_t sent = count ? dls_vp_ship(vp, task_class, &hint, DLS_END_FIRST, DLS__TASKS, word) : 0;

	if (sent > 0 && dls__central_policy(vp, task_class)) {
		dls__entry(vp, node, task_class)->in += (int64_t)sent;
		s->node[task_class].open++;
	}
}

/* Tasks that a dedicated scheduler has had and not dealt. */
static uint64_t stayed(const struct dls_vp *vp, unsigned task_class)
{
	struct dls_class_tasks now = dls_vp_class(vp, task_class);

	return now.queued + now.running + now.run;
}

/* Tasks that have come to be on a dedicated scheduler, where they do not wait, go to the nodes, to each as many in a row; what one is
 * not to get, to others; what none is, is run here. */
static void deal(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	if (stayed(vp, task_class) == s->node[task_class].stayed)
		return;
	for (unsigned i = 0; i < s->nodes; i++)
		deal_to(vp, s, task_class, i, dls_vp_class(vp, task_class).queued / (s->nodes - i));
	for (unsigned i = 0; i < s->nodes; i++)
		deal_to(vp, s, task_class, i, dls_vp_class(vp, task_class).queued);
	s->node[task_class].stayed = stayed(vp, task_class);
	if (dls_vp_class(vp, task_class).queued > 0)
		dls_vp_release(vp);
}

static bool deals(const struct dls_vp *vp, const struct dls__central *s, unsigned task_class)
{
	return is_scheduler(vp, s) && s->dedicated && !waits(vp, task_class);
}

void dls__central_load(struct dls_vp *vp, void *state)
{
	struct dls__central *s = state;

	for (unsigned c = 0; c < dls_vp_classes(vp); c++) {
		tell_arrivals(vp, s, c);
		if (s->node[c].phase == INT64_MAX)	/* tasks may have been spawned where there was none */
			s->node[c].phase = dls_vp_class(vp, c).phase;
		if (waits(vp, c) && is_scheduler(vp, s))
			look(vp, s, c);
		else if (deals(vp, s, c))
			deal(vp, s, c);
	}
}

void dls__central_done(struct dls_vp *vp, void *state, const struct dls_task *task)
{
	(void)task;
	struct dls__central *s = state;

	dls__central_load(vp, s);
	for (unsigned c = 0; c < dls_vp_classes(vp); c++) {
		struct dls_class_tasks now;

		if (!tells(vp, s, c))
			continue;
		give_later(vp, s, c);
		now = dls_vp_class(vp, c);
		if (dls__central_policy(vp, c)->due(&s->node[c], &now))
			tell(vp, s, (struct dls__report){ .task_class = c, .kind = DLS__STATUS });
	}
}

unsigned dls__central_place(struct dls_vp *vp, void *state, const struct dls_task *task)
{
	const struct dls__central *s = state;

	return waits(vp, dls_vp_class_of(vp, task)) ? s->scheduler : dls_vp_id(vp);
}

void dls__central_open(struct dls_vp *vp, struct dls__central *s, bool dedicated)
{
	s->scheduler = dls_vp_processors(vp) - 1;
	s->dedicated = dedicated && s->scheduler > 0;
	s->nodes = s->scheduler + !s->dedicated;
	dls__give_life(vp);
}

static void begin_class(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	struct dls_hint all = { .source = dls_vp_id(vp), .destination = s->scheduler, .count = UINT64_MAX,
				.key = INT64_MIN };

	if (is_scheduler(vp, s)) {
		if (s->held_back && waits(vp, task_class))
			dls_vp_allow(vp, task_class, 0);
		else if (deals(vp, s, task_class))
			deal(vp, s, task_class);
	} else if (waits(vp, task_class)) {
		dls_vp_ship(vp, task_class, &all, DLS_END_FIRST, DLS__TASKS,
			    (int64_t[DLS_WORDS]){ DLS__WAITING, task_class });
	}
	if (dls__central_policy(vp, task_class) && !(is_scheduler(vp, s) && s->dedicated))
		tell(vp, s, (struct dls__report){ .task_class = task_class, .kind = DLS__START });
}

void dls__central_begin(struct dls_vp *vp, struct dls__central *s)
{
	if (is_scheduler(vp, s) && s->dedicated)
		dls_vp_hold(vp);
	for (unsigned c = 0; c < dls_vp_classes(vp); c++)
		begin_class(vp, s, c);
}

void dls__central_start(struct dls_vp *vp, void *state)
{
	dls__central_open(vp, state, false);
	dls__central_begin(vp, state);
}

/* What the scheduler brings about. */

void dls__central_move(struct dls_vp *vp, struct dls__central *s, unsigned task_class, const struct dls_hint *hint)
{
	int64_t word[DLS_WORDS] = { task_class, hint->destination, (int64_t)hint->count, hint->key };

	dls__entry(vp, hint->source, task_class)->out += hint->count;
	dls__entry(vp, hint->destination, task_class)->in += (int64_t)hint->count;
	s->node[task_class].open += 2;
	dls_vp_count(vp, DLS__MOVES, 1);
	if (hint->source == s->scheduler)
		give(vp, s, task_class, *hint, dls_vp_now(vp), false);
	else
		dls_vp_send(vp, hint->source, DLS__MOVE, word);
}

uint64_t dls__central_waiting(const struct dls_vp *vp, const struct dls__central *s, unsigned task_class)
{
	uint64_t queued = dls_vp_class(vp, task_class).queued;
	uint64_t own = s->held_back ? dls_vp_allowed(vp, task_class) : 0;

	return queued > own ? queued - own : 0;
}

bool dls__central_schedule(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node)
{
	struct dls_hint one = { .source = s->scheduler, .destination = node, .count = 1, .key = INT64_MIN };
	const int64_t word[DLS_WORDS] = { DLS__SCHEDULED, task_class };

	if (dls__central_waiting(vp, s, task_class) == 0) {
		s->node[task_class].waiting = 0;	/* the scheduler may have run some: look() is to see the next */
		return false;
	}
	if (node == s->scheduler)
		dls_vp_allow(vp, task_class, dls_vp_allowed(vp, task_class) + 1);
	else if (dls_vp_ship(vp, task_class, &one, DLS_END_FIRST, DLS__TASKS, word) == 0)
		return false;
	dls__entry(vp, node, task_class)->given++;
	s->node[task_class].waiting -= s->node[task_class].waiting > 0;
	dls_vp_count(vp, DLS__GIVEN, 1);
	return true;
}

void dls__central_keep(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	dls_vp_allow(vp, task_class, dls_vp_allowed(vp, task_class) + 1);
	dls_vp_release(vp);
	s->node[task_class].waiting -= s->node[task_class].waiting > 0;
	dls_vp_count(vp, DLS__GIVEN, 1);
}

void dls__central_reserve(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node)
{
	for (unsigned c = 0; c < dls_vp_classes(vp); c++) {
		struct dls__entry *e = dls__entry(vp, node, c);
		bool was_closed = e->closed;

		e->reserved = c == task_class;
		e->closed = task_class != DLS_CLASSES_MAX && c != task_class;
		if (was_closed && !e->closed && dls__central_policy(vp, c) && all_started(s, c))
			change(s, e);
	}
	if (node == s->scheduler)
		dls_vp_reserve(vp, task_class);
	else
		dls_vp_send(vp, node, DLS__RESERVE, (int64_t[DLS_WORDS]){ task_class });
}
