/* predict.c - predictions by hand, of what is refused, and at the ends of what is accepted.
 *
 * runs: check, machines, alone */
#include <math.h>

#include "deal.h"
#include "dls/predict.h"
#include "parse.h"

static struct dls_prediction predict(const char *text, uint64_t n, unsigned buckets, const double *time, const double *variance,
				     unsigned workers, const double *speed, const struct dls_costs *costs)
{
	struct dls_profile profile = { sizeof(profile), n, buckets, time, variance };
	struct dls_prediction p = { .size = sizeof(p) };
	struct dls_schedule *schedule = parse(text);

	CHECK_EQ(dls_predict(schedule, &profile, workers, speed, costs, &p), 0);
	dls_schedule_free(schedule);
	return p;
}

static bool near(double value, double want, double error)
{
	if (fabs(value - want) <= error * fabs(want))
		return true;
	tap_note("%.17g, not %.17g", value, want);
	return false;
}

/* What is predicted of n iterations on so many workers; buckets: of time; first speed 0: all are equal; idle NAN, chunks 0: whatever. */
static const struct row {
	const char *schedule;
	uint64_t n;
	unsigned buckets, workers;
	double time[3], speed[2];
	struct dls_costs costs;
	double wanted, error, idle;
	uint64_t chunks;
} rows[] = {
	/* 5 3 1 1 of 10.  The slow worker first: it takes 5 s for the first chunk, the other one ends at 2.5; the fast one first: it has
	 * the first until 2.5 and the third until 3, when it takes the last, to 3.5; the slow one has the second until 3.
	 * Fails if: one order is left out, a speed multiplies, idle is of another time. */
	{ "gss", 10, 1, 2, { 10 }, { 2, 1 }, { 0 }, (5 + 3.5) / 2, 1e-12, (2.5 / 10 + 0.5 / 7) / 2, 4 },
#define DEAR { .take = 1, .transfer = 10, .region = 100 }
	/* Iterations that take no time, a take of 1 s, a line that moves in 10: worker 0 has it at once, then it moves each time, also when
	 * a worker finds that there is nothing left.
	 * Fails if: two workers move the line at the same time; the first pays, or one alone. */
	{ "ss", 4, 1, 2, { 0 }, { 0 }, DEAR, 151, 1e-12, NAN, 0 },
	{ "ss", 4, 1, 1, { 0 }, { 0 }, DEAR, 105, 1e-12, NAN, 0 },
	{ "static", 4, 1, 2, { 0 }, { 0 }, DEAR, 101, 1e-12, NAN, 0 },
	/* The last 6 of 12 iterations take 1 s each.  Worker 0 is free at once; worker 1 has begun one; 3 of the other 5 are stolen.
	 * Fails if: the thief takes less than half, a chunk in hand, or the head; the transfers of the steal and of leaving are not paid. */
	{ "steal", 12, 2, 2, { 0, 6 }, { 0 }, { 0 }, 3, 1e-12, NAN, 12 },
	{ "steal", 12, 2, 2, { 0, 6 }, { 0 }, { .transfer = 0.25 }, 3.75, 1e-12, NAN, 0 },
	/* The iterations of worker 0's tile take no time, those of worker 1's 1 s each, of worker 2's 3 s.  Worker 0 takes two of its own
	 * twice, then two of tile 1, the first of the fullest, which last 2 s; worker 1 its own two, one each, to 2 s as well; worker 2 one
	 * of its own to 3 s.  At 2 s tile 2 is the fullest: workers 0 and 1 take its last two to 5 s, worker 2 has the other one to 6 s.
	 * Fails if: help goes to another tile than the fullest, or to its head; sizes follow from less than all that remains. */
	{ "frac", 12, 3, 3, { 0, 4, 12 }, { 0 }, { 0 }, 6, 1e-12, 2.0 / 18, 9 },
	/* Weights that earlier executions teach are the speeds; who measures reads the clock twice a take.
	 * Fails if: the weights are turned round or the same for all; a clock is read for nothing, or once. */
	{ "static,weights=site", 8, 1, 2, { 8 }, { 1, 3 }, { 0 }, 2, 1e-12, NAN, 0 },
	{ "wf,weights=site", 8, 1, 2, { 8 }, { 1, 3 }, { 0 }, 2, 1e-12, NAN, 0 },
	{ "awf", 2, 1, 1, { 0 }, { 0 }, { .clock = 1 }, 6, 1e-12, NAN, 0 },
	{ "fac2", 2, 1, 1, { 0 }, { 0 }, { .clock = 1 }, 0, 0, NAN, 0 },
#define LITTLE { .take = 1e-6, .transfer = 2e-6 }
	/* A line limits 1e6 takes, whatever they hold; work of 1e6 small chunks is spread evenly, and all takes are paid.
	 * Fails if: what is dealt at once is dealt for nothing, or one after another. */
	{ "ss", 1000000, 1, 16, { 1e-3 }, { 0 }, LITTLE, 2, 1e-3, NAN, 1000000 },
	{ "ss", 1000000, 1, 16, { 100 }, { 0 }, LITTLE, 103.0 / 16, 1e-3, NAN, 0 },
	{ "steal", 1000000, 1, 16, { 100 }, { 0 }, LITTLE, 101.0 / 16, 1e-3, NAN, 0 },
};

