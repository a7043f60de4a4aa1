/* virtual.c - the virtual engine: when messages are seen, how long tasks take, when they are suspended; all times computed by hand.
 *
 * runs: check, machines, alone, pthreads */
#include "dls/strategy.h"
#include "lib/machine/vp.h"
#include "machine.h"

enum { US = 1000 };	/* ns */

static uint64_t heard[16];	/* when each message was handled, ns */
static int64_t said[16];
static unsigned heards;

static void hear(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	if (heards < 16) {
		heard[heards] = dls_vp_now(vp);
		said[heards++] = message->word[0];
	}
}

static struct dls_machine *machine_of(const struct dls_strategy *strategy, unsigned processors, const char *net,
				      const char *costs)
{
	struct dls_machine *m = MACHINE(.processors = processors, .net = net, .costs = costs, .seed = 1);

	m->spec.strategy = strategy;
	heards = 0;
	return m;
}

static uint64_t us(double seconds)
{
	return (uint64_t)(seconds * 1e6 + 0.5);
}

static const char COSTS[] = "ideal,quantum=100e-6,poll=10e-6,send=7e-6,receive=5e-6,latency=3e-6,hop=2e-6,long=100,"
			    "setup=50e-6,byte=1e-6";

static struct dls_processor_stats processor_0;	/* in the last run_two() */

/* Run two processors, one of which has a task of 1 ms. */
static struct dls_run_result run_two(const struct dls_strategy *strategy, unsigned busy, const char *costs)
{
	struct dls_machine *m = machine_of(strategy, 2, "complete", costs);
	struct dls_run_result r;

	machine_add(m, busy, 1000 * US);
	r = machine_run(m);
	processor_0 = machine_stats(m, 0);
	dls_machine_close(m);
	return r;
}

static void send_at_once(struct dls_vp *vp, void *state)
{
	if (dls_vp_id(vp) == 1)
		for (int64_t i = 1; i <= 2; i++)
			dls_vp_send(vp, 0, 0, (int64_t[DLS_MESSAGE_WORDS]){ i });
}

/* Sent by 7 and 14 us, there at 10 and 17; seen at the poll of 110, handled until 115 and 120.  So is, until 125, what the
 * detection of the end has sent by 21: processor 1 has nothing to run.  900 us and 9 polls are left: 1115.  Breaks if a poll is
 * off by one, or time in handlers does not push the task back. */
static void polls(void)
{
	static const struct dls_strategy s = { .name = "s", .start = send_at_once, .message = hear };
	struct dls_run_result r = run_two(&s, 0, COSTS);

	CHECK_EQ(heards, 2);
	CHECK_EQ(heard[0], 115 * US);
	CHECK_EQ(heard[1], 120 * US);
	CHECK_EQ(said[0], 1);
	CHECK_EQ(us(r.time), 1115);
	CHECK_EQ(us(processor_0.busy), 1000);
	CHECK_EQ(us(processor_0.polling), 100);
	CHECK_EQ(us(processor_0.overhead), 10);
	CHECK_EQ(us(processor_0.service), 5);	/* that; the probe, its answer and the end come after the task */
	CHECK_EQ(us(processor_0.idle), 0);
}

/* An idle processor handles the same messages as they come, and a task without quantum is interrupted. */
static void no_polls(void)
{
	static const struct dls_strategy s = { .name = "s", .start = send_at_once, .message = hear };

	run_two(&s, 1, COSTS);
	CHECK_EQ(heard[0], 15 * US);
	CHECK_EQ(heard[1], 22 * US);
	CHECK_EQ(us(run_two(&s, 0, "ideal,quantum=0,send=7e-6,receive=5e-6,latency=3e-6").time), 1015);
	CHECK_EQ(heard[0], 15 * US);
	CHECK_EQ(heard[1], 22 * US);
}

