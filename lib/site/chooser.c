/* chooser.c - a site's choices of schedules for its loops under `auto`, and the table of schedules to choose from. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "dls/predict.h"
#include "lib/base/processors.h"
#include "lib/base/room.h"
#include "lib/base/tsan.h"
#include "lib/site/chooser.h"
#include "lib/site/costs_measured.h"
#include "lib/site/env.h"
#include "lib/site/even.h"
#include "lib/site/site.h"
#include "lib/observe/chosen.h"
#include "lib/auto/serial.h"
#include "lib/auto/auto.h"
#include "lib/base/clock.h"
#include "sched/registry.h"

/* Bit fields of an answer: workers, half octave of the iterations, flags but DLS__AUTO_OWN; schedule; executions that may follow without
 * asking again. */
enum { MORE_BITS = 16, SCHEDULE_BITS = 8, FLAG_BITS = 1, OCTAVE_BITS = 8 };

/* Classes that differ in octaves, as those of one team do up to 2^32 iterations, have places of their own; others take turns. */
enum { ANSWERS = 64 };

/* Loops with more workers are not profiled: the buckets of all would take megabytes. */
enum { PROFILED_MOST = 256 };

/* Octaves of loops that may be over before a region is; the last one is of all larger ones, too. */
enum { SERIAL_OCTAVES = 17 };

/* Executions after which a loop need not be dealt; those that show, once it is dealt again, whether it has changed; and how many times
 * longer, at most, its blocks have to differ for that. */
enum { SETTLED = 64, DEALT_AGAIN = 16, PATIENCE = 64 };

/* Executions in which one thread is not asked for again. */
enum { NOT_ASKED = 4096 };

struct dls__chooser {
	_Alignas(DLS__APART) _Atomic uint64_t answer[ANSWERS];
	pthread_mutex_t mutex;		/* guards the members that follow */
	struct dls__auto known;
	unsigned small;			/* consecutive answers by which the loop is too small to be dealt, */
	unsigned enough;		/* ... and how many of them it takes */
	uint32_t settled;		/* executions after which a loop that is even need not be dealt */
	unsigned patience;		/* so many times longer its blocks have to differ, for it to be dealt again */
	bool ended;			/* it is dealt again, since they did; */
	uint32_t ran, kept;		/* ... when it had settled, its class had run so often, and kept so many trials */
	unsigned below;			/* b of the small ones */
	_Atomic uint64_t even_from;	/* iterations from which on loops are undealt because they are even */
	struct dls__even even;		/* ... and what they take */
	atomic_uchar late[DLS__EVEN_WORKERS];	/* by worker: how often its blocks of small loops took too long lately */
	struct dls__serial serial[SERIAL_OCTAVES];	/* of loops of 2^b iterations or more */
	atomic_uint serial_answer[SERIAL_OCTAVES];	/* 2 * executions without a clock, + 1: they run on one thread */
	atomic_uint work[SERIAL_OCTAVES];	/* of such a loop on one thread, by its blocks, ns; 0: not known */
};

/* A schedule that may be chosen, parsed when it is first chosen, and kept. */
struct choice {
	struct dls_schedule *schedule;
	char text[32];
};

static void parse_choice(void *mine)
{
	struct choice *choice = mine;

	dls_schedule_parse(&choice->schedule, choice->text, NULL);
}

static const struct choice *choice_of(unsigned number)
{
	static _Atomic(struct choice *) choices[DLS__AUTO_SCHEDULES];
	/* acquire, here and below: pairs with the release that publishes the choice. */
	struct choice *choice = atomic_load_explicit(&choices[number], memory_order_acquire), *mine;

	dls__tsan_acquire(&choices[number]);
	if (choice || !(mine = calloc(1, sizeof(*mine))))
		return choice;
	dls__auto_text(number, mine->text, sizeof(mine->text));
	dls__with_room(parse_choice, mine);
	if (mine->schedule) {
		dls__tsan_release(&choices[number]);
		if (atomic_compare_exchange_strong_explicit(&choices[number], &choice, mine, memory_order_acq_rel, memory_order_acquire))
			return mine;
		dls__tsan_acquire(&choices[number]);
	}
	dls_schedule_free(mine->schedule);
	free(mine);
	return choice;
}

/* A loop that never comes again has nothing to choose: its site gets a chooser with its second execution, or with the first if a
 * reader of times wants few chunks. */
