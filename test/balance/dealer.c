/* dealer.c - calculators as one dealer asks them: sizes are theirs, weights and figures count as in loops.
 *
 * Fails if: a calculator deals others than in a loop, its fallback does not stand in or does where moments are told, a batch is not of P
 * chunks, a weight is left out or counts twice, figures count before or after they should, `least` does not
 * hold, what is dealt in a size's place is not taken off, or a sample that says nothing makes a size of no
 * number.
 *
 * runs: check, machines, alone */
#include "chunk/walk.h"
#include "sched/balance/dealer.h"

enum { WORKERS = 64 };

static struct dls__dealer dealer;
static struct dls__dealt worker[WORKERS];
static struct dls__moments_told told;	/* nothing, unless a test says so */

static void deal(const struct dls_calc *calc, uint64_t n, unsigned p, uint64_t least, const double *weight)
{
	dls__dealer_open(&dealer, calc, n, p, least, told);
	for (unsigned i = 0; i < p; i++) {
		worker[i] = (struct dls__dealt){ .weight = weight ? weight[i] : 1 };
		dls__dealer_join(&dealer, &worker[i], i, n);
	}
}

static uint64_t next(unsigned w)
{
	uint64_t R = dealer.R, K = dls__dealer_size(&dealer, &worker[w]);

	CHECK(K >= 1 && K <= R);
	dls__dealer_take(&dealer, &worker[w], K);
	CHECK_EQ(dealer.R, R - K);
	return K;
}

/* The worker has run n iterations in so many seconds. */
static void learn(unsigned w, uint64_t n, double time, double variance)
{
	dls__dealer_learn(&dealer, &worker[w], &(struct dls_sample){ .n = n, .time = time, .variance = variance });
}

/* Runs of sizes, all workers alike and asking in turn. */
static const char *dealt(const struct dls_calc *calc, uint64_t n, unsigned p)
{
	static struct walk w;
	uint64_t sum = 0;

	w = (struct walk){ .hash = 0 };
	deal(calc, n, p, 1, NULL);
	for (unsigned i = 0; dealer.R > 0 && w.chunks < WALK_CHUNKS; i = (i + 1) % p) {
		uint64_t R = dealer.R, K = next(i);

		sum += K;
		walk_deal(&w, R, K, 1);
	}
	walk_close_run(&w);
	CHECK_EQ(sum, n);
	return w.text;
}

static const char *standing_in(const struct dls_calc *calc)
{
	while (calc->needs & (DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H))
		calc = dls_calc_find(calc->fallback ? calc->fallback : "fac2");
	return calc->name;
}

/* The same by the calculator alone. */
static const char *walked(const char *name, uint64_t n, unsigned p)
{
	static struct walk w;
	struct dls_schedule *schedule = NULL;

	CHECK_EQ(dls_schedule_parse(&schedule, name, NULL), 0);
	CHECK(walk_loop(&w, schedule, n, p, false));
	dls_schedule_free(schedule);
	return w.text;
}

/* Every calculator there is deals what it deals where nothing is known of the loop. */
static void walks(void)
{
	static const struct { uint64_t n; unsigned p; } size[] = {
		{ 1, 1 }, { 1, 7 }, { 7, 7 }, { 8, 7 }, { 1000, 1 }, { 1000, 3 }, { 1009, 16 }, { 4097, 64 },
	};
	const struct dls_calc *calc;

	for (size_t i = 0; (calc = dls_calc_at(i)); i++)
		for (size_t k = 0; k < sizeof(size) / sizeof(*size); k++)
			if (!CHECK_TEXT(dealt(calc, size[k].n, size[k].p), walked(standing_in(calc), size[k].n, size[k].p)))
				tap_note("%s, N = %" PRIu64 ", P = %u", calc->name, size[k].n, size[k].p);
	CHECK_TEXT(standing_in(dls_calc_find("fac")), "fac2");
	CHECK_TEXT(dealt(dls_calc_find("fac"), 1000, 2), "250x2 125x2 63x2 31x2 16x2 8x2 4x2 2x2 1x2");
}

/* Those that need moments deal what they deal in a loop of which these are known; where one is not, the fallback does.  bold's
 * chunks depend on time as well. */
