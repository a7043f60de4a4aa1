/* central.c - the handlers of nodes and scheduler; a node's reports, and the tasks that it sends.  See
 * central.h. */
#include "central.h"
#include "life.h"

/* Report to the scheduler; a node that is the scheduler reports to itself. */
static void tell(struct dls_vp *vp, struct dls__central *s, struct dls__node_report report)
{
	struct dls_class_tasks now = dls_vp_class_tasks(vp, report.task_class);
	struct dls__node *n = &s->node[report.task_class];

	report.run = now.run - n->run;
	report.time = now.time - n->time;
	report.tasks = now.queued + now.running;
	report.group = dls__policy_of(vp, report.task_class)->group(report.tasks);
	report.phase = now.phase;
	n->run = now.run;
	n->time = now.time;
	n->group = report.group;
	n->until = now.run + report.group;
	if (report.kind == DLS__START || report.kind == DLS__STATUS || n->phase == INT64_MAX)
		n->phase = now.phase;
	if (report.kind == DLS__STATUS)
		dls_vp_counter_add(vp, DLS__STATUSES, 1);
	if (dls__is_scheduler(vp, s))
		dls__central_receive(vp, s, dls_vp_id(vp), dls_vp_now(vp), &report);
	else
		dls_vp_send_data(vp, s->scheduler, report.kind, NULL, &report, sizeof(report));
}

/* Whether this processor reports a class.  If the class's tasks wait at the scheduler, the scheduler reports
 * its own tasks only if it also schedules them to itself. */
static bool tells(const struct dls_vp *vp, const struct dls__central *s, unsigned task_class)
{
	if (dls__is_scheduler(vp, s) && (s->dedicated || (dls__waits(vp, task_class) && !s->held_back)))
		return false;
	return dls__policy_of(vp, task_class);
}

/* Report tasks that have come, if any are not reported yet. */
static void tell_arrivals(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	struct dls__node *n = &s->node[task_class];
	uint64_t came = n->came;

	n->came = 0;
	if (came > 0)
		tell(vp, s, (struct dls__node_report){ .task_class = task_class, .kind = DLS__ARRIVED,
						       .count = came, .since = n->asked });
}

/* Send tasks that the scheduler requested at `asked`, ns.  If a running task prevents it, the request is kept for
 * give_later(), which is called when that task has ended; `again`: this is that second attempt, after which the
 * request is dropped. */
static void give(struct dls_vp *vp, struct dls__central *s, unsigned task_class, struct dls_hint hint,
		 uint64_t asked, bool again)
{
	int64_t word[DLS_MESSAGE_WORDS] = { DLS__MOVING, task_class, (int64_t)asked };
	uint64_t sent = dls_vp_ship(vp, task_class, &hint, DLS_QUEUE_END_LAST, DLS__TASKS, word);
	struct dls__node *n = &s->node[task_class];

	if (sent == 0 && !again && n->later.count == 0 && dls_vp_class_tasks(vp, task_class).running) {
		n->later = hint;
		n->later_asked = asked;
		return;
	}
	dls_vp_counter_add(vp, DLS__MOVED_TASKS, sent);
	tell(vp, s, (struct dls__node_report){ .task_class = task_class, .kind = DLS__MOVED, .asked = hint.count,
					       .count = sent, .peer = hint.destination });
}

static void give_later(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	struct dls_hint hint = s->node[task_class].later;

	s->node[task_class].later.count = 0;
	if (hint.count > 0)
		give(vp, s, task_class, hint, s->node[task_class].later_asked, true);
}

static void handle_move(struct dls_vp *vp, struct dls__central *s, const struct dls_message *m)
{
	struct dls_hint hint = { .source = dls_vp_id(vp), .destination = (unsigned)m->word[1],
				 .count = (uint64_t)m->word[2], .key = m->word[3] };

	give(vp, s, (unsigned)m->word[0], hint, m->sent, false);
}

/* Note why tasks have come: they enter the queue after this handler, and dls__central_load() then reports
 * them. */
static void handle_tasks(struct dls_vp *vp, struct dls__central *s, const struct dls_message *m)
{
	struct dls__node *n = &s->node[m->word[1]];

	if (m->word[0] != DLS__MOVING || !dls__policy_of(vp, (unsigned)m->word[1]))
		return;
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
		dls__central_receive(vp, s, message->from, message->sent, message->data);
}

static void deal_to(struct dls_vp *vp, struct dls__central *s, unsigned task_class, unsigned node, uint64_t count)
{
	const int64_t word[DLS_MESSAGE_WORDS] = { DLS__MOVING, task_class, (int64_t)dls_vp_now(vp) };
	struct dls_hint hint = { .source = s->scheduler, .destination = node, .key = INT64_MIN, .count = count };
	uint64_t sent = count ? dls_vp_ship(vp, task_class, &hint, DLS_QUEUE_END_FIRST, DLS__TASKS, word) : 0;

	if (sent > 0 && dls__policy_of(vp, task_class)) {
		dls__entry(vp, node, task_class)->in += (int64_t)sent;
		s->node[task_class].open++;
	}
}

