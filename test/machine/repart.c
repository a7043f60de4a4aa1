/* repart.c - machines under the strategy repart: its invariants (sched/balance/repart.h) in any run.
 *
 * Fails if: a task is lost or run twice (repart.D1), two Requests of a worker are open (repart.D2), a task runs elsewhere
 * than where it was stored or sent to, or is sent twice (repart.D3), a message goes astray (repart.D4), END is told twice
 * (repart.D5), slots are handed out other than from the head to their own worker and from the tail to others, their
 * weights do not add up to the whole, a dedicated scheduler runs a task, a worker reports more time than it
 * worked, shares dealt before the loop are not in proportion to the processors' weights, or a run depends on anything
 * but its seed.
 *
 * runs: machines, pthreads */
#include "lib/machine/vp.h"
#include "repart.h"
#include "sched/balance/repart.h"

static const unsigned processors[] = { 1, 2, 3, 5, 16, 64 };
enum { COUNTS = sizeof(processors) / sizeof(*processors), ENOUGH = 500 };

/* What has been heard of, in virtual time.  A worker that is the scheduler too sends itself nothing. */
static struct {
	bool asked[P_MOST], over[P_MOST];
	uint64_t head[P_MOST];			/* slots handed out to their own worker */
	uint64_t tail[P_MOST], others[P_MOST];	/* lowest, and number, of those to others */
	double time[P_MOST];			/* s that tasks took, as reported */
} heard;

static const struct dls_strategy *plain;

static void hear_slots(unsigned to, const struct dls_message *m)
{
	unsigned owner = (unsigned)m->word[0];
	uint64_t first = (uint64_t)m->word[1], count = (uint64_t)m->word[2];

	CHECK(owner < plan.p && count > 0);
	if (m->kind == DLS__SIZE && owner == to) {
		CHECK_EQ(first, heard.head[to]);
		heard.head[to] = first + count;
	} else if (CHECK(owner != to && (m->kind == DLS__GET) == (how.queue == DISTRIBUTED))) {
		heard.tail[owner] = first < heard.tail[owner] ? first : heard.tail[owner];
		heard.others[owner] += count;
	}
}

static void hear(struct dls_vp *vp, void *state, const struct dls_message *m)
{
	unsigned id = dls_vp_id(vp), scheduler = plan.p - 1;

	if (m->kind == DLS__REQUEST) {
		CHECK(id == scheduler && !heard.asked[m->from] && !heard.over[m->from]);
		heard.asked[m->from] = true;
		heard.time[m->from] += m->data ? ((const struct dls__repart_request *)m->data)->time : 0;
	} else if (m->kind == DLS__END_OF_LOOP) {
		CHECK(id != scheduler && !heard.over[id] && heard.asked[id]);
		heard.over[id] = true;
	} else if ((m->kind == DLS__SIZE && how.queue != CENTRAL) || m->kind == DLS__GET) {
		hear_slots(id, m);
	}
	if (m->kind == DLS__SIZE || m->kind == DLS__CHUNK_DATA) {
		CHECK(heard.asked[id] || how.reactive || id == scheduler);
		heard.asked[id] = false;
	}
	plain->message(vp, state, m);
}

static void listen(struct dls_machine *m)
{
	static struct dls_strategy listening;

	plain = m->spec.strategy;
	listening = *plain;
	listening.message = hear;
	m->spec.strategy = &listening;
}

/* No more than it was at work: what it does between tasks that take no time may count as theirs, but no task counts twice. */
static void check_time(unsigned id, const struct dls_processor_stats *s)
{
	double most = s->busy + s->polling + s->overhead + s->service;

	if (strstr(plan.faults, "stall"))	/* a task takes the time of a stall, too */
		return;
	if (!CHECK(heard.time[id] <= most * (1 + 1e-9) + 1e-9 * (double)s->tasks))
		tap_note("processor %u reports %.9f s, was at work for %.9f", id, heard.time[id], most);
}

