/* class_once.c - machines of drawn classes: each task runs exactly once and the run ends, under every policy,
 * however badly balancers work, and whatever ship_out declines to pack; in virtual time a seed gives one result, bit
 * for bit; and a function that fails ends the run.
 *
 * runs: machines, pthreads */
#include "classes.h"
#include "drawn.h"

enum { MOST = 1024, FAILURE = 99, BUDGET = 60 };

/* Which function fails, and at which of its calls on one node. */
enum failing { RUN, SHIP_OUT, SHIP_IN, RECEIVE, BALANCE, NONE };

static struct plan {
	char strategy[64], costs[80], faults[80], policy[DLS_CLASSES_MAX][64], name[512];
	bool threads, balance[DLS_CLASSES_MAX], more[DLS_CLASSES_MAX];
	bool pins;		/* a task may go to one node alone, or to none */
	bool first_only;	/* ship_out stops at the first task that may not go */
	unsigned p, nodes, classes;
	uint64_t seed, roots, tasks, branch, unit;
	enum failing failing;
	uint64_t at;
} plan;

static unsigned char hits[MOST];
static struct {
	_Alignas(64) uint64_t data;
} received[NODES_MOST];
static struct dls_class_desc classes[DLS_CLASSES_MAX];

/* Drawn on a node, which is all that decides there: n[6]; n[0 .. 4] count calls, n[5] that one has failed, n[7] data sent. */
static uint64_t draw(struct seen *s, uint64_t bound)
{
	return tap_random(&s->n[6]) % bound;
}

static int may_fail(struct seen *s, enum failing function)
{
	if (s->n[function]++ != plan.at || function != plan.failing)
		return 0;
	s->n[5] = 1;
	return FAILURE;
}

static uint64_t hash(uint64_t k, uint64_t what)
{
	uint64_t state = plan.seed ^ k << 20 ^ what << 50;

	return tap_random(&state);
}

/* Its tasks wait for the application to schedule them. */
static bool is_pooled(unsigned task_class)
{
	return plan.balance[task_class] && strncmp(plan.policy[task_class], "priority", 8) == 0;
}

static unsigned class_of(uint64_t k)
{
	unsigned c = (unsigned)(hash(k, 1) % plan.classes);

	/* The scheduler is not told when a task is spawned into another class. */
	return is_pooled(c) && k >= plan.roots && class_of((k - plan.roots) / plan.branch) != c ? 0 : c;
}

static int64_t key_of(const struct dls_task *task, void *context)
{
	return (int64_t)(hash(task->arg[0], 2) % 7) - 3;
}

/* Whether the task is packed for a node: for any, for one, or for none. */
static bool goes_to(uint64_t k, unsigned node)
{
	unsigned takes = (unsigned)(hash(k, 8) % (plan.nodes + 2));

	return !plan.pins || takes == plan.nodes || takes == node;
}

static size_t bytes_of(uint64_t k)
{
	return hash(k, 3) % 3 ? hash(k, 4) % 200 : 0;
}

static unsigned char byte_of(uint64_t k, size_t at)
{
	return (unsigned char)(k * 7 + at);
}

static int run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct seen *s = seen_by(vp, context);
	uint64_t k = task->arg[0];

	hits[k]++;
	CHECK_EQ(class_of(k), ((struct role *)context)->task_class);
	CHECK(dls_vp_id(vp) < plan.nodes || plan.pins);
	if (plan.unit)
		dls_vp_spend(vp, hash(k, 5) % plan.unit);
	if (plan.nodes > 1 && dls_vp_id(vp) < plan.nodes && hash(k, 6) % 2) {
		s->n[7]++;
		CHECK_EQ(dls_class_send(vp, 0, (unsigned)(dls_vp_id(vp) + 1) % plan.nodes, &s->n[7], sizeof(s->n[7])), 0);
	}
	for (uint64_t i = 0; i < plan.branch; i++) {
		struct dls_task child = { .arg = { plan.roots + k * plan.branch + i }, .key = (int64_t)(hash(k, 7) % 5) };

		if (child.arg[0] < plan.tasks && dls_class_spawn(vp, class_of(child.arg[0]), &child))
			CHECK(plan.failing != NONE);	/* elsewhere, by now */
		dls_vp_poll(vp);
	}
	return may_fail(s, RUN);
}

