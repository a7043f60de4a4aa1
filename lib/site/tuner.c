/* tuner.c - a site's choices of schedules for its loops under `auto`. */
#include <stdlib.h>

#include "lib/base/once.h"
#include "lib/base/processors.h"
#include "lib/base/room.h"
#include "lib/base/tsan.h"
#include "lib/site/blocks.h"
#include "lib/site/costs_measured.h"
#include "lib/site/tuner.h"
#include "sched/registry.h"

/* Loops with more workers are not profiled: the buckets of all would take megabytes. */
enum { PROFILED_MOST = 256 };

/* A loop that never comes again has nothing to choose: its site gets a tuner with its second execution, or with the first if a
 * reader of times wants few chunks. */
static bool comes_again(struct dls__kept_site *site)
{
	return dls__statistics_executions(&site->statistics) > 0 || dls__site_measured(site);
}

/* NULL: there is none yet, or no memory for it. */
static __attribute__((noinline)) struct dls__tuner *make_tuner(struct dls__kept_site *site)
{
	struct dls__tuner *tuner = NULL, *mine;

	if (!comes_again(site) || !(mine = dls__alloc_apart(sizeof(*mine))))
		return NULL;
	pthread_mutex_init(&mine->mutex, NULL);
	mine->known.processors = dls__processors_online();
	dls__tsan_release(&site->tuner);
	/* release: publishes the tuner; acquire: that of another thread. */
	if (atomic_compare_exchange_strong_explicit(&site->tuner, &tuner, mine, memory_order_acq_rel, memory_order_acquire))
		return mine;
	dls__tsan_acquire(&site->tuner);
	dls__tuner_free(mine);
	return tuner;
}

static struct dls__tuner *tuner_of(struct dls__kept_site *site)
{
	struct dls__tuner *tuner = dls__tuner_of(site);

	return __builtin_expect(tuner != NULL, 1) ? tuner : make_tuner(site);
}

void dls__tuner_free(struct dls__tuner *tuner)
{
	if (!tuner)
		return;
	dls__auto_free(&tuner->known);
	pthread_mutex_destroy(&tuner->mutex);
	free(tuner);
}

static struct dls__choice choices[DLS__AUTO_SCHEDULES];

static void set_choice(unsigned number, const struct dls_calc *calc, uint64_t chunk)
{
	struct dls__choice *choice = &choices[number];

	choice->schedule = (struct dls_schedule){ .calc = calc, .chunk = chunk, .loop.curve = calc->curve };
	dls__auto_text(number, choice->text);
}

static void set_choices(void)
{
	set_choice(DLS__AUTO_STATIC, &dls__calc_static, 0);
	set_choice(DLS__AUTO_FAC2, &dls__calc_fac2, 0);
	set_choice(DLS__AUTO_GSS, &dls__calc_gss, 0);
	for (unsigned i = DLS__AUTO_STEAL; i < DLS__AUTO_SS; i++)
		set_choice(i, &dls__calc_steal, (uint64_t)1 << (i - DLS__AUTO_STEAL));
	for (unsigned i = DLS__AUTO_SS; i < DLS__AUTO_SCHEDULES; i++)
		set_choice(i, &dls__calc_ss, (uint64_t)1 << (i - DLS__AUTO_SS));
}

const struct dls__choice *dls__choice_of(unsigned number)
{
	static atomic_bool done;

	dls__once(&done, set_choices);
	return &choices[number];
}

/* Bit fields of an answer: workers, half octave of the iterations, flags but DLS__AUTO_OWN; schedule;
 * executions that may follow without asking again. */
enum { MORE_BITS = 16, SCHEDULE_BITS = 8, FLAG_BITS = 1, OCTAVE_BITS = 8 };

static uint64_t key_of(uint64_t n, unsigned p, unsigned flags)
{
	return ((uint64_t)p << OCTAVE_BITS | dls__auto_octave(n)) << FLAG_BITS | flags % DLS__AUTO_OWN;
}

static _Atomic uint64_t *place_of(struct dls__tuner *tuner, uint64_t key)
{
	uint64_t p = key >> (FLAG_BITS + OCTAVE_BITS);

	return &tuner->answer[((key >> FLAG_BITS) + p * 23) % DLS__ANSWERS];
}