static void migrate_at_once(struct dls_vp *vp, void *state)
{
	if (dls_vp_id(vp) == 0) {
		dls_vp_migrate(vp, 2, 0, 3, NULL);
		dls_vp_send(vp, 2, 0, NULL);
	}
}

/* On a line of three, 3 tasks in a message of 48 + 96 bytes: 7 to send, 50 + 144 on the way, 3 + 2 for two links, 5 to
 * receive: 211.  The short message sent right after it does not overtake: sent by 14, there at 206 too. */
static void long_way(void)
{
	static const struct dls_strategy s = { .name = "s", .start = migrate_at_once, .message = hear };
	struct dls_machine *m = machine_of(&s, 3, "mesh:3x1", COSTS);

	m->spec.block = UINT64_MAX;
	for (int i = 0; i < 4; i++)
		machine_add(m, 0, 1 * US);

	struct dls_run_result r = machine_run(m);

	CHECK_EQ(heards, 2);
	CHECK_EQ(heard[0], 211 * US);
	CHECK_EQ(heard[1], 216 * US);
	CHECK_EQ(r.transfers, 3);
	CHECK_EQ(r.hops, 6);
	CHECK_EQ(r.messages, 2);
	CHECK_EQ(r.nonlocal, 3);
	dls_machine_close(m);
}

static void hold_or_release(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	hear(vp, state, message);
	if (vp->standing.held)
		dls_vp_release(vp);
	else
		dls_vp_hold(vp);
}

static void send_later(struct dls_vp *vp, void *state, unsigned which)
{
	dls_vp_send(vp, 0, 0, (int64_t[DLS_MESSAGE_WORDS]){ which });
}

static void set_timers(struct dls_vp *vp, void *state)
{
	if (dls_vp_id(vp) != 1)
		return;
	dls_vp_timer_start(vp, 0, 90 * US);
	dls_vp_timer_start(vp, 1, 1);		/* void, since set again */
	dls_vp_timer_start(vp, 2, 2);		/* stopped */
	dls_vp_timer_start(vp, 1, 290 * US);
	dls_vp_timer_stop(vp, 2);
}

/* Hold arrives at 100, is seen at 110 after the word that processor 1 has nothing to run, and handled until 120; release
 * arrives at 300, handled at once until 305: held for 180, and 305 + 900 + 90 is the end. */
static void suspended(void)
{
	static const struct dls_strategy s = { .name = "s", .start = set_timers, .message = hold_or_release,
					       .timer = send_later };
	struct dls_run_result r = run_two(&s, 0, COSTS);

	CHECK_EQ(heards, 2);
	CHECK_EQ(said[0], 0);
	CHECK_EQ(heard[0], 120 * US);
	CHECK_EQ(said[1], 1);
	CHECK_EQ(heard[1], 305 * US);
	CHECK_EQ(us(r.time), 1295);
	CHECK_EQ(us(processor_0.held), 180);
}

static void hold_at_once(struct dls_vp *vp, void *state)
{
	dls_vp_hold(vp);
}

/* A hold that nobody ends is told from the end of all tasks, and the machine can run again. */
static void stall(void)
{
	static const struct dls_strategy s = { .name = "s", .start = hold_at_once }, none = { .name = "none" };
	struct dls_machine *m = machine_of(&s, 3, "complete", COSTS);

	machine_add(m, 0, 1000 * US);
	CHECK_EQ(dls_machine_run(m), DLS_EDEADLK);
	m->spec.strategy = &none;
	machine_add(m, 1, 1 * US);
	CHECK_EQ(machine_run(m).tasks, 1);
	dls_machine_close(m);
}

static unsigned order[8], orders;

static int note(struct dls_vp *vp, struct dls_task *task, void *context)
{
	const struct dls_task_type *type = task->type;

	if (orders < 8)
		order[orders++] = (unsigned)task->arg[0];
	if (task->arg[0] == 1)
		for (uint64_t i = 10; i < 12; i++)
			CHECK_EQ(dls_vp_spawn(vp, &(struct dls_task){ .type = type, .arg = { i } }), 0);
	return 0;
}