static bool comes_again(struct dls__kept_site *site)
{
	return dls__statistics_executions(&site->statistics) > 0 || dls__site_watched(site);
}

/* The octave of n iterations, as a place. */
static unsigned octave_of(uint64_t n)
{
	unsigned b = n > 1 ? 63 - (unsigned)__builtin_clzll(n) : 0;

	return b < SERIAL_OCTAVES ? b : SERIAL_OCTAVES - 1;
}

/* NULL: there is none yet, or no memory for it. */
static struct dls__chooser *make_chooser(struct dls__kept_site *site) __attribute__((noinline));

static struct dls__chooser *make_chooser(struct dls__kept_site *site)
{
	struct dls__chooser *chooser = NULL, *mine;

	if (!comes_again(site) || !(mine = dls__alloc_apart(sizeof(*mine))))
		return NULL;
	pthread_mutex_init(&mine->mutex, NULL);
	mine->enough = 1;
	atomic_init(&mine->even_from, UINT64_MAX);
	mine->settled = SETTLED;
	mine->patience = 1;
	mine->known.processors = dls__processors_online();
	dls__tsan_release(&site->chooser);
	/* release: publishes the chooser; acquire: that of another thread. */
	if (atomic_compare_exchange_strong_explicit(&site->chooser, &chooser, mine, memory_order_acq_rel, memory_order_acquire))
		return mine;
	dls__tsan_acquire(&site->chooser);
	dls__chooser_free(mine);
	return chooser;
}

static struct dls__chooser *chooser_of(struct dls__kept_site *site)
{
	/* acquire: pairs with the release in make_chooser(). */
	struct dls__chooser *chooser = atomic_load_explicit(&site->chooser, memory_order_acquire);

	dls__tsan_acquire(&site->chooser);
	return __builtin_expect(chooser != NULL, 1) ? chooser : make_chooser(site);
}

void dls__chooser_free(struct dls__chooser *chooser)
{
	if (!chooser)
		return;
	dls__auto_free(&chooser->known);
	pthread_mutex_destroy(&chooser->mutex);
	free(chooser);
}

static uint64_t key_of(uint64_t n, unsigned p, unsigned flags)
{
	return ((uint64_t)p << OCTAVE_BITS | dls__auto_octave(n)) << FLAG_BITS | flags % DLS__AUTO_OWN;
}

static _Atomic uint64_t *answer_of(struct dls__chooser *chooser, uint64_t key)
{
	return &chooser->answer[((key >> FLAG_BITS) + (key >> (FLAG_BITS + OCTAVE_BITS)) * 23) % ANSWERS];
}

/* The schedule of the last answer, if that holds for one more execution, else -1. */
static int answered(struct dls__chooser *chooser, uint64_t key)
{
	_Atomic uint64_t *place = answer_of(chooser, key);
	/* relaxed, here and below: the word is all there is; that two threads count one execution does no harm. */
	uint64_t answer = atomic_load_explicit(place, memory_order_relaxed);

	if (answer >> (SCHEDULE_BITS + MORE_BITS) != key || answer % (1u << MORE_BITS) == 0)
		return -1;
	atomic_store_explicit(place, answer - 1, memory_order_relaxed);
	return (int)((answer >> MORE_BITS) % (1u << SCHEDULE_BITS));
}

/* Make room for the times of p workers, in `buckets` buckets each; false: there is no memory. */
static bool have_room(struct dls__timing *t, unsigned p, size_t buckets)
{
	if (t->room < p) {
		free(t->worker);
		t->worker = aligned_alloc(DLS__APART, p * sizeof(*t->worker));
		t->room = t->worker ? p : 0;
	}
	if (t->room_buckets < p * buckets) {
		free(t->bucket);
		t->bucket = malloc(p * buckets * sizeof(*t->bucket));
		t->room_buckets = t->bucket ? p * buckets : 0;
	}
	return t->room >= p && t->room_buckets >= p * buckets;
}

/* The class of a loop.  If each chunk is timed, the first guess is its own schedule, or one with few chunks. */
static struct dls__auto_class *class_of(struct dls__chooser *chooser, struct dls__kept_site *site, unsigned p, uint64_t n, unsigned flags)
{
	enum { LINES = 64 };		/* of a chunk's data, there and back */
	int home = flags < DLS__AUTO_OWN && dls__site_watched(site) ? DLS__AUTO_FAC2 : -1;
	struct dls_costs costs;