/* Keep what auto has answered for the class of n iterations by p workers. */
static void keep_answer(struct dls__tuner *tuner, uint64_t n, unsigned p, unsigned flags,
			struct dls__auto_choice choice)
{
	uint64_t key = key_of(n, p, flags);
	uint64_t answer = (key << SCHEDULE_BITS | choice.schedule) << MORE_BITS | choice.more;

	/* relaxed, here and below: the word is all there is. */
	atomic_store_explicit(place_of(tuner, key), choice.more ? answer : 0, memory_order_relaxed);
}

/* The schedule that was answered for the class, if the answer holds for one more execution, else -1. */
static int answer_again(struct dls__tuner *tuner, uint64_t n, unsigned p, unsigned flags)
{
	uint64_t key = key_of(n, p, flags);
	_Atomic uint64_t *place = place_of(tuner, key);
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
static struct dls__size_class *class_of(struct dls__tuner *tuner, struct dls__kept_site *site, unsigned p, uint64_t n, unsigned flags)
{
	enum { LINES = 64 };		/* of a chunk's data, there and back */
	struct dls_costs costs;

	if (flags < DLS__AUTO_OWN && dls__site_measured(site))
		flags |= (1 + DLS__AUTO_FAC2) * DLS__AUTO_OWN;
	dls__costs_read(&costs);
	return dls__size_class(&tuner->known, p, n, flags, costs.region, LINES * costs.transfer);
}

static const struct dls_schedule *schedule_of(unsigned number)
{
	return &dls__choice_of(number)->schedule;
}

static void decide(void *class)
{
	struct dls_costs costs;

	dls__costs_read(&costs);
	dls__auto_decide(class, &costs, schedule_of);
}

/* Ask lib/auto what to run, and have the execution timed if lib/auto wants its times.  -1: there is no memory for that. */
static int ask(struct dls__tuner *tuner, struct dls__timing *t, struct dls__kept_site *site, uint64_t n, unsigned p,
	       unsigned flags)
{
	struct dls__size_class *class = class_of(tuner, site, p, n, flags);
	struct dls__auto_choice choice;

	if (!class)
		return -1;
	/* Not after the execution before this one, which might have been the last. */
	if (dls__auto_due(class))
		dls__with_room(decide, class);
	choice = dls__auto_choose(class);
	dls__blocks_consider(site, class, choice);
	keep_answer(tuner, n, p, flags, choice);
	t->profiled = choice.profile && p <= PROFILED_MOST;
	t->buckets = t->profiled ? dls__buckets(p, n) : 0;
	t->timed = have_room(t, p, t->buckets);
	t->flags = flags;
	return (int)choice.schedule;
}

/* The answer for an execution; -1: there is none, or another thread holds the tuner. */
static int answer_for(struct dls__tuner *tuner, struct dls__timing *t, struct dls__kept_site *site, uint64_t n, unsigned p,
		      unsigned flags)
{
	int schedule = answer_again(tuner, n, p, flags);

	if (schedule >= 0 || pthread_mutex_trylock(&tuner->mutex))
		return schedule;
	schedule = ask(tuner, t, site, n, p, flags);
	pthread_mutex_unlock(&tuner->mutex);
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
	struct dls__tuner *tuner = site ? tuner_of(site) : NULL;
	const struct dls__choice *choice;
	int answer;

	if (t->timed)
		t->timed = false;
	answer = tuner && n > 0 ? answer_for(tuner, t, site, n, p, flags) : -1;
	schedule = answer < 0 ? dls__auto_first(p, n, flags) : (unsigned)answer;
	if (t->schedule != schedule)
		t->schedule = (uint8_t)schedule;
	choice = dls__choice_of(schedule);
	if (t->chosen != choice->text)
		t->chosen = choice->text;
	return &choice->schedule;
}

void dls__auto_learn(const struct dls__timing *t, struct dls__kept_site *site, uint64_t n, unsigned p, double wall,
		     const struct dls__bucket *const *row)
{
	struct dls__tuner *tuner = tuner_of(site);
	struct dls__size_class *class;

	if (!tuner || pthread_mutex_trylock(&tuner->mutex))
		return;
	class = class_of(tuner, site, p, n, t->flags);
	if (class)
		dls__auto_ended(class, t->schedule, n, wall);
	if (class && row)
		dls__auto_profiled(class, n, row);
	pthread_mutex_unlock(&tuner->mutex);
}