static void by_hand(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];
		const double *speed = r->speed[0] > 0 ? r->speed : NULL;
		struct dls_costs costs = r->costs;
		struct dls_prediction p;

		costs.size = sizeof(costs);
		p = predict(r->schedule, r->n, r->buckets, r->time, NULL, r->workers, speed, &costs);
		if (!CHECK(near(p.time, r->wanted, r->error)) || !CHECK(isnan(r->idle) || near(p.idle, r->idle, 1e-12)) ||
		    !CHECK(!r->chunks || p.chunks == r->chunks))
			tap_note("%s, row %zu: %llu chunks", r->schedule, i, (unsigned long long)p.chunks);
		CHECK(strcmp(r->schedule, "gss") != 0 || near(p.ideal, 10.0 / 3, 1e-12));
	}
}

/* Each argument out of its range in turn.  Fails if: one is not looked at, or the prediction is written all the same. */
static void refused(void)
{
	static const double good[] = { 1, 1 };
	static const struct { double time; uint64_t n; unsigned buckets, workers; double speed, take; int code; } bad[] = {
		{ 1, 2, 2, 2, 1, 0, 0 },
		{ -1, 2, 2, 2, 1, 0, DLS_ERANGE }, { NAN, 2, 2, 2, 1, 0, DLS_ERANGE }, { INFINITY, 2, 2, 2, 1, 0, DLS_ERANGE },
		{ 1e301, 2, 2, 2, 1, 0, DLS_ERANGE },
		{ 1, 0, 2, 2, 1, 0, DLS_ERANGE }, { 1, 2, 0, 2, 1, 0, DLS_ERANGE }, { 1, 1, 2, 2, 1, 0, DLS_ERANGE },
		{ 1, UINT64_MAX, DLS_BUCKETS_MAX + 1, 2, 1, 0, DLS_ERANGE },
		{ 1, 2, 2, 0, 1, 0, DLS_ERANGE }, { 1, 2, 2, DLS_WORKERS_MAX + 1, 1, 0, DLS_ERANGE },
		{ 1, 2, 2, 2, 0, 0, DLS_ERANGE }, { 1, 2, 2, 2, -1, 0, DLS_ERANGE }, { 1, 2, 2, 2, NAN, 0, DLS_ERANGE },
		{ 1, 2, 2, 2, INFINITY, 0, DLS_ERANGE }, { 1, 2, 2, 2, 1e-301, 0, DLS_ERANGE }, { 1, 2, 2, 2, 1e305, 0, DLS_ERANGE },
		{ 1, 2, 2, 2, 1, -1, DLS_ERANGE }, { 1, 2, 2, 2, 1, NAN, DLS_ERANGE }, { 1, 2, 2, 2, 1, INFINITY, DLS_ERANGE },
		{ 1, 2, 2, 2, 1, 1.1e9, DLS_ERANGE },
	};
	struct dls_schedule *fac2 = parse("fac2"), *rid = parse("rid");
	struct dls_profile profile = { sizeof(profile), 2, 2, good, NULL };
	struct dls_prediction p = { .size = sizeof(p), .time = 7 };
	struct dls_predictor *predictor = NULL;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		double time[2] = { 1, bad[i].time }, speed[2] = { 1, bad[i].speed };
		struct dls_profile of = { sizeof(of), bad[i].n, bad[i].buckets, time, NULL };
		struct dls_costs costs = { .size = sizeof(costs), .take = bad[i].take };

		p.time = 7;
		CHECK_EQ(dls_predict(fac2, &of, bad[i].workers, speed, &costs, &p), bad[i].code);
		CHECK((p.time == 7) == (bad[i].code != 0));
	}
	p.time = 7;
	CHECK_EACH(DLS_EINVAL, dls_predict(NULL, &profile, 2, NULL, NULL, &p), dls_predict(fac2, NULL, 2, NULL, NULL, &p),
		   dls_predict(fac2, &profile, 2, NULL, NULL, NULL), dls_predict(rid, &profile, 2, NULL, NULL, &p),
		   dls_predict(fac2, &(struct dls_profile){ 0, 2, 2, good, NULL }, 2, NULL, NULL, &p),
		   dls_predict(fac2, &(struct dls_profile){ sizeof(profile), 2, 2, NULL, NULL }, 2, NULL, NULL, &p),
		   dls_predict(fac2, &profile, 2, NULL, &(struct dls_costs){ .take = 1 }, &p),
		   dls_predictor_open(NULL, &profile, 2, NULL, NULL), dls_predictor_run(NULL, fac2, &p));
	CHECK(p.time == 7);
	p.size = 0;
	CHECK_EQ(dls_predict(fac2, &profile, 2, NULL, NULL, &p), DLS_EINVAL);
	CHECK_EQ(dls_predictor_open(&predictor, &profile, 0, NULL, NULL), DLS_ERANGE);
	CHECK(!predictor);
	dls_predictor_close(NULL);
	dls_schedule_free(fac2);
	dls_schedule_free(rid);
}

