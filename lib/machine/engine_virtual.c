/* engine_virtual.c - all processors in one thread, each by its own clock, events in the order of time and number.
 *
 * A processor is at work until `clock`: what it has done lies before.  Then it is running a task, held, or idle.  A message
 * that arrives while it is held or idle is handled at once, or as soon as its work is done; one that arrives while a task runs,
 * or others are handled at a poll of it, at the next poll: the end of the quantum to come and of the check that follows it.
 * So whatever arrives, tasks go on.  Until then it is an event of that time, so that polls at which nothing has arrived are no
 * events at all.
 *
 * V1: of each processor at most one event is under way by which it goes on by itself (`wake`), and while a task is running
 *     there is one, not after the task's end: the end only moves away, when a message is handled.  So the event is never taken
 *     back; if it comes too early it is put once more.
 * V2: messages of one link arrive in the order in which they were sent: those of one processor leave one after the other
 *     (`channel`), and of one link the latency is always the same, or with faults a rising function of the time (late()).  They
 *     are handled in that order too: what arrives right at a poll is put behind what is put off to it.
 * V3: the time of a processor up to the end of the last task of all, machine->time, is the sum of its parts.  Until there is none
 *     left that end can move on, never to before the present: the end of each that is running is a bound (machine->until).
 *     So what lies before the present is added up as far as it is after the bound (`after`), which is nothing when the bound
 *     has moved, and that by which the clock is ahead of the present is kept in spans. */
#include <stdlib.h>

#include "lib/machine/vp.h"
#include "lib/machine/wheel.h"

/* What a processor is at that is no task, and may be after the last one. */
enum spending { OVERHEAD, SERVICE, HELD, SPENDINGS };

struct span {
	struct span *next;
	uint64_t from, to;
	enum spending on;
};

struct processor {
	struct dls_vp vp;
	struct dls__event wake;
	bool waking;			/* `wake` is under way ... */
	bool last;			/* ... behind all that happens at its time */
	uint64_t clock;
	uint64_t left;			/* running: ns that it still takes, at this processor's speed ... */
	uint64_t resumed;		/* ... from this time on */
	uint64_t end;			/* ... to this one if nothing comes between */
	uint64_t polled;		/* its last poll; UINT64_MAX: none */
	unsigned put_off;		/* messages that wait for the next */
	uint64_t channel;		/* all that was sent has left by then */
	uint64_t held_since;

	/* Its time, ns; V3. */
	uint64_t busy, polling, spent[SPENDINGS];
	uint64_t after[SPENDINGS];	/* of that, after the bound ... */
	uint64_t bound;			/* ... which was this one then */
	struct span *oldest, *newest;	/* ahead of the present, but for: */
	struct span latest;
};

static struct processor *processor(const struct dls_machine *m, unsigned id)
{
	return (struct processor *)(void *)dls__vp(m, id);
}

static struct dls__wheel *wheel_of(const struct dls_machine *m)
{
	return m->engine_data;
}

