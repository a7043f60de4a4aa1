/* predict.c - predictors: the loop, the workers, and which dispenser is simulated. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/sized.h"
#include "lib/predict/predict.h"
#include "lib/predict/profile.h"
#include "sched/registry.h"

/* Upper bound of each cost, and of the sum of all times, s. */
#define COST_MAX 1e9
#define TIME_MAX 1e300

/* Chunks are short below SMALL of the ideal time, among many workers P / SMALL_BY.  At most STEPS chunks, and four more for each worker,
 * and STEALS steals, and one more for each worker, are simulated one by one. */
#define SMALL (1.0 / 512)
#define SMALL_BY 16384.0
enum { STEPS = 1024, STEALS = 128 };

/* With at most ORDERS workers two orders of arrival are simulated; with more, one order in which slow and
 * fast workers alternate. */
enum { ORDERS = 256 };

const struct dls_costs dls__usual_costs = {
	.size = sizeof(dls__usual_costs), .take = 8e-9, .transfer = 50e-9, .clock = 10e-9, .region = 1e-6,
};

static bool in_range(double value, double most)
{
	return value >= 0 && value <= most;	/* false for NaN */
}

static int read_costs(struct dls_costs *to, const struct dls_costs *from)
{
	int code = dls__sized_read(to, sizeof(*to), from ? from : &dls__usual_costs, "dls_costs", NULL);

	if (code)
		return code;
	return in_range(to->take, COST_MAX) && in_range(to->transfer, COST_MAX) && in_range(to->clock, COST_MAX) &&
	       in_range(to->region, COST_MAX) ? 0 : DLS_ERANGE;
}

/* Mean and standard deviation of an iteration's time, over differences between buckets and within them. */
static void find_moments(struct dls_predictor *q, const struct dls_profile *profile, double work)
{
	double square = 0, n = (double)profile->n;

	q->loop.mu = work / n;
	for (unsigned b = 0; b < profile->buckets && q->loop.mu > 0; b++) {
		double width = dls__bucket_width(profile->n, profile->buckets, b);
		double off = profile->time[b] / width / q->loop.mu - 1;	/* no overflow */

		square += (off * off + (profile->variance ? profile->variance[b] / q->loop.mu / q->loop.mu : 0)) * (width / n);
	}
	q->loop.sigma = q->loop.mu * sqrt(square);
}

/* Compute the prefix sums and rates of a profile; `time` may be q->loop.rate itself. */
static void sum_up(struct dls_predictor *q, uint64_t n, unsigned buckets, const double *time)
{
	q->loop.n = n;
	q->loop.buckets = buckets;
	q->loop.per = (double)buckets / (double)n;
	q->loop.begin[0] = 0;
	q->loop.upto[0] = 0;
	for (unsigned b = 0; b < buckets; b++) {
		q->loop.begin[b + 1] = dls__bucket_begin(n, buckets, b + 1);
		q->loop.upto[b + 1] = q->loop.upto[b] + time[b];
		q->loop.rate[b] = time[b] / (double)(q->loop.begin[b + 1] - q->loop.begin[b]);
	}
	for (unsigned b = buckets; b-- > 0;)
		q->loop.densest[b] = fmax(q->loop.rate[b], b + 1 < buckets ? q->loop.densest[b + 1] : 0);
}

/* Copy a profile, merged into as many buckets as there is room for; false: a time is out of range. */
static bool take_profile(struct dls_predictor *q, const struct dls_profile *profile, unsigned buckets)
{
	double work = 0;

	for (unsigned b = 0; b < profile->buckets; b++) {
		if (!in_range(profile->time[b], TIME_MAX) || (profile->variance && !in_range(profile->variance[b], TIME_MAX)))
			return false;
		work += profile->time[b];
	}
	find_moments(q, profile, work);
	if (profile->variance)
		dls__refine(profile, buckets, q->loop.rate);
	sum_up(q, profile->n, buckets, profile->variance ? q->loop.rate : profile->time);
	q->carries = dls__carried(profile->n, profile->buckets, profile->time, profile->variance);
	return true;
}

static bool take_speeds(struct dls_predictor *q, const double *speed)
{
	q->team.speeds = 0;
	q->team.slowest = INFINITY;
	q->team.equal = true;
	for (unsigned w = 0; w < q->team.p; w++) {
		q->team.speed[w] = speed ? speed[w] : 1;
		if (!(q->team.speed[w] > 0) || !isfinite(q->team.speed[w]))
			return false;
		q->team.speeds += q->team.speed[w];
		q->team.equal &= q->team.speed[w] == q->team.speed[0];
		q->team.slowest = fmin(q->team.slowest, q->team.speed[w]);
	}
	return q->team.speeds <= TIME_MAX && q->loop.upto[q->loop.buckets] / q->team.slowest <= TIME_MAX &&
	       q->loop.upto[q->loop.buckets] <= TIME_MAX;
}