static void check_processors(const struct dls_machine *m)
{
	for (unsigned i = 0; i < plan.p; i++) {
		bool scheduler = i == plan.p - 1;
		struct dls_processor_stats s = machine_stats(m, i);

		if (how.queue == DISTRIBUTED)
			CHECK_EQ(s.nonlocal, s.tasks_received);
		else if (how.queue == REPLICATED)
			CHECK_EQ(s.tasks_received, 0);
		else if (!scheduler)
			CHECK_EQ(s.tasks, s.tasks_received);
		if (scheduler && how.dedicated && plan.p > 1)
			CHECK_EQ(s.tasks, 0);
		if (!plan.threads)
			check_time(i, &s);
	}
}

/* repart.D4.  At the end a Request, its answer END, or results may be on their way. */
static void check_messages(const struct dls_run_result *r)
{
	uint64_t answers = r->kind[DLS__SIZE] + r->kind[DLS__GET] + r->kind[DLS__END_OF_LOOP];
	uint64_t transfers = r->counter[DLS__TRANSFERS];

	CHECK_EQ(r->counter[DLS__OVERLAPS], 0);		/* repart.D2 */
	CHECK_EQ(r->kind[DLS__GIVE], transfers);
	CHECK_EQ(r->kind[DLS__CHUNK_DATA], transfers);
	CHECK(how.queue == DISTRIBUTED || transfers == 0);
	if (how.queue == DISTRIBUTED)
		CHECK_EQ(r->transfers, r->counter[DLS__HANDED_OVER]);
	CHECK(r->kind[DLS__END_OF_LOOP] < plan.p);
	CHECK(how.returns || r->kind[DLS__RESULTS] == 0);
	CHECK(r->kind[DLS__RESULTS] <= r->nonlocal);
	if (how.queue == DISTRIBUTED && !strstr(plan.text, "lifo"))	/* then tasks of the worker's own may come between */
		CHECK(r->kind[DLS__RESULTS] <= transfers && (!how.returns || r->kind[DLS__RESULTS] > 0 || transfers == 0));
	if (!how.dedicated || plan.p == 1 || how.reactive)
		return;
	CHECK_EQ(r->kind[DLS__GET], transfers);
	CHECK_EQ(answers, r->counter[DLS__EVENTS]);
	CHECK(r->kind[DLS__REQUEST] >= answers && r->kind[DLS__REQUEST] < answers + plan.p);
}

/* All slots of each window were handed out, from its two ends.  Checked where this program hears of every
 * hand-out. */
static void check_slots(const struct dls_machine *m)
{
	if (!how.dedicated || plan.p == 1 || how.queue == CENTRAL)
		return;
	for (unsigned i = 0; i < plan.p; i++) {
		uint64_t slots = dls__vp_at(m, i)->window.slots, tail = heard.others[i] > 0 ? heard.tail[i] : slots;

		CHECK_EQ(heard.head[i], tail);
		CHECK_EQ(tail + heard.others[i], slots);
	}
}

/* What workers were handed weighs what all windows do. */
static void check_weights(const struct dls_machine *m)
{
	const struct dls__served *served = m->table;
	uint64_t stored = 0, given = 0, like;

	for (unsigned i = how.queue == CENTRAL ? plan.p - 1 : 0; i < plan.p; i++) {
		const struct dls_vp *vp = dls__vp_at(m, i);

		for (uint64_t slot = 0; slot < vp->window.slots; slot += like)
			stored += dls_vp_window_weight(vp, slot, &like) * like;
	}
	for (unsigned i = 0; i < plan.p; i++)
		given += served[i].given;
	CHECK_EQ(given, stored);
}

static struct dls_run_result run_and_hear(struct dls_machine *m)
{
	struct dls_run_result r;

	memset(&heard, 0, sizeof(heard));
	memset(heard.tail, -1, sizeof(heard.tail));
	r = run_objects(m);
	check_processors(m);
	check_messages(&r);
	check_slots(m);
	check_weights(m);
	return r;
}

static void same(const struct dls_run_result *a, const struct dls_run_result *b)
{
	CHECK(a->time == b->time && a->detected == b->detected && a->overhead == b->overhead && a->idle == b->idle);
	CHECK_EQ(a->messages, b->messages);
	CHECK_EQ(a->nonlocal, b->nonlocal);
	CHECK_EQ(a->events, b->events);
	CHECK_EQ(memcmp(a->counter, b->counter, sizeof(a->counter)), 0);
	CHECK_EQ(memcmp(a->kind, b->kind, sizeof(a->kind)), 0);
}