static void told_moments(void)
{
	static const char *const calc[] = { "fac", "fsc", "tap", "bold" };
	char text[64];

	for (size_t i = 0; i < sizeof(calc) / sizeof(*calc); i++) {
		told = (struct dls__moments_told){ DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H, 1e-3, 2e-3, 5e-4 };
		snprintf(text, sizeof(text), "%s,mu=1e-3,sigma=2e-3,h=5e-4", calc[i]);
		if (strcmp(calc[i], "bold") != 0 && !CHECK_TEXT(dealt(dls_calc_find(calc[i]), 1000, 4), walked(text, 1000, 4)))
			tap_note("%s", text);
		CHECK(strcmp(dealt(dls_calc_find(calc[i]), 1000, 4), walked("fac2", 1000, 4)) != 0);
		told.known &= ~(unsigned)DLS_NEED_SIGMA;
		CHECK_TEXT(dealt(dls_calc_find(calc[i]), 1000, 4), walked(standing_in(dls_calc_find(calc[i])), 1000, 4));
	}
	told = (struct dls__moments_told){ .known = 0 };
}

/* N = 1000, P = 2, weights 1.5 and 0.5: of 1000, 500, 249, 185 and 43 left, K = 250, 125, 63, 47 and 11.
 * Who asks out of turn takes two of a batch. */
static void weights(void)
{
	static const struct { unsigned w; uint64_t K; } row[] = {
		{ 0, 375 }, { 1, 125 }, { 0, 188 }, { 1, 63 }, { 1, 32 }, { 1, 32 }, { 0, 71 }, { 0, 71 }, { 1, 6 },
	};

	deal(dls_calc_find("wf"), 1000, 2, 1, (double[]){ 1.5, 0.5 });
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		CHECK_EQ(next(row[i].w), row[i].K);
	deal(dls_calc_find("fac2"), 1000, 2, 1, (double[]){ 1.5, 0.5 });	/* has no use for them */
	CHECK_EQ(next(0), 250);
	CHECK_EQ(next(1), 250);
	deal(dls_calc_find("awf-c"), 1000, 2, 1, (double[]){ 1.5, 0.5 });	/* as long as nothing is measured */
	CHECK_EQ(next(0), 375);
	CHECK_EQ(next(1), 79);		/* of 625: 157 / 2 */
	deal(dls_calc_find("wf"), 1000000, 2, 1, (double[]){ 1e-9, 1e9 });	/* neither nothing nor all */
	CHECK_EQ(next(0), 3907);	/* 250000 / 64 */
	CHECK_EQ(next(1), 500000);
}

/* N = 1000, P = 2.  250 in 1 s: the only rate known, weight 1.  Of 562 left K = 141; rates 250 and 188 / 3:
 * weights 1.5992 and 0.4008.  Of 336 left K = 84.  Samples count by their number: (250 + 2 x 226) / (1 + 2 x
 * 0.5) = 351 per second; 2 x 62.667 / 413.667 = 0.30298, of 84; of 310 left 78 x 1.69702. */
static void each_chunk(void)
{
	deal(dls_calc_find("awf-c"), 1000, 2, 1, NULL);
	CHECK_EQ(next(0), 250);
	learn(0, 250, 1, NAN);
	CHECK_EQ(next(1), 188);
	learn(1, 188, 3, NAN);
	CHECK_EQ(next(0), 226);
	learn(0, 226, 0.5, NAN);
	CHECK_EQ(next(1), 26);
	CHECK_EQ(next(0), 133);
}

/* N = 1612, P = 2, rates 400 and 200.  Batch 0, K = 403: nothing is known.  Batch 1, K = 202 of 806: worker
 * 0 is the only one known when it asks; then weights are 4/3 and 2/3.  Batch 2, K = 118 of 469; batch 3, 58
 * of 232.
 * Fails if who is first in each batch is never heard, or anyone before its batch is over. */
static void each_batch(void)
{
	static const uint64_t K[] = { 403, 403, 202, 135, 158, 79, 78, 39 };

	for (unsigned round = 0; round < 2; round++) {	/* dispatch counts as time to awf-d */
		deal(dls_calc_find(round ? "awf-d" : "awf-b"), 1612, 2, 1, NULL);
		for (unsigned i = 0; i < sizeof(K) / sizeof(*K); i++) {
			double time = (double)K[i] / (i % 2 ? 200 : 400);

			CHECK_EQ(next(i % 2), K[i]);
			dls__dealer_learn(&dealer, &worker[i % 2], &(struct dls_sample){
				.n = K[i], .time = round ? time / 4 : time, .dispatch = 3 * time / 4, .variance = NAN });
		}
	}

	/* Batches of 4 chunks: worker 1 has a quarter of the speed, but the sizes stay those of batch 0
	 * until its fourth chunk. */
	deal(dls_calc_find("awf-b"), 3200, 4, 1, NULL);
	for (unsigned i = 0; i < 4; i++) {
		CHECK_EQ(next(i % 2), 400);
		learn(i % 2, 400, i % 2 ? 4 : 1, NAN);
	}
	CHECK_EQ(next(0), 200);		/* the only one known */
	CHECK_EQ(next(1), 80);		/* 2 x 100 / 500 */
	learn(0, 200, 1000, NAN);
	CHECK_EQ(next(0), 320);		/* in the same batch: 2 x 400 / 500 still */
}

