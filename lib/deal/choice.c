/* choice.c - how a work share is dealt, as far as that follows from its request and its site: where chunks
 * may start and end; the workers' weights; the calculator that the schedule names, or its fallback; the
 * smallest chunk. */
#include "lib/base/message.h"
#include "lib/deal/dispenser.h"
#include "lib/loop_machine/loop_machine.h"
#include "lib/schedule/schedule.h"
#include "lib/site/env.h"
#include "sched/registry.h"

enum { MOMENTS = DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H };

/* relaxed: a number that stands for itself. */
static double value_of(_Atomic double *number)
{
	return atomic_load_explicit(number, memory_order_relaxed);
}

/* Whether the schedule's strategy gives shares in proportion to the workers' rates in earlier executions.
 * Source: Hanxleden & Scott, "Load balancing on message passing architectures", J. Parallel and Distributed Computing
 * 13:312-324, 1991.  Nishikawa & Steenkiste name this way of balancing for loops within loops. */
static bool has_rounds(const struct dls_schedule *s)
{
	return DLS__MACHINES && s->spec && s->spec->strategy->rounds;
}

/* What the site knows of a worker's rate; 0: nothing. */
static double rate_of(const struct dls__work_share *d, unsigned worker)
{
	struct dls__rates *rates = dls__rates(&d->site->statistics.learned, worker, false);

	if (!rates)
		return 0;
	return value_of(has_rounds(d->schedule) ? &rates->steady :
			d->schedule->calc->dispenser == DLS_DISPENSER_OWN ? &rates->last : &rates->rate);
}

/* Strategies give unequal shares only if that shortens the loop by more than this part of its time (two pieces by
 * default): less is noise. */
static const double least_gain = 1.0 / 32;

/* Weights in proportion to the rates, the mean being 1; a worker that the site knows nothing of has the
 * mean.  Returns whether they are to be used. */
static bool find_weights(const struct dls__work_share *d, struct dls__weight *weight)
{
	struct dls_measured view = { .known = 0 };
	double sum = 0, least = d->p;

	for (unsigned i = 0; i < d->p; i++) {
		weight[i].own = rate_of(d, i);
		view.sum[0] += weight[i].own;
		view.known += weight[i].own > 0;
	}
	for (unsigned i = 0; i < d->p; i++) {
		view.own[0] = weight[i].own;
		weight[i].own = view.own[0] > 0 ? dls__learned_weight(dls__calc_awf.weight(&view), d->p) : 1;
		sum += weight[i].own;
		weight[i].upto = sum;
	}
	for (unsigned i = 0; i < d->p; i++) {
		weight[i].own *= d->p / sum;
		weight[i].upto *= d->p / sum;
		least = weight[i].own < least ? weight[i].own : least;
	}
	weight[d->p - 1].upto = d->p;
	/* With equal shares the slowest worker takes 1 / least times as long as all do with these. */
	return view.known && !(has_rounds(d->schedule) && least >= 1 - least_gain);
}

static bool weigh(struct dls__work_share *d)
{
	bool learned = false, wanted = d->schedule->site_weights || d->schedule->calc->pace == DLS_PACE_EXECUTION;

	if (d->site && (wanted || has_rounds(d->schedule))) {
		if (!dls__room_for(d->p, &d->special.weighed, &d->special.weight, sizeof(*d->special.weight)))
			return false;
		learned = find_weights(d, d->special.weight);
	}
	DLS__SET(d->special.learned, learned);
	return true;
}

/* Moments the schedule states, else those the loop or the site was told, else those the site has learned.
 * Returns the known ones; *learned: those of them that were learned. */
static unsigned find_moments(struct dls__work_share *d, const double told[DLS__MOMENTS], unsigned *learned)
{
	unsigned known = 0;

	*learned = 0;
	for (int i = 0; i < DLS__MOMENTS; i++) {
		enum dls_need need = dls__moments[i].need;
		double value = -1;

		if (d->schedule->given & need)
			value = d->schedule->moment[i];
		else if (told && told[i] >= 0)
			value = told[i];
		else if (d->site)
			value = value_of(&d->site->moment[i]);
		if (value < 0 && d->site) {
			value = value_of(&d->site->statistics.learned.moment[i]);
			*learned |= value >= 0 ? need : 0;
		}
		d->moment[i] = value >= 0 ? value : 0;
		known |= value >= 0 ? need : 0;
	}
	return known;
}

static void tell_fallback(const struct dls__work_share *d)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;	/* of loops without a site */

	bool listed = d->site && d->site->listed;

	if (dls__first_to_tell(listed ? &d->site->told : &told))
		dls__tell_user("%s: %s %s; running %s", listed ? d->site->name : "dls_loop_start",
			       dls__schedule_name(d->schedule), d->special.why, d->calc->name);
}

