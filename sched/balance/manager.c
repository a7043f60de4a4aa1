/* manager.c - adaptive load sharing: a central manager gathers the loads of all processors from time to time, and redistributes
 * tasks.
 *
 * Xu and Hwang, "Dynamic load balancing for parallel program execution on a message-passing multicomputer", 2nd IEEE Symposium on
 * Parallel and Distributed Processing, 1990, pp. 402-406, as Nishikawa 1993, section 2, describes it: "Adaptive load sharing uses
 * a central manager that gathers node information periodically and redistributes tasks if needed.  The period is
 * inverse-proportional to the load imbalance in the system."
 *
 * The last processor is the manager, and runs tasks too.  The imbalance is l_max / L - 1, with l_max the largest
 * load and L the mean; the period is t divided by it.  Where the description is silent: see dls_balance(7).
 *
 * Bound: a period that finds all loads as the last one did is twice as long.  So each period either follows a change of load or
 * is one of log2(time / t); it has 2 (P - 1) messages, and at most P - 1 orders.  Tasks have a life (life.h). */
#include <math.h>
#include <stdbool.h>

#include "life.h"

enum { T, LEAST };
enum { TASKS, GATHER, LOAD, ORDER };
enum { PERIODS, ORDERS };

/* A processor, as the manager knows it. */
struct known {
	int64_t load, share;
};

struct manager {
	uint64_t period;	/* ns */
	unsigned missing;	/* loads of this period */
	bool changed;		/* a load differs from that of the last period */
};

static unsigned last(const struct dls_vp *vp)
{
	return dls_vp_processors(vp) - 1;
}

static double first_period(const struct dls_vp *vp)
{
	const struct dls_value *t = dls_vp_value(vp, T);

	return t->word >= 0 ? (double)dls_vp_default_period(vp) : t->real * 1e9;
}

static void gather(struct dls_vp *vp, struct manager *s)
{
	dls_vp_counter_add(vp, PERIODS, 1);
	s->missing = last(vp);
	s->changed = false;
	for (unsigned p = 0; p < last(vp); p++)
		dls_vp_send(vp, p, GATHER, NULL);
}

static void manager_start(struct dls_vp *vp, void *state)
{
	struct manager *s = state;

	dls__give_life(vp);
	s->period = (uint64_t)first_period(vp);
	if (dls_vp_id(vp) == last(vp) && last(vp) > 0)
		gather(vp, s);
}

static void manager_timer(struct dls_vp *vp, void *state, unsigned which)
{
	(void)which;
	gather(vp, state);
}

static void know(struct dls_vp *vp, struct manager *s, unsigned p, int64_t load)
{
	struct known *known = dls_vp_table(vp);

	s->changed |= known[p].load != load;
	known[p].load = load;
}

/* The remainder of the division goes to processors that have more than the mean, as far as there are any. */
static void share_out(struct known *known, unsigned P, int64_t sum)
{
	int64_t mean = sum / P, rest = sum % P;

	for (unsigned p = 0; p < P; p++) {
		known[p].share = mean;
		if (known[p].load > mean && rest > 0) {
			known[p].share++;
			rest--;
		}
	}
	for (unsigned p = 0; rest > 0; p++)
		if (known[p].load <= mean) {
			known[p].share++;
			rest--;
		}
}

static void order(struct dls_vp *vp, unsigned from, unsigned to, int64_t load)
{
	dls_vp_counter_add(vp, ORDERS, 1);
	if (from == dls_vp_id(vp))
		dls_vp_migrate(vp, to, TASKS, load, NULL);
	else
		dls_vp_send(vp, from, ORDER, (int64_t[DLS_MESSAGE_WORDS]){ to, load });
}

static void redistribute(struct dls_vp *vp, const struct known *known, unsigned P)
{
	unsigned to = 0;
	int64_t room = known[0].share - known[0].load;

	for (unsigned from = 0; from < P; from++) {
		int64_t surplus = known[from].load - known[from].share, load;

		for (; surplus > 0; surplus -= load) {
			while (room <= 0) {
				to++;
				room = known[to].share - known[to].load;
			}
			load = surplus < room ? surplus : room;
			room -= load;
			order(vp, from, to, load);
		}
	}
}

/* All loads have come. */
static void balance(struct dls_vp *vp, struct manager *s)
{
	const double least = dls_vp_value(vp, LEAST)->real;
	struct known *known = dls_vp_table(vp);
	unsigned P = dls_vp_processors(vp);
	int64_t sum = 0, most = 0;
	double imbalance;

	know(vp, s, last(vp), dls_vp_load(vp));
	for (unsigned p = 0; p < P; p++) {
		sum += known[p].load;
		most = known[p].load > most ? known[p].load : most;
	}
	imbalance = sum > 0 ? (double)most * P / (double)sum - 1 : 0;
	if (s->changed)
		s->period = (uint64_t)fmin(first_period(vp) / fmax(imbalance, least), 0x1p62);
	else if (s->period < UINT64_MAX / 4)
		s->period = s->period ? s->period * 2 : 1;
	dls_vp_timer_start(vp, 0, s->period);
	if (imbalance >= least) {
		share_out(known, P, sum);
		redistribute(vp, known, P);
	}
}

static void manager_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	struct manager *s = state;

	switch (message->kind) {
	case GATHER:
		dls_vp_send(vp, message->from, LOAD, (int64_t[DLS_MESSAGE_WORDS]){ dls_vp_load(vp) });
		break;
	case LOAD:
		know(vp, s, message->from, message->word[0]);
		if (--s->missing == 0)
			balance(vp, s);
		break;
	case ORDER:
		dls_vp_migrate(vp, (unsigned)message->word[0], TASKS, message->word[1], NULL);
		break;
	default:	/* TASKS */
		break;
	}
}

const struct dls_strategy dls__strategy_manager = {
	.size = sizeof(struct dls_strategy), .name = "manager", .source = "Xu 1990",
	.idea = "a central manager gathers all loads, the sooner the more they differ, and makes them equal",
	.block_all = true, .state_size = sizeof(struct manager), .table_size = sizeof(struct known),
	.start = manager_start, .message = manager_message, .timer = manager_timer,
	.kind = { [TASKS] = "tasks", [GATHER] = "gather", [LOAD] = "load", [ORDER] = "order" },
	.counter = { [PERIODS] = "periods", [ORDERS] = "orders" },
	.param = {
		[T] = { .name = "t", .value = "pause", .min = 1e-9, .max = 1e9, .words = "pause",
			.text = "seconds of a period in which a processor has twice the mean load; inversely as the imbalance" },
		[LEAST] = { .name = "least", .value = "0.1", .min = 1e-3, .max = 1e3,
			    .text = "imbalance, largest load / mean - 1, from which on tasks are redistributed" },
	},
};