static void sort_speeds(struct dls_predictor *q)
{
	dls__queue_fill(&q->queue, q->team.speed, q->team.p);
	for (unsigned i = 0; i < q->team.p; i++) {
		unsigned w = dls__queue_first(&q->queue);

		if (q->team.p <= ORDERS)
			q->team.order[i] = q->team.reverse[q->team.p - 1 - i] = w;
		else
			q->team.order[i < (q->team.p + 1) / 2 ? 2 * i : 2 * (q->team.p - 1 - i) + 1] = w;
		dls__queue_set(&q->queue, w, INFINITY);
	}
}

/* The weights that earlier executions teach: the speeds. */
static void find_weights(struct dls_predictor *q)
{
	double sum = 0;

	for (unsigned w = 0; w < q->team.p; w++) {
		q->team.weight[w] = dls__learned_weight(q->team.speed[w] / q->team.speeds * q->team.p, q->team.p);
		sum += q->team.weight[w];
	}
	q->team.before[0] = 0;
	for (unsigned w = 0; w < q->team.p; w++) {
		q->team.weight[w] *= q->team.p / sum;
		q->team.before[w + 1] = q->team.before[w] + q->team.weight[w];
	}
	q->team.before[q->team.p] = q->team.p;
}

/* Cut room for n elements, aligned to 8 bytes, off the memory at *at; NULL: only count the bytes. */
static void *cut(char *memory, size_t *at, size_t n, size_t size)
{
	void *room = memory ? memory + *at : NULL;

	*at += (n * size + 7) / 8 * 8;
	return room;
}

/* Lay out a predictor in a block of memory; returns its size.  NULL: the size alone. */
static size_t lay_out(struct dls_predictor *q, char *memory, unsigned buckets, unsigned p)
{
	size_t at = 0, leaves = 1;

	while (leaves < p)
		leaves *= 2;
	cut(memory, &at, 1, sizeof(*q));
	q->team.p = p;
	q->queue.leaves = (unsigned)leaves;
	q->loop.begin = cut(memory, &at, (size_t)buckets + 1, sizeof(*q->loop.begin));
	q->loop.upto = cut(memory, &at, (size_t)buckets + 1, sizeof(*q->loop.upto));
	q->loop.rate = cut(memory, &at, buckets, sizeof(*q->loop.rate));
	q->loop.densest = cut(memory, &at, buckets, sizeof(*q->loop.densest));
	q->team.speed = cut(memory, &at, p, sizeof(*q->team.speed));
	q->team.order = cut(memory, &at, p, sizeof(*q->team.order));
	q->team.reverse = cut(memory, &at, p, sizeof(*q->team.reverse));
	q->queue.time = cut(memory, &at, 2 * leaves, sizeof(*q->queue.time));
	q->queue.who = cut(memory, &at, 2 * leaves, sizeof(*q->queue.who));
	q->fullest.leaves = q->queue.leaves;
	q->fullest.time = cut(memory, &at, 2 * leaves, sizeof(*q->fullest.time));
	q->fullest.who = cut(memory, &at, 2 * leaves, sizeof(*q->fullest.who));
	q->end = cut(memory, &at, p, sizeof(*q->end));
	q->team.weight = cut(memory, &at, p, sizeof(*q->team.weight));
	q->team.before = cut(memory, &at, (size_t)p + 1, sizeof(*q->team.before));
	q->own_state = cut(memory, &at, p, sizeof(*q->own_state));
	q->worker = cut(memory, &at, p, sizeof(*q->worker));
	q->span = cut(memory, &at, p, sizeof(*q->span));
	q->filled = cut(memory, &at, (p + 63) / 64, sizeof(*q->filled));
	return at;
}

int dls_predictor_open(struct dls_predictor **predictor, const struct dls_profile *profile, unsigned workers,
		       const double *speed, const struct dls_costs *costs)
{
	struct dls_predictor size, *q;
	struct dls_profile loop;
	struct dls_costs machine;
	unsigned buckets;
	int code;

	if (!predictor || !profile)
		return DLS_EINVAL;
	code = dls__sized_read(&loop, sizeof(loop), profile, "dls_profile", NULL);
	if (!code)
		code = read_costs(&machine, costs);
	if (code)
		return code;
	if (!loop.time)
		return DLS_EINVAL;
	if (loop.n == 0 || loop.buckets == 0 || loop.buckets > DLS_BUCKETS_MAX || loop.buckets > loop.n || workers == 0 ||
	    workers > DLS_WORKERS_MAX)
		return DLS_ERANGE;
	buckets = loop.variance ? dls__refined(loop.n, loop.buckets, workers) : loop.buckets;
	q = malloc(lay_out(&size, NULL, buckets, workers));
	if (!q)
		return DLS_ENOMEM;
	lay_out(q, (char *)q, buckets, workers);
	q->costs = machine;
	if (!take_profile(q, &loop, buckets) || !take_speeds(q, speed)) {
		free(q);
		return DLS_ERANGE;
	}
	sort_speeds(q);
	find_weights(q);
	q->ideal = q->loop.upto[q->loop.buckets] / q->team.speeds;
	q->small = fmax(SMALL, q->team.p / SMALL_BY) * q->ideal * q->team.slowest;
	q->steps = STEPS + 4 * (uint64_t)workers;
	q->steals = STEALS + (uint64_t)workers;
	*predictor = q;
	return 0;
}