	dls__costs_read(&costs);
	return dls__auto_class(&chooser->known, p, n, flags, home, costs.region, LINES * costs.transfer);
}

/* The time below which a loop is small, s: ten regions and 10 us, or three dear regions. */
static float small_time(const struct dls__auto_class *c)
{
	return fminf(10 * c->region, fmaxf(3 * c->region, 10e-6f));
}

/* A loop that has been dealt again has settled anew: if nothing better was found meanwhile, what made its blocks differ was hardly the
 * loop, and has to last longer the next time. */
static void learn_patience(struct dls__chooser *chooser, const struct dls__auto_class *c)
{
	if (!chooser->ended)
		return;
	if (c->told.kept == chooser->kept)
		chooser->patience = chooser->patience < PATIENCE ? 2 * chooser->patience : PATIENCE;
	else
		chooser->settled *= 2;	/* as with `enough` */
	chooser->ended = false;
}

/* Whether a loop has settled; again, if it has been dealt again. */
static bool settled(const struct dls__chooser *chooser, const struct dls__auto_class *c)
{
	return dls__auto_settled(&chooser->known, c, chooser->settled) &&
	       (!chooser->ended || c->told.executions - chooser->ran >= DEALT_AGAIN);
}

/* Leave a loop that is not small, but even, to static blocks. */
static void set_even(struct dls__chooser *chooser, struct dls__kept_site *site, const struct dls__auto_class *c, unsigned b)
{
	double wall = dls__auto_usual(c), n = (double)c->n;

	learn_patience(chooser, c);
	chooser->ran = c->told.executions;
	chooser->kept = c->told.kept;
	dls__even_begin(&chooser->even, 1e9 * fmax(wall - (double)c->region, 0.5 * wall) * c->p / n, chooser->patience);
	/* relaxed: a block may be timed in vain, or not. */
	atomic_store_explicit(&chooser->even_from, 1 + (uint64_t)(n * fmin(1, (double)small_time(c) / wall)), memory_order_relaxed);
	dls__site_set_small(site, b);
}

/* Small loops, and short ones that are even, are left to static blocks, which share nothing. */
static void look_at_size(struct dls__chooser *chooser, struct dls__kept_site *site, const struct dls__auto_class *c,
			 struct dls__auto_choice choice)
{
	unsigned b = c->octave / 2 + 1;
	bool blocks = choice.schedule == DLS__AUTO_STATIC && b < 32, small = blocks && choice.more && c->watch.last_wall < small_time(c);

	chooser->small = small ? chooser->small + 1 : 0;
	/* relaxed: only written here, under the mutex. */
	if (atomic_load_explicit(&site->small, memory_order_relaxed) >= b)
		return;
	if (small && chooser->small >= chooser->enough)
		dls__site_set_small(site, chooser->below = b);
	else if (blocks && settled(chooser, c))
		set_even(chooser, site, c, b);
}

/* The system may take the processor from a thread in any block, but hardly in three of ten: a long one counts as many as LATE short ones
 * make up for. */
enum { LONG_BLOCK = 20000 /* ns */, LATE = 8, LATE_MOST = 3 * LATE };

/* Whether a worker's blocks of small loops are often too long, after one more that took so many ns. */
static bool often_late(struct dls__chooser *chooser, unsigned worker, uint64_t took)
{
	atomic_uchar *late = &chooser->late[worker % DLS__EVEN_WORKERS];
	/* relaxed, both: a count alone; one that two threads write at once may be lost. */
	unsigned sum = atomic_load_explicit(late, memory_order_relaxed);

	if (took <= LONG_BLOCK && sum == 0)
		return false;
	sum = took <= LONG_BLOCK ? sum - 1 : sum + LATE < LATE_MOST ? sum + LATE : LATE_MOST;
	atomic_store_explicit(late, (unsigned char)sum, memory_order_relaxed);
	return took > LONG_BLOCK && sum > 2 * LATE;
}

/* What one thread would take for a loop of which a worker's block took so long: a mean of late ones. */
static void learn_work(struct dls__chooser *chooser, uint64_t n, unsigned workers, uint64_t took)
{
	atomic_uint *work = &chooser->work[octave_of(n)];
	/* relaxed, both: a number alone. */
	unsigned before = atomic_load_explicit(work, memory_order_relaxed);
	double now = fmin((double)took * workers, 1e9);

	atomic_store_explicit(work, (unsigned)(before ? (3.0 * before + now) / 4 : now) + 1, memory_order_relaxed);
}

