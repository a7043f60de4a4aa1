/* repart.c - loop scheduling that moves data: what a scheduler decides, and what a worker does.
 *
 * Fails if: anything is dealt before all have told, chunks leave by the wrong end or come from another than
 * the slowest of whom one is worth it, a move is made that wins nothing or for which there is no room while
 * there is some, too few are made before the loop, END comes too early or never, weights beyond 64 bits wrap,
 * or what is counted is not so; a worker asks too early, too late or twice, reports what is not so (of tasks that
 * take no time, pieces of a loop or weights beyond 64 bits, too), runs what it was not told to, forgets a Give
 * when it is through, or returns results to the wrong place.
 *
 * One processor of a machine is by itself: the test makes the others' messages, and what the processor sends is
 * logged: "2:size 0+3" if it tells processor 2 to run three slots from 0 on, "1:get 0:7+2" to get two of
 * processor 0's from 7 on, "0:data of 1 x2" for two tasks.
 *
 * runs: check, machines, alone */
#include <math.h>

#include "dls.h"
#include "sched/balance/repart.h"
#include "said.h"

enum { S = 1000000000 };	/* ns */

/* The last Request. */
static struct {
	struct dls__repart_request report;
	struct dls__alike alike[8];
	unsigned stretches;
} request;

static void keep_request(const struct dls_message *m)
{
	memcpy(&request.report, m->data, sizeof(request.report));
	request.stretches = (unsigned)((m->bytes - sizeof(request.report)) / sizeof(*request.alike));
	CHECK(request.stretches <= 8);
	memcpy(request.alike, (const char *)m->data + sizeof(request.report), request.stretches * sizeof(*request.alike));
}

static void fake_post(struct dls_vp *vp, struct dls__msg *msg)
{
	const struct dls_message *m = &msg->seen;
	long long word[3] = { m->word[0], m->word[1], m->word[2] };

	if (msg->service != DLS__STRATEGY) {
		dls__msg_free(vp, msg);
		return;
	}
	if (m->kind == DLS__REQUEST) {
		say("%u:request", msg->to);
		keep_request(m);
	} else if (m->kind == DLS__SIZE) {
		CHECK_EQ(m->word[0], msg->to);
		say("%u:size %lld+%lld", msg->to, word[1], word[2]);
	} else if (m->kind == DLS__GET) {
		say("%u:get %lld:%lld+%lld", msg->to, word[0], word[1], word[2]);
	} else if (m->kind == DLS__GIVE) {
		say("%u:give %lld+%lld", msg->to, word[1], word[2]);
	} else if (m->kind == DLS__CHUNK_DATA) {
		say("%u:data of %u x%llu", msg->to, msg->from, (unsigned long long)m->tasks);
	} else if (m->kind == DLS__RESULTS) {
		say("%u:results %lld", msg->to, word[0]);
	} else {
		say("%u:%s", msg->to, fake.machine->spec.strategy->kind[m->kind]);
	}
	dls__msg_free(vp, msg);
}

static const struct dls__engine fake_engine = { .name = "fake", .now = fake_now, .post = fake_post };

/* Start processor `id` of `processors` with n tasks of these costs.  Returns what it does. */
static const char *start(const char *strategy, unsigned processors, unsigned id, const uint64_t *cost, unsigned n)
{
	close_machine();
	fake.machine = MACHINE(.strategy = strategy, .net = "complete", .processors = processors);
	for (unsigned i = 0; i < n; i++)
		machine_add(fake.machine, id, cost[i]);
	take_processor(&fake_engine, id);
	start_processor();
	return fake.said;
}

