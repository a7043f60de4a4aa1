/* stored.c - the chunk table of a scheduler that moves data.
 *
 * Fails if: a stretch does not weigh what its slots do, a chunk is not the nearest to its size, is of no
 * slot, or goes beyond what is left.
 *
 * runs: check, machines, alone */
#include "sched/balance/stored.h"
#include "tap.h"

/* Of any table, against sums slot by slot: of two that are as near the one that ends sooner, but at least one slot. */
static void nearest(void)
{
	uint64_t seed = tap_seed();

	for (unsigned round = 0; round < 3000; round++) {
		unsigned n = 1 + (unsigned)(tap_random(&seed) % 6), shift = (unsigned)(tap_random(&seed) % 3);
		uint64_t weight[64], slots = 0, size, sum = 0, best = UINT64_MAX, count = 0, within = 0;
		struct dls__alike alike[6];
		struct dls__level level[7];
		struct dls__stored s;

		for (unsigned i = 0; i < n; i++) {
			alike[i] = (struct dls__alike){ tap_random(&seed) % 30, 1 + tap_random(&seed) % 8 };
			for (uint64_t k = 0; k < alike[i].slots; k++)
				weight[slots++] = alike[i].weight >> shift ? alike[i].weight >> shift : 1;
		}
		dls__stored_fill(&s, level, alike, n, shift);
		CHECK_EQ(s.tail, slots);
		s.head = tap_random(&seed) % slots;
		s.tail = s.head + 1 + tap_random(&seed) % (slots - s.head);
		size = tap_random(&seed) % 100;
		for (uint64_t k = s.head; k < s.tail; k++) {
			sum += weight[k];
			if ((sum < size ? size - sum : sum - size) < best) {
				best = sum < size ? size - sum : sum - size;
				count = k + 1 - s.head;
			}
		}
		CHECK_EQ(dls__stored_left(&s), sum);
		CHECK_EQ(dls__stored_head(&s, size), count);
		sum = 0;
		best = UINT64_MAX;
		for (uint64_t k = s.tail; k-- > s.head; ) {
			sum += weight[k];
			if ((sum < size ? size - sum : sum - size) <= best) {
				best = sum < size ? size - sum : sum - size;
				count = s.tail - k;
			}
			within = sum <= size ? s.tail - k : within;
		}
		CHECK_EQ(dls__stored_tail(&s, size), count);
		CHECK_EQ(dls__stored_within(&s, size), within);
	}
}

TEST_MAIN(T(nearest))
