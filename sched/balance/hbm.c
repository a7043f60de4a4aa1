/* hbm.c - hierarchical balancing method: controllers of ever larger domains compare the loads of their two halves and make the
 * heavier one send, each processor to its match in the other.
 *
 * Willebeek-LeMair and Reeves, IEEE Trans. Parallel Distrib. Syst. 4(9):979-993, 1993, sections III-D and III-F, Table II.
 *
 * The processors with the same number but for the low i bits are a domain of level i, the lowest of them controls it, and its
 * halves differ in bit i - 1.  So processor 0 is at the root, and a processor tells the load of its largest domain to one
 * other: the number less its lowest bit that is set (eqs. 28, 29).
 *
 * Where the paper is silent: see dls_balance(7).  A controller reports to the domain above, which may be
 * its own.  It books its orders as done: otherwise they would repeat without end.  With u <= 0.7, the
 * shortest interval of the paper, each report ends what is booked.  Else, or by step or period, tasks that
 * come one by one are reported one by one, and that would repeat the order: orders of different levels
 * would cross, and tasks go to and fro for as long as one lasts.  So there only a report that differs by a
 * factor of two ends what is booked; other changes of the half that receives, and falls of the one that
 * sends, reduce it.
 *
 * Bound, for any u, update= and notify=: a report follows a change of load (life.h), or a report from the level below, so a change is
 * told to at most log2 N controllers.  Each of them gives at most one order, at level i to 2^(i - 1) processors: in all N - 1 messages,
 * and log2 N updates.  Where a half is compared only after half of its load has changed there are far fewer: test/balance/hbm.c allows 200
 * messages for each task. */
#include "life.h"
#include "update.h"

enum { THRESHOLD = DLS__UPDATE_PARAMS, MIN, NOTIFY };
enum { ORDERS = DLS__UPDATE_COUNTERS };
enum { FACTOR, STEP, PERIOD };	/* update= */
enum { DIRECT, TREE };
enum { UPDATE, ORDER, TASKS };

/* A domain that this processor controls; at level 0 it consists of the processor alone. */
struct domain {
	int64_t half[2];	/* loads of its lower and upper half, corrected by booked orders */
	int64_t heard[2];	/* as reported last */
	int64_t compared[2];	/* loads as reported at the last comparison of the halves */
	int64_t told;		/* its load, as last reported to the domain above */
	uint64_t sent;		/* when the upper half reported its load */
	unsigned known;		/* halves that have reported, one bit for each */
	bool has_told;
};

struct hbm {
	unsigned height;	/* level of the largest domain that is controlled */
	bool ticking;
	struct domain *domain;	/* of levels 0 to height; half of all processors have height 0 */
};

/* Of the `count` processors from `base` on, which lie in one half of a domain of this level, the number that
 * exist and have a match in the other half. */
static unsigned pairs(const struct dls_vp *vp, unsigned base, unsigned count, unsigned level)
{
	unsigned half = 1u << (level - 1), end = dls_vp_processors(vp) - (base & half ? 0 : half);

	return end <= base ? 0 : end - base < count ? end - base : count;
}

static void obey(struct dls_vp *vp, unsigned level, int64_t delta)
{
	dls_vp_migrate(vp, dls_vp_id(vp) ^ 1u << (level - 1), TASKS, delta, NULL);	/* eq. 24 */
}

/* Pass an order on to all other processors in the domain of level `size` at `base`. */
static void spread(struct dls_vp *vp, unsigned base, unsigned size, unsigned level, int64_t delta)
{
	bool tree = dls_vp_value(vp, NOTIFY)->word == TREE, own = base == dls_vp_id(vp);
	unsigned n = pairs(vp, base, 1u << size, level);
	int64_t word[DLS_MESSAGE_WORDS] = { level, delta };

	if (!tree) {
		for (unsigned i = own; i < n; i++)
			dls_vp_send(vp, base + i, ORDER, word);
	} else if (own) {
		for (unsigned k = size; k-- > 0;)
			if (1u << k < n) {
				word[2] = k;
				dls_vp_send(vp, base + (1u << k), ORDER, word);
			}
	} else {
		word[2] = size;
		dls_vp_send(vp, base, ORDER, word);
	}
}

