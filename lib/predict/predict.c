/* predict.c - predictors: the loop, the workers, and which dispenser is simulated. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/sized.h"
#include "lib/predict/predict.h"
#include "sched/registry.h"

/* Most s that a number of the costs may be, and all times together. */
#define COST_MAX 1e9
#define TIME_MAX 1e300

/* What is short, of the ideal time: SMALL, but P / SMALL_BY among many workers.  Most chunks and most steals
 * that are simulated one by one, and more for each worker: four chunks, one steal. */
#define SMALL (1.0 / 512)
#define SMALL_BY 16384.0
enum { STEPS = 1024, STEALS = 128 };

/* Two orders of arrival are simulated, but among more workers than these one in which slow and fast ones take turns. */
enum { ORDERS = 256 };

static const struct dls_costs usual = {
	.size = sizeof(usual), .take = 8e-9, .transfer = 50e-9, .clock = 10e-9, .region = 1e-6,
};

static bool in_range(double value, double most)
{
	return value >= 0 && value <= most;	/* false for NaN */
}

static int read_costs(struct dls_costs *to, const struct dls_costs *from)
{
	int code = dls__sized_read(to, sizeof(*to), from ? from : &usual, "dls_costs", NULL);

	if (code)
		return code;
	return in_range(to->take, COST_MAX) && in_range(to->transfer, COST_MAX) && in_range(to->clock, COST_MAX) &&
	       in_range(to->region, COST_MAX) ? 0 : DLS_ERANGE;
}

/* floor(b n / buckets) */
static uint64_t bucket_begin(const struct dls_profile *profile, unsigned b)
{
	return profile->n / profile->buckets * b + profile->n % profile->buckets * b / profile->buckets;
}

/* The sums of a profile; false: a time is out of range. */
static bool sum_up(struct dls_predictor *q, const struct dls_profile *profile)
{
	double square = 0;

	q->n = profile->n;
	q->buckets = profile->buckets;
	q->per = (double)q->buckets / (double)q->n;
	q->begin[0] = 0;
	q->upto[0] = 0;
	for (unsigned b = 0; b < q->buckets; b++) {
		if (!in_range(profile->time[b], TIME_MAX))
			return false;
		q->begin[b + 1] = bucket_begin(profile, b + 1);
		q->rate[b] = profile->time[b] / (double)(q->begin[b + 1] - q->begin[b]);
		q->upto[b + 1] = q->upto[b] + profile->time[b];
	}
	q->mu = q->upto[q->buckets] / (double)q->n;
	for (unsigned b = 0; b < q->buckets; b++) {
		double off = q->mu > 0 ? q->rate[b] / q->mu - 1 : 0;	/* no overflow */

		square += off * off * ((double)(q->begin[b + 1] - q->begin[b]) / (double)q->n);
	}
	q->sigma = q->mu * sqrt(square);
	for (unsigned b = q->buckets; b-- > 0;)
		q->densest[b] = fmax(q->rate[b], b + 1 < q->buckets ? q->densest[b + 1] : 0);
	return true;
}

static bool take_speeds(struct dls_predictor *q, const double *speed)
{
	q->speeds = 0;
	q->slowest = INFINITY;
	q->equal = true;
	for (unsigned w = 0; w < q->p; w++) {
		q->speed[w] = speed ? speed[w] : 1;
		if (!(q->speed[w] > 0) || !isfinite(q->speed[w]))
			return false;
		q->speeds += q->speed[w];
		q->equal &= q->speed[w] == q->speed[0];
		q->slowest = fmin(q->slowest, q->speed[w]);
	}
	return q->speeds <= TIME_MAX && q->upto[q->buckets] / q->slowest <= TIME_MAX && q->upto[q->buckets] <= TIME_MAX;
}

static void sort_speeds(struct dls_predictor *q)
{
	dls__queue_fill(&q->queue, q->speed, q->p);
	for (unsigned i = 0; i < q->p; i++) {
		unsigned w = dls__queue_first(&q->queue);

		q->number[i] = i;
		if (q->p <= ORDERS)
			q->order[i] = q->reverse[q->p - 1 - i] = w;
		else
			q->order[i < (q->p + 1) / 2 ? 2 * i : 2 * (q->p - 1 - i) + 1] = w;
		dls__queue_set(&q->queue, w, INFINITY);
	}
}

/* The weights that earlier executions teach: the speeds, within the limits of lib/deal/deal.c. */
static void find_weights(struct dls_predictor *q)
{
	double sum = 0;

	for (unsigned w = 0; w < q->p; w++) {
		double weight = q->speed[w] / q->speeds * q->p;

		q->weight[w] = fmin(fmax(weight, 1.0 / 64), q->p);
		sum += q->weight[w];
	}
	q->before[0] = 0;
	for (unsigned w = 0; w < q->p; w++) {
		q->weight[w] *= q->p / sum;
		q->before[w + 1] = q->before[w] + q->weight[w];
	}
	q->before[q->p] = q->p;
}