static const char *handle(struct dls_message m, const void *data, uint32_t bytes, unsigned tasks)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task" };
	struct dls__msg *msg = dls__msg_new(fake.vp);

	*msg = (struct dls__msg){ .from = m.from, .service = DLS__STRATEGY, .task_class = DLS_CLASSES_MAX, .seen = m };
	msg->seen.sent = fake.now;
	if (bytes > 0)
		CHECK(dls__message_data(fake.vp, msg, data, bytes));
	for (unsigned i = 0; i < tasks; i++) {
		struct dls_task *task = dls__task_new(fake.machine, fake.vp->pool);

		*task = (struct dls_task){ .type = &type, .cost = 10, .origin = m.from, .hops = 1 };
		dls__tasks_push(fake.machine, &msg->tasks, task);
	}
	msg->seen.tasks = tasks;
	fake.said[0] = 0;
	dls__vp_handle(fake.vp, msg);
	return fake.said;
}

/* A message with these words arrives; one of kind DATA has c tasks. */
static const char *message(unsigned from, unsigned kind, int64_t a, int64_t b, int64_t c)
{
	bool data = kind == DLS__CHUNK_DATA;

	return handle((struct dls_message){ .from = from, .kind = kind, .word = { a, b, c } }, NULL, 0, data ? (unsigned)c : 0);
}

/* The processor runs its next task for so long; then it is idle if it has no other. */
static const char *run(double seconds)
{
	fake.said[0] = 0;
	CHECK(dls__vp_next(fake.vp));
	fake.now += (uint64_t)(seconds * S);
	dls__vp_done(fake.vp);
	if (fake.vp->queue.units == 0)
		dls__vp_idle(fake.vp);
	return fake.said;
}

/* The scheduler, dedicated where nothing else is said. */
static const char *told(unsigned from, bool first, struct dls__repart_request r,
			const struct dls__alike *alike, unsigned n)
{
	struct { struct dls__repart_request report; struct dls__alike alike[8]; } data = { .report = r };

	if (n > 0)
		memcpy(data.alike, alike, n * sizeof(*alike));
	return handle((struct dls_message){ .from = from, .kind = DLS__REQUEST, .word = { first } }, &data,
		      (uint32_t)(sizeof(r) + n * sizeof(*alike)), 0);
}

/* It stores n slots that weigh so much each. */
static const char *stores(unsigned from, uint64_t n, uint64_t weight)
{
	return told(from, true, (struct dls__repart_request){ .speed = 1, .variance = NAN }, &(struct dls__alike){ weight, n }, n > 0);
}

/* It has done so much in so many s, and a transfer took it so many s. */
static const char *asks(unsigned from, double done, double time, double move)
{
	return told(from, false, (struct dls__repart_request){ .speed = 1, .done = done, .time = time, .move = move, .variance = NAN },
		    NULL, 0);
}

static uint64_t counter(unsigned which)
{
	return fake.machine->pool.counter[which];
}

/* Nothing is dealt before all have told.  gss: of 210, 3 workers: 70, 47, 30, 20, 14, 10 in slots of 10.
 * Worker 1 has most left when worker 2 asks. */
static void heads_and_tails(void)
{
	CHECK_TEXT(start("repart,scheduler=dedicated,calc=gss", 4, 3, NULL, 0), "");
	CHECK_TEXT(stores(1, 11, 10), "");
	CHECK_TEXT(stores(2, 0, 0), "");
	CHECK_TEXT(stores(0, 10, 10), "0:size 0+7, 1:size 0+5, 2:get 1:8+3");
	CHECK_EQ(counter(DLS__EVENTS), 3);
	CHECK_EQ(counter(DLS__TRANSFERS), 1);
	CHECK_EQ(counter(DLS__HANDED_OVER), 3);
	CHECK_TEXT(asks(0, 70, 7, 0), "0:size 7+2");
	CHECK_TEXT(asks(0, 20, 2, 0), "0:size 9+1");
	CHECK_TEXT(asks(1, 50, 5, 0), "1:size 5+1");
	CHECK_TEXT(asks(1, 10, 1, 0), "1:size 6+1");
	CHECK_TEXT(asks(1, 10, 1, 0), "1:size 7+1");	/* at least one, of a size of 4 */
	CHECK_TEXT(asks(0, 10, 1, 0), "0:end");
	CHECK_TEXT(asks(2, 30, 3, 0), "2:end");
	CHECK_TEXT(asks(1, 10, 1, 0), "1:end");
	CHECK_EQ(counter(DLS__EVENTS), 11);
	CHECK_EQ(counter(DLS__REFUSALS), 0);
}