/* Number of tasks that a dedicated scheduler has not dealt, including those that it has run. */
static uint64_t stayed(const struct dls_vp *vp, unsigned task_class)
{
	struct dls_class_tasks now = dls_vp_class_tasks(vp, task_class);

	return now.queued + now.running + now.run;
}

/* On a dedicated scheduler, for a class whose tasks do not wait: deal each node an equal number in a row.
 * Tasks that ship_out does not pack for one node go to others; tasks that it packs for none are run here. */
static void deal(struct dls_vp *vp, struct dls__central *s, unsigned task_class)
{
	if (stayed(vp, task_class) == s->node[task_class].stayed)
		return;
	for (unsigned i = 0; i < s->nodes; i++)
		deal_to(vp, s, task_class, i, dls_vp_class_tasks(vp, task_class).queued / (s->nodes - i));
	for (unsigned i = 0; i < s->nodes; i++)
		deal_to(vp, s, task_class, i, dls_vp_class_tasks(vp, task_class).queued);
	s->node[task_class].stayed = stayed(vp, task_class);
	if (dls_vp_class_tasks(vp, task_class).queued > 0)
		dls_vp_release(vp);
}

static bool deals(const struct dls_vp *vp, const struct dls__central *s, unsigned task_class)
{
	return dls__is_scheduler(vp, s) && s->dedicated && !dls__waits(vp, task_class);
}

void dls__central_load(struct dls_vp *vp, void *state)
{
	struct dls__central *s = state;

	for (unsigned c = 0; c < dls_vp_classes(vp); c++) {
		tell_arrivals(vp, s, c);
		if (s->node[c].phase == INT64_MAX)	/* tasks may have been spawned on a node without any */
			s->node[c].phase = dls_vp_class_tasks(vp, c).phase;
		if (dls__waits(vp, c) && dls__is_scheduler(vp, s))
			dls__central_look(vp, s, c);
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
		now = dls_vp_class_tasks(vp, c);
		if (dls__policy_of(vp, c)->due(&s->node[c], &now))
			tell(vp, s, (struct dls__node_report){ .task_class = c, .kind = DLS__STATUS });
	}
}

unsigned dls__central_place(struct dls_vp *vp, void *state, const struct dls_task *task)
{
	const struct dls__central *s = state;

	return dls__waits(vp, dls_vp_class_of(vp, task)) ? s->scheduler : dls_vp_id(vp);
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

	if (dls__is_scheduler(vp, s)) {
		if (s->held_back && dls__waits(vp, task_class))
			dls_vp_allow(vp, task_class, 0);
		else if (deals(vp, s, task_class))
			deal(vp, s, task_class);
	} else if (dls__waits(vp, task_class)) {
		dls_vp_ship(vp, task_class, &all, DLS_QUEUE_END_FIRST, DLS__TASKS,
			    (int64_t[DLS_MESSAGE_WORDS]){ DLS__WAITING, task_class });
	}
	if (dls__policy_of(vp, task_class) && !(dls__is_scheduler(vp, s) && s->dedicated))
		tell(vp, s, (struct dls__node_report){ .task_class = task_class, .kind = DLS__START });
}

void dls__central_begin(struct dls_vp *vp, struct dls__central *s)
{
	if (dls__is_scheduler(vp, s) && s->dedicated)
		dls_vp_hold(vp);
	for (unsigned c = 0; c < dls_vp_classes(vp); c++)
		begin_class(vp, s, c);
}

void dls__central_start(struct dls_vp *vp, void *state)
{
	dls__central_open(vp, state, false);
	dls__central_begin(vp, state);
}

void dls__central_move(struct dls_vp *vp, struct dls__central *s, unsigned task_class, const struct dls_hint *hint)
{
	int64_t word[DLS_MESSAGE_WORDS] = { task_class, hint->destination, (int64_t)hint->count, hint->key };

	dls__entry(vp, hint->source, task_class)->out += hint->count;
	dls__entry(vp, hint->destination, task_class)->in += (int64_t)hint->count;
	s->node[task_class].open += 2;
	dls_vp_counter_add(vp, DLS__MOVES, 1);
	if (hint->source == s->scheduler)
		give(vp, s, task_class, *hint, dls_vp_now(vp), false);
	else
		dls_vp_send(vp, hint->source, DLS__MOVE, word);
}

void dls__central_even_out(struct dls_vp *vp, struct dls__central *s, unsigned task_class, double least, double cost)
{
	enum { MOVES = 64 };	/* of one decision */
	struct dls_hint hint[MOVES];
	unsigned moves = dls__plan(vp, s->nodes, task_class, least, cost, hint, MOVES);

	for (unsigned i = 0; i < moves; i++)
		dls__central_move(vp, s, task_class, &hint[i]);
}