static double threshold(const struct dls_vp *vp, unsigned level)
{
	const struct dls_value *value = dls_vp_value(vp, THRESHOLD);

	if (value->word >= 0)
		return (double)(1u << level);
	return value->list[level < value->values ? level - 1 : value->values - 1];
}

/* L - R if the upper half has as many processors (m) as the lower one (M); else twice the excess of L over
 * its share. */
static int64_t imbalance(int64_t L, int64_t R, unsigned m, unsigned M)
{
	int64_t n = (int64_t)m + M;

	return m == M ? L - R : 2 * (L - (L + R) / n * M - (L + R) % n * M / n);
}

static void balance(struct dls_vp *vp, struct domain *d, unsigned level)
{
	unsigned id = dls_vp_id(vp), M = 1u << (level - 1), m = pairs(vp, id, M, level);
	int64_t Delta = imbalance(d->half[0], d->half[1], m, M), size = Delta < 0 ? -Delta : Delta;
	int64_t delta = size / (2 * (int64_t)m);	/* eq. 23 */
	bool up = Delta > 0;

	if ((double)size < threshold(vp, level) || delta == 0 || (double)delta < dls_vp_value(vp, MIN)->real)
		return;
	dls__update_decision(vp, dls__update_age(vp, d->sent), 1);
	dls_vp_counter_add(vp, ORDERS, 1);
	d->half[!up] -= delta * m;
	d->half[up] += delta * m;
	spread(vp, up ? id : id + M, level - 1, level, delta);
	if (up)
		obey(vp, level, delta);
}

static int64_t domain_load(const struct dls_vp *vp, const struct hbm *h, unsigned level)
{
	return level ? h->domain[level].half[0] + h->domain[level].half[1] : dls_vp_load(vp);
}

/* Whether a reported load differs enough from an earlier one, `was`. */
static bool differs(const struct dls_vp *vp, int64_t was, int64_t load)
{
	int64_t update = dls_vp_value(vp, DLS__UPDATE)->word;

	if (update != STEP && update != PERIOD && dls_vp_value(vp, DLS__UPDATE_U)->real <= 0.7)
		return true;
	return (double)load <= (double)was / 2 || (double)load / 2 >= (double)was;
}

/* What remains of the orders booked for a half when it reports this load. */
static int64_t booked(const struct dls_vp *vp, const struct domain *d, unsigned half, int64_t load)
{
	int64_t before = d->half[half] - d->heard[half], change = load - d->heard[half];
	int64_t left = (before < 0 ? -before : before) - (change < 0 ? -change : change);

	if (differs(vp, d->heard[half], load))
		return 0;
	if (before < 0 && change > 0)
		return before;
	return left <= 0 ? 0 : before < 0 ? -left : left;
}

/* A half of the domain of this level has reported its load. */
static void told(struct dls_vp *vp, struct hbm *h, unsigned level, unsigned half, int64_t load)
{
	struct domain *d = &h->domain[level];

	d->half[half] = load + booked(vp, d, half, load);
	d->heard[half] = load;
	d->known |= 1u << half;
	if (!differs(vp, d->compared[half], load))
		return;
	d->compared[half] = load;
	if (d->known == 3)
		balance(vp, d, level);
}

static void tell(struct dls_vp *vp, struct hbm *h, unsigned level)
{
	struct domain *d = &h->domain[level];
	unsigned id = dls_vp_id(vp);

	d->has_told = true;
	d->told = domain_load(vp, h, level);
	if (level < h->height)
		told(vp, h, level + 1, 0, d->told);
	else
		dls_vp_send(vp, id & (id - 1), UPDATE, (int64_t[DLS_MESSAGE_WORDS]){ d->told });
}