/* Not beside the first class. */
static bool is_ready(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	int64_t key;

	return dls_class_phase(vp, 0, &key) == DLS_ENODATA;
}

/* A scheduler deals its tasks and has no other way; a node may keep some, or all. */
static int ship_out(struct dls_vp *vp, struct dls_shipment *s, const struct dls_hint *hint, void *context)
{
	struct seen *seen = seen_by(vp, context);
	bool all = dls_vp_id(vp) + 1 == plan.p || draw(seen, 3);
	struct dls_task *task;
	unsigned char data[200];

	for (uint64_t n = 0; n < hint->count && (task = dls_shipment_next(s));) {
		if (!goes_to(task->arg[0], hint->destination)) {
			if (plan.first_only)
				break;
			continue;
		}
		if (!all && draw(seen, 2))
			continue;
		CHECK_EQ(dls_shipment_pack(s, task), 0);
		for (size_t i = 0; i < bytes_of(task->arg[0]); i++)
			data[i] = byte_of(task->arg[0], i);
		CHECK_EQ(dls_shipment_pack_data(s, data, bytes_of(task->arg[0])), 0);
		n++;
	}
	return may_fail(seen, SHIP_OUT);
}

static int ship_in(struct dls_vp *vp, struct dls_task *task, const void *data, size_t bytes, void *context)
{
	struct seen *s = seen_by(vp, context);
	const unsigned char *byte = data;

	CHECK_EQ(bytes, bytes_of(task->arg[0]));
	for (size_t i = 0; i < bytes; i++)
		CHECK(byte[i] == byte_of(task->arg[0], i));
	/* Under `priority` also at the scheduler, dedicated or not. */
	if (draw(s, 4) == 0)
		CHECK_EQ(dls_class_run_next(vp, task), 0);
	return may_fail(s, SHIP_IN);
}

