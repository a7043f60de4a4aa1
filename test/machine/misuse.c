/* misuse.c - calls of dls/strategy.h that break its rules end the run with DLS_EINVAL, and a line names the strategy and the call.
 *
 * A child makes each call, on both engines.  Fails if: the child crashes or hangs (an alarm ends it), the call is accepted, or the line
 * does not say what was wrong.
 *
 * runs: check, machines, pthreads */
#include "child.h"
#include "dls/class.h"
#include "lib/machine/vp.h"
#include "machine.h"

enum { P = 3, TASKS = 4, REFUSED = 3 /* exit status */ };

/* Each wrong call: its name here, what is said of it, and the call. */
#define CALLS(X) \
	X(send_nowhere, "dls_vp_send(): destination 3 is not below 3", dls_vp_send(vp, P, 0, NULL)) \
	X(send_nobody, "dls_vp_send(): destination 4294967295 is not below 3", dls_vp_send(vp, DLS_NO_PROCESSOR, 0, NULL)) \
	X(send_itself, "dls_vp_send(): destination 0 is the processor itself", dls_vp_send(vp, dls_vp_id(vp), 0, NULL)) \
	X(send_kind, "dls_vp_send(): kind 12 is not below 12", dls_vp_send(vp, 1, DLS_KINDS_MAX, NULL)) \
	X(data_nowhere, "dls_vp_send_data(): destination 2147483648", dls_vp_send_data(vp, 1u << 31, 0, NULL, "x", 1)) \
	X(data_large, "dls_vp_send_data(): number of bytes", dls_vp_send_data(vp, 1, 0, NULL, "x", SIZE_MAX)) \
	X(data_null, "dls_vp_send_data(): 1 bytes at NULL", dls_vp_send_data(vp, 1, 0, NULL, NULL, 1)) \
	X(migrate_nowhere, "dls_vp_migrate(): destination 3", dls_vp_migrate(vp, P, 0, 1, NULL)) \
	X(migrate_itself, "dls_vp_migrate(): destination 0 is", dls_vp_migrate(vp, 0, 0, 1, NULL)) \
	X(forward_nothing, "dls_vp_forward(): no message", dls_vp_forward(vp, 1, 0, NULL)) \
	X(timer, "dls_vp_timer_start(): timer 4", dls_vp_timer_start(vp, DLS_TIMERS_MAX, 1)) \
	X(timer_stop, "dls_vp_timer_stop(): timer", dls_vp_timer_stop(vp, UINT32_MAX)) \
	X(count, "dls_vp_counter_add(): counter 8", dls_vp_counter_add(vp, DLS_COUNTERS_MAX, 1)) \
	X(value, "dls_vp_value(): parameter 16", CHECK_EQ(dls_vp_value(vp, DLS_VALUES_MAX)->word, -1)) \
	X(window_owner, "dls_vp_window_take(): owner 3", dls_vp_window_take(vp, P, 0, 0)) \
	X(window_slots, "dls_vp_window_take(): number of slots 4 is not below 4", \
	  CHECK_EQ(dls_vp_window_expose(vp), TASKS); dls_vp_window_take(vp, 0, 1, TASKS)) \
	X(window_first, "dls_vp_window_send(): first slot", \
	  dls_vp_window_expose(vp); dls_vp_window_send(vp, 1, UINT64_MAX, 2, 0, NULL)) \
	X(window_to, "dls_vp_window_send(): destination 3", \
	  dls_vp_window_expose(vp); dls_vp_window_send(vp, P, 0, 1, 0, NULL)) \
	X(window_weight, "dls_vp_window_weight(): slot 4", \
	  uint64_t like = 0; dls_vp_window_expose(vp); dls_vp_window_weight(vp, TASKS, &like); CHECK_EQ(like, 1)) \
	X(ship, "dls_vp_ship(): destination 3", \
	  dls_vp_ship(vp, 0, &(struct dls_hint){ .destination = P, .count = 1 }, DLS_QUEUE_END_LAST, 0, NULL)) \
	X(policy, "dls_vp_policy(): class", CHECK(dls_vp_policy(vp, DLS_CLASSES_MAX) == NULL)) \
	X(policy_value, "dls_vp_policy_value(): parameter 16", dls_vp_policy_value(vp, 0, DLS_VALUES_MAX)) \
	X(allowed, "dls_vp_allowed(): class 1", dls_vp_allowed(vp, 1)) \
	X(spawn, "place(): destination 3", dls_vp_spawn(vp, &(struct dls_task){ .type = &spawned }))

