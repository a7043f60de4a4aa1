/* tiles.c - the dispenser of frac: whose tile, from which end, of what size; exactly once under contention.
 *
 * Fails if: a tile has another owner or other bounds in the next execution, an owner takes from the tail or a helper from the
 * head, a helper takes from a tile that is not the fullest, a size follows from anything but what remains of all tiles, a
 * word is read and written in two steps, a chunk is longer than its half of the word, an owner that has passed its tile's end
 * does so again.
 *
 * runs: check */
#include "deal.h"
#include "once.h"

enum { WORKERS = 8 };

/* Calls from one thread, each with a known outcome. */
struct step {
	unsigned worker;
	int64_t begin, end;	/* equal: there is nothing */
};

/* Twice: a tile stays with its owner. */
static void play(const char *schedule, int64_t n, unsigned p, const struct step *step, size_t steps)
{
	struct dls_loop *loop = deal_open(schedule, p, NULL, DLS_LOOP_EVERY_CHUNK);

	for (unsigned run = 0; run < 2; run++) {
		CHECK_EQ(dls_loop_start(loop, 0, n, 1), 0);
		for (size_t i = 0; i < steps; i++) {
			int64_t begin = 0, end = 0;

			CHECK_EQ(dls_loop_next(loop, step[i].worker, &begin, &end), step[i].begin < step[i].end);
			if (!CHECK(begin == step[i].begin && end == step[i].end))
				tap_note("%s, run %u, step %zu: %lld to %lld", schedule, run, i, (long long)begin,
					 (long long)end);
		}
		dls_loop_end(loop, NULL);
	}
	dls_loop_close(loop);
}

/* N = 1000, P = 4: tiles of 250; chunks of 125 while R > 500, 63 while R > 248, 31 while R > 124, then 16. */
static void by_hand(void)
{
	static const struct step step[] = {
		{ 0, 0, 125 }, { 0, 125, 250 },		/* R = 1000, 875: its own, from the head */
		{ 0, 375, 500 },			/* R = 750: all others are equally full, so of the next, the tail */
		{ 0, 625, 750 },			/* R = 625: tiles 2 and 3 have 250 */
		{ 0, 937, 1000 },			/* R = 500: 3 has */
		{ 1, 250, 313 }, { 2, 500, 563 },	/* R = 437, 374: their own */
		{ 2, 563, 625 },			/* R = 311: there are but 62 */
		{ 2, 874, 937 },			/* R = 249: 3 has 187 */
		{ 3, 750, 781 }, { 0, 843, 874 },	/* R = 186, 155: 3 has 187, then 93 */
		{ 1, 313, 329 },			/* R = 124 */
	};

	play("frac", 1000, 4, step, sizeof(step) / sizeof(*step));
	play("nonmonotonic:frac", 1000, 4, step, sizeof(step) / sizeof(*step));
}

/* Chunks of as many units as there may be, which the owner adds to one half of its word and the other must not notice: tiles
 * of 2^32 iterations in units of 3; tiles of 2^31 - 1, which an owner that did so three times would open again. */
static void long_chunks(void)
{
	enum { P = 8 };
	const int64_t tile[] = { (int64_t)1 << 32, INT32_MAX };
	struct step units[P + 1] = { { 0, 0, tile[0] }, { P - 1, (P - 1) * tile[0], P * tile[0] } };
	struct step eager[P + 2];

	for (unsigned w = 1; w < P - 1; w++)
		units[w + 1] = (struct step){ P - 1, w * tile[0], (w + 1) * tile[0] };
	units[P] = (struct step){ P - 1, 0, 0 };
	play("frac,12884901888", P * tile[0], P, units, P + 1);
	for (unsigned w = 0; w < P; w++)
		eager[w] = (struct step){ 0, w * tile[1], (w + 1) * tile[1] };
	eager[P] = (struct step){ 0, 0, 0 };
	eager[P + 1] = (struct step){ 1, 0, 0 };
	play("frac,2147483647", P * tile[1], P, eager, P + 2);
}

/* The rule once more, in its plainest form. */
struct rule {
	uint64_t next[WORKERS], end[WORKERS], R, batch, K, x, least;
	unsigned p;
};

