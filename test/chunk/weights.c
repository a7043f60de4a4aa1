/* weights.c - what workers of different weights get of static: one share each.  loop/shares.c has weighted
 * factoring.
 *
 * runs: check, alone */
#include "deal.h"
#include "walk.h"

/* The shares of a loop of n by the library, one worker after the other. */
static void check_shares(const char *text, uint64_t n, unsigned p, const char *want)
{
	struct dls_loop *loop = deal_open(text, p, NULL, DLS_LOOP_EVERY_CHUNK);
	uint64_t begin, end, dealt = 0;
	char got[256] = "";
	size_t length = 0;

	CHECK_EQ(dls_loop_start_u64(loop, 0, n, 1), 0);
	for (unsigned w = 0; w < p; w++)
		while (dls_loop_next_u64(loop, w, &begin, &end)) {
			CHECK_EQ(begin, dealt);
			dealt = end;
			length += (size_t)snprintf(got + length, sizeof got - length, "%u:%" PRIu64 " ", w, end - begin);
		}
	CHECK_EQ(dealt, n);
	CHECK_TEXT(got, want);
	dls_loop_close(loop);
}

/* round(n x the sum of the weights so far / P).  Fails if a share is that of another worker, a bound is rounded
 * differently from its two sides, or the last one is left to rounding. */
static void shares(void)
{
	check_shares("static,weights=1:3", 1000, 2, "0:250 1:750 ");
	check_shares("static,weights=3:1", 1000, 2, "0:750 1:250 ");
	check_shares("static,weights=1:1:1", 1000, 3, "0:333 1:334 2:333 ");
	check_shares("static,weights=2:6", 1000, 4, "0:125 1:375 2:250 3:250 ");
	check_shares("static,weights=1:1e-9:1", 1000, 3, "0:500 2:500 ");
	check_shares("static,weights=1:1:8", 3, 3, "1:1 2:2 ");
	check_shares("static,weights=1:3", UINT64_MAX, 2, "0:4611686018427387904 1:13835058055282163711 ");
}

/* Exact adjacency and order, whatever the weights: as worker w's end, so worker w + 1's begin. */
static void adjacency(void)
{
	static const uint64_t n[] = { 1, 2, 97, 1000, (uint64_t)1 << 53, ((uint64_t)1 << 53) + 3, UINT64_MAX };
	const struct dls_calc *calc = dls_calc_find("static");
	_Alignas(max_align_t) char state[DLS_STATE_MAX];
	uint64_t stream = 1, size;

	for (unsigned round = 0; round < 1000; round++) {
		unsigned p = 1 + (unsigned)(tap_random(&stream) % 40);
		struct dls_loop_desc loop = { .size = sizeof(loop), .n = n[round % (sizeof n / sizeof *n)], .p = p };
		double weight[40], sum = 0;
		uint64_t dealt = 0;

		for (unsigned w = 0; w < p; w++)
			sum += weight[w] = exp((double)(tap_random(&stream) % 400) / 10 - 20);
		for (unsigned w = 0; w < p; w++) {
			loop.worker = w;
			loop.before = loop.upto;
			loop.upto += weight[w] / sum * p;
			CHECK_EQ(calc->init(state, &loop), 0);
			uint64_t lo = calc->at(state, w, &size);

			if (size)
				CHECK_EQ(lo, dealt);
			dealt += size;
			CHECK(dealt <= loop.n && dealt >= size);
			calc->at(state, (uint64_t)w + p, &size);
			CHECK_EQ(size, 0);
		}
		CHECK_EQ(dealt, loop.n);
	}
}

/* Fails if blocks of a size, which weights cannot change, are accepted together with them. */
static void blocks_and_weights(void)
{
	struct dls_loop_desc loop = { .size = sizeof(loop), .n = 1000, .p = 2, .chunk = 5, .upto = 1 };
	const struct dls_calc *calc = dls_calc_find("static");
	_Alignas(max_align_t) char state[DLS_STATE_MAX];

	CHECK_EQ(calc->init(state, &loop), DLS_EINVAL);
	loop.upto = 0;
	CHECK_EQ(calc->init(state, &loop), 0);
}

TEST_MAIN(T(shares) T(adjacency) T(blocks_and_weights))