/* order=fifo and lifo, tasks spawned by the first. */
static void order_of_tasks(void)
{
	static const struct dls_strategy s = { .name = "s" };
	static const unsigned fifo[] = { 1, 2, 3, 10, 11 }, lifo[] = { 3, 2, 1, 11, 10 };
	struct dls_task_type type = { .size = sizeof(type), .name = "note", .run = note };

	for (int last = 0; last < 2; last++) {
		struct dls_machine *m = machine_of(&s, 1, "ring", "ideal");

		m->spec.lifo = last;
		orders = 0;
		for (uint64_t i = 1; i <= 3; i++)
			CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &type, .arg = { i } }), 0);
		machine_run(m);
		CHECK_EQ(orders, 5);
		for (unsigned i = 0; i < 5; i++)
			CHECK_EQ(order[i], (last ? lifo : fifo)[i]);
		dls_machine_close(m);
	}
}

/* Half speed takes twice as long. */
static void speeds(void)
{
	/* What is behind them is not looked at. */
	struct dls_machine *m = MACHINE(.processors = 2, .net = "ring", .speed = (double[]){ 0.5, 2, 0 });
	struct dls_run_result r;

	for (unsigned p = 0; p < 2; p++)
		machine_add(m, p, 100 * US);
	r = machine_run(m);
	CHECK_EQ(us(r.time), 200);
	CHECK_EQ(us(r.busy), 250);
	CHECK_EQ(us(r.work), 200);
	CHECK_EQ(us(machine_stats(m, 1).idle), 150);
	dls_machine_close(m);
}

/* What the strategy is charged with: CHARGES times `charged` calls of a phase of 1000 s, at the start. */
static uint64_t charged;
static unsigned charges;

static void charge_at_once(struct dls_vp *vp, void *state)
{
	for (unsigned i = 0; i < charges && dls_vp_id(vp) == 0; i++)
		dls_vp_charge(vp, DLS_CHARGE_PHASE, charged);
}

static int beget(struct dls_vp *vp, struct dls_task *task, void *context)
{
	static const struct dls_task_type spawned = {
		.size = sizeof(spawned), .name = "spawned", .grain = 1,
	};

	CHECK_EQ(dls_vp_spawn(vp, &(struct dls_task){ .type = &spawned, .arg = { 0, task->arg[0] } }), 0);
	return 0;
}

/* Products and sums of times that are past 2^63 ns end the run: 18446745 x 1000 s are 926 s past 2^64 ns, 9000000 x 1000 s
 * three times 260 years. */
static void too_long(void)
{
	static const struct dls_strategy s = { .name = "s", .start = charge_at_once };
	static const struct dls_task_type type = { .size = sizeof(type), .name = "beget", .run = beget };
	static const struct {
		uint64_t times;
		unsigned calls;
		int code;
	} of[] = { { 18446745, 1, DLS_ERANGE }, { 9000000, 3, DLS_ERANGE }, { 9000000, 1, 0 }, { UINT64_MAX, 2, DLS_ERANGE } };
	struct dls_machine *m;

	for (unsigned i = 0; i < sizeof(of) / sizeof(*of); i++) {
		m = machine_of(&s, 2, "ring", "ideal,phase=1000");
		charged = of[i].times;
		charges = of[i].calls;
		machine_add(m, 0, 1 * US);
		CHECK_EQ(dls_machine_run(m), of[i].code);
		dls_machine_close(m);
	}
	charges = 0;
	m = machine_of(&s, 1, "ring", "ideal,create=1000");
	CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &type, .arg = { 18446745 } }), 0);
	CHECK_EQ(dls_machine_run(m), DLS_ERANGE);
	dls_machine_close(m);
}

static unsigned gone_off;

static void set_for_ever(struct dls_vp *vp, void *state, const struct dls_task *task)
{
	dls_vp_timer_start(vp, 0, UINT64_MAX);
	dls_vp_timer_start(vp, 1, UINT64_MAX - dls_vp_now(vp));
}

