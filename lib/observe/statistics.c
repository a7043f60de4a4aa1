/* statistics.c - sums over a site's measured executions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/room.h"
#include "lib/observe/statistics.h"
#include "lib/schedule/schedule.h"

void dls__statistics_init(struct dls__statistics *s)
{
	pthread_mutex_init(&s->mutex, NULL);
	dls__learned_init(&s->learned);
}

void dls__statistics_forked(struct dls__statistics *s)
{
	if (pthread_mutex_trylock(&s->mutex) == 0) {
		pthread_mutex_unlock(&s->mutex);
		return;
	}
	/* Half written. */
	pthread_mutex_init(&s->mutex, NULL);
	s->sums = NULL;
}

void dls__slowest_free(struct dls__slowest *s)
{
	for (unsigned i = 0; s->log && i < s->workers; i++)
		free(s->log[i].span);
	free(s->log);
	free(s->stay);
	*s = (struct dls__slowest){ .workers = 0 };
}

static void sums_free(struct dls__sums *s)
{
	for (struct dls__schedule_sums *r = s->ran, *next; r; r = next) {
		next = r->next;
		free(r);
	}
	dls__slowest_free(&s->slowest);
	free(s->worker);
	free(s->profile);
	free(s);
}

void dls__statistics_free(struct dls__statistics *s)
{
	if (s->sums)
		sums_free(s->sums);
	dls__learned_free(&s->learned);
	pthread_mutex_destroy(&s->mutex);
}

/* One execution. */
struct totals {
	uint64_t begin, wall;		/* ns; begin UINT64_MAX: no worker came */
	uint64_t longest, chunks, iterations, requests;
	double busy, dispatch, idle, late, finish;	/* of all workers, ns */
	double saving, cov;		/* ns; dls_cov() of the finishing times */
};

static uint64_t finish_of(const struct dls__execution *e, unsigned worker, const struct totals *t)
{
	return dls__came(e, worker) ? dls__clock_since(t->begin, e->measurement[worker].finished) : 0;
}

/* How late a worker came.  A worker's time in an execution begins when the execution begins, or when the
 * worker left the previous loop if that is later.  It ends with the execution, or when the worker left if it
 * need not wait for the others.  In that time the worker is late first, then busy and in dispatch, and idle
 * for the rest. */
static uint64_t late_of(const struct dls__execution *e, unsigned worker, const struct totals *t)
{
	const struct dls__measurement *w = &e->measurement[worker];

	return dls__came(e, worker) ? dls__clock_since(w->freed > t->begin ? w->freed : t->begin, w->came) : t->wall;
}

static uint64_t idle_of(const struct dls__execution *e, unsigned worker, const struct totals *t)
{
	const struct dls__measurement *w = &e->measurement[worker];

	if (!dls__came(e, worker))
		return 0;
	return dls__clock_since(w->came + w->busy + w->dispatch, e->nowait ? w->finished : t->begin + t->wall);
}

/* By how much the wall time would be shorter if all workers that came had finished at the mean of their finishing times.  No worker
 * can finish before it came, and no schedule makes a loop shorter by more than the work that it moves. */
static double saving(const struct dls__execution *e, const struct totals *t)
{
	double finish = 0, last = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < e->workers; i++)
		if (dls__came(e, i)) {
			n++;
			finish += (double)finish_of(e, i, t);
			last = fmax(last, (double)dls__clock_since(t->begin, e->measurement[i].came));
		}
	return n ? fmin((double)t->wall - fmax(round(finish / n), last), (double)t->longest) : 0;
}

/* dls_cov() of the finishing times. */
static double cov(const struct dls__execution *e, const struct totals *t)
{
	double mean = t->finish / e->workers, squares = 0;

	if (t->finish == 0)
		return 0;
	for (unsigned i = 0; i < e->workers; i++) {
		double off = (double)finish_of(e, i, t) / mean - 1;

		squares += off * off;
	}
	return sqrt(squares / e->workers);
}

static struct totals add_up(const struct dls__execution *e)
{
	struct totals t = { .begin = UINT64_MAX };