static uint64_t now(const struct dls_vp *vp)
{
	return ((const struct processor *)(const void *)vp)->clock;
}

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Times do not wrap: one past INT64_MAX ends the run when it comes (beyond()). */
static uint64_t sum(uint64_t a, uint64_t b)
{
	return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

static uint64_t hash(uint64_t seed, uint64_t a, uint64_t b)
{
	uint64_t z = seed ^ a * UINT64_C(0x9e3779b97f4a7c15) ^ b * UINT64_C(0xd1b54a32d192ed03);

	z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
	z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return z ^ z >> 32;
}

/* faults: when a message that would arrive at `time` does: the link's delay is drawn anew every `delay` ns, between which
 * the arrival rises evenly: any delay up to that, and no message overtakes another of its link. */
static uint64_t late(const struct dls_machine *m, const struct dls__msg *msg, uint64_t time)
{
	uint64_t D = m->faults.delay, k = time / D, link = (uint64_t)msg->from << 32 | msg->to;
	uint64_t from = k * D + hash(m->seed, link, k) % D, to = (k + 1) * D + hash(m->seed, link, k + 1) % D;

	if (time > INT64_MAX)
		return time;
	return max(time, from + (uint64_t)((double)(to - from) * ((double)(time - k * D) / (double)D)));
}

/* faults: the processor stands still once in every 8 `stall`, for up to `stall`; when it goes on. */
static uint64_t stalled(const struct dls_machine *m, uint32_t id, uint64_t time)
{
	uint64_t S = m->faults.stall, period = 8 * S, k = S ? time / period : 0;
	uint64_t from, to;

	if (S == 0)
		return time;
	from = k * period + hash(m->seed, id, 2 * k) % (period - S);
	to = from + hash(m->seed, id, 2 * k + 1) % S;
	return time >= from && time < to ? to : time;
}

/* ns that work of `ns` at speed 1 takes here. */
static uint64_t duration(const struct dls_vp *vp, uint64_t ns)
{
	const struct dls_machine *m = vp->machine;
	double time = (double)ns;

	if (!m->speed && m->faults.slow <= 1)
		return ns;
	if (m->speed)
		time /= m->speed[vp->id];
	if (m->faults.slow > 1)
		time *= 1 + (m->faults.slow - 1) * ((double)(hash(m->seed, vp->id, UINT64_MAX) >> 11) * 0x1p-53);
	return time < 0x1p62 ? (uint64_t)time : UINT64_C(1) << 62;
}

static void watch(const struct processor *p, enum dls_span span, uint64_t from, uint64_t to)
{
	const struct dls_machine *m = p->vp.machine;

	if (m->watch && to > from)
		m->watch(m->watch_arg, p->vp.id, span, from, to);
}

/* Of a span that lies before the present, or is left when no task is. */
static void add_up(struct processor *p, const struct span *span)
{
	uint64_t bound = p->vp.machine->until, from = max(span->from, bound);

	if (p->bound != bound) {
		p->bound = bound;
		for (unsigned i = 0; i < SPENDINGS; i++)
			p->after[i] = 0;
	}
	p->after[span->on] += span->to > from ? span->to - from : 0;
}

/* Add up the spans that end by then. */
static void add_up_to(struct processor *p, uint64_t time)
{
	while (p->oldest && p->oldest->to <= time) {
		struct span *span = p->oldest;

		p->oldest = span->next;
		add_up(p, span);
		dls__data_free(p->vp.pool, span);
	}
}

static void spend(struct processor *p, enum spending on, uint64_t from, uint64_t to)
{
	struct dls_machine *m = p->vp.machine;
	uint64_t present;
	struct span *span;

	if (to <= from)
		return;
	p->spent[on] += to - from;
	if (to <= m->until)	/* never after it */
		return;
	if (p->latest.on == on && p->latest.to == from) {
		p->latest.to = to;
		return;
	}
	present = wheel_of(m)->now;
	add_up_to(p, present);
	if (p->latest.to <= present) {
		add_up(p, &p->latest);
	} else if ((span = dls__data_new(&p->vp, sizeof(*span)))) {
		*span = p->latest;	/* whose `next` is NULL */
		*(p->oldest ? &p->newest->next : &p->oldest) = span;
		p->newest = span;
	}
	p->latest = (struct span){ .from = from, .to = to, .on = on };
}

/* The processor is at work for so long, in messages of its strategy or of the machine. */
static void charge(struct processor *p, uint64_t ns, enum dls__service service)
{
	if (sum(p->clock, ns) > INT64_MAX) {
		dls__machine_fail(p->vp.machine, DLS_ERANGE);
		return;
	}
	spend(p, service == DLS__TERMINATION ? SERVICE : OVERHEAD, p->clock, p->clock + ns);
	watch(p, DLS_SPAN_OVERHEAD, p->clock, p->clock + ns);
	p->clock += ns;
	p->vp.began += ns;	/* what a task takes is without */
}

static void charge_vp(struct dls_vp *vp, uint64_t ns)
{
	charge(processor(vp->machine, vp->id), ns, DLS__STRATEGY);
}

/* From its first byte's leaving to its arrival; for which the sender's channel is busy with it. */
static uint64_t way(const struct dls_machine *m, const struct dls__msg *msg)
{
	unsigned distance = dls_net_distance(&m->net, msg->from, msg->to);

	return m->costs.latency + m->costs.hop * (distance > 1 ? distance - 1 : 0);
}

static uint64_t on_wire(const struct dls_machine *m, const struct dls__msg *msg)
{
	return msg->bytes > m->costs.longer ? m->costs.setup + (uint64_t)(m->costs.byte * msg->bytes) : 0;
}

static void post(struct dls_vp *vp, struct dls__msg *msg)
{
	struct dls_machine *m = vp->machine;
	struct processor *p = processor(m, vp->id);
	uint64_t arrival;

	charge(p, m->costs.send, msg->service);
	p->channel = sum(max(p->channel, p->clock), on_wire(m, msg));
	arrival = sum(p->channel, way(m, msg));
	if (m->faults.delay)
		arrival = late(m, msg, arrival);
	msg->event = (struct dls__event){ .time = arrival, .processor = msg->to, .message = true };
	dls__wheel_put(wheel_of(m), &msg->event);
}

static void fetch(struct dls_vp *vp, struct dls__msg *msg)
{
	struct dls_machine *m = vp->machine;
	struct processor *p = processor(m, vp->id);
	uint64_t arrival;

	charge(p, m->costs.send, msg->service);
	arrival = sum(p->clock, sum(2 * way(m, msg), on_wire(m, msg)));
	if (m->faults.delay)
		arrival = late(m, msg, arrival);
	msg->event = (struct dls__event){ .time = arrival, .processor = msg->to, .message = true };
	dls__wheel_put(wheel_of(m), &msg->event);
}

static void timer(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay)
{
	struct processor *p = processor(vp->machine, vp->id);

	msg->event = (struct dls__event){ .time = sum(p->clock, delay), .processor = vp->id, .message = true };
	dls__wheel_put(wheel_of(vp->machine), &msg->event);
}

static void poll(struct dls_vp *vp)
{
	(void)vp;	/* the machine polls for the task, once a quantum */
}

/* The end of the running task, if nothing comes between; UINT64_MAX: no time holds it. */
static uint64_t end_of(const struct processor *p)
{
	const struct dls__costs *c = &p->vp.machine->costs;
	uint64_t end, polled = 0;

	if (c->quantum && __builtin_mul_overflow(p->left / c->quantum + (p->left % c->quantum != 0), c->poll, &polled))
		return UINT64_MAX;
	if (__builtin_add_overflow(p->left, polled, &end) || __builtin_add_overflow(p->resumed, end, &end))
		return UINT64_MAX;
	return end;
}

/* The first poll at or after a time, of the task that is running or to be resumed. */
static uint64_t next_poll(const struct processor *p, uint64_t time)
{
	const struct dls__costs *c = &p->vp.machine->costs;
	uint64_t cycle = c->quantum + c->poll, polls, at;

	if (c->quantum == 0)
		return time;
	polls = time > p->resumed ? (time - p->resumed + cycle - 1) / cycle : 1;
	at = p->resumed + polls * cycle;
	return at < p->end ? at : p->end;
}

/* The running task has gone on until `time`, a poll or its end. */
static void progress(struct processor *p, uint64_t time)
{
	const struct dls__costs *c = &p->vp.machine->costs;
	uint64_t polled = 0, ran = time - p->resumed;

	if (time == p->end) {
		polled = ran - p->left;
	} else if (c->quantum) {
		polled = ran / (c->quantum + c->poll) * c->poll;
	}
	ran -= polled;
	p->busy += ran;
	p->polling += polled;
	p->left -= ran;
	watch(p, DLS_SPAN_TASK, p->resumed, time);
	p->clock = p->polled = time;
}

static void wake_at(struct processor *p, uint64_t time)
{
	if (p->waking)
		return;
	p->waking = true;
	p->wake.time = time;
	dls__wheel_put(wheel_of(p->vp.machine), &p->wake);
}

static void resume(struct processor *p)
{
	p->resumed = p->clock;
	p->end = end_of(p);
	p->vp.machine->until = max(p->vp.machine->until, p->end);
	if (p->end > INT64_MAX)		/* so that what comes after it can be told too */
		dls__machine_fail(p->vp.machine, DLS_ERANGE);
	wake_at(p, p->end);
}

static void begin(struct processor *p)
{
	struct dls_vp *vp = &p->vp;
	int code = dls__vp_run(vp);
	uint64_t work;

	if (code)
		dls__machine_fail(vp->machine, code);
	work = dls__vp_work(vp);
	vp->pool->work += (double)work;
	p->left = duration(vp, work);
	p->polled = UINT64_MAX;
	resume(p);
}

/* What the processor does next, all that had come being handled.  The running task ends, if it has nothing left; one begins as
 * soon as the clock is reached ... */
static void go_on(struct processor *p, uint64_t reached)
{
	struct dls_vp *vp = &p->vp;

	if (vp->running && !vp->held && p->left == 0 && p->end <= reached) {
		vp->machine->time = max(vp->machine->time, p->end);
		dls__vp_done(vp);
	}
	p->clock = stalled(vp->machine, vp->id, p->clock);
	if (vp->running) {
		if (!vp->held)
			resume(p);
	} else if (dls__vp_ready(vp)) {
		if (p->clock > reached)
			wake_at(p, p->clock);
		else if (dls__vp_next(vp))
			begin(p);
	} else if (dls__vp_dry(vp)) {
		dls__vp_idle(vp);
		if (dls__vp_ready(vp))
			wake_at(p, p->clock);
	}
	p->held_since = p->clock;
}

/* The message is handled at `time`, behind those that have been put off to it before. */
static void put_off(struct processor *p, struct dls__msg *msg, uint64_t time)
{
	p->put_off++;
	msg->event.put_off = true;
	msg->event.time = time;
	dls__wheel_put(wheel_of(p->vp.machine), &msg->event);
}

static void arrive(struct processor *p, struct dls__msg *msg, uint64_t time)
{
	struct dls_vp *vp = &p->vp;
	bool held = vp->held, first = !msg->event.put_off;
	uint64_t at = vp->running && !held && time != p->polled ? next_poll(p, time) : time;

	p->put_off -= !first;
	if (at > time || (first && p->put_off > 0)) {
		put_off(p, msg, at);
		return;
	}
	if (vp->running && !held && time > p->clock)
		progress(p, time);
	p->clock = stalled(vp->machine, vp->id, max(p->clock, time));
	if (held) {
		spend(p, HELD, p->held_since, p->clock);
		watch(p, DLS_SPAN_HELD, p->held_since, p->clock);
	}
	if (msg->service != DLS__TIMER)
		charge(p, vp->machine->costs.receive, msg->service);
	dls__vp_handle(vp, msg);
	go_on(p, time);
}

/* The processor goes on by itself: its task has ended, or its work is done and it takes the next. */
static void wake(struct processor *p, uint64_t time)
{
	struct dls_vp *vp = &p->vp;

	p->waking = false;
	if (!p->last && dls__wheel_more(wheel_of(vp->machine))) {	/* messages of this time come first */
		p->last = true;
		wake_at(p, time);
		return;
	}
	p->last = false;
	if (vp->running) {
		if (vp->held)
			return;
		if (p->end > time) {
			wake_at(p, p->end);
			return;
		}
		progress(p, time);
		go_on(p, time);
		return;
	}
	/* ... that it had when it was put off, though messages have come since, and so even if they keep coming. */
	p->clock = max(p->clock, time);
	go_on(p, UINT64_MAX);
}

static int virtual_open(struct dls_machine *m)
{
	m->engine_data = calloc(1, sizeof(struct dls__wheel));
	return m->engine_data ? 0 : DLS_ENOMEM;
}

static void virtual_close(struct dls_machine *m)
{
	dls__wheel_close(wheel_of(m));
	free(m->engine_data);
}

/* An event past the end of time is the run's, unless nobody waits for it. */
static void beyond(struct processor *p, struct dls__event *event)
{
	struct dls__msg *msg = event->message ? dls__msg_of(event) : NULL;

	if (!dls__vp(p->vp.machine, 0)->ended && !(msg && dls__timer_void(&p->vp, msg)))
		dls__machine_fail(p->vp.machine, DLS_ERANGE);
	if (msg)
		dls__msg_free(&p->vp, msg);
}

static int virtual_run(struct dls_machine *m)
{
	struct dls__wheel *w = wheel_of(m);
	struct dls__event *event;

	dls__wheel_open(w, m);
	for (unsigned i = 0; i < m->net.processors && !dls__machine_failed(m); i++) {
		struct processor *p = processor(m, i);

		*p = (struct processor){ .vp = p->vp, .wake.processor = i, .polled = UINT64_MAX };
		dls__vp_start(&p->vp);
		go_on(p, 0);
	}
	while ((event = dls__wheel_take(w)) && !dls__machine_failed(m)) {
		struct processor *p = processor(m, event->processor);

		if (event->time > INT64_MAX)
			beyond(p, event);
		else if (event->message)
			arrive(p, dls__msg_of(event), event->time);
		else
			wake(p, event->time);
	}
	if (!processor(m, 0)->vp.ended)
		dls__machine_fail(m, DLS_ESTALL);
	for (unsigned i = 0; i < m->net.processors; i++) {
		add_up_to(processor(m, i), UINT64_MAX);
		add_up(processor(m, i), &processor(m, i)->latest);
	}
	dls__wheel_open(w, m);	/* while there still is memory behind the events that a failed run has left */
	return m->code;
}

static void virtual_stats(const struct dls_vp *vp, struct dls_vp_stats *stats)
{
	const struct processor *p = processor(vp->machine, vp->id);
	uint64_t used = p->busy + p->polling, time = vp->machine->time, spent[SPENDINGS], after = 0;

	for (unsigned i = 0; i < SPENDINGS; i++) {
		spent[i] = p->spent[i] - p->after[i];
		used += spent[i];
		after += p->after[i];
	}
	stats->busy = 1e-9 * (double)p->busy;
	stats->polling = 1e-9 * (double)p->polling;
	stats->overhead = 1e-9 * (double)spent[OVERHEAD];
	stats->service = 1e-9 * (double)spent[SERVICE];
	stats->held = 1e-9 * (double)spent[HELD];
	stats->after = 1e-9 * (double)after;
	stats->idle = time > used ? 1e-9 * (double)(time - used) : 0;	/* less than used: a run that failed */
}

const struct dls__engine dls__engine_virtual = {
	.name = "virtual", .vp_size = sizeof(struct processor), .vp_align = _Alignof(struct processor), .virtual = true,
	.spawn_late = true,
	.open = virtual_open, .close = virtual_close, .run = virtual_run, .now = now, .post = post, .fetch = fetch, .timer = timer,
	.poll = poll, .charge = charge_vp, .stats = virtual_stats,
};