/* N = 10000, P = 4.  Three of four workers report mu 2, 1, 4 s and sigma 3, 1, 4 s: the rows of adaptive
 * factoring, evaluated apart from this code; what is not known yet takes 313, a quarter of N/2P. */
static void moments(void)
{
	static const uint64_t R[] = { 10000, 5000, 2000, 1000, 300, 100, 30, 10, 3 };
	static const uint64_t slow[] = { 1250, 993, 380, 181, 48, 13, 3, 1, 1 };	/* mu = 2 */
	static const uint64_t fast[] = { 1250, 1250, 760, 361, 95, 26, 5, 1, 1 };	/* mu = 1 */

	deal(dls_calc_find("af"), 10000, 4, 1, NULL);
	CHECK_EQ(dls__dealer_size(&dealer, &worker[0]), 313);
	learn(0, 10, 20, 9);
	learn(1, 10, 10, 1);
	learn(2, 10, 40, 16);
	for (size_t i = 0; i < sizeof(R) / sizeof(*R); i++) {
		dls__dealer_take(&dealer, &worker[3], dealer.R - R[i]);
		CHECK_EQ(dls__dealer_size(&dealer, &worker[0]), slow[i]);
		CHECK_EQ(dls__dealer_size(&dealer, &worker[1]), fast[i]);
	}

	/* No variance where there was but one part: as if all were alike. */
	deal(dls_calc_find("af"), 10000, 2, 1, NULL);
	learn(0, 10, 10, NAN);
	learn(1, 10, 30, NAN);
	dls__dealer_take(&dealer, &worker[0], 8000);
	CHECK_EQ(dls__dealer_size(&dealer, &worker[0]), 1500);	/* of 2000, rates being 3 to 1 */
	CHECK_EQ(dls__dealer_size(&dealer, &worker[1]), 500);
}

/* A calculator of a user's whose sizes depend on who asks. */
static int own_init(void *state, const struct dls_loop_desc *loop)
{
	*(uint64_t *)state = loop->worker + 1;
	return 0;
}

static uint64_t own_next(void *state, uint64_t R)
{
	uint64_t *K = state, size = *K < R ? *K : R;

	*K += 10;
	return size;
}

static void own_states(void)
{
	static const struct dls_calc own = { .size = sizeof(own), .name = "own",
						 .dispenser = DLS_DISPENSER_LIVE, .state_size = sizeof(uint64_t),
					     .init = own_init, .next = own_next };

	deal(&own, 100, 3, 1, NULL);
	CHECK_EQ(next(2), 3);
	CHECK_EQ(next(0), 1);
	CHECK_EQ(next(2), 13);
	CHECK_EQ(next(1), 2);
	CHECK_EQ(next(0), 11);
}

/* No chunk is smaller than `least` while there is that much, whatever the weight; but where CHUNK is something
 * else than the smallest chunk, `least` says nothing. */
static void least(void)
{
	const struct dls_calc *calc;

	for (size_t i = 0; (calc = dls_calc_at(i)); i++) {
		bool smallest = !dls_calc_find(standing_in(calc))->chunk;

		deal(calc, 1000, 3, 40, (double[]){ 0.1, 0.2, 2.7 });
		for (unsigned k = 0; dealer.R > 0; k++) {
			uint64_t R = dealer.R, K = next(k % 3);

			if (smallest && !CHECK(K >= (R < 40 ? R : 40)))
				tap_note("%s: %" PRIu64 " of %" PRIu64, calc->name, K, R);
		}
	}
	deal(dls_calc_find("ss"), 10, 2, 1000, NULL);
	CHECK_EQ(next(0), dls_calc_find("ss")->chunk ? 1 : 10);
}

/* A sample such as clocks of no use make them. */
static struct dls_sample silly(uint64_t *seed)
{
	static const double odd[] = { 0, 1e-300, 1e-9, 1, 1e9, 1e300, INFINITY, -1, NAN };
	static const uint64_t n[] = { 0, 1, 1000, UINT64_C(1) << 62, UINT64_MAX };