void dls_predictor_close(struct dls_predictor *predictor)
{
	free(predictor);
}

/* Choose the calculator that deals the loop, as lib/deal/choice.c does; moments that the schedule lacks are
 * the profile's. */
static void choose(struct dls_predictor *q, const struct dls_schedule *s)
{
	double told[DLS__MOMENTS] = { q->loop.mu, q->loop.sigma, q->costs.take + q->costs.transfer };
	struct dls_loop_desc desc;
	const struct dls_calc *calc = s->calc;

	q->run.schedule = s;
	q->run.calc = calc;
	q->run.arg = s->arg;
	for (int i = 0; i < DLS__MOMENTS; i++) {
		q->run.moment[i] = s->given & dls__moments[i].need ? s->moment[i] : told[i];
		if (calc->needs & dls__moments[i].need && dls__moments[i].above && !(q->run.moment[i] > 0)) {
			q->run.calc = calc->fallback ? dls_calc_find(calc->fallback) : &dls__calc_fac2;
			q->run.arg = NULL;
		}
	}
	q->run.multiple = s->loop.multiple;
	q->run.learned = s->site_weights || calc->pace == DLS_PACE_EXECUTION;
	dls__predict_describe(q, 0, &desc);
	if (q->run.calc->init(q->run.state, &desc) != 0) {
		q->run.calc = &dls__calc_fac2;
		q->run.arg = NULL;
	}
	q->run.min = q->run.calc->chunk || !s->chunk ? 1 : s->chunk;
	if (q->run.min < q->run.multiple)
		q->run.min = q->run.multiple;
	q->run.transfer = q->team.p > 1 ? q->costs.transfer : 0;
	q->run.take = q->costs.take;
	if (q->run.calc->pace != DLS_PACE_NEVER || q->run.calc->needs & DLS_NEED_DONE || s->site_weights)
		q->run.take += 2 * q->costs.clock;	/* such executions are measured */
}

/* Simulate the dispenser; returns whether another order of arrival would make a difference. */
static bool simulate(struct dls_predictor *q, const unsigned *order)
{
	struct dls_loop_desc desc;

	q->run.chunks = 0;
	dls__predict_describe(q, 0, &desc);
	q->run.calc->init(q->run.state, &desc);
	if (q->run.schedule->order == DLS__NONMONOTONIC && q->run.calc->fixed_size) {
		dls__predict_ranges(q);
	} else if (q->run.calc->dispenser == DLS_DISPENSER_RANGES) {
		(q->run.calc->fixed_size ? dls__predict_ranges : dls__predict_tiles)(q);
	} else if (q->run.calc->dispenser == DLS_DISPENSER_OWN) {
		dls__predict_own(q);
	} else {
		dls__predict_central(q, order);
		return q->team.p <= ORDERS && (!q->team.equal || (q->run.schedule->weights && q->run.calc->needs & DLS_NEED_WEIGHTS));
	}
	return false;
}

/* Add an execution's figures, times `part`: 1/2 if two orders of arrival are simulated, else 1. */
static void add(const struct dls_predictor *q, double part, struct dls_prediction *sum)
{
	double time = 0, spent = 0;

	for (unsigned w = 0; w < q->team.p; w++) {
		time = fmax(time, q->end[w]);
		spent += q->end[w] / q->team.p;
	}
	sum->time += part * time;
	sum->idle += time > 0 ? part * (time - fmin(spent, time)) / time : 0;
}

int dls_predictor_run(struct dls_predictor *q, const struct dls_schedule *schedule, struct dls_prediction *prediction)
{
	struct dls_prediction sum = { .size = sizeof(sum) };
	bool again;

	if (!q || !schedule || schedule->spec || !prediction || dls__sized_size(prediction) == 0)
		return DLS_EINVAL;
	choose(q, schedule);
	again = simulate(q, q->team.order);
	sum.chunks = q->run.chunks;
	add(q, again ? 0.5 : 1, &sum);
	if (again) {
		simulate(q, q->team.reverse);
		sum.chunks = sum.chunks / 2 + q->run.chunks / 2 + (sum.chunks % 2 + q->run.chunks % 2) / 2;
		add(q, 0.5, &sum);
	}
	sum.time += q->costs.region;
	sum.ideal = q->ideal;
	sum.carries = q->carries;
	return dls__sized_write(prediction, &sum, sizeof(sum));
}

int dls_predict(const struct dls_schedule *schedule, const struct dls_profile *profile, unsigned workers, const double *speed,
		const struct dls_costs *costs, struct dls_prediction *prediction)
{
	struct dls_predictor *predictor;
	int code = dls_predictor_open(&predictor, profile, workers, speed, costs);

	if (code)
		return code;
	code = dls_predictor_run(predictor, schedule, prediction);
	dls_predictor_close(predictor);
	return code;
}