	for (unsigned i = 0; i < e->workers; i++)
		if (dls__came(e, i) && e->measurement[i].came < t.begin)
			t.begin = e->measurement[i].came;
	for (unsigned i = 0; i < e->workers; i++) {
		const struct dls__measurement *w = &e->measurement[i];
		uint64_t finish = finish_of(e, i, &t);

		t.wall = finish > t.wall ? finish : t.wall;
		t.finish += (double)finish;
		if (!dls__came(e, i))
			continue;
		t.requests += w->chunks + 1;
		t.busy += (double)w->busy;
		t.dispatch += (double)w->dispatch;
		t.longest = w->busy > t.longest ? w->busy : t.longest;
		t.chunks += w->chunks;
		t.iterations += w->iterations;
	}
	for (unsigned i = 0; i < e->workers; i++) {
		t.late += (double)late_of(e, i, &t);
		t.idle += (double)idle_of(e, i, &t);
	}
	t.saving = saving(e, &t);
	t.cov = cov(e, &t);
	return t;
}

static double mean_of(double sum, unsigned n)
{
	return round(sum / n);
}

/* Make room for the sums of `workers` workers; false: there is no memory. */
static bool have_room(struct dls__sums *s, unsigned workers)
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

static void add_workers(struct dls__sums *s, const struct dls__execution *e, const struct totals *t)
{
	for (unsigned i = 0; i < e->workers; i++) {
		const struct dls__measurement *w = &e->measurement[i];
		struct dls__worker_sums *sum = &s->worker[i];

		sum->executions++;
		sum->late += (double)late_of(e, i, t);
		sum->idle += (double)idle_of(e, i, t);
		sum->finish += (double)finish_of(e, i, t);
		if (!dls__came(e, i))
			continue;
		sum->chunks += w->chunks;
		sum->iterations += w->iterations;
		sum->busy += (double)w->busy;
		sum->dispatch += (double)w->dispatch;
		dls__moments_merge(&s->moments, &w->moments);
	}
}

static bool ran(const struct dls__schedule_sums *r, const struct dls__execution *e)
{
	return strncmp(r->calc, e->ran, sizeof(r->calc) - 1) == 0;
}

/* Arguments of enter_text(), which finds or adds the entry of an execution's schedule; found: NULL if there
 * is no memory. */
struct entering {
	struct dls__sums *sums;
	const struct dls__execution *execution;
	struct dls__schedule_sums *found;
};

/* By the schedule's text. */
static void enter_text(void *arg)
{
	struct entering *n = arg;
	const struct dls__execution *e = n->execution;
	const char *why = e->why ? e->why : "";
	struct dls__schedule_sums **r = &n->sums->ran;
	char asked[256];
	size_t length = dls_schedule_print(e->schedule, asked, sizeof(asked));

	if (length >= sizeof(asked))
		strcpy(asked + sizeof(asked) - 4, "...");
	for (; *r; r = &(*r)->next)
		if (strcmp((*r)->asked, asked) == 0 && strcmp((*r)->why ? (*r)->why : "", why) == 0 && ran(*r, e))
			break;
	if (!*r && (*r = calloc(1, sizeof(**r) + strlen(asked) + 1))) {
		(*r)->why = e->why;
		strncpy((*r)->calc, e->ran, sizeof((*r)->calc) - 1);
		strcpy((*r)->asked, asked);
	}
	if (*r)
		(*r)->number = e->schedule->number;
	n->found = *r;
}

static struct dls__schedule_sums *ran_under(struct dls__sums *s, const struct dls__execution *e)
{
	struct entering n = { s, e, NULL };

	for (struct dls__schedule_sums *r = s->ran; r; r = r->next)
		if (r->number == e->schedule->number && r->why == e->why && ran(r, e))
			return r;
	dls__with_room(enter_text, &n);
	return n.found;
}

static void note_coarse(struct dls__coarse *c, const struct dls__execution *e)
{
	const struct dls_schedule *s = e->schedule;
	unsigned without = 0;

	/* A strategy's chunk is the smallest piece that moves. */
	if (s->chunk < 2 || s->chunk <= e->n / e->workers || e->n == 0 || e->why || s->spec || e->workers == 1)
		return;
	for (unsigned i = 0; i < e->workers; i++)
		without += !dls__came(e, i) || e->measurement[i].iterations == 0;
	if (c->executions++ == 0 || without > c->without) {
		c->chunk = s->chunk;
		c->n = e->n;
		c->workers = e->workers;
		c->without = without;
	}
}

/* Whether there was memory for all workers' logs. */
static bool logged(const struct dls__execution *e)
{
	for (unsigned i = 0; i < e->workers; i++)
		if (dls__came(e, i) && e->measurement[i].log.every == 0)
			return false;
	return true;
}