/* What is left by rate: 90 / 10 s for worker 0, 40 / 1 s for worker 1; 50 / 1 s are not reported yet. */
static void from_the_slowest(void)
{
	start("repart,scheduler=dedicated,calc=ss", 4, 3, NULL, 0);
	stores(0, 11, 10);
	stores(1, 6, 10);
	CHECK_TEXT(stores(2, 0, 0), "0:size 0+1, 1:size 0+1, 2:get 0:10+1");
	CHECK_TEXT(asks(0, 10, 1, 0), "0:size 1+1");
	CHECK_TEXT(asks(1, 10, 10, 0), "1:size 1+1");
	CHECK_TEXT(asks(2, 10, 1, 0), "2:get 1:5+1");
	CHECK_TEXT(asks(2, 10, 1, 0), "2:get 1:4+1");
	CHECK_TEXT(asks(0, 10, 1, 0), "0:size 2+1");
	CHECK_TEXT(asks(1, 10, 0.1, 0), "1:size 2+1");		/* 20 in 10.1 s */
	CHECK_TEXT(asks(1, 10, 0.1, 0), "1:size 3+1");
	CHECK_TEXT(asks(2, 10, 1, 0), "2:get 0:9+1");		/* worker 1 stores nothing any more */
}

/* Both do 1 per s.  Worker 0 is through in 30 s: then worker 1 must be, transfer included. */
static void worth_it(void)
{
	static const struct { double move, behind; const char *answer; } row[] = {
		{ 0, 0, "1:get 0:3+1" }, { 19, 0, "1:get 0:3+1" }, { 21, 0, "1:end" }, { 1e9, 0, "1:end" },
		{ 9, 10, "1:get 0:3+1" }, { 11, 10, "1:end" }, { 0, 30, "1:end" },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		start("repart,scheduler=dedicated,calc=ss", 3, 2, NULL, 0);
		stores(0, 4, 10);
		CHECK_TEXT(told(1, true, (struct dls__repart_request){ .speed = 1 }, &(struct dls__alike){ 100, 1 }, 1),
			   "0:size 0+1, 1:size 0+1");
		CHECK_TEXT(asks(0, 10, 10, 0), "0:size 1+1");
		CHECK_TEXT(asks(1, 100 - row[i].behind, 100 - row[i].behind, row[i].move), row[i].answer);
		CHECK_EQ(counter(DLS__REFUSALS), row[i].answer[2] == 'e');
	}
}

/* gss: of 200, 2 workers, first 100; with first=0.3 a worker's first chunk is 30 of its mean share of 100, its second has the
 * calculator's size, half of the 140 left.  serve=falling: the first requests are answered from the last worker on. */
static void first_chunks(void)
{
	start("repart,scheduler=dedicated,calc=gss,first=0.3", 3, 2, NULL, 0);
	stores(0, 10, 10);
	CHECK_TEXT(stores(1, 10, 10), "0:size 0+3, 1:size 0+3");
	CHECK_TEXT(asks(0, 30, 3, 0), "0:size 3+7");
	start("repart,scheduler=dedicated,calc=gss,serve=falling", 3, 2, NULL, 0);
	stores(0, 10, 10);
	CHECK_TEXT(stores(1, 10, 10), "1:size 0+10, 0:size 0+5");
}

/* fsc: (sqrt2 N h / (sigma P sqrt(ln P)))^(2/3) is 26.3 and 66.3 slots.  Fails if h= or sigma= does not reach the calculator. */
static void moments(void)
{
	for (unsigned i = 0; i < 2; i++) {
		start(i ? "repart,scheduler=dedicated,calc=fsc,sigma=1,h=2" : "repart,scheduler=dedicated,calc=fsc,sigma=4,h=2", 4, 3, NULL, 0);
		stores(0, 200, 1);
		stores(1, 200, 1);
		CHECK_TEXT(stores(2, 200, 1), i ? "0:size 0+67, 1:size 0+67, 2:size 0+67" : "0:size 0+27, 1:size 0+27, 2:size 0+27");
	}
}