struct count {
	uint64_t transfers, refused;
};

/* What was drawn, twice in one machine, and one time in four twice in another. */
static void run_plan(struct count *count)
{
	unsigned before = tap_failures;
	struct dls_run_result r[4];

	for (unsigned i = 0; i < (plan.seed % 4 ? 2 : 4) && tap_failures == before; i += 2) {
		struct dls_machine *m = open_repart();

		if (!m)
			break;
		listen(m);
		r[i] = run_and_hear(m);
		r[i + 1] = run_and_hear(m);
		dls_machine_close(m);
		count->transfers += r[i].counter[DLS__TRANSFERS];
		count->refused += r[i].counter[DLS__REFUSALS];
		if (i == 2) {
			same(&r[0], &r[2]);
			same(&r[1], &r[3]);
		}
	}
	if (tap_failures > before && before < 20)
		tap_note("%s", plan.name);
}

static void in_virtual_time(void)
{
	uint64_t seed = tap_seed() % 1000000000;
	double end = tap_now() + tap_stress(.7);
	struct count count = { 0 };
	unsigned rounds = 0;

	/* However few there is time for: until something was handed over and something refused, as in every other round. */
	do
		for (unsigned i = 0; i < COUNTS; i++) {
			draw_repart(false, processors[i], seed);
			run_plan(&count);
		}
	while (seed++, rounds++, tap_failures == 0 && (tap_now() < end || (rounds < ENOUGH && (count.transfers == 0 || count.refused == 0))));
	CHECK(count.transfers > 0 && count.refused > 0);
}

static void on_threads(void)
{
	uint64_t seed = tap_seed() % 1000000000;
	double end = tap_now() + tap_stress(0.7);

	do
		for (unsigned p = 1; p <= 8; p++) {
			struct dls_machine *m;
			struct dls_run_result r;
			unsigned before = tap_failures;

			draw_repart(true, p, seed);
			if (!(m = open_repart()))
				return;
			for (unsigned i = 0; i < 3; i++) {
				r = run_objects(m);
				check_processors(m);
				check_messages(&r);
			}
			dls_machine_close(m);
			if (tap_failures > before)
				tap_note("%s", plan.name);
		}
	while (seed++, tap_now() < end && tap_failures == 0);
}

/* mode=reactive: whatever the weights of processors are, and wherever the objects, each runs its share of
 * the time, give or take the heaviest object. */
static void shares(void)
{
	uint64_t seed = tap_seed() % 1000000000;

	for (unsigned k = 0; k < 60 && tap_failures == 0; k++) {
		unsigned p = processors[1 + k % (COUNTS - 1)];
		double total = 0, weights = 0, weight[P_MOST], heaviest = 0;
		struct dls_machine *m;

		draw_repart(false, p, seed + k);
		snprintf(plan.text, sizeof(plan.text), "repart,mode=reactive");
		strcpy(plan.costs, "ideal");
		how.queue = DISTRIBUTED;
		how.dedicated = how.weighted = false;
		plan.faults[0] = 0;
		plan.declared = true;
		plan.enormous = plan.ranges = plan.iterations = 0;
		name_plan();
		if (!(m = open_repart()))
			return;
		for (unsigned i = 0; i < p; i++) {
			weight[i] = 1 + (double)((seed + k * i) % 7);
			weights += weight[i];
			CHECK_EQ(dls_machine_set_weight(m, i, weight[i]), 0);
		}
		for (uint64_t i = 0; i < plan.tasks; i++) {
			total += 1e-9 * (double)length(i);
			heaviest = fmax(heaviest, 1e-9 * (double)length(i));
		}
		run_objects(m);
		for (unsigned i = 0; i < p; i++) {
			double busy = machine_stats(m, i).busy;

			/* A task of no time weighs 1 ns. */
			if (!CHECK(fabs(busy - total * weight[i] / weights) <= heaviest * (1 + 1e-9) + 1e-9 * (double)plan.tasks))
				tap_note("processor %u runs %g s of %g, weight %g of %g, heaviest %g: %s", i, busy, total,
					 weight[i], weights, heaviest, plan.name);
		}
		dls_machine_close(m);
	}
}

TEST_MAIN(T(in_virtual_time) T(shares) T(on_threads))