/* If this execution is the slowest so far, keep its logs for the pictures: swap them with the kept ones,
 * whose memory the workers reuse. */
static void keep_slowest(struct dls__slowest *s, const struct dls__execution *e, const struct totals *t,
			 const struct dls__schedule_sums *ran)
{
	if ((s->workers && t->wall <= s->wall) || !logged(e))
		return;
	if (s->workers != e->workers) {
		dls__slowest_free(s);
		s->stay = malloc(e->workers * sizeof(*s->stay));
		s->log = calloc(e->workers, sizeof(*s->log));
		if (!s->stay || !s->log) {
			dls__slowest_free(s);
			return;
		}
		s->workers = e->workers;
	}
	s->execution = e->number;
	s->begin = t->begin;
	s->wall = t->wall;
	s->n = e->n;
	s->ran = ran;
	s->nowait = e->nowait;
	for (unsigned i = 0; i < e->workers; i++) {
		struct dls__log spare = s->log[i];

		s->stay[i] = (struct dls__stay){
			dls__came(e, i) ? dls__clock_since(t->begin, e->measurement[i].came) : UINT64_MAX,
			finish_of(e, i, t),
		};
		s->log[i] = e->measurement[i].log;
		e->measurement[i].log = spare;
		if (!dls__came(e, i))
			s->log[i].used = 0;
	}
}

struct adding {
	struct dls__sums *sums;
	const struct dls__execution *execution;
};

static struct dls__worker_profile *part_of(const void *arg, unsigned worker, struct dls__speed **speed)
{
	const struct adding *a = arg;

	*speed = &a->sums->worker[worker].speed;
	return dls__came(a->execution, worker) ? a->execution->measurement[worker].profile : NULL;
}

static void add_profile(struct dls__statistics *statistics, const struct dls__execution *e, uint64_t wall)
{
	enum { SHORT = 200000, ENOUGH = 4, EVERY = 16 };	/* ns; executions */
	struct dls__sums *s = statistics->sums;

	if (!s->profile)
		s->profile = calloc(1, sizeof(*s->profile));
	if (!s->profile)
		return;
	dls__profile_add(s->profile, &(struct dls__parts){ e->workers, e->n, part_of, &(struct adding){ s, e } });
	if (wall < SHORT && s->profile->executions >= ENOUGH)
		/* relaxed: a number alone. */
		atomic_store_explicit(&statistics->unprofiled, EVERY - 1, memory_order_relaxed);
}

static void take(struct dls__taken *taken, const struct dls__execution *e, const struct totals *t)
{
	if (taken->workers != e->workers)
		*taken = (struct dls__taken){ .workers = e->workers };
	taken->executions++;
	taken->wall += (double)t->wall;
	taken->busy += t->busy;
	taken->n += (double)e->n;
}

/* The mutex is held.  An execution for which there is no memory is not counted as measured. */
static void add(struct dls__statistics *statistics, const struct dls__execution *e)
{
	struct dls__sums *s = statistics->sums;
	struct totals t = add_up(e);
	struct dls__schedule_sums *ran;

	if (t.begin == UINT64_MAX || !have_room(s, e->workers) || !(ran = ran_under(s, e)))
		return;
	ran->executions++;
	note_coarse(&ran->coarse, e);
	take(&ran->taken, e, &t);
	if (e->workers == 1)
		take(&s->alone, e, &t);
	ran->last = ++s->measured;
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
	s->mean += mean_of(t.busy, e->workers);
	s->finish += mean_of(t.finish, e->workers);
	s->cov += t.cov;
	s->nowait |= e->nowait;
	if (e->profile && e->n)
		add_profile(statistics, e, t.wall);
	s->workers = e->workers;
	add_workers(s, e, &t);
	dls__learn_moments(&statistics->learned, &s->moments,
			   s->requests ? 1e-9 * s->dispatch / (double)s->requests : -1);
	dls__learn_rates(&statistics->learned, e);
	if (e->pictures)
		keep_slowest(&s->slowest, e, &t, ran);
}

void dls__statistics_add(struct dls__statistics *s, const struct dls__execution *e)
{
	pthread_mutex_lock(&s->mutex);
	if (s->sums || (s->sums = calloc(1, sizeof(*s->sums))))
		add(s, e);
	pthread_mutex_unlock(&s->mutex);
}
