/* statistics.c - what a site's measured executions came to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/loop/deal.h"
#include "lib/observe/progress.h"
#include "lib/observe/statistics.h"

struct dls__statistics *dls__statistics(struct dls__site *site)
{
	/* acquire: pairs with the release below, which publishes the mutex. */
	struct dls__statistics *s = atomic_load_explicit(&site->statistics, memory_order_acquire), *mine;

	if (s)
		return s;
	mine = calloc(1, sizeof(*mine));
	if (!mine)
		return NULL;
	pthread_mutex_init(&mine->mutex, NULL);
	if (atomic_compare_exchange_strong_explicit(&site->statistics, &s, mine, memory_order_acq_rel,
						    memory_order_acquire))
		return mine;
	dls__statistics_free(mine);
	return s;
}

void dls__statistics_forked(struct dls__site *site)
{
	/* relaxed, both: there is one thread. */
	struct dls__statistics *s = atomic_load_explicit(&site->statistics, memory_order_relaxed);

	if (s && pthread_mutex_trylock(&s->mutex) == 0)
		pthread_mutex_unlock(&s->mutex);
	else	/* half written */
		atomic_store_explicit(&site->statistics, NULL, memory_order_relaxed);
}

static void free_slowest(struct dls__slowest *s)
{
	for (unsigned i = 0; i < s->workers; i++)
		free(s->log[i].span);
	free(s->log);
	free(s->stay);
	*s = (struct dls__slowest){ .workers = 0 };
}

void dls__statistics_free(struct dls__statistics *s)
{
	if (!s)
		return;
	for (struct dls__ran *r = s->ran, *next; r; r = next) {
		next = r->next;
		free(r);
	}
	free_slowest(&s->slowest);
	free(s->worker);
	pthread_mutex_destroy(&s->mutex);
	free(s);
}

/* One execution. */
struct totals {
	uint64_t begin, wall, longest, chunks, iterations, requests;
	double busy, dispatch, idle, late, finish;	/* of all workers, ns */
	double saving;
};

/* A worker that never came has done nothing, and finished when the loop began. */
static bool came(const struct dls__deal *d, unsigned worker)
{
	return d->watch[worker].execution == d->execution;
}

static uint64_t finish_of(const struct dls__deal *d, unsigned worker, const struct totals *t)
{
	return came(d, worker) ? dls__clock_since(t->begin, d->watch[worker].finished) : 0;
}

/* A worker's time in the execution: from its begin, or from when the worker had left the loop before, to its end, or where
 * it need not wait for that, until it left.  It was late, then busy and in dispatch, and idle for the rest. */
static uint64_t late_of(const struct dls__deal *d, unsigned worker, const struct totals *t)
{
	const struct dls__watch *w = &d->watch[worker];

	return came(d, worker) ? dls__clock_since(w->freed > t->begin ? w->freed : t->begin, w->came) : t->wall;
}

static uint64_t idle_of(const struct dls__deal *d, unsigned worker, const struct totals *t)
{
	const struct dls__watch *w = &d->watch[worker];

	if (!came(d, worker))
		return 0;
	return dls__clock_since(w->came + w->busy + w->dispatch, d->nowait ? w->finished : t->begin + t->wall);
}

/* By how much the wall time would be shorter if those who came had all finished at the mean of their finishing times.  None
 * could before it came; and no schedule makes a loop shorter by more than the work that it moves. */
static double saving(const struct dls__deal *d, const struct totals *t)
{
	double finish = 0, last = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < d->p; i++)
		if (came(d, i)) {
			n++;
			finish += (double)finish_of(d, i, t);
			last = fmax(last, (double)dls__clock_since(t->begin, d->watch[i].came));
		}
	return n ? fmin((double)t->wall - fmax(round(finish / n), last), (double)t->longest) : 0;
}

static struct totals add_up(const struct dls__deal *d)
{
	struct totals t = { .begin = UINT64_MAX };

	for (unsigned i = 0; i < d->p; i++)
		if (came(d, i) && d->watch[i].came < t.begin)
			t.begin = d->watch[i].came;
	for (unsigned i = 0; i < d->p; i++) {
		const struct dls__watch *w = &d->watch[i];
		uint64_t finish = finish_of(d, i, &t);

		t.wall = finish > t.wall ? finish : t.wall;
		t.finish += (double)finish;
		if (!came(d, i))
			continue;
		t.requests += w->chunks + 1;
		t.busy += (double)w->busy;
		t.dispatch += (double)w->dispatch;
		t.longest = w->busy > t.longest ? w->busy : t.longest;
		t.chunks += w->chunks;
		t.iterations += w->iterations;
	}
	for (unsigned i = 0; i < d->p; i++) {
		t.late += (double)late_of(d, i, &t);
		t.idle += (double)idle_of(d, i, &t);
	}
	t.saving = saving(d, &t);
	return t;
}

/* dls_cov() of the finishing times. */
static double cov(const struct dls__deal *d, const struct totals *t)
{
	double mean = t->finish / d->p, squares = 0;

	if (t->finish == 0)
		return 0;
	for (unsigned i = 0; i < d->p; i++) {
		double off = (double)finish_of(d, i, t) / mean - 1;

		squares += off * off;
	}
	return sqrt(squares / d->p);
}

