/* forecast.c - what advice forecasts for hundreds of workers, from an execution by four, beside the real dispensers in virtual time.
 *
 * Six distributions of the times of iterations, each drawn anew for each size.  Where the profile does not carry so many workers, the
 * forecast says so, and does not count.
 *
 * Fails if: the variance of a bucket is lost, counts for another bucket or is that of a chunk, the parts of a bucket do not differ, a
 * schedule that is told the deviation is told another one, the profile carries more workers than it does, or nearly none.
 *
 * runs: alone */
#include <math.h>
#include <stdlib.h>

#include "deal.h"
#include "lib/report/forecast.h"

enum { MEASURED = 4, MOST = 100000, WORKERS = 1024, DISTRIBUTIONS = 6, CHUNKS_MOST = 40000 };	/* chunks: more take too long here */

static double upto[MOST + 1];	/* time of the iterations before each, s */

static double draw(uint64_t *random)
{
	return ((double)(tap_random(random) >> 11) + 0.5) * 0x1p-53;
}

/* Of mean 1. */
static double cost(int distribution, double place, uint64_t *random)
{
	switch (distribution) {
	case 0:		/* constant */
		return 1;
	case 1:		/* uniform */
		return 2 * draw(random);
	case 2:		/* linear ramp */
		return 2 * place;
	case 3:		/* exponential */
		return -log(draw(random));
	case 4:		/* bimodal */
		return draw(random) < 0.1 ? 5.5 : 0.5;
	default:	/* lognormal */
		return exp(sqrt(-2 * log(draw(random))) * cos(6.283185307179586 * draw(random)) - 0.5);
	}
}

static void make(int distribution, uint64_t n)
{
	uint64_t random = 1000 + (uint64_t)distribution;

	for (uint64_t i = 0; i < n; i++)
		upto[i + 1] = upto[i] + 1e-4 * cost(distribution, ((double)i + 0.5) / (double)n, &random);
}

/* When each worker asks next; the first one is at 1, as in lib/predict/predict.h. */
struct queue {
	unsigned leaves, who[2 * WORKERS];
	double time[2 * WORKERS];
};

static void set(struct queue *q, unsigned w, double time)
{
	unsigned k = q->leaves + w;

	q->time[k] = time;
	q->who[k] = w;
	for (k /= 2; k > 0; k /= 2) {
		unsigned first = 2 * k + (q->time[2 * k + 1] < q->time[2 * k]);

		q->time[k] = q->time[first];
		q->who[k] = q->who[first];
	}
}

/* One execution, at no cost but that of the iterations.  Returns its time. */
static double run(const char *schedule, unsigned p, uint64_t n, struct dls__worker_profile **profile)
{
	struct dls_loop *loop = deal_open(schedule, p, NULL, DLS_LOOP_EVERY_CHUNK | DLS_LOOP_VIRTUAL_TIME);
	static struct queue q;
	double most = 0;

	for (q.leaves = 1; q.leaves < p;)
		q.leaves *= 2;
	for (unsigned w = q.leaves; w-- > 0;)
		set(&q, w, w < p ? 0 : INFINITY);
	CHECK_EQ(dls_loop_start(loop, 0, (int64_t)n, 1), 0);
	for (unsigned here = p; here > 0;) {
		unsigned w = q.who[1];
		double now = q.time[1], time;
		struct deal d;

		CHECK_EQ(dls_loop_set_time(loop, now), 0);
		d = deal_next(loop, w);
		time = d.n > 0 ? upto[d.end] - upto[d.begin] : 0;
		if (d.n > 0 && profile)
			dls__worker_profile_add(profile[w], (uint64_t)d.begin, d.n,
						(uint64_t)(1e9 * time + 0.5));
		most = fmax(most, now + time);
		here -= d.n == 0;
		set(&q, w, d.n > 0 ? now + time : INFINITY);
	}
	CHECK_EQ(dls_loop_end(loop, NULL), 0);
	dls_loop_close(loop);
	return most;
}

static struct dls__worker_profile *worker(const void *arg, unsigned w, struct dls__speed **speed)
{
	static struct dls__speed speeds[MEASURED];

	*speed = &speeds[w];
	return ((struct dls__worker_profile *const *)arg)[w];
}

/* The profile of an execution. */
static struct dls__profile_sums measured(const char *schedule, uint64_t n)
{
	struct dls__worker_profile *profile[MEASURED] = { NULL };
	struct dls__profile_sums sums = { .executions = 0 };

	for (unsigned w = 0; w < MEASURED; w++)
		dls__worker_profile_renew(&profile[w], true, n);
	run(schedule, MEASURED, n, profile);
	dls__profile_add(&sums, &(struct dls__parts){ MEASURED, n, worker, profile });
	for (unsigned w = 0; w < MEASURED; w++)
		free(profile[w]);
	return sums;
}

/* A loop is measured under a schedule; of the distributions so many are carried, and the forecasts of all schedules that advice looks at
 * are off by so much, %. */
static const struct row {
	const char *under;
	uint64_t n;
	unsigned p, carried;
	double mean, worst;
} rows[] = {
	{ "ss,16", 10000, 256, 3, 2.5, 12 },
	{ "steal,32", 10000, 1024, 2, 6, 15 },
	{ "steal,32", 100000, 256, 6, 2.5, 12 },
	{ "fac2", 100000, 1024, 4, 4, 15 },
	{ "static", 10000, 256, 0, 0, 0 },
	{ "fac2", 10000, 256, 0, 0, 0 },	/* too few of its chunks are shorter than a bucket */
};

struct off {
	double sum, worst;
	unsigned forecasts, carried;
};

static void forecast(const struct row *row, struct off *off)
{
	struct dls__profile_sums sums = measured(row->under, row->n);
	double time[DLS__BUCKETS];
	struct dls__known known = {
		.workers = row->p, .time = time, .variance = sums.scv > 0 ? sums.variance : NULL, .n = (double)row->n,
		.now = "static", .elsewhere = true, .efficiency = NAN, .saving = NAN, .share = NAN, .mean = NAN,
	};
	static struct dls__advice advice;
	bool refused = false;

	CHECK(dls__profile_read(&sums, time));
	CHECK(dls__advise(&known, &advice));
	for (unsigned i = 0; i < advice.lines; i++)
		refused |= strstr(advice.line[i], "the profile carries") != NULL;
	if (refused)
		return;
	off->carried++;
	for (unsigned i = 0; i < advice.forecasts; i++) {
		double by;

		if (advice.forecast[i].chunks > CHUNKS_MOST)
			continue;
		by = 100 * fabs(advice.forecast[i].time / run(advice.forecast[i].schedule, row->p, row->n, NULL) - 1);
		off->sum += by;
		off->worst = fmax(off->worst, by);
		off->forecasts++;
	}
}

static void forecasts(void)
{
	for (const struct row *row = rows; row < rows + sizeof(rows) / sizeof(*rows); row++) {
		struct off off = { .forecasts = 0 };
		double mean;

		for (int distribution = 0; distribution < DISTRIBUTIONS; distribution++) {
			make(distribution, row->n);
			forecast(row, &off);
		}
		mean = off.sum / fmax(off.forecasts, 1);
		tap_note("%llu iterations under %s, %u workers: %u of %d carried, off by %.2f %% in the mean, %.1f in the worst case",
			 (unsigned long long)row->n, row->under, row->p, off.carried, DISTRIBUTIONS, mean, off.worst);
		CHECK_EQ(off.carried, row->carried);
		CHECK(mean <= row->mean);
		CHECK(off.worst <= row->worst);
	}
}

TEST_MAIN(T(forecasts))