/* What the last transfer took is known until there is another. */
static void remembers_move(void)
{
	start("repart,scheduler=dedicated,calc=ss", 3, 2, NULL, 0);
	stores(0, 4, 10);
	CHECK_TEXT(stores(1, 2, 50), "0:size 0+1, 1:size 0+1");
	CHECK_TEXT(asks(0, 10, 10, 0), "0:size 1+1");
	CHECK_TEXT(asks(1, 50, 50, 21), "1:size 1+1");
	CHECK_TEXT(asks(1, 50, 50, 0), "1:end");
}

/* Of the owners, eight are through in 101 s, but have nothing as light as the 101 that worker 9 would do before; the ninth is
 * through in 100 s. */
static void worth_it_elsewhere(void)
{
	const struct dls__repart_request new = { .speed = 1, .variance = NAN };

	start("repart,scheduler=dedicated,calc=ss", 11, 10, NULL, 0);
	for (unsigned i = 0; i < 8; i++)
		told(i, true, new, (struct dls__alike[]){ { 10, 2 }, { 1000, 1 } }, 2);
	stores(8, 11, 10);
	stores(9, 1, 10);
	for (unsigned i = 0; i < 8; i++)
		asks(i, 10, 1, 0);
	CHECK_TEXT(asks(8, 10, 10, 0), "8:size 1+1");
	CHECK_TEXT(asks(9, 10, 10, 0), "9:get 8:10+1");
	CHECK_TEXT(asks(0, 10, 1, 0), "0:size 2+1");
}

/* Worker 1 may store 0.3 x 50: one slot. */
static void room(void)
{
	start("repart,scheduler=dedicated,calc=gss,room=0.3", 3, 2, NULL, 0);
	stores(0, 10, 10);
	CHECK_TEXT(stores(1, 0, 0), "0:size 0+5, 1:get 0:9+1");
	CHECK_TEXT(asks(1, 10, 1, 0), "1:end");
	CHECK_EQ(counter(DLS__REFUSALS), 1);
	CHECK_TEXT(asks(0, 50, 500, 0), "0:size 5+2");
}

/* Each may store 0.5 x 80.  Worker 0 has room for one slot, that of the one which it has given. */
static void room_of_what_is_given(void)
{
	start("repart,scheduler=dedicated,calc=ss,room=0.5", 4, 3, NULL, 0);
	stores(0, 4, 10);
	stores(1, 0, 0);
	CHECK_TEXT(told(2, true, (struct dls__repart_request){ .speed = 100 }, &(struct dls__alike){ 10, 20 }, 1),
		   "0:size 0+1, 1:get 0:3+1, 2:size 0+1");
	CHECK_TEXT(asks(0, 10, 1, 0), "0:size 1+1");
	CHECK_TEXT(asks(0, 10, 1, 0), "0:size 2+1");
	CHECK_TEXT(asks(0, 10, 1, 0), "0:get 2:19+1");
	CHECK_TEXT(asks(0, 10, 1, 0), "0:end");
}

/* What a scheduler stores that runs nothing: 0.3 x 50 each, and the rest to who is told END last. */
static void room_for_the_schedulers(void)
{
	static const uint64_t cost[] = { 10, 10, 10, 10, 10, 10, 10, 10, 10, 10 };

	CHECK_TEXT(start("repart,scheduler=dedicated,calc=gss,room=0.3", 3, 2, cost, 10), "");
	stores(0, 0, 0);
	CHECK_TEXT(stores(1, 0, 0), "0:get 2:9+1, 1:get 2:8+1");
	CHECK_TEXT(asks(0, 10, 1, 0), "0:end");
	CHECK_TEXT(asks(1, 10, 1, 0), "1:get 2:4+4");
	CHECK_TEXT(asks(1, 40, 4, 0), "1:get 2:2+2");
	CHECK_TEXT(asks(1, 20, 2, 0), "1:get 2:1+1");
	CHECK_TEXT(asks(1, 10, 1, 0), "1:get 2:0+1");
	CHECK_TEXT(asks(1, 10, 1, 0), "1:end");
}