/* A user's calculators: one by one without repeat(), and chunks that are one iteration each and found by number. */
static int init(void *state, const struct dls_loop_desc *loop)
{
	*(uint64_t *)state = loop->n;
	return 0;
}

static uint64_t at(const void *state, uint64_t k, uint64_t *size)
{
	*size = k < *(const uint64_t *)state;
	return k;
}

static void add_calculators(void)
{
	struct dls_calc one = { .size = sizeof(one), .name = "ones", .source = "test", .state_size = 8, .init = init, .next = deal_ones };
	struct dls_calc own = one;

	CHECK_EQ(dls_calc_register(&one), 0);
	own.name = "own-ones";
	own.dispenser = DLS_DISPENSER_OWN;
	own.at = at;
	CHECK_EQ(dls_calc_register(&own), 0);
}

static bool sound(const struct dls_prediction *p, double region)
{
	return isfinite(p->time) && p->time >= p->ideal * (1 - 1e-9) + region * 0.999 && p->idle >= 0 && p->idle <= 1 && p->chunks > 0;
}

/* Every calculator, at sizes from 1 to the largest, among 1 to many workers, with times of nothing, of one bucket, of peaks.
 * Fails if: a loop does not end, a sum overflows, time is less than the ideal one. */
static void ends(void)
{
	static const uint64_t n[] = { 1, 2, 3, 63, 1000, (uint64_t)1 << 32 | 1, (uint64_t)1 << 63, UINT64_MAX };
	static const unsigned workers[] = { 1, 2, 3, 64, 1024 };
	static const char *const more[] = {
		"static,1", "static,weights=1:1000", "ss,7", "gss,9", "wf,weights=1:1000:0.001", "wf,9,weights=3:1", "steal,1000",
		"nonmonotonic:static", "nonmonotonic:ss", "frac,multiple=4294967296", "gss,multiple=100", "af,first=1",
		"ss,18446744073709551615", "static,weights=site", "wf,weights=site", "fac,mu=1,sigma=1e6",
	};
	static double time[64], variance[64], speed[1024];
	unsigned calcs = 0, bad = 0;

	add_calculators();
	while (dls_calc_at(calcs))
		calcs++;
	for (unsigned w = 0; w < 1024; w++)
		speed[w] = w % 3 ? 1 : w % 2 ? 1e-6 : 1e6;
	for (unsigned b = 0; b < 64; b++)
		variance[b] = b % 4 ? pow(10, 20 * (b % 5) - 40.0) : 0;
	for (unsigned i = 0; i < calcs + sizeof(more) / sizeof(*more); i++) {
		const char *text = i < calcs ? dls_calc_at(i)->name : more[i - calcs];

		for (unsigned k = 0; k < sizeof(n) / sizeof(*n); k++)
			for (unsigned j = 0; j < sizeof(workers) / sizeof(*workers); j++)
				for (int shape = 0; shape < (workers[j] == 64 ? 9 : 6); shape++) {
					unsigned buckets = shape % 3 == 1 ? 1 : n[k] < 64 ? (unsigned)n[k] : 64;
					struct dls_prediction p;

					for (unsigned b = 0; b < buckets; b++)
						time[b] = shape % 3 == 0 ? 0 : shape % 3 == 1 ? 1 : b % 16 == 5 ? 1 : 1e-9;
					p = predict(text, n[k], buckets, time, shape < 6 ? NULL : variance, workers[j],
						   shape < 3 ? NULL : speed, NULL);
					if (!sound(&p, 1e-6) && ++bad < 10)
						tap_note("%s, %llu iterations, %u workers, shape %d: %g s, ideal %g, idle %g, %llu", text,
							 (unsigned long long)n[k], workers[j], shape, p.time, p.ideal, p.idle,
							 (unsigned long long)p.chunks);
				}
	}
	CHECK_EQ(bad, 0);
}