/* Cut room for n elements off the memory at *at, which all is aligned for 8 bytes; NULL: count alone. */
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
	q->p = p;
	q->queue.leaves = (unsigned)leaves;
	q->begin = cut(memory, &at, (size_t)buckets + 1, sizeof(*q->begin));
	q->upto = cut(memory, &at, (size_t)buckets + 1, sizeof(*q->upto));
	q->rate = cut(memory, &at, buckets, sizeof(*q->rate));
	q->densest = cut(memory, &at, buckets, sizeof(*q->densest));
	q->speed = cut(memory, &at, p, sizeof(*q->speed));
	q->order = cut(memory, &at, p, sizeof(*q->order));
	q->reverse = cut(memory, &at, p, sizeof(*q->reverse));
	q->number = cut(memory, &at, p, sizeof(*q->number));
	q->queue.time = cut(memory, &at, 2 * leaves, sizeof(*q->queue.time));
	q->queue.who = cut(memory, &at, 2 * leaves, sizeof(*q->queue.who));
	q->fullest.leaves = q->queue.leaves;
	q->fullest.time = cut(memory, &at, 2 * leaves, sizeof(*q->fullest.time));
	q->fullest.who = cut(memory, &at, 2 * leaves, sizeof(*q->fullest.who));
	q->end = cut(memory, &at, p, sizeof(*q->end));
	q->weight = cut(memory, &at, p, sizeof(*q->weight));
	q->before = cut(memory, &at, (size_t)p + 1, sizeof(*q->before));
	q->own_state = cut(memory, &at, p, sizeof(*q->own_state));
	q->lesson = cut(memory, &at, p, sizeof(*q->lesson));
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
	q = malloc(lay_out(&size, NULL, loop.buckets, workers));
	if (!q)
		return DLS_ENOMEM;
	lay_out(q, (char *)q, loop.buckets, workers);
	q->costs = machine;
	if (!sum_up(q, &loop) || !take_speeds(q, speed)) {
		free(q);
		return DLS_ERANGE;
	}
	sort_speeds(q);
	find_weights(q);
	q->ideal = q->upto[q->buckets] / q->speeds;
	q->small = fmax(SMALL, q->p / SMALL_BY) * q->ideal * q->slowest;
	q->steps = STEPS + 4 * (uint64_t)workers;
	q->steals = STEALS + (uint64_t)workers;
	*predictor = q;
	return 0;
}

void dls_predictor_close(struct dls_predictor *predictor)
{
	free(predictor);
}

/* The calculator that deals the loop, as in lib/deal/choice.c; what the schedule does not say follows from the profile. */
static void choose(struct dls_predictor *q, const struct dls_schedule *s)
{
	double told[DLS__MOMENTS] = { q->mu, q->sigma, q->costs.take + q->costs.transfer };
	struct dls_loop_desc desc;
	const struct dls_calc *calc = s->calc;

	q->schedule = s;
	q->calc = calc;
	q->arg = s->arg;
	for (int i = 0; i < DLS__MOMENTS; i++) {
		q->moment[i] = s->given & dls__moments[i].need ? s->moment[i] : told[i];
		if (calc->needs & dls__moments[i].need && dls__moments[i].above && !(q->moment[i] > 0)) {
			q->calc = calc->fallback ? dls_calc_find(calc->fallback) : &dls__calc_fac2;
			q->arg = NULL;
		}
	}
	q->multiple = s->loop.multiple;
	q->learned = s->site_weights || calc->pace == DLS_PACE_EXECUTION;
	dls__predict_describe(q, 0, &desc);
	if (q->calc->init(q->state, &desc) != 0) {
		q->calc = &dls__calc_fac2;
		q->arg = NULL;
	}
	q->min = q->calc->chunk || !s->chunk ? 1 : s->chunk;
	if (q->min < q->multiple)
		q->min = q->multiple;
	q->transfer = q->p > 1 ? q->costs.transfer : 0;
	q->take = q->costs.take;
	if (q->calc->pace != DLS_PACE_NEVER || q->calc->needs & DLS_NEED_DONE || s->site_weights)
		q->take += 2 * q->costs.clock;	/* such executions are measured */
}

/* Simulate the dispenser; whether another order of arrival would make a difference. */
static bool simulate(struct dls_predictor *q, const unsigned *order)
{
	struct dls_loop_desc desc;

	q->chunks = 0;
	dls__predict_describe(q, 0, &desc);
	q->calc->init(q->state, &desc);
	if (q->schedule->order == DLS__NONMONOTONIC && q->calc->fixed_size) {
		dls__predict_ranges(q);
	} else if (q->calc->dispenser == DLS_DISPENSER_RANGES) {
		(q->calc->fixed_size ? dls__predict_ranges : dls__predict_tiles)(q);
	} else if (q->calc->dispenser == DLS_DISPENSER_OWN) {
		dls__predict_own(q);
	} else {
		dls__predict_central(q, order);
		return q->p <= ORDERS && (!q->equal || (q->schedule->weights && q->calc->needs & DLS_NEED_WEIGHTS));
	}
	return false;
}

/* Add an execution's figures, halved if there are two. */
static void add(const struct dls_predictor *q, double part, struct dls_prediction *sum)
{
	double time = 0, spent = 0;

	for (unsigned w = 0; w < q->p; w++) {
		time = fmax(time, q->end[w]);
		spent += q->end[w] / q->p;
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
	again = simulate(q, q->order);
	sum.chunks = q->chunks;
	add(q, again ? 0.5 : 1, &sum);
	if (again) {
		simulate(q, q->reverse);
		sum.chunks = sum.chunks / 2 + q->chunks / 2 + (sum.chunks % 2 + q->chunks % 2) / 2;
		add(q, 0.5, &sum);
	}
	sum.time += q->costs.region;
	sum.ideal = q->ideal;
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