/* Weights that are told: wf has 1.6 and 0.4 of 50.  static leaves all where they are, but for what the scheduler stores
 * and does not run: of that each has a third. */
static void by_calculator(void)
{
	static const uint64_t cost[] = { 10, 10, 10, 10, 10, 10, 10, 10, 10 };

	start("repart,scheduler=dedicated,calc=wf", 3, 2, NULL, 0);
	told(0, true, (struct dls__repart_request){ .speed = 4 }, &(struct dls__alike){ 10, 10 }, 1);
	CHECK_TEXT(stores(1, 10, 10), "0:size 0+8, 1:size 0+2");
	start("repart,scheduler=dedicated,calc=static", 4, 3, NULL, 0);
	stores(0, 10, 10);
	stores(1, 0, 0);
	CHECK_TEXT(stores(2, 3, 1), "0:size 0+10, 1:end, 2:size 0+3");
	start("repart,scheduler=dedicated,calc=static", 4, 3, cost, 9);
	stores(0, 2, 10);
	stores(1, 0, 0);
	CHECK_TEXT(stores(2, 0, 0), "0:size 0+2, 1:get 3:6+3, 2:get 3:3+3");
	CHECK_TEXT(asks(0, 20, 2, 0), "0:get 3:0+3");
	start("repart,scheduler=dedicated", 4, 3, NULL, 0);
	stores(0, 0, 0);
	stores(1, 0, 0);
	CHECK_TEXT(stores(2, 0, 0), "0:end, 1:end, 2:end");
}

/* Of 24 x 2^61 worker 0 has 12 and 3, more than 64 bits hold: it is reported as 12, and what is left of that is its 3.  Beside such
 * weights a slot of weight 1, of which the scaling leaves 0, still weighs something. */
static void great_weights(void)
{
	start("repart,scheduler=dedicated,calc=gss", 3, 2, NULL, 0);
	stores(0, 15, UINT64_C(1) << 61);
	CHECK_TEXT(stores(1, 9, UINT64_C(1) << 61), "0:size 0+12, 1:size 0+6");
	CHECK_TEXT(asks(0, 12 * 0x1p61, 12, 0), "0:size 12+3");
	CHECK_EQ(dls__served(fake.vp, 0)->given / 15, dls__served(fake.vp, 0)->done / 12);
	start("repart,scheduler=dedicated,calc=ss", 3, 2, NULL, 0);
	stores(0, 15, UINT64_C(1) << 61);
	CHECK_TEXT(stores(1, 9, 1), "0:size 0+1, 1:size 0+1");
	CHECK(dls__served(fake.vp, 1)->given == 1);
}

/* Before the loop, in proportion to weights; one task that is heavier than a share stays and does not keep
 * others from it. */
static void reactive(void)
{
	start("repart,scheduler=dedicated,mode=reactive", 3, 2, NULL, 0);
	stores(0, 8, 10);
	CHECK_TEXT(stores(1, 0, 0), "0:end, 1:end, 1:get 0:4+4, 0:size 0+4");
	start("repart,scheduler=dedicated,mode=reactive", 3, 2, NULL, 0);
	stores(0, 8, 10);
	CHECK_TEXT(told(1, true, (struct dls__repart_request){ .speed = 3 }, NULL, 0), "0:end, 1:end, 1:get 0:2+6, 0:size 0+2");
	start("repart,scheduler=dedicated,mode=reactive", 4, 3, NULL, 0);
	stores(0, 1, 100);
	stores(1, 10, 10);
	CHECK_TEXT(stores(2, 0, 0), "0:end, 1:end, 2:end, 2:get 1:7+3, 2:get 1:6+1, 0:size 0+1, 1:size 0+6");
	start("repart,scheduler=dedicated,mode=reactive", 4, 3, NULL, 0);
	told(0, true, (struct dls__repart_request){ .speed = 1 }, (struct dls__alike[]){ { 3, 6 }, { 7, 3 } }, 2);
	stores(1, 0, 0);	/* 13 each: 12, 14, 13 after more transfers than there are processors */
	CHECK_TEXT(stores(2, 0, 0), "0:end, 1:end, 2:end, 1:get 0:8+1, 2:get 0:7+1, 1:get 0:6+1, 2:get 0:5+1, "
				    "2:get 0:4+1, 0:size 0+4");
}