/* 64 buckets of which an iteration takes 1 s in the mean, and differs by this variance.
 * Fails if: another number of workers is carried, work is lost among the draws, the deviation is not told or another one is, times
 * do not rise within a bucket, the draws are others in the second prediction, or a variance that is none is accepted. */
static void variances(void)
{
	static const struct { uint64_t n; bool known; double variance; unsigned carries; } row[] = {
		{ 6400, false, 0, 32 }, { 6400, true, 0, DLS_WORKERS_MAX }, { 6400, true, 1, 100 }, { 6400, true, 2, 50 }, { 6400, true, 4, 32 },
		{ 6400, true, 1e300, 32 }, { 64, false, 0, DLS_WORKERS_MAX }, { 64, true, 9, DLS_WORKERS_MAX },
		{ UINT64_MAX, true, 1, DLS_WORKERS_MAX },
	};
	static const double bad[] = { -1, NAN, INFINITY };
	static const struct dls_costs none = { .size = sizeof(none) };
	double time[64], variance[64];
	struct dls_profile profile = { sizeof(profile), 6400, 64, time, variance };
	struct dls_prediction p = { .size = sizeof(p) }, told = p, again;
	struct dls_schedule *fac = parse("fac"), *same = parse("fac,mu=1,sigma=1.5"), *ss = parse("ss");

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		profile.n = row[i].n;
		profile.variance = row[i].known ? variance : NULL;
		for (unsigned b = 0; b < 64; b++) {
			time[b] = (double)row[i].n / 64;
			variance[b] = row[i].variance;
		}
		CHECK_EQ(dls_predict(ss, &profile, 40, NULL, NULL, &p), 0);
		CHECK_EQ(p.carries, row[i].carries);
		CHECK(near(p.ideal, (double)row[i].n / 40, 1e-12));
		CHECK(p.time > p.ideal && p.time < 2 * (double)row[i].n);
	}
	profile.n = 6400;
	for (unsigned b = 0; b < 64; b++) {
		time[b] = 100;
		variance[b] = 2.25;
	}
	CHECK_EQ(dls_predict(fac, &profile, 40, NULL, NULL, &p), 0);
	CHECK_EQ(dls_predict(same, &profile, 40, NULL, NULL, &told), 0);
	CHECK_EQ(p.chunks, told.chunks);
	CHECK(near(p.time, told.time, 1e-12));
	memcpy(&again, &p, sizeof(again));
	CHECK_EQ(dls_predict(fac, &profile, 40, NULL, NULL, &again), 0);
	CHECK(memcmp(&again, &p, sizeof(p)) == 0);
	for (unsigned b = 0; b < 64; b++) {	/* times rise from 0 on, evenly: the last ten iterations by 2 - 2 / 1280 of the mean */
		time[b] = 100 * (b + 0.5) / 32;
		variance[b] = 0;
	}
	p = predict("static", 6400, 64, time, variance, 640, NULL, &none);
	CHECK(near(p.time / p.ideal, 2 - 1.0 / 640, 1e-12));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		variance[63] = bad[i];
		CHECK_EQ(dls_predict(ss, &profile, 40, NULL, NULL, &p), DLS_ERANGE);
	}
	dls_schedule_free(fac);
	dls_schedule_free(same);
	dls_schedule_free(ss);
}