/* Where DLS_CHECK is 1. */
#define CHECKED_CALLS(X) \
	X(unnamed_kind, "dls_vp_send(): the strategy names no message kind 1", dls_vp_send(vp, 1, 1, NULL)) \
	X(unnamed_counter, "dls_vp_counter_add(): the strategy names no counter 0", dls_vp_counter_add(vp, 0, 1)) \
	X(no_parameter, "dls_vp_value(): the strategy names no parameter 0", CHECK_EQ(dls_vp_value(vp, 0)->word, -1)) \
	X(neighbour, "dls_vp_neighbour(): neighbour 2 is not below 2", CHECK_EQ(dls_vp_neighbour(vp, 2), DLS_NO_PROCESSOR)) \
	X(bound, "dls_vp_random(): bound 0", CHECK_EQ(dls_vp_random(vp, 0), 0)) \
	X(negative, "dls_vp_migrate(): a load of -1", dls_vp_migrate(vp, 1, 0, -1, NULL)) \
	X(negative_offer, "dls_vp_migratable(): a load of -2", CHECK_EQ(dls_vp_migratable(vp, -2), 0)) \
	X(ship_nothing, "dls_vp_ship(): 0 tasks", \
	  dls_vp_ship(vp, 0, &(struct dls_hint){ .destination = 1 }, DLS_QUEUE_END_LAST, 0, NULL)) \
	X(ship_others, "dls_vp_ship(): source 2", \
	  dls_vp_ship(vp, 0, &(struct dls_hint){ .destination = 1, .source = 2, .count = 1 }, DLS_QUEUE_END_LAST, 0, NULL))

/* Calls with a class that does not exist; the machine has one class or two. */
#define CLASS_CALLS(X) \
	X(ship_class, "dls_vp_ship(): class 1", \
	  dls_vp_ship(vp, 1, &(struct dls_hint){ .destination = 1, .count = 1 }, DLS_QUEUE_END_LAST, 0, NULL)) \
	X(class_tasks, "dls_vp_class_tasks(): class 1", CHECK_EQ(dls_vp_class_tasks(vp, 1).queued, 0)) \
	X(key, "dls_vp_key(): class 1", int64_t found; CHECK(!dls_vp_key(vp, 1, 0, &found))) \
	X(allow, "dls_vp_allow(): class 1", dls_vp_allow(vp, 1, 0)) \
	X(reserve, "dls_vp_reserve(): class 1", dls_vp_reserve(vp, 1))

/* Of the strategy `classes` alone. */
#define UPCALLS(X) \
	X(upcall, "dls_vp_upcall(): class 1", CHECK(!dls_vp_upcall(vp, 1, 0, NULL, NULL)))

#define FUNCTION(name, says, ...) static void name(struct dls_vp *vp) { __VA_ARGS__; }
#define ENTRY(name, says, ...) { says, name },

static const struct dls_task_type spawned = { .size = sizeof(spawned), .name = "spawned" };

CALLS(FUNCTION)
CLASS_CALLS(FUNCTION)
CHECKED_CALLS(FUNCTION)
UPCALLS(FUNCTION)

static const struct wrong {
	const char *says;
	void (*call)(struct dls_vp *vp);
} *wrong;

static void start(struct dls_vp *vp, void *state)
{
	if (dls_vp_id(vp) == 0)
		wrong->call(vp);
}