/* A scheduler that works answers itself without a message; by itself it runs all. */
static void works_too(void)
{
	static const uint64_t cost[] = { 10, 10, 10, 10, 10 };
	unsigned ran = 0;

	CHECK_TEXT(start("repart,calc=gss", 2, 1, cost, 5), "");
	CHECK_EQ(fake.vp->queue.units, 0);
	CHECK_TEXT(stores(0, 5, 10), "0:size 0+5");
	CHECK_EQ(fake.vp->queue.units, 2);	/* 25: nearest are 20 and 30 */
	CHECK_TEXT(start("repart", 1, 0, cost, 5), "");
	for (; fake.vp->queue.units > 0 && ran < 9; ran++)
		CHECK_TEXT(run(1), "");
	CHECK_EQ(ran, 5);
}

/* A worker. */
static bool near(double got, double want)
{
	if (fabs(got - want) <= 1e-9 * fabs(want))
		return true;
	tap_note("%g, not %g", got, want);
	return false;
}

/* Another processor gets n tasks and exposes them. */
static void open_other(unsigned id, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		machine_add(fake.machine, id, 1);
	dls__vp_reset(dls__vp_at(fake.machine, id));
	CHECK_EQ(dls_vp_window_expose(dls__vp_at(fake.machine, id)), n);
}

static void tells(void)
{
	CHECK_TEXT(start("repart", 3, 0, (uint64_t[]){ 5, 5, 5, 0, 7 }, 5), "2:request");
	CHECK_EQ(fake.vp->queue.units, 0);
	CHECK_EQ(fake.vp->load, 0);
	CHECK_EQ(request.stretches, 5);	/* one for each task: only pieces of a range are in a row */
	CHECK_EQ(request.alike[2].weight, 5);
	CHECK_EQ(request.alike[3].weight, 1);
	CHECK_EQ(request.alike[4].weight, 7);
	CHECK_EQ(request.alike[4].slots, 1);
	CHECK_TEXT(start("repart", 3, 1, NULL, 0), "2:request");
	CHECK_EQ(request.stretches, 0);
	CHECK(near(request.report.speed, 1));
}

/* ahead=1: as the last task begins, at once if it is the only one; 0: as it has ended; 2: one sooner. */
static void asks_ahead(void)
{
	static const uint64_t cost[] = { 10, 30, 10, 10, 10, 10 };

	start("repart", 3, 0, cost, 6);
	CHECK_TEXT(message(2, DLS__SIZE, 0, 0, 3), "");
	CHECK_EQ(fake.vp->queue.units, 3);
	CHECK_TEXT(run(1), "");
	CHECK_TEXT(run(1), "2:request");
	CHECK_TEXT(run(1), "");
	CHECK_TEXT(message(2, DLS__SIZE, 0, 3, 1), "2:request");
	CHECK_TEXT(message(2, DLS__SIZE, 0, 4, 2), "");		/* with the one before it three */
	CHECK_TEXT(run(1), "");
	CHECK_TEXT(run(1), "2:request");
	CHECK_TEXT(message(2, DLS__END_OF_LOOP, 0, 0, 0), "");
	CHECK_TEXT(run(1), "");

	start("repart,ahead=0", 3, 0, cost, 6);
	CHECK_TEXT(message(2, DLS__SIZE, 0, 0, 2), "");
	CHECK_TEXT(run(1), "");
	CHECK_TEXT(run(1), "2:request");

	start("repart,ahead=2", 3, 0, cost, 6);
	CHECK_TEXT(message(2, DLS__SIZE, 0, 0, 3), "");
	CHECK_TEXT(run(1), "2:request");
	CHECK_TEXT(message(2, DLS__SIZE, 0, 3, 1), "");
	CHECK_TEXT(run(1), "2:request");
	CHECK(request.report.dispatch == 0);	/* the answer came in time */
	CHECK_TEXT(run(1), "");
}