static double mean_of(double sum, unsigned n)
{
	return round(sum / n);
}

/* Have sums for so many workers; false: there is no memory. */
static bool have_room(struct dls__statistics *s, unsigned workers)
{
	struct dls__worker_sums *more;

	if (s->room >= workers)
		return true;
	more = realloc(s->worker, workers * sizeof(*more));
	if (!more)
		return false;
	memset(more + s->room, 0, (workers - s->room) * sizeof(*more));
	s->worker = more;
	s->room = workers;
	return true;
}

static void add_workers(struct dls__statistics *s, const struct dls__deal *d, const struct totals *t)
{
	for (unsigned i = 0; i < d->p; i++) {
		const struct dls__watch *w = &d->watch[i];
		struct dls__worker_sums *sum = &s->worker[i];

		sum->executions++;
		sum->late += (double)late_of(d, i, t);
		sum->idle += (double)idle_of(d, i, t);
		sum->finish += (double)finish_of(d, i, t);
		if (!came(d, i))
			continue;
		sum->chunks += w->chunks;
		sum->iterations += w->iterations;
		sum->busy += (double)w->busy;
		sum->dispatch += (double)w->dispatch;
		dls__moments_merge(&s->moments, &w->moments);
	}
}

/* The entry of the schedule that an execution ran under; NULL: there is no memory for it. */
static struct dls__ran *ran_under(struct dls__statistics *s, const struct dls__deal *d)
{
	const char *why = d->why ? d->why : "";
	struct dls__ran **r = &s->ran;
	char asked[256];
	size_t length = dls_schedule_print(d->schedule, asked, sizeof(asked));

	if (length >= sizeof(asked))
		strcpy(asked + sizeof(asked) - 4, "...");
	for (; *r; r = &(*r)->next)
		if (strcmp((*r)->asked, asked) == 0 && strcmp((*r)->why ? (*r)->why : "", why) == 0 &&
		    strncmp((*r)->calc, dls__deal_name(d), sizeof((*r)->calc) - 1) == 0)
			break;
	if (!*r && (*r = calloc(1, sizeof(**r) + strlen(asked) + 1))) {
		(*r)->why = d->why;
		strncpy((*r)->calc, dls__deal_name(d), sizeof((*r)->calc) - 1);
		strcpy((*r)->asked, asked);
	}
	if (*r)
		(*r)->executions++;
	return *r;
}

/* Whether there was memory for all that workers did. */
static bool logged(const struct dls__deal *d)
{
	for (unsigned i = 0; i < d->p; i++)
		if (came(d, i) && d->watch[i].log.every == 0)
			return false;
	return true;
}

/* Keep the pictures of the slowest execution: its logs, for which the workers get those of the one before. */
static void keep_slowest(struct dls__slowest *s, const struct dls__deal *d, const struct totals *t,
			 const struct dls__ran *ran)
{
	if ((s->workers && t->wall <= s->wall) || !logged(d))
		return;
	if (s->workers != d->p) {
		free_slowest(s);
		s->stay = malloc(d->p * sizeof(*s->stay));
		s->log = calloc(d->p, sizeof(*s->log));
		if (!s->stay || !s->log) {
			free_slowest(s);
			return;
		}
		s->workers = d->p;
	}
	s->execution = d->execution;
	s->begin = t->begin;
	s->wall = t->wall;
	s->n = d->n;
	s->ran = ran;
	s->nowait = d->nowait;
	for (unsigned i = 0; i < d->p; i++) {
		struct dls__log spare = s->log[i];

		s->stay[i] = (struct dls__stay){
			came(d, i) ? dls__clock_since(t->begin, d->watch[i].came) : UINT64_MAX, finish_of(d, i, t),
		};
		s->log[i] = d->watch[i].log;
		d->watch[i].log = spare;
		if (!came(d, i))
			s->log[i].used = 0;
	}
}

/* relaxed: a number that stands for itself. */
static void put(_Atomic double *number, double value)
{
	atomic_store_explicit(number, value, memory_order_relaxed);
}

/* What later executions of the site may go by. */
static void learn_moments(struct dls__site *site, const struct dls__statistics *s)
{
	if (s->requests)
		put(&site->learned[DLS__H], 1e-9 * s->dispatch / (double)s->requests);
	if (s->moments.count < 2 || !(s->moments.mean > 0))
		return;
	put(&site->learned[DLS__MU], s->moments.mean);
	put(&site->learned[DLS__SIGMA], sqrt(dls__moments_variance(&s->moments)));
}

