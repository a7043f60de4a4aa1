/* shares.c - tickets in shares: sequences worked out by hand, the ends of the types, bounds, threads.
 *
 * Tickets are fac2's chunks; unit x stands at iteration lo_k + floor(f K_k / 65536), and who weighs w draws
 * 65536 w units.
 * Sequences of workers in turn are chunk/rows.c's.
 * Fails if: a share is rounded other than by its place, a draw over a batch's end counts in sizes of the first, an
 * empty share is handed out or ends the worker's loop, CHUNK is not kept by a light worker, a size overflows.  All
 * atomics of the dispenser are relaxed: that something rode on them ThreadSanitizer would tell by the plain writes in
 * api/team.c. */
#include "deal.h"
#include "once.h"

/* Of two workers one alone asks, and gets chunks of these sizes and then none. */
static void check_sizes(const char *schedule, unsigned worker, const uint64_t *size)
{
	const uint64_t n = 100;
	struct dls_loop *loop = deal_start(schedule, 2, n, DLS_LOOP_EVERY_CHUNK);
	uint64_t at = 0, begin, end;

	for (unsigned i = 0; at < n; i++) {
		if (!CHECK(dls_loop_next_u64(loop, worker, &begin, &end)))
			break;
		CHECK_EQ(begin, at);
		if (CHECK_EQ(end - begin, size[i]) != size[i])
			tap_note("%s: chunk %u", schedule, i);
		at = end;
	}
	for (unsigned w = 0; w < 2; w++)
		CHECK(!dls_loop_next_u64(loop, w, &begin, &end));
	dls_loop_close(loop);
}

static void by_hand(void)
{
	/* Weights 1.75 and 0.25, tickets 25 25 13 13 6 6 3 3 2 2 1 1; the heavy one alone, at tickets 1.75, 3.5, 5.25, 7,
	 * 8.75, 10.5, that is, at iterations 43, 50 + 13 + 6 = 69, 76 + 6 + 1 = 83, 88 + 3 = 91, 94 + 1 = 95, 98. */
	static const uint64_t heavy[] = { 43, 26, 14, 8, 4, 3, 2 };
	/* The light one alone; where a quarter ticket is empty it draws ceil(65536 / K) units more.  K = 3: units 16384 (0
	 * iterations) + 21846 = 38230 (1), 54614 (2), the next ticket's 5462 (0), 21846 (1), 38230 (1) + 21846 = 60076 (2)
	 * and, of 2, 10924 (0): from there on one at a time. */
	static const uint64_t light[] = {
		6, 6, 6, 7, 6, 6, 6, 7, 3, 3, 3, 4, 3, 3, 3, 4, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	};
	/* CHUNK 5: tickets 25 25 13 13 6 6 5 5 and the last 2; quarters of 25 are enough.  K = 13: ceil(5 65536 / 13) = 25207
	 * units, five times, to unit 60499 of the second; K = 6: they would be 2 iterations: a whole ticket, to unit 60499,
	 * which is iteration 76 + 5; 54614 units, to 49577 of the next: 82 + 4; then whole tickets: 88 + 3, 93 + 3, 98 + 1. */
	static const uint64_t at_least[] = { 6, 6, 6, 7, 6, 6, 6, 7, 5, 5, 5, 5, 5, 6, 5, 5, 5, 3, 1 };

	check_sizes("wf,weights=7:1", 0, heavy);
	check_sizes("wf,weights=7:1", 1, light);
	check_sizes("wf,5,weights=7:1", 1, at_least);
}

/* Workers ask in any order: each chunk begins where the last one ends; only those that end in the loop's last ticket, if
 * that is cut, are below CHUNK. */
static void smallest(void)
{
	static const char *const weights[] = { "1", "1:9", "1e-9:1:1e9", "1:1:1:97", "5:4:3:2:1" };
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 2000; i++) {
		uint64_t pick = tap_random(&seed), c = 1 + (pick >> 8) % 50, n = 1 + (pick >> 20) % 5000;
		unsigned p = 2 + (unsigned)pick % 20;
		struct dls_loop *loop;
		uint64_t at = 0, begin, end;
		char text[64];

		snprintf(text, sizeof(text), "wf,%u,weights=%s", (unsigned)c, weights[i % 5]);
		loop = deal_start(text, p, n, DLS_LOOP_EVERY_CHUNK);
		while (at < n && CHECK(dls_loop_next_u64(loop, (unsigned)tap_random(&seed) % p, &begin, &end))) {
			CHECK_EQ(begin, at);
			CHECK(begin < end && end <= n);
			if (!CHECK(end - begin >= c || n - end < c))
				tap_note("%s, N = %u, P = %u: %u at %u", text, (unsigned)n, p, (unsigned)(end - begin),
					 (unsigned)begin);
			at = end;
		}
		dls_loop_close(loop);
	}
}

static void check_small(const struct once_job *job)
{
	CHECK_EQ(job->small, 0);
}

/* Short loops, in which the end is all that happens; CHUNK although draws are lost to other workers. */
static void threads(void)
{
	static const char *const schedule[] = {
		"wf,weights=1:2:9", "wf,3,weights=1:2:9", "awf-b", "awf-c", "awf-e,2", "awf",
	};

	once_threads(tap_stress(.7), schedule, 6, 5, 400, check_small);
}

TEST_MAIN(T(by_hand) T(smallest) T(threads))