static void rule_start(struct rule *r, uint64_t n, unsigned p, uint64_t x, uint64_t least)
{
	*r = (struct rule){ .R = n, .batch = n, .K = 0, .x = x, .least = least, .p = p };
	for (unsigned w = 0; w < p; w++) {
		r->next[w] = dls_static_begin(n, p, w);
		r->end[w] = dls_static_begin(n, p, w + 1);
	}
}

static uint64_t rule_left(const struct rule *r, unsigned w)
{
	return r->end[w] - r->next[w];
}

static struct step rule_take(struct rule *r, unsigned worker)
{
	struct step step = { worker, 0, 0 };
	unsigned from = worker;
	uint64_t K;

	if (r->R == 0)
		return step;
	while (r->R <= r->batch) {
		K = (r->batch + r->x * r->p - 1) / (r->x * r->p);
		r->K = K > r->least ? K : r->least;
		r->batch = r->batch > r->p * r->K ? r->batch - r->p * r->K : 0;
	}
	if (rule_left(r, worker) == 0)
		for (unsigned i = 1; i < r->p; i++)
			if (rule_left(r, (worker + i) % r->p) > rule_left(r, from))
				from = (worker + i) % r->p;
	K = r->K < rule_left(r, from) ? r->K : rule_left(r, from);
	r->R -= K;
	if (from == worker) {
		step.begin = (int64_t)r->next[from];
		r->next[from] += K;
		step.end = (int64_t)r->next[from];
	} else {
		step.end = (int64_t)r->end[from];
		r->end[from] -= K;
		step.begin = (int64_t)r->end[from];
	}
	return step;
}

/* Random N, also none and fewer than P, P, x and CHUNK; the worker that asks is drawn too, some more often
 * than others. */
static void by_rule(void)
{
	uint64_t seed = tap_seed();
	struct rule rule;

	for (unsigned i = 0; i < 2000 && tap_failures == 0; i++) {
		uint64_t pick = tap_random(&seed), x = 1 + (pick >> 8) % 4, least = 1 + (pick >> 16) % 9;
		unsigned p = 1 + (unsigned)(pick >> 24) % WORKERS, eager = (unsigned)(pick >> 32) % p;
		int64_t n = (int64_t)((pick >> 40) % (i % 4 ? 3000 : 2 * p));
		struct dls_loop *loop;
		char schedule[64];

		snprintf(schedule, sizeof(schedule), "frac,%llu,x=%llu", (unsigned long long)least, (unsigned long long)x);
		loop = deal_open(schedule, p, NULL, DLS_LOOP_EVERY_CHUNK | (i % 2 ? DLS_LOOP_VIRTUAL_TIME : 0));
		for (unsigned run = 0; run < 3; run++) {
			CHECK_EQ(dls_loop_start(loop, 0, n, 1), 0);
			rule_start(&rule, (uint64_t)n, p, x, least);
			for (uint64_t R = 1; R > 0 && tap_failures == 0; R = rule.R) {
				unsigned worker = tap_random(&seed) % 3 ? (unsigned)tap_random(&seed) % p : eager;
				struct step want = rule_take(&rule, worker);
				int64_t begin = 0, end = 0;

				dls_loop_next(loop, worker, &begin, &end);
				if (!CHECK(begin == want.begin && end == want.end))
					tap_note("%s, N = %lld, P = %u, worker %u: %lld to %lld, not %lld to %lld", schedule,
						 (long long)n, p, worker, (long long)begin, (long long)end,
						 (long long)want.begin, (long long)want.end);
			}
			dls_loop_end(loop, NULL);
		}
		dls_loop_close(loop);
	}
}

/* A calculator of small sizes, so that workers meet as often as possible; what it returns may exceed any tile. */
static uint64_t small_next(void *state, uint64_t R)
{
	uint64_t K = R % 61 == 0 ? R : 1 + R % 3;

	(void)state;
	return K < R ? K : R;
}

static const struct dls_calc small = {
	.size = sizeof(struct dls_calc), .name = "small", .source = "test", .dispenser = DLS_DISPENSER_RANGES,
	.init = deal_init, .next = small_next,
};

/* Each iteration once, also in loops with hardly more iterations than workers. */
static void threads(void)
{
	static const char *const schedule[] = { "small", "frac", "frac,x=1", "small", "frac,3,x=3.5" };

	CHECK_EQ(dls_calc_register(&small), 0);
	once_threads(tap_stress(.7), schedule, 5, 5, 3000, NULL);
}

TEST_MAIN(T(by_hand) T(long_chunks) T(by_rule) T(threads))