static unsigned place(struct dls_vp *vp, void *state, const struct dls_task *task)
{
	return P;
}

static int run_task(struct dls_vp *vp, struct dls_task *task, void *context)
{
	wrong->call(vp);
	return 0;
}

static void add(struct dls_machine *m, int (*run)(struct dls_vp *, struct dls_task *, void *))
{
	static struct dls_task_type type = { .size = sizeof(type), .name = "task" };

	type.run = run;
	for (unsigned i = 0; i < TASKS; i++)
		CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &type, .cost = 1000 }), 0);
}

static bool checked;

/* From a handler of a strategy. */
static int by_strategy(const char *engine)
{
	static const struct dls_strategy s = { .name = "mine", .start = start, .place = place, .kind = { "zero" } };
	struct dls_machine *m = MACHINE(.engine = engine, .processors = P, .net = "ring");

	m->spec.strategy = &s;
	m->rules.check = checked;
	add(m, wrong->call == spawn ? run_task : NULL);
	return dls_machine_run(m);
}

/* From a task of the one class that there is. */
static int by_class(const char *engine)
{
	struct dls_class_desc class = { .size = sizeof(class), .name = "one", .run = run_task };
	struct dls_machine *m = MACHINE(.engine = engine, .processors = P, .net = "ring", .classes = &class, .class_count = 1);

	CHECK_EQ(dls_class_add(m, 0, 0, &(struct dls_task){ .cost = 1 }), 0);
	return dls_machine_run(m);
}

struct run {
	int (*run)(const char *engine);
	const char *engine;
};

static int run_wrong(const void *arg)
{
	const struct run *r = arg;

	return r->run(r->engine) == DLS_EINVAL && tap_failures == 0 ? REFUSED : 0;
}

/* Whether a child that makes a wrong call is refused, and says why. */
static void refused(const struct wrong *call, int (*run)(const char *engine), const char *engine)
{
	int status;

	wrong = call;
	status = child_status(run_wrong, &(struct run){ run, engine });
	if (!CHECK(WIFEXITED(status) && WEXITSTATUS(status) == REFUSED) || !CHECK(strstr(said, call->says) != NULL) ||
	    !CHECK(strstr(said, "libdls: strategy ") == said && strstr(said, ", processor 0 of 3: ")))
		tap_note("%s: \"%s\", status %x, said \"%s\"", engine, call->says, (unsigned)status, said);
}

/* Check each entry of a list, which ends with an empty one. */
static void each(const struct wrong *list, int (*run)(const char *engine))
{
	for (; list->call; list++) {
		refused(list, run, "virtual");
		refused(list, run, "threads");
	}
}

static void calls(void)
{
	each((const struct wrong[]){ CALLS(ENTRY) CLASS_CALLS(ENTRY) { NULL, NULL } }, by_strategy);
}

/* Lanes are as many as classes. */
static void of_classes(void)
{
	each((const struct wrong[]){ CLASS_CALLS(ENTRY) UPCALLS(ENTRY) { NULL, NULL } }, by_class);
}

static void under_check(void)
{
	checked = true;
	each((const struct wrong[]){ CHECKED_CALLS(ENTRY) { NULL, NULL } }, by_strategy);
	calls();
	checked = false;
}

/* Fails if: a strategy of the library breaks a rule. */
static void built_in(void)
{
	setenv("DLS_CHECK", "1", 1);	/* of this test no machine has been opened but in children */
	for (size_t i = 0; dls_strategy_at(i); i++) {
		struct dls_machine *m = MACHINE(.strategy = dls_strategy_at(i)->name, .processors = 13, .net = "mesh:13x1", .costs = "cm5");

		CHECK(m->rules.check);
		for (unsigned k = 0; k < 200; k++)
			machine_add(m, k % 3, 100000 + 1000 * k);
		CHECK_EQ(machine_run(m).tasks, 200);
		dls_machine_close(m);
	}
}

TEST_MAIN(T(calls) T(of_classes) T(under_check) T(built_in))