static void fall_back(struct dls__work_share *d, const struct dls_calc *instead, const char *why, bool tell)
{
	d->calc = instead;
	d->arg = NULL;
	d->special.why = why;
	if (tell)
		tell_fallback(d);
}

/* A reduction's chunks are of at least one block, those of equal size of whole blocks; a block is run by the worker that gets its
 * first iteration. */
static uint64_t in_blocks(const struct dls__work_share *d, uint64_t iterations)
{
	uint64_t over = d->block ? iterations % d->block : 0, sum;

	return over && !__builtin_add_overflow(iterations, d->block - over, &sum) ? sum : iterations;
}

void dls__work_share_describe(const struct dls__work_share *d, unsigned worker, struct dls_loop_desc *desc)
{
	dls__schedule_fill_desc(d->schedule, d->n, d->p, worker, desc);
	desc->mu = d->moment[DLS__MU];
	desc->sigma = d->moment[DLS__SIGMA];
	desc->h = d->moment[DLS__H];
	desc->arg = d->arg;
	desc->chunk = dls__round(in_blocks(d, desc->chunk), d->alignment.of, UINT64_MAX);
	if (d->special.learned && !d->schedule->spec) {	/* a strategy's shares are its machine's */
		desc->weight = d->special.weight[worker].own;
		desc->before = worker ? d->special.weight[worker - 1].upto : 0;
		desc->upto = d->special.weight[worker].upto;
	}
}

/* The least common multiple, 0 counting as 1; UINT64_MAX, which leaves one chunk, if it is more. */
static uint64_t common(uint64_t a, uint64_t b)
{
	uint64_t x = a, y = b, product;

	if (a == 0 || b == 0)
		return a + b;
	while (y > 0) {
		uint64_t rest = x % y;

		x = y;
		y = rest;
	}
	return __builtin_mul_overflow(a / x, b, &product) ? UINT64_MAX : product;
}

/* Where the chunks of a loop of n iterations under a schedule may start and end. */
static struct dls__alignment alignment_of(const struct dls_schedule *s, const struct dls__request *request,
					  uint64_t n)
{
	uint64_t multiple = common(s->loop.multiple, request->multiple), rows = request->rows, columns;
	struct dls_curve curve;

	if (multiple > 1 && rows && s->loop.curve != DLS_CURVE_ROWS && dls_curve_init(&curve, s->loop.curve, rows, n / rows) == 0)
		rows = 0;	/* positions on the curve count */
	columns = rows ? n / rows : 0;
	if (columns > 0 && multiple >= columns)		/* whole rows */
		multiple = columns;
	if (columns == 0 || multiple <= 1 || columns % multiple == 0)
		columns = 0;
	return (struct dls__alignment){ .of = multiple, .columns = columns };
}

static uint64_t smallest_chunk(const struct dls__work_share *d)
{
	uint64_t min = in_blocks(d, d->calc->chunk || !d->schedule->chunk ? 1 : d->schedule->chunk);

	if (min < d->alignment.of)
		min = d->alignment.of;
	/* Tickets past the end must not wrap. */
	return d->n > UINT64_MAX - UINT32_MAX && min < 2 ? 2 : min;
}

static bool choose_calc(struct dls__work_share *d, const double told[DLS__MOMENTS])
{
	const struct dls_calc *asked = d->schedule->calc;
	const char *why;
	struct dls_loop_desc desc;
	unsigned learned, unmet = asked->needs & MOMENTS & ~find_moments(d, told, &learned);

	if (!weigh(d))
		return false;
	DLS__SET(d->special.learns, d->site && asked->needs & MOMENTS & (learned | unmet));
	d->calc = asked;
	d->arg = d->schedule->arg;
	DLS__SET(d->special.why, NULL);
	if (unmet)
		fall_back(d, asked->fallback ? dls_calc_find(asked->fallback) : dls__fac2.calc,
			  "does not know mu=, sigma= or h= yet, which it needs", dls__env()->display);
	if (d->n == 0)
		return true;
	if (DLS__MACHINES && d->schedule->spec && (why = dls__not_balanced(d)))
		fall_back(d, dls__fac2.calc, why, true);
	dls__work_share_describe(d, 0, &desc);
	if (d->calc->init(d->state, &desc) != 0) {
		fall_back(d, dls__fac2.calc, "refuses this loop", true);
		d->calc->init(d->state, &desc);
	}
	return true;
}

bool dls__work_share_choose(struct dls__work_share *d, const struct dls__request *request)
{
	d->alignment = alignment_of(d->asked, request, d->n);
	if (!choose_calc(d, dls__extra_of(request)->moment))
		return false;
	d->min = smallest_chunk(d);
	return true;
}