	return (struct dls_sample){
		.n = n[tap_random(seed) % 5], .time = odd[tap_random(seed) % 9], .dispatch = odd[tap_random(seed) % 5],
		.variance = odd[tap_random(seed) % 9],
	};
}

/* Whatever is measured, and dealt in a size's place, sizes stay within 1 .. R, which is what remains; sums stay finite, and what
 * honest samples say comes to count again. */
static void other_sizes(void)
{
	const struct dls_calc *calc;
	uint64_t seed = tap_seed();

	for (size_t i = 0; (calc = dls_calc_at(i)); i++)
		for (unsigned round = 0; round < 200; round++) {
			bool few = round % 10 == 0;	/* then all are dealt */
			uint64_t n = few ? 1 + tap_random(&seed) % 5000 : UINT64_C(1) << tap_random(&seed) % 60, taken = 0;
			unsigned p = 1 + (unsigned)(tap_random(&seed) % (few ? WORKERS : 9));

			deal(calc, n, p, 1 + tap_random(&seed) % 3, NULL);
			for (unsigned k = 0; dealer.R > 0 && (few ? CHECK(k < 5000) : k < 100); k++) {
				struct dls_sample sample = silly(&seed);
				struct dls__dealt *w = &worker[tap_random(&seed) % p];
				uint64_t R = dealer.R, K;

				if (!few)
					dls__dealer_learn(&dealer, &worker[tap_random(&seed) % p], &sample);
				K = dls__dealer_size(&dealer, w);
				CHECK(K >= 1 && K <= R);
				K = few ? 1 + tap_random(&seed) % (2 * K) : K;
				K = K < R ? K : R;
				dls__dealer_take(&dealer, w, K);
				taken += K;
				CHECK_EQ(dealer.R, n - taken);
				if (!CHECK(isfinite(dealer.sum[0]) && isfinite(dealer.sum[1]))) {
					tap_note("%s: n %" PRIu64 ", time %g, variance %g", calc->name, sample.n, sample.time,
						 sample.variance);
					break;
				}
			}
		}
	dealer.R = 1;
	dls__dealer_take(&dealer, &worker[0], 2);	/* more than there is */
	CHECK_EQ(dealer.R, 0);
}

/* A calculator whose figures are of what is being done: each worker's are told when it gets a chunk, of the chunk dealt. */
static int took_init(void *state, const struct dls_loop_desc *loop)
{
	*(const struct dls_measured **)state = loop->view;
	return 0;
}

static uint64_t took_next(void *state, uint64_t R)
{
	const struct dls_measured *view = *(const struct dls_measured **)state;
	uint64_t K = view->known ? 1 + (uint64_t)view->sum[0] : 10;

	return K < R ? K : R;
}

static void took_took(const void *state, uint64_t K, double own[2])
{
	own[0] = (double)K;
	own[1] = 0;
}

static void took(void)
{
	static const struct dls_calc calc = {
		.size = sizeof(struct dls_calc), .name = "in-hand", .source = "this test", .needs = DLS_NEED_DONE,
		.dispenser = DLS_DISPENSER_LIVE, .state_size = sizeof(struct dls_measured *), .init = took_init,
		.next = took_next, .took = took_took,
	};

	deal(&calc, 1000, 2, 1, NULL);
	CHECK_EQ(next(0), 10);
	CHECK_EQ(next(1), 11);
	CHECK_EQ(next(0), 22);		/* 1 + 10 + 11 */
	CHECK_EQ(next(0), 34);		/* 1 + 22 + 11 */
}

/* A calculator that refuses the loop leaves it to fac2, as in loops. */
static int refuses(void *state, const struct dls_loop_desc *loop)
{
	return DLS_EINVAL;
}

static void refused(void)
{
	static const struct dls_calc calc = {
		.size = sizeof(struct dls_calc), .name = "refuses", .source = "this test",
		.dispenser = DLS_DISPENSER_TICKETS, .init = refuses, .next = took_next,
	};

	deal(&calc, 1000, 2, 1, NULL);
	CHECK_TEXT(dealer.calc->name, "fac2");
	CHECK_EQ(next(0), 250);
}

TEST_MAIN(T(walks) T(told_moments) T(weights) T(each_chunk) T(each_batch) T(moments) T(own_states) T(least) T(other_sizes)
	  T(took) T(refused))