/* Of 10, 30 and 10 in 2, 3 and 1 s; before, 4 s of waiting, and then 5.  The variance of one unit of weight
 * is that between the times of tasks, by their weights: (4/10 + 9/30 - 25/40) / 1. */
static void reports(void)
{
	start("repart,ahead=0", 3, 0, (uint64_t[]){ 10, 30, 10 }, 3);
	dls__vp_idle(fake.vp);
	fake.now = 4ull * S;
	message(2, DLS__SIZE, 0, 0, 2);
	run(2);
	CHECK_TEXT(run(3), "2:request");
	CHECK_EQ(request.report.done, 40);
	CHECK(near(request.report.time, 5));
	CHECK(near(request.report.dispatch, 4));
	CHECK(near(request.report.variance, 0.075));
	CHECK(request.report.move == 0);
	CHECK_EQ(request.stretches, 0);
	fake.now += 5ull * S;
	message(2, DLS__SIZE, 0, 2, 1);
	CHECK_TEXT(run(1), "2:request");
	CHECK_EQ(request.report.done, 10);
	CHECK(near(request.report.time, 1));
	CHECK(near(request.report.dispatch, 5));
	CHECK(isnan(request.report.variance));
}

/* Tasks of 0 s take none, wherever they stand; the last of them may be reported with what comes next. */
static void reports_no_time(void)
{
	static const uint64_t cost[] = { 10, 1, 20, 1, 1, 30, 1, 1 };

	start("repart,ahead=0", 3, 0, cost, 8);
	message(2, DLS__SIZE, 0, 0, 7);
	for (unsigned i = 0; i < 7; i++)
		run(cost[i] > 1 ? 0.1 * (double)cost[i] : 0);
	CHECK(request.report.tasks == 6 || request.report.tasks == 7);
	CHECK(near(request.report.done, 57 + (double)request.report.tasks));
	CHECK(fabs(request.report.time - 6) < 1e-6);
	fake.now += 5ull * S;
	message(2, DLS__SIZE, 0, 7, 1);
	run(0);
	CHECK(request.report.time < 1e-6);
	CHECK(near(request.report.dispatch, 5));
}

/* In a loop a piece is done as it begins, and runs until the next one begins or there is none. */
static void begin(void)
{
	CHECK(dls__vp_next(fake.vp));
	dls__vp_done(fake.vp);
}

static void reports_pieces(void)
{
	start("repart,ahead=0", 3, 0, (uint64_t[]){ 10, 30, 10, 20 }, 4);
	fake.now = S;
	message(2, DLS__SIZE, 0, 0, 3);
	begin();
	fake.now += 2ull * S;
	begin();
	fake.now += 3ull * S;
	begin();
	CHECK_EQ(request.report.tasks, 2);
	CHECK_EQ(request.report.done, 40);
	CHECK(near(request.report.time, 5));
	CHECK(near(request.report.variance, 0.075));
	fake.now += 7ull * S;
	dls__vp_idle(fake.vp);
	fake.now += 4ull * S;
	message(2, DLS__SIZE, 0, 3, 1);
	begin();
	CHECK_EQ(request.report.tasks, 1);
	CHECK_EQ(request.report.done, 10);
	CHECK(near(request.report.time, 7));
	CHECK(near(request.report.dispatch, 4));
}