static int receive(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
{
	uint64_t sent = 0;

	CHECK((from + 1) % plan.nodes == dls_vp_id(vp));
	if (CHECK_EQ(bytes, sizeof(sent)) == sizeof(sent))
		memcpy(&sent, data, sizeof(sent));
	CHECK_EQ(sent, ++received[dls_vp_id(vp)].data);
	return may_fail(seen_by(vp, context), RECEIVE);
}

static void hint_anything(struct dls_view *view, unsigned c, struct seen *s)
{
	struct dls_hint hint = {
		(unsigned)draw(s, plan.nodes + 1), (unsigned)draw(s, plan.nodes + 1),
		draw(s, 2) ? INT64_MIN : (int64_t)draw(s, 7) - 3, draw(s, 6),
	};
	bool named = hint.source < plan.nodes && hint.destination < plan.nodes;
	struct dls_class_status status = { .size = sizeof(status) };
	int code;

	CHECK_EQ(dls_view_status(view, c, hint.source, &status), hint.source < plan.nodes ? 0 : DLS_ERANGE);
	code = dls_view_hint(view, c, &hint);
	CHECK(code == 0 || code == DLS_ERANGE || code == DLS_EINVAL);
	CHECK(code || (named && hint.source != hint.destination && hint.count > 0));
}

static void follow_plan(struct dls_view *view, unsigned c)
{
	struct dls_hint hint[NODES_MOST];
	unsigned n = 0;

	CHECK_EQ(dls_view_plan(view, c, hint, NODES_MOST, &n), 0);
	CHECK(n <= NODES_MOST);
	for (unsigned i = 0; i < n; i++)
		CHECK_EQ(dls_view_hint(view, c, &hint[i]), 0);
}

/* The scheduler's own draws are apart from those of its node. */
static int balance(struct dls_view *view, unsigned node, void *context)
{
	struct world *w = world_of(context);
	unsigned c = ((struct role *)context)->task_class;
	struct seen *s = &w->seen[NODES_MOST - 1];
	int64_t key;

	CHECK(node < plan.nodes);
	CHECK_EQ(dls_view_nodes(view), plan.nodes);
	while (is_pooled(c) && dls_view_next_key(view, c, &key) == 0)
		if (dls_view_schedule(view, c, (unsigned)draw(s, plan.nodes))) {
			CHECK(plan.failing == SHIP_OUT || plan.pins);
			break;
		}
	if (w->upcalls++ < BUDGET && !is_pooled(c))
		switch (draw(s, 5)) {
		case 0:
		case 1:
			hint_anything(view, c, s);
			break;
		case 2:
			follow_plan(view, c);
			break;
		case 3:
			CHECK_EQ(dls_view_balance(view, c, node), 0);
			break;
		case 4:
			CHECK_EQ(dls_view_reserve(view, c, node), 0);
			CHECK_EQ(dls_view_release(view, node), 0);
		}
	return may_fail(s, BALANCE);
}

static void draw_classes(uint64_t *state)
{
	static const char *const policies[] = {
		"none", "factor", "phase", "priority", "factor,least=2", "phase,links=chain", "priority,ahead=2", "factor",
	};

	plan.classes = 1 + (unsigned)(tap_random(state) % DLS_CLASSES_MAX);
	for (unsigned c = 0; c < plan.classes; c++) {
		struct dls_class_desc *d = &classes[c];

		strcpy(plan.policy[c], policies[tap_random(state) % 8]);
		plan.balance[c] = c > 0 && strcmp(plan.policy[c], "none") != 0 && tap_random(state) % 2;
		plan.more[c] = tap_random(state) % 2;
		*d = (struct dls_class_desc){ .size = sizeof(struct dls_class_desc), .name = "drawn", .policy = plan.policy[c],
					      .run = run, .context = &world.role[c] };
		if (plan.more[c]) {
			d->ship_out = ship_out;
			d->ship_in = ship_in;
		}
		d->key = tap_random(state) % 2 ? key_of : NULL;
		d->ready = c > 0 && tap_random(state) % 3 == 0 ? is_ready : NULL;
		d->balance = plan.balance[c] ? balance : NULL;
		d->receive = c == 0 ? receive : NULL;
	}
}

static void draw_plan(bool threads, uint64_t seed)
{
	static const char *const strategies[] = { "classes", "classes,scheduler=dedicated", "classes,net=ring" };
	static const unsigned processors[] = { 1, 2, 3, 5, 7 };
	static const uint64_t unit[] = { 0, 1000, 1000000, 10000000 };
	uint64_t state = seed;

	plan = (struct plan){ .threads = threads, .seed = seed };
	strcpy(plan.strategy, strategies[tap_random(&state) % 3]);
	plan.p = processors[tap_random(&state) % 5];
	plan.nodes = plan.p - (plan.p > 1 && strstr(plan.strategy, "dedicated"));
	draw_machine(&state, plan.costs, plan.faults);
	draw_classes(&state);
	plan.pins = tap_random(&state) % 3 == 0;
	plan.first_only = tap_random(&state) % 2;
	plan.roots = tap_random(&state) % (plan.pins ? 2 : 4) ? tap_random(&state) % 100 : tap_random(&state) % 3;
	plan.branch = plan.roots && tap_random(&state) % 2 ? 1 + tap_random(&state) % 3 : 0;
	plan.tasks = plan.roots + (plan.branch ? tap_random(&state) % 150 : 0);
	plan.unit = unit[tap_random(&state) % 4];
	plan.failing = tap_random(&state) % 3 ? NONE : (enum failing)(tap_random(&state) % NONE);
	plan.at = tap_random(&state) % 5;
}

static void name_plan(void)
{
	size_t at = (size_t)snprintf(plan.name, sizeof(plan.name), "seed %" PRIu64 ": %s on %u %s, costs %s, faults \"%s\", %" PRIu64
			      " tasks of which added %" PRIu64 ", unit %" PRIu64 ", failing %d at %" PRIu64 "%s%s; ", plan.seed, plan.strategy,
			      plan.p, plan.threads ? "threads" : "processors", plan.costs, plan.faults, plan.tasks, plan.roots,
			      plan.unit, (int)plan.failing, plan.at, plan.pins ? ", pinned" : "",
			      plan.first_only ? ", the first only" : "");

	for (unsigned c = 0; c < plan.classes && at < sizeof(plan.name); c++)
		at += (size_t)snprintf(plan.name + at, sizeof(plan.name) - at, "%s%s%s%s%s%s", c ? "; " : "", plan.policy[c],
				       plan.balance[c] ? " balance" : "", plan.more[c] ? " ship" : "",
				       classes[c].ready ? " ready" : "", classes[c].key ? " key" : "");
}

static struct dls_machine *open_plan(void)
{
	return MACHINE(.engine = plan.threads ? "threads" : "virtual", .strategy = plan.strategy,
		       .costs = plan.threads ? NULL : plan.costs, .faults = plan.threads ? NULL : plan.faults, .processors = plan.p,
		       .classes = classes, .class_count = plan.classes, .seed = plan.seed);
}

/* Returns whether a function has failed. */
static bool check_run(struct dls_machine *m, struct dls_run_result *r)
{
	uint64_t state = plan.seed + 1, lost = 0, doubled = 0;
	bool failed = false;
	int code;

	world_reset(&world, &(struct classes_machine){ .processors = plan.p });
	memset(hits, 0, sizeof(hits));
	memset(received, 0, sizeof(received));
	for (unsigned i = 0; i < NODES_MOST; i++)
		world.seen[i].n[6] = plan.seed ^ i;
	for (uint64_t k = 0; k < plan.roots; k++)
		CHECK_EQ(dls_class_add(m, (unsigned)(tap_random(&state) % plan.p), class_of(k),
				       &(struct dls_task){ .arg = { k }, .key = (int64_t)(k % 4) }), 0);
	code = classes_code(m, plan.name);
	for (unsigned i = 0; i < NODES_MOST; i++)
		failed |= world.seen[i].n[5];
	CHECK_EQ(code, failed ? FAILURE : 0);
	for (uint64_t k = 0; k < plan.tasks; k++) {
		lost += hits[k] == 0;
		doubled += hits[k] > 1;
	}
	CHECK_EQ(doubled, 0);
	CHECK_EQ(dls_machine_result(m, r), 0);
	if (code == 0) {
		CHECK_EQ(lost, 0);
		CHECK_EQ(r->tasks, plan.tasks);
	}
	return failed;
}

/* Twice as drawn, in the same machine or in two, the same in virtual time; and once without a failure.  Returns whether the first
 * failed. */
static bool run_plan(void)
{
	unsigned before = tap_failures;
	struct dls_machine *m = open_plan();
	struct dls_run_result first = { .size = sizeof(first) }, second = { .size = sizeof(second) };
	bool failed, again;

	if (!m)
		return false;
	name_plan();
	failed = check_run(m, &first);
	if (plan.seed % 2) {
		dls_machine_close(m);
		m = open_plan();
	}
	again = check_run(m, &second);
	if (!plan.threads)
		CHECK(failed == again && (failed || memcmp(&first, &second, sizeof(second)) == 0));
	plan.failing = NONE;
	CHECK(!check_run(m, &second));
	dls_machine_close(m);
	if (tap_failures > before && before < 20)
		tap_note("%s", plan.name);
	return failed;
}

static void drawn(bool threads)
{
	double end = tap_now() + tap_stress(1);
	uint64_t seed = tap_seed() % 1000000000 * 1000;

	do {
		draw_plan(threads, seed++);
		run_plan();
	} while (tap_now() < end && tap_failures == 0);
}

/* Fails if a task is lost or doubled where it is moved, scheduled, packed or refused, if data of a link change places, if the
 * end is not found, or if a decision depends on an address or on what an earlier run left behind. */
static void in_virtual_time(void) { drawn(false); }

/* Fails, under ThreadSanitizer, if nodes and scheduler share what no message carries. */
static void on_threads(void) { drawn(true); }

/* Each function at its first call on a node, and at its third.  Fails if a code is lost or another's, if the run goes on for ever, or
 * if its rest turns up in the next one. */
static void functions_fail(void)
{
	enum { FAILED = TAP_THREAD_SANITIZER ? 5 : 20 };
	uint64_t seed = tap_seed() % 1000000000 * 1000;

	for (unsigned k = 0; k < 2 * NONE; k++) {
		unsigned failed = 0;

		for (unsigned plans = 0; failed < FAILED && plans < 4000; plans++) {
			draw_plan(TAP_THREAD_SANITIZER || plans % 2, seed++);
			plan.failing = (enum failing)(k / 2);
			plan.at = k % 2 * 2;
			failed += run_plan();
		}
		CHECK_EQ(failed, FAILED);
	}
}

TEST_MAIN(T_ALONE(in_virtual_time) T(on_threads) T(functions_fail))
