/* statistics_read.c - a site's statistics as programs and the report read them. */
#include <math.h>

#include "lib/observe/statistics.h"
#include "lib/schedule/schedule.h"

static double seconds(double ns)
{
	return 1e-9 * ns;
}

static double known(_Atomic double *number)
{
	/* relaxed: a number that stands for itself. */
	double value = atomic_load_explicit(number, memory_order_relaxed);

	return value < 0 ? NAN : value;
}

/* relaxed, in both: numbers alone. */
uint64_t dls__statistics_executions(struct dls__statistics *s)
{
	return atomic_load_explicit(&s->firsts.executions, memory_order_relaxed) +
	       atomic_load_explicit(&s->others.executions, memory_order_relaxed);
}

static uint64_t iterations(struct dls__statistics *s)
{
	return atomic_load_explicit(&s->firsts.iterations, memory_order_relaxed) +
	       atomic_load_explicit(&s->others.iterations, memory_order_relaxed);
}

const struct dls__sums *dls__statistics_sums(const struct dls__statistics *s)
{
	static const struct dls__sums none;

	return s->sums ? s->sums : &none;
}

void dls__statistics_read(struct dls__statistics *statistics, struct dls_stats *stats)
{
	pthread_mutex_lock(&statistics->mutex);

	const struct dls__sums *s = dls__statistics_sums(statistics);
	bool any = s->measured > 0;
	double longest = s->longest, mean = s->mean;

	/* relaxed: numbers alone. */
	*stats = (struct dls_stats){
		.executions = dls__statistics_executions(statistics),
		.iterations = iterations(statistics),
		.measured = s->measured, .chunks = s->chunks, .measured_iterations = s->iterations,
		.workers = s->workers, .trimmed = s->moments.trimmed,
		.wall = seconds(s->wall), .busy = seconds(s->busy), .dispatch = seconds(s->dispatch),
		.idle = seconds(s->idle), .late = seconds(s->late), .saving = seconds(s->saving),
		.finish = any ? seconds(s->finish) / (double)s->measured : 0,
		.imbalance = mean > 0 ? 100 * (fmax(longest, mean) / mean - 1) : NAN,
		.efficiency = mean > 0 ? mean / fmax(longest, mean) : NAN,
		.cov = any ? s->cov / (double)s->measured : NAN,
		.mu = known(&statistics->learned.moment[DLS__MU]), .sigma = known(&statistics->learned.moment[DLS__SIGMA]),
		.h = known(&statistics->learned.moment[DLS__H]),
	};
	pthread_mutex_unlock(&statistics->mutex);
}

bool dls__statistics_read_worker(struct dls__statistics *statistics, unsigned worker, struct dls_worker_stats *stats)
{
	bool has;

	pthread_mutex_lock(&statistics->mutex);
	has = worker < dls__statistics_sums(statistics)->room;
	if (has) {
		const struct dls__worker_sums *w = &statistics->sums->worker[worker];

		*stats = (struct dls_worker_stats){
			.chunks = w->chunks, .iterations = w->iterations, .busy = seconds(w->busy),
			.dispatch = seconds(w->dispatch), .idle = seconds(w->idle), .late = seconds(w->late),
			.finish = seconds(w->finish) / (double)w->executions,
		};
	}
	pthread_mutex_unlock(&statistics->mutex);
	return has;
}