/* The time of chunks of K iterations by P workers, each dealt to the worker that is free first. */
static double listed(const double *cost, int n, int K, int P)
{
	double end[256] = { 0 }, most = 0;

	for (int i = 0; i < n; i += K) {
		int first = 0;

		for (int w = 1; w < P; w++)
			first = end[w] < end[first] ? w : first;
		for (int j = i; j < i + K && j < n; j++)
			end[first] += cost[j];
		most = fmax(most, end[first]);
	}
	return most;
}

/* Costs of which a few are a hundred times the others, by 256 workers, the mean of several draws: in one go, chunk by chunk.
 * Fails if: of chunks that are dealt together the longest does not count, or chunks that are longer than a bucket count as if all of
 * them were as that bucket is. */
static void tails(void)
{
	enum { N = 60000, P = 256, DRAWS = 16 };
	static double cost[N];
	const struct dls_costs costs = { .size = sizeof(costs) };
	double told[3] = { 0 }, taken[3] = { 0 };
	uint64_t state = tap_seed();

	for (int draw = 0; draw < DRAWS; draw++) {
		for (int i = 0; i < N; i++)
			cost[i] = tap_random(&state) >> 57 == 0 ? 5e-4 : 5e-6;
		for (int k = 0; k < 3; k++) {
			int K = 1 << 2 * k;
			char text[16];

			snprintf(text, sizeof(text), "ss,%d", K);
			told[k] += predict(text, N, N, cost, NULL, P, NULL, &costs).time;
			taken[k] += listed(cost, N, K, P);
		}
	}
	for (int k = 0; k < 3; k++)
		if (!CHECK(fabs(told[k] / taken[k] - 1) < 0.18))
			tap_note("ss,%d: %g in place of %g", 1 << 2 * k, told[k] / DRAWS, taken[k] / DRAWS);
}

/* A predictor forgets: its second prediction of a schedule is the first one, bit for bit, and dls_predict()'s.
 * Fails if: anything is left in it by another schedule. */
static void again(void)
{
	static double time[64], speed[16];
	struct dls_profile profile = { sizeof(profile), 12345, 64, time, NULL };
	struct dls_predictor *predictor = NULL;
	struct dls_prediction first[40], p;
	unsigned calcs = 0;

	memset(first, 0, sizeof(first));
	for (unsigned b = 0; b < 64; b++)
		time[b] = 1e-4 * (1 + b * b % 17);
	for (unsigned w = 0; w < 16; w++)
		speed[w] = 1 + w % 3;
	CHECK_EQ(dls_predictor_open(&predictor, &profile, 16, speed, NULL), 0);
	for (int round = 0; round < 3; round++)
		for (calcs = 0; dls_calc_at(calcs); calcs++) {
			struct dls_schedule *schedule = parse(dls_calc_at(calcs)->name);

			memset(&p, 0, sizeof(p));
			p.size = sizeof(p);
			if (round < 2)
				CHECK_EQ(dls_predictor_run(predictor, schedule, &p), 0);
			else
				CHECK_EQ(dls_predict(schedule, &profile, 16, speed, NULL, &p), 0);
			if (round == 0)
				first[calcs] = p;
			CHECK(memcmp(&first[calcs], &p, sizeof(p)) == 0);
			dls_schedule_free(schedule);
		}
	dls_predictor_close(predictor);
}

TEST_MAIN(T(by_hand) T(refused) T(ends) T(variances) T(tails) T(again))