static void learn_rates(struct dls__site *site, const struct dls__deal *d)
{
	for (unsigned i = 0; i < d->p; i++) {
		const struct dls__watch *w = &d->watch[i];
		struct dls__rates *rates = came(d, i) && w->iterations ? dls__site_rates(site, i, true) : NULL;

		if (!rates)
			continue;

		struct dls_sample sample = {
			.n = w->iterations, .time = 1e-9 * (double)(w->busy ? w->busy : 1),
			.dispatch = 1e-9 * (double)w->dispatch, .variance = NAN,
		};
		double own[2];

		dls__calc_awf.learn(NULL, &rates->memory, &sample, own);
		put(&rates->rate, own[0]);
		put(&rates->last, (double)sample.n / sample.time);
	}
}

/* The statistics' mutex is held. */
static void add_execution(struct dls__statistics *s, struct dls__deal *d)
{
	struct totals t = add_up(d);
	struct dls__ran *ran;

	if (t.begin == UINT64_MAX || !have_room(s, d->p) || !(ran = ran_under(s, d)))
		return;
	s->measured++;
	s->chunks += t.chunks;
	s->iterations += t.iterations;
	s->requests += t.requests;
	s->wall += (double)t.wall;
	s->busy += t.busy;
	s->dispatch += t.dispatch;
	s->idle += t.idle;
	s->late += t.late;
	s->saving += t.saving;
	s->longest += (double)t.longest;
	s->mean += mean_of(t.busy, d->p);
	s->finish += mean_of(t.finish, d->p);
	s->cov += cov(d, &t);
	s->workers = d->p;
	add_workers(s, d, &t);
	s->trimmed = s->moments.trimmed;
	learn_moments(d->site, s);
	learn_rates(d->site, d);
	if (d->pictures)
		keep_slowest(&s->slowest, d, &t, ran);
}

/* One for which there is no memory is not counted as measured. */
void dls__observe_execution(struct dls__deal *d)
{
	struct dls__statistics *s = d->site ? dls__statistics(d->site) : NULL;

	if (d->observed)
		dls__progress_end(d);
	if (!s)
		return;
	pthread_mutex_lock(&s->mutex);
	add_execution(s, d);
	pthread_mutex_unlock(&s->mutex);
}

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

/* The record of a place and its statistics, locked. */
static int lock(struct dls_site *place, struct dls__site **site, struct dls__statistics **statistics)
{
	if (!place)
		return DLS_EINVAL;
	*site = dls__site(place, NULL);
	*statistics = *site ? dls__statistics(*site) : NULL;
	if (!*statistics)
		return DLS_ENOMEM;
	pthread_mutex_lock(&(*statistics)->mutex);
	return 0;
}

int dls_site_stats(struct dls_site *place, struct dls_stats *stats)
{
	struct dls__site *site;
	struct dls__statistics *s;
	int code = stats ? lock(place, &site, &s) : DLS_EINVAL;

	if (code)
		return code;

	bool any = s->measured > 0;
	double longest = s->longest, mean = s->mean;

	/* relaxed: numbers alone. */
	*stats = (struct dls_stats){
		.executions = atomic_load_explicit(&site->executions, memory_order_relaxed),
		.iterations = atomic_load_explicit(&site->iterations, memory_order_relaxed),
		.measured = s->measured, .chunks = s->chunks, .measured_iterations = s->iterations,
		.workers = s->workers, .trimmed = s->trimmed,
		.wall = seconds(s->wall), .busy = seconds(s->busy), .dispatch = seconds(s->dispatch),
		.idle = seconds(s->idle), .late = seconds(s->late), .saving = seconds(s->saving),
		.finish = any ? seconds(s->finish) / (double)s->measured : 0,
		.imbalance = mean > 0 ? 100 * (fmax(longest, mean) / mean - 1) : NAN,
		.efficiency = mean > 0 ? mean / fmax(longest, mean) : NAN,
		.cov = any ? s->cov / (double)s->measured : NAN,
		.mu = known(&site->learned[DLS__MU]), .sigma = known(&site->learned[DLS__SIGMA]),
		.h = known(&site->learned[DLS__H]),
	};
	pthread_mutex_unlock(&s->mutex);
	return 0;
}

int dls_site_worker_stats(struct dls_site *place, unsigned worker, struct dls_worker_stats *stats)
{
	struct dls__site *site;
	struct dls__statistics *s;
	int code = stats ? lock(place, &site, &s) : DLS_EINVAL;

	if (code)
		return code;
	if (worker < s->room) {
		const struct dls__worker_sums *w = &s->worker[worker];

		*stats = (struct dls_worker_stats){
			.chunks = w->chunks, .iterations = w->iterations, .busy = seconds(w->busy),
			.dispatch = seconds(w->dispatch), .idle = seconds(w->idle), .late = seconds(w->late),
			.finish = seconds(w->finish) / (double)w->executions,
		};
	} else {
		code = DLS_ERANGE;
	}
	pthread_mutex_unlock(&s->mutex);
	return code;
}

int dls_site_measure(struct dls_site *place, bool on)
{
	struct dls__site *site = place ? dls__site(place, NULL) : NULL;

	if (!place)
		return DLS_EINVAL;
	if (!site || !dls__statistics(site))
		return DLS_ENOMEM;
	/* relaxed: a wish that executions may see a moment late. */
	atomic_store_explicit(&site->measure, on, memory_order_relaxed);
	return 0;
}