/* Whether to report the load of the domain of this level.  Under update=step loads per processor are
 * compared. */
static bool due(struct dls_vp *vp, struct hbm *h, unsigned level)
{
	int64_t told = h->domain[level].told, load = domain_load(vp, h, level);
	int64_t n = dls_vp_value(vp, DLS__UPDATE)->word == STEP ? 1 << level : 1;

	return !h->domain[level].has_told || dls__update_due(vp, &h->ticking, told / n, load / n);
}

/* How many of this processor's domains, from level 0 up, report their load to the domain above: all but the
 * one that is the whole machine. */
static unsigned levels(const struct dls_vp *vp, const struct hbm *h)
{
	return h->height + (dls_vp_id(vp) != 0);
}

/* The load of the domain of this level, and of those above, may have changed. */
static void look(struct dls_vp *vp, struct hbm *h, unsigned level)
{
	for (; level < levels(vp, h); level++) {
		if ((level > 0 && h->domain[level].known != 3) || !due(vp, h, level))
			return;
		tell(vp, h, level);
	}
}

static void hbm_start(struct dls_vp *vp, void *state)
{
	unsigned id = dls_vp_id(vp), P = dls_vp_processors(vp);
	struct hbm *h = state;

	for (unsigned half = 1; !(id & half) && half < P - id; half *= 2)
		h->height++;
	h->domain = dls_vp_alloc(vp, (h->height + 1) * sizeof(*h->domain));
	if (!h->domain)
		return;
	dls__give_life(vp);
	look(vp, h, 0);
}

static void hbm_load(struct dls_vp *vp, void *state)
{
	look(vp, state, 0);
}

static void hbm_timer(struct dls_vp *vp, void *state, unsigned which)
{
	struct hbm *h = state;

	(void)which;
	h->ticking = false;
	for (unsigned level = 0; level < levels(vp, h) && h->domain[level].has_told; level++)
		if (dls__update_timer(vp, &h->ticking, h->domain[level].told, domain_load(vp, h, level)))
			tell(vp, h, level);
}

static void hbm_message(struct dls_vp *vp, void *state, const struct dls_message *message)
{
	unsigned id = dls_vp_id(vp), level = (unsigned)message->word[0];
	const int64_t *word = message->word;
	struct hbm *h = state;

	if (message->kind == ORDER) {
		spread(vp, id, (unsigned)word[2], level, word[1]);
		obey(vp, level, word[1]);
	} else if (message->kind == UPDATE) {
		level = (unsigned)__builtin_ctz(message->from ^ id) + 1;
		h->domain[level].sent = message->sent;
		told(vp, h, level, 1, word[0]);
		look(vp, h, level);
	}
}

const struct dls_strategy dls__strategy_hbm = {
	.size = sizeof(struct dls_strategy), .name = "hbm", .source = "Willebeek-LeMair 1993",
	.idea = "controllers of ever larger domains have the heavier half send to the other",
	.state_size = sizeof(struct hbm),
	.start = hbm_start, .load = hbm_load, .message = hbm_message, .timer = hbm_timer,
	.kind = { [UPDATE] = "update", [ORDER] = "order", [TASKS] = "tasks" },
	.counter = { DLS__UPDATE_COUNTER, [ORDERS] = "orders" },
	.param = {
		DLS__UPDATE_PARAM("0.5"),
		[THRESHOLD] = { .name = "threshold", .value = "pair", .min = 0, .max = 1e15, .list = true, .words = "pair",
				.text = "load by which the halves of a domain must differ, of levels 1, 2, ... and the last "
					"for all above; pair: 2 for each pair of processors" },
		[MIN] = { .name = "min", .value = "1", .min = 0, .max = 1e15, .text = "least load that is moved at once" },
		[NOTIFY] = { .name = "notify", .value = "direct", .min = 1, .max = 0, .words = "direct tree",
			     .text = "a controller sends an order to each processor, or down a tree" },
	},
};