/* Eight of 2^61 are more than 64 bits hold. */
static void reports_great_weights(void)
{
	uint64_t cost[8];

	for (unsigned i = 0; i < 8; i++)
		cost[i] = UINT64_C(1) << 61;
	start("repart,ahead=0,calc=gss", 3, 0, cost, 8);
	message(2, DLS__SIZE, 0, 0, 8);
	for (unsigned i = 0; i < 8; i++)
		run(1);
	CHECK_EQ(request.report.tasks, 8);
	CHECK(near(request.report.done, 8 * 0x1p61));
	CHECK(near(request.report.time, 8));
}

/* A worker sends no Request before the chunk that a Get announces has come (repart.D2); this chunk takes 3
 * s. */
static void gets(void)
{
	start("repart", 3, 0, (uint64_t[]){ 10 }, 1);
	CHECK_TEXT(message(2, DLS__SIZE, 0, 0, 1), "2:request");
	CHECK_TEXT(message(2, DLS__GET, 1, 7, 2), "1:give 7+2");
	CHECK_TEXT(run(1), "");
	fake.now += 2ull * S;
	CHECK_TEXT(message(1, DLS__CHUNK_DATA, 0, 0, 2), "");
	CHECK_EQ(fake.vp->queue.units, 2);
	CHECK_TEXT(run(1), "2:request");
	CHECK(near(request.report.move, 3));
	CHECK_EQ(request.report.done, 20);
	CHECK(near(request.report.dispatch, 2));
	CHECK_TEXT(message(2, DLS__GET, 1, 5, 1), "1:give 5+1");
	CHECK_TEXT(message(1, DLS__CHUNK_DATA, 0, 0, 1), "");		/* with the one that is left two */

	start("repart,queue=replicated", 3, 0, NULL, 0);
	open_other(1, 3);
	CHECK_TEXT(message(2, DLS__SIZE, 1, 1, 2), "");
	CHECK_TEXT(run(1), "2:request");
}

/* A worker that has been told END still gives what others are told to get. */
static void gives(void)
{
	start("repart", 3, 0, (uint64_t[]){ 1, 2, 3, 4 }, 4);
	CHECK_TEXT(message(1, DLS__GIVE, 0, 2, 2), "1:data of 0 x2");
	message(2, DLS__SIZE, 0, 0, 1);
	CHECK_TEXT(message(2, DLS__END_OF_LOOP, 0, 0, 0), "");
	CHECK_TEXT(message(1, DLS__GIVE, 0, 1, 1), "1:data of 0 x1");
	CHECK_EQ(fake.vp->queue.units, 1);
	CHECK_TEXT(run(1), "");
}

/* Results of another's tasks go back when those are done. */
static void returns(void)
{
	start("repart,return=yes,ahead=0", 4, 0, (uint64_t[]){ 1 }, 1);
	message(3, DLS__SIZE, 0, 0, 1);
	CHECK_TEXT(run(1), "3:request");
	CHECK_TEXT(message(3, DLS__GET, 1, 0, 2), "1:give 0+2");
	message(1, DLS__CHUNK_DATA, 0, 0, 2);
	CHECK_TEXT(run(1), "");
	CHECK_TEXT(run(1), "3:request, 1:results 2");
	message(3, DLS__GET, 2, 0, 1);
	message(2, DLS__CHUNK_DATA, 0, 0, 1);
	CHECK_TEXT(run(1), "3:request, 2:results 1");
	start("repart,ahead=0", 4, 0, NULL, 0);
	message(3, DLS__GET, 1, 0, 1);
	message(1, DLS__CHUNK_DATA, 0, 0, 1);
	CHECK_TEXT(run(1), "3:request");
	close_machine();
}

TEST_MAIN(T(heads_and_tails) T(from_the_slowest) T(worth_it) T(first_chunks) T(moments) T(remembers_move) T(worth_it_elsewhere) T(room)
	  T(room_of_what_is_given) T(room_for_the_schedulers) T(by_calculator) T(great_weights) T(reactive) T(works_too)
	  T(tells) T(asks_ahead) T(reports) T(reports_no_time) T(reports_pieces) T(reports_great_weights) T(gets) T(gives) T(returns))