/* A loop that is no longer even is dealt again, until it has settled anew. */
static void end_even(struct dls__chooser *chooser, struct dls__kept_site *site)
{
	if (pthread_mutex_trylock(&chooser->mutex))
		return;
	/* relaxed, both: only written under the mutex; a block may be timed in vain, or not. */
	if (atomic_load_explicit(&chooser->even_from, memory_order_relaxed) != UINT64_MAX) {
		atomic_store_explicit(&chooser->even_from, UINT64_MAX, memory_order_relaxed);
		chooser->ended = true;
		dls__site_set_small(site, chooser->below);
	}
	pthread_mutex_unlock(&chooser->mutex);
}

static bool is_even(const struct dls__chooser *chooser, uint64_t n)
{
	/* relaxed: a block may be timed in vain, or not. */
	return n >= atomic_load_explicit(&chooser->even_from, memory_order_relaxed);
}

bool dls__auto_is_even(struct dls__kept_site *site, uint64_t n)
{
	/* acquire: pairs with the release in make_chooser(). */
	const struct dls__chooser *chooser = atomic_load_explicit(&site->chooser, memory_order_acquire);

	dls__tsan_acquire(&site->chooser);
	return chooser && is_even(chooser, n);
}

void dls__auto_block(struct dls__kept_site *site, uint64_t n, unsigned worker, unsigned workers, uint64_t took)
{
	/* acquire: pairs with the release in make_chooser(). */
	struct dls__chooser *chooser = atomic_load_explicit(&site->chooser, memory_order_acquire);

	dls__tsan_acquire(&site->chooser);
	if (!chooser)
		return;
	if (is_even(chooser, n)) {
		if (dls__even_ended(&chooser->even, n, worker, workers, took))
			end_even(chooser, site);
		return;
	}
	/* relaxed: a block of a loop that is dealt by now is of no use. */
	if (n >> atomic_load_explicit(&site->small, memory_order_relaxed) > 0)
		return;
	learn_work(chooser, n, workers, took);
	if (often_late(chooser, worker, took) && pthread_mutex_trylock(&chooser->mutex) == 0) {
		chooser->small = chooser->below = 0;
		/* relaxed: as in often_late(). */
		atomic_store_explicit(&chooser->late[worker % DLS__EVEN_WORKERS], 0, memory_order_relaxed);
		/* relaxed: as in end_even(). */
		atomic_store_explicit(&chooser->even_from, UINT64_MAX, memory_order_relaxed);
		chooser->enough *= 8;	/* ever more: a setting can change only so often */
		dls__site_set_small(site, 0);
		pthread_mutex_unlock(&chooser->mutex);
	}
}

bool dls__auto_serial(struct dls__kept_site *site, uint64_t n, bool *timed)
{
	/* acquire: pairs with the release in make_chooser(). */
	struct dls__chooser *chooser = atomic_load_explicit(&site->chooser, memory_order_acquire);
	atomic_uint *place;
	unsigned answer;

	*timed = false;
	dls__tsan_acquire(&site->chooser);
	if (!chooser || n == 0)
		return false;
	place = &chooser->serial_answer[octave_of(n)];
	/* relaxed, both: the word is all there is; that two threads count one execution does no harm. */
	answer = atomic_load_explicit(place, memory_order_relaxed);
	*timed = answer < 2;
	if (!*timed)
		atomic_store_explicit(place, answer - 2, memory_order_relaxed);
	return answer & 1;
}

void dls__auto_serial_ended(struct dls__kept_site *site, uint64_t n, bool serial, uint64_t took)
{
	/* relaxed: dls__auto_serial() has acquired it. */
	struct dls__chooser *chooser = atomic_load_explicit(&site->chooser, memory_order_relaxed);
	unsigned octave = octave_of(n);
	struct dls__serial *s = &chooser->serial[octave];
	struct dls__serial_answer next;

	if (pthread_mutex_trylock(&chooser->mutex))
		return;
	if (serial == (s->trying || s->chosen)) {	/* else it began before the last answer */
		/* relaxed, both: as above. */
		next = dls__serial_ended(s, (float)took, (float)atomic_load_explicit(&chooser->work[octave], memory_order_relaxed));
		atomic_store_explicit(&chooser->serial_answer[octave], 2 * next.more + next.serial, memory_order_relaxed);
	}
	pthread_mutex_unlock(&chooser->mutex);
}