static void hold_for_ever(struct dls_vp *vp, void *state)
{
	dls_vp_hold(vp);
	dls_vp_timer_start(vp, 0, UINT64_MAX);
}

static void go_off(struct dls_vp *vp, void *state, unsigned which)
{
	gone_off++;
}

/* A timer set for a time that no clock reaches does not go off, and the run ends as if it were not set; where nothing else is
 * to come, it ends for want of time.  Breaks if clock and delay are added modulo 2^64. */
static void never(void)
{
	static const struct dls_strategy s = { .name = "s", .done = set_for_ever, .timer = go_off };
	static const struct dls_strategy held = { .name = "s", .start = hold_for_ever, .timer = go_off };
	struct dls_machine *m = machine_of(&s, 2, "ring", "ideal");

	for (int times = 0; times < 2; times++) {
		gone_off = 0;
		machine_add(m, 0, 1 * US);
		machine_add(m, 0, 1 * US);
		CHECK_EQ(machine_run(m).tasks, 2);
		CHECK_EQ(gone_off, 0);
	}
	m->spec.strategy = &held;
	machine_add(m, 0, 1 * US);
	CHECK_EQ(dls_machine_run(m), DLS_ERANGE);
	CHECK_EQ(gone_off, 0);
	dls_machine_close(m);
}

static int spend_one(struct dls_vp *vp, struct dls_task *task, void *context)
{
	dls_vp_spend(vp, 1 * US);
	return 0;
}

static void allow_none(struct dls_vp *vp, void *state)
{
	dls_vp_allow(vp, 0, 0);
}

static void allow_one(struct dls_vp *vp, void *state)
{
	dls_vp_allow(vp, 0, 1);
}

/* A processor that lets itself run one task more each time that it has nothing to run.  Fails if it sleeps all the same. */
static void allowed_when_idle(void)
{
	static const struct dls_strategy s = { .name = "s", .start = allow_none, .idle = allow_one };
	const struct dls_class_desc class = { .size = sizeof(class), .name = "class", .run = spend_one };
	struct dls_machine *m = MACHINE(.processors = 1, .costs = "ideal", .classes = &class, .class_count = 1);
	struct dls_run_result r;

	m->spec.strategy = &s;
	for (int i = 0; i < 3; i++)
		CHECK_EQ(dls_class_add(m, 0, 0, &(struct dls_task){ .key = 0 }), 0);
	r = machine_run(m);
	CHECK_EQ(r.tasks, 3);
	CHECK_EQ(us(r.time), 3);
	dls_machine_close(m);
}

static void look(struct dls_vp *vp, void *state)
{
	int64_t key = 0;

	dls_vp_allow(vp, 0, 0);
	CHECK_EQ(dls_vp_allowed(vp, 0), UINT64_MAX);
	CHECK(dls_vp_key(vp, 0, 1, &key));
	CHECK_EQ(key, 8);
	CHECK(!dls_vp_key(vp, 0, 2, &key));
}

/* Without classes all tasks are of class 0, and all may run.  Fails if a limit counts there, or keys are another queue's. */
static void allowed_without_classes(void)
{
	static const struct dls_strategy s = { .name = "s", .start = look };
	static const struct dls_task_type type = { .size = sizeof(type), .name = "type" };
	struct dls_machine *m = MACHINE(.processors = 1, .costs = "ideal");

	m->spec.strategy = &s;
	for (int64_t key = 7; key < 9; key++)
		CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &type, .cost = 1 * US, .key = key }), 0);
	CHECK_EQ(machine_run(m).tasks, 2);
	dls_machine_close(m);
}

TEST_MAIN(T(polls) T(no_polls) T(long_way) T(suspended) T(stall) T(order_of_tasks) T(speeds) T(too_long)
	  T(never) T(allowed_when_idle) T(allowed_without_classes))