void dls__auto_serial_refused(struct dls__kept_site *site, uint64_t n)
{
	/* relaxed, both: as above. */
	struct dls__chooser *chooser = atomic_load_explicit(&site->chooser, memory_order_relaxed);

	atomic_store_explicit(&chooser->serial_answer[octave_of(n)], 2 * NOT_ASKED, memory_order_relaxed);
}

/* Ask lib/auto what to run, and have the execution timed if lib/auto wants its times.  -1: there is no memory for that. */
static int ask(struct dls__chooser *chooser, struct dls__timing *t, struct dls__kept_site *site, uint64_t n, unsigned p,
		    unsigned flags)
{
	struct dls__auto_class *class = class_of(chooser, site, p, n, flags);
	struct dls__auto_choice choice;
	uint64_t key = key_of(n, p, flags);

	if (!class)
		return -1;
	choice = dls__auto_choose(class);
	look_at_size(chooser, site, class, choice);
	/* relaxed: as above. */
	atomic_store_explicit(answer_of(chooser, key),
			      choice.more ? (key << SCHEDULE_BITS | choice.schedule) << MORE_BITS | choice.more : 0,
			      memory_order_relaxed);
	t->profiled = choice.profile && p <= PROFILED_MOST;
	t->buckets = t->profiled ? dls__buckets(p, n) : 0;
	t->timed = have_room(t, p, t->buckets);
	t->flags = flags;
	return (int)choice.schedule;
}

/* The answer for an execution; -1: there is none, or another thread holds the chooser. */
static int answer_for(struct dls__chooser *chooser, struct dls__timing *t, struct dls__kept_site *site, uint64_t n, unsigned p,
		      unsigned flags)
{
	int schedule = answered(chooser, key_of(n, p, flags));

	if (schedule >= 0 || pthread_mutex_trylock(&chooser->mutex))
		return schedule;
	schedule = ask(chooser, t, site, n, p, flags);
	pthread_mutex_unlock(&chooser->mutex);
	return schedule;
}

/* The flag for the schedule of auto's that is nearest to a runtime's. */
static unsigned own_flag(const struct dls_schedule *own)
{
	unsigned schedule;

	if (!own || (own->calc == &dls__calc_static && own->chunk))
		return 0;
	if (own->calc == &dls__calc_static)
		schedule = DLS__AUTO_STATIC;
	else if (own->calc == &dls__calc_ss)
		schedule = DLS__AUTO_SS + (own->chunk > 1 ? 63 - (unsigned)__builtin_clzll(own->chunk) : 0);
	else
		schedule = DLS__AUTO_GSS;
	return schedule < DLS__AUTO_SCHEDULES ? (1 + schedule) * DLS__AUTO_OWN : 0;
}

const struct dls_schedule *dls__auto_schedule(struct dls__timing *t, struct dls__kept_site *site, const struct dls_schedule *asked,
					      const struct dls_schedule *own, uint64_t n, unsigned p)
{
	unsigned flags = (asked->order == DLS__MONOTONIC ? DLS__AUTO_MONOTONIC : 0) | own_flag(own), schedule;
	struct dls__chooser *chooser = site ? chooser_of(site) : NULL;
	const struct choice *choice;
	const char *text;
	int answer;

	if (t->timed)
		t->timed = false;
	answer = chooser && n > 0 ? answer_for(chooser, t, site, n, p, flags) : -1;
	schedule = answer < 0 ? dls__auto_first(p, n, flags) : (unsigned)answer;
	if (t->schedule != schedule)
		t->schedule = (uint8_t)schedule;
	choice = choice_of(schedule);
	text = choice ? choice->text : "fac2";
	if (t->chosen != text)
		t->chosen = text;
	return choice ? choice->schedule : &dls__fac2;
}

static const struct dls_schedule *parsed(unsigned schedule)
{
	const struct choice *choice = choice_of(schedule);

	return choice ? choice->schedule : NULL;
}

static void decide(void *class)
{
	uint64_t began = dls__clock_now();
	struct dls_costs costs;

	dls__costs_read(&costs);
	dls__auto_decide(class, &costs, parsed);
	dls__auto_decided(class, 1e-9 * (double)dls__clock_since(began, dls__clock_now()));
}

/* An execution that has ended. */
struct ended {
	struct dls__auto_class *class;
	unsigned schedule;
	uint64_t n;
	double wall;
	const struct dls__bucket *const *row;	/* NULL: it has no profile */
};

static void learn(void *arg)
{
	const struct ended *e = arg;

	dls__auto_ended(e->class, e->schedule, e->n, e->wall);
	if (e->row)
		dls__auto_profiled(e->class, e->n, e->row);
	if (dls__auto_due(e->class))
		dls__with_room(decide, e->class);
}

void dls__auto_learn(const struct dls__timing *t, struct dls__kept_site *site, uint64_t n, unsigned p, double wall,
		     const struct dls__bucket *const *row)
{
	struct dls__chooser *chooser = chooser_of(site);
	struct dls__auto_class *class;

	if (!chooser || pthread_mutex_trylock(&chooser->mutex))
		return;
	class = class_of(chooser, site, p, n, t->flags);
	if (class) {
		struct ended e = { class, t->schedule, n, wall, row };

		if (row || class->told.executions == 0)
			dls__with_room(learn, &e);
		else
			learn(&e);
	}
	pthread_mutex_unlock(&chooser->mutex);
}

/* The time if all iterations were spread perfectly, s. */
static double ideal_of(const struct dls__auto_class *c)
{
	double *time = malloc(dls__buckets(c->p, c->n) * sizeof(*time)), sum = 0;
	unsigned buckets = time ? dls__latest_read(&c->profile, c->n, time) : 0;

	for (unsigned b = 0; b < buckets; b++)
		sum += time[b];
	free(time);
	return sum > 0 ? sum / c->at_once : (double)NAN;
}

static struct dls__candidate candidate_of(const struct dls__auto_class *c, const struct dls__auto_seen *s)
{
	double n = (double)c->n;
	struct dls__candidate x = {
		.predicted = s->predicted > 0 ? (double)s->predicted * n : (double)NAN,
		.measured = s->walls ? dls__auto_median(s) * n : (double)NAN,
	};

	dls__auto_text(s->schedule, x.schedule, sizeof(x.schedule));
	return x;
}

static void describe(const struct dls__auto_class *c, struct dls__chosen *to)
{
	*to = (struct dls__chosen){
		.workers = c->p, .n = c->n, .executions = c->told.executions, .since = (uint64_t)c->told.adopted + 1,
		.trials = c->told.trials, .kept = c->told.kept, .lost = c->told.lost, .total = c->told.total,
		.ideal = ideal_of(c), .candidates = c->candidates,
		.now = candidate_of(c, &c->seen[c->current]),
	};
	for (unsigned i = 0; i < to->candidates; i++)
		to->candidate[i] = candidate_of(c, &c->seen[i]);
}

_Static_assert((int)DLS__AUTO_CANDIDATES <= DLS__CHOSEN_FROM, "room for all");

/* Whether a class took more time than another, or as much and was used before it. */
static bool longer(const struct dls__auto_class *c, const struct dls__auto_class *other)
{
	return c->told.total > other->told.total || (c->told.total == other->told.total && c->used < other->used);
}

/* The class that took most of those that took less than one; that NULL: of all.  NULL: there is none. */
static const struct dls__auto_class *longest(const struct dls__auto *a, const struct dls__auto_class *than)
{
	const struct dls__auto_class *best = NULL;

	for (unsigned i = 0; i < a->count; i++)
		if (!a->kept[i]->single && (!than || longer(than, a->kept[i])) && (!best || longer(a->kept[i], best)))
			best = a->kept[i];
	return best;
}

unsigned dls__auto_chosen(struct dls__kept_site *site, struct dls__chosen *chosen)
{
	/* acquire: pairs with the release in make_chooser(). */
	struct dls__chooser *chooser = atomic_load_explicit(&site->chooser, memory_order_acquire);
	const struct dls__auto_class *c = NULL;
	struct timespec until;
	unsigned n = 0;

	/* The thread that holds the mutex is deciding, which takes less than that; or it does not exist, in a child made by fork(). */
	if (!chooser || clock_gettime(CLOCK_REALTIME, &until) != 0)
		return 0;
	until.tv_sec++;
	if (pthread_mutex_timedlock(&chooser->mutex, &until))
		return 0;
	while (n < DLS__CHOSEN && (c = longest(&chooser->known, c)))
		describe(c, &chosen[n++]);
	pthread_mutex_unlock(&chooser->mutex);
	return n;
}
